"""The reference of cell tables: windows as strings, scanned by ``pyahocorasick``; sums over dictionaries.

Slow and short, to be read and believed; the native evaluator is proven equal to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cell_tables import COUNTED, PARTS, cell_weights, combination_ranks, grown, meets
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.evaluator import empty_cell, mover_on
from gomoku_patterns.reference import LineShape, TableReference, line_shape
from gomoku_patterns.table import Table


class Combined(NamedTuple):
    """The lines through an empty cell as one colour would make them, and what they are worth to the side to move.

    ``worth`` is in parts of a point, 1,024 to each.
    """

    cell: Cell
    colour: Colour
    lines: tuple[LineShape | None, ...]
    worth: int

    @property
    def shapes(self) -> tuple[str, ...]:
        """The shapes of the lines that show one."""
        return tuple(line.pattern.shape for line in self.lines if line is not None)


def combination_number(table: Table, shapes: tuple[str, ...]) -> int:
    """The place of the weights of some shapes, in whatever order."""
    classes = sorted(table.shape_order.index(shape) + 1 for shape in shapes)
    return combination_ranks(len(table.shape_order) + 1)[(0,) * (4 - len(classes)) + tuple(classes)]


def combined(table: Table, board: Board, cell: Cell, colour: Colour) -> Combined:
    """What an empty cell is to one colour."""
    lines = tuple(line_shape(table, board, cell, colour, direction) for direction in range(4))
    found = Combined(cell, colour, lines, 0)
    weights = cell_weights(table)
    worths = weights.moving if colour is board.turn else weights.resting
    return found._replace(worth=grown(worths, combination_number(table, found.shapes), len(board)))


def all_combined(table: Table, board: Board) -> Iterator[Combined]:
    """What every empty cell is to either colour."""
    for cell in board.empties():
        for colour in Colour:
            yield combined(table, board, cell, colour)


def meeting(table: Table, moving: Combined, resting: Combined, stones: int) -> int:
    """What a cell that is this to the side to move and that to the other is worth besides, in parts of a point."""
    first, second = (min(map(table.shape_order.index, one.shapes), default=-1) + 1 for one in (moving, resting))
    return grown(cell_weights(table).meetings, (first, second), stones)


def facts_of(table: Table, cells: list[Combined], colour: Colour) -> dict[str, int]:
    """How many cells show a colour each fact."""
    shown = [one.shapes for one in cells if one.colour is colour]
    return {
        fact.name: sum(any(meets(shapes, needs) for needs in fact.needs) for shapes in shown) for fact in table.facts
    }


def facts_worth(table: Table, moving: dict[str, int], resting: dict[str, int], stones: int) -> int:
    """What facts of the side to move and of the other are worth to the side to move, in parts of a point."""
    weights, mask, total = cell_weights(table), 0, 0
    for number, fact in enumerate(table.facts):
        own, other = moving[fact.name], resting[fact.name]
        mask |= (own > 0) << number | (other > 0) << number + len(table.facts)
        total += grown(weights.counts, (number, min(own, COUNTED - 1), min(other, COUNTED - 1)), stones)
    return total + grown(weights.facts, mask, stones)


class CellReference(TableReference):
    """A cell table, scored from scratch."""

    def score(self, board: Board) -> int:
        cells = list(all_combined(self.table, board))
        sides = (board.turn, board.turn.opponent)
        moving, resting = (facts_of(self.table, cells, colour) for colour in sides)
        own, other = ([one for one in cells if one.colour is colour] for colour in sides)
        stones = len(board)
        meetings = sum(meeting(self.table, *both, stones) for both in zip(own, other, strict=True))
        worth = sum(one.worth for one in cells) + meetings + facts_worth(self.table, moving, resting, stones)
        return board.turn.sign * (worth // PARTS)

    def prior(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How likely the best move of a colour is an empty cell: 64 more are e times as likely."""
        place, mover = empty_cell(board, cell), mover_on(board, colour)
        own, other = (
            combination_number(self.table, combined(self.table, board, place, each).shapes)
            for each in (mover, mover.opponent)
        )
        weights = cell_weights(self.table)
        return int(weights.prior_own[own]) + int(weights.prior_other[other])
