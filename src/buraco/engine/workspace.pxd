cdef class Workspace:
    cdef int[131072] ids
    cdef long long[8192] key_once
    cdef long long[8192] key_twice
    cdef long long[8192] key_round
    cdef long long[8192] key_need
    cdef long long[8192] queue_meld
    cdef long long[8192] queue_once
    cdef long long[8192] queue_twice
    cdef public long long round
    cdef public long long shared
    cdef public long long n_discards
    cdef public long long n_ids

cdef long long first_visit(Workspace w, long long once, long long twice) noexcept nogil
cdef long long hopeless(Workspace w, long long once, long long twice, long long need) noexcept nogil
cdef void note_hopeless(Workspace w, long long once, long long twice, long long need) noexcept nogil
cdef void new_round(Workspace w) noexcept nogil
cdef void append(Workspace w, long long action) noexcept nogil
