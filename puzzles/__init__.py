"""Puzzle suites: levels as data, played out, judged, proven and reported.

>>> import puzzles
>>> suite = puzzles.load("huanle")
>>> len(suite), suite.level(13).board.turn
(20, BLACK)
"""

from puzzles.suite import Level, Suite, load, read, suite_names, write

__all__ = ["Level", "Suite", "load", "read", "suite_names", "write"]
