"""The unit of a table: how many of its points are worth talking about. Margins of a search are made of it.

>>> from gomoku_patterns.native import native_evaluator
>>> unit_of(native_evaluator("grade_dict")), unit_of(native_evaluator("engine"))
(360, 80)
>>> unit_of(native_evaluator("learned")), unit_of(native_evaluator("cell"))
(80, 80)
"""

from __future__ import annotations

from gomoku_patterns.board import Board
from gomoku_patterns.codes import LineCode
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.table import MAX_SCALE

LEARNED_SCALE = 80
"""The score that stands for a winning chance of 73 % in a cell table whose weights do not name their own."""


def unit_of(evaluator: NativeEvaluator) -> int:
    """Return the scale of a learned table; of any other its score for two stones side by side, white to move."""
    table = evaluator.table
    if isinstance(table.weights, LineCode):
        return table.scale
    if table.weights is not None:
        scale = table.weights.provenance.get("scale")
        return scale if type(scale) is int and 1 <= scale <= MAX_SCALE else LEARNED_SCALE
    return abs(evaluator.score(Board(black=["h8", "i8"], turn="white")))
