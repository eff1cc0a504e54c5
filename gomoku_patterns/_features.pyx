# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Features natively: how often each pattern of a table stands on each of many boards, and what every cell is part of.

A column is ``2 * pattern + colour - 1``. Line tables that count a pattern once a line, and are small enough to be read
in pieces, already know which patterns a line shows: the masks of its pieces, or'ed, hold a bit for each column, so a
board costs a score and one addition for each bit. All other line tables are walked cell by cell. Point tables look up
the first pattern of the window around each empty cell by what lies on either side of it, as scoring does, except that
patterns are told apart which scoring may treat alike.

Deliberately absent: trackers. Whoever wants features wants them of many boards; a search wants the score.
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from gomoku_patterns._basics cimport MAX_LINES, MAX_SIDE, lowest_bit, side_start
from gomoku_patterns._geometry cimport (
    END_COLUMNS, LENGTH_BIT, PIECE, POWERS, Geometry, geometry, last_piece,
)
from gomoku_patterns._lines cimport LineData, LineTable, Pass, Walk

cdef enum:
    MAX_PATTERNS = 4096
    # Columns of ``steps`` and ``ends``, as ``compile`` lays them out, and the columns of one pass.
    STEP_STRIDE = 256
    END_STRIDE = 512
    PASS_COLUMNS = 64
    DIRECTIONS = 4

cdef struct Lines:
    # By line: its first cell, the step to the next one, and its direction.
    const int32_t *heads
    const int32_t *steps
    const int32_t *directions


cdef inline int digit_at(uint64_t key, int at) noexcept nogil:
    """The cell of a line: 0 empty, 1 black, 2 white."""
    return <int>(key >> (8 * (at // PIECE)) & 255) // POWERS[at % PIECE] % 3


cdef void count_masks(const LineData *table, Geometry lines, const uint64_t *keys, int32_t *counts) noexcept nogil:
    cdef int number, at, piece, line, length
    cdef int first = lines.by_length[min(table.shortest, MAX_SIDE + 1)], last = lines.by_length[MAX_SIDE + 1]
    cdef const Pass *one
    cdef uint64_t key, mask
    cdef uint32_t step
    for number in range(table.count):
        one = &table.passes[number]
        for at in range(first, last):
            line = lines.order[at].line
            key, length = keys[line], lines.lengths[line]
            # A pattern has at least one stone.
            if key == lines.empty[line]:
                continue
            step, mask = one.start, 0
            for piece in range((length - 1) // PIECE):
                step = one.steps[(step & 0xFFFF) * STEP_STRIDE + (key & 255)]
                mask |= one.masks[step >> 16]
                key >>= 8
            mask |= one.masks[one.ends[(step & 0xFFFF) * END_STRIDE + lines.order[at].ends + (key & 255)]]
            while mask:
                counts[number * PASS_COLUMNS + lowest_bit(mask)] += 1
                mask &= mask - 1


cdef inline void count_outputs(const Walk *walk, int state, uint8_t *seen, int32_t *counts) noexcept nogil:
    cdef int at, owner
    for at in range(walk.offsets[state], walk.offsets[state + 1]):
        owner = walk.outputs[at]
        if walk.once:
            if seen[owner]:
                continue
            seen[owner] = 1
        counts[owner] += 1


cdef void count_walk(const Walk *walk, Geometry lines, const uint64_t *keys, int32_t *counts) noexcept nogil:
    cdef uint8_t seen[2 * MAX_PATTERNS]
    cdef int line, at, state, piece
    cdef uint64_t key
    for line in range(lines.lines):
        if keys[line] == lines.empty[line]:
            continue
        if walk.once:
            memset(seen, 0, walk.owners)
        key, state, piece = keys[line], walk.start, 0
        for at in range(lines.lengths[line]):
            if at % PIECE == 0:
                piece = <int>(key & 255)
                key >>= 8
            state = walk.transitions[4 * state + piece % 3]
            piece //= 3
            count_outputs(walk, state, seen, counts)
        if walk.edge:
            count_outputs(walk, walk.transitions[4 * state + 3], seen, counts)


cdef inline void cover(
    const Walk *walk, const int32_t *texts, int state, int end, int length, uint16_t *classes, const int *places, int cells
) noexcept nogil:
    """Give the cells of every match that ends in a state its pattern, where they have none that is written before it."""
    cdef int at, owner, cell, place
    cdef uint16_t pattern
    for at in range(walk.offsets[state], walk.offsets[state + 1]):
        owner = walk.outputs[at]
        pattern = owner // 2 + 1
        for cell in range(max(0, end - texts[owner // 2]), min(end, length)):
            place = (owner % 2) * cells * DIRECTIONS + places[cell]
            if classes[place] == 0 or classes[place] > pattern:
                classes[place] = pattern


cdef void line_classes(
    const Walk *walk, const int32_t *texts, Geometry lines, const Lines *laid, const uint64_t *keys, uint16_t *classes
) noexcept nogil:
    cdef int places[MAX_SIDE]
    cdef int line, at, state, length
    for line in range(lines.lines):
        if keys[line] == lines.empty[line]:
            continue
        length, state = lines.lengths[line], walk.start
        for at in range(length):
            places[at] = (laid.heads[line] + at * laid.steps[line]) * DIRECTIONS + laid.directions[line]
        for at in range(length):
            state = walk.transitions[4 * state + digit_at(keys[line], at)]
            cover(walk, texts, state, at + 1, length, classes, places, lines.cells)
        if walk.edge:
            cover(walk, texts, walk.transitions[4 * state + 3], length + 1, length, classes, places, lines.cells)


cdef Geometry check_stack(const uint8_t[:, :, ::1] boards, Py_ssize_t rows, Py_ssize_t columns, Py_ssize_t wanted):
    if rows != boards.shape[0] or columns != wanted:
        raise ValueError(f"expected room for {boards.shape[0]} boards of {wanted} numbers, found {rows} of {columns}")
    return geometry(boards.shape[1], boards.shape[2])


cdef int take_lines(Lines *laid, const int32_t[:, ::1] lines, Geometry of) except -1:
    if lines.shape[0] != 3 or lines.shape[1] != of.lines:
        raise ValueError(f"expected the heads, steps and directions of {of.lines} lines")
    laid.heads, laid.steps, laid.directions = &lines[0, 0], &lines[1, 0], &lines[2, 0]
    return 0


@cython.final
cdef class LineFeatures:
    """The patterns of a line table on many boards. ``walk`` is its automaton cell by cell, ``texts`` are their lengths."""

    cdef LineTable table
    cdef object arrays
    cdef Walk walk
    cdef const int32_t[::1] texts
    cdef int columns

    def __init__(self, LineTable table not None, walk, const int32_t[::1] texts not None):
        cdef const int32_t[:, ::1] transitions = walk.transitions
        cdef const int32_t[::1] offsets = walk.offsets
        cdef const int32_t[::1] outputs = walk.outputs
        if texts.shape[0] > MAX_PATTERNS:
            raise ValueError(f"expected at most {MAX_PATTERNS} patterns, found {texts.shape[0]}")
        self.table, self.arrays, self.texts, self.columns = table, walk, texts, 2 * <int>texts.shape[0]
        self.walk.transitions, self.walk.offsets, self.walk.outputs = &transitions[0, 0], &offsets[0], &outputs[0]
        self.walk.start, self.walk.edge, self.walk.once, self.walk.owners = walk.start, walk.edge, walk.once, self.columns

    def counts(self, const uint8_t[:, :, ::1] boards not None, int32_t[:, ::1] counts not None):
        """Add how often each pattern stands on each board; the first board that holds anything else than stones, or -1."""
        cdef Geometry lines = check_stack(boards, counts.shape[0], counts.shape[1], self.columns)
        cdef uint64_t keys[MAX_LINES]
        cdef Py_ssize_t at
        cdef bint masks = self.walk.once and self.table.data.count
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    with gil:
                        return at
                if masks:
                    count_masks(&self.table.data, lines, keys, &counts[at, 0])
                else:
                    count_walk(&self.walk, lines, keys, &counts[at, 0])
        return -1

    def classes(
        self, const uint8_t[:, :, ::1] boards not None, const int32_t[:, ::1] laid not None, uint16_t[:, ::1] classes not None
    ):
        """Set which pattern each cell is part of, by colour and direction; the first odd board, or -1."""
        cdef Py_ssize_t cells = boards.shape[1] * boards.shape[2]
        cdef Geometry lines = check_stack(boards, classes.shape[0], classes.shape[1], 2 * DIRECTIONS * cells)
        cdef Lines where
        cdef uint64_t keys[MAX_LINES]
        cdef Py_ssize_t at
        take_lines(&where, laid, lines)
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    with gil:
                        return at
                line_classes(&self.walk, &self.texts[0], lines, &where, keys, &classes[at, 0])
        return -1


# ---------------------------------------------------------------------- point tables

@cython.final
cdef class PointFeatures:
    """The patterns of a point table on many boards: ``firsts[left, right, colour]`` is a window's first pattern plus 1."""

    cdef const uint16_t[:, :, ::1] firsts
    cdef int reach
    cdef int farthest
    cdef int columns
    cdef int starts[MAX_SIDE]

    def __init__(self, const uint16_t[:, :, ::1] firsts not None, int reach, int patterns):
        if firsts.shape[0] != side_start(reach + 1) or firsts.shape[1] != firsts.shape[0] or firsts.shape[2] != 2:
            raise ValueError(f"expected {side_start(reach + 1)} sides each way, found {firsts.shape[0]}")
        self.firsts, self.reach, self.columns = firsts, reach, 2 * patterns
        self.farthest = side_start(reach) - side_start(reach - 1)
        for at in range(MAX_SIDE):
            self.starts[at] = side_start(min(at, reach))

    cdef void read(self, uint64_t key, const uint16_t **found) noexcept nogil:
        """For each empty cell of a line where its patterns stand, as black and as white; NULL for a stone."""
        cdef int length = <int>(key >> LENGTH_BIT), at, side = 0
        cdef int lefts[MAX_SIDE]
        cdef int digits[MAX_SIDE]
        for at in range(length):
            lefts[at] = side + self.starts[at]
            digits[at] = digit_at(key, at)
            side = digits[at] + 3 * (side % self.farthest)
        side = 0
        for at in range(length - 1, -1, -1):
            found[at] = NULL
            if digits[at] == 0:
                found[at] = &self.firsts[lefts[at], side + self.starts[length - 1 - at], 0]
            side = digits[at] + 3 * (side % self.farthest)

    def counts(self, const uint8_t[:, :, ::1] boards not None, int32_t[:, ::1] counts not None):
        """Add how many windows show each pattern; the first board that holds anything else than stones, or -1."""
        cdef Geometry lines = check_stack(boards, counts.shape[0], counts.shape[1], self.columns)
        cdef uint64_t keys[MAX_LINES]
        cdef const uint16_t *found[MAX_SIDE]
        cdef int32_t *into
        cdef Py_ssize_t at
        cdef int line, cell, colour
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    with gil:
                        return at
                into = &counts[at, 0]
                for line in range(lines.lines):
                    self.read(keys[line], found)
                    for cell in range(lines.lengths[line]):
                        for colour in range(2):
                            if found[cell] != NULL and found[cell][colour]:
                                into[2 * (found[cell][colour] - 1) + colour] += 1
        return -1

    def classes(
        self, const uint8_t[:, :, ::1] boards not None, const int32_t[:, ::1] laid not None, uint16_t[:, ::1] classes not None
    ):
        """Set the pattern of each empty cell, by colour and direction; the first odd board, or -1."""
        cdef Py_ssize_t cells = boards.shape[1] * boards.shape[2]
        cdef Geometry lines = check_stack(boards, classes.shape[0], classes.shape[1], 2 * DIRECTIONS * cells)
        cdef Lines where
        cdef uint64_t keys[MAX_LINES]
        cdef const uint16_t *found[MAX_SIDE]
        cdef uint16_t *into
        cdef Py_ssize_t at
        cdef int line, cell, place
        take_lines(&where, laid, lines)
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    with gil:
                        return at
                for line in range(lines.lines):
                    self.read(keys[line], found)
                    for cell in range(lines.lengths[line]):
                        if found[cell] != NULL:
                            place = (where.heads[line] + cell * where.steps[line]) * DIRECTIONS + where.directions[line]
                            into = &classes[at, place]
                            into[0] = found[cell][0]
                            into[lines.cells * DIRECTIONS] = found[cell][1]
        return -1
