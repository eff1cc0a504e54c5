"""The program that people meet: commands, web board, Gomocup brain, conformance check, terminal game.

>>> from gomoku.cli import COMMANDS
>>> "solve" in COMMANDS
True
"""
