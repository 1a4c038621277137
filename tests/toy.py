"""Toy rule sets for tests: so few cards that the whole tree of a deal can be walked.

Thirteen to fifteen cards, two players, hands of three, mortos of two, canastas of four cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from buraco.rules import RuleSet

__all__ = ["TOYS", "TOY_CLOSED", "TOY_OPEN", "TOY_SETS"]

#: Open pile with a cap on quiet turns, runs only, clean canasta to close by meld or discard.
TOY_OPEN: Final = RuleSet(
    name="toy-open",
    title="Toy with an open pile",
    player_counts=(2,),
    pack_suits="ch",
    pack_ranks="A23456",
    pack_copies=1,
    joker_count=1,
    hand_size=3,
    morto_size=2,
    aces_both_ends=False,
    turn_cap=2,
    canasta_size=4,
    target_points=100,
)

#: Closed pile, which needs no rule against an endless deal.
TOY_CLOSED: Final = TOY_OPEN.replace(
    name="toy-closed", title="Toy with a closed pile", pile_closed=True, stalemate="none", close_canasta="any"
)

#: Sets, an up-card, wilds that change ends, a discard to close, no refilled stock, the one-card stalemate.
TOY_SETS: Final = TOY_OPEN.replace(
    name="toy-sets",
    title="Toy with sets",
    pack_ranks="A234567",
    sets=True,
    wild_move="low",
    wild_changes_ends=True,
    natural_two_pressed=True,
    up_card=True,
    single_card_barred=True,
    close_morto="taken",
    close_canasta="any",
    close_by_meld=False,
    closing_discard_wild=False,
    stock_refill=False,
    stock_end_count=1,
    stalemate="one_card_pile",
)

TOYS: Final[Mapping[str, RuleSet]] = MappingProxyType({rules.name: rules for rules in (TOY_OPEN, TOY_CLOSED, TOY_SETS)})
