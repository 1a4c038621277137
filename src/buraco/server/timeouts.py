"""What the table does for a seat whose time is up, or whose bot fails: always the same in the same position.

The rule, in this order: draw from the stock (take the pile only where nothing else can be done); keep the first card;
discard the legal card that is worth least, no 2 and no joker where another may go, of equal ones the first by number;
where nothing may be discarded yet, the legal action with the lowest number.
"""

from __future__ import annotations

from buraco.cards import is_wild_card
from buraco.engine import SeatView
from buraco.engine.constants import ACTION_DISCARD, ACTION_DRAW, ACTION_RUN
from buraco.engine.shapes import card_points

__all__ = ["fallback_action"]


def fallback_action(view: SeatView) -> int:
    """Return the action that the table takes for the seat to act whose view it is. Raises ValueError if it is not."""
    if not view.legal:
        raise ValueError("the seat is not to act")
    rules = view.position.rules
    discards = [action for action in view.legal if ACTION_DISCARD <= action < ACTION_RUN]
    if view.legal[0] == ACTION_DRAW or not discards:
        return view.legal[0]

    def worth(action: int) -> tuple[bool, int, int]:
        card = action - ACTION_DISCARD
        return is_wild_card(card), card_points(rules, card), card

    return min(discards, key=worth)
