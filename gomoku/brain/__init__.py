"""A Gomocup engine on standard input and output, with any registered player behind it."""

from gomoku.brain.dialogue import Brain
from gomoku.brain.process import main, run, serve

__all__ = ["Brain", "main", "run", "serve"]
