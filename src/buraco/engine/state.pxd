from buraco.engine.c_bits cimport bit, copy_bytes, copy_words, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.melds cimport meld_once, meld_size, meld_twice, meld_wild, natural_stretch

cdef class State:
    # The rules of the deal.
    cdef readonly long long players, meld_rules
    cdef readonly long long pile_closed, top_wild_new, single_barred, first_turn_option
    cdef readonly long long opening_mode, opening_penalty, opening_search_max
    cdef readonly long long direct_morto, close_needs_taken, close_needs_clean, close_by_meld, close_wild
    cdef readonly long long stock_refill, stock_end_count, stalemate, turn_cap
    cdef readonly long long canasta_size, bonus_dirty, bonus_clean, bonus_semi_clean, bonus_clean_13, bonus_clean_14
    cdef readonly long long clean_13_from_ace, big_at_once, bonus_out, morto_penalty, morto_waived, unplayed_rule, unplayed_points
    cdef readonly long long morto_size, hand_size, card_count, pack_once, pack_twice, target_points, has_jokers
    cdef long long[54] value
    # The deal.
    cdef readonly long long rng, dealer, seat, phase, turn_count, end_kind, out_seat
    cdef readonly long long total_0, total_1
    cdef readonly long long n_stock, n_pile, mortos_gone
    cdef readonly long long barred_card, top_card, top_slot, rest_waits, laid_points
    cdef readonly long long drew_stock, tabled, took_single, quiet_turns, drawn_card, rejected
    cdef unsigned char[128] pack
    cdef unsigned char[128] stock
    cdef unsigned char[128] pile
    cdef unsigned char[128] pile_seat
    cdef unsigned char[128] morto
    cdef long long[128] pile_turn
    cdef long long[4] once
    cdef long long[4] twice
    cdef long long[4] count
    cdef long long[4] known_once
    cdef long long[4] known_twice
    cdef long long[4] unplayed
    cdef long long[2] n_melds
    cdef long long[2] n_canasta
    cdef long long[2] n_clean
    cdef long long[2] morto_taken
    cdef long long[2] morto_owner
    cdef long long[2] opening_need
    cdef long long[72] melds
    cdef long long[72] meld_turn
    cdef readonly long long actions  # last: the sanitizer's bounds check does not see an array that is the last member

cdef void copy_rules(State target, State source) noexcept nogil
cdef void copy_state(State target, State source) noexcept nogil
cdef long long next_random(State s, long long below) noexcept nogil
cdef void give(State s, long long seat, long long card) noexcept nogil
cdef void take(State s, long long seat, long long card) noexcept nogil
cdef void forget(State s, long long seat, long long card) noexcept nogil
cdef void know(State s, long long seat, long long card) noexcept nogil
cdef (long long, long long) with_card(long long once, long long twice, long long card) noexcept nogil
cdef (long long, long long) without_card(long long once, long long twice, long long card) noexcept nogil
cdef long long holds_meld(long long once, long long twice, long long meld) noexcept nogil
cdef (long long, long long) without_meld(long long once, long long twice, long long meld) noexcept nogil
cdef long long copies(long long once, long long twice, long long card) noexcept nogil
cdef long long mask_points(State s, long long mask) noexcept nogil
cdef long long meld_points(State s, long long meld) noexcept nogil
cdef long long meld_category(State s, long long meld, long long turn) noexcept nogil
cdef long long meld_bonus(State s, long long category) noexcept nogil
cdef void count_meld(State s, long long side, long long meld, long long sign) noexcept nogil
cdef void push_meld(State s, long long side, long long meld, long long turn) noexcept nogil
cdef void pop_meld(State s, long long side) noexcept nogil
cdef void swap_meld(State s, long long side, long long slot, long long meld) noexcept nogil
cdef long long side_score(State s, long long side) noexcept nogil
cdef void deal_cards(State s, long long up_card) noexcept nogil
cdef void shuffle_pack(State s) noexcept nogil
cdef long long hand_cost(State s, long long seat) noexcept nogil
cdef void begin_turn(State s) noexcept nogil
cdef long long NO_BONUS, MASK_32
