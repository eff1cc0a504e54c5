"""Puzzle suites: levels as data, played out, judged, proven and reported.

>>> import puzzles
>>> suite = puzzles.load("huanle")
>>> len(suite), suite.level(13).board.turn
(20, BLACK)
>>> found = puzzles.attempt(suite.level(13))
>>> found.status, found.verdict
('proven', 'accepted')
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
