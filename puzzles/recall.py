"""How well an evaluator orders moves: where the moves that are proven to win stand in its ranking.

>>> from puzzles import load
>>> recall = ordering_recall(load("huanle"), "grade_dict")
>>> recall.levels, recall.top[10] > 0.5
(20, True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from puzzles.suite import Level

if TYPE_CHECKING:
    from search.result import Limit

TOPS = (1, 5, 10)


@dataclass(frozen=True)
class Recall:
    """An evaluator's ordering on a suite.

    ``top[k]`` is the share of levels with a winning move among the first k of the ranking, ``mrr`` the mean of one over
    the rank of the first winning move, ``ranks`` that rank for each level. Levels without a proven win are left out.
    """

    evaluator: str
    levels: int
    top: Mapping[int, float]
    mrr: float
    ranks: Mapping[int, int]
    unproven: tuple[int, ...] = ()

    def row(self) -> dict[str, Any]:
        """The figures as JSON results give them."""
        return {
            "evaluator": self.evaluator,
            "levels": self.levels,
            **{f"top{k}": share for k, share in self.top.items()},
            "mrr": self.mrr,
            "ranks": {str(number): rank for number, rank in self.ranks.items()},
            "unproven": list(self.unproven),
        }


def ordering_recall(suite: Iterable[Level], evaluator: Any, *, limit: Limit | None = None) -> Recall:
    """Where the winning moves of a suite's levels stand in an evaluator's ranking.

    Winning moves are those the suite lists in ``wins``, or else the one that the solver proves within ``limit``.
    ``evaluator`` is anything that ``as_evaluator`` takes: a table's name, a TOML file, a user's own object.
    """
    from gomoku_patterns.evaluator import as_evaluator

    judge = as_evaluator(evaluator)
    ranks: dict[int, int] = {}
    unproven: list[int] = []
    for level in suite:
        wins = set(level.wins) or _proven(level.board, limit)
        ranking = judge.ranked(level.board, level.position.turn)
        best = next((rank for rank, cell in enumerate(ranking, 1) if cell in wins), None)
        if best is None:
            unproven.append(level.number)
        else:
            ranks[level.number] = best
    count = max(1, len(ranks))
    top = {k: sum(rank <= k for rank in ranks.values()) / count for k in TOPS}
    return Recall(judge.name, len(ranks), top, sum(1 / rank for rank in ranks.values()) / count, ranks, tuple(unproven))


def _proven(board: Board, limit: Limit | None) -> set[Cell]:
    from search.result import Limit as Bound
    from search.solver import solve

    move = solve(board, limit or Bound(seconds=5.0)).move
    return set() if move is None else {move}
