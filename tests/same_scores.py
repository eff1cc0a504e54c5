"""What every test of a native core says: it scores, gains and expects as the reference does."""

from __future__ import annotations

import numpy as np

from gomoku_patterns import BLACK, WHITE, Board
from gomoku_patterns.cell_reference import CellReference
from gomoku_patterns.code_reference import CodeReference
from gomoku_patterns.native import NativeEvaluator


def same_as_reference(native: NativeEvaluator, board: Board, cells: int = 4) -> None:
    """Scores are equal, and priors and gains on so many cells."""
    reference = CellReference(native.table) if native.table.scan == "cell" else CodeReference(native.table)
    assert native.score(board) == reference.score(board)
    for colour in (BLACK, WHITE):
        priors = native.priors(board, colour)
        for cell in board.empties()[:cells]:
            assert priors[cell] == reference.prior(board, cell, colour)
            assert native.gain(board, cell, colour) == reference.gain(board, cell, colour)


def same_in_a_batch(native: NativeEvaluator) -> None:
    """Twenty boards are scored at once as they are one by one."""
    rng = np.random.default_rng(5)
    stack = (rng.integers(0, 9, (20, 15, 15)) % 7 % 3).astype(np.int8)
    turns = rng.integers(1, 3, 20).tolist()
    wanted = [native.score(Board.from_array(one, turn=turn)) for one, turn in zip(stack, turns, strict=True)]
    assert native.scores(stack, turns).tolist() == wanted


def knows_who_is_ahead(native: NativeEvaluator, by: int) -> None:
    """An open three for black, and black to move; the same seen by white."""
    ahead = Board(black=["h8", "i8", "j8"], white=["a1", "c15", "o3"], turn="black")
    assert native.score(ahead) > by
    behind = Board(white=["h8", "i8", "j8"], black=["a1", "c15", "o3"], turn="white")
    assert native.score(behind) < -by
