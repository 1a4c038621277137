# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""Fast policies inside the engine: random, melds first, greedy, club; and whole deals played by them.

A policy looks only at what the seat to act may see: its hand, the melds, the pile (of a closed one the top).
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit
    from buraco.engine.club import choose_club, choose_novice
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_KEEP,
        ACTION_PILE,
        MELD_SETS,
        MELD_SLOTS,
        NO_CARD,
        PHASE_CHOICE,
        PHASE_DRAW,
        PHASE_OVER,
        PHASE_PLAY,
        POLICY_CLUB,
        POLICY_GREEDY,
        POLICY_MELD_FIRST,
        POLICY_NOVICE,
    )
    from buraco.engine.enumeration import WILD_CARDS, joining_cards
    from buraco.engine.foresight import keeps_closer, opening_may_fail, opening_pays
    from buraco.engine.melds import add_to_meld, meld_size, meld_wild
    from buraco.engine.moves import legal_moves
    from buraco.engine.numbering import action_meld, added_card, added_high, added_how, added_slot
    from buraco.engine.state import (
        MASK_32,
        State,
        deal_cards,
        meld_bonus,
        meld_category,
        meld_points,
        next_random,
        shuffle_pack,
        side_score,
    )
    from buraco.engine.steps import apply_action
    from buraco.engine.workspace import Workspace

__all__ = ["choose_action", "run_many", "run_playout", "seed_state"]

# A literal above 2**31 would be a Python object inside compiled code.
SEED_FACTOR = 2654435761


def seed_state(s: State, seed: int) -> None:
    """Set the state's generator from a seed of at most 31 bits."""
    s.rng = (seed * SEED_FACTOR + 12345) & 0x7FFFFFFF
    if s.rng == 0:
        s.rng = 1


def run_playout(s: State, w: Workspace, policy: int) -> None:
    """Play the deal to its end."""
    while s.phase != PHASE_OVER:
        apply_action(s, choose_action(s, w, policy))


def run_many(
    s: State, w: Workspace, policy: int, seed: int, number: int, up_card: int
) -> tuple[int, int, int, int, int]:
    """Shuffle and play deals; return both sums of scores, the actions, the turns and a checksum of all actions."""
    score_0, score_1, actions, turns, checksum = 0, 0, 0, 0, 0
    need_0, need_1 = s.opening_need[0], s.opening_need[1]
    for i in range(number):
        seed_state(s, seed + i)
        shuffle_pack(s)
        deal_cards(s, up_card)
        s.opening_need[0], s.opening_need[1] = need_0, need_1
        while s.phase != PHASE_OVER:
            action = choose_action(s, w, policy)
            checksum = ((checksum ^ action) * 1000003) & MASK_32
            apply_action(s, action)
        score_0 += side_score(s, 0)
        score_1 += side_score(s, 1)
        actions += s.actions
        turns += s.turn_count
    return score_0, score_1, actions, turns, checksum


def choose_action(s: State, w: Workspace, policy: int) -> int:
    """Return the action that a policy chooses; the deal must not be over."""
    if policy == POLICY_GREEDY:
        return choose_greedy(s, w)
    if policy == POLICY_CLUB:
        return choose_club(s, w)
    if policy == POLICY_NOVICE:
        return choose_novice(s, w)
    if policy == POLICY_MELD_FIRST:
        return choose_meld_first(s, w)
    return choose_any(s, w)


def choose_any(s: State, w: Workspace) -> int:
    """Choose evenly among the legal actions."""
    legal_moves(s, w)
    return w.ids[next_random(s, w.n_ids)]


def choose_meld_first(s: State, w: Workspace) -> int:
    """Choose evenly among the melds and additions, if there are any, else among all."""
    legal_moves(s, w)
    if w.n_ids > w.n_discards:
        return w.ids[w.n_discards + next_random(s, w.n_ids - w.n_discards)]
    return w.ids[next_random(s, w.n_ids)]


def choose_greedy(s: State, w: Workspace) -> int:
    """Choose one step ahead: what gains most on the table, else the discard that costs least. Ties: the lowest id."""
    if s.phase == PHASE_DRAW:
        return greedy_draw(s, w)
    legal_moves(s, w)
    if s.phase == PHASE_CHOICE:
        # Keep the first card if it is a wild or has company in the hand.
        card = s.drawn_card
        wild = bit(card) & WILD_CARDS
        return (
            ACTION_KEEP if wild or w.n_ids < 2 or neighbours(s, card, s.once[s.seat], s.twice[s.seat]) > 1 else w.ids[1]
        )
    # With a duty (top card, opening) or an opening begun there is no choice but to play on; else a play must gain.
    may_fail = opening_may_fail(s)
    best, gain = -1, -1000000 if s.phase != PHASE_PLAY or (may_fail and s.laid_points) else 0
    for i in range(w.n_discards, w.n_ids):
        value = action_gain(s, w.ids[i])
        if value > gain and keeps_closer(s, w.ids[i]) and (not may_fail or opening_pays(s, w, w.ids[i])):
            best, gain = w.ids[i], value
    if best >= 0:
        return best
    return greedy_discard(s, w)


def greedy_draw(s: State, w: Workspace) -> int:
    """Take the pile if it brings more use than ballast, else draw."""
    if s.n_pile == 0:
        return ACTION_DRAW
    if not s.pile_closed and pile_gain(s) <= 0:
        return ACTION_DRAW
    legal_moves(s, w)
    if w.ids[w.n_ids - 1] != ACTION_PILE:
        return ACTION_DRAW
    return ACTION_PILE


def pile_gain(s: State) -> int:
    """Return what the open pile is worth to the hand: 3 for a card of use, -1 for any other."""
    once, twice, gain = s.once[s.seat], s.twice[s.seat], 0
    for i in range(s.n_pile):
        card = s.pile[i]
        if bit(card) & WILD_CARDS or fits_table(s, s.seat & 1, card) or neighbours(s, card, once, twice) > 1:
            gain += 3
        else:
            gain -= 1
    return gain


def fits_table(s: State, side: int, card: int) -> int:
    """Say whether a natural card could be added at once to a meld of a side."""
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        if joining_cards(meld, bit(card), s.meld_rules):
            for how in range(3):
                if add_to_meld(meld, card, how, 0, s.meld_rules) >= 0:
                    return 1
            if card % 13 == 0 and add_to_meld(meld, card, 0, 1, s.meld_rules) >= 0:
                return 1
    return 0


def neighbours(s: State, card: int, once: int, twice: int) -> int:
    """Return how much company a natural card has in a hand: near cards of the suit, and its rank if sets count."""
    rank, base, number = card % 13, card // 13 * 13, 0
    for step in range(1, 3):
        if rank + step <= 13 and once >> base + (rank + step) % 13 & 1:
            number += 1
        if rank >= step and once >> base + rank - step & 1:
            number += 1
    if rank == 0 and once >> base + 12 & 1:
        number += 1
    if s.meld_rules & MELD_SETS:
        for suit in range(4):
            if suit * 13 != base and once >> suit * 13 + rank & 1:
                number += 1
        number += twice >> card & 1
    return number


def table_value(s: State, meld: int, turn: int) -> int:
    """Return what a meld on the table is worth to greedy play: points, bonus, and its way to a canasta."""
    size = meld_size(meld)
    growth = size if size < s.canasta_size else s.canasta_size
    value = meld_points(s, meld) + meld_bonus(s, meld_category(s, meld, turn))
    if meld_wild(meld) == NO_CARD:
        return value + growth * 10
    return value + growth * 6 - 40


def action_gain(s: State, action: int) -> int:
    """Return what a new meld or an addition gains on the table."""
    if action < ACTION_ADD:
        return table_value(s, action_meld(action), s.turn_count)
    index = (s.seat & 1) * MELD_SLOTS + added_slot(action)
    old, turn = s.melds[index], s.meld_turn[index]
    new = add_to_meld(old, added_card(action), added_how(action), added_high(action), s.meld_rules)
    return table_value(s, new, turn if turn == s.turn_count else -1) - table_value(s, old, turn) - 1


def discard_cost(s: State, card: int) -> int:
    """Return what it costs to throw a card: its use here, its use to the next player, a wild above all."""
    seat, side = s.seat, s.seat & 1
    if bit(card) & WILD_CARDS:
        return 100000 - s.value[card]
    cost = 12 * neighbours(s, card, s.once[seat], s.twice[seat]) - s.value[card] // 5
    if fits_table(s, side, card):
        cost += 60
    if fits_table(s, 1 - side, card):
        cost += 40
    for i in range(s.n_pile if not s.pile_closed else 0):
        # In an open pile a card beside its neighbours makes the pile worth taking.
        if s.pile[i] // 13 == card // 13 and -3 < s.pile[i] - card < 3:
            cost += 4
    return cost


def greedy_discard(s: State, w: Workspace) -> int:
    """Return the discard that costs least among the legal ones, which come first in the workspace."""
    best, least = w.ids[0], 10000000
    for i in range(w.n_discards):
        cost = discard_cost(s, w.ids[i] - ACTION_DISCARD)
        if cost < least:
            best, least = w.ids[i], cost
    return best
