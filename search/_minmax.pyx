# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The tree of ``search.minmax`` on the native core: the same nodes in the same order as its reference.

* A leaf is never played: its value is the score now plus the gain of the stone, four numbers of the line memo.
* Where all answers are leaves, the first in order is the best of them: a position is worth what the mover gains most,
  and the others need counting only. One that is too good for the opponent is often so because of the cell that was so
  last time, which is looked at first.
* The first ``width`` cells of a node are chosen in one pass over its empty cells. Order is one 64-bit number, the
  priority above the cell: equal priorities stay in row-major order without a stable sort.
* Which cells are empty and which have a stone near is a bit a cell, 32 bits a row, copied from ply to ply (176 bytes),
  so nothing is to be taken back.
* Best lines are kept triangularly, a row a ply.

Point tables are not additive, so their leaves are played. Deliberately absent: transpositions, killers, anything that
would change the tree.
"""

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdlib cimport abs
from libc.stdint cimport INT64_MAX, int16_t, int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, MAX_SIDE, lowest_bit, opponent
from gomoku_patterns._lines cimport LineSlot, LineState, LineTracker, line_after, line_play, line_undo
from gomoku_patterns._points cimport PointState, PointTracker, point_gain, point_play, point_score, point_undo
from search._control cimport STOP_NODES, Control
from search._field cimport Field, field_place, field_set, field_wins

from gomoku_patterns.cells import Cell
from gomoku_patterns.native import tracker_on

cdef enum Ordering:
    BY_GAIN
    BY_RING
    BY_NONE

cdef enum:
    POLL_EVERY = 128
    # An order is a priority above a cell.
    CELL_BITS = 9
    CELL_MASK = (1 << CELL_BITS) - 1

ORDERINGS = {"gain": BY_GAIN, "ring": BY_RING, "none": BY_NONE}

# Beyond all scores, and far enough from the end of 64 bits to be subtracted from.
cdef int64_t ENDLESS = <int64_t>1 << 60
# What a five is worth that the rules know of and the table does not, less the stones on the board; with the bits of a
# cell below it, it still fits.
cdef int64_t WORTH_OF_FIVE = <int64_t>1 << 50
FIVE = WORTH_OF_FIVE


cdef struct Rows:
    uint32_t empty[MAX_SIDE]
    uint32_t near[MAX_SIDE]


cdef struct Frame:
    # What a ply needs: its rows, its cells in order, and the best line from it on.
    Rows rows
    int64_t *order
    int16_t *line
    int length
    # The cell that last refuted a move at this ply.
    int refuter


cdef struct Tree:
    # Whether fives are known by the rules; then the field has the stones too.
    bint knowing
    Field field
    int stones
    # One of the two positions is used.
    LineState *lines
    PointState *points
    Frame *frames
    int rows
    int cols
    int width
    int ordering
    int near
    # What a move near a stone must gain to be tried before all others, however far in they lie.
    int64_t inmost
    int64_t decided
    uint8_t row[MAX_CELLS]
    uint8_t col[MAX_CELLS]
    # The priorities of all cells by ring (or row by row), the first to be tried first.
    int64_t rings[MAX_CELLS]


cdef inline void put(Rows *rows, const Tree *tree, int cell) noexcept nogil:
    """Note a stone: its cell is not empty, those around it are near."""
    cdef int row = tree.row[cell], col = tree.col[cell], reach = tree.near, at
    cdef uint32_t around
    rows.empty[row] &= ~(<uint32_t>1 << col)
    if tree.ordering == BY_GAIN and reach <= MAX_SIDE:
        around = ((<uint32_t>2 << min(col + reach, tree.cols - 1)) - 1) & ~((<uint32_t>1 << max(col - reach, 0)) - 1)
        for at in range(max(row - reach, 0), min(row + reach, tree.rows - 1) + 1):
            rows.near[at] |= around


cdef inline int64_t knowing_gain(const Tree *tree, int cell, int turn, int64_t gain) noexcept nogil:
    """What a move counts for its order: a five is tried first, stopping one next."""
    cdef int place = field_place(&tree.field, cell)
    if field_wins(&tree.field, place, turn):
        return WORTH_OF_FIVE
    return WORTH_OF_FIVE // 2 if field_wins(&tree.field, place, opponent(turn)) else gain


cdef inline int keep(int64_t *order, int count, int width, int64_t priority) noexcept nogil:
    """Put a cell in its place among the first ``width``; how many there are."""
    cdef int at
    if count == width:
        if priority > order[width - 1]:
            return count
        at = width - 1
    else:
        at = count
        count += 1
    while at and order[at - 1] > priority:
        order[at] = order[at - 1]
        at -= 1
    order[at] = priority
    return count


cdef int by_gain(const Tree *tree, Frame *frame, int turn) noexcept nogil:
    """The cells near a stone by what the mover gains."""
    cdef int row, count = 0
    for row in range(tree.rows):
        if frame.rows.near[row] & frame.rows.empty[row]:
            if tree.lines != NULL:
                count = row_by_gain(tree, frame, row, turn, count)
            else:
                count = row_by_point(tree, frame, row, turn, count)
    return count


cdef struct RowGains:
    # The lines of a row's cells stand side by side in three of the directions.
    const int32_t *across
    const int32_t *gains
    const LineSlot *downs
    const LineSlot *rights
    const LineSlot *lefts
    int64_t offset


cdef inline RowGains row_gains(const Tree *tree, int row, int turn) noexcept nogil:
    cdef LineState *state = tree.lines
    cdef const int32_t *gains = state.memo.gains + (0 if turn == BLACK else state.memo.stride)
    cdef RowGains found
    found.across = gains + state.lines[row].offset
    found.gains = gains + row
    found.downs = &state.lines[tree.rows]
    found.rights = &state.lines[tree.rows + tree.cols + tree.rows - 1 - row]
    found.lefts = &state.lines[2 * (tree.rows + tree.cols) - 1 + row]
    found.offset = state.totals[opponent(turn)] - state.totals[turn]
    return found


cdef inline int64_t mover_gain(const RowGains *row, int col, int turn) noexcept nogil:
    """What the mover gains in this column of a row, positive is good for it."""
    cdef int64_t gain = row.offset + (
        row.across[col] + row.gains[row.downs[col].offset] + row.gains[row.rights[col].offset]
        + row.gains[row.lefts[col].offset]
    )
    return gain if turn == BLACK else -gain


cdef int row_by_gain(const Tree *tree, Frame *frame, int row, int turn, int count) noexcept nogil:
    cdef RowGains gains = row_gains(tree, row, turn)
    cdef uint32_t cells = frame.rows.near[row] & frame.rows.empty[row]
    cdef int64_t gain
    cdef int col
    while cells:
        col = lowest_bit(cells)
        cells &= cells - 1
        gain = mover_gain(&gains, col, turn)
        if tree.knowing:
            gain = knowing_gain(tree, row * tree.cols + col, turn, gain)
        count = keep(frame.order, count, tree.width, prior(-gain, row * tree.cols + col))
    return count


cdef int row_by_point(const Tree *tree, Frame *frame, int row, int turn, int count) noexcept nogil:
    cdef uint32_t cells = frame.rows.near[row] & frame.rows.empty[row]
    cdef int64_t gain
    cdef int cell
    while cells:
        cell = row * tree.cols + lowest_bit(cells)
        cells &= cells - 1
        gain = point_gain(tree.points, cell, turn) * (1 if turn == BLACK else -1)
        if tree.knowing:
            gain = knowing_gain(tree, cell, turn, gain)
        count = keep(frame.order, count, tree.width, prior(-gain, cell))
    return count


cdef inline int64_t prior(int64_t priority, int cell) noexcept nogil:
    return priority * (1 << CELL_BITS) + cell


cdef int by_ring(const Tree *tree, Frame *frame, int count) noexcept nogil:
    """The other cells from the middle outwards, or row by row."""
    cdef int at, cell
    cdef int64_t priority
    for at in range(tree.rows * tree.cols):
        priority = tree.rings[at]
        if count == tree.width and priority > frame.order[count - 1]:
            break
        cell = <int>(priority & CELL_MASK)
        if (frame.rows.empty[tree.row[cell]] & ~frame.rows.near[tree.row[cell]]) >> tree.col[cell] & 1:
            count = keep(frame.order, count, tree.width, priority)
    return count


cdef inline int order_cells(const Tree *tree, Frame *frame, int turn) noexcept nogil:
    """The first ``width`` empty cells of a position; how many there are."""
    cdef int count = by_gain(tree, frame, turn) if tree.ordering == BY_GAIN else 0
    return by_ring(tree, frame, count)




cdef int64_t visit(Tree *tree, Control control, int cell, int depth, int64_t alpha, int64_t beta, int ply) noexcept nogil:
    """What playing a cell is worth: never better for a side than what it has elsewhere. The position is restored."""
    cdef int turn = tree.lines.turn if tree.lines != NULL else tree.points.turn
    cdef int64_t grade
    tree.frames[ply].length = 0
    if control.nodes >= control.node_limit:
        control.stop = STOP_NODES
        return 0
    control.nodes += 1
    if control.nodes % POLL_EVERY == 0 and control.poll():
        return 0
    if tree.knowing:
        return visit_knowing(tree, control, cell, depth, alpha, beta, ply, turn)
    if tree.lines != NULL:
        grade = line_after(tree.lines, cell, turn)
        if depth == 0 or grade > tree.decided or grade < -tree.decided:
            return grade
        line_play(tree.lines, cell, turn)
        if depth > 1 or tree.ordering != BY_GAIN:
            grade = expand(tree, control, cell, grade, depth, alpha, beta, ply)
        else:
            grade = answer(tree, control, cell, grade, alpha, beta, ply)
        line_undo(tree.lines)
        return grade
    point_play(tree.points, cell, turn)
    grade = point_score(tree.points, opponent(turn))
    if depth and -tree.decided <= grade <= tree.decided:
        grade = expand(tree, control, cell, grade, depth, alpha, beta, ply)
    point_undo(tree.points)
    return grade


cdef int64_t visit_knowing(
    Tree *tree, Control control, int cell, int depth, int64_t alpha, int64_t beta, int ply, int turn
) noexcept nogil:
    """The rest of ``visit`` where fives are known by the rules: every stone is put on the field as well."""
    cdef int64_t grade
    cdef int place = field_place(&tree.field, cell)
    if field_wins(&tree.field, place, turn):
        grade = WORTH_OF_FIVE - tree.stones - 1
        return grade if turn == BLACK else -grade
    grade = line_after(tree.lines, cell, turn) if tree.lines != NULL else 0
    if tree.lines != NULL and (depth == 0 or grade > tree.decided or grade < -tree.decided):
        return grade
    tree.field.stones[place] = turn
    tree.stones += 1
    if tree.lines != NULL:
        line_play(tree.lines, cell, turn)
    else:
        point_play(tree.points, cell, turn)
        grade = point_score(tree.points, opponent(turn))
    if depth and -tree.decided <= grade <= tree.decided:
        grade = expand(tree, control, cell, grade, depth, alpha, beta, ply)
    if tree.lines != NULL:
        line_undo(tree.lines)
    else:
        point_undo(tree.points)
    tree.stones -= 1
    tree.field.stones[place] = 0
    return grade


cdef int64_t expand(
    Tree *tree, Control control, int cell, int64_t grade, int depth, int64_t alpha, int64_t beta, int ply
) noexcept nogil:
    """The value of the position after a cell was played: that of its best answer."""
    cdef Frame *frame = &tree.frames[ply]
    cdef int turn = tree.lines.turn if tree.lines != NULL else tree.points.turn
    cdef int count, at, next
    cdef int64_t value
    frame.rows = tree.frames[ply - 1].rows
    put(&frame.rows, tree, cell)
    count = order_cells(tree, frame, turn)
    if count == 0:
        return grade
    for at in range(count):
        next = <int>(frame.order[at] & CELL_MASK)
        value = visit(tree, control, next, depth - 1, alpha, beta, ply + 1)
        if control.stop:
            return 0
        if value > alpha if turn == BLACK else value < beta:
            if turn == BLACK:
                alpha = value
            else:
                beta = value
            follow(frame, frame + 1, next)
            if alpha >= beta:
                break
    return alpha if turn == BLACK else beta


cdef int64_t answer(
    Tree *tree, Control control, int cell, int64_t grade, int64_t alpha, int64_t beta, int ply
) noexcept nogil:
    """``expand`` where all answers are leaves of a line table, ordered by gain."""
    cdef Frame *frame = &tree.frames[ply]
    cdef int turn = tree.lines.turn
    # What the mover must gain for the opponent to avoid the position, and to make it better than what the mover has.
    cdef int64_t refutes = beta - grade if turn == BLACK else grade - alpha
    cdef int64_t improves = alpha - grade if turn == BLACK else grade - beta
    cdef Answers found
    # The value of a refuted move is only ever reported at the root.
    cdef bint exact = ply == 1
    if not exact and refuted(tree, frame, cell, grade, refutes) and control.nodes < control.node_limit:
        control.nodes += 1
        return grade + refutes if turn == BLACK else grade - refutes
    frame.rows = tree.frames[ply - 1].rows
    put(&frame.rows, tree, cell)
    find_answers(tree, frame, turn, INT64_MAX if exact else refutes, &found)
    if found.good < tree.width and tree.near <= MAX_SIDE and found.best < refutes or found.good == 0:
        return expand(tree, control, cell, grade, 1, alpha, beta, ply)
    found.good = 1 if found.best >= refutes else min(found.good, tree.width)
    if control.nodes + found.good > control.node_limit:
        return expand(tree, control, cell, grade, 1, alpha, beta, ply)
    count_nodes(control, found.good)
    if found.best >= refutes:
        frame.refuter = found.cell
    if found.best <= improves:
        return alpha if turn == BLACK else beta
    frame.line[0] = found.cell
    frame.length = 1
    return grade + found.best if turn == BLACK else grade - found.best


cdef struct Answers:
    # The first cell in order and what it gains; how many cells come before all that are far from stones.
    int64_t best
    int cell
    int good


cdef void find_answers(const Tree *tree, const Frame *frame, int turn, int64_t enough, Answers *found) noexcept nogil:
    """Look at the cells near stones, until one gains enough."""
    cdef RowGains gains
    cdef uint32_t cells
    cdef int64_t gain
    cdef int row, col
    found.best, found.cell, found.good = tree.inmost, 0, 0
    for row in range(tree.rows):
        cells = frame.rows.near[row] & frame.rows.empty[row]
        if cells == 0:
            continue
        gains = row_gains(tree, row, turn)
        while cells:
            col = lowest_bit(cells)
            cells &= cells - 1
            gain = mover_gain(&gains, col, turn)
            found.good += gain > tree.inmost
            if gain > found.best:
                found.best = gain
                found.cell = row * tree.cols + col
                if gain >= enough:
                    return


cdef inline bint refuted(const Tree *tree, const Frame *frame, int cell, int64_t grade, int64_t refutes) noexcept nogil:
    """Whether the cell that refuted the last move refutes this one too."""
    cdef int refuter = frame.refuter, row = tree.row[refuter], col = tree.col[refuter], turn = tree.lines.turn
    cdef int64_t gain
    if tree.lines.cells[refuter]:
        return False
    if not (tree.frames[0].rows.near[row] >> col & 1):
        if max(abs(row - tree.row[cell]), abs(col - tree.col[cell])) > tree.near:
            return False
    gain = line_after(tree.lines, refuter, turn) - grade
    if turn != BLACK:
        gain = -gain
    return gain > tree.inmost and gain >= refutes


cdef inline void count_nodes(Control control, int count) noexcept nogil:
    """Count leaves that need no look, and see whether to stop as often as ever."""
    cdef int64_t before = control.nodes // POLL_EVERY
    control.nodes += count
    if control.nodes // POLL_EVERY != before:
        control.poll()


cdef inline void follow(Frame *frame, const Frame *rest, int cell) noexcept nogil:
    """The best line from here is this cell and what follows it."""
    frame.line[0] = cell
    memcpy(frame.line + 1, rest.line, rest.length * sizeof(int16_t))
    frame.length = rest.length + 1


cdef class NativeMinMax:
    """One search of a pattern table at one depth after the other; see the ``Tree`` that ``search.minmax_search`` expects."""

    cdef readonly long long decided
    cdef readonly long long grade
    cdef readonly long long best
    cdef readonly tuple line
    cdef readonly dict values
    cdef Control control
    cdef Tree tree
    cdef object tracker
    cdef int turn
    cdef uint8_t legal[MAX_CELLS]

    def __init__(self, board, evaluator, options, legal, Control control, bint knowing=False):
        cdef const uint8_t[::1] stones = board._cells
        self.control = control
        self.line, self.values = (Cell(*legal[0]),), {}
        self.tracker = tracker_on(evaluator.core, board.rows, board.cols)
        self.tracker.set(board)
        self.grade = self.best = self.tracker.score
        self.turn = board.turn
        cdef Tree *tree = &self.tree
        if isinstance(self.tracker, LineTracker):
            tree.lines = (<LineTracker>self.tracker).state
        else:
            tree.points = (<PointTracker>self.tracker).state
        tree.rows, tree.cols = board.rows, board.cols
        tree.knowing = knowing
        tree.stones = len(board)
        field_set(&tree.field, board, &stones[0])
        tree.width = min(options.width or MAX_CELLS, board.rows * board.cols)
        tree.ordering = ORDERINGS[options.ordering]
        tree.near = MAX_SIDE + 1 if options.near is None else min(options.near, MAX_SIDE)
        tree.inmost = -ENDLESS if options.near is None else (min(board.rows, board.cols) - 1) // 2
        tree.decided = self.decided = min(options.decided, ENDLESS)
        self._lay_out()
        for cell in legal:
            self.legal[cell.row * tree.cols + cell.col] = 1

    def __dealloc__(self):
        free_frames(self.tree.frames)

    @property
    def nodes(self):
        """Nodes visited in all runs."""
        return self.control.nodes

    @property
    def stopped_by(self):
        """What cut the last run short."""
        return self.control.stopped_by

    def run(self, int depth):
        """Search every root move at this depth, or as many as the limits allow."""
        self.values = {}
        self.control.depth = depth
        free_frames(self.tree.frames)
        self.tree.frames = new_frames(&self.tree, depth)
        self._enter()
        if not self.control.poll():
            self._root(depth)
        self.control.finish()

    cdef void _lay_out(self) noexcept:
        """Where the cells lie, and their order by ring."""
        cdef Tree *tree = &self.tree
        cdef int cell, row, col, ring, count = 0
        for cell in range(tree.rows * tree.cols):
            row, col = cell // tree.cols, cell % tree.cols
            tree.row[cell], tree.col[cell] = row, col
            ring = min(min(row, col), min(tree.rows - 1 - row, tree.cols - 1 - col))
            count = keep(tree.rings, count, MAX_CELLS, prior(0 if tree.ordering == BY_NONE else -ring, cell))

    cdef void _enter(self) noexcept:
        """Note the stones of the root."""
        cdef Tree *tree = &self.tree
        cdef Rows *rows = &tree.frames[0].rows
        cdef int row, cell
        for row in range(tree.rows):
            rows.empty[row] = (<uint32_t>1 << tree.cols) - 1
            rows.near[row] = rows.empty[row] if tree.ordering == BY_GAIN and tree.near > MAX_SIDE else 0
        for cell in range(tree.rows * tree.cols):
            if tree.lines.cells[cell] if tree.lines != NULL else tree.points.cells[cell]:
                put(rows, tree, cell)

    cdef _root(self, int depth):
        cdef Tree *tree = &self.tree
        cdef Control control = self.control
        cdef int64_t alpha = -ENDLESS, beta = ENDLESS, value
        cdef int cell
        moves = self._root_moves()
        if not control.nodes:
            self.line = (self._cell(moves[0]),)
        for cell in moves:
            with nogil:
                value = visit(tree, control, cell, depth - 1, alpha, beta, 1)
            if control.stop:
                return
            self.values[self._cell(cell)] = value
            if value > alpha if self.turn == BLACK else value < beta:
                if self.turn == BLACK:
                    alpha = value
                else:
                    beta = value
                self.best = control.score = value
                self.line = (self._cell(cell), *self._followed())

    cdef list _root_moves(self):
        """The legal cells of the root in order, the first ``width`` of them."""
        cdef Tree *tree = &self.tree
        cdef int width = tree.width, count, at
        tree.width = tree.rows * tree.cols
        count = order_cells(tree, &tree.frames[0], self.turn)
        tree.width = width
        ordered = [<int>(tree.frames[0].order[at] & CELL_MASK) for at in range(count)]
        return [cell for cell in ordered if self.legal[cell]][:width]

    cdef object _cell(self, int cell):
        return Cell(cell // self.tree.cols, cell % self.tree.cols)

    cdef list _followed(self):
        cdef const Frame *frame = &self.tree.frames[1]
        cdef int at
        return [self._cell(frame.line[at]) for at in range(frame.length)]


cdef Frame *new_frames(const Tree *tree, int depth) except NULL:
    """A frame a ply, each with room for its cells and its line, in one piece of memory."""
    cdef size_t size = sizeof(Frame) + sizeof(int64_t) * MAX_CELLS + sizeof(int16_t) * ((depth + 8) // 4 * 4)
    cdef char *memory = <char *>PyMem_RawCalloc(depth + 2, size)
    cdef Frame *frames = <Frame *>memory
    cdef int ply
    if memory == NULL:
        raise MemoryError
    memory += (depth + 2) * sizeof(Frame)
    for ply in range(depth + 2):
        frames[ply].order = <int64_t *>memory
        memory += sizeof(int64_t) * MAX_CELLS
    for ply in range(depth + 2):
        frames[ply].line = <int16_t *>memory
        memory += sizeof(int16_t) * ((depth + 8) // 4 * 4)
    return frames


cdef void free_frames(Frame *frames) noexcept:
    PyMem_RawFree(frames)
