# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Line codes natively: see :mod:`gomoku_patterns.codes` for what they are.

A stone changes the windows of at most forty neighbours, each by one addition: at distance d it is worth 3 ** (d - 1) on
its side of the window. That is all that playing and taking back do. The vectors are brought up to date when a score or
a prior is asked for, for the colour that asks alone: a cell marked since the last time takes the difference between
its rows now and its rows then. So moves that are never scored cost next to nothing, and there is no undo stack of
vectors; between two leaves of a search some eighty cells of one view change by one row each.

Why these sizes: 32 numbers of 16 bits are four SSE2 registers, the least of any x86-64, and the loops over them are
written so that plain -O3 keeps them there. Rows stay 8-bit: the hot ones then fit the second cache. The sum of 64 cells'
changes fits 16 bits (64 * 508 < 32768), so the pool is widened once for every word of marks.

Deliberately absent: remembered scores. A search that meets positions again has a table of its own.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree
from libc.string cimport memset

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE, lowest_bit
from gomoku_patterns._geometry cimport Geometry, at_on_line, room
from gomoku_patterns._trackers cimport CoreTracker, LearnedTracker, are_stones

import numpy as np

from gomoku_patterns.codes import code_rows, swapped_codes

cdef extern from *:
    """
    #include <stdint.h>

    #define CODE_WIDTH 32

    /* The vector of a cell takes what its rows changed by; ``change`` collects what its rectified numbers do. */
    static inline void code_move(int16_t *restrict sums, const int8_t *restrict now, const int8_t *restrict then,
                                 int16_t *restrict change) {
        for (int at = 0; at < CODE_WIDTH; at++) {
            int16_t was = sums[at], is = (int16_t)(was + now[at] - then[at]);
            sums[at] = is;
            change[at] += (int16_t)((is > 0 ? is : 0) - (was > 0 ? was : 0));
        }
    }
    static inline void code_add(int16_t *restrict sums, const int8_t *restrict now, const int8_t *restrict then) {
        for (int at = 0; at < CODE_WIDTH; at++) sums[at] = (int16_t)(sums[at] + now[at] - then[at]);
    }
    static inline void code_count(const int16_t *restrict sums, int16_t *restrict change, int sign) {
        int16_t factor = (int16_t)sign;
        for (int at = 0; at < CODE_WIDTH; at++) change[at] += (int16_t)(factor * (sums[at] > 0 ? sums[at] : 0));
    }
    static inline void code_pool(int32_t *restrict pool, const int16_t *restrict change) {
        for (int at = 0; at < CODE_WIDTH; at++) pool[at] += change[at];
    }
    static inline int32_t code_dot(const int16_t *restrict one, const int16_t *restrict other) {
        int32_t sum = 0;
        for (int at = 0; at < CODE_WIDTH; at++) sum += (int32_t)one[at] * other[at];
        return sum;
    }
    static inline int32_t code_rectified_dot(const int16_t *restrict sums, const int16_t *restrict weights) {
        int32_t sum = 0;
        for (int at = 0; at < CODE_WIDTH; at++) sum += (int32_t)(int16_t)(sums[at] > 0 ? sums[at] : 0) * weights[at];
        return sum;
    }
    """
    void code_move(int16_t *sums, const int8_t *now, const int8_t *then, int16_t *change) noexcept nogil
    void code_add(int16_t *sums, const int8_t *now, const int8_t *then) noexcept nogil
    void code_count(const int16_t *sums, int16_t *change, int sign) noexcept nogil
    void code_pool(int32_t *pool, const int16_t *change) noexcept nogil
    int32_t code_dot(const int16_t *one, const int16_t *other) noexcept nogil
    int32_t code_rectified_dot(const int16_t *sums, const int16_t *weights) noexcept nogil

cdef enum:
    KEPT_TRACKERS = 2
    POOL_LIMIT = 32767
    HIDDEN_LIMIT = 4096
    PRIOR_SHIFT = 8

# What a stone adds to a side by its distance.
cdef int32_t[6] DIGITS = [0, 1, 3, 9, 27, 81]
cdef int32_t[6] STARTS = [0, 1, 4, 13, 40, 121]


cdef void add_stone(CodeState *state, int cell, int stone) noexcept nogil:
    """Add a stone (or, negative, take it) to the windows of its neighbours, and mark these."""
    cdef const CodePlace *place = &state.places[cell]
    cdef int direction, distance, step, word
    for direction in range(4):
        step = state.steps[direction]
        for distance in range(1, place.before[direction] + 1):
            state.codes[cell - distance * step][direction] += stone * DIGITS[distance]
        for distance in range(1, place.after[direction] + 1):
            state.codes[cell + distance * step][direction] += stone * DIGITS[distance] * SIDES
    for word in range(state.words):
        state.views[0].dirty[word] |= place.touched[word]
        state.views[1].dirty[word] |= place.touched[word]


cdef void code_play(CodeState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef CodeUndo *undo = &state.stack[state.depth]
    undo.cell, undo.colour, undo.turn = cell, colour, state.turn
    state.depth += 1
    state.cells[cell] = colour
    state.turn = 3 - colour
    add_stone(state, cell, colour)


cdef void code_undo(CodeState *state) noexcept nogil:
    """Take the last stone back, unchecked."""
    state.depth -= 1
    cdef CodeUndo *undo = &state.stack[state.depth]
    state.cells[undo.cell] = 0
    state.turn = undo.turn
    add_stone(state, undo.cell, -<int>undo.colour)


cdef void refresh(CodeState *state, int side) noexcept nogil:
    """Bring a colour's view up to date."""
    cdef CodeView *view = &state.views[side]
    cdef int16_t change[WIDTH]
    cdef uint64_t marks
    cdef int word
    for word in range(state.words):
        marks = view.dirty[word]
        if marks:
            view.dirty[word] = 0
            memset(change, 0, sizeof(change))
            while marks:
                refresh_cell(state, view, state.table.rows_of[side], word * 64 + lowest_bit(marks), change)
                marks &= marks - 1
            code_pool(view.pool, change)


cdef inline void refresh_cell(
    CodeState *state, CodeView *view, const uint16_t *rows_of, int cell, int16_t *change
) noexcept nogil:
    """Bring the vector of a cell up to date; ``change`` collects what that does to the pool."""
    cdef const int8_t *rows = state.table.rows
    cdef bint empty = state.cells[cell] == 0
    cdef int direction, now, then
    if view.counted[cell] and empty:
        for direction in range(4):
            now, then = rows_of[state.codes[cell][direction]], view.rows[cell][direction]
            if now != then:
                view.rows[cell][direction] = now
                code_move(view.sums[cell], rows + now * WIDTH, rows + then * WIDTH, change)
        return
    if view.counted[cell]:
        # The vector of an occupied cell is left as it was: it is needed again when the stone is taken back.
        code_count(view.sums[cell], change, -1)
    elif empty:
        for direction in range(4):
            now, then = rows_of[state.codes[cell][direction]], view.rows[cell][direction]
            if now != then:
                view.rows[cell][direction] = now
                code_add(view.sums[cell], rows + now * WIDTH, rows + then * WIDTH)
        code_count(view.sums[cell], change, 1)
    view.counted[cell] = empty


cdef int64_t code_score(CodeState *state, int turn) noexcept nogil:
    """What the position is worth, black minus white, with a colour to move."""
    cdef const CodeData *table = state.table
    cdef const int32_t *full
    cdef int16_t pool[WIDTH]
    cdef int64_t total = table.out_bias
    cdef int32_t sum
    cdef int at
    refresh(state, turn - 1)
    full = state.views[turn - 1].pool
    for at in range(WIDTH):
        pool[at] = <int16_t>min(full[at] >> table.pool_shift, <int32_t>POOL_LIMIT)
    for at in range(HIDDEN):
        sum = (code_dot(table.hidden + at * WIDTH, pool) + table.hidden_bias[at]) >> table.hidden_shift
        total += table.out[at] * <int64_t>max(0, min(sum, <int32_t>HIDDEN_LIMIT))
    total += code_dot(table.direct, pool)
    total = (total * table.scale) >> table.out_shift
    return total if turn == BLACK else -total


cdef int64_t code_gain(CodeState *state, int cell, int colour) noexcept nogil:
    """What a stone of a colour on an empty cell changes the score, that colour to move before it."""
    cdef int64_t before = code_score(state, colour), after
    code_play(state, cell, colour)
    after = code_score(state, 3 - colour)
    code_undo(state)
    return after - before


cdef int64_t code_prior(CodeState *state, int cell, int turn) noexcept nogil:
    """How likely the best move of a colour is this empty cell: 64 more are e times as likely."""
    refresh(state, turn - 1)
    return code_rectified_dot(state.views[turn - 1].sums[cell], state.table.prior) >> PRIOR_SHIFT


# ---------------------------------------------------------------------- for Python


@cython.final
cdef class CodeTable(TrackerTable):
    """The weights of a line code, laid out for the core: shared by all that use it, never changed."""

    def __cinit__(self, weights, int scale):
        cdef const uint16_t[::1] black = code_rows()
        cdef const uint16_t[::1] white = code_rows()[swapped_codes()]
        cdef const int8_t[:, ::1] rows = np.array(weights.rows, order="C")
        cdef const int16_t[::1] prior = np.array(weights.prior, order="C")
        cdef const int16_t[:, ::1] hidden = np.array(weights.hidden, order="C")
        cdef const int32_t[::1] bias = np.array(weights.hidden_bias, order="C")
        cdef const int16_t[::1] out = np.array(weights.out, order="C")
        cdef const int16_t[::1] direct = np.array(weights.direct, order="C")
        # Copies: the weights were checked once, and their owner may write to the arrays afterwards.
        cdef CodeData *data = &self.data
        self.weights, self.scale = weights, scale
        self.kept = (black, white, rows, prior, hidden, bias, out, direct)
        data.rows_of[0], data.rows_of[1], data.rows = &black[0], &white[0], &rows[0, 0]
        data.prior, data.hidden, data.hidden_bias = &prior[0], &hidden[0, 0], &bias[0]
        data.out, data.direct, data.out_bias, data.scale = &out[0], &direct[0], weights.out_bias, scale
        data.pool_shift, data.hidden_shift, data.out_shift = weights.shifts

    def __reduce__(self):
        return CodeTable, (self.weights, self.scale)

    cdef CoreTracker new_tracker(self, Geometry geometry):
        return CodeTracker(self, geometry)


cdef dict _places = {}


cdef bytearray code_places(Geometry lines):
    """The neighbours of every cell of boards of one size, made once."""
    cdef bytearray made
    cdef CodePlace *places
    cdef int cell, direction, at, length, distance, neighbour
    cdef int[4] steps = [1, lines.cols, lines.cols + 1, lines.cols - 1]
    if (lines.rows, lines.cols) in _places:
        return _places[lines.rows, lines.cols]
    made = bytearray(lines.cells * sizeof(CodePlace))
    places = <CodePlace *><char *>made
    for cell in range(lines.cells):
        places[cell].touched[cell >> 6] |= <uint64_t>1 << (cell & 63)
        for direction in range(4):
            line = lines.places[cell].lines[direction]
            at = at_on_line(&lines.places[cell], direction, lines.tops, line)
            length = lines.lengths[line]
            places[cell].before[direction] = min(REACH, at)
            places[cell].after[direction] = min(REACH, length - 1 - at)
            for distance in range(-places[cell].before[direction], places[cell].after[direction] + 1):
                neighbour = cell + distance * steps[direction]
                places[cell].touched[neighbour >> 6] |= <uint64_t>1 << (neighbour & 63)
    _places[lines.rows, lines.cols] = made
    return made


@cython.final
cdef class CodeTracker(LearnedTracker):
    """A position with a line code on it."""

    def __cinit__(self, CodeTable table not None, Geometry geometry not None):
        cdef CodeState *state
        self.table, self.places = table, code_places(geometry)
        self.state = state = <CodeState *>room(1, sizeof(CodeState))
        state.stack = <CodeUndo *>room(geometry.cells + 1, sizeof(CodeUndo))
        state.table, state.places = &table.data, <const CodePlace *><char *>self.places
        state.cells_count, state.words = geometry.cells, (geometry.cells + 63) // 64
        state.steps[0], state.steps[1] = 1, geometry.cols
        state.steps[2], state.steps[3] = geometry.cols + 1, geometry.cols - 1
        state.turn = BLACK
        cdef int cell, direction
        for cell in range(state.cells_count):
            for direction in range(4):
                state.codes[cell][direction] = (
                    STARTS[state.places[cell].before[direction]] * SIDES + STARTS[state.places[cell].after[direction]]
                )
            state.views[0].counted[cell] = state.views[1].counted[cell] = 1

    def __dealloc__(self):
        if self.state != NULL:
            PyMem_RawFree(self.state.stack)
            PyMem_RawFree(self.state)

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil:
        """As :meth:`CoreTracker.load`; costs what differs from the position before."""
        cdef CodeState *state = self.state
        cdef int cell, stone
        if not are_stones(cells, state.cells_count):
            return False
        state.depth, state.turn = 0, turn
        for cell in range(state.cells_count):
            stone = WHITE if cells[cell] == 255 else cells[cell]
            if stone != state.cells[cell]:
                add_stone(state, cell, stone - <int>state.cells[cell])
                state.cells[cell] = stone
        return True

    cdef const uint8_t *stones(self) noexcept nogil:
        return self.state.cells

    cdef int moves(self) noexcept nogil:
        return self.state.depth

    cdef int to_move(self) noexcept nogil:
        return self.state.turn

    cdef void put(self, int cell, int colour) noexcept nogil:
        code_play(self.state, cell, colour)

    cdef void take(self) noexcept nogil:
        code_undo(self.state)

    cdef int64_t worth(self, int turn) noexcept nogil:
        return code_score(self.state, turn)

    cdef int64_t gained(self, int cell, int colour) noexcept nogil:
        return code_gain(self.state, cell, colour)

    cdef int64_t prior(self, int cell, int colour) noexcept nogil:
        return code_prior(self.state, cell, colour)

    @property
    def nbytes(self):
        """The memory of the tracker, tables that it shares left out."""
        return sizeof(CodeState) + (self.geometry.cells + 1) * sizeof(CodeUndo)
