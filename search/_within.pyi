from collections.abc import Collection

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control

class WithinSearch:
    """Asks for wins within n plies on boards of one size, freestyle."""

    def __init__(self, board: Board) -> None: ...
    @property
    def nodes_searched(self) -> int: ...
    @property
    def stopped_by(self) -> str: ...
    def solve(
        self, board: Board, plies: int, control: Control, nodes_limit: int | None = None, without: Collection[Cell] = ()
    ) -> int: ...
