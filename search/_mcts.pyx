# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""Monte Carlo tree search without Python: the tree of ``search.mcts_reference.ReferenceMcts``, number for number.

* A node is 32 bytes in one pool that grows by doubling up to its bound; the children of a node lie side by side. When
  the pool is full, leaves are rolled out without being opened.
* A position is a walled field, the list of candidates and where each place is in that list. A rollout costs a copy of
  it (1.4 KB on 15x15) and is never taken back.
* Keeping the tree: the subtree of the moves played is copied, breadth first, into a pool of its size.
* A table guides the search through a tracker of the core, which follows every move and takes it back afterwards.
* All arithmetic is that of the reference: the same random numbers, doubles, order of additions.

Deliberately absent: threads, transpositions, checks of what the Python side has checked.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc, PyMem_RawRealloc
from libc.math cimport log, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE, next_random, opponent, side_of
from gomoku_patterns._judge cimport Judge, judge_both, judge_of, judge_play, judge_tempo, judge_undo
from search._control cimport Control
from search._field cimport MAX_FIELD, Field, field_cell, field_place, field_set, field_wins
from search._threats cimport ThreatBoard, place_of

from gomoku_patterns.rules import Rule

cdef enum:
    MAX_PATH = MAX_CELLS + 2
    UNOPENED = -1
    FIRST_NODES = 4096
    POLL_EVERY = 64

cdef enum Proof:
    LOST = -1
    UNKNOWN = 0
    WON = 1

cdef struct Node:
    double value                # what the rollouts through it were worth to who made the move
    double prior                # its share of the weights, where a table guides the search
    # Its children are nodes[first:first + count]: numbers and not pointers, because the pool moves when it grows.
    int32_t first
    int32_t visits
    int16_t count
    int16_t place
    int8_t proven

cdef struct CandidateBoard:
    Field field
    int count
    int16_t candidates[MAX_CELLS]
    int16_t where[MAX_FIELD]    # in the list, or -1


# ---------------------------------------------------------------------- positions

cdef inline void add_candidate(CandidateBoard *position, int place) noexcept nogil:
    position.where[place] = position.count
    position.candidates[position.count] = place
    position.count += 1


cdef inline void add_neighbour(CandidateBoard *position, int place) noexcept nogil:
    if position.field.stones[place] == 0 and position.where[place] < 0:
        add_candidate(position, place)


cdef inline void play(CandidateBoard *position, int place, int colour) noexcept nogil:
    """Put a stone; the last candidate takes the place of the one that was played, new ones go to the end."""
    # The order of the list decides which candidate a random number means, so it has to be that of the reference.
    cdef int at = position.where[place], last, down = position.field.steps[1]
    position.field.stones[place] = colour
    if at >= 0:
        position.where[place] = -1
        position.count -= 1
        last = position.candidates[position.count]
        if last != place:
            position.candidates[at] = last
            position.where[last] = at
    add_neighbour(position, place - down - 1)
    add_neighbour(position, place - down)
    add_neighbour(position, place - down + 1)
    add_neighbour(position, place - 1)
    add_neighbour(position, place + 1)
    add_neighbour(position, place + down - 1)
    add_neighbour(position, place + down)
    add_neighbour(position, place + down + 1)


cdef bint has_neighbour(const Field *field, int place) noexcept nogil:
    cdef int down = field.steps[1], row, col, stone
    for row in range(-1, 2):
        for col in range(-1, 2):
            stone = field.stones[place + row * down + col]
            if stone == BLACK or stone == WHITE:
                return True
    return False


cdef int set_up(CandidateBoard *position, board, const uint8_t *cells) except -1:
    cdef int cell, place, rows = board.rows, cols = board.cols
    cdef bint any_stone = False
    field_set(&position.field, board, cells)
    position.count = 0
    for place in range(MAX_FIELD):
        position.where[place] = -1
    for cell in range(rows * cols):
        place = field_place(&position.field, cell)
        if cells[cell]:
            any_stone = True
        elif has_neighbour(&position.field, place):
            add_candidate(position, place)
    if not any_stone:
        add_candidate(position, field_place(&position.field, rows // 2 * cols + cols // 2))
    return 0


cdef inline void copy_position(CandidateBoard *into, const CandidateBoard *source) noexcept nogil:
    """Only the parts that boards of this size use."""
    memcpy(into.field.stones, source.field.stones, source.field.size)
    into.count = source.count
    memcpy(into.candidates, source.candidates, source.count * sizeof(int16_t))
    memcpy(into.where, source.where, source.field.size * sizeof(int16_t))


# ---------------------------------------------------------------------- the tree

cdef inline bint is_preferred(const Node *node, const Node *other) noexcept nogil:
    """Whether one was won and the other not, or was tried more often."""
    return node.proven > other.proven or (node.proven == other.proven and node.visits > other.visits)


@cython.final
cdef class MctsTree:
    """A position and what was found out about it."""

    cdef Node *nodes
    cdef size_t used, room, most
    cdef CandidateBoard start, trial
    cdef int turn, rows, cols, plies, count_legal
    cdef bint renju
    cdef int16_t legal[MAX_CELLS]
    cdef readonly int depth
    cdef double win, draw, exploration
    cdef bint proofs
    cdef uint64_t chance
    cdef ThreatBoard threats        # under renju, for black's forbidden points
    cdef object tracker             # None, or what guides the search
    cdef Judge judge
    cdef bint guided
    cdef int played                 # moves the tracker has to take back
    cdef int16_t cells[MAX_FIELD]   # flat cells by place
    cdef int32_t path[MAX_PATH]
    cdef int length
    cdef readonly long long rollouts

    def __cinit__(self):
        self.nodes = NULL

    def __init__(
        self, board, legal, tracker, double win, double draw, double exploration, int plies, bint proofs, int memory
    ):
        cdef const uint8_t[::1] cells = board._cells
        self.rows, self.cols, self.turn, self.renju = board.rows, board.cols, board.turn, board.rule is Rule.RENJU
        self.win, self.draw, self.exploration, self.plies, self.proofs = win, draw, exploration, plies, proofs
        self.most = <size_t>memory * 1024 * 1024 // sizeof(Node)
        set_up(&self.start, board, &cells[0])
        self.trial = self.start
        self._take_legal(legal)
        for cell in range(self.rows * self.cols):
            self.cells[field_place(&self.start.field, cell)] = cell
        self.tracker, self.guided = tracker, tracker is not None
        if self.guided:
            self.judge = judge_of(tracker)
        self.threats = ThreatBoard(board) if self.renju else None
        PyMem_RawFree(self.nodes)
        self.nodes = NULL
        self.room = self.used = 0
        self._make_room(1)
        self._new_node(-1)

    def __dealloc__(self):
        PyMem_RawFree(self.nodes)

    def _take_legal(self, legal):
        self.count_legal = len(legal)
        for at, cell in enumerate(legal):
            self.legal[at] = field_place(&self.start.field, cell[0] * self.cols + cell[1])

    cdef int _make_room(self, size_t more) except -1 nogil:
        """Room for more nodes; 0 if that is beyond the bound or there is no memory."""
        cdef size_t wanted = self.room
        cdef Node *grown
        if self.used + more <= self.room:
            return 1
        if self.used + more > self.most:
            return 0
        while wanted < self.used + more:
            wanted = max(<size_t>FIRST_NODES, 2 * wanted)
        grown = <Node *>PyMem_RawRealloc(self.nodes, min(wanted, self.most) * sizeof(Node))
        if grown == NULL:
            return 0
        self.nodes = grown
        self.room = min(wanted, self.most)
        return 1

    cdef inline Node *_new_node(self, int place) noexcept nogil:
        cdef Node *node = &self.nodes[self.used]
        self.used += 1
        node.value = 0
        node.prior = 0
        node.first = 0
        node.visits = 0
        node.count = UNOPENED
        node.place = place
        node.proven = UNKNOWN
        return node

    # ------------------------------------------------------------------ searching

    def run(self, Control control, uint64_t seed, long long rollouts, int depth):
        """Roll out until a limit stops it, or the root is proven; whether it was the number of rollouts."""
        cdef long long done = 0
        self.chance = seed
        self.depth = 0
        with nogil:
            copy_position(&self.trial, &self.start)
            self.length = 1
            self._opened(0, self.turn, True)
            while done < rollouts and self.nodes[0].proven == UNKNOWN:
                if done % POLL_EVERY == 0:
                    control.nodes, control.depth = done, self.depth
                    control.score = self._score()
                    if control.poll():
                        break
                self._iterate(depth)
                done += 1
        self.rollouts = done
        control.finish()
        return done >= rollouts and self.nodes[0].proven == UNKNOWN

    cdef long long _score(self) noexcept nogil:
        """Thousandths of a certain win, for black."""
        cdef Node *root = &self.nodes[0]
        cdef double share = root.value / (root.visits * self.win) if root.visits else 0.5
        return <long long>((1 - 2 * share) * 1000) * (1 if self.turn == BLACK else -1)

    cdef void _iterate(self, int depth) noexcept nogil:
        cdef int turn = self.turn, winner = 0, chosen = 0
        copy_position(&self.trial, &self.start)
        self.path[0] = 0
        self.length = 1
        while self._opened(chosen, turn, self.length <= depth):
            if self.nodes[chosen].count == 0:
                break
            chosen = self._select(chosen)
            self.path[self.length] = chosen
            self.length += 1
            self._play(self.nodes[chosen].place, turn)
            turn = opponent(turn)
            if self.nodes[chosen].proven:
                break
        if self.nodes[chosen].proven:
            winner = opponent(turn) if self.nodes[chosen].proven == WON else turn
        elif self.nodes[chosen].count == UNOPENED:
            winner = self._rollout(turn)
        self._back_up(winner)
        while self.played:
            judge_undo(&self.judge)
            self.played -= 1

    cdef inline void _play(self, int place, int colour) noexcept nogil:
        play(&self.trial, place, colour)
        if self.guided:
            judge_play(&self.judge, self.cells[place], colour)
            self.played += 1

    cdef bint _opened(self, int chosen, int turn, bint room) noexcept nogil:
        """Whether a node has its children, or gets them now: on its second visit, the root on its first."""
        if self.nodes[chosen].count != UNOPENED:
            return True
        if not room or (self.nodes[chosen].visits == 0 and chosen):
            return False
        return self._open(chosen, turn)

    cdef bint _open(self, int chosen, int turn) noexcept nogil:
        # A child that makes five is won from the start: no rollout is spent on it.
        cdef int16_t places[MAX_CELLS]
        cdef int count = self._moves(chosen, turn, places), at
        cdef size_t first = self.used
        cdef Node *child
        if not self._make_room(count):
            return False
        for at in range(count):
            child = self._new_node(places[at])
            child.proven = WON if field_wins(&self.trial.field, places[at], turn) else UNKNOWN
        self.nodes[chosen].first = <int32_t>first
        self.nodes[chosen].count = count
        if self.guided:
            self._weigh(first, count)
        return True

    cdef void _weigh(self, size_t first, int count) noexcept nogil:
        """Give new children their share of the roots of the weights."""
        cdef int64_t tempo = judge_tempo(&self.judge)
        cdef double total = 0
        cdef size_t at
        for at in range(first, first + count):
            self.nodes[at].prior = sqrt(<double>self._weight(self.nodes[at].place, tempo))
            total += self.nodes[at].prior
        for at in range(first, first + count):
            self.nodes[at].prior /= total

    cdef inline int64_t _weight(self, int place, int64_t tempo) noexcept nogil:
        """What a stone of either colour gains there beside the turn, plus one."""
        return 1 + max(<int64_t>0, judge_both(&self.judge, self.cells[place]) + tempo)

    cdef int _moves(self, int chosen, int turn, int16_t *places) noexcept nogil:
        """The moves to be tried: the candidates that are legal."""
        # The board of threats costs more than a rollout's move: it follows the path only where black is to be asked.
        cdef int count = 0, at
        cdef bint filtered = turn == BLACK and self.renju
        if chosen == 0:
            return self._root_moves(places)
        if filtered:
            self._follow()
        for at in range(self.trial.count):
            if not filtered or not self._forbidden(self.trial.candidates[at]):
                places[count] = self.trial.candidates[at]
                count += 1
        if filtered:
            for at in range(1, self.length):
                self.threats.undo()
        return count

    cdef int _root_moves(self, int16_t *places) noexcept nogil:
        cdef int count = 0, at, other
        for at in range(self.start.count):
            for other in range(self.count_legal):
                if self.legal[other] == self.start.candidates[at]:
                    places[count] = self.start.candidates[at]
                    count += 1
                    break
        if count == 0:
            memcpy(places, self.legal, self.count_legal * sizeof(int16_t))
            count = self.count_legal
        return count

    cdef void _follow(self) noexcept nogil:
        """Put the moves of the path on the board that knows forbidden points."""
        cdef int at, turn = self.turn
        for at in range(1, self.length):
            self.threats.play(self._threat_place(self.nodes[self.path[at]].place), side_of(turn))
            turn = opponent(turn)

    cdef bint _forbidden(self, int place) noexcept nogil:
        return self.threats.forbidden(self._threat_place(place))

    cdef inline int _threat_place(self, int place) noexcept nogil:
        cdef int cell = field_cell(&self.start.field, place)
        return place_of(cell // self.cols, cell % self.cols)

    cdef int _select(self, int chosen) noexcept nogil:
        """The child to try: one that wins, else the most promising one that is not lost."""
        cdef Node *node = &self.nodes[chosen]
        cdef Node *child
        cdef int at, best = node.first
        cdef double promise, most = -1e300, logarithm = log(<double>node.visits) if node.visits else 0
        if self.proofs:
            for at in range(node.first, node.first + node.count):
                if self.nodes[at].proven == WON:
                    return at
        for at in range(node.first, node.first + node.count):
            child = &self.nodes[at]
            if child.proven == LOST and self.proofs:
                continue
            if self.guided:
                promise = self._guided_promise(node, child)
            elif child.visits == 0:
                return at
            else:
                promise = child.value / child.visits + self.exploration * sqrt(logarithm / child.visits)
            if promise > most:
                best, most = at, promise
        return best

    cdef inline double _guided_promise(self, const Node *node, const Node *child) noexcept nogil:
        cdef double mean
        if child.visits:
            mean = child.value / (child.visits * self.win)
        else:
            mean = 1 - node.value / (node.visits * self.win) if node.visits else 0.5
        return mean + self.exploration * child.prior * sqrt(<double>node.visits) / (1 + child.visits)

    cdef int _rollout(self, int turn) noexcept nogil:
        """Random moves from here: who wins, or 0."""
        cdef int at, place
        for at in range(self.plies):
            if self.trial.count == 0:
                return 0
            place = self.trial.candidates[self._draw_weighed() if self.guided else self._draw()]
            self._play(place, turn)
            if field_wins(&self.trial.field, place, turn):
                return turn
            turn = opponent(turn)
        return 0

    cdef inline int _draw(self) noexcept nogil:
        """The number of a candidate, all alike."""
        # The upper half times the count, shifted down: no division, and a bias of less than one in eight million.
        return <int>((next_random(&self.chance) >> 32) * <uint64_t>self.trial.count >> 32)

    cdef int _draw_weighed(self) noexcept nogil:
        """The number of a candidate, by weight."""
        cdef int64_t sums[MAX_CELLS]
        cdef int64_t total = 0, drawn, tempo = judge_tempo(&self.judge)
        cdef int at
        for at in range(self.trial.count):
            total += self._weight(self.trial.candidates[at], tempo)
            sums[at] = total
        drawn = <int64_t>(next_random(&self.chance) % <uint64_t>total)
        for at in range(self.trial.count):
            if drawn < sums[at]:
                return at
        return 0

    cdef void _back_up(self, int winner) noexcept nogil:
        """Count what came of it for whoever made each move, and what it proves."""
        # A node's value is that of whoever moved into it, the root's that of the opponent of the side to move.
        cdef int at, mover = opponent(self.turn)
        cdef Node *node
        for at in range(self.length):
            node = &self.nodes[self.path[at]]
            node.visits += 1
            node.value += self.win if winner == mover else self.draw if winner == 0 else 0.0
            mover = opponent(mover)
        self.depth = max(self.depth, self.length - 1)
        # Proofs go up as far as they prove something new.
        at = self.length - 1
        while self.proofs and at > 0 and self._proves(&self.nodes[self.path[at]], &self.nodes[self.path[at - 1]]):
            at -= 1

    cdef bint _proves(self, const Node *node, Node *parent) noexcept nogil:
        """Whether something is known of the parent now: a winning answer refutes it, only lost ones prove it."""
        cdef int at
        if node.proven == WON:
            parent.proven = LOST
        elif node.proven == LOST:
            for at in range(parent.first, parent.first + parent.count):
                if self.nodes[at].proven != LOST:
                    return False
            parent.proven = WON
        return parent.proven != UNKNOWN

    # ------------------------------------------------------------------ from move to move

    def follow(self, cells, legal):
        """Let the root be where these moves lead, and keep the tree below; False if it does not reach so far."""
        cdef int chosen = 0, place
        places = [field_place(&self.start.field, cell) for cell in cells]
        for place in places:
            chosen = self._child(chosen, place)
            if not chosen:
                return False
        if not self._keep(chosen):
            return False
        for place in places:
            play(&self.start, place, self.turn)
            if self.guided:
                judge_play(&self.judge, self.cells[place], self.turn)
            if self.threats is not None:
                self.threats.play(self._threat_place(place), side_of(self.turn))
            self.turn = opponent(self.turn)
        self._take_legal(legal)
        return True

    cdef int _child(self, int chosen, int place) noexcept nogil:
        cdef Node *node = &self.nodes[chosen]
        cdef int at
        for at in range(node.first, node.first + max(0, node.count)):
            if self.nodes[at].place == place:
                return at
        return 0

    cdef bint _keep(self, int chosen) noexcept nogil:
        """Copy the subtree of a node, breadth first, into a pool of its own; False if it has no children."""
        # Breadth first needs no stack: what was copied and not yet looked at is the queue.
        cdef Node *kept
        cdef size_t done = 0, used = 1
        cdef size_t count = self._count(chosen)
        if self.nodes[chosen].count <= 0:
            return False
        kept = <Node *>PyMem_RawMalloc(count * sizeof(Node))
        if kept == NULL:
            return False
        kept[0] = self.nodes[chosen]
        while done < used:
            if kept[done].count > 0:
                memcpy(&kept[used], &self.nodes[kept[done].first], kept[done].count * sizeof(Node))
                kept[done].first = <int32_t>used
                used += kept[done].count
            done += 1
        PyMem_RawFree(self.nodes)
        self.nodes = kept
        self.used = self.room = count
        return True

    cdef size_t _count(self, int chosen) noexcept nogil:
        cdef Node *node = &self.nodes[chosen]
        cdef size_t count = 1
        cdef int at
        for at in range(node.first, node.first + max(0, node.count)):
            count += self._count(at)
        return count

    # ------------------------------------------------------------------ answers

    @property
    def proven(self):
        """What is proven for the side to move: 1 that it wins, -1 that it loses, 0 nothing."""
        return -self.nodes[0].proven

    @property
    def size(self):
        """How many nodes the tree has."""
        return self.used

    def moves(self):
        """What was tried at the root: flat cell, visits, value, proven."""
        cdef Node *root = &self.nodes[0]
        cdef Node *child
        tried = []
        for at in range(root.first, root.first + max(0, root.count)):
            child = &self.nodes[at]
            tried.append((field_cell(&self.start.field, child.place), child.visits, child.value, child.proven))
        return tried

    def line(self):
        """The line of the most tried moves, as flat cells."""
        cells, at = [], self._favourite(0)
        while at:
            cells.append(field_cell(&self.start.field, self.nodes[at].place))
            at = self._favourite(at)
        return cells

    cdef int _favourite(self, int chosen) noexcept nogil:
        """The child that won or was tried most, or 0."""
        cdef Node *node = &self.nodes[chosen]
        cdef int at, best = 0
        for at in range(node.first, node.first + max(0, node.count)):
            if best == 0 or is_preferred(&self.nodes[at], &self.nodes[best]):
                best = at
        return best if best and self.nodes[best].visits else 0
