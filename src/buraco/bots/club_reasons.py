"""Why the heuristic acts as it does, in a player's terms: true facts of the view, the weightiest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from buraco.bots.explain import joins_a_meld, reasons_for
from buraco.bots.protocol import REASONS_MAX, Reason
from buraco.cards import card_text, cards_text, is_wild_card
from buraco.engine.constants import ACTION_ADD, ACTION_DISCARD, ACTION_DRAW, ACTION_PILE, ACTION_RUN
from buraco.engine.deal import CLUB_FORBIDDEN, Deal
from buraco.engine.numbering import action_meld, added_card
from buraco.engine.position import Position
from buraco.engine.shapes import unpack
from buraco.engine.view import SeatView

__all__ = ["club_reasons"]

_SHORT_STOCK_TURNS = 3


def club_reasons(
    view: SeatView, before: Deal, after: Deal, action: int, scored: Sequence[tuple[int, int]]
) -> tuple[Reason, ...]:
    """Return at most three reasons for an action of the view's seat, the weightiest first.

    ``before`` and ``after``: a state that fits the view, without and with the action. ``scored``: the actions that were
    weighed, with their values.
    """
    if len(view.legal) == 1:
        return (Reason("only_action"),)
    values = dict(scored)
    if values[action] < max(values.values()):
        return (Reason("on_a_whim"),)
    others = [other for other, value in scored if value > CLUB_FORBIDDEN]
    own = [*_waiting(view, before, action, others)]
    if action < ACTION_DISCARD:
        own += _pile_reasons(view, action)
    elif action < ACTION_RUN:
        own += _discard_reasons(view, action - ACTION_DISCARD)
    else:
        own += _play_reasons(view, before, after, action)
    general = reasons_for(view, before, after, action)
    ends = [reason for reason in general if reason.code in ("closes", "takes_morto", "makes_canasta", "cleans_canasta")]
    rest = [reason for reason in general if reason not in ends and reason.code != "least_use"]
    if ACTION_DISCARD <= action < ACTION_RUN and not is_wild_card(action - ACTION_DISCARD):
        rest.append(Reason("costs_least"))
    return tuple([*ends, *own, *rest][:REASONS_MAX])


def _waiting(view: SeatView, before: Deal, action: int, others: Sequence[int]) -> Iterator[Reason]:
    """Say that the deal could be closed now, but is not, and what the partner still holds."""
    if view.position.players != 4 or view.seat is None:
        return
    after = before.copy()
    after.apply(action)
    if after.out_seat == view.seat:
        return
    for other in others:
        if other < ACTION_DISCARD:
            continue
        closing = before.copy()
        closing.apply(other)
        if closing.out_seat == view.seat:
            yield Reason("waits_to_close", (("count", view.position.hand_counts[(view.seat + 2) % 4]),))
            return


def _pile_reasons(view: SeatView, action: int) -> Iterator[Reason]:
    position = view.position
    if action not in (ACTION_DRAW, ACTION_PILE):
        return
    pile = [entry.card for entry in position.pile if entry.card is not None]
    if position.rules.pile_closed:
        pile = pile[-1:]
    fitting = [card for card in pile if not is_wild_card(card) and joins_a_meld(position, position.side, card)]
    wanted = [card for card in pile if not is_wild_card(card) and joins_a_meld(position, 1 - position.side, card)]
    wilds = [card for card in pile if is_wild_card(card)]
    if action == ACTION_PILE:
        if wilds:
            yield Reason("pile_wilds", (("cards", cards_text(sorted(set(wilds)))),))
        if fitting:
            yield Reason("pile_fits", (("cards", cards_text(sorted(set(fitting))[:4])),))
        if wanted:
            yield Reason("pile_denied", (("cards", cards_text(sorted(set(wanted))[:4])),))


def _kept_for_melds(view: SeatView, card: int) -> list[int]:
    """Return the natural cards of the hand, without a discard, that join a meld of the side."""
    held = list(view.hand)
    held.remove(card)
    position = view.position
    return sorted({one for one in held if not is_wild_card(one) and joins_a_meld(position, position.side, one)})


def _neighbours(card: int, hand: Sequence[int]) -> set[int]:
    """Return the natural cards of a hand that stand in a suit within two ranks of a card."""
    suit, rank = divmod(card, 13)
    places = {rank, 13} if rank == 0 else {rank}
    found = set()
    for other in hand:
        if other == card or is_wild_card(other) or other // 13 != suit:
            continue
        others = {other % 13, 13} if other % 13 == 0 else {other % 13}
        if any(abs(one - two) <= 2 for one in places for two in others):
            found.add(other)
    return found


def _discard_reasons(view: SeatView, card: int) -> Iterator[Reason]:
    position = view.position
    if is_wild_card(card):
        return
    held = list(view.hand)
    held.remove(card)
    naturals = sorted({one for one in held if not is_wild_card(one)})
    if not joins_a_meld(position, 1 - position.side, card):
        feeding = [one for one in naturals if joins_a_meld(position, 1 - position.side, one)]
        if feeding:
            yield Reason("does_not_feed", (("cards", cards_text(feeding[:3])),))
    pile = [entry.card for entry in position.pile if entry.card is not None]
    if card in (pile[-1:] if position.rules.pile_closed else pile):
        yield Reason("twin_passed", (("card", card_text(card)),))
    kept = _kept_for_melds(view, card)
    if kept:
        yield Reason("keeps_for_melds", (("cards", cards_text(kept[:3])),))
    near = _neighbours(card, held)
    together = [one for one in naturals if _neighbours(one, held)]
    if together and not near and card not in held:
        first = together[0]
        yield Reason("keeps_together", (("cards", cards_text(sorted({first, *_neighbours(first, held)})[:4])),))


def _stock_is_short(position: Position) -> bool:
    rules = position.rules
    left = position.stock_count - rules.stock_end_count
    if rules.stock_refill:
        left += (2 - position.mortos_gone) * rules.morto_size
    return left <= _SHORT_STOCK_TURNS * position.players


def _play_reasons(view: SeatView, before: Deal, after: Deal, action: int) -> Iterator[Reason]:
    position = view.position
    side = position.side
    if action < ACTION_ADD:
        packed = action_meld(action)
    else:
        grown = [new for new, old in zip(after.meld_list(side), before.meld_list(side), strict=False) if new != old]
        packed = grown[0] if grown else 0
    if packed:
        shape = unpack(packed)
        lacking = position.rules.canasta_size - shape.size
        if 0 < lacking <= 3 and not shape.has_wild:
            yield Reason("toward_clean", (("count", lacking),))
    used_wild = is_wild_card(added_card(action)) if action >= ACTION_ADD else bool(packed and unpack(packed).has_wild)
    if not used_wild and any(is_wild_card(card) for card in view.hand):
        yield Reason("saves_wild")
    if _stock_is_short(position):
        yield Reason("stock_short", (("count", position.stock_count),))
