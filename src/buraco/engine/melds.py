# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Melds as packed integers: what may be laid, what may be added, and where the wild goes.

Run: ``lo | hi << 4 | wild_slot << 8 | wild_card << 12 | suit << 18`` (no wild: slot 0 and card 63).
Set: ``rank | counts << 4 | wild_card << 12 | 1 << 20`` (counts: two bits a suit, clubs lowest).
``rules`` is the number that ``state.meld_rules`` makes of a rule set. A function that may refuse returns the new meld,
or minus the refusal code.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, ctz, popcount
    from buraco.engine.constants import (
        CODE_ACES_BOTH_ENDS,
        CODE_ALREADY_IN_RUN,
        CODE_DOES_NOT_FIT,
        CODE_PLACE_IMPOSSIBLE,
        CODE_RUN_TOO_LONG,
        CODE_SETS_NOT_ALLOWED,
        CODE_TWO_WILDS,
        CODE_WILD_HAS_NO_PLACE,
        CODE_WILD_IS_NATURAL,
        CODE_WILD_MAY_NOT_MOVE_THERE,
        CODE_WRONG_RANK,
        CODE_WRONG_SUIT,
        JOKER,
        MELD_ACES_BOTH,
        MELD_CHANGE_ENDS,
        MELD_LENGTH_13,
        MELD_PRESS_TWO,
        MELD_SETS,
        MELD_WILD_SHIFT,
        NO_CARD,
        SET_FLAG,
        WILD_FREE,
        WILD_HIGH,
        WILD_PLAYER,
    )

__all__ = [
    "add_to_meld",
    "add_to_run",
    "add_to_set",
    "meld_once",
    "meld_size",
    "meld_twice",
    "meld_wild",
    "natural_stretch",
    "new_meld",
    "run_limits",
]


def slot_mask(meld: int) -> int:
    """Return the slots 1 to 14 of a run that hold natural cards, as bits."""
    lo, hi, slot = meld & 15, meld >> 4 & 15, meld >> 8 & 15
    mask = bit(hi + 1) - bit(lo)
    if slot:
        mask ^= bit(slot)
    return mask


def run_limits(lo: int, hi: int, slot: int, rules: int) -> int:
    """Return 0 if a run from ``lo`` to ``hi`` with its wild in ``slot`` (0: none) is allowed, else a refusal code."""
    if hi - lo == 13:
        # Natural aces lie at both ends unless the wild is one of them (rules: "aces in a run").
        if slot != 1 and slot != 14 and not rules & MELD_ACES_BOTH:
            return CODE_ACES_BOTH_ENDS
        if rules & MELD_LENGTH_13:
            return CODE_RUN_TOO_LONG
    return 0


def new_meld(meld: int, rules: int) -> int:
    """Return 0 if a packed meld may be laid as such, else a refusal code."""
    if meld & SET_FLAG:
        return 0 if rules & MELD_SETS else CODE_SETS_NOT_ALLOWED
    return run_limits(meld & 15, meld >> 4 & 15, meld >> 8 & 15, rules)


def finish_run(naturals: int, slot: int, wild: int, suit: int, rules: int) -> int:
    """Return the run of the natural slots and a wild in ``slot`` (0: none), or minus a refusal code."""
    mask = naturals
    if slot:
        mask |= bit(slot)
        if slot == 2 and wild == suit * 13 + 1:
            slot = 0  # the suit's own 2 in its own slot is natural
    lo = ctz(mask)
    hi = lo + popcount(mask) - 1
    code = run_limits(lo, hi, slot, rules)
    if code:
        return -code
    if slot == 0:
        wild = NO_CARD
    return lo | hi << 4 | slot << 8 | wild << 12 | suit << 18


def gap_slot(naturals: int) -> int:
    """Return 0 if the slots are consecutive, the empty slot if exactly one is missing inside, else -1."""
    lo = ctz(naturals)
    shifted = naturals >> lo
    hole = (shifted + 1) & ~shifted
    if shifted < hole:
        return 0
    shifted |= hole
    return lo + ctz(hole) if shifted & (shifted + 1) == 0 else -1


def add_wild(naturals: int, card: int, how: int, suit: int, rules: int) -> int:
    """Add a wild to a run that has none."""
    if how == 0:
        return -CODE_PLACE_IMPOSSIBLE
    lo = ctz(naturals)
    slot = lo - 1 if how == 1 else lo + popcount(naturals)
    if slot < 1 or slot > 14:
        return -CODE_DOES_NOT_FIT
    if slot == 2 and card == suit * 13 + 1:
        return -CODE_WILD_IS_NATURAL
    return finish_run(naturals, slot, card, suit, rules)


def join_natural(joined: int, how: int, suit: int, rules: int) -> int:
    """Finish a run without a wild that a natural card has joined."""
    if how:
        return -CODE_PLACE_IMPOSSIBLE
    gap = gap_slot(joined)
    if gap == 0:
        return finish_run(joined, 0, NO_CARD, suit, rules)
    if rules & MELD_PRESS_TWO and ctz(joined) == 2:
        # The natural 2 at the low end may leave its slot to be the wild that the added card needs.
        gap = gap_slot(joined & ~4)
        if gap > 0:
            return finish_run(joined & ~4, gap, suit * 13 + 1, suit, rules)
    return -CODE_DOES_NOT_FIT


def chosen_slot(joined: int, wild: int, how: int, suit: int) -> int:
    """Return the slot that ``how`` names for the wild beside the joined natural cards, or minus a refusal code."""
    own = 1 if wild == suit * 13 + 1 else 0
    gap = gap_slot(joined)
    if gap < 0:
        return -CODE_DOES_NOT_FIT
    if gap:
        return gap if how == 0 else -CODE_PLACE_IMPOSSIBLE
    lo = ctz(joined)
    if how == 0:
        return 2 if own and lo == 3 else -CODE_PLACE_IMPOSSIBLE
    slot = lo - 1 if how == 1 else lo + popcount(joined)
    if slot < 1 or slot > 14:
        return -CODE_WILD_HAS_NO_PLACE
    if own and slot == 2:
        return -CODE_WILD_IS_NATURAL
    return slot


def forced_end(joined: int, how: int, wild: int, suit: int, rules: int) -> int:
    """Say whether a rule set with a fixed first end lets a replaced wild go to the end that ``how`` names."""
    first = 2 if rules >> MELD_WILD_SHIFT == WILD_HIGH else 1
    if how == first:
        return 1
    lo = ctz(joined)
    slot = lo + popcount(joined) if first == 2 else lo - 1
    if slot < 1 or slot > 14:
        return 1
    return 1 if finish_run(joined, slot, wild, suit, rules) < 0 else 0


def move_wild(joined: int, slot: int, meld: int, how: int, rules: int) -> int:
    """Finish a run with a wild that a natural card has joined in ``slot``: the wild stays or moves."""
    wild_slot, wild, suit = meld >> 8 & 15, meld >> 12 & 63, meld >> 18 & 3
    target = chosen_slot(joined, wild, how, suit)
    if target < 0:
        return target
    result = finish_run(joined, target, wild, suit, rules)
    policy = rules >> MELD_WILD_SHIFT
    if result < 0 or target == wild_slot or policy == WILD_FREE:
        return result
    if slot == wild_slot:
        # Rules, section 2 item 8: the own 2 goes to its natural slot where that slot joins the run.
        if wild == suit * 13 + 1 and ctz(joined) == 3:
            return result if target == 2 else -CODE_WILD_MAY_NOT_MOVE_THERE
        if policy == WILD_PLAYER or forced_end(joined, how, wild, suit, rules):
            return result
        return -CODE_WILD_MAY_NOT_MOVE_THERE
    at_end = 1 if wild_slot == (meld & 15) or wild_slot == (meld >> 4 & 15) else 0
    if rules & MELD_CHANGE_ENDS and at_end and gap_slot(joined) > 0:
        return result
    return -CODE_WILD_MAY_NOT_MOVE_THERE if gap_slot(joined) == 0 else -CODE_DOES_NOT_FIT


def swap_roles(naturals: int, card: int, how: int, suit: int, rules: int) -> int:
    """Add a wild to a run whose wild is its own 2, which goes to its natural slot (free wild moves only)."""
    if naturals & 4:
        return -CODE_TWO_WILDS
    slot = chosen_slot(naturals | 4, card, how, suit)
    if slot < 0:
        return -CODE_TWO_WILDS
    return finish_run(naturals | 4, slot, card, suit, rules)


def add_to_run(meld: int, card: int, how: int, high: int, rules: int) -> int:
    """Return the run after a card is added, or minus a refusal code.

    ``how``: 0 no wild or a wild between naturals, 1 the wild is the lowest card, 2 the highest.
    ``high``: an ace in slot 14.
    """
    suit, wild = meld >> 18 & 3, meld >> 12 & 63
    naturals = slot_mask(meld)
    slot = card % 13 + 1
    if card == JOKER or slot == 2:
        if card != suit * 13 + 1:
            if wild == NO_CARD:
                return add_wild(naturals, card, how, suit, rules)
            if wild == suit * 13 + 1 and rules >> MELD_WILD_SHIFT == WILD_FREE:
                return swap_roles(naturals, card, how, suit, rules)
            return -CODE_TWO_WILDS
        if wild == NO_CARD and (naturals & 4 or how):
            return add_wild(naturals, card, how, suit, rules)
    elif card // 13 != suit:
        return -CODE_WRONG_SUIT
    elif high:
        slot = 14
    if naturals & bit(slot):
        return -CODE_ALREADY_IN_RUN
    if wild == NO_CARD:
        return join_natural(naturals | bit(slot), how, suit, rules)
    return move_wild(naturals | bit(slot), slot, meld, how, rules)


def add_to_set(meld: int, card: int, how: int, high: int) -> int:
    """Return the set after a card is added, or minus a refusal code."""
    if card == JOKER or card % 13 == 1:
        if how:
            return -CODE_PLACE_IMPOSSIBLE
        if meld >> 12 & 63 != NO_CARD:
            return -CODE_TWO_WILDS
        return meld & ~(63 << 12) | card << 12
    if card % 13 != meld & 15:
        return -CODE_WRONG_RANK
    if how or high:
        return -CODE_PLACE_IMPOSSIBLE
    shift = 4 + card // 13 * 2
    if (meld >> shift & 3) >= 2:
        return -CODE_DOES_NOT_FIT
    return meld + bit(shift)


def add_to_meld(meld: int, card: int, how: int, high: int, rules: int) -> int:
    """Return the meld after a card is added, or minus a refusal code."""
    if meld & SET_FLAG:
        return add_to_set(meld, card, how, high)
    return add_to_run(meld, card, how, high, rules)


def meld_wild(meld: int) -> int:
    """Return the wild card of a meld, 63 if it has none."""
    return meld >> 12 & 63


def meld_size(meld: int) -> int:
    """Return the number of cards in a meld."""
    if meld & SET_FLAG:
        counts = meld >> 4 & 255
        size = (counts & 3) + (counts >> 2 & 3) + (counts >> 4 & 3) + (counts >> 6)
        return size if meld >> 12 & 63 == NO_CARD else size + 1
    return (meld >> 4 & 15) - (meld & 15) + 1


def meld_once(meld: int) -> int:
    """Return the cards that a meld holds at least once, as a mask over cards."""
    wild = meld >> 12 & 63
    mask = 0 if wild == NO_CARD else bit(wild)
    if meld & SET_FLAG:
        rank, counts = meld & 15, meld >> 4 & 255
        for suit in range(4):
            if counts >> 2 * suit & 3:
                mask |= bit(suit * 13 + rank)
        return mask
    slots = slot_mask(meld)
    ranks = (slots >> 1 | slots >> 14) & 0x1FFF
    return mask | ranks << (meld >> 18 & 3) * 13


def meld_twice(meld: int) -> int:
    """Return the cards that a meld holds twice, as a mask: twins of a set, both aces, both own 2s."""
    if meld & SET_FLAG:
        rank, counts, twice = meld & 15, meld >> 4 & 255, 0
        for suit in range(4):
            if counts >> 2 * suit & 2:
                twice |= bit(suit * 13 + rank)
        return twice
    slots, base, pairs = slot_mask(meld), (meld >> 18 & 3) * 13, 0
    if slots & 2 and slots & bit(14):
        pairs = bit(base)
    if slots & 4 and meld >> 12 & 63 == base + 1:
        pairs |= bit(base + 1)
    return pairs


def natural_stretch(meld: int) -> int:
    """Return how many natural cards lie in unbroken sequence on one side of the wild (in a set: how many it has)."""
    size = meld_size(meld)
    if meld >> 12 & 63 == NO_CARD:
        return size
    if meld & SET_FLAG:
        return size - 1
    below = (meld >> 8 & 15) - (meld & 15)
    above = size - 1 - below
    return below if below > above else above
