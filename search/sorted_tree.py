"""``level`` and ``level_tree``: cells sorted by what they are worth to both sides, and a tree over the first of them.

The value of a cell to the side to move is offence (what a stone of its own is worth there) plus defence (what an
opposing one would be): the same for both sides. ``level`` plays the first cell of the sorted list.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10"], white=["g8", "g9", "i10"], turn="black")
>>> [(board.name(cell), value) for cell, value in sorted_list(board)[:2]]
[('h7', 10017), ('h11', 10013)]

``level_tree`` plays ``depth`` plies over the ``node`` best cells with alpha-beta, the mover maximising at even plies. A
leaf is worth its best cell's value, whoever is to move there. A best cell worth more than ``decided`` (10000) ends the
line as if the depth were reached. Decided here, where the description is silent:

- The printed listing takes the first cell in every turn of its loop and leaves the stones standing. Here the i-th is
  taken, and taken back.
- The description names neither depth nor number of cells: four plies over the eight best cells. A cell's value has no
  sign, so more plies do not make it a better player: ``level`` alone beats it.
- Equal cells stay in row-major order. At the root only legal cells are listed; deeper down all empty cells. If the best
  cell of the root itself ends the line, it is played.
- A full board is worth 0.
"""

from __future__ import annotations

from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, WHITE, Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from search._control import Cancel, Control
from search._trees import SortedTree
from search.alphabeta import AlphaBeta, at_once, core_tracker, native_result
from search.players import EvaluatorPlayer, Option, parse_options, playable, tightened
from search.result import Limit, Progress, SearchResult
from search.watch import Watch

TABLE = Option("table", object, "level", "the point table, or any evaluator")


def sorted_list(board: Board, evaluator: Any = "level") -> list[tuple[Cell, int]]:
    """The empty cells with their values, largest first."""
    judge = as_evaluator(evaluator)
    both = judge.gains(board, BLACK) - judge.gains(board, WHITE)
    return sorted(((cell, int(both[cell])) for cell in board.empties()), key=lambda pair: -pair[1])


def level(
    board: Board,
    evaluator: Any = "level",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The first legal cell of the sorted list. It is one look at the board, whatever the limit."""
    legal = frozenset(playable(board, limit))
    watch = Watch(limit or Limit(depth=1))
    if not legal:
        return SearchResult(None, 0)
    listed = [(cell, value) for cell, value in sorted_list(board, evaluator) if cell in legal]
    values = {cell: board.turn.sign * value for cell, value in listed}
    move = listed[0][0]
    return SearchResult(move, values[move], 1, 1, watch.elapsed, (move,), {"values": values})


class LevelPlayer(EvaluatorPlayer):
    """:func:`level` with its table as an option."""

    kind = "level"
    summary = "The cell that is worth most to both sides together."
    options = (TABLE,)
    function = staticmethod(level)


class Reference(AlphaBeta):
    """The sorted tree in plain Python."""

    def __init__(
        self, board: Board, evaluator: EvaluatorBase, watch: Watch, *, depth: int, node: int, decided: int
    ) -> None:
        super().__init__(board, watch)
        self.mover = board.turn
        self.evaluator = evaluator
        self.depth = depth
        self.node = node
        self.decided = decided

    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        self.watch.check()
        listed = sorted_list(self.board, self.evaluator)
        if not listed:
            return 0
        value = listed[0][1]
        if ply == self.depth or value > self.decided:
            return self.mover.sign * value
        return [cell for cell, _ in listed[: self.node]]


OPTIONS = (
    TABLE,
    Option("depth", int, 4, "plies to look ahead", least=1),
    Option("node", int, 8, "how many cells of the sorted list are searched", least=1, most=MAX_SIDE**2),
    Option("decided", int, 10000, "a best cell worth more ends the line", least=0),
)


def level_tree(
    board: Board,
    evaluator: Any = "level",
    limit: Limit | None = None,
    *,
    node: int = 8,
    decided: int = 10000,
    native: bool | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The best of the first ``node`` cells after ``limit.depth`` plies, four without that.

    ``native=False`` asks for the search in plain Python. ``stats`` has the ``values`` of the root moves.
    """
    settings = parse_options("level_tree", OPTIONS, {"node": node, "decided": decided})
    judge = as_evaluator(evaluator, native=native is not False)
    legal = frozenset(playable(board, limit))
    depth = min(4 if limit is None or limit.depth is None else limit.depth, board.rows * board.cols)
    limit = tightened(limit, depth=depth)
    watch = Watch(limit, cancel, progress)
    if not legal:
        return SearchResult(None, 0)
    listed = [(cell, value) for cell, value in sorted_list(board, judge) if cell in legal]
    best, value = listed[0]
    if value > settings["decided"]:
        return at_once(best, board.turn.sign * value, watch.elapsed)
    moves = [cell for cell, _ in listed[: settings["node"]]]
    if native is False or (tracker := core_tracker(judge, board)) is None:
        return Reference(board, judge, watch, depth=depth, **settings).result(moves, depth)
    control = Control(limit, cancel, progress)
    tree = SortedTree(board, tracker, control, depth, **settings)
    return native_result(tree, control, board, moves, depth)


class LevelTreePlayer(EvaluatorPlayer):
    """:func:`level_tree` with its parameters as options."""

    kind = "level_tree"
    summary = "Alpha-beta over the first cells of the sorted list."
    options = OPTIONS
    function = staticmethod(level_tree)
