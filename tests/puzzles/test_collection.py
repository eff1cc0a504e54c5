"""The collection that comes with the project: large, varied, without repetitions, and sound.

``gomoku puzzles audit endgames`` judges all of it; here a sample is judged.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest

from gomoku_patterns import Board, Rule
from puzzles import Level, load
from puzzles.audit import audit, repeated_levels
from puzzles.soundness import EXACT, canonical, implausible

LEVELS = list(load("endgames"))
SAMPLE = LEVELS[::120]


def test_it_is_large_and_has_all_bands() -> None:
    assert len(LEVELS) >= 2000
    assert sum(level.position.rule is Rule.RENJU for level in LEVELS) >= 200
    bands = Counter(level.band for level in LEVELS)
    assert sorted(bands, key=str) == sorted(range(1, 11), key=str)
    assert min(bands.values()) >= 50
    assert [level.band for level in LEVELS] == sorted(level.band or 0 for level in LEVELS)


def test_it_is_small_enough_for_the_wheel() -> None:
    assert len(files("puzzles").joinpath("endgames.jsonl.gz").read_bytes()) < 400_000


def test_every_level_says_its_solution() -> None:
    for level in LEVELS:
        assert (len(level.wins), len(level.line)) == (1, level.length)
        assert level.line[0] == level.wins[0]
        assert level.tags
        board = level.board
        for cell in level.line:
            board.push(cell)
        assert board.winner() is level.position.turn


def test_a_level_says_that_every_move_was_tried_exactly_where_the_audit_tries_them() -> None:
    for level in LEVELS:
        assert level.length is not None
        expected = level.position.rule is Rule.FREESTYLE and level.length <= EXACT
        assert (level.number, level.recorded["exact"]) == (level.number, expected)


def test_no_level_repeats_another_and_all_are_plausible() -> None:
    seen = set()
    for level in LEVELS:
        scenery = [level.position.cell(name) for name in level.recorded.get("scenery", "").split()]
        seen.add((level.position.rule is Rule.RENJU, canonical(level.position, scenery)))
        assert implausible(level.position) is None
    assert len(seen) == len(LEVELS)


def test_no_two_levels_have_the_same_stones_whatever_their_rule() -> None:
    assert repeated_levels(LEVELS) == {}
    assert repeated_levels(replace(level, position=freestyle(level.board), recorded={}) for level in LEVELS) == {}


def freestyle(board: Board) -> Board:
    board.rule = Rule.FREESTYLE
    return board


@pytest.mark.parametrize("level", SAMPLE, ids=str)
def test_a_sample_is_sound(level: Level) -> None:
    found = audit(level)
    assert (found.verdict, found.keys, found.notes) == ("sound", level.wins, ())
    assert found.exact is (level.position.rule is Rule.FREESTYLE and found.length <= EXACT)
    assert found.exact is level.recorded["exact"]
