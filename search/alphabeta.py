"""Alpha-beta in plain Python; what a position is worth and what is tried is left to each system."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from search.result import SearchResult
from search.watch import Stopped, Watch

Line = tuple[Cell, ...]


class AlphaBeta(ABC):
    """A search on its own copy of the board. Black maximises, white minimises; only an improvement changes the move.

    After :meth:`run` the ``values`` of the root moves that were finished, the ``best`` of them and its ``line`` are
    there, also when a limit cut the search short.
    """

    def __init__(self, board: Board, watch: Watch) -> None:
        self.board = board.copy(moves=False)
        self.watch = watch
        self.values: dict[Cell, float] = {}
        self.best = 0.0
        self.line: Line = ()

    @abstractmethod
    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        """After a move, so many plies from the root: what it is worth if the line ends here, or what to try."""

    def result(self, moves: list[Cell], depth: int) -> SearchResult:
        """The best of these root moves at a depth; if not even one could be finished, the first."""
        self.run(moves)
        values = {cell: round(value) for cell, value in self.values.items()}
        line = self.line or (moves[0],)
        return SearchResult(
            move=line[0],
            score=round(self.best),
            depth=depth if values else 0,
            nodes=self.watch.nodes,
            elapsed=self.watch.elapsed,
            pv=line,
            stats={"values": values},
            stopped_by=self.watch.stopped_by or "depth",
        )

    def run(self, moves: Iterable[Cell]) -> None:
        """Try each root move."""
        alpha, beta, black = -math.inf, math.inf, self.board.turn is BLACK
        try:
            for cell in moves:
                value, line = self.visit(cell, 1, alpha, beta)
                self.values[cell] = value
                if value > alpha if black else value < beta:
                    alpha, beta = (value, beta) if black else (alpha, value)
                    self.best, self.line = value, line
                    self.watch.score = round(value)
        except Stopped:
            return

    def visit(self, cell: Cell, ply: int, alpha: float, beta: float) -> tuple[float, Line]:
        """What playing a cell is worth, and the line from it that both sides want; the board is restored."""
        self.watch.visit()
        self.board.push(cell)
        try:
            found = self.look(cell, ply)
            if not isinstance(found, list):
                return found, (cell,)
            best: Line = ()
            for answer in found:
                value, line = self.visit(answer, ply + 1, alpha, beta)
                if self.board.turn is BLACK and value > alpha:
                    alpha, best = value, line
                elif self.board.turn is WHITE and value < beta:
                    beta, best = value, line
                if alpha >= beta:
                    break
            return alpha if self.board.turn is BLACK else beta, (cell, *best)
        finally:
            self.board.pop()
