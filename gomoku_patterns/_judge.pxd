"""One face for the trackers of the core: play, take back, score and gain on every kind of table."""

from libc.stdint cimport int64_t

from gomoku_patterns._basics cimport BLACK, WHITE
from gomoku_patterns._cell_tables cimport (
    CellState, CellTracker, cell_gain, cell_play, cell_prior, cell_score, cell_undo,
)
from gomoku_patterns._codes cimport CodeState, CodeTracker, code_gain, code_play, code_prior, code_score, code_undo
from gomoku_patterns._lines cimport LineState, LineTracker, line_gain, line_play, line_undo
from gomoku_patterns._points cimport PointState, PointTracker, point_gain, point_play, point_score, point_undo


cdef struct Judge:
    # All but one are NULL. They belong to the tracker, which the search keeps alive.
    LineState *line
    PointState *point
    CodeState *code
    CellState *cell


cdef inline Judge judge_of(tracker) except *:
    cdef Judge judge
    judge.line, judge.point, judge.code, judge.cell = NULL, NULL, NULL, NULL
    if isinstance(tracker, LineTracker):
        judge.line = (<LineTracker>tracker).state
    elif isinstance(tracker, PointTracker):
        judge.point = (<PointTracker>tracker).state
    elif isinstance(tracker, CodeTracker):
        judge.code = (<CodeTracker>tracker).state
    elif isinstance(tracker, CellTracker):
        judge.cell = (<CellTracker>tracker).state
    else:
        raise TypeError(f"expected a tracker of the core, found {tracker!r:.80}")
    return judge


cdef inline void judge_play(const Judge *judge, int cell, int colour) noexcept nogil:
    if judge.line != NULL:
        line_play(judge.line, cell, colour)
    elif judge.cell != NULL:
        cell_play(judge.cell, cell, colour)
    elif judge.code != NULL:
        code_play(judge.code, cell, colour)
    else:
        point_play(judge.point, cell, colour)


cdef inline void judge_undo(const Judge *judge) noexcept nogil:
    if judge.line != NULL:
        line_undo(judge.line)
    elif judge.cell != NULL:
        cell_undo(judge.cell)
    elif judge.code != NULL:
        code_undo(judge.code)
    else:
        point_undo(judge.point)


cdef inline int64_t judge_score(const Judge *judge, int turn) noexcept nogil:
    """What the position is worth, black minus white, if a colour is to move."""
    if judge.line != NULL:
        return judge.line.totals[turn]
    if judge.cell != NULL:
        return cell_score(judge.cell, turn)
    return code_score(judge.code, turn) if judge.code != NULL else point_score(judge.point, turn)


cdef inline int64_t judge_gain(const Judge *judge, int cell, int colour) noexcept nogil:
    """What a stone of a colour on an empty cell gains, black minus white."""
    if judge.line != NULL:
        return line_gain(judge.line, cell, colour)
    if judge.cell != NULL:
        return cell_gain(judge.cell, cell, colour)
    return code_gain(judge.code, cell, colour) if judge.code != NULL else point_gain(judge.point, cell, colour)


cdef inline int64_t judge_both(const Judge *judge, int cell) noexcept nogil:
    """What an empty cell is worth to both sides together."""
    return judge_gain(judge, cell, BLACK) - judge_gain(judge, cell, WHITE)


cdef inline int64_t judge_tempo(const Judge *judge) noexcept nogil:
    """What it is worth to black and to white together to be the one to move; 0 where worth does not depend on it."""
    if judge.line != NULL:
        return 2 * (judge.line.totals[BLACK] - judge.line.totals[WHITE])
    if judge.cell != NULL:
        return 2 * (cell_score(judge.cell, BLACK) - cell_score(judge.cell, WHITE))
    return 2 * (code_score(judge.code, BLACK) - code_score(judge.code, WHITE)) if judge.code != NULL else 0


cdef inline int64_t judge_prior(const Judge *judge, int cell, int turn) noexcept nogil:
    """How likely the best move is an empty cell, 64 more being e times as likely; 0 where nothing is learned of that."""
    if judge.cell != NULL:
        return cell_prior(judge.cell, cell, turn)
    return code_prior(judge.code, cell, turn) if judge.code != NULL else 0
