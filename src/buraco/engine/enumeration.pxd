from buraco.engine.c_bits cimport bit, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.melds cimport slot_mask
from buraco.engine.numbering cimport RUN_FIRST, SET_INDEX
from buraco.engine.workspace cimport Workspace, append

cdef long long WILD_CARDS
cdef long long held_slots(long long once, long long suit) noexcept nogil
cdef void append_wilds(Workspace w, long long wilds, long long action, long long suit, long long skip_own) noexcept nogil
cdef void append_holes(Workspace w, long long once, long long twice, long long suit, long long lo, long long hi, long long missing) noexcept nogil
cdef void append_runs(Workspace w, long long once, long long twice, long long suit) noexcept nogil
cdef void append_sets(Workspace w, long long once, long long twice, long long rank) noexcept nogil
cdef void append_melds(Workspace w, long long once, long long twice, long long sets) noexcept nogil
cdef long long joining_cards(long long meld, long long once, long long rules) noexcept nogil
