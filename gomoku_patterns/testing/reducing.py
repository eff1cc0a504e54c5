"""What remains of a board when all that a fault can do without is taken away.

Hypothesis shrinks the choices that a board was made of, and may end where no single choice can be made smaller though
the board can. Here the board itself becomes smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import TypeVar

from gomoku_patterns.board import Board
from gomoku_patterns.cells import MIN_SIDE, Cell, Colour

Example = tuple[Board, list[int]]
"""A board, and numbers that choose empty cells of it."""

_Kept = TypeVar("_Kept")
_Fault = TypeVar("_Fault")

TRIES = 2000
SECONDS = 6.0
"""At most this many boards are tried in this time: milliseconds for a table."""


def reduced(
    fault: Callable[[Board, list[int]], _Fault | None], example: Example, seconds: float = SECONDS
) -> _Fault | None:
    """The fault of a smaller board, or none if the fault needs all of this one.

    A smaller board has fewer rows, columns, stones, moves to take back or chosen cells.
    """
    smallest, left, until = None, TRIES, perf_counter() + seconds
    candidates = simpler(*example)
    while left and perf_counter() < until and (candidate := next(candidates, None)) is not None:
        left -= 1
        found = fault(*candidate)
        if found is not None:
            smallest, candidates = found, simpler(*candidate)
    return smallest


def simpler(board: Board, picks: list[int]) -> Iterator[Example]:
    """The examples with one thing fewer, or many of a kind, those first that take away most."""
    if board.moves:
        yield board.copy(moves=False), picks
        before = board.copy()
        before.pop()
        yield before, picks
    for smaller in _cut(board):
        yield smaller, picks
    stones = [(cell, colour) for cell in board.cells() if (colour := board[cell]) is not None]
    for kept in _fewer(stones):
        yield _made(board, board.rows, board.cols, kept), picks
    for fewer in _fewer(picks):
        yield board, fewer
    if not board.moves and board.turn is not Colour.BLACK:
        for_black = board.copy()
        for_black.turn = Colour.BLACK
        yield for_black, picks
    if any(picks):
        yield board, [0] * len(picks)


def _cut(board: Board) -> Iterator[Board]:
    """Boards without some rows or columns at one side."""
    for rows in sorted({MIN_SIDE, board.rows - 1} & set(range(MIN_SIDE, board.rows))):
        for top in (0, board.rows - rows):
            yield _part(board, top, 0, rows, board.cols)
    for cols in sorted({MIN_SIDE, board.cols - 1} & set(range(MIN_SIDE, board.cols))):
        for left in (0, board.cols - cols):
            yield _part(board, 0, left, board.rows, cols)


def _part(board: Board, top: int, left: int, rows: int, cols: int) -> Board:
    inside = ((Cell(row - top, col - left), board[row, col]) for row, col in board.cells())
    kept = [
        (cell, colour)
        for cell, colour in inside
        if colour is not None and 0 <= cell.row < rows and 0 <= cell.col < cols
    ]
    return _made(board, rows, cols, kept)


def _made(board: Board, rows: int, cols: int, stones: list[tuple[Cell, Colour]]) -> Board:
    black, white = ([cell for cell, colour in stones if colour == wanted] for wanted in Colour)
    return Board(rows, cols, black=black, white=white, turn=board.turn, rule=board.rule)


def _fewer(things: list[_Kept]) -> Iterator[list[_Kept]]:
    """Without all of them, without either half, and so on, to without each one."""
    size = len(things)
    while size:
        for start in range(0, len(things), size):
            yield things[:start] + things[start + size :]
        size //= 2
