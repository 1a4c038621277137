"""Walk the whole tree of toy deals: every sequence of actions from the deal to its end.

States that differ only in what nothing depends on (how many turns were played, who discarded what) are walked once.
`scripts.perft` records the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from buraco.engine import Deal
from buraco.engine.codes import END_KINDS
from buraco.rules import RuleSet
from tests.toy import TOY_CLOSED, TOY_OPEN, TOY_SETS

__all__ = ["LARGE", "SMALL", "Tree", "essence", "walk_tree"]

_TINY: Final[Mapping[str, Any]] = MappingProxyType({"pack_ranks": "A2345", "hand_size": 2})
#: Deals by name: rule set and seed. The small ones are walked by both builds.
SMALL: Final[Mapping[str, tuple[RuleSet, int]]] = MappingProxyType(
    {
        "tiny open pile": (TOY_OPEN.replace(**_TINY, turn_cap=1), 1),
        "tiny closed pile": (TOY_CLOSED.replace(**_TINY), 1),
        "tiny closed pile, three cards a canasta": (TOY_CLOSED.replace(**_TINY, canasta_size=3), 2),
        "tiny sets": (TOY_SETS.replace(pack_ranks="A23456", hand_size=2), 2),
    }
)
#: These only by the compiled build.
LARGE: Final[Mapping[str, tuple[RuleSet, int]]] = MappingProxyType(
    {
        "closed pile": (TOY_CLOSED, 0),
        "sets": (TOY_SETS, 1),
    }
)


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole tree: how many sequences of actions end in each way, the lowest and the highest score of side 0."""

    ends: tuple[int, ...]
    lowest: int
    highest: int

    @property
    def leaves(self) -> int:
        """The number of sequences of actions from the deal to an end."""
        return sum(self.ends)


def essence(deal: Deal) -> tuple[object, ...]:
    """Return all of a state that the rest of the deal can depend on under toy rules."""
    (_, seat, phase, turn, end, out, _, _), duties, turn_facts, hands, _, sides, _, melds, pile, *rest = deal.dump()
    cards = tuple(card for card, _, _ in pile)
    table = (melds[0][0], melds[1][0], cards)
    return (seat, phase, turn == 0, end, out), duties, turn_facts[:-1], hands, sides, table, *rest


def walk_tree(deal: Deal, key: Callable[[Deal], object] = essence) -> tuple[Tree, int]:
    """Walk the whole tree of a deal; return it and the number of states that differ by ``key``."""
    known: dict[object, Tree] = {}
    return _walk(deal, key, known), len(known)


def _walk(deal: Deal, key: Callable[[Deal], object], known: dict[object, Tree]) -> Tree:
    if deal.over:
        score = deal.score(0)
        return Tree(tuple(int(kind == deal.end_kind) for kind in range(len(END_KINDS))), score, score)
    name = key(deal)
    found = known.get(name)
    if found is not None:
        return found
    below = []
    for action in deal.legal():
        after = deal.copy()
        after.apply_unchecked(action)
        below.append(_walk(after, key, known))
    known[name] = tree = Tree(
        tuple(sum(counts) for counts in zip(*(one.ends for one in below), strict=True)),
        min(one.lowest for one in below),
        max(one.highest for one in below),
    )
    return tree
