"""Card values and canasta bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buraco.rules import RuleSet
from tests.oracle.model import CardSet, Meld, Run
from tests.oracle.readings import readings

__all__ = ["Points", "best_reading", "card_points", "is_clean", "meld_points"]


@dataclass(frozen=True)
class Points:
    """What a meld scores: its cards, its bonus and the category (``""`` when it is no canasta)."""

    cards: int
    bonus: int
    category: str

    @property
    def total(self) -> int:
        """Cards and bonus together."""
        return self.cards + self.bonus


def card_points(cards: Sequence[str], rules: RuleSet) -> int:
    """Return the sum of the card values; a card keeps its own value where it stands for another."""
    total = 0
    for card in cards:
        if card == "X":
            total += rules.value_joker
        elif card[0] == "2":
            total += rules.value_two
        elif card[0] == "A":
            total += rules.value_ace
        elif card[0] in "89TJQK":
            total += rules.value_high
        else:
            total += rules.value_low
    return total


def is_clean(meld: Meld) -> bool:
    """Say whether no card of a meld stands for another."""
    return meld.wild is None if isinstance(meld, CardSet) else not meld.wild_slots()


def _is_semi_clean(meld: Meld, rules: RuleSet) -> bool:
    """As many naturals as a canasta has, unbroken on one side of the wild (in a set: beside the wild)."""
    if isinstance(meld, CardSet):
        return len(meld.naturals) >= rules.canasta_size
    wild_slot = meld.wild_slots()[0]
    return max(wild_slot - meld.low, meld.high - wild_slot) >= rules.canasta_size


def _bonus(meld: Meld, rules: RuleSet, at_once: bool) -> tuple[str, int]:
    if len(meld.cards) < rules.canasta_size:
        return "", 0
    if not is_clean(meld):
        if rules.bonus_semi_clean is not None and _is_semi_clean(meld, rules):
            return "semi_clean", rules.bonus_semi_clean
        return "dirty", rules.bonus_dirty
    if isinstance(meld, CardSet) or (rules.big_canasta_at_once and not at_once):
        return "clean", rules.bonus_clean
    if len(meld.cards) == 14 and rules.bonus_clean_14 is not None:
        return "clean_14", rules.bonus_clean_14
    if len(meld.cards) == 13 and rules.bonus_clean_13 is not None and (meld.low == 1 or not rules.clean_13_from_ace):
        return "clean_13", rules.bonus_clean_13
    return "clean", rules.bonus_clean


def meld_points(meld: Meld, rules: RuleSet, at_once: bool = True) -> Points:
    """Return what a meld scores as it lies; ``at_once`` says whether all its cards were tabled in one turn."""
    category, bonus = _bonus(meld, rules, at_once)
    return Points(card_points(meld.cards, rules), bonus, category)


def best_reading(cards: Sequence[str], rules: RuleSet, at_once: bool = True) -> tuple[Meld, Points] | None:
    """Return the reading of loose cards that scores most, with its points; None when they are no meld.

    Of equal readings it is the one that lies lowest, a run before a set.
    """
    scored = [(meld, meld_points(meld, rules, at_once)) for meld in readings(cards, rules)]
    return min(scored, key=lambda pair: (-pair[1].total, _lowest(pair[0])), default=None)


def _lowest(meld: Meld) -> tuple[int, tuple[str, ...]]:
    return (meld.low, meld.cards) if isinstance(meld, Run) else (15, meld.cards)
