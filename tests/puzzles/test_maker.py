"""Puzzles that are made: the same for the same plan, sound, and of the kind that was asked for."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import puzzles
from gomoku_patterns import Board, Rule
from gomoku_patterns.errors import SuiteError
from puzzles.audit import audit
from puzzles.candidates import changed, composed, earlier, played
from puzzles.maker import Made, MakePlan, make, make_from_game, positions_of
from puzzles.soundness import FAULTS, implausible

SHAPES = MakePlan(seed=3, sources=("shapes",))


def test_the_plan_and_the_number_decide_a_unit() -> None:
    first, second = make(SHAPES, 4), make(SHAPES, 4)
    assert first.to_json() == second.to_json()
    assert Made.from_json(first.to_json()).to_json() == first.to_json()
    assert make(SHAPES, 5).kept != first.kept
    assert set().union(*first.tests.values()) <= {*FAULTS, "kept"}


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_what_is_kept_is_sound(rule: str) -> None:
    plan = MakePlan(seed=1, rule=Rule.parse(rule), sources=("shapes",))
    levels = [level for number in range(2) for level in make(plan, number).levels()][:3]
    assert levels
    for level in levels:
        found = audit(level)
        assert (found.verdict, found.keys, found.notes) == ("sound", level.wins, ())
        assert implausible(level.position) is None
        assert 5 <= (level.length or 0) <= 17


def test_small_boards_and_games_played_here() -> None:
    plan = MakePlan(rows=9, cols=9, seed=2, sources=("play",))
    made = next(one for number in range(50) if (one := make(plan, number)).kept)
    assert sum(made.tests["play"].values()) > 20
    assert all(level.position.rows == 9 for level in made.levels())


def test_only_the_kind_that_was_asked_for_is_kept() -> None:
    plan = MakePlan(seed=3, sources=("shapes",), fewest=7, most=9, tags=("four_three",))
    kept = next(rows for number in range(100) if (rows := make(plan, number).kept))
    assert all(row["length"] in (7, 9) and "four_three" in row["tags"] for row in kept)


def test_a_game_of_somebody_else_gives_the_puzzle_that_was_missed() -> None:
    """White answers the threes at the wrong place, and black does not see what he has been given."""
    from puzzles import load

    start = load("huanle").level(16).board
    board = Board()
    pairs = zip(start.stones("black"), start.stones("white"), strict=True)
    for black, white in pairs:
        board.push(black)
        board.push(white)
    board.push("a1")
    unit = {"unit": 0, "positions": positions_of(board)}
    made = make_from_game(MakePlan(), unit)
    assert [row["wins"] for row in made.kept if row["length"] == 7] == [["h9"]]
    assert made.kept[0]["source"] == "games"


def test_candidates_are_positions_of_games() -> None:
    for seed in range(30):
        random = Random(seed)
        for board in played(random, Board(9, rule="renju")):
            assert board.winner() is None
        shaped = composed(random, Board(11))
        assert len(shaped.stones("white")) - len(shaped.stones("black")) in (0, -1)
        for change in (changed(random, shaped), earlier(random, shaped)):
            assert change is None or change.turn == shaped.turn


def test_what_cannot_be_made_is_refused() -> None:
    for plan, message in [
        (MakePlan(sources=("dreams",)), "unknown source 'dreams'"),
        (MakePlan(rule=Rule.CARO), "under freestyle, standard and renju rules, not caro"),
        (MakePlan(rows=5), "on boards from 6x6 on, not 5x15"),
        (MakePlan(fewest=9, most=7), "not from 9 to 7"),
        (MakePlan(fewest=8, most=8), "no win takes 8 plies"),
        (MakePlan(fewest=227, most=300), "no win on 15x15 takes 227 plies"),
        (MakePlan(tags=("forbidden_trap",)), "no puzzle shows forbidden_trap under freestyle; make it under renju"),
        (MakePlan(tags=("overline_trap",)), "make it under standard or renju"),
        (MakePlan(tags=("long",), most=7), "no puzzle of at most 7 plies shows long; it takes 15"),
        (MakePlan(tags=("ladder",), most=7), "it takes 9"),
        (MakePlan(tags=("quiet_key", "win_by_fours")), "no puzzle shows both win_by_fours and quiet_key"),
        (MakePlan(tags=("short",)), "unknown tag 'short'"),
    ]:
        with pytest.raises(SuiteError, match=message):
            plan.check()


def test_candidates_are_counted_by_source_and_test() -> None:
    made = Made(0)
    made.count("play", "not won")
    made.count("play", "not won")
    made.count("shapes", "kept")
    assert made.tests == {"play": Counter({"not won": 2}), "shapes": Counter({"kept": 1})}


def test_no_puzzle_that_was_made_shows_what_a_plan_refuses() -> None:
    levels = [*puzzles.load("endgames"), *puzzles.load("tags")]
    assert sum(bool(level.tags) for level in levels) > 2000
    for level in levels:
        MakePlan(rule=level.position.rule, fewest=3, most=level.length or 99, tags=level.tags).check()
