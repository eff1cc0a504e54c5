"""A search by an evaluator: what the players that judge by a table have in common."""

from __future__ import annotations

from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.rules import winning_cells
from search.player_base import SearchPlayer
from search.result import SearchResult, Win


class EvaluatorPlayer(SearchPlayer):
    """A search by the evaluator that the option ``table`` names; in plain Python with ``native=False``."""

    def __init__(self, *, native: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.native = native
        self.evaluator: EvaluatorBase = as_evaluator(self.options.table, native=native)


# ---------------------------------------------------------------------- what the rules know of fives


def scores_fives(evaluator: EvaluatorBase) -> bool:
    """Whether an evaluator says by itself that a five is worth more than all else.

    A table or an object does so by its ``decided``, the score beyond which somebody has made five.
    """
    return decided_of(evaluator) is not None


def decided_of(evaluator: EvaluatorBase) -> int | None:
    """The score beyond which an evaluator says that somebody has made five, if it does."""
    source: Any = evaluator.table or getattr(evaluator, "subject", evaluator)
    decided: int | None = getattr(source, "decided", None)
    return decided


def values_fives(evaluator: EvaluatorBase) -> bool:
    """Whether an evaluator gains by making five: it says so, or it is a table with a pattern of five stones."""
    patterns = evaluator.table.patterns if evaluator.table else ()
    return scores_fives(evaluator) or any("ooooo" in pattern.text.lower() for pattern in patterns)


def five_at_once(board: Board, legal: list[Cell]) -> SearchResult | None:
    """The answer where the side to move can make five, or must stop one, by the rules alone."""
    for colour in (board.turn, board.turn.opponent):
        for cell in winning_cells(board, colour):
            if cell in legal:
                win = Win(colour, 1) if colour is board.turn else None
                return SearchResult(cell, depth=1, nodes=1, pv=(cell,), win=win)
    return None
