"""Everything that looks ahead: players, searches, the solver and its proofs.

>>> from gomoku_patterns import Board
>>> from search import Limit, player
>>> player("random:seed=3").search(Board(), Limit(seconds=1)).stopped_by
'complete'
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
