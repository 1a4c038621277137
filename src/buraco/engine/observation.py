# cython: language_level=3, annotation_typing=False, infer_types=True, cdivision=True, boundscheck=False
# cython: wraparound=False, initializedcheck=False
"""What a seat may see, written as numbers into a caller's buffer; and the legal actions as bits.

`observation_parts.PARTS` says what each number means. Nothing here reads a card that the seat may not see: of another's
hand what everyone knows, of a closed pile the card on top, of the stock and the waiting mortos nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cython

from buraco.engine.arguments import whole_number
from buraco.engine.observation_parts import NUMBER_MAX, part

if TYPE_CHECKING:
    from buraco.engine.deal import Deal

if not cython.compiled:
    from buraco.engine.bits import bit, ctz
    from buraco.engine.constants import (
        JOKER,
        MASK_WORDS,
        MELD_SLOTS,
        NO_CARD,
        OBSERVATION_SIZE,
        PHASE_OVER,
        SET_FLAG,
    )
    from buraco.engine.melds import meld_once, meld_size, meld_twice
    from buraco.engine.moves import legal_moves
    from buraco.engine.state import State, meld_bonus, meld_category
    from buraco.engine.workspace import Workspace

__all__ = ["legal_words", "observe", "write_ids", "write_mask", "write_observation"]

# Where the parts begin, and how many numbers a row of a part has. Compiled, observation.pxd makes C numbers of them.
AT_HAND = part("hand").first
AT_OTHERS = part("others").first
AT_SHOWN = part("shown").first
AT_UNSEEN = part("unseen").first
AT_TABLE = part("table").first
AT_MELDS = part("melds").first
AT_PILE_CARDS = part("pile_cards").first
AT_PILE = part("pile").first
AT_PHASE = part("phase").first
AT_SEATS = part("seats").first
AT_SIDES = part("sides").first
AT_MORTOS = part("mortos").first
AT_DEAL = part("deal").first
CARD_COUNT = part("hand").size
MELD_COLUMNS = part("melds").row_size
PILE_COLUMNS = part("pile").row_size
SEAT_COLUMNS = part("seats").row_size
SIDE_COLUMNS = part("sides").row_size
LIMIT = NUMBER_MAX
#: How a card of the pile is written that nobody may see.
HIDDEN = part("hand").size + 1


def limited(number: int) -> int:
    """Return a number as 16 bits hold it."""
    return -LIMIT if number < -LIMIT else LIMIT if number > LIMIT else number


def age_of(s: State, turn: int) -> int:
    """Return how many turns lie between a turn and the one in play, both counted; 0 if there is no such turn."""
    return limited(s.turn_count - turn + 1) if turn >= 0 else 0


def count_cards(out: Any, at: int, mask: int, number: int) -> None:
    """Add a number to the count of each card of a mask, the jokers' two bits to one count."""
    while mask:
        card = ctz(mask)
        out[at + (JOKER if card > JOKER else card)] += number
        mask &= mask - 1


def see_cards(out: Any, first: int, at: int, once: int, twice: int) -> None:
    """Count cards that the seat sees: into a part, and out of the unseen ones."""
    count_cards(out, at, once, 1)
    count_cards(out, at, twice, 1)
    count_cards(out, first + AT_UNSEEN, once, -1)
    count_cards(out, first + AT_UNSEEN, twice, -1)


def write_hands(s: State, seat: int, out: Any, first: int) -> None:
    """Write the own hand, and of the others what may be seen."""
    see_cards(out, first, first + AT_HAND, s.once[seat], s.twice[seat])
    count_cards(out, first + AT_SHOWN, s.known_once[seat], 1)
    count_cards(out, first + AT_SHOWN, s.known_twice[seat], 1)
    for turned in range(1, s.players):
        other = (seat + turned) % s.players
        at = first + AT_OTHERS + (turned - 1) * CARD_COUNT
        if s.phase == PHASE_OVER:
            see_cards(out, first, at, s.once[other], s.twice[other])
        else:
            see_cards(out, first, at, s.known_once[other], s.known_twice[other])


def write_meld(s: State, out: Any, at: int, meld: int, turn: int) -> None:
    """Write the numbers of one meld."""
    if meld & SET_FLAG:
        out[at], out[at + 2] = 2, (meld & 15) + 1
        for suit in range(4):
            out[at + 7 + suit] = meld >> 4 + 2 * suit & 3
    else:
        out[at], out[at + 1], out[at + 3], out[at + 4] = 1, (meld >> 18 & 3) + 1, meld & 15, meld >> 4 & 15
        out[at + 5] = meld >> 8 & 15
    wild = meld >> 12 & 63
    out[at + 6] = 0 if wild == NO_CARD else wild + 1
    out[at + 11], out[at + 12], out[at + 13] = meld_size(meld), meld_category(s, meld, turn), age_of(s, turn)


def write_table(s: State, seat: int, out: Any, first: int) -> None:
    """Write the melds of both sides, and the sides' own numbers."""
    for turned in range(2):
        side = (seat + turned) & 1
        points = 0
        for slot in range(s.n_melds[side]):
            index = side * MELD_SLOTS + slot
            meld, turn = s.melds[index], s.meld_turn[index]
            see_cards(out, first, first + AT_TABLE + turned * CARD_COUNT, meld_once(meld), meld_twice(meld))
            at = first + AT_MELDS + (turned * MELD_SLOTS + slot) * MELD_COLUMNS
            write_meld(s, out, at, meld, turn)
            points += meld_bonus(s, out[at + 12])
        for card in range(CARD_COUNT if s.n_melds[side] else 0):
            points += out[first + AT_TABLE + turned * CARD_COUNT + card] * s.value[card]
        at = first + AT_SIDES + turned * SIDE_COLUMNS
        out[at] = limited(s.total_1 if side else s.total_0)
        out[at + 1] = limited(s.opening_need[side])
        out[at + 2], out[at + 3], out[at + 4] = s.n_melds[side], s.n_canasta[side], s.n_clean[side]
        out[at + 5], out[at + 6] = s.morto_taken[side], limited(points)


def write_pile(s: State, seat: int, out: Any, first: int) -> None:
    """Write the pile from its top: of a closed one the card that all see, and of the others who put them there."""
    # While the taker has still to use the top, or to reach the minimum with it, the rest lies face down.
    hidden = 0
    if s.pile_closed:
        hidden = s.n_pile if s.top_card >= 0 or s.rest_waits else s.n_pile - 1
    for place in range(s.n_pile):
        index = s.n_pile - 1 - place
        at = first + AT_PILE + place * PILE_COLUMNS
        if index < hidden:
            out[at] = HIDDEN
        else:
            card = s.pile[index]
            out[at] = card + 1
            out[first + AT_PILE_CARDS + card] += 1
            out[first + AT_UNSEEN + card] -= 1
        if s.pile_seat[index] != 255:
            out[at + 1] = (s.pile_seat[index] - seat + s.players) % s.players + 1
        out[at + 2] = age_of(s, s.pile_turn[index])


def write_seats(s: State, seat: int, out: Any, first: int) -> None:
    """Write the numbers of the seats, the own first."""
    for turned in range(s.players):
        other = (seat + turned) % s.players
        at = first + AT_SEATS + turned * SEAT_COLUMNS
        out[at] = s.count[other]
        out[at + 1] = 1 if other == s.seat and s.phase != PHASE_OVER else 0
        out[at + 2] = 1 if other == s.dealer else 0
        out[at + 3] = 1 if s.unplayed[other] else 0
        out[at + 4] = 1 if other == s.out_seat else 0


def write_deal(s: State, seat: int, out: Any, first: int) -> None:
    """Write the phase, the mortos and what else there is to know."""
    out[first + AT_PHASE + s.phase] = 1
    for index in range(2):
        owner = s.morto_owner[index]
        out[first + AT_MORTOS + index] = owner + 1 if owner < 0 or owner > 1 else 1 + ((owner ^ seat) & 1)
    at = first + AT_DEAL
    out[at], out[at + 1], out[at + 2], out[at + 3] = seat, s.players, limited(s.turn_count), limited(s.quiet_turns)
    out[at + 4], out[at + 5], out[at + 6] = s.n_stock, s.n_pile, limited(s.laid_points)
    out[at + 7], out[at + 8], out[at + 9] = s.drew_stock, s.tabled, s.took_single
    out[at + 10], out[at + 11] = s.rest_waits, s.rejected
    out[at + 13], out[at + 14] = s.top_card + 1, s.top_slot + 1
    if seat == s.seat or s.phase == PHASE_OVER:
        # Only the seat itself knows whether it holds a twin of what it took, and which card it looks at.
        out[at + 12], out[at + 15] = s.barred_card + 1, s.drawn_card + 1
    out[at + 16] = s.end_kind


def write_observation(s: State, seat: int, out: Any, first: int) -> None:
    """Write what a seat may see into the `OBSERVATION_SIZE` numbers of a buffer from ``first`` on, all of them."""
    for i in range(OBSERVATION_SIZE):
        out[first + i] = 0
    jokers = s.card_count
    for card in range(JOKER):
        number = (s.pack_once >> card & 1) + (s.pack_twice >> card & 1)
        out[first + AT_UNSEEN + card] = number
        jokers -= number
    out[first + AT_UNSEEN + JOKER] = jokers
    write_hands(s, seat, out, first)
    write_table(s, seat, out, first)
    write_pile(s, seat, out, first)
    write_seats(s, seat, out, first)
    write_deal(s, seat, out, first)


def write_ids(w: Workspace, words: Any, first: int) -> None:
    """Write the actions of a workspace into the `MASK_WORDS` words from ``first`` on.

    Action a is bit a & 63 of word a >> 6.
    """
    for i in range(MASK_WORDS):
        words[first + i] = 0
    for i in range(w.n_ids):
        action = w.ids[i]
        words[first + (action >> 6)] |= bit(action & 63)


def write_mask(s: State, w: Workspace, words: Any, first: int) -> int:
    """Write the legal actions of a state as `write_ids` does, and return how many there are; when it is over none."""
    legal_moves(s, w)
    write_ids(w, words, first)
    return w.n_ids


def observe(deal: Deal, seat: int, out: Any, first: int = 0) -> None:
    """Write what a seat may see into a flat buffer of whole numbers of 16 bits with a sign, from ``first`` on.

    It writes `OBSERVATION_SIZE` numbers (`observation_parts.PARTS` names them) and reads none. Raises ValueError for a
    seat that is not there or a buffer that is too short, and compiled for a buffer of another kind; TypeError for what
    is no whole number, and compiled for what is no buffer. Nothing is written then.
    """
    if type(seat) is not int:
        seat = whole_number("a seat", seat)
    if type(first) is not int:
        first = whole_number("first", first)
    if not 0 <= seat < deal.players:
        raise ValueError(f"there is no seat {seat}; seats are 0 to {deal.players - 1}")
    if first < 0 or len(out) - first < OBSERVATION_SIZE:
        raise ValueError(f"an observation needs {OBSERVATION_SIZE} numbers, from {first} on there are fewer")
    _observe(deal, seat, out, first)


def legal_words(deal: Deal, words: Any, first: int = 0) -> int:
    """Write the legal actions into a flat buffer of 64-bit words without a sign, from ``first`` on; return how many.

    It writes `MASK_WORDS` words: action a is bit ``a & 63`` of word ``a >> 6``. Raises ValueError for a buffer that is
    too short, and compiled for one of another kind; TypeError for a ``first`` that is no whole number, and compiled for
    what is no buffer. Nothing is written then.
    """
    if type(first) is not int:
        first = whole_number("first", first)
    if first < 0 or len(words) - first < MASK_WORDS:
        raise ValueError(f"a mask needs {MASK_WORDS} words, from {first} on there are fewer")
    return _legal_words(deal, words, first)


def _observe(deal: Deal, seat: int, out: Any, first: int) -> None:
    """Hand a buffer over as C memory (observation.pxd types the parameters)."""
    if cython.compiled:
        pointer = cython.address(out[0])
    else:
        pointer = out
    write_observation(deal, seat, pointer, first)


def _legal_words(deal: Deal, words: Any, first: int) -> int:
    """Hand a buffer over as C memory (observation.pxd types the parameters)."""
    if cython.compiled:
        pointer = cython.address(words[0])
    else:
        pointer = words
    return write_mask(deal, deal.work, pointer, first)
