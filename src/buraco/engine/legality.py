# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What is legal. `check_action` alone knows it: it returns 0 or a refusal code, and leaves the state as it was.

Some questions are answered by trying: a meld is laid on the table or a card put into the hand, the rest is asked, and
the state is set back before the function returns.
"""

from __future__ import annotations

import cython

if not cython.compiled:
    from buraco.engine.bits import bit, ctz, popcount
    from buraco.engine.constants import (
        ACTION_ADD,
        ACTION_COUNT,
        ACTION_DISCARD,
        ACTION_DRAW,
        ACTION_PILE,
        ACTION_REJECT,
        ACTION_RUN,
        CODE_ALREADY_DRAWN,
        CODE_CARD_BARRED,
        CODE_CARD_NOT_HELD,
        CODE_CLOSE_NEEDS_CANASTA,
        CODE_CLOSE_NEEDS_CLEAN,
        CODE_CLOSE_NEEDS_DISCARD,
        CODE_CLOSE_NEEDS_MORTO,
        CODE_CLOSE_WILD_DISCARD,
        CODE_DEAL_OVER,
        CODE_DISCARD_ONLY,
        CODE_LEGAL,
        CODE_MUST_CHOOSE,
        CODE_MUST_DRAW,
        CODE_MUST_USE_TOP,
        CODE_NO_CHOICE,
        CODE_NO_DIRECT_MORTO,
        CODE_NO_STOCK_TO_REJECT,
        CODE_NO_SUCH_MELD,
        CODE_OPENING_MELDS_ONLY,
        CODE_OPENING_SHORT,
        CODE_PILE_EMPTY,
        CODE_PILE_UNUSABLE,
        CODE_RANK_HAS_SET,
        CODE_TOO_MANY_MELDS,
        CODE_TOP_NEEDS_NEW_MELD,
        CODE_TOP_OTHER_MELD,
        CODE_TOP_OUT_OF_REACH,
        CODE_TOP_TURN_COULD_NOT_END,
        CODE_TURN_COULD_NOT_END,
        CODE_UNKNOWN_ACTION,
        JOKER,
        MELD_ONE_SET,
        MELD_SETS,
        MELD_SLOTS,
        OPENING_OVER_TURN,
        PHASE_CHOICE,
        PHASE_DISCARD,
        PHASE_DRAW,
        PHASE_OPENING,
        PHASE_OVER,
        PHASE_TOP,
        SET_FLAG,
    )
    from buraco.engine.enumeration import WILD_CARDS, append_melds, append_runs, append_sets, held_slots, joining_cards
    from buraco.engine.melds import add_to_meld, meld_once, meld_size, new_meld
    from buraco.engine.numbering import action_meld, added_card, added_high, added_how, added_slot
    from buraco.engine.state import (
        State,
        holds_meld,
        mask_points,
        meld_points,
        pop_meld,
        push_meld,
        swap_meld,
        with_card,
        without_card,
        without_meld,
    )
    from buraco.engine.workspace import Workspace, first_visit, hopeless, new_round, note_hopeless

__all__ = ["check_action"]

# What a search for an opening has set aside: nothing, or more than one card.
NO_CARD_ASIDE = -1
CARDS_ASIDE = -2


def check_action(s: State, w: Workspace, action: int) -> int:
    """Return 0 if the seat to act may do this, else the refusal code."""
    if action < 0 or action >= ACTION_COUNT:
        return CODE_UNKNOWN_ACTION
    if s.phase == PHASE_OVER:
        return CODE_DEAL_OVER
    if action < ACTION_DISCARD:
        return check_draw(s, w, action)
    if s.phase == PHASE_DRAW:
        return CODE_MUST_DRAW
    if s.phase == PHASE_CHOICE:
        return CODE_MUST_CHOOSE
    if action < ACTION_RUN:
        return check_discard(s, action - ACTION_DISCARD)
    if s.phase == PHASE_DISCARD:
        return CODE_DISCARD_ONLY
    if action < ACTION_ADD:
        return check_new(s, w, action_meld(action))
    return check_add(s, w, action)


def check_draw(s: State, w: Workspace, action: int) -> int:
    """Check the draw, the pile, and the first-turn option."""
    if action > ACTION_PILE:
        if s.phase != PHASE_CHOICE:
            return CODE_NO_CHOICE
        return CODE_NO_STOCK_TO_REJECT if action == ACTION_REJECT and s.n_stock == 0 else CODE_LEGAL
    if s.phase != PHASE_DRAW:
        return CODE_MUST_CHOOSE if s.phase == PHASE_CHOICE else CODE_ALREADY_DRAWN
    if action == ACTION_DRAW:
        return CODE_LEGAL  # no turn begins with an empty stock (rules §2 item 11)
    return check_take(s, w)


def check_take(s: State, w: Workspace) -> int:
    """Check the taking of the pile; of a closed one the top card must be usable at once (rules §4, closed pile)."""
    if s.n_pile == 0:
        return CODE_PILE_EMPTY
    if not s.pile_closed:
        return CODE_LEGAL
    seat, top = s.seat, s.pile[s.n_pile - 1]
    once, twice = s.once[seat], s.twice[seat]
    s.once[seat], s.twice[seat] = with_card(once, twice, top)
    s.count[seat] += 1
    s.n_pile -= 1
    s.phase, s.top_card = PHASE_TOP, top
    shared = w.shared
    if not shared:
        new_round(w)
        w.shared = 1
    code = top_usable(s, w, top)
    w.shared = shared
    s.phase, s.top_card = PHASE_DRAW, -1
    s.n_pile += 1
    s.count[seat] -= 1
    s.once[seat], s.twice[seat] = once, twice
    return code


def worse(code: int, other: int) -> int:
    """Return which of two refusals says more about an unusable top card."""
    if code >= CODE_CARD_BARRED or code == CODE_TOP_TURN_COULD_NOT_END:
        return CODE_TOP_TURN_COULD_NOT_END
    return code if code == CODE_OPENING_SHORT and other == CODE_PILE_UNUSABLE else other


def top_usable(s: State, w: Workspace, top: int) -> int:
    """Return 0 if the top card, already in the hand, can be used in a new meld or on a meld of the side."""
    once, twice, first = s.once[s.seat], s.twice[s.seat], w.n_ids
    if bit(top) & WILD_CARDS:
        append_melds(w, once, twice, s.meld_rules & MELD_SETS)
    else:
        append_runs(w, once, twice, top // 13)
        if s.meld_rules & MELD_SETS:
            append_sets(w, once, twice, top % 13)
    last, reason = w.n_ids, CODE_PILE_UNUSABLE
    for i in range(first, last):
        code = check_new(s, w, action_meld(w.ids[i]))
        if code == CODE_LEGAL:
            w.n_ids = first
            return CODE_LEGAL
        reason = worse(code, reason)
    w.n_ids = first
    if s.top_wild_new and bit(top) & WILD_CARDS:
        return reason
    side = s.seat & 1
    for slot in range(s.n_melds[side]):
        code = top_reach(s, w, slot, s.melds[side * MELD_SLOTS + slot], once, twice)
        if code == CODE_LEGAL:
            return CODE_LEGAL
        reason = worse(code, reason)
    return reason


def top_lands(s: State, side: int, slot: int, meld: int, once: int, twice: int) -> int:
    """Return 0 if the top card can be added to ``meld`` (lying in ``slot``) now, and the turn can then end."""
    reason = CODE_TOP_OUT_OF_REACH
    top, old = s.top_card, s.melds[side * MELD_SLOTS + slot]
    once, twice = without_card(once, twice, top)
    left = cards_in(once, twice)
    for high in range(2 if top % 13 == 0 else 1):
        for how in range(3):
            new = add_to_meld(meld, top, how, high, s.meld_rules)
            if new < 0:
                continue
            swap_meld(s, side, slot, new)
            code = leave_code(s, side, left, once, s.n_pile)
            swap_meld(s, side, slot, old)
            if code == CODE_LEGAL:
                return CODE_LEGAL
            reason = worse(code, reason)
    return reason


def cards_in(once: int, twice: int) -> int:
    """Return the number of cards in the masks of a hand."""
    return popcount(once) + popcount(twice)


def top_reach(s: State, w: Workspace, slot: int, meld: int, once: int, twice: int) -> int:
    """Return 0 if the top card can be added to a meld, there if need be after other hand cards added to that same meld.

    A breadth-first walk over the melds that the hand can make of it; a meld determines which cards went into it.
    """
    side, top = s.seat & 1, s.top_card
    new_round(w)
    w.queue_meld[0], w.queue_once[0], w.queue_twice[0] = meld, once, twice
    done, n, reason = 0, 1, CODE_TOP_OUT_OF_REACH
    while done < n:
        meld, once, twice = w.queue_meld[done], w.queue_once[done], w.queue_twice[done]
        done += 1
        code = top_lands(s, side, slot, meld, once, twice)
        if code == CODE_LEGAL:
            return CODE_LEGAL
        reason = worse(code, reason)
        cards = joining_cards(meld, once, s.meld_rules) & ~bit(top)
        while cards:
            card = ctz(cards)
            cards &= cards - 1
            for high in range(2 if card % 13 == 0 else 1):
                for how in range(3):
                    new = add_to_meld(meld, card, how, high, s.meld_rules)
                    if new >= 0 and n < 8192 and first_visit(w, new, 0):
                        w.queue_meld[n] = new
                        w.queue_once[n], w.queue_twice[n] = without_card(once, twice, card)
                        n += 1
    return reason


def check_discard(s: State, card: int) -> int:
    """Check a discard."""
    seat, side = s.seat, s.seat & 1
    if s.phase == PHASE_TOP:
        return CODE_MUST_USE_TOP
    if s.phase == PHASE_OPENING:
        return CODE_OPENING_MELDS_ONLY
    if not s.once[seat] >> card & 1:
        return CODE_CARD_NOT_HELD
    if card == s.barred_card:
        return CODE_CARD_BARRED
    if s.count[seat] > 1 or (s.opening_need[side] and s.n_melds[side]):
        return CODE_LEGAL  # with an opening still short, the melds return to the hand first
    if morto_free(s, side):
        return CODE_LEGAL
    code = close_code(s, side)
    if code == CODE_LEGAL and not s.close_wild and bit(card) & WILD_CARDS:
        return CODE_CLOSE_WILD_DISCARD
    return code


def rank_has_set(s: State, side: int, meld: int) -> int:
    """Say whether the side has a set of the rank of this one."""
    for slot in range(s.n_melds[side]):
        other = s.melds[side * MELD_SLOTS + slot]
        if other & SET_FLAG and other & 15 == meld & 15:
            return 1
    return 0


def check_new(s: State, w: Workspace, meld: int) -> int:
    """Check a new meld."""
    seat, side = s.seat, s.seat & 1
    code = new_meld(meld, s.meld_rules)
    if code:
        return code
    if not holds_meld(s.once[seat], s.twice[seat], meld):
        return CODE_CARD_NOT_HELD
    if meld & SET_FLAG and s.meld_rules & MELD_ONE_SET and rank_has_set(s, side, meld):
        return CODE_RANK_HAS_SET
    if s.n_melds[side] >= MELD_SLOTS:
        return CODE_TOO_MANY_MELDS
    wait = 0
    if s.phase == PHASE_TOP:
        if s.top_slot >= 0:
            return CODE_TOP_OTHER_MELD
        if not meld_once(meld) >> s.top_card & 1:
            return CODE_MUST_USE_TOP
        wait = s.n_pile
    elif s.rest_waits:
        wait = s.n_pile
    left = s.count[seat] - meld_size(meld)
    if s.opening_need[side] == 0 and left + wait >= 2:
        return CODE_LEGAL
    once, twice = without_meld(s.once[seat], s.twice[seat], meld)
    if s.opening_need[side]:
        return check_opening(s, w, meld, left, once, twice, wait)
    push_meld(s, side, meld, -1)
    code = leave_code(s, side, left, once, wait)
    pop_meld(s, side)
    return code


def check_opening(s: State, w: Workspace, meld: int, left: int, once: int, twice: int, wait: int) -> int:
    """Check a new meld while the side has not met its opening minimum."""
    side = s.seat & 1
    need = s.opening_need[side] - s.laid_points - meld_points(s, meld)
    if need > 0 and s.opening_mode == OPENING_OVER_TURN:
        return short_code(s, left, once, wait)
    push_meld(s, side, meld, -1)
    if need <= 0:
        code = leave_code(s, side, left, once, wait)
    else:
        # What lies on the table matters where the last card must join it, or the opening must close.
        if not w.shared or not morto_free(s, side) or s.barred_card >= 0:
            new_round(w)
        code = CODE_LEGAL if opening_possible(s, w, once, twice, need, wait) else CODE_OPENING_SHORT
    pop_meld(s, side)
    return code


def opening_key(s: State, aside: int) -> int:
    """Return what the end of an opening depends on besides the hand and what lay there before, as 14 bits.

    While a morto waits, or where one set a rank is allowed and several cards are set aside (so that the turn can end):
    whether one card is set aside, or several, or the barred one; and the ranks that have a set. Else which card is set
    aside, and whether the table has a canasta and a clean one, with which the opening itself might close.
    """
    side = s.seat & 1
    if not morto_free(s, side) and not (s.meld_rules & MELD_ONE_SET and aside == CARDS_ASIDE):
        return aside + 2 | (64 if s.n_canasta[side] else 0) | (128 if s.n_clean[side] else 0)
    key = 0 if aside == NO_CARD_ASIDE else 2 if aside == CARDS_ASIDE else 3 if aside == s.barred_card else 1
    return key | sets_key(s) << 2 if s.meld_rules & MELD_ONE_SET else key


def sets_key(s: State) -> int:
    """Return the ranks of which the side has a set, as 12 bits (there are no sets of twos)."""
    side, mask = s.seat & 1, 0
    for slot in range(s.n_melds[side]):
        meld = s.melds[side * MELD_SLOTS + slot]
        if meld & SET_FLAG:
            mask |= bit(meld & 15)
    return (mask & 1) | (mask >> 1 & 4094)


def opening_possible(s: State, w: Workspace, once: int, twice: int, need: int, wait: int) -> int:
    """Say whether more new melds from the hand can bring ``need`` points, and the turn can then end."""
    return opening_search(s, w, once, twice, need, NO_CARD_ASIDE, wait)


def opening_search(s: State, w: Workspace, once: int, twice: int, need: int, aside: int, wait: int) -> int:
    """Answer `opening_possible` card by card: the hand's first natural card goes into a meld, or is set aside.

    ``aside``: that card, -1 for none, -2 for several. So each choice of melds is met once, in whatever order a player
    might lay them, and a hand that failed once fails again. While a morto waits no run longer than five need be tried:
    it is several shorter ones.
    """
    side = s.seat & 1
    rest = once & ~WILD_CARDS & (bit(JOKER) - 1)
    if rest == 0 or usable_points(s, once, twice) < need:
        return 0
    remembers = 1 if morto_free(s, side) or aside == CARDS_ASIDE or not s.meld_rules & MELD_ONE_SET else 0
    key = opening_key(s, aside)
    key_once, key_twice = once | (key & 255) << 54, twice | key >> 8 << 54
    if remembers and hopeless(w, key_once, key_twice, need):
        return 0
    card, first = ctz(rest), w.n_ids
    append_runs(w, once, twice, card // 13)
    if s.meld_rules & MELD_SETS:
        append_sets(w, once, twice, card % 13)
    longest, found = 5 if morto_free(s, side) else 14, 0
    # From the end: there the runs of highest cards and the sets lie, which bring most.
    for i in range(w.n_ids - 1, first - 1, -1):
        meld = action_meld(w.ids[i])
        if not meld_once(meld) >> card & 1 or new_meld(meld, s.meld_rules):
            continue
        if not meld & SET_FLAG and meld_size(meld) > longest:
            continue
        if meld & SET_FLAG and s.meld_rules & MELD_ONE_SET and rank_has_set(s, side, meld):
            continue
        points = meld_points(s, meld)
        less_once, less_twice = without_meld(once, twice, meld)
        push_meld(s, side, meld, -1)
        if points >= need:
            found = opening_ends(s, less_once, less_twice, aside, wait)
        else:
            found = opening_search(s, w, less_once, less_twice, need - points, aside, wait)
        pop_meld(s, side)
        if found:
            break
    w.n_ids = first
    if not found:
        less_once, less_twice = without_card(once, twice, card)
        aside = card if aside == NO_CARD_ASIDE else CARDS_ASIDE
        found = opening_search(s, w, less_once, less_twice, need, aside, wait)
    if remembers and not found:
        note_hopeless(w, key_once, key_twice, need)
    return found


def opening_ends(s: State, once: int, twice: int, aside: int, wait: int) -> int:
    """Say whether the turn can end after an opening that leaves these cards and those set aside."""
    left = cards_in(once, twice)
    if aside == CARDS_ASIDE:
        return 1
    if aside != NO_CARD_ASIDE:
        left += 1
        once |= bit(aside)
    return 1 if leave_code(s, s.seat & 1, left, once, wait) == CODE_LEGAL else 0


def usable_points(s: State, once: int, twice: int) -> int:
    """Return no less than the points that melds from these cards can bring: what has no company is left out."""
    usable = once & WILD_CARDS
    for suit in range(4):
        slots = held_slots(once, suit)
        near = slots & (slots << 1 | slots >> 1 | slots << 2 | slots >> 2)
        usable |= ((near >> 1 | near >> 14) & 0x1FFF) << suit * 13
    if s.meld_rules & MELD_SETS:
        for suit in range(3):
            mates = once & (once >> 13 * (suit + 1)) & (bit(39) - 1)
            usable |= mates | mates << 13 * (suit + 1)
        usable |= once & twice
    usable &= once
    jokers = once & ~(bit(JOKER) - 1)
    return mask_points(s, usable | jokers) + mask_points(s, twice & (usable | jokers | bit(JOKER + 1)))


def check_add(s: State, w: Workspace, action: int) -> int:
    """Check an addition."""
    seat, side = s.seat, s.seat & 1
    if s.phase == PHASE_OPENING:
        return CODE_OPENING_MELDS_ONLY
    slot, card = added_slot(action), added_card(action)
    if slot >= s.n_melds[side]:
        return CODE_NO_SUCH_MELD
    if not s.once[seat] >> card & 1:
        return CODE_CARD_NOT_HELD
    if s.phase == PHASE_TOP and s.top_slot >= 0 and slot != s.top_slot:
        return CODE_TOP_OTHER_MELD
    old = s.melds[side * MELD_SLOTS + slot]
    meld = add_to_meld(old, card, added_how(action), added_high(action), s.meld_rules)
    if meld < 0:
        return -meld
    once, twice = without_card(s.once[seat], s.twice[seat], card)
    if s.phase == PHASE_TOP:
        return check_top_add(s, w, slot, meld, card, once, twice)
    left = s.count[seat] - 1
    if s.opening_need[side] > s.laid_points + s.value[card]:
        return short_code(s, left, once, 0)
    if left >= 2:
        return CODE_LEGAL
    swap_meld(s, side, slot, meld)
    code = leave_code(s, side, left, once, 0)
    swap_meld(s, side, slot, old)
    return code


def check_top_add(s: State, w: Workspace, slot: int, meld: int, card: int, once: int, twice: int) -> int:
    """Check an addition while the top card of the closed pile must be used; ``meld`` and the masks are as after it."""
    side, top = s.seat & 1, s.top_card
    if s.top_wild_new and bit(top) & WILD_CARDS:
        return CODE_TOP_NEEDS_NEW_MELD
    if card != top:
        return top_reach(s, w, slot, meld, once, twice)
    old = s.melds[side * MELD_SLOTS + slot]
    swap_meld(s, side, slot, meld)
    code = leave_code(s, side, s.count[s.seat] - 1, once, s.n_pile)
    swap_meld(s, side, slot, old)
    return code


def morto_free(s: State, side: int) -> int:
    """Say whether the side may still take a morto."""
    return 1 if not s.morto_taken[side] and s.mortos_gone < 2 else 0


def close_code(s: State, side: int) -> int:
    """Return 0 if the side, which has no morto to come, has the right to close (field ``close_*``), else a code."""
    if s.close_needs_taken and not s.morto_taken[side]:
        return CODE_CLOSE_NEEDS_MORTO
    if s.n_canasta[side] == 0:
        return CODE_CLOSE_NEEDS_CLEAN if s.close_needs_clean else CODE_CLOSE_NEEDS_CANASTA
    if s.close_needs_clean and s.n_clean[side] == 0:
        return CODE_CLOSE_NEEDS_CLEAN
    return CODE_LEGAL


def leave_code(s: State, side: int, left: int, once: int, wait: int) -> int:
    """Return 0 if a turn can still end after a play (rules §2 item 10); the table is as after it.

    ``left`` cards (mask ``once``) stay in the hand, and ``wait`` unseen cards of a closed pile come to it.
    """
    if left + wait >= 2:
        return CODE_LEGAL
    if left + wait == 0:
        if morto_free(s, side):
            return CODE_LEGAL if s.direct_morto else CODE_NO_DIRECT_MORTO
        code = close_code(s, side)
        if code:
            return code
        return CODE_LEGAL if s.close_by_meld else CODE_CLOSE_NEEDS_DISCARD
    if wait:
        # One unseen card: the answer may not depend on it, so it must be one that may be discarded whatever it is.
        if morto_free(s, side):
            return CODE_LEGAL
        if close_code(s, side) or not s.close_wild:
            return CODE_TOP_TURN_COULD_NOT_END
        return CODE_LEGAL
    return last_card_code(s, side, JOKER if once >> JOKER else ctz(once))


def last_card_code(s: State, side: int, card: int) -> int:
    """Return 0 if a hand of this one card may be discarded, or added so that the hand empties legally."""
    if card != s.barred_card:
        if morto_free(s, side):
            return CODE_LEGAL
        if close_code(s, side) == CODE_LEGAL and (s.close_wild or not bit(card) & WILD_CARDS):
            return CODE_LEGAL
    if s.direct_morto if morto_free(s, side) else s.close_by_meld:
        return last_card_joins(s, side, card)
    return CODE_TURN_COULD_NOT_END


def last_card_joins(s: State, side: int, card: int) -> int:
    """Return 0 if the last card can be added to a meld of the side and the empty hand is then legal."""
    for slot in range(s.n_melds[side]):
        old = s.melds[side * MELD_SLOTS + slot]
        for high in range(2 if card % 13 == 0 else 1):
            for how in range(3):
                meld = add_to_meld(old, card, how, high, s.meld_rules)
                if meld < 0:
                    continue
                if morto_free(s, side):
                    return CODE_LEGAL
                swap_meld(s, side, slot, meld)
                code = close_code(s, side)
                swap_meld(s, side, slot, old)
                if code == CODE_LEGAL:
                    return CODE_LEGAL
    return CODE_TURN_COULD_NOT_END


def short_code(s: State, left: int, once: int, wait: int) -> int:
    """Return 0 if an opening that is still short may go on: any number of cards may be left (rules §4, `classico`).

    Only a single card that may not be discarded would leave the player without an action.
    """
    if left == 1 and wait == 0 and s.barred_card >= 0 and once >> s.barred_card & 1:
        return CODE_TURN_COULD_NOT_END
    return CODE_LEGAL
