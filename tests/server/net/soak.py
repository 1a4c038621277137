"""Matches under one fault after the other, for as long as one likes: nothing acked is lost, no card is missing, every
result counts once, and the servers do not grow.

``python -m tests.server.net.soak --minutes 60`` plays on a server with SQLite, with ``--on postgresql`` on one with
PostgreSQL, with ``--on site`` on two of them that share a Redis.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.server.databases import KINDS, SITE, database_url, place_for, redis_url, use_database, use_redis
from tests.server.net.clients import Seat
from tests.server.net.serving import Place, child
from tests.server.net.trials import Trial, count_down, lost, written
from tests.server.progress import Progress, add_minutes
from tests.server.relay import Relay, relay

__all__ = ["FAULTS", "Soaked", "faults_of", "soak"]

_MATCHES: Final = 2
_ACTIONS: Final = 12
_ACTIONS_AFTER: Final = 4
_SETTLED_ROUNDS: Final = 5
"""After so many rounds of its life a server has loaded what it needs."""
_GROWTH_MAX_KIB: Final = 64 * 1024

FAULTS: Final = ("kill", "stop", "sockets", "deaf", "database", "redis", "nothing")
"""A server is killed, or told to stop; all sockets break; somebody reads nothing; PostgreSQL, or Redis, goes away for
a moment; or nothing happens."""


def faults_of(data: Path) -> tuple[str, ...]:
    """Return which of the faults there are for a server on this folder."""
    missing = set() if redis_url(data) else {"redis"}
    if database_url(data).startswith("sqlite"):
        missing.add("database")
    return tuple(one for one in FAULTS if one not in missing)


@dataclass
class Soaked:
    """What came of it: the faults by kind, the actions that were acked, and by how much a server has grown at most
    once it had settled, in KiB."""

    faults: Counter[str] = field(default_factory=Counter)
    acked: int = 0
    growth_kib: int = 0


class _Server:
    """A server in a process of its own."""

    def __init__(self, stack: AsyncExitStack, place: Place, process: asyncio.subprocess.Process) -> None:
        self.stack = stack
        self.place = place
        self.process = process
        self._rounds = 0
        self._settled_kib = 0

    @classmethod
    async def start(cls, data: Path) -> _Server:
        stack = AsyncExitStack()
        return cls(stack, *await stack.enter_async_context(child(data)))

    async def end(self, how: signal.Signals) -> None:
        self.process.send_signal(how)
        await asyncio.wait_for(self.process.wait(), 60)
        await self.stack.aclose()

    def growth_kib(self) -> int:
        """Return by how much it has grown since it had settled."""
        self._rounds += 1
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        kib = pages * os.sysconf("SC_PAGE_SIZE") // 1024
        if self._rounds <= _SETTLED_ROUNDS:
            self._settled_kib = kib
        return kib - self._settled_kib


class _Soak:
    def __init__(self, data: Path, rng: random.Random, lines: dict[str, Relay], *, counted: bool) -> None:
        self._data = data
        self._counted = counted
        self._rng = rng
        self._lines = lines
        self._servers: list[_Server] = []
        self._deaf: list[Seat] = []
        self.soaked = Soaked()

    async def start(self) -> None:
        for _ in range(2 if redis_url(self._data) else 1):
            self._servers.append(await _Server.start(self._data))

    async def end(self) -> None:
        for server in self._servers:
            await server.end(signal.SIGTERM)

    @property
    def _place(self) -> Place:
        return Place(*(server.place.address for server in self._servers))

    async def round(self, fault: str) -> None:
        """Begin matches, let it happen while they are played, bring everybody back, play on, give up, and judge."""
        trials = [Trial(self._rng) for _ in range(_MATCHES)]
        await asyncio.gather(*(trial.begin(self._place) for trial in trials))
        # Drawn before anybody plays: how much is drawn then goes by how fast everything is.
        delay_s, answered, reached = self._rng.uniform(0.0, 0.3), self._rng.randint(1, _ACTIONS), asyncio.Event()
        count_down(trials, answered, reached.set)
        playing = asyncio.gather(*(lost(trial.play(_ACTIONS)) for trial in trials))
        playing.add_done_callback(lambda _: reached.set())
        await (reached.wait() if self._counted else asyncio.sleep(delay_s))
        happening = asyncio.create_task(self._happen(fault, trials))
        await playing
        for trial in trials:
            await trial.leave()
        await happening
        for one in self._deaf:
            one.connection.transport.abort()
        self._deaf.clear()
        tables = [trial.table for trial in trials]
        for trial, found in zip(trials, await written(self._data, tables), strict=True):
            trial.check(found)
            await trial.come_back(self._place, found)
            await trial.play(_ACTIONS_AFTER)
            await trial.end()
        for trial, found in zip(trials, await written(self._data, tables), strict=True):
            trial.check_ended(found)
            self.soaked.acked += sum(len(line.acked) for line in trial.lines)
        self.soaked.faults[fault] += 1
        for server in self._servers:
            growth = server.growth_kib()
            self.soaked.growth_kib = max(self.soaked.growth_kib, growth)
            assert growth <= _GROWTH_MAX_KIB, f"a server has grown by {growth} KiB"

    async def _happen(self, fault: str, trials: list[Trial]) -> None:
        if fault in ("kill", "stop"):
            number = self._rng.randrange(len(self._servers))
            await self._servers[number].end(signal.SIGKILL if fault == "kill" else signal.SIGTERM)
            self._servers[number] = await _Server.start(self._data)
        elif fault == "sockets":
            for trial in trials:
                for line in trial.lines:
                    if line.seat is not None:
                        line.seat.connection.transport.abort()
        elif fault == "deaf":
            for trial in trials:
                line = trial.lines[0]
                seat = await line.guest.open(trial.table)
                seat.connection.transport.pause_reading()
                self._deaf.append(seat)
        elif fault in self._lines:
            self._lines[fault].down()
            await asyncio.sleep(self._rng.uniform(0.0, 0.5))
            self._lines[fault].up()


@asynccontextmanager
async def _lines_of(data: Path) -> AsyncIterator[dict[str, Relay]]:
    """Let the servers reach their database and their Redis by lines that can be cut."""
    async with AsyncExitStack() as stack:
        lines: dict[str, Relay] = {}
        url = database_url(data)
        if not url.startswith("sqlite"):
            lines["database"], through = await stack.enter_async_context(relay(url))
            use_database(data, through)
        if redis_url(data):
            lines["redis"], through = await stack.enter_async_context(relay(redis_url(data)))
            use_redis(data, through)
        yield lines


async def soak(data: Path, plan: Iterator[str], rng: random.Random, *, counted: bool = False) -> Soaked:
    """Let one fault of the plan after the other happen, each at any moment of a match, or with ``counted`` after a
    number of actions, however fast they are. Raises AssertionError at the first thing that is wrong."""
    async with _lines_of(data) as lines:
        here = _Soak(data, rng, lines, counted=counted)
        await here.start()
        try:
            for fault in plan:
                async with asyncio.timeout(300):
                    await here.round(fault)
        finally:
            await here.end()
    return here.soaked


def _plan(kinds: tuple[str, ...], rng: random.Random, go_on: Callable[[int], bool]) -> Iterator[str]:
    """Draw faults until the time is up; a server is killed or stopped seldom, so that it has time to grow."""
    weights = [0.15 if kind in ("kill", "stop") else 1.0 for kind in kinds]
    number = 0
    while go_on(number):
        yield rng.choices(kinds, weights)[0]
        number += 1


def main() -> None:
    """Read the command line and soak."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=(*KINDS, SITE), default="sqlite", help="what the servers are on")
    parser.add_argument("--rounds", type=int, default=100_000, help="at most so many faults (default 100000)")
    parser.add_argument("--seed", type=int, default=1)
    add_minutes(parser, 60)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with place_for(asked.on) as data:
        told = Progress(f"rounds on {asked.on}", asked.rounds, asked.minutes, every=10)
        plan = _plan(faults_of(data), rng, lambda number: number < asked.rounds and told(number))
        soaked = asyncio.run(soak(data, plan, rng))
    for fault, count in soaked.faults.most_common():
        sys.stdout.write(f"{count:5} {fault}\n")
    sys.stdout.write(f"{soaked.acked} messages were acked; a server grew by {soaked.growth_kib} KiB at most\n")


if __name__ == "__main__":
    main()
