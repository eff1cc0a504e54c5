"""Elo ratings of many players from their games against one another.

>>> results = [PairResult(0, 1, 1.0), PairResult(0, 1, 0.5), PairResult(0, 1, 1.0), PairResult(1, 2, 0.75)]
>>> [round(rating.value) for rating in ratings(3, results)]
[190, -41, -149]

Bradley-Terry by maximum likelihood, centred on 0. One drawn game against a player of rating 0 is added for everybody,
so that a player who won everything still has a rating. Intervals count pairs of games, not games, and never promise
more than independent games would.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from arena.statistics import Estimate

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

_ELO = 400 / math.log(10)


class PairResult(NamedTuple):
    """What the first of two players scored a game, in a pair of games on one opening."""

    first: int
    second: int
    score: float
    games: int = 2


def ratings(players: int, results: Iterable[PairResult] | Mapping[PairResult, int]) -> list[Estimate]:
    """A rating for each player with its 95 % interval and its games, in their order.

    Many equal results may be given as a mapping to how often each occurred.
    """
    import numpy as np

    counted = Counter(results)
    games = np.zeros(players, dtype=int)
    for result, times in counted.items():
        games[result.first] += result.games * times
        games[result.second] += result.games * times
    strengths, spread = _fit(players, counted)
    values = strengths * _ELO
    errors = 1.959964 * _ELO * np.sqrt(spread)
    return [
        Estimate(None, -math.inf, math.inf, 0)
        if not games[i]
        else Estimate(float(values[i]), float(values[i] - errors[i]), float(values[i] + errors[i]), int(games[i]))
        for i in range(players)
    ]


def _fit(players: int, results: Mapping[PairResult, int]) -> tuple[Floats, Floats]:
    """Newton's method on a concave likelihood; the variances are of each strength against the mean of all."""
    import numpy as np

    design = np.zeros((len(results), players))
    for row, result in enumerate(results):
        design[row, result.first], design[row, result.second] = 1.0, -1.0
    scores = np.array([result.score for result in results])
    weights = np.array([result.games for result in results], dtype=float)
    times = np.array(list(results.values()), dtype=float)
    strengths = np.zeros(players)
    for _ in range(50):
        slopes, curvature = _slopes(design, scores, weights, times, strengths)
        drift = times @ slopes + 0.5 - _logistic(strengths)
        step = np.linalg.solve(curvature, drift)
        strengths = strengths + np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < 1e-9:
            break
    slopes, curvature = _slopes(design, scores, weights, times, strengths)
    centring = np.eye(players) - 1 / players
    inverse = np.linalg.inv(curvature)
    model, sandwich = inverse, inverse @ ((slopes.T * times) @ slopes) @ inverse
    spread = np.maximum(np.diag(centring @ model @ centring.T), np.diag(centring @ sandwich @ centring.T))
    return strengths - strengths.mean(), spread


def _slopes(design: Floats, scores: Floats, weights: Floats, times: Floats, strengths: Floats) -> tuple[Floats, Floats]:
    """The gradient of each kind of pair, and the curvature of all with that of the added draws."""
    import numpy as np

    expected = _logistic(design @ strengths)
    slopes = (weights * (scores - expected))[:, None] * design
    own = _logistic(strengths)
    curvature = (design.T * (times * weights * expected * (1 - expected))) @ design + np.diag(own * (1 - own))
    return slopes, curvature


def _logistic(x: Floats) -> Floats:
    import numpy as np

    return np.asarray(1 / (1 + np.exp(-x)))
