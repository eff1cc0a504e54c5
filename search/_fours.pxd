"""Wins by continuous fours: see the module."""

cimport cython
from libc.stdint cimport uint16_t, uint32_t, uint64_t

from search._control cimport Control
from search._threats cimport MOVES, ThreatBoard

cdef enum:
    ANY_LENGTH = MOVES  # of a line: no line has more moves

cdef struct Verdict:
    uint64_t key
    uint32_t era
    uint16_t move       # the first move of the win, or LOST


@cython.final
cdef class FourSearch:
    cdef ThreatBoard board
    cdef Control control
    cdef long long nodes                # fours played, in this search and all others of this object's owner
    cdef long long node_limit           # exact
    cdef long long check_at             # when to look at the clock again
    cdef long long attempt_ends         # nodes at which the present attempt gives up
    cdef int stop                       # why everything stops, or 0
    cdef bint gave_up                   # the last attempt was not exhaustive
    cdef bint choosy                    # whether it leaves out fours that promise nothing
    cdef int most_moves                 # of the line looked for, up to ANY_LENGTH
    cdef int length                     # of the line found: attacker's moves, the five included
    cdef uint16_t line[MOVES]
    cdef Verdict* table
    cdef Verdict* small                 # where every search begins; the table itself until it grows
    cdef uint64_t mask
    cdef uint64_t filled
    cdef uint64_t most                  # entries the table may have
    cdef bint grows                     # not once memory for more could not be had
    cdef uint32_t era

    cdef void allow(self, uint64_t bytes) noexcept nogil
    cdef void clear(self) noexcept nogil
    cdef uint64_t bytes(self) noexcept nogil
    cdef bint count(self) noexcept nogil
    cdef bint win(self, int side, long long budget) noexcept nogil
    cdef bint win_within(self, int side, long long budget, int most_moves) noexcept nogil
    cdef int won_length     # of the line that was replayed last and works, the five in the end included,
    cdef int won_five       # and that five
    cdef int replay(self, const uint16_t* line, int length, int side, uint64_t* zone) noexcept nogil
    cdef int cut(self, uint16_t* line) noexcept nogil
    cdef void _gather(self, int side, uint64_t* zone) noexcept nogil
    cdef int shorten(self, uint16_t* line, int length, int side) noexcept nogil
    cdef bint _win(self, int side, int depth) noexcept nogil
    cdef bint _win_by(self, int side, int place, int depth) noexcept nogil
    cdef bint _won_at_once(self, int side, int depth) noexcept nogil
    cdef int _fours(self, int side, uint16_t* moves) noexcept nogil
    cdef Verdict* _bucket(self, uint64_t key) noexcept nogil
    cdef int _look_up(self, uint64_t key) noexcept nogil
    cdef void _store(self, uint64_t key, int move) noexcept nogil
    cdef void _grow(self) noexcept nogil
