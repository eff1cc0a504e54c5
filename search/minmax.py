"""Alpha-beta over the cells that an evaluator ranks first: the search that ``grade_dict`` was made for.

A node's value is carried down with the moves, so a leaf costs nothing. The cells of a node are tried in the order of
what they gain, those with no stone ``near`` by their distance from the edge, and only the first ``width`` of them.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "g7", "f6"], white=["h9", "g8", "f7"])
>>> minmax(board, limit=Limit(depth=1)).move
Cell(row=6, col=8)

:class:`Reference` is the search as its source describes it, for any evaluator. Decided here, where the description is
silent:

- The root is always expanded, even if its own grade says that the game is decided. A node without empty cells is
  worth its grade.
- Only at the root are black's forbidden points left out; deeper down all empty cells are open to both.
- ``depth`` alone, or with other limits, is one search at that depth; cut short, it answers with the best root move it
  has finished. Without a depth the search deepens ply by ply until a limit, a decided score or the last cell stops
  it, and answers with the deepest search it has finished.
- On a board of another size the ring of a cell is its distance from the nearest edge.
"""

from __future__ import annotations

import math
import sys
import types
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.native import NativeEvaluator
from search._control import Cancel, Control
from search._minmax import NativeTree
from search.players import EvaluatorPlayer, Option, parse_options, playable
from search.result import Limit, Progress, SearchResult
from search.watch import Stopped, Watch

DECIDED = 35000

OPTIONS = (
    Option("table", object, "grade_dict", "the evaluator: a table's name or TOML file"),
    Option("depth", int, None, "plies to look ahead; 5 if nothing else limits the search", least=1, none="limit"),
    Option("width", int, 11, "how many cells of a node are searched", least=1, none="off"),
    Option("ordering", str, "gain", "which cells come first", choices=("gain", "ring", "none")),
    Option("near", int, 2, "order by gain only cells with a stone this near", least=1, none="off"),
    Option("decided", int, None, "grade beyond which a line is not followed", least=1, none="table"),
)

Line = tuple[Cell, ...]


@dataclass(frozen=True)
class Settings:
    """How the tree is grown: the order of a node's cells, how many are searched, and what ends a line early."""

    width: int | None
    ordering: str
    near: int | None
    decided: int


class Tree(Protocol):
    """One search at one depth after the other: the reference here, or the native one."""

    @property
    def settings(self) -> Settings: ...
    @property
    def grade(self) -> int:
        """What the root is worth as it stands."""

    @property
    def best(self) -> int:
        """The value of the best root move of the last run."""

    @property
    def line(self) -> Line:
        """The line that starts with it; never empty."""

    @property
    def values(self) -> Mapping[Cell, int]:
        """The values of the root moves that the last run has finished."""

    @property
    def nodes(self) -> int:
        """Nodes visited in all runs."""

    @property
    def stopped_by(self) -> str | None:
        """What cut the last run short."""

    @property
    def elapsed(self) -> float: ...

    def run(self, depth: int) -> None:
        """Search every root move at this depth, or as many as the limits allow."""


class Reference:
    """The search in plain Python, on its own copy of the board."""

    def __init__(
        self, board: Board, evaluator: EvaluatorBase, settings: Settings, legal: list[Cell], watch: Watch
    ) -> None:
        self.board = board.copy()
        self.evaluator = evaluator
        self.settings = settings
        self.watch = watch
        self.grade = self.best = evaluator.score(board)
        self.line: Line = tuple(legal[:1])
        self.values: dict[Cell, int] = {}
        self.legal = frozenset(legal)

    @property
    def nodes(self) -> int:
        return self.watch.nodes

    @property
    def stopped_by(self) -> str | None:
        return self.watch.stopped_by

    @property
    def elapsed(self) -> float:
        return self.watch.elapsed

    def run(self, depth: int) -> None:
        self.values, self.watch.depth = {}, depth
        try:
            self.root(depth)
        except Stopped:
            return

    def root(self, depth: int) -> None:
        alpha, beta, black = -math.inf, math.inf, self.board.turn is BLACK
        cells = [cell for cell in self.ordered() if cell in self.legal][: self.settings.width]
        if not self.nodes:
            self.line = (cells[0],)
        for cell in cells:
            value, line = self.visit(cell, self.grade, depth - 1, alpha, beta)
            self.values[cell] = value
            if value > alpha if black else value < beta:
                alpha, beta = (value, beta) if black else (alpha, value)
                self.best = self.watch.score = value
                self.line = line

    def visit(self, cell: Cell, grade: int, depth: int, alpha: float, beta: float) -> tuple[Any, Line]:
        """What playing a cell is worth, and the line from it that both sides want; the board is restored."""
        self.watch.visit()
        grade = self.play(cell, grade)
        try:
            cells = self.ordered()[: self.settings.width] if depth and abs(grade) <= self.settings.decided else []
            best: Line = ()
            for answer in cells:
                value, line = self.visit(answer, grade, depth - 1, alpha, beta)
                if self.board.turn is BLACK and value > alpha:
                    alpha, best = value, line
                elif self.board.turn is WHITE and value < beta:
                    beta, best = value, line
                if alpha >= beta:
                    break
            own = alpha if self.board.turn is BLACK else beta
            return own if cells else grade, (cell, *best)
        finally:
            self.board.pop()

    def play(self, cell: Cell, grade: int) -> int:
        """Put a stone of the side to move, and say what the board is worth then."""
        if self.evaluator.additive:
            grade += self.evaluator.gain(self.board, cell, self.board.turn)
        self.board.push(cell)
        return grade if self.evaluator.additive else self.evaluator.score(self.board)

    def ordered(self) -> list[Cell]:
        """The empty cells in the order in which they are tried."""
        empty = self.board.empties()
        if self.settings.ordering == "none":
            return empty
        near = self.near() if self.settings.ordering == "gain" else set()
        return sorted(empty, key=lambda cell: self.gain(cell) if cell in near else self.ring(cell))

    def gain(self, cell: Cell) -> int:
        """What a move does for the opponent: the more it gains its mover, the earlier it is tried."""
        self.watch.check()
        return -self.board.turn.sign * self.evaluator.gain(self.board, cell, self.board.turn)

    def ring(self, cell: Cell) -> int:
        """How near to the edge a cell lies: from the middle outwards."""
        return -min(cell.row, cell.col, self.board.rows - 1 - cell.row, self.board.cols - 1 - cell.col)

    def near(self) -> set[Cell]:
        """The cells with a stone at most ``near`` steps away; all of them when that is off."""
        reach = self.settings.near
        if reach is None:
            return set(self.board.cells())
        return {
            Cell(row, col)
            for stone in self.board.stones(BLACK) + self.board.stones(WHITE)
            for row in range(stone.row - reach, stone.row + reach + 1)
            for col in range(stone.col - reach, stone.col + reach + 1)
        }


def minmax(
    board: Board,
    evaluator: Any = "grade_dict",
    limit: Limit | None = None,
    *,
    width: int | None = 11,
    ordering: str = "gain",
    near: int | None = 2,
    decided: int | None = None,
    native: bool | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The best move by alpha-beta over the first ``width`` cells of each node; depth 5 without a limit.

    ``evaluator`` is a table's name or file, or any object with ``name`` and ``score(board)``. ``ordering`` is ``gain``,
    ``ring`` (the middle of the board first) or ``none`` (row by row). ``decided`` is the grade beyond which a line is
    not followed; without it the table says so, or it is 35000. ``native=False`` asks for the search in plain Python.

    ``stats``: the root's ``grade``, the nodes ``visited`` in the search that answered, ``all`` nodes of its tree if
    nothing were pruned, the ``pruned`` ratio, and the ``values`` of the root moves, exact for the best one and a bound
    for the others.
    """
    written = {"width": width, "ordering": ordering, "near": near, "decided": decided}
    settings = parse_options("minmax", OPTIONS, written)
    judge = as_evaluator(evaluator, native=native is not False)
    if settings["decided"] is None:
        settings["decided"] = _decided(judge)
    limit, legal = limit or Limit(depth=5), playable(board, limit)
    if not legal:
        return SearchResult(None, judge.score(board))
    tree: Tree
    if isinstance(judge, NativeEvaluator):
        tree = NativeTree(board, judge, Settings(**settings), legal, Control(limit, cancel, progress))
    else:
        tree = Reference(board, judge, Settings(**settings), legal, Watch(limit, cancel, progress))
    return _deepen(tree, limit, board.rows * board.cols - len(board))


def _decided(evaluator: EvaluatorBase) -> int:
    source: Any = evaluator.table or getattr(evaluator, "subject", evaluator)
    decided: int | None = getattr(source, "decided", None)
    return DECIDED if decided is None else decided


def _deepen(tree: Tree, limit: Limit, empty: int) -> SearchResult:
    """One search at the depth asked for, or one after the other, each a ply deeper, for as long as the limits allow."""
    answer = _snapshot(tree, 0, 0, empty)
    for depth in range(1, empty + 1) if limit.depth is None else (min(limit.depth, empty),):
        before = tree.nodes
        tree.run(depth)
        if not tree.stopped_by or (tree.values and answer.depth == 0):
            answer = _snapshot(tree, depth, tree.nodes - before, empty)
        if tree.stopped_by or abs(answer.score) > tree.settings.decided:
            break
    stopped_by = tree.stopped_by or ("complete" if limit.depth is None else "depth")
    return replace(answer, nodes=tree.nodes, elapsed=tree.elapsed, stopped_by=stopped_by)


def _snapshot(tree: Tree, depth: int, visited: int, empty: int) -> SearchResult:
    whole = all_nodes(empty, depth)
    stats = {
        "grade": tree.grade,
        "visited": visited,
        "all": whole,
        "pruned": 1 - visited / whole,
        "values": dict(tree.values),
    }
    return SearchResult(tree.line[0], tree.best, depth, pv=tree.line, stats=stats)


def all_nodes(empty: int, depth: int) -> int:
    """How many nodes the source counts in a tree without pruning: a product of ``space``, reduced by 0, 1, 2, ...

    >>> all_nodes(213, 5) == 213 * 212 * 210 * 207 * 203
    True
    """
    return math.prod(max(1, empty - step * (step + 1) // 2) for step in range(depth))


class MinMaxPlayer(EvaluatorPlayer):
    """:func:`minmax` with its parameters as options."""

    kind = "minmax"
    summary = "Alpha-beta over the cells that a pattern table ranks first."
    options = OPTIONS
    function = staticmethod(minmax)


class _Callable(types.ModuleType):
    """Both ``from search import minmax`` and ``from search.minmax import minmax`` give something to call."""

    def __call__(self, *arguments: Any, **options: Any) -> SearchResult:
        return minmax(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
