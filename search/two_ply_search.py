"""``two_ply``: the computer's move, the opponent's answer, and the money on the board after that.

The money of a cell is always counted as the computer, who may have either colour. Both plies try the cells column by
column; cells worth nothing are skipped; of what follows each move the opponent takes the least, the computer the most,
and only an improvement changes the move. A cell worth at least 99999 (the computer makes five there) or at most -50000
(the opponent would) is played at once.

>>> from gomoku_patterns import Board
>>> board = Board(5, black=["b2", "c3", "d4", "e5"], white=["a5", "b5", "d5"], turn="white")
>>> board.name(two_ply(board).move)
'a1'

Decided here, where the description is silent:

- Played at once means before any other cell is looked at, at the opponent's ply too: it is then his only answer. Of
  several such cells the first in order is played, also if it only stops a five while another would make one.
- If every cell is worth nothing, as on an empty board, the legal cell nearest to the centre is played. An opponent
  without a cell worth anything does not move.
- A move that is forbidden to the computer is not tried; the opponent may play anywhere.
- The value of a move that is played at once is the money of its cell.
- With an evaluator that gains nothing by a five, a five is made, or stopped, by the rules before anything else.
- ``depth=1`` looks at the money after the computer's move alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase
from search._control import Cancel, Control
from search._trees import NativeTwoPly
from search.alphabeta import ReferenceAlphaBeta, at_once, core_tracker, native_result
from search.door import tightened
from search.evaluator_player import EvaluatorPlayer, five_at_once, values_fives
from search.options import Options, option, takes
from search.result import Limit, Progress, SearchResult


@dataclass(frozen=True)
class TwoPlyOptions(Options):
    """What cells are worth, and which of them is played at once."""

    table: Any = option("money", "the point table, or any evaluator")
    own_five: int = option(99999, "a cell worth at least this is played at once")
    other_five: int = option(-50000, "a cell worth at most this is played at once")


class Worths:
    """What cells are worth to the computer, column by column, and which of them is played at once."""

    def __init__(self, computer: Colour, evaluator: EvaluatorBase, own_five: int, other_five: int) -> None:
        self.computer = computer
        self.evaluator = evaluator
        self.own_five = own_five
        self.other_five = other_five

    def of(self, board: Board) -> dict[Cell, int]:
        """The worth of the empty cells, those that are worth nothing left out."""
        gains = self.evaluator.gains(board, self.computer)
        cells = sorted(board.empties(), key=lambda cell: (cell.col, cell.row))
        return {cell: self.computer.sign * int(gains[cell]) for cell in cells if gains[cell]}

    def at_once(self, worths: dict[Cell, int]) -> Cell | None:
        """The first cell that leaves no choice."""
        return next(
            (cell for cell, worth in worths.items() if worth >= self.own_five or worth <= self.other_five), None
        )


class ReferenceTwoPly(ReferenceAlphaBeta):
    """The two plies in plain Python."""

    def __init__(self, board: Board, control: Control, worths: Worths, depth: int) -> None:
        super().__init__(board, control)
        self.worths = worths
        self.depth = depth

    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        if ply == self.depth:
            return self.money()
        worths = self.worths.of(self.board)
        forced = self.worths.at_once(worths)
        return [forced] if forced else list(worths) or self.money()

    def money(self) -> int:
        """What the position is worth with the computer to move, black minus white."""
        turn, self.board.turn = self.board.turn, self.worths.computer
        try:
            return self.worths.evaluator.score(self.board)
        finally:
            self.board.turn = turn


class TwoPlyPlayer(EvaluatorPlayer):
    """:func:`two_ply` as a player."""

    kind = "two_ply"
    summary = "A move, the opponent's answer, and the point money left after it."
    Options = TwoPlyOptions
    options: TwoPlyOptions

    def within(self, limit: Limit | None) -> Limit | None:
        return tightened(limit, depth=2)

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if not values_fives(self.evaluator) and (forced := five_at_once(board, legal)):
            return forced
        own_five, other_five, allowed = self.options.own_five, self.options.other_five, frozenset(legal)
        rules = Worths(board.turn, self.evaluator, own_five, other_five)
        worths = {cell: worth for cell, worth in rules.of(board).items() if cell in allowed}
        if (played := rules.at_once(worths)) is not None:
            return at_once(played, board.turn.sign * worths[played])
        if not worths:
            return at_once(_central(board, legal), 0)
        depth = min(2 if control.limit.depth is None else control.limit.depth, board.rows * board.cols)
        tracker = core_tracker(self.evaluator, board)
        if tracker is None:
            return ReferenceTwoPly(board, control, rules, depth).result(list(worths), depth)
        tree = NativeTwoPly(board, tracker, control, depth, own_five, other_five)
        return native_result(tree, board, list(worths), depth)


@takes(TwoPlyOptions)
def two_ply(
    board: Board,
    evaluator: Any = "money",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The move after which the opponent's best answer leaves the most money.

    ``native=False`` asks for the search in plain Python. ``stats`` has the ``values`` of the moves: exact for the best
    one, and a bound for others.
    """
    chosen = TwoPlyPlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)


def _central(board: Board, cells: list[Cell]) -> Cell:
    return min(cells, key=lambda cell: (cell.row - board.rows // 2) ** 2 + (cell.col - board.cols // 2) ** 2)
