"""What the workers of every kind of table share in training: the windows of a board, and the loop over positions."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

cdef enum:
    MAX_CELLS = 484
    MAX_REACH = 6


cdef struct Position:
    float loss
    float policy
    float chance
    int hit


cdef class BoardWorker:
    cdef readonly int rows, cols, reach
    cdef int cells, sides
    cdef int32_t[4] steps
    cdef int32_t[MAX_REACH + 1] digits
    cdef int32_t[:, ::1] empty              # the windows of an empty board
    cdef int32_t[MAX_CELLS][4] windows
    cdef uint8_t[MAX_CELLS] stones

    cdef (int, int) within(self, int cell, int direction) noexcept nogil
    cdef void place(self, const uint8_t *packed, int first) noexcept nogil
    cdef Position position(
        self, const uint8_t *packed, int turn, float target, int best, float policy_weight, bint learn,
    ) noexcept nogil
