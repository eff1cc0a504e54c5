"""Positions searched by the thousand: a score, a best move, and whether the position is quiet.

One search is kept for boards of one size and looks at each position for the same number of nodes, without the solver
and the clock, so the same positions in the same order get the same labels on any machine.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "i8", "j8"], white=["h9", "i9"], turn="black")
>>> label = Labeller(board, nodes=500).label(board)
>>> label.quiet, label.decided, board.name(label.move)
(False, 1, 'g8')
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import PlayerError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator, tracker_on
from gomoku_patterns.rules import Rule
from gomoku_patterns.table import Table
from search._control import SURE, Control
from search._engine import EngineSearch, Transpositions
from search._threats import ThreatBoard
from search.result import Limit
from search.unit import unit_of

DEEPEST = 40
MEGABYTES = 4
"""For what a game's searches found out: some sixty thousand positions a game at 2,000 nodes."""


class Label(NamedTuple):
    """What a search says of a position.

    ``score`` is that of the side to move in the evaluator's unit; where ``decided`` is 1 (the side to move wins) or -1,
    it only codes the win. A position is quiet if neither side can make five at once and the threats do not decide it at
    the first glance; its score is a judgement, not a calculation.
    """

    move: Cell
    score: int
    decided: int
    quiet: bool


class Labeller:
    """Searches positions of one size and rule for a fixed number of nodes each."""

    def __init__(self, board: Board, *, nodes: int, table: str | Path | Table | NativeEvaluator = "engine") -> None:
        evaluator = as_evaluator(table)
        if not isinstance(evaluator, NativeEvaluator):
            raise PlayerError(f"positions are labelled by a pattern table, not by {evaluator.name!r}")
        if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
            raise PlayerError(
                f"under {board.rule.value} threats do not decide games; label freestyle, standard or renju"
            )
        self.nodes = nodes
        self._limit = Limit(nodes=nodes)
        self._evaluator = evaluator
        self._table = Transpositions(MEGABYTES)
        self._start = board
        self.new_game()

    def new_game(self) -> None:
        """Forget what was found out, so that labels do not depend on the games before."""
        self._table.clear()
        board = self._start
        self._threats = ThreatBoard(board, board.rule)
        tracker = tracker_on(self._evaluator.core, board.rows, board.cols)
        self._search = EngineSearch(self._threats, tracker, self._table, unit=unit_of(self._evaluator))

    def label(self, board: Board) -> Label | None:
        """Search a position that is not over, for the side to move; None if it has no legal move."""
        scores = [self._best()[1] for _ in self._deepening(board)]
        if not scores:
            return None
        move, score = self._best()
        quiet = not self._search.only_move and abs(scores[0]) <= SURE and not self._five_at_once()
        return Label(move, score, 0 if abs(score) <= SURE else 1 if score > 0 else -1, quiet)

    def end(self, board: Board) -> Board | None:
        """The position in which the line ends that the search expects, the one whose judgement is the position's score.

        None where the search sees how the game ends, by a win or on a full board, or there is no legal move.
        """
        line: list[Cell] = []
        for whole in self._deepening(board):
            if abs(self._best()[1]) > SURE:
                return None
            line = self._search.line() if whole else line
        end = board.copy()
        for cell in line:
            end.push(cell)
        return end if line and not end.is_full() else None

    def _deepening(self, board: Board) -> Iterator[bool]:
        """Search ply by ply until the nodes are used up or more would say nothing; whether each search was whole."""
        search = self._search
        self._table.next_search(self.nodes)
        search.set(board)
        if not search.prepare():
            return
        search.allow(Control(self._limit), self.nodes)
        for depth in range(1, DEEPEST):
            whole = search.iterate(depth, 1)
            yield whole
            if not whole or search.only_move or abs(self._best()[1]) > SURE:
                return

    def _best(self) -> tuple[Cell, int]:
        return self._search.values(1)[0]

    def choices(self, board: Board, count: int) -> list[tuple[Cell, int]]:
        """The best moves at two plies, each with its score for the side to move: quick, to choose among.

        There are none if the nodes do not even suffice for one ply.
        """
        search = self._search
        search.set(board)
        search.prepare()
        search.allow(Control(self._limit), max(self.nodes // 4, 1))
        found: list[tuple[Cell, int]] = []
        for depth in (1, 2):
            if not search.iterate(depth, count):
                break
            found = search.values(count)
        return found

    def _five_at_once(self) -> bool:
        return any(self._threats.cells(colour, "five") for colour in ("black", "white"))
