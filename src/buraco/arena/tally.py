"""What a player did in a run: decisions, nodes, faults, and how long it took, kept so that parts can be added up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

__all__ = ["Fault", "Tally", "Times", "printable", "time_of_step", "time_step"]

_STEPS_PER_DOUBLING: Final = 32


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: in which ``pair`` (from 0) and ``game`` (0, 1) which player (0: A, 1: B) did what (code, text)."""

    pair: int
    game: int
    player: int
    code: str
    text: str


def printable(text: str) -> str:
    """Return what a program said as a line that can be shown: it may hold anything."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def time_step(nanoseconds: int) -> int:
    """Return the step of a time on a scale of 32 steps a doubling, about 2 % each; it is counted, not the time."""
    return round(math.log2(max(nanoseconds, 1)) * _STEPS_PER_DOUBLING)


def time_of_step(step: int) -> float:
    """Return the time of a step in milliseconds."""
    return float(2.0 ** (step / _STEPS_PER_DOUBLING)) / 1e6


@dataclass(frozen=True, slots=True)
class Times:
    """The times of ``count`` decisions in milliseconds: the median, what 99 % stay within (both to 2 %), the worst."""

    count: int
    median_ms: float
    p99_ms: float
    worst_ms: float


@dataclass(slots=True)
class Tally:
    """What one player did; `Tally` is what a game is counted in, and the sum of many."""

    decisions: int
    nodes: int
    illegal: int
    steps: Counter[int]
    worst_ns: int

    @classmethod
    def empty(cls) -> Tally:
        """Return a tally of nothing."""
        return cls(0, 0, 0, Counter(), 0)

    def timed(self, nanoseconds: int) -> None:
        """Count the time of a decision."""
        self.steps[time_step(nanoseconds)] += 1
        self.worst_ns = max(self.worst_ns, nanoseconds)

    def plus(self, other: Tally) -> Tally:
        """Return the sum of two tallies."""
        return Tally(
            self.decisions + other.decisions,
            self.nodes + other.nodes,
            self.illegal + other.illegal,
            self.steps + other.steps,
            max(self.worst_ns, other.worst_ns),
        )

    def times(self) -> Times | None:
        """Return the times of its decisions, None if none was measured."""
        count = self.steps.total()
        if not count:
            return None
        worst = self.worst_ns / 1e6
        median, p99 = (min(time_of_step(_quantile(self.steps, share)), worst) for share in (0.5, 0.99))
        return Times(count, median, p99, worst)


def _quantile(steps: Mapping[int, int], share: float) -> int:
    """Return the smallest step that the given share of all times does not exceed."""
    left = math.ceil(share * sum(steps.values()))
    for step in sorted(steps):
        left -= steps[step]
        if left <= 0:
            return step
    raise ValueError("there are no times")
