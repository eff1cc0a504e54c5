from typing import final

from gomoku_patterns._geometry import Geometry
from gomoku_patterns._trackers import CoreTracker, TrackerTable
from gomoku_patterns.compile import PointArrays

@final
class PointTable(TrackerTable):
    """A compiled point table: shared by all that use it, never changed."""

    arrays: PointArrays

    def __init__(self, arrays: PointArrays) -> None: ...

@final
class PointTracker(CoreTracker):
    """A position with a point table on it: the classes and the worth of all its points."""

    table: PointTable
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: PointTable, geometry: Geometry) -> None: ...
