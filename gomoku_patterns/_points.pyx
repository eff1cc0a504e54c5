# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Point tables natively: the shapes of the four lines through each empty cell, and what they are worth together.

A point's class on a line follows from the cells within reach on either side, so the classes of all cells of a line are
made in one walk along it and remembered by key in 8192 slots (0.4 MB). A move changes four keys; the cells within reach on
those four lines take their new classes, and where a class changed, a point is weighed again: one look-up in a table
of all combinations of four classes where they fit 16 bits, a walk through the combinations otherwise.

Deliberately absent: an undo stack of classes. Taking a stone back is the same walk with the stone subtracted; the lines
it returns to are almost always still remembered.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree
from libc.stdint cimport INT64_MIN
from libc.string cimport memcpy, memset

from gomoku_patterns._basics cimport BLACK, MAX_LINES, MAX_SIDE, WHITE, opponent, side_of, side_start, spread
from gomoku_patterns._geometry cimport COLUMN, FALLING, LENGTH_BIT, PIECE, POWERS, ROW, Geometry, Place, at_on_line, room
from gomoku_patterns._trackers cimport CoreTracker

cdef enum:
    POINT_BITS = 13
    POINT_SLOTS = 8192

cdef int32_t part_worth(const PointData *table, uint32_t code, int side) noexcept nogil:
    """What four lines are worth together, twice over plus 1 if decisive: own part (0) or opposing part (1)."""
    # The lowest bit says "decisive", so that one number, and one look-up, has both.
    if table.parts[side] != NULL:
        return table.parts[side][code]
    cdef uint8_t have[256]
    cdef int direction, one, best = 0, decisive = 0, at, shape
    memset(have, 0, table.shape_count)
    for direction in range(4):
        one = code >> (8 * direction) & 255
        if one == 0:
            continue
        # Classes are numbered in the order of the table: of two decisive ones the lower was written first.
        if table.decisive[one] and (decisive == 0 or one < decisive):
            decisive = one
        best = max(best, table.scores[2 * one + side])
        have[table.shapes[one]] += 1
    if decisive:
        return 2 * table.scores[2 * decisive + side] + 1
    for at in range(table.combinations):
        for shape in range(table.shape_count):
            if have[shape] < table.needs[at * table.shape_count + shape]:
                break
        else:
            return 2 * max(best, table.combination_scores[2 * at + side])
    return 2 * best


cdef inline int32_t joined_worth(const PointData *table, uint32_t own, uint32_t opposing) noexcept nogil:
    """What a point is worth to a colour, without the ring."""
    cdef int32_t mine = part_worth(table, own, 0), theirs
    if not table.subtract or mine & 1:
        return mine >> 1
    theirs = part_worth(table, opposing, 1)
    return -(theirs >> 1) if theirs & 1 else (mine >> 1) - (theirs >> 1)


cdef void weigh(PointState *state, int cell) noexcept nogil:
    """Set the worth of a cell from its codes, and keep the sums over the empty cells."""
    cdef uint32_t black = state.codes[0][cell], white = state.codes[1][cell]
    cdef int32_t ring = 0
    if state.table.ring:
        ring = min(min(state.places[cell].row, state.places[cell].col),
                   min(state.rows - 1 - state.places[cell].row, state.cols - 1 - state.places[cell].col))
    cdef int32_t to_black = joined_worth(state.table, black, white) + ring
    cdef int32_t to_white = joined_worth(state.table, white, black) + ring
    # Cells with a stone keep a worth too, as if they were empty: taking the stone back has only to add it again.
    if state.cells[cell] == 0:
        state.sums[0] += to_black - state.worths[0][cell]
        state.sums[1] += to_white - state.worths[1][cell]
    state.worths[0][cell] = to_black
    state.worths[1][cell] = to_white


cdef PointLine *point_line(PointState *state, uint64_t key) noexcept nogil:
    """The classes of all cells of a line, remembered or made now."""
    # One slot a key and no second choice: reading a line again is one short walk.
    cdef PointLine *line = &state.memo[spread(key, POINT_BITS)]
    if line.key != key:
        line.key = key
        read_classes(state.table, key, line.classes)
    return line


cdef void read_classes(const PointData *table, uint64_t key, uint16_t *classes) noexcept nogil:
    cdef int length = <int>(key >> LENGTH_BIT), at, digit, farthest = 1
    cdef int lefts[MAX_SIDE]
    cdef int digits[MAX_SIDE]
    cdef int side = 0
    for at in range(table.reach - 1):
        farthest *= 3
    for at in range(length):
        lefts[at] = side + side_start(min(at, table.reach))
        digits[at] = <int>(key >> (8 * (at // PIECE)) & 255) // POWERS[at % PIECE] % 3
        side = digits[at] + 3 * (side % farthest)
    side = 0
    for at in range(length - 1, -1, -1):
        classes[at] = table.classes[lefts[at] * table.sides + side + side_start(min(length - 1 - at, table.reach))]
        side = digits[at] + 3 * (side % farthest)


cdef void reclass(PointState *state, int direction, int line, int first, int last, int start, int step) noexcept nogil:
    """Take the classes of the cells ``first`` to ``last`` of a line from its key; ``start`` is the cell at its head."""
    cdef const PointLine *known = point_line(state, state.keys[line])
    cdef int shift = direction * state.table.bits, at, cell
    # A code has the classes of the four directions side by side; a line's two classes, for black and for white, are
    # eight bits apart. What differs is a mask that turns the old class into the new one in both codes.
    cdef uint32_t mask = (<uint32_t>1 << state.table.bits) - 1, now
    for at in range(first, last + 1):
        cell = start + at * step
        now = (state.codes[0][cell] >> shift & mask) | (state.codes[1][cell] >> shift & mask) << 8
        if known.classes[at] != now:
            now ^= known.classes[at]
            state.codes[0][cell] ^= (now & 255) << shift
            state.codes[1][cell] ^= (now >> 8) << shift
            weigh(state, cell)


cdef void restone(PointState *state, int cell, int64_t colour) noexcept nogil:
    """Add (or, negative, take) a stone to the four keys and renew what lies within reach."""
    # A place's digit in a key is the colour, 0, 1 or 2: its step times the colour puts the stone, minus that takes it.
    cdef const Place *place = &state.places[cell]
    cdef int direction, line, at, length, step, reach = state.table.reach
    for direction in range(4):
        line = place.lines[direction]
        state.keys[line] += place.steps[direction] * <uint64_t>colour
        length = <int>(state.keys[line] >> LENGTH_BIT)
        at = at_on_line(place, direction, state.tops, line)
        step = line_step(state, direction)
        reclass(state, direction, line, max(0, at - reach), min(length - 1, at + reach), cell - at * step, step)


cdef inline int line_step(const PointState *state, int direction) noexcept nogil:
    """From a cell to the next on its line."""
    if direction == ROW:
        return 1
    return state.cols if direction == COLUMN else state.cols + 1 if direction == FALLING else state.cols - 1


cdef void point_play(PointState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef PointUndo *undo = &state.stack[state.depth]
    undo.cell, undo.colour, undo.turn = cell, colour, state.turn
    state.depth += 1
    state.sums[0] -= state.worths[0][cell]
    state.sums[1] -= state.worths[1][cell]
    state.cells[cell] = colour
    state.stones += 1
    state.turn = opponent(colour)
    restone(state, cell, colour)


cdef void point_undo(PointState *state) noexcept nogil:
    """Take the last stone back, unchecked."""
    state.depth -= 1
    cdef PointUndo *undo = &state.stack[state.depth]
    cdef int cell = undo.cell
    restone(state, cell, -<int64_t>undo.colour)
    state.cells[cell] = 0
    state.stones -= 1
    state.sums[0] += state.worths[0][cell]
    state.sums[1] += state.worths[1][cell]
    state.turn = undo.turn


cdef int64_t point_score(const PointState *state, int turn) noexcept nogil:
    """The score with a colour to move."""
    cdef int64_t best = INT64_MIN, both
    cdef int cell
    if not state.table.best:
        best = state.sums[side_of(turn)] + state.table.occupied * state.stones
        return best if turn == BLACK else -best
    if state.stones == state.cells_count:
        return 0
    for cell in range(state.cells_count):
        both = <int64_t>state.worths[0][cell] + state.worths[1][cell]
        if state.cells[cell] == 0 and both > best:
            best = both
    return best if turn == BLACK else -best


@cython.final
cdef class PointTable(TrackerTable):
    """A compiled point table: shared by all that use it, never changed."""

    def __cinit__(self, arrays):
        cdef const uint16_t[:, ::1] classes = arrays.classes
        cdef const int32_t[:, ::1] parts = arrays.parts
        cdef const int32_t[:, ::1] scores = arrays.scores
        cdef const uint8_t[::1] shapes = arrays.shapes
        cdef const uint8_t[::1] decisive = arrays.decisive
        cdef const int32_t[:, ::1] combination_scores = arrays.combination_scores
        cdef const uint8_t[:, ::1] needs = arrays.needs
        cdef PointData *data = &self.data
        self.arrays = arrays
        data.classes, data.sides, data.reach = &classes[0, 0], classes.shape[0], arrays.reach
        data.bits, data.class_count = (4 if parts.shape[1] else 8), scores.shape[0]
        for side in range(2):
            data.parts[side] = &parts[side, 0] if parts.shape[1] else NULL
        data.scores, data.shapes, data.decisive = &scores[0, 0], &shapes[0], &decisive[0]
        data.combinations, data.shape_count = needs.shape[0], arrays.shape_count
        data.combination_scores = &combination_scores[0, 0] if needs.shape[0] else NULL
        data.needs = &needs[0, 0] if needs.shape[0] else NULL
        data.subtract, data.ring, data.best, data.occupied = arrays.subtract, arrays.ring, arrays.best, arrays.occupied

    def __reduce__(self):
        # An evaluator's ``score`` is this object's own method, and travels alone to a pool of processes.
        return PointTable, (self.arrays,)

    cdef CoreTracker new_tracker(self, Geometry geometry):
        return PointTracker(self, geometry)


@cython.final
cdef class PointTracker(CoreTracker):
    """A position with a point table on it: the classes and the worth of all its points."""

    def __cinit__(self, PointTable table not None, Geometry geometry not None):
        self.table = table
        self.state = <PointState *>room(1, sizeof(PointState))
        self.state.memo = <PointLine *>room(POINT_SLOTS, sizeof(PointLine))
        self.state.stack = <PointUndo *>room(geometry.cells + 1, sizeof(PointUndo))
        self.state.table, self.state.places, self.state.tops = &table.data, geometry.places, geometry.tops
        self.state.rows, self.state.cols, self.state.cells_count = geometry.rows, geometry.cols, geometry.cells
        self.load(<const uint8_t *>self.state.cells, BLACK)

    def __dealloc__(self):
        if self.state != NULL:
            PyMem_RawFree(self.state.memo)
            PyMem_RawFree(self.state.stack)
            PyMem_RawFree(self.state)

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil:
        """As :meth:`CoreTracker.load`."""
        cdef PointState *state = self.state
        cdef int cell, line, direction, step
        cdef const Place *place
        cdef uint64_t keys[MAX_LINES]
        if not self.geometry.keys(cells, keys):
            return False
        memcpy(state.keys, keys, self.geometry.lines * sizeof(uint64_t))
        state.depth = state.stones = 0
        state.turn = turn
        state.sums[0] = state.sums[1] = 0
        for cell in range(state.cells_count):
            state.cells[cell] = WHITE if cells[cell] == 255 else cells[cell]
            state.stones += cells[cell] != 0
            state.codes[0][cell] = state.codes[1][cell] = 0
        for cell in range(state.cells_count):
            place = &state.places[cell]
            for direction in range(4):
                line = place.lines[direction]
                if at_on_line(place, direction, state.tops, line) == 0:
                    enter_classes(state, direction, line, cell)
        for cell in range(state.cells_count):
            state.worths[0][cell] = state.worths[1][cell] = 0
            weigh(state, cell)
        return True

    cdef const uint8_t *stones(self) noexcept nogil:
        return self.state.cells

    cdef int moves(self) noexcept nogil:
        return self.state.depth

    cdef int to_move(self) noexcept nogil:
        return self.state.turn

    cdef void put(self, int cell, int colour) noexcept nogil:
        point_play(self.state, cell, colour)

    cdef void take(self) noexcept nogil:
        point_undo(self.state)

    cdef int64_t worth(self, int turn) noexcept nogil:
        return point_score(self.state, turn)

    cdef int64_t gained(self, int cell, int colour) noexcept nogil:
        return point_gain(self.state, cell, colour)

    @property
    def nbytes(self):
        """The memory of the tracker, tables that it shares left out."""
        return POINT_SLOTS * sizeof(PointLine) + sizeof(PointState) + (self.geometry.cells + 1) * sizeof(PointUndo)


cdef void enter_classes(PointState *state, int direction, int line, int head) noexcept nogil:
    """Write the classes of a whole line, from its head on, into codes that have none in this direction."""
    cdef const PointLine *known = point_line(state, state.keys[line])
    cdef int step = line_step(state, direction)
    cdef int shift = direction * state.table.bits, at
    for at in range(<int>(state.keys[line] >> LENGTH_BIT)):
        state.codes[0][head + at * step] |= <uint32_t>(known.classes[at] & 255) << shift
        state.codes[1][head + at * step] |= <uint32_t>(known.classes[at] >> 8) << shift
