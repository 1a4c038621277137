# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Memory for one search at a time: a stack of action ids, a table of places already seen, a queue.

A workspace belongs to one thread; it holds nothing between two calls. ``shared`` says that several questions about one
state use the table together: whoever sets it begins a round before and resets it after the last of them.
"""

from __future__ import annotations

import cython

from buraco.engine.weights import default_weights

if not cython.compiled:
    from buraco.engine.constants import CLUB_ROW, CLUB_SETS, CLUB_VARIANTS, ID_STACK_SIZE

__all__ = ["Workspace"]


if not cython.compiled:  # compiled, workspace.pxd declares it
    STANDARD = [0] * (CLUB_SETS * CLUB_VARIANTS * CLUB_ROW)


def fill_standard() -> None:
    """Read the weights that every workspace begins with; the last number of the first row says that they are there."""
    for index, weight in enumerate(default_weights()):
        STANDARD[index] = weight
    STANDARD[CLUB_ROW - 1] = 1


class Workspace:
    """Scratch memory. ``ids`` is used as a stack: a search appends from ``n_ids`` on and sets it back when done."""

    def __init__(self) -> None:
        if not cython.compiled:  # compiled, workspace.pxd declares them
            self.ids: list[int] = [0] * ID_STACK_SIZE
            self.key_once: list[int] = [0] * 8192
            self.key_twice: list[int] = [0] * 8192
            self.key_round: list[int] = [0] * 8192
            self.key_need: list[int] = [0] * 8192
            self.queue_meld: list[int] = [0] * 8192
            self.queue_once: list[int] = [0] * 8192
            self.queue_twice: list[int] = [0] * 8192
            self.scores: list[int] = [0] * 22528
            self.weights: list[int] = [0] * (CLUB_SETS * CLUB_VARIANTS * CLUB_ROW)
            self.row: int = 0
            self.live: int = 0
            self.fit: int = 0
            self.fit_gap: int = 0
            self.feed: int = 0
            self.feed_gap: int = 0
            self.fit_near: int = 0
            self.pile_lanes: int = 0
            self.reader_lanes: int = 0
            self.heat: int = 0
            self.per_card: int = 0
            self.plan_nodes: int = 0
            self.round: int = 0
            self.shared: int = 0
            self.n_discards: int = 0
            self.n_ids: int = 0
        if STANDARD[CLUB_ROW - 1] == 0:
            fill_standard()
        for index in range(CLUB_SETS * CLUB_VARIANTS * CLUB_ROW):
            self.weights[index] = STANDARD[index]


def append(w: Workspace, action: int) -> None:
    """Push an action id; a full stack drops it (out of reach of any hand: see tests/unit/test_workspace.py)."""
    if w.n_ids < ID_STACK_SIZE:
        w.ids[w.n_ids] = action
        w.n_ids += 1


def new_round(w: Workspace) -> None:
    """Forget every place."""
    w.round += 1


def first_visit(w: Workspace, once: int, twice: int) -> int:
    """Note a place and say whether it is new in this round; a full table calls every place new."""
    start = (once ^ once >> 13 ^ once >> 29 ^ twice * 31 ^ twice >> 17) & 8191
    for step in range(64):
        i = (start + step) & 8191
        if w.key_round[i] != w.round:
            w.key_round[i], w.key_once[i], w.key_twice[i] = w.round, once, twice
            return 1
        if w.key_once[i] == once and w.key_twice[i] == twice:
            return 0
    return 1


def hopeless(w: Workspace, once: int, twice: int, need: int) -> int:
    """Say whether a search of this round has found that this place cannot bring so many points."""
    start = (once ^ once >> 13 ^ once >> 29 ^ twice * 31 ^ twice >> 17) & 8191
    for step in range(8):
        i = (start + step) & 8191
        if w.key_round[i] != w.round:
            return 0
        if w.key_once[i] == once and w.key_twice[i] == twice:
            return 1 if w.key_need[i] <= need else 0
    return 0


def note_hopeless(w: Workspace, once: int, twice: int, need: int) -> None:
    """Note that this place cannot bring so many points; where the table is full it replaces another place."""
    start = (once ^ once >> 13 ^ once >> 29 ^ twice * 31 ^ twice >> 17) & 8191
    chosen = start
    for step in range(8):
        i = (start + step) & 8191
        if w.key_round[i] != w.round or (w.key_once[i] == once and w.key_twice[i] == twice):
            chosen = i
            break
    w.key_round[chosen], w.key_once[chosen], w.key_twice[chosen], w.key_need[chosen] = w.round, once, twice, need
