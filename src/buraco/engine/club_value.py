# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What a hand and a table are worth to the club heuristic, in points, from what one seat may see.

A hand is looked at in *lanes*: 16 bits a suit, in which the bits 1 to 14 are the slots of a run (an ace lies in both
its slots), so that a question about neighbours is answered for all suits at once. `prepare` fills what one decision
needs into the workspace: the weights' row, the cards that are still about, the slots that join melds, and the *heat*:
how near the end of the deal is, from 0 to 16 sixteenths.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, popcount
    from buraco.engine.constants import (
        CLUB_ROW,
        CLUB_VARIANTS,
        JOKER,
        MELD_CLEAN,
        MELD_SETS,
        MELD_SLOTS,
        NO_CARD,
        SET_FLAG,
        UNPLAYED_CARDS,
        UNPLAYED_SMALLER,
        UNPLAYED_UNLESS_OUT,
        WEIGHT_CARD,
        WEIGHT_CARD_CLOSING,
        WEIGHT_CARD_COST,
        WEIGHT_CARD_RACE,
        WEIGHT_CLEAN_BEYOND,
        WEIGHT_CLEAN_NEED_1,
        WEIGHT_CLEAN_OPEN,
        WEIGHT_CLEANABLE,
        WEIGHT_CLOSE,
        WEIGHT_CLOSE_OTHER_MORTO,
        WEIGHT_CLOSE_OTHERS,
        WEIGHT_DIRTY_NEED_1,
        WEIGHT_FIRST_CANASTA,
        WEIGHT_FIT,
        WEIGHT_FIT_GAP,
        WEIGHT_FIT_NEAR,
        WEIGHT_GAP,
        WEIGHT_HAND_POINTS,
        WEIGHT_HEAT_CLOSE,
        WEIGHT_HEAT_TURN,
        WEIGHT_JOKER,
        WEIGHT_MATCH,
        WEIGHT_PAIR_END,
        WEIGHT_RUN,
        WEIGHT_SET_PAIR,
        WEIGHT_SET_THREE,
        WEIGHT_TWIN,
        WEIGHT_TWO,
    )
    from buraco.engine.enumeration import WILD_CARDS, held_slots
    from buraco.engine.legality import close_code, morto_free
    from buraco.engine.melds import meld_once, meld_size, meld_twice, meld_wild
    from buraco.engine.state import State, meld_bonus, meld_category, meld_points
    from buraco.engine.workspace import Workspace

__all__ = ["CLUB_FULL_HEAT"]

CLUB_FULL_HEAT = 16
# A match surely won or lost, in points: more than a deal brings.
MATCH_SURE = 4000
TWOS = bit(1) | bit(14) | bit(27) | bit(40)
JOKERS = bit(JOKER) | bit(53)
ACES = bit(0) | bit(13) | bit(26) | bit(39)
LOW_CARDS = 31 * (bit(2) | bit(15) | bit(28) | bit(41))
HIGH_CARDS = 63 * (bit(7) | bit(20) | bit(33) | bit(46))
LANES = bit(0) | bit(16) | bit(32) | bit(48)


def weight(w: Workspace, number: int) -> int:
    """Return one of the weights of the row in force."""
    return w.weights[w.row + number]


def lanes(once: int) -> int:
    """Return the natural slots of a hand, all suits beside each other."""
    return held_slots(once, 0) | held_slots(once, 1) << 16 | held_slots(once, 2) << 32 | held_slots(once, 3) << 48


def set_lanes(rank: int) -> int:
    """Return the slots of a rank in all suits."""
    return LANES * (bit(rank + 1) | (bit(14) if rank == 0 else 0))


def join_slots(meld: int, near: int) -> int:
    """Return the slots, in lanes, of the natural cards that join a meld (``near`` 1) or miss it by one (2)."""
    if meld & SET_FLAG:
        return set_lanes(meld & 15) if near == 1 else 0
    lo, hi, slot, suit = meld & 15, meld >> 4 & 15, meld >> 8 & 15, meld >> 18 & 3
    mask = bit(hi + near)
    if lo > near:
        mask |= bit(lo - near)
    if slot and near == 1:
        mask |= bit(slot)
    return (mask & 0x7FFE) << 16 * suit


def see_melds(s: State, side: int, once: int, twice: int) -> tuple[int, int]:
    """Return what has been seen once and twice, with the melds of a side."""
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        mask = meld_once(meld)
        twice |= once & mask
        once |= mask
        mask = meld_twice(meld)
        twice |= once & mask
        once |= mask
    return once, twice


def variant_number(s: State) -> int:
    """Return the number of the variant by which the table's rules are weighed (`weights.VARIANTS`)."""
    number = (16 if s.pile_closed else 0) + (0 if s.close_needs_clean else 8)
    number += 4 if s.meld_rules & MELD_SETS else 0
    return number + (0 if s.has_jokers else 2) + (1 if s.players == 2 else 0)


def prepare(s: State, w: Workspace, club_set: int) -> None:
    """Fill the workspace with what the values of one decision of the seat to act need."""
    seat, side = s.seat, s.seat & 1
    w.row = (club_set * CLUB_VARIANTS + variant_number(s)) * CLUB_ROW
    once, twice = see_melds(s, 0, s.once[seat], s.twice[seat])
    once, twice = see_melds(s, 1, once, twice)
    alive = (s.pack_once & ~once) | (s.pack_twice & ~twice)
    w.live = lanes(alive)
    prepare_slots(s, w)
    mask, reader_mask, reader = 0, 0, (seat + 1) % s.players
    for i in range(s.n_pile if not s.pile_closed else 0):
        mask |= bit(s.pile[i])
        if s.pile_seat[i] == reader:
            reader_mask |= bit(s.pile[i])
    w.pile_lanes, w.reader_lanes = lanes(mask), lanes(reader_mask)
    w.heat = deal_heat(s, w)
    w.per_card = weight(w, WEIGHT_CARD)
    if morto_free(s, side):
        w.per_card = weight(w, WEIGHT_CARD_RACE)
    elif close_code(s, side) == 0:
        w.per_card = weight(w, WEIGHT_CARD_CLOSING)


def prepare_slots(s: State, w: Workspace) -> None:
    """Fill in the slots of the cards that join the melds of both sides, or miss them by one."""
    side = s.seat & 1
    w.fit, w.fit_gap, w.fit_near, w.feed, w.feed_gap = 0, 0, 0, 0, 0
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        w.fit |= join_slots(meld, 1)
        w.fit_gap |= join_slots(meld, 2)
        need = s.canasta_size - meld_size(meld)
        if 0 < need < 4:
            w.fit_near |= join_slots(meld, 1) | (join_slots(meld, 2) if need > 1 else 0)
    for slot in range(s.n_melds[1 - side]):
        meld = s.melds[(1 - side) * MELD_SLOTS + slot]
        w.feed |= join_slots(meld, 1)
        w.feed_gap |= join_slots(meld, 2)
    # A slot that joins one meld is not counted again for missing another.
    w.fit_gap &= ~w.fit
    w.feed_gap &= ~w.feed


def deal_heat(s: State, w: Workspace) -> int:
    """Return how near the end of the deal is, in sixteenths: a short stock, opponents who may close."""
    other = 1 - (s.seat & 1)
    left = s.n_stock - s.stock_end_count
    if s.stock_refill:
        left += (2 - s.mortos_gone) * s.morto_size
    if left < 0:
        left = 0
    heat = CLUB_FULL_HEAT - left * weight(w, WEIGHT_HEAT_TURN) // (16 * s.players)
    if heat < 0:
        heat = 0
    if not morto_free(s, other) and close_code(s, other) == 0:
        fewest = s.count[other]
        if s.players == 4 and s.count[other + 2] < fewest:
            fewest = s.count[other + 2]
        if fewest < weight(w, WEIGHT_HEAT_CLOSE):
            heat += weight(w, WEIGHT_HEAT_CLOSE) - fewest
    return CLUB_FULL_HEAT if heat > CLUB_FULL_HEAT else heat


def card_points(s: State, once: int, twice: int) -> int:
    """Return the card values of a hand (the same as `mask_points` of both masks, by kinds)."""
    return (
        s.value[0] * (popcount(once & ACES) + popcount(twice & ACES))
        + s.value[1] * (popcount(once & TWOS) + popcount(twice & TWOS))
        + s.value[2] * (popcount(once & LOW_CARDS) + popcount(twice & LOW_CARDS))
        + s.value[7] * (popcount(once & HIGH_CARDS) + popcount(twice & HIGH_CARDS))
        + s.value[JOKER] * (popcount(once & JOKERS) + popcount(twice & JOKERS))
    )


def set_value(w: Workspace, once: int, twice: int) -> int:
    """Return what pairs and threes of a rank in a hand are worth."""
    two, three = rank_counts(once, twice)
    return weight(w, WEIGHT_SET_PAIR) * popcount(two & ~three) + weight(w, WEIGHT_SET_THREE) * popcount(three)


def rank_counts(once: int, twice: int) -> tuple[int, int]:
    """Return the ranks of which a hand holds two natural cards or more, and three or more, as bits."""
    one, two, three = 0, 0, 0
    for suit in range(4):
        ranks = once >> suit * 13 & 0x1FFD
        three |= two & ranks
        two |= one & ranks
        one |= ranks
        ranks = twice >> suit * 13 & 0x1FFD
        three |= two & ranks
        two |= one & ranks
        one |= ranks
    return two, three


def hand_value(s: State, w: Workspace, once: int, twice: int, fit: int, fit_gap: int) -> int:
    """Return what a hand is worth beside melds that are joined in the slots ``fit`` and missed in ``fit_gap``."""
    m = lanes(once)
    pairs = m & m >> 1
    value = weight(w, WEIGHT_RUN) * popcount(pairs & m >> 2)
    value += weight(w, WEIGHT_PAIR_END) * (popcount(pairs & w.live << 1) + popcount(pairs & w.live >> 2))
    value += weight(w, WEIGHT_GAP) * popcount(m & m >> 2 & w.live >> 1 & ~(m >> 1))
    value += weight(w, WEIGHT_FIT) * popcount(m & fit) + weight(w, WEIGHT_FIT_GAP) * popcount(m & fit_gap)
    value += weight(w, WEIGHT_FIT_NEAR) * popcount(m & w.fit_near)
    value += weight(w, WEIGHT_TWIN) * popcount(twice & ~WILD_CARDS & (bit(JOKER) - 1))
    value += weight(w, WEIGHT_JOKER) * (popcount(once & JOKERS) + popcount(twice & JOKERS))
    value += weight(w, WEIGHT_TWO) * (popcount(once & TWOS) + popcount(twice & TWOS))
    if s.meld_rules & MELD_SETS:
        value += set_value(w, once, twice)
    count = popcount(once) + popcount(twice)
    cost = card_points(s, once, twice) * (w.heat * 8 + weight(w, WEIGHT_HAND_POINTS))
    return (value * (CLUB_FULL_HEAT - w.heat) >> 4) - w.per_card * count - (cost >> 7)


def meld_value(s: State, w: Workspace, meld: int, turn: int) -> int:
    """Return what a meld on the table is worth: its points and bonus, and its way to a canasta."""
    value = meld_points(s, meld)
    category = meld_category(s, meld, turn)
    if category:
        value += meld_bonus(s, category)
    need = s.canasta_size - meld_size(meld)
    if need > 4:
        need = 4
    growth = 0
    if need > 0:
        first = WEIGHT_CLEAN_NEED_1 if meld_wild(meld) == NO_CARD else WEIGHT_DIRTY_NEED_1
        growth = w.weights[w.row + first + need - 1]
        if meld_wild(meld) == NO_CARD:
            growth += weight(w, WEIGHT_CLEAN_OPEN) * popcount(join_slots(meld, 1) & w.live)
    elif category == MELD_CLEAN and not meld & SET_FLAG:
        growth = -need * weight(w, WEIGHT_CLEAN_BEYOND)
    if not meld & SET_FLAG and meld & 15 == 3 and meld_wild(meld) == (meld >> 18 & 3) * 13 + 1:
        growth += weight(w, WEIGHT_CLEANABLE)  # the card that its own 2 stands for makes it clean
    return value + (growth * (CLUB_FULL_HEAT - w.heat) >> 4)


def first_canasta(s: State, w: Workspace, meld: int) -> int:
    """Return the extra worth of a meld that is the first canasta with which its side may close."""
    side = s.seat & 1
    if meld_size(meld) < s.canasta_size:
        return 0
    if s.close_needs_clean:
        return weight(w, WEIGHT_FIRST_CANASTA) if meld_wild(meld) == NO_CARD and s.n_clean[side] == 0 else 0
    return weight(w, WEIGHT_FIRST_CANASTA) if s.n_canasta[side] == 0 else 0


def unseen_mean(s: State) -> int:
    """Return what a card that the seat to act does not see is worth on average, in 1/16 points."""
    seat, number = s.seat, s.n_stock + (2 - s.mortos_gone) * s.morto_size
    points = card_points(s, s.pack_once, s.pack_twice) - card_points(s, s.once[seat], s.twice[seat])
    for other in range(s.players):
        if other != seat:
            known = popcount(s.known_once[other]) + popcount(s.known_twice[other])
            number += s.count[other] - known
            points -= card_points(s, s.known_once[other], s.known_twice[other])
    for side in range(2):
        for slot in range(s.n_melds[side]):
            points -= meld_points(s, s.melds[side * MELD_SLOTS + slot])
    first = 0 if not s.pile_closed or s.n_pile == 0 else s.n_pile - 1  # of a closed pile only the top is seen
    number += first
    for i in range(first, s.n_pile):
        points -= s.value[s.pile[i]]
    return 16 * points // number if number > 0 and points > 0 else 0


def cards_cost(s: State, seat: int, mean: int, out: int) -> int:
    """Return what the hand of another seat would cost its side if the deal ended now (see `hand_cost`).

    Its known cards count, and the others as ``mean`` says; ``out`` says that its side went out.
    """
    known = card_points(s, s.known_once[seat], s.known_twice[seat])
    number = popcount(s.known_once[seat]) + popcount(s.known_twice[seat])
    cards = known + ((s.count[seat] - number) * mean >> 4)
    if not s.unplayed[seat] or s.unplayed_rule == UNPLAYED_CARDS or (s.unplayed_rule == UNPLAYED_UNLESS_OUT and out):
        return cards
    if s.unplayed_rule == UNPLAYED_SMALLER and cards < s.unplayed_points:
        return cards
    return s.unplayed_points


def close_value(s: State, w: Workspace, gain: int) -> int:
    """Return what closing brings: the bonus, the others' cards, the morto that they miss, less the partner's hand.

    ``gain`` points come to the table with the play that closes.
    """
    side, mean = s.seat & 1, unseen_mean(s)
    value, others = weight(w, WEIGHT_CLOSE) + s.bonus_out, 0
    for other in range(1 - side, s.players, 2):
        others += cards_cost(s, other, 16 * weight(w, WEIGHT_CARD_COST), 0)
    value += others * weight(w, WEIGHT_CLOSE_OTHERS) >> 4
    if not s.morto_taken[1 - side]:
        value += weight(w, WEIGHT_CLOSE_OTHER_MORTO)
    if s.players == 4:
        value -= cards_cost(s, (s.seat + 2) & 3, mean, 1)
    return value + match_value(s, w, gain, mean, 1)


def match_value(s: State, w: Workspace, gain: int, mean: int, out: int) -> int:
    """Return what it is worth that the deal ends now for who wins the match by it: nothing while nobody would.

    A match that is won or lost whatever the hidden cards are is worth more than all the points of a deal.
    """
    side, unknown = s.seat & 1, 0
    if s.target_points == 0:
        return 0
    own = (s.total_1 if side else s.total_0) + table_points(s, side) + gain
    other = (s.total_0 if side else s.total_1) + table_points(s, 1 - side)
    for seat in range(s.players):
        if seat & 1 != side:
            other -= cards_cost(s, seat, mean, 0)
        elif seat != s.seat:
            own -= cards_cost(s, seat, mean, out)
        if seat != s.seat:
            unknown += s.count[seat] - popcount(s.known_once[seat]) - popcount(s.known_twice[seat])
    spread = mean * unknown >> 5
    if out:
        own += s.bonus_out
    else:
        rest = card_points(s, s.once[s.seat], s.twice[s.seat])
        own -= rest >> 1
        spread += rest
    if not s.morto_taken[side] and (s.morto_taken[1 - side] or not s.morto_waived):
        own -= s.morto_penalty
    if not s.morto_taken[1 - side] and (s.morto_taken[side] or not s.morto_waived):
        other -= s.morto_penalty
    return match_worth(s, w, own, other, spread)


def match_worth(s: State, w: Workspace, own: int, other: int, spread: int) -> int:
    """Return the worth of ending the deal at such totals, each of which may be wrong by ``spread``."""
    ahead, most = own - other, own if own > other else other
    if ahead == 0 or most < s.target_points:
        return 0
    worth = weight(w, WEIGHT_MATCH)
    if most - spread >= s.target_points and (ahead >= spread or ahead <= -spread):
        worth = MATCH_SURE
    return worth if ahead > 0 else -worth


def end_value(s: State, w: Workspace) -> int:
    """Return what it is worth for the match to draw from the stock, where the deal ends after that turn."""
    if s.target_points == 0 or s.n_stock - 1 > s.stock_end_count or (s.stock_refill and s.mortos_gone < 2):
        return 0
    return match_value(s, w, 0, unseen_mean(s), 0)


def table_points(s: State, side: int) -> int:
    """Return what the melds of a side count now."""
    total = 0
    for slot in range(s.n_melds[side]):
        index = side * MELD_SLOTS + slot
        total += meld_points(s, s.melds[index]) + meld_bonus(s, meld_category(s, s.melds[index], s.meld_turn[index]))
    return total


def rest_estimate(s: State, w: Workspace, once: int, twice: int) -> int:
    """Return about how many cards of a hand would stay if all that can be laid were, rather too few than too many."""
    m = lanes(once)
    runs = m & m >> 1 & m >> 2
    covered = runs | runs << 1 | runs << 2
    joined = m & w.fit
    joined |= m & (joined << 1 | joined >> 1)
    covered |= joined | (m & (joined << 1 | joined >> 1))
    covered |= (covered >> 13 & LANES << 1) | (covered << 13 & LANES << 14)
    wilds = popcount(once & (TWOS | JOKERS)) + popcount(twice & (TWOS | JOKERS))
    rest = popcount(m & ~covered & LANES * 0x3FFA) + popcount(twice & ~(TWOS | JOKERS)) - 2 * wilds
    if s.meld_rules & MELD_SETS:
        two, three = rank_counts(once, twice)
        rest -= 4 * popcount(three) + (2 * popcount(two & ~three) if wilds else 0)
    return rest
