from typing import final

from gomoku_patterns._geometry import Geometry
from gomoku_patterns._trackers import LearnedTracker, TrackerTable
from gomoku_patterns.compile import CellArrays

@final
class CellTable(TrackerTable):
    """A compiled cell table: shared by all that use it, never changed."""

    arrays: CellArrays

    def __init__(self, arrays: CellArrays) -> None: ...

@final
class CellTracker(LearnedTracker):
    """A position with a cell table on it."""

    table: CellTable
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: CellTable, geometry: Geometry) -> None: ...
