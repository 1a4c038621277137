from buraco.engine.c_bits cimport bit, ctz, popcount
from buraco.engine.c_constants cimport *

cdef long long finish_run(long long naturals, long long slot, long long wild, long long suit, long long rules) noexcept nogil
cdef long long gap_slot(long long naturals) noexcept nogil
cdef long long add_wild(long long naturals, long long card, long long how, long long suit, long long rules) noexcept nogil
cdef long long join_natural(long long joined, long long how, long long suit, long long rules) noexcept nogil
cdef long long chosen_slot(long long joined, long long wild, long long how, long long suit) noexcept nogil
cdef long long move_wild(long long joined, long long slot, long long meld, long long how, long long rules) noexcept nogil
cdef long long forced_end(long long joined, long long how, long long wild, long long suit, long long rules) noexcept nogil
cdef long long swap_roles(long long naturals, long long card, long long how, long long suit, long long rules) noexcept nogil
cdef long long slot_mask(long long meld) noexcept nogil
cpdef long long run_limits(long long lo, long long hi, long long slot, long long rules) noexcept nogil
cpdef long long new_meld(long long meld, long long rules) noexcept nogil
cpdef long long add_to_run(long long meld, long long card, long long how, long long high, long long rules) noexcept nogil
cpdef long long add_to_set(long long meld, long long card, long long how, long long high) noexcept nogil
cpdef long long add_to_meld(long long meld, long long card, long long how, long long high, long long rules) noexcept nogil
cpdef long long meld_size(long long meld) noexcept nogil
cpdef long long meld_wild(long long meld) noexcept nogil
cpdef long long meld_once(long long meld) noexcept nogil
cpdef long long meld_twice(long long meld) noexcept nogil
cpdef long long natural_stretch(long long meld) noexcept nogil
