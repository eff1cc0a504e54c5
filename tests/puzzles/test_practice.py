"""Practice: what comes next, what comes again, and what a result does to the rating."""

from __future__ import annotations

import datetime
import json
import math
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import puzzles
from gomoku_patterns.errors import SuiteError
from puzzles.practice import (
    BOXES,
    GUESSED_DEVIATION,
    NEAREST,
    Practice,
    daily,
    nearest,
    next_level,
    puzzle_rating,
    scattered,
)
from puzzles.rating import Rating
from puzzles.suite import read_text

EASY, HARD = Rating(800, 60), Rating(2600, 60)

SUITE = "".join(
    f'[[level]]\nnumber = {number}\nblack = "a1"\nband = {1 + number % 10}\ntags = {json.dumps(tags)}\n'
    for number, tags in enumerate((["edge"], ["long"]) * 30, 1)
)
LEVELS = {f"mine/{level.number}": level for level in read_text(SUITE)}


def test_a_rating_moves_the_first_time_only() -> None:
    practice = Practice()
    practice.record("a/1", HARD, solved=True, now=0)
    first = practice.rating
    assert first.value > 1600
    practice.record("a/1", HARD, solved=False, now=1)
    assert practice.rating == first
    assert practice.done["a/1"].tries == 2 and practice.solved == 0


def test_a_rating_never_stands_still() -> None:
    practice = Practice()
    for number in range(300):
        practice.record(f"a/{number}", puzzle_rating(LEVELS["mine/5"]), solved=number % 2 == 0, now=0)
    assert practice.rating.deviation >= 45


def test_a_failed_puzzle_comes_again_later_each_time_it_was_solved() -> None:
    practice, now = Practice(), 1000
    practice.record("a/1", EASY, solved=False, now=now)
    for box, wait in enumerate(BOXES):
        assert practice.due(now + wait - 1) == []
        now += wait
        assert practice.due(now) == ["a/1"]
        practice.record("a/1", EASY, solved=True, now=now)
        assert practice.done["a/1"].box == (box + 1 if box + 1 < len(BOXES) else None)
    assert practice.due(now + 10**9) == []


def test_one_failure_begins_again_and_what_was_solved_at_once_does_not_come_back() -> None:
    practice = Practice()
    practice.record("a/1", EASY, solved=True, now=0)
    assert practice.due(10**9) == []
    practice.record("a/1", EASY, solved=False, now=5)
    assert practice.done["a/1"].due == 5 + BOXES[0]


def test_the_next_puzzle_is_near_and_new_and_as_wanted() -> None:
    practice = Practice(Rating(1000, 60))
    low = sorted(puzzle_rating(level).value for level in LEVELS.values())[NEAREST - 1]
    for seed in range(20):
        key = next_level(LEVELS, practice, chance=random.Random(seed))
        assert puzzle_rating(LEVELS[key]).value <= low
        assert LEVELS[next_level(LEVELS, practice, band=9, chance=random.Random(seed))].band == 9
        assert "long" in LEVELS[next_level(LEVELS, practice, tag="long", chance=random.Random(seed))].tags
    assert len({next_level(LEVELS, practice, chance=random.Random(seed)) for seed in range(200)}) == NEAREST
    assert next_level(LEVELS, practice, band=1, tag="ladder") is None


def test_all_puzzles_of_a_band_are_as_likely() -> None:
    levels = {str(number): replace(LEVELS["mine/1"], number=number, band=4) for number in range(100)}
    chosen = [nearest(levels, 1300, random.Random(seed)) for seed in range(1000)]
    assert len(set(chosen)) > 90
    assert nearest({}, 1300) is None


def test_what_is_due_comes_first_and_when_all_is_done_the_least_tried() -> None:
    practice = Practice()
    practice.record("mine/7", EASY, solved=False, now=0)
    assert next_level(LEVELS, practice, now=BOXES[0]) == "mine/7"
    assert next_level(LEVELS, practice, now=1) != "mine/7"
    for key in LEVELS:
        practice.record(key, EASY, solved=True, now=0)
    assert next_level(LEVELS, practice) in LEVELS


def test_the_puzzle_of_a_day() -> None:
    keys = [(key, level.band) for key, level in LEVELS.items()]
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(number) for number in range(60)]
    chosen = [daily(keys, day) for day in days]
    assert chosen == [daily(keys, day) for day in days]
    assert {LEVELS[key].band for key in chosen} == {3, 4, 5, 6, 7}
    assert len(set(chosen)) > 15
    assert daily([], days[0]) is None
    assert daily([("huanle/1", None)], days[0]) == "huanle/1"
    assert scattered("2026-11-19") == 2329143091


def test_levels_without_a_band_are_guessed_by_their_length() -> None:
    levels = [replace(level, band=None) for level in puzzles.load("huanle")]
    assert all(puzzle_rating(level).deviation == GUESSED_DEVIATION for level in levels)
    assert [level.length for level in sorted(levels, key=lambda one: puzzle_rating(one).value)] == sorted(
        level.length for level in levels
    )


def test_a_harder_band_has_a_higher_rating() -> None:
    ratings = [puzzle_rating(replace(LEVELS["mine/1"], band=band)) for band in range(1, 11)]
    assert ratings == sorted(ratings, key=lambda rating: rating.value)
    assert len({rating.value for rating in ratings}) == 10
    assert all(rating.deviation < GUESSED_DEVIATION for rating in ratings)


@given(
    st.lists(st.tuples(st.integers(1, 60), st.booleans(), st.integers(0, 10**9)), max_size=20),
)
def test_a_record_is_kept_as_json(results: list[tuple[int, bool, int]]) -> None:
    practice = Practice()
    for number, solved, now in results:
        practice.record(f"mine/{number}", EASY, solved=solved, now=now)
    assert Practice.from_json(json.loads(json.dumps(practice.to_json()))) == practice


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"rating": {}, "done": 3},
        {"rating": {"value": "x"}, "done": {}},
        {"rating": {"value": math.nan}, "done": {}},
        {"rating": {"value": math.inf}, "done": {}},
        {"rating": {"value": 10**400}, "done": {}},
        {"rating": {"deviation": 0}, "done": {}},
        {"rating": {"volatility": -0.06}, "done": {}},
        {"rating": {}, "done": {"a": {"solved": 1}}},
        {"rating": {}, "done": {"a": {"solved": True, "box": 9}}},
        {"rating": {}, "done": {"a": {"solved": True, "due": -1}}},
    ],
)
def test_what_is_no_record_is_refused(value: object) -> None:
    with pytest.raises(SuiteError, match="not a record of practice"):
        Practice.from_json(value)
