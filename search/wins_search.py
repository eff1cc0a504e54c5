"""``wins``: timed alpha-beta over the 572 ways to make five, later values counting less.

A line's value is the table's score times 0.95 to the power of its plies, so what comes sooner counts for more. The
moves of a node are the cells with a stone one or two steps away along the eight rays, the best ``width`` (10) of them.
A branch that is entered past the ``deadline`` (6 seconds; the program loses the game at ten) returns its static score,
so the search unwinds at once with what it has.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "i8", "j8", "k8"], white=["h9", "i9", "l8", "j10"], turn="black")
>>> board.name(wins(board).move)
'g8'

Decided here, where the description is silent:

- A finished five is no longer a way to make five, so the table gives it nothing: a move that wins by the rule is
  worth 10**8, discounted like any other value, and ends the line.
- Moves that win are tried first, then those after which the table's score is best for the mover; equal ones in
  row-major order.
- Black's forbidden points are those of renju, and they are pruned whatever rule the board has, as in the program
  (``forbidden=rule``: only under renju), except for a stone that wins; if nothing else is left, a legal cell is
  played.
- On an empty board the centre is the only candidate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, Cell
from gomoku_patterns.evaluator import EvaluatorBase
from gomoku_patterns.lines import DIRECTIONS
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search._trees import NativeWins
from search.alphabeta import ReferenceAlphaBeta, core_tracker, native_result
from search.door import tightened
from search.evaluator_player import EvaluatorPlayer
from search.options import Options, option, takes
from search.result import Limit, Progress, SearchResult

FIVE = 10**8

RAYS = tuple(
    (sign * row * steps, sign * col * steps) for row, col in DIRECTIONS for sign in (1, -1) for steps in (1, 2)
)
"""The steps to the cells one or two away along the eight rays."""


@dataclass(frozen=True)
class WinsOptions(Options):
    """How far the tree is grown, and what is left out."""

    table: Any = option("wins", "the line table, or any evaluator")
    depth: int = option(5, "plies to look ahead", least=1)
    width: int | None = option(10, "how many cells of a node are searched", least=1, most=MAX_SIDE**2, none="off")
    deadline: float | None = option(6.0, "seconds after which branches return their static score", least=0, none="off")
    discount: float = option(0.95, "what a value keeps with every ply", least=0, most=1)
    forbidden: str = option("always", "prune black's forbidden points of renju", choices=("always", "rule"))


def near_cells(board: Board) -> list[Cell]:
    """The empty cells with a stone one or two steps away along a ray, in row-major order."""
    if not len(board):
        return [Cell(board.rows // 2, board.cols // 2)]
    stones = set(board.stones(BLACK)) | set(board.stones(BLACK.opponent))
    return [cell for cell in board.empties() if any((cell.row + r, cell.col + c) in stones for r, c in RAYS)]


class ReferenceWins(ReferenceAlphaBeta):
    """The search in plain Python."""

    def __init__(
        self, board: Board, evaluator: EvaluatorBase, options: WinsOptions, limit: Limit, control: Control
    ) -> None:
        super().__init__(board, control)
        self.evaluator = evaluator
        self.depth = min(1 if limit.depth is None else limit.depth, board.rows * board.cols)
        self.width = MAX_SIDE**2 if options.width is None else options.width
        self.powers = powers(options.discount, self.depth)
        self.seconds = math.inf if limit.seconds is None else limit.seconds
        self.late = False
        self.renju = board.rule is Rule.RENJU or options.forbidden == "always"

    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        mover = self.board.turn.opponent
        if rules.makes_five(self.board, cell, mover):
            return mover.sign * FIVE * self.powers[ply]
        self.late = self.late or self.control.elapsed >= self.seconds
        cells = [] if ply == self.depth or self.late else self.answers()
        return cells or self.evaluator.score(self.board) * self.powers[ply]

    def answers(self) -> list[Cell]:
        """What is tried inside the tree; each takes a while under renju, and the search may be told to stop."""
        self.control.check()
        return self.tried()

    def tried(self) -> list[Cell]:
        """The cells to be searched, best first."""
        turn, pruned = self.board.turn, self.pruned()
        winning = set(rules.winning_cells(self.board, turn))
        cells = [cell for cell in near_cells(self.board) if cell in winning or cell not in pruned]
        gains = {cell: turn.sign * self.evaluator.gain(self.board, cell, turn) for cell in cells}
        return sorted(cells, key=lambda cell: (cell not in winning, -gains[cell]))[: self.width]

    def pruned(self) -> set[Cell]:
        """The cells that black, to move, leaves alone."""
        if not self.renju or self.board.turn is not BLACK:
            return set()
        renju = self.board.copy(moves=False)
        renju.rule = Rule.RENJU
        return set(rules.forbidden(renju))


def powers(discount: float, depth: int) -> list[float]:
    """What a value is multiplied by after so many plies."""
    return [discount**ply for ply in range(depth + 1)]


class WinsPlayer(EvaluatorPlayer):
    """:func:`wins` as a player."""

    kind = "wins"
    summary = "Timed alpha-beta over the ways to make five, later values counting less."
    Options = WinsOptions
    options: WinsOptions

    def within(self, limit: Limit | None) -> Limit | None:
        deadline = self.options.deadline
        return tightened(super().within(limit), seconds=None if deadline is None else max(deadline, 1e-9))

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        # Past the deadline branches return their static scores; nothing else stops for it.
        unhurried, allowed = control.part(replace(control.limit, seconds=None), control.progress), frozenset(legal)
        search = ReferenceWins(board, self.evaluator, self.options, control.limit, unhurried)
        search.seconds -= control.elapsed
        moves = [cell for cell in search.tried() if cell in allowed] or legal
        tracker = core_tracker(self.evaluator, board)
        if tracker is None:
            result, late = search.result(moves, search.depth), search.late
        else:
            tree = NativeWins(
                board, tracker, unhurried, search.depth, search.width, search.powers, FIVE, search.seconds, search.renju
            )
            result, late = native_result(tree, board, moves, search.depth), tree.late
        return replace(result, stopped_by="seconds") if late and result.stopped_by == "depth" else result


@takes(WinsOptions)
def wins(
    board: Board,
    evaluator: Any = "wins",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The best move after ``limit.depth`` plies, five without that; ``limit.seconds`` brings the deadline forward.

    ``native=False`` asks for the search in plain Python. ``stats`` has the ``values`` of the root moves.
    """
    chosen = WinsPlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)
