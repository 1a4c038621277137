"""The events of the game as structs: the messages' side of `buraco.engine.events`, field for field.

``from_engine`` turns the one into the other; a test holds both to the same fields. The audience is not told: an event
for one seat goes to that seat only.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from buraco.engine.events import Event as EngineEvent
from buraco.engine.events import to_json

__all__ = ["GAME_EVENTS", "GameEvent", "Meld", "PileCard", "ScoreLine", "ScoreSheet", "from_engine"]


class Meld(Struct, frozen=True, kw_only=True):
    """A meld: its cards as they lie, the lowest slot of a run (1 the low ace, None: a set), the index of its wild."""

    kind: Literal["run", "set"]
    cards: tuple[str, ...]
    low: int | None
    wild: int | None


class PileCard(Struct, frozen=True, kw_only=True):
    """A card of the pile, who discarded it (-1: nobody), and in which turn (-1: none)."""

    card: str
    seat: int
    turn: int


class CardDraw(Struct, frozen=True, kw_only=True):
    """The card that a seat drew for the first dealer."""

    seat: int
    card: str


class ScoreLine(Struct, frozen=True, kw_only=True):
    """One item of a score sheet (see `buraco.engine.ScoreLine`)."""

    kind: str
    points: int
    cards: tuple[str, ...]
    seat: int
    meld: int
    category: str


class ScoreSheet(Struct, frozen=True, kw_only=True):
    """The score of a side for a deal, line by line."""

    side: int
    total: int
    lines: tuple[ScoreLine, ...]


class _Event(Struct, frozen=True, kw_only=True, tag_field="event"):
    number: int


class MatchStarted(_Event, frozen=True, kw_only=True, tag="match_started"):
    """A match began under these rules; 0 stands for no target, or no fixed number of deals."""

    rules_name: str
    players: int
    target_points: int
    deal_count: int


class FirstDealerFound(_Event, frozen=True, kw_only=True, tag="first_dealer_found"):
    """The first dealer was found: each round of draws, none where it was drawn at random."""

    rounds: tuple[tuple[CardDraw, ...], ...]
    dealer: int


class CutMade(_Event, frozen=True, kw_only=True, tag="cut_made"):
    """The dealer's right lifted ``count`` cards; its side got ``points`` at once."""

    seat: int
    count: int
    points: int


class DealStarted(_Event, frozen=True, kw_only=True, tag="deal_started"):
    """A deal began: its number from 1, the totals that it starts from, the up-card (None: none), the cards dealt."""

    deal: int
    dealer: int
    seat: int
    totals: tuple[int, int]
    up_card: str | None
    hand_counts: tuple[int, ...]
    stock_count: int


class HandDealt(_Event, frozen=True, kw_only=True, tag="hand_dealt"):
    """The cards that the own seat was dealt."""

    seat: int
    cards: tuple[str, ...]


class Drew(_Event, frozen=True, kw_only=True, tag="drew"):
    """A seat drew from the stock, which now has ``stock_count`` cards; ``may_reject``: it may still reject the card."""

    seat: int
    stock_count: int
    may_reject: bool


class CardDrawn(_Event, frozen=True, kw_only=True, tag="card_drawn"):
    """The card that the own seat drew."""

    seat: int
    card: str


class FirstCardKept(_Event, frozen=True, kw_only=True, tag="first_card_kept"):
    """A seat kept the first stock card."""

    seat: int


class FirstCardRejected(_Event, frozen=True, kw_only=True, tag="first_card_rejected"):
    """A seat rejected the first stock card, which begins the pile; it draws another one."""

    seat: int
    card: str


class PileTaken(_Event, frozen=True, kw_only=True, tag="pile_taken"):
    """A seat took the pile of ``count`` cards: all of an open one are shown, of a closed one the top card only."""

    seat: int
    count: int
    pile: tuple[PileCard, ...]


class PileRestSeen(_Event, frozen=True, kw_only=True, tag="pile_rest_seen"):
    """The rest of the closed pile that the own seat took."""

    seat: int
    pile: tuple[PileCard, ...]


class MeldLaid(_Event, frozen=True, kw_only=True, tag="meld_laid"):
    """A seat laid a new meld, number ``meld`` of its side from 0."""

    seat: int
    action: int
    meld: int
    packed: Meld


class CardAdded(_Event, frozen=True, kw_only=True, tag="card_added"):
    """A seat added a card to meld number ``meld`` of its side from 0; the slots of the run's wild before and after."""

    seat: int
    action: int
    meld: int
    card: str
    packed: Meld
    wild_from: int
    wild_to: int


class Discarded(_Event, frozen=True, kw_only=True, tag="discarded"):
    """A seat discarded a card."""

    seat: int
    card: str


class MortoTaken(_Event, frozen=True, kw_only=True, tag="morto_taken"):
    """A seat took the morto of this number from 0, directly (by melding) or by its discard."""

    seat: int
    morto: int
    direct: bool
    count: int


class MortoSeen(_Event, frozen=True, kw_only=True, tag="morto_seen"):
    """The cards of the morto that the own seat took."""

    seat: int
    cards: tuple[str, ...]


class OpeningFailed(_Event, frozen=True, kw_only=True, tag="opening_failed"):
    """A turn's melds did not reach the opening minimum: the cards went back, the minimum is now ``need`` points."""

    seat: int
    cards: tuple[str, ...]
    need: int


class StockRefilled(_Event, frozen=True, kw_only=True, tag="stock_refilled"):
    """The morto of this number from 0 became the stock."""

    morto: int
    count: int


class TurnEnded(_Event, frozen=True, kw_only=True, tag="turn_ended"):
    """A seat's turn ended, number ``turn`` from 0; ``next_seat`` is to act, or -1 when the deal is over."""

    seat: int
    turn: int
    next_seat: int


class Undone(_Event, frozen=True, kw_only=True, tag="undone"):
    """A seat took back its last ``count`` actions."""

    seat: int
    count: int


class DealEnded(_Event, frozen=True, kw_only=True, tag="deal_ended"):
    """A deal ended; its hands, its score sheets, its scores without the cut bonus, and the totals after it."""

    deal: int
    end_kind: str
    out_seat: int
    hands: tuple[tuple[str, ...], ...]
    sheets: tuple[ScoreSheet, ...]
    scores: tuple[int, int]
    totals: tuple[int, int]


class MatchEnded(_Event, frozen=True, kw_only=True, tag="match_ended"):
    """The match was played to its end: the side that won, or None for a draw."""

    winner: int | None
    totals: tuple[int, int]


GameEvent: TypeAlias = (
    MatchStarted
    | FirstDealerFound
    | CutMade
    | DealStarted
    | HandDealt
    | Drew
    | CardDrawn
    | FirstCardKept
    | FirstCardRejected
    | PileTaken
    | PileRestSeen
    | MeldLaid
    | CardAdded
    | Discarded
    | MortoTaken
    | MortoSeen
    | OpeningFailed
    | StockRefilled
    | TurnEnded
    | Undone
    | DealEnded
    | MatchEnded
)

GAME_EVENTS: Final[tuple[type[Struct], ...]] = GameEvent.__args__


def from_engine(event: EngineEvent) -> GameEvent:
    """Return an event of the engine as a message's event."""
    form = to_json(event)
    del form["audience"]
    found: GameEvent = msgspec.convert(form, GameEvent)
    return found
