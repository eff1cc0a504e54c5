from typing import final

import numpy as np
import numpy.typing as npt

from gomoku_patterns._geometry import Geometry
from gomoku_patterns.board import Board
from gomoku_patterns.compile import CellArrays

@final
class CellTable:
    """A compiled cell table: shared by all that use it, never changed."""

    arrays: CellArrays

    def __init__(self, arrays: CellArrays) -> None: ...
    def score(self, board: Board) -> int:
        """The score of a board."""
    def scores(self, boards: npt.NDArray[np.uint8], turns: npt.NDArray[np.uint8], scores: npt.NDArray[np.int64]) -> int:
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""

@final
class CellTracker:
    """A position with a cell table on it."""

    table: CellTable
    geometry: Geometry
    score: int
    turn: int
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: CellTable, geometry: Geometry) -> None: ...
    def set(self, board: Board) -> None:
        """Take over the position of a board of the same size."""
    def play(self, cell: int, colour: int) -> None:
        """Put a stone on an empty cell."""
    def undo(self) -> None:
        """Take the last stone back."""
    def gain(self, cell: int, colour: int) -> int:
        """What a stone of a colour on an empty cell changes the score, that colour to move before it."""
    def gains(self, colour: int, gains: npt.NDArray[np.int64]) -> None:
        """The gains of all empty cells; occupied ones are left as they are."""
    def priors(self, colour: int, priors: npt.NDArray[np.int64]) -> None:
        """How likely the best move of a colour is each empty cell; occupied ones are left as they are."""
