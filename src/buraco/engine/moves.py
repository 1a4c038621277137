# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The legal actions of a state: what `enumeration` proposes and `legality.check_action` accepts, in ascending order."""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, ctz
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_KEEP,
        ACTION_PILE,
        ACTION_REJECT,
        ADDS_PER_MELD,
        CODE_LEGAL,
        JOKER,
        MELD_SETS,
        MELD_SLOTS,
        NO_CARD,
        PHASE_CHOICE,
        PHASE_DISCARD,
        PHASE_DRAW,
        PHASE_OPENING,
        PHASE_OVER,
        SET_FLAG,
    )
    from buraco.engine.enumeration import WILD_CARDS, append_melds, joining_cards
    from buraco.engine.legality import check_action, check_discard
    from buraco.engine.state import State
    from buraco.engine.workspace import Workspace, append, new_round

__all__ = ["legal_moves"]

ACE_CARDS = bit(0) | bit(13) | bit(26) | bit(39)


def legal_moves(s: State, w: Workspace) -> None:
    """Fill ``w.ids`` with the ``w.n_ids`` legal actions; the first ``w.n_discards`` of them are discards."""
    w.n_ids, w.n_discards = 0, 0
    if s.phase == PHASE_OVER:
        return
    if s.phase == PHASE_DRAW:
        append(w, ACTION_DRAW)
        append(w, ACTION_PILE)
        keep_legal(s, w, 0)
        return
    if s.phase == PHASE_CHOICE:
        append(w, ACTION_KEEP)
        append(w, ACTION_REJECT)
        keep_legal(s, w, 0)
        return
    append_discards(s, w)
    w.n_discards = w.n_ids
    if s.phase == PHASE_DISCARD:
        return
    append_melds(w, s.once[s.seat], s.twice[s.seat], s.meld_rules & MELD_SETS)
    if s.phase != PHASE_OPENING:
        for slot in range(s.n_melds[s.seat & 1]):
            append_additions(s, w, slot)
    keep_legal(s, w, w.n_discards)


def append_discards(s: State, w: Workspace) -> None:
    """Append the legal discards."""
    cards = s.once[s.seat] & (bit(JOKER + 1) - 1)
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        if check_discard(s, card) == CODE_LEGAL:
            append(w, ACTION_DISCARD + card)


def append_additions(s: State, w: Workspace, slot: int) -> None:
    """Append what might be added to one meld of the side."""
    meld = s.melds[(s.seat & 1) * MELD_SLOTS + slot]
    cards = joining_cards(meld, s.once[s.seat], s.meld_rules)
    if cards == 0:
        return
    aces, base = cards & ACE_CARDS, ACTION_ADD + slot * ADDS_PER_MELD
    # Without a wild before or after there is one place; in a set there is never a choice.
    fixed = 1 if meld & SET_FLAG or meld >> 12 & 63 == NO_CARD else 0
    while cards:
        card = ctz(cards)
        cards &= cards - 1
        append(w, base + card * 3)
        if not fixed or (bit(card) & WILD_CARDS and not meld & SET_FLAG):
            append(w, base + card * 3 + 1)
            append(w, base + card * 3 + 2)
    if meld & SET_FLAG:
        return
    while aces:
        action = base + 159 + ctz(aces) // 13 * 3
        aces &= aces - 1
        append(w, action)
        if not fixed:
            append(w, action + 1)
            append(w, action + 2)


def keep_legal(s: State, w: Workspace, first: int) -> None:
    """Drop every action from ``first`` on that is not legal."""
    kept = first
    # What one question finds out about an opening helps the next ones.
    new_round(w)
    w.shared = 1
    for i in range(first, w.n_ids):
        if check_action(s, w, w.ids[i]) == CODE_LEGAL:
            w.ids[kept] = w.ids[i]
            kept += 1
    w.shared = 0
    w.n_ids = kept
