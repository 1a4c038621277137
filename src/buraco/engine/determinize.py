"""A full state for a view: what is hidden is dealt at random, what is known stays where it is.

Search and bots get states only from here. The result looks to the view's seat exactly like the view.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Final

from buraco.engine.arguments import whole_number
from buraco.engine.deal import Deal
from buraco.engine.position import PileCard, Position, public_hand, visible_cards
from buraco.engine.shuffle import ordered_pack
from buraco.engine.view import SeatView
from buraco.errors import PositionError

__all__ = ["determinize", "fill"]

_TRIES: Final = 1000


def determinize(view: SeatView | Position, seed: int) -> Deal:
    """Return a deal in which every hidden card of a view has a place, the same for the same seed.

    The cards that the view does not show are spread over the hidden places, every spread as likely as the others; cards
    that everyone knows to be in a hand stay there. If another seat is in the middle of a turn, spreads that leave it
    without any legal action are drawn again. For a position as well as for a view, complete or not.

    Raises PositionError (code ``position`` with every fault) if the view cannot exist, TypeError for a seed that is no
    whole number.
    """
    seed = whole_number("a seed", seed)
    position = view.position if isinstance(view, SeatView) else view
    source = random.Random(seed)
    deal = Deal.from_position(fill(position, source))
    if position.over or position.hands[position.seat] is not None:
        return deal
    for _ in range(_TRIES):
        if deal.legal():
            return deal
        deal = Deal.from_position(fill(position, source))
    raise PositionError("position", "no spread of the hidden cards lets the seat to act do anything")


def fill(position: Position, source: random.Random) -> Position:
    """Return a position with every hidden place filled at random with the cards that the position does not show.

    Raises PositionError (code ``position``) if those are not as many as the places.
    """
    unseen = list((Counter(ordered_pack(position.rules)) - visible_cards(position)).elements())
    source.shuffle(unseen)
    hands: list[tuple[int, ...]] = []
    for seat in range(position.players):
        shown = public_hand(position, seat)
        hands.append(tuple(sorted((*shown, *_take(unseen, position.hand_counts[seat] - len(shown))))))
    stock = position.stock if position.stock is not None else _take(unseen, position.stock_count)
    size = position.rules.morto_size
    first, second = (
        morto if morto is not None else _take(unseen, size if position.morto_owner[index] == -1 else 0)
        for index, morto in enumerate(position.mortos)
    )
    pile = tuple(
        entry if entry.card is not None else PileCard(_take(unseen, 1)[0], entry.seat, entry.turn)
        for entry in position.pile
    )
    if unseen:
        raise PositionError("position", f"{len(unseen)} cards of the pack have no place")
    full = replace(position, hands=tuple(hands), stock=stock, mortos=(first, second), pile=pile)
    return _with_drawn_card(position, full, source)


def _take(unseen: list[int], count: int) -> tuple[int, ...]:
    if not 0 <= count <= len(unseen):
        raise PositionError("position", f"{count} cards are wanted for a place, but {len(unseen)} are left")
    return tuple(unseen.pop() for _ in range(count))


def _with_drawn_card(position: Position, full: Position, source: random.Random) -> Position:
    """Choose the card that another seat looks at in the first turn: any card of its hand, since all are unknown."""
    hand = full.hands[full.seat]
    if position.phase != "choice" or position.drawn_card >= 0 or not hand:
        return full
    return replace(full, drawn_card=source.choice(hand))
