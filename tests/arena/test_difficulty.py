"""Puzzles and players rated together: known ratings are found again, and features predict them."""

from __future__ import annotations

from random import Random

import pytest

from arena.difficulty import DEVIATION, MEAN, fitted, predicted, solves, tried
from puzzles import load


def attempts(players: list[float], puzzles: list[float], seed: int) -> list[tuple[int, int, bool]]:
    random = Random(seed)
    return [
        (who, what, random.random() < 1 / (1 + 10 ** ((puzzle - player) / 400)))
        for who, player in enumerate(players)
        for what, puzzle in enumerate(puzzles)
    ]


def test_ratings_that_made_the_results_are_found_again() -> None:
    """As many lie outside of their 95 % intervals as may."""
    random = Random(1)
    players = [random.gauss(MEAN, 300) for _ in range(25)]
    puzzles = [random.gauss(MEAN, 300) for _ in range(150)]
    found = [*zip([*players, *puzzles], [r for part in fitted(25, 150, attempts(players, puzzles, 2)) for r in part],
                  strict=True)]  # fmt: skip
    outside = sum(abs(true - rating.value) > 1.96 * rating.deviation for true, rating in found)
    assert outside <= 20
    assert all(rating.deviation < DEVIATION / 2 for _, rating in found)


def test_who_solves_all_or_nothing_has_a_rating_too() -> None:
    (strong, weak), _ = fitted(2, 5, [(who, what, who == 0) for who in range(2) for what in range(5)])
    assert MEAN < strong.value < MEAN + 3 * DEVIATION
    assert strong.value + weak.value == pytest.approx(2 * MEAN)


def test_features_that_decide_predict_and_others_do_not() -> None:
    random = Random(3)
    rows = [{"length": random.choice([5, 7, 9, 11]), "noise": random.random()} for _ in range(200)]
    players = [1100.0 + 50 * number for number in range(20)]
    puzzles = [900.0 + 80 * row["length"] for row in rows]
    ratings = fitted(20, 200, attempts(players, puzzles, 4))[1]
    found = predicted(rows, ratings, ridge=1.0)
    assert found.explained > 0.6
    assert found.weights["length"] == pytest.approx(70, abs=15)
    assert predicted([{"noise": row["noise"]} for row in rows], ratings).explained < 0.05


def test_players_solve_what_they_carry_through() -> None:
    four_three = load("huanle").level(9)
    assert tried(four_three, ["random:seed=1", "engine|3000", "solver|1000"]) == [False, True, True]
    quiet = load("huanle").level(20)
    assert not solves("minmax:depth=1", quiet)
