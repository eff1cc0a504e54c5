"""Clock, limits and cancellation that every search shares."""

cdef enum Stop:
    RUNNING = 0
    STOP_SECONDS = 1
    STOP_NODES = 2
    STOP_CANCELLED = 3
    STOP_MEMORY = 4
    STOP_RAISED = 5


# How a decided score is coded: a win in n plies is WIN - n; what lies beyond SURE is a win.
cdef enum:
    WIN = 1 << 28
    SURE = WIN - 1024


cdef class Cancel:
    cdef volatile int flag


cdef class Control:
    cdef readonly object limit
    cdef readonly Cancel cancel
    cdef readonly object progress
    cdef double started
    cdef double deadline
    cdef double next_report
    cdef long long node_limit
    cdef int stop
    cdef object raised
    # What a progress callback is told; the search keeps them current.
    cdef public long long nodes
    cdef public int depth
    cdef long long score
    # Whether scores beyond SURE are wins: in the unit of an evaluator they need not be.
    cdef public bint tells_wins

    cdef void start(self) noexcept nogil
    cdef int poll(self) noexcept nogil
    cdef void _report(self) noexcept
