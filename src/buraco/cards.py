"""Cards as small integers, and their text.

A card is ``suit * 13 + rank``: suits c d h s are 0 to 3, ranks A 2 3 ... K are 0 to 12, the joker is 52.
Twins and the four jokers are the same card.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from buraco.errors import ParseError
from buraco.texts import message

__all__ = [
    "CARD_COUNT",
    "JOKER",
    "NO_CARD",
    "RANKS",
    "SUITS",
    "card_text",
    "cards_text",
    "is_wild_card",
    "parse_card",
    "parse_cards",
]

SUITS: Final = "cdhs"
"""The letters of the suits 0 to 3."""

RANKS: Final = "A23456789TJQK"
"""The letters of the ranks 0 to 12."""

JOKER: Final = 52
"""The joker."""

CARD_COUNT: Final = 53
"""The number of different cards, the joker among them."""

NO_CARD: Final = 63
"""What stands in a packed field where there is no card."""

_TEXTS: Final = (*(rank + suit for suit in SUITS for rank in RANKS), "X")


def card_text(card: int) -> str:
    """Return the text of a card, such as ``7h`` or ``X``.

    Raises ValueError for a number that is no card.
    """
    if not 0 <= card < CARD_COUNT:
        raise ValueError(f"no card has the number {card}")
    return _TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """Return the texts of several cards, separated by blanks."""
    return " ".join(card_text(card) for card in cards)


def parse_card(text: str) -> int:
    """Return the card that a text names: ``7h``, ``10h`` as well as ``Th``, ``X``; letters in either case.

    Raises ParseError (code ``card_text``) for anything else.
    """
    word = text.strip()
    if word in ("X", "x"):
        return JOKER
    rank = word[:-1].upper()
    suit = word[-1:].lower()
    if rank == "10":
        rank = "T"
    if len(rank) != 1 or len(suit) != 1 or rank not in RANKS or suit not in SUITS:
        raise ParseError("card_text", message("typed.card", word=text[:40]))
    return SUITS.index(suit) * 13 + RANKS.index(rank)


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the cards of a text in which blanks separate them.

    Raises ParseError (code ``card_text``).
    """
    return tuple(parse_card(word) for word in text.split())


def is_wild_card(card: int) -> bool:
    """Say whether a card is a 2 or a joker (a 2 may still lie as a natural card in a run)."""
    return card == JOKER or card % 13 == 1
