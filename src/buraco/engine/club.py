# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The club heuristic: every legal action gets a value in points, the best one is played.

A play is worth what it adds to the table less what it takes from the hand, so that the same numbers weigh laying against
keeping, a wild against its use, and a discard against the harm it does; `club_value` has the parts. It looks only at
what the seat to act may see.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, popcount
    from buraco.engine.club_value import (
        close_value,
        first_canasta,
        hand_value,
        join_slots,
        lanes,
        meld_value,
        prepare,
        set_lanes,
        weight,
    )
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_KEEP,
        MELD_SETS,
        MELD_SLOTS,
        PHASE_CHOICE,
        PHASE_DRAW,
        WEIGHT_FEED,
        WEIGHT_FEED_GAP,
        WEIGHT_FEED_KNOWN,
        WEIGHT_FEED_LIVE,
        WEIGHT_FEED_PILE,
        WEIGHT_FEED_SHARE,
        WEIGHT_KEEP_FIRST,
        WEIGHT_MORTO_DIRECT,
        WEIGHT_MORTO_INDIRECT,
        WEIGHT_NEW_MELD,
        WEIGHT_PILE,
        WEIGHT_PILE_CARD,
        WEIGHT_PILE_DENY,
        WEIGHT_TWIN_PASSED,
    )
    from buraco.engine.enumeration import WILD_CARDS, joining_cards
    from buraco.engine.foresight import keeps_closer, opening_may_fail, opening_pays
    from buraco.engine.legality import morto_free
    from buraco.engine.melds import add_to_meld, meld_size
    from buraco.engine.moves import legal_moves
    from buraco.engine.numbering import action_meld, added_card, added_high, added_how, added_slot
    from buraco.engine.state import (
        State,
        with_card,
        without_card,
        without_meld,
    )
    from buraco.engine.workspace import Workspace

__all__ = ["choose_club", "choose_novice", "score_club"]

# What a discard of a wild costs while another card may be discarded, and an opening that would fail.
FORBIDDEN = 1000000
NOVICE_SET = 2


def choose_club(s: State, w: Workspace) -> int:
    """Return the action of highest value; ties: the lowest id."""
    score_set(s, w, s.seat & 1)
    return best_scored(w)


def best_scored(w: Workspace) -> int:
    """Return the action of highest value among those listed."""
    best = 0
    for i in range(1, w.n_ids):
        if w.scores[i] > w.scores[best]:
            best = i
    return w.ids[best]


def choose_novice(s: State, w: Workspace) -> int:
    """Return what a beginner does: the beginner's weights, and now and then the next action that comes to mind."""
    score_set(s, w, NOVICE_SET)
    return best_scored(w)


def score_club(s: State, w: Workspace) -> None:
    """List the legal actions in ``w.ids`` and their values in ``w.scores``, in points.

    The values of one list compare with each other: a play stands above the best discard where it gains.
    """
    score_set(s, w, s.seat & 1)


def score_set(s: State, w: Workspace, club_set: int) -> None:
    """Do as `score_club` says by one of the sets of weights in the workspace."""
    legal_moves(s, w)
    prepare(s, w, club_set)
    base = hand_value(s, w, s.once[s.seat], s.twice[s.seat], w.fit, w.fit_gap)
    if s.phase == PHASE_DRAW:
        for i in range(w.n_ids):
            w.scores[i] = 0 if w.ids[i] == ACTION_DRAW else pile_value(s, w, base)
        return
    if s.phase == PHASE_CHOICE:
        for i in range(w.n_ids):
            w.scores[i] = keep_value(s, w, base) if w.ids[i] == ACTION_KEEP else 0
        return
    best = -FORBIDDEN if w.n_discards else 0
    for i in range(w.n_discards):
        value = discard_value(s, w, w.ids[i] - ACTION_DISCARD, base)
        if value > best:
            best = value
        w.scores[i] = value
    hold_wilds(s, w)
    may_fail = opening_may_fail(s)
    for i in range(w.n_discards, w.n_ids):
        value = play_value(s, w, w.ids[i], base)
        if not keeps_closer(s, w.ids[i]):
            value -= FORBIDDEN
        elif may_fail and (value > 0 or s.laid_points):
            value += 0 if opening_pays(s, w, w.ids[i]) else -FORBIDDEN
        w.scores[i] = best + value


def hold_wilds(s: State, w: Workspace) -> None:
    """Push the discards of wilds below all others, but where the last card goes."""
    if s.count[s.seat] == 1:
        return
    for i in range(w.n_discards):
        if bit(w.ids[i] - ACTION_DISCARD) & WILD_CARDS:
            w.scores[i] -= FORBIDDEN


def pile_value(s: State, w: Workspace, base: int) -> int:
    """Return what taking the pile is worth against drawing a card."""
    seat = s.seat
    once, twice = s.once[seat], s.twice[seat]
    value = weight(w, WEIGHT_PILE) + weight(w, WEIGHT_PILE_CARD) * (s.n_pile - 1)
    if s.pile_closed:
        once, twice = with_card(once, twice, s.pile[s.n_pile - 1])
    else:
        for i in range(s.n_pile):
            once, twice = with_card(once, twice, s.pile[i])
        value += weight(w, WEIGHT_PILE_DENY) * popcount(w.pile_lanes & w.feed)
    return value + hand_value(s, w, once, twice, w.fit, w.fit_gap) - base


def keep_value(s: State, w: Workspace, base: int) -> int:
    """Return what keeping the first card is worth against laying it open and drawing another."""
    if bit(s.drawn_card) & WILD_CARDS:
        return FORBIDDEN
    once, twice = without_card(s.once[s.seat], s.twice[s.seat], s.drawn_card)
    return base - hand_value(s, w, once, twice, w.fit, w.fit_gap) - weight(w, WEIGHT_KEEP_FIRST)


def leave_value(s: State, w: Workspace, left: int, direct: int) -> int:
    """Return what it is worth that an action leaves so many cards in the hand: a morto, or the close."""
    if left:
        return 0
    if morto_free(s, s.seat & 1):
        return weight(w, WEIGHT_MORTO_DIRECT if direct else WEIGHT_MORTO_INDIRECT)
    return close_value(s, w)


def play_value(s: State, w: Workspace, action: int, base: int) -> int:
    """Return what a new meld or an addition gains."""
    seat, side = s.seat, s.seat & 1
    once, twice = s.once[seat], s.twice[seat]
    if action < ACTION_ADD:
        meld = action_meld(action)
        once, twice = without_meld(once, twice, meld)
        value = meld_value(s, w, meld, s.turn_count) + weight(w, WEIGHT_NEW_MELD) + first_canasta(s, w, meld)
        left = s.count[seat] - meld_size(meld)
    else:
        index = side * MELD_SLOTS + added_slot(action)
        old, turn = s.melds[index], s.meld_turn[index]
        meld = add_to_meld(old, added_card(action), added_how(action), added_high(action), s.meld_rules)
        once, twice = without_card(once, twice, added_card(action))
        value = meld_value(s, w, meld, turn if turn == s.turn_count else -1) - meld_value(s, w, old, turn)
        value += first_canasta(s, w, meld) - first_canasta(s, w, old)
        left = s.count[seat] - 1
    fit, fit_gap = w.fit | join_slots(meld, 1), w.fit_gap | join_slots(meld, 2)
    value += hand_value(s, w, once, twice, fit, fit_gap & ~fit) - base
    if left == 0 and (s.rest_waits or s.top_card >= 0):
        left = s.n_pile
    return value + leave_value(s, w, left, 1)


def card_lanes(card: int) -> int:
    """Return the slots of a natural card in lanes."""
    return lanes(bit(card))


def discard_value(s: State, w: Workspace, card: int, base: int) -> int:
    """Return what a discard is worth: the hand without it, less what it may bring the next player."""
    seat = s.seat
    once, twice = without_card(s.once[seat], s.twice[seat], card)
    value = hand_value(s, w, once, twice, w.fit, w.fit_gap) - base
    if s.count[seat] == 1:
        return value + leave_value(s, w, 0, 0)
    return value - discard_danger(s, w, card)


def discard_danger(s: State, w: Workspace, card: int) -> int:
    """Return the harm that a discard may do: what it brings to the opponents' melds and to the next player's hand."""
    if bit(card) & WILD_CARDS:
        return 0
    own = card_lanes(card)
    near = own << 1 | own >> 1 | own << 2 | own >> 2
    danger = 0
    if own & w.feed:
        danger = weight(w, WEIGHT_FEED) + (feed_gain(s, w, card) * weight(w, WEIGHT_FEED_SHARE) >> 4)
    elif own & w.feed_gap:
        danger = weight(w, WEIGHT_FEED_GAP)
    reader = (s.seat + 1) % s.players
    known = lanes(s.known_once[reader])
    danger += weight(w, WEIGHT_FEED_KNOWN) * popcount(known & near) + weight(w, WEIGHT_FEED_LIVE) * popcount(
        w.live & near
    )
    if s.meld_rules & MELD_SETS:
        danger += weight(w, WEIGHT_FEED_KNOWN) * popcount(known & set_lanes(card % 13))
    if s.pile_closed:
        if s.n_pile and s.pile[s.n_pile - 1] == card:
            danger -= weight(w, WEIGHT_TWIN_PASSED)
    else:
        danger += weight(w, WEIGHT_FEED_PILE) * popcount(w.pile_lanes & near)
        if own & w.pile_lanes:
            danger -= weight(w, WEIGHT_TWIN_PASSED)
    return danger


def feed_gain(s: State, w: Workspace, card: int) -> int:
    """Return the most that a natural card gains on a meld of the opponents."""
    other, most = 1 - (s.seat & 1), 0
    for slot in range(s.n_melds[other]):
        old, turn = s.melds[other * MELD_SLOTS + slot], s.meld_turn[other * MELD_SLOTS + slot]
        if not joining_cards(old, bit(card), s.meld_rules):
            continue
        for high in range(2 if card % 13 == 0 else 1):
            for how in range(3):
                new = add_to_meld(old, card, how, high, s.meld_rules)
                if new >= 0:
                    gain = meld_value(s, w, new, -1) - meld_value(s, w, old, turn)
                    if gain > most:
                        most = gain
    return most
