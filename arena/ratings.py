"""Elo ratings of many players from their games against one another.

>>> results = [PairResult(0, 1, 1.0), PairResult(0, 1, 0.5), PairResult(0, 1, 1.0), PairResult(1, 2, 0.75)]
>>> [round(rating.value) for rating in ratings(3, results)]
[190, -41, -149]

Bradley-Terry by maximum likelihood, centred on 0. One drawn game against a player of rating 0 is added for everybody,
so that a player who won everything still has a rating. Intervals count openings, not games: what happened on one
opening, turned or not, between whichever players, is one result, since all of it depends on the opening. They never
promise more than independent games would. Between two players alone they are those of :func:`arena.statistics.elo`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from arena.statistics import Estimate, OnOpening, Tally, elo, student

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
    opening: int = 0
    """Which opening it was; results with the same number are not independent."""


def ratings(players: int, results: Iterable[PairResult]) -> list[Estimate]:
    """A rating for each player with its 95 % interval and its games, in their order."""
    import numpy as np

    found = list(results)
    games = np.zeros(players, dtype=int)
    for result in found:
        games[result.first] += result.games
        games[result.second] += result.games
    strengths, errors = _fit(players, found)
    values = strengths * _ELO
    if players == 2 and found and all(result.games == 2 for result in found):
        return _two(found, float(values[0]))
    errors = errors * _ELO
    return [
        Estimate(None, -math.inf, math.inf, 0)
        if not games[i]
        else Estimate(float(values[i]), float(values[i] - errors[i]), float(values[i] + errors[i]), int(games[i]))
        for i in range(players)
    ]


def _two(results: Sequence[PairResult], fitted: float) -> list[Estimate]:
    """Half the difference to either side, so that a rating and a duel say the same; the fitted one if it has no end."""
    kinds, openings = [0] * 5, dict[int, OnOpening]()
    for result in results:
        halves = round(4 * (result.score if result.first == 0 else 1 - result.score))
        kinds[halves] += 1
        before = openings.get(result.opening, OnOpening(result.opening, 0, 0))
        openings[result.opening] = OnOpening(result.opening, before.pairs + 1, before.halves + halves)
    shared = tuple(openings.values()) if len(openings) < len(results) else ()
    found = elo(replace(Tally.of_pairs(*kinds), openings=shared))
    value = fitted if found.value is None or math.isinf(found.value) else found.value / 2
    half = Estimate(value, found.low / 2, found.high / 2, found.games)
    return [half, Estimate(-value, -half.high, -half.low, found.games)]


def _fit(players: int, results: Sequence[PairResult]) -> tuple[Floats, Floats]:
    """Newton's method on a concave likelihood; the half intervals are of each strength against the mean of all."""
    import numpy as np

    counted = Counter(results)
    kinds = list(Counter(result._replace(opening=0) for result in results))
    place = {kind: row for row, kind in enumerate(kinds)}
    design = np.zeros((len(kinds), players))
    for row, kind in enumerate(kinds):
        design[row, kind.first], design[row, kind.second] = 1.0, -1.0
    scores = np.array([kind.score for kind in kinds])
    weights = np.array([kind.games for kind in kinds], dtype=float)
    openings = sorted({result.opening for result in results})
    at = {opening: row for row, opening in enumerate(openings)}
    shares = np.zeros((len(openings), len(kinds)))
    for result, times in counted.items():
        shares[at[result.opening], place[result._replace(opening=0)]] += times
    times = shares.sum(axis=0)
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
    model = 1.959964 * np.sqrt(np.diag(centring @ inverse @ centring.T))
    if len(openings) < 2:
        return strengths - strengths.mean(), np.full(players, math.inf)
    drifts = shares @ slopes
    scatter = inverse @ (drifts.T @ drifts) @ inverse * len(openings) / (len(openings) - 1)
    clustered = student(len(openings) - 1) * np.sqrt(np.maximum(0.0, np.diag(centring @ scatter @ centring.T)))
    return strengths - strengths.mean(), np.maximum(model, clustered)


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
