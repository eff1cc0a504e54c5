"""The door of every search: what was asked is checked here, once, and becomes a :class:`Control`.

The control carries the limit, the cancellation and the progress callback together through the search, in Python and in
the native core alike.
"""

from __future__ import annotations

from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import BoardError, IllegalMoveError, LimitError, shown
from search._control import Cancel, Control
from search.result import Limit, Progress

FEW_NODES = 2


def check_board(board: object) -> None:
    """An error where something else than a Board was given."""
    if not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {shown(board)}")


def check_limit(limit: object) -> None:
    """An error where something else than a Limit was given; None is no limit."""
    if limit is not None and not isinstance(limit, Limit):
        raise LimitError(f"limit must be a Limit such as Limit(depth=5) or Limit(seconds=1), not {shown(limit)}")


def enter(
    board: Board, limit: Limit | None, cancel: Cancel | None, progress: Progress | None, *, default: Limit
) -> Control:
    """The control of a search of a game that goes on; without a limit the default one holds."""
    check_board(board)
    check_limit(limit)
    if cancel is not None and not isinstance(cancel, Cancel):
        raise LimitError(f"cancel must be a Cancel, not {shown(cancel)}")
    if progress is not None and not callable(progress):
        raise LimitError(f"progress must be a function, not {shown(progress)}")
    if winner := board.winner():
        raise IllegalMoveError(f"the game is over: {winner} has won")
    return Control(limit or default, cancel, progress)


def playable(board: Board) -> list[Cell]:
    """The cells the side to move may play, none on a full board; an error when somebody has already won."""
    check_board(board)
    if winner := board.winner():
        raise IllegalMoveError(f"the game is over: {winner} has won")
    return board.legal_moves()


def tightened(limit: Limit | None, **own: float | None) -> Limit:
    """The limit and a player's own depth, nodes or seconds together: the smaller of each counts."""
    check_limit(limit)
    parts: dict[str, Any] = {name: getattr(limit, name, None) for name in ("depth", "nodes", "seconds")}
    for name, value in own.items():
        if value is not None:
            parts[name] = value if parts[name] is None else min(value, parts[name])
    return Limit(**parts)


def ran_out(control: Control) -> str:
    """Why nothing is left for another step of a search."""
    if control.cancel.is_set():
        return "cancelled"
    limit = control.limit
    few = limit.nodes is not None and limit.nodes - control.nodes < FEW_NODES
    return "nodes" if few or limit.seconds is None else "seconds"
