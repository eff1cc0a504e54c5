"""The alpha-beta search of the engine: see the module."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from gomoku_patterns._judge cimport Judge
from search._control cimport Control
from search._fours cimport FourSearch
from search._threats cimport MOVES, SPAN, ThreatBoard

cdef enum:
    MAX_PLY = 128
    LINES = 16
    BUSY_SLOTS = 1 << 14

cdef struct Entry:
    uint64_t check          # key ^ data: a torn write by another thread does not match
    uint64_t data


@cython.final
cdef class Transpositions:
    cdef unsigned char[::1] memory
    cdef Entry* entries
    cdef uint64_t mask                  # of the entries in use
    cdef uint64_t last                  # of all
    cdef uint64_t salt
    cdef uint64_t age
    cdef uint64_t[BUSY_SLOTS] busy      # what the threads are searching just now

    cdef void _age(self) noexcept
    cdef void _forget(self) noexcept
    cdef void _grow(self) noexcept
    cdef bint begin(self, uint64_t work) noexcept nogil
    cdef void end(self, uint64_t work) noexcept nogil
    cdef inline Entry* entry_of(self, uint64_t key) noexcept nogil
    cdef bint probe(self, uint64_t key, uint64_t* data) noexcept nogil
    cdef void store(self, uint64_t key, int score, int depth, int bound, int move) noexcept nogil


cdef struct Choice:
    uint16_t place
    int32_t value
    int32_t prior           # how likely it is the best, where that is learned


@cython.final
cdef class EngineSearch:
    cdef ThreatBoard board
    cdef FourSearch fours
    cdef object tracker
    cdef Judge judge                    # of the tracker
    cdef int judged                     # how many of the moves on the board it was told of
    cdef Transpositions table
    cdef Control control
    cdef long long nodes, node_limit, check_at
    cdef int stop, side
    cdef int64_t leaf_budget
    cdef bint selective
    cdef int unit                       # of margins
    cdef bint cuts[MAX_PLY]             # whether a move is expected to be too good for the window
    cdef bint calm[MAX_PLY]             # whether the opponent has no continuous fours along the line
    cdef int statics[MAX_PLY]           # what the table says along the line
    cdef bint shared                    # with other threads
    cdef uint16_t cell_of[SPAN]
    cdef int32_t history[2][SPAN]
    cdef uint16_t killers[MAX_PLY][2]
    cdef uint16_t pv[MAX_PLY][MAX_PLY]
    cdef int pv_length[MAX_PLY]
    cdef uint16_t told[LINES][MAX_PLY]  # how moves of the root go on that were best of those left, in no order
    cdef int told_length[LINES]
    cdef long long told_at[LINES]       # the count of these
    cdef long long told_count
    cdef Choice* choices                # two rows of moves a ply: on the stack they would take 12 kB of every ply
    cdef Choice root[MOVES]
    cdef int root_size
    cdef uint64_t interior[16]          # the places on the board
    cdef uint64_t stones[18]            # the occupied ones, an empty word before and after

    cdef bint count(self) noexcept nogil
    cdef void play(self, int place, int side) noexcept nogil
    cdef void undo(self) noexcept nogil
    cdef void catch_up(self) noexcept nogil
    cdef int evaluate(self, int side) noexcept nogil
    cdef int value_of(self, int place, int side) noexcept nogil
    cdef bint _is_loud(self, int place, int side) noexcept nogil
    cdef void _near_stones(self, uint64_t* cells) noexcept nogil
    cdef int root_child(self, int number, int first, int alpha, int beta, int depth, bint urgent) noexcept nogil
    cdef void _sort(self, int wanted) noexcept nogil
    cdef void _lead(self, int number, int first, int score) noexcept nogil
    cdef void _forcing_zone(self, uint64_t* zone) noexcept
    cdef void _take(self, Choice* found, int size, set banned) noexcept
    cdef int _loud_first(self, int side, Choice* found, int number, int size) noexcept nogil
    cdef bint wins_by_fours(self, int side) noexcept nogil
    cdef bint is_rising(self, int ply) noexcept nogil
    cdef int width(self, int depth, int ply) noexcept nogil
    cdef bint is_hopeless(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil
    cdef bint must_stop_fours(self, int side, uint64_t* zone) noexcept nogil
    cdef bint threatens_fours(self, int side, int ply) noexcept nogil
    cdef bint _may_turn_forbidden(self, int place, int side) noexcept nogil
    cdef int _anywhere(self, Choice* out) noexcept
    cdef bint must_defend(self, int side, uint64_t* zone) noexcept nogil
    cdef void defences(self, int place, int attacker, uint64_t* zone) noexcept nogil
    cdef int moves(self, int side, int ply, int best, const uint64_t* zone, Choice* out) noexcept nogil
    cdef int child(self, int place, int side, int alpha, int beta, int depth, int ply, int reduction, bint first) noexcept nogil
    cdef int node(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil
    cdef int interior_node(self, int side, int alpha, int beta, int depth, int ply, const uint64_t* zone) noexcept nogil
    cdef int forced(self, int side, int alpha, int beta, int depth, int ply) noexcept nogil
    cdef int reduction(self, int depth, int number) noexcept nogil
    cdef int merit(self, int side, int place) noexcept nogil
    cdef int unlikeliness(self, int prior, int top, bint known) noexcept nogil
    cdef void remember(self, int side, int place, const Choice* tried, int size, int depth, int ply) noexcept nogil
    cdef void extend_pv(self, int ply, int place) noexcept nogil
    cdef void _tell(self, int place) noexcept nogil
    cdef int child_unless_busy(self, int place, int side, int alpha, int beta, int depth, int ply, int reduction) noexcept nogil
    cdef int _root_number(self, int place) noexcept nogil
    cdef int root_search(self, int first, int alpha, int beta, int depth) noexcept nogil
    cdef int aspire(self, int first, int depth, int guess) noexcept nogil
