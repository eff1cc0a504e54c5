"""The kernel's data and its hot functions, inlined into every native search that cimports them."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    BLACK = 1
    WHITE = 2
    MAX_SIDE = 22
    MAX_CELLS = 484
    MAX_LINES = 130
    # A line's key holds a piece of five cells a byte and, from this bit, how long the line is: no two lines share one.
    LENGTH_BIT = 40
    STEP_STRIDE = 256
    END_STRIDE = 512


# ------------------------------------------------------------------ the board's lines

cdef struct Place:
    # The four lines through a cell, and what a black stone on it adds to the key of each; a white one adds twice that.
    uint64_t steps[4]
    uint16_t lines[4]
    # Where the cell lies on its row, and on the other three lines once the line's ``top`` is taken off.
    uint8_t col
    uint8_t row


cdef struct ReadLine:
    uint16_t line
    uint16_t ends


cdef class Geometry:
    cdef readonly int rows
    cdef readonly int cols
    cdef readonly int cells
    cdef readonly int lines
    cdef Place places[MAX_CELLS]
    cdef uint8_t lengths[MAX_LINES]
    # The keys of the lines of an empty board, and the first row of each line that is not a row.
    cdef uint64_t empty[MAX_LINES]
    cdef int32_t tops[MAX_LINES]
    # Lines by length; those of n cells are ``order[by_length[n]:by_length[n + 1]]``.
    cdef ReadLine order[MAX_LINES]
    cdef int by_length[MAX_SIDE + 2]

    cdef void _place(self, int row, int col) noexcept
    cdef void _line(self, Place *place, int direction, int line, int at, int top) noexcept
    cdef void _sort(self) noexcept
    cdef bint keys(self, const uint8_t *source, uint64_t *keys) noexcept nogil


cpdef Geometry geometry(int rows, int cols)


# ------------------------------------------------------------------ line tables

cdef struct Pass:
    const uint32_t *steps
    # The steps of the first two pieces of a line together, or NULL.
    const uint32_t *heads
    const uint16_t *ends
    # By value: the patterns seen, if one counts once a line, and the worth with black and with white to move.
    const uint64_t *masks
    const int32_t *worths[2]
    const int32_t *bytes[2]
    int byte_count
    uint32_t start


cdef struct Walk:
    const int32_t *transitions
    const int32_t *offsets
    const int32_t *outputs
    const int32_t *worths
    int start
    int edge
    int once
    int owners


cdef struct LineData:
    Pass *passes
    # How many passes; with none the lines are walked.
    int count
    Walk walk
    # Lines of fewer cells are worth nothing.
    int shortest


cdef class LineTable:
    cdef LineData data
    cdef readonly bint uses_turn
    cdef readonly object arrays
    cdef list memos


cdef int32_t line_worth(const LineData *table, uint64_t key, int turn) noexcept nogil
cdef void line_gains(const LineData *table, uint64_t key, int32_t *black, int32_t *white) noexcept nogil
cdef int64_t board_worth(const LineData *table, Geometry geometry, const uint64_t *keys, int turn) noexcept nogil


# A remembered line: its key and what it is worth with black and with white to move.
cdef struct Tag:
    uint64_t key
    int32_t worth[2]
    # How many lines on the board or in the undo stack use the slot: it may not be given to another line meanwhile.
    uint32_t pins
    # Where its gains begin. Gains are given out densely, so a search that sees few lines touches few pages.
    uint32_t gains
    # Half a cache line: a move touches one line of the cache for each of its four lines.
    uint32_t unused[2]


cdef struct Memo:
    Tag *tags
    # The gains of black by position on a line, then of white: a cache line each up to 16 cells.
    int32_t *gains
    uint32_t used
    int stride
    # Fills a slot for a line not seen before.
    uint32_t (*miss)(Memo *memo, uint64_t key, uint32_t home) noexcept nogil
    const LineData *table


cdef struct LineSlot:
    uint64_t key
    int32_t worth[2]
    # ``memo.gains[offset + row]`` (col for rows) is what a black stone there would change, ``stride`` further a white one.
    int32_t offset
    uint32_t slot
    int32_t top
    int32_t unused


cdef struct LineUndo:
    LineSlot lines[4]
    int64_t totals[3]
    int16_t cell
    uint8_t colour
    uint8_t turn


cdef struct LineState:
    LineSlot lines[MAX_LINES]
    # The score if black (1) or white (2) is to move.
    int64_t totals[3]
    const Place *places
    Memo *memo
    LineUndo *stack
    int depth
    int turn
    uint8_t cells[MAX_CELLS]


cdef enum:
    MEMO_BITS = 14
    MEMO_SLOTS = 16384


cdef inline uint32_t memo_slot(Memo *memo, uint64_t key) noexcept nogil:
    """The slot of a line: at home, next door, or filled now."""
    cdef uint32_t home = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15ULL) >> (64 - MEMO_BITS))
    if memo.tags[home].key == key:
        return home
    if memo.tags[home ^ 1].key == key:
        return home ^ 1
    return memo.miss(memo, key, home)


cdef inline void line_enter(LineState *state, LineSlot *entry, uint64_t key) noexcept nogil:
    """Let a line of the board be the one with this key."""
    cdef Memo *memo = state.memo
    cdef uint32_t slot = memo_slot(memo, key)
    cdef Tag *tag = &memo.tags[slot]
    tag.pins += 1
    entry.key = key
    entry.worth[0] = tag.worth[0]
    entry.worth[1] = tag.worth[1]
    entry.slot = slot
    entry.offset = <int32_t>tag.gains - entry.top


cdef inline void line_play(LineState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef const Place *place = &state.places[cell]
    cdef LineUndo *undo = &state.stack[state.depth]
    cdef LineSlot *entry
    cdef int direction
    undo.cell = cell
    undo.colour = colour
    undo.turn = state.turn
    undo.totals[BLACK] = state.totals[BLACK]
    undo.totals[WHITE] = state.totals[WHITE]
    for direction in range(4):
        entry = &state.lines[place.lines[direction]]
        undo.lines[direction] = entry[0]
        line_enter(state, entry, entry.key + (place.steps[direction] << (colour - 1)))
        state.totals[BLACK] += entry.worth[0] - undo.lines[direction].worth[0]
        state.totals[WHITE] += entry.worth[1] - undo.lines[direction].worth[1]
    state.cells[cell] = colour
    state.turn = 3 - colour
    state.depth += 1


cdef inline void line_undo(LineState *state) noexcept nogil:
    """Take the last stone back, unchecked."""
    state.depth -= 1
    cdef LineUndo *undo = &state.stack[state.depth]
    cdef const Place *place = &state.places[undo.cell]
    cdef int direction, line
    for direction in range(4):
        line = place.lines[direction]
        state.memo.tags[state.lines[line].slot].pins -= 1
        state.lines[line] = undo.lines[direction]
    state.totals[BLACK] = undo.totals[BLACK]
    state.totals[WHITE] = undo.totals[WHITE]
    state.cells[undo.cell] = 0
    state.turn = undo.turn


cdef inline int64_t line_after(LineState *state, int cell, int colour) noexcept nogil:
    """The score after a stone on an empty cell, the other side to move, without playing it."""
    cdef const Place *place = &state.places[cell]
    cdef const int32_t *gains = state.memo.gains + (0 if colour == BLACK else state.memo.stride)
    return (
        state.totals[3 - colour]
        + gains[state.lines[place.lines[0]].offset + place.col]
        + gains[state.lines[place.lines[1]].offset + place.row]
        + gains[state.lines[place.lines[2]].offset + place.row]
        + gains[state.lines[place.lines[3]].offset + place.row]
    )


cdef inline int64_t line_gain(LineState *state, int cell, int colour) noexcept nogil:
    """What a stone of a colour on an empty cell changes the score, that colour to move before it."""
    return line_after(state, cell, colour) - state.totals[colour]


cdef class LineMemo:
    cdef Memo memo
    cdef LineTable table


cdef class LineTracker:
    cdef readonly LineTable table
    cdef readonly Geometry geometry
    cdef LineMemo memo
    cdef LineState *state

    cdef void load(self, const uint8_t *cells, int turn) noexcept nogil
    cdef void _release(self) noexcept nogil


# ------------------------------------------------------------------ point tables

cdef enum:
    POINT_SLOTS = 8192
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


cdef class PointTable:
    cdef PointData data
    cdef readonly object arrays
    cdef list trackers


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


cdef class PointTracker:
    cdef readonly PointTable table
    cdef readonly Geometry geometry
    cdef PointState *state

    cdef void load(self, const uint8_t *cells, const uint64_t *keys, int turn) noexcept nogil
