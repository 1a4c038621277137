cimport cython
from buraco.engine.c_bits cimport bit, ctz, fetch, item, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.deal cimport Deal
from buraco.engine.legality cimport check_action
from buraco.engine.moves cimport legal_moves
from buraco.engine.observation cimport write_observation
from buraco.engine.playout cimport seed_state
from buraco.engine.state cimport State, copy_rules, copy_state, deal_cards, shuffle_pack, side_score
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace

cdef class Batch:
    cdef Deal table
    cdef list states, works
    cdef tuple bounds
    cdef unsigned long long[::1] masks
    cdef unsigned long long[::1] marks
    cdef int[::1] counts
    cdef signed char[::1] seats
    cdef long long[::1] deals
    cdef unsigned char[::1] dones
    cdef int[::1] scores
    cdef int[::1] rewards
    cdef short[::1] observations
    cdef unsigned long long seed
    cdef long long up_card, observed
    cdef readonly long long first
    cdef readonly long long count
    cpdef Deal deal(self, index)

cdef unsigned long long MASK_64, STREAM_STEP, STREAM_FACTOR_1, STREAM_FACTOR_2
@cython.locals(x=cython.ulonglong)
cdef unsigned long long scattered(unsigned long long number) noexcept nogil
cdef unsigned long long drawn(unsigned long long seed, unsigned long long table, unsigned long long number) noexcept nogil
cdef State _fresh_state(State table)
cdef _take_over(State target, State source)
cdef long long _code_at(Batch b, Workspace w, long long index, long long action)
cdef _reset_free(Batch b, Workspace w)
cdef long long _refused_free(Batch b, const long long[::1] actions, long long first)
cdef _step_free(Batch b, Workspace w, const long long[::1] actions, long long first, long long end)
cdef _pick_free(Batch b, long long[::1] actions, unsigned long long seed, long long first, long long end)
cdef void reset_tables(Batch b, Workspace w) noexcept nogil
cdef long long first_refused(Batch b, const long long[::1] actions, long long first) noexcept nogil
cdef void step_tables(Batch b, Workspace w, const long long[::1] actions, long long first, long long end) noexcept nogil
cdef void step_table(Batch b, State s, Workspace w, long long i, long long action) noexcept nogil
cdef void no_result(Batch b, long long i) noexcept nogil
cdef void write_result(Batch b, State s, long long i) noexcept nogil
cdef void begin_table(Batch b, State s, long long i) noexcept nogil
@cython.locals(mark=cython.ulonglong, pointer="short *")
cdef void show_table(Batch b, State s, Workspace w, long long i) noexcept nogil
cdef void pick_actions(Batch b, long long[::1] actions, unsigned long long seed, long long first, long long end) noexcept nogil
@cython.locals(chance=cython.ulonglong, left=cython.longlong, mark=cython.ulonglong, mask=cython.ulonglong, number=cython.longlong)
cdef long long pick_action(Batch b, State s, long long i, unsigned long long seed) noexcept nogil
