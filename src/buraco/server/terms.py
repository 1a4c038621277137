"""What the parts of the server say to each other: who acts, what is set, which errors there are, how tests stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from buraco.errors import BuracoError
from buraco.texts import DEFAULT_LANGUAGE

__all__ = [
    "CLOSE_GONE",
    "CLOSE_NOT_ALLOWED",
    "CLOSE_SLOW",
    "CLOSE_STOPPING",
    "CODE_LETTERS",
    "FAULT_POINTS",
    "Clock",
    "Entropy",
    "Faults",
    "NoFaults",
    "Principal",
    "ServerError",
    "SubscriptionClosed",
    "TableSettings",
    "Timer",
]

CLOSE_STOPPING: Final = 1012
"""The code of a subscription that ends since the server stops (service restart)."""
CLOSE_SLOW: Final = 4008
"""The code of a subscription whose client does not even read the replies to its own messages."""
CLOSE_NOT_ALLOWED: Final = 4003
"""The code of a subscription of somebody who may no longer see the table."""
CLOSE_GONE: Final = 4004
"""The code of a subscription to a table that is closed and has left the memory."""

CODE_LETTERS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What codes that people read and type are made of: digits and capitals, none of which looks like another."""

Entropy = Callable[[int], bytes]
"""Gives a number of random bytes that nobody can guess; `secrets.token_bytes`, or a seeded one in tests."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who sends a message. ``token_id`` names their token (it is not the token); ``name`` is shown to others.

    A seat belongs to a token, or to the account behind it: two principals are the same person if they have the same
    ``token_id``, or the same ``account_id`` that is not None. ``language``: in which they read; it says nothing about
    who they are. ``bot_of``: the name of the owner of a bot account, empty for people.
    """

    token_id: str
    name: str
    account_id: str | None = None
    language: str = field(default=DEFAULT_LANGUAGE, compare=False)
    bot_of: str = ""

    def is_same(self, token_id: str, account_id: str | None) -> bool:
        """Say whether a token and an account are this person's."""
        return self.token_id == token_id or (self.account_id is not None and self.account_id == account_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What the host of a server sets for all tables; a table keeps the values of its creation.

    Times in milliseconds. ``away_ms``: how long a person at a seat may be away before a bot plays it; ``seed_wait_ms``:
    how long a deal waits for the players' seeds; ``next_deal_ms``: when the next deal begins without being asked for;
    ``forfeit_ms``: how long a whole side has to be gone before the other may claim the match; ``timeouts_max``: so
    many turns running whose time was up, and a bot plays the seat; ``abandon_open_ms`` and ``abandon_ms``: when a table
    that is open or finished, or one with a match on, ends since nobody is there; ``bot_pause_ms``: how long a bot waits
    before it acts, for people to follow; ``bot_ms``: how long a bot may think about its turn; ``queue_max``: messages
    that may wait for a slow reader; ``history_max``: updates that are at hand for a resume; ``spectator_delay_ms``: the
    least delay of spectators; ``bot_level``: of tables that do not say another (empty: the usual one);
    ``bot_levels``: those that tables may have (none: all).
    """

    away_ms: int = 30_000
    seed_wait_ms: int = 2_000
    next_deal_ms: int = 30_000
    forfeit_ms: int = 300_000
    timeouts_max: int = 2
    abandon_open_ms: int = 1_800_000
    abandon_ms: int = 86_400_000
    bot_pause_ms: int = 400
    bot_ms: int = 1_500
    queue_max: int = 256
    history_max: int = 400
    spectator_delay_ms: int = 0
    bot_level: str = ""
    bot_levels: tuple[str, ...] = ()


class ServerError(BuracoError):
    """A request is refused: ``no_table``, ``table_closed``, ``table_broken``, ``not_allowed``, ``options`` or
    ``stopping``."""


class SubscriptionClosed(Exception):
    """A subscription has ended: the close ``code`` for the socket and a ``reason``."""

    def __init__(self, code: int, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(reason)


class Timer(Protocol):
    """A call that has been set for later."""

    def cancel(self) -> None:
        """Call it off; without effect once it was made."""


class Clock(Protocol):
    """The time of a server."""

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 UTC."""

    def call_at(self, when_ms: int, call: Callable[[], None]) -> Timer:
        """Make a call at a point in time, soon if it has passed; never at once."""


FAULT_POINTS: Final = ("before_commit", "after_commit", "after_ack")
"""Where `Faults` are asked: before the commit of a batch of entries; after it and before the acks; after an ack is on
its way and before the others are told."""


class Faults(Protocol):
    """A hook for tests that stop the process, or an operation, at a named point."""

    async def at(self, point: str) -> None:
        """Come by one of ``FAULT_POINTS``."""


class NoFaults:
    """Nothing happens at the named points."""

    async def at(self, point: str) -> None:
        """Do nothing."""
