"""The data of line tables and their hot functions, inlined into every native search that cimports them."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, MAX_LINES, WHITE, opponent, side_of, spread
from gomoku_patterns._geometry cimport Geometry, Place
from gomoku_patterns._trackers cimport CoreTracker

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
    """The slot of a line: at home, next door (in the same line of the cache), or filled now."""
    cdef uint32_t home = <uint32_t>spread(key, MEMO_BITS)
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
        # The line that was here stays pinned for the undo stack, so undo finds it in the memo as it was.
        undo.lines[direction] = entry[0]
        line_enter(state, entry, entry.key + (place.steps[direction] << side_of(colour)))
        state.totals[BLACK] += entry.worth[0] - undo.lines[direction].worth[0]
        state.totals[WHITE] += entry.worth[1] - undo.lines[direction].worth[1]
    state.cells[cell] = colour
    state.turn = opponent(colour)
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
    # The gains of a row are numbered by column, those of the other three lines by row.
    cdef const int32_t *gains = state.memo.gains + (0 if colour == BLACK else state.memo.stride)
    return (
        state.totals[opponent(colour)]
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


cdef class LineTracker(CoreTracker):
    cdef readonly LineTable table
    cdef LineMemo memo
    cdef LineState *state

    cdef void _release(self) noexcept nogil
