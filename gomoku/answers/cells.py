"""Cells as answers give them: ``[row, col]``, and beside it the name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gomoku_patterns.cells import cell_name

if TYPE_CHECKING:
    from gomoku.answers.types import WinJson
    from gomoku_patterns.board import Board
    from search.result import Win


def places(cells: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Each cell as ``[row, col]``."""
    return [[cell[0], cell[1]] for cell in cells]


def names(cells: Iterable[tuple[int, int]], board: Board) -> list[str]:
    """Each cell's name on this board."""
    return [cell_name(cell, board.rows) for cell in cells]


def plain(value: object, board: Board) -> Any:
    """A figure of a search as JSON can say it; a mapping from cells becomes a list of moves with their values."""
    if isinstance(value, Mapping):
        if all(isinstance(key, tuple) for key in value):
            return [
                {"move": [cell[0], cell[1]], "name": cell_name(cell, board.rows), "value": plain(item, board)}
                for cell, item in value.items()
            ]
        return {str(key): plain(item, board) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, board) for item in value]
    from search.result import Win

    return win_json(value) if isinstance(value, Win) else value


def win_json(win: Win | None) -> WinJson | None:
    """Who wins, and in how many plies."""
    return None if win is None else {"colour": str(win.colour), "plies": win.plies}
