"""The proof-number search behind ``search.solve``: see the module."""

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from search._control cimport Control
from search._fours cimport FourSearch
from search._threats cimport MOVES, WORDS, ThreatBoard

cdef enum:
    ANY_PLIES = 4 * MOVES   # more than a game has, however many of them were played

cdef struct Node:
    uint64_t key
    uint32_t proof          # proof number: 0 proven
    uint32_t disproof       # disproof number: 0 disproven
    uint32_t edges          # where its edges begin
    uint32_t line           # where its line begins: a win by fours, or the threat of a defence
    uint16_t size           # how many edges
    uint16_t length         # of the line
    uint16_t hint           # what answered another reply to the same attack, or 0
    uint8_t defence         # the defender moves here
    uint8_t expanded        # not yet, all, or all but the quiet moves
    uint8_t level           # of a denial that a budget of fours caused, the level of that budget; 0 for one that is certain

cdef struct Edge:
    uint32_t child          # 0: not made yet
    uint16_t move
    uint16_t answer         # to a four; 0 otherwise; 1 not known yet
    uint16_t proof          # what is supposed of a child not made yet
    uint16_t disproof


@cython.final
cdef class ProofSearch:
    cdef ThreatBoard board
    cdef FourSearch fours
    cdef Control control
    cdef int attacker
    cdef int mode
    cdef bint bars                  # not every first move may be played
    cdef uint64_t barred[WORDS]      # those that may not
    cdef int plies                  # a win must not take more; ANY_PLIES leaves no win out
    cdef bint tainted               # something was given up: a disproof would prove nothing
    cdef long long budget           # of fours for one attempt
    cdef long long first_budget     # the same at first
    cdef int level                  # of that budget, from 1 on
    cdef uint64_t twin              # a node with this difference of keys may know the way; 0 for none
    cdef bint twin_is_weaker        # for the defender, who lacks a stone there: what fails there fails here
    cdef long long slice_ends       # nodes at which the root wants to look up
    cdef long long idle             # look-ups beyond those that the expanded nodes account for
    cdef long long most_idle        # so many, and the numbers are stuck
    cdef bint stuck                 # the thresholds lead nowhere: the root has to go on without them
    cdef long long forced           # nodes to expand without thresholds when that happens next
    cdef Node* nodes
    cdef Edge* edges
    cdef uint16_t* lines
    cdef uint32_t* buckets
    cdef uint32_t node_count, node_room, edge_count, edge_room, line_count, line_room, bucket_mask
    cdef uint64_t most_room         # of each table: its rows are numbered in 32 bits
    cdef uint64_t most_bytes         # of these tables; a quarter more is for the fours
    cdef bint as_found               # a proof is written with the move found first, not with the one that wins sooner
    cdef dict known                 # parts of the proof that are written already

    cdef int attempt(self, const uint8_t* cells, int attacker, long long nodes, int hint) noexcept nogil
    cdef int _attempt(self, uint32_t root) noexcept nogil
    cdef bint _stale(self, uint32_t node) noexcept nogil
    cdef bint _five_at_once(self, uint32_t node) noexcept nogil
    cdef bint _is_last_four(self) noexcept nogil
    cdef bint _follow_twin(self, uint32_t node) noexcept nogil
    cdef uint32_t _find(self, uint64_t key) noexcept nogil
    cdef int _solve(self) noexcept nogil
    cdef int _try_fours(self, long long budget) noexcept nogil
    cdef int _try_threats(self, long long budget) noexcept nogil
    cdef void _work(self, uint32_t root) noexcept nogil
    cdef void _go_on(self, uint32_t root) noexcept nogil
    cdef void _advance(self, uint32_t node) noexcept nogil
    cdef void _search(self, uint32_t node, uint32_t proof_limit, uint32_t disproof_limit) noexcept nogil
    cdef bint _descend(
        self, uint32_t node, uint32_t edge, uint32_t second, uint32_t proof_limit, uint32_t disproof_limit
    ) noexcept nogil
    cdef void _look_up(self) noexcept nogil
    cdef uint32_t _child(self, uint32_t node, uint32_t edge) noexcept nogil
    cdef uint32_t _update(self, uint32_t node, uint32_t* second) noexcept nogil
    cdef void _pass_on(self, uint32_t node, uint32_t solved) noexcept nogil
    cdef int _winning_move(self, uint32_t node) noexcept nogil
    cdef void _prefer(self, uint32_t node, int move) noexcept nogil

    cdef void _expand(self, uint32_t node) noexcept nogil
    cdef void _settle(self, uint32_t node, bint proven) noexcept nogil
    cdef void _expand_attack(self, uint32_t node) noexcept nogil
    cdef void _stop_five(self, uint32_t node) noexcept nogil
    cdef void _add_moves(self, uint32_t node) noexcept nogil
    cdef void _add_quiet_moves(self, uint32_t node) noexcept nogil
    cdef void _move_edges(self, uint32_t node) noexcept nogil
    cdef int _answer(self, uint32_t edge) noexcept nogil
    cdef bint _defender_kills(self) noexcept nogil
    cdef void _add_four(self, uint32_t node, int move) noexcept nogil
    cdef void _add_quiet(self, uint32_t node, int move, int promise, bint kills) noexcept nogil
    cdef int _promise(self, int move, int per_three, int per_stop) noexcept nogil
    cdef void _add_edge(self, uint32_t node, int move, int answer, int promise) noexcept nogil
    cdef void _expand_defence(self, uint32_t node) noexcept nogil
    cdef int _hope(self, int reply) noexcept nogil
    cdef int _needed(self, const uint16_t* line, int length, bint tried, uint16_t* replies) noexcept nogil
    cdef bint _works_against(self, int reply, const uint16_t* line, int length) noexcept nogil
    cdef bint _sensitive(self, const uint16_t* line, int length) noexcept nogil

    cdef bint _begin(self) noexcept nogil
    cdef void _free(self) noexcept nogil
    cdef bint _has_grown(self) noexcept nogil
    cdef bint _forget(self) noexcept nogil
    cdef bint _room(self) noexcept nogil
    cdef bint _more_room(self) noexcept nogil
    cdef bint _allowed(self, uint64_t more) noexcept nogil
    cdef uint64_t _bytes(self) noexcept nogil
    cdef void* _doubled(self, void* table, uint64_t room, uint64_t size) noexcept nogil
    cdef bint _more_buckets(self) noexcept nogil
    cdef uint32_t _node(self, bint defence) noexcept nogil
    cdef bint _keep_line(self, uint32_t node, const uint16_t* line, int length) noexcept nogil

    cdef object _cell(self, int place)
    cdef tuple _attack(self, uint32_t node)
    cdef tuple _best_edge(self, uint32_t node)
    cdef tuple _by_edge(self, uint32_t edge)
    cdef tuple _by_one_answer(self, uint32_t edge)
    cdef tuple _defence(self, uint32_t node)
    cdef void _check_replies(self, uint32_t node, dict answers) except *
    cdef tuple _by_fours(self, uint32_t start, int length)
    cdef int _play_fours(self, const uint16_t* line, int length, uint16_t* answers) noexcept nogil
    cdef tuple _last_four(self, int move)
