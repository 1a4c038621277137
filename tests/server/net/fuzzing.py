"""Hostile messages over the socket: malformed, reordered, replayed, oversized, of foreign seats.

Where two servers have the same table, whoever sends them moves from one to the other in the midst of it.

``python -m tests.server.net.fuzzing --count 200000 --seed 1`` sends many more than the tests do, with ``--site`` to two
servers on PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import ConnectionClosed

from buraco.server.app import Ground
from buraco.server.clocks import ManualClock
from buraco.server.messages import CLIENT_MESSAGES
from buraco.server.table import Table
from buraco.server.ws import CLOSE_CODES
from tests.server.databases import place_for, redis_url
from tests.server.net.clients import Guest, Seat
from tests.server.net.serving import SOON, Running, cheap_hasher, running_server
from tests.server.progress import GoOn, Progress, add_minutes, always

__all__ = ["Board", "Tally", "fuzz", "set_up"]

KINDS: Final = tuple(str(kind.__struct_config__.tag) for kind in CLIENT_MESSAGES)
MEMBERS: Final = tuple(sorted({name for kind in CLIENT_MESSAGES for name in kind.__struct_fields__} | {"type"}))
CHANGING: Final = frozenset({"resign", "draw", "leave", "take_back", "chat", "phrase", "mute", "ready", "seed"})
BATCH: Final = 40


@dataclass
class Board:
    """A table in the middle of a deal with four people: the one to act, one of the others, and one who watches."""

    running: Running
    tables: tuple[Table, ...]
    acting: Guest
    waiting: Guest
    watching: Guest
    seats: tuple[Seat, ...]

    @property
    def table(self) -> Table:
        """The table as the first server has it."""
        return self.tables[0]

    def state(self) -> tuple[object, ...]:
        """Return all that no hostile message may change, at every server."""
        return tuple(_state(table) for table in self.tables)


def _state(table: Table) -> tuple[object, ...]:
    fold = table.fold
    assert fold.host is not None
    return fold.version, fold.host.position(), fold.phase, [(one.kind, one.cause) for one in fold.seats]


@dataclass
class Tally:
    """What came of the messages: replies by kind and code, closes by code."""

    replies: Counter[str]
    closes: Counter[int]
    moves: int = 0

    @property
    def total(self) -> int:
        """How many messages got what they may get."""
        return self.replies.total() + self.closes.total()


async def set_up(running: Running, clock: ManualClock | None = None) -> Board:
    """Bring four people to a table and begin a match; a clock that is given stands still from then on."""
    guests = [await Guest.make(running, f"g{number}") for number in range(4)]
    made = (await guests[0].ask("POST", "/api/tables", {"options": {"rules": "aberto"}})).json()
    seats = []
    for guest in guests[1:]:
        assert (await guest.ask("POST", f"/api/tables/{made['code']}/join", {})).status_code == 200
    for guest in guests:
        seat = await guest.open(made["table"])
        await seat.hear()
        seats.append(seat)
    for seat in seats:
        await seat.ask("ready")
    tables = [await parts.service.get(made["table"]) for parts in running.everyone]
    table = tables[0]
    if table.fold.phase == "open":
        await seats[0].ask("start")
    async with asyncio.timeout(60):
        while any(one.fold.phase != "playing" for one in tables):
            if clock is not None:
                clock.turn_to(clock.now_ms() + 1_000)
            await asyncio.sleep(0)
    assert table.fold.host is not None
    turn = table.fold.host.seat
    assert turn is not None
    spectator = await Guest.make(running, "spectator")
    # The other seats stay open: a table that all people left would pause.
    return Board(running, tuple(tables), guests[turn], guests[(turn + 1) % 4], spectator, tuple(seats))


def junk(rng: random.Random, depth: int = 0) -> Any:
    """Return any JSON value."""
    choices: list[Any] = [
        None, True, rng.randrange(-5, 60), rng.randrange(-(2**70), 2**70), rng.random() * 1e9, "", "7h", "X",
        "\u202e\u0000\ud7ff", "x" * rng.randrange(60), ["7h"] * rng.randrange(20),
    ]  # fmt: skip
    if depth < 3:
        choices += [[junk(rng, depth + 1) for _ in range(rng.randrange(4))]]
        choices += [{rng.choice(MEMBERS): junk(rng, depth + 1) for _ in range(rng.randrange(4))}]
    return rng.choice(choices)


def message(rng: random.Random, board: Board, role: str, number: int) -> dict[str, Any]:
    """Return a message that must not change the table when somebody of this role sends it."""
    version = board.table.version
    kind = rng.choice([one for one in KINDS if role == "watching" or one not in CHANGING])
    made: dict[str, Any] = {
        "type": kind,
        "id": f"{role}-{number}",
        "version": rng.choice([version, version, 0, version - 1, version + 1, 2**53 - 1, rng.randrange(2**40)]),
    }
    usual: dict[str, Any] = {
        "seat": rng.randrange(4),
        "action": rng.choice([0, 1, 4 + rng.randrange(53), rng.randrange(22_500), 2**53 - 1]),
        "cards": [rng.choice(["7h", "2d", "X", "Ks", "9z", ""]) for _ in range(1 + rng.randrange(14))],
        "deal": rng.randrange(1, 4),
        "seed": rng.randbytes(32).hex(),
        "text": "boa!",
        "phrase": rng.choice(["hello", "nonsense"]),
        "member": rng.randrange(1, 9),
        "since": rng.choice([0, version, version + 7, 2**53 - 1]),
    }
    wanted = {
        "sit": ["seat"], "put_bot": ["seat"], "clear_seat": ["seat"], "seed": ["deal", "seed"], "act": ["action"],
        "probe": ["cards"], "why": ["action"], "chat": ["text"], "phrase": ["phrase"], "mute": ["member"],
        "resume": ["since"],
    }  # fmt: skip
    for name in wanted.get(kind, []):
        made[name] = usual[name]
    if role == "acting" and kind in ("act", "undo"):
        # The one to act may act; only what has not seen the last state is refused for certain.
        made["version"] = rng.randrange(version)
    return made


def spoilt(rng: random.Random, made: dict[str, Any]) -> dict[str, Any]:
    """Return a message that is none any more, but has its id."""
    broken = dict(made)
    for _ in range(rng.randrange(1, 3)):
        what = rng.randrange(3)
        if what == 0:
            broken[rng.choice([name for name in MEMBERS if name != "id"])] = junk(rng)
        elif what == 1:
            broken[f"extra{rng.randrange(9)}"] = junk(rng)
        else:
            broken.pop(rng.choice([name for name in broken if name != "id"]), None)
            broken["another"] = junk(rng)
    broken["unknown"] = 1
    return broken


def unanswerable(rng: random.Random, made: dict[str, Any]) -> str | bytes:
    """Return what gets no reply but a close."""
    text = json.dumps(made)
    choices: list[str | bytes] = [
        text[: rng.randrange(1, len(text))],
        text.encode(),
        rng.randbytes(rng.randrange(1, 50)),
        "[]",
        json.dumps({"type": made["type"]}),
        json.dumps({**made, "text": "x" * 20_000}),
        "\x00\x01",
        "[" * rng.randrange(1, 9000),
        "null",
    ]
    return rng.choice(choices)


async def fuzz(board: Board, count: int, seed: int, go_on: GoOn = always) -> Tally:
    """Send so many hostile messages; return what came of them. Raises AssertionError at the first wrong thing."""
    rng = random.Random(seed)
    tally = Tally(Counter(), Counter())
    before = board.state()
    roles = {"acting": board.acting, "waiting": board.waiting, "watching": board.watching}
    seats: dict[str, Seat] = {}
    old: list[dict[str, Any]] = []
    number = 0
    while tally.total < count and go_on(tally.total):
        role = rng.choice(list(roles))
        seat = seats[role] = await _seat_of(roles[role], board, seats.get(role), rng, tally)
        if rng.random() < 0.25:
            number += 1
            tally.closes[await closed_by(seat, unanswerable(rng, message(rng, board, role, number)))] += 1
            del seats[role]
            continue
        batch = []
        for _ in range(BATCH):
            number += 1
            batch.append(one_of(rng, board, role, number, old))
        await converse(seat, batch, tally)
        assert board.state() == before, "a hostile message changed the table"
        seat.heard.clear()
        seat.raw.clear()
    for seat in seats.values():
        await seat.close()
    assert board.state() == before, "a hostile message changed the table"
    return tally


async def _seat_of(guest: Guest, board: Board, before: Seat | None, rng: random.Random, tally: Tally) -> Seat:
    """Return an open socket of somebody: the earlier one, or where there are two servers one to the next of them."""
    if before is not None and (len(board.tables) == 1 or rng.random() < 0.5):
        return before
    seat = await guest.open(board.table.table_id, None if before is None else before.version)
    await seat.hear()
    if before is not None:
        tally.moves += 1
        # Nothing of what it missed is left out or told twice.
        assert seat.version in (0, before.version), "a move missed something"
        seat.version = before.version
        await before.close()
    return seat


def one_of(rng: random.Random, board: Board, role: str, number: int, old: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a fresh message, a spoilt one, or one that was sent before by whomever."""
    if old and rng.random() < 0.2:
        return rng.choice(old) if role == "watching" else {**rng.choice(old), "version": 2**53 - 1}
    made = message(rng, board, role, number)
    if rng.random() < 0.5:
        return spoilt(rng, made)
    old.append(made)
    del old[:-200]
    return made


async def converse(seat: Seat, batch: list[dict[str, Any]], tally: Tally) -> None:
    """Send messages without waiting; each gets one reply, in order."""
    for made in batch:
        await seat.send(made)
    for made in batch:
        while True:
            heard = await seat.hear()
            if heard["type"] in ("ack", "refused"):
                break
        assert heard["id"] == made["id"], (heard, made)
        tally.replies[f"{heard['type']} {heard.get('code', '')}".strip()] += 1


async def closed_by(seat: Seat, sent: str | bytes) -> int:
    """Send what gets no reply; return the code of the close."""
    try:
        await seat.connection.send(sent)
        while True:
            heard = await seat.hear()
            assert heard["type"] not in ("ack", "refused"), (heard, sent)
    except ConnectionClosed:
        code = seat.connection.close_code or 0
    assert code in CLOSE_CODES, (code, sent)
    return code


async def read_on(seat: Seat) -> None:
    """Take everything in and forget it, so that the connection stays alive."""
    with suppress(ConnectionClosed):
        async for _ in seat.connection:
            pass


async def run(count: int, seed: int, data: Path, go_on: GoOn = always) -> Tally:
    """Run a server on a folder, or a site where it has a Redis, and send so many hostile messages."""
    # The servers of a site tell each other that they live by the real time.
    clock = None if redis_url(data) else ManualClock(1_700_000_000_000)
    ground = Ground(bots="inline", hasher=cheap_hasher(), site=SOON)
    if clock is not None:
        ground = replace(ground, clock=clock)
    async with running_server(data, ground) as running:
        board = await set_up(running, clock)
        reading = [asyncio.create_task(read_on(seat)) for seat in board.seats]
        tally = await fuzz(board, count, seed, go_on)
        for seat in board.seats:
            await seat.close()
        await asyncio.gather(*reading)
        for parts in running.everyone:
            assert "buraco_errors_total{" not in parts.metrics.text().decode(), "an exception escaped"
    return tally


def main() -> None:
    """Send as many as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--site", action="store_true", help="to two servers on PostgreSQL and Redis")
    add_minutes(parser, 60)
    options = parser.parse_args()
    go_on = Progress("messages", options.count, options.minutes)
    with place_for("site" if options.site else "sqlite") as data:
        tally = asyncio.run(run(options.count, options.seed, data, go_on))
    sys.stdout.write(f"{tally.total} messages, {tally.moves} moves from one server to the other\n")
    sys.stdout.write(f"{dict(tally.replies)}\n{dict(tally.closes)}\n")


if __name__ == "__main__":
    main()
