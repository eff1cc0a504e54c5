# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""The lines of a board by number and by key, and boards as Python holds them: what line and point tables both stand on.

The key of a line holds its cells in pieces of five, each a number in base 3 and a byte of the key, with the length of
the line above them: a stone adds a constant to the keys of its four lines, and the bytes index the tables that
``compile`` makes. Five cells are the most that fit a byte (3 ** 5 = 243), and 22 cells fit five bytes, so a key is one
64-bit word and no two lines that differ share one.

A whole board is turned into keys by visiting its stones alone: blocks of 64 cells become two words of bits, which SSE2
does sixteen cells at a time, and each stone is one addition to each of four keys.

Deliberately absent: checks in what native code calls. Cells are flat indexes, trusted to be on the board; what Python can
call checks first.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_Check, PyByteArray_GET_SIZE
from cpython.mem cimport PyMem_RawCalloc
from libc.string cimport memcpy, memset

from gomoku_patterns._basics cimport BLACK, WHITE, lowest_bit

from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError

cdef extern from *:
    """
    #include <stdint.h>

    #if defined(__clang__)
    #define COMPILED_BY "clang " __clang_version__
    #elif defined(__GNUC__)
    #define COMPILED_BY "gcc " __VERSION__
    #else
    #define COMPILED_BY "unknown"
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
    """
    bint stone_bits(const uint8_t *cells, uint64_t *black, uint64_t *white) noexcept nogil
    const char *COMPILED_BY

COMPILER = COMPILED_BY.decode("ascii", "replace").strip()

cdef enum:
    # A board's cells are copied here first, so that they can be read in blocks of 64.
    ROOM = 512


cdef void *room(size_t count, size_t size) except NULL:
    """Zeroed memory, or MemoryError."""
    cdef void *memory = PyMem_RawCalloc(count if count else 1, size)
    if memory == NULL:
        raise MemoryError
    return memory


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
        self._line(place, ROW, row, col, 0)
        self._line(place, COLUMN, self.rows + col, row, 0)
        self._line(place, FALLING, diagonals + self.rows - 1 + col - row, min(row, col), max(0, row - col))
        self._line(place, RISING, 2 * diagonals - 1 + row + col, min(row, self.cols - 1 - col), max(0, row + col - self.cols + 1))

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
            add_stones(self.places + block, black, BLACK, keys)
            add_stones(self.places + block, white, WHITE, keys)
        return known


cdef inline void add_stones(const Place *places, uint64_t stones, int colour, uint64_t *keys) noexcept nogil:
    """Add the stones of one colour in a block of 64 cells to the keys of their lines."""
    cdef const Place *place
    while stones:
        place = &places[lowest_bit(stones)]
        keys[place.lines[0]] += place.steps[0] << (colour - 1)
        keys[place.lines[1]] += place.steps[1] << (colour - 1)
        keys[place.lines[2]] += place.steps[2] << (colour - 1)
        keys[place.lines[3]] += place.steps[3] << (colour - 1)
        stones &= stones - 1


cdef list _made = [None] * ((MAX_SIDE + 1) * (MAX_SIDE + 1))


cpdef Geometry geometry(int rows, int cols):
    """The lines of boards of this size, made once."""
    if not (1 <= rows <= MAX_SIDE and 1 <= cols <= MAX_SIDE):
        raise BoardError(f"expected a board of at most {MAX_SIDE}x{MAX_SIDE}, found {rows}x{cols}")
    cdef Py_ssize_t at = rows * (MAX_SIDE + 1) + cols
    if _made[at] is None:
        _made[at] = Geometry(rows, cols)
    return <Geometry>_made[at]


# ---------------------------------------------------------------------- what Python gives

cdef Geometry board_keys(board, uint64_t *keys):
    """The lines of a board's size, and their keys."""
    if type(board) is not Board and not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {board!r:.80}")
    cdef Geometry lines = geometry(board.rows, board.cols)
    if not lines.keys(board_cells(board, lines), keys):
        raise BoardError("a board holds 0, 1 and 2 only, and there are other numbers in it")
    return lines


cdef const uint8_t *board_cells(board, Geometry lines) except NULL:
    """The cells of a board, as long as nobody touches it."""
    cells = board._cells
    if not PyByteArray_Check(cells) or PyByteArray_GET_SIZE(cells) != lines.cells:
        raise BoardError(f"expected a board of {lines.cells} cells, found {cells!r:.80}")
    return <const uint8_t *>PyByteArray_AS_STRING(cells)


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
