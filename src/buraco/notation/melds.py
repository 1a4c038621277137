"""Melds as text and as JSON.

The text of a meld is its cards in slot order, separated by blanks, a wild written with the rank it stands for:
``3h 4h X=5 6h``. An ace is low where it comes first and high where it comes last. A set is its natural cards in
the order of the card numbers, then its wild: ``7c 7h 7s 2d=7``. The JSON form is the array of the same words.

In Python a meld is the packed integer of the engine (``docs/architecture.md``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from buraco.cards import NO_CARD, RANKS, SUITS, card_text, is_wild_card, parse_card
from buraco.engine.shapes import MeldShape, card_at, unpack
from buraco.errors import ParseError
from buraco.texts import message

__all__ = [
    "MELD_CARDS_MAX",
    "Word",
    "format_meld",
    "in_order",
    "meld_from_words",
    "meld_words",
    "parse_meld",
    "parse_word",
    "readings",
]

MELD_CARDS_MAX: Final = 14
"""The most cards of a meld in the notation (a run from ace to ace)."""

_SET_FLAG: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Word:
    """A card as written in a meld: ``stands`` is the rank (0 to 12) that it is said to stand for, -1 if not said."""

    card: int
    stands: int = -1


def meld_words(packed: int) -> tuple[str, ...]:
    """Return the words of a packed meld, such as ``("3h", "4h", "X=5", "6h")``; its JSON form is this array.

    Raises PositionError (code ``meld_packed``) for a number that packs no meld.
    """
    shape = unpack(packed)
    words = [card_text(card) for card in shape.cards]
    if shape.has_wild:
        place, rank = (shape.wild_slot - shape.low, (shape.wild_slot - 1) % 13) if shape.is_run else (-1, shape.rank)
        words[place] += "=" + RANKS[rank]
    return tuple(words)


def format_meld(packed: int) -> str:
    """Return the text of a packed meld, such as ``3h 4h X=5 6h``.

    Raises PositionError (code ``meld_packed``) for a number that packs no meld.
    """
    return " ".join(meld_words(packed))


def parse_word(text: str) -> Word:
    """Return a card with what it stands for: ``X=5``, ``2d=7`` (``X=5h`` is taken too), or a bare card.

    Raises ParseError (code ``card_text``).
    """
    card_part, equals, stands_part = text.partition("=")
    card = parse_card(card_part)
    if not equals:
        return Word(card)
    rank = stands_part.upper()
    if len(rank) > 1 and rank[-1].lower() in SUITS:
        rank = rank[:-1]
    rank = "T" if rank == "10" else rank
    if len(rank) != 1 or rank not in RANKS:
        raise ParseError("card_text", message("typed.stands_rank", word=text[:40]))
    if not is_wild_card(card):
        raise ParseError("card_text", message("typed.stands_wild", word=text[:40]))
    return Word(card, RANKS.index(rank))


def parse_meld(text: str) -> int:
    """Return the packed meld of a text; a run's cards in slot order, a wild bare or with what it stands for.

    The order says where a bare wild lies: ``3h 4h X 6h`` is ``3h 4h X=5 6h``, ``X 3h 4h`` is ``X=2 3h 4h``. The order
    within a set is free. Whether a rule set allows the meld is not asked.
    Raises ParseError: ``card_text`` for a word that is no card, ``meld_text`` for cards that form no meld so.
    """
    texts = text.split(maxsplit=MELD_CARDS_MAX)
    if not 3 <= len(texts) <= MELD_CARDS_MAX:
        raise ParseError("meld_text", message("typed.meld_cards", most=MELD_CARDS_MAX))
    words = tuple(parse_word(word) for word in texts)
    for packed in readings(words):
        if in_order(words, packed):
            return packed
    raise ParseError("meld_text", message("typed.no_meld", text=" ".join(texts)[:80]))


def meld_from_words(words: Iterable[str]) -> int:
    """Return the packed meld of its JSON form, the array of its words.

    Raises ParseError (codes ``card_text``, ``meld_text``).
    """
    return parse_meld(" ".join(words))


def in_order(words: Sequence[Word], packed: int) -> bool:
    """Say whether the words name the cards of a run in the order of its slots; always so for a set."""
    shape = unpack(packed)
    return not shape.is_run or tuple(word.card for word in words) == shape.cards


def readings(words: Sequence[Word]) -> list[int]:
    """Return every packed meld that the cards form, whatever their order; those in the written order come first.

    What a word says it stands for is kept to. The list is empty where the cards form no meld.
    """
    if not 3 <= len(words) <= MELD_CARDS_MAX:
        return []
    found = [*_set_readings(words), *_run_readings(words)]
    return sorted(found, key=lambda packed: not in_order(words, packed))


def _told_holds(words: Sequence[Word], shape: MeldShape) -> bool:
    told = [word for word in words if word.stands >= 0]
    rank = (shape.wild_slot - 1) % 13 if shape.is_run else shape.rank
    return not told or (len(told) == 1 and shape.has_wild and told[0] == Word(shape.wild_card, rank))


def _set_readings(words: Sequence[Word]) -> Iterator[int]:
    naturals = [word.card for word in words if not is_wild_card(word.card)]
    wilds = [word.card for word in words if is_wild_card(word.card)]
    ranks = {card % 13 for card in naturals}
    counts = Counter(card // 13 for card in naturals)
    if len(ranks) != 1 or len(wilds) > 1 or len(naturals) < 2 or max(counts.values()) > 2:
        return
    packed_counts = sum(count << 2 * suit for suit, count in counts.items())
    wild = wilds[0] if wilds else NO_CARD
    packed = ranks.pop() | packed_counts << 4 | wild << 12 | _SET_FLAG
    if _told_holds(words, unpack(packed)):
        yield packed


def _run_readings(words: Sequence[Word]) -> Iterator[int]:
    cards = Counter(word.card for word in words)
    suits = {card // 13 for card in cards if not is_wild_card(card)}
    if len(suits) != 1:
        return
    suit = suits.pop()
    for low in range(1, MELD_CARDS_MAX - len(words) + 2):
        slots = range(low, low + len(words))
        needed = Counter(card_at(suit, slot) for slot in slots)
        missing, extra = list(needed - cards), list((cards - needed).elements())
        ends = low | slots[-1] << 4 | suit << 18
        packs = [ends | NO_CARD << 12] if not extra else []
        if len(extra) == 1 and is_wild_card(extra[0]):
            # Where one of two aces is missing, the wild may stand for either.
            packs = [ends | slot << 8 | extra[0] << 12 for slot in slots if card_at(suit, slot) == missing[0]]
        yield from (packed for packed in packs if _told_holds(words, unpack(packed)))
