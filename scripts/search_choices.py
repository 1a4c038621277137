"""Judge designs of the search by single decisions, which tells small differences sooner than whole deals do.

    python -m scripts.search_choices --level master --designs chosen near-look --rules fechado --states 60 --seed 5000

States are drawn from deals that the club plays against itself. What each candidate is worth there is found by many
worlds, other ones than the designs see, in which the club plays the deal to its end. One line a design: how many points
more than the club's choice its choices are worth, and than those of the first design, each with its standard error.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import sqrt
from statistics import mean, stdev
from typing import Final

from buraco.bots import Limit
from buraco.bots.search import EXPERT, MASTER, SearchBot, candidates_of
from buraco.engine import POLICIES, Deal, view_of
from buraco.engine.constants import WORLDS_MAX
from buraco.engine.determinize import determinize
from buraco.engine.evaluate import Evaluation
from buraco.engine.search import Plan, futures_of, play_futures
from buraco.rules import RULE_SETS, RuleSet
from scripts.search_designs import DESIGNS, designs_of

__all__ = ["main"]

_CLUB: Final = POLICIES.index("club")
_WIDE: Final = replace(MASTER, candidates=16)
#: More turns or nodes than a deal has.
_NO_LIMIT: Final = 1_000_000
_TO_THE_END: Final = Plan(_NO_LIMIT, _NO_LIMIT, _CLUB, _CLUB, 1, _NO_LIMIT)
#: The share of the states of a deal that are taken.
_SHARE: Final = 0.07
#: Seeds of what a choice is worth: other worlds than those that a design sees.
_GUESS_SEED: Final = 12345
_WORLDS_SEED: Final = 987_654


def _states(rules: RuleSet, players: int, count: int, seed: int) -> list[Deal]:
    """Return states in which the seat to act has three candidates or more."""
    draws = random.Random(seed)
    found: list[Deal] = []
    while len(found) < count:
        deal = Deal(rules, players, dealer=seed % players, seed=seed)
        while not deal.over:
            if draws.random() < _SHARE and len(deal.legal()) > 1 and len(candidates_of(deal, MASTER)[0]) > 2:
                found.append(deal.copy())
            deal.apply(deal.choose(_CLUB))
        seed += 1
    draws.shuffle(found)
    return found[:count]


def _worths(deal: Deal, number: int, worlds: int) -> tuple[int, Mapping[int, float]]:
    """Return the club's choice, and what each candidate is worth."""
    guess = determinize(view_of(deal, deal.seat), _GUESS_SEED)
    actions, _ = candidates_of(guess, _WIDE)
    futures, totals = futures_of(guess, actions, _WORLDS_SEED + number, _TO_THE_END), [0] * len(actions)
    for first in range(0, worlds, WORLDS_MAX):
        for row in play_futures(futures, Evaluation(), first, WORLDS_MAX, (1 << len(actions)) - 1)[1]:
            totals = [total + value for total, value in zip(totals, row, strict=True)]
    return actions[0], {action: total / worlds for action, total in zip(actions, totals, strict=True)}


def _with_error(values: Sequence[float]) -> str:
    return f"{mean(values):+6.1f} +- {stdev(values) / sqrt(len(values)):.1f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=DESIGNS)
    parser.add_argument("--level", choices=("expert", "master"), default="master")
    parser.add_argument("--rules", choices=tuple(RULE_SETS), default="fechado")
    parser.add_argument("--players", type=int, choices=(2, 4), help="by default the most that the rules allow")
    parser.add_argument("--nodes", type=int, default=50_000, help="of a turn")
    parser.add_argument("--states", type=int, default=60)
    parser.add_argument("--worlds", type=int, default=640, help=f"by {WORLDS_MAX}")
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args(arguments)
    if options.worlds < 1 or options.worlds % WORLDS_MAX or options.states < 2:
        parser.error(f"worlds go by {WORLDS_MAX}, and two states are the least")
    rules, designs = RULE_SETS[options.rules], designs_of(EXPERT if options.level == "expert" else MASTER)
    bots = {
        name: SearchBot(options.level, designs[name], 3, judged=name != "whole-deals")
        for name in dict.fromkeys(options.designs)
    }
    gains: dict[str, list[float]] = {name: [] for name in bots}
    for number, deal in enumerate(
        _states(rules, options.players or max(rules.player_counts), options.states, options.seed)
    ):
        usual, worths = _worths(deal, number, options.worlds)
        for name, bot in bots.items():
            chosen = bot.choose(view_of(deal, deal.seat), Limit(nodes=options.nodes)).action
            gains[name].append(worths[chosen] - worths[usual])
    base = next(iter(gains.values()))
    for name, found in gains.items():
        against = [value - other for value, other in zip(found, base, strict=True)]
        print(f"{name:15s} {rules.name:12s} than club {_with_error(found)}   than the first {_with_error(against)}")


if __name__ == "__main__":
    main()
