"""Players and evaluators compared: matches, external engines, statistics, the evaluator ladder, work on many machines.

>>> from arena import MatchPlan, TimeControl, elo, play_match, workers
>>> from gomoku_patterns import Board
>>> from search import Limit
>>> time_control = TimeControl(Limit(nodes=100))
>>> plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(7),), pairs=2, time_control=time_control)
>>> with workers(jobs=1) as pool:
...     standings = play_match(plan, pool)
>>> standings.games, elo(standings.tally(0, 1)).significant
(4, False)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
