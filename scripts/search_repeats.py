"""Count what a search that kept its futures between the decisions of a turn would save.

    python -m scripts.search_repeats --rules aberto burraco fechado --deals 20 --nodes 50000

Within a turn nothing new is seen after the draw until a morto is taken. The futures of an action that was chosen go on
as the club plays; so at the next decision the futures of the club's own choice are known already, in as many worlds as
were tried, and those of every other candidate are not. One line a rule set: the nodes of all decisions, the part of
them that decisions after another one of the same turn use, and the part that would be saved.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from buraco.bots import Limit
from buraco.bots.comparing import Comparison
from buraco.bots.search import MASTER, SearchBot
from buraco.engine import Deal, view_of
from buraco.engine.evaluate import Evaluation
from buraco.engine.search import Futures
from buraco.rules import RULE_SETS, RuleSet

__all__ = ["main", "repeats"]


class _Counting(SearchBot):
    """A bot that counts the futures it plays: of all candidates, and of the club's own choice, the first one."""

    futures = 0
    first_futures = 0

    def _play(
        self,
        pool: ThreadPoolExecutor,
        workers: list[tuple[Futures, Evaluation]],
        comparison: Comparison,
        world: int,
        count: int,
        active: list[int],
    ) -> int:
        self.futures += count * len(active)
        self.first_futures += count * (0 in active)
        return super()._play(pool, workers, comparison, world, count, active)


def repeats(rules: RuleSet, players: int, deals: int, nodes: int, seed: int) -> tuple[int, int, float]:
    """Return the nodes of all decisions, those of decisions that follow another of their turn, those saved."""
    total, following, saved = 0, 0, 0.0
    bot = _Counting("master", MASTER, seed)
    for number in range(seed, seed + deals):
        deal = Deal(rules, players, dealer=number % players, seed=number)
        # In whose turn the last decision was, and how many mortos were gone then: a new one shows new cards.
        before: tuple[int, int] | None = None
        while not deal.over:
            view = view_of(deal, deal.seat)
            position = view.position
            now = (deal.seat, position.mortos_gone) if position.phase == "play" else None
            bot.futures = bot.first_futures = 0
            decision, used = bot.think(view, Limit(nodes=nodes))
            total += used
            if now is not None and now == before and bot.futures:
                following += used
                saved += used * bot.first_futures / bot.futures
            before = now
            deal.apply(decision.action)
    return total, following, saved


def main(arguments: Sequence[str] | None = None) -> None:
    """Count and print, a line a rule set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", default=["aberto", "burraco", "fechado"], choices=list(RULE_SETS))
    parser.add_argument("--players", type=int, default=4, choices=(2, 4))
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=50_000, help="the limit of a turn")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    for name in chosen.rules:
        total, following, saved = repeats(RULE_SETS[name], chosen.players, chosen.deals, chosen.nodes, chosen.seed)
        print(f"{name}: {total} nodes, {following / total:.1%} in following decisions, {saved / total:.1%} saved")


if __name__ == "__main__":
    main()
