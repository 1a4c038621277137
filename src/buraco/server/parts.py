"""The parts of a running server, as its outer layers find them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from buraco.server.accounts import People
from buraco.server.archive import Archive
from buraco.server.limits import RateLimiter, SharedLimiter
from buraco.server.logs import Log
from buraco.server.metrics import Metrics
from buraco.server.peers import Peers
from buraco.server.referee_pool import RefereePool
from buraco.server.service import TableService
from buraco.server.settings import Settings
from buraco.server.sockets import Sockets
from buraco.server.terms import Clock

__all__ = ["Limiters", "Parts", "State"]


@dataclass(frozen=True, slots=True)
class Limiters:
    """The rates of what costs more than a request: new guests of an address, wrong passwords, messages of a person."""

    guests: SharedLimiter
    logins: SharedLimiter
    messages: RateLimiter


@dataclass(slots=True)
class State:
    """What changes: whether the server stops (``ending`` tells those who wait), and who does its housekeeping."""

    stopping: bool = False
    ending: asyncio.Event = field(default_factory=asyncio.Event)
    housekeeping: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A running server; ``address`` is the one that people open."""

    settings: Settings
    clock: Clock
    service: TableService
    peers: Peers
    people: People
    archive: Archive
    limiters: Limiters
    sockets: Sockets
    referee: RefereePool
    metrics: Metrics
    log: Log
    steady: Callable[[], float]
    address: str
    state: State
