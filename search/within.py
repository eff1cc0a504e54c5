"""Whether the side to move wins within n plies, whatever is played: an answer that leaves no move out.

:func:`search.solve` denies wins by moves that threaten continuous fours. For short wins under freestyle rules this
search denies them all, quiet moves included; it gives no proof, so ask ``solve`` for that.

>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> wins_within(board, 3), wins_within(board, 3, without=["b5", "f5"])
(<Status.PROVEN: 'proven'>, <Status.DISPROVEN: 'disproven'>)
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.errors import IllegalMoveError, LimitError, PlayerError
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search._within import WithinSearch
from search.door import check_board, check_limit
from search.result import Limit
from search.solver import DEFAULT_LIMIT, Status

EVERY_MOVE: Final = 7
"""So many plies are searched in milliseconds; two more take some hundred times as long."""

_STATUS = {1: Status.PROVEN, 0: Status.DISPROVEN, -1: Status.UNKNOWN}
_own = threading.local()


def wins_within(
    board: Board,
    plies: int,
    *,
    without: Iterable[CellLike] = (),
    limit: Limit | None = None,
    cancel: Cancel | None = None,
) -> Status:
    """Whether the side to move makes five within so many plies against every defence, freestyle.

    DISPROVEN means that no move does it, quiet ones included: ``Denial(Attacks.EVERY, plies)``, and nothing about
    longer wins. ``without`` names first moves that are not to be played. Without a limit it gives up after ten seconds,
    UNKNOWN.
    """
    check_board(board)
    check_limit(limit)
    if board.rule is not Rule.FREESTYLE:
        raise PlayerError(f"wins within some plies are asked for under freestyle rules, not {board.rule.value}")
    if isinstance(plies, bool) or not isinstance(plies, int) or plies < 1:
        raise LimitError(f"plies must be a whole number from 1, not {plies!r:.60}")
    if rules.winner(board) is not None:
        raise IllegalMoveError("this game is already won; there is nothing to search for")
    barred = [board.cell(cell) for cell in without]
    limit = limit or DEFAULT_LIMIT
    searches: dict[tuple[int, int], WithinSearch] = _own.__dict__.setdefault("searches", {})
    shape = (board.rows, board.cols)
    search = searches.pop(shape, None) or WithinSearch(board)
    control = Control(limit, cancel)
    try:
        return _STATUS[search.solve(board, plies, control, limit.nodes, barred)]
    finally:
        control.finish()
        searches.clear()
        searches[shape] = search
