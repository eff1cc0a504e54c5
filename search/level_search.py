"""``level`` and ``level_tree``: cells sorted by what they are worth to both sides, and a tree over the first of them.

The value of a cell to the side to move is offence (what a stone of its own is worth there) plus defence (what an
opposing one would be): the same for both sides. ``level`` plays the first cell of the sorted list.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10"], white=["g8", "g9", "i10"], turn="black")
>>> [(board.name(cell), value) for cell, value in sorted_list(board)[:2]]
[('h7', 10017), ('h11', 10013)]

``level_tree`` plays ``depth`` plies over the ``node`` best cells with alpha-beta, the mover maximising at even plies. A
leaf is worth its best cell's value, for either side. A best cell worth more than ``decided`` (10000) ends the
line as if the depth were reached. Decided here, where the description is silent:

- The printed listing takes the first cell in every turn of its loop and leaves the stones standing. Here the i-th is
  taken, and taken back.
- The description names neither depth nor number of cells: four plies over the eight best cells. A cell's value has no
  sign, so more plies do not make it a better player: ``level`` alone beats it.
- Equal cells stay in row-major order. At the root only legal cells are listed; deeper down all empty cells. If the best
  cell of the root itself ends the line, it is played.
- A full board is worth 0.
- With an evaluator that gains nothing by a five, a five is made, or stopped, by the rules before the list is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, WHITE, Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from search._control import Cancel, Control
from search._trees import NativeLevelTree
from search.alphabeta import ReferenceAlphaBeta, at_once, core_tracker, native_result
from search.evaluator_player import EvaluatorPlayer, five_at_once, values_fives
from search.options import Options, option, takes
from search.result import Limit, Progress, SearchResult


def sorted_list(board: Board, evaluator: Any = "level") -> list[tuple[Cell, int]]:
    """The empty cells with their values, largest first."""
    judge = as_evaluator(evaluator)
    both = judge.gains(board, BLACK) - judge.gains(board, WHITE)
    return sorted(((cell, int(both[cell])) for cell in board.empties()), key=lambda pair: -pair[1])


@dataclass(frozen=True)
class LevelOptions(Options):
    """What the sorted list is made by."""

    table: Any = option("level", "the point table, or any evaluator")


class LevelPlayer(EvaluatorPlayer):
    """:func:`level` as a player."""

    kind = "level"
    summary = "The cell that is worth most to both sides together."
    Options = LevelOptions
    options: LevelOptions

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if not values_fives(self.evaluator) and (forced := five_at_once(board, legal)):
            return forced
        allowed = frozenset(legal)
        listed = [(cell, value) for cell, value in sorted_list(board, self.evaluator) if cell in allowed]
        values = {cell: board.turn.sign * value for cell, value in listed}
        move = listed[0][0]
        return SearchResult(move, values[move], depth=1, nodes=1, pv=(move,), stats={"values": values})


@takes(LevelOptions)
def level(
    board: Board,
    evaluator: Any = "level",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The first legal cell of the sorted list. It is one look at the board, whatever the limit."""
    chosen = LevelPlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)


class ReferenceLevelTree(ReferenceAlphaBeta):
    """The sorted tree in plain Python."""

    def __init__(
        self, board: Board, evaluator: EvaluatorBase, control: Control, *, depth: int, node: int, decided: int
    ) -> None:
        super().__init__(board, control)
        self.mover = board.turn
        self.evaluator = evaluator
        self.depth = depth
        self.node = node
        self.decided = decided

    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        self.control.check()
        listed = sorted_list(self.board, self.evaluator)
        if not listed:
            return 0
        value = listed[0][1]
        if ply == self.depth or value > self.decided:
            return self.mover.sign * value
        return [cell for cell, _ in listed[: self.node]]


@dataclass(frozen=True)
class LevelTreeOptions(Options):
    """How the tree over the sorted list is grown."""

    table: Any = option("level", "the point table, or any evaluator")
    depth: int = option(4, "plies to look ahead", least=1)
    node: int = option(8, "how many cells of the sorted list are searched", least=1, most=MAX_SIDE**2)
    decided: int = option(10000, "a best cell worth more ends the line", least=0)


class LevelTreePlayer(EvaluatorPlayer):
    """:func:`level_tree` as a player."""

    kind = "level_tree"
    summary = "Alpha-beta over the first cells of the sorted list."
    Options = LevelTreeOptions
    options: LevelTreeOptions

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if not values_fives(self.evaluator) and (forced := five_at_once(board, legal)):
            return forced
        node, decided, allowed = self.options.node, self.options.decided, frozenset(legal)
        depth = min(control.limit.depth or self.options.depth, board.rows * board.cols)
        listed = [(cell, value) for cell, value in sorted_list(board, self.evaluator) if cell in allowed]
        best, value = listed[0]
        if value > decided:
            return at_once(best, board.turn.sign * value)
        moves = [cell for cell, _ in listed[:node]]
        tracker = core_tracker(self.evaluator, board)
        if tracker is None:
            tree = ReferenceLevelTree(board, self.evaluator, control, depth=depth, node=node, decided=decided)
            return tree.result(moves, depth)
        return native_result(NativeLevelTree(board, tracker, control, depth, node, decided), board, moves, depth)


@takes(LevelTreeOptions)
def level_tree(
    board: Board,
    evaluator: Any = "level",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The best of the ``node`` first cells after ``limit.depth`` plies, four without that.

    ``native=False`` asks for the search in plain Python. ``stats`` has the ``values`` of the root moves.
    """
    chosen = LevelTreePlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)
