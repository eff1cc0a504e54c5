from collections.abc import Iterable

from gomoku_patterns._core import LineTracker, PointTracker
from gomoku_patterns.board import Board

def inside(
    kind: str, tracker: LineTracker | PointTracker, board: Board, moves: Iterable[int], seconds: float = 0.05
) -> tuple[float, int]:
    """The seconds that one piece of work takes inside the core, and the sum of what one pass over the moves gave.

    ``score``: a full board; ``play``: a move and its taking back; ``play_and_gains``: the same with the gains of all
    ``moves`` read in between; ``all_gains``: every gain from the board alone.
    """
