"""An evaluator that is told of fives by the rules, for those that do not score them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gomoku_patterns import rules
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Colour
from gomoku_patterns.evaluator import EvaluatorBase, mover_on
from search._minmax import FIVE

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class KnowsFives(EvaluatorBase):
    """Another evaluator's scores, and beyond them all a five: worth more the fewer stones it takes.

    A search that uses it prefers the shorter win and the longer defence.
    """

    def __init__(self, other: EvaluatorBase) -> None:
        self.other = other
        self.name = other.name
        self.table = other.table
        self.additive = other.additive

    def score(self, board: Board) -> int:
        winner = rules.winner(board)
        return self.other.score(board) if winner is None else _worth(winner, len(board))

    def gain(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        mover = mover_on(board, colour)
        if not rules.makes_five(board, cell, mover):
            return self.other.gain(board, cell, mover)
        return _worth(mover, len(board) + 1) - self._before(board, mover)

    def gains(self, board: Board, colour: Colour | str | None = None) -> npt.NDArray[np.int64]:
        mover = mover_on(board, colour)
        gains = self.other.gains(board, mover).copy()
        if fives := rules.winning_cells(board, mover):
            worth = _worth(mover, len(board) + 1) - self._before(board, mover)
            for cell in fives:
                gains[cell] = worth
        return gains

    def _before(self, board: Board, mover: Colour) -> int:
        """What the position is worth with this colour to move."""
        if board.turn is mover:
            return self.other.score(board)
        turned = board.copy(moves=False)
        turned.turn = mover
        return self.other.score(turned)


def _worth(winner: Colour, stones: int) -> int:
    return winner.sign * (FIVE - stones)
