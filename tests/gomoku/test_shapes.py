"""What a stone makes, in players' words, and why a cell is forbidden."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku.shapes import foul, fouls, shapes_at, why
from gomoku_patterns import Board, Cell
from gomoku_patterns.notation import read_position
from gomoku_patterns.rules import forbidden


def drawn(text: str, rule: str = "freestyle") -> tuple[Board, Cell]:
    """The board of a diagram, and the cell marked ``?``."""
    rows = text.split()
    at = next(Cell(number, row.index("?")) for number, row in enumerate(rows) if "?" in row)
    board = read_position("\n".join(rows).replace("?", "."))
    stones = {str(colour): board.stones(colour) for colour in (board.turn, board.turn.opponent)}
    return Board(board.rows, board.cols, rule=rule, turn="black", **stones), at  # type: ignore[arg-type]


def grid(*rows: str) -> str:
    return "\n".join([*rows, *["." * 11] * (11 - len(rows))])


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ("..XX?X.....", "live-four"),
        ("OXXX?......", "rush-four"),
        ("...XX?.....", "live-three"),
        ("OXX?.......", "sleeping-three"),
        ("..XXXX?....", "five"),
        ("X.XX?.X....", "two-fours"),
        (".....X?....", "live-two"),
    ],
)
def test_shapes_have_their_names(row: str, kind: str) -> None:
    board, cell = drawn(grid("." * 11, "." * 11, row.replace("X.XX?.X", "X.?XX.X")))
    assert [shape.kind for shape in shapes_at(board, cell, "black")] == [kind]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["...........", "...........", "...X.......", "...X.......", ".XX?......."], "three-three"),
        (["...........", "....X......", "....X......", "....X......", "....?XXX..O"], "four-four"),
        (["...........", "...........", ".XXX?XX...."], "overline"),
    ],
)
def test_a_forbidden_cell_says_why(rows: list[str], reason: str) -> None:
    board, cell = drawn(grid(*rows), "renju")
    assert fouls(board).get(cell) == foul(board, cell) == reason
    assert why(board, cell)["forbidden"] == reason


@given(st.lists(st.sampled_from([(row, col) for row in range(9) for col in range(9)]), unique=True, max_size=40))
def test_every_forbidden_cell_has_a_reason_and_no_other(cells: list[tuple[int, int]]) -> None:
    board = Board(9, rule="renju", black=cells[::2], white=cells[1::2], turn="black")
    assert list(fouls(board)) == forbidden(board)
