from collections.abc import Mapping

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.native import NativeEvaluator
from search._control import Control
from search.minmax_search import MinMaxOptions

FIVE: int
"""What a five is worth that the rules know of and the evaluator does not, less the stones on the board."""

class NativeMinMax:
    """One search of a pattern table at one depth after the other; the ``Tree`` of ``search.minmax_search``."""

    def __init__(
        self,
        board: Board,
        evaluator: NativeEvaluator,
        options: MinMaxOptions,
        legal: list[Cell],
        control: Control,
        knowing: bool = False,
    ) -> None: ...
    @property
    def decided(self) -> int: ...
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
    def run(self, depth: int) -> None:
        """Search every root move at this depth, or as many as the limits allow."""
