cimport cython
from buraco.engine.c_bits cimport bit, ctz
from buraco.engine.c_constants cimport *
from buraco.engine.deal cimport Deal
from buraco.engine.melds cimport meld_once, meld_size, meld_twice
from buraco.engine.moves cimport legal_moves
from buraco.engine.state cimport State, meld_bonus, meld_category
from buraco.engine.workspace cimport Workspace

cdef long long AT_HAND, AT_OTHERS, AT_SHOWN, AT_UNSEEN, AT_TABLE, AT_MELDS, AT_PILE_CARDS, AT_PILE, AT_PHASE
cdef long long AT_SEATS, AT_SIDES, AT_MORTOS, AT_DEAL
cdef long long CARD_COUNT, MELD_COLUMNS, PILE_COLUMNS, SEAT_COLUMNS, SIDE_COLUMNS, LIMIT, HIDDEN
cdef long long limited(long long number) noexcept nogil
cdef long long age_of(State s, long long turn) noexcept nogil
cdef void count_cards(short *out, long long at, long long mask, long long number) noexcept nogil
cdef void see_cards(short *out, long long first, long long at, long long once, long long twice) noexcept nogil
cdef void write_hands(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_meld(State s, short *out, long long at, long long meld, long long turn) noexcept nogil
cdef void write_table(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_pile(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_seats(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_deal(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_observation(State s, long long seat, short *out, long long first) noexcept nogil
cdef void write_ids(Workspace w, unsigned long long *words, long long first) noexcept nogil
cdef long long write_mask(State s, Workspace w, unsigned long long *words, long long first) noexcept nogil
@cython.locals(pointer="short *")
cdef _observe(Deal deal, long long seat, short[::1] out, long long first)
@cython.locals(pointer="unsigned long long *")
cdef long long _legal_words(Deal deal, unsigned long long[::1] words, long long first) except -1
