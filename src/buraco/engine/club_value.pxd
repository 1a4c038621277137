from buraco.engine.c_bits cimport bit, popcount
from buraco.engine.c_constants cimport *
from buraco.engine.enumeration cimport WILD_CARDS, held_slots
from buraco.engine.legality cimport close_code, morto_free
from buraco.engine.melds cimport meld_once, meld_size, meld_twice, meld_wild
from buraco.engine.state cimport State, meld_bonus, meld_category, meld_points
from buraco.engine.workspace cimport Workspace

cdef long long CLUB_FULL_HEAT, MATCH_SURE, TWOS, JOKERS, ACES, LOW_CARDS, HIGH_CARDS, LANES
cdef long long weight(Workspace w, long long number) noexcept nogil
cdef long long lanes(long long once) noexcept nogil
cdef long long set_lanes(long long rank) noexcept nogil
cdef long long join_slots(long long meld, long long near) noexcept nogil
cdef (long long, long long) see_melds(State s, long long side, long long once, long long twice) noexcept nogil
cdef long long variant_number(State s) noexcept nogil
cdef void prepare(State s, Workspace w, long long club_set) noexcept nogil
cdef void prepare_slots(State s, Workspace w) noexcept nogil
cdef (long long, long long) rank_counts(long long once, long long twice) noexcept nogil
cdef long long match_value(State s, Workspace w, long long gain, long long mean, long long out) noexcept nogil
cdef long long table_points(State s, long long side) noexcept nogil
cdef long long rest_estimate(State s, Workspace w, long long once, long long twice) noexcept nogil
cdef long long deal_heat(State s, Workspace w) noexcept nogil
cdef long long card_points(State s, long long once, long long twice) noexcept nogil
cdef long long set_value(Workspace w, long long once, long long twice) noexcept nogil
cdef long long hand_value(State s, Workspace w, long long once, long long twice, long long fit, long long fit_gap) noexcept nogil
cdef long long meld_value(State s, Workspace w, long long meld, long long turn) noexcept nogil
cdef long long first_canasta(State s, Workspace w, long long meld) noexcept nogil
cdef long long cards_cost(State s, long long seat, long long mean, long long out) noexcept nogil
cdef long long close_value(State s, Workspace w, long long gain) noexcept nogil
cdef long long unseen_mean(State s) noexcept nogil
cdef long long match_worth(State s, Workspace w, long long own, long long other, long long spread) noexcept nogil
cdef long long end_value(State s, Workspace w) noexcept nogil
