from buraco.engine.c_constants cimport PHASE_OVER
from buraco.engine.deal cimport Deal
from buraco.engine.playout cimport choose_action, seed_state
from buraco.engine.state cimport State, deal_cards, shuffle_pack, side_score
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace

cdef long long _SIZE
cdef _load(Workspace work, long long side, tuple numbers)
cdef long long _one_deal(Deal table, Workspace work, long long policy_0, long long policy_1, long long dealer, long long seed, long long up_card) except? -1000001
cdef long long run_deal(State s, Workspace w, long long policy_0, long long policy_1, long long seed, long long up_card) noexcept nogil
