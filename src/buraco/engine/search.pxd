cimport cython
from buraco.engine.c_bits cimport bit
from buraco.engine.c_constants cimport *
from buraco.engine.evaluate cimport Evaluation, evaluate
from buraco.engine.playout cimport choose_action, seed_state
from buraco.engine.state cimport *
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace

cdef class Futures:
    cdef State root, world, trial
    cdef Workspace work
    cdef long long[128] pool
    cdef long long[128] place
    cdef long long[320] energy
    cdef long long[24] candidate  # CANDIDATES_MAX
    cdef long long[768] value  # CANDIDATES_MAX * WORLDS_MAX
    cdef long long[4] base_once
    cdef long long[4] base_twice
    cdef long long[4] base_count
    cdef long long pool_count, hand_pool, candidates, seed, depth, node_cap, near_turns, near_policy, far_policy, sweeps
    cdef readonly long long ready  # last: the sanitizer's bounds check does not see an array that is the last member

cdef long long PLACE_NOWHERE, THROWN_BESIDE, THROWN_NEAR, THROWN_RANK, PASSED_BESIDE, PASSED_RANK, ENERGY_MAX
cdef long long[64] ACCEPT_TABLE
cdef long long hidden_pile(State s) noexcept nogil
@cython.locals(root=State, world=State, trial=State)
cdef set_root(Futures f, State s)
cdef void gather(Futures f, State s) noexcept nogil
cdef void believe(Futures f, State s) noexcept nogil
cdef void repel(Futures f, long long meld_rules, long long seat, long long card, long long beside, long long near, long long rank) noexcept nogil
cdef void make_world(Futures f, State root, State s, long long number) noexcept nogil
cdef void swap_by_belief(Futures f, State s) noexcept nogil
cdef long long held(Futures f, long long index, long long card) noexcept nogil
cdef long long play_worlds(Futures f, State root, State world, State trial, Workspace w, Evaluation e, long long first, long long count, long long mask) noexcept nogil
cdef long long play_future(Futures f, State s, Workspace w, long long action) noexcept nogil
cdef long long value_of_end(State s, Evaluation e) noexcept nogil
@cython.locals(root=State, world=State, trial=State, work=Workspace, nodes=cython.longlong)
cdef _play_free(Futures f, Evaluation e, long long first, long long count, long long mask)
@cython.locals(f=Futures)
cpdef futures_of(State root, list candidates, long long seed, plan)
@cython.locals(i=cython.longlong, k=cython.longlong, nodes=cython.longlong)
cpdef play_futures(Futures f, Evaluation e, long long first, long long count, long long mask)
@cython.locals(root=State, world=State)
cpdef world_of(Futures f, State target, long long number)
