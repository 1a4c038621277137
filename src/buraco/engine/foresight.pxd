from buraco.engine.c_bits cimport bit
from buraco.engine.c_constants cimport *
from buraco.engine.enumeration cimport WILD_CARDS
from buraco.engine.legality cimport morto_free, opening_possible
from buraco.engine.numbering cimport action_meld, added_card
from buraco.engine.state cimport State, meld_points, pop_meld, push_meld, without_card, without_meld
from buraco.engine.workspace cimport Workspace, new_round

cdef long long opening_may_fail(State s) noexcept nogil
cdef long long keeps_closer(State s, long long action) noexcept nogil
cdef long long opening_pays(State s, Workspace w, long long action) noexcept nogil
