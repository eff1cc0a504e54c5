"""Evaluators: what a position is worth, black minus white.

A table name, the path of a TOML file, a :class:`~gomoku_patterns.table.Table` and any object of your own with a
``score(board)`` all become full evaluators with :func:`as_evaluator`.

>>> from gomoku_patterns import BLACK, WHITE, Board
>>> class Lead:
...     "More stones are better."
...     name = "lead"
...     def score(self, board):
...         return len(board.stones(BLACK)) - len(board.stones(WHITE))
>>> evaluator = as_evaluator(Lead())
>>> board = Board(rows=5, black=["c3", "c4"], turn="white")
>>> evaluator.score(board), evaluator.gain(board, "a1", WHITE), evaluator.ranked(board, width=2)
(2, -1, [Cell(row=0, col=0), Cell(row=0, col=1)])
>>> tracker = evaluator.tracker(board)
>>> tracker.play("a1")
>>> tracker.score, tracker.turn
(1, BLACK)
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import BLACK, MAX_SIDE, MIN_SIDE, WHITE, Cell, Colour, parse_colour
from gomoku_patterns.errors import BoardError, GomokuError, IllegalMoveError
from gomoku_patterns.import_path import is_import_path, named_evaluator
from gomoku_patterns.table import POINT_LIKE, Table, load_table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gomoku_patterns.explain import Explanation
    from gomoku_patterns.features import Features, View

    # Whose turn it is on a stack of boards: one colour for all, or one for each.
    Turns = Colour | str | Sequence[Colour | str | int] | npt.NDArray[np.integer[Any]]


@runtime_checkable
class Evaluator(Protocol):
    """All that an evaluator must have. :func:`as_evaluator` adds the rest, or takes it from you where you have it."""

    @property
    def name(self) -> str:
        """What reports call it."""

    def score(self, board: Board) -> int:
        """What the position is worth, black minus white."""


class Tracker(Protocol):
    """A position of its own with an evaluator on it: play, take back, and everything is current."""

    @property
    def score(self) -> int:
        """What the position is worth, black minus white."""

    @property
    def turn(self) -> Colour:
        """Whose turn it is."""

    @property
    def board(self) -> Board:
        """A copy of the position as it stands."""

    def play(self, cell: CellLike, colour: Colour | str | None = None) -> None:
        """Put a stone of the side to move (or of ``colour``) on an empty cell."""

    def undo(self) -> None:
        """Take the last stone back."""

    def gain(self, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How much a stone would change the score, black minus white; see :meth:`EvaluatorBase.gain`."""

    def ranked(self, colour: Colour | str | None = None, width: int | None = None) -> list[Cell]:
        """The empty cells, best for a colour (the side to move) first; see :meth:`EvaluatorBase.ranked`."""


class EvaluatorBase(ABC):
    """A full evaluator: everything here follows from :meth:`score`; a subclass overrides what it can do faster."""

    name: str = "evaluator"
    table: Table | None = None
    additive: bool = True
    """Whether the score after a move is the score before it (with the mover to move) plus the move's gain."""
    antisymmetric: bool = False
    """Whether exchanging the colours and the turn negates the score."""
    symmetric: bool = False
    """Whether the eight symmetries of the board leave the score as it is."""
    everywhere: bool = True
    """Whether a stone may matter on every cell, those at the border too; the testing kit holds evaluators to it."""
    turn_matters: bool | None = None
    """Whether the score depends on whose turn it is; None leaves it open, and the testing kit does not ask."""
    rule_matters: bool = False
    """Whether the score depends on the rule of the board; the testing kit holds evaluators to it."""

    @abstractmethod
    def score(self, board: Board) -> int:
        """What the position is worth, black minus white."""

    def scores(self, boards: npt.ArrayLike | Sequence[Board], to_move: Turns | None = None) -> npt.NDArray[np.int64]:
        """The scores, black minus white, of many boards: an integer array ``(n, rows, cols)`` of 0, 1, and 2 or -1.

        A list of boards of one size will do as well. ``to_move`` is one colour for all boards, or a colour for each of
        them, best as an array of 1 and 2; without it boards have their own turns, and on those of an array black moves.
        """
        import numpy as np

        stones, turns = stones_and_turns(boards, to_move)
        if _are_boards(boards) and to_move is None:  # with their rules and moves, which an array does not have
            return np.array([self.score(board) for board in cast("Sequence[Board]", boards)], dtype=np.int64)
        found = [self.score(Board.from_array(one, turn=Colour(turn))) for one, turn in zip(stones, turns, strict=True)]
        return np.array(found, dtype=np.int64)

    def gain(self, board: Board, cell: CellLike, colour: Colour | str | None = None) -> int:
        """How much a stone of a colour (the side to move) on an empty cell changes the score, black minus white.

        Before, that colour is to move; after, its opponent is.
        """
        mover = mover_on(board, colour)
        trial = board.copy(moves=False)
        trial.turn = mover
        before = self.score(trial)
        trial.push(cell)
        return self.score(trial) - before

    def gains(self, board: Board, colour: Colour | str | None = None) -> npt.NDArray[np.int64]:
        """The gain of every empty cell, black minus white, as a ``(rows, cols)`` array; occupied cells hold 0."""
        import numpy as np

        gains = np.zeros((board.rows, board.cols), dtype=np.int64)
        for cell in board.empties():
            gains[cell] = self.gain(board, cell, colour)
        return gains

    def points(self, board: Board, colour: Colour | str | None = None) -> list[list[int | None]]:
        """The gain of each empty cell, black minus white, or a point table's worth for the colour; None on stones."""
        gains = self.gains(board, colour).tolist()
        cells = board.flat
        return [
            [None if cells[row * board.cols + col] else gain for col, gain in enumerate(line)]
            for row, line in enumerate(gains)
        ]

    def ranked(self, board: Board, colour: Colour | str | None = None, width: int | None = None) -> list[Cell]:
        """The empty cells, best for a colour (the side to move) first, equals in row-major order; all, or ``width``."""
        mover = mover_on(board, colour)
        gains = self.gains(board, mover)
        return sorted(board.empties(), key=lambda cell: -mover.sign * int(gains[cell]))[: checked_width(width)]

    def tracker(self, board: Board) -> Tracker:
        """A tracker that starts from this position; the board itself is left alone."""
        return BoardTracker(self, board)

    def explain(self, board: Board, cell: CellLike | None = None, colour: Colour | str | None = None) -> Explanation:
        """What the score, or a move's gain, is made of; see :mod:`gomoku_patterns.explain`."""
        from gomoku_patterns.explain import explain

        return explain(board, self, cell, colour)

    def features(
        self,
        boards: npt.ArrayLike | Sequence[Board],
        to_move: Turns | None = None,
        *,
        view: View = "colour",
        sparse: bool = False,
    ) -> Features:
        """How often each pattern of the table stands on each board, as a matrix with named columns.

        ``boards`` are boards of one size, or an array as :meth:`scores` takes it. ``to_move`` is one colour or a colour
        for each; without it boards say so themselves, and of an array black is to move. Patterns are counted for black
        and white, or with ``view="mover"`` for the side to move and its opponent; ``sparse`` asks for a scipy array.
        """
        from gomoku_patterns.features import features

        return features(self, boards, to_move, view=view, sparse=sparse)

    def classes(self, boards: npt.ArrayLike | Sequence[Board]) -> npt.NDArray[np.uint16]:
        """The pattern of every cell in each direction, ``(n, colour, row, col, direction)``: its number, from 1, or 0.

        The colours are black and white, the directions row, column, diagonal and antidiagonal. In a line table it is
        the first pattern, in the order written, of those that cover the cell; in a point table what the colour would
        make of the line by playing on the cell, and 0 where there is a stone.
        """
        from gomoku_patterns.features import classes

        return classes(self, boards)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class BoardTracker:
    """The tracker of any evaluator: a board that is scored again when asked."""

    def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
        self._evaluator = evaluator
        self._board = board.copy(moves=False)
        self._score: int | None = None

    @property
    def score(self) -> int:
        if self._score is None:
            self._score = self._evaluator.score(self._board)
        return self._score

    @property
    def turn(self) -> Colour:
        """Whose turn it is."""
        return self._board.turn

    @property
    def board(self) -> Board:
        """A copy of the position as it stands."""
        return self._board.copy(moves=False)

    def play(self, cell: CellLike, colour: Colour | str | None = None) -> None:
        self._board.push(cell, colour)
        self._score = None

    def undo(self) -> None:
        self._board.pop()
        self._score = None

    def gain(self, cell: CellLike, colour: Colour | str | None = None) -> int:
        return self._evaluator.gain(self._board, cell, colour)

    def ranked(self, colour: Colour | str | None = None, width: int | None = None) -> list[Cell]:
        return self._evaluator.ranked(self._board, colour, width)


OPTIONAL_METHODS = ("scores", "gain", "gains", "points", "ranked", "tracker", "explain", "features", "classes")
"""What a user's own object may have beside its score."""


class UserEvaluator(EvaluatorBase):
    """A user's own object, completed: what it defines is used, the rest follows from its ``score``."""

    def __init__(self, subject: object) -> None:
        self.subject = subject
        self._score = cast("Any", getattr(subject, "score", subject))
        self.name = str(getattr(subject, "name", None) or getattr(subject, "__name__", None) or type(subject).__name__)
        self.additive = bool(getattr(subject, "additive", not hasattr(subject, "gain")))
        self.antisymmetric = bool(getattr(subject, "antisymmetric", False))
        self.symmetric = bool(getattr(subject, "symmetric", False))
        self.everywhere = bool(getattr(subject, "everywhere", True))
        turn_matters = getattr(subject, "turn_matters", None)
        self.turn_matters = None if turn_matters is None else bool(turn_matters)
        self.rule_matters = bool(getattr(subject, "rule_matters", False))
        for method in OPTIONAL_METHODS:
            if callable(getattr(subject, method, None)):
                setattr(self, method, getattr(subject, method))

    def __reduce__(self) -> tuple[object, ...]:
        """It travels as the user's object, which must be able to."""
        return UserEvaluator, (self.subject,)

    def score(self, board: Board) -> int:
        return _whole(self._score(board), self.name)


def _whole(score: object, name: str) -> int:
    try:
        return operator.index(cast("int", score))
    except TypeError:
        raise GomokuError(f"{name}.score(board) must return a whole number, not {score!r:.80}") from None


def as_evaluator(subject: str | Path | Table | Evaluator | object, native: bool = True) -> EvaluatorBase:
    """The full evaluator that a table name, a TOML path, a table or an object with ``score(board)`` stands for.

    Tables become native evaluators, or the pyahocorasick reference with ``native=False``. A plain function of a board
    will do as well, and so will a class of your own by its import path, ``my_module:Mine``. Importing runs its module:
    never pass a text here that came from somebody else.
    """
    if isinstance(subject, EvaluatorBase):
        return subject if native or subject.table is None else as_evaluator(subject.table, native=False)
    if isinstance(subject, str) and is_import_path(subject):
        return named_evaluator(subject, native=native)
    if isinstance(subject, (str, Path, Table)):
        return _table_evaluator(load_table(subject), native)
    if isinstance(subject, type) and not _scores_without_instance(subject):
        found = subject.__name__
        raise GomokuError(f"give an instance, {found}(), not the class {found}: scoring needs an object")
    if callable(getattr(subject, "score", None)) or callable(subject):
        return UserEvaluator(subject)
    raise GomokuError(f"an evaluator is a table, a TOML file or an object with score(board), not {subject!r:.80}")


def _scores_without_instance(subject: type) -> bool:
    from inspect import getattr_static

    return isinstance(getattr_static(subject, "score", None), (staticmethod, classmethod))


def _table_evaluator(table: Table, native: bool) -> EvaluatorBase:
    if native:
        from gomoku_patterns.native import native_evaluator

        return native_evaluator(table)
    from gomoku_patterns.reference import reference_evaluator

    return reference_evaluator(table)


# ---------------------------------------------------------------------- what the implementations share


def claims_symmetry(table: Table) -> bool:
    """Whether a table reads every line alike from both ends."""
    if table.mirror or table.scan == "code":
        return True
    if table.scan in POINT_LIKE:
        return all(pattern.text == pattern.text[::-1] for pattern in table.patterns)
    written = {(pattern.text, pattern.score) for pattern in table.patterns}
    return all((text[::-1], score) in written for text, score in written)


def checked_width(width: int | None) -> int | None:
    """A width of a ranking that makes sense, or None for all."""
    if width is None:
        return None
    if isinstance(width, bool) or not hasattr(width, "__index__") or width < 0:
        raise BoardError(f"expected a width of at least 0, found {width!r}")
    return width


def checked_board(board: Board) -> Board:
    """What a user gave as a board, which must be one."""
    if not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {board!r:.80}")
    return board


def mover_on(board: Board, colour: Colour | str | None) -> Colour:
    """The colour a user means: the side to move where none is named."""
    return checked_board(board).turn if colour is None else parse_colour(colour)


def empty_cell(board: Board, cell: CellLike) -> Cell:
    """The cell a user means, which must be empty."""
    place = checked_board(board).cell(cell)
    if board[place] is not None:
        raise IllegalMoveError(f"there is a {board[place]} stone on {board.name(place)!r} already", code="cell-taken")
    return place


def stones_and_turns(
    boards: npt.ArrayLike | Sequence[Board], to_move: Turns | None
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
    """Return boards as an array and whose turn it is on each: a Board has its own, on those of an array black moves."""
    import numpy as np

    own: Turns = BLACK
    if _are_boards(boards):
        given = cast("Sequence[Board]", boards)
        own = np.array([board.turn for board in given], dtype=np.uint8)
        stones = _stacked(given)
    else:
        stones = board_stack(cast("npt.ArrayLike", boards))
    rows, cols = stones.shape[1:]
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
        raise BoardError(f"expected boards from {MIN_SIDE} to {MAX_SIDE} rows and columns, found {rows}x{cols}")
    return stones, stack_turns(own if to_move is None else to_move, len(stones))


def _are_boards(boards: object) -> bool:
    return isinstance(boards, Sequence) and bool(boards) and all(isinstance(board, Board) for board in boards)


def _stacked(boards: Sequence[Board]) -> npt.NDArray[np.int8]:
    import numpy as np

    sizes = {(board.rows, board.cols) for board in boards}
    if len(sizes) > 1:
        found = " and ".join(f"{rows}x{cols}" for rows, cols in sorted(sizes))
        raise BoardError(f"only boards of one size can be counted or scored together, not {found:.80}")
    return np.frombuffer(b"".join(board.flat for board in boards), np.int8).reshape(-1, *sizes.pop())


def board_stack(boards: npt.ArrayLike) -> npt.NDArray[Any]:
    """An ``(n, rows, cols)`` integer array, checked for its shape; the values are checked where they are read."""
    import numpy as np

    stones = np.asarray(boards)
    if stones.ndim != 3 or stones.dtype.kind not in "iub":
        raise BoardError(
            f"expected an integer array (n, rows, cols), found {stones.ndim} dimensions of {stones.dtype.name}"
        )
    return stones


def stack_turns(to_move: Turns, count: int) -> npt.NDArray[np.uint8]:
    """Whose turn it is on each board of a stack, as an array of 1 and 2."""
    import numpy as np

    if isinstance(to_move, (str, int)):
        return np.full(count, parse_colour(to_move), dtype=np.uint8)
    turns = np.asarray(to_move)
    if turns.dtype.kind not in "iu":
        turns = np.array([parse_colour(turn) for turn in turns.reshape(-1).tolist()], dtype=np.uint8)
    if turns.shape != (count,):
        raise BoardError(f"{count} boards need a turn each or one for all, not turns of the shape {turns.shape}")
    odd = (turns != BLACK) & (turns != WHITE)
    if odd.any():
        raise BoardError(f"a turn is 1 (black) or 2 (white), not {turns[odd][0]}")
    return turns.astype(np.uint8)
