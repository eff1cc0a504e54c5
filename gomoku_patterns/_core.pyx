# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native core: what lines are worth, by key.

The key of a line holds its cells in pieces of five, each a number in base 3 and a byte of the key, with the length of
the line above them: a stone adds a constant to four keys, and the bytes index the tables made by ``compile``.

* ``LineTable`` reads a line in two or three look-ups (a state and a piece give the next state and the patterns seen).
  A whole board is one addition to four keys a stone, then one reading a line.
* ``LineTracker`` keeps a position. The worth of a line and the gain of a stone of either colour on each of its cells
  are remembered by key in a ``Memo`` of 16384 lines (2.4 MB on boards up to 16x16, 3.4 MB beyond), so a move swaps four
  entries, and a gain is the sum of four numbers: always current, never recomputed. Searches see the same few hundred
  lines again and again. A slot in use by the board or the undo stack is pinned and never given to another line.
* ``PointTable`` and ``PointTracker`` do the same for the shapes of points.

Deliberately absent: checks. Cells are flat indexes, trusted to be on the board and empty; ``native`` checks what users
give. Keys are read as little-endian words; memory is plain C, freed with the object that owns it.
"""

cimport cython
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree, PyMem_RawMalloc
from libc.string cimport memcpy, memset

import numpy as np

from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int first_bit(unsigned long long word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    static inline int first_bit(unsigned long long word) { return __builtin_ctzll(word); }
    #endif
    static const unsigned long long LOW_BITS = 0x0101010101010101ULL, HIGH_SIX = 0xFCFCFCFCFCFCFCFCULL;
    static const unsigned long long GATHER = 0x0102040810204080ULL;
    static const int POWERS[] = {1, 3, 9, 27, 81, 243};
    /* The columns of ``ends`` where last pieces of n cells begin: (3 ** n - 3) / 2. */
    static const int END_COLUMNS[] = {0, 0, 3, 12, 39, 120};
    """
    int first_bit(uint64_t word) noexcept nogil
    const uint64_t LOW_BITS
    const uint64_t HIGH_SIX
    const uint64_t GATHER
    const int POWERS[6]
    const int END_COLUMNS[6]

cdef enum:
    PIECE = 5
    # A board's cells are copied here first, so that they can be read in blocks of 64.
    ROOM = 512
    MAX_WALK_PATTERNS = 4096
    # Memos that a table keeps for its next trackers.
    KEPT_MEMOS = 2

cdef void *room(size_t count, size_t size) except NULL:
    """Zeroed memory, or MemoryError."""
    cdef void *memory = PyMem_RawCalloc(count if count else 1, size)
    if memory == NULL:
        raise MemoryError
    return memory


# ---------------------------------------------------------------------- the lines of a board

cdef class Geometry:
    """The lines of boards of one size, in the order of ``gomoku_patterns.lines``."""

    def __cinit__(self, int rows, int cols):
        if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
            raise BoardError(f"expected a board of at most {MAX_SIDE}x{MAX_SIDE}, found {rows}x{cols}")
        self.rows, self.cols, self.cells = rows, cols, rows * cols
        self.lines = 3 * (rows + cols) - 2
        for row in range(rows):
            for col in range(cols):
                self._place(row, col)
        for line in range(self.lines):
            self.empty[line] = <uint64_t>self.lengths[line] << LENGTH_BIT
        self._sort()

    cdef void _place(self, int row, int col) noexcept:
        cdef Place *place = &self.places[row * self.cols + col]
        cdef int diagonals = self.rows + self.cols
        place.row, place.col = row, col
        self._line(place, 0, row, col, 0)
        self._line(place, 1, self.rows + col, row, 0)
        self._line(place, 2, diagonals + self.rows - 1 + col - row, min(row, col), max(0, row - col))
        self._line(place, 3, 2 * diagonals - 1 + row + col, min(row, self.cols - 1 - col), max(0, row + col - self.cols + 1))

    cdef void _line(self, Place *place, int direction, int line, int at, int top) noexcept:
        place.lines[direction] = line
        place.steps[direction] = <uint64_t>POWERS[at % PIECE] << (8 * (at // PIECE))
        self.lengths[line] += 1
        self.tops[line] = top

    cdef void _sort(self) noexcept:
        cdef int length, line, found = 0
        for length in range(MAX_SIDE + 1):
            self.by_length[length] = found
            for line in range(self.lines):
                if self.lengths[line] == length:
                    self.order[found].line = line
                    self.order[found].ends = END_COLUMNS[last_piece(length)]
                    found += 1
        self.by_length[MAX_SIDE + 1] = found

    cdef int read(self, const uint8_t *source, uint8_t *cells) noexcept nogil:
        """Copy a board of 0, 1, 2 or 255 (-1, white) with zeroes behind it; whether it held anything else."""
        cdef uint64_t word, odd = 0, minus
        cdef int at
        cdef int blocks = (self.cells + 63) // 64 * 64
        memset(cells + self.cells, 0, blocks - self.cells)
        memcpy(cells, source, self.cells)
        for at in range(0, blocks, 8):
            memcpy(&word, cells + at, 8)
            # 255 becomes 3 - 1 = 2, and 3 is left over for what is neither 0, 1, 2 nor 255.
            minus = word >> 7 & LOW_BITS
            odd |= (word ^ minus * 255) & HIGH_SIX | (word & word >> 1 & LOW_BITS) ^ minus
            word = (word & 3 * LOW_BITS) - minus
            memcpy(cells + at, &word, 8)
        return odd != 0

    cdef void keys(self, const uint8_t *cells, uint64_t *keys) noexcept nogil:
        """The keys of all lines; ``cells`` are 0, 1 or 2, with zeroes behind them up to ROOM."""
        cdef uint64_t stones, word
        cdef const Place *place
        cdef int block, byte, shift
        memcpy(keys, self.empty, self.lines * sizeof(uint64_t))
        for block in range(0, self.cells, 64):
            stones = 0
            for byte in range(8):
                memcpy(&word, cells + block + 8 * byte, 8)
                stones |= (((word | word >> 1) & LOW_BITS) * GATHER >> 56) << (8 * byte)
            while stones:
                place = &self.places[block + first_bit(stones)]
                shift = cells[block + first_bit(stones)] - 1
                keys[place.lines[0]] += place.steps[0] << shift
                keys[place.lines[1]] += place.steps[1] << shift
                keys[place.lines[2]] += place.steps[2] << shift
                keys[place.lines[3]] += place.steps[3] << shift
                stones &= stones - 1


cdef inline int last_piece(int length) noexcept nogil:
    """How many cells the last piece of a line has: 1 to 5."""
    return (length + PIECE - 1) % PIECE + 1 if length else 0


cdef dict _geometries = {}


cpdef Geometry geometry(int rows, int cols):
    """The lines of boards of this size, made once."""
    known = _geometries.get((rows, cols))
    if known is None:
        known = _geometries[rows, cols] = Geometry(rows, cols)
    return known


# ---------------------------------------------------------------------- line tables

cdef inline int64_t mask_worth(const Pass *one, uint64_t mask) noexcept nogil:
    cdef const int64_t *worths = one.worths
    cdef int64_t worth = worths[mask & 255] + worths[256 + (mask >> 8 & 255)]
    cdef int byte
    if one.bytes > 2:
        worth += worths[512 + (mask >> 16 & 255)] + worths[768 + (mask >> 24 & 255)]
    for byte in range(4, one.bytes):
        worth += worths[256 * byte + (mask >> (8 * byte) & 255)]
    return worth


cdef inline int64_t read_on(const Pass *one, uint64_t key, int pieces, int ends, uint32_t state, int64_t seen, bint once) noexcept nogil:
    """The value of a line of which ``state`` and ``seen`` know the beginning, and ``key`` the rest."""
    cdef uint32_t step
    cdef int piece
    for piece in range(pieces):
        step = one.steps[state * STEP_STRIDE + (key & 255)]
        state = step & 0xFFFF
        seen = seen | one.values[step >> 16] if once else seen + one.values[step >> 16]
        key >>= 8
    step = one.ends[state * END_STRIDE + ends + (key & 255)]
    return seen | one.values[step] if once else seen + one.values[step]


cdef inline int64_t read_line(const Pass *one, uint64_t key, int pieces, int ends) noexcept nogil:
    """The worth of a line of so many whole pieces and a last one."""
    if one.bytes:
        return mask_worth(one, <uint64_t>read_on(one, key, pieces, ends, one.start, 0, True))
    return read_on(one, key, pieces, ends, one.start, 0, False)


cdef inline int64_t read_some(
    const Pass *one, const uint64_t *keys, const ReadLine *order, int count, int pieces, int turn
) noexcept nogil:
    """The worth of several lines with the same number of whole pieces, with a colour to move."""
    cdef int shift = 32 if turn == BLACK else 0
    cdef int64_t carry = 0x80000000LL if turn == BLACK else 0
    cdef int64_t total = 0
    cdef int at
    for at in range(count):
        total += <int32_t>((read_line(one, keys[order[at].line], pieces, order[at].ends) + carry) >> shift)
    return total


cdef inline int64_t outputs_worth(const Walk *walk, int state, uint8_t *seen) noexcept nogil:
    cdef int64_t worth = 0
    cdef int at, owner
    for at in range(walk.offsets[state], walk.offsets[state + 1]):
        owner = walk.outputs[at]
        if walk.once:
            if seen[owner]:
                continue
            seen[owner] = 1
        worth += walk.worths[owner]
    return worth


cdef int64_t walk_line(const Walk *walk, uint64_t key) noexcept nogil:
    """The worth of a line, cell by cell: for automata too large for pieces."""
    cdef uint8_t seen[2 * MAX_WALK_PATTERNS]
    cdef int length = <int>(key >> LENGTH_BIT)
    cdef int state = walk.start, at, piece = 0
    cdef int64_t worth = 0
    if walk.once:
        memset(seen, 0, walk.owners)
    for at in range(length):
        if at % PIECE == 0:
            piece = <int>(key >> (8 * (at // PIECE)) & 255)
        state = walk.transitions[4 * state + piece % 3]
        piece //= 3
        worth += outputs_worth(walk, state, seen)
    if walk.edge:
        worth += outputs_worth(walk, walk.transitions[4 * state + 3], seen)
    return worth


cdef int64_t line_worth(const LineData *table, uint64_t key) noexcept nogil:
    """What one line is worth, with black and with white to move."""
    cdef int length = <int>(key >> LENGTH_BIT)
    cdef int64_t worth = 0
    cdef int at
    if length < table.shortest:
        return 0
    if table.count == 0:
        return walk_line(&table.walk, key)
    for at in range(table.count):
        worth += read_line(&table.passes[at], key, (length - 1) // PIECE, END_COLUMNS[last_piece(length)])
    return worth


cdef int64_t board_worth(const LineData *table, Geometry geometry, const uint64_t *keys, int turn) noexcept nogil:
    """What a whole board is worth to black, with a colour to move."""
    cdef int64_t total = 0, worth
    cdef int at
    if table.count == 0:
        for at in range(geometry.lines):
            worth = line_worth(table, keys[at])
            total += worth_black(worth) if turn == BLACK else worth_white(worth)
    for at in range(table.count):
        total += pass_worth(&table.passes[at], geometry, keys, table.shortest, turn)
    return total


cdef int64_t pass_worth(const Pass *one, Geometry geometry, const uint64_t *keys, int shortest, int turn) noexcept nogil:
    # One loop for each number of whole pieces: the compiler unrolls the reading of a line.
    cdef const ReadLine *order = geometry.order
    cdef int bounds[6]
    cdef int pieces
    bounds[0] = geometry.by_length[min(shortest, MAX_SIDE + 1)]
    for pieces in range(1, 6):
        bounds[pieces] = max(bounds[0], geometry.by_length[min(PIECE * pieces + 1, MAX_SIDE + 1)])
    return (
        read_some(one, keys, order + bounds[0], bounds[1] - bounds[0], 0, turn)
        + read_some(one, keys, order + bounds[1], bounds[2] - bounds[1], 1, turn)
        + read_some(one, keys, order + bounds[2], bounds[3] - bounds[2], 2, turn)
        + read_some(one, keys, order + bounds[3], bounds[4] - bounds[3], 3, turn)
        + read_some(one, keys, order + bounds[4], bounds[5] - bounds[4], 4, turn)
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
        walk_gains(&table.walk, key, length, black, white)
    for at in range(table.count):
        read_gains(&table.passes[at], key, length, black, white)


cdef void walk_gains(const Walk *walk, uint64_t key, int length, int32_t *black, int32_t *white) noexcept nogil:
    cdef int64_t before = walk_line(walk, key)
    cdef uint64_t step
    cdef int at
    for at in range(length):
        if <int>(key >> (8 * (at // PIECE)) & 255) // POWERS[at % PIECE] % 3 == 0:
            step = <uint64_t>POWERS[at % PIECE] << (8 * (at // PIECE))
            black[at] = worth_white(walk_line(walk, key + step)) - worth_white(before)
            white[at] = worth_black(walk_line(walk, key + 2 * step)) - worth_black(before)


cdef void read_gains(const Pass *one, uint64_t key, int length, int32_t *black, int32_t *white) noexcept nogil:
    # The pieces before the one that changes are read once for all cells behind them.
    cdef int pieces = (length - 1) // PIECE, ends = END_COLUMNS[last_piece(length)]
    cdef int64_t before = read_line(one, key, pieces, ends), seen = 0, after
    cdef uint32_t state = one.start, step
    cdef int first, at, piece
    for first in range(0, length, 5):
        piece = <int>(key & 255)
        for at in range(first, min(first + PIECE, length)):
            if piece // POWERS[at - first] % 3 == 0:
                after = read_rest(one, key + POWERS[at - first], pieces, ends, state, seen)
                black[at] += worth_white(after) - worth_white(before)
                after = read_rest(one, key + 2 * POWERS[at - first], pieces, ends, state, seen)
                white[at] += worth_black(after) - worth_black(before)
        step = one.steps[state * STEP_STRIDE + piece]
        seen = seen | one.values[step >> 16] if one.bytes else seen + one.values[step >> 16]
        state = step & 0xFFFF
        key >>= 8
        pieces -= 1


cdef inline int64_t read_rest(
    const Pass *one, uint64_t key, int pieces, int ends, uint32_t state, int64_t seen
) noexcept nogil:
    if one.bytes:
        return mask_worth(one, <uint64_t>read_on(one, key, pieces, ends, state, seen, True))
    return read_on(one, key, pieces, ends, state, seen, False)


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

    def __dealloc__(self):
        PyMem_RawFree(self.data.passes)

    def score(self, board):
        """The score of a board."""
        cdef uint64_t keys[MAX_LINES]
        cdef uint8_t cells[ROOM]
        cdef Geometry lines = board_cells(board, cells)
        lines.keys(cells, keys)
        return board_worth(&self.data, lines, keys, board._turn)

    def scores(self, const uint8_t[:, :, ::1] boards, const uint8_t[::1] turns, int64_t[::1] scores):
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""
        cdef Geometry lines = geometry(boards.shape[1], boards.shape[2])
        cdef Py_ssize_t at
        cdef uint64_t keys[MAX_LINES]
        cdef uint8_t cells[ROOM]
        with nogil:
            for at in range(boards.shape[0]):
                if lines.read(&boards[at, 0, 0], cells):
                    with gil:
                        return at
                lines.keys(cells, keys)
                scores[at] = board_worth(&self.data, lines, keys, turns[at])
        return -1

    def gain(self, board, int cell, int colour):
        """What a stone on an empty cell changes the score."""
        cdef uint64_t keys[MAX_LINES]
        cdef uint8_t cells[ROOM]
        cdef Geometry lines = board_cells(board, cells)
        cdef const Place *place = &lines.places[cell]
        cdef int64_t before = 0, after = 0
        cdef int direction
        lines.keys(cells, keys)
        if self.uses_turn:
            before = board_worth(&self.data, lines, keys, colour)
            after = board_worth(&self.data, lines, keys, 3 - colour)
        for direction in range(4):
            after -= worth_for(line_worth(&self.data, keys[place.lines[direction]]), 3 - colour)
            keys[place.lines[direction]] += place.steps[direction] << (colour - 1)
            after += worth_for(line_worth(&self.data, keys[place.lines[direction]]), 3 - colour)
        return after - before


cdef inline int64_t worth_for(int64_t packed, int turn) noexcept nogil:
    return worth_black(packed) if turn == BLACK else worth_white(packed)


cdef Geometry board_cells(board, uint8_t *cells):
    """A copy of a board's cells with room behind them, and the lines of its size."""
    if not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {board!r:.80}")
    cdef Geometry lines = geometry(board.rows, board.cols)
    cdef const uint8_t[::1] source = board._cells
    if source.shape[0] != lines.cells or lines.read(&source[0], cells):
        raise BoardError("expected a board of 0, 1 and 2, found other cells")
    return lines


cdef void take_pass(Pass *into, one) except *:
    cdef const uint32_t[:, ::1] steps = one.steps
    cdef const uint16_t[:, ::1] ends = one.ends
    cdef const int64_t[::1] values = one.values
    cdef const int64_t[:, ::1] worths = one.worths
    into.steps, into.ends, into.values = &steps[0, 0], &ends[0, 0], &values[0]
    into.worths = &worths[0, 0] if worths.shape[0] else NULL
    into.bytes = worths.shape[0]
    into.start = one.start


cdef void take_walk(Walk *into, walk) except *:
    cdef const int32_t[:, ::1] transitions = walk.transitions
    cdef const int32_t[::1] offsets = walk.offsets
    cdef const int32_t[::1] outputs = walk.outputs
    cdef const int64_t[::1] worths = walk.worths
    into.transitions, into.offsets = &transitions[0, 0], &offsets[0]
    into.outputs, into.worths = &outputs[0], &worths[0]
    into.start, into.edge, into.once = walk.start, walk.edge, walk.once
    into.owners = worths.shape[0]


# ---------------------------------------------------------------------- remembered lines

cdef uint32_t line_miss(Memo *memo, uint64_t key, uint32_t home) noexcept nogil:
    """Give a line that is not remembered a slot, and fill it."""
    cdef uint32_t slot = free_slot(memo, home)
    cdef int32_t *gains = memo.gains + <size_t>slot * (2 * memo.stride)
    memo.tags[slot].key = key
    memo.tags[slot].worth = line_worth(memo.table, key)
    line_gains(memo.table, key, gains, gains + memo.stride)
    return slot


cdef uint32_t free_slot(const Memo *memo, uint32_t home) noexcept nogil:
    """A slot nobody uses: home, next door, or further on, where the line will be used but not found again.

    At most 130 lines and four a move of the undo stack are pinned, an eighth of all slots.
    """
    cdef uint32_t slot = home ^ 1
    if memo.pins[home] == 0 and (memo.tags[home].key == 0 or memo.tags[slot].key or memo.pins[slot]):
        return home
    while memo.pins[slot]:
        slot = (slot + 1) % MEMO_SLOTS
    return slot


@cython.final
cdef class LineMemo:
    """Remembered lines of one table, for boards up to 16x16 or beyond. One tracker at a time uses it."""

    def __cinit__(self, LineTable table, int stride):
        self.table = table
        self.memo.stride = stride
        self.memo.table = &table.data
        self.memo.miss = line_miss
        self.memo.tags = <Tag *>room(MEMO_SLOTS, sizeof(Tag))
        self.memo.pins = <uint16_t *>room(MEMO_SLOTS, sizeof(uint16_t))
        self.memo.gains = <int32_t *>room(MEMO_SLOTS, 2 * stride * sizeof(int32_t))

    def __dealloc__(self):
        PyMem_RawFree(self.memo.tags)
        PyMem_RawFree(self.memo.pins)
        PyMem_RawFree(self.memo.gains)


cdef LineMemo borrow_memo(LineTable table, int side):
    cdef int stride = 16 if side <= 16 else 24
    for number, memo in enumerate(table.memos):
        if (<LineMemo>memo).memo.stride == stride:
            return table.memos.pop(number)
    return LineMemo(table, stride)


@cython.final
@cython.no_gc_clear
cdef class LineTracker:
    """A position with a line table on it. Its memo comes from the table's pool and goes back, lines remembered."""

    def __cinit__(self, LineTable table, Geometry geometry):
        self.table = table
        self.geometry = geometry
        self.memo = borrow_memo(table, max(geometry.rows, geometry.cols))
        self.state = <LineState *>room(1, sizeof(LineState))
        self.state.memo = &self.memo.memo
        self.state.stack = <LineUndo *>room(geometry.cells + 1, sizeof(LineUndo))
        self.state.places = geometry.places
        self.load(self.state.cells, BLACK)

    def __dealloc__(self):
        if self.state == NULL:
            return
        if self.state.stack != NULL:
            self._release()
            PyMem_RawFree(self.state.stack)
            if len(self.table.memos) < KEPT_MEMOS:
                self.table.memos.append(self.memo)
        PyMem_RawFree(self.state)

    cdef void load(self, const uint8_t *cells, int turn) noexcept nogil:
        """Take over a position; what was played before is forgotten."""
        cdef uint64_t keys[MAX_LINES]
        cdef uint8_t roomy[ROOM]
        cdef LineState *state = self.state
        cdef int line
        self._release()
        memset(roomy, 0, ROOM)
        memcpy(roomy, cells, self.geometry.cells)
        memcpy(state.cells, roomy, self.geometry.cells)
        self.geometry.keys(roomy, keys)
        state.turn = turn
        state.totals[BLACK] = state.totals[WHITE] = 0
        for line in range(self.geometry.lines):
            state.lines[line].top = self.geometry.tops[line]
            line_enter(state, line, keys[line])
            state.totals[BLACK] += worth_black(state.lines[line].worth)
            state.totals[WHITE] += worth_white(state.lines[line].worth)

    cdef void _release(self) noexcept nogil:
        """Unpin every line of the board and of the undo stack."""
        cdef LineState *state = self.state
        cdef int line, direction
        while state.depth:
            line_undo(state)
        for line in range(self.geometry.lines):
            if state.lines[line].key:
                state.memo.pins[state.lines[line].slot] -= 1
                state.lines[line].key = 0

    def set(self, board):
        """Take over the position of a board of the same size."""
        cdef uint8_t cells[ROOM]
        if board_cells(board, cells) is not self.geometry:
            raise BoardError(f"expected a {self.geometry.rows}x{self.geometry.cols} board, found another size")
        self.load(cells, board._turn)

    def play(self, int cell, int colour):
        """Put a stone on an empty cell."""
        if not 0 <= cell < self.geometry.cells or self.state.cells[cell] or colour not in (BLACK, WHITE):
            raise BoardError(f"expected an empty cell and a colour, found {cell} and {colour}")
        line_play(self.state, cell, colour)

    def undo(self):
        """Take the last stone back."""
        if self.state.depth == 0:
            raise BoardError("expected a move to take back, found none")
        line_undo(self.state)

    def gain(self, int cell, int colour):
        """What a stone on an empty cell changes the score."""
        if not 0 <= cell < self.geometry.cells or self.state.cells[cell] or colour not in (BLACK, WHITE):
            raise BoardError(f"expected an empty cell and a colour, found {cell} and {colour}")
        return line_gain(self.state, cell, colour)

    def gains(self, int colour, int64_t[:, ::1] gains):
        """The gains of all empty cells; occupied ones are left as they are."""
        cdef int cell
        if gains.shape[0] != self.geometry.rows or gains.shape[1] != self.geometry.cols or colour not in (BLACK, WHITE):
            raise BoardError("expected an array of the size of the board and a colour")
        for cell in range(self.geometry.cells):
            if self.state.cells[cell] == 0:
                (&gains[0, 0])[cell] = line_gain(self.state, cell, colour)

    @property
    def score(self):
        return self.state.totals[self.state.turn]

    @property
    def turn(self):
        return self.state.turn
