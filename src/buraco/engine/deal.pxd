cimport cython
from buraco.engine.c_bits cimport bit, copy_bytes, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.club cimport NOVICE_SET, score_set
from buraco.engine.legality cimport check_action
from buraco.engine.moves cimport legal_moves
from buraco.engine.playout cimport choose_action, run_many, run_playout, seed_state
from buraco.engine.state cimport *
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace

cdef class Deal(State):
    cdef readonly object rules
    cdef Workspace work
    cpdef set_opening(self)
    @cython.locals(other=Deal)
    cpdef Deal copy(self)

cdef _set_up(Deal deal, rules, long long players, long long dealer, totals)
cdef _set_play_rules(Deal deal, rules)
cdef _set_score_rules(Deal deal, rules)
cdef _set_cards(Deal deal, position)
cdef _set_numbers(Deal deal, position)
cdef _set_rng(Deal deal, long long rng)
cdef _run_free(Deal table, long long policy, long long seed, long long count, long long up_card)
