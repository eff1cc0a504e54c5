"""What the trackers of the core share, and the tables that keep some of them."""

from libc.stdint cimport int64_t, uint8_t

from gomoku_patterns._geometry cimport Geometry


cdef class CoreTracker:
    cdef readonly Geometry geometry

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil
    cdef const uint8_t *stones(self) noexcept nogil
    cdef int moves(self) noexcept nogil
    cdef int to_move(self) noexcept nogil
    cdef void put(self, int cell, int colour) noexcept nogil
    cdef void take(self) noexcept nogil
    cdef int64_t worth(self, int turn) noexcept nogil
    cdef int64_t gained(self, int cell, int colour) noexcept nogil


cdef class LearnedTracker(CoreTracker):
    cdef int64_t prior(self, int cell, int colour) noexcept nogil


cdef class TrackerTable:
    cdef list trackers

    cdef CoreTracker new_tracker(self, Geometry geometry)
    cdef CoreTracker borrow(self, int rows, int cols)
    cdef int give_back(self, CoreTracker tracker) except -1


cdef inline bint are_stones(const uint8_t *cells, int count) noexcept nogil:
    """Whether the cells are 0, 1, 2 and 255 only."""
    cdef int cell
    for cell in range(count):
        if cells[cell] > 2 and cells[cell] != 255:
            return False
    return True
