"""What happens in a match, as values with an audience.

An event is for everyone (``audience`` None) or for one seat. What only one seat may know travels in an event of its
own, right behind the public one: `Drew` tells everyone that a card was drawn, `CardDrawn` tells its seat which.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

from buraco.cards import card_text
from buraco.engine.position import PileCard
from buraco.engine.scoresheet import ScoreLine, ScoreSheet
from buraco.engine.shapes import unpack

__all__ = [
    "CardAdded",
    "CardDrawn",
    "CutMade",
    "DealEnded",
    "DealStarted",
    "Discarded",
    "Drew",
    "Event",
    "FirstCardKept",
    "FirstCardRejected",
    "FirstDealerFound",
    "HandDealt",
    "MatchEnded",
    "MatchStarted",
    "MeldLaid",
    "MortoSeen",
    "MortoTaken",
    "OpeningFailed",
    "PileRestSeen",
    "PileTaken",
    "StockRefilled",
    "TurnEnded",
    "Undone",
    "kind_of",
    "to_json",
]


def _card() -> Any:
    return field(metadata={"json": _card_json})


def _cards() -> Any:
    return field(metadata={"json": _cards_json})


def _card_json(card: int | None) -> str | None:
    return None if card is None or card < 0 else card_text(card)


def _cards_json(cards: tuple[int, ...]) -> list[str]:
    return [card_text(card) for card in cards]


def _hands_json(hands: tuple[tuple[int, ...], ...]) -> list[list[str]]:
    return [_cards_json(hand) for hand in hands]


def _pile_json(pile: tuple[PileCard, ...]) -> list[dict[str, Any]]:
    return [{"card": _card_json(entry.card), "seat": entry.seat, "turn": entry.turn} for entry in pile]


def _rounds_json(rounds: tuple[tuple[tuple[int, int], ...], ...]) -> list[list[dict[str, Any]]]:
    return [[{"seat": seat, "card": _card_json(card)} for seat, card in drawn] for drawn in rounds]


def _meld_json(packed: int) -> dict[str, Any]:
    shape = unpack(packed)
    wild = shape.wild_slot - shape.low if shape.is_run else len(shape.cards) - 1
    return {
        "kind": "run" if shape.is_run else "set",
        "cards": _cards_json(shape.cards),
        "low": shape.low if shape.is_run else None,
        "wild": wild if shape.has_wild else None,
    }


def _line_json(line: ScoreLine) -> dict[str, Any]:
    return {
        "kind": line.kind,
        "points": line.points,
        "cards": _cards_json(line.cards),
        "seat": line.seat,
        "meld": line.meld,
        "category": line.category,
    }


def _sheets_json(sheets: tuple[ScoreSheet, ...]) -> list[dict[str, Any]]:
    return [
        {"side": sheet.side, "total": sheet.total, "lines": [_line_json(line) for line in sheet.lines]}
        for sheet in sheets
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened: ``number`` is its place in the match from 0, ``audience`` None or the only seat told."""

    number: int
    audience: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchStarted(Event):
    """A match began, under the rules of this name and with so many players."""

    rules_name: str
    players: int
    target_points: int
    deal_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDealerFound(Event):
    """The first dealer was found: each round of draws as (seat, card), none where it was drawn at random."""

    rounds: tuple[tuple[tuple[int, int], ...], ...] = field(metadata={"json": _rounds_json})
    dealer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutMade(Event):
    """The dealer's right lifted ``count`` cards; its side got ``points`` at once, 0 unless the count was right."""

    seat: int
    count: int
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealStarted(Event):
    """A deal began: its number from 1, the totals that it starts from, the up-card (-1: none), the cards dealt."""

    deal: int
    dealer: int
    seat: int
    totals: tuple[int, int]
    up_card: int = _card()
    hand_counts: tuple[int, ...]
    stock_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDealt(Event):
    """The cards that a seat was dealt; for that seat only."""

    seat: int
    cards: tuple[int, ...] = _cards()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drew(Event):
    """A seat drew from the stock, which now has ``stock_count`` cards; ``may_reject``: it may still reject the card."""

    seat: int
    stock_count: int
    may_reject: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """The card that a seat drew; for that seat only."""

    seat: int
    card: int = _card()


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCardKept(Event):
    """A seat kept the first stock card."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCardRejected(Event):
    """A seat rejected the first stock card, which begins the pile; it draws another one."""

    seat: int
    card: int = _card()


@dataclass(frozen=True, slots=True, kw_only=True)
class PileTaken(Event):
    """A seat took the pile of ``count`` cards: all of an open one are shown, of a closed one the top card only."""

    seat: int
    count: int
    pile: tuple[PileCard, ...] = field(metadata={"json": _pile_json})


@dataclass(frozen=True, slots=True, kw_only=True)
class PileRestSeen(Event):
    """The rest of a closed pile came to the hand of its taker; for that seat only."""

    seat: int
    pile: tuple[PileCard, ...] = field(metadata={"json": _pile_json})


@dataclass(frozen=True, slots=True, kw_only=True)
class MeldLaid(Event):
    """A seat laid a new meld, number ``meld`` of its side from 0."""

    seat: int
    action: int
    meld: int
    packed: int = field(metadata={"json": _meld_json})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardAdded(Event):
    """A seat added a card to meld number ``meld`` of its side, which became ``packed``.

    ``wild_from`` and ``wild_to`` are the slots of the run's wild before and after, equal when it stayed, 0 without one.
    """

    seat: int
    action: int
    meld: int
    card: int = _card()
    packed: int = field(metadata={"json": _meld_json})
    wild_from: int
    wild_to: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded(Event):
    """A seat discarded a card."""

    seat: int
    card: int = _card()


@dataclass(frozen=True, slots=True, kw_only=True)
class MortoTaken(Event):
    """A seat emptied its hand and took the morto of this number (from 0), directly (by melding) or by its discard."""

    seat: int
    morto: int
    direct: bool
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MortoSeen(Event):
    """The cards of the morto that a seat took; for that seat only."""

    seat: int
    cards: tuple[int, ...] = _cards()


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningFailed(Event):
    """A turn's melds did not reach the opening minimum: the cards went back, the minimum is now ``need`` points."""

    seat: int
    cards: tuple[int, ...] = _cards()
    need: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StockRefilled(Event):
    """The morto of this number (from 0) became the stock."""

    morto: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(Event):
    """A seat's turn ended, number ``turn`` from 0; ``next_seat`` is to act, or -1 when the deal is over."""

    seat: int
    turn: int
    next_seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """A seat took back its last ``count`` actions."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEnded(Event):
    """A deal ended; its hands, its score sheets, its scores without the cut bonus, and the totals after it."""

    deal: int
    end_kind: str
    out_seat: int
    hands: tuple[tuple[int, ...], ...] = field(metadata={"json": _hands_json})
    sheets: tuple[ScoreSheet, ScoreSheet] = field(metadata={"json": _sheets_json})
    scores: tuple[int, int]
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchEnded(Event):
    """The match ended: the side that won, or None for a draw."""

    winner: int | None
    totals: tuple[int, int]


def kind_of(event: type[Event]) -> str:
    """Return the name of a kind of event in snake case, such as ``card_drawn``."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in event.__name__)[1:]


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as plain JSON values: ``event`` names its kind in snake case, cards are texts like ``7h``.

    A meld is an object: ``kind`` ``run`` or ``set``, ``cards`` as they lie, ``low`` the lowest slot of a run (1 the low
    ace, 14 the high one), ``wild`` the index of the wild among the cards; null where there is none.
    """
    result: dict[str, Any] = {"event": kind_of(type(event))}
    for one in fields(event):
        value = getattr(event, one.name)
        convert: Callable[[Any], Any] = one.metadata.get("json", _plain)
        result[one.name] = convert(value)
    return result


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
