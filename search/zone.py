"""Which further stones of the defender leave a win standing, so that one replay answers most replies at once.

A line or a tree that wins when the defender passes also wins when he has put a stone somewhere far away. The *zone* of
such a win is the set of cells where a stone could matter. Let up to ``extra`` stones of the defender be added on empty
cells outside the zone. Each can only do two things: stand on a cell that somebody needs, so those cells are in the
zone; or help the defender to five in time. A five needs a row of five cells without an attacker's stone on which he has
four stones before he moves; at most ``extra`` of those were added, so ``4 - extra`` of them stand there already. After
each move of the attacker the empty cells of every such row are in the zone. ``docs/reference/proof-format.md`` has the
argument in full, and why it holds under freestyle and standard rules and not under renju.

Zones are whole numbers with a byte for each place of a field with walls around it: shifting such a number by a step
lays each place over its neighbour.
"""

from __future__ import annotations

from collections.abc import Iterable

from gomoku_patterns.board import Board
from gomoku_patterns.cells import EMPTY, Cell, Colour

_ONLY = [bytes(stone == value for stone in range(256)) for value in range(4)]
_WALL = 3


class Zones:
    """Zones on boards of one size."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        width = cols + 1
        self._steps = (1, width, width + 1, width - 1)
        places = (rows + 2) * width + 2
        self._ones = int.from_bytes(b"\x01" * places, "little")
        self._high = self._ones << 7
        self.everything = self.of(Cell(row, col) for row in range(rows) for col in range(cols))

    def of(self, cells: Iterable[Cell]) -> int:
        """The zone of these cells."""
        zone = 0
        for row, col in cells:
            zone |= 1 << 8 * ((row + 1) * (self.cols + 1) + col + 1)
        return zone

    def holds(self, zone: int, cell: Cell) -> bool:
        return bool(zone >> 8 * ((cell[0] + 1) * (self.cols + 1) + cell[1] + 1) & 1)

    def near_fives(self, board: Board, colour: Colour, extra: int) -> int:
        """The empty cells of all rows of five that ``extra`` more stones and one move could fill with this colour."""
        field = self._walled(board)
        own, empty = (self._bits(field, value) for value in (colour, EMPTY))
        other = self._bits(field, colour.opponent) | self._bits(field, _WALL)
        enough = self._ones * (128 - max(0, 4 - extra))
        found = 0
        for step in self._steps:
            shifts = [8 * number * step for number in range(5)]
            blocked = 0
            count = enough
            for shift in shifts:
                blocked |= other >> shift
                count += own >> shift
            rows = ((count & self._high) >> 7) & ~blocked
            for shift in shifts:
                found |= rows << shift
        return found & empty

    def _walled(self, board: Board) -> bytes:
        edge, flat = bytes([_WALL]) * (self.cols + 2), board.flat
        rows = (flat[start : start + self.cols] + bytes([_WALL]) for start in range(0, len(flat), self.cols))
        return edge + b"".join(rows) + edge

    def _bits(self, field: bytes, value: int) -> int:
        return int.from_bytes(field.translate(_ONLY[value]), "little")
