"""The time: the system's clock, one that tests turn by hand, and the ledger of the players' time."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from typing import Final

from buraco.server.options import ClockOptions
from buraco.server.terms import Clock, Timer

__all__ = ["RETURN_BANK_MS", "Ledger", "ManualClock", "OnwardClock", "SystemClock"]

#: Linux has a clock that goes on while the computer sleeps.
_PASSING: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)

RETURN_BANK_MS: Final = 30_000
"""What somebody has at least in their bank when they take their seat back from a bot."""


def _passed_ns() -> int:
    """Return the time that has passed since this computer started, also while it slept where the system counts that."""
    return time.clock_gettime_ns(_PASSING)


class SystemClock:
    """The time of the computer as it was at the making of this clock, and what has passed since: setting the
    computer's clock moves it neither forward nor back. Calls are made by the running event loop.

    ``wall_ns`` and ``passed_ns`` are for tests: the computer's clock, and one that nobody sets.
    """

    def __init__(self, wall_ns: Callable[[], int] = time.time_ns, passed_ns: Callable[[], int] = _passed_ns) -> None:
        self._passed_ns = passed_ns
        self._begin_ns = wall_ns() - passed_ns()

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 UTC."""
        return (self._begin_ns + self._passed_ns()) // 1_000_000

    def call_at(self, when_ms: int, call: Callable[[], None]) -> Timer:
        """Make a call at a point in time, soon if it has passed; never at once."""
        return asyncio.get_running_loop().call_later(max(0, when_ms - self.now_ms()) / 1000, call)


class OnwardClock:
    """A clock that goes on from the latest time that it showed or was told of, when the clock behind it goes back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._latest_ms = 0
        self._ahead_ms = 0

    def now_ms(self) -> int:
        """Return the milliseconds since 1970 UTC, never fewer than before."""
        now_ms = self._clock.now_ms() + self._ahead_ms
        if now_ms < self._latest_ms:
            self._ahead_ms += self._latest_ms - now_ms
            now_ms = self._latest_ms
        self._latest_ms = now_ms
        return now_ms

    def not_before(self, at_ms: int) -> None:
        """Show this time or a later one from now on."""
        self._latest_ms = max(self._latest_ms, at_ms)

    def call_at(self, when_ms: int, call: Callable[[], None]) -> Timer:
        """Make a call when this much of its time has passed, soon if it has already; never at once."""
        wait_ms = when_ms - self.now_ms()
        return self._clock.call_at(self._clock.now_ms() + wait_ms, call)


class _ManualTimer:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def cancel(self) -> None:
        self.call = None


class ManualClock:
    """A clock that stands still until it is turned, for tests and simulations."""

    def __init__(self, now_ms: int = 0) -> None:
        self._now_ms = now_ms
        self._order = itertools.count()
        self._timers: list[tuple[int, int, _ManualTimer]] = []

    def now_ms(self) -> int:
        """Return the time that it shows."""
        return self._now_ms

    def call_at(self, when_ms: int, call: Callable[[], None]) -> Timer:
        """Make a call when the clock is turned to that time or beyond."""
        timer = _ManualTimer(call)
        heapq.heappush(self._timers, (when_ms, next(self._order), timer))
        return timer

    def next_ms(self) -> int | None:
        """Return the time of the next call, None if there is none."""
        while self._timers and self._timers[0][2].call is None:
            heapq.heappop(self._timers)
        return self._timers[0][0] if self._timers else None

    def jump(self, ms: int) -> None:
        """Show another time at once, as when somebody sets a clock: calls are made after the time that was left."""
        self._now_ms += ms
        self._timers = [(when_ms + ms, number, timer) for when_ms, number, timer in self._timers]

    def turn_to(self, when_ms: int) -> None:
        """Turn the clock forward and make the calls that are due, in their order."""
        while (due := self.next_ms()) is not None and due <= when_ms:
            call = heapq.heappop(self._timers)[2].call
            self._now_ms = max(self._now_ms, due)
            if call is not None:
                call()
        self._now_ms = max(self._now_ms, when_ms)


class Ledger:
    """What the players have used of their time in a deal; it knows no clock, only the times it is told.

    One turn runs at a time: `begin_turn`, then `run` and `stand` as the clock runs and stands, then `end_turn`.
    """

    def __init__(self, options: ClockOptions, seat_count: int) -> None:
        self._options = options
        self._banks_ms = [options.bank_ms] * seat_count
        self._seat = -1
        self._used_ms = 0
        self._since_ms: int | None = None

    @property
    def banks_ms(self) -> tuple[int, ...] | None:
        """What each seat has in its bank beside the running turn; None without banks."""
        return tuple(self._banks_ms) if self._options.kind == "bank" else None

    @property
    def running(self) -> bool:
        """Whether a seat's time runs."""
        return self._since_ms is not None

    @property
    def deadline_ms(self) -> int | None:
        """When the running turn's time is up; None if no time runs."""
        if self._since_ms is None or self._options.kind == "none":
            return None
        allowed = self._options.turn_ms if self._options.kind == "turn" else self._banks_ms[self._seat]
        return self._since_ms + allowed - self._used_ms

    def begin_turn(self, seat: int) -> None:
        """Begin the turn of a seat; its time does not run yet."""
        self._seat, self._used_ms, self._since_ms = seat, 0, None

    def run(self, at_ms: int) -> None:
        """Let the time run from now on."""
        if self._since_ms is None:
            self._since_ms = at_ms

    def stand(self, at_ms: int) -> None:
        """Stop the time."""
        if self._since_ms is not None:
            self._used_ms += max(0, at_ms - self._since_ms)
            self._since_ms = None

    def end_turn(self, at_ms: int) -> None:
        """End the turn: a bank pays for it and gets its increment."""
        self.stand(at_ms)
        if self._seat >= 0:
            left = max(0, self._banks_ms[self._seat] - self._used_ms)
            self._banks_ms[self._seat] = left + self._options.increment_ms
        self._seat, self._used_ms = -1, 0

    def refresh(self, seat: int) -> None:
        """Give a person who takes the seat back a fresh turn, and a bank of `RETURN_BANK_MS` at least."""
        if seat == self._seat:
            self._banks_ms[seat] = max(0, self._banks_ms[seat] - self._used_ms)
            self._used_ms, self._since_ms = 0, None
        self._banks_ms[seat] = max(self._banks_ms[seat], min(RETURN_BANK_MS, self._options.bank_ms))
