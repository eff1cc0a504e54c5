from collections.abc import Mapping

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.native import NativeEvaluator
from search._control import Control
from search.minmax import Settings

class NativeTree:
    """One search of a pattern table at one depth after the other; see the ``Tree`` that ``search.minmax`` expects."""

    def __init__(
        self, board: Board, evaluator: NativeEvaluator, settings: Settings, legal: list[Cell], control: Control
    ) -> None: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def grade(self) -> int: ...
    @property
    def best(self) -> int: ...
    @property
    def line(self) -> tuple[Cell, ...]: ...
    @property
    def values(self) -> Mapping[Cell, int]: ...
    @property
    def nodes(self) -> int:
        """Nodes visited in all runs."""
    @property
    def stopped_by(self) -> str | None:
        """What cut the last run short."""
    @property
    def elapsed(self) -> float: ...
    def run(self, depth: int) -> None:
        """Search every root move at this depth, or as many as the limits allow."""
