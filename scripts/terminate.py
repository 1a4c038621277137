"""Play very many deals and show that each of them ends.

    python -m scripts.terminate --deals 100000 --rules all --policy random --workers 2
    python -m scripts.terminate --deals 20000 --rules all --policy greedy --workers 2

A deal that has taken `ACTION_LIMIT` actions counts as endless: the tool then names it (rule set, players, policy, seed)
and exits with 1. Players, dealer and totals follow from the seed (see `table_of`), so that all of them occur. The same
seeds give the same deals everywhere. On two free cores the two commands above take about 5 minutes together.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from buraco.engine import Deal
from buraco.engine.codes import END_KINDS, POLICIES
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["ACTION_LIMIT", "Endless", "Figures", "figures", "play_bounded", "run", "table_of"]

#: No deal may take this many actions; docs/rules-statistics.md has the longest that were played, which took far fewer.
ACTION_LIMIT: Final = 20_000
_CHUNK: Final = 500


class Endless(RuntimeError):
    """A deal reached the limit of actions."""


@dataclass
class Figures:
    """What deals of one rule set by one policy came to; sums, so that parts of a run can be put together."""

    deals: int = 0
    turns: int = 0
    actions: int = 0
    longest_actions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    score_sum: int = 0
    score_squares: int = 0

    def add(self, deal: Deal, actions: int) -> None:
        """Count a finished deal."""
        self.deals += 1
        self.turns += deal.turn_count
        self.actions += actions
        self.longest_actions = max(self.longest_actions, actions)
        self.ends[END_KINDS[deal.end_kind]] += 1
        for side in (0, 1):
            score = deal.score(side)
            self.score_sum += score
            self.score_squares += score * score

    def merge(self, other: Figures) -> None:
        """Count what another part of the run counted."""
        self.deals += other.deals
        self.turns += other.turns
        self.actions += other.actions
        self.longest_actions = max(self.longest_actions, other.longest_actions)
        self.ends += other.ends
        self.score_sum += other.score_sum
        self.score_squares += other.score_squares

    @property
    def mean_score(self) -> float:
        """The mean score of a side for a deal, in points."""
        return self.score_sum / (2 * self.deals)

    @property
    def score_deviation(self) -> float:
        """The standard deviation of a side's score for a deal, in points."""
        return math.sqrt(max(self.score_squares / (2 * self.deals) - self.mean_score**2, 0.0))


def table_of(rules: RuleSet, seed: int) -> tuple[int, int, tuple[int, int]]:
    """Return the players, dealer and totals of the deal of a seed.

    Where the rules raise the opening minimum, every second pair of deals has one side above the threshold.
    """
    players = rules.player_counts[seed % len(rules.player_counts)]
    raised = rules.opening != "none" and seed // 2 % 2 == 1
    return players, seed % players, (rules.opening_vulnerable_from if raised else 0, 0)


def play_bounded(deal: Deal, policy: int, limit: int = ACTION_LIMIT) -> int:
    """Play a deal to its end by its own generator and return the number of actions.

    Raises Endless if ``limit`` actions do not end it.
    """
    choose, apply = deal.choose, deal.apply_unchecked
    for number in range(limit):
        if deal.over:
            return number
        apply(choose(policy))
    raise Endless(f"{deal.rules.name}: no end after {limit} actions")


def figures(name: str, policy: str, first: int, count: int) -> Figures:
    """Play the deals of the seeds from ``first`` on. Raises Endless, with the seed."""
    rules, number = RULE_SETS[name], POLICIES.index(policy)
    found = Figures()
    for seed in range(first, first + count):
        players, dealer, totals = table_of(rules, seed)
        deal = Deal(rules, players, dealer, totals, seed)
        try:
            found.add(deal, play_bounded(deal, number))
        except Endless as error:
            raise Endless(f"{error} ({players} players, {policy}, seed {seed})") from error
    return found


def run(name: str, policy: str, deals: int, workers: int, first: int = 0) -> Iterator[Figures]:
    """Play deals in parts on several processes, yielding the figures of everything so far after each part."""
    total = Figures()
    parts = [(start, min(_CHUNK, first + deals - start)) for start in range(first, first + deals, _CHUNK)]
    with ProcessPoolExecutor(workers) as pool:
        for part in pool.map(_part, ((name, policy, *part) for part in parts)):
            total.merge(part)
            yield total


def _part(arguments: tuple[str, str, int, int]) -> Figures:
    return figures(*arguments)


def chosen_rules(names: Iterable[str]) -> list[str]:
    """Return the ids of the rule sets asked for, ``all`` being every one."""
    asked = list(names)
    return list(RULE_SETS) if "all" in asked else asked


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000, help="deals for each rule set")
    parser.add_argument("--rules", nargs="+", choices=["all", *RULE_SETS], default=["all"])
    parser.add_argument("--policy", choices=POLICIES, default="random")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the deals and print their figures; return 1 at a deal that does not end."""
    options = parse(arguments)
    for name in chosen_rules(options.rules):
        done = Figures()
        try:
            for done in run(name, options.policy, options.deals, options.workers, options.first):
                print(f"\r{name} {done.deals}/{options.deals}", end="", file=sys.stderr, flush=True)
        except Endless as error:
            print(f"\n{error}")
            return 1
        finally:
            print("\r", end="", file=sys.stderr)
        ends = ", ".join(f"{kind} {count}" for kind, count in sorted(done.ends.items()))
        print(f"{name} {options.policy}: {done.deals} deals ended ({ends}); longest {done.longest_actions} actions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
