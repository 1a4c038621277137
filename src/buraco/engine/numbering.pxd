
from buraco.engine.c_constants cimport ACTION_ADD, ACTION_RUN, ACTION_SET, ADD_HIGH_ACE, ADDS_PER_MELD, JOKER, NO_CARD, RUNS_PER_SUIT, SETS_PER_RANK, SET_FLAG

cdef long long[2655] RUN_SHAPE
cdef long long[225] RUN_FIRST
cdef long long[446] SET_SHAPE
cdef long long[1536] SET_INDEX
cdef long long wild_index(long long card) noexcept nogil
cdef long long run_wild_card(long long suit, long long relative) noexcept nogil
cpdef long long action_meld(long long action) noexcept nogil
cpdef long long run_action(long long meld) noexcept nogil
cpdef long long set_action(long long meld) noexcept nogil
cpdef long long meld_action(long long meld) noexcept nogil
cpdef long long add_action(long long slot, long long card, long long how, long long high) noexcept nogil
cpdef long long added_slot(long long action) noexcept nogil
cpdef long long added_card(long long action) noexcept nogil
cpdef long long added_how(long long action) noexcept nogil
cpdef long long added_high(long long action) noexcept nogil
