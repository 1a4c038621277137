# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What a policy minds before it lays cards: an opening that might fail, a card that may still close."""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit
    from buraco.engine.constants import ACTION_ADD, JOKER, OPENING_OVER_TURN, PHASE_PLAY
    from buraco.engine.enumeration import WILD_CARDS
    from buraco.engine.legality import morto_free, opening_possible
    from buraco.engine.numbering import action_meld, added_card
    from buraco.engine.state import State, meld_points, pop_meld, push_meld, without_card, without_meld
    from buraco.engine.workspace import Workspace, new_round

__all__ = ["keeps_closer", "opening_may_fail", "opening_pays"]


def opening_may_fail(s: State) -> int:
    """Say whether what is laid now goes back to the hand unless it reaches the opening minimum in this turn."""
    return 1 if s.phase == PHASE_PLAY and s.opening_mode == OPENING_OVER_TURN and s.opening_need[s.seat & 1] else 0


def keeps_closer(s: State, action: int) -> int:
    """Say whether a play leaves a card that may close, where a 2 or joker may not and no morto is to come."""
    seat = s.seat
    if s.close_wild or s.phase != PHASE_PLAY or morto_free(s, seat & 1):
        return 1
    once, twice = s.once[seat], s.twice[seat]
    if action < ACTION_ADD:
        once, twice = without_meld(once, twice, action_meld(action))
    else:
        once, twice = without_card(once, twice, added_card(action))
    return 1 if once == 0 or once & ~WILD_CARDS & (bit(JOKER) - 1) else 0


def opening_pays(s: State, w: Workspace, action: int) -> int:
    """Say whether a play reaches the opening minimum, or new melds from the rest of the hand still can after it."""
    seat, side = s.seat, s.seat & 1
    need = s.opening_need[side] - s.laid_points
    searched = 1 if need <= s.opening_search_max else 0  # failed openings raise a minimum without limit
    if action >= ACTION_ADD:
        card = added_card(action)
        if s.value[card] >= need:
            return 1
        once, twice = without_card(s.once[seat], s.twice[seat], card)
        new_round(w)
        return opening_possible(s, w, once, twice, need - s.value[card], 0) if searched else 0
    meld = action_meld(action)
    points = meld_points(s, meld)
    if points >= need or not searched:
        return 1 if points >= need else 0
    once, twice = without_meld(s.once[seat], s.twice[seat], meld)
    push_meld(s, side, meld, -1)
    new_round(w)
    found = opening_possible(s, w, once, twice, need - points, 0)
    pop_meld(s, side)
    return found
