"""Colours, cells and their names: the words every other module speaks.

A cell is ``(row, col)``, zero-based from the top left. People write ``h9``: the column letter from the
left and the row number from the bottom, so the same cell has another name on a board of another height.

>>> parse_cell("h9", rows=15, cols=15)
Cell(row=6, col=7)
>>> cell_name(Cell(6, 7), rows=15)
'h9'
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from gomoku_patterns.errors import BoardError, shown

EMPTY = 0
MIN_SIDE = 5
MAX_SIDE = 22


class Colour(IntEnum):
    """Whose stone it is. The numbers are those of :meth:`Board.to_array`; 0 is an empty cell."""

    BLACK = 1
    WHITE = 2

    @property
    def opponent(self) -> Colour:
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    @property
    def sign(self) -> int:
        """+1 for black, -1 for white: scores are black minus white."""
        return 1 if self is Colour.BLACK else -1

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return self.name


BLACK = Colour.BLACK
WHITE = Colour.WHITE


class Cell(NamedTuple):
    """A place on the board, zero-based from the top left."""

    row: int
    col: int


_COLOUR_WORDS = {"black": BLACK, "b": BLACK, "x": BLACK, "white": WHITE, "w": WHITE, "o": WHITE}
_CELL_NAME = re.compile(r"([A-Za-z])([1-9][0-9]?)\Z")


def parse_colour(text: object) -> Colour:
    """The colour a user means by ``black``, ``w``, ``1``, ``Colour.WHITE`` ..."""
    if isinstance(text, Colour):
        return text
    if isinstance(text, str) and text.strip().lower() in _COLOUR_WORDS:
        return _COLOUR_WORDS[text.strip().lower()]
    if isinstance(text, int) and not isinstance(text, bool) and text in (1, 2):
        return Colour(text)
    raise BoardError(f"expected a colour, 'black' or 'white', found {shown(text)}")


def parse_cell(text: str, rows: int, cols: int) -> Cell:
    """The cell that a name such as ``h9`` means on a board of this size (row 1 at the bottom)."""
    found = _CELL_NAME.match(text.strip()) if isinstance(text, str) else None
    if not found:
        raise BoardError(f"expected a cell such as 'h8', found {shown(text)}", code="bad-cell")
    cell = Cell(rows - int(found[2]), ord(found[1].lower()) - ord("a"))
    if not (0 <= cell.row < rows and cell.col < cols):
        raise BoardError(
            f"expected a cell from 'a1' to {cell_name(Cell(0, cols - 1), rows)!r}, found {shown(text)}", code="bad-cell"
        )
    return cell


def cell_name(cell: tuple[int, int], rows: int) -> str:
    """What people call a cell on a board of that many rows."""
    row, col = cell
    return f"{chr(ord('a') + col)}{rows - row}"
