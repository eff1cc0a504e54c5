"""What a stone makes and what it stops, in the words of players: fives, fours, threes and twos along the four lines.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "c3"])
>>> [(shape.kind, shape.line) for shape in shapes_at(board, board.cell("k8"), "black")]
[('live-four', 'row')]
>>> foul(Board(rule="renju", black=["g8", "i8", "h7", "h9"]), (7, 7))
'three-three'
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell, Colour, parse_colour
from gomoku_patterns.rules import Rule
from search._threats import ThreatBoard

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]

KINDS = (
    "",
    "sleeping-two",
    "live-two",
    "sleeping-three",
    "live-three",
    "rush-four",
    "two-fours",
    "live-four",
    "five",
    "overline",
)
"""The kinds of the native core by their numbers; ``two-fours`` are two on one line, as in ``o.ooo.o``."""

LINES = {"row": (0, 1), "column": (1, 0), "falling": (1, 1), "rising": (1, -1)}
"""The four lines through a cell, in the order of the native core."""

REACH = 4
THREAT_RULES = {Rule.CARO: Rule.STANDARD, Rule.CARO_OVERLINE: Rule.FREESTYLE}
"""The threats of caro are those of its nearest relative, with rows shut in at both ends counting nothing."""


@dataclass(frozen=True)
class Shape:
    """One shape that a stone makes: its kind, the line it lies on, and the stones it is made of."""

    kind: str
    line: str
    cells: tuple[Cell, ...]

    def to_json(self, rows: int) -> Json:
        from gomoku_patterns.cells import cell_name

        names = [cell_name(cell, rows) for cell in self.cells]
        return {"kind": self.kind, "line": self.line, "cells": [list(cell) for cell in self.cells], "names": names}


def threats(board: Board) -> ThreatBoard:
    """The native board of threats for any rule."""
    return ThreatBoard(board, THREAT_RULES.get(board.rule, board.rule), board.rule in THREAT_RULES)


def shapes_at(
    board: Board, cell: Sequence[int], colour: Colour | str, on: ThreatBoard | None = None
) -> tuple[Shape, ...]:
    """What a stone of a colour on an empty cell makes, the strongest first."""
    side, kinds = parse_colour(colour), (on or threats(board)).kinds_at(cell, colour)
    found = [(kind, name) for kind, name in zip(kinds, LINES, strict=True) if kind]
    return tuple(
        Shape(KINDS[kind], name, tuple(_stones(board, Cell(*cell), side, LINES[name])))
        for kind, name in sorted(found, key=lambda one: -one[0])
    )


def _stones(board: Board, cell: Cell, colour: Colour, step: tuple[int, int]) -> Iterator[Cell]:
    """The cell and the stones of the colour that stand in one line with it, none of the other colour between."""
    before, after = (_arm(board, cell, colour, (sign * step[0], sign * step[1])) for sign in (-1, 1))
    yield from (*reversed(before), cell, *after)


def _arm(board: Board, cell: Cell, colour: Colour, step: tuple[int, int]) -> list[Cell]:
    found = []
    for distance in range(1, REACH + 1):
        there = Cell(cell.row + distance * step[0], cell.col + distance * step[1])
        if not (0 <= there.row < board.rows and 0 <= there.col < board.cols):
            break
        if board[there] is colour:
            found.append(there)
        elif not board.is_empty(there):
            break
    return found


def foul(board: Board, cell: Sequence[int], on: ThreatBoard | None = None) -> str:
    """Why a cell that is forbidden to black is: ``overline``, ``four-four`` or ``three-three``."""
    kinds = [KINDS[kind] for kind in (on or threats(board)).kinds_at(cell, BLACK)]
    if "overline" in kinds:
        return "overline"
    fours = sum({"rush-four": 1, "live-four": 1, "two-fours": 2}.get(kind, 0) for kind in kinds)
    return "four-four" if fours > 1 else "three-three"


def fouls(board: Board) -> dict[Cell, str]:
    """The cells black may not play under renju, each with the reason; none under the other rules."""
    if board.rule is not Rule.RENJU:
        return {}
    on = threats(board)
    return {cell: foul(board, cell, on) for cell in on.forbidden_cells()}


def why(board: Board, cell: Sequence[int]) -> Json:
    """What a move of the side to move makes, and what of the opponent's it stops."""
    on, mover = threats(board), board.turn
    forbidden = board.rule is Rule.RENJU and mover is BLACK and Cell(*cell) in on.forbidden_cells()
    return {
        "move": list(cell),
        "name": board.name(Cell(*cell)),
        "colour": str(mover),
        "makes": [shape.to_json(board.rows) for shape in shapes_at(board, cell, mover, on)],
        "stops": [shape.to_json(board.rows) for shape in shapes_at(board, cell, mover.opponent, on)],
        "forbidden": foul(board, cell, on) if forbidden else None,
    }
