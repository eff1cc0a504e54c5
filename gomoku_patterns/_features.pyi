from typing import final

import numpy as np
import numpy.typing as npt

from gomoku_patterns._lines import LineTable
from gomoku_patterns.compile import Walk

@final
class LineFeatures:
    """The patterns of a line table on many boards. ``walk`` is its automaton cell by cell, ``texts`` their lengths."""

    def __init__(self, table: LineTable, walk: Walk, texts: npt.NDArray[np.int32]) -> None: ...
    def counts(self, boards: npt.NDArray[np.uint8], counts: npt.NDArray[np.int32]) -> int:
        """Add how often each pattern stands on each board; the first odd board, or -1."""
    def classes(
        self, boards: npt.NDArray[np.uint8], laid: npt.NDArray[np.int32], classes: npt.NDArray[np.uint16]
    ) -> int:
        """Set which pattern each cell is part of, by colour and direction; the first odd board, or -1."""

@final
class PointFeatures:
    """The patterns of a point table on many boards; ``firsts[left, right, colour]`` is a window's first pattern."""

    def __init__(self, firsts: npt.NDArray[np.uint16], reach: int, patterns: int) -> None: ...
    def counts(self, boards: npt.NDArray[np.uint8], counts: npt.NDArray[np.int32]) -> int:
        """Add how many windows show each pattern; the first odd board, or -1."""
    def classes(
        self, boards: npt.NDArray[np.uint8], laid: npt.NDArray[np.int32], classes: npt.NDArray[np.uint16]
    ) -> int:
        """Set the pattern of each empty cell, by colour and direction; the first odd board, or -1."""
