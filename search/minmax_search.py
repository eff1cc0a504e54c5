"""Alpha-beta over the cells that an evaluator ranks first: the search that ``grade_dict`` was made for.

A node's value is carried down with the moves, so a leaf costs nothing. The cells of a node are tried in the order of
what they gain, those with no stone ``near`` by their distance from the edge, and only the first ``width`` of them.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "g7", "f6"], white=["h9", "g8", "f7"])
>>> minmax(board, limit=Limit(depth=1)).move
Cell(row=6, col=8)

:class:`ReferenceMinMax` is the search as its source describes it, for any evaluator; the native one grows the same
tree. Decided here, where the description is silent:

- The root is always expanded, even if its own grade says that the game is decided. A node without empty cells is
  worth its grade.
- Only at the root are black's forbidden points left out; deeper down all empty cells are open to both.
- ``depth`` alone, or with other limits, is one search at that depth; cut short, it answers with the best root move it
  has finished. Without a depth the search deepens ply by ply until a limit, a decided score or the last cell stops
  it, and answers with the deepest search it has finished.
- On a board of another size the ring of a cell is its distance from the nearest edge.
- An evaluator that does not say by its ``decided`` that it scores fives is helped: a five is known by the rules, ends
  the line and outweighs all else, the sooner the more. A cell that makes one is tried first, one that stops one next.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from gomoku_patterns.evaluator import EvaluatorBase
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.rules import makes_five
from search._control import Cancel, Control, Stopped
from search._minmax import FIVE, NativeMinMax
from search.evaluator_player import EvaluatorPlayer, decided_of, scores_fives
from search.fives import KnowsFives
from search.options import Options, option, takes
from search.result import Limit, Progress, SearchResult, Win


@dataclass(frozen=True)
class MinMaxOptions(Options):
    """How the tree is grown: the order of a node's cells, how many are searched, and what ends a line early."""

    table: Any = option("grade_dict", "the evaluator: a table's name or TOML file")
    depth: int | None = option(None, "plies to look ahead; 5 if nothing else limits the search", least=1, none="limit")
    width: int | None = option(11, "how many cells of a node are searched", least=1, none="off")
    ordering: str = option("gain", "which cells come first", choices=("gain", "ring", "none"))
    near: int | None = option(2, "order by gain only cells with a stone this near", least=1, none="off")
    decided: int | None = option(None, "grade beyond which a line is not followed", least=0, none="table")
    fives: str = option("table", "what says that somebody has made five", choices=("table", "rules"))


Line = tuple[Cell, ...]


class Tree(Protocol):
    """One search at one depth after the other: the reference here, or the native one."""

    @property
    def decided(self) -> int:
        """The grade beyond which a line is not followed."""

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

    def run(self, depth: int) -> None:
        """Search every root move at this depth, or as many as the limits allow."""


class ReferenceMinMax:
    """The search in plain Python, on its own copy of the board."""

    def __init__(
        self, board: Board, evaluator: EvaluatorBase, options: MinMaxOptions, legal: list[Cell], control: Control
    ) -> None:
        self.board = board.copy()
        self.evaluator = evaluator
        self.options = options
        self.decided = FIVE // 2 if options.decided is None else options.decided
        self.knowing = isinstance(evaluator, KnowsFives)
        self.control = control
        self.grade = self.best = evaluator.score(board)
        self.line: Line = tuple(legal[:1])
        self.values: dict[Cell, int] = {}
        self.legal = frozenset(legal)

    @property
    def nodes(self) -> int:
        return self.control.nodes

    @property
    def stopped_by(self) -> str | None:
        return self.control.stopped_by

    def run(self, depth: int) -> None:
        self.values, self.control.depth = {}, depth
        try:
            self.root(depth)
        except Stopped:
            return

    def root(self, depth: int) -> None:
        alpha, beta, black = -math.inf, math.inf, self.board.turn is BLACK
        cells = [cell for cell in self.ordered() if cell in self.legal][: self.options.width]
        if not self.nodes:
            self.line = (cells[0],)
        for cell in cells:
            value, line = self.visit(cell, self.grade, depth - 1, alpha, beta)
            self.values[cell] = value
            if value > alpha if black else value < beta:
                alpha, beta = (value, beta) if black else (alpha, value)
                self.best, self.line = value, line
                self.control.note(value)

    def visit(self, cell: Cell, grade: int, depth: int, alpha: float, beta: float) -> tuple[Any, Line]:
        """What playing a cell is worth, and the line from it that both sides want; the board is restored."""
        self.control.visit()
        grade = self.play(cell, grade)
        try:
            cells = self.ordered()[: self.options.width] if depth and abs(grade) <= self.decided else []
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
        if self.options.ordering == "none":
            return empty
        near = self.near() if self.options.ordering == "gain" else set()
        return sorted(empty, key=lambda cell: self.gain(cell) if cell in near else self.ring(cell))

    def gain(self, cell: Cell) -> int:
        """What a move does for the opponent: the more it gains its mover, the earlier it is tried.

        Where fives are known by the rules, a cell on which the opponent would make one comes right after one's own.
        """
        self.control.check()
        turn = self.board.turn
        if self.knowing and makes_five(self.board, cell, turn.opponent) and not makes_five(self.board, cell, turn):
            return -FIVE // 2
        return -self.board.turn.sign * self.evaluator.gain(self.board, cell, self.board.turn)

    def ring(self, cell: Cell) -> int:
        """How near to the edge a cell lies: from the middle outwards."""
        return -min(cell.row, cell.col, self.board.rows - 1 - cell.row, self.board.cols - 1 - cell.col)

    def near(self) -> set[Cell]:
        """The cells with a stone at most ``near`` steps away; all of them when that is off."""
        reach = self.options.near
        if reach is None:
            return set(self.board.cells())
        return {
            Cell(row, col)
            for stone in self.board.stones(BLACK) + self.board.stones(WHITE)
            for row in range(stone.row - reach, stone.row + reach + 1)
            for col in range(stone.col - reach, stone.col + reach + 1)
        }


class MinMaxPlayer(EvaluatorPlayer):
    """:func:`minmax` as a player."""

    kind = "minmax"
    summary = "Alpha-beta over the cells that a pattern table ranks first."
    Options = MinMaxOptions
    options: MinMaxOptions
    default = Limit(depth=5)

    def without_a_move(self, board: Board) -> SearchResult:
        return SearchResult(None, self.evaluator.score(board))

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        options, knowing = self._resolved(), self.options.fives == "rules" or not scores_fives(self.evaluator)
        tree: Tree
        if isinstance(self.evaluator, NativeEvaluator) and self.evaluator.table.scan in ("line", "point"):
            tree = NativeMinMax(board, self.evaluator, options, legal, control, knowing)
        else:
            evaluator = KnowsFives(self.evaluator) if knowing else self.evaluator
            tree = ReferenceMinMax(board, evaluator, options, legal, control)
        result = _deepen(tree, control.limit, board.rows * board.cols - len(board))
        return _with_wins(result, len(board)) if knowing else result

    def _resolved(self) -> MinMaxOptions:
        """The options with what the evaluator says of decided grades; beyond half a five it is one."""
        of_the_table = decided_of(self.evaluator) if self.options.fives == "table" else None
        said = (self.options.decided, of_the_table, FIVE // 2)
        return replace(self.options, decided=min(next(one for one in said if one is not None), FIVE // 2))


@takes(MinMaxOptions)
def minmax(
    board: Board,
    evaluator: Any = "grade_dict",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The best move by alpha-beta over the first ``width`` cells of each node; depth 5 without a limit.

    ``evaluator`` is a table's name or file, or any object with ``name`` and ``score(board)``. ``ordering`` is ``gain``,
    ``ring`` (the middle of the board first) or ``none`` (row by row). ``decided`` is the grade beyond which a line is
    not followed; without it the evaluator's own ``decided`` counts, or only a five ends a line. With ``fives="rules"``
    fives are known by the rules whatever the evaluator says. ``native=False`` asks for the search in plain Python.

    ``stats``: the root's ``grade``, the nodes ``visited`` in the search that answered, ``all`` nodes of its tree if
    nothing were pruned, the ``pruned`` ratio, and the ``values`` of the root moves, exact for the best one and a bound
    for the others.
    """
    chosen = MinMaxPlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)


def _deepen(tree: Tree, limit: Limit, empty: int) -> SearchResult:
    """One search at the depth asked for, or one after the other, each a ply deeper, for as long as the limits allow."""
    answer = _snapshot(tree, 0, 0, empty)
    for depth in range(1, empty + 1) if limit.depth is None else (min(limit.depth, empty),):
        before = tree.nodes
        tree.run(depth)
        if not tree.stopped_by or (tree.values and answer.depth == 0):
            answer = _snapshot(tree, depth, tree.nodes - before, empty)
        if tree.stopped_by or abs(answer.score) > tree.decided:
            break
    stopped_by = tree.stopped_by or ("complete" if limit.depth is None else "depth")
    return replace(answer, nodes=tree.nodes, stopped_by=stopped_by)


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


def _with_wins(result: SearchResult, stones: int) -> SearchResult:
    """The result with the fives that the rules know told as wins; a five is worth more the fewer stones there are."""
    values = result.stats["values"]
    assert isinstance(values, Mapping)
    wins = {cell: win for cell, value in values.items() if (win := _win(value, stones))}
    told = {cell: wins[cell].score if cell in wins else value for cell, value in values.items()}
    ends_in = {cell: win.plies for cell, win in wins.items()}
    win = _win(result.score, stones)
    score = win.score if win else result.score
    return replace(result, score=score, win=win, stats={**result.stats, "values": told, "ends_in": ends_in})


def _win(value: int, stones: int) -> Win | None:
    return Win(BLACK if value > 0 else WHITE, FIVE - abs(value) - stones) if abs(value) > FIVE // 2 else None


def all_nodes(empty: int, depth: int) -> int:
    """How many nodes the source counts in a tree without pruning: a product of ``space``, reduced by 0, 1, 2, ...

    >>> all_nodes(213, 5) == 213 * 212 * 210 * 207 * 203
    True
    """
    return math.prod(max(1, empty - step * (step + 1) // 2) for step in range(depth))
