# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Proof-number search (df-pn) for wins by threats, on nodes that are stored with their edges.

At an attack the attacker moves: the node is won if continuous fours win (:mod:`search._fours`), otherwise its edges are
fours, each with its forced answer, and quieter moves. At a defence, after a quieter move, the defender moves: the attacker
would win by continuous fours if the defender passed, or the node is given up. That line of fours is the node's threat,
kept with it; only replies against which the threat does not work have edges.

Numbers. What is supposed of a child that is not made yet comes from its *promise*, the logarithm of its odds to be the
winning one in tenths, fitted to what earlier searches found: fours and double threes win, quiet moves hardly ever. Proof
numbers fall and disproof numbers rise exponentially with it, in units of EVEN. Sums are capped below INFINITE,
which only what is settled may have. Positions only grow, so the graph has no cycles.

A win within a number of plies is searched for on nodes of their own: the plies left are part of the key.

The proof is replayed while it is written: every four, every threat, and every reply that a threat does not meet.
"""

cimport cython
from libc.math cimport exp
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from gomoku_patterns.cells import Cell
from search._control import STOP_NAMES
from search.proof import Attack, Defence

from gomoku_patterns._basics cimport lowest_bit
from search._control cimport STOP_MEMORY, Control
from search._fours cimport FourSearch
from search._threats cimport (
    FIVE_SET, FOUR_SET, FOURS, KILL_SET, LIVE_TWOS, MOVES, ONE_LIVE_TWO, ONE_SLEEPING_THREE, ONE_THREE, SLEEPING_THREES,
    SPAN, THREE_SET, THREES, TWO_OR_MORE_THREES, WORDS, ThreatBoard, col_of, holds, place_of, put, row_of,
)

cdef enum:
    INFINITE = 1 << 30
    MOST = INFINITE - 1
    FIRST_NODES = 1 << 12   # tables to begin with
    FIRST_EDGES = 1 << 15
    FIRST_LINES = 1 << 13
    FIRST_BUCKETS = 1 << 13
    PER_NODE = 1 << 10      # look-ups that a node may take before they count as idle
    MOST_IDLE = 1 << 18     # half as many each time, down to
    LEAST_IDLE = 1 << 13
    MOST_IDLE_ATTEMPT = 1 << 20     # attempts are short, and what they find is written into books
    FIRST_FORCED = 1 << 8
    MOST_FORCED = 1 << 16
    FIRST_SLICE = 4000      # nodes until continuous fours are tried again at the root, twice as many each time
    FOURS_BUDGET = 100      # for one attempt at a node, eight times as many with every level
    MOST_LEVEL = 4

cdef enum:
    VCF = 0
    VCT = 1
    FULL = 2

cdef enum:
    PROVEN = 1
    DISPROVEN = 0
    UNKNOWN = -1

cdef enum:
    # Promises, in tenths of the logarithm of the odds.
    BY_FOUR = -26
    BY_THREE = -92          # and what its first three adds
    BY_QUIET = -90
    PER_THREE_OF_FOUR = 25
    PER_THREE = 48
    PER_SLEEPING_THREE = 18
    PER_LIVE_TWO = 12
    PER_STOP = 5           # stops a four of the defender
    AFTER_REPLY = 60        # the attacker's odds after a needed reply, less if the reply makes something
    REPLY_FOUR = -30
    REPLY_THREE = -35
    REPLY_SLEEPING_THREE = -7
    CERTAIN = 200
    EVEN = 8
    HINT = 5                # how much sooner a move is tried that answered another reply
    LATER_PROOF = 100       # of all quiet moves together, before they are looked at one by one
    LATER_DISPROOF = 12

cdef enum:
    # How far a node is expanded.
    NOT_YET = 0
    ALL = 1
    BUT_QUIET = 2           # its quiet moves are still to come

cdef enum:
    LOST = 1                # the node of all fours that fail at once
    WON = 2                 # the node of all fours that nothing may answer
    LAST_FIXED = WON
    ANSWER_LATER = 1        # for a four not played yet; no place of the board

cdef uint16_t[2 * CERTAIN + 1] PROOFS, DISPROOFS
cdef uint64_t[2][2] SALT = [
    [0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL], [0x510E527FADE682D1ULL, 0x9B05688C2B3E6C1FULL],
]
cdef uint64_t PLIES_SALT = 0x1F83D9ABFB41BD6BULL
MODES = {"vcf": VCF, "vct": VCT, "full": FULL, "any": FULL}


cdef void _tabulate() noexcept:
    cdef int promise
    for promise in range(-CERTAIN, CERTAIN + 1):
        PROOFS[promise + CERTAIN] = <uint16_t>max(1.0, min(30000.0, EVEN * exp(-0.050 * promise) + 0.5))
        DISPROOFS[promise + CERTAIN] = <uint16_t>max(1.0, min(30000.0, EVEN * exp(0.055 * promise) + 0.5))


_tabulate()


class Unsound(AssertionError):
    """A proof that did not stand its own replay: a defect of the solver, never a claim."""


@cython.final
cdef class ProofSearch:
    """One solver's tables; a search at a time."""

    def __cinit__(self):
        self.nodes = NULL
        self.edges = NULL
        self.lines = NULL
        self.buckets = NULL

    def __init__(self, board, rule, memory, most_room=2**31, first_budget=FOURS_BUDGET):
        self.board = ThreatBoard(board, rule)
        self.fours = FourSearch(self.board)
        self.most_room, self.first_budget = most_room, first_budget
        self.allow(memory)
        self._free()
        if not self._begin():
            raise MemoryError

    def __dealloc__(self):
        self._free()

    @property
    def nodes_searched(self):
        return self.fours.nodes

    @property
    def stopped_by(self):
        return STOP_NAMES.get(self.fours.stop) or "complete"

    def allow(self, memory):
        """Let the tables grow to so many bytes."""
        self.most_bytes = memory - memory // 4
        self.fours.allow(memory // 4)

    def clear(self):
        """Forget everything and give back what has grown: what is asked next is answered as by a new search.

        The proof of the last search goes with it.
        """
        if self._has_grown():
            self._free()
        self.fours.clear()

    @property
    def bytes(self):
        """What the tables take now."""
        return 0 if self.nodes == NULL else self._bytes() + self.fours.bytes()

    # ------------------------------------------------------------------ the search

    def solve(self, board, mode, Control control, nodes_limit, plies=None, without=()):
        """Search for a win of at most so many plies (None: any): 1 proven, 0 disproven, -1 unknown.

        Nodes are counted on from ``control.nodes``. The cells ``without`` are not played as first moves.
        """
        cdef int result
        memset(self.barred, 0, sizeof(self.barred))
        self.bars = len(without) > 0
        for row, col in without:
            put(self.barred, place_of(row, col))
        self.board.reset(board)
        self.mode, self.attacker = MODES[mode], int(board.turn) - 1
        self.plies = ANY_PLIES if plies is None else min(plies, ANY_PLIES)
        self.control = self.fours.control = control
        self.fours.nodes = self.fours.check_at = control.nodes
        self.fours.node_limit = nodes_limit if nodes_limit is not None else 0x7FFFFFFFFFFFFFFF
        self.fours.stop = 0
        with nogil:
            result = self._solve()
        control.nodes = self.fours.nodes
        return result

    cdef int attempt(self, const uint8_t* cells, int attacker, long long nodes, int hint) noexcept nogil:
        """The same for one of many positions that are like one another: what was learned before is kept.

        Nodes count from 0. ``hint`` is the move to be tried first, or 0. What a budget cut off is not remembered: a
        denial that hangs on it has the level of that budget, and is asked again with a larger one.
        """
        cdef uint32_t root
        self.board.load(cells)
        self.mode, self.plies, self.attacker, self.tainted, self.bars = FULL, ANY_PLIES, attacker, False, False
        self.slice_ends = 0x7FFFFFFFFFFFFFFF
        self.level, self.budget = 1, self.first_budget
        self.idle, self.most_idle, self.forced = 0, MOST_IDLE_ATTEMPT, FIRST_FORCED
        if (self.nodes == NULL or self.fours.stop == STOP_MEMORY) and not self._forget():
            return UNKNOWN
        self.fours.nodes = self.fours.check_at = 0
        self.fours.node_limit = nodes
        self.fours.stop = 0
        if self.fours.filled * 2 > self.fours.most:
            self.fours.clear()
        root = self._node(False)
        if hint:
            self.nodes[root].hint = hint
            if self.nodes[root].expanded:
                self._prefer(root, hint)
        return self._attempt(root)

    cdef int _attempt(self, uint32_t root) noexcept nogil:
        while not self.fours.stop:
            if self.nodes[root].proof == 0:
                return PROVEN
            if self.nodes[root].disproof == 0 and not self._stale(root):
                if self.nodes[root].level == 0:
                    return DISPROVEN
                if self.level == MOST_LEVEL:
                    return UNKNOWN
                self.level += 1
                self.budget *= 8
            self._work(root)
        return PROVEN if self.nodes[root].proof == 0 else UNKNOWN

    cdef bint _stale(self, uint32_t node) noexcept nogil:
        """Whether the node is denied because of a smaller budget than there is now."""
        return 0 < self.nodes[node].level < self.level

    cdef int _solve(self) noexcept nogil:
        """Continuous fours and all threats in turn, with more nodes each time."""
        cdef long long slice = FIRST_SLICE
        cdef int fours = DISPROVEN if self.bars else UNKNOWN, result
        self.tainted, self.budget, self.level, self.twin = False, self.first_budget, 1, 0
        self.most_idle, self.forced = MOST_IDLE, FIRST_FORCED
        if not self._forget():
            return UNKNOWN
        while not self.fours.stop:
            if fours == UNKNOWN:
                fours = self._try_fours(slice)
                if fours == PROVEN or (fours == DISPROVEN and self.mode == VCF):
                    return fours
            if self.mode != VCF or self.bars:
                result = self._try_threats(slice)
                if result != UNKNOWN:
                    return result
            slice *= 2
        return UNKNOWN

    cdef int _try_fours(self, long long budget) noexcept nogil:
        cdef uint32_t root
        if not self.fours.win_within(self.attacker, budget, (self.plies + 1) // 2):
            return UNKNOWN if self.fours.gave_up else DISPROVEN
        if not self._forget():
            return UNKNOWN
        root = self._node(False)
        if not self._keep_line(root, self.fours.line, self.fours.length):
            return UNKNOWN
        self._settle(root, True)
        return PROVEN

    cdef int _try_threats(self, long long budget) noexcept nogil:
        cdef uint32_t root = self._node(False)
        self.slice_ends = self.fours.nodes + budget
        self.idle = 0
        while not self.fours.stop and self.fours.nodes < self.slice_ends:
            self._work(root)
            if self.nodes[root].proof == 0:
                return PROVEN
            if self.nodes[root].disproof == 0:
                break
        if self.nodes[root].disproof:
            return UNKNOWN
        if not self.tainted:
            return DISPROVEN
        # An attempt at continuous fours was cut off somewhere: once more, with longer ones.
        self.tainted = False
        self.budget *= 8
        self._forget()
        return UNKNOWN

    cdef void _work(self, uint32_t root) noexcept nogil:
        """Search until the root is settled, the slice ends or everything stops."""
        self.stuck = False
        self._search(root, INFINITE, INFINITE)
        if self.stuck:
            self._go_on(root)

    cdef void _go_on(self, uint32_t root) noexcept nogil:
        """Expand some nodes without thresholds, more of them each time the numbers are stuck.

        In a graph the same nodes count many times in a sum, so sums may grow to the highest number there is. Between
        numbers that are all the same a threshold decides nothing, and the search would go round in circles.
        """
        cdef long long ends = self.fours.nodes + self.forced
        self.forced = min(2 * self.forced, <long long>MOST_FORCED)
        self.most_idle = max(self.most_idle // 2, <long long>LEAST_IDLE)
        self.stuck, self.idle = False, 0
        while self.fours.nodes < ends and not self.fours.stop:
            if self.nodes[root].proof == 0 or self.nodes[root].disproof == 0:
                return
            self._advance(root)
            self.idle += 1
            if self.idle & 1023 == 0 and not self.fours.stop:
                self.fours.stop = self.control.poll()
        self.idle = 0

    cdef void _advance(self, uint32_t node) noexcept nogil:
        """Follow the best edges to a node that is not expanded and expand it, or settle one on the way."""
        cdef uint32_t best, second, child
        cdef bint defence = self.nodes[node].defence
        cdef int side = self.attacker ^ defence, answer
        if not self.nodes[node].expanded or self._stale(node):
            if not self._room() or not self.fours.count():
                return
            self._expand(node)
            self._update(node, &second)
            return
        best = self._update(node, &second)
        if self.nodes[node].proof == 0 or self.nodes[node].disproof == 0:
            return
        if best == 0:
            self._add_quiet_moves(node)
        else:
            answer = self.edges[best].answer
            self.board.play(self.edges[best].move, side)
            if answer == ANSWER_LATER:
                answer = self._answer(best)
            if answer:
                self.board.play(answer, side ^ 1)
            child = self._child(node, best)
            if child:
                self._advance(child)
            if answer:
                self.board.undo()
            self.board.undo()
            if defence and child and self.nodes[child].proof == 0:
                self._pass_on(node, child)
        self._update(node, &second)

    cdef void _search(self, uint32_t node, uint32_t proof_limit, uint32_t disproof_limit) noexcept nogil:
        """Work on a node until its numbers reach the limits; the board stands at the node."""
        cdef uint32_t best, second
        if not self.nodes[node].expanded or self._stale(node):
            if not self._room() or not self.fours.count():
                return
            self.idle = max(0, self.idle - PER_NODE)
            self._expand(node)
        while True:
            best = self._update(node, &second)
            if self.nodes[node].proof == 0 or self.nodes[node].disproof == 0:
                return
            if self.nodes[node].proof >= proof_limit or self.nodes[node].disproof >= disproof_limit:
                return
            self._look_up()
            if self.fours.stop or self.stuck or self.fours.nodes >= self.slice_ends:
                return
            if best == 0:
                self._add_quiet_moves(node)
            elif not self._descend(node, best, second, proof_limit, disproof_limit):
                return

    cdef bint _descend(
        self, uint32_t node, uint32_t edge, uint32_t second, uint32_t proof_limit, uint32_t disproof_limit
    ) noexcept nogil:
        """Work on the best child, as long as it is the best or the node's limits are reached."""
        cdef bint defence = self.nodes[node].defence
        cdef int side = self.attacker ^ defence, answer = self.edges[edge].answer
        cdef uint32_t proof = self.nodes[node].proof, disproof = self.nodes[node].disproof, child
        self.board.play(self.edges[edge].move, side)
        if answer == ANSWER_LATER:
            answer = self._answer(edge)
        if answer:
            self.board.play(answer, side ^ 1)
        child = self._child(node, edge)
        if child and defence:
            proof_limit = _share(proof_limit, proof, self.nodes[child].proof)
            self._search(child, proof_limit, min(disproof_limit, _over(second)))
        elif child:
            disproof_limit = _share(disproof_limit, disproof, self.nodes[child].disproof)
            self._search(child, min(proof_limit, _over(second)), disproof_limit)
        if answer:
            self.board.undo()
        self.board.undo()
        if defence and child and self.nodes[child].proof == 0:
            self._pass_on(node, child)
        return child != 0

    cdef void _look_up(self) noexcept nogil:
        """After many steps without a new node look at the clock, and notice when the numbers are stuck."""
        self.idle += 1
        if self.fours.stop:
            return
        if self.idle > self.most_idle:
            self.stuck = True
        elif self.idle & 1023 == 0:
            self.fours.stop = self.control.poll()

    cdef uint32_t _child(self, uint32_t node, uint32_t edge) noexcept nogil:
        """The child of an edge, made if need be; the board stands there. 0 if there is no room for it."""
        cdef uint32_t child = self.edges[edge].child
        if child:
            return child
        if not self._room():
            return 0
        child = self._node(not self.nodes[node].defence and self.edges[edge].answer == 0)
        self.edges[edge].child = child
        if not self.nodes[child].expanded and self.nodes[child].proof and self.nodes[child].disproof:
            self.nodes[child].proof, self.nodes[child].disproof = self.edges[edge].proof, self.edges[edge].disproof
            if self.nodes[node].defence:
                self.nodes[child].hint = self.nodes[node].hint
        return child

    cdef uint32_t _update(self, uint32_t node, uint32_t* second) noexcept nogil:
        """Set a node's numbers from its edges; gives the edge to follow, 0 for the quiet moves, and the next best number.
        """
        cdef Node* here = &self.nodes[node]
        cdef Edge* edge
        cdef uint32_t number, best = 0, least = INFINITE, next_least = INFINITE, value, other
        cdef uint64_t sum = 0
        cdef int level = 0
        if here.proof == 0 or here.disproof == 0:
            return 0
        if here.expanded == BUT_QUIET:
            least, sum = LATER_PROOF, LATER_DISPROOF
        for number in range(here.edges, here.edges + here.size):
            edge = &self.edges[number]
            value, other = edge.proof, edge.disproof
            if edge.child:
                value, other = self.nodes[edge.child].proof, self.nodes[edge.child].disproof
                if self.nodes[edge.child].level:
                    if self._stale(edge.child):
                        value = other = EVEN
                    level = max(level, <int>self.nodes[edge.child].level)
            if here.defence:
                value, other = other, value
            sum += other
            if value < least:
                next_least, least, best = least, value, number
            elif value < next_least:
                next_least = value
        second[0] = next_least
        sum = INFINITE if least == 0 else 0 if least == INFINITE else min(sum, <uint64_t>MOST)
        if here.defence:
            here.disproof, here.proof = least, <uint32_t>sum
            if least == 0 and level:
                level = self.nodes[self.edges[best].child].level
        else:
            here.proof, here.disproof = least, <uint32_t>sum
        here.level = level if here.disproof == 0 else 0
        return best

    cdef void _pass_on(self, uint32_t node, uint32_t solved) noexcept nogil:
        """What answered one reply is tried soon against the others."""
        cdef uint32_t edge, other
        cdef int move = self._winning_move(solved)
        self.nodes[node].hint = move
        for edge in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            other = self.edges[edge].child
            if other and self.nodes[other].expanded and self.nodes[other].proof:
                self._prefer(other, move)

    cdef int _winning_move(self, uint32_t node) noexcept nogil:
        cdef uint32_t edge
        if self.nodes[node].length:
            return self.lines[self.nodes[node].line]
        for edge in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            if self.edges[edge].child and self.nodes[self.edges[edge].child].proof == 0:
                return self.edges[edge].move
        return 0

    cdef void _prefer(self, uint32_t node, int move) noexcept nogil:
        cdef uint32_t edge
        for edge in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            if self.edges[edge].move == move and self.edges[edge].child == 0:
                self.edges[edge].proof = max(1, self.edges[edge].proof // HINT)

    # ------------------------------------------------------------------ the attacker's moves

    cdef void _expand(self, uint32_t node) noexcept nogil:
        self.nodes[node].expanded = ALL
        if self._stale(node):
            self.nodes[node].proof = self.nodes[node].disproof = EVEN
        self.nodes[node].level = 0
        self.nodes[node].edges = self.edge_count
        self.nodes[node].size = 0
        if self.nodes[node].defence:
            self._expand_defence(node)
        else:
            self._expand_attack(node)

    cdef void _settle(self, uint32_t node, bint proven) noexcept nogil:
        self.nodes[node].expanded = ALL
        self.nodes[node].proof = 0 if proven else INFINITE
        self.nodes[node].disproof = INFINITE if proven else 0

    cdef void _expand_attack(self, uint32_t node) noexcept nogil:
        cdef int left = self.plies - self.board.length
        cdef bint first = self.bars and self.board.length == 0
        cdef bint fours_fail = first or (self.twin and self._follow_twin(node))
        if first and self._five_at_once(node):
            return
        if self.nodes[node].proof == 0 or self.nodes[node].disproof == 0:
            return
        if left < 1:
            self._settle(node, False)
        elif not fours_fail and self.fours.win_within(self.attacker, self.budget, (left + 1) // 2):
            if self._keep_line(node, self.fours.line, self.fours.length):
                self._settle(node, True)
        else:
            if self.board.sizes[self.attacker ^ 1][FIVE_SET]:
                self._stop_five(node)
            else:
                self._add_moves(node)
            if self.nodes[node].size == 0 and self.nodes[node].expanded == ALL:
                self._settle(node, False)

    cdef bint _five_at_once(self, uint32_t node) noexcept nogil:
        """Whether a first move that may be played makes five, where not every first move may."""
        cdef uint16_t fives[SPAN]
        cdef int number, size = self.board.members(self.attacker, FIVE_SET, fives)
        for number in range(size):
            if not holds(self.barred, fives[number]) and self._keep_line(node, &fives[number], 1):
                self._settle(node, True)
                return True
        return False

    cdef bint _follow_twin(self, uint32_t node) noexcept nogil:
        """Take over what a twin of an attack knows; whether continuous fours were not found to win with fewer stones.

        A twin stands in a position with another stone of the defender, or without one. Its line may work here too, and
        its move is tried first. Under freestyle rules another stone never hurts the defender: where he lacks one and still does
        not lose, he does not lose here.
        """
        cdef uint32_t twin = self._find(self.nodes[node].key ^ self.twin)
        if twin == 0 or not self.nodes[twin].expanded:
            return False
        if self.nodes[twin].length:
            memcpy(self.fours.line, self.lines + self.nodes[twin].line, self.nodes[twin].length * sizeof(uint16_t))
            if self.fours.replay(self.fours.line, self.nodes[twin].length, self.attacker, NULL):
                self.fours.cut(self.fours.line)
                if self._keep_line(node, self.fours.line, self.fours.won_length):
                    self._settle(node, True)
            return False
        if self.nodes[twin].proof == 0:
            self.nodes[node].hint = self._winning_move(twin)
        elif self.nodes[twin].disproof == 0 and self.nodes[twin].level == 0 and self.twin_is_weaker:
            self._settle(node, False)
        return self.twin_is_weaker

    cdef void _stop_five(self, uint32_t node) noexcept nogil:
        """The only move, if there is one, that keeps the defender from making five."""
        cdef int place = self.board.first(self.attacker ^ 1, FIVE_SET)
        if self.board.sizes[self.attacker ^ 1][FIVE_SET] > 1 or not self.board.legal(place, self.attacker):
            return
        if holds(self.board.sets[self.attacker][FOUR_SET], place):
            self._add_four(node, place)
        else:
            self._add_edge(node, place, 0, 0)

    cdef void _add_moves(self, uint32_t node) noexcept nogil:
        cdef uint16_t moves[SPAN]
        cdef int side = self.attacker, number, size
        cdef bint kills = self._defender_kills()
        size = self.board.members(side, FOUR_SET, moves)
        for number in range(size):
            self._add_four(node, moves[number])
        if self.mode == VCF:
            return
        size = self.board.members(side, THREE_SET, moves)
        for number in range(size):
            if not self.board.count[side][moves[number]] & FOURS:
                self._add_quiet(node, moves[number], BY_THREE, kills)
        if self.mode == FULL:
            self.nodes[node].expanded = BUT_QUIET

    cdef void _add_quiet_moves(self, uint32_t node) noexcept nogil:
        """Moves that make less than a three, and moves that stop a three or four of the defender."""
        cdef int row, col, place
        cdef uint32_t own, other
        cdef bint kills = self._defender_kills()
        if not self._room():
            return
        self._move_edges(node)
        for row in range(self.board.rows):
            for col in range(self.board.cols):
                place = place_of(row, col)
                own, other = self.board.count[self.attacker][place], self.board.count[self.attacker ^ 1][place]
                if self.board.stone[place] or own & (FOURS | THREES):
                    continue
                if own & (SLEEPING_THREES | LIVE_TWOS) or other & (FOURS | THREES):
                    self._add_quiet(node, place, BY_QUIET, kills)
        self.nodes[node].expanded = ALL
        if self.nodes[node].size == 0:
            self._settle(node, False)

    cdef void _move_edges(self, uint32_t node) noexcept nogil:
        """Copy a node's edges to where there is room for more of them."""
        cdef Node* here = &self.nodes[node]
        if here.edges + here.size != self.edge_count:
            memcpy(&self.edges[self.edge_count], &self.edges[here.edges], here.size * sizeof(Edge))
            here.edges = self.edge_count
            self.edge_count += here.size

    cdef bint _defender_kills(self) noexcept nogil:
        """Whether the defender, to move, would have a straight four or two fours at once."""
        cdef uint16_t moves[MOVES]
        cdef int number, size, side = self.attacker ^ 1
        if not self.board.sizes[side][KILL_SET]:
            return False
        if side == 1 or not self.board.renju:
            return True
        size = self.board.members(side, KILL_SET, moves)
        for number in range(size):
            if not self.board.forbidden(moves[number]):
                return True
        return False

    cdef void _add_four(self, uint32_t node, int move) noexcept nogil:
        if self.board.legal(move, self.attacker):
            self._add_edge(node, move, ANSWER_LATER, BY_FOUR + self._promise(move, PER_THREE_OF_FOUR, 0))

    cdef int _answer(self, uint32_t edge) noexcept nogil:
        """The answer to the four just played; 0, and the edge is lost, if it leaves the defender two fives.

        The edge is won if the defender may not play the answer and there are plies left for any other reply and the five.
        """
        cdef int side = self.attacker, answer = self.board.first(side, FIVE_SET), fives = 2
        if answer >= 0 and not self.board.sizes[side ^ 1][FIVE_SET] and not self.board.legal(answer, side ^ 1):
            if self.plies - self.board.length < 2:
                self.edges[edge].child = LOST
                return 0
            self.edges[edge].child, self.edges[edge].answer = WON, answer
            return answer
        if answer >= 0 and not self.board.sizes[side ^ 1][FIVE_SET]:
            self.board.play(answer, side ^ 1)
            fives = self.board.sizes[side ^ 1][FIVE_SET]
            self.board.undo()
        if fives > 1:
            answer = 0
            self.edges[edge].child = LOST
        self.edges[edge].answer = answer
        return answer

    cdef void _add_quiet(self, uint32_t node, int move, int promise, bint kills) noexcept nogil:
        """Add a move that makes no four, unless the defender could then win at once."""
        cdef bint fails = False
        if not self.board.legal(move, self.attacker):
            return
        if kills:
            self.board.play(move, self.attacker)
            fails = self._defender_kills()
            self.board.undo()
        if not fails:
            self._add_edge(node, move, 0, promise + self._promise(move, PER_THREE, PER_STOP))

    cdef int _promise(self, int move, int per_three, int per_stop) noexcept nogil:
        """What the lines through a move add to its promise."""
        cdef uint32_t own = self.board.count[self.attacker][move]
        cdef int promise = per_three * <int>((own & THREES) // ONE_THREE)
        promise += PER_SLEEPING_THREE * <int>((own & SLEEPING_THREES) // ONE_SLEEPING_THREE)
        promise += PER_LIVE_TWO * <int>((own & LIVE_TWOS) // ONE_LIVE_TWO)
        return promise + (per_stop if self.board.count[self.attacker ^ 1][move] & FOURS else 0)

    cdef void _add_edge(self, uint32_t node, int move, int answer, int promise) noexcept nogil:
        if self.bars and self.board.length == 0 and holds(self.barred, move):
            return
        cdef Edge* edge = &self.edges[self.edge_count]
        promise = min(<int>CERTAIN, max(-<int>CERTAIN, promise)) + CERTAIN
        edge.child, edge.move, edge.answer = 0, move, answer
        edge.proof, edge.disproof = PROOFS[promise], DISPROOFS[promise]
        if self.nodes[node].hint == move and not self.nodes[node].defence:
            edge.proof = max(1, edge.proof // HINT)
        self.edge_count += 1
        self.nodes[node].size += 1

    # ------------------------------------------------------------------ the defender's replies

    cdef void _expand_defence(self, uint32_t node) noexcept nogil:
        """Find the threat, and the replies that are needed against it."""
        cdef uint16_t line[MOVES]
        cdef uint16_t replies[SPAN]
        cdef int side = self.attacker, length, size, number
        cdef int left = self.plies - self.board.length
        cdef uint32_t twin = self._find(self.nodes[node].key ^ self.twin) if self.twin else 0
        if left < 2 or self.board.sizes[side ^ 1][FIVE_SET] or self._defender_kills():
            self._settle(node, False)
            return
        length = self.nodes[twin].length if twin else 0
        if length and self.fours.replay(self.lines + self.nodes[twin].line, length, side, NULL):
            memcpy(line, self.lines + self.nodes[twin].line, length * sizeof(uint16_t))
            length = self.fours.cut(line)
        elif self.fours.win_within(side, self.budget, left // 2):
            length = self.fours.length
            memcpy(line, self.fours.line, length * sizeof(uint16_t))
        else:
            self._settle(node, False)
            if self.fours.gave_up:
                self.tainted = True
                self.nodes[node].level = self.level
            return
        length = self.fours.shorten(line, length, side)
        if not self._keep_line(node, line, length):
            return
        size = self._needed(line, length, False, replies)
        for number in range(size):
            self._add_edge(node, replies[number], 0, AFTER_REPLY + self._hope(replies[number]))
        if size == 0:
            self._settle(node, True)

    cdef int _hope(self, int reply) noexcept nogil:
        """What a reply takes from the attacker's promise by what it makes for the defender."""
        cdef uint32_t count = self.board.count[self.attacker ^ 1][reply]
        cdef int hope = REPLY_SLEEPING_THREE * <int>((count & SLEEPING_THREES) // ONE_SLEEPING_THREE)
        return hope + (REPLY_FOUR if count & FOURS else 0) + (REPLY_THREE if count & THREES else 0)

    cdef int _needed(self, const uint16_t* line, int length, bint tried, uint16_t* replies) noexcept nogil:
        """The defender's legal replies against which the attacker's line does not work; each tried if need be."""
        cdef uint64_t zone[WORDS]
        cdef uint64_t rest
        cdef int side = self.attacker, word, place, size = 0
        memset(zone, 0, sizeof(zone))
        self.fours.replay(line, length, side, zone)
        if self.board.renju and self._sensitive(line, length):
            memset(zone, 0xFF, sizeof(zone))
            tried = True
        for word in range(self.board.first_word, self.board.last_word + 1):
            rest = zone[word]
            while rest:
                place = word * 64 + lowest_bit(rest)
                rest &= rest - 1
                if self.board.stone[place] or not self.board.legal(place, side ^ 1):
                    continue
                if not tried or not self._works_against(place, line, length):
                    replies[size] = place
                    size += 1
        return size

    cdef bint _works_against(self, int reply, const uint16_t* line, int length) noexcept nogil:
        cdef bint works
        self.board.play(reply, self.attacker ^ 1)
        works = self.fours.replay(line, length, self.attacker, NULL)
        self.board.undo()
        return works

    cdef bint _sensitive(self, const uint16_t* line, int length) noexcept nogil:
        """Whether under renju stones away from the line could change what is forbidden on it.

        That is so when the attacker is black and some move makes two threes, true or not, or when the attacker is white
        and wins because black's answer is forbidden.
        """
        cdef int number, answer, side = self.attacker, played = 0
        cdef bint sensitive = False
        for number in range(length):
            if side == 0 and self.board.count[0][line[number]] & TWO_OR_MORE_THREES:
                sensitive = True
            self.board.play(line[number], side)
            played += 1
            if sensitive or number + 1 == length or self.board.sizes[side][FIVE_SET] != 1:
                break
            answer = self.board.first(side, FIVE_SET)
            if not self.board.legal(answer, side ^ 1):
                sensitive = True
                break
            self.board.play(answer, side ^ 1)
            played += 1
        for number in range(played):
            self.board.undo()
        return sensitive

    # ------------------------------------------------------------------ storage

    cdef bint _begin(self) noexcept nogil:
        """Small tables; what is never touched costs nothing."""
        self.node_room, self.edge_room, self.line_room = FIRST_NODES, FIRST_EDGES, FIRST_LINES
        self.bucket_mask = FIRST_BUCKETS - 1
        self.nodes = <Node*>calloc(self.node_room, sizeof(Node))
        self.edges = <Edge*>calloc(self.edge_room, sizeof(Edge))
        self.lines = <uint16_t*>calloc(self.line_room, sizeof(uint16_t))
        self.buckets = <uint32_t*>calloc(self.bucket_mask + 1, sizeof(uint32_t))
        self.node_count, self.edge_count, self.line_count = LAST_FIXED + 1, 1, 0
        return self.nodes != NULL and self.edges != NULL and self.lines != NULL and self.buckets != NULL

    cdef void _free(self) noexcept nogil:
        free(self.nodes)
        free(self.edges)
        free(self.lines)
        free(self.buckets)
        self.nodes, self.edges, self.lines, self.buckets = NULL, NULL, NULL, NULL

    cdef bint _has_grown(self) noexcept nogil:
        """Whether a table is larger than a new search has it: that decides when memory runs out."""
        return (
            self.node_room > FIRST_NODES or self.edge_room > FIRST_EDGES or self.line_room > FIRST_LINES
            or self.bucket_mask >= FIRST_BUCKETS
        )

    cdef bint _forget(self) noexcept nogil:
        """Forget all nodes and give back what has grown; whether there is memory to go on."""
        if self.nodes == NULL or self._has_grown():
            self._free()
            if not self._begin():
                self._free()
                self.fours.stop = STOP_MEMORY
                return False
        memset(self.buckets, 0, (self.bucket_mask + 1) * sizeof(uint32_t))
        self.node_count, self.edge_count, self.line_count = LAST_FIXED + 1, 1, 0
        memset(self.nodes, 0, (LAST_FIXED + 1) * sizeof(Node))
        self._settle(LOST, False)
        self._settle(WON, True)
        return True

    cdef bint _room(self) noexcept nogil:
        """Whether there is room for one more node with any number of edges and any line."""
        if (
            self.node_count + 2 < self.node_room and self.edge_count + 2 * SPAN < self.edge_room
            and self.line_count + MOVES < self.line_room and self.node_count * 2 < self.bucket_mask
        ):
            return True
        if not self._more_room():
            self.fours.stop = STOP_MEMORY
        return self.fours.stop != STOP_MEMORY

    cdef bint _allowed(self, uint64_t more) noexcept nogil:
        """Whether so many bytes more are within the limit."""
        return self._bytes() + more <= self.most_bytes

    cdef uint64_t _bytes(self) noexcept nogil:
        cdef uint64_t bytes = self.node_room * sizeof(Node) + self.edge_room * sizeof(Edge)
        return bytes + self.line_room * sizeof(uint16_t) + (<uint64_t>self.bucket_mask + 1) * sizeof(uint32_t)

    cdef void* _doubled(self, void* table, uint64_t room, uint64_t size) noexcept nogil:
        """The table with twice the rows, or NULL if it must not grow."""
        if 2 * room > self.most_room or not self._allowed(room * size):
            return NULL
        return realloc(table, 2 * room * size)

    cdef bint _more_room(self) noexcept nogil:
        """Double what is full; whether memory could be had."""
        cdef void* more
        if self.node_count + 2 >= self.node_room:
            more = self._doubled(self.nodes, self.node_room, sizeof(Node))
            if more == NULL:
                return False
            self.nodes, self.node_room = <Node*>more, 2 * self.node_room
        if self.edge_count + 2 * SPAN >= self.edge_room:
            more = self._doubled(self.edges, self.edge_room, sizeof(Edge))
            if more == NULL:
                return False
            self.edges, self.edge_room = <Edge*>more, 2 * self.edge_room
        if self.line_count + MOVES >= self.line_room:
            more = self._doubled(self.lines, self.line_room, sizeof(uint16_t))
            if more == NULL:
                return False
            self.lines, self.line_room = <uint16_t*>more, 2 * self.line_room
        return self.node_count * 2 < self.bucket_mask or self._more_buckets()

    cdef bint _more_buckets(self) noexcept nogil:
        cdef uint32_t* more = NULL
        cdef uint32_t number, bucket
        cdef uint64_t room = <uint64_t>self.bucket_mask + 1
        if 2 * room <= self.most_room and self._allowed(room * sizeof(uint32_t)):
            more = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
        if more == NULL:
            return False
        free(self.buckets)
        self.buckets, self.bucket_mask = more, self.bucket_mask * 2 + 1
        for number in range(LAST_FIXED + 1, self.node_count):
            bucket = self.nodes[number].key & self.bucket_mask
            while self.buckets[bucket]:
                bucket = (bucket + 1) & self.bucket_mask
            self.buckets[bucket] = number
        return True

    cdef uint32_t _node(self, bint defence) noexcept nogil:
        """The node of the present position, made if it is new."""
        cdef uint64_t key = self.board.hash ^ SALT[self.attacker][defence]
        cdef uint32_t bucket, node
        if self.plies < ANY_PLIES:
            key += <uint64_t>(self.plies - self.board.length) * PLIES_SALT
        bucket = key & self.bucket_mask
        while self.buckets[bucket]:
            node = self.buckets[bucket]
            if self.nodes[node].key == key:
                return node
            bucket = (bucket + 1) & self.bucket_mask
        node = self.node_count
        self.node_count += 1
        self.buckets[bucket] = node
        memset(&self.nodes[node], 0, sizeof(Node))
        self.nodes[node].key, self.nodes[node].defence = key, defence
        self.nodes[node].proof = self.nodes[node].disproof = EVEN
        return node

    cdef uint32_t _find(self, uint64_t key) noexcept nogil:
        """The node with this key, or 0."""
        cdef uint32_t bucket = key & self.bucket_mask
        while self.buckets[bucket]:
            if self.nodes[self.buckets[bucket]].key == key:
                return self.buckets[bucket]
            bucket = (bucket + 1) & self.bucket_mask
        return 0

    cdef bint _keep_line(self, uint32_t node, const uint16_t* line, int length) noexcept nogil:
        if not self._room():
            return False
        memcpy(self.lines + self.line_count, line, length * sizeof(uint16_t))
        self.nodes[node].line, self.nodes[node].length = self.line_count, length
        self.line_count += length
        return True

    # ------------------------------------------------------------------ the proof, replayed while it is written

    def proof(self):
        """The tree of a proven root."""
        self.known = {}
        try:
            return self._attack(self._node(False))[0]
        finally:
            self.known = {}

    cdef object _cell(self, int place):
        return Cell(row_of(place), col_of(place))

    cdef tuple _attack(self, uint32_t node):
        """(attack, plies) of a proven node; the board stands at it."""
        result = self.known.get(node)
        if result is None:
            if self.nodes[node].length:
                result = self._by_fours(self.nodes[node].line, self.nodes[node].length)
            else:
                result = self._best_edge(node)
            self.known[node] = result
        return result

    cdef tuple _best_edge(self, uint32_t node):
        cdef uint32_t edge, child
        best = None
        for edge in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            child = self.edges[edge].child
            if child and self.nodes[child].proof == 0:
                found = self._by_edge(edge)
                if self.as_found:
                    return found
                if best is None or found[1] < best[1]:
                    best = found
        if best is None:
            raise Unsound("a proven attack without a proven move")
        return best

    cdef tuple _by_edge(self, uint32_t edge):
        cdef int move = self.edges[edge].move
        if self.board.stone[move] or not self.board.legal(move, self.attacker):
            raise Unsound("a move that cannot be played")
        self.board.play(move, self.attacker)
        if self.edges[edge].answer and self._is_last_four():
            found = self._last_four(move)
            self.board.undo()
            return found
        then, plies = self._by_one_answer(edge) if self.edges[edge].answer else self._defence(self.edges[edge].child)
        self.board.undo()
        return Attack(self._cell(move), then), plies + 1

    cdef bint _is_last_four(self) noexcept nogil:
        """Whether nothing answers the four that stands on the board; continuous fours are not asked at a first move
        that was named."""
        cdef int side = self.attacker
        if self.board.sizes[side ^ 1][FIVE_SET]:
            return False
        return self.board.sizes[side][FIVE_SET] > 1 or not self.board.legal(self.board.first(side, FIVE_SET), side ^ 1)

    cdef tuple _by_one_answer(self, uint32_t edge):
        """(defence, plies) after a four that has one answer."""
        cdef int side = self.attacker, answer = self.edges[edge].answer
        if self.board.sizes[side][FIVE_SET] != 1 or self.board.first(side, FIVE_SET) != answer:
            raise Unsound("a four that is none")
        if self.board.sizes[side ^ 1][FIVE_SET]:
            raise Unsound("a four that lets the defender make five")
        self.board.play(answer, side ^ 1)
        attack, plies = self._attack(self.edges[edge].child)
        self.board.undo()
        cell = self._cell(answer)
        return Defence((cell,), {cell: attack}), plies + 1

    cdef tuple _defence(self, uint32_t node):
        """(defence, plies) after a move that makes no four."""
        cdef uint32_t edge
        cdef const uint16_t* line = self.lines + self.nodes[node].line
        cdef int number, length = self.nodes[node].length
        if node in self.known:
            return self.known[node]
        answers, plies = {}, 2 * length - 1
        for edge in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            self.board.play(self.edges[edge].move, self.attacker ^ 1)
            attack, below = self._attack(self.edges[edge].child)
            self.board.undo()
            answers[self._cell(self.edges[edge].move)] = attack
            plies = max(plies, below)
        self._check_replies(node, answers)
        threat = [self._cell(line[number]) for number in range(length)]
        self.known[node] = Defence(tuple(threat), answers), plies + 1
        return self.known[node]

    cdef void _check_replies(self, uint32_t node, dict answers) except *:
        cdef uint16_t replies[SPAN]
        cdef const uint16_t* line = self.lines + self.nodes[node].line
        cdef int number, size, length = self.nodes[node].length
        if not self.fours.replay(line, length, self.attacker, NULL):
            raise Unsound("a threat that does not work")
        size = self._needed(line, length, True, replies)
        for number in range(size):
            if self._cell(replies[number]) not in answers:
                raise Unsound("a reply without an answer")

    cdef tuple _by_fours(self, uint32_t start, int length):
        """(attack, plies) of a line of fours: a chain of attacks, each four with its one answer."""
        cdef uint16_t line[MOVES]
        cdef uint16_t answers[MOVES]
        cdef int number, played
        memcpy(line, self.lines + start, length * sizeof(uint16_t))
        length = self.fours.shorten(line, length, self.attacker)
        if not self.fours.replay(line, length, self.attacker, NULL):
            raise Unsound("a win by fours that does not work")
        length = self.fours.cut(line)
        if length == 1:
            return Attack(self._cell(line[0])), 1
        played = self._play_fours(line, length - 1, answers)
        attack, plies = self._last_four(line[length - 2])
        for number in range(played):
            self.board.undo()
        for number in range(length - 3, -1, -1):
            cell = self._cell(answers[number])
            attack, plies = Attack(self._cell(line[number]), Defence((cell,), {cell: attack})), plies + 2
        return attack, plies

    cdef int _play_fours(self, const uint16_t* line, int length, uint16_t* answers) noexcept nogil:
        """Play the fours and all answers but the last; how many stones that is."""
        cdef int number
        for number in range(length):
            self.board.play(line[number], self.attacker)
            answers[number] = self.board.first(self.attacker, FIVE_SET)
            if number + 1 < length:
                self.board.play(answers[number], self.attacker ^ 1)
        return 2 * length - 1

    cdef tuple _last_four(self, int move):
        """(attack, plies) of the four that stands on the board and cannot be answered."""
        cdef uint16_t fives[SPAN]
        cdef int size = self.board.members(self.attacker, FIVE_SET, fives)
        first = self._cell(fives[0])
        answers = {}
        if size > 1 and self.board.legal(fives[0], self.attacker ^ 1):
            answers[first] = Attack(self._cell(fives[1]))
        return Attack(self._cell(move), Defence((first,), answers)), 3


cdef inline uint32_t _over(uint32_t second) noexcept nogil:
    """A little more than the second best: fewer changes between brothers."""
    return min(<uint32_t>MOST, second + 1 + second // 8)


cdef inline uint32_t _share(uint32_t limit, uint32_t sum, uint32_t part) noexcept nogil:
    """What is left of a limit on a sum for one of its parts."""
    return INFINITE if limit >= INFINITE else min(<uint32_t>MOST, limit - sum + part)
