# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Line tables natively: what lines are worth, by key.

* ``LineTable`` reads a line of fifteen cells in two look-ups: its first two pieces give a state and the patterns seen,
  the state and the last piece give the rest. A whole board is an addition to four keys for each stone, then 72 lines
  of about thirty instructions; at that rate the processor's width is the limit, not its caches.
* ``LineTracker`` keeps a position. The worth of a line and the gain of a stone of either colour on each of its cells
  are remembered by key in a ``Memo`` of 16384 lines (2.6 MB on boards up to 16x16, 3.7 MB beyond), so a move swaps four
  entries, and a gain is the sum of four numbers: always current, never recomputed. Searches see the same few hundred
  lines again and again. A slot in use by the board or the undo stack is pinned and never given to another line.

Deliberately absent from the C functions: checks. Cells are flat indexes, trusted to be on the board and empty; what
Python can call checks first. Memory is plain C, freed with the object that owns it.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree
from libc.string cimport memset

from gomoku_patterns._basics cimport BLACK, MAX_LINES, MAX_SIDE, WHITE
from gomoku_patterns._geometry cimport (
    END_COLUMNS, LENGTH_BIT, PIECE, POWERS, Geometry, Place, ReadLine, board_cells, board_keys, board_turn, check_batch,
    check_empty, geometry, last_piece, room,
)

cdef enum:
    MAX_WALK_PATTERNS = 4096
    # Memos that a table keeps for its next trackers.
    KEPT_MEMOS = 2
    # Columns of ``steps`` and ``ends``, as ``compile`` lays them out.
    STEP_STRIDE = 256
    END_STRIDE = 512

cdef struct Seen:
    # What is known of a line after some of its pieces.
    uint32_t state
    int32_t worth
    uint64_t mask


cdef inline void see(const Pass *one, Seen *seen, uint32_t value, int side) noexcept nogil:
    """Add a value; patterns that were seen before and count once are taken off again."""
    cdef uint64_t again = one.masks[value] & seen.mask
    seen.worth += one.worths[side][value]
    if again:
        seen.worth -= mask_worth(one, again, side)
    seen.mask |= one.masks[value]


cdef int32_t mask_worth(const Pass *one, uint64_t mask, int side) noexcept nogil:
    cdef int32_t worth = 0
    cdef int byte
    for byte in range(one.byte_count):
        worth += one.bytes[side][256 * byte + (mask >> (8 * byte) & 255)]
    return worth


cdef inline int32_t read_on(const Pass *one, uint64_t key, int pieces, int ends, Seen seen, int side) noexcept nogil:
    """The worth of a line of which ``seen`` tells the beginning and ``key`` the rest: whole pieces and a last one."""
    cdef uint32_t step
    cdef int piece
    for piece in range(pieces):
        step = one.steps[seen.state * STEP_STRIDE + (key & 255)]
        see(one, &seen, step >> 16, side)
        seen.state = step & 0xFFFF
        key >>= 8
    see(one, &seen, one.ends[seen.state * END_STRIDE + ends + (key & 255)], side)
    return seen.worth


cdef inline int32_t read_line(const Pass *one, uint64_t key, int pieces, int ends, int side) noexcept nogil:
    cdef Seen seen
    seen.state, seen.worth, seen.mask = one.start, 0, 0
    return read_on(one, key, pieces, ends, seen, side)


cdef inline int64_t read_some(
    const Pass *one, const uint64_t *keys, const ReadLine *order, int count, int pieces, int side, bint once
) noexcept nogil:
    """The worth of several lines with the same number of whole pieces.

    If a pattern counts ``once``, what a line saw twice is written down without asking, and taken off at the end: a
    branch here would be guessed wrong on every tenth line.
    """
    cdef uint64_t twice[5 * MAX_LINES]
    cdef const int32_t *worths = one.worths[side]
    cdef uint64_t key, seen
    cdef uint32_t step, value
    cdef int64_t total = 0
    cdef size_t found = 0
    cdef int at, piece
    for at in range(count):
        key = keys[order[at].line]
        if pieces > 1:
            step = one.heads[key & 0xFFFF]
            key >>= 16
        elif pieces == 1:
            step = one.steps[one.start * STEP_STRIDE + (key & 255)]
            key >>= 8
        else:
            step = one.start
        seen = one.masks[step >> 16] if once else 0
        total += worths[step >> 16]
        for piece in range(2, pieces):
            step = one.steps[(step & 0xFFFF) * STEP_STRIDE + (key & 255)]
            key >>= 8
            total += worths[step >> 16]
            if once:
                twice[found] = one.masks[step >> 16] & seen
                found += twice[found] != 0
                seen |= one.masks[step >> 16]
        value = one.ends[(step & 0xFFFF) * END_STRIDE + order[at].ends + (key & 255)]
        total += worths[value]
        if once:
            twice[found] = one.masks[value] & seen
            found += twice[found] != 0
    while found:
        found -= 1
        total -= mask_worth(one, twice[found], side)
    return total


cdef inline int32_t outputs_worth(const Walk *walk, int state, uint8_t *seen, int side) noexcept nogil:
    cdef int32_t worth = 0
    cdef int at, owner
    for at in range(walk.offsets[state], walk.offsets[state + 1]):
        owner = walk.outputs[at]
        if walk.once:
            if seen[owner]:
                continue
            seen[owner] = 1
        worth += walk.worths[2 * owner + side]
    return worth


cdef int32_t walk_line(const Walk *walk, uint64_t key, int side) noexcept nogil:
    """The worth of a line, cell by cell: for automata too large for pieces."""
    cdef uint8_t seen[2 * MAX_WALK_PATTERNS]
    cdef int length = <int>(key >> LENGTH_BIT)
    cdef int state = walk.start, at, piece = 0
    cdef int32_t worth = 0
    if walk.once:
        memset(seen, 0, walk.owners)
    for at in range(length):
        if at % PIECE == 0:
            piece = <int>(key >> (8 * (at // PIECE)) & 255)
        state = walk.transitions[4 * state + piece % 3]
        piece //= 3
        worth += outputs_worth(walk, state, seen, side)
    if walk.edge:
        worth += outputs_worth(walk, walk.transitions[4 * state + 3], seen, side)
    return worth


cdef int32_t line_worth(const LineData *table, uint64_t key, int turn) noexcept nogil:
    """What one line is worth, with a colour to move."""
    cdef int length = <int>(key >> LENGTH_BIT)
    cdef int32_t worth = 0
    cdef int at
    if length < table.shortest:
        return 0
    if table.count == 0:
        return walk_line(&table.walk, key, turn - 1)
    for at in range(table.count):
        worth += read_line(&table.passes[at], key, (length - 1) // PIECE, END_COLUMNS[last_piece(length)], turn - 1)
    return worth


cdef int64_t board_worth(const LineData *table, Geometry geometry, const uint64_t *keys, int turn) noexcept nogil:
    """What a whole board is worth to black, with a colour to move."""
    cdef int64_t total = 0
    cdef int at
    if table.count == 0:
        for at in range(geometry.lines):
            total += line_worth(table, keys[at], turn)
    for at in range(table.count):
        total += pass_worth(&table.passes[at], geometry, keys, table.shortest, turn - 1)
    return total


cdef int64_t pass_worth(const Pass *one, Geometry geometry, const uint64_t *keys, int shortest, int side) noexcept nogil:
    # One loop for each number of whole pieces: the compiler unrolls the reading of a line.
    cdef const ReadLine *order = geometry.order
    cdef int bounds[6]
    cdef int pieces, at
    cdef int64_t total = 0
    bounds[0] = geometry.by_length[min(shortest, MAX_SIDE + 1)]
    for pieces in range(1, 6):
        bounds[pieces] = max(bounds[0], geometry.by_length[min(PIECE * pieces + 1, MAX_SIDE + 1)])
    if one.heads == NULL:
        for at in range(bounds[0], bounds[5]):
            pieces = (geometry.lengths[order[at].line] - 1) // PIECE
            total += read_line(one, keys[order[at].line], pieces, order[at].ends, side)
        return total
    if one.byte_count:
        return read_all(one, keys, order, bounds, side, True)
    return read_all(one, keys, order, bounds, side, False)


cdef inline int64_t read_all(
    const Pass *one, const uint64_t *keys, const ReadLine *order, const int *bounds, int side, bint once
) noexcept nogil:
    return (
        read_some(one, keys, order + bounds[0], bounds[1] - bounds[0], 0, side, once)
        + read_some(one, keys, order + bounds[1], bounds[2] - bounds[1], 1, side, once)
        + read_some(one, keys, order + bounds[2], bounds[3] - bounds[2], 2, side, once)
        + read_some(one, keys, order + bounds[3], bounds[4] - bounds[3], 3, side, once)
        + read_some(one, keys, order + bounds[4], bounds[5] - bounds[4], 4, side, once)
    )


cdef void line_gains(const LineData *table, uint64_t key, int32_t *black, int32_t *white) noexcept nogil:
    """What a stone of either colour changes on each cell of a line, the other side to move before and after."""
    cdef int length = <int>(key >> LENGTH_BIT)
    cdef int at
    memset(black, 0, length * sizeof(int32_t))
    memset(white, 0, length * sizeof(int32_t))
    if length < table.shortest:
        return
    if table.count == 0:
        walk_gains(&table.walk, key, length, black, 0)
        walk_gains(&table.walk, key, length, white, 1)
    for at in range(table.count):
        read_gains(&table.passes[at], key, length, black, 0)
        read_gains(&table.passes[at], key, length, white, 1)


cdef void walk_gains(const Walk *walk, uint64_t key, int length, int32_t *gains, int colour) noexcept nogil:
    cdef int32_t before = walk_line(walk, key, 1 - colour)
    cdef int at, shift
    for at in range(length):
        shift = 8 * (at // PIECE)
        if <int>(key >> shift & 255) // POWERS[at % PIECE] % 3 == 0:
            gains[at] = walk_line(walk, key + (<uint64_t>POWERS[at % PIECE] << (shift + colour)), 1 - colour) - before


cdef void read_gains(const Pass *one, uint64_t key, int length, int32_t *gains, int colour) noexcept nogil:
    # The pieces before the one that changes are read once for all cells behind them.
    cdef int pieces = (length - 1) // PIECE, ends = END_COLUMNS[last_piece(length)]
    cdef int32_t before = read_line(one, key, pieces, ends, 1 - colour)
    cdef uint32_t step
    cdef int first, at
    cdef Seen seen
    seen.state, seen.worth, seen.mask = one.start, 0, 0
    for first in range(0, length, 5):
        for at in range(first, min(first + PIECE, length)):
            if <int>(key & 255) // POWERS[at - first] % 3 == 0:
                gains[at] += read_on(one, key + (POWERS[at - first] << colour), pieces, ends, seen, 1 - colour) - before
        step = one.steps[seen.state * STEP_STRIDE + (key & 255)]
        see(one, &seen, step >> 16, 1 - colour)
        seen.state = step & 0xFFFF
        key >>= 8
        pieces -= 1


@cython.final
cdef class LineTable:
    """A compiled line table: shared by all that use it, never changed."""

    def __cinit__(self, arrays, bint uses_turn):
        self.arrays = arrays
        self.uses_turn = uses_turn
        self.memos = []
        self.data.shortest = arrays.shortest
        self.data.count = len(arrays.passes)
        self.data.passes = <Pass *>room(self.data.count, sizeof(Pass))
        for at, one in enumerate(arrays.passes):
            take_pass(&self.data.passes[at], one)
        if arrays.walk is not None:
            take_walk(&self.data.walk, arrays.walk)
        elif self.data.count == 0:
            raise ValueError("a line table needs passes or a walk")

    def __dealloc__(self):
        PyMem_RawFree(self.data.passes)

    def __reduce__(self):
        # An evaluator's ``score`` is this object's own method, and travels alone to a pool of processes.
        return LineTable, (self.arrays, self.uses_turn)

    def score(self, board):
        """The score of a board."""
        cdef uint64_t keys[MAX_LINES]
        cdef Geometry lines = board_keys(board, keys)
        cdef int turn = board_turn(board) if self.uses_turn else BLACK
        return board_worth(&self.data, lines, keys, turn)

    def scores(self, const uint8_t[:, :, ::1] boards, const uint8_t[::1] turns, int64_t[::1] scores):
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""
        cdef Geometry lines = geometry(boards.shape[1], boards.shape[2])
        cdef Py_ssize_t at
        cdef uint64_t keys[MAX_LINES]
        check_batch(boards.shape[0], turns, scores.shape[0])
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    with gil:
                        return at
                scores[at] = board_worth(&self.data, lines, keys, turns[at])
        return -1

    def gain(self, board, int cell, int colour):
        """What a stone on an empty cell changes the score."""
        cdef uint64_t keys[MAX_LINES]
        cdef Geometry lines = board_keys(board, keys)
        cdef const Place *place
        cdef int64_t before = 0, after = 0
        cdef int direction
        check_empty(lines, board_cells(board, lines), cell, colour)
        place = &lines.places[cell]
        if self.uses_turn:
            before = board_worth(&self.data, lines, keys, colour)
            after = board_worth(&self.data, lines, keys, 3 - colour)
        for direction in range(4):
            after -= line_worth(&self.data, keys[place.lines[direction]], 3 - colour)
            keys[place.lines[direction]] += place.steps[direction] << (colour - 1)
            after += line_worth(&self.data, keys[place.lines[direction]], 3 - colour)
        return after - before


cdef void take_pass(Pass *into, one) except *:
    cdef const uint32_t[:, ::1] steps = one.steps
    cdef const uint32_t[:, ::1] heads = one.heads
    cdef const uint16_t[:, ::1] ends = one.ends
    cdef const uint64_t[::1] masks = one.masks
    cdef const int32_t[:, ::1] worths = one.worths
    cdef const int32_t[:, ::1] bytes = one.bytes
    cdef int side
    into.start, into.byte_count = one.start, bytes.shape[1] // 256
    into.steps, into.ends, into.masks = &steps[0, 0], &ends[0, 0], &masks[0]
    into.heads = &heads[0, 0] if heads.shape[0] else NULL
    for side in range(2):
        into.worths[side] = &worths[side, 0]
        into.bytes[side] = &bytes[side, 0] if bytes.shape[1] else NULL


cdef void take_walk(Walk *into, walk) except *:
    cdef const int32_t[:, ::1] transitions = walk.transitions
    cdef const int32_t[::1] offsets = walk.offsets
    cdef const int32_t[::1] outputs = walk.outputs
    cdef const int32_t[:, ::1] worths = walk.worths
    into.transitions, into.offsets = &transitions[0, 0], &offsets[0]
    into.outputs, into.worths = &outputs[0], &worths[0, 0]
    into.start, into.edge, into.once = walk.start, walk.edge, walk.once
    into.owners = worths.shape[0]


# ---------------------------------------------------------------------- remembered lines

cdef uint32_t line_miss(Memo *memo, uint64_t key, uint32_t home) noexcept nogil:
    """Give a line that is not remembered a slot, and fill it."""
    cdef uint32_t slot = free_slot(memo, home)
    cdef Tag *tag = &memo.tags[slot]
    if tag.key == 0:
        tag.gains = memo.used
        memo.used += 2 * memo.stride
    tag.key = key
    tag.worth[0] = line_worth(memo.table, key, BLACK)
    tag.worth[1] = line_worth(memo.table, key, WHITE)
    line_gains(memo.table, key, memo.gains + tag.gains, memo.gains + tag.gains + memo.stride)
    return slot


cdef uint32_t free_slot(const Memo *memo, uint32_t home) noexcept nogil:
    """A slot nobody uses: home, next door, or further on, where the line will be used but not found again.

    At most 130 lines and four a move of the undo stack are pinned, an eighth of all slots.
    """
    cdef uint32_t slot = home ^ 1
    if memo.tags[home].pins == 0 and (memo.tags[home].key == 0 or memo.tags[slot].key or memo.tags[slot].pins):
        return home
    while memo.tags[slot].pins:
        slot = (slot + 1) % MEMO_SLOTS
    return slot


@cython.final
cdef class LineMemo:
    """Remembered lines of one table, for boards up to 16x16 or beyond. One tracker at a time uses it."""

    def __cinit__(self, LineTable table not None, int stride):
        self.table = table
        self.memo.stride = stride
        self.memo.table = &table.data
        self.memo.miss = line_miss
        self.memo.tags = <Tag *>room(MEMO_SLOTS, sizeof(Tag))
        self.memo.gains = <int32_t *>room(MEMO_SLOTS, 2 * stride * sizeof(int32_t))

    def __dealloc__(self):
        PyMem_RawFree(self.memo.tags)
        PyMem_RawFree(self.memo.gains)


cdef LineMemo borrow_memo(LineTable table, int side):
    cdef int stride = 16 if side <= 16 else 24
    for number, memo in enumerate(table.memos):
        if (<LineMemo>memo).memo.stride == stride:
            return table.memos.pop(number)
    return LineMemo(table, stride)


@cython.final
@cython.no_gc_clear
cdef class LineTracker(CoreTracker):
    """A position with a line table on it. Its memo comes from the table's pool and goes back, lines remembered."""

    def __cinit__(self, LineTable table not None, Geometry geometry not None):
        self.table = table
        self.memo = borrow_memo(table, max(geometry.rows, geometry.cols))
        self.state = <LineState *>room(1, sizeof(LineState))
        self.state.memo = &self.memo.memo
        self.state.stack = <LineUndo *>room(geometry.cells + 1, sizeof(LineUndo))
        self.state.places = geometry.places
        self.load(<const uint8_t *>self.state.cells, BLACK)

    def __dealloc__(self):
        if self.state == NULL:
            return
        if self.state.stack != NULL:
            self._release()
            PyMem_RawFree(self.state.stack)
            # At the end of the interpreter the table may have been cleared already.
            if self.table.memos is not None and len(self.table.memos) < KEPT_MEMOS:
                self.table.memos.append(self.memo)
        PyMem_RawFree(self.state)

    cdef bint load(self, const uint8_t *cells, int turn) noexcept nogil:
        """As :meth:`CoreTracker.load`."""
        cdef uint64_t keys[MAX_LINES]
        cdef LineState *state = self.state
        cdef int line, cell
        if not self.geometry.keys(cells, keys):
            return False
        self._release()
        for cell in range(self.geometry.cells):
            state.cells[cell] = WHITE if cells[cell] == 255 else cells[cell]
        state.turn = turn
        state.totals[BLACK] = state.totals[WHITE] = 0
        for line in range(self.geometry.lines):
            state.lines[line].top = self.geometry.tops[line]
            line_enter(state, &state.lines[line], keys[line])
            state.totals[BLACK] += state.lines[line].worth[0]
            state.totals[WHITE] += state.lines[line].worth[1]
        return True

    cdef void _release(self) noexcept nogil:
        """Unpin every line of the board and of the undo stack."""
        cdef LineState *state = self.state
        cdef int line, direction
        while state.depth:
            line_undo(state)
        for line in range(self.geometry.lines):
            if state.lines[line].key:
                state.memo.tags[state.lines[line].slot].pins -= 1
                state.lines[line].key = 0

    cdef const uint8_t *stones(self) noexcept nogil:
        return self.state.cells

    cdef int moves(self) noexcept nogil:
        return self.state.depth

    cdef int to_move(self) noexcept nogil:
        return self.state.turn

    cdef void put(self, int cell, int colour) noexcept nogil:
        line_play(self.state, cell, colour)

    cdef void take(self) noexcept nogil:
        line_undo(self.state)

    cdef int64_t worth(self, int turn) noexcept nogil:
        return self.state.totals[turn]

    cdef int64_t gained(self, int cell, int colour) noexcept nogil:
        return line_gain(self.state, cell, colour)

    @property
    def nbytes(self):
        """The memory of the tracker, its memo included, tables that it shares left out."""
        cdef size_t memo = MEMO_SLOTS * (sizeof(Tag) + 2 * self.state.memo.stride * sizeof(int32_t))
        return memo + sizeof(LineState) + (self.geometry.cells + 1) * sizeof(LineUndo)
