"""The lines of a board and their keys: see the module."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, MAX_LINES, MAX_SIDE, WHITE

cdef extern from *:
    """
    static const int POWERS[] = {1, 3, 9, 27, 81, 243};
    /* The columns of a pass's ``ends`` where last pieces of n cells begin: (3 ** n - 3) / 2. */
    static const int END_COLUMNS[] = {0, 0, 3, 12, 39, 120};
    """
    const int POWERS[6]
    const int END_COLUMNS[6]

cdef enum:
    PIECE = 5
    # A line's key holds a piece of five cells a byte and, from this bit, how long the line is: no two lines share one.
    LENGTH_BIT = 40

cdef enum Direction:
    ROW = 0
    COLUMN = 1
    FALLING = 2         # down and to the right
    RISING = 3          # down and to the left

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
    cdef bint keys(self, const uint8_t *source, uint64_t *keys) noexcept nogil


cpdef Geometry geometry(int rows, int cols)


cdef inline int at_on_line(const Place *place, int direction, const int32_t *tops, int line) noexcept nogil:
    """Where a cell lies on one of its lines, from the line's head."""
    return place.col if direction == ROW else place.row - tops[line]


cdef inline int last_piece(int length) noexcept nogil:
    """How many cells the last piece of a line has: 1 to 5."""
    return (length + PIECE - 1) % PIECE + 1 if length else 0


cdef void *room(size_t count, size_t size) except NULL
cdef Geometry board_keys(board, uint64_t *keys)
cdef const uint8_t *board_cells(board, Geometry lines) except NULL

cdef inline int board_turn(board) except -1:
    return BLACK if board._turn == BLACK else WHITE

cdef int check_empty(Geometry geometry, const uint8_t *cells, int cell, int colour) except -1
cdef int check_batch(Py_ssize_t boards, const uint8_t[::1] turns, Py_ssize_t scores) except -1
cdef int check_gains(Geometry geometry, int64_t[:, ::1] gains, int colour) except -1
