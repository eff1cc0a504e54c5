"""How difficult puzzles are, measured: which of many players, weak and strong, find the win.

Each attempt of a player on a puzzle is a game between the two: found, the player has won; not found, the puzzle. The
ratings of both are fitted together, as Glicko does after many games: the likeliest under a normal prior of mean 1500,
with the deviation that remains. Ratings of puzzles are then predicted from their features (:mod:`puzzles.difficulty`).

>>> attempts = [(player, puzzle, player >= puzzle) for player in range(3) for puzzle in range(3)] * 9
>>> players, puzzles = fitted(3, 3, attempts)
>>> [rating.value for rating in players] == sorted(rating.value for rating in players)
True
>>> round(players[1].value) in range(1400, 1700), 50 < players[0].deviation < 300
(True, True)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from puzzles.suite import Level

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

Attempt = tuple[int, int, bool]
"""Which player, which puzzle, and whether the win was found."""

MEAN: Final = 1500.0
DEVIATION: Final = 400.0
"""Of the prior: what is supposed of a player or a puzzle before any attempt."""
_SCALE: Final = 400 / math.log(10)

PLAYERS: Final = (
    "random:seed=1",
    "minmax:depth=1",
    "level",
    "minmax:depth=2",
    "minmax:depth=3",
    "minmax:depth=4",
    "engine|30",
    "engine|100",
    "engine|300",
    "engine|1000",
    "engine|3000",
    "engine|10000",
    "solver|100",
    "solver|1000",
    "solver|10000",
)
"""Specs, those with a bar with so many nodes a move."""
CHECK_NODES: Final = 60_000
"""For the proof that a move still wins, be it the key or another."""
MOST_PLIES: Final = 40
SPARE: Final = 3
"""So many moves more than the shortest win takes may a player need."""


class Rating(NamedTuple):
    """A rating and its standard deviation."""

    value: float
    deviation: float


def solves(spec: str, level: Level) -> bool:
    """Whether a player finds the win and carries it through, against the defence that holds out longest."""
    from search import Limit, player

    name, _, nodes = spec.partition("|")
    chosen, limit = player(name), Limit(nodes=int(nodes)) if nodes else None
    chosen.new_game()
    board = level.board.copy(moves=False)
    for _ in range((level.length or MOST_PLIES) // 2 + SPARE):
        move = chosen.search(board.copy(), limit).move
        left = move and _win_by(board, move)
        if not left:
            return False
        if len(left) == 1:
            return True
        for cell in left[:2]:
            board.push(cell)
    return False


def _win_by(board: Board, move: Cell) -> tuple[Cell, ...] | None:
    """How the game goes on if the move wins, as far as the solver sees; the defender holds out as long as he can."""
    from search import Limit, solve

    others = [cell for cell in board.legal_moves() if cell != move]
    return solve(board.copy(moves=False), Limit(nodes=CHECK_NODES), without=others).pv or None


def tried(level: Level, players: Sequence[str] = PLAYERS) -> list[bool]:
    """Which of the players find the win: a unit of work."""
    return [solves(spec, level) for spec in players]


def fitted(players: int, puzzles: int, attempts: Iterable[Attempt]) -> tuple[list[Rating], list[Rating]]:
    """The ratings of players and of puzzles that explain the attempts best."""
    import numpy as np

    found = list(attempts)
    who = np.array([attempt[0] for attempt in found], dtype=int)
    what = np.array([attempt[1] for attempt in found], dtype=int) + players
    won = np.array([attempt[2] for attempt in found], dtype=float)
    size, prior = players + puzzles, (_SCALE / DEVIATION) ** 2
    strengths, curvature = np.zeros(size), np.eye(size)
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[what] - strengths[who]))
        drift = -prior * strengths
        np.add.at(drift, who, won - expected)
        np.add.at(drift, what, expected - won)
        weight = expected * (1 - expected)
        curvature = prior * np.eye(size)
        for one, other, sign in ((who, who, 1), (what, what, 1), (who, what, -1), (what, who, -1)):
            np.add.at(curvature, (one, other), sign * weight)
        step = np.linalg.solve(curvature, drift)
        strengths = strengths + np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < 1e-9:
            break
    errors = np.sqrt(np.diag(np.linalg.inv(curvature)))
    ratings = [Rating(float(MEAN + _SCALE * s), float(_SCALE * e)) for s, e in zip(strengths, errors, strict=True)]
    return ratings[:players], ratings[players:]


class Prediction(NamedTuple):
    """Weights by which ratings follow from features, and how well they do."""

    base: float
    weights: dict[str, float]
    explained: float
    """The share of the variance of ratings that features account for, on puzzles left out of the fit."""
    error: float
    """The typical error of a rating predicted for a puzzle left out."""


def predicted(rows: Sequence[Mapping[str, float]], ratings: Sequence[Rating], ridge: float = 20.0) -> Prediction:
    """Fit ratings to what is known of the puzzles, each weighted by how sure its rating is.

    How well that does is judged on a tenth of the puzzles at a time, which is left out of the fit.
    """
    import numpy as np

    names = list(rows[0])
    features = np.array([[float(row[name]) for name in names] for row in rows])
    values = np.array([rating.value for rating in ratings])
    weights = 1 / np.array([rating.deviation for rating in ratings]) ** 2
    mean, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1.0
    scaled = (features - mean) / spread
    guesses = np.zeros(len(values))
    for fold in range(10):
        out = np.arange(len(values)) % 10 == fold
        base, slopes = _ridge(scaled[~out], values[~out], weights[~out], ridge)
        guesses[out] = base + scaled[out] @ slopes
    base, slopes = _ridge(scaled, values, weights, ridge)
    slopes = slopes / spread
    centre = float(np.average(values, weights=weights))
    missed = float(np.average((values - guesses) ** 2, weights=weights))
    spread_of_values = float(np.average((values - centre) ** 2, weights=weights))
    return Prediction(
        float(base - mean @ slopes),
        {name: float(slope) for name, slope in zip(names, slopes, strict=True)},
        1 - missed / spread_of_values if spread_of_values else 0.0,
        math.sqrt(missed),
    )


def _ridge(features: Floats, values: Floats, weights: Floats, ridge: float) -> tuple[float, Floats]:
    import numpy as np

    share = weights / weights.sum()
    base, centre = float(share @ values), share @ features
    moved = features - centre
    curvature = moved.T @ (share[:, None] * moved) + ridge / len(values) * np.eye(features.shape[1])
    slopes = np.linalg.solve(curvature, moved.T @ (share * (values - base)))
    return base - float(centre @ slopes), slopes
