# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""The state of a deal in fixed arrays, and the smallest operations on it.

A hand is two masks over cards: ``once`` (one copy or more) and ``twice`` (two copies). Jokers, of which there are up to
four, use bit 52 of ``once`` and ``twice`` for the first and second, then bit 53 of each for the third and fourth.
The melds of a side lie from ``side * 36`` on. The stock's next card is its last. Nothing here knows what is legal.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, copy_bytes, copy_words, ctz
    from buraco.engine.constants import (
        END_NONE,
        JOKER,
        MELD_CLEAN,
        MELD_CLEAN_13,
        MELD_CLEAN_14,
        MELD_DIRTY,
        MELD_PLAIN,
        MELD_SEMI_CLEAN,
        MELD_SLOTS,
        NO_CARD,
        PHASE_DRAW,
        SET_FLAG,
        UNPLAYED_CARDS,
        UNPLAYED_SMALLER,
        UNPLAYED_UNLESS_OUT,
    )
    from buraco.engine.melds import meld_once, meld_size, meld_twice, meld_wild, natural_stretch

__all__ = ["NO_BONUS", "State"]

#: What a bonus category that the rule set does not know is set to, since a bonus of 0 is a bonus.
NO_BONUS = -1000000
# A literal above 2**31 would be a Python object inside compiled code.
MASK_32 = 0xFFFFFFFF


class State:
    """Everything about a deal. Compiled, its fields are C numbers and arrays; `Deal` is the door to it."""

    def __init__(self) -> None:
        if not cython.compiled:  # compiled, state.pxd declares them and they begin as 0
            self.players: int = 0
            self.meld_rules: int = 0
            self.pile_closed: int = 0
            self.top_wild_new: int = 0
            self.single_barred: int = 0
            self.first_turn_option: int = 0
            self.opening_mode: int = 0
            self.opening_penalty: int = 0
            self.opening_search_max: int = 0
            self.direct_morto: int = 0
            self.close_needs_taken: int = 0
            self.close_needs_clean: int = 0
            self.close_by_meld: int = 0
            self.close_wild: int = 0
            self.stock_refill: int = 0
            self.stock_end_count: int = 0
            self.stalemate: int = 0
            self.turn_cap: int = 0
            self.canasta_size: int = 0
            self.bonus_dirty: int = 0
            self.bonus_clean: int = 0
            self.bonus_semi_clean: int = 0
            self.bonus_clean_13: int = 0
            self.bonus_clean_14: int = 0
            self.clean_13_from_ace: int = 0
            self.big_at_once: int = 0
            self.bonus_out: int = 0
            self.morto_penalty: int = 0
            self.morto_waived: int = 0
            self.unplayed_rule: int = 0
            self.unplayed_points: int = 0
            self.morto_size: int = 0
            self.hand_size: int = 0
            self.card_count: int = 0
            self.pack_once: int = 0
            self.pack_twice: int = 0
            self.target_points: int = 0
            self.has_jokers: int = 0
            self.rng: int = 0
            self.dealer: int = 0
            self.seat: int = 0
            self.phase: int = 0
            self.turn_count: int = 0
            self.end_kind: int = 0
            self.out_seat: int = 0
            self.total_0: int = 0
            self.total_1: int = 0
            self.n_stock: int = 0
            self.n_pile: int = 0
            self.mortos_gone: int = 0
            self.barred_card: int = 0
            self.top_card: int = 0
            self.top_slot: int = 0
            self.rest_waits: int = 0
            self.laid_points: int = 0
            self.drew_stock: int = 0
            self.tabled: int = 0
            self.took_single: int = 0
            self.quiet_turns: int = 0
            self.drawn_card: int = 0
            self.rejected: int = 0
            self.actions: int = 0
            self.value: list[int] = [0] * 54
            self.pack: list[int] = [0] * 128
            self.stock: list[int] = [0] * 128
            self.pile: list[int] = [0] * 128
            self.pile_seat: list[int] = [0] * 128
            self.morto: list[int] = [0] * 128
            self.pile_turn: list[int] = [0] * 128
            self.once: list[int] = [0] * 4
            self.twice: list[int] = [0] * 4
            self.count: list[int] = [0] * 4
            self.known_once: list[int] = [0] * 4
            self.known_twice: list[int] = [0] * 4
            self.unplayed: list[int] = [0] * 4
            self.n_melds: list[int] = [0] * 2
            self.n_canasta: list[int] = [0] * 2
            self.n_clean: list[int] = [0] * 2
            self.morto_taken: list[int] = [0] * 2
            self.morto_owner: list[int] = [0] * 2
            self.opening_need: list[int] = [0] * 2
            self.melds: list[int] = [0] * 72
            self.meld_turn: list[int] = [0] * 72


def copy_rules(target: State, source: State) -> None:
    """Copy what the rule set fixed."""
    target.players = source.players
    target.meld_rules = source.meld_rules
    target.pile_closed = source.pile_closed
    target.top_wild_new = source.top_wild_new
    target.single_barred = source.single_barred
    target.first_turn_option = source.first_turn_option
    target.opening_mode = source.opening_mode
    target.opening_penalty = source.opening_penalty
    target.opening_search_max = source.opening_search_max
    target.direct_morto = source.direct_morto
    target.close_needs_taken = source.close_needs_taken
    target.close_needs_clean = source.close_needs_clean
    target.close_by_meld = source.close_by_meld
    target.close_wild = source.close_wild
    target.stock_refill = source.stock_refill
    target.stock_end_count = source.stock_end_count
    target.stalemate = source.stalemate
    target.turn_cap = source.turn_cap
    target.canasta_size = source.canasta_size
    target.bonus_dirty = source.bonus_dirty
    target.bonus_clean = source.bonus_clean
    target.bonus_semi_clean = source.bonus_semi_clean
    target.bonus_clean_13 = source.bonus_clean_13
    target.bonus_clean_14 = source.bonus_clean_14
    target.clean_13_from_ace = source.clean_13_from_ace
    target.big_at_once = source.big_at_once
    target.bonus_out = source.bonus_out
    target.morto_penalty = source.morto_penalty
    target.morto_waived = source.morto_waived
    target.unplayed_rule = source.unplayed_rule
    target.unplayed_points = source.unplayed_points
    target.morto_size = source.morto_size
    target.hand_size = source.hand_size
    target.card_count = source.card_count
    target.pack_once = source.pack_once
    target.pack_twice = source.pack_twice
    target.target_points = source.target_points
    target.has_jokers = source.has_jokers


def copy_state(target: State, source: State) -> None:
    """Copy everything that a deal changes, and the tables that the rule set fixed."""
    target.rng = source.rng
    target.dealer = source.dealer
    target.seat = source.seat
    target.phase = source.phase
    target.turn_count = source.turn_count
    target.end_kind = source.end_kind
    target.out_seat = source.out_seat
    target.total_0 = source.total_0
    target.total_1 = source.total_1
    target.n_stock = source.n_stock
    target.n_pile = source.n_pile
    target.mortos_gone = source.mortos_gone
    target.barred_card = source.barred_card
    target.top_card = source.top_card
    target.top_slot = source.top_slot
    target.rest_waits = source.rest_waits
    target.laid_points = source.laid_points
    target.drew_stock = source.drew_stock
    target.tabled = source.tabled
    target.took_single = source.took_single
    target.quiet_turns = source.quiet_turns
    target.drawn_card = source.drawn_card
    target.rejected = source.rejected
    target.actions = source.actions
    copy_words(target.value, source.value, 54)
    copy_bytes(target.pack, source.pack, 128)
    copy_bytes(target.stock, source.stock, 128)
    copy_bytes(target.pile, source.pile, 128)
    copy_bytes(target.pile_seat, source.pile_seat, 128)
    copy_bytes(target.morto, source.morto, 128)
    copy_words(target.pile_turn, source.pile_turn, 128)
    copy_words(target.once, source.once, 4)
    copy_words(target.twice, source.twice, 4)
    copy_words(target.count, source.count, 4)
    copy_words(target.known_once, source.known_once, 4)
    copy_words(target.known_twice, source.known_twice, 4)
    copy_words(target.unplayed, source.unplayed, 4)
    copy_words(target.n_melds, source.n_melds, 2)
    copy_words(target.n_canasta, source.n_canasta, 2)
    copy_words(target.n_clean, source.n_clean, 2)
    copy_words(target.morto_taken, source.morto_taken, 2)
    copy_words(target.morto_owner, source.morto_owner, 2)
    copy_words(target.opening_need, source.opening_need, 2)
    copy_words(target.melds, source.melds, 72)
    copy_words(target.meld_turn, source.meld_turn, 72)


def next_random(s: State, below: int) -> int:
    """Return the next number of the state's own generator (xorshift, 32 bits), 0 <= number < below."""
    x = s.rng
    x ^= (x << 13) & MASK_32
    x ^= x >> 17
    x ^= (x << 5) & MASK_32
    s.rng = x
    return x * below >> 32


def with_card(once: int, twice: int, card: int) -> tuple[int, int]:
    """Return the masks of a hand with one card more."""
    mask = bit(card)
    if card == JOKER and twice & mask:
        mask = bit(53)
    return once | mask, twice | (once & mask)


def without_card(once: int, twice: int, card: int) -> tuple[int, int]:
    """Return the masks of a hand with one card less; the card must be there."""
    mask = bit(card)
    if card == JOKER and once & bit(53):
        mask = bit(53)
    second = twice & mask
    return once ^ (mask ^ second), twice ^ second


def copies(once: int, twice: int, card: int) -> int:
    """Return how many copies of a card a hand holds."""
    number = (once >> card & 1) + (twice >> card & 1)
    if card == JOKER:
        number += (once >> 53 & 1) + (twice >> 53 & 1)
    return number


def give(s: State, seat: int, card: int) -> None:
    """Put a card into a hand."""
    s.once[seat], s.twice[seat] = with_card(s.once[seat], s.twice[seat], card)
    s.count[seat] += 1


def know(s: State, seat: int, card: int) -> None:
    """Note that everyone knows this card to be in the hand."""
    s.known_once[seat], s.known_twice[seat] = with_card(s.known_once[seat], s.known_twice[seat], card)


def forget(s: State, seat: int, card: int) -> None:
    """Note that a card has left the hand before everyone's eyes: one copy fewer of it is known to be there."""
    if s.known_once[seat] >> card & 1:
        s.known_once[seat], s.known_twice[seat] = without_card(s.known_once[seat], s.known_twice[seat], card)


def take(s: State, seat: int, card: int) -> None:
    """Take a card out of a hand, seen by everyone."""
    s.once[seat], s.twice[seat] = without_card(s.once[seat], s.twice[seat], card)
    s.count[seat] -= 1
    forget(s, seat, card)


def holds_meld(once: int, twice: int, meld: int) -> int:
    """Say whether a hand holds every card of a meld."""
    return 1 if meld_once(meld) & ~once == 0 and meld_twice(meld) & ~twice == 0 else 0


def without_meld(once: int, twice: int, meld: int) -> tuple[int, int]:
    """Return the masks of a hand without the cards of a meld, all of which must be there."""
    pairs = meld_twice(meld)
    singles = meld_once(meld) & ~pairs & (bit(JOKER) - 1)
    second = singles & twice
    once &= ~(pairs | (singles & ~second))
    twice &= ~(pairs | second)
    if meld_wild(meld) == JOKER:
        return without_card(once, twice, JOKER)
    return once, twice


def mask_points(s: State, mask: int) -> int:
    """Return the card values of a mask."""
    total = 0
    while mask:
        total += s.value[ctz(mask)]
        mask &= mask - 1
    return total


def meld_points(s: State, meld: int) -> int:
    """Return the card values of a meld; a wild keeps its own value."""
    return mask_points(s, meld_once(meld)) + mask_points(s, meld_twice(meld))


def meld_category(s: State, meld: int, turn: int) -> int:
    """Return what a meld counts as (rules §2 item 12); ``turn``: the turn in which all its cards were tabled, or -1."""
    size = meld_size(meld)
    if size < s.canasta_size:
        return MELD_PLAIN
    if meld_wild(meld) != NO_CARD:
        if s.bonus_semi_clean != NO_BONUS and natural_stretch(meld) >= s.canasta_size:
            return MELD_SEMI_CLEAN
        return MELD_DIRTY
    if meld & SET_FLAG or size < 13 or (s.big_at_once and turn < 0):
        return MELD_CLEAN
    if size == 14:
        return MELD_CLEAN_14 if s.bonus_clean_14 != NO_BONUS else MELD_CLEAN
    if s.bonus_clean_13 == NO_BONUS or (s.clean_13_from_ace and meld & 15 != 1):
        return MELD_CLEAN
    return MELD_CLEAN_13


def meld_bonus(s: State, category: int) -> int:
    """Return the bonus of a category, in points."""
    if category == MELD_PLAIN:
        return 0
    if category == MELD_DIRTY:
        return s.bonus_dirty
    if category == MELD_SEMI_CLEAN:
        return s.bonus_semi_clean
    if category == MELD_CLEAN:
        return s.bonus_clean
    return s.bonus_clean_13 if category == MELD_CLEAN_13 else s.bonus_clean_14


def count_meld(s: State, side: int, meld: int, sign: int) -> None:
    """Count a meld in (sign 1) or out (sign -1) of the side's canastas."""
    if meld_size(meld) >= s.canasta_size:
        s.n_canasta[side] += sign
        if meld_wild(meld) == NO_CARD:
            s.n_clean[side] += sign


def push_meld(s: State, side: int, meld: int, turn: int) -> None:
    """Put a meld on the side's table."""
    index = side * MELD_SLOTS + s.n_melds[side]
    s.melds[index] = meld
    s.meld_turn[index] = turn
    s.n_melds[side] += 1
    count_meld(s, side, meld, 1)


def pop_meld(s: State, side: int) -> None:
    """Take the side's last meld off the table."""
    s.n_melds[side] -= 1
    count_meld(s, side, s.melds[side * MELD_SLOTS + s.n_melds[side]], -1)


def swap_meld(s: State, side: int, slot: int, meld: int) -> None:
    """Replace a meld of the side."""
    index = side * MELD_SLOTS + slot
    count_meld(s, side, s.melds[index], -1)
    s.melds[index] = meld
    count_meld(s, side, meld, 1)


def hand_cost(s: State, seat: int) -> int:
    """Return what a hand costs its side if the deal ends now (rules §2 item 12 and "indirect morto never played")."""
    cards = mask_points(s, s.once[seat]) + mask_points(s, s.twice[seat])
    if not s.unplayed[seat] or s.unplayed_rule == UNPLAYED_CARDS:
        return cards
    if s.unplayed_rule == UNPLAYED_SMALLER:
        return cards if cards < s.unplayed_points else s.unplayed_points
    if s.unplayed_rule == UNPLAYED_UNLESS_OUT and s.out_seat >= 0 and s.out_seat & 1 == seat & 1:
        return cards
    return s.unplayed_points


def side_score(s: State, side: int) -> int:
    """Return the side's score, as if the deal ended now if it has not."""
    total = 0
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        total += meld_points(s, meld) + meld_bonus(s, meld_category(s, meld, s.meld_turn[side * MELD_SLOTS + slot]))
    if s.out_seat >= 0 and s.out_seat & 1 == side:
        total += s.bonus_out
    for seat in range(side, s.players, 2):
        total -= hand_cost(s, seat)
    if not s.morto_taken[side] and (s.morto_taken[1 - side] or not s.morto_waived):
        total -= s.morto_penalty
    return total


def shuffle_pack(s: State) -> None:
    """Fill the stock with the whole pack and shuffle it by the state's own generator."""
    n = s.card_count
    copy_bytes(s.stock, s.pack, n)
    for i in range(n - 1, 0, -1):
        j = next_random(s, i + 1)
        card = s.stock[i]
        s.stock[i] = s.stock[j]
        s.stock[j] = card


def deal_cards(s: State, up_card: int) -> None:
    """Deal from the stock, which holds the whole pack (next card last): hands, mortos, up-card; the rest stays."""
    s.n_stock = s.card_count
    for seat in range(4):
        s.once[seat], s.twice[seat], s.count[seat] = 0, 0, 0
        s.known_once[seat], s.known_twice[seat], s.unplayed[seat] = 0, 0, 0
    for side in range(2):
        s.n_melds[side], s.n_canasta[side], s.n_clean[side] = 0, 0, 0
        s.morto_taken[side], s.morto_owner[side] = 0, -1
    for i in range(s.players * s.hand_size):
        s.n_stock -= 1
        give(s, (s.dealer + 1 + i) % s.players, s.stock[s.n_stock])
    for i in range(2 * s.morto_size):
        s.n_stock -= 1
        s.morto[i] = s.stock[s.n_stock]
    s.n_pile, s.mortos_gone = 0, 0
    if up_card:
        s.n_stock -= 1
        s.pile[0], s.pile_seat[0], s.pile_turn[0] = s.stock[s.n_stock], 255, -1
        s.n_pile = 1
    s.phase, s.seat, s.turn_count, s.end_kind, s.out_seat = PHASE_DRAW, (s.dealer + 1) % s.players, 0, END_NONE, -1
    s.quiet_turns, s.rejected, s.laid_points, s.actions = 0, 0, 0, 0
    begin_turn(s)


def begin_turn(s: State) -> None:
    """Clear what only concerns one turn."""
    s.barred_card, s.top_card, s.top_slot, s.rest_waits = -1, -1, -1, 0
    s.laid_points, s.drew_stock, s.tabled, s.took_single, s.drawn_card = 0, 0, 0, 0, -1
