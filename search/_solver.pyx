# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Proof-number search (df-pn) for wins by threats, on nodes that are stored with their edges.

At an attack the attacker moves: the node is won if continuous fours win (:mod:`search._fours`), otherwise its edges are
fours, each with its forced answer, and quieter moves. At a defence, after a quieter move, the defender moves: the attacker
would win by continuous fours if the defender passed, or the node is given up. That line of fours is the node's threat,
kept with it; only replies against which the threat does not work have edges.

Proof and disproof numbers of nodes not made yet are guesses kept in the edge. Sums are capped below INFINITE, which
only what is settled may have. Positions only grow, so the graph has no cycles.
"""

cimport cython
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from gomoku_patterns.cells import Cell
from search.certificate import Attack, Defence
from search._control cimport Control
from search._control import STOP_NAMES
from search._fours cimport FourSearch
from search._threats cimport (
    FIVE_SET, FOUR_SET, FOURS, KILL_SET, LIVE_TWOS, MOVES, NOTHING, ONE_LIVE_TWO, ONE_SLEEPING_THREE, ONE_THREE, SLEEPING_THREES, SLEEPING_TWOS,
    SPAN, STRAIGHTS, THREE_SET, THREES, TWO_OR_MORE_THREES, WORDS, ThreatBoard, col_of, holds, place_of, put, row_of,
)

cdef enum:
    INFINITE = 1 << 30
    MOST = INFINITE - 1
    IDLE = 50_000_000       # iterations without a new node: the numbers are stuck
    VCF = 0
    VCT = 1
    FULL = 2

cdef uint64_t[2][2] SALT = [
    [0x3C6EF372FE94F82BULL, 0xA54FF53A5F1D36F1ULL], [0x510E527FADE682D1ULL, 0x9B05688C2B3E6C1FULL],
]
MODES = {"vcf": VCF, "vct": VCT, "full": FULL}
DEFAULT_KNOBS = [400, 2, 3, 5, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]


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

    def __init__(self, board, rule, memory):
        self.board = ThreatBoard(board, rule)
        self.most_bytes = memory
        self.fours = FourSearch(self.board, None, most=max(1, memory // 4 // 16))
        for number, knob in enumerate(DEFAULT_KNOBS):
            self.knobs[number] = knob
        if not self._begin():
            raise MemoryError

    def __dealloc__(self):
        free(self.nodes)
        free(self.edges)
        free(self.lines)
        free(self.buckets)

    @property
    def nodes_searched(self):
        return self.fours.nodes

    @property
    def stopped_by(self):
        return STOP_NAMES.get(self.fours.stop)

    def tune(self, number, value):
        self.knobs[number] = value

    cdef bint _begin(self) noexcept nogil:
        self.node_room, self.edge_room, self.line_room, self.bucket_mask = 1 << 12, 1 << 15, 1 << 13, (1 << 13) - 1
        self.nodes = <Node*>calloc(self.node_room, sizeof(Node))
        self.edges = <Edge*>calloc(self.edge_room, sizeof(Edge))
        self.lines = <uint16_t*>calloc(self.line_room, sizeof(uint16_t))
        self.buckets = <uint32_t*>calloc(self.bucket_mask + 1, sizeof(uint32_t))
        self.node_count = self.edge_count = 1
        self.line_count = 0
        return self.nodes != NULL and self.edges != NULL and self.lines != NULL and self.buckets != NULL

    cdef void _forget(self) noexcept nogil:
        """Forget all nodes."""
        memset(self.buckets, 0, (self.bucket_mask + 1) * sizeof(uint32_t))
        self.node_count = self.edge_count = 1
        self.line_count = 0

    # ------------------------------------------------------------------ the search

    def solve(self, board, mode, Control control, nodes_limit):
        """Search; gives (status, what it is about) with status 1 proven, 0 disproven, -1 unknown."""
        cdef int result
        cdef int kind = MODES[mode]
        self.board.reset(board)
        self.control = control
        self.fours.control = control
        self.fours.nodes = 0
        self.fours.check_at = 0
        self.fours.stop = 0
        self.fours.node_limit = nodes_limit if nodes_limit is not None else 0x7FFFFFFFFFFFFFFF
        self.attacker = int(board.turn) - 1
        self.mode = kind
        with nogil:
            result = self._solve()
        control.nodes = self.fours.nodes
        return result

    cdef int _solve(self) noexcept nogil:
        cdef long long slice = 4000
        cdef bint exhausted = False
        cdef uint32_t root
        self._forget()
        self.tainted = False
        self.budget = self.knobs[0]
        while not self.fours.stop:
            if not exhausted:
                if self.fours.win(self.attacker, slice):
                    self._forget()
                    root = self._node(False)
                    self._keep_line(root, self.fours.line, self.fours.length)
                    self._settle(root, True)
                    return 1
                exhausted = not self.fours.gave_up
                if exhausted and self.mode == VCF:
                    return 0
            if self.mode != VCF:
                root = self._node(False)
                self._run(root, slice)
                if self.nodes[root].proof == 0:
                    return 1
                if self.nodes[root].disproof == 0:
                    if not self.tainted:
                        return 0
                    self._forget()
                    self.tainted = False
                    self.budget *= 8
            slice *= 2
        return -1

    cdef void _run(self, uint32_t root, long long slice) noexcept nogil:
        self.slice_ends = self.fours.nodes + slice
        self.idle = 0
        while not self.fours.stop and self.fours.nodes < self.slice_ends:
            self._search(root, INFINITE, INFINITE)
            if self.nodes[root].proof == 0 or self.nodes[root].disproof == 0:
                return

    cdef void _search(self, uint32_t node, uint32_t proof_limit, uint32_t disproof_limit) noexcept nogil:
        """Work on a node until its numbers reach the limits; the board stands at the node."""
        cdef uint32_t best, second, proof, disproof, child
        cdef Edge* edge
        cdef bint defence = self.nodes[node].defence
        cdef int side = self.attacker ^ defence, move, answer
        if not self.nodes[node].expanded:
            if not self.fours.count() or not self._room():
                return
            self.idle = 0
            self._expand(node)
        while True:
            best = self._update(node, &second)
            proof, disproof = self.nodes[node].proof, self.nodes[node].disproof
            if proof == 0 or disproof == 0 or proof >= proof_limit or disproof >= disproof_limit:
                return
            self.idle += 1
            if self.idle & 1023 == 0 and self.idle > IDLE:
                self.fours.stop = 4
            if self.fours.stop or self.fours.nodes >= self.slice_ends:
                return
            edge = &self.edges[best]
            move, answer = edge.move, edge.answer
            self.board.play(move, side)
            if answer:
                self.board.play(answer, side ^ 1)
            child = edge.child
            if child == 0:
                child = self._made(best, node, defence == False and answer == 0)
            if child:
                if defence:
                    self._search(
                        child, _limit(proof_limit, proof, self.nodes[child].proof), min(disproof_limit, _over(second))
                    )
                else:
                    self._search(
                        child, min(proof_limit, _over(second)), _limit(disproof_limit, disproof, self.nodes[child].disproof)
                    )
            if answer:
                self.board.undo()
            self.board.undo()
            if child == 0:
                return

    cdef uint32_t _made(self, uint32_t edge, uint32_t parent, bint defence) noexcept nogil:
        """The child of an edge, which is made now; 0 if there is no room for it."""
        cdef uint32_t child
        if not self._room():
            return 0
        child = self._node(defence)
        if not self.nodes[child].expanded and self.nodes[child].proof == 0:
            self.nodes[child].proof = self.edges[edge].proof
            self.nodes[child].disproof = self.edges[edge].disproof
            if self.nodes[parent].defence:
                self.nodes[child].hint = self.nodes[parent].hint
        self.edges[edge].child = child
        return child

    cdef uint32_t _update(self, uint32_t node, uint32_t* second) noexcept nogil:
        """Set a node's numbers from its edges; gives the edge to follow and the next best number."""
        cdef Node* here = &self.nodes[node]
        cdef Edge* edge
        cdef uint32_t number, best = 0, least = INFINITE, next_least = INFINITE, value, other
        cdef uint64_t sum = 0
        if here.proof == 0 or here.disproof == 0:
            return 0
        for number in range(here.edges, here.edges + here.size):
            edge = &self.edges[number]
            if edge.child:
                value, other = self.nodes[edge.child].proof, self.nodes[edge.child].disproof
            else:
                value, other = edge.proof, edge.disproof
            if here.defence:
                value, other = other, value
            sum += other
            if value < least:
                next_least = least
                least = value
                best = number
            elif value < next_least:
                next_least = value
        second[0] = next_least
        if least == 0:
            sum = INFINITE
        elif least == INFINITE:
            sum = 0
        elif sum > MOST:
            sum = MOST
        if here.defence:
            here.disproof, here.proof = least, <uint32_t>sum
        else:
            here.proof, here.disproof = least, <uint32_t>sum
        return best

    # ------------------------------------------------------------------ expanding

    cdef void _expand(self, uint32_t node) noexcept nogil:
        self.nodes[node].expanded = True
        self.nodes[node].edges = self.edge_count
        self.nodes[node].size = 0
        if self.nodes[node].defence:
            self._expand_defence(node)
        else:
            self._expand_attack(node)

    cdef void _settle(self, uint32_t node, bint proven) noexcept nogil:
        self.nodes[node].expanded = True
        self.nodes[node].proof = 0 if proven else INFINITE
        self.nodes[node].disproof = INFINITE if proven else 0

    cdef void _expand_attack(self, uint32_t node) noexcept nogil:
        cdef uint16_t moves[SPAN]
        cdef int size, number, forced = 0, threes, kills, place
        cdef int side = self.attacker, other = self.attacker ^ 1
        cdef uint32_t count
        if self.fours.win(side, self.budget):
            if self._keep_line(node, self.fours.line, self.fours.length):
                self._settle(node, True)
            return
        if self.board.sizes[other][FIVE_SET] > 1:
            self._settle(node, False)
            return
        if self.board.sizes[other][FIVE_SET]:
            forced = self.board.first(other, FIVE_SET)
            if not self.board.legal(forced, side):
                self._settle(node, False)
            elif holds(self.board.sets[side][FOUR_SET], forced):
                self._add_four(node, forced)
            else:
                self._add_edge(node, forced, 0, 1, 1)
        else:
            self._add_moves(node)
        if self.nodes[node].size == 0:
            self._settle(node, False)

    cdef void _add_moves(self, uint32_t node) noexcept nogil:
        cdef uint16_t moves[SPAN]
        cdef int side = self.attacker, other = self.attacker ^ 1
        cdef int size, number, place, row, col
        cdef uint32_t count
        cdef bint kills = self._defender_kills()
        size = self.board.members(side, FOUR_SET, moves)
        for number in range(size):
            self._add_four(node, moves[number])
        size = self.board.members(side, THREE_SET, moves)
        for number in range(size):
            if not self.board.count[side][moves[number]] & FOURS:
                self._add_quiet(node, moves[number], self.knobs[2], kills)
        if self.mode != FULL:
            return
        for row in range(self.board.rows):
            for col in range(self.board.cols):
                place = place_of(row, col)
                count = self.board.count[side][place]
                if self.board.stone[place] or count & (FOURS | THREES):
                    continue
                if count & (SLEEPING_THREES | LIVE_TWOS):
                    self._add_quiet(node, place, self.knobs[3], kills)
                elif self.board.count[other][place] & (FOURS | THREES):
                    self._add_quiet(node, place, self.knobs[4], kills)

    cdef bint _defender_kills(self) noexcept nogil:
        """Whether the defender, to move, would have a straight four or two fours at once."""
        cdef uint16_t moves[MOVES]
        cdef int number, size, side = self.attacker ^ 1
        cdef uint32_t count
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
        cdef int side = self.attacker, answer, fives
        if not self.board.legal(move, side):
            return
        self.board.play(move, side)
        answer = self.board.first(side, FIVE_SET)
        fives = self.board.sizes[side ^ 1][FIVE_SET]
        if answer >= 0 and not fives:
            self.board.play(answer, side ^ 1)
            fives = self.board.sizes[side ^ 1][FIVE_SET]
            self.board.undo()
        else:
            fives = 2
        self.board.undo()
        if fives < 2:
            self._add_edge(node, move, answer, self.knobs[1], 1)

    cdef void _add_quiet(self, uint32_t node, int move, int proof, bint kills) noexcept nogil:
        cdef bint fails = False
        if not self.board.legal(move, self.attacker):
            return
        if kills:
            self.board.play(move, self.attacker)
            fails = self._defender_kills()
            self.board.undo()
        if not fails:
            self._add_edge(node, move, 0, proof, 1)

    cdef void _expand_defence(self, uint32_t node) noexcept nogil:
        cdef uint16_t line[MOVES]
        cdef uint16_t replies[SPAN]
        cdef int side = self.attacker, other = self.attacker ^ 1, length, size, number
        if self.board.sizes[other][FIVE_SET] or self._defender_kills():
            self._settle(node, False)
            return
        if not self.fours.win(side, self.budget):
            if self.fours.gave_up:
                self.tainted = True
            self._settle(node, False)
            return
        length = self.fours.length
        memcpy(line, self.fours.line, length * sizeof(uint16_t))
        length = self.fours.shorten(line, length, side)
        if not self._keep_line(node, line, length):
            return
        size = self._needed(line, length, replies)
        for number in range(size):
            self._add_edge(node, replies[number], 0, 1, 1)
        if size == 0:
            self._settle(node, True)

    cdef int _needed(self, const uint16_t* line, int length, uint16_t* replies) noexcept nogil:
        """The defender's legal replies against which the attacker's line does not work."""
        cdef uint64_t zone[WORDS]
        cdef uint64_t rest
        cdef int side = self.attacker, word, place, size = 0
        memset(zone, 0, sizeof(zone))
        self.fours.replay(line, length, side, zone)
        if self.board.renju and self._sensitive(line, length):
            memset(zone, 0xFF, sizeof(zone))
        for word in range(self.board.first_word, self.board.last_word + 1):
            rest = zone[word]
            while rest:
                place = word * 64 + __builtin_ctzll(rest)
                rest &= rest - 1
                if self.board.stone[place] or not self.board.legal(place, side ^ 1):
                    continue
                self.board.play(place, side ^ 1)
                if not self.fours.replay(line, length, side, NULL):
                    replies[size] = place
                    size += 1
                self.board.undo()
        return size

    cdef bint _sensitive(self, const uint16_t* line, int length) noexcept nogil:
        """Whether stones away from the line could change what is forbidden on it."""
        cdef int number, place, played = 0
        cdef bint sensitive = False
        for number in range(length):
            place = line[number]
            if self.attacker == 0 and self.board.count[0][place] & TWO_OR_MORE_THREES:
                sensitive = True
            self.board.play(place, self.attacker)
            played += 1
            if number + 1 < length and self.board.sizes[self.attacker][FIVE_SET] == 1:
                place = self.board.first(self.attacker, FIVE_SET)
                if not self.board.legal(place, self.attacker ^ 1):
                    sensitive = True
                    break
                self.board.play(place, self.attacker ^ 1)
                played += 1
            else:
                break
        for number in range(played):
            self.board.undo()
        return sensitive

    # ------------------------------------------------------------------ storage

    cdef bint _room(self) noexcept nogil:
        """Whether there is room for one more node with any number of edges and any line."""
        cdef void* more
        cdef uint64_t bytes
        if (
            self.node_count + 2 < self.node_room and self.edge_count + SPAN < self.edge_room
            and self.line_count + MOVES < self.line_room and self.node_count * 2 < self.bucket_mask
        ):
            return True
        bytes = self.node_room * sizeof(Node) + self.edge_room * sizeof(Edge)
        bytes += self.line_room * sizeof(uint16_t) + self.bucket_mask * sizeof(uint32_t)
        if bytes * 2 > self.most_bytes:
            self.fours.stop = 4
            return False
        if self.node_count + 2 >= self.node_room:
            more = realloc(self.nodes, self.node_room * 2 * sizeof(Node))
            if more == NULL:
                self.fours.stop = 4
                return False
            self.nodes = <Node*>more
            self.node_room *= 2
        if self.edge_count + SPAN >= self.edge_room:
            more = realloc(self.edges, self.edge_room * 2 * sizeof(Edge))
            if more == NULL:
                self.fours.stop = 4
                return False
            self.edges = <Edge*>more
            self.edge_room *= 2
        if self.line_count + MOVES >= self.line_room:
            more = realloc(self.lines, self.line_room * 2 * sizeof(uint16_t))
            if more == NULL:
                self.fours.stop = 4
                return False
            self.lines = <uint16_t*>more
            self.line_room *= 2
        if self.node_count * 2 >= self.bucket_mask and not self._grow_buckets():
            self.fours.stop = 4
            return False
        return True

    cdef bint _grow_buckets(self) noexcept nogil:
        cdef uint32_t* more = <uint32_t*>calloc((self.bucket_mask + 1) * 2, sizeof(uint32_t))
        cdef uint32_t number, bucket
        if more == NULL:
            return False
        free(self.buckets)
        self.buckets = more
        self.bucket_mask = self.bucket_mask * 2 + 1
        for number in range(1, self.node_count):
            bucket = self.nodes[number].key & self.bucket_mask
            while self.buckets[bucket]:
                bucket = (bucket + 1) & self.bucket_mask
            self.buckets[bucket] = number
        return True

    cdef uint32_t _node(self, bint defence) noexcept nogil:
        """The node of the present position, made if it is new."""
        cdef uint64_t key = self.board.hash ^ SALT[self.attacker][defence]
        cdef uint32_t bucket = key & self.bucket_mask, node
        while self.buckets[bucket]:
            node = self.buckets[bucket]
            if self.nodes[node].key == key:
                return node
            bucket = (bucket + 1) & self.bucket_mask
        node = self.node_count
        self.node_count += 1
        self.buckets[bucket] = node
        memset(&self.nodes[node], 0, sizeof(Node))
        self.nodes[node].key = key
        self.nodes[node].defence = defence
        self.nodes[node].proof = self.nodes[node].disproof = 1
        return node

    cdef bint _keep_line(self, uint32_t node, const uint16_t* line, int length) noexcept nogil:
        if not self._room():
            return False
        memcpy(self.lines + self.line_count, line, length * sizeof(uint16_t))
        self.nodes[node].line = self.line_count
        self.nodes[node].length = length
        self.line_count += length
        return True

    cdef bint _add_edge(self, uint32_t node, int move, int answer, int proof, int disproof) noexcept nogil:
        cdef Edge* edge = &self.edges[self.edge_count]
        edge.child, edge.move, edge.answer, edge.proof, edge.disproof = 0, move, answer, proof, disproof
        self.edge_count += 1
        self.nodes[node].size += 1
        return True

    # ------------------------------------------------------------------ the proof

    def proof(self):
        """The tree of a proven root, replayed on the way."""
        cdef uint32_t root = self._node(False)
        self.memo = {}
        attack = self._attack(root)[0]
        return attack

    cdef object _cell(self, int place):
        return Cell(row_of(place), col_of(place))

    cdef tuple _attack(self, uint32_t node):
        """(attack, plies) of a proven node; the board stands at it."""
        cdef uint32_t number
        cdef Edge* edge
        cdef int side = self.attacker
        if node in self.memo:
            return self.memo[node]
        if self.nodes[node].length:
            result = self._by_fours(self.nodes[node].line, self.nodes[node].length)
        else:
            result = None
            for number in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
                edge = &self.edges[number]
                if not edge.child or self.nodes[edge.child].proof:
                    continue
                found = self._by_edge(edge.move, edge.answer, edge.child)
                if result is None or found[1] < result[1]:
                    result = found
        if result is None:
            raise Unsound("a proven node without a proven move")
        self.memo[node] = result
        return result

    cdef tuple _by_edge(self, int move, int answer, uint32_t child):
        cdef int side = self.attacker
        if self.board.stone[move] or not self.board.legal(move, side):
            raise Unsound("a move that cannot be played")
        self.board.play(move, side)
        if not answer:
            then, plies = self._defence(child)
        else:
            if self.board.sizes[side][FIVE_SET] != 1 or self.board.first(side, FIVE_SET) != answer or self.board.sizes[side ^ 1][FIVE_SET]:
                raise Unsound("a four that is none")
            self.board.play(answer, side ^ 1)
            attack, plies = self._attack(child)
            self.board.undo()
            cell = self._cell(answer)
            then, plies = Defence((cell,), {cell: attack}), plies + 1
        self.board.undo()
        return Attack(self._cell(move), then), plies + 1

    cdef tuple _defence(self, uint32_t node):
        cdef uint16_t replies[SPAN]
        cdef uint32_t number
        cdef Edge* edge
        cdef int length = self.nodes[node].length, size
        cdef const uint16_t* line = self.lines + self.nodes[node].line
        if node in self.memo:
            return self.memo[node]
        if not self.fours.replay(line, length, self.attacker, NULL):
            raise Unsound("a threat that does not work")
        size = self._needed(line, length, replies)
        answers, plies = {}, 2 * length - 1
        for number in range(self.nodes[node].edges, self.nodes[node].edges + self.nodes[node].size):
            edge = &self.edges[number]
            self.board.play(edge.move, self.attacker ^ 1)
            attack, below = self._attack(edge.child)
            self.board.undo()
            answers[self._cell(edge.move)] = attack
            plies = max(plies, below)
        for number in range(<uint32_t>size):
            if self._cell(replies[number]) not in answers:
                raise Unsound("a reply without an answer")
        threat = tuple(self._cell(line[number]) for number in range(<uint32_t>length))
        result = Defence(threat, answers), plies + 1
        self.memo[node] = result
        return result

    cdef tuple _by_fours(self, uint32_t start, int length):
        """A line of fours as a chain of attacks, each four with its one answer."""
        cdef uint16_t line[MOVES]
        cdef uint16_t answers[MOVES]
        cdef int number, side = self.attacker, last
        memcpy(line, self.lines + start, length * sizeof(uint16_t))
        length = self.fours.shorten(line, length, side)
        if not self.fours.replay(line, length, side, NULL):
            raise Unsound("a win by fours that does not work")
        attack, plies = Attack(self._cell(line[length - 1])), 1
        if length == 1:
            return attack, plies
        for number in range(length - 1):
            self.board.play(line[number], side)
            answers[number] = self.board.first(side, FIVE_SET)
            if number < length - 2:
                self.board.play(answers[number], side ^ 1)
        attack, plies = self._last_four(line[length - 2])
        for number in range(2 * (length - 1) - 1):
            self.board.undo()
        for number in range(length - 3, -1, -1):
            cell = self._cell(answers[number])
            attack, plies = Attack(self._cell(line[number]), Defence((cell,), {cell: attack})), plies + 2
        return attack, plies

    cdef tuple _last_four(self, int move):
        """The four that cannot be answered, which stands on the board."""
        cdef uint16_t fives[MOVES]
        cdef int side = self.attacker, size = self.board.members(side, FIVE_SET, fives)
        first = self._cell(fives[0])
        if size == 1 or not self.board.legal(fives[0], side ^ 1):
            return Attack(self._cell(move), Defence((first,), {})), 3
        return Attack(self._cell(move), Defence((first,), {first: Attack(self._cell(fives[1]))})), 3


cdef inline uint32_t _over(uint32_t second) noexcept nogil:
    """A little more than the second best: fewer changes between brothers."""
    return min(<uint32_t>MOST, second + 1 + second // 4)


cdef inline uint32_t _limit(uint32_t limit, uint32_t sum, uint32_t part) noexcept nogil:
    """What is left of a limit on a sum for one of its parts."""
    return INFINITE if limit >= INFINITE else min(<uint32_t>MOST, limit - sum + part)


cdef extern from *:
    int __builtin_ctzll(unsigned long long) noexcept nogil
