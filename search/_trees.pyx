# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""The trees of ``level_tree``, ``wins`` and ``two_ply`` on the trackers of the core, node for node those in Python.

A search owns a tracker (scores and gains are current after every move), the list of the best cells of each ply, and
the best lines in a triangle: row n holds the line from ply n. Moves are flat cell indexes. Black maximises, white
minimises, only an improvement changes the move.

Deliberately absent: transpositions, move ordering beyond what the systems describe.
"""

cimport cython
from cpython.mem cimport PyMem_RawFree, PyMem_RawMalloc
from libc.math cimport INFINITY
from libc.stdint cimport int16_t, int64_t, uint8_t
from libc.string cimport memcpy

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, WHITE, now, opponent, side_of
from gomoku_patterns._judge cimport Judge, judge_both, judge_gain, judge_of, judge_play, judge_score, judge_undo
from search._control cimport STOP_NODES, Control
from search._field cimport Field, field_place, field_set, field_wins
from search._threats cimport ThreatBoard, place_of

from search._threats import ThreatBoard as Threats

cdef enum:
    RAY_CELLS = 16
    POLL_EVERY = 256

cdef int64_t WINS_AT_ONCE = <int64_t>1 << 60


cdef struct Ranked:
    int count
    int16_t cells[MAX_CELLS]
    int64_t keys[MAX_CELLS]


cdef inline void rank(Ranked *ranked, int cell, int64_t key, int width) noexcept nogil:
    """Insert a cell behind those with a key at least as large, if it is among the first ``width``."""
    # Insertion, because ``width`` is about ten and most cells fail the first comparison; and stable, because equal
    # cells are searched row by row in the sources.
    cdef int at
    if ranked.count == width:
        if key <= ranked.keys[width - 1]:
            return
        ranked.count -= 1
    at = ranked.count
    while at > 0 and ranked.keys[at - 1] < key:
        ranked.keys[at] = ranked.keys[at - 1]
        ranked.cells[at] = ranked.cells[at - 1]
        at -= 1
    ranked.keys[at] = key
    ranked.cells[at] = cell
    ranked.count += 1


cdef inline bint is_ranked(const Ranked *ranked, int64_t key, int width) noexcept nogil:
    """Whether a cell with this key would be inserted."""
    return ranked.count < width or key > ranked.keys[width - 1]


cdef class NativeTree:
    """What the searches share: the position, the limits, the lines, and alpha-beta at the root and below."""

    cdef object tracker
    cdef Judge judge
    cdef Control control
    cdef int cells, rows, cols, turn, depth, stop
    cdef uint8_t stones[MAX_CELLS]
    cdef Ranked *plies
    cdef int16_t *lines
    cdef int lengths[MAX_CELLS + 2]
    cdef readonly long long nodes
    cdef readonly double best
    cdef readonly dict values
    cdef readonly list line

    def __cinit__(self, *args, **kwargs):
        self.plies = NULL
        self.lines = NULL

    def __init__(self, board, tracker, Control control, int depth):
        cdef const uint8_t[::1] stones = board._cells
        self.tracker, self.judge, self.control = tracker, judge_of(tracker), control
        self.rows, self.cols, self.turn = board.rows, board.cols, board.turn
        self.cells = self.rows * self.cols
        self.depth = min(depth, self.cells)
        memcpy(self.stones, &stones[0], self.cells)
        self.values, self.line = {}, []
        PyMem_RawFree(self.plies)
        PyMem_RawFree(self.lines)
        self.plies = <Ranked *>PyMem_RawMalloc((self.depth + 2) * sizeof(Ranked))
        self.lines = <int16_t *>PyMem_RawMalloc((self.depth + 2) * (self.depth + 2) * sizeof(int16_t))
        if self.plies == NULL or self.lines == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_RawFree(self.plies)
        PyMem_RawFree(self.lines)

    # ------------------------------------------------------------------ what each system decides

    cdef bint look(self, int cell, int ply, double *worth) noexcept nogil:
        """Whether the line ends here with this worth; else the moves to try are ranked for this ply."""
        return True

    cdef void entered(self, int cell, int colour) noexcept nogil:
        """A stone was put."""

    cdef void left(self, int cell, int colour) noexcept nogil:
        """A stone was taken back."""

    # ------------------------------------------------------------------ alpha-beta

    def run(self, moves):
        """Try each root move; ``values``, ``best`` and ``line`` hold what was finished. Returns what stopped it."""
        cdef double alpha = -INFINITY, beta = INFINITY, value
        cdef int cell
        for cell in moves:
            with nogil:
                value = self._visit(cell, 1, alpha, beta)
            if self.stop:
                break
            self.values[cell] = value
            if value > alpha if self.turn == BLACK else value < beta:
                self._improve(value)
                alpha, beta = (value, beta) if self.turn == BLACK else (alpha, value)
        self.control.finish()
        return "nodes" if self.stop == STOP_NODES else self.control.stopped_by

    cdef void _improve(self, double value):
        self.best = value
        self.control.score = <long long>value
        self.line = [self._line(1)[at] for at in range(self.lengths[1])]

    cdef inline int16_t *_line(self, int ply) noexcept nogil:
        return self.lines + ply * (self.depth + 2)

    cdef inline bint _count(self) noexcept nogil:
        """Count a node; whether the search may go on."""
        # Asked before the stone is put: a search of n nodes puts n stones, as in the reference.
        if self.nodes >= self.control.node_limit:
            self.stop = STOP_NODES
        elif self.nodes % POLL_EVERY == 0:
            self.control.nodes, self.control.depth = self.nodes, self.depth
            self.stop = self.control.poll()
        if self.stop:
            return False
        self.nodes += 1
        return True

    cdef void _put(self, int cell) noexcept nogil:
        judge_play(&self.judge, cell, self.turn)
        self.stones[cell] = self.turn
        self.entered(cell, self.turn)
        self.turn = opponent(self.turn)

    cdef void _take(self, int cell) noexcept nogil:
        self.turn = opponent(self.turn)
        self.left(cell, self.turn)
        self.stones[cell] = 0
        judge_undo(&self.judge)

    cdef double _visit(self, int cell, int ply, double alpha, double beta) noexcept nogil:
        """What playing a cell is worth; the line from it that both sides want is left in the triangle."""
        cdef double worth = 0
        if not self._count():
            return 0
        self._put(cell)
        self._line(ply)[0] = cell
        self.lengths[ply] = 1
        if not self.look(cell, ply, &worth):
            worth = self._answers(ply, alpha, beta)
        self._take(cell)
        return worth

    cdef double _answers(self, int ply, double alpha, double beta) noexcept nogil:
        cdef double value
        cdef int at
        for at in range(self.plies[ply].count):
            value = self._visit(self.plies[ply].cells[at], ply + 1, alpha, beta)
            if self.stop:
                return 0
            if self.turn == BLACK and value > alpha:
                alpha = value
                self._adopt(ply)
            elif self.turn == WHITE and value < beta:
                beta = value
                self._adopt(ply)
            if alpha >= beta:
                break
        return alpha if self.turn == BLACK else beta

    cdef inline void _adopt(self, int ply) noexcept nogil:
        memcpy(self._line(ply) + 1, self._line(ply + 1), self.lengths[ply + 1] * sizeof(int16_t))
        self.lengths[ply] = self.lengths[ply + 1] + 1


@cython.final
cdef class NativeLevelTree(NativeTree):
    """``level_tree``: the first cells of the sorted list, a leaf is worth its best cell."""

    cdef int node, mover
    cdef int64_t decided

    def __init__(self, board, tracker, Control control, int depth, int node, long long decided):
        NativeTree.__init__(self, board, tracker, control, depth)
        self.node, self.mover = min(node, MAX_CELLS), self.turn
        self.decided = decided

    cdef bint look(self, int cell, int ply, double *worth) noexcept nogil:
        cdef Ranked *ranked = &self.plies[ply]
        self._sort(ranked, 1 if ply == self.depth else self.node)
        if ranked.count == 0:
            worth[0] = 0
            return True
        if ply < self.depth and ranked.keys[0] <= self.decided:
            return False
        worth[0] = <double>ranked.keys[0] * (1 if self.mover == BLACK else -1)
        return True

    cdef void _sort(self, Ranked *ranked, int width) noexcept nogil:
        cdef int cell
        ranked.count = 0
        for cell in range(self.cells):
            if self.stones[cell] == 0:
                rank(ranked, cell, judge_both(&self.judge, cell), width)


@cython.final
cdef class NativeWins(NativeTree):
    """``wins``: cells near stones, best first, values discounted by ply, static scores past the deadline."""

    cdef int width
    cdef double seconds, five
    cdef double powers[MAX_CELLS + 2]
    cdef bint renju
    cdef readonly bint late
    cdef Field field
    cdef int16_t places[MAX_CELLS]
    cdef int16_t rays[MAX_CELLS][RAY_CELLS]
    cdef uint8_t ray_counts[MAX_CELLS]
    cdef uint8_t near[MAX_CELLS]        # how many stones are one or two steps away: a count can be taken back
    cdef ThreatBoard threats
    cdef int16_t threat_places[MAX_CELLS]

    def __init__(self, board, tracker, Control control, int depth, int width, powers, double five, double seconds, bint renju):
        NativeTree.__init__(self, board, tracker, control, depth)
        self.width, self.five, self.renju = min(width, MAX_CELLS), five, renju
        self.seconds = control.started + seconds
        self.threats = Threats(board, "renju") if renju else None
        for ply in range(self.depth + 1):
            self.powers[ply] = powers[ply]
        field_set(&self.field, board, self.stones)
        for cell in range(self.cells):
            self.near[cell] = 0
            self.places[cell] = field_place(&self.field, cell)
            self.threat_places[cell] = place_of(cell // self.cols, cell % self.cols)
            self._find_rays(cell)
        for cell in range(self.cells):
            if self.stones[cell]:
                self._approach(cell, 1)

    cdef void _find_rays(self, int cell) noexcept nogil:
        cdef int row_step, col_step, steps, row, col
        self.ray_counts[cell] = 0
        for row_step in range(-1, 2):
            for col_step in range(-1, 2):
                for steps in range(1, 3):
                    row, col = cell // self.cols + row_step * steps, cell % self.cols + col_step * steps
                    if (row_step or col_step) and 0 <= row < self.rows and 0 <= col < self.cols:
                        self.rays[cell][self.ray_counts[cell]] = row * self.cols + col
                        self.ray_counts[cell] += 1

    cdef void _approach(self, int cell, int change) noexcept nogil:
        cdef int at
        for at in range(self.ray_counts[cell]):
            self.near[self.rays[cell][at]] += change

    cdef void entered(self, int cell, int colour) noexcept nogil:
        self.field.stones[self.places[cell]] = colour
        self._approach(cell, 1)
        if self.renju:
            self.threats.play(self.threat_places[cell], side_of(colour))

    cdef void left(self, int cell, int colour) noexcept nogil:
        self.field.stones[self.places[cell]] = 0
        self._approach(cell, -1)
        if self.renju:
            self.threats.undo()

    cdef bint look(self, int cell, int ply, double *worth) noexcept nogil:
        if field_wins(&self.field, self.places[cell], opponent(self.turn)):
            worth[0] = (-self.five if self.turn == BLACK else self.five) * self.powers[ply]
            return True
        # Once it is late it stays so: every branch still open then takes its static score, and the search ends by itself.
        self.late = self.late or now() >= self.seconds
        self.plies[ply].count = 0
        if ply < self.depth and not self.late:
            self._rank(&self.plies[ply])
        if self.plies[ply].count:
            return False
        worth[0] = <double>judge_score(&self.judge, self.turn) * self.powers[ply]
        return True

    cdef void _rank(self, Ranked *ranked) noexcept nogil:
        cdef int cell
        cdef int64_t key
        ranked.count = 0
        for cell in range(self.cells):
            if self.stones[cell] == 0 and self.near[cell]:
                # Whether a cell is forbidden costs most, so it is asked last, and only of cells that would be ranked.
                key = judge_gain(&self.judge, cell, self.turn) * (1 if self.turn == BLACK else -1)
                if field_wins(&self.field, self.places[cell], self.turn):
                    rank(ranked, cell, key + WINS_AT_ONCE, self.width)
                elif is_ranked(ranked, key, self.width) and not self._is_pruned(cell):
                    rank(ranked, cell, key, self.width)

    cdef inline bint _is_pruned(self, int cell) noexcept nogil:
        return self.renju and self.turn == BLACK and self.threats.forbidden(self.threat_places[cell])


@cython.final
cdef class NativeTwoPly(NativeTree):
    """``two_ply``: the computer's ply, the opponent's, then the money; money is the computer's throughout."""

    cdef int computer
    cdef int64_t own_five, other_five
    cdef int16_t columns[MAX_CELLS]     # all cells, column by column

    def __init__(self, board, tracker, Control control, int depth, long long own_five, long long other_five):
        NativeTree.__init__(self, board, tracker, control, depth)
        self.computer, self.own_five, self.other_five = self.turn, own_five, other_five
        for at in range(self.cells):
            self.columns[at] = at % self.rows * self.cols + at // self.rows

    cdef bint look(self, int cell, int ply, double *worth) noexcept nogil:
        self.plies[ply].count = 0
        if ply < self.depth:
            self._collect(&self.plies[ply])
        if self.plies[ply].count:
            return False
        worth[0] = <double>judge_score(&self.judge, self.computer)
        return True

    cdef void _collect(self, Ranked *ranked) noexcept nogil:
        """The empty cells that are worth something, column by column; or only the one that is played at once."""
        # Not sorted: the source takes the cells as they come, and an equal later one never replaces the first.
        cdef int at, cell
        cdef int64_t worth
        ranked.count = 0
        for at in range(self.cells):
            cell = self.columns[at]
            worth = self._worth(cell) if self.stones[cell] == 0 else 0
            if worth >= self.own_five or worth <= self.other_five:
                ranked.cells[0], ranked.count = cell, 1
                return
            if worth:
                ranked.cells[ranked.count] = cell
                ranked.count += 1

    cdef inline int64_t _worth(self, int cell) noexcept nogil:
        cdef int64_t gain = judge_gain(&self.judge, cell, self.computer)
        return gain if self.computer == BLACK else -gain
