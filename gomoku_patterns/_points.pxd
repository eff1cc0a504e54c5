"""The data of point tables, inlined into every native search that cimports them."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, MAX_LINES
from gomoku_patterns._geometry cimport Geometry, Place
from gomoku_patterns._trackers cimport CoreTracker, TrackerTable

cdef enum:
    POINT_STRIDE = 24


cdef struct PointData:
    # By the cells to the left and to the right of a point: the class of its line for black, 8 bits up for white.
    const uint16_t *classes
    int sides
    int reach
    # The worth of four classes together, twice over plus 1 if decisive, as own and as opposing part; or NULL.
    const int32_t *parts[2]
    # How many bits a class takes in a code of four.
    int bits
    int class_count
    # By class: its scores, its shape, whether it is decisive. By combination: its scores and how many of each shape.
    const int32_t *scores
    const uint8_t *shapes
    const uint8_t *decisive
    const int32_t *combination_scores
    const uint8_t *needs
    int combinations
    int shape_count
    bint subtract
    bint ring
    bint best
    int64_t occupied


cdef class PointTable(TrackerTable):
    cdef PointData data
    cdef readonly object arrays


cdef struct PointLine:
    uint64_t key
    uint16_t classes[POINT_STRIDE]


cdef struct PointUndo:
    int16_t cell
    uint8_t colour
    uint8_t turn


cdef struct PointState:
    uint64_t keys[MAX_LINES]
    # The four classes of each cell and its worth, for black and for white; the sums of worth over the empty cells.
    uint32_t codes[2][MAX_CELLS]
    int32_t worths[2][MAX_CELLS]
    int64_t sums[2]
    const PointData *table
    const Place *places
    const int32_t *tops
    # Remembered lines by key.
    PointLine *memo
    PointUndo *stack
    int depth
    int turn
    int stones
    int cells_count
    int rows
    int cols
    uint8_t cells[MAX_CELLS]


cdef void point_play(PointState *state, int cell, int colour) noexcept nogil
cdef void point_undo(PointState *state) noexcept nogil
cdef int64_t point_score(const PointState *state, int turn) noexcept nogil


cdef inline int64_t point_gain(const PointState *state, int cell, int colour) noexcept nogil:
    """The worth of an empty cell to a colour, negated for white."""
    return state.worths[0][cell] if colour == BLACK else -state.worths[1][cell]


cdef class PointTracker(CoreTracker):
    cdef readonly PointTable table
    cdef PointState *state
