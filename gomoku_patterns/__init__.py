"""Boards, rules, notations, pattern tables and evaluators for Gomoku.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8"], white=["h9"])
>>> board.turn
BLACK
>>> from gomoku_patterns import as_evaluator
>>> as_evaluator("grade_dict").score(board)
0
"""

from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku_patterns.evaluator import Evaluator, as_evaluator
    from gomoku_patterns.table import Table, load_table, table_names

__all__ = [
    "BLACK",
    "WHITE",
    "Board",
    "Cell",
    "Colour",
    "Evaluator",
    "GomokuError",
    "Move",
    "Rule",
    "Table",
    "as_evaluator",
    "load_table",
    "table_names",
]

_LAZY = {
    "Evaluator": "evaluator",
    "as_evaluator": "evaluator",
    "Table": "table",
    "load_table": "table",
    "table_names": "table",
}


def __getattr__(name: str) -> Any:
    """Tables and evaluators are imported when they are first asked for."""
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    globals()[name] = value
    return value
