"""The lines of a board: every row, column, diagonal and antidiagonal, as tuples of flat cell indexes.

A flat index is ``row * cols + col``. The order is fixed, and the native core lays its lines out in the same one:
rows from the top, columns from the left, diagonals (down and right) from the bottom left corner to the top right,
antidiagonals (down and left) from the top left corner to the bottom right.

>>> sum(len(line) >= 5 for line in lines(15, 15)), len(lines(15, 15))
(72, 88)
"""

from __future__ import annotations

from functools import lru_cache

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Row and column steps of the four directions, in the order of the lines."""


def _walk(rows: int, cols: int, row: int, col: int, step: tuple[int, int]) -> tuple[int, ...]:
    cells = []
    while 0 <= row < rows and 0 <= col < cols:
        cells.append(row * cols + col)
        row, col = row + step[0], col + step[1]
    return tuple(cells)


@lru_cache(maxsize=64)
def lines(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """All lines of a board of this size, the short ones in the corners included."""
    starts = (
        [(row, 0) for row in range(rows)],
        [(0, col) for col in range(cols)],
        [(row, 0) for row in range(rows - 1, 0, -1)] + [(0, col) for col in range(cols)],
        [(0, col) for col in range(cols)] + [(row, cols - 1) for row in range(1, rows)],
    )
    return tuple(
        _walk(rows, cols, row, col, step) for step, heads in zip(DIRECTIONS, starts, strict=True) for row, col in heads
    )


@lru_cache(maxsize=64)
def lines_through(rows: int, cols: int) -> tuple[tuple[int, int, int, int], ...]:
    """For each flat index the numbers of the four lines through it, one a direction."""
    through: list[list[int]] = [[] for _ in range(rows * cols)]
    for number, line in enumerate(lines(rows, cols)):
        for index in line:
            through[index].append(number)
    return tuple((a, b, c, d) for a, b, c, d in through)
