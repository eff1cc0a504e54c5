"""Boards drawn in tests: a diagram in, a board out, and cells back as names."""

from __future__ import annotations

from collections.abc import Iterable

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour


def draw(diagram: str, turn: str = "black", rule: str = "freestyle") -> Board:
    """The board of a diagram: X black, O white, anything else empty; spaces do not count."""
    rows = [line.replace(" ", "") for line in diagram.strip().splitlines()]
    stones = {mark: [(r, c) for r, row in enumerate(rows) for c, m in enumerate(row) if m == mark] for mark in "XO"}
    return Board(len(rows), len(rows[0]), black=stones["X"], white=stones["O"], turn=turn, rule=rule)


def marked(diagram: str, mark: str) -> list[Cell]:
    """The cells of a diagram with this mark, in row-major order."""
    rows = [line.replace(" ", "") for line in diagram.strip().splitlines()]
    return [Cell(r, c) for r, row in enumerate(rows) for c, m in enumerate(row) if m == mark]


def names(board: Board, cells: Iterable[Cell]) -> str:
    """Cells as people call them, from the top left."""
    return " ".join(board.name(cell) for cell in sorted(cells))


BOTH = (Colour.BLACK, Colour.WHITE)
