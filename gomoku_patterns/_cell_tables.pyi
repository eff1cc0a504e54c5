from typing import final

import numpy as np
import numpy.typing as npt

from gomoku_patterns._geometry import Geometry
from gomoku_patterns._trackers import CoreTracker, TrackerTable
from gomoku_patterns.compile import CellArrays

@final
class CellTable(TrackerTable):
    """A compiled cell table: shared by all that use it, never changed."""

    arrays: CellArrays

    def __init__(self, arrays: CellArrays) -> None: ...

@final
class CellTracker(CoreTracker):
    """A position with a cell table on it."""

    table: CellTable
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: CellTable, geometry: Geometry) -> None: ...
    def priors(self, colour: int, priors: npt.NDArray[np.int64]) -> None:
        """How likely the best move of a colour is each empty cell; occupied ones are left as they are."""
