"""How well an evaluator orders moves: where the moves that are proven to win stand in its ranking.

A ranking is by gain: what a stone changes the score. Learned tables know a second one, their priors.

>>> from puzzles import load
>>> recall = ordering_recall(load("huanle"), "grade_dict")
>>> recall.levels, recall.top[10] > 0.5
(20, True)
>>> ordering_recall(load("huanle"), "cell", priors=True).evaluator
'cell prior'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from puzzles.suite import Level

if TYPE_CHECKING:
    from gomoku_patterns.evaluator import EvaluatorBase
    from gomoku_patterns.native import NativeEvaluator
    from search.result import Limit

TOPS = (1, 5, 10)


class Rank(NamedTuple):
    """Where the first winning move stands in a ranking whose ties are broken by chance.

    ``rank`` is its expected rank, ``tops`` the chance that it is among the first 1, 5 and 10, ``reciprocal`` the
    expectation of one over its rank. Without ties these are the rank, 0 or 1, and one over the rank.

    >>> Rank.among(better=0, equal=1, wins=1)
    Rank(rank=1.0, tops=(1.0, 1.0, 1.0), reciprocal=1.0)
    >>> Rank.among(better=0, equal=4, wins=1)
    Rank(rank=2.5, tops=(0.25, 1.0, 1.0), reciprocal=0.5208)
    """

    rank: float
    tops: tuple[float, ...]
    reciprocal: float

    @classmethod
    def among(cls, better: int, equal: int, wins: int) -> Rank:
        """The rank where ``better`` moves stand before ``equal`` ones of the same gain, ``wins`` of which win."""
        whole = comb(equal, wins)
        at = [comb(equal - place, wins - 1) / whole for place in range(1, equal - wins + 2)]
        tops = tuple(round(sum(at[: max(0, top - better)]), 6) for top in TOPS)
        reciprocal = sum(chance / (better + place) for place, chance in enumerate(at, 1))
        return cls(round(better + (equal + 1) / (wins + 1), 4), tops, round(reciprocal, 4))


@dataclass(frozen=True)
class Recall:
    """An evaluator's ordering on a suite.

    ``top[k]`` is the share of levels with a winning move among the first k of the ranking, ``mrr`` the mean of one over
    the rank of the first winning move, ``ranks`` that rank for each level. Moves of equal gain share their places: each
    figure is what is expected if chance decides between them. Levels without a proven win are left out.
    """

    evaluator: str
    levels: int
    top: Mapping[int, float]
    mrr: float
    ranks: Mapping[int, float]
    unproven: tuple[int, ...] = ()

    @classmethod
    def of(cls, evaluator: str, ranks: Mapping[int, Rank | None]) -> Recall:
        """What these levels' ranks amount to; None is a level without a proven win."""
        known = {number: rank for number, rank in ranks.items() if rank is not None}
        count = max(1, len(known))
        top = {k: sum(rank.tops[place] for rank in known.values()) / count for place, k in enumerate(TOPS)}
        mrr = sum(rank.reciprocal for rank in known.values()) / count
        unproven = tuple(number for number in ranks if number not in known)
        return cls(evaluator, len(known), top, mrr, {number: rank.rank for number, rank in known.items()}, unproven)

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


def ordering_recall(
    suite: Iterable[Level], evaluator: Any, *, limit: Limit | None = None, priors: bool = False
) -> Recall:
    """Where the winning moves of a suite's levels stand in an evaluator's ranking.

    Winning moves are those the suite lists in ``wins``, or else the one that the solver proves within ``limit``.
    ``evaluator`` is anything that ``as_evaluator`` takes: a table's name, a TOML file, a user's own object. With
    ``priors`` the ranking is that of a learned table's priors instead of its gains.
    """
    from gomoku_patterns.evaluator import as_evaluator
    from gomoku_patterns.native import native_evaluator

    if priors:
        learned = native_evaluator(evaluator)
        ranks = {level.number: _rank(level, _priors(learned, level.board), limit) for level in suite}
        return Recall.of(f"{learned.name} prior", ranks)
    judge = as_evaluator(evaluator)
    return Recall.of(judge.name, {level.number: level_rank(level, judge, limit) for level in suite})


def level_rank(level: Level, judge: EvaluatorBase, limit: Limit | None = None) -> Rank | None:
    """Where a level's winning moves stand in an evaluator's ranking; None where no win is known or proven."""
    return _rank(level, _worths(judge, level.board), limit)


def _rank(level: Level, worth: Mapping[Cell, int], limit: Limit | None) -> Rank | None:
    wins = set(level.wins) or _proven(level.board, limit)
    values = [worth[cell] for cell in wins if cell in worth]
    if not values:
        return None
    best = max(values)
    better, equal = (sum(map(test, worth.values())) for test in (best.__lt__, best.__eq__))
    return Rank.among(better, equal, values.count(best))


def _worths(judge: EvaluatorBase, board: Board) -> dict[Cell, int]:
    """What each empty cell is worth to the side to move; an object's own ranking has no ties."""
    if callable(getattr(getattr(judge, "subject", None), "ranked", None)):
        return {cell: -place for place, cell in enumerate(judge.ranked(board))}
    gains = judge.gains(board).tolist()
    return {cell: board.turn.sign * int(gains[cell.row][cell.col]) for cell in board.empties()}


def _priors(learned: NativeEvaluator, board: Board) -> dict[Cell, int]:
    """How likely the side to move's best move is each empty cell."""
    priors = learned.priors(board).tolist()
    return {cell: int(priors[cell.row][cell.col]) for cell in board.empties()}


def _proven(board: Board, limit: Limit | None) -> set[Cell]:
    from search.result import Limit as Bound
    from search.solver import solve

    move = solve(board, limit or Bound(seconds=5.0)).move
    return set() if move is None else {move}
