"""Whether cards are the last ones and the deal ends with them, for whoever is asked before they go out.

The answer comes from the view of the seat alone: the actions are tried on a state that fits it.
"""

from __future__ import annotations

from buraco.engine import SeatView, determinize

__all__ = ["ends_deal"]


def ends_deal(view: SeatView, actions: tuple[int, ...], cards_count: int) -> bool:
    """Say whether the seat of the view, which is to act, goes out by legal actions.

    ``cards_count``: how many of its cards the actions play.

    Another end of the deal, as by the empty stock after the turn, is none of it.
    """
    if cards_count < len(view.hand):
        # Cards stay in the hand, so nobody goes out: most answers need no trial.
        return False
    deal = determinize(view, 0)
    for action in actions:
        deal.apply(action)
    return deal.position().end_kind == "closed"
