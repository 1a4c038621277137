from buraco.engine.c_bits cimport bit, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.club cimport choose_club, choose_novice
from buraco.engine.enumeration cimport WILD_CARDS, joining_cards
from buraco.engine.foresight cimport keeps_closer, opening_may_fail, opening_pays
from buraco.engine.melds cimport add_to_meld, meld_size, meld_wild
from buraco.engine.moves cimport legal_moves
from buraco.engine.numbering cimport action_meld, added_card, added_high, added_how, added_slot
from buraco.engine.state cimport *
from buraco.engine.steps cimport apply_action
from buraco.engine.workspace cimport Workspace

cdef long long SEED_FACTOR
cdef void seed_state(State s, long long seed) noexcept nogil
cdef long long choose_action(State s, Workspace w, long long policy) noexcept nogil
cdef long long choose_any(State s, Workspace w) noexcept nogil
cdef long long choose_meld_first(State s, Workspace w) noexcept nogil
cdef long long choose_greedy(State s, Workspace w) noexcept nogil
cdef long long greedy_draw(State s, Workspace w) noexcept nogil
cdef long long pile_gain(State s) noexcept nogil
cdef long long fits_table(State s, long long side, long long card) noexcept nogil
cdef long long neighbours(State s, long long card, long long once, long long twice) noexcept nogil
cdef long long table_value(State s, long long meld, long long turn) noexcept nogil
cdef long long action_gain(State s, long long action) noexcept nogil
cdef long long discard_cost(State s, long long card) noexcept nogil
cdef long long greedy_discard(State s, Workspace w) noexcept nogil
cdef void run_playout(State s, Workspace w, long long policy) noexcept nogil
cdef (long long, long long, long long, long long, long long) run_many(State s, Workspace w, long long policy, long long seed, long long number, long long up_card) noexcept nogil
