"""The rules once more, from their text: maximal runs in strings, and every stone really put on the board.

Nothing here is shared with ``gomoku_patterns.rules`` and nothing is clever. A grid is a list of strings of
``.``, ``X`` and ``O``. The definitions follow the International Rules of Renju (sections 3 and 9):

- five: an unbroken row of exactly five; overline: an unbroken row of six or more;
- four: four stones to which one more can be added to attain five;
- straight four: an unbroken row of four that can become five in two ways;
- three: three stones to which one more can be added, without at the same time making five, to attain a straight four;
- black may not make an overline, nor two fours or two threes with one stone, unless that stone makes five;
- a three whose straight four black may not make is no three.
"""

from __future__ import annotations

import re
from functools import cache

Grid = list[str]
Place = tuple[int, int]

LINES_OF = (lambda r, c: r, lambda r, c: c, lambda r, c: r - c, lambda r, c: r + c)


def all_lines(grid: Grid) -> list[list[Place]]:
    return lines_of_size(len(grid), len(grid[0]))


@cache
def lines_of_size(rows: int, cols: int) -> list[list[Place]]:
    places = [(row, col) for row in range(rows) for col in range(cols)]
    found = []
    for key in LINES_OF:
        groups: dict[int, list[Place]] = {}
        for place in places:
            groups.setdefault(key(*place), []).append(place)
        found += [sorted(group, key=lambda place: (place[1], place[0])) for group in groups.values()]
    return found


@cache
def lines_through(rows: int, cols: int, place: Place) -> list[list[Place]]:
    return [line for line in lines_of_size(rows, cols) if place in line]


def put(grid: Grid, place: Place, stone: str) -> Grid:
    row, col = place
    changed = grid[row][:col] + stone + grid[row][col + 1 :]
    return [*grid[:row], changed, *grid[row + 1 :]]


def text(grid: Grid, line: list[Place]) -> str:
    return "".join(grid[row][col] for row, col in line)


def rows_of(grid: Grid, line: list[Place], stone: str) -> list[tuple[list[Place], str]]:
    """Each unbroken row of the stone on a line, with what stands at its two ends (``|`` is the edge)."""
    fenced = "|" + text(grid, line) + "|"
    return [
        (line[found.start() - 1 : found.end() - 1], fenced[found.start() - 1] + fenced[found.end()])
        for found in re.finditer(re.escape(stone) + "+", fenced)
    ]


def wins(row: list[Place], ends: str, stone: str, rule: str) -> bool:
    blocked = ends == ("OO" if stone == "X" else "XX")
    return {
        "freestyle": len(row) >= 5,
        "standard": len(row) == 5,
        "renju": len(row) == 5 if stone == "X" else len(row) >= 5,
        "caro": len(row) == 5 and not blocked,
        "caro-overline": len(row) > 5 or (len(row) == 5 and not blocked),
    }[rule]


def has_won(grid: Grid, stone: str, rule: str) -> bool:
    return any(wins(row, ends, stone, rule) for line in all_lines(grid) for row, ends in rows_of(grid, line, stone))


def makes_five(grid: Grid, place: Place, stone: str, rule: str) -> bool:
    after = put(grid, place, stone)
    return any(
        place in row and wins(row, ends, stone, rule)
        for line in lines_through(len(grid), len(grid[0]), place)
        for row, ends in rows_of(after, line, stone)
    )


def forbidden(grid: Grid) -> set[Place]:
    empties = [(row, col) for row in range(len(grid)) for col in range(len(grid[0])) if grid[row][col] == "."]
    return {place for place in empties if is_forbidden(grid, place)}


def is_forbidden(grid: Grid, place: Place) -> bool:
    lines = lines_through(len(grid), len(grid[0]), place)
    after = put(grid, place, "X")
    lengths = [len(row) for line in lines for row, _ in rows_of(after, line, "X") if place in row]
    if 5 in lengths:
        return False
    if max(lengths) > 5:
        return True
    fours = {four for line in lines for four in fours_on(after, line, place)}
    if len(fours) > 1:
        return True
    return len({three for line in lines for three in threes_on(after, line, place)}) > 1


def fours_on(grid: Grid, line: list[Place], place: Place) -> set[frozenset[Place]]:
    """The fours of a line that the stone on this place belongs to, each as its four stones."""
    return {four for added in empties_on(grid, line) for four in fives_without(grid, line, added) if place in four}


def empties_on(grid: Grid, line: list[Place]) -> list[Place]:
    return [(row, col) for row, col in line if grid[row][col] == "."]


def fives_without(grid: Grid, line: list[Place], added: Place) -> list[frozenset[Place]]:
    """The rows of exactly five that this stone would make, without it."""
    rows = [row for row, _ in rows_of(put(grid, added, "X"), line, "X")]
    return [frozenset(row) - {added} for row in rows if added in row and len(row) == 5]


def threes_on(grid: Grid, line: list[Place], place: Place) -> set[frozenset[Place]]:
    """The threes of a line that the stone on this place belongs to, each as its three stones."""
    return {
        four - {added}
        for added in empties_on(grid, line)
        for four in straight_fours_on(put(grid, added, "X"), line)
        if {place, added} <= four and may_add(grid, added)
    }


def straight_fours_on(grid: Grid, line: list[Place]) -> set[frozenset[Place]]:
    unbroken = {frozenset(row) for row, _ in rows_of(grid, line, "X") if len(row) == 4}
    return {
        four
        for four in unbroken
        if sum(four in fives_without(grid, line, added) for added in empties_on(grid, line)) == 2
    }


def may_add(grid: Grid, added: Place) -> bool:
    return not makes_five(grid, added, "X", "renju") and not is_forbidden(grid, added)
