"""Melds as the oracle sees them: lists of card texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

__all__ = [
    "SUITS",
    "TRACK",
    "CardSet",
    "Meld",
    "Run",
    "can_be_wild",
    "natural_at",
    "parse_meld",
    "parse_run",
    "parse_set",
    "run_of_places",
    "text_of",
]

SUITS: Final = "cdhs"
# The slots 1 to 14 of a run: the ace is at both ends.
TRACK: Final = "A23456789TJQKA"


def natural_at(slot: int, suit: str) -> str:
    """Return the card that lies naturally in a slot (1 to 14) of a run of a suit."""
    return TRACK[slot - 1] + suit


def can_be_wild(card: str) -> bool:
    """Say whether a card can stand for another: a joker or any 2."""
    return card == "X" or card[0] == "2"


@dataclass(frozen=True)
class Run:
    """Cards side by side, lowest slot first; whether they make a legal run is another question."""

    suit: str
    low: int
    cards: tuple[str, ...]

    @property
    def high(self) -> int:
        """The slot of the last card."""
        return self.low + len(self.cards) - 1

    def places(self) -> dict[int, str]:
        """Return the card of each slot."""
        return {self.low + index: card for index, card in enumerate(self.cards)}

    def wild_slots(self) -> list[int]:
        """Return the slots whose card is not the natural one."""
        return [slot for slot, card in self.places().items() if card != natural_at(slot, self.suit)]


@dataclass(frozen=True)
class CardSet:
    """Cards of one rank (sorted) and at most one wild; whether they make a legal set is another question."""

    rank: str
    naturals: tuple[str, ...]
    wild: str | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards, the wild last."""
        return self.naturals if self.wild is None else (*self.naturals, self.wild)


Meld: TypeAlias = Run | CardSet


def run_of_places(suit: str, places: dict[int, str]) -> Run | None:
    """Return the run with these cards in these slots; None when the slots are not consecutive or off the track."""
    low, high = min(places), max(places)
    if low < 1 or high > 14 or len(places) != high - low + 1:
        return None
    return Run(suit, low, tuple(places[slot] for slot in range(low, high + 1)))


def text_of(meld: Meld) -> str:
    """Return the cards of a meld in order."""
    return " ".join(meld.cards)


def parse_run(text: str) -> Run:
    """Return the run that lies as written, lowest card first; the natural cards fix suit and slots.

    Raises ValueError when no place or several places on the track have at most one card out of its own slot.
    """
    cards = tuple(text.split())
    found = []
    for suit in SUITS:
        for low in range(1, 16 - len(cards)):
            run = Run(suit, low, cards)
            if len(run.wild_slots()) <= 1:
                found.append(run)
    if len(found) != 1:
        raise ValueError(f"{text!r} has {len(found)} places on the track")
    return found[0]


def parse_set(text: str) -> CardSet:
    """Return the set of these cards: the 2s and jokers last, the rank is that of the first card."""
    cards = text.split()
    naturals = [card for card in cards if not can_be_wild(card)]
    wilds = [card for card in cards if can_be_wild(card)]
    if len(wilds) > 1 or not naturals:
        raise ValueError(f"{text!r} is no set")
    return CardSet(naturals[0][0], tuple(sorted(naturals)), wilds[0] if wilds else None)


def parse_meld(text: str) -> Meld:
    """Return the run or set that a text shows: a set when all its natural cards are of one rank."""
    naturals = [card for card in text.split() if not can_be_wild(card)]
    if len(naturals) > 1 and len({card[0] for card in naturals}) == 1:
        return parse_set(text)
    return parse_run(text)
