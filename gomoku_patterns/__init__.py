"""Boards, rules, notations, pattern tables and evaluators for Gomoku.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8"], white=["h9"])
>>> board.turn
BLACK
"""

from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.rules import Rule

__all__ = ["BLACK", "WHITE", "Board", "Cell", "Colour", "GomokuError", "Move", "Rule"]
