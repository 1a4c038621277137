"""Which runs and sets some cards can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from buraco.rules import RuleSet
from tests.oracle.model import CardSet, Meld, Run, can_be_wild, natural_at

__all__ = ["is_legal", "is_legal_run", "is_legal_set", "readings", "run_readings", "set_readings"]


def is_legal_run(run: Run, rules: RuleSet) -> bool:
    """Say whether the cards may lie like this: consecutive cards of a suit, at most one wild, the aces as agreed."""
    if not 3 <= len(run.cards) <= rules.run_length_max or run.low < 1 or run.high > 14:
        return False
    wild_slots = run.wild_slots()
    if len(wild_slots) > 1 or not all(can_be_wild(run.places()[slot]) for slot in wild_slots):
        return False
    if not rules.aces_both_ends:
        ace = "A" + run.suit
        return not (run.places().get(1) == ace and run.places().get(14) == ace)
    return True


def is_legal_set(meld: CardSet, rules: RuleSet) -> bool:
    """Say whether the cards are a set: one rank (no 2s or jokers), at most one wild, no card more than the pack has."""
    if not rules.sets or meld.rank == "2" or not 3 <= len(meld.cards):
        return False
    if meld.wild is not None and not can_be_wild(meld.wild):
        return False
    if any(card[0] != meld.rank for card in meld.naturals):
        return False
    return all(count <= rules.pack_copies for count in Counter(meld.naturals).values())


def is_legal(meld: Meld, rules: RuleSet) -> bool:
    """Say whether a meld may lie as it does."""
    return is_legal_run(meld, rules) if isinstance(meld, Run) else is_legal_set(meld, rules)


def run_readings(cards: Sequence[str], rules: RuleSet) -> set[Run]:
    """Return every legal run that uses exactly these cards."""
    anchors = [card for card in cards if not can_be_wild(card)]
    # Of three cards or more at most one is wild and at most one is the natural 2: an ordinary card tells the suit.
    if not anchors:
        return set()
    suit = anchors[0][1]
    wanted = sorted(cards)
    found = set()
    for low in range(1, 15 - len(cards) + 1):
        naturals = [natural_at(slot, suit) for slot in range(low, low + len(cards))]
        candidates = [naturals]
        for wild in {card for card in cards if can_be_wild(card)}:
            for index in range(len(cards)):
                candidates.append([*naturals[:index], wild, *naturals[index + 1 :]])
        for candidate in candidates:
            run = Run(suit, low, tuple(candidate))
            if sorted(candidate) == wanted and is_legal_run(run, rules):
                found.add(run)
    return found


def set_readings(cards: Sequence[str], rules: RuleSet) -> set[CardSet]:
    """Return the legal set that uses exactly these cards, if there is one."""
    naturals = tuple(sorted(card for card in cards if not can_be_wild(card)))
    wilds = [card for card in cards if can_be_wild(card)]
    if not naturals or len(wilds) > 1:
        return set()
    meld = CardSet(naturals[0][0], naturals, wilds[0] if wilds else None)
    return {meld} if is_legal_set(meld, rules) else set()


def readings(cards: Sequence[str], rules: RuleSet) -> set[Meld]:
    """Return every legal run and set that uses exactly these cards, each with the place of every card."""
    return {*run_readings(cards, rules), *set_readings(cards, rules)}
