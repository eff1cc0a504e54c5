"""The data of line codes, and what native searches ask of them."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE
from gomoku_patterns._geometry cimport Geometry
from gomoku_patterns._trackers cimport LearnedTracker, TrackerTable

cdef enum:
    WIDTH = 32
    HIDDEN = 32
    REACH = 5
    SIDES = 364
    CODES = 132496
    DIRTY_WORDS = 8             # bits for MAX_CELLS cells


cdef struct CodeData:
    # By code: the row for black and for white, each with its own stones first.
    const uint16_t *rows_of[2]
    const int8_t *rows
    const int16_t *prior
    const int16_t *hidden
    const int32_t *hidden_bias
    const int16_t *out
    const int16_t *direct
    int64_t out_bias
    int64_t scale
    int pool_shift
    int hidden_shift
    int out_shift


cdef class CodeTable(TrackerTable):
    cdef CodeData data
    cdef readonly object weights
    cdef readonly int scale
    cdef object kept


# What a cell adds to the codes of its neighbours on a line, and who is touched by a stone on it at all.
cdef struct CodePlace:
    uint8_t before[4]           # cells within reach towards the head of the line
    uint8_t after[4]
    uint64_t touched[DIRTY_WORDS]


# The board as one colour sees it, as far as it was needed; ``dirty`` are the cells that may have changed since.
cdef struct CodeView:
    int16_t sums[MAX_CELLS][WIDTH]
    int32_t pool[WIDTH]
    uint64_t dirty[DIRTY_WORDS]
    uint16_t rows[MAX_CELLS][4]
    uint8_t counted[MAX_CELLS]


cdef struct CodeUndo:
    int16_t cell
    uint8_t colour
    uint8_t turn


cdef struct CodeState:
    CodeView views[2]
    # Window by cell and direction: the side towards the head of the line times 364, plus the other side.
    int32_t codes[MAX_CELLS][4]
    int32_t steps[4]
    const CodeData *table
    const CodePlace *places
    CodeUndo *stack
    int depth
    int turn
    int cells_count
    int words
    uint8_t cells[MAX_CELLS]


cdef void code_play(CodeState *state, int cell, int colour) noexcept nogil
cdef void code_undo(CodeState *state) noexcept nogil
cdef int64_t code_score(CodeState *state, int turn) noexcept nogil
cdef int64_t code_gain(CodeState *state, int cell, int colour) noexcept nogil
cdef int64_t code_prior(CodeState *state, int cell, int turn) noexcept nogil


cdef class CodeTracker(LearnedTracker):
    cdef readonly CodeTable table
    cdef object places
    cdef CodeState *state
