# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What an action does. Nothing here asks whether it is legal: `legality.check_action` has."""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import ctz
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_KEEP,
        ACTION_PILE,
        ACTION_REJECT,
        ACTION_RUN,
        END_CLOSED,
        END_STALEMATE,
        END_STOCK,
        MELD_SLOTS,
        OPENING_AT_ONCE,
        PHASE_CHOICE,
        PHASE_DISCARD,
        PHASE_DRAW,
        PHASE_OPENING,
        PHASE_OVER,
        PHASE_PLAY,
        PHASE_TOP,
        STALEMATE_NONE,
        STALEMATE_ONE_CARD,
    )
    from buraco.engine.melds import add_to_meld, meld_once, meld_twice
    from buraco.engine.numbering import action_meld, added_card, added_high, added_how, added_slot
    from buraco.engine.state import (
        State,
        begin_turn,
        give,
        know,
        meld_points,
        pop_meld,
        push_meld,
        swap_meld,
        take,
    )

__all__ = ["apply_action"]


def apply_action(s: State, action: int) -> None:
    """Carry out an action of the seat to act."""
    s.actions += 1
    if action == ACTION_DRAW:
        card = draw_stock(s)
        s.phase = PHASE_PLAY
        if s.first_turn_option and s.turn_count == 0:
            s.phase, s.drawn_card = PHASE_CHOICE, card
    elif action == ACTION_PILE:
        take_pile(s)
    elif action == ACTION_KEEP:
        s.phase, s.drawn_card = PHASE_PLAY, -1
    elif action == ACTION_REJECT:
        reject_first(s)
    elif action < ACTION_RUN:
        discard(s, action - ACTION_DISCARD)
    elif action < ACTION_ADD:
        lay(s, action_meld(action))
    else:
        add(s, action)


def draw_stock(s: State) -> int:
    """Move the stock's next card to the hand and return it."""
    s.n_stock -= 1
    card = s.stock[s.n_stock]
    s.drew_stock = 1
    give(s, s.seat, card)
    return card


def reject_first(s: State) -> None:
    """Lay the first stock card face up as the first of the pile and draw a second one."""
    card = s.drawn_card
    take(s, s.seat, card)
    to_pile(s, card)
    draw_stock(s)
    s.rejected, s.drawn_card, s.phase = 1, -1, PHASE_PLAY


def to_pile(s: State, card: int) -> None:
    """Put a card on the pile, with who did it and when."""
    s.pile[s.n_pile], s.pile_seat[s.n_pile], s.pile_turn[s.n_pile] = card, s.seat, s.turn_count
    s.n_pile += 1


def take_pile(s: State) -> None:
    """Take the open pile into the hand, or the top card of the closed one, which must then be used."""
    seat = s.seat
    s.took_single = 1 if s.n_pile == 1 else 0
    if s.pile_closed:
        s.n_pile -= 1
        s.top_card, s.top_slot, s.phase = s.pile[s.n_pile], -1, PHASE_TOP
        give(s, seat, s.top_card)
        know(s, seat, s.top_card)
        return
    if s.n_pile == 1 and s.single_barred and not s.once[seat] >> s.pile[0] & 1:
        # With a twin already in hand the twin may go (rules §4, `aberto`).
        s.barred_card = s.pile[0]
    for i in range(s.n_pile):
        give(s, seat, s.pile[i])
        know(s, seat, s.pile[i])
    s.n_pile, s.phase = 0, PHASE_PLAY


def pile_to_hand(s: State) -> None:
    """Take the rest of the closed pile, which nobody but the taker sees."""
    for i in range(s.n_pile):
        give(s, s.seat, s.pile[i])
    s.n_pile, s.rest_waits = 0, 0


def take_mask(s: State, seat: int, mask: int) -> None:
    """Take one copy of each card of a mask out of a hand."""
    while mask:
        take(s, seat, ctz(mask))
        mask &= mask - 1


def return_mask(s: State, seat: int, mask: int) -> None:
    """Give one copy of each card of a mask back to a hand, before everyone's eyes."""
    while mask:
        give(s, seat, ctz(mask))
        know(s, seat, ctz(mask))
        mask &= mask - 1


def lay(s: State, meld: int) -> None:
    """Lay a new meld."""
    seat, side = s.seat, s.seat & 1
    take_mask(s, seat, meld_once(meld))
    take_mask(s, seat, meld_twice(meld))
    push_meld(s, side, meld, s.turn_count)
    tabled_points(s, meld_points(s, meld))
    settle(s, 1 if s.phase == PHASE_TOP else 0)


def add(s: State, action: int) -> None:
    """Add a card to a meld of the side."""
    side, slot, card = s.seat & 1, added_slot(action), added_card(action)
    index = side * MELD_SLOTS + slot
    take(s, s.seat, card)
    meld = add_to_meld(s.melds[index], card, added_how(action), added_high(action), s.meld_rules)
    swap_meld(s, side, slot, meld)
    if s.meld_turn[index] != s.turn_count:
        s.meld_turn[index] = -1
    tabled_points(s, s.value[card])
    if s.phase == PHASE_TOP and card != s.top_card:
        s.top_slot = slot
        return
    settle(s, 1 if s.phase == PHASE_TOP else 0)


def tabled_points(s: State, points: int) -> None:
    """Note what was tabled, and whether the opening minimum is met by it."""
    side = s.seat & 1
    s.tabled = 1
    if s.opening_need[side] == 0:
        return
    s.laid_points += points
    if s.laid_points >= s.opening_need[side]:
        s.opening_need[side], s.laid_points = 0, 0


def settle(s: State, used_top: int) -> None:
    """Go on after a play: the rest of the closed pile comes, an opening goes on or fails, an empty hand is seen to."""
    side = s.seat & 1
    if used_top:
        s.top_card, s.top_slot, s.rest_waits, s.phase = -1, -1, 1, PHASE_PLAY
    if s.opening_need[side] and s.opening_mode == OPENING_AT_ONCE:
        s.phase = PHASE_OPENING
        return
    if s.phase == PHASE_OPENING:
        s.phase = PHASE_PLAY
    if s.rest_waits:
        pile_to_hand(s)
    if s.count[s.seat]:
        return
    if s.opening_need[side]:
        fail_opening(s)
        s.phase = PHASE_DISCARD
    else:
        emptied(s, 0)


def fail_opening(s: State) -> None:
    """Return the melds of a short opening to the hand and raise the side's minimum (rules §4, `classico`)."""
    return_melds(s)
    s.opening_need[s.seat & 1] += s.opening_penalty
    s.laid_points, s.tabled = 0, 0


def return_melds(s: State) -> None:
    """Take all melds of the side back into the hand; everyone has seen their cards."""
    seat, side = s.seat, s.seat & 1
    while s.n_melds[side]:
        meld = s.melds[side * MELD_SLOTS + s.n_melds[side] - 1]
        pop_meld(s, side)
        return_mask(s, seat, meld_once(meld))
        return_mask(s, seat, meld_twice(meld))


def discard(s: State, card: int) -> None:
    """Discard a card, which ends the turn."""
    if s.opening_need[s.seat & 1] and s.n_melds[s.seat & 1]:
        fail_opening(s)
    take(s, s.seat, card)
    to_pile(s, card)
    if s.count[s.seat] == 0:
        emptied(s, 1)
    if s.phase != PHASE_OVER:
        end_turn(s)


def emptied(s: State, by_discard: int) -> None:
    """See to an empty hand: the side takes a morto, or the deal is closed."""
    seat, side = s.seat, s.seat & 1
    if s.morto_taken[side] or s.mortos_gone == 2:
        s.out_seat = seat
        finish(s, END_CLOSED)
        return
    first = s.mortos_gone * s.morto_size
    for i in range(first, first + s.morto_size):
        give(s, seat, s.morto[i])
    s.morto_owner[s.mortos_gone] = side
    s.mortos_gone += 1
    s.morto_taken[side] = 1
    s.unplayed[seat] = by_discard
    s.barred_card = -1  # the barred card was tabled; a twin from the morto is another card


def finish(s: State, kind: int) -> None:
    """End the deal."""
    s.phase, s.end_kind = PHASE_OVER, kind


def refill_stock(s: State) -> None:
    """Make the next morto the stock; its first card is drawn first."""
    first = s.mortos_gone * s.morto_size
    for i in range(s.morto_size):
        s.stock[i] = s.morto[first + s.morto_size - 1 - i]
    s.n_stock = s.morto_size
    s.morto_owner[s.mortos_gone] = 2
    s.mortos_gone += 1


def end_turn(s: State) -> None:
    """End the turn: the empty stock (rules §2 item 11), the stalemate (item 14), or the next seat."""
    quiet = 1 if not s.tabled and not s.drew_stock else 0
    if s.stalemate == STALEMATE_ONE_CARD and not s.took_single:
        quiet = 0
    s.quiet_turns = s.quiet_turns + 1 if quiet else 0
    s.turn_count += 1
    if s.n_stock == 0 and s.stock_refill and s.mortos_gone < 2:
        refill_stock(s)
    if s.n_stock <= s.stock_end_count and not (s.stock_refill and s.mortos_gone < 2):
        finish(s, END_STOCK)
    elif s.stalemate != STALEMATE_NONE and s.quiet_turns >= s.turn_cap:
        finish(s, END_STALEMATE)
    else:
        s.seat = (s.seat + 1) % s.players
        s.unplayed[s.seat] = 0
        s.phase = PHASE_DRAW
        begin_turn(s)
