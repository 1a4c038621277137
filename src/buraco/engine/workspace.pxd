from buraco.engine.c_constants cimport CLUB_ROW, CLUB_SETS, CLUB_VARIANTS, ID_STACK_SIZE

cdef class Workspace:
    cdef int[147456] ids  # ID_STACK_SIZE
    cdef long long[8192] key_once
    cdef long long[8192] key_twice
    cdef long long[8192] key_round
    cdef long long[8192] key_need
    cdef long long[8192] queue_meld
    cdef long long[8192] queue_once
    cdef long long[8192] queue_twice
    cdef long long[22528] scores  # more than there are actions
    cdef long long[6144] weights  # CLUB_SETS * CLUB_VARIANTS * CLUB_ROW
    cdef long long row, live, fit, fit_gap, feed, feed_gap, fit_near, pile_lanes, reader_lanes, heat, per_card, plan_nodes
    cdef public long long round
    cdef public long long shared
    cdef public long long n_discards
    cdef public long long n_ids

cdef long long[6144] STANDARD
cdef long long first_visit(Workspace w, long long once, long long twice) noexcept nogil
cdef long long hopeless(Workspace w, long long once, long long twice, long long need) noexcept nogil
cdef void note_hopeless(Workspace w, long long once, long long twice, long long need) noexcept nogil
cdef void new_round(Workspace w) noexcept nogil
cdef void append(Workspace w, long long action) noexcept nogil
