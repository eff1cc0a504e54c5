"""The unit of a table: how many of its points are worth talking about. Margins of a search are made of it.

>>> from gomoku_patterns.native import native_evaluator
>>> unit_of(native_evaluator("grade_dict")), unit_of(native_evaluator("engine"))
(360, 80)
>>> unit_of(native_evaluator("learned")), unit_of(native_evaluator("cell"))
(80, 80)
"""

from __future__ import annotations

from gomoku_patterns.board import Board
from gomoku_patterns.native import NativeEvaluator

LEARNED_SCALE = 80
"""The score that stands for a winning chance of 73 % in the weights of a cell table, whose file does not say it."""


def unit_of(evaluator: NativeEvaluator) -> int:
    """The scale of a learned table; of any other what it says of two stones side by side, the other side to move."""
    table = evaluator.table
    if table.weights is not None:
        return table.scale or LEARNED_SCALE
    return abs(evaluator.score(Board(black=["h8", "i8"], turn="white")))
