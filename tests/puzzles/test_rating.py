"""Glicko-2 against the example that its author published, and what must hold of any rating."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.rating import Rating, expected, rated

ratings = st.builds(Rating, st.floats(400, 3000), st.floats(30, 350), st.floats(0.03, 0.1))


def test_the_published_example() -> None:
    """Mark E. Glickman, "Example of the Glicko-2 system", step by step: 1464.06, 151.52, 0.05999."""
    results = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    after = rated(Rating(1500, 200, 0.06), results)
    assert after.value == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_somebody_who_does_not_play_becomes_less_certain() -> None:
    before = Rating(1600, 60, 0.06)
    assert rated(before, []).value == before.value
    assert 60 < rated(before, []).deviation < 70


@given(ratings, ratings)
def test_who_solves_goes_up_and_who_fails_goes_down(own: Rating, puzzle: Rating) -> None:
    solved, failed = (rated(own, [(puzzle, score)]) for score in (1, 0))
    assert failed.value < own.value < solved.value
    assert solved.deviation < 355 and solved.volatility > 0
    assert expected(own, puzzle) + expected(Rating(puzzle.value), Rating(own.value, puzzle.deviation)) == pytest.approx(
        1
    )
