from typing import final

import numpy as np
import numpy.typing as npt

from gomoku_patterns._geometry import Geometry
from gomoku_patterns._trackers import CoreTracker
from gomoku_patterns.board import Board
from gomoku_patterns.compile import LineArrays

@final
class LineTable:
    """A compiled line table: shared by all that use it, never changed."""

    uses_turn: bool
    arrays: LineArrays

    def __init__(self, arrays: LineArrays, uses_turn: bool) -> None: ...
    def score(self, board: Board) -> int:
        """The score of a board."""
    def scores(self, boards: npt.NDArray[np.uint8], turns: npt.NDArray[np.uint8], scores: npt.NDArray[np.int64]) -> int:
        """Score many boards of 0, 1, 2 or 255 into ``scores``; the first that holds anything else, or -1."""
    def gain(self, board: Board, cell: int, colour: int) -> int:
        """What a stone on an empty cell changes the score."""

@final
class LineTracker(CoreTracker):
    """A position with a line table on it. Its memo comes from the table's pool and goes back, lines remembered."""

    table: LineTable
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: LineTable, geometry: Geometry) -> None: ...
