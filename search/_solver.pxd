"""The proof-number search behind ``search.solve``: see the module."""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from search._control cimport Control
from search._fours cimport FourSearch
from search._threats cimport ThreatBoard

cdef struct Node:
    uint64_t key
    uint32_t proof          # proof number: 0 proven
    uint32_t disproof       # disproof number: 0 disproven
    uint32_t edges          # where its edges begin
    uint32_t line           # where its line begins: a win by fours, or the threat of a defence
    uint16_t size           # how many edges
    uint16_t length         # of the line
    uint8_t defence         # the defender moves here
    uint8_t expanded
    uint16_t hint           # a move that answered a brother, or 0

cdef struct Edge:
    uint32_t child          # 0: not made yet
    uint16_t move
    uint16_t answer         # to a four; 0 otherwise
    uint8_t proof           # what is supposed of a child not made yet
    uint8_t disproof


@cython.final
cdef class ProofSearch:
    cdef ThreatBoard board
    cdef FourSearch fours
    cdef Control control
    cdef int attacker
    cdef int mode
    cdef bint tainted               # something was given up: a disproof would prove nothing
    cdef long long budget           # of fours for one attempt
    cdef long long slice_ends       # nodes at which the root wants to look up
    cdef long long idle             # iterations since the last node was expanded
    cdef Node* nodes
    cdef Edge* edges
    cdef uint16_t* lines
    cdef uint32_t* buckets
    cdef uint32_t node_count, node_room, edge_count, edge_room, line_count, line_room, bucket_mask
    cdef uint64_t most_bytes
    cdef int[16] knobs
    cdef dict memo

    cdef bint _begin(self) noexcept nogil
    cdef void _forget(self) noexcept nogil
    cdef void _run(self, uint32_t root, long long slice) noexcept nogil
    cdef void _search(self, uint32_t node, uint32_t proof_limit, uint32_t disproof_limit) noexcept nogil
    cdef uint32_t _update(self, uint32_t node, uint32_t* second) noexcept nogil
    cdef void _expand(self, uint32_t node) noexcept nogil
    cdef void _expand_attack(self, uint32_t node) noexcept nogil
    cdef void _expand_defence(self, uint32_t node) noexcept nogil
    cdef void _settle(self, uint32_t node, bint proven) noexcept nogil
    cdef bint _keep_line(self, uint32_t node, const uint16_t* line, int length) noexcept nogil
    cdef bint _add_edge(self, uint32_t node, int move, int answer, int proof, int disproof) noexcept nogil
    cdef void _add_four(self, uint32_t node, int move) noexcept nogil
    cdef void _add_quiet(self, uint32_t node, int move, int proof, bint kills) noexcept nogil
    cdef void _add_moves(self, uint32_t node) noexcept nogil
    cdef uint32_t _made(self, uint32_t edge, uint32_t parent, bint defence) noexcept nogil
    cdef int _solve(self) noexcept nogil
    cdef object _cell(self, int place)
    cdef tuple _attack(self, uint32_t node)
    cdef tuple _by_edge(self, int move, int answer, uint32_t child)
    cdef tuple _defence(self, uint32_t node)
    cdef tuple _by_fours(self, uint32_t start, int length)
    cdef tuple _last_four(self, int move)
    cdef uint32_t _node(self, bint defence) noexcept nogil
    cdef bint _grow_buckets(self) noexcept nogil
    cdef bint _room(self) noexcept nogil
    cdef bint _defender_kills(self) noexcept nogil
    cdef int _needed(self, const uint16_t* line, int length, uint16_t* replies) noexcept nogil
    cdef bint _sensitive(self, const uint16_t* line, int length) noexcept nogil
