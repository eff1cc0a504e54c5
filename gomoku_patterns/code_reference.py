"""The reference of line codes: windows as texts, numpy for the sums.

Slow and short, to be read and believed; the native evaluator is proven equal to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.codes import (
    HIDDEN_LIMIT,
    POOL_LIMIT,
    PRIOR_SHIFT,
    REACH,
    LineCode,
    code_rows,
    window_code,
)
from gomoku_patterns.evaluator import EvaluatorBase, empty_cell, mover_on
from gomoku_patterns.lines import DIRECTIONS
from gomoku_patterns.table import Table

if TYPE_CHECKING:
    import numpy.typing as npt


def side_text(board: Board, cell: Cell, step: tuple[int, int], colour: Colour) -> str:
    """What lies within reach of a cell in one of eight ways, nearest first, as a colour sees it, up to the edge."""
    text = ""
    for distance in range(1, REACH + 1):
        row, col = cell.row + distance * step[0], cell.col + distance * step[1]
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            break
        stone = board[row, col]
        text += "." if stone is None else "o" if stone is colour else "x"
    return text


def cell_codes(board: Board, cell: Cell, colour: Colour) -> tuple[int, ...]:
    """The codes of the four windows of an empty cell, as a colour sees them."""
    return tuple(
        window_code(side_text(board, cell, (-row, -col), colour), side_text(board, cell, (row, col), colour))
        for row, col in DIRECTIONS
    )


def cell_vector(weights: LineCode, board: Board, cell: Cell, colour: Colour) -> npt.NDArray[np.int64]:
    """The four rows of an empty cell added up, what is negative made 0."""
    rows = code_rows()[list(cell_codes(board, cell, colour))]
    found: npt.NDArray[np.int64] = np.maximum(weights.rows[rows].astype(np.int64).sum(axis=0), 0)
    return found


def pool(weights: LineCode, board: Board, colour: Colour) -> npt.NDArray[np.int64]:
    """The vectors of all empty cells added up."""
    vectors = [cell_vector(weights, board, cell, colour) for cell in board.empties()]
    found: npt.NDArray[np.int64] = np.sum(vectors, axis=0, dtype=np.int64) if vectors else np.zeros(32, dtype=np.int64)
    return found


def head(weights: LineCode, pooled: npt.NDArray[np.int64], scale: int) -> int:
    """What a pool is worth to the colour that sees it."""
    pool_shift, hidden_shift, out_shift = weights.shifts
    cut = np.minimum(pooled >> pool_shift, POOL_LIMIT)
    sums = (weights.hidden.astype(np.int64) @ cut + weights.hidden_bias) >> hidden_shift
    total = weights.out.astype(np.int64) @ np.clip(sums, 0, HIDDEN_LIMIT) + weights.direct.astype(np.int64) @ cut
    return ((int(total) + weights.out_bias) * scale) >> out_shift


class CodeReference(EvaluatorBase):
    """A line code, scored from scratch."""

    antisymmetric = True
    symmetric = True

    def __init__(self, table: Table) -> None:
        assert isinstance(table.weights, LineCode)
        self.table: Table = table
        self.name = table.name
        self.weights: LineCode = table.weights

    def __reduce__(self) -> tuple[object, ...]:
        """An evaluator travels as its table."""
        return CodeReference, (self.table,)

    def score(self, board: Board) -> int:
        worth = head(self.weights, pool(self.weights, board, board.turn), self.table.scale)
        return board.turn.sign * worth

    def prior(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How likely the best move of a colour is an empty cell: 64 more are e times as likely."""
        vector = cell_vector(self.weights, board, empty_cell(board, cell), mover_on(board, colour))
        return int(self.weights.prior.astype(np.int64) @ vector) >> PRIOR_SHIFT
