"""Wins within a number of plies, whatever is played: see the module."""

cimport cython
from libc.stdint cimport uint16_t, uint64_t

from search._control cimport Control
from search._fours cimport FourSearch
from search._threats cimport WORDS, ThreatBoard


@cython.final
cdef class WithinSearch:
    cdef ThreatBoard board
    cdef FourSearch fours
    cdef int attacker
    cdef uint64_t barred[WORDS]     # first moves that are not played
    cdef uint16_t killers[512]      # the reply that refuted last, by the plies left
    cdef uint64_t* known            # keys of settled positions, the lowest bit their value
    cdef uint64_t era

    cdef int _attack(self, int plies, bint first) noexcept nogil
    cdef int _by_moves(self, int plies, bint first) noexcept nogil
    cdef int _move(self, int place, int plies) noexcept nogil
    cdef int _quiet(self, int plies) noexcept nogil
    cdef int _reply(self, int place, int plies) noexcept nogil
    cdef bint _worth(self, int place, int plies) noexcept nogil
