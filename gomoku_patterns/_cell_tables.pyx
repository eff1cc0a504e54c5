# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Cell tables natively: see :mod:`gomoku_patterns.cell_tables` for what they are.

A window is a number: at distance d a stone is worth 3 ** (d - 1) on its side of it, so a stone changes the windows of at
most 8 * reach neighbours by one addition each, and a look-up says what class each has become for black and for white.
Where a class differs from the one before, and only there, the cell's code of four classes changes, and with it the sums.
With reach 4 there are 14,641 windows of a byte each, which the first cache holds; with reach 5 they are 132,496.

What a move changed is kept, so taking it back looks nothing up. Codes of occupied cells are left as they were when the
stone came: moves are taken back in the reverse order, so nothing around such a cell has changed when it is empty again.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree
from libc.string cimport memset

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE, side_of, side_start
from gomoku_patterns._geometry cimport Geometry, at_on_line, room
from gomoku_patterns._trackers cimport CoreTracker, LearnedTracker, are_stones

cdef enum:
    UNIT_BITS = 4
    # One class of four bits for black and for white, in the lowest place.
    BOTH = 0x000F000F
    FACTS = (1 << MAX_FACTS) - 1
    COUNT = (1 << COUNT_BITS) - 1


cdef inline uint32_t both_classes(const CellData *table, int32_t window) noexcept nogil:
    cdef uint32_t kinds = table.kinds[window]
    return (kinds | kinds << 12) & <uint32_t>BOTH


cdef uint64_t[1 << MAX_FACTS] COUNTS     # by a set of facts: one of each


cdef void _fill_counts() noexcept:
    cdef int facts, fact
    for facts in range(1 << MAX_FACTS):
        COUNTS[facts] = 0
        for fact in range(MAX_FACTS):
            COUNTS[facts] |= <uint64_t>(facts >> fact & 1) << COUNT_BITS * fact


_fill_counts()


cdef inline void move_sums(const CellData *table, CellSums *sums, int side, uint32_t then, uint32_t now) noexcept nogil:
    """An empty cell has become another combination for one colour."""
    cdef const CellCode *old = &table.codes[then]
    cdef const CellCode *new = &table.codes[now]
    cdef int at
    for at in range(WORTHS):
        sums.worths[side][at] += new.worths[at] - old.worths[at]
    sums.counts[side] += COUNTS[new.marks & FACTS] - COUNTS[old.marks & FACTS]


cdef inline const int16_t *met(const CellData *table, uint32_t codes) noexcept nogil:
    """What a cell is worth for what it is to both."""
    cdef uint32_t black = table.codes[codes & 0xFFFF].marks >> 8, white = table.codes[codes >> 16].marks >> 8
    return &table.meetings[(black << 4 | white) * WORTHS]


cdef inline void move_meetings(const CellData *table, CellSums *sums, uint32_t then, uint32_t now) noexcept nogil:
    """A cell has become something else to both."""
    cdef const int16_t *old = met(table, then)
    cdef const int16_t *new = met(table, now)
    cdef int at
    for at in range(WORTHS):
        sums.meetings[at] += new[at] - old[at]


cdef inline void recode(CellState *state, int cell, uint32_t now) noexcept nogil:
    """Give an empty cell another code and keep the old one for undo."""
    cdef uint32_t then = state.codes[cell]
    cdef CellChange *change = &state.changes[state.change_count]
    change.cell, change.codes = cell, then
    state.change_count += 1
    state.codes[cell] = now
    if (then ^ now) & 0xFFFF:
        move_sums(state.table, &state.sums, 0, then & 0xFFFF, now & 0xFFFF)
    if (then ^ now) >> 16:
        move_sums(state.table, &state.sums, 1, then >> 16, now >> 16)
    move_meetings(state.table, &state.sums, then, now)


cdef inline void renew(CellState *state, int direction, int cell, int32_t change) noexcept nogil:
    """Change a neighbour's window, and its code if its class has changed."""
    cdef int32_t window = state.windows[direction][cell] + change
    cdef uint32_t differs
    state.windows[direction][cell] = window
    differs = ((state.codes[cell] >> 4 * direction) & <uint32_t>BOTH) ^ both_classes(state.table, window)
    if differs and state.cells[cell] == 0:
        recode(state, cell, state.codes[cell] ^ (differs << 4 * direction))


cdef void cell_play(CellState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef CellUndo *undo = &state.stack[state.depth]
    cdef const CellData *table = state.table
    cdef const CellPlace *place = &state.places[cell]
    cdef int direction, distance, step
    undo.sums, undo.changes = state.sums, state.change_count
    undo.cell, undo.colour, undo.turn = cell, colour, state.turn
    state.depth += 1
    state.stones += 1
    state.cells[cell] = colour
    state.turn = 3 - colour
    # The cell itself counts no longer: code 0 is worth nothing.
    move_sums(table, &state.sums, 0, state.codes[cell] & 0xFFFF, 0)
    move_sums(table, &state.sums, 1, state.codes[cell] >> 16, 0)
    move_meetings(table, &state.sums, state.codes[cell], 0)
    for direction in range(4):
        step = state.steps[direction]
        for distance in range(1, place.before[direction] + 1):
            renew(state, direction, cell - distance * step, colour * table.digits[distance])
        for distance in range(1, place.after[direction] + 1):
            renew(state, direction, cell + distance * step, colour * table.digits[distance] * table.sides)


cdef inline void move_windows(CellState *state, int cell, int stone) noexcept nogil:
    """Add a stone (or, negative, take it) to the windows of its neighbours."""
    cdef const CellData *table = state.table
    cdef const CellPlace *place = &state.places[cell]
    cdef int direction, distance, step
    for direction in range(4):
        step = state.steps[direction]
        for distance in range(1, place.before[direction] + 1):
            state.windows[direction][cell - distance * step] += stone * table.digits[distance]
        for distance in range(1, place.after[direction] + 1):
            state.windows[direction][cell + distance * step] += stone * table.digits[distance] * table.sides


cdef void cell_undo(CellState *state) noexcept nogil:
    """Take the last stone back, unchecked."""
    state.depth -= 1
    state.stones -= 1
    cdef CellUndo *undo = &state.stack[state.depth]
    state.cells[undo.cell] = 0
    state.turn = undo.turn
    move_windows(state, undo.cell, -<int>undo.colour)
    while state.change_count > undo.changes:
        state.change_count -= 1
        state.codes[state.changes[state.change_count].cell] = state.changes[state.change_count].codes
    state.sums = undo.sums


cdef int64_t cell_score(const CellState *state, int turn) noexcept nogil:
    """What the position is worth, black minus white, with a colour to move."""
    cdef const CellData *table = state.table
    cdef const CellSums *sums = &state.sums
    cdef int own = side_of(turn), other = own ^ 1, facts = 0, fact
    cdef int first, second
    cdef int64_t worth = <int64_t>sums.worths[own][0] + sums.worths[other][1] + sums.meetings[own]
    cdef int64_t growth = <int64_t>sums.worths[own][2] + sums.worths[other][3] + sums.meetings[2 + own]
    cdef const int32_t *pair
    for fact in range(table.fact_count):
        first = sums.counts[own] >> COUNT_BITS * fact & COUNT
        second = sums.counts[other] >> COUNT_BITS * fact & COUNT
        facts |= (first > 0) << fact | (second > 0) << (fact + table.fact_count)
        pair = &table.counts[2 * ((fact * COUNTED + min(first, COUNTED - 1)) * COUNTED + min(second, COUNTED - 1))]
        worth, growth = worth + pair[0], growth + pair[1]
    worth, growth = worth + table.facts[2 * facts], growth + table.facts[2 * facts + 1]
    worth = worth * CROWDED + growth * min(state.stones, CROWDED) >> UNIT_BITS + CROWDED_BITS
    return worth if turn == BLACK else -worth


cdef int64_t cell_gain(CellState *state, int cell, int colour) noexcept nogil:
    """What a stone of a colour on an empty cell changes the score, that colour to move before it."""
    cdef int64_t before = cell_score(state, colour), after
    cell_play(state, cell, colour)
    after = cell_score(state, 3 - colour)
    cell_undo(state)
    return after - before


# ---------------------------------------------------------------------- for Python


@cython.final
cdef class CellTable(TrackerTable):
    """A compiled cell table: shared by all that use it, never changed."""

    def __cinit__(self, arrays):
        cdef const uint8_t[::1] kinds = arrays.kinds
        cdef const int16_t[:, ::1] worths = arrays.worths
        cdef const int16_t[:, ::1] priors = arrays.priors
        cdef const uint16_t[::1] marks = arrays.marks
        cdef const int32_t[:, ::1] facts = arrays.facts
        cdef const int16_t[:, ::1] meetings = arrays.meetings
        cdef const int32_t[:, ::1] counts = arrays.counts
        cdef CellData *data = &self.data
        cdef int distance, code, at
        self.arrays = arrays
        data.kinds, data.priors = &kinds[0], &priors[0, 0]
        data.facts, data.meetings, data.counts = &facts[0, 0], &meetings[0, 0], NULL
        if counts.shape[0]:
            data.counts = &counts[0, 0]
        data.codes = <CellCode *>room(marks.shape[0], sizeof(CellCode))
        for code in range(marks.shape[0]):
            for at in range(WORTHS):
                data.codes[code].worths[at] = worths[code, at]
            data.codes[code].marks = marks[code]
        data.reach, data.fact_count = arrays.reach, arrays.fact_count
        data.digits[0] = 0
        for distance in range(1, data.reach + 1):
            data.digits[distance] = 3 * data.digits[distance - 1] if distance > 1 else 1
        data.sides = side_start(data.reach + 1)

    def __dealloc__(self):
        PyMem_RawFree(self.data.codes)

    def __reduce__(self):
        return CellTable, (self.arrays,)

    cdef CoreTracker new_tracker(self, Geometry geometry):
        return CellTracker(self, geometry)


cdef dict _places = {}


cdef bytearray cell_places(Geometry lines, int reach):
    """How far every cell of boards of one size sees, made once."""
    cdef bytearray made
    cdef CellPlace *places
    cdef int cell, direction, at, line
    if (lines.rows, lines.cols, reach) in _places:
        return _places[lines.rows, lines.cols, reach]
    made = bytearray(lines.cells * sizeof(CellPlace))
    places = <CellPlace *><char *>made
    for cell in range(lines.cells):
        for direction in range(4):
            line = lines.places[cell].lines[direction]
            at = at_on_line(&lines.places[cell], direction, lines.tops, line)
            places[cell].before[direction] = min(reach, at)
            places[cell].after[direction] = min(reach, lines.lengths[line] - 1 - at)
    _places[lines.rows, lines.cols, reach] = made
    return made


@cython.final
cdef class CellTracker(LearnedTracker):
    """A position with a cell table on it: the classes of all cells, and what they add up to."""

    def __cinit__(self, CellTable table not None, Geometry geometry not None):
        cdef CellState *state
        self.table, self.places = table, cell_places(geometry, table.data.reach)
        self.state = state = <CellState *>room(1, sizeof(CellState))
        state.stack = <CellUndo *>room(geometry.cells + 1, sizeof(CellUndo))
        state.changes = <CellChange *>room((geometry.cells + 1) * TOUCHED, sizeof(CellChange))
        state.table, state.places = &table.data, <const CellPlace *><char *>self.places
        state.cells_count = geometry.cells
        state.steps[0], state.steps[1] = 1, geometry.cols
        state.steps[2], state.steps[3] = geometry.cols + 1, geometry.cols - 1
        self.load(state.cells, BLACK)

    def __dealloc__(self):
        if self.state != NULL:
            PyMem_RawFree(self.state.stack)
            PyMem_RawFree(self.state.changes)
            PyMem_RawFree(self.state)

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil:
        """As :meth:`CoreTracker.load`."""
        cdef CellState *state = self.state
        cdef const CellData *table = state.table
        cdef const CellPlace *place
        cdef int cell, direction
        cdef uint32_t codes
        if not are_stones(cells, state.cells_count):
            return False
        state.depth, state.stones, state.change_count, state.turn = 0, 0, 0, turn
        memset(&state.sums, 0, sizeof(state.sums))
        for cell in range(state.cells_count):
            state.cells[cell] = WHITE if cells[cell] == 255 else cells[cell]
            place = &state.places[cell]
            for direction in range(4):
                state.windows[direction][cell] = (
                    side_start(place.before[direction]) * table.sides + side_start(place.after[direction])
                )
        for cell in range(state.cells_count):
            if state.cells[cell]:
                state.stones += 1
                move_windows(state, cell, state.cells[cell])
        for cell in range(state.cells_count):
            codes = 0
            if state.cells[cell] == 0:
                for direction in range(4):
                    codes |= both_classes(table, state.windows[direction][cell]) << 4 * direction
                move_sums(table, &state.sums, 0, 0, codes & 0xFFFF)
                move_sums(table, &state.sums, 1, 0, codes >> 16)
                move_meetings(table, &state.sums, 0, codes)
            state.codes[cell] = codes
        return True

    cdef const uint8_t *stones(self) noexcept nogil:
        return self.state.cells

    cdef int moves(self) noexcept nogil:
        return self.state.depth

    cdef int to_move(self) noexcept nogil:
        return self.state.turn

    cdef void put(self, int cell, int colour) noexcept nogil:
        cell_play(self.state, cell, colour)

    cdef void take(self) noexcept nogil:
        cell_undo(self.state)

    cdef int64_t worth(self, int turn) noexcept nogil:
        return cell_score(self.state, turn)

    cdef int64_t gained(self, int cell, int colour) noexcept nogil:
        return cell_gain(self.state, cell, colour)

    cdef int64_t prior(self, int cell, int colour) noexcept nogil:
        return cell_prior(self.state, cell, colour)

    @property
    def nbytes(self):
        """The memory of the tracker, tables that it shares left out."""
        cdef size_t one = sizeof(CellUndo) + TOUCHED * sizeof(CellChange)
        return sizeof(CellState) + (self.geometry.cells + 1) * one
