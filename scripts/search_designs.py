"""Play designs of the search against the club player, on the same deals with the sides swapped, under equal nodes.

    python -m scripts.search_designs --rules aberto fechado --nodes 4000 --pairs 20 --seed 5000
    python -m scripts.search_designs --designs chosen --level master --nodes 50000 --rules burraco

One line a design and rule set: the mean difference of a deal in points with its standard error, how often the search
overrules the club, and the nodes of a decision. The same command gives the same numbers; only the time differs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from types import MappingProxyType
from typing import Final

from buraco.bots import Limit
from buraco.bots.search import EXPERT, MASTER, Horizon, SearchBot, SearchSettings
from buraco.engine import POLICIES, Deal, view_of
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["DESIGNS", "main"]

_CLUB: Final = POLICIES.index("club")


def _everywhere(settings: SearchSettings, depth: int, node_cap: int, trust: float) -> SearchSettings:
    horizon = Horizon(depth=depth, node_cap=node_cap, trust=trust)
    return replace(settings, open_pile=horizon, closed_pile=horizon)


def _designs(base: SearchSettings) -> Mapping[str, SearchSettings]:
    return MappingProxyType(
        {
            "chosen": base,
            "greedy-futures": replace(base, near_turns=1),
            "whole-deals": _everywhere(base, 1000, 500, 20.0),
            "own-turn": _everywhere(base, 1, 20, 20.0),
            "no-beliefs": replace(base, sweeps=0),
        }
    )


#: What can be played: as the level is; the faster policy plays the futures after the own turn; futures to the end of
#: the deal, without the evaluation; only the rest of the own turn, then the evaluation; hidden cards by chance alone.
DESIGNS: Final = tuple(_designs(EXPERT))


@dataclass
class _Side:
    """A design at a table, and what it did: decisions, those that overruled the club, nodes, seconds."""

    bot: SearchBot
    limit: Limit
    decisions: int = 0
    overruled: int = 0
    nodes: int = 0
    spent_s: float = 0.0

    def act(self, deal: Deal) -> int:
        view = view_of(deal, deal.seat)
        begin = time.process_time()
        decision, nodes = self.bot.think(view, self.limit)
        if len(view.legal) > 1:
            self.spent_s += time.process_time() - begin
            self.decisions += 1
            self.nodes += nodes
            self.overruled += decision.action != deal.choose(_CLUB)
        return decision.action


def _difference(rules: RuleSet, players: int, seed: int, design: _Side, side: int) -> int:
    """Return how many points more than the club the design makes of a deal on a side."""
    deal = Deal(rules, players, dealer=seed % players, seed=seed)
    while not deal.over:
        deal.apply(design.act(deal) if deal.seat & 1 == side else deal.choose(_CLUB))
    return deal.score(side) - deal.score(1 - side)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--designs", nargs="+", choices=DESIGNS, default=DESIGNS)
    parser.add_argument("--level", choices=("expert", "master"), default="expert")
    parser.add_argument("--rules", nargs="+", choices=tuple(RULE_SETS), default=("aberto", "fechado"))
    parser.add_argument("--players", type=int, choices=(2, 4), help="by default the most that the rules allow")
    parser.add_argument("--nodes", type=int, default=4000, help="of a turn")
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args(arguments)
    designs = _designs(EXPERT if options.level == "expert" else MASTER)
    for name in options.designs:
        for rules in (RULE_SETS[chosen] for chosen in options.rules):
            players = options.players or max(rules.player_counts)
            bot = SearchBot(options.level, designs[name], 7, judged=name != "whole-deals")
            side = _Side(bot, Limit(nodes=options.nodes))
            seeds = range(options.seed, options.seed + options.pairs)
            found = [sum(_difference(rules, players, seed, side, own) for own in (0, 1)) / 2 for seed in seeds]
            mean = sum(found) / len(found)
            error = sqrt(sum((value - mean) ** 2 for value in found) / max(1, len(found) - 1) / len(found))
            made = max(1, side.decisions)
            print(
                f"{name:15s} {rules.name:12s} {mean:+7.1f} +- {error:5.1f}  pairs {len(found)}"
                f"  overruled {100 * side.overruled // made} %  nodes {side.nodes // made}"
                f"  ms {1000 * side.spent_s / made:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
