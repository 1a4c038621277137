"""What a meld can become when one card is added."""

from __future__ import annotations

from itertools import permutations

from buraco.rules import RuleSet
from tests.oracle.model import CardSet, Meld, Run, can_be_wild, natural_at, run_of_places
from tests.oracle.readings import is_legal_run, is_legal_set

__all__ = ["additions"]


def additions(meld: Meld, card: str, rules: RuleSet) -> set[Meld]:
    """Return every legal meld that a legal meld can become by the addition of one card."""
    if isinstance(meld, CardSet):
        return set(_set_additions(meld, card, rules))
    if rules.wild_move == "free":
        return set(_free_additions(meld, card, rules))
    found = _extended(meld, card, rules) | _replaced(meld, card, rules)
    if rules.wild_changes_ends:
        found |= _ends_changed(meld, card, rules)
    if rules.natural_two_pressed:
        found |= _two_pressed(meld, card, rules)
    return set(found)


def _set_additions(meld: CardSet, card: str, rules: RuleSet) -> set[CardSet]:
    if can_be_wild(card):
        if meld.wild is not None:
            return set()
        grown = CardSet(meld.rank, meld.naturals, card)
    else:
        grown = CardSet(meld.rank, tuple(sorted((*meld.naturals, card))), meld.wild)
    return {grown} if is_legal_set(grown, rules) else set()


def _legal_run(suit: str, places: dict[int, str], rules: RuleSet) -> Run | None:
    run = run_of_places(suit, places)
    return run if run is not None and is_legal_run(run, rules) else None


def _extended(run: Run, card: str, rules: RuleSet) -> set[Run]:
    """The card at one of the ends, everything else in its place."""
    found = set()
    for slot in (run.low - 1, run.high + 1):
        grown = _legal_run(run.suit, {**run.places(), slot: card}, rules)
        if grown is not None:
            found.add(grown)
    return found


def _replaced(run: Run, card: str, rules: RuleSet) -> set[Run]:
    """The very card for which the wild stands takes its slot, and the wild moves."""
    found: set[Run] = set()
    for slot in run.wild_slots():
        if card != natural_at(slot, run.suit):
            continue
        wild = run.places()[slot]
        places = {**run.places(), slot: card}
        if wild == "2" + run.suit and run.low == 3:
            # The 2 goes home: its own slot then joins the run, and no other place is its to choose.
            home = _legal_run(run.suit, {**places, 2: wild}, rules)
            return {home} if home is not None else set()
        low_end = _legal_run(run.suit, {**places, run.low - 1: wild}, rules)
        high_end = _legal_run(run.suit, {**places, run.high + 1: wild}, rules)
        if rules.wild_move == "player":
            ends = [low_end, high_end]
        elif rules.wild_move == "high":
            ends = [high_end or low_end]
        else:
            ends = [low_end or high_end]
        found |= {end for end in ends if end is not None}
    return found


def _ends_changed(run: Run, card: str, rules: RuleSet) -> set[Run]:
    """A wild at one end fills the gap between the run and a card that belongs beyond the other end."""
    found = set()
    for wild_slot, gap, beyond in (
        (run.low, run.high + 1, run.high + 2),
        (run.high, run.low - 1, run.low - 2),
    ):
        if wild_slot not in run.wild_slots() or not 1 <= beyond <= 14 or card != natural_at(beyond, run.suit):
            continue
        places = run.places()
        wild = places.pop(wild_slot)
        moved = _legal_run(run.suit, {**places, gap: wild, beyond: card}, rules)
        if moved is not None:
            found.add(moved)
    return found


def _two_pressed(run: Run, card: str, rules: RuleSet) -> set[Run]:
    """The natural 2 at the low end leaves its slot to fill the gap to a card beyond the high end."""
    beyond = run.high + 2
    if run.low != 2 or run.wild_slots() or beyond > 14 or card != natural_at(beyond, run.suit):
        return set()
    places = run.places()
    two = places.pop(2)
    pressed = _legal_run(run.suit, {**places, run.high + 1: two, beyond: card}, rules)
    return {pressed} if pressed is not None else set()


def _free_additions(run: Run, card: str, rules: RuleSet) -> set[Run]:
    """Every legal place for the wild and the added card; a natural 2 leaves its slot only for a card that needs it."""
    kept = {slot: held for slot, held in run.places().items() if slot not in run.wild_slots()}
    loose = [run.places()[slot] for slot in run.wild_slots()]
    found = _arrangements(run.suit, kept, [*loose, card], rules)
    if not rules.natural_two_pressed or 2 not in kept or can_be_wild(card):
        return found
    served = {slot for result in found for slot in _slots_of(result, card) - _slots_of(run, card)}
    unkept = {slot: held for slot, held in kept.items() if slot != 2}
    for result in _arrangements(run.suit, unkept, [*loose, kept[2], card], rules):
        if not (_slots_of(result, card) - _slots_of(run, card)) & served:
            found.add(result)
    return found


def _slots_of(run: Run, card: str) -> set[int]:
    return {slot for slot, held in run.places().items() if held == card}


def _arrangements(suit: str, kept: dict[int, str], loose: list[str], rules: RuleSet) -> set[Run]:
    """Every legal run in which some cards keep their slots and the others lie anywhere."""
    found = set()
    free_slots = [slot for slot in range(1, 15) if slot not in kept]
    for slots in permutations(free_slots, len(loose)):
        run = _legal_run(suit, {**kept, **dict(zip(slots, loose, strict=True))}, rules)
        if run is not None:
            found.add(run)
    return found
