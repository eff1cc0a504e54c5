"""The lines of a board."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE
from gomoku_patterns.lines import DIRECTIONS, lines, lines_through

sides = st.integers(MIN_SIDE, MAX_SIDE)


@pytest.mark.parametrize(
    ("rows", "cols", "count", "long"), [(15, 15, 88, 72), (5, 5, 28, 12), (20, 20, 118, 102), (5, 9, 40, 24)]
)
def test_how_many_lines_a_board_has(rows: int, cols: int, count: int, long: int) -> None:
    found = lines(rows, cols)
    assert len(found) == count == rows + cols + 2 * (rows + cols - 1)
    assert sum(len(line) >= 5 for line in found) == long


def test_the_order_of_the_lines() -> None:
    """Rows, columns, diagonals from the bottom left corner, antidiagonals from the top left one; 5x6 cells are
    numbered row by row."""
    found = lines(5, 6)
    assert found[0] == (0, 1, 2, 3, 4, 5)
    assert found[5] == (0, 6, 12, 18, 24)
    assert found[11:17] == ((24,), (18, 25), (12, 19, 26), (6, 13, 20, 27), (0, 7, 14, 21, 28), (1, 8, 15, 22, 29))
    assert found[20] == (5,)
    assert found[21:24] == ((0,), (1, 6), (2, 7, 12))
    assert found[-1] == (29,)


@given(rows=sides, cols=sides)
def test_every_cell_is_once_on_a_line_of_each_direction(rows: int, cols: int) -> None:
    found, through = lines(rows, cols), lines_through(rows, cols)
    on_lines = Counter(index for line in found for index in line)
    assert on_lines == dict.fromkeys(range(rows * cols), 4)
    for index, numbers in enumerate(through):
        assert all(index in found[number] for number in numbers)
        assert list(numbers) == sorted(set(numbers))


@given(rows=sides, cols=sides)
def test_a_line_goes_straight_from_edge_to_edge(rows: int, cols: int) -> None:
    bounds = (rows, rows + cols, 2 * rows + 2 * cols - 1)
    for number, line in enumerate(lines(rows, cols)):
        down, right = DIRECTIONS[sum(number >= bound for bound in bounds)]
        cells = [divmod(index, cols) for index in line]
        assert all((b[0] - a[0], b[1] - a[1]) == (down, right) for a, b in pairwise(cells))
        before = (cells[0][0] - down, cells[0][1] - right)
        after = (cells[-1][0] + down, cells[-1][1] + right)
        for row, col in (before, after):
            assert not (0 <= row < rows and 0 <= col < cols)


@given(rows=sides, cols=sides)
def test_the_four_lines_through_a_cell_meet_only_there(rows: int, cols: int) -> None:
    found = lines(rows, cols)
    for index, numbers in enumerate(lines_through(rows, cols)):
        assert set.intersection(*(set(found[number]) for number in numbers)) == {index}
