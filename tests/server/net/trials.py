"""Matches that are played while something goes wrong, and what has to hold of them whatever it was.

Each person plays over a socket of their own and notes what was acked and what they were told. Afterwards the log in the
database is held against that: no acked action is lost, none is doubled, nobody was told what is not durable, and every
card of the pack is in its place.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from websockets.exceptions import InvalidHandshake, WebSocketException

from buraco.engine.position import visible_cards
from buraco.engine.shuffle import ordered_pack
from buraco.server.entries import Logged
from buraco.server.replaying import Fold, apply_all
from buraco.server.store import Store
from tests.server.databases import database_url
from tests.server.net.clients import Guest, Seat
from tests.server.net.serving import Place
from tests.server.net.test_match import choose

__all__ = ["LOST", "Line", "Trial", "Written", "written"]

LOST: Final = (WebSocketException, InvalidHandshake, httpx.HTTPError, OSError)
"""What a client sees of a server that is gone."""
#: How many people sit at a table of two or four seats; bots have the others.
_COMPANIES: Final = ((1, 4), (2, 2), (2, 4), (4, 4))
_ANSWERS: Final = ("stale_version", "no_change", "chat_too_fast")
"""Why a message of somebody who plays may be refused: something happened meanwhile, or they chat a lot."""


@dataclass
class Line:
    """What one person knows: what of theirs was acked, with its version, and what was sent without a reply."""

    guest: Guest
    acked: dict[str, int] = field(default_factory=dict)
    open_message: dict[str, Any] | None = None
    version: int = 0
    sent: int = 0
    seat: Seat | None = None

    async def open(self, table: str, since: int | None = None) -> Seat:
        """Open the socket of the person, and hear the first message; with ``since`` what was known goes on, and what
        was missed is heard."""
        if since is not None and self.seat is not None:
            self.seat = await self.guest.reopen(table, self.seat, since)
        else:
            self.seat = await self.guest.open(table, since)
            await self.seat.hear()
        return self.seat

    async def say(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a message and await its reply; while the database is away, again and again."""
        assert self.seat is not None
        self.open_message = message
        while True:
            await self.seat.send(message)
            reply = await self.seat.reply_to(message["id"])
            self.version = max(self.version, self.seat.version)
            if reply.get("code") != "storage":
                break
        self.open_message = None
        if reply["type"] == "ack":
            self.acked[message["id"]] = reply["version"]
        return reply

    def message(self, kind: str, **members: Any) -> dict[str, Any]:
        """Return a message with an id that nobody else has."""
        assert self.seat is not None
        self.sent += 1
        name = f"{self.guest.person['person'][:8]}-{self.sent}"
        return {"type": kind, "id": name, "version": self.seat.version, **members}


class Trial:
    """One match with its people; ``company`` says how many of them sit at how many seats. ``acted`` is called whenever
    something that somebody did in play was answered."""

    def __init__(self, rng: random.Random, company: tuple[int, int] | None = None) -> None:
        self.acted: Callable[[], None] = lambda: None
        self.rng = rng
        self.people, self.players = company or rng.choice(_COMPANIES)
        self.table = ""
        self.lines: list[Line] = []
        self.begun = False

    # Playing.

    async def begin(self, place: Place) -> None:
        """Make the people and their table, and begin the match. Raises what `LOST` names."""
        self.lines = [Line(await Guest.make(place, f"p{number}")) for number in range(self.people)]
        owner = self.lines[0].guest
        rules = self.rng.choice(["aberto", "burraco", "fechado"]) if self.players == 4 else "burraco"
        options = {"rules": rules, "players": self.players}
        self.table = _made(await owner.ask("POST", "/api/tables", {"options": options}))["table"]
        for seat, line in enumerate(self.lines[1:], 1):
            _made(await line.guest.ask("POST", f"/api/tables/{self.table}/join", {"seat": seat}))
        for line in self.lines:
            await line.open(self.table)
        for line in self.lines[1:]:
            await line.say(line.message("ready"))
        if self.people < self.players:
            await self.lines[0].say(self.lines[0].message("start"))
        else:
            await self.lines[0].say(self.lines[0].message("ready"))
        self.begun = True

    async def play(self, actions: int | None = None) -> None:
        """Play on, each at their turn, until they have sent so many actions. Raises what `LOST` names."""
        end = asyncio.Event()
        left = [actions]
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(self._play(line, left, end)) for line in self.lines]
        over: asyncio.Task[Any] = asyncio.create_task(end.wait())
        try:
            await asyncio.wait({*tasks, over}, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in (*tasks, over):
                task.cancel()
            await asyncio.gather(*tasks, over, return_exceptions=True)

    async def _play(self, line: Line, left: list[int | None], end: asyncio.Event) -> None:
        seat = line.seat
        assert seat is not None
        while True:
            message = self._message(line, seat)
            if message is None:
                await seat.hear()
                line.version = max(line.version, seat.version)
                continue
            # Two may have acted at once: the second had heard the first before that one had its reply.
            if left[0] is not None and left[0] <= 0:
                end.set()
                return
            reply = await line.say(message)
            self.acted()
            assert reply["type"] == "ack" or reply["code"] in _ANSWERS, reply
            if left[0] is not None:
                left[0] -= 1
            version = reply["version"]
            await seat.until(lambda: seat.version >= version)  # noqa: B023
            line.version = max(line.version, seat.version)

    def _message(self, line: Line, seat: Seat) -> dict[str, Any] | None:
        """Return what somebody says now, None while it is the turn of another."""
        assert seat.table is not None
        assert seat.you is not None
        view, phase = seat.view, _phase(seat)
        if phase in ("between", "finished"):
            kind = "ready" if phase == "between" else "rematch"
            return None if seat.table["seats"][seat.you["seat"]]["ready"] else line.message(kind)
        if phase != "playing" or view is None or view["legal"] is None:
            return None
        draw = self.rng.random()
        if draw < 0.05:
            return line.message("chat", text="boa!")
        if draw < 0.1 and view["can_undo"]:
            return line.message("undo", count=1)
        legal = view["legal"]
        action = self.rng.choice(legal["actions"]) if draw < 0.4 else choose(legal)
        return line.message("act", action=action)

    # Coming back.

    async def come_back(self, place: Place, found: Written) -> None:
        """Open every seat again; say once more what had no reply and what had one. Raises AssertionError."""
        for line in self.lines:
            line.guest.running = place
            known = line.seat is not None and line.seat.table is not None
            since = line.version if known and self.rng.random() < 0.5 else None
            seat = await line.open(self.table, since)
            first = seat.heard[0]
            # Who has missed nothing hears at once who is there.
            assert first["type"] == "snapshot" or (since is not None and first["type"] in ("update", "presence")), first
            if first["type"] == "update":
                assert first["version"] == line.version + 1, "what was missed comes in order"
            assert seat.version >= line.version
        for line in self.lines:
            await self._say_again(line, found.counts)

    async def _say_again(self, line: Line, counts: Counter[str]) -> None:
        acked, message = dict(line.acked), line.open_message
        if message is not None:
            reply = await line.say(message)
            # What had been written is acked now; what had not is taken now, or is stale.
            known = counts[message["id"]] > 0
            assert reply["type"] == "ack" or (reply["code"] in ("stale_version", "no_change") and not known), reply
        for message_id, version in acked.items():
            reply = await line.say({"type": "act", "id": message_id, "version": 0, "action": 0})
            assert (reply["type"], reply["version"]) == ("ack", version), "an acked message is acked in the same way"

    async def end(self) -> None:
        """Give the match up if there is one, and close the table."""
        owner = self.lines[0]
        seat = owner.seat
        assert seat is not None
        with suppress(*LOST):
            # The ack and the close of the socket come together.
            while True:
                if _phase(seat) in ("shuffling", "playing", "between"):
                    for line in self.lines:
                        await line.say(line.message("resign"))
                    await seat.until(lambda: _phase(seat) == "finished")
                reply = await owner.say(owner.message("close_table"))
                if reply["type"] == "ack":
                    break
                # Something happened meanwhile, such as the beginning of the match.
                await seat.until(lambda: seat.version >= reply["version"])  # noqa: B023
        await self.leave()

    async def leave(self) -> None:
        """Close every socket."""
        for line in self.lines:
            if line.seat is not None:
                with suppress(*LOST):
                    await line.seat.close()

    # Judging.

    def check(self, found: Written) -> None:
        """Hold the log against what the people know. Raises AssertionError."""
        entries = found.entries
        assert [one.seq for one in entries] == list(range(1, len(entries) + 1)), "the log has gaps"
        assert set(found.counts.values()) <= {1}, "an action was doubled"
        for line in self.lines:
            for message_id, version in line.acked.items():
                assert version <= len(entries), "an acked action was lost"
                assert entries[version - 1].entry.id == message_id, "an acked action was lost"
        for line in self.lines:
            assert line.version <= len(entries), "somebody was told what is not durable"
        found.check_cards()

    def check_ended(self, found: Written) -> None:
        """Hold the log of a match that was given up against its one result. Raises AssertionError."""
        self.check(found)
        assert found.fold.phase == "closed"
        play = found.fold.play
        # Of a match that was given up before a card was dealt there is nothing to keep.
        dealt = found.fold.match - (play is not None and not play.starts)
        assert found.results == dealt, "a result is missing, or counts twice"


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in the database of a table: its entries, their state, and how many results."""

    entries: list[Logged]
    fold: Fold
    results: int

    @property
    def counts(self) -> Counter[str]:
        """How often the id of each message stands there."""
        return Counter(one.entry.id for one in self.entries if one.entry.id)

    def check_cards(self) -> None:
        """Raise AssertionError unless every card of the pack is in its place."""
        host = self.fold.host
        if host is not None:
            assert visible_cards(host.position()) == Counter(ordered_pack(self.fold.rules)), "a card is missing"


async def written(data: Path, tables: Iterable[str]) -> list[Written]:
    """Return what stands in the database of these tables."""
    store = await Store.open(database_url(data))
    try:
        return [await _written(store, table) for table in tables]
    finally:
        await store.close()


async def _written(store: Store, table: str) -> Written:
    entries = await store.log_of(table)
    fold = apply_all(await store.people_of(table), entries)
    results = [await store.has_result(table, match) for match in range(1, fold.match + 2)]
    return Written(entries, fold, sum(results))


def _phase(seat: Seat) -> str:
    assert seat.table is not None
    return str(seat.table["phase"])


def _made(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code in (200, 201), response.text
    made: dict[str, Any] = response.json()
    return made


def count_down(trials: Iterable[Trial], answered: int, then: Callable[[], None]) -> None:
    """Call ``then`` once, when so many things that people did at these matches were answered."""
    numbers = itertools.count(1)

    def acted() -> None:
        if next(numbers) == answered:
            then()

    for trial in trials:
        trial.acted = acted


async def lost(work: Awaitable[None]) -> bool:
    """Do something that a lost server may interrupt; say whether it did."""
    try:
        await work
    except LOST:
        return True
    return False
