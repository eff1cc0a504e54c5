# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False, auto_pickle=False
"""How long the native core takes, measured inside it: no Python call comes into these figures.

Each function repeats its work for about ``seconds``, takes the fastest of short rounds (others use the machine too), and answers with the seconds
that one piece of work takes and a sum of its results, which the caller compares with what it expects.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from gomoku_patterns._basics cimport BLACK, MAX_CELLS, MAX_LINES, MAX_SIDE, WHITE, now
from gomoku_patterns._geometry cimport Geometry, Place, at_on_line
from gomoku_patterns._lines cimport LineData, LineTracker, board_worth, line_gain, line_gains, line_play, line_undo
from gomoku_patterns._points cimport PointTracker, point_gain, point_play, point_undo

cdef enum:
    # Passes between two looks at the clock when a pass is a few microseconds.
    CHUNK = 8


cdef enum Kind:
    SCORE = 0
    PLAY = 1
    PLAY_AND_GAINS = 2
    ALL_GAINS = 3


cdef class Bench:
    """One tracker and the moves to try on it, one after the other, in both colours by turns."""

    cdef LineTracker lines
    cdef PointTracker points
    cdef uint8_t cells[MAX_CELLS]
    cdef int moves[MAX_CELLS]
    cdef int count
    cdef int size

    def __cinit__(self, tracker, board, moves):
        if isinstance(tracker, LineTracker):
            self.lines = tracker
        else:
            self.points = tracker
        tracker.set(board)
        flat = board.flat
        self.size = len(flat)
        for cell, stone in enumerate(flat):
            self.cells[cell] = stone
        for cell in moves:
            if self.count == self.size or not 0 <= cell < self.size or self.cells[cell]:
                raise ValueError(f"expected empty cells of the board, found {cell}")
            self.moves[self.count] = cell
            self.count += 1

    cdef int64_t once(self, Kind kind) noexcept nogil:
        """One pass over all the work of a kind; the sum of what came out."""
        if kind == SCORE:
            return self._scores()
        if self.lines is None:
            return self._point_moves(kind)
        return self._gains_again() if kind == ALL_GAINS else self._moves(kind)

    cdef int64_t _scores(self) noexcept nogil:
        """As many full boards as there are moves."""
        cdef uint64_t keys[MAX_LINES]
        cdef int64_t total = 0
        cdef int at
        for at in range(self.count):
            self.lines.geometry.keys(self.cells, keys)
            total += board_worth(&self.lines.table.data, self.lines.geometry, keys, BLACK + at % 2)
        return total

    cdef int64_t _moves(self, Kind kind) noexcept nogil:
        cdef int64_t total = 0
        cdef int at
        for at in range(self.count):
            line_play(self.lines.state, self.moves[at], BLACK + at % 2)
            total += self.lines.state.totals[BLACK]
            if kind == PLAY_AND_GAINS:
                total += self._all_gains()
            line_undo(self.lines.state)
        return total

    cdef int64_t _all_gains(self) noexcept nogil:
        cdef int64_t total = 0
        cdef int at
        for at in range(self.count):
            total += line_gain(self.lines.state, self.moves[at], BLACK)
            total += line_gain(self.lines.state, self.moves[at], WHITE)
        return total

    cdef int64_t _gains_again(self) noexcept nogil:
        """The gains of all cells for both colours, from the board alone, as many times as there are moves."""
        cdef int64_t total = 0
        cdef int at
        for at in range(self.count):
            total += all_gains_again(&self.lines.table.data, self.lines.geometry, self.cells)
        return total

    cdef int64_t _point_moves(self, Kind kind) noexcept nogil:
        cdef int64_t total = 0
        cdef int at, cell
        for at in range(self.count):
            point_play(self.points.state, self.moves[at], BLACK + at % 2)
            for cell in range(self.count if kind == PLAY_AND_GAINS else 0):
                total += point_gain(self.points.state, self.moves[cell], BLACK)
                total += point_gain(self.points.state, self.moves[cell], WHITE)
            point_undo(self.points.state)
        return total


cdef int64_t all_gains_again(const LineData *table, Geometry geometry, const uint8_t *cells) noexcept nogil:
    cdef uint64_t keys[MAX_LINES]
    cdef int32_t black[MAX_LINES][MAX_SIDE]
    cdef int32_t white[MAX_LINES][MAX_SIDE]
    cdef const Place *place
    cdef int64_t total = 0
    cdef int line, cell, direction, at
    geometry.keys(cells, keys)
    for line in range(geometry.lines):
        line_gains(table, keys[line], black[line], white[line])
    for cell in range(geometry.cells):
        place = &geometry.places[cell]
        for direction in range(4):
            line = place.lines[direction]
            at = at_on_line(place, direction, geometry.tops, line)
            total += black[line][at] + white[line][at]
    return total


def inside(str kind, tracker, board, moves, double seconds=0.05):
    """The seconds that one piece of work takes inside the core, and the sum of what one pass over the moves gave.

    ``score``: a full board; ``play``: a move and its taking back; ``play_and_gains``: the same with the gains of all
    ``moves`` read in between; ``all_gains``: every gain from the board alone.
    """
    cdef Bench bench = Bench(tracker, board, moves)
    cdef Kind what = KINDS[kind]
    cdef double best = 1e300, started, until
    cdef int64_t found = 0
    cdef int at
    if bench.count == 0:
        raise ValueError("expected at least one move, found none")
    with nogil:
        found = bench.once(what)
        until = now() + seconds
        while now() < until:
            started = now()
            for at in range(CHUNK if what == PLAY else 1):
                bench.once(what)
            best = min(best, now() - started)
    best /= bench.count * (CHUNK if what == PLAY else 1)
    return best, found


KINDS = {"score": SCORE, "play": PLAY, "play_and_gains": PLAY_AND_GAINS, "all_gains": ALL_GAINS}
