"""Threats on a board, kept up to date move by move: see the module for what is stored and why."""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    MARGIN = 5          # walls around the board, as far as a line is looked at
    STRIDE = 32         # 22 columns and two margins
    SPAN = 1024         # 32 rows of them
    WORDS = 16          # 64-bit words of a set of places
    MOVES = 512         # more than a board has cells

cdef enum:
    # What a stone would make in one direction.
    NOTHING = 0
    SLEEPING_TWO = 1
    LIVE_TWO = 2
    SLEEPING_THREE = 3
    LIVE_THREE = 4
    FOUR = 5
    TWO_FOURS = 6       # on one line, as in o.ooo.o
    STRAIGHT_FOUR = 7
    FIVE = 8
    OVERLINE = 9

cdef enum:
    # The four directions of a place counted together, a few bits each.
    ONE_FIVE = 1
    FIVES = 7
    ONE_OVERLINE = 1 << 3
    OVERLINES = 7 << 3
    ONE_FOUR = 1 << 6
    TWO_OR_MORE_FOURS = 14 << 6
    FOURS = 15 << 6
    ONE_STRAIGHT = 1 << 10
    STRAIGHTS = 7 << 10
    ONE_THREE = 1 << 13
    TWO_OR_MORE_THREES = 6 << 13
    THREES = 7 << 13
    ONE_SLEEPING_THREE = 1 << 16
    SLEEPING_THREES = 7 << 16
    ONE_LIVE_TWO = 1 << 19
    LIVE_TWOS = 7 << 19
    ONE_SLEEPING_TWO = 1 << 22
    SLEEPING_TWOS = 7 << 22

cdef enum:
    # The sets of places that are kept for each side.
    FIVE_SET = 0        # a stone here wins
    FOUR_SET = 1        # a stone here makes a four, or more than one
    KILL_SET = 2        # a stone here makes a straight four or two fours
    THREE_SET = 3       # a stone here makes a live three
    SETS = 4

ctypedef uint64_t Places[WORDS]

cdef struct Change:
    uint16_t line       # place * 4 + direction
    uint8_t old         # its kinds
    uint8_t flips       # the sets that the place came into or left: four bits for black, and as many for white


cdef inline int place_of(int row, int col) noexcept nogil:
    return (row + MARGIN) * STRIDE + col + MARGIN


cdef inline int row_of(int place) noexcept nogil:
    return (place >> 5) - MARGIN


cdef inline int col_of(int place) noexcept nogil:
    return (place & 31) - MARGIN


cdef inline bint holds(const uint64_t* places, int place) noexcept nogil:
    return (places[place >> 6] >> (place & 63)) & 1


cdef inline void put(uint64_t* places, int place) noexcept nogil:
    places[place >> 6] |= (<uint64_t>1) << (place & 63)


@cython.final
cdef class ThreatBoard:
    cdef readonly int rows
    cdef readonly int cols
    cdef readonly object rule
    cdef bint renju
    cdef bint only_five[2]
    cdef int reach                      # cells looked at each way: 5 where overlines matter
    cdef int first_word, last_word      # of the words of a set that lie on the board
    cdef int empty                      # how many cells are empty
    cdef int length                     # how many moves can be undone
    cdef uint64_t hash                  # of the stones alone
    cdef const uint8_t* kinds           # the table: window -> what a stone makes
    cdef uint32_t sides                 # how many there are of a window
    cdef uint8_t seen[2][SPAN * 4]      # cells within reach on the board, towards the head of a line and the tail
    cdef uint8_t stone[SPAN]            # 0 empty, 1 black, 2 white, 3 wall
    cdef uint32_t window[SPAN * 4]      # the neighbours along a line: the side towards its head times ``sides``, plus the other
    cdef uint8_t kind[SPAN * 4]         # what a stone makes: black's in the lower four bits
    cdef uint32_t count[2][SPAN]
    cdef uint64_t sets[2][SETS][WORDS]
    cdef int sizes[2][SETS]
    cdef uint16_t places[MOVES]     # the moves
    cdef uint32_t marks[MOVES]      # where their changes begin
    cdef Change* changes


    cdef inline int kind_of(self, int side, int line) noexcept nogil:
        """What a stone of a side would make on a line of an empty place."""
        return (self.kind[line] >> 4 * side) & 15

    cdef uint64_t hash_with(self, int place, int side) noexcept nogil
    cdef void play(self, int place, int side) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef bint forbidden(self, int place) noexcept nogil
    cdef bint legal(self, int place, int side) noexcept nogil
    cdef int first(self, int side, int which) noexcept nogil
    cdef int members(self, int side, int which, uint16_t* out) noexcept nogil
    cdef void load(self, const uint8_t* cells) noexcept nogil
    cdef void _clear(self) noexcept nogil
    cdef void _look_around(self, int place) noexcept nogil
    cdef int _empty_place(self, cell) except -1
    cdef bint _true_three(self, int place, int direction) noexcept nogil
    cdef bint _may_extend(self, int place, int direction, int three) noexcept nogil
