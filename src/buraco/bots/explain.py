"""Why an action is a good one, in codes: facts that the seat can see, read from the state before and after it."""

from __future__ import annotations

from collections.abc import Iterator

from buraco.bots.protocol import REASONS_MAX, Reason
from buraco.cards import JOKER, is_wild_card
from buraco.engine.constants import ACTION_DISCARD, ACTION_DRAW, ACTION_KEEP, ACTION_PILE, ACTION_RUN
from buraco.engine.deal import Deal, meld_rules_of
from buraco.engine.melds import add_to_meld
from buraco.engine.position import Position
from buraco.engine.scoresheet import meld_category, meld_points
from buraco.engine.view import SeatView

__all__ = ["joins_a_meld", "reasons_for", "table_points"]


def table_points(deal: Deal, side: int) -> int:
    """Return what the melds of a side count: their cards and canasta bonuses, and going out if it closed."""
    position = deal.position()
    points = sum(meld_points(position.rules, meld) for meld in position.melds[side])
    went_out = position.out_seat >= 0 and position.out_seat & 1 == side
    return points + (position.rules.bonus_out if went_out else 0)


def joins_a_meld(position: Position, side: int, card: int) -> bool:
    """Say whether a card could be added to some meld of a side by the rules of melds."""
    meld_rules = meld_rules_of(position.rules)
    ends = (0, 1) if card != JOKER and card % 13 == 0 else (0,)
    return any(
        add_to_meld(meld.packed, card, how, high, meld_rules) >= 0
        for meld in position.melds[side]
        for how in range(3)
        for high in ends
    )


def reasons_for(view: SeatView, before: Deal, after: Deal, action: int) -> tuple[Reason, ...]:
    """Return at most three reasons for an action of the view's seat, the weightiest first.

    ``before`` and ``after``: a state that fits the view, without and with the action.
    """
    if len(view.legal) == 1:
        return (Reason("only_action"),)
    if action < ACTION_DISCARD:
        found = _draw_reasons(view, action)
    elif action < ACTION_RUN:
        found = _discard_reasons(view, action - ACTION_DISCARD)
    else:
        found = _meld_reasons(before, after)
    return tuple([*_end_reasons(before, after), *found][:REASONS_MAX])


def _end_reasons(before: Deal, after: Deal) -> Iterator[Reason]:
    side = before.seat & 1
    if after.out_seat == before.seat:
        yield Reason("closes")
    elif after.position().morto_owner.count(side) > before.position().morto_owner.count(side):
        yield Reason("takes_morto")


def _draw_reasons(view: SeatView, action: int) -> Iterator[Reason]:
    pile = view.position.pile
    if action == ACTION_PILE:
        yield Reason("pile_closed_use" if view.position.rules.pile_closed else "pile_helps", (("count", len(pile)),))
    elif action == ACTION_DRAW:
        useless = "pile_of_no_use" if ACTION_PILE in view.legal else "pile_barred"
        yield Reason(useless if pile else "pile_empty")
    else:
        yield Reason("keep_card" if action == ACTION_KEEP else "reject_card")


def _discard_reasons(view: SeatView, card: int) -> Iterator[Reason]:
    position = view.position
    if is_wild_card(card):
        yield Reason("only_wilds")
        return
    yield Reason("least_use")
    if joins_a_meld(position, 1 - position.side, card):
        yield Reason("feeds_least")
    elif position.melds[1 - position.side]:
        yield Reason("safe_discard")
    if any(is_wild_card(held) for held in view.hand):
        yield Reason("keeps_wilds")


def _canastas(deal: Deal) -> tuple[int, int]:
    """Return how many canastas the side to act has, and how many of them are clean."""
    position = deal.position()
    categories = [meld_category(position.rules, meld) for meld in position.melds[position.side]]
    return len(categories) - categories.count("plain"), sum(category.startswith("clean") for category in categories)


def _meld_reasons(before: Deal, after: Deal) -> Iterator[Reason]:
    side = before.seat & 1
    if after.seat == before.seat:
        (all_before, clean_before), (all_after, clean_after) = _canastas(before), _canastas(after)
        if all_after > all_before:
            yield Reason("makes_canasta")
        elif clean_after > clean_before:
            yield Reason("cleans_canasta")
    points = table_points(after, side) - table_points(before, side)
    if points > 0:
        yield Reason("gains_points", (("points", points),))
    if before.top_card >= 0:
        yield Reason("uses_top")
