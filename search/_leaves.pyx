# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Many positions that are like one another, solved one after the other on shared tables, and the zones of their proofs.

The search for quiet wins (:mod:`search.quiet`) asks thousands of times whether a position is won by attacking moves: after a
quiet move with the defender passing, and then after one reply and another. What such an attempt learns serves the
next: its *twin* is the position with the reply taken away, or put elsewhere.

A zone, freestyle rules only. Let T be a proof of the attacker to move. T holds as well when the defender has e extra
stones, on none of the cells of the zone Z(T, e). It contains

1. each cell that the attacker plays in T, each reply with a node of its own, each forced answer, the fives in the end;
2. after each move of the attacker in T the empty cells of each window of five that has no stone of the attacker and at
   least 4 - e of the defender. Where T answers whatever was not foreseen (a threat), it is 4 - (e + 1).

Why: an extra stone can take a cell that T needs (1), or else it helps the defender to a five or a four. A five needs
four stones in a window at that moment, at most e of them extra, so T's own stones there were 4 - e or more, and the
window was added while it had no stone of the attacker: a stone among its empty cells would lie in the zone (2). The
reply that a threat answers is one more stone that T did not foresee; it alone does no harm, since T is a proof, and
together with an extra one it would complete a window that was added with e + 1. Extra stones of the defender never help
the attacker, so no more is claimed than T shows. The same holds for a proof of a position in which the defender has a
stone more than here: without it T's threats work all the more, and playing there is one more unforeseen reply.

Nothing of this holds under renju (a stone far away can make a point legal) or for exactly five (a sixth stone spoils a five):
there the zone is the whole board, and every reply is tried.
"""

cimport cython
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from gomoku_patterns.errors import GomokuError
from gomoku_patterns.rules import Rule
from search._solver import Unsound
from search.result import Limit

from search._control cimport Control
from search._solver cimport ProofSearch
from search._threats cimport FIVE_SET, MOVES, SPAN, WORDS, col_of, holds, place_of, put, row_of

cdef int[6] OWN_WORTH = [1, 6, 20, 60, 0, 0]    # of a window with so many stones of one side, to that side
cdef int[6] OTHER_WORTH = [0, 4, 14, 50, 0, 0]


@cython.final
cdef class LeafSearch:
    """Attempts at positions of one board size and rule, for one attacker, and what they rest on.

    Positions are bytes as in ``Board.flat``, cells are their indexes, zones are integers with a bit for each cell.
    """

    def __cinit__(self):
        self.seen = NULL

    def __init__(self, board, int attacker, memory=256 << 20):
        if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
            raise GomokuError(f"there are no proofs under {board.rule.value} rules")
        self.has_zones = board.rule is Rule.FREESTYLE
        self.rows, self.cols = board.rows, board.cols
        self.attacker = attacker - 1
        self.search = ProofSearch(board, board.rule, memory)
        self.board = self.search.board
        self.control = Control(Limit(nodes=1 << 62))
        self.search.control = self.search.fours.control = self.control
        self.search.as_found = True
        self.left = 1 << 62
        self.era = self.seen_room = 0
        self.search._forget()
        self._make_windows()

    def __dealloc__(self):
        free(self.seen)

    cdef void _make_windows(self) noexcept:
        cdef int row, col, direction, number, place, side
        cdef int[4] down = [0, 1, 1, 1]
        cdef int[4] right = [1, 0, 1, -1]
        cdef uint64_t before
        cdef bytes blank = bytes(self.rows * self.cols)
        self.windows = 0
        memset(self.through_size, 0, sizeof(self.through_size))
        self.board.load(<const uint8_t*><char*>blank)
        for row in range(self.rows):
            for col in range(self.cols):
                for side in range(2):
                    before = self.board.hash
                    self.board.play(place_of(row, col), side)
                    self.stone_key[side][place_of(row, col)] = self.board.hash ^ before
                    self.board.undo()
                for direction in range(4):
                    if row + 4 * down[direction] >= self.rows or not 0 <= col + 4 * right[direction] < self.cols:
                        continue
                    for number in range(5):
                        place = place_of(row + number * down[direction], col + number * right[direction])
                        self.cells_of[self.windows][number] = place
                        self.through[place][self.through_size[place]] = self.windows
                        self.through_size[place] += 1
                    self.windows += 1

    cdef int _place(self, int cell) except -1:
        if not 0 <= cell < self.rows * self.cols:
            raise GomokuError(f"expected a cell from 0 to {self.rows * self.cols - 1}, found {cell}")
        return place_of(cell // self.cols, cell % self.cols)

    # ------------------------------------------------------------------ attempts

    def use(self, Control control not None):
        """Let another clock end the attempts; once it has, all of them fail."""
        self.control = self.search.control = self.search.fours.control = control

    def forget(self):
        """Forget everything: what is asked next is answered as by a new search."""
        self.search.clear()
        self.search._forget()

    def attempt(self, bytes cells, long long nodes, int hint=-1, int taken=-1, int put_elsewhere=-1):
        """Whether the attacker, to move, wins by attacking moves: True, False if nothing was found, None if the nodes ran out.

        ``hint`` is the move to try first. The twin is the position without the defender's stone ``taken`` (which
        stands in ``cells``), or with it on ``put_elsewhere``.
        """
        cdef int found, first = 0
        cdef uint64_t twin = 0
        nodes = min(nodes, self.left)
        cdef const uint8_t* start = <const uint8_t*><char*>cells
        if len(cells) != self.rows * self.cols:
            raise GomokuError(f"expected {self.rows * self.cols} cells, found {len(cells)}")
        if hint >= 0:
            first = self._place(hint)
        if taken >= 0:
            twin = self.stone_key[self.attacker ^ 1][self._place(taken)]
        if put_elsewhere >= 0:
            twin ^= self.stone_key[self.attacker ^ 1][self._place(put_elsewhere)]
        self.search.twin, self.search.twin_is_weaker = twin, self.has_zones and put_elsewhere < 0
        with nogil:
            found = self.search.attempt(start, self.attacker, nodes, first)
            self.root = self.search._node(False)
        self.left -= self.search.fours.nodes
        self.control.finish()
        return True if found == 1 else False if found == 0 else None

    @property
    def attacker_stone(self):
        """1 for black, 2 for white."""
        return self.attacker + 1

    @property
    def nodes(self):
        """How many nodes the last attempt took."""
        return self.search.fours.nodes

    @property
    def first_move(self):
        """What the proof of the last attempt plays first."""
        cdef int place = self.search._winning_move(self.root)
        return row_of(place) * self.cols + col_of(place)

    def proof(self):
        """The tree of the last attempt, which proved a win."""
        self._stand_at_root()
        return self.search.proof()

    cdef int _stand_at_root(self) except -1:
        if self.search.nodes == NULL or self.search._node(False) != self.root or self.search.nodes[self.root].proof:
            raise Unsound("the last attempt proved nothing, or the board has changed since")
        return 0

    # ------------------------------------------------------------------ what stands on the board

    def worths(self, bytes cells):
        """For each cell what the windows of five through it promise the attacker, and deny the defender; 0 if taken."""
        cdef int row, col, number, window, worth, place
        self.board.load(<const uint8_t*><char*>cells)
        self._count_stones()
        found = []
        for row in range(self.rows):
            for col in range(self.cols):
                place, worth = place_of(row, col), 0
                for number in range(self.through_size[place]):
                    window = self.through[place][number]
                    if self.others[window] == 0:
                        worth += OWN_WORTH[self.own[window]]
                    elif self.own[window] == 0:
                        worth += OTHER_WORTH[self.others[window]]
                found.append(0 if self.board.stone[place] else worth)
        return found

    def fives(self, bytes cells):
        """The cells on which the defender, if he were to move, makes five."""
        cdef uint16_t fives[SPAN]
        cdef int number, size
        self.board.load(<const uint8_t*><char*>cells)
        size = self.board.members(self.attacker ^ 1, FIVE_SET, fives)
        return [row_of(fives[number]) * self.cols + col_of(fives[number]) for number in range(size)]

    def legal(self, bytes cells, int stone):
        """The cells where this side may play, as a set."""
        cdef int row, col, place
        self.board.load(<const uint8_t*><char*>cells)
        found, one = 0, <object>1
        for row in range(self.rows):
            for col in range(self.cols):
                place = place_of(row, col)
                if self.board.stone[place] == 0 and self.board.legal(place, stone - 1):
                    found |= one << (row * self.cols + col)
        return found

    # ------------------------------------------------------------------ zones

    def zone(self, int extra=1):
        """The cells on which the proof of the last attempt rests, when the defender has so many extra stones."""
        cdef int row, col
        cdef uint64_t size = self.search.node_room
        if not self.has_zones:
            return (<object>1 << self.rows * self.cols) - 1
        self._stand_at_root()
        if self.seen_room < size:
            free(self.seen)
            self.seen, self.seen_room = <uint32_t*>calloc(size, sizeof(uint32_t)), size
            if self.seen == NULL:
                self.seen_room = 0
                raise MemoryError
        self.era += 1
        self.extra, self.broken = extra, False
        memset(self.zone_places, 0, sizeof(self.zone_places))
        with nogil:
            self._count_stones()
            self._walk_attack(self.root)
        if self.broken:
            raise Unsound("a proof that cannot be walked")
        zone, one = 0, <object>1        # more bits than C has
        for row in range(self.rows):
            for col in range(self.cols):
                if holds(self.zone_places, place_of(row, col)):
                    zone |= one << (row * self.cols + col)
        return zone

    cdef void _count_stones(self) noexcept nogil:
        cdef int row, col, place
        memset(self.own, 0, sizeof(self.own))
        memset(self.others, 0, sizeof(self.others))
        for row in range(self.rows):
            for col in range(self.cols):
                place = place_of(row, col)
                if self.board.stone[place]:
                    self._count(place, self.board.stone[place] - 1, 1)

    cdef void _count(self, int place, int side, int change) noexcept nogil:
        cdef int number
        cdef int8_t* stones = &self.own[0] if side == self.attacker else &self.others[0]
        for number in range(self.through_size[place]):
            stones[self.through[place][number]] += change

    cdef void _play(self, int place, int side) noexcept nogil:
        self.board.play(place, side)
        self._count(place, side, 1)

    cdef void _undo(self, int place, int side) noexcept nogil:
        self.board.undo()
        self._count(place, side, -1)

    cdef void _add_window(self, int window) noexcept nogil:
        cdef int number
        for number in range(5):
            if self.board.stone[self.cells_of[window][number]] == 0:
                put(self.zone_places, self.cells_of[window][number])

    cdef void _add_all_windows(self, int least) noexcept nogil:
        """The empty cells of all windows with so many stones of the defender and none of the attacker."""
        cdef int window
        for window in range(self.windows):
            if self.others[window] >= least and self.own[window] == 0:
                self._add_window(window)

    cdef void _add_windows_through(self, int place, int least) noexcept nogil:
        cdef int number, window
        for number in range(self.through_size[place]):
            window = self.through[place][number]
            if self.others[window] >= least and self.own[window] == 0:
                self._add_window(window)

    cdef bint _meet(self, uint32_t node) noexcept nogil:
        """Whether the node is met for the first time."""
        if self.broken or self.seen[node] == self.era:
            return False
        self.seen[node] = self.era
        return True

    cdef void _walk_attack(self, uint32_t node) noexcept nogil:
        cdef uint32_t edge, child
        if not self._meet(node):
            return
        if self.search.nodes[node].length:
            self._walk_line(node, self.extra)
            return
        for edge in range(self.search.nodes[node].edges, self.search.nodes[node].edges + self.search.nodes[node].size):
            child = self.search.edges[edge].child
            if child and self.search.nodes[child].proof == 0:
                self._walk_edge(edge)
                return
        self.broken = True

    cdef void _walk_edge(self, uint32_t edge) noexcept nogil:
        cdef int move = self.search.edges[edge].move, answer = self.search.edges[edge].answer
        if self.board.stone[move]:
            self.broken = True
            return
        put(self.zone_places, move)
        self._play(move, self.attacker)
        self._add_all_windows(4 - self.extra)
        if answer:
            put(self.zone_places, answer)
            self._play(answer, self.attacker ^ 1)
            self._walk_attack(self.search.edges[edge].child)
            self._undo(answer, self.attacker ^ 1)
        else:
            self._walk_defence(self.search.edges[edge].child)
        self._undo(move, self.attacker)

    cdef void _walk_defence(self, uint32_t node) noexcept nogil:
        cdef uint32_t edge, child
        cdef int reply
        if not self._meet(node):
            return
        self._walk_line(node, self.extra + 1)
        for edge in range(self.search.nodes[node].edges, self.search.nodes[node].edges + self.search.nodes[node].size):
            reply, child = self.search.edges[edge].move, self.search.edges[edge].child
            if child == 0 or self.search.nodes[child].proof:
                self.broken = True
                return
            put(self.zone_places, reply)
            self._play(reply, self.attacker ^ 1)
            self._walk_attack(child)
            self._undo(reply, self.attacker ^ 1)

    cdef void _walk_line(self, uint32_t node, int extra) noexcept nogil:
        """The line of a node, a win by fours or a threat, with so many extra stones."""
        cdef uint16_t line[MOVES]
        cdef uint16_t answers[MOVES]
        cdef int number, played = 0, length = self.search.nodes[node].length, answer = 0
        memcpy(line, self.search.lines + self.search.nodes[node].line, length * sizeof(uint16_t))
        if not self.search.nodes[node].defence:
            # As it is written in the proof.
            length = self.search.fours.shorten(line, length, self.attacker)
        for number in range(length):
            put(self.zone_places, line[number])
            if holds(self.board.sets[self.attacker][FIVE_SET], line[number]):
                break
            answer = self._walk_four(line[number], answer, extra)
            if answer == 0:
                self._undo(line[number], self.attacker)
                break
            self._play(answer, self.attacker ^ 1)
            answers[number] = answer
            played += 1
        for number in range(played - 1, -1, -1):
            self._undo(answers[number], self.attacker ^ 1)
            self._undo(line[number], self.attacker)

    cdef int _walk_four(self, int place, int answer, int extra) noexcept nogil:
        """Play a four of a line that went on after an answer (0: its first); the next answer, 0 if there are several.

        Only windows through the answer can be new: the others had fewer stones of the attacker, and were added before.
        """
        cdef uint16_t fives[SPAN]
        cdef int number, size
        self._play(place, self.attacker)
        if answer:
            self._add_windows_through(answer, 4 - extra)
        else:
            self._add_all_windows(4 - extra)
        size = self.board.members(self.attacker, FIVE_SET, fives)
        for number in range(size):
            put(self.zone_places, fives[number])
        if size == 0:
            self.broken = True
        return fives[0] if size == 1 else 0
