"""Many like positions solved one after the other, and the zones of their proofs: see the module."""

cimport cython
from libc.stdint cimport int8_t, uint16_t, uint32_t, uint64_t

from search._control cimport Control
from search._solver cimport ProofSearch
from search._threats cimport MOVES, SPAN, WORDS, ThreatBoard

cdef enum:
    MOST_WINDOWS = 2048         # of five cells in a row; 22x22 has 1,512
    WINDOWS_OF_ONE = 20         # that a cell can lie in


@cython.final
cdef class LeafSearch:
    cdef readonly int rows
    cdef readonly int cols
    cdef public long long left          # nodes that all further attempts may take together
    cdef ProofSearch search
    cdef ThreatBoard board
    cdef Control control
    cdef int attacker
    cdef uint32_t root
    cdef int windows
    cdef uint16_t cells_of[MOST_WINDOWS][5]
    cdef uint16_t through[SPAN][WINDOWS_OF_ONE]
    cdef uint16_t through_size[SPAN]
    cdef uint64_t stone_key[2][SPAN]
    # The walk over a proof.
    cdef int8_t own[MOST_WINDOWS]       # stones of the attacker in a window
    cdef int8_t others[MOST_WINDOWS]    # and of the defender
    cdef uint64_t zone_places[WORDS]
    cdef uint32_t* seen
    cdef uint32_t seen_room, era
    cdef int extra
    cdef bint broken
    cdef bint has_zones                 # only freestyle has them; elsewhere everything counts

    cdef void _make_windows(self) noexcept
    cdef int _place(self, int cell) except -1
    cdef int _stand_at_root(self) except -1
    cdef void _count_stones(self) noexcept nogil
    cdef void _count(self, int place, int side, int change) noexcept nogil
    cdef void _play(self, int place, int side) noexcept nogil
    cdef void _undo(self, int place, int side) noexcept nogil
    cdef void _add_window(self, int window) noexcept nogil
    cdef void _add_all_windows(self, int least) noexcept nogil
    cdef void _add_windows_through(self, int place, int least) noexcept nogil
    cdef bint _meet(self, uint32_t node) noexcept nogil
    cdef void _walk_attack(self, uint32_t node) noexcept nogil
    cdef void _walk_edge(self, uint32_t edge) noexcept nogil
    cdef void _walk_defence(self, uint32_t node) noexcept nogil
    cdef void _walk_line(self, uint32_t node, int extra) noexcept nogil
    cdef int _walk_four(self, int place, int answer, int extra) noexcept nogil
