"""The score of a side for a deal, item by item."""

from __future__ import annotations

from dataclasses import dataclass

from buraco.rules import RuleSet
from tests.oracle.model import Meld
from tests.oracle.points import card_points, meld_points

__all__ = ["DealEnd", "SideEnd", "deal_score"]


@dataclass(frozen=True)
class SideEnd:
    """A side when the deal is over.

    ``melds`` with whether all cards of each were tabled in one turn; the hands left; beside each hand whether it is a
    morto taken by the discard and never played.
    """

    melds: tuple[tuple[Meld, bool], ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()
    unplayed: tuple[bool, ...] = ()
    took_morto: bool = True
    went_out: bool = False


@dataclass(frozen=True)
class DealEnd:
    """Both sides when the deal is over."""

    sides: tuple[SideEnd, SideEnd]


def _hand_cost(hand: tuple[str, ...], unplayed: bool, partner_out: bool, rules: RuleSet) -> int:
    cards = card_points(hand, rules)
    if not unplayed or rules.unplayed_morto == "cards":
        return cards
    if rules.unplayed_morto == "smaller":
        return min(cards, rules.unplayed_morto_points)
    if rules.unplayed_morto == "penalty_unless_partner_out" and partner_out:
        return cards
    return rules.unplayed_morto_points


def deal_score(end: DealEnd, side: int, rules: RuleSet) -> int:
    """Return what a side scores for the deal, in points; it may be negative."""
    own, other = end.sides[side], end.sides[1 - side]
    total = sum(meld_points(meld, rules, at_once).total for meld, at_once in own.melds)
    if own.went_out:
        total += rules.bonus_out
    for hand, unplayed in zip(own.hands, own.unplayed or (False,) * len(own.hands), strict=True):
        total -= _hand_cost(hand, unplayed, own.went_out, rules)
    waived = rules.morto_penalty_waived and not other.took_morto
    if not own.took_morto and not waived:
        total -= rules.morto_penalty
    return total
