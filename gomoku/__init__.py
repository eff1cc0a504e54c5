"""The program that people meet: commands, web board, Gomocup brain, conformance check, terminal game.

>>> from gomoku.cli import COMMANDS
>>> "solve" in COMMANDS
True
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
