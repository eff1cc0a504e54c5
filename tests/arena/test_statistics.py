"""Statistics: published examples, corners, and simulations that hold the promises to account."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.match import MatchPlan
from arena.ratings import PairResult, ratings
from arena.standings import Standings
from arena.statistics import (
    OnOpening,
    Sprt,
    Tally,
    design_effect,
    elo,
    elo_of_score,
    holm,
    normalised_elo,
    p_value,
    score_interval,
    score_of_elo,
    sign_test,
    student,
    superiority,
    two_sided,
    wilson,
)
from gomoku_patterns import Board
from gomoku_patterns.errors import ArenaError

# fastchess, app/tests/sprt_test.cpp (MIT): pairs LL, LD, WL+DD, WD, WW; bounds; model; LLR.
PUBLISHED_LLR = [
    ((365, 16618, 36229, 16974, 390), (0, 2), "normalized", 2.25),
    ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), "normalized", 3.01),
    ((223, 9863, 21279, 10037, 246), (0.5, 2.5), "logistic", -3.07),
    ((871, 26175, 55983, 26678, 821), (0, 2), "logistic", -4.98),
    # OpenBench results as posted: cosmobobak/viridithas pull requests 292, 299, 196 and 210.
    ((584, 11950, 25215, 11975, 596), (0, 3), "normalized", -2.96),
    ((32, 2396, 5561, 2604, 37), (0, 3), "normalized", 2.99),
    ((51, 648, 1441, 809, 76), (0, 3), "normalized", 2.97),
    ((189, 845, 1540, 899, 214), (-5, 0), "normalized", 2.98),
]

# fastchess, app/tests/elo_test.cpp (MIT): Elo and nElo with their half intervals, LOS in per cent.
PUBLISHED_PAIRS = [
    ((34, 54, 63, 64, 75), (55.58, 27.65, 57.94, 28.28, 100.00)),
    ((332, 433, 498, 333, 334), (-8.64, 10.33, -9.17, 10.96, 5.05)),
    ((7895, 8757, 5685, 568, 9999), (-21.04, 2.95, -19.01, 2.65, 0.00)),
]

# OpenBench, same sources and byte-knight pull request 168: games and Elo with its half interval.
OPENBENCH_ELO = [
    ((584, 11950, 25215, 11975, 596), 100640, 0.17, 1.15),
    ((32, 2396, 5561, 2604, 37), 21260, 3.56, 2.33),
    ((51, 648, 1441, 809, 76), 6050, 12.12, 4.98),
    ((19, 120, 346, 223, 28), 1472, 28.62, 10.58),
]

kinds = st.tuples(*[st.integers(0, 60)] * 5)


@pytest.mark.parametrize(("pairs", "bounds", "model", "expected"), PUBLISHED_LLR)
def test_log_likelihood_ratios_are_the_published_ones(pairs, bounds, model, expected) -> None:
    assert Sprt(*bounds, model=model).llr(Tally.of_pairs(*pairs)) == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize(
    ("tally", "bounds", "model", "expected"),
    [
        # fastchess, the same file: games that are not in pairs; wins, draws, losses.
        (Tally(36433, 68692, 36027), (0, 2), "normalized", 0.92),
        (Tally(10871, 20431, 10650), (-1.75, 0.25), "normalized", 2.30),
        (Tally(21404, 40708, 21184), (0.5, 2.5), "logistic", -1.57),
    ],
)
def test_single_games_give_the_published_ratio_too(tally, bounds, model, expected) -> None:
    assert Sprt(*bounds, model=model).llr(tally) == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize(("pairs", "figures"), PUBLISHED_PAIRS)
def test_elo_and_normalised_elo_are_the_published_ones(pairs, figures) -> None:
    value, error, nvalue, nerror, los = figures
    tally = Tally.of_pairs(*pairs)
    logistic, normalised = elo(tally), normalised_elo(tally)
    assert logistic.value == pytest.approx(value, abs=0.01)
    assert (logistic.high - logistic.low) / 2 == pytest.approx(error, rel=0.01)
    assert normalised.value == pytest.approx(nvalue, abs=0.01)
    assert (normalised.high - normalised.low) / 2 == pytest.approx(nerror, rel=0.01)
    assert 100 * superiority(tally) == pytest.approx(los, abs=0.05)


@pytest.mark.parametrize(("pairs", "games", "value", "error"), OPENBENCH_ELO)
def test_openbench_results_are_reproduced(pairs, games, value, error) -> None:
    found = elo(Tally.of_pairs(*pairs))
    assert found.games == pytest.approx(games, abs=2)
    assert found.value == pytest.approx(value, abs=0.02)
    assert (found.high - found.low) / 2 == pytest.approx(error, rel=0.01)


def test_a_match_without_games_says_so() -> None:
    nothing = Tally()
    assert str(elo(nothing)) == "no Elo: no games"
    assert nothing.score is None and superiority(nothing) is None
    assert Sprt(0, 5).judge(nothing).accepted is None


def test_one_pair_refutes_nothing() -> None:
    once = elo(Tally.of_pairs(0, 0, 0, 0, 1))
    assert (once.low, once.high, once.significant) == (-math.inf, math.inf, False)
    assert str(once).endswith("not significant")


def test_winning_everything_has_a_finite_lower_bound() -> None:
    swept = elo(Tally.of_pairs(0, 0, 0, 0, 10))
    assert swept.value == math.inf and swept.high == math.inf
    assert 100 < swept.low < 400 and swept.significant


def test_winning_everything_ends_a_test() -> None:
    assert Sprt(0, 50).judge(Tally.of_pairs(0, 0, 0, 0, 50)).accepted == "H1"
    assert Sprt(0, 50).judge(Tally.of_pairs(50, 0, 0, 0, 0)).accepted == "H0"


def test_ratio_of_a_sweep_is_the_likelihood_of_the_best_mixture() -> None:
    """All pairs won: the likeliest cause with a given mean mixes two wins and two losses, here by hand."""
    llr = Sprt(0, 100, model="logistic").llr(Tally.of_pairs(0, 0, 0, 0, 20))
    assert llr == pytest.approx(20 * math.log(score_of_elo(100) / 0.5), rel=1e-3)


def test_ratio_of_a_sweep_in_normalised_elo() -> None:
    """The likeliest cause mixes two wins and two losses; with (mean - 1/2) / deviation = t their share follows.

    fastchess publishes 2.94 for this corner; its iteration rests elsewhere. No distribution is likelier than this one.
    """
    t = 5 / (800 / math.log(10)) * math.sqrt(2)
    by_hand = 104 * math.log(1 + t / math.sqrt(1 + t * t))
    assert Sprt(0, 5).llr(Tally.of_pairs(0, 0, 0, 0, 104)) == pytest.approx(by_hand, rel=2e-3)


@example((13, 26, 0, 0, 0), (-1000, 1000))
@example((0, 0, 0, 0, 1), (-1000, 1000))
@given(kinds, st.sampled_from([(-1000, 1000), (-300, -100), (0, 400), (50, 51)]))
def test_any_bounds_have_a_finite_ratio(pairs: tuple[int, ...], bounds: tuple[int, int]) -> None:
    for model in ("normalized", "logistic"):
        assert math.isfinite(Sprt(*bounds, model=model).llr(Tally.of_pairs(*pairs)))


@pytest.mark.parametrize(
    ("pairs", "bound", "loss"),
    [
        ((13, 26, 0, 0, 0), -1000, 0.2771698),
        ((13, 26, 0, 0, 0), 1000, 3.85949969),
        ((0, 1, 1, 2, 1), -300, 1.18679215),
        ((1, 3, 3, 1, 0), 1000, 2.9245675),
        ((41, 39, 23, 25, 0), 400, 1.64128541),
        ((0, 7057, 6016, 26350, 0), -1000, 2.80579659),
    ],
)
def test_the_likeliest_cause_is_found_where_several_are_the_best_near_them(pairs, bound, loss) -> None:
    """Figures: the constrained maximum by sequential quadratic programming (scipy), the best of fifty starts."""
    counts = [count or 1e-3 for count in pairs]
    sample = Tally.of_pairs(*pairs).sample()
    found = Sprt._normalized([count / sum(counts) for count in counts], sample, bound, 2)
    assert found == pytest.approx(loss, abs=1e-7)


shares = st.lists(st.floats(1e-4, 1), min_size=5, max_size=5).map(lambda parts: [part / sum(parts) for part in parts])


@settings(deadline=None)
@given(shares, shares)
def test_no_cause_is_likelier_than_the_one_found(results: list[float], cause: list[float]) -> None:
    """Any distribution has some normalised Elo; forced to that, the results lose no more than to it."""
    mean = sum(share * kind / 4 for kind, share in enumerate(cause))
    deviation = math.sqrt(sum(share * (kind / 4 - mean) ** 2 for kind, share in enumerate(cause)))
    bound = (mean - 0.5) / deviation / math.sqrt(2) * 800 / math.log(10)
    lost = sum(result * math.log(result / share) for result, share in zip(results, cause, strict=True))
    found = Sprt._normalized(results, Tally.of_pairs(1, 0, 0, 0, 0).sample(), bound, 2)
    assert -1e-12 < found <= lost + 1e-9


@given(kinds)
def test_nothing_is_ever_nan_and_json_is_json(pairs: tuple[int, ...]) -> None:
    tally = Tally.of_pairs(*pairs)
    verdict = Sprt(0, 5).judge(tally)
    texts = [str(elo(tally)), str(normalised_elo(tally)), str(verdict)]
    assert not any("nan" in text for text in texts)
    json.loads(json.dumps([elo(tally).json(), normalised_elo(tally).json(), verdict.json()], allow_nan=False))


@given(kinds)
def test_the_opponent_sees_the_opposite(pairs: tuple[int, ...]) -> None:
    mine, theirs = elo(Tally.of_pairs(*pairs)), elo(Tally.of_pairs(*pairs).reversed)
    if mine.value is not None:
        assert mine.value == pytest.approx(-theirs.value, abs=1e-6)
        assert mine.low == pytest.approx(-theirs.high, rel=1e-3, abs=1e-3)


@given(kinds)
def test_the_interval_holds_the_estimate(pairs: tuple[int, ...]) -> None:
    for estimate in (elo(Tally.of_pairs(*pairs)), normalised_elo(Tally.of_pairs(*pairs))):
        assert estimate.value is None or estimate.low <= estimate.value <= estimate.high


@given(kinds, kinds)
def test_tallies_add_up(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    both = Tally.of_pairs(*left) + Tally.of_pairs(*right)
    assert both == Tally.of_pairs(*(a + b for a, b in zip(left, right, strict=True)))
    assert both.games == 2 * sum(both.pairs)


@given(st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(difference: float) -> None:
    assert elo_of_score(score_of_elo(difference)) == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)]
)
def test_students_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, rel=0.01)


def draw(rng: random.Random, chances: tuple[float, ...], pairs: int) -> list[int]:
    counts = [0] * 5
    for kind in rng.choices(range(5), chances, k=pairs):
        counts[kind] += 1
    return counts


@pytest.mark.parametrize("pairs", [5, 20, 60])
@pytest.mark.parametrize("chances", [(0.02, 0.05, 0.5, 0.3, 0.13), (0.05, 0, 0.2, 0, 0.75), (0.2, 0, 0.6, 0, 0.2)])
def test_intervals_cover_the_truth_as_often_as_they_say(chances: tuple[float, ...], pairs: int) -> None:
    rng = random.Random(2026)
    truth = sum(chance * kind / 4 for kind, chance in enumerate(chances))
    trials = 150
    intervals = [score_interval(Tally.of_pairs(*draw(rng, chances, pairs)).sample()) for _ in range(trials)]
    covered = sum(low <= truth <= high for low, high in intervals)
    assert covered / trials >= 0.90


@pytest.mark.parametrize(
    ("chances", "wrong"), [((0.1, 0.2, 0.4, 0.2, 0.1), "H1"), ((0.06, 0.13, 0.4, 0.25, 0.16), "H0")]
)
def test_sprt_errs_no_more_often_than_it_says(chances: tuple[float, ...], wrong: str) -> None:
    """Equal players, and players 75 nElo apart: each is mistaken for the other in about 5 % of the tests."""
    rng, test, errors, trials = random.Random(7), Sprt(0, 75), 0, 60
    for _ in range(trials):
        tally, accepted = Tally(), None
        while accepted is None:
            tally += Tally.of_pairs(*draw(rng, chances, 8))
            accepted = test.judge(tally).accepted
        errors += accepted == wrong
    assert errors / trials <= 0.12


@pytest.mark.parametrize("text", ["", "0", "5,0", "0,5,1,1", "a,b", "0,nan", "0,5,0.05", "0,1e9"])
def test_senseless_tests_are_refused(text: str) -> None:
    with pytest.raises(ArenaError, match=r"Elo bounds|error rates|cannot read the test"):
        Sprt.parse(text)


def test_senseless_counts_are_refused() -> None:
    with pytest.raises(ArenaError, match="results are counts from 0"):
        Tally(-1)
    with pytest.raises(ArenaError, match="five kinds"):
        Tally.of_pairs(1, 2)


# ------------------------------------------------------------------ many comparisons, shares


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=5, max_size=5).filter(lambda pairs: sum(pairs) > 1))
def test_p_is_below_a_twentieth_where_the_interval_leaves_out_even(pairs: list[int]) -> None:
    tally = Tally.of_pairs(*pairs)
    p, estimate = p_value(tally), elo(tally)
    assert p is not None and 0 <= p <= 1 and p == pytest.approx(p_value(tally.reversed), abs=1e-6)
    if abs(p - 0.05) > 0.002:
        assert (p < 0.05) == estimate.significant


def test_p_without_games_and_of_a_single_pair() -> None:
    assert p_value(Tally()) is None and p_value(Tally.of_pairs(0, 0, 0, 0, 1)) == 1.0


def test_students_distribution_agrees_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for freedom in (1, 2, 3, 4, 7, 20, 101):
        for t in (0.0, 0.3, 1.0, 2.5, 7.0):
            assert two_sided(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-9)


def test_shares_and_sign_tests_agree_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for wins, trials in ((0, 5), (3, 7), (20, 20), (450, 1000)):
        theirs = stats.binomtest(wins, trials).proportion_ci(method="wilson")
        assert wilson(wins, trials) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        assert sign_test(wins, trials - wins) == pytest.approx(stats.binomtest(wins, trials).pvalue, abs=1e-9)
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_says_less_than_one_comparison_and_keeps_the_order(values: list[float]) -> None:
    corrected = holm(values)
    assert all(value <= found <= 1 for value, found in zip(values, corrected, strict=True))
    order = sorted(range(len(values)), key=lambda index: values[index])
    assert [corrected[index] for index in order] == sorted(corrected)


def test_ratings_agree_with_choix() -> None:
    """Bradley-Terry by another program: the strengths of its maximum, up to the draws that are added here."""
    choix = pytest.importorskip("choix")
    chance_of = random.Random(4)
    strengths = [0.0, 0.4, 1.0, -0.7]
    games: list[tuple[int, int]] = []
    results = []
    for opening in range(400):
        for one, two in combinations(range(4), 2):
            chance = 1 / (1 + math.exp(strengths[two] - strengths[one]))
            wins = sum(chance_of.random() < chance for _ in range(2))
            games += [(one, two)] * wins + [(two, one)] * (2 - wins)
            results.append(PairResult(one, two, wins / 2, opening=opening))
    theirs = choix.ilsr_pairwise(4, games)
    ours = [rating.value for rating in ratings(4, results)]
    assert ours == pytest.approx([400 / math.log(10) * (value - theirs.mean()) for value in theirs], abs=1.0)


def test_what_happens_on_one_opening_counts_as_one_result() -> None:
    """Three pairings whose results go together on each opening are worth less than the same results on their own."""
    choices = random.Random(7)
    shared = [choices.choice((0.0, 0.5, 1.0)) for _ in range(60)]
    meetings = [(0, 1), (0, 2), (1, 2)]
    together = [
        PairResult(one, two, score, opening=opening) for opening, score in enumerate(shared) for one, two in meetings
    ]
    apart = [result._replace(opening=number) for number, result in enumerate(together)]
    widths = [[one.high - one.low for one in ratings(3, results)] for results in (together, apart)]
    assert [one.value for one in ratings(3, together)] == [one.value for one in ratings(3, apart)]
    assert widths[0][0] > 1.2 * widths[1][0] and widths[0][2] > 1.2 * widths[1][2]
    lone = ratings(3, [PairResult(0, 1, 1.0), PairResult(0, 2, 1.0), PairResult(1, 2, 1.0)])
    assert all(math.isinf(one.high) for one in lone)


def _played_on(openings: int, chance: random.Random) -> list[PairResult]:
    """Four players who each like some openings better than others, whomever they meet there."""
    strengths, results = (0.6, 0.1, -0.2, -0.5), []
    for opening in range(openings):
        liking = [strength + chance.gauss(0, 1) for strength in strengths]
        for one, two in combinations(range(4), 2):
            wins = sum(chance.random() < 1 / (1 + math.exp(liking[two] - liking[one])) for _ in range(2))
            results.append(PairResult(one, two, wins / 2, opening=opening))
    return results


def test_intervals_of_ratings_hold_where_openings_are_shared() -> None:
    """As often as they promise; taking the pairings for independent, they would not."""
    chance = random.Random(1)
    truth = [rating.value for rating in ratings(4, _played_on(6000, chance))]
    inside = apart = 0
    for _ in range(150):
        results = _played_on(20, chance)
        alone = [result._replace(opening=number) for number, result in enumerate(results)]
        for rating, other, value in zip(ratings(4, results), ratings(4, alone), truth, strict=True):
            assert value is not None
            inside += rating.low <= value <= rating.high
            apart += other.low <= value <= other.high
    assert 0.93 <= inside / 600 <= 0.99 and apart / 600 < 0.93


def _repeated(rng: random.Random, players: int = 2, openings: int = 10, laps: int = 6) -> Standings:
    """A match on few openings that come again turned; equal players like some and dislike others."""
    boards = tuple(Board(7, black=[cell]) for cell in ("a1", "b1", "c1", "d1", "b2", "c2", "d2", "c3", "d3", "d4"))
    standings = Standings(
        MatchPlan(("random", "random:seed=1", "random:seed=2")[:players], boards[:openings], openings * laps)
    )
    liking = [[rng.gauss(0, 1.2) for _ in range(players)] for _ in range(openings)]
    for number in range(standings.plan.games):
        (one, two), turned = standings.plan.meeting(number)
        liked = liking[number // (2 * len(standings.plan.pairings)) % openings]
        first_wins = rng.random() < 1 / (1 + math.exp(liked[two] - liked[one]))
        result = "black" if first_wins is not turned else "white"
        standings.add({"unit": number, "result": result, "reason": "five"})
    return standings


def test_intervals_hold_where_openings_come_again_turned() -> None:
    """Equal players, ten openings in six laps: intervals of Elo and of normalised Elo hold 0, and p is seldom small."""
    rng, trials = random.Random(11), 200
    tallies = [_repeated(rng).tally(0, 1) for _ in range(trials)]
    assert all(len(tally.openings) == 10 and sum(tally.pairs) == 60 for tally in tallies)
    alone = [replace(tally, openings=()) for tally in tallies]
    for figure in (elo, normalised_elo):
        covered, apart = (sum(not figure(tally).significant for tally in some) for some in (tallies, alone))
        assert covered / trials >= 0.93 and apart / trials < 0.85
    assert sum((p_value(tally) or 0.0) < 0.05 for tally in tallies) / trials <= 0.07


def test_a_sequential_test_holds_where_openings_come_again_turned() -> None:
    """Equal players are taken for 60 nElo apart in at most one test of twenty, though the openings come again."""
    rng, test, trials = random.Random(12), Sprt(0, 60), 100
    tallies = [_repeated(rng, laps=12).tally(0, 1) for _ in range(trials)]
    accepted = [test.judge(tally).accepted for tally in tallies]
    alone = [test.judge(replace(tally, openings=())).accepted for tally in tallies]
    assert accepted.count("H1") / trials <= 0.05 and alone.count("H1") / trials > 0.1


def test_intervals_of_ratings_hold_where_openings_come_again_turned() -> None:
    rng, trials, inside, apart = random.Random(13), 100, 0, 0
    for _ in range(trials):
        standings = _repeated(rng, players=3)
        alone = [result._replace(opening=number) for number, result in enumerate(standings._results)]
        inside += sum(one.low <= 0 <= one.high for one in standings.ratings())
        apart += sum(one.low <= 0 <= one.high for one in ratings(3, alone))
    assert inside / (3 * trials) >= 0.93 and apart / (3 * trials) < 0.85


def test_each_opening_once_is_what_it_was_before() -> None:
    """Pairs that share no opening have the figures of their counts, and so have openings that come once."""
    tally = _repeated(random.Random(1), laps=1).tally(0, 1)
    assert tally.openings == ()
    once = replace(tally, openings=tuple(OnOpening(number, 1, kind) for number, kind in enumerate(
        kind for kind, count in enumerate(tally.pairs) for _ in range(count))))  # fmt: skip
    assert design_effect(once) == pytest.approx(1.0)
    for figure in (elo, normalised_elo, superiority, p_value, Sprt(0, 50).llr):
        assert str(figure(once)) == str(figure(tally)) or figure(once) == pytest.approx(figure(tally), rel=1e-6)


def test_repeats_of_the_same_result_are_no_evidence() -> None:
    """Players without chance repeat their games on a turned opening: eight laps show what one lap showed."""
    once = Tally.of_pairs(0, 0, 1, 0, 4)
    openings = (OnOpening(0, 8, 16), *(OnOpening(number, 8, 32) for number in range(1, 5)))
    eight = Tally(72, 0, 8, (0, 0, 8, 0, 32), openings)
    assert (elo(eight).low, elo(eight).high) == pytest.approx((elo(once).low, elo(once).high))
    assert normalised_elo(eight).low == pytest.approx(normalised_elo(once).low)
    assert p_value(eight) == pytest.approx(p_value(once)) and superiority(eight) == pytest.approx(superiority(once))
    assert Sprt(0, 50).llr(eight) == pytest.approx(Sprt(0, 50).llr(once), rel=1e-3)
    swept = Tally(80, 0, 0, (0, 0, 0, 0, 40), tuple(OnOpening(number, 8, 32) for number in range(5)))
    assert elo(swept).low == pytest.approx(elo(Tally.of_pairs(0, 0, 0, 0, 5)).low, rel=1e-6)
    assert Sprt(0, 50).llr(swept) == pytest.approx(Sprt(0, 50).llr(Tally.of_pairs(0, 0, 0, 0, 5)), rel=1e-3)


def test_openings_add_up_by_their_numbers() -> None:
    one = Tally(2, 0, 0, (0, 0, 0, 0, 1), (OnOpening(3, 1, 4),))
    assert (one + one.reversed).openings == (OnOpening(3, 2, 4),)
    assert (Tally() + one).openings == one.openings
    with pytest.raises(ArenaError, match="cannot be added"):
        one + Tally.of_pairs(1, 0, 0, 0, 0)
    with pytest.raises(ArenaError, match="other pairs than the 1"):
        replace(one, openings=(OnOpening(3, 2, 4),))


def test_a_turned_opening_is_the_same_opening() -> None:
    corners = tuple(Board(7, black=[cell]) for cell in ("a1", "g7", "b1"))
    plan = MatchPlan(("random", "random:seed=1"), corners, 3)
    assert [plan.opening_number(number) for number in range(6)] == [0, 0, 2, 0, 0, 2]
    assert plan.different_openings == 2 and plan.repeats_openings
