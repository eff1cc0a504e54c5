"""Boards, rules, notations, pattern tables and evaluators for Gomoku.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8"], white=["h9"])
>>> board.turn
BLACK
>>> from gomoku_patterns import as_evaluator
>>> as_evaluator("grade_dict").score(board)
0
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
