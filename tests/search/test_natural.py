"""What a person would think of first."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gomoku_patterns import Board
from gomoku_patterns.testing import boards
from search.natural import natural_order
from tests.search.boards import draw


def first(board: Board) -> str:
    return board.name(natural_order(board, board.legal_moves())[0])


@pytest.mark.parametrize(
    ("row", "replies"),
    [
        (". . X X X X . . .", "b5 g5"),
        (". O X X X X . . .", "g5"),
        (". . X X X . . . .", "b5 f5"),
        (". . X X . X . . .", "e5"),
        (". X O O O O . . .", "g5"),
        ("X O O O . . . . .", "e5 f5"),
    ],
)
def test_it_blocks_and_makes_five(row: str, replies: str) -> None:
    empty = ". . . . . . . . .\n"
    assert first(draw(4 * empty + row + "\n" + 4 * empty, turn="white")) in replies.split()


def test_what_stops_nothing_is_near_the_last_stone() -> None:
    board = Board()
    for move in ("h8", "a1", "m3"):
        board.push(move)
    names = [board.name(cell) for cell in natural_order(board, board.legal_moves())]
    idle = [name for name in names if name in {"l4", "n2", "o15", "c14"}]
    assert set(idle[:2]) == {"l4", "n2"}


@settings(max_examples=40, deadline=None)
@given(boards(max_side=9))
def test_it_is_an_order_of_the_cells_it_was_given(board: Board) -> None:
    cells = board.legal_moves()
    ordered = natural_order(board, cells)
    assert sorted(ordered) == sorted(cells)
    assert natural_order(board, reversed(cells)) == ordered
