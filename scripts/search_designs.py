"""Play designs of the search against the club player in the arena: pairs of deals, under equal nodes.

    python -m scripts.search_designs --rules aberto fechado --nodes 4000 --pairs 40 --seed 5000
    python -m scripts.search_designs --designs chosen --level master --nodes 50000 --rules burraco

One line a design and rule set: the points a deal more than the club's with their 95 % interval, how often the search
overrules the club, and the nodes of a decision. The same command gives the same numbers; only the time differs.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from buraco.arena.games import play_pair
from buraco.arena.plan import Plan
from buraco.arena.players import parse_player
from buraco.arena.statistics import estimate
from buraco.arena.tally import Tally
from buraco.arena.words import points_text
from buraco.bots import Decision, Limit
from buraco.bots.search import EXPERT, MASTER, Horizon, SearchBot, SearchSettings
from buraco.engine import POLICIES, SeatView
from buraco.engine.determinize import determinize
from buraco.rules import RULE_SETS

__all__ = ["DESIGNS", "designs_of", "main"]

_CLUB: Final = POLICIES.index("club")


def _everywhere(settings: SearchSettings, depth: int, node_cap: int, trust: float) -> SearchSettings:
    horizon = Horizon(depth=depth, node_cap=node_cap, trust=trust)
    return replace(settings, open_pile=horizon, closed_pile=horizon)


def designs_of(base: SearchSettings) -> Mapping[str, SearchSettings]:
    """Return the designs by name, as `DESIGNS` says; ``base`` is what the level has."""
    return MappingProxyType(
        {
            "chosen": base,
            "greedy-futures": replace(base, near_turns=1),
            "whole-deals": _everywhere(base, 1000, 500, 20.0),
            "own-turn": _everywhere(base, 1, 20, 20.0),
            "no-beliefs": replace(base, sweeps=0),
            "near-look": replace(base, open_pile=EXPERT.open_pile, closed_pile=EXPERT.closed_pile),
        }
    )


#: What can be played: as the level is; the faster policy plays the futures after the own turn; futures to the end of
#: the deal, without the evaluation; only the rest of the own turn, then the evaluation; hidden cards by chance alone;
#: as far as `expert` looks, which is the same for it.
DESIGNS: Final = tuple(designs_of(EXPERT))


class _Design(SearchBot):
    """A design at a seat, which counts the decisions that had a choice, and those of them that overrule the club."""

    decisions = 0
    overruled = 0

    def think(self, view: SeatView, limit: Limit) -> tuple[Decision, int]:
        decision, nodes = super().think(view, limit)
        if len(view.legal) > 1:
            self.decisions += 1
            self.overruled += decision.action != determinize(view, 0).choose(_CLUB)
        return decision, nodes


def _played(plan: Plan, bot: _Design) -> str:
    """Play a plan, the bot at all seats of player A; return its line."""
    tallies = (Tally.empty(), Tally.empty())
    given = {(0, seat): bot for seat in range(plan.players)}
    pairs = [play_pair(plan, index, tallies, given=given) for index in range(plan.pairs)]
    times, made = tallies[0].times(), max(1, bot.decisions)
    return (
        f"{points_text(estimate((sum(pair.points) for pair in pairs), 2)):>16s}  pairs {len(pairs)}"
        f"  overruled {100 * bot.overruled // made} %  nodes {tallies[0].nodes // made}"
        f"  median ms {times.median_ms if times else 0:.1f}"
    )


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
    designs = designs_of(EXPERT if options.level == "expert" else MASTER)
    club, searcher = parse_player("club"), parse_player(f"{options.level}:nodes={options.nodes}")
    for name in options.designs:
        for rules in (RULE_SETS[chosen] for chosen in options.rules):
            plan = Plan(
                rules=rules,
                players=options.players or max(rules.player_counts),
                a=searcher,
                b=club,
                unit="deals",
                pairs=options.pairs,
                seed=options.seed,
            )
            bot = _Design(options.level, designs[name], 7, judged=name != "whole-deals")
            print(f"{name:15s} {rules.name:12s} {_played(plan, bot)}", flush=True)


if __name__ == "__main__":
    main()
