"""Where row numbers start: the one place that turns what a notation writes into cells.

A board's row 0 is its top row. Notations count from the top (SGF, Piskvork, Gomocup) or from the bottom (names such as
``h8`` as people write them), and the same text means mirrored positions in two programs. Every reader has its own
default and takes an explicit ``origin``.

>>> Frame(15, 15, "bottom").parse_name("h9"), Frame(15, 15, "top").parse_name("h9")
(Cell(row=6, col=7), Cell(row=8, col=7))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE, Cell
from gomoku_patterns.errors import NotationError

Origin = Literal["top", "bottom"]
ORIGINS: tuple[Origin, ...] = ("top", "bottom")

_NAME = re.compile(r"([A-Za-z])([1-9][0-9]?)", re.ASCII)


def parse_origin(origin: object, default: Origin) -> Origin:
    """The origin a user asked for, or a reader's own."""
    if origin is None:
        return default
    for known in ORIGINS:
        if origin == known:
            return known
    raise NotationError(f"expected the origin 'top' or 'bottom', found {origin!r}")


@dataclass(frozen=True)
class Frame:
    """A board's size and the side its rows are counted from; ``labels`` rows are labelled, the board's upper ones."""

    rows: int
    cols: int
    origin: Origin
    labels: int | None = None

    def row(self, count: int) -> int:
        """The row that is ``count`` steps away from the origin's edge; its own inverse."""
        return count if self.origin == "top" else (self.labels or self.rows) - 1 - count

    def cell(self, x: int, y: int) -> Cell | None:
        """The cell at a zero-based column and row as the notation counts them; None off the board."""
        row = self.row(y)
        return Cell(row, x) if 0 <= row < self.rows and 0 <= x < self.cols else None

    def name(self, cell: tuple[int, int]) -> str:
        """The cell's name when rows are counted from this origin."""
        row, col = cell
        return f"{chr(ord('a') + col)}{self.row(row) + 1}"

    def parse_name(self, text: str) -> Cell | None:
        """The cell with this name; None when it is no name or names no cell of the board."""
        found = _NAME.fullmatch(text)
        if not found:
            return None
        return self.cell(ord(found[1].lower()) - ord("a"), int(found[2]) - 1)

    @property
    def span(self) -> str:
        """The names a reader may expect, for messages: ``'a1' to 'o15'``."""
        lowest = min(self.row(0), self.row(self.rows - 1)) + 1
        return f"'a{lowest}' to '{chr(ord('a') + self.cols - 1)}{lowest + self.rows - 1}'"


def check_size(rows: object, cols: object) -> tuple[int, int]:
    """Rows and columns, checked to be those of a board."""
    for what, side in (("rows", rows), ("columns", cols)):
        if isinstance(side, bool) or not isinstance(side, int) or not MIN_SIDE <= side <= MAX_SIDE:
            raise NotationError(f"expected {MIN_SIDE} to {MAX_SIDE} {what}, found {side!r:.60}", code="bad-size")
    return cast("int", rows), cast("int", cols)
