from buraco.engine.c_bits cimport bit, ctz
from buraco.engine.c_constants cimport *
from buraco.engine.melds cimport add_to_meld, meld_once, meld_twice, meld_wild
from buraco.engine.numbering cimport action_meld, added_card, added_high, added_how, added_slot
from buraco.engine.state cimport *

cdef void apply_action(State s, long long action) noexcept nogil
cdef long long draw_stock(State s) noexcept nogil
cdef void take_pile(State s) noexcept nogil
cdef void pile_to_hand(State s) noexcept nogil
cdef void reject_first(State s) noexcept nogil
cdef void discard(State s, long long card) noexcept nogil
cdef void to_pile(State s, long long card) noexcept nogil
cdef void lay(State s, long long meld) noexcept nogil
cdef void add(State s, long long action) noexcept nogil
cdef void tabled_points(State s, long long points) noexcept nogil
cdef void settle(State s, long long used_top) noexcept nogil
cdef void fail_opening(State s) noexcept nogil
cdef void return_melds(State s) noexcept nogil
cdef void take_mask(State s, long long seat, long long mask) noexcept nogil
cdef void return_mask(State s, long long seat, long long mask) noexcept nogil
cdef void emptied(State s, long long by_discard) noexcept nogil
cdef void end_turn(State s) noexcept nogil
cdef void refill_stock(State s) noexcept nogil
cdef void finish(State s, long long kind) noexcept nogil
