from typing import final

from gomoku_patterns._geometry import Geometry
from gomoku_patterns._trackers import LearnedTracker, TrackerTable
from gomoku_patterns.codes import LineCode

@final
class CodeTable(TrackerTable):
    """The weights of a line code, laid out for the core: shared by all that use it, never changed."""

    weights: LineCode
    scale: int

    def __init__(self, weights: LineCode, scale: int) -> None: ...

@final
class CodeTracker(LearnedTracker):
    """A position with a line code on it."""

    table: CodeTable
    nbytes: int
    """The memory of the tracker, tables that it shares left out."""

    def __init__(self, table: CodeTable, geometry: Geometry) -> None: ...
