"""Positions as numbers for those who fit models to them: how often each pattern stands on each board.

>>> from gomoku_patterns import Board, as_evaluator
>>> evaluator = as_evaluator("grade_dict")
>>> found = evaluator.features([Board(black=["h8", "h9", "h10"], white=["a1"])])
>>> {name: int(count) for name, count in zip(found.names, found.matrix[0]) if count and "three" in name}
{'black live_three .ooo..': 1, 'black live_three ..ooo.': 1}

A column counts one pattern of one colour; the last says whether black is to move. ``view="mover"`` counts for the side
to move (``own``) and its opponent (``opposing``) instead, which suits models that ask who is better for the mover. Of a
line table the score is a sum over columns, and ``weights`` holds what each is worth.

In a line table a pattern counts as often as it scores: once a line, or at every place. In a point or cell table
it counts the lines through empty cells that would show it if the colour played there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Colour
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.evaluator import stones_and_turns
from gomoku_patterns.lines import lines
from gomoku_patterns.table import Table

if TYPE_CHECKING:
    import numpy.typing as npt

    from gomoku_patterns.evaluator import EvaluatorBase, Turns

View = Literal["colour", "mover"]
VIEWS = ("colour", "mover")
SIDES = {"colour": ("black", "white"), "mover": ("own", "opposing")}
PORTION = 4096
"""How many boards are counted at a time for a sparse matrix: a few megabytes of mostly zeros."""


@dataclass(frozen=True, eq=False)
class Features:
    """A matrix of counts, a row a position and a column a name; see the top of this module.

    ``weights`` has a row for black to move and one for white to move: a board's counts times the row of its turn add up
    to its score, black minus white. It is None for tables whose score is no such sum.
    """

    matrix: Any
    """An ``(n, columns)`` array of 32-bit integers, or a ``scipy.sparse.csr_array`` of them."""
    names: tuple[str, ...]
    weights: npt.NDArray[np.int64] | None

    def __len__(self) -> int:
        """How many positions there are."""
        return int(self.matrix.shape[0])


def column_names(table: Table, view: View = "colour") -> tuple[str, ...]:
    """What the columns are called: whose, which shape, and the text as it is written in the table."""
    sides = SIDES[view]
    named = (f"{side} {one.shape} {one.text}" for one in table.patterns for side in sides)
    return (*named, "black to move")


def column_weights(table: Table, view: View = "colour") -> npt.NDArray[np.int64] | None:
    """What each column is worth, black minus white, with black and with white to move; None but for line tables."""
    if table.scan != "line":
        return None
    scores = np.array([pattern.score for pattern in table.patterns], dtype=np.int64).reshape(-1, 2)
    resting, moving = scores[:, 0], scores[:, 1]
    black_to_move = np.stack([moving, -resting], axis=1).reshape(-1)
    white_to_move = np.stack([resting, -moving], axis=1).reshape(-1)
    weights = np.stack([black_to_move, white_to_move if view == "colour" else -black_to_move])
    return np.concatenate([weights, np.zeros((2, 1), dtype=np.int64)], axis=1)


# ---------------------------------------------------------------------- what every evaluator offers


def features(
    evaluator: EvaluatorBase,
    boards: npt.ArrayLike | Sequence[Board],
    to_move: Turns | None = None,
    *,
    view: View = "colour",
    sparse: bool = False,
) -> Features:
    """The features of many boards; see :meth:`gomoku_patterns.EvaluatorBase.features`."""
    if view not in VIEWS:
        raise GomokuError(f"a view is 'colour' or 'mover', not {view!r:.80}")
    table = _table_of(evaluator)
    stones, turns = stones_and_turns(boards, to_move)
    matrix = (_sparse if sparse else _dense)(evaluator, stones, turns, view)
    return Features(matrix, column_names(table, view), column_weights(table, view))


def classes(evaluator: EvaluatorBase, boards: npt.ArrayLike | Sequence[Board]) -> npt.NDArray[np.uint16]:
    """The pattern of every cell in its four directions; see :meth:`gomoku_patterns.EvaluatorBase.classes`."""
    table = _table_of(evaluator)
    stones, _ = stones_and_turns(boards, None)
    found = np.zeros((len(stones), 2, *stones.shape[1:], 4), dtype=np.uint16)
    if len(stones):
        counter_of(table, native=is_native(evaluator)).classes(stones, found)
    return found


def _table_of(evaluator: EvaluatorBase) -> Table:
    if evaluator.table is None:
        raise GomokuError(f"features are counts of a table's patterns, and {evaluator.name!r} is not a pattern table")
    if evaluator.table.scan == "code":
        raise GomokuError(f"features are counts of patterns, and {evaluator.name!r} is a line code, which has none")
    return evaluator.table


def is_native(evaluator: EvaluatorBase) -> bool:
    """Whether an evaluator stands on the compiled core."""
    return getattr(evaluator, "core", None) is not None


def _dense(
    evaluator: EvaluatorBase, stones: npt.NDArray[Any], turns: npt.NDArray[np.uint8], view: View
) -> npt.NDArray[np.int32]:
    table = _table_of(evaluator)
    counts = np.zeros((len(stones), 2 * len(table.patterns)), dtype=np.int32)
    if len(stones):
        counter_of(table, native=is_native(evaluator)).counts(stones, counts)
    if view == "mover":
        exchanged = np.arange(counts.shape[1]) ^ 1
        counts[turns == WHITE] = counts[turns == WHITE][:, exchanged]
    return np.concatenate([counts, (turns == BLACK)[:, None]], axis=1, dtype=np.int32)


def _sparse(evaluator: EvaluatorBase, stones: npt.NDArray[Any], turns: npt.NDArray[np.uint8], view: View) -> Any:
    try:
        from scipy.sparse import csr_array, vstack
    except ImportError as error:
        raise GomokuError("a sparse matrix needs scipy: pip install 'gomoku-patterns[data]'") from error
    portions = [slice(at, at + PORTION) for at in range(0, max(len(stones), 1), PORTION)]
    return vstack([csr_array(_dense(evaluator, stones[part], turns[part], view)) for part in portions], format="csr")


# ---------------------------------------------------------------------- who counts


class Counter:
    """Counts the patterns of one table on many boards of one size."""

    def counts(self, stones: npt.NDArray[Any], counts: npt.NDArray[np.int32]) -> None:
        """Add up how often each pattern stands on each board, black's count before white's."""
        raise NotImplementedError

    def classes(self, stones: npt.NDArray[Any], classes: npt.NDArray[np.uint16]) -> None:
        """Set which pattern each cell is part of, by colour and direction."""
        raise NotImplementedError


class NativeCounter(Counter):
    """On the compiled core; the GIL is released."""

    def __init__(self, table: Table) -> None:
        self._core = _line_core(table) if table.scan == "line" else _point_core(table)

    def counts(self, stones: npt.NDArray[Any], counts: npt.NDArray[np.int32]) -> None:
        self._check(stones, self._core.counts(_bytes(stones), counts))

    def classes(self, stones: npt.NDArray[Any], classes: npt.NDArray[np.uint16]) -> None:
        rows, cols = stones.shape[1:]
        self._check(
            stones, self._core.classes(_bytes(stones), laid_lines(rows, cols), classes.reshape(len(stones), -1))
        )

    @staticmethod
    def _check(stones: npt.NDArray[Any], odd: int) -> None:
        if odd >= 0:
            from gomoku_patterns.native import refuse_board

            refuse_board(stones, odd)


class ReferenceCounter(Counter):
    """By the matches that the reference evaluators find with ``pyahocorasick``."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def counts(self, stones: npt.NDArray[Any], counts: npt.NDArray[np.int32]) -> None:
        find = self._line_counts if self._table.scan == "line" else self._point_counts
        for one, into in zip(stones, counts, strict=True):
            find(Board.from_array(one), into)

    def _line_counts(self, board: Board, counts: npt.NDArray[np.int32]) -> None:
        from gomoku_patterns.reference import line_matches

        for match in line_matches(self._table, board):
            counts[2 * match.pattern + match.colour - 1] += match.counted

    def _point_counts(self, board: Board, counts: npt.NDArray[np.int32]) -> None:
        found = np.zeros((2, board.rows, board.cols, 4), dtype=np.uint16)
        self._point_classes(board, found)
        for colour in Colour:
            patterns, many = np.unique(found[colour - 1], return_counts=True)
            for pattern, count in zip(patterns.tolist(), many.tolist(), strict=True):
                if pattern:
                    counts[2 * (pattern - 1) + colour - 1] += count

    def classes(self, stones: npt.NDArray[Any], classes: npt.NDArray[np.uint16]) -> None:
        find = self._line_classes if self._table.scan == "line" else self._point_classes
        for one, into in zip(stones, classes, strict=True):
            find(Board.from_array(one), into)

    def _line_classes(self, board: Board, classes: npt.NDArray[np.uint16]) -> None:
        from gomoku_patterns.reference import line_matches

        for match in line_matches(self._table, board):
            direction = line_direction(board.rows, board.cols, match.line)
            for cell in map(board.at, match.cells):
                before = classes[match.colour - 1, cell.row, cell.col, direction]
                classes[match.colour - 1, cell.row, cell.col, direction] = min(before or 65535, match.pattern + 1)

    def _point_classes(self, board: Board, classes: npt.NDArray[np.uint16]) -> None:
        from gomoku_patterns.reference import line_shape

        for cell in board.empties():
            for colour in Colour:
                for direction in range(4):
                    shape = line_shape(self._table, board, cell, colour, direction)
                    if shape is not None:
                        number = self._table.patterns.index(shape.pattern) + 1
                        classes[colour - 1, cell.row, cell.col, direction] = number


@lru_cache(maxsize=16)
def counter_of(table: Table, *, native: bool) -> Counter:
    """The counter of a table, made once."""
    return NativeCounter(table) if native else ReferenceCounter(table)


def line_direction(rows: int, cols: int, line: int) -> int:
    """The direction of a line by its number: row, column, diagonal or antidiagonal."""
    return 0 if line < rows else 1 if line < rows + cols else 2 if line < 2 * (rows + cols) - 1 else 3


@lru_cache(maxsize=64)
def laid_lines(rows: int, cols: int) -> npt.NDArray[np.int32]:
    """The first cell of every line, the step to its next cell, and its direction."""
    every = lines(rows, cols)
    heads = [line[0] for line in every]
    steps = [line[1] - line[0] if len(line) > 1 else 0 for line in every]
    directions = [line_direction(rows, cols, number) for number in range(len(every))]
    return np.array([heads, steps, directions], dtype=np.int32)


def _line_core(table: Table) -> Any:
    from gomoku_patterns._features import LineFeatures
    from gomoku_patterns.compile import compile_walk
    from gomoku_patterns.native import native_evaluator

    lengths = np.array([len(pattern.text) for pattern in table.patterns], dtype=np.int32)
    return LineFeatures(native_evaluator(table).core, compile_walk(table), lengths)  # type: ignore[arg-type]


def _point_core(table: Table) -> Any:
    from gomoku_patterns._features import PointFeatures
    from gomoku_patterns.compile import first_patterns

    return PointFeatures(first_patterns(table), table.reach, len(table.patterns))


def _bytes(stones: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    from gomoku_patterns.native import stone_bytes

    return stone_bytes(stones)
