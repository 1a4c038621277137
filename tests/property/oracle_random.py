"""Random melds, additions and cards for the comparison of oracle and engine, with a bias towards what is legal."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Final

from buraco.rules import RULE_SETS, RuleSet
from tests.oracle import CardSet, Meld, Run, is_legal
from tests.oracle.model import SUITS, natural_at

__all__ = [
    "HOUSE_RULES",
    "added_card",
    "house_rules",
    "legal_meld",
    "meld_kinds",
    "move_kinds",
    "random_meld",
]

SET_RANKS: Final = "A3456789TJQK"


def house_rules() -> dict[str, RuleSet]:
    """Return rule sets for every mix of the fields that say how runs lie and wilds move."""
    base = RULE_SETS["classico"]
    found = {}
    moves = ("player", "high", "low", "free")
    tracks = ((True, 14), (False, 14), (False, 13))
    for move, ends, pressed, (aces, length) in product(moves, (False, True), (False, True), tracks):
        name = f"house-{move}-{int(ends)}{int(pressed)}-{length}{'aa' if aces else ''}"
        found[name] = base.replace(
            name=name,
            wild_move=move,
            wild_changes_ends=ends,
            natural_two_pressed=pressed,
            aces_both_ends=aces,
            run_length_max=length,
            bonus_clean_14=base.bonus_clean_14 if aces else None,
        )
    return found


HOUSE_RULES: Final = tuple(house_rules().values())


def _wild_card(random: Random, suit: str, rules: RuleSet) -> str:
    roll = random.random()
    if roll < 0.4 and rules.joker_count:
        return "X"
    return "2" + (suit if roll > 0.65 else random.choice(SUITS))


def _random_run(random: Random, rules: RuleSet) -> Run:
    suit = random.choice(SUITS)
    length = random.choice((3, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, 13, 13, 14))
    low = random.randint(1, 15 - length)
    cards = [natural_at(slot, suit) for slot in range(low, low + length)]
    if random.random() < 0.65:
        index = random.choice((0, length - 1, random.randrange(length), random.randrange(length)))
        cards[index] = _wild_card(random, suit, rules)
    return Run(suit, low, tuple(cards))


def _random_set(random: Random, rules: RuleSet) -> CardSet:
    rank = random.choice(SET_RANKS)
    pool = [rank + suit for suit in SUITS] * 2
    naturals = random.sample(pool, random.choice((2, 3, 3, 4, 5, 6, 7, 8)))
    wild = _wild_card(random, naturals[0][1], rules) if len(naturals) == 2 or random.random() < 0.5 else None
    return CardSet(rank, tuple(sorted(naturals)), wild)


def random_meld(random: Random, rules: RuleSet) -> Meld:
    """Return a run or set that has an action id, legal or not."""
    if random.random() < (0.3 if rules.sets else 0.04):
        return _random_set(random, rules)
    return _random_run(random, rules)


def legal_meld(random: Random, rules: RuleSet) -> Meld:
    """Return a legal run or set."""
    while True:
        meld = random_meld(random, rules)
        if is_legal(meld, rules):
            return meld


def added_card(random: Random, meld: Meld, rules: RuleSet) -> str:
    """Return a card to add: often one that has a chance, sometimes any."""
    roll = random.random()
    if roll < 0.12:
        return _wild_card(random, meld.suit if isinstance(meld, Run) else "c", rules)
    if roll < 0.2:
        return natural_at(random.randint(1, 14), random.choice(SUITS))
    if isinstance(meld, CardSet):
        return meld.rank + random.choice(SUITS)
    wild_slots = meld.wild_slots()
    if wild_slots and roll < 0.5:
        return natural_at(wild_slots[0], meld.suit)
    near = (meld.low - 2, meld.low - 1, meld.low - 1, meld.high + 1, meld.high + 1, meld.high + 2)
    return natural_at((random.choice(near) - 1) % 13 + 1, meld.suit)


def meld_kinds(meld: Meld) -> set[str]:
    """Name what is special about a meld."""
    if isinstance(meld, CardSet):
        return {"set with wild"} if meld.wild else {"set"}
    kinds = set()
    ace, two = "A" + meld.suit, "2" + meld.suit
    places = meld.places()
    if places.get(2) == two:
        kinds.add("natural two")
        if meld.wild_slots():
            kinds.add("natural two with wild")
    if places.get(1) == ace and places.get(14) == ace:
        kinds.add("two aces")
    return kinds


def move_kinds(before: Meld, after: Meld) -> set[str]:
    """Name what an addition moved."""
    if isinstance(before, CardSet) or isinstance(after, CardSet):
        return set()
    kinds = set()
    own, two = before.wild_slots(), "2" + before.suit
    if own and after.wild_slots() != own:
        kinds.add("moved wild")
        if before.places()[own[0]] == two and before.places().get(2) != two and after.places().get(2) == two:
            kinds.add("two gone home")
        if after.wild_slots() and {own[0], after.wild_slots()[0]} & {before.low, before.high}:
            kinds.add("wild from end")
    if before.places().get(2) == two and after.places().get(2) != two:
        kinds.add("two pressed")
    return kinds
