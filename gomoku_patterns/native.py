"""Native evaluators: pattern tables on the compiled core, with the interface of every evaluator.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10"], white=["a1"], turn="black")
>>> evaluator = native_evaluator("grade_dict")
>>> evaluator.score(board), evaluator.gain(board, "h11"), evaluator.ranked(board, width=2)
(1800, 4440, [Cell(row=4, col=7), Cell(row=8, col=7)])
>>> tracker = evaluator.tracker(board)
>>> tracker.play("h11")
>>> tracker.score, tracker.turn
(6240, WHITE)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from gomoku_patterns.board import Board, CellLike, Move
from gomoku_patterns.cells import Cell, Colour, parse_colour
from gomoku_patterns.codes import LineCode
from gomoku_patterns.compile import CellArrays, LineArrays, compile_table
from gomoku_patterns.errors import BoardError, TableError
from gomoku_patterns.evaluator import (
    BoardTracker,
    EvaluatorBase,
    checked_board,
    checked_width,
    claims_symmetry,
    empty_cell,
    mover_on,
    stones_and_turns,
)
from gomoku_patterns.table import Table, load_table

try:
    from gomoku_patterns._cell_tables import CellTable, CellTracker
    from gomoku_patterns._codes import CodeTable, CodeTracker
    from gomoku_patterns._geometry import geometry
    from gomoku_patterns._lines import LineTable, LineTracker
    from gomoku_patterns._points import PointTable, PointTracker
    from gomoku_patterns._trackers import CoreTracker, LearnedTracker
except ModuleNotFoundError as error:  # Python prefers the folder it is started in to what is installed
    raise ImportError(
        f"the native modules in {Path(__file__).parent} are not built: run pip install -e . in the folder above"
    ) from error

if TYPE_CHECKING:
    import numpy.typing as npt

    from gomoku_patterns.evaluator import Turns


Core = LineTable | PointTable | CellTable | CodeTable


def core_of(table: Table) -> Core:
    """A table as the native core runs on it."""
    if isinstance(table.weights, LineCode):
        return CodeTable(table.weights, table.scale)
    compiled = compile_table(table)
    if isinstance(compiled, CellArrays):
        return CellTable(compiled)
    return LineTable(compiled, table.uses_turn) if isinstance(compiled, LineArrays) else PointTable(compiled)


class NativeEvaluator(EvaluatorBase):
    """A pattern table at native speed. ``core`` is the compiled table, for native searches."""

    antisymmetric = True

    def __init__(self, table: Table) -> None:
        self.table: Table = table
        self.name = table.name
        self.additive = table.scan != "point"
        self.symmetric = claims_symmetry(table)
        self.core = core_of(table)
        # The core's own method in the place of ours: a board is scored in the time of two Python calls.
        self.score = self.core.score  # type: ignore[method-assign] # the same signature, one call less

    def __reduce__(self) -> tuple[object, ...]:
        """An evaluator travels as its table, to be compiled or found compiled where it arrives."""
        return native_evaluator, (self.table,)

    def score(self, board: Board) -> int:
        """What the position is worth, black minus white."""
        return self.core.score(board)

    def scores(self, boards: npt.ArrayLike | Sequence[Board], to_move: Turns | None = None) -> npt.NDArray[np.int64]:
        """The scores, black minus white, of many boards: an integer array ``(n, rows, cols)`` of 0, 1, and 2 or -1.

        Of a list of Boards each has its own turn; on those of an array black is to move where nothing else is said.

        The GIL is released. Arrays of 8-bit integers are read where they are, others are copied first.
        """
        stones, turns = stones_and_turns(boards, to_move)
        scores = np.zeros(len(stones), dtype=np.int64)
        odd = self.core.scores(stone_bytes(stones), turns, scores) if len(stones) else -1
        if odd >= 0:
            refuse_board(stones, odd)
        return scores

    def gain(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How much a stone of a colour (the side to move) on an empty cell changes the score, black minus white."""
        mover = mover_on(board, colour)
        place = board.index(empty_cell(board, cell))
        if isinstance(self.core, LineTable):
            return self.core.gain(board, place, mover)
        return self.core_tracker(board).gain(place, mover)

    def gains(self, board: Board, colour: Colour | str | None = None) -> npt.NDArray[np.int64]:
        """The gain of every empty cell, black minus white, as a ``(rows, cols)`` array; occupied cells hold 0."""
        mover = mover_on(board, colour)
        return _gains(self.core_tracker(board), board.rows, board.cols, mover)

    def points(self, board: Board, colour: Colour | str | None = None) -> list[list[int | None]]:
        """The gain of each empty cell, black minus white, or a point table's worth for the colour; None on stones."""
        mover = mover_on(board, colour)
        values = self.gains(board, mover) * (1 if self.additive else mover.sign)
        cells = board.to_array().tolist()
        return [
            [None if stone else value for stone, value in zip(stones, line, strict=True)]
            for stones, line in zip(cells, values.tolist(), strict=True)
        ]

    def priors(self, board: Board, colour: Colour | str | None = None) -> npt.NDArray[np.int64]:
        """How likely the best move of a colour is each empty cell, as a line code or a cell table has learned it.

        64 more are e times as likely; occupied cells hold 0.
        """
        mover, tracker = mover_on(board, colour), self.core_tracker(board)
        if not isinstance(tracker, LearnedTracker):
            raise TableError(
                f"only line codes and cell tables know priors, and {self.name!r} is a {self.table.scan} table"
            )
        priors = np.zeros((board.rows, board.cols), dtype=np.int64)
        tracker.priors(mover, priors)
        return priors

    def ranked(self, board: Board, colour: Colour | str | None = None, width: int | None = None) -> list[Cell]:
        """The empty cells, best for a colour (the side to move) first, equals in row-major order; all, or ``width``."""
        mover = mover_on(board, colour)
        return _ranked(self.gains(board, mover), board, mover, width)

    def tracker(self, board: Board) -> NativeTracker:
        """A tracker that starts from this position; the board itself is left alone."""
        return NativeTracker(self, checked_board(board))

    def core_tracker(self, board: Board) -> CoreTracker:
        tracker = tracker_on(self.core, checked_board(board).rows, board.cols)
        tracker.set(board)
        return tracker


def tracker_on(core: Core, rows: int, cols: int) -> CoreTracker:
    """An empty board of the core with a compiled table on it."""
    lines = geometry(rows, cols)
    if isinstance(core, CodeTable):
        return CodeTracker(core, lines)
    if isinstance(core, CellTable):
        return CellTracker(core, lines)
    return LineTracker(core, lines) if isinstance(core, LineTable) else PointTracker(core, lines)


def stone_bytes(stones: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The same stones as bytes; what does not fit becomes 3, which no board holds."""
    if stones.dtype == np.uint8:  # 255 is -1 to the core, which would take it for white
        return np.ascontiguousarray(np.where(stones > 2, 3, stones) if stones.max(initial=0) > 2 else stones)
    if stones.dtype.itemsize == 1:
        return np.ascontiguousarray(stones).view(np.uint8)
    narrow = stones.astype(np.int8)
    return np.ascontiguousarray(np.where(narrow == stones, narrow, 3), dtype=np.int8).view(np.uint8)


def refuse_board(stones: npt.NDArray[Any], odd: int) -> NoReturn:
    """Raise the error about a board of a stack that holds something else than stones."""
    Board.from_array(stones[odd])
    raise BoardError(f"board {odd} of the array was changed while it was read")


def _gains(tracker: CoreTracker, rows: int, cols: int, colour: Colour) -> npt.NDArray[np.int64]:
    gains = np.zeros((rows, cols), dtype=np.int64)
    tracker.gains(colour, gains)
    return gains


def _ranked(gains: npt.NDArray[np.int64], board: Board, colour: Colour, width: int | None) -> list[Cell]:
    empty = (board.to_array().reshape(-1) == 0).nonzero()[0]
    order = np.argsort(-colour.sign * gains.reshape(-1)[empty], kind="stable")
    return [board.at(place) for place in empty[order][: checked_width(width)].tolist()]


class NativeTracker(BoardTracker):
    """A position of its own with a native evaluator on it: play, take back, and score and gains are current."""

    def __init__(self, evaluator: NativeEvaluator, board: Board) -> None:
        super().__init__(evaluator, board)
        self._core = evaluator.core_tracker(board)

    def __reduce__(self) -> tuple[object, ...]:
        """A tracker travels as its evaluator, the position it began with and the moves since."""
        start, moves = self._board.copy(), self._board.moves
        for _ in moves:
            start.pop()
        return _played, (self._evaluator, start, moves)

    @property
    def score(self) -> int:
        """What the position is worth, black minus white."""
        return self._core.score

    def play(self, cell: CellLike, colour: Colour | str | None = None) -> None:
        """Put a stone of the side to move (or of ``colour``) on an empty cell."""
        self._board.push(cell, colour)
        self._core.play(self._board.index(self._board.peek()), self._board.turn.opponent)

    def undo(self) -> None:
        """Take the last stone back."""
        self._board.pop()
        self._core.undo()

    def gain(self, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How much a stone of a colour (the side to move) on an empty cell changes the score, black minus white."""
        mover = self.turn if colour is None else parse_colour(colour)
        return self._core.gain(self._board.index(empty_cell(self._board, cell)), mover)

    def gains(self, colour: Colour | str | None = None) -> npt.NDArray[np.int64]:
        """The gain of every empty cell, black minus white, as a ``(rows, cols)`` array; occupied cells hold 0."""
        mover = self.turn if colour is None else parse_colour(colour)
        return _gains(self._core, self._board.rows, self._board.cols, mover)

    def ranked(self, colour: Colour | str | None = None, width: int | None = None) -> list[Cell]:
        """The empty cells, best for a colour (the side to move) first, equals in row-major order; all, or ``width``."""
        mover = self.turn if colour is None else parse_colour(colour)
        return _ranked(self.gains(mover), self._board, mover, width)


def _played(evaluator: NativeEvaluator, start: Board, moves: Sequence[Move]) -> NativeTracker:
    tracker = NativeTracker(evaluator, start)
    for move in moves:
        tracker.play(move.cell, move.colour)
    return tracker


@lru_cache(maxsize=16)
def _evaluator(table: Table) -> NativeEvaluator:
    return NativeEvaluator(table)


def native_evaluator(table: str | Table) -> NativeEvaluator:
    """The native evaluator of a table, made once."""
    return _evaluator(load_table(table))
