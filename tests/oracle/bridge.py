"""The oracle's melds in the numbers of docs/architecture.md: cards, packed melds, action ids."""

from __future__ import annotations

from itertools import product
from typing import Final

from buraco.cards import NO_CARD, card_text, parse_card
from tests.oracle.model import SUITS, CardSet, Meld, Run, natural_at

__all__ = [
    "ADD_BASE",
    "DISCARD_BASE",
    "DRAW",
    "RUN_BASE",
    "SET_BASE",
    "TAKE_PILE",
    "add_id",
    "add_ids_of_card",
    "all_new_melds",
    "card_of",
    "discard_id",
    "new_meld_id",
    "packed",
    "run_id",
    "set_id",
    "unpacked",
]

DRAW: Final = 0
TAKE_PILE: Final = 1
DISCARD_BASE: Final = 4
RUN_BASE: Final = 57
RUN_COUNT_PER_SUIT: Final = 2655
SET_BASE: Final = 10677
SET_COUNT_PER_RANK: Final = 446
ADD_BASE: Final = 16029
ADD_COUNT_PER_MELD: Final = 171
HIGH_ACE_BASE: Final = 159
SET_RANKS: Final = "A3456789TJQK"


def card_of(text: str) -> int:
    """Return the number of a card."""
    return parse_card(text)


def discard_id(card: str) -> int:
    """Return the action that discards a card."""
    return DISCARD_BASE + card_of(card)


def _wild_index(card: str, suit: str) -> int:
    """Number a wild card relative to a suit: 0 its own 2, 1 to 3 the next suits' 2s, 4 the joker."""
    return 4 if card == "X" else (SUITS.index(card[1]) - SUITS.index(suit)) % 4


def _run_layouts(low: int, high: int) -> list[tuple[int, int]]:
    """List (wild slot, wild index) of the runs with these ends, in the order of their ids; (0, 0) is no wild."""
    layouts = [(0, 0)]
    for slot in range(low, high + 1):
        layouts += [(slot, index) for index in range(5) if (slot, index) != (2, 0)]
    return layouts


def run_id(run: Run) -> int:
    """Return the action that lays a run as it is. Raises ValueError for what has no id (no run at all)."""
    wild_slots = run.wild_slots()
    if len(wild_slots) > 1 or not 3 <= len(run.cards) <= 14:
        raise ValueError(f"no action lays {run}")
    number = RUN_BASE + SUITS.index(run.suit) * RUN_COUNT_PER_SUIT
    for low in range(1, 13):
        for high in range(low + 2, 15):
            layouts = _run_layouts(low, high)
            if (low, high) == (run.low, run.high):
                wild = (wild_slots[0], _wild_index(run.places()[wild_slots[0]], run.suit)) if wild_slots else (0, 0)
                return number + layouts.index(wild)
            number += len(layouts)
    raise ValueError(f"no action lays {run}")


def _set_layouts() -> list[tuple[tuple[int, ...], int]]:
    """List (naturals of each suit, wild index) of the sets of one rank, in the order of their ids; wild 0 is none."""
    layouts = []
    for backwards in product(range(3), repeat=4):
        counts = tuple(reversed(backwards))
        if sum(counts) >= 2:
            layouts += [(counts, wild) for wild in range(6) if wild or sum(counts) >= 3]
    return layouts


def set_id(meld: CardSet) -> int:
    """Return the action that lays a set. Raises ValueError for what has no id."""
    counts = tuple(meld.naturals.count(meld.rank + suit) for suit in SUITS)
    wild = 0 if meld.wild is None else 5 if meld.wild == "X" else 1 + SUITS.index(meld.wild[1])
    base = SET_BASE + SET_RANKS.index(meld.rank) * SET_COUNT_PER_RANK
    return base + _set_layouts().index((counts, wild))


def new_meld_id(meld: Meld) -> int:
    """Return the action that lays a meld as it is."""
    return run_id(meld) if isinstance(meld, Run) else set_id(meld)


def all_new_melds() -> dict[int, Meld]:
    """Return the meld of every action that lays one, in the order of the ids."""
    found: dict[int, Meld] = {}
    for suit in SUITS:
        for low in range(1, 13):
            for high in range(low + 2, 15):
                naturals = [natural_at(slot, suit) for slot in range(low, high + 1)]
                for slot, index in _run_layouts(low, high):
                    cards = list(naturals)
                    if slot:
                        cards[slot - low] = "X" if index == 4 else "2" + SUITS[(SUITS.index(suit) + index) % 4]
                    found[RUN_BASE + len(found)] = Run(suit, low, tuple(cards))
    for rank in SET_RANKS:
        for counts, wild in _set_layouts():
            cards = [rank + suit for suit, count in zip(SUITS, counts, strict=True) for _ in range(count)]
            wild_card = (None, "2c", "2d", "2h", "2s", "X")[wild]
            found[RUN_BASE + len(found)] = CardSet(rank, tuple(sorted(cards)), wild_card)
    return found


def _how(meld: Meld) -> int:
    if isinstance(meld, CardSet) or not meld.wild_slots():
        return 0
    slot = meld.wild_slots()[0]
    return 1 if slot == meld.low else 2 if slot == meld.high else 0


def add_id(meld_index: int, before: Meld, card: str, after: Meld) -> int:
    """Return the action that adds a card to the side's meld of an index so that it becomes ``after``."""
    base = ADD_BASE + meld_index * ADD_COUNT_PER_MELD
    if isinstance(after, Run) and isinstance(before, Run):
        high_ace = natural_at(14, after.suit)
        if card == high_ace and after.places().get(14) == card and before.places().get(14) != card:
            return base + HIGH_ACE_BASE + SUITS.index(after.suit) * 3 + _how(after)
    return base + card_of(card) * 3 + _how(after)


def add_ids_of_card(meld_index: int, card: str) -> list[int]:
    """List every action that adds a card to the side's meld of an index, possible or not."""
    base = ADD_BASE + meld_index * ADD_COUNT_PER_MELD
    ids = [base + card_of(card) * 3 + how for how in range(3)]
    if card[0] == "A":
        ids += [base + HIGH_ACE_BASE + SUITS.index(card[1]) * 3 + how for how in range(3)]
    return ids


def packed(meld: Meld) -> int:
    """Return a meld as the engine packs it."""
    if isinstance(meld, CardSet):
        counts = sum(meld.naturals.count(meld.rank + suit) << 2 * index for index, suit in enumerate(SUITS))
        wild = NO_CARD if meld.wild is None else card_of(meld.wild)
        return "A23456789TJQK".index(meld.rank) | counts << 4 | wild << 12 | 1 << 20
    wild_slots = meld.wild_slots()
    wild_slot = wild_slots[0] if wild_slots else 0
    wild_card = card_of(meld.places()[wild_slot]) if wild_slot else NO_CARD
    return meld.low | meld.high << 4 | wild_slot << 8 | wild_card << 12 | SUITS.index(meld.suit) << 18


def unpacked(number: int) -> Meld:
    """Return the meld that the engine packed into a number."""
    wild_card = number >> 12 & 63
    if number >> 20 & 1:
        rank = "A23456789TJQK"[number & 15]
        naturals: list[str] = []
        for index, suit in enumerate(SUITS):
            naturals += [rank + suit] * (number >> 4 + 2 * index & 3)
        return CardSet(rank, tuple(sorted(naturals)), None if wild_card == NO_CARD else card_text(wild_card))
    low, high, wild_slot, suit = number & 15, number >> 4 & 15, number >> 8 & 15, SUITS[number >> 18 & 3]
    cards = [card_text(wild_card) if slot == wild_slot else natural_at(slot, suit) for slot in range(low, high + 1)]
    return Run(suit, low, tuple(cards))
