"""What a match says, and what it does not: scores, Elo with intervals, likelihood of superiority, SPRT.

Games come in pairs on the same opening with colours swapped, so the pair is what is counted: five outcomes, from two
losses to two wins. Treating the two games as independent overstates the evidence when openings favour a colour. Where
an opening is played by several pairs, turned and mirrored, the opening is what is counted: its repeats say little new.

>>> tally = Tally.of_pairs(34, 54, 63, 64, 75)
>>> tally.games, tally.score
(580, 0.5793103448275863)
>>> print(elo(tally))
+55.6 Elo (95 %: +27.9 to +83.4; 580 games)
>>> print(elo(Tally.of_pairs(0, 1, 4, 2, 1)))
+65.9 Elo (95 %: -77.5 to +230.0; 16 games), not significant

Intervals and tests come from one place, the likelihood ratio of a multinomial whose mean is held fixed (Owen 1988;
Van den Bergh, *Comments on Normalized Elo*): it needs no variance, so a match of wins only has an honest interval.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from gomoku_patterns.errors import ArenaError

ELO_PER_NAT = 800 / math.log(10)
_BEYOND = 2000.0
_UNSEEN = 1e-3
_NO_TARGET = 1e-12
_STEPS = 16
_WIDEST = 1000


class OnOpening(NamedTuple):
    """The pairs of games on one opening: how many, and their points in halves, four for two wins."""

    number: int
    pairs: int
    halves: int


@dataclass(frozen=True)
class Tally:
    """Results as one player sees them: games won, drawn and lost, and the pairs among them.

    ``pairs`` counts pairs of games by points: 0, 1/2, 1, 3/2, 2. A game whose partner is not finished is counted in
    the games alone. ``openings`` says which pairs share an opening; it is empty where no two pairs do.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    openings: tuple[OnOpening, ...] = ()

    def __post_init__(self) -> None:
        counts = (self.wins, self.draws, self.losses, *self.pairs)
        if len(self.pairs) != 5 or any(not isinstance(count, int) or count < 0 for count in counts):
            raise ArenaError(f"results are counts from 0, with five kinds of pairs, not {counts!r}")
        if self.openings and sum(one.pairs for one in self.openings) != sum(self.pairs):
            raise ArenaError(f"the openings have other pairs than the {sum(self.pairs)} that were counted")

    @classmethod
    def of_pairs(cls, *pairs: int) -> Tally:
        """The tally of these pairs; the middle kind is taken as one win and one loss."""
        kinds = tuple(pairs)
        if len(kinds) != 5:
            raise ArenaError(f"there are five kinds of pairs, not {kinds!r}")
        wins = 2 * kinds[4] + kinds[3] + kinds[2]
        losses = 2 * kinds[0] + kinds[1] + kinds[2]
        return cls(wins, kinds[1] + kinds[3], losses, (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def score(self) -> float | None:
        """Points a game, or None before the first."""
        return self.points / self.games if self.games else None

    @property
    def reversed(self) -> Tally:
        """The same games as the opponent sees them."""
        low, half, even, most, full = self.pairs
        openings = tuple(one._replace(halves=4 * one.pairs - one.halves) for one in self.openings)
        return Tally(self.losses, self.draws, self.wins, (full, most, even, half, low), openings)

    def __add__(self, other: Tally) -> Tally:
        one, two, three, four, five = (a + b for a, b in zip(self.pairs, other.pairs, strict=True))
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            (one, two, three, four, five),
            self._openings_with(other),
        )

    def _openings_with(self, other: Tally) -> tuple[OnOpening, ...]:
        """The openings of both; openings of the same number are the same opening."""
        for one, two in ((self, other), (other, self)):
            if one.openings and sum(two.pairs) and not two.openings:
                raise ArenaError("only one of two results says which pairs share an opening: they cannot be added")
        found = {one.number: one for one in self.openings}
        for number, pairs, halves in other.openings:
            before = found.get(number, OnOpening(number, 0, 0))
            found[number] = OnOpening(number, before.pairs + pairs, before.halves + halves)
        return tuple(found.values())

    def sample(self) -> Sample:
        """What the statistics rest on: the openings, pairs where no two share one, or single games without a pair."""
        return _sample_of_openings(self.openings) if self.openings else self.sample_of_games()

    def sample_of_games(self) -> Sample:
        """The pairs as if none shared an opening, or the single games when there is no pair."""
        if sum(self.pairs):
            return Sample(self.pairs, _KINDS, 2)
        return Sample((self.losses, self.draws, self.wins), (0.0, 0.5, 1.0), 1)


_KINDS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The points a game of the five kinds of pairs."""


@dataclass(frozen=True)
class Sample:
    """Independent results: how often each value between 0 and 1 occurred, as the mean of about ``games`` games.

    ``weights`` are the games of each result as shares of ``games``; without them all have the same.
    """

    counts: tuple[int, ...]
    values: tuple[float, ...]
    games: float
    weights: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return 0.5 + sum(count * lead for count, lead in zip(self.counts, self.leads(0.5), strict=True)) / self.size

    @property
    def deviation(self) -> float:
        leads = self.leads(self.mean)
        return math.sqrt(sum(count * lead**2 for count, lead in zip(self.counts, leads, strict=True)) / self.size)

    def leads(self, score: float) -> list[float]:
        """What each result is above a score; results of more games weigh more."""
        if not self.weights:
            return [value - score for value in self.values]
        return [weight * (value - score) for value, weight in zip(self.values, self.weights, strict=True)]


def _sample_of_openings(openings: Sequence[OnOpening]) -> Sample:
    """Each opening as one result; the kinds of a single pair are there too, so that a sweep leaves room for doubt."""
    mean = sum(one.pairs for one in openings) / len(openings)
    counted = Counter((one.halves / one.pairs / 4, one.pairs / mean) for one in openings)
    kinds = sorted({*counted, *((value, 1.0) for value in _KINDS)})
    values, weights = zip(*kinds, strict=True)
    return Sample(tuple(counted[kind] for kind in kinds), values, 2 * mean, weights)


def design_effect(tally: Tally) -> float:
    """By how much the variance of the score is larger than if all pairs had been on openings of their own.

    It lies between 1 and the pairs of an opening; it is the latter where nothing scattered, since repeats may be all
    that was seen.
    """
    if not tally.openings:
        return 1.0
    openings, pairs = tally.sample(), tally.sample_of_games()
    most = sum(one.pairs**2 for one in tally.openings) / pairs.size
    if not pairs.deviation:
        return most
    return min(most, max(1.0, openings.deviation**2 / openings.size * pairs.size / pairs.deviation**2))


@dataclass(frozen=True)
class Estimate:
    """A rating difference with its 95 % interval, and the number of games it rests on.

    ``value`` is None without games, infinite when one side took every point; so may the bounds be.
    """

    value: float | None
    low: float
    high: float
    games: int
    unit: str = "Elo"

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out "equally strong"."""
        return self.low > 0 or self.high < 0

    def json(self) -> dict[str, object]:
        """For JSON, which has no infinity: None stands for it."""
        return {
            "value": finite(self.value),
            "low": finite(self.low),
            "high": finite(self.high),
            "games": self.games,
            "significant": self.significant,
        }

    def __str__(self) -> str:
        if self.value is None:
            return f"no {self.unit}: no games"
        interval = f"95 %: {signed(self.low)} to {signed(self.high)}; {self.games} games"
        return f"{signed(self.value)} {self.unit} ({interval})" + ("" if self.significant else ", not significant")


def signed(value: float) -> str:
    """A figure with its sign: ``+55.6``, ``-∞``."""
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{round(value, 1) + 0.0:+.1f}"


def finite(value: float | None, digits: int = 2) -> float | None:
    """The rounded value, or None for what JSON cannot say."""
    return None if value is None or not math.isfinite(value) else round(value, digits)


# ------------------------------------------------------------------ Elo


def elo_of_score(score: float) -> float:
    """The rating difference that expects this score; infinite at 0 and 1, and where the difference means nothing."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    value = -400 * math.log10(1 / score - 1)
    return value if abs(value) < _BEYOND else math.copysign(math.inf, value)


def score_of_elo(difference: float) -> float:
    """The score that a rating difference expects."""
    return 1 / (1 + 10 ** (-difference / 400))


def elo(tally: Tally) -> Estimate:
    """The logistic Elo difference with its 95 % interval."""
    sample = tally.sample_of_games()
    if not sample.size:
        return Estimate(None, -math.inf, math.inf, 0)
    low, high = score_bounds(tally)
    return Estimate(elo_of_score(sample.mean), elo_of_score(low), elo_of_score(high), _games(sample))


def _games(sample: Sample) -> int:
    return round(sample.size * sample.games)


def normalised_elo(tally: Tally) -> Estimate:
    """The difference in units of the standard deviation of a game: what decides how long a test takes.

    Without any spread in the results (all won, all drawn) only its sign is known.
    """
    sample = tally.sample_of_games()
    if not sample.size:
        return Estimate(None, -math.inf, math.inf, 0, "nElo")
    games = _games(sample)
    lead, spread = sample.mean - 0.5, sample.deviation * math.sqrt(sample.games)
    if not spread:
        low, high = (_lone_nelo(sample, bound) for bound in score_bounds(tally))
        value = math.copysign(math.inf, lead) if lead else 0.0
        return Estimate(value, min(low, value), max(high, value), games, "nElo")
    value = lead / spread * ELO_PER_NAT
    error = student(tally.sample().size - 1) * ELO_PER_NAT / math.sqrt(games / design_effect(tally))
    return Estimate(value, value - error, value + error, games, "nElo")


def _lone_nelo(sample: Sample, bound: float) -> float:
    """The nElo at a bound when all results are equal: the likeliest mean there mixes them with an extreme result."""
    if math.isinf(elo_of_score(bound)):
        return math.copysign(math.inf, bound - 0.5)
    extreme = 0.0 if bound < sample.mean else 1.0
    share = (bound - sample.mean) / (extreme - sample.mean)
    spread = math.sqrt(share * (1 - share) * sample.games) * abs(extreme - sample.mean)
    return (bound - 0.5) / spread * ELO_PER_NAT


def superiority(tally: Tally) -> float | None:
    """How likely it is that the first player is the stronger one (LOS); None without games."""
    if not tally.games:
        return None
    root = min(_root(sample) for sample in _samples(tally))
    return NormalDist().cdf(math.copysign(root, tally.sample().mean - 0.5))


def _root(sample: Sample) -> float:
    """How far the results are from even, in standard deviations."""
    return math.sqrt(2 * sample.size * _divergence(sample, 0.5))


def _samples(tally: Tally) -> list[Sample]:
    """The openings; and the pairs too, since pairs that share openings never show more than pairs that share none."""
    return [tally.sample(), *([tally.sample_of_games()] if tally.openings else [])]


def score_bounds(tally: Tally) -> tuple[float, float]:
    """The 95 % interval of the score."""
    lows, highs = zip(*map(score_interval, _samples(tally)), strict=True)
    return min(lows), max(highs)


def score_interval(sample: Sample) -> tuple[float, float]:
    """The mean scores that the sample does not refute at 95 %.

    The likelihood ratio is held against Student's rather than the normal quantile, which keeps the promise for small
    matches; a single pair refutes nothing.
    """
    threshold = student(sample.size - 1) ** 2 / 2 / sample.size
    if math.isinf(threshold):
        return 0.0, 1.0

    def refuted(score: float) -> bool:
        return _divergence(sample, score) > threshold

    return _edge(sample.mean, 0.0, refuted), _edge(sample.mean, 1.0, refuted)


def _edge(inside: float, outside: float, refuted: Callable[[float], bool]) -> float:
    if inside == outside:
        return outside
    for _ in range(40):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if refuted(middle) else (middle, outside)
    return inside


def _divergence(sample: Sample, score: float) -> float:
    """Log-likelihood lost for each result when the mean is forced to ``score``."""
    if score in (0.0, 1.0):
        return 0.0 if sample.mean == score else math.inf
    probabilities = [count / sample.size for count in sample.counts]
    return max(0.0, _dual(probabilities, sample.leads(score))[0])


def _dual(probabilities: Sequence[float], offsets: Sequence[float]) -> tuple[float, float]:
    """The maximum of sum p log(1 + x d), and the x that gives it; there are offsets d of both signs.

    The fit p / (1 + x d) is a distribution, so none of its parts is above 1: no 1 + x d is below its p.
    """
    pairs = list(zip(probabilities, offsets, strict=True))
    terms = [(p, d) for p, d in pairs if p]
    low, high = max((p - 1) / d for p, d in pairs if d > 0), min((p - 1) / d for p, d in pairs if d < 0)
    for _ in range(50):
        x = (low + high) / 2
        slope = sum(p * d / (1 + x * d) for p, d in terms)
        low, high = (x, high) if slope > 0 else (low, x)
    x = (low + high) / 2
    return sum(p * math.log1p(x * d) for p, d in terms), x


def _ratio_divergence(probabilities: list[float], units: list[float], target: float) -> float:
    """Log-likelihood lost for each result when the ratio of mean and deviation is forced to ``target``.

    ``units`` are the results u above 1/2. A target t > 0 says E u = r rms(u), r = t / sqrt(1 + t^2). For any a the
    condition E u = r (E u^2 / a + a) / 2 is linear; its right side is nowhere below r rms(u), and equal to it at a =
    rms(u). So the loss under it is at least the one asked for where the results fall short of the target, and at most
    that where they go beyond it; the best a has the loss asked for. The condition can be met where a lies within a
    factor of exp(asinh(1 / t)) of a u > 0. For large targets these ranges are apart, and each has a best a of its own.
    """
    if target < 0:
        units, target = [-unit for unit in units], -target
    if target < _NO_TARGET:
        return _dual(probabilities, units)[0]
    share, reach = target / math.hypot(1, target), math.asinh(1 / target)
    spread = _root_mean_square(probabilities, units)
    beyond = sum(p * u for p, u in zip(probabilities, units, strict=True)) > share * spread

    def loss(a: float) -> tuple[float, float]:
        """The loss for this a, and the root mean square of its fit: the best a lies on that side."""
        offsets = [u - share * (u * u / a + a) / 2 for u in units]
        if max(offsets) <= 0:
            return 0.0 if beyond else math.inf, spread
        divergence, x = _dual(probabilities, offsets)
        if beyond and x <= 0:
            return 0.0, spread
        fit = [p / (1 + x * d) for p, d in zip(probabilities, offsets, strict=True)]
        return divergence, _root_mean_square(fit, units)

    losses = [loss(a)[0] for low, high in _ranges(units, reach) for a in _turns(lambda a: loss(a)[1], low, high)]
    return max(losses) if beyond else min(losses)


def _ranges(units: list[float], reach: float) -> list[tuple[float, float]]:
    """Where a root mean square within a factor of exp(reach) of a positive unit can be, in pieces that are apart."""
    found: list[tuple[float, float]] = []
    for unit in sorted(unit for unit in units if unit > 0):
        low, high = unit * math.exp(-reach), min(unit * math.exp(reach), max(units))
        if found and low < found[-1][1]:
            low = found.pop()[0]
        found.append((low, high))
    return found


def _turns(spread: Callable[[float], float], low: float, high: float) -> list[float]:
    """Where between the two ``spread`` comes down through its argument; it is above at ``low``, not at ``high``."""
    edges = [low * (high / low) ** (step / _STEPS) for step in range(_STEPS + 1)]
    above = [True, *(spread(edge) > edge for edge in edges[1:-1]), False]
    falls = [step for step in range(_STEPS) if above[step] and not above[step + 1]]
    return [_turn(spread, edges[step], edges[step + 1]) for step in falls]


def _turn(spread: Callable[[float], float], low: float, high: float) -> float:
    """Where between the two it comes down: what ``spread`` says is tried in turn with the middle."""
    hint = low
    for turn in range(100):
        a = hint if turn % 2 and low < hint < high else math.sqrt(low * high)
        hint = spread(a)
        low, high = (a, high) if hint > a else (low, a)
        if min(high - low, abs(hint - a)) <= 1e-12 * a:
            break
    return a


def _root_mean_square(probabilities: list[float], units: list[float]) -> float:
    return math.sqrt(sum(p * u * u for p, u in zip(probabilities, units, strict=True)))


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution (Cornish-Fisher; exact for one and two degrees of freedom)."""
    if freedom < 1:
        return math.inf
    if freedom == 1:
        return math.tan(0.475 * math.pi)
    if freedom == 2:
        return 0.95 * math.sqrt(2 / (1 - 0.95**2))
    z = NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


# ------------------------------------------------------------------ many comparisons, shares


def p_value(tally: Tally) -> float | None:
    """How likely results at least this far from even are between equals; None without games.

    It is below 0.05 exactly where the 95 % interval of :func:`elo` leaves out 0.
    """
    if not tally.games:
        return None
    if tally.sample().size < 2:
        return 1.0
    return max(two_sided(_root(sample), sample.size - 1) for sample in _samples(tally))


def two_sided(t: float, freedom: int) -> float:
    """How likely Student's variable is further from 0 than ``t``.

    >>> round(two_sided(12.706, 1), 4), round(two_sided(2.086, 20), 4), two_sided(0, 7)
    (0.05, 0.05, 1.0)
    """
    angle = math.atan(abs(t) / math.sqrt(freedom))
    cosine, sine = math.cos(angle), math.sin(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = term if freedom > 1 else 0.0
    for number in range(2 + odd, freedom, 2):
        term *= cosine * cosine * (number - 1) / number
        total += term
    inside = 2 / math.pi * (angle + sine * total) if odd else sine * total
    return min(1.0, max(0.0, 1 - inside))


def holm(values: Sequence[float]) -> list[float]:
    """The p-values of many comparisons, corrected so that all of them together err once in twenty at 0.05 (Holm 1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(values)), key=lambda index: values[index])
    corrected, highest = [1.0] * len(values), 0.0
    for place, index in enumerate(order):
        highest = max(highest, min(1.0, values[index] * (len(values) - place)))
        corrected[index] = highest
    return corrected


PAIR_DEVIATION = 0.35
"""The standard deviation of a pair's score that plans reckon with; in matches of unlike players it is 0.3 to 0.4."""


def least_pairs(comparisons: int) -> int:
    """Return with how few pairs even a player that wins all of them is significantly better, among many comparisons.

    >>> least_pairs(1), least_pairs(36)
    (6, 13)
    """
    pairs = 2
    while (p_value(Tally.of_pairs(0, 0, 0, 0, pairs)) or 0.0) * comparisons >= 0.05:
        pairs += 1
    return pairs


def pairs_to_tell(difference: float, comparisons: int) -> int:
    """Return how many pairs show an Elo difference in four matches of five, among many comparisons.

    >>> pairs_to_tell(100, 1), pairs_to_tell(100, 36)
    (50, 102)
    """
    normal = NormalDist()
    distance = normal.inv_cdf(1 - 0.025 / max(1, comparisons)) + normal.inv_cdf(0.8)
    return math.ceil((distance * PAIR_DEVIATION / (score_of_elo(difference) - 0.5)) ** 2)


def wilson(successes: float, trials: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927); from 0 to 1 where nothing was tried.

    >>> low, high = wilson(9, 10)
    >>> round(low, 3), round(high, 3)
    (0.596, 0.982)
    """
    if not trials:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.975)
    share, weight = successes / trials, z * z / trials
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / trials + weight / trials / 4) / (1 + weight)
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def mean_interval(values: Sequence[float]) -> tuple[float, float, float]:
    """The mean of values between 0 and 1 with its 95 % interval by Student's distribution."""
    count = len(values)
    if not count:
        return 0.0, 0.0, 1.0
    mean = math.fsum(values) / count
    if count < 2:
        return mean, 0.0, 1.0
    half = student(count - 1) * math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1) / count)
    return mean, max(0.0, mean - half), min(1.0, mean + half)


def sign_test(better: int, worse: int) -> float:
    """How likely a split of paired comparisons at least this uneven is by chance; those that are equal do not count.

    >>> sign_test(0, 0), round(sign_test(1, 9), 4)
    (1.0, 0.0215)
    """
    total = better + worse
    few = min(better, worse)
    tail = sum(math.comb(total, count) for count in range(few + 1))
    return min(1.0, float(2 * tail / 2**total))


# ------------------------------------------------------------------ SPRT


@dataclass(frozen=True)
class Sprt:
    """A sequential test of "stronger by ``elo1``" against "stronger by ``elo0``" with given error rates.

    >>> test = Sprt(0, 2)
    >>> state = test.judge(Tally.of_pairs(365, 16618, 36229, 16974, 390))
    >>> print(state)
    LLR 2.25 in (-2.94, 2.94), nElo 0 against 2: undecided after 141152 games

    ``model`` says what the bounds are: ``normalized`` Elo (the default: the length of the test does not depend on how
    often games are drawn) or ``logistic`` Elo.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if not -_WIDEST <= self.elo0 < self.elo1 <= _WIDEST:
            found = f"{self.elo0!r} and {self.elo1!r}"
            raise ArenaError(f"a test has two Elo bounds from -{_WIDEST} to {_WIDEST}, the lower first, not {found}")
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise ArenaError(f"error rates are above 0, and below 1 in sum, not {self.alpha!r} and {self.beta!r}")
        if self.model not in ("normalized", "logistic"):
            raise ArenaError(f"the model of a test is 'normalized' or 'logistic', not {self.model!r}")

    @classmethod
    def parse(cls, text: str, model: str = "normalized") -> Sprt:
        """The test meant by ``elo0,elo1`` or ``elo0,elo1,alpha,beta``."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise ArenaError(f"cannot read the test {text!r}; write ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA")
        elo0, elo1, alpha, beta = (*numbers, 0.05, 0.05)[:4]
        return cls(elo0, elo1, alpha, beta, model)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """The generalised log-likelihood ratio of the two hypotheses; 0 without games."""
        sample = tally.sample()
        if not sample.size:
            return 0.0
        # Results never seen count as a thousandth, so that a match of wins only has a finite ratio.
        counts = [count or _UNSEEN for count in sample.counts]
        total = sum(counts)
        probabilities = [count / total for count in counts]
        if self.model == "logistic":
            fit0, fit1 = (self._logistic(probabilities, sample, bound) for bound in (self.elo0, self.elo1))
        else:
            # The bounds are in deviations of a game, whatever its opening: those of openings are larger.
            games = sample.games / design_effect(tally)
            fit0, fit1 = (self._normalized(probabilities, sample, bound, games) for bound in (self.elo0, self.elo1))
        return total * (fit0 - fit1)

    @staticmethod
    def _logistic(probabilities: list[float], sample: Sample, bound: float) -> float:
        return _dual(probabilities, sample.leads(score_of_elo(bound)))[0]

    @staticmethod
    def _normalized(probabilities: list[float], sample: Sample, bound: float, games: float) -> float:
        return _ratio_divergence(probabilities, sample.leads(0.5), bound / ELO_PER_NAT * math.sqrt(games))

    def judge(self, tally: Tally) -> SprtState:
        return SprtState(self, self.llr(tally), _games(tally.sample_of_games()))


@dataclass(frozen=True)
class SprtState:
    """Where a sequential test stands."""

    test: Sprt
    llr: float
    games: int

    @property
    def accepted(self) -> str | None:
        """``"H0"``, ``"H1"``, or None while undecided."""
        low, high = self.test.bounds
        return "H0" if self.llr <= low else "H1" if self.llr >= high else None

    def json(self) -> dict[str, object]:
        low, high = self.test.bounds
        return {
            "elo0": self.test.elo0,
            "elo1": self.test.elo1,
            "model": self.test.model,
            "alpha": self.test.alpha,
            "beta": self.test.beta,
            "llr": round(self.llr, 3),
            "bounds": [round(low, 3), round(high, 3)],
            "accepted": self.accepted,
            "games": self.games,
        }

    def __str__(self) -> str:
        low, high = self.test.bounds
        unit = "nElo" if self.test.model == "normalized" else "Elo"
        said = f"{self.accepted} accepted" if self.accepted else "undecided"
        interval = f"LLR {round(self.llr, 2) + 0.0:.2f} in ({low:.2f}, {high:.2f})"
        return f"{interval}, {unit} {self.test.elo0:g} against {self.test.elo1:g}: {said} after {self.games} games"
