"""The data of cell tables, and what native searches ask of them."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE
from gomoku_patterns._geometry cimport Geometry
from gomoku_patterns._trackers cimport LearnedTracker, TrackerTable

cdef enum:
    MAX_FACTS = 6
    COUNT_BITS = 10             # more than MAX_CELLS ever need
    COUNTED = 8                 # how many cells show a fact is told apart so far
    CROWDED_BITS = 6
    CROWDED = 1 << CROWDED_BITS  # stones with which growths count in full
    MAX_REACH = 6
    TOUCHED = 8 * MAX_REACH     # the most neighbours of a cell
    # The worths of a cell to one side: to the side to move and to the other, then the growths of both. Of a meeting, or of
    # the facts, likewise.
    WORTHS = 4


cdef struct CellCode:
    # What a cell is worth, the facts it shows and, 8 bits up, its first class: all that a change asks for, side by side.
    int16_t worths[WORTHS]
    uint16_t marks
    uint16_t unused[3]          # so that none lies across two cache lines


cdef struct CellData:
    # By window: the class for black, and 4 bits up for white.
    const uint8_t *kinds
    # By code of four classes, and its prior for the mover and for the other.
    CellCode *codes
    const int16_t *priors
    # By the facts of both sides: a worth and a growth.
    const int32_t *facts
    # By the first class for black, 4 bits up, and that for white: worths with black and with white to move, and the growths.
    const int16_t *meetings
    # By fact, and how many cells show it to the side to move, 3 bits up, and to the other: a worth and a growth.
    const int32_t *counts
    int sides
    int reach
    int fact_count
    int32_t[7] digits


cdef class CellTable(TrackerTable):
    cdef CellData data
    cdef readonly object arrays


cdef struct CellPlace:
    uint8_t before[4]           # cells within reach towards the head of the line
    uint8_t after[4]


cdef struct CellChange:
    int16_t cell
    uint32_t codes


# What the empty cells add up to: by colour, for when that colour is to move and for when it is not; their meetings, by
# the colour to move; of either the worths and then the growths; and how many of them show each fact.
cdef struct CellSums:
    int32_t worths[2][WORTHS]
    int32_t meetings[WORTHS]
    uint64_t counts[2]          # COUNT_BITS a fact


cdef struct CellUndo:
    CellSums sums
    int32_t changes
    int16_t cell
    uint8_t colour
    uint8_t turn


cdef struct CellState:
    CellSums sums
    # By direction and cell: the side towards the head of the line times ``sides``, plus the other side.
    int32_t windows[4][MAX_CELLS]
    # Four classes of four bits for black, and 16 bits up for white; those of an occupied cell are of when it was taken.
    uint32_t codes[MAX_CELLS]
    int32_t steps[4]
    const CellData *table
    const CellPlace *places
    CellUndo *stack
    CellChange *changes
    int change_count
    int depth
    int stones
    int turn
    int cells_count
    uint8_t cells[MAX_CELLS]


cdef void cell_play(CellState *state, int cell, int colour) noexcept nogil
cdef void cell_undo(CellState *state) noexcept nogil
cdef int64_t cell_score(const CellState *state, int turn) noexcept nogil
cdef int64_t cell_gain(CellState *state, int cell, int colour) noexcept nogil


cdef inline int64_t cell_prior(const CellState *state, int cell, int turn) noexcept nogil:
    """How likely the best move of a colour is this empty cell: 64 more are e times as likely."""
    cdef uint32_t codes = state.codes[cell]
    cdef uint32_t own = codes & 0xFFFF, other = codes >> 16
    if turn == WHITE:
        own, other = other, own
    return <int64_t>state.table.priors[2 * own] + state.table.priors[2 * other + 1]


cdef class CellTracker(LearnedTracker):
    cdef readonly CellTable table
    cdef object places
    cdef CellState *state
