"""The program that people meet: commands, web board, Gomocup brain, conformance check, terminal game.

What the commands print with ``--json`` is there for scripts:

>>> from gomoku import answers
>>> from gomoku_patterns import Board
>>> answers.rules(Board(black=["h8"]))["winner"] is None
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
