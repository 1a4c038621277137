"""A run: blocks of pairs, given out to workers, taken in order, until the plan or its stopping rule says so.

Blocks have a fixed size and are judged in order: neither the number of workers nor an interruption changes a result.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from typing import Final

from buraco.arena.executors import Pool, in_order
from buraco.arena.external import ExternalBot
from buraco.arena.games import Clock, PairResult, draws_of, play_pair
from buraco.arena.plan import Plan
from buraco.arena.stopping import Verdict
from buraco.arena.tally import Fault, Tally

__all__ = ["TIMED_PAIRS", "Block", "Outcome", "play_block", "run"]

TIMED_PAIRS: Final = 2
"""In this many pairs, the first ones of a run, levels that play inside the engine are asked at their seats too, for the
time that this takes."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some pairs that were played, and what A and B did in them."""

    pairs: tuple[PairResult, ...]
    tallies: tuple[Tally, Tally]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan came to so far: the pairs in order, what A and B did, what the stopping rule says."""

    plan: Plan
    pairs: tuple[PairResult, ...] = ()
    tallies: tuple[Tally, Tally] | None = None

    @property
    def verdict(self) -> Verdict | None:
        """What the sequential test says; None without one."""
        return None if self.plan.stop is None else self.plan.stop.judge(*self.judged())

    @property
    def finished(self) -> bool:
        """Whether nothing is left to be played."""
        verdict = self.verdict
        return len(self.pairs) >= self.plan.pairs or (verdict is not None and verdict.state != "open")

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults in order."""
        return tuple(fault for pair in self.pairs for fault in pair.faults)

    def judged(self) -> tuple[tuple[int, ...], int]:
        """Return one value a pair, and the scale: a value divided by it is in points a deal, or a share of wins."""
        if self.plan.unit == "deals":
            return tuple(sum(pair.points) for pair in self.pairs), 2
        return tuple(sum(pair.wins) + 2 for pair in self.pairs), 4

    def with_block(self, block: Block) -> Outcome:
        """Return the outcome with one more block."""
        before = self.tallies or (Tally.empty(), Tally.empty())
        tallies = (before[0].plus(block.tallies[0]), before[1].plus(block.tallies[1]))
        return replace(self, pairs=self.pairs + block.pairs, tallies=tallies)


def play_block(
    plan: Plan, first: int, count: int, timed_pairs: int = TIMED_PAIRS, clock: Clock = time.perf_counter_ns
) -> Block:
    """Play the pairs from number ``first`` on."""
    tallies = (Tally.empty(), Tally.empty())
    with contextlib.ExitStack() as programs:
        external = {
            (number, seat): programs.enter_context(_program(plan, number, seat, first))
            for number, player in enumerate(plan.sides)
            if player.command
            for seat in range(plan.players)
        }
        pairs = tuple(
            play_pair(plan, index, tallies, given=external, watch=index < timed_pairs, clock=clock)
            for index in range(first, first + count)
        )
    return Block(pairs, tallies)


def _program(plan: Plan, number: int, seat: int, first: int) -> ExternalBot:
    return ExternalBot(plan.sides[number].command, seed=draws_of(plan.seed, first + seat))


def run(
    plan: Plan,
    pool: Pool,
    *,
    start: Outcome | None = None,
    timed_pairs: int = TIMED_PAIRS,
    work: Callable[..., Block] = play_block,
) -> Generator[Outcome, None, None]:
    """Yield what the plan has come to after each block, the last time finished.

    ``start`` is where an earlier run of the same plan was, after whole blocks. ``pool`` does ``work``; whoever calls
    closes it.
    """
    outcome = start or Outcome(plan)
    if outcome.finished:
        yield outcome
        return
    firsts = range(len(outcome.pairs), plan.pairs, plan.block)
    chunks = ((first, min(plan.block, plan.pairs - first)) for first in firsts)
    for block in in_order(pool, ((plan, first, count, timed_pairs) for first, count in chunks), work):
        outcome = outcome.with_block(block)
        yield outcome
        if outcome.finished:
            return
