"""Glicko-2: how strong somebody is who solves puzzles, and how sure that is.

After Mark E. Glickman, "Example of the Glicko-2 system" (2022). A puzzle plays like an opponent whose rating is known.

>>> after = rated(Rating(1500, 200, 0.06), [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)])
>>> round(after.value, 2), round(after.deviation, 2), round(after.volatility, 5)
(1464.05, 151.52, 0.06)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

SCALE: Final = 173.7178
"""What a point of the internal scale is worth."""
TAU: Final = 0.5
"""How freely the volatility changes."""
CLOSE: Final = 1e-6


@dataclass(frozen=True)
class Rating:
    """A rating: 95 times in 100 the strength is within two deviations of the value."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06

    def __str__(self) -> str:
        return f"{self.value:.0f} ± {2 * self.deviation:.0f}"


def expected(own: Rating, other: Rating) -> float:
    """The share of games that the first is expected to win."""
    return _expected((own.value - 1500) / SCALE, (other.value - 1500) / SCALE, _weight(other.deviation / SCALE))


def rated(own: Rating, results: Iterable[tuple[Rating, float]]) -> Rating:
    """The rating after one period with these opponents and scores: 1 for a win, 0 for a loss."""
    mean, spread = (own.value - 1500) / SCALE, own.deviation / SCALE
    information = gained = 0.0
    for other, score in results:
        weight = _weight(other.deviation / SCALE)
        chance = _expected(mean, (other.value - 1500) / SCALE, weight)
        information += weight * weight * chance * (1 - chance)
        gained += weight * (score - chance)
    if not information:
        return Rating(own.value, min(350.0, SCALE * math.hypot(spread, own.volatility)), own.volatility)
    variance = 1 / information
    volatility = _volatility(own.volatility, spread, variance, variance * gained)
    wider = math.hypot(spread, volatility)
    after = 1 / math.sqrt(1 / wider**2 + information)
    return Rating(1500 + SCALE * (mean + after * after * gained), SCALE * after, volatility)


def _weight(spread: float) -> float:
    return 1 / math.sqrt(1 + 3 * spread * spread / math.pi**2)


def _expected(mean: float, other: float, weight: float) -> float:
    return 1 / (1 + math.exp(-weight * (mean - other)))


def _volatility(before: float, spread: float, variance: float, change: float) -> float:
    """Where Glickman's function is zero, by the Illinois variant of regula falsi."""
    start = math.log(before * before)

    def slope(x: float) -> float:
        grown = math.exp(x)
        below = spread * spread + variance + grown
        return grown * (change * change - below) / (2 * below * below) - (x - start) / TAU**2

    left, right = start, _other_end(start, slope, change * change - spread * spread - variance)
    at_left, at_right = slope(left), slope(right)
    while abs(right - left) > CLOSE:
        middle = left + (left - right) * at_left / (at_right - at_left)
        found = slope(middle)
        if found * at_right <= 0:
            left, at_left = right, at_right
        else:
            at_left /= 2
        right, at_right = middle, found
    return math.exp(left / 2)


def _other_end(start: float, slope: Callable[[float], float], excess: float) -> float:
    if excess > 0:
        return math.log(excess)
    step = 1
    while slope(start - step * TAU) < 0:
        step += 1
    return start - step * TAU
