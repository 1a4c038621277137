from buraco.engine.c_bits cimport bit, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.club_value cimport (
    CLUB_FULL_HEAT, close_value, end_value, first_canasta, hand_value, join_slots, lanes, meld_value, prepare, rest_estimate, set_lanes, weight,
)
from buraco.engine.enumeration cimport WILD_CARDS, append_melds, joining_cards
from buraco.engine.foresight cimport keeps_closer, opening_may_fail, opening_pays
from buraco.engine.legality cimport check_action, check_discard, morto_free
from buraco.engine.melds cimport add_to_meld, meld_size
from buraco.engine.moves cimport append_additions, legal_moves
from buraco.engine.numbering cimport action_meld, added_card, added_high, added_how, added_slot
from buraco.engine.state cimport State, meld_bonus, meld_category, meld_points, next_random, pop_meld, push_meld, swap_meld, with_card, without_card, without_meld
from buraco.engine.workspace cimport Workspace

cdef long long FORBIDDEN, NOVICE_SET, NOVICE_FORGETS, NOVICE_SLIPS, PLAN_CARDS, PLAN_DEPTH, PLAN_NODES
cdef long long choose_club(State s, Workspace w) noexcept nogil
cdef long long best_scored(Workspace w) noexcept nogil
cdef long long choose_novice(State s, Workspace w) noexcept nogil
cdef void score_club(State s, Workspace w) noexcept nogil
cdef void score_set(State s, Workspace w, long long club_set) noexcept nogil
cdef void hold_wilds(State s, Workspace w) noexcept nogil
cdef long long pile_value(State s, Workspace w, long long base) noexcept nogil
cdef long long keep_value(State s, Workspace w, long long base) noexcept nogil
cdef long long leave_value(State s, Workspace w, long long direct, long long gain) noexcept nogil
cdef long long play_value(State s, Workspace w, long long action, long long base) noexcept nogil
cdef long long forced_close(State s, Workspace w, long long action) noexcept nogil
cdef long long table_gain(State s, long long action) noexcept nogil
cdef long long card_lanes(long long card) noexcept nogil
cdef long long discard_value(State s, Workspace w, long long card, long long base) noexcept nogil
cdef long long discard_danger(State s, Workspace w, long long card) noexcept nogil
cdef long long feed_gain(State s, Workspace w, long long card) noexcept nogil
cdef void plan_out(State s, Workspace w, long long best) noexcept nogil
cdef long long plan_step(State s, Workspace w, long long action, long long depth) noexcept nogil
cdef long long plan_rest(State s, Workspace w, long long depth) noexcept nogil
