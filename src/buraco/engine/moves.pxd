from buraco.engine.c_bits cimport bit, ctz
from buraco.engine.c_constants cimport *
from buraco.engine.enumeration cimport WILD_CARDS, append_melds, joining_cards
from buraco.engine.legality cimport check_action, check_discard
from buraco.engine.state cimport State
from buraco.engine.workspace cimport Workspace, append, new_round

cdef long long ACE_CARDS
cdef void legal_moves(State s, Workspace w) noexcept nogil
cdef void append_discards(State s, Workspace w) noexcept nogil
cdef void append_additions(State s, Workspace w, long long slot) noexcept nogil
cdef void keep_legal(State s, Workspace w, long long first) noexcept nogil
