# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The club heuristic: every legal action gets a value in points, the best one is played.

A play is worth what it adds to the table less what it takes from the hand, so that the same numbers weigh laying
against keeping, a wild against its use, and a discard against the harm it does; `club_value` has the parts. It looks
only at what the seat to act may see.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, ctz, popcount
    from buraco.engine.club_value import (
        CLUB_FULL_HEAT,
        close_value,
        end_value,
        first_canasta,
        hand_value,
        join_slots,
        lanes,
        meld_value,
        prepare,
        rest_estimate,
        set_lanes,
        weight,
    )
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_KEEP,
        ACTION_RUN,
        CODE_LEGAL,
        JOKER,
        MELD_SETS,
        MELD_SLOTS,
        PHASE_CHOICE,
        PHASE_DRAW,
        PHASE_PLAY,
        WEIGHT_FEED,
        WEIGHT_FEED_GAP,
        WEIGHT_FEED_KNOWN,
        WEIGHT_FEED_LIVE,
        WEIGHT_FEED_PILE,
        WEIGHT_FEED_SHARE,
        WEIGHT_FEED_SIZE,
        WEIGHT_KEEP_FIRST,
        WEIGHT_MORTO_DIRECT,
        WEIGHT_MORTO_INDIRECT,
        WEIGHT_NEW_MELD,
        WEIGHT_PILE,
        WEIGHT_PILE_CARD,
        WEIGHT_PILE_DENY,
        WEIGHT_READER_THREW,
        WEIGHT_TWIN_PASSED,
    )
    from buraco.engine.enumeration import WILD_CARDS, append_melds, joining_cards
    from buraco.engine.foresight import keeps_closer, opening_may_fail, opening_pays
    from buraco.engine.legality import check_action, check_discard, morto_free
    from buraco.engine.melds import add_to_meld, meld_size
    from buraco.engine.moves import append_additions, legal_moves
    from buraco.engine.numbering import action_meld, added_card, added_high, added_how, added_slot
    from buraco.engine.state import (
        State,
        meld_bonus,
        meld_category,
        meld_points,
        next_random,
        pop_meld,
        push_meld,
        swap_meld,
        with_card,
        without_card,
        without_meld,
    )
    from buraco.engine.workspace import Workspace

__all__ = ["choose_club", "choose_novice", "score_club"]

# What a discard of a wild costs while another card may be discarded, and an opening that would fail.
FORBIDDEN = 1000000000000
NOVICE_SET = 2
# In how many of 16 cases a beginner does not think of the pile, and throws any card.
NOVICE_FORGETS = 6
NOVICE_SLIPS = 4
# A way to empty the hand is looked for in hands of so many cards, so many plays deep, at so many actions.
PLAN_CARDS = 12
PLAN_DEPTH = 5
PLAN_NODES = 40


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
    """Return what a beginner does: other weights, a pile that is often forgotten, now and then a careless discard."""
    score_set(s, w, NOVICE_SET)
    action = best_scored(w)
    if s.phase == PHASE_DRAW:
        return ACTION_DRAW if next_random(s, 16) < NOVICE_FORGETS else action
    if action < ACTION_DISCARD or action >= ACTION_RUN or next_random(s, 16) >= NOVICE_SLIPS:
        return action
    careful = w.n_discards
    while careful and w.scores[careful - 1] <= -(FORBIDDEN >> 1):
        careful -= 1  # jokers stand last
    other = next_random(s, careful) if careful else 0
    return w.ids[other] if careful and w.scores[other] > -(FORBIDDEN >> 1) else action


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
        end = end_value(s, w) if club_set != NOVICE_SET else 0
        for i in range(w.n_ids):
            w.scores[i] = end if w.ids[i] == ACTION_DRAW else pile_value(s, w, base)
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
        if club_set != NOVICE_SET:
            value += forced_close(s, w, w.ids[i])
        if not keeps_closer(s, w.ids[i]):
            value -= FORBIDDEN
        elif may_fail and (value > 0 or s.laid_points):
            value += 0 if opening_pays(s, w, w.ids[i]) else -FORBIDDEN
        w.scores[i] = best + value
    plan_out(s, w, best)


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


def leave_value(s: State, w: Workspace, direct: int, gain: int) -> int:
    """Return what it is worth that an action empties the hand: a morto, or the close, ``gain`` points on the table."""
    if morto_free(s, s.seat & 1):
        value = weight(w, WEIGHT_MORTO_DIRECT if direct else WEIGHT_MORTO_INDIRECT)
        return value * (CLUB_FULL_HEAT - w.heat) >> 4
    return close_value(s, w, gain)


def forced_close(s: State, w: Workspace, action: int) -> int:
    """Return the harm of a play that leaves one card with no morto to come, which then must close the deal."""
    laid = 1 if action >= ACTION_ADD else meld_size(action_meld(action))
    if s.count[s.seat] - laid != 1 or s.phase != PHASE_PLAY or s.rest_waits or morto_free(s, s.seat & 1):
        return 0
    value = close_value(s, w, table_gain(s, action))
    return value if value < 0 else 0


def table_gain(s: State, action: int) -> int:
    """Return the points that a new meld or an addition brings to the table."""
    if action < ACTION_ADD:
        meld = action_meld(action)
        return meld_points(s, meld) + meld_bonus(s, meld_category(s, meld, s.turn_count))
    index = (s.seat & 1) * MELD_SLOTS + added_slot(action)
    old, turn = s.melds[index], s.meld_turn[index]
    meld = add_to_meld(old, added_card(action), added_how(action), added_high(action), s.meld_rules)
    gain = meld_points(s, meld) + meld_bonus(s, meld_category(s, meld, turn if turn == s.turn_count else -1))
    return gain - meld_points(s, old) - meld_bonus(s, meld_category(s, old, turn))


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
    return value + (0 if left else leave_value(s, w, 1, table_gain(s, action)))


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
        reach = 4 * popcount(own & w.feed) + popcount(w.live & near)
        danger += weight(w, WEIGHT_FEED_SIZE) * s.n_pile * reach >> 4
        if s.n_pile and s.pile[s.n_pile - 1] == card:
            danger -= weight(w, WEIGHT_TWIN_PASSED)
    else:
        danger -= weight(w, WEIGHT_READER_THREW) * popcount(w.reader_lanes & near)
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


def plan_out(s: State, w: Workspace, best: int) -> None:
    """Raise the plays that begin a way to empty the hand in this turn to what the whole way is worth."""
    seat, side = s.seat, s.seat & 1
    if s.phase != PHASE_PLAY or s.rest_waits or s.opening_need[side] or w.n_ids == w.n_discards:
        return
    if s.count[seat] > PLAN_CARDS or rest_estimate(s, w, s.once[seat], s.twice[seat]) > 1:
        return
    if not morto_free(s, side) and s.close_needs_taken and not s.morto_taken[side]:
        return
    last = w.n_ids
    w.plan_nodes = PLAN_NODES
    for i in range(w.n_discards, last):
        value = best + plan_step(s, w, w.ids[i], 0)
        if value > w.scores[i]:
            w.scores[i] = value
    w.n_ids = last


def plan_step(s: State, w: Workspace, action: int, depth: int) -> int:
    """Return the worth of the best way to empty the hand that begins with a legal play, below -FORBIDDEN for none."""
    seat, side = s.seat, s.seat & 1
    once, twice, count = s.once[seat], s.twice[seat], s.count[seat]
    value = play_value(s, w, action, hand_value(s, w, once, twice, w.fit, w.fit_gap))
    if action < ACTION_ADD:
        meld = action_meld(action)
        if count == meld_size(meld):
            return value
        s.once[seat], s.twice[seat] = without_meld(once, twice, meld)
        s.count[seat] = count - meld_size(meld)
        push_meld(s, side, meld, s.turn_count)
        value += plan_rest(s, w, depth)
        pop_meld(s, side)
    else:
        if count == 1:
            return value
        slot, card = added_slot(action), added_card(action)
        old = s.melds[side * MELD_SLOTS + slot]
        meld = add_to_meld(old, card, added_how(action), added_high(action), s.meld_rules)
        s.once[seat], s.twice[seat] = without_card(once, twice, card)
        s.count[seat] = count - 1
        swap_meld(s, side, slot, meld)
        value += plan_rest(s, w, depth)
        swap_meld(s, side, slot, old)
    s.once[seat], s.twice[seat], s.count[seat] = once, twice, count
    return value


def plan_rest(s: State, w: Workspace, depth: int) -> int:
    """Return the worth of the best way to empty what is left of the hand, -2 * FORBIDDEN if none is found."""
    seat, best = s.seat, -2 * FORBIDDEN
    once, twice = s.once[seat], s.twice[seat]
    if s.count[seat] == 1:
        card = JOKER if once >> JOKER else ctz(once)
        if check_discard(s, card) == CODE_LEGAL:
            best = discard_value(s, w, card, hand_value(s, w, once, twice, w.fit, w.fit_gap))
    if depth >= PLAN_DEPTH or w.plan_nodes <= 0:
        return best
    first = w.n_ids
    append_melds(w, once, twice, s.meld_rules & MELD_SETS)
    for slot in range(s.n_melds[seat & 1]):
        append_additions(s, w, slot)
    last = w.n_ids
    for i in range(first, last):
        if w.plan_nodes <= 0:
            break
        w.plan_nodes -= 1
        if check_action(s, w, w.ids[i]) == CODE_LEGAL:
            value = plan_step(s, w, w.ids[i], depth + 1)
            if value > best:
                best = value
    w.n_ids = first
    return best
