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
    END_STRIDE = 384


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
    cdef void keys(self, const uint8_t *cells, uint64_t *keys) noexcept nogil
    cdef int read(self, const uint8_t *source, uint8_t *cells) noexcept nogil


cpdef Geometry geometry(int rows, int cols)


# ------------------------------------------------------------------ line tables

cdef struct Pass:
    const uint32_t *steps
    const uint16_t *ends
    const int64_t *values
    const int64_t *worths
    uint32_t start
    # Bytes in a mask of patterns seen; 0 where values are worths.
    int bytes


cdef struct Walk:
    const int32_t *transitions
    const int32_t *offsets
    const int32_t *outputs
    const int64_t *worths
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


cdef int64_t line_worth(const LineData *table, uint64_t key) noexcept nogil
cdef void line_gains(const LineData *table, uint64_t key, int32_t *black, int32_t *white) noexcept nogil
cdef int64_t board_worth(const LineData *table, Geometry geometry, const uint64_t *keys, int turn) noexcept nogil


# What a line is worth and what a stone on each of its cells would change, by its key. Two worths in one: with black to
# move in the upper half, with white to move in the lower.
cdef struct Tag:
    uint64_t key
    int64_t worth


cdef struct Memo:
    Tag *tags
    # For each slot the gains of black by position on the line, then of white: a cache line each up to 16 cells.
    int32_t *gains
    # How many lines on the board or in the undo stack use the slot: it may not be given to another line meanwhile.
    uint16_t *pins
    int stride
    # Fills a slot for a line not seen before.
    uint32_t (*miss)(Memo *memo, uint64_t key, uint32_t home) noexcept nogil
    const LineData *table


cdef struct LineSlot:
    uint64_t key
    int64_t worth
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


cdef inline int32_t worth_white(int64_t packed) noexcept nogil:
    """The worth if white is to move."""
    return <int32_t>packed


cdef inline int32_t worth_black(int64_t packed) noexcept nogil:
    """The worth if black is to move: the upper half, less the borrow of a negative lower one."""
    return <int32_t>((packed + <int64_t>0x80000000LL) >> 32)


cdef inline uint32_t memo_slot(Memo *memo, uint64_t key) noexcept nogil:
    """The slot of a line: at home, next door, or filled now."""
    cdef uint32_t home = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15ULL) >> (64 - MEMO_BITS))
    if memo.tags[home].key == key:
        return home
    if memo.tags[home ^ 1].key == key:
        return home ^ 1
    return memo.miss(memo, key, home)


cdef inline void line_enter(LineState *state, int line, uint64_t key) noexcept nogil:
    """Let a line of the board be the one with this key."""
    cdef Memo *memo = state.memo
    cdef uint32_t slot = memo_slot(memo, key)
    cdef LineSlot *entry = &state.lines[line]
    memo.pins[slot] += 1
    entry.key = key
    entry.worth = memo.tags[slot].worth
    entry.slot = slot
    entry.offset = <int32_t>slot * (2 * memo.stride) - entry.top


cdef inline void line_play(LineState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef const Place *place = &state.places[cell]
    cdef LineUndo *undo = &state.stack[state.depth]
    cdef int64_t before, after
    cdef int direction, line
    undo.cell = cell
    undo.colour = colour
    undo.turn = state.turn
    undo.totals[BLACK] = state.totals[BLACK]
    undo.totals[WHITE] = state.totals[WHITE]
    for direction in range(4):
        line = place.lines[direction]
        undo.lines[direction] = state.lines[line]
        before = state.lines[line].worth
        line_enter(state, line, state.lines[line].key + (place.steps[direction] << (colour - 1)))
        after = state.lines[line].worth
        state.totals[BLACK] += worth_black(after) - worth_black(before)
        state.totals[WHITE] += worth_white(after) - worth_white(before)
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
        state.memo.pins[state.lines[line].slot] -= 1
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
