"""Positions, games and collections, read and written in every notation of the Gomoku world.

>>> from gomoku_patterns.notation import read_position
>>> read_position('{"black": ["h8"], "white": ["h9"]}')["h9"]
WHITE
"""

from gomoku_patterns.board import Board
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.json_position import json_position, parse_json, parse_json_position

__all__ = ["json_position", "parse_json_position", "read_position"]


def read_position(text: str, source: str | None = None, format: str | None = None, origin: str | None = None) -> Board:
    """The position in a text of any notation, detected by content unless ``format`` names it."""
    try:
        return parse_json_position(parse_json(text), origin)
    except NotationError as error:
        raise error.located(source) if source else error from None
