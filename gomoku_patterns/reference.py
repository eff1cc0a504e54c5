"""Reference evaluators: lines become texts, ``pyahocorasick`` finds the patterns, Python adds up.

Slow and short, to be read and believed; the native evaluators are proven equal to these.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10"], white=["a1"])
>>> reference_evaluator("grade_dict").score(board)
1800
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gomoku_patterns.automaton import scanner, table_words
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase, claims_symmetry, empty_cell, mover_on
from gomoku_patterns.lines import DIRECTIONS, lines, lines_through
from gomoku_patterns.table import Combination, Pattern, Table, load_table

SYMBOLS = {BLACK: ".ox", WHITE: ".xo"}
"""The symbols of the values of a board's cells, as a colour sees them."""


class Finder:
    """Finds the patterns of a table in a text."""

    def __init__(self, table: Table) -> None:
        words = table_words(table)
        self._lengths = tuple(map(len, words.words))
        self._owners = words.owners
        self._scanner = scanner(words.words)

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Every match as (pattern number, start, end), end excluded, in the order of the ends."""
        for last, word in self._scanner.iter(text):
            for pattern in self._owners[word]:
                yield pattern, last + 1 - self._lengths[word], last + 1


@lru_cache(maxsize=32)
def finder(table: Table) -> Finder:
    """The finder of a table, made once."""
    return Finder(table)


# ---------------------------------------------------------------------- line tables


class LineMatch(NamedTuple):
    """A pattern found on a line: its number, where (flat indexes, the edge left out), whose, and whether it counts."""

    pattern: int
    colour: Colour
    line: int
    cells: tuple[int, ...]
    counted: bool


def line_matches(table: Table, board: Board, numbers: Iterable[int] | None = None) -> Iterator[LineMatch]:
    """Every match on a board, or on some lines; with ``count = "once"`` only a pattern's first on a line counts."""
    cells, found, all_lines = board.flat, finder(table), lines(board.rows, board.cols)
    for number in range(len(all_lines)) if numbers is None else numbers:
        line = all_lines[number]
        for colour in Colour:
            text = "|" + "".join(SYMBOLS[colour][cells[index]] for index in line) + "|"
            seen: set[int] = set()
            for pattern, start, end in found.find(text):
                counted = table.count == "every" or pattern not in seen
                seen.add(pattern)
                yield LineMatch(pattern, colour, number, line[max(start - 1, 0) : end - 1], counted)


def match_worth(table: Table, match: LineMatch, turn: Colour) -> int:
    """What a match adds to the score of the board, black-positive."""
    return match.colour.sign * table.patterns[match.pattern].score[match.colour is turn] if match.counted else 0


class TableReference(EvaluatorBase):
    """What a table says of itself, whichever way it scores."""

    antisymmetric = True

    def __init__(self, table: Table) -> None:
        self.table: Table = table
        self.name = table.name
        self.symmetric = claims_symmetry(table)

    def __reduce__(self) -> tuple[object, ...]:
        """An evaluator travels as its table."""
        return reference_evaluator, (self.table,)


class LineReference(TableReference):
    """A line table: the sum over the lines, black minus white."""

    def score(self, board: Board) -> int:
        return sum(match_worth(self.table, match, board.turn) for match in line_matches(self.table, board))

    def gain(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """The four lines through the cell after the move less before it; all lines if worth depends on the turn."""
        if self.table.uses_turn:
            return super().gain(board, cell, colour)
        place = board.index(empty_cell(board, cell))
        trial = board.copy(moves=False)
        before = self._worth_of_lines_through(place, trial)
        trial.push(trial.at(place), colour)
        return self._worth_of_lines_through(place, trial) - before

    def _worth_of_lines_through(self, place: int, board: Board) -> int:
        numbers = lines_through(board.rows, board.cols)[place]
        return sum(match_worth(self.table, match, board.turn) for match in line_matches(self.table, board, numbers))


# ---------------------------------------------------------------------- point tables


class LineShape(NamedTuple):
    """The shape of a line through a point, and the flat indexes of the cells that show it."""

    pattern: Pattern
    cells: tuple[int, ...]


def window(table: Table, board: Board, cell: Cell, colour: Colour, direction: int) -> tuple[str, tuple[int, ...]]:
    """A line through a cell as if a colour had played there, with the flat index of each symbol, -1 for the edge."""
    row_step, col_step = DIRECTIONS[direction]
    cells, text, indexes = board.flat, "", []
    for step in range(-table.reach, table.reach + 1):
        row, col = cell.row + step * row_step, cell.col + step * col_step
        on_board = 0 <= row < board.rows and 0 <= col < board.cols
        index = row * board.cols + col if on_board else -1
        text += "O" if step == 0 else SYMBOLS[colour][cells[index]] if on_board else "|"
        indexes.append(index)
    return text, tuple(indexes)


def line_shape(table: Table, board: Board, cell: Cell, colour: Colour, direction: int) -> LineShape | None:
    """The first pattern, in the order written, that occurs in the window."""
    text, indexes = window(table, board, cell, colour, direction)
    best = min(finder(table).find(text), default=None)
    if best is None:
        return None
    number, start, end = best
    return LineShape(table.patterns[number], tuple(index for index in indexes[start:end] if index >= 0))


class Part(NamedTuple):
    """What a point is to one colour: the shapes of its lines, and the one of them or the combination that counts."""

    shapes: tuple[LineShape | None, ...]
    counts: LineShape | Combination | None
    decisive: bool


def point_part(table: Table, board: Board, cell: Cell, colour: Colour, side: int) -> Part:
    """The part of a colour in a point, by its own scores (``side`` 0) or the opposing ones (1)."""
    shapes = tuple(line_shape(table, board, cell, colour, direction) for direction in range(4))
    found = [shape for shape in shapes if shape is not None]
    decisive = [shape for shape in found if shape.pattern.decisive]
    if decisive:
        return Part(shapes, min(decisive, key=lambda shape: table.patterns.index(shape.pattern)), True)
    best = max(found, key=lambda shape: shape.pattern.score[side], default=None)
    most = max(0, best.pattern.score[side]) if best else 0
    counts = best if most else None
    combination = first_combination(table, found)
    if combination is not None and combination.score[side] > most:
        return Part(shapes, combination, False)
    return Part(shapes, counts, False)


def first_combination(table: Table, found: list[LineShape]) -> Combination | None:
    """The first combination, in the order written, whose needs the lines meet."""
    have = Counter(shape.pattern.shape for shape in found)
    applies = (one for one in table.combinations if all(have[shape] >= count for shape, count in one.needs))
    return next(applies, None)


def part_worth(part: Part, side: int) -> int:
    """What the part counts for, 0 if nothing in it counts."""
    if part.counts is None:
        return 0
    return part.counts.score[side] if isinstance(part.counts, Combination) else part.counts.pattern.score[side]


def point_parts(table: Table, board: Board, cell: Cell, colour: Colour) -> tuple[Part | None, Part | None]:
    """The colour's own part of a point and the opponent's, each None where it does not enter."""
    own = point_part(table, board, cell, colour, 0)
    if table.opposing == "none" or own.decisive:
        return own, None
    opposing = point_part(table, board, cell, colour.opponent, 1)
    return (None, opposing) if opposing.decisive else (own, opposing)


def ring_number(board: Board, cell: Cell) -> int:
    """How far a cell is from the edge, 0 on it."""
    return min(cell.row, cell.col, board.rows - 1 - cell.row, board.cols - 1 - cell.col)


def point_worth(table: Table, board: Board, cell: Cell, colour: Colour) -> int:
    """What an empty cell is worth to a colour."""
    own, opposing = point_parts(table, board, cell, colour)
    worth = (part_worth(own, 0) if own else 0) - (part_worth(opposing, 1) if opposing else 0)
    return worth + ring_number(board, cell) if table.ring else worth


def best_cell(table: Table, board: Board) -> Cell | None:
    """The empty cell with the greatest own and opposing point together, the first of equals; None on a full board."""
    return max(board.empties(), key=lambda cell: both_worth(table, board, cell), default=None)


def both_worth(table: Table, board: Board, cell: Cell) -> int:
    """What an empty cell is worth to both colours together: offence plus defence."""
    return sum(point_worth(table, board, cell, colour) for colour in Colour)


class PointReference(TableReference):
    """A point table: gains are the worths of points; the board is worth its best cell or the sum of its points."""

    additive = False

    def score(self, board: Board) -> int:
        worth = self._best(board) if self.table.board == "best" else self._sum(board)
        return board.turn.sign * worth

    def _best(self, board: Board) -> int:
        cell = best_cell(self.table, board)
        return 0 if cell is None else both_worth(self.table, board, cell)

    def _sum(self, board: Board) -> int:
        free = sum(point_worth(self.table, board, cell, board.turn) for cell in board.empties())
        return free + self.table.occupied * len(board)

    def gain(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """The worth of the point to the colour, negated for white."""
        mover = mover_on(board, colour)
        return mover.sign * point_worth(self.table, board, empty_cell(board, cell), mover)

    def points(self, board: Board, colour: Colour | str | None = None) -> list[list[int | None]]:
        """The worth of every empty cell to the colour: positive is good for it."""
        mover = mover_on(board, colour)
        return [
            [point_worth(self.table, board, Cell(row, col), mover) if board[row, col] is None else None
             for col in range(board.cols)]
            for row in range(board.rows)
        ]  # fmt: skip


def reference_evaluator(table: str | Table) -> EvaluatorBase:
    """The reference evaluator of a table."""
    table = load_table(table)
    if table.scan == "code":
        from gomoku_patterns.code_reference import CodeReference

        return CodeReference(table)
    if table.scan == "cell":
        from gomoku_patterns.cell_reference import CellReference

        return CellReference(table)
    return LineReference(table) if table.scan == "line" else PointReference(table)
