"""Tables that are played by scripted clients at a steady pace, and how long what they do takes to reach everybody.

A table acts at its moments, whether the one before was quick or slow: what comes late is counted from the moment at
which it was to be done, so that a slow server cannot hide it by being asked less.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from abc import ABC, abstractmethod
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["SEATS", "Figures", "Table", "Usage", "drive"]

SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Usage:
    """Seconds of processor time: of the servers together, of their database and of Redis where there are any."""

    servers_s: float
    database_s: float = 0.0
    redis_s: float = 0.0

    def since(self, before: Usage) -> Usage:
        """Return what was used since then."""
        return Usage(
            self.servers_s - before.servers_s, self.database_s - before.database_s, self.redis_s - before.redis_s
        )


class Table(ABC):
    """A table with its four clients. ``taken`` counts the actions that were sent, ``refused`` those that were
    refused, by their codes; ``times_ms`` holds how long each event of an action took to reach each client."""

    def __init__(self) -> None:
        self.times_ms = array("d")
        self.taken = 0
        self.refused: Counter[str] = Counter()
        self._loop = asyncio.get_running_loop()
        self._interval_s = 0.0
        self._due_s = 0.0
        self._waits = False
        self._playing = False
        self._open: dict[int, tuple[float, int]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def start(self, interval_s: float, first_s: float) -> None:
        """Act every ``interval_s`` seconds from a moment on."""
        self._playing, self._interval_s, self._due_s = True, interval_s, first_s
        self._timer = self._loop.call_at(first_s, self._moment)

    def stop(self) -> None:
        """Act no more."""
        self._playing = self._waits = False
        if self._timer is not None:
            self._timer.cancel()

    def _moment(self) -> None:
        """Act, or as soon as it is known what may be done."""
        self._waits = True
        self.look()

    def look(self) -> None:
        """Act if it is time and somebody may."""
        if not self._waits:
            return
        version = self.act()
        if version is None:
            return
        self._open[version] = (self._due_s, SEATS)
        self._waits = False
        self.taken += 1
        self._due_s += self._interval_s
        self._timer = self._loop.call_at(self._due_s, self._moment)

    def arrived(self, version: int) -> None:
        """Note that what made this version has reached a client."""
        found = self._open.get(version)
        if found is None:
            return
        due_s, missing = found
        self.times_ms.append((self._loop.time() - due_s) * 1000)
        if missing > 1:
            self._open[version] = (due_s, missing - 1)
        else:
            del self._open[version]

    def refuse(self, version: int, code: str) -> None:
        """Note that an action was refused, which would have made this version."""
        self._open.pop(version, None)
        self.refused[code] += 1

    @abstractmethod
    def act(self) -> int | None:
        """Send one action of whoever is to act, and return the version that it makes; None: nobody can yet."""

    @abstractmethod
    def close(self) -> None:
        """Close every socket."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured in a while: actions a second, how long events took, the processor time of the servers, of the
    database and of Redis for an action, how much of a processor the clients took, and the refusals by their codes."""

    wanted_per_s: float
    actions_per_s: float
    median_ms: float
    p99_ms: float
    worst_ms: float
    cpu_ms_per_action: float
    database_ms_per_action: float
    redis_ms_per_action: float
    clients_processors: float
    events_per_action: float
    refused: Counter[str]

    @property
    def holds(self) -> bool:
        """Whether the server could follow: 99 of 100 events within 100 ms, all that was asked for was done, and every
        client heard of it."""
        done = self.actions_per_s >= 0.97 * self.wanted_per_s and self.events_per_action >= 0.95 * SEATS
        return self.p99_ms <= 100 and done


async def drive(
    tables: Sequence[Table], per_s: float, warm_s: float, seconds: float, usage: Callable[[], Usage]
) -> Figures:
    """Let every table act ``per_s`` times a second for a while, and measure after ``warm_s`` seconds."""
    loop = asyncio.get_running_loop()
    begin_s = loop.time() + 0.1
    for number, table in enumerate(tables):
        table.start(1 / per_s, begin_s + number / len(tables) / per_s)
    await asyncio.sleep(warm_s)
    for table in tables:
        table.times_ms = array("d")
        table.taken = 0
        table.refused.clear()
    began_s, before, own_s = loop.time(), usage(), time.process_time()
    await asyncio.sleep(seconds)
    spent_s, used, own_s = loop.time() - began_s, usage().since(before), time.process_time() - own_s
    taken = sum(table.taken for table in tables)
    for table in tables:
        table.stop()
    times = sorted(one for table in tables for one in table.times_ms)
    # What is still on its way is waited for, so that the next while begins with nothing open.
    await asyncio.sleep(0.5)
    if not times:
        raise SystemExit("benchmarks: no event arrived")
    each = 1000 / max(1, taken)
    return Figures(
        wanted_per_s=len(tables) * per_s,
        actions_per_s=taken / spent_s,
        median_ms=statistics.median(times),
        p99_ms=times[int(len(times) * 0.99)],
        worst_ms=times[-1],
        cpu_ms_per_action=used.servers_s * each,
        database_ms_per_action=used.database_s * each,
        redis_ms_per_action=used.redis_s * each,
        clients_processors=own_s / spent_s,
        events_per_action=len(times) / max(1, taken),
        refused=sum((table.refused for table in tables), Counter()),
    )
