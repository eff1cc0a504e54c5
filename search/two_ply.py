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
- ``depth=1`` looks at the money after the computer's move alone.
"""

from __future__ import annotations

from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from search._control import Cancel
from search.players import Option, Player, parse_options, playable
from search.result import Limit, Progress, SearchResult
from search.watch import Stopped, Watch

OPTIONS = (
    Option("table", object, "money", "the point table, or any evaluator"),
    Option("own_five", int, 99999, "a cell worth at least this is played at once"),
    Option("other_five", int, -50000, "a cell worth at most this is played at once"),
)


class Reference:
    """The two plies in plain Python, on their own copy of the board. Money is the computer's: more is better for it."""

    def __init__(self, board: Board, evaluator: EvaluatorBase, watch: Watch, *, own_five: int, other_five: int) -> None:
        self.board = board.copy(moves=False)
        self.computer = board.turn
        self.evaluator = evaluator
        self.own_five = own_five
        self.other_five = other_five
        self.watch = watch
        self.values: dict[Cell, int] = {}
        self.line: tuple[Cell, ...] = ()
        self.best: int | None = None

    def run(self, legal: frozenset[Cell], depth: int) -> None:
        """Look at every legal move; ``values``, ``line`` and ``best`` hold what was finished."""
        try:
            worths = {cell: worth for cell, worth in self.cells().items() if cell in legal}
            if (forced := self.forced(worths)) is not None:
                self.best, self.line = worths[forced], (forced,)
                self.values[forced] = worths[forced]
                return
            for cell in worths:
                value, line = self.move(cell, depth)
                self.values[cell] = value
                if self.best is None or value > self.best:
                    self.best, self.line = value, line
        except Stopped:
            return

    def move(self, cell: Cell, depth: int) -> tuple[int, tuple[Cell, ...]]:
        """The money after the computer's move and the answer to it."""
        self.watch.visit()
        self.board.push(cell)
        try:
            if depth == 1:
                return self.money(), (cell,)
            value, answer = self.answer()
            return value, (cell, *answer)
        finally:
            self.board.pop()

    def answer(self) -> tuple[int, tuple[Cell, ...]]:
        """The answer that leaves the least money, or one that leaves no more than the best move so far."""
        worths = self.cells()
        forced = self.forced(worths)
        least: int | None = None
        line: tuple[Cell, ...] = ()
        for cell in worths if forced is None else (forced,):
            value = self.money_after(cell)
            if least is None or value < least:
                least, line = value, (cell,)
            if self.best is not None and least <= self.best:
                break
        return (self.money(), ()) if least is None else (least, line)

    def money_after(self, cell: Cell) -> int:
        self.watch.visit()
        self.board.push(cell)
        try:
            return self.money()
        finally:
            self.board.pop()

    def cells(self) -> dict[Cell, int]:
        """The empty cells that are worth something, column by column."""
        found = {}
        for cell in sorted(self.board.empties(), key=lambda cell: (cell.col, cell.row)):
            self.watch.check()
            if worth := self.computer.sign * self.evaluator.gain(self.board, cell, self.computer):
                found[cell] = worth
        return found

    def forced(self, worths: dict[Cell, int]) -> Cell | None:
        """The first cell that is played at once."""
        return next(
            (cell for cell, worth in worths.items() if worth >= self.own_five or worth <= self.other_five), None
        )

    def money(self) -> int:
        """What the position is worth to the computer, with the computer to move."""
        turn, self.board.turn = self.board.turn, self.computer
        try:
            return self.computer.sign * self.evaluator.score(self.board)
        finally:
            self.board.turn = turn


def two_ply(
    board: Board,
    evaluator: Any = "money",
    limit: Limit | None = None,
    *,
    own_five: int = 99999,
    other_five: int = -50000,
    native: bool | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The move after which the opponent's best answer leaves the most money.

    ``native=False`` asks for the search in plain Python. ``stats`` has the ``values`` of the moves: exact for the best
    one, and a bound for others.
    """
    settings = parse_options("two_ply", OPTIONS, {"own_five": own_five, "other_five": other_five})
    judge = as_evaluator(evaluator, native=native is not False)
    limit = limit or Limit(depth=2)
    legal = playable(board)
    watch = Watch(limit, cancel, progress)
    if not legal:
        return SearchResult(None, 0)
    depth = min(2, limit.depth or 2)
    search = Reference(board, judge, watch, **settings)
    search.run(frozenset(legal), depth)
    line = search.line or (_central(board, legal),)
    sign = board.turn.sign
    return SearchResult(
        move=line[0],
        score=sign * (search.best or 0),
        depth=len(line) if search.values else 0,
        nodes=watch.nodes,
        elapsed=watch.elapsed,
        pv=line,
        stats={"values": {cell: sign * value for cell, value in search.values.items()}},
        stopped_by=watch.stopped_by or ("depth" if depth == limit.depth else "complete"),
    )


def _central(board: Board, cells: list[Cell]) -> Cell:
    return min(cells, key=lambda cell: (cell.row - board.rows // 2) ** 2 + (cell.col - board.cols // 2) ** 2)


class TwoPlyPlayer(Player):
    """:func:`two_ply` with its parameters as options."""

    kind = "two_ply"
    summary = "A move, the opponent's answer, and the point money left after it."
    options = OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._evaluator = as_evaluator(self.settings["table"])

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        own = {name: self.settings[name] for name in ("own_five", "other_five")}
        return two_ply(board, self._evaluator, limit, **own, cancel=cancel, progress=progress)
