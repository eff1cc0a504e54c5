"""Players and evaluators compared: matches, external engines, statistics, the evaluator ladder, work on many machines.

>>> from arena import Plan, Terms, elo, play_match, workers
>>> from gomoku_patterns import Board
>>> plan = Plan(("random:seed=1", "random:seed=2"), (Board(7),), pairs=2, terms=Terms(nodes=100))
>>> with workers(jobs=1) as pool:
...     standings = play_match(plan, pool)
>>> standings.games, elo(standings.tally(0, 1)).significant
(4, False)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
