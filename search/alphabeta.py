"""Alpha-beta in plain Python; what a position is worth and what is tried is left to each system."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from search._control import Control, Stopped
from search.result import SearchResult

if TYPE_CHECKING:
    from gomoku_patterns._trackers import CoreTracker
    from gomoku_patterns.evaluator import EvaluatorBase
    from search._trees import NativeTree

Line = tuple[Cell, ...]


class Finished(NamedTuple):
    """What a search has of the root moves it finished."""

    best: float
    line: Line
    values: Mapping[Cell, float]
    nodes: int
    stopped_by: str | None

    def result(self, moves: list[Cell], depth: int) -> SearchResult:
        """The best of the root moves; if not even one was finished, the first."""
        line = self.line or (moves[0],)
        return SearchResult(
            move=line[0],
            score=round(self.best),
            depth=depth if self.values else 0,
            nodes=self.nodes,
            pv=line,
            stats={"values": {cell: round(value) for cell, value in self.values.items()}},
            stopped_by=self.stopped_by or "depth",
        )


class ReferenceAlphaBeta(ABC):
    """A search on its own copy of the board. Black maximises, white minimises; only an improvement changes the move.

    After :meth:`run` the ``values`` of the root moves that were finished, the ``best`` of them and its ``line`` are
    there, also when a limit cut the search short.
    """

    def __init__(self, board: Board, control: Control) -> None:
        self.board = board.copy(moves=False)
        self.control = control
        self.values: dict[Cell, float] = {}
        self.best = 0.0
        self.line: Line = ()

    @abstractmethod
    def look(self, cell: Cell, ply: int) -> float | list[Cell]:
        """After a move, so many plies from the root: what it is worth if the line ends here, or what to try."""

    def result(self, moves: list[Cell], depth: int) -> SearchResult:
        """The best of these root moves at a depth; if not even one could be finished, the first."""
        self.run(moves)
        found = Finished(self.best, self.line, self.values, self.control.nodes, self.control.stopped_by)
        return found.result(moves, depth)

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
                    self.control.note(round(value))
        except Stopped:
            return

    def visit(self, cell: Cell, ply: int, alpha: float, beta: float) -> tuple[float, Line]:
        """What playing a cell is worth, and the line from it that both sides want; the board is restored."""
        self.control.visit()
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


def at_once(cell: Cell, score: int) -> SearchResult:
    """A move that needs no search."""
    return SearchResult(cell, score, depth=1, nodes=1, pv=(cell,), stats={"values": {cell: score}})


def native_result(tree: NativeTree, board: Board, moves: list[Cell], depth: int) -> SearchResult:
    """The same from a native tree."""
    stopped_by = tree.run([board.index(cell) for cell in moves])
    line = tuple(board.at(index) for index in tree.line)
    values = {board.at(index): value for index, value in tree.values.items()}
    return Finished(tree.best, line, values, tree.nodes, stopped_by).result(moves, depth)


def core_tracker(evaluator: EvaluatorBase, board: Board) -> CoreTracker | None:
    """The tracker of the core for an evaluator that has one, on this position."""
    from gomoku_patterns.native import NativeEvaluator, tracker_on

    if not isinstance(evaluator, NativeEvaluator):
        return None
    tracker = tracker_on(evaluator.core, board.rows, board.cols)
    tracker.set(board)
    return tracker
