"""Threats as a rule book defines them, written with nothing but the board and its rules: slow, short, to be believed.

A *four* is a stone that leaves at least one cell where its colour makes five with it; those cells are its *answers*.
A *straight four* is four in a row with such a cell at either end. A *live three* is a stone, not a four, after which
one more stone makes a straight four with it; its *defences* are the replies that leave no such stone. Black never
counts on a point that renju forbids him, and white may count on black's being forbidden his answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.lines import DIRECTIONS

Step = tuple[int, int]


@contextmanager
def stone(board: Board, cell: Cell, colour: Colour) -> Iterator[None]:
    """A stone on the board for a while."""
    board.push(cell, colour)
    try:
        yield
    finally:
        board.pop()


def may_play(board: Board, cell: Cell, colour: Colour) -> bool:
    return board.is_empty(cell) and not (colour is BLACK and rules.is_forbidden(board, cell))


def playable(board: Board, colour: Colour) -> list[Cell]:
    return [cell for cell in board.empties() if may_play(board, cell, colour)]


def five_cells(board: Board, colour: Colour) -> list[Cell]:
    """The empty cells where the colour makes five."""
    return [cell for cell in board.empties() if rules.makes_five(board, cell, colour)]


def fours(board: Board, colour: Colour) -> dict[Cell, set[Cell]]:
    """The cells where the colour makes a four (and not five), each with the four's answers."""
    found = {}
    for cell in playable(board, colour):
        if not rules.makes_five(board, cell, colour):
            with stone(board, cell, colour):
                answers = {end for step in DIRECTIONS for end in answers_on_line(board, cell, step, colour)}
            if answers:
                found[cell] = answers
    return found


def live_threes(board: Board, colour: Colour) -> dict[Cell, set[Cell]]:
    """The cells where the colour makes a live three (and neither five nor four), each with the three's defences."""
    found = {}
    four_cells = fours(board, colour)
    for cell in playable(board, colour):
        if cell not in four_cells and not rules.makes_five(board, cell, colour):
            with stone(board, cell, colour):
                if straight_fours(board, cell, colour):
                    found[cell] = defences(board, cell, colour)
    return found


def defences(board: Board, cell: Cell, colour: Colour) -> set[Cell]:
    """The legal replies after which the stone on the cell can no longer become part of a straight four."""
    found = set()
    for reply in playable(board, colour.opponent):
        with stone(board, reply, colour.opponent):
            if not straight_fours(board, cell, colour):
                found.add(reply)
    return found


def straight_fours(board: Board, cell: Cell, colour: Colour) -> set[Cell]:
    """The cells where one more stone of the colour makes a straight four with the stone on the cell."""
    found = set()
    for step in DIRECTIONS:
        for end in near(board, cell, step):
            if may_play(board, end, colour) and not rules.makes_five(board, end, colour):
                with stone(board, end, colour):
                    if is_straight_four(board, cell, end, step, colour):
                        found.add(end)
    return found


def is_straight_four(board: Board, one: Cell, other: Cell, step: Step, colour: Colour) -> bool:
    """Whether both stones are in one row of exactly four that becomes five at either end."""
    row = row_through(board, one, step, colour)
    answers = answers_on_line(board, one, step, colour)
    return len(row) == 4 and other in row and all(end in answers for end in ends(row, step))


def answers_on_line(board: Board, cell: Cell, step: Step, colour: Colour) -> set[Cell]:
    """The empty cells of this line where the stone on the cell becomes part of a row that wins by its length alone."""
    found = set()
    for end in near(board, cell, step):
        if board.is_empty(end):
            with stone(board, end, colour):
                row = row_through(board, cell, step, colour)
                if end in row and wins(board, row, colour):
                    found.add(end)
    return found


def wins(board: Board, row: list[Cell], colour: Colour) -> bool:
    exactly = board.rule is rules.Rule.STANDARD or (board.rule is rules.Rule.RENJU and colour is BLACK)
    return len(row) == 5 if exactly else len(row) >= 5


def near(board: Board, cell: Cell, step: Step) -> list[Cell]:
    """The other cells of the line that one row of five could share with this one."""
    places = [(cell.row + step[0] * away, cell.col + step[1] * away) for away in range(-4, 5) if away]
    return [Cell(row, col) for row, col in places if 0 <= row < board.rows and 0 <= col < board.cols]


def row_through(board: Board, cell: Cell, step: Step, colour: Colour) -> list[Cell]:
    """The unbroken row of the colour through a stone, in the order of the line."""
    behind, ahead = walk(board, cell, (-step[0], -step[1]), colour), walk(board, cell, step, colour)
    return [*reversed(behind), cell, *ahead]


def walk(board: Board, cell: Cell, step: Step, colour: Colour) -> list[Cell]:
    cells = []
    row, col = cell.row + step[0], cell.col + step[1]
    while 0 <= row < board.rows and 0 <= col < board.cols and board[row, col] is colour:
        cells.append(Cell(row, col))
        row, col = row + step[0], col + step[1]
    return cells


def ends(row: list[Cell], step: Step) -> list[Cell]:
    places = [(row[0].row - step[0], row[0].col - step[1]), (row[-1].row + step[0], row[-1].col + step[1])]
    return [Cell(*place) for place in places]
