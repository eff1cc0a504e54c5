"""Puzzles practised in the terminal: verdicts, hints, solutions, a rating that is kept, a run against the clock."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import puzzles
from gomoku.commands import practise as module
from search import Limit
from tests.program import Done

Practise = Callable[..., Done]


@pytest.fixture
def practise(gomoku: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, record: Path) -> Practise:
    """Runs ``gomoku practise ARGS...`` with these words typed, each on a line."""

    def run(typed: str, *options: str) -> Done:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed.split())))
        return gomoku("practise", "--record", str(record), *options)

    return run


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "practice.json"


def test_a_puzzle_is_solved_with_a_verdict_at_every_move(practise: Practise, record: Path) -> None:
    done = practise("h9 j9 i10 l7 quit", "--suite", "huanle", "--level", "16")
    assert done.status == 0
    assert "h9: still winning, black wins in 5; white answers h10" in done.out
    assert "solved!" in done.out
    assert re.search(r"rating \d{4} \(\+\d+\)", done.out)
    kept = json.loads(record.read_text())
    assert kept["done"]["huanle/16"] == {"solved": True, "tries": 1, "box": None, "due": None}


def test_a_slip_is_refuted_and_counts_once(practise: Practise, record: Path) -> None:
    done = practise("a1 b1 undo a2 undo h10 quit", "--suite", "huanle", "--level", "9")
    assert "a1 wins no longer: g8 g10 g5 and white wins in 3" in done.out
    assert "type undo, again, solution or next" in done.out
    assert done.out.count("rating ") == 1
    assert "h10: still winning, black wins in 5" in done.out
    assert json.loads(record.read_text())["done"]["huanle/9"]["solved"] is False


def test_another_way_to_win_is_accepted(practise: Practise, record: Path) -> None:
    done = practise("g9 quit", "--suite", "huanle", "--level", "16")
    assert "g9: still winning, black wins in" in done.out
    assert "(5 was possible)" in done.out


def test_a_move_that_was_not_settled_costs_nothing_and_goes_on(
    practise: Practise, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = puzzles.feedback
    monkeypatch.setattr(puzzles, "feedback", lambda board, move, limit, **_: judge(board, move, Limit(nodes=300)))
    done = practise("j9 quit", "--suite", "huanle", "--level", "10")
    assert "whether j9 wins is not settled, and it costs nothing; white answers" in done.out
    assert "rating" not in done.out and not record.exists()


def test_hints_in_stages_and_a_solution_to_step_through(practise: Practise, record: Path) -> None:
    done = practise("hint hint hint solution forward forward back forward quit", "--suite", "huanle", "--level", "16")
    for words in ("hint 1 of 3: look in the middle", "hint 2 of 3: look for a live three", "hint 3 of 3: play h9"):
        assert words in done.out
    assert "black wins in 7: 1. h9 2. " in done.out
    assert json.loads(record.read_text())["done"]["huanle/16"]["solved"] is False


def test_failed_puzzles_come_again(practise: Practise, record: Path) -> None:
    practise("a1 quit", "--suite", "huanle", "--level", "9")
    kept = json.loads(record.read_text())
    kept["done"]["huanle/9"]["due"] = 5
    record.write_text(json.dumps(kept))
    assert "to repeat: huanle/9" in practise("", "--rating").out
    told = json.loads(practise("", "--rating", "--json").out)
    assert told["due"] == ["huanle/9"] and told["rating"]["value"] < 1500
    again = practise("h10 quit", "--suite", "huanle")
    assert "h10: still winning, black wins in 5" in again.out


def test_a_run_ends_after_three_slips_and_counts_for_nothing(practise: Practise, record: Path) -> None:
    done = practise("hint a15 a15 a15", "--run", "--suite", "huanle")
    assert "there are no hints in a run" in done.out
    assert "2 of 3 slips" not in done.out or done.out.count("wins no longer") + done.out.count("no win") == 3
    assert done.out.rstrip().endswith("the run is over: 0 solved")
    assert not record.exists()


def test_a_run_ends_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    run = module._Run()
    assert not run.is_over()
    now = module.time.monotonic()
    monkeypatch.setattr(module.time, "monotonic", lambda: now + module.RUN_SECONDS + 1)
    assert run.is_over()


def test_the_puzzle_of_the_day_and_themes(practise: Practise, tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    stones = 'black = "c5 d5 e5"\nwhite = "c4 d4"\nrows = 9\ncols = 9\nto_move = "black"\n'
    suite.write_text(
        f'[[level]]\nnumber = 1\nband = 4\ntags = ["edge"]\n{stones}'
        f'[[level]]\nnumber = 2\nband = 9\ntags = ["long"]\nline = "f5 g5 b5"\n{stones}'
    )
    daily = practise("b5 quit", "--suite", str(suite), "--daily")
    assert "b5: still winning, black wins in 1" in daily.out
    themed = practise("b5 a5 f5 quit", "--suite", str(suite), "--theme", "long")
    assert "(another way than the solution's)" in themed.out
    assert "solved! (long)" in themed.out
    none = practise("quit", "--suite", str(suite), "--band", "1")
    assert none.status == 2 and "no puzzle is of this difficulty and theme" in none.err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--theme", "doublethree"], "double_three"),
        (["--suite", "none"], "none"),
        (["--level", "99"], "there is no level 99"),
        (["--theme", "edge", "--band", "0"], "0"),
        (["--json"], "--json goes with --rating"),
        (["--band", "11"], "11"),
    ],
)
def test_bad_usage(practise: Practise, options: list[str], why: str) -> None:
    done = practise("quit", *options)
    assert done.status == 2 and why in done.err


@pytest.mark.parametrize("text", ["{", "[]", '{"rating": 5}', "\udcff"])
def test_a_file_that_is_no_record_is_not_overwritten(practise: Practise, text: str, record: Path) -> None:
    record.parent.mkdir()
    record.write_bytes(text.encode(errors="surrogateescape"))
    done = practise("a1 quit", "--suite", "huanle", "--level", "1")
    assert done.status == 2 and "practice.json" in done.err
    assert record.read_bytes() == text.encode(errors="surrogateescape")


def test_whatever_is_typed_is_answered(practise: Practise, record: Path) -> None:
    done = practise("help board rating zz h99 undo back again daily next quit", "--suite", "huanle", "--level", "1")
    assert done.status == 0
    assert "type solution first" in done.out and "there is no move to take back" in done.out
    assert "cannot read 'zz'" in done.out


def test_a_record_that_cannot_be_kept_is_an_error_before_anything_is_played(practise: Practise, record: Path) -> None:
    record.parent.write_text("a file where a folder should be")
    done = practise("a1 quit", "--suite", "huanle", "--level", "9")
    assert done.status == 2 and "cannot be read" in done.err
