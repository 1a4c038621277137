"""The numbering of actions for callers from outside: what is no number of an action, or no meld, is an error.

Every function raises TypeError for what is no whole number.

`buraco.engine.numbering` trusts what it is given, which makes it fast: inside the engine every number is one.
"""

from __future__ import annotations

from typing import Final

from buraco.engine import numbering
from buraco.engine.arguments import whole_number
from buraco.engine.constants import ACTION_ADD, ACTION_COUNT, ACTION_RUN, JOKER, MELD_SLOTS, SET_FLAG

__all__ = ["action_meld", "add_action", "decode_add", "meld_action"]

_SLOT_MAX: Final = 14


def action_meld(action: int) -> int:
    """Return the packed meld of an action that lays one. Raises ValueError for any other number."""
    action = whole_number("an action", action)
    if not ACTION_RUN <= action < ACTION_ADD:
        raise ValueError(f"{action} lays no meld; such actions are {ACTION_RUN} to {ACTION_ADD - 1}")
    return numbering.action_meld(action)


def meld_action(meld: int) -> int:
    """Return the action that lays a packed meld. Raises ValueError for a number that is none."""
    meld = whole_number("a packed meld", meld)
    if 0 <= meld < 2 * SET_FLAG and (meld & SET_FLAG or max(meld & 15, meld >> 4 & 15) <= _SLOT_MAX):
        action = numbering.meld_action(meld)
        if ACTION_RUN <= action < ACTION_ADD and numbering.action_meld(action) == meld:
            return action
    raise ValueError(f"{meld} is no packed meld")


def add_action(slot: int, card: int, how: int, high: int) -> int:
    """Return the action that adds a card to meld ``slot``; ``how`` is 0 to 2, ``high`` 1 for an ace at the high end.

    Raises ValueError for what is no addition.
    """
    slot, card = whole_number("a meld", slot), whole_number("a card", card)
    how, high = whole_number("how", how), whole_number("high", high)
    if 0 <= slot < MELD_SLOTS and 0 <= card <= JOKER and 0 <= how <= 2 and (high == 0 or (high == 1 and _is_ace(card))):
        return numbering.add_action(slot, card, how, high)
    raise ValueError(f"there is no addition of card {card} to meld {slot} with the wild at {how}, high {high}")


def _is_ace(card: int) -> bool:
    return card % 13 == 0 and card < JOKER


def decode_add(action: int) -> tuple[int, int, int, int]:
    """Return (meld number, card, how, high) of an action that adds a card. Raises ValueError for any other number."""
    action = whole_number("an action", action)
    if not ACTION_ADD <= action < ACTION_COUNT:
        raise ValueError(f"{action} adds no card; such actions are {ACTION_ADD} to {ACTION_COUNT - 1}")
    return numbering.decode_add(action)
