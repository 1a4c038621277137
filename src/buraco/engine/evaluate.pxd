cimport cython
from buraco.engine.c_bits cimport bit, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.enumeration cimport WILD_CARDS, held_slots, joining_cards
from buraco.engine.legality cimport close_code, morto_free
from buraco.engine.melds cimport meld_size, meld_wild
from buraco.engine.playout cimport choose_action, seed_state
from buraco.engine.state cimport *
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace


cdef class Evaluation:
    cdef long long[864] weights
    cdef long long[64] feature
    cdef long long[16384] kept
    cdef long long[8192] squares
    cdef long long[256] targets
    cdef long long[8] counts
    cdef readonly long long ready  # last: the sanitizer's bounds check does not see an array that is the last member

cdef long long SCALE
cdef long long stage_of(State s) noexcept nogil
cdef long long table_kind(State s) noexcept nogil
cdef long long evaluate(State s, Evaluation e) noexcept nogil
cdef void features(State s, Evaluation e) noexcept nogil
cdef void meld_features(State s, Evaluation e, long long side, long long sign) noexcept nogil
cdef void clean_features(State s, Evaluation e, long long meld, long long size, long long category, long long sign) noexcept nogil
cdef void side_features(State s, Evaluation e, long long side, long long sign) noexcept nogil
cdef void hand_features(State s, Evaluation e, long long seat, long long sign) noexcept nogil
cdef void collect(State s, Workspace w, Evaluation e, long long policy, long long seed, long long number, long long up_card) noexcept nogil
cdef void copy_feature(Evaluation e, long long kept, long long stage) noexcept nogil
cdef void add_sample(Evaluation e, long long number, long long result) noexcept nogil
cdef _collect_free(State s, Workspace w, Evaluation e, long long policy, long long seed, long long number, long long up_card)
