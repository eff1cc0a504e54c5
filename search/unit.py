"""The unit of a table: how many of its points are worth talking about.

>>> from gomoku_patterns.native import native_evaluator
>>> unit_of(native_evaluator("grade_dict")), unit_of(native_evaluator("engine"))
(360, 80)
"""

from __future__ import annotations

from gomoku_patterns.board import Board
from gomoku_patterns.native import NativeEvaluator


def unit_of(evaluator: NativeEvaluator) -> int:
    """What a table says of two stones side by side, the other side to move: margins of a search are made of it."""
    return abs(evaluator.score(Board(black=["h8", "i8"], turn="white")))
