"""Puzzles practised in the terminal: verdicts, hints, solutions, a rating that is kept, a run against the clock."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

import pytest

import puzzles
from gomoku import game_view
from gomoku.commands import practise as module
from gomoku.terminal import Key
from gomoku_patterns.errors import SuiteError
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
        (["--rating", "--record", ""], "the name of the file for --record is empty"),
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


# ---------------------------------------------------------------------- on a terminal that is drawn in place

SMALL = """
[[level]]
number = 1
black = "c5 d5 e5"
white = "c4 d4"
to_move = "black"
rule = "renju"
[[level]]
number = 2
rows = 6
cols = 6
black = "b2 c2 d2"
white = "b3 c3"
to_move = "black"
"""


class Keys:
    """A screen of 24 lines on which these keys are pressed; what was drawn before each is in ``frames``."""

    waiting: ClassVar[list[Key]] = []
    frames: ClassVar[list[str]] = []

    def __enter__(self) -> Keys:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def draw(self, lines: Sequence[str]) -> None:
        self.drawn = "\n".join(lines)

    def key(self) -> Key:
        self.frames.append(self.drawn)
        return self.waiting.pop(0) if self.waiting else "end"


@pytest.fixture
def press(practise: Practise, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Done, list[str]]]:
    """Runs ``gomoku practise OPTIONS...`` with these keys pressed; a word of letters is typed and entered."""

    def run(keys: str, *options: str) -> tuple[Done, list[str]]:
        Keys.waiting, Keys.frames = [], []
        for word in keys.split():
            Keys.waiting += [word] if word in ("enter", "up", "down", "left", "right", "any") else [*word, "enter"]
        monkeypatch.setattr(game_view, "Screen", Keys)
        monkeypatch.setattr(game_view, "is_screen", lambda *_: True)
        monkeypatch.setattr(game_view.shutil, "get_terminal_size", lambda: os.terminal_size((80, 24)))
        return practise("", *options), Keys.frames

    return run


Press = Callable[..., tuple[Done, list[str]]]


def test_the_keys_are_named_from_the_beginning_and_in_the_help(press: Press) -> None:
    _, frames = press("help any quit", "--suite", "huanle", "--level", "16")
    assert "find the win; arrow keys choose a cell and Enter plays it, or a click does" in frames[0]
    assert any("any key: back to the board" in frame and "click         play" in frame for frame in frames)
    assert "15 " in frames[-1] and "arrow keys choose a cell" in frames[-1]


def test_enter_plays_nothing_before_a_cell_was_chosen(press: Press, record: Path) -> None:
    done, frames = press("enter enter quit", "--suite", "huanle", "--level", "9")
    assert done.status == 0 and not record.exists()
    assert all("wins no longer" not in frame and "black to move and win> " in frame for frame in frames)
    done, frames = press("up enter quit", "--suite", "huanle", "--level", "16")
    assert "h9: still winning" in frames[2]


def test_enter_after_a_solved_puzzle_opens_the_next_without_old_text(press: Press) -> None:
    _, frames = press("up enter j9 i10 l7 enter quit", "--suite", "huanle", "--level", "16")
    solved = next(number for number, frame in enumerate(frames) if "Enter or next: another puzzle" in frame)
    assert "[" not in frames[solved].partition("solved>")[0]
    assert not frames[solved + 1].startswith("huanle/16") and frames[solved + 1].startswith("huanle/")
    assert "solved" not in frames[solved + 1] and "to move and win> \n" in frames[solved + 1]


def test_nothing_that_was_said_stays_after_a_command_that_says_nothing(press: Press) -> None:
    _, frames = press("a1 undo solution next quit", "--suite", "huanle", "--level", "9")
    begun = [frame for frame in frames if "to move and win> \n" in frame]
    assert len(begun) == 3 and sum("wins no longer" in frame for frame in frames) > 1
    assert all("arrow keys choose a cell" in frame and "wins" not in frame.partition("win> \n")[2] for frame in begun)


def test_the_cursor_stays_on_a_smaller_board(press: Press, tmp_path: Path) -> None:
    suite = tmp_path / "two.toml"
    suite.write_text(SMALL)
    done, frames = press("down " * 8 + "right " * 8 + "next down next quit", "--suite", str(suite), "--level", "1")
    assert done.status == 0
    assert {frame.split("\n")[0][:5] for frame in frames} == {"two/1", "two/2"}
    assert sum("[" in frame for frame in frames if frame.startswith("two/2")) > 1


def test_enter_steps_through_a_solution(press: Press) -> None:
    _, frames = press("solution enter enter back quit", "--suite", "huanle", "--level", "16")
    shown = [frame.partition("> \n")[2] for frame in frames if "solution, move" in frame]
    assert "(1. h9) 2." in shown[1] and "1. h9 (2." in shown[2]


# ---------------------------------------------------------------------- runs, rules, variety, two terminals


def test_every_slip_of_a_run_is_explained(practise: Practise) -> None:
    done = practise("a15 a15 a15", "--run", "--suite", "huanle")
    told = [line for line in done.out.splitlines() if "wins no longer" in line]
    assert len(told) == 3 and all(
        re.match(r"huanle/\d+: a15 wins no longer: .*; [a-o]\d+ wins$", line) for line in told
    )
    assert done.out.rstrip().endswith("the run is over: 0 solved")


def test_only_puzzles_under_a_rule(practise: Practise, tmp_path: Path) -> None:
    suite = tmp_path / "two.toml"
    suite.write_text(SMALL)
    for _ in range(5):
        assert "e  f  g" in practise("quit", "--suite", str(suite), "--rule", "renju").out
        assert "e  f  g" not in practise("quit", "--suite", str(suite), "--rule", "freestyle").out
    done = practise("quit", "--suite", str(suite), "--rule", "caro")
    assert done.status == 2 and "no puzzle is played under caro" in done.err
    assert practise("quit", "--rule", "chess").status == 2


def test_the_next_puzzle_is_another_one_even_when_this_one_is_due(
    practise: Practise, record: Path, tmp_path: Path
) -> None:
    suite = tmp_path / "two.toml"
    suite.write_text(SMALL)
    practise("a1 next a1 quit", "--suite", str(suite), "--level", "1")
    kept = json.loads(record.read_text())
    for one in kept["done"].values():
        one["due"] = 5
    record.write_text(json.dumps(kept))
    done = practise("next next next quit", "--suite", str(suite))
    assert done.out.count("o  \n") + len(re.findall(r"a  b  c  d  e  f\n", done.out)) == 2


def test_two_terminals_add_to_one_record(record: Path) -> None:
    one, other = module._Kept(record), module._Kept(record)
    levels = {level.number: level for level in puzzles.load("huanle")}
    one.record("huanle/1", levels[1], solved=True)
    other.record("huanle/2", levels[2], solved=False)
    one.record("huanle/3", levels[3], solved=True)
    assert set(json.loads(record.read_text())["done"]) == {"huanle/1", "huanle/2", "huanle/3"}
    other.refresh()
    assert other.practice == one.practice


def test_a_record_that_stays_locked_is_an_error(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = module._Kept(record)
    monkeypatch.setattr(module, "LOCK_TRIES", 2)
    with kept._locked(), pytest.raises(SuiteError, match="another program keeps it locked"):
        module._Kept(record).record("huanle/1", puzzles.load("huanle").level(1), solved=True)
    assert not record.exists()
