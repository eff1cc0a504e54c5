"""One face for the two trackers of the core: play, take back, score and gain on a line table or a point table."""

from libc.stdint cimport int64_t

from gomoku_patterns._basics cimport BLACK, WHITE
from gomoku_patterns._lines cimport LineState, LineTracker, line_gain, line_play, line_undo
from gomoku_patterns._points cimport PointState, PointTracker, point_gain, point_play, point_score, point_undo


cdef struct Judge:
    # One of them is NULL. They belong to the tracker, which the search keeps alive.
    LineState *line
    PointState *point


cdef inline Judge judge_of(tracker) except *:
    cdef Judge judge
    judge.line, judge.point = NULL, NULL
    if isinstance(tracker, LineTracker):
        judge.line = (<LineTracker>tracker).state
    elif isinstance(tracker, PointTracker):
        judge.point = (<PointTracker>tracker).state
    else:
        raise TypeError(f"expected a tracker of the core, found {tracker!r:.80}")
    return judge


cdef inline void judge_play(const Judge *judge, int cell, int colour) noexcept nogil:
    if judge.line != NULL:
        line_play(judge.line, cell, colour)
    else:
        point_play(judge.point, cell, colour)


cdef inline void judge_undo(const Judge *judge) noexcept nogil:
    if judge.line != NULL:
        line_undo(judge.line)
    else:
        point_undo(judge.point)


cdef inline int64_t judge_score(const Judge *judge, int turn) noexcept nogil:
    """What the position is worth, black minus white, if a colour is to move."""
    return judge.line.totals[turn] if judge.line != NULL else point_score(judge.point, turn)


cdef inline int64_t judge_gain(const Judge *judge, int cell, int colour) noexcept nogil:
    """What a stone of a colour on an empty cell gains, black minus white."""
    return line_gain(judge.line, cell, colour) if judge.line != NULL else point_gain(judge.point, cell, colour)


cdef inline int64_t judge_both(const Judge *judge, int cell) noexcept nogil:
    """What an empty cell is worth to both sides together."""
    return judge_gain(judge, cell, BLACK) - judge_gain(judge, cell, WHITE)


cdef inline int64_t judge_tempo(const Judge *judge) noexcept nogil:
    """What it is worth to black and to white together to be the one to move; 0 where worth does not depend on it."""
    return 2 * (judge.line.totals[BLACK] - judge.line.totals[WHITE]) if judge.line != NULL else 0
