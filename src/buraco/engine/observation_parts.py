"""The parts of an observation: the one table that the engine writes by, NumPy reads by, and the documents are made of.

An observation is a row of `OBSERVATION_SIZE` numbers of 16 bits with a sign. The parts lie in it one behind the other,
in the order of `PARTS`, each in C order. Seats and sides are counted from the seat that observes: seat 0 is itself,
then clockwise; side 0 is its own. A deal for two leaves the rows of the seats 2 and 3 at 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import prod
from typing import Final

from buraco.engine.codes import END_KINDS, PHASES
from buraco.engine.constants import JOKER, MELD_SLOTS

__all__ = ["CARDS_MAX", "NUMBER_MAX", "PARTS", "Column", "Part", "part"]

NUMBER_MAX: Final = 32767
"""What is further from 0 than this is written as this, or as minus this."""

CARDS_MAX: Final = 108
"""The most cards that a pack has, and so a pile."""

_CARDS: Final = JOKER + 1


@dataclass(frozen=True, slots=True)
class Column:
    """One number of the last axis of a part: its ``name`` and its ``meaning``."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an observation: ``shape``, the place of its ``first`` number, the ``axes`` in words, what it means.

    Its numbers lie between ``low`` and ``high``, both included. ``columns`` name the numbers of the last axis where
    each is something else.
    """

    name: str
    shape: tuple[int, ...]
    axes: str
    meaning: str
    low: int = 0
    high: int = NUMBER_MAX
    columns: tuple[Column, ...] = ()
    first: int = 0

    @property
    def size(self) -> int:
        """How many numbers the part has."""
        return prod(self.shape)

    @property
    def row_size(self) -> int:
        """How many numbers the last axis has."""
        return self.shape[-1]

    def column(self, name: str) -> int:
        """Return the index of a column in the last axis. Raises ValueError if there is none of that name."""
        return [column.name for column in self.columns].index(name)


def _columns(*pairs: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, meaning) for name, meaning in pairs)


_MELD: Final = _columns(
    ("kind", "0 no meld, 1 run, 2 set; with 0 all other numbers are 0"),
    ("suit", "of a run: 1 clubs, 2 diamonds, 3 hearts, 4 spades; of a set 0"),
    ("rank", "of a set: 1 ace, 3 to 10, 11 jack, 12 queen, 13 king; of a run 0"),
    ("low", "the lowest slot of a run, 1 (low ace) to 14 (high ace); of a set 0"),
    ("high", "the highest slot of a run; of a set 0"),
    ("wild_slot", "the slot of a run that its wild fills; 0 without a wild, and of a set"),
    ("wild", "the wild: its card number + 1, 0 without"),
    ("clubs", "natural clubs in a set; of a run 0"),
    ("diamonds", "natural diamonds in a set"),
    ("hearts", "natural hearts in a set"),
    ("spades", "natural spades in a set"),
    ("size", "cards in the meld"),
    ("category", "what it counts as now: 0 no canasta, 1 dirty, 2 semi-clean, 3 clean, 4 clean of 13, 5 clean of 14"),
    (
        "age",
        "1 if all its cards were tabled in the turn in play, 2 if all in the one before, ...; 0 if in several turns",
    ),
)
_PILE: Final = _columns(
    ("card", "card number + 1; 54: a card that nobody may see; 0: no card"),
    ("seat", "seat that discarded it + 1; 0: nobody (the up-card), or no card"),
    ("age", "1 if it was put there in the turn in play, 2 if in the one before, ...; 0: nobody did, or no card"),
)
_SEATS: Final = _columns(
    ("cards", "cards in its hand"),
    ("to_act", "1: it is this seat's turn, and the deal is not over"),
    ("dealer", "1: it dealt"),
    ("unplayed", "1: it took a morto by its discard and has not had a turn since"),
    ("out", "1: it went out"),
)
_SIDES: Final = _columns(
    ("total", "match points before this deal, the bonus for the cut included"),
    ("opening_need", "the opening minimum still to be met; 0: opened, or there is none"),
    ("melds", "melds on the table"),
    ("canastas", "canastas among them"),
    ("clean_canastas", "canastas without a wild among those"),
    ("morto_taken", "1: the side took a morto"),
    ("table_points", "what its melds count now: cards and canasta bonuses"),
)
_DEAL: Final = _columns(
    ("seat", "the number at the table of the seat that observes, 0 to 3"),
    ("players", "2 or 4"),
    ("turns", "turns finished"),
    ("quiet_turns", "turns running that count towards a stalemate"),
    ("stock", "cards in the stock"),
    ("pile", "cards in the pile"),
    ("laid_points", "points tabled in this turn while the opening minimum is not met"),
    ("drew_stock", "1: this turn drew from the stock"),
    ("tabled", "1: this turn tabled a card"),
    ("took_single", "1: this turn took a pile of one card"),
    ("rest_waits", "1: the top of a closed pile is used, its rest waits for the opening minimum"),
    ("rejected", "1: the first stock card was rejected"),
    ("barred_card", "the card that the seat may not discard in this turn: its number + 1; 0: none, or another's turn"),
    ("top_card", "the top of a closed pile that must be used, now in the hand: its number + 1; 0: none"),
    ("top_slot", "the number of the meld that it must go to + 1; 0: none"),
    ("drawn_card", "the first stock card while the seat may still reject it: its number + 1; 0: none, or another's"),
    ("end_kind", "how the deal ended: " + ", ".join(f"{number} {kind}" for number, kind in enumerate(END_KINDS))),
)


def _placed(parts: Iterable[Part]) -> tuple[Part, ...]:
    placed: list[Part] = []
    first = 0
    for one in parts:
        placed.append(replace(one, first=first))
        first += one.size
    return tuple(placed)


PARTS: Final = _placed(
    (
        Part("hand", (_CARDS,), "card", "copies of each card in the own hand", high=4),
        Part(
            "others",
            (3, _CARDS),
            "seat 1 to 3, card",
            "copies that everyone knows to be in the hand of each other seat; all of its hand when the deal is over",
            high=4,
        ),
        Part("shown", (_CARDS,), "card", "copies in the own hand that everyone knows to be there", high=4),
        Part(
            "unseen",
            (_CARDS,),
            "card",
            "copies that the seat sees nowhere: in the other hands, the stock, the mortos or a closed pile",
            high=4,
        ),
        Part("table", (2, _CARDS), "side, card", "copies in the melds of each side", high=4),
        Part(
            "melds",
            (2, MELD_SLOTS, len(_MELD)),
            "side, meld, column",
            "the melds of each side by the numbers that the actions use",
            columns=_MELD,
        ),
        Part("pile_cards", (_CARDS,), "card", "copies in the pile, of a closed one only the card that all see", high=4),
        Part(
            "pile",
            (CARDS_MAX, len(_PILE)),
            "place, column",
            "the cards of the pile, the top first",
            columns=_PILE,
        ),
        Part(
            "phase",
            (len(PHASES),),
            "phase",
            "1 at the phase of the turn, 0 else: " + ", ".join(PHASES),
            high=1,
        ),
        Part("seats", (4, len(_SEATS)), "seat, column", "the seats, the own first", columns=_SEATS),
        Part("sides", (2, len(_SIDES)), "side, column", "the sides, the own first", low=-NUMBER_MAX, columns=_SIDES),
        Part(
            "mortos",
            (2,),
            "morto",
            "where each morto is: 0 waiting, 1 taken by the own side, 2 by the other, 3 it became the stock",
            high=3,
        ),
        Part("deal", (len(_DEAL),), "column", "the rest of what all see, and three cards", columns=_DEAL),
    )
)
"""The parts in the order in which they lie in an observation."""


def part(name: str) -> Part:
    """Return a part by its name. Raises KeyError if there is none of that name."""
    return {one.name: one for one in PARTS}[name]
