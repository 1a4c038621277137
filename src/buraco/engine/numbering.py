# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The fixed numbering of actions, 0 to 22 184, the same for every rule set.

====== ========= ==================================================================================
first  count     action
====== ========= ==================================================================================
0      1         draw a stock card
1      1         take the pile
2      1         keep the first card
3      1         reject the first card
4      53        discard card 0 to 52
57     4 * 2655  lay a run, by suit
10677  12 * 446  lay a set, by rank A, 3 to K
16029  36 * 171  add a card to the side's meld 0 to 35
====== ========= ==================================================================================

docs/architecture.md gives the order inside each group. Packed melds are described there too.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_RUN,
        ACTION_SET,
        ADD_HIGH_ACE,
        ADDS_PER_MELD,
        JOKER,
        NO_CARD,
        RUNS_PER_SUIT,
        SET_FLAG,
        SETS_PER_RANK,
    )

__all__ = [
    "action_meld",
    "add_action",
    "added_card",
    "added_high",
    "added_how",
    "added_slot",
    "decode_add",
    "meld_action",
    "run_action",
    "set_action",
]


def _run_shapes() -> tuple[list[int], list[int]]:
    """Return the runs of one suit in order, and where each (lo, hi) begins.

    A run is lo | hi << 4 | wild slot << 8 | relative wild << 12.
    """
    shapes: list[int] = []
    first = [0] * 225
    for lo in range(1, 13):
        for hi in range(lo + 2, 15):
            first[lo * 15 + hi] = len(shapes)
            shapes.append(lo | hi << 4)
            for slot in range(lo, hi + 1):
                for relative in range(5):
                    if slot != 2 or relative != 0:
                        shapes.append(lo | hi << 4 | slot << 8 | relative << 12)
    return shapes, first


def _set_shapes() -> tuple[list[int], list[int]]:
    """Return the sets of one rank in order (counts | wild index << 8) and the index of each such number."""
    shapes: list[int] = []
    index = [-1] * 1536
    for number in range(81):
        counts = [number // power % 3 for power in (1, 3, 9, 27)]
        packed = sum(count << 2 * suit for suit, count in enumerate(counts))
        for wild in range(6):
            if sum(counts) >= (2 if wild else 3):
                index[wild * 256 + packed] = len(shapes)
                shapes.append(packed | wild << 8)
    return shapes, index


RUN_SHAPE = _run_shapes()[0]
RUN_FIRST = _run_shapes()[1]
SET_SHAPE = _set_shapes()[0]
SET_INDEX = _set_shapes()[1]


def wild_index(card: int) -> int:
    """Return 0 for no card, 1 to 4 for the 2s of c d h s, 5 for a joker."""
    if card == NO_CARD:
        return 0
    if card == JOKER:
        return 5
    return card // 13 + 1


def run_wild_card(suit: int, relative: int) -> int:
    """Return the wild card that a run of a suit numbers 0 to 4."""
    if relative == 4:
        return JOKER
    return ((suit + relative) & 3) * 13 + 1


def action_meld(action: int) -> int:
    """Return the packed meld of an action that lays one (``ACTION_RUN <= action < ACTION_ADD``)."""
    if action < ACTION_SET:
        suit = (action - ACTION_RUN) // RUNS_PER_SUIT
        shape = RUN_SHAPE[(action - ACTION_RUN) % RUNS_PER_SUIT]
        if shape & 0xF00 == 0:
            return (shape & 0xFF) | NO_CARD << 12 | suit << 18
        return (shape & 0xFFF) | run_wild_card(suit, shape >> 12) << 12 | suit << 18
    place = (action - ACTION_SET) // SETS_PER_RANK
    shape = SET_SHAPE[(action - ACTION_SET) % SETS_PER_RANK]
    wild = shape >> 8
    card = NO_CARD
    if wild == 5:
        card = JOKER
    elif wild:
        card = (wild - 1) * 13 + 1
    rank = place + 1 if place else 0
    return rank | (shape & 0xFF) << 4 | card << 12 | SET_FLAG


def run_action(meld: int) -> int:
    """Return the action that lays a packed run."""
    lo, hi, slot, wild, suit = meld & 15, meld >> 4 & 15, meld >> 8 & 15, meld >> 12 & 63, meld >> 18 & 3
    action = ACTION_RUN + suit * RUNS_PER_SUIT + RUN_FIRST[lo * 15 + hi]
    if slot == 0:
        return action
    relative = 4
    if wild != JOKER:
        relative = (wild // 13 - suit) & 3
    # The own 2 has no number in slot 2, so what follows it is one less.
    passed = 1 if lo <= 2 and (slot > 2 or (slot == 2 and relative > 0)) else 0
    return action + 1 + (slot - lo) * 5 + relative - passed


def set_action(meld: int) -> int:
    """Return the action that lays a packed set."""
    rank = meld & 15
    place = rank - 1 if rank else 0
    return ACTION_SET + place * SETS_PER_RANK + SET_INDEX[wild_index(meld >> 12 & 63) * 256 + (meld >> 4 & 255)]


def meld_action(meld: int) -> int:
    """Return the action that lays a packed meld."""
    if meld & SET_FLAG:
        return set_action(meld)
    return run_action(meld)


def add_action(slot: int, card: int, how: int, high: int) -> int:
    """Return the action that adds a card to meld ``slot``; ``high`` 1 places an ace at the high end."""
    action = ACTION_ADD + slot * ADDS_PER_MELD + how
    if high:
        return action + ADD_HIGH_ACE + card // 13 * 3
    return action + card * 3


def added_slot(action: int) -> int:
    """Return the meld number of an addition."""
    return (action - ACTION_ADD) // ADDS_PER_MELD


def added_card(action: int) -> int:
    """Return the card of an addition."""
    rest = (action - ACTION_ADD) % ADDS_PER_MELD
    return (rest - ADD_HIGH_ACE) // 3 * 13 if rest >= ADD_HIGH_ACE else rest // 3


def added_how(action: int) -> int:
    """Return where the wild lies after an addition: 0 inside or nowhere, 1 lowest, 2 highest."""
    return (action - ACTION_ADD) % ADDS_PER_MELD % 3


def added_high(action: int) -> int:
    """Return 1 if an addition places an ace at the high end, else 0."""
    return 1 if (action - ACTION_ADD) % ADDS_PER_MELD >= ADD_HIGH_ACE else 0


def decode_add(action: int) -> tuple[int, int, int, int]:
    """Return (meld number, card, how, high) of an action that adds a card (``ACTION_ADD <= action < ACTION_COUNT``)."""
    return added_slot(action), added_card(action), added_how(action), added_high(action)
