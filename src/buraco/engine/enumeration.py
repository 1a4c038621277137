# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What a hand could lay or add, by shape alone; `legality.check_action` decides. All in ascending order."""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, popcount
    from buraco.engine.constants import (
        ACTION_RUN,
        ACTION_SET,
        JOKER,
        MELD_CHANGE_ENDS,
        MELD_PRESS_TWO,
        MELD_WILD_SHIFT,
        NO_CARD,
        RUNS_PER_SUIT,
        SET_FLAG,
        SETS_PER_RANK,
        WILD_FREE,
    )
    from buraco.engine.melds import slot_mask
    from buraco.engine.numbering import RUN_FIRST, SET_INDEX
    from buraco.engine.workspace import Workspace, append

__all__ = ["WILD_CARDS"]

#: The four 2s and the joker.
WILD_CARDS = bit(1) | bit(14) | bit(27) | bit(40) | bit(52)


def held_slots(once: int, suit: int) -> int:
    """Return the slots 1 to 14 of a suit for which a hand holds the natural card, as bits."""
    ranks = once >> suit * 13 & 0x1FFF
    return ranks << 1 | (ranks & 1) << 14


def append_wilds(w: Workspace, wilds: int, action: int, suit: int, skip_own: int) -> None:
    """Append a run's ids for each wild held; ``action`` is the id of the first wild, the own 2 unless skipped."""
    if not skip_own:
        if wilds >> (suit * 13 + 1) & 1:
            append(w, action)
        action += 1
    for relative in range(1, 4):
        if wilds >> (((suit + relative) & 3) * 13 + 1) & 1:
            append(w, action + relative - 1)
    if wilds >> JOKER & 1:
        append(w, action + 3)


def append_holes(w: Workspace, once: int, twice: int, suit: int, lo: int, hi: int, missing: int) -> None:
    """Append the runs from lo to hi that have a wild: in the missing slot, or in any slot if ``missing`` is 0.

    ``missing`` 15 stands for the two ends of a full run for which the hand holds one ace.
    """
    wilds = once & WILD_CARDS
    if wilds == 0:
        return
    own = bit(suit * 13 + 1)
    action = ACTION_RUN + suit * RUNS_PER_SUIT + RUN_FIRST[lo * 15 + hi] + 1
    for slot in range(lo, hi + 1):
        width = 4 if slot == 2 else 5
        if missing == 0 or missing == slot or (missing == 15 and (slot == 1 or slot == 14)):
            usable = wilds
            if lo <= 2 and slot != 2 and not twice & own:
                usable &= ~own  # the only own 2 lies in its natural slot
            append_wilds(w, usable, action, suit, 1 if slot == 2 else 0)
        action += width


def append_runs(w: Workspace, once: int, twice: int, suit: int) -> None:
    """Append every run of a suit that a hand can lay."""
    slots = held_slots(once, suit)
    wilds = once & WILD_CARDS
    if popcount(slots & 0x3FFE) + (1 if wilds else 0) < 3:
        return
    two_aces = twice >> suit * 13 & 1
    for lo in range(1, 13):
        if slots >> lo & 7 == 0:
            continue
        missing, hole = 0, 0
        for hi in range(lo, 15):
            if not slots >> hi & 1:
                missing += 1
                hole = hi
                if missing > 1 or not wilds:
                    break
            shared = 1 if lo == 1 and hi == 14 and slots & 2 and not two_aces else 0
            if hi - lo < 2 or missing + shared > 1:
                continue
            if missing + shared == 0:
                append(w, ACTION_RUN + suit * RUNS_PER_SUIT + RUN_FIRST[lo * 15 + hi])
            append_holes(w, once, twice, suit, lo, hi, 15 if shared else hole)


def append_sets(w: Workspace, once: int, twice: int, rank: int) -> None:
    """Append every set of a rank that a hand can lay."""
    held, total = 0, 0
    for suit in range(4):
        number = (once >> suit * 13 + rank & 1) + (twice >> suit * 13 + rank & 1)
        held |= number << 2 * suit
        total += number
    wilds = once & WILD_CARDS
    if total < 2 or total + (1 if wilds else 0) < 3:
        return
    base = ACTION_SET + (rank - 1 if rank else 0) * SETS_PER_RANK
    for spades in range((held >> 6) + 1):
        for hearts in range((held >> 4 & 3) + 1):
            for diamonds in range((held >> 2 & 3) + 1):
                for clubs in range((held & 3) + 1):
                    counts = clubs | diamonds << 2 | hearts << 4 | spades << 6
                    if clubs + diamonds + hearts + spades >= 3:
                        append(w, base + SET_INDEX[counts])
                    if clubs + diamonds + hearts + spades < 2:
                        continue
                    for suit in range(4):
                        if wilds >> suit * 13 + 1 & 1:
                            append(w, base + SET_INDEX[(suit + 1) * 256 + counts])
                    if wilds >> JOKER & 1:
                        append(w, base + SET_INDEX[1280 + counts])


def append_melds(w: Workspace, once: int, twice: int, sets: int) -> None:
    """Append every run, and with ``sets`` every set, that a hand can lay."""
    for suit in range(4):
        append_runs(w, once, twice, suit)
    if sets:
        for rank in range(13):
            if rank != 1:
                append_sets(w, once, twice, rank)


def joining_cards(meld: int, once: int, rules: int) -> int:
    """Return the cards of a hand that might be added to a meld, as a mask."""
    wild = meld >> 12 & 63
    if meld & SET_FLAG:
        rank = meld & 15
        mask = bit(rank) | bit(rank + 13) | bit(rank + 26) | bit(rank + 39)
        return once & (mask | WILD_CARDS if wild == NO_CARD else mask)
    lo, hi, suit = meld & 15, meld >> 4 & 15, meld >> 18 & 3
    reach = 1
    if rules >> MELD_WILD_SHIFT == WILD_FREE or rules & (MELD_CHANGE_ENDS | MELD_PRESS_TWO):
        reach = 2  # the wild, or a natural 2, may fill a gap to the card
    slots = (bit(hi + reach + 1) - 1) & ~(bit(lo - reach) - 1 if lo > reach else 1) & 0x7FFE & ~slot_mask(meld)
    mask = ((slots >> 1 | slots >> 14) & 0x1FFF) << suit * 13
    if wild == NO_CARD or (wild == suit * 13 + 1 and rules >> MELD_WILD_SHIFT == WILD_FREE):
        mask |= WILD_CARDS
    return once & mask
