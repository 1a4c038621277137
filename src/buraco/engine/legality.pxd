from buraco.engine.c_bits cimport bit, ctz, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.enumeration cimport WILD_CARDS, append_melds, append_runs, append_sets, held_slots, joining_cards
from buraco.engine.melds cimport add_to_meld, meld_once, meld_size, new_meld
from buraco.engine.numbering cimport action_meld
from buraco.engine.state cimport *
from buraco.engine.workspace cimport Workspace, append, first_visit, hopeless, new_round, note_hopeless

cdef long long check_action(State s, Workspace w, long long action) noexcept nogil
cdef long long check_draw(State s, Workspace w, long long action) noexcept nogil
cdef long long check_take(State s, Workspace w) noexcept nogil
cdef long long top_usable(State s, Workspace w, long long top) noexcept nogil
cdef long long worse(long long code, long long other) noexcept nogil
cdef long long top_reach(State s, Workspace w, long long slot, long long meld, long long once, long long twice) noexcept nogil
cdef long long top_lands(State s, long long side, long long slot, long long meld, long long once, long long twice) noexcept nogil
cdef long long check_discard(State s, long long card) noexcept nogil
cdef long long check_new(State s, Workspace w, long long meld) noexcept nogil
cdef long long check_opening(State s, Workspace w, long long meld, long long left, long long once, long long twice, long long wait) noexcept nogil
cdef long long NO_CARD_ASIDE, CARDS_ASIDE
cdef long long opening_key(State s, long long aside) noexcept nogil
cdef long long sets_key(State s) noexcept nogil
cdef long long opening_possible(State s, Workspace w, long long once, long long twice, long long need, long long wait) noexcept nogil
cdef long long opening_search(State s, Workspace w, long long once, long long twice, long long need, long long aside, long long wait) noexcept nogil
cdef long long opening_ends(State s, long long once, long long twice, long long aside, long long wait) noexcept nogil
cdef long long rank_has_set(State s, long long side, long long meld) noexcept nogil
cdef long long check_add(State s, Workspace w, long long action) noexcept nogil
cdef long long check_top_add(State s, Workspace w, long long slot, long long meld, long long card, long long once, long long twice) noexcept nogil
cdef long long morto_free(State s, long long side) noexcept nogil
cdef long long close_code(State s, long long side) noexcept nogil
cdef long long leave_code(State s, long long side, long long left, long long once, long long wait) noexcept nogil
cdef long long last_card_code(State s, long long side, long long card) noexcept nogil
cdef long long last_card_joins(State s, long long side, long long card) noexcept nogil
cdef long long short_code(State s, long long left, long long once, long long wait) noexcept nogil
cdef long long cards_in(long long once, long long twice) noexcept nogil
cdef long long usable_points(State s, long long once, long long twice) noexcept nogil
