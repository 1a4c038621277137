"""Tables of our server with four scripted clients each, who take random steps that the server says are legal."""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import httpx
import msgspec

from benchmarks.load import SEATS, Table
from benchmarks.wire import Wire, connect

__all__ = ["FLAGS", "OwnTable", "http_client", "sit_down"]

#: All clients come from one address, and make themselves at home within a minute. Durability is the default.
FLAGS: Final = {
    "connections-max": 100_000,
    "connections-per-address": 100_000,
    "http-connections-per-address": 1_000,
    "requests-per-s": 10_000,
    "requests-burst": 100_000,
    "guests-per-hour": 1_000_000,
    "tables-max": 100_000,
}


class _Legal(msgspec.Struct):
    actions: list[int]


class _View(msgspec.Struct):
    legal: _Legal | None = None


class _Fair(msgspec.Struct):
    deal: int


class _State(msgspec.Struct):
    phase: str
    fair: _Fair | None = None


class _Heard(msgspec.Struct):
    type: str
    id: str = ""
    version: int = 0
    code: str = ""
    table: _State | None = None
    view: _View | None = None


_decoder: Final = msgspec.json.Decoder(_Heard)


class OwnTable(Table):
    """A table of our server in play."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = random.Random(seed)
        self.wires: dict[int, Wire] = {}
        self._version_seen = [0] * SEATS
        self._legal: list[list[int] | None] = [None] * SEATS
        self._phase = ""
        self._answered = [("", 0)] * SEATS
        self._sent = 0
        self._acting = ("", 0)
        self._shown = asyncio.Event()
        self._begun = asyncio.Event()

    def hear(self, seat: int, wire: Wire, data: bytes) -> None:
        """Take in a message to a seat."""
        self.wires[seat] = wire
        heard = _decoder.decode(data)
        if heard.type == "refused":
            if heard.id == self._acting[0]:
                self.refuse(self._acting[1], heard.code)
                self._say(seat, "resume", since=0)
            return
        if heard.type not in ("update", "snapshot"):
            return
        self._version_seen[seat] = heard.version
        if all(self._version_seen):
            self._shown.set()
        self.arrived(heard.version)
        if heard.table is not None:
            self._answer(seat, heard.table)
        if heard.view is not None:
            self._legal[seat] = None if heard.view.legal is None else heard.view.legal.actions
            if self._legal[seat]:
                self._begun.set()
                self.look()

    def _answer(self, seat: int, state: _State) -> None:
        """Say what a player says between deals: that they are ready, and their part of the shuffle."""
        deal = 0 if state.fair is None else state.fair.deal
        now, self._answered[seat] = self._answered[seat], (state.phase, deal)
        if now == (state.phase, deal):
            return
        if state.phase == "shuffling" and state.fair is not None:
            self._say(seat, "seed", deal=deal, seed=secrets.token_hex(32))
        elif state.phase == "between":
            self._say(seat, "ready")
        elif state.phase == "finished":
            self._say(seat, "rematch")

    def _say(self, seat: int, kind: str, **members: Any) -> str:
        self._sent += 1
        name = f"s{self._sent}"
        self.wires[seat].say(
            msgspec.json.encode({"type": kind, "id": name, "version": self._version_seen[seat], **members})
        )
        return name

    async def begin(self) -> None:
        """Let everybody say that the match may begin, and wait until it has. Raises TimeoutError."""
        async with asyncio.timeout(60):
            await self._shown.wait()
            for seat in range(SEATS):
                self._say(seat, "ready")
            await self._begun.wait()

    def act(self) -> int | None:
        """Send a random legal action of the seat to act, and return the version that it makes."""
        for seat in range(SEATS):
            legal = self._legal[seat]
            if legal:
                self._legal[seat] = None
                version = self._version_seen[seat] + 1
                self._acting = (self._say(seat, "act", action=self._rng.choice(legal)), version)
                return version
        return None

    def close(self) -> None:
        """Close every socket."""
        for wire in self.wires.values():
            wire.close()


@asynccontextmanager
async def http_client() -> AsyncIterator[httpx.AsyncClient]:
    """Give a client for the making of tables."""
    limits = httpx.Limits(max_connections=8, max_keepalive_connections=8)
    async with httpx.AsyncClient(timeout=60, verify=False, limits=limits) as client:
        yield client


async def _guest(client: httpx.AsyncClient, address: str) -> dict[str, str]:
    made = await client.post(f"{address}/api/guests", json={"name": "Ana", "bearer": True})
    return {"Authorization": f"Bearer {made.raise_for_status().json()['token']}"}


async def sit_down(client: httpx.AsyncClient, addresses: Sequence[str], seed: int) -> OwnTable:
    """Make a table with four guests at it, open their sockets, and begin the match.

    Of several addresses each table is made at the next one, and the players of each side are at different ones: then
    every turn begins at another process than the one before.
    """
    table = OwnTable(seed)
    address = addresses[seed % len(addresses)]
    people = [await _guest(client, address) for _ in range(SEATS)]
    made = await client.post(f"{address}/api/tables", json={"options": {"rules": "aberto"}}, headers=people[0])
    place = f"/api/tables/{made.raise_for_status().json()['table']}"
    for seat in range(1, SEATS):
        joined = await client.post(f"{address}{place}/join", json={"seat": seat}, headers=people[seat])
        joined.raise_for_status()
    for seat, headers in enumerate(people):
        where = addresses[seat % len(addresses)].replace("http", "ws", 1)
        await connect(f"{where}{place}/socket", headers, partial(table.hear, seat))
    await table.begin()
    return table
