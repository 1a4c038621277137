"""A deal in plain values: everything about it, or as much as somebody may see.

A `Position` may have unknown parts (``None``); a seat's view is a position too. `validate` names every fault of one,
`hide` removes what a seat may not see (rules §2 item 15).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from buraco.engine.arguments import whole_number
from buraco.engine.codes import END_KINDS, PHASES
from buraco.engine.constants import MELD_SLOTS
from buraco.errors import PositionError

if TYPE_CHECKING:
    from buraco.rules import RuleSet

__all__ = [
    "END_KINDS",
    "MELDS_MAX",
    "PHASES",
    "TOTAL_LIMIT",
    "MeldState",
    "PileCard",
    "Position",
    "hide",
    "public_hand",
    "sees_everything",
    "validate",
    "visible_cards",
]

TOTAL_LIMIT: Final = 10**12
"""How far from 0 a side's total may be, in points: no match of 10,000 deals of any rules comes near."""

MELDS_MAX: Final = MELD_SLOTS
"""The most melds that a side can have in the engine's numbering of actions."""


@dataclass(frozen=True, slots=True)
class MeldState:
    """A meld on the table: ``packed`` as the engine packs it, and the ``turn`` in which all of its cards were tabled.

    ``turn`` is -1 when its cards were tabled in several turns, or when nobody knows.
    """

    packed: int
    turn: int = -1


@dataclass(frozen=True, slots=True)
class PileCard:
    """A card of the pile: which (None: hidden), who discarded it (-1: nobody, or unknown) and in which turn."""

    card: int | None
    seat: int = -1
    turn: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A deal at one moment.

    Tuples per seat have ``players`` entries, tuples per side two. Hands are sorted, twins repeated.

    - ``totals``: the sides' match points before this deal, the bonus for the cut included.
    - ``seat``: the seat to act; ``phase``: one of `PHASES`; ``turn_count``: turns finished so far.
    - ``hands``: None where hidden; ``hand_counts`` always holds; ``known``: the cards of each hand that everyone knows
      (taken from an open pile, returned by a failed opening, or taken back from the table).
    - ``melds``: per side, in the order of the engine's meld numbers.
    - ``pile``: bottom first. ``stock``: the next card last, None where hidden; ``stock_count`` always holds.
    - ``mortos``: the cards of each, None while hidden, empty once gone; ``morto_owner``: -1 waiting, a side, or 2: it
      became the stock; ``mortos_gone``: how many have gone.
    - ``unplayed``: the seat took a morto by its discard and has not had a turn since.
    - ``barred_card``: the card that may not be discarded in this turn, or -1; ``top_card``: the top of a closed pile
      that must be used, now in the hand, or -1; ``top_slot``: the number of the meld it must go to, or -1;
      ``rest_waits``: the top card is used, but the rest of that pile waits until the opening minimum is reached.
    - ``opening_need``: the minimum in force for each side, 0 once opened or without one; ``opened``: the side may add
      to its melds; ``laid_points``: points tabled in this turn while the opening is not met.
    - ``drew_stock``, ``tabled``, ``took_single``: whether this turn drew from the stock, tabled a card, took a pile of
      one card; ``quiet_turns``: turns running that count towards a stalemate.
    - ``drawn_card``: the first stock card while its seat may still reject it, or -1; ``rejected``: it was rejected.
    - ``end_kind``: one of `END_KINDS`; ``out_seat``: the seat that went out, or -1.
    """

    rules: RuleSet
    players: int
    dealer: int
    totals: tuple[int, int] = (0, 0)
    seat: int
    phase: str = "draw"
    turn_count: int = 0
    hands: tuple[tuple[int, ...] | None, ...]
    hand_counts: tuple[int, ...]
    known: tuple[tuple[int, ...], ...]
    melds: tuple[tuple[MeldState, ...], tuple[MeldState, ...]] = ((), ())
    pile: tuple[PileCard, ...] = ()
    stock: tuple[int, ...] | None = None
    stock_count: int
    mortos: tuple[tuple[int, ...] | None, tuple[int, ...] | None] = (None, None)
    morto_owner: tuple[int, int] = (-1, -1)
    mortos_gone: int = 0
    unplayed: tuple[bool, ...]
    barred_card: int = -1
    top_card: int = -1
    top_slot: int = -1
    rest_waits: bool = False
    opening_need: tuple[int, int] = (0, 0)
    opened: tuple[bool, bool] = (True, True)
    laid_points: int = 0
    drew_stock: bool = False
    tabled: bool = False
    took_single: bool = False
    quiet_turns: int = 0
    drawn_card: int = -1
    rejected: bool = False
    end_kind: str = "none"
    out_seat: int = -1

    @property
    def side(self) -> int:
        """The side to act."""
        return self.seat & 1

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.phase == "over"


def sees_everything(position: Position) -> bool:
    """Say whether no card of a position is hidden."""
    return (
        all(hand is not None for hand in position.hands)
        and position.stock is not None
        and all(morto is not None for morto in position.mortos)
        and all(entry.card is not None for entry in position.pile)
    )


def visible_cards(position: Position) -> Counter[int]:
    """Count the cards whose place a position tells: hands, known cards of hidden hands, melds, pile, stock, mortos."""
    from buraco.engine.shapes import meld_cards

    seen: Counter[int] = Counter()
    for seat in range(position.players):
        seen.update(public_hand(position, seat))
    for melds in position.melds:
        for meld in melds:
            seen.update(meld_cards(meld.packed))
    seen.update(entry.card for entry in position.pile if entry.card is not None)
    seen.update(position.stock or ())
    for morto in position.mortos:
        seen.update(morto or ())
    return seen


def public_hand(position: Position, seat: int) -> tuple[int, ...]:
    """Return what a position tells of a hand: all of it, or the cards that everyone knows.

    The top card of a closed pile that its taker still has to use lies in the hand, and everyone knows it.
    """
    hand = position.hands[seat]
    if hand is not None:
        return hand
    known = position.known[seat]
    if seat == position.seat and position.top_card >= 0 and position.top_card not in known:
        return tuple(sorted((*known, position.top_card)))
    return known


def hide(position: Position, seat: int | None, *, hands_open: bool = False) -> Position:
    """Return the position as a seat, or a spectator (None), may see it (rules §2 item 15).

    Hidden: the other hands, the stock, the mortos, every card of a closed pile but its top, the first-turn card that
    another seat looks at, and whether another seat's hand bars its taken card. When the deal is over the hands lie
    open, since they are counted. Hiding twice is hiding once.

    With ``hands_open`` every hand is there as its own seat sees it, with the first-turn card and the barred card; the
    stock, the mortos and the closed pile stay hidden.

    Raises PositionError (code ``no_seat``) for a seat that is not there, TypeError for what is no whole number.
    """
    seat = None if seat is None else whole_number("a seat", seat)
    if seat is not None and not 0 <= seat < position.players:
        raise PositionError("no_seat", f"there is no seat {seat}; seats are 0 to {position.players - 1}")
    all_open = position.over or hands_open
    owner = seat == position.seat or all_open
    return replace(
        position,
        hands=tuple(hand if all_open or index == seat else None for index, hand in enumerate(position.hands)),
        pile=_hidden_pile(position),
        stock=() if position.stock_count == 0 else None,
        mortos=(_hidden_morto(position, 0), _hidden_morto(position, 1)),
        barred_card=position.barred_card if owner else -1,
        drawn_card=position.drawn_card if owner else -1,
    )


def _hidden_morto(position: Position, index: int) -> tuple[int, ...] | None:
    return None if position.morto_owner[index] == -1 else ()


def _hidden_pile(position: Position) -> tuple[PileCard, ...]:
    if not position.rules.pile_closed:
        return position.pile
    # While the taker has still to use the top card, or to reach the minimum with it, the rest lies face down.
    rest = position.top_card >= 0 or position.rest_waits
    shown = len(position.pile) if rest else len(position.pile) - 1
    return tuple(entry if index == shown else replace(entry, card=None) for index, entry in enumerate(position.pile))


def validate(position: Position) -> tuple[str, ...]:
    """Name every fault of a position, in plain sentences; none means that it can be set up.

    Unknown cards are no fault: what is known must fit into the pack, and the numbers must add up to it.
    """
    from buraco.engine.validation import faults

    return faults(position)
