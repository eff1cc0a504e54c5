# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The native core: what lines are worth, by key.

The key of a line holds its cells in pieces of five, each a number in base 3 and a byte of the key, with the length of
the line above them: a stone adds a constant to four keys, and the bytes index the tables made by ``compile``.

* ``LineTable`` reads a line of fifteen cells in two look-ups: its first two pieces give a state and the patterns seen,
  the state and the last piece give the rest. A whole board is an addition to four keys for each stone, then 72 lines
  of about thirty instructions; at that rate the processor's width is the limit, not its caches.
* ``LineTracker`` keeps a position. The worth of a line and the gain of a stone of either colour on each of its cells
  are remembered by key in a ``Memo`` of 16384 lines (2.6 MB on boards up to 16x16, 3.7 MB beyond), so a move swaps four
  entries, and a gain is the sum of four numbers: always current, never recomputed. Searches see the same few hundred
  lines again and again. A slot in use by the board or the undo stack is pinned and never given to another line.
* ``PointTable`` and ``PointTracker`` do the same for the shapes of points.

Deliberately absent from the C functions: checks. Cells are flat indexes, trusted to be on the board and empty; what
Python can call checks first. Memory is plain C, freed with the object that owns it.
"""

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Check, PyByteArray_GET_SIZE
from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport INT64_MIN
from libc.string cimport memcpy, memmove, memset

from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static int first_bit(uint64_t word) { unsigned long at; _BitScanForward64(&at, word); return (int)at; }
    #else
    static inline int first_bit(uint64_t word) { return __builtin_ctzll(word); }
    #endif

    /* The stones in 64 cells as bits, and whether all of them are 0, 1, 2 or 255 (white as -1). */
    #if defined(__SSE2__) || defined(_M_X64)
    #include <emmintrin.h>
    static inline int stone_bits(const uint8_t *cells, uint64_t *black, uint64_t *white) {
        uint64_t blacks = 0, whites = 0, empties = 0;
        for (int at = 0; at < 64; at += 16) {
            __m128i some = _mm_loadu_si128((const __m128i *)(cells + at));
            __m128i twos = _mm_or_si128(_mm_cmpeq_epi8(some, _mm_set1_epi8(2)), _mm_cmpeq_epi8(some, _mm_set1_epi8(-1)));
            blacks |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_set1_epi8(1))) << at;
            whites |= (uint64_t)_mm_movemask_epi8(twos) << at;
            empties |= (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(some, _mm_setzero_si128())) << at;
        }
        *black = blacks; *white = whites;
        return (blacks | whites | empties) == UINT64_MAX;
    }
    #else
    static inline int stone_bits(const uint8_t *cells, uint64_t *black, uint64_t *white) {
        uint64_t blacks = 0, whites = 0, odd = 0;
        for (int at = 0; at < 64; at++) {
            blacks |= (uint64_t)(cells[at] == 1) << at;
            whites |= (uint64_t)(cells[at] == 2 || cells[at] == 255) << at;
            odd |= cells[at] > 2 && cells[at] != 255;
        }
        *black = blacks; *white = whites;
        return odd == 0;
    }
    #endif
    static const int POWERS[] = {1, 3, 9, 27, 81, 243};
    /* The columns of ``ends`` where last pieces of n cells begin: (3 ** n - 3) / 2. */
    static const int END_COLUMNS[] = {0, 0, 3, 12, 39, 120};
    """
    int first_bit(uint64_t word) noexcept nogil
    bint stone_bits(const uint8_t *cells, uint64_t *black, uint64_t *white) noexcept nogil
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

    cdef bint keys(self, const uint8_t *source, uint64_t *keys) noexcept nogil:
        """The keys of all lines of a board of 0, 1 and 2 or 255 (-1, white); False if it holds anything else."""
        cdef uint8_t cells[ROOM]
        cdef uint64_t black, white
        cdef int block
        cdef bint known = True
        memcpy(keys, self.empty, self.lines * sizeof(uint64_t))
        memset(cells + self.cells - self.cells % 64, 0, 64)
        memcpy(cells, source, self.cells)
        for block in range(0, self.cells, 64):
            known &= stone_bits(cells + block, &black, &white)
            add_stones(self.places + block, black, 0, keys)
            add_stones(self.places + block, white, 1, keys)
        return known


cdef inline void add_stones(const Place *places, uint64_t stones, int shift, uint64_t *keys) noexcept nogil:
    """Add the stones of one colour in a block of 64 cells to the keys of their lines."""
    cdef const Place *place
    while stones:
        place = &places[first_bit(stones)]
        keys[place.lines[0]] += place.steps[0] << shift
        keys[place.lines[1]] += place.steps[1] << shift
        keys[place.lines[2]] += place.steps[2] << shift
        keys[place.lines[3]] += place.steps[3] << shift
        stones &= stones - 1


cdef inline int last_piece(int length) noexcept nogil:
    """How many cells the last piece of a line has: 1 to 5."""
    return (length + PIECE - 1) % PIECE + 1 if length else 0


cdef list _made = [None] * ((MAX_SIDE + 1) * (MAX_SIDE + 1))


cpdef Geometry geometry(int rows, int cols):
    """The lines of boards of this size, made once."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise BoardError(f"expected a board of at most {MAX_SIDE}x{MAX_SIDE}, found {rows}x{cols}")
    cdef Py_ssize_t at = rows * (MAX_SIDE + 1) + cols
    if _made[at] is None:
        _made[at] = Geometry(rows, cols)
    return <Geometry>_made[at]


# ---------------------------------------------------------------------- line tables

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
            raise ValueError("expected passes or a walk, found neither")

    def __dealloc__(self):
        PyMem_RawFree(self.data.passes)

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


cdef Geometry board_keys(board, uint64_t *keys):
    """The lines of a board's size, and their keys."""
    if type(board) is not Board and not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {board!r:.80}")
    cdef Geometry lines = geometry(board.rows, board.cols)
    if not lines.keys(board_cells(board, lines), keys):
        raise BoardError("expected a board of 0, 1 and 2, found other cells")
    return lines


cdef inline const uint8_t *board_cells(board, Geometry lines) except NULL:
    """The cells of a board, as long as nobody touches it."""
    cells = board._cells
    if not PyByteArray_Check(cells) or PyByteArray_GET_SIZE(cells) != lines.cells:
        raise BoardError(f"expected a board of {lines.cells} cells, found {cells!r:.80}")
    return <const uint8_t *>PyByteArray_AS_STRING(cells)


cdef inline int board_turn(board) except -1:
    return BLACK if board._turn == BLACK else WHITE


cdef int check_empty(Geometry geometry, const uint8_t *cells, int cell, int colour) except -1:
    if not 0 <= cell < geometry.cells or cells[cell] or colour not in (BLACK, WHITE):
        raise BoardError(f"expected an empty cell and a colour, found {cell} and {colour}")
    return 0


cdef int check_batch(Py_ssize_t boards, const uint8_t[::1] turns, Py_ssize_t scores) except -1:
    cdef Py_ssize_t at
    if turns.shape[0] != boards or scores != boards:
        raise BoardError(f"expected a turn and a place for each of {boards} scores, found {turns.shape[0]} and {scores}")
    for at in range(boards):
        if turns[at] != BLACK and turns[at] != WHITE:
            raise BoardError(f"expected turns of 1 or 2, found {turns[at]}")
    return 0


cdef int check_gains(Geometry geometry, int64_t[:, ::1] gains, int colour) except -1:
    if gains.shape[0] != geometry.rows or gains.shape[1] != geometry.cols or colour not in (BLACK, WHITE):
        raise BoardError("expected an array of the size of the board and a colour")
    return 0


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
cdef class LineTracker:
    """A position with a line table on it. Its memo comes from the table's pool and goes back, lines remembered."""

    def __cinit__(self, LineTable table not None, Geometry geometry not None):
        self.table = table
        self.geometry = geometry
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
            if len(self.table.memos) < KEPT_MEMOS:
                self.table.memos.append(self.memo)
        PyMem_RawFree(self.state)

    cdef void load(self, const uint8_t *cells, int turn) noexcept nogil:
        """Take over a position of 0, 1 and 2; what was played before is forgotten."""
        cdef uint64_t keys[MAX_LINES]
        cdef LineState *state = self.state
        cdef int line
        self._release()
        memmove(state.cells, cells, self.geometry.cells)
        self.geometry.keys(cells, keys)
        state.turn = turn
        state.totals[BLACK] = state.totals[WHITE] = 0
        for line in range(self.geometry.lines):
            state.lines[line].top = self.geometry.tops[line]
            line_enter(state, &state.lines[line], keys[line])
            state.totals[BLACK] += state.lines[line].worth[0]
            state.totals[WHITE] += state.lines[line].worth[1]

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

    def set(self, board):
        """Take over the position of a board of the same size."""
        cdef uint64_t keys[MAX_LINES]
        if board_keys(board, keys) is not self.geometry:
            raise BoardError(f"expected a {self.geometry.rows}x{self.geometry.cols} board, found another size")
        self.load(board_cells(board, self.geometry), board_turn(board))

    def play(self, int cell, int colour):
        """Put a stone on an empty cell."""
        check_empty(self.geometry, self.state.cells, cell, colour)
        line_play(self.state, cell, colour)

    def undo(self):
        """Take the last stone back."""
        if self.state.depth == 0:
            raise BoardError("expected a move to take back, found none")
        line_undo(self.state)

    def gain(self, int cell, int colour):
        """What a stone on an empty cell changes the score."""
        check_empty(self.geometry, self.state.cells, cell, colour)
        return line_gain(self.state, cell, colour)

    def gains(self, int colour, int64_t[:, ::1] gains):
        """The gains of all empty cells; occupied ones are left as they are."""
        cdef int cell
        check_gains(self.geometry, gains, colour)
        for cell in range(self.geometry.cells):
            if self.state.cells[cell] == 0:
                (&gains[0, 0])[cell] = line_gain(self.state, cell, colour)

    @property
    def score(self):
        return self.state.totals[self.state.turn]

    @property
    def nbytes(self):
        """The memory of the tracker, its memo included, tables that it shares left out."""
        cdef size_t memo = MEMO_SLOTS * (sizeof(Tag) + 2 * self.state.memo.stride * sizeof(int32_t))
        return memo + sizeof(LineState) + (self.geometry.cells + 1) * sizeof(LineUndo)

    @property
    def turn(self):
        return self.state.turn


# ---------------------------------------------------------------------- point tables

cdef int32_t part_worth(const PointData *table, uint32_t code, int side) noexcept nogil:
    """What four lines are worth together, twice over plus 1 if decisive: own part (0) or opposing part (1)."""
    if table.parts[side] != NULL:
        return table.parts[side][code]
    cdef uint8_t have[256]
    cdef int direction, one, best = 0, decisive = 0, at, shape
    memset(have, 0, table.shape_count)
    for direction in range(4):
        one = code >> (8 * direction) & 255
        if one == 0:
            continue
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
    if state.cells[cell] == 0:
        state.sums[0] += to_black - state.worths[0][cell]
        state.sums[1] += to_white - state.worths[1][cell]
    state.worths[0][cell] = to_black
    state.worths[1][cell] = to_white


cdef PointLine *point_line(PointState *state, uint64_t key) noexcept nogil:
    """The classes of all cells of a line, remembered or made now."""
    cdef PointLine *line = &state.memo[(key * <uint64_t>0x9E3779B97F4A7C15ULL) >> 51]
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
    # ``side`` has the nearest cell as its lowest digit; sides of fewer cells, cut off by the edge, are numbered first.
    for at in range(length):
        lefts[at] = side + side_start(min(at, table.reach))
        digits[at] = <int>(key >> (8 * (at // PIECE)) & 255) // POWERS[at % PIECE] % 3
        side = digits[at] + 3 * (side % farthest)
    side = 0
    for at in range(length - 1, -1, -1):
        classes[at] = table.classes[lefts[at] * table.sides + side + side_start(min(length - 1 - at, table.reach))]
        side = digits[at] + 3 * (side % farthest)


cdef inline int side_start(int cells) noexcept nogil:
    cdef int start = 0, at
    for at in range(cells):
        start = 3 * start + 1
    return start


cdef void reclass(PointState *state, int direction, int line, int first, int last, int start, int step) noexcept nogil:
    """Take the classes of the cells ``first`` to ``last`` of a line from its key; ``start`` is the cell at its head."""
    cdef const PointLine *known = point_line(state, state.keys[line])
    cdef int shift = direction * state.table.bits, at, cell
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
    cdef const Place *place = &state.places[cell]
    cdef int direction, line, at, length, step, reach = state.table.reach
    for direction in range(4):
        line = place.lines[direction]
        state.keys[line] += place.steps[direction] * <uint64_t>colour
        length = <int>(state.keys[line] >> LENGTH_BIT)
        at = place.col if direction == 0 else place.row - state.tops[line]
        step = 1 if direction == 0 else state.cols + direction_drift(direction)
        reclass(state, direction, line, max(0, at - reach), min(length - 1, at + reach), cell - at * step, step)


cdef inline int direction_drift(int direction) noexcept nogil:
    """How many columns a step down goes to the right."""
    return 0 if direction == 1 else 1 if direction == 2 else -1


cdef void point_play(PointState *state, int cell, int colour) noexcept nogil:
    """Put a stone on an empty cell, unchecked; then it is the other side's turn."""
    cdef PointUndo *undo = &state.stack[state.depth]
    undo.cell, undo.colour, undo.turn = cell, colour, state.turn
    state.depth += 1
    state.sums[0] -= state.worths[0][cell]
    state.sums[1] -= state.worths[1][cell]
    state.cells[cell] = colour
    state.stones += 1
    state.turn = 3 - colour
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
        best = state.sums[turn - 1] + state.table.occupied * state.stones
        return best if turn == BLACK else -best
    if state.stones == state.cells_count:
        return 0
    for cell in range(state.cells_count):
        both = <int64_t>state.worths[0][cell] + state.worths[1][cell]
        if state.cells[cell] == 0 and both > best:
            best = both
    return best if turn == BLACK else -best


@cython.final
cdef class PointTable:
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
        self.arrays, self.trackers = arrays, []
        data.classes, data.sides, data.reach = &classes[0, 0], classes.shape[0], arrays.reach
        data.bits, data.class_count = (4 if parts.shape[1] else 8), scores.shape[0]
        for side in range(2):
            data.parts[side] = &parts[side, 0] if parts.shape[1] else NULL
        data.scores, data.shapes, data.decisive = &scores[0, 0], &shapes[0], &decisive[0]
        data.combinations, data.shape_count = needs.shape[0], arrays.shape_count
        data.combination_scores = &combination_scores[0, 0] if needs.shape[0] else NULL
        data.needs = &needs[0, 0] if needs.shape[0] else NULL
        data.subtract, data.ring, data.best, data.occupied = arrays.subtract, arrays.ring, arrays.best, arrays.occupied

    def score(self, board):
        """The score of a board."""
        if not isinstance(board, Board):
            raise BoardError(f"expected a Board, found {board!r:.80}")
        cdef PointTracker tracker = borrow_tracker(self, board.rows, board.cols)
        tracker.set(board)
        score = tracker.score
        self._keep(tracker)
        return score

    def scores(self, const uint8_t[:, :, ::1] boards, const uint8_t[::1] turns, int64_t[::1] scores):
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""
        check_batch(boards.shape[0], turns, scores.shape[0])
        cdef PointTracker tracker = borrow_tracker(self, boards.shape[1], boards.shape[2])
        cdef Geometry lines = tracker.geometry
        cdef uint64_t keys[MAX_LINES]
        cdef Py_ssize_t at, odd = -1
        with nogil:
            for at in range(boards.shape[0]):
                if not lines.keys(&boards[at, 0, 0], keys):
                    odd = at
                    break
                tracker.load(&boards[at, 0, 0], keys, turns[at])
                scores[at] = point_score(tracker.state, turns[at])
        self._keep(tracker)
        return odd

    def _keep(self, tracker):
        if len(self.trackers) < KEPT_MEMOS:
            self.trackers.append(tracker)


cdef PointTracker borrow_tracker(PointTable table, int rows, int cols):
    """A tracker of that size, from those the table keeps or new."""
    for number, tracker in enumerate(table.trackers):
        if (<PointTracker>tracker).geometry.rows == rows and (<PointTracker>tracker).geometry.cols == cols:
            return table.trackers.pop(number)
    del table.trackers[: len(table.trackers) - KEPT_MEMOS + 1]
    return PointTracker(table, geometry(rows, cols))


@cython.final
cdef class PointTracker:
    """A position with a point table on it: the classes and the worth of all its points."""

    def __cinit__(self, PointTable table not None, Geometry geometry not None):
        self.table = table
        self.geometry = geometry
        self.state = <PointState *>room(1, sizeof(PointState))
        self.state.memo = <PointLine *>room(POINT_SLOTS, sizeof(PointLine))
        self.state.stack = <PointUndo *>room(geometry.cells + 1, sizeof(PointUndo))
        self.state.table, self.state.places, self.state.tops = &table.data, geometry.places, geometry.tops
        self.state.rows, self.state.cols, self.state.cells_count = geometry.rows, geometry.cols, geometry.cells
        self.load(<const uint8_t *>self.state.cells, geometry.empty, BLACK)

    def __dealloc__(self):
        if self.state != NULL:
            PyMem_RawFree(self.state.memo)
            PyMem_RawFree(self.state.stack)
            PyMem_RawFree(self.state)

    cdef void load(self, const uint8_t *cells, const uint64_t *keys, int turn) noexcept nogil:
        """Take over a position of 0, 1, 2 and 255; what was played before is forgotten."""
        cdef PointState *state = self.state
        cdef int cell, line, direction, step
        cdef const Place *place
        memcpy(state.keys, keys, self.geometry.lines * sizeof(uint64_t))
        state.depth = state.stones = 0
        state.turn = turn
        state.sums[0] = state.sums[1] = 0
        for cell in range(state.cells_count):
            state.cells[cell] = 2 if cells[cell] == 255 else cells[cell]
            state.stones += cells[cell] != 0
            state.codes[0][cell] = state.codes[1][cell] = 0
        for cell in range(state.cells_count):
            place = &state.places[cell]
            for direction in range(4):
                line = place.lines[direction]
                if (place.col if direction == 0 else place.row - state.tops[line]) == 0:
                    enter_classes(state, direction, line, cell)
        for cell in range(state.cells_count):
            state.worths[0][cell] = state.worths[1][cell] = 0
            weigh(state, cell)

    def set(self, board):
        """Take over the position of a board of the same size."""
        cdef uint64_t keys[MAX_LINES]
        if board_keys(board, keys) is not self.geometry:
            raise BoardError(f"expected a {self.geometry.rows}x{self.geometry.cols} board, found another size")
        self.load(board_cells(board, self.geometry), keys, board_turn(board))

    def play(self, int cell, int colour):
        """Put a stone on an empty cell."""
        check_empty(self.geometry, self.state.cells, cell, colour)
        point_play(self.state, cell, colour)

    def undo(self):
        """Take the last stone back."""
        if self.state.depth == 0:
            raise BoardError("expected a move to take back, found none")
        point_undo(self.state)

    def gain(self, int cell, int colour):
        """The worth of an empty cell to a colour, negated for white."""
        check_empty(self.geometry, self.state.cells, cell, colour)
        return point_gain(self.state, cell, colour)

    def gains(self, int colour, int64_t[:, ::1] gains):
        """The gains of all empty cells; occupied ones are left as they are."""
        cdef int cell
        check_gains(self.geometry, gains, colour)
        for cell in range(self.geometry.cells):
            if self.state.cells[cell] == 0:
                (&gains[0, 0])[cell] = point_gain(self.state, cell, colour)

    @property
    def score(self):
        return point_score(self.state, self.state.turn)

    @property
    def nbytes(self):
        """The memory of the tracker, tables that it shares left out."""
        return POINT_SLOTS * sizeof(PointLine) + sizeof(PointState) + (self.geometry.cells + 1) * sizeof(PointUndo)

    @property
    def turn(self):
        return self.state.turn


cdef void enter_classes(PointState *state, int direction, int line, int head) noexcept nogil:
    """Write the classes of a whole line, from its head on, into codes that have none in this direction."""
    cdef const PointLine *known = point_line(state, state.keys[line])
    cdef int step = 1 if direction == 0 else state.cols + direction_drift(direction)
    cdef int shift = direction * state.table.bits, at
    for at in range(<int>(state.keys[line] >> LENGTH_BIT)):
        state.codes[0][head + at * step] |= <uint32_t>(known.classes[at] & 255) << shift
        state.codes[1][head + at * step] |= <uint32_t>(known.classes[at] >> 8) << shift
