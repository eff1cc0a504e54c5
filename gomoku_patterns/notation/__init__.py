"""Positions, games and collections, read and written in every notation of the Gomoku world.

>>> from gomoku_patterns.notation import read_position, write_position
>>> board = read_position("h8 h9 i9")
>>> board["h9"], board.turn
(WHITE, WHITE)
>>> print(write_position(board, "cells"), end="")
black: i9 h8 white: h9

A position is a :class:`~gomoku_patterns.Board`; moves are pushed where the notation tells their order. A game is a
:class:`GameTree` of :class:`GameNode`. A collection is an iterator of :class:`Entry`, read as it is needed.
"""

from gomoku_patterns.notation.formats import (
    Format,
    detect,
    formats,
    read_position,
    read_positions,
    write_position,
    write_positions,
)
from gomoku_patterns.notation.json_position import json_position, parse_json_position
from gomoku_patterns.notation.text import Entry
from gomoku_patterns.notation.tree import GameNode, GameTree

__all__ = [
    "Entry",
    "Format",
    "GameNode",
    "GameTree",
    "detect",
    "formats",
    "json_position",
    "parse_json_position",
    "read_position",
    "read_positions",
    "write_position",
    "write_positions",
]
