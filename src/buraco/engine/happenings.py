"""What an action made happen, told as events by comparing the positions before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from buraco.engine import events
from buraco.engine.arguments import whole_number
from buraco.engine.constants import (
    ACTION_ADD,
    ACTION_DISCARD,
    ACTION_DRAW,
    ACTION_KEEP,
    ACTION_PILE,
    ACTION_RUN,
)
from buraco.engine.deal import meld_rules_of
from buraco.engine.melds import add_to_meld
from buraco.engine.numbering import action_meld, decode_add
from buraco.engine.position import Position
from buraco.engine.shapes import meld_cards, unpack

__all__ = ["Happening", "happenings", "result_meld", "shows_hidden"]

Happening = tuple[type[events.Event], int | None, dict[str, Any]]
"""An event without its number: its class, its audience, its other fields."""


def happenings(before: Position, after: Position, action: int) -> Iterator[Happening]:
    """Yield what an action of the seat to act made happen, in order; both positions are fully known."""
    seat = before.seat
    if action < ACTION_DISCARD:
        yield from _draws(before, after, action)
    elif action < ACTION_RUN:
        yield from _failed_opening(before, after, action)
        yield events.Discarded, None, {"seat": seat, "card": action - ACTION_DISCARD}
    else:
        yield from _table(before, action)
        yield from _pile_rest(before, after, action)
        yield from _failed_opening(before, after, action)
    yield from _mortos(before, after, direct=action >= ACTION_RUN)
    if after.over or after.turn_count != before.turn_count:
        next_seat = -1 if after.over else after.seat
        yield events.TurnEnded, None, {"seat": seat, "turn": before.turn_count, "next_seat": next_seat}


def result_meld(position: Position, action: int) -> int:
    """Return the packed meld that a new meld or a legal addition of the seat to act makes, -1 for any other action.

    It is told by the action and the position before it: a failed opening takes it off the table at once. Raises
    TypeError for an action that is no whole number.
    """
    action = whole_number("an action", action)
    if action < ACTION_RUN:
        return -1
    if action < ACTION_ADD:
        return action_meld(action)
    number, card, how, high = decode_add(action)
    return add_to_meld(position.melds[position.side][number].packed, card, how, high, meld_rules_of(position.rules))


def shows_hidden(before: Position, after: Position, action: int) -> bool:
    """Say whether an action showed its seat, or anyone, something that was hidden: no undo goes behind it.

    A turn's end, a failed opening and the end of a deal cannot be taken back either.
    """
    return (
        after.over
        or after.turn_count != before.turn_count
        or after.stock_count != before.stock_count
        or after.mortos_gone != before.mortos_gone
        or _rest_came(before, after, action)
        or _opening_failed(before, after, action)
    )


def _draws(before: Position, after: Position, action: int) -> Iterator[Happening]:
    seat = before.seat
    if action == ACTION_PILE:
        yield from _pile_taken(before)
        return
    if action == ACTION_KEEP:
        yield events.FirstCardKept, None, {"seat": seat}
        return
    if action != ACTION_DRAW:
        yield events.FirstCardRejected, None, {"seat": seat, "card": before.drawn_card}
    drawn = before.stock[-1] if before.stock else -1
    may_reject = after.phase == "choice"
    yield events.Drew, None, {"seat": seat, "stock_count": before.stock_count - 1, "may_reject": may_reject}
    yield events.CardDrawn, seat, {"seat": seat, "card": drawn}


def _pile_taken(before: Position) -> Iterator[Happening]:
    shown = before.pile[-1:] if before.rules.pile_closed else before.pile
    yield events.PileTaken, None, {"seat": before.seat, "count": len(before.pile), "pile": shown}


def _rest_came(before: Position, after: Position, action: int) -> bool:
    return action >= ACTION_RUN and len(after.pile) < len(before.pile)


def _pile_rest(before: Position, after: Position, action: int) -> Iterator[Happening]:
    if _rest_came(before, after, action):
        yield events.PileRestSeen, before.seat, {"seat": before.seat, "pile": before.pile}


def _table(before: Position, action: int) -> Iterator[Happening]:
    side, seat, packed = before.side, before.seat, result_meld(before, action)
    if action < ACTION_ADD:
        number = len(before.melds[side])
        yield events.MeldLaid, None, {"seat": seat, "action": action, "meld": number, "packed": packed}
        return
    number, card, _, _ = decode_add(action)
    old = before.melds[side][number]
    yield (
        events.CardAdded,
        None,
        {
            "seat": seat,
            "action": action,
            "meld": number,
            "card": card,
            "packed": packed,
            "wild_from": unpack(old.packed).wild_slot,
            "wild_to": unpack(packed).wild_slot,
        },
    )


def _failed_opening(before: Position, after: Position, action: int) -> Iterator[Happening]:
    if not _opening_failed(before, after, action):
        return
    side, seat = before.side, before.seat
    # The cards of this turn are public: those on the table before this action, and those of the action itself.
    cards = Counter(card for meld in before.melds[side] for card in meld_cards(meld.packed))
    if ACTION_RUN <= action < ACTION_ADD:
        cards.update(meld_cards(action_meld(action)))
    elif action >= ACTION_ADD:
        cards[decode_add(action)[1]] += 1
    yield (
        events.OpeningFailed,
        None,
        {"seat": seat, "cards": tuple(sorted(cards.elements())), "need": after.opening_need[side]},
    )


def _opening_failed(before: Position, after: Position, action: int) -> bool:
    """Say whether the melds of a turn went back to the hand: nothing else makes melds fewer."""
    laid = ACTION_RUN <= action < ACTION_ADD
    return len(after.melds[before.side]) < len(before.melds[before.side]) + laid


def _mortos(before: Position, after: Position, *, direct: bool) -> Iterator[Happening]:
    for index, cards in enumerate(before.mortos):
        if before.morto_owner[index] != -1 or after.morto_owner[index] == -1 or cards is None:
            continue
        if after.morto_owner[index] == 2:
            yield events.StockRefilled, None, {"morto": index, "count": len(cards)}
            continue
        seat = before.seat
        yield events.MortoTaken, None, {"seat": seat, "morto": index, "direct": direct, "count": len(cards)}
        yield events.MortoSeen, seat, {"seat": seat, "cards": tuple(sorted(cards))}
