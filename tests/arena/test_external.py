"""The match against programs of others: even openings, colours swapped, forfeits shown, logs gone on with."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from arena.openings import canonical
from benchmarks import external, make_openings
from gomoku_patterns import Board, Cell, Colour, Rule
from search import Limit
from search.engine_player import EnginePlayer

MORE = external.OPENINGS.with_name("more_openings.pos")


@pytest.mark.parametrize("setting", list(external.SETTINGS))
def test_openings_lie_in_the_middle_and_break_no_rule(setting: str) -> None:
    rule, size = external.SETTINGS[setting]
    found = list(external.openings(rule, size))
    assert len(found) > 40
    for board in found:
        rows = [cell.row for cell, _ in board.moves]
        assert (board.rows, board.cols, board.rule, len(board)) == (size, size, rule, 7)
        assert abs(sum(rows) / 7 - (size - 1) / 2) < 4
        assert not board.is_over()


def test_more_openings_are_others_and_none_is_over() -> None:
    every = [*external.openings(Rule.FREESTYLE, 15), *external.openings(Rule.FREESTYLE, 15, MORE)]
    assert len(every) == len({canonical(board) for board in every}) == 159
    assert all(len(board) == 7 and board.turn is Colour.WHITE and not board.is_over() for board in every)


def test_quick_openings_are_even() -> None:
    (opening,) = make_openings.quick(1, seed=5)
    assert len(opening) == 7
    nodes, most = make_openings.JUDGING[0]
    assert abs(EnginePlayer(hash=256).search(opening, Limit(nodes=nodes)).score) <= most


def test_renju_leaves_out_openings_with_a_forbidden_move() -> None:
    free, renju = (len(list(external.openings(rule, 15))) for rule in (Rule.FREESTYLE, Rule.RENJU))
    assert renju <= free


def test_other_openings_may_be_games_or_boards(tmp_path: Path) -> None:
    games, drawn = tmp_path / "games.txt", tmp_path / "drawn.txt"
    games.write_text("h8 i9 h10\na1 o15\n")
    drawn.write_text(str(Board(15, black=["h8"], white=["i9", "a1"])))
    standard, wide = (list(external.openings(Rule.STANDARD, size, games)) for size in (15, 20))
    assert [[board.name(cell) for cell, _ in board.moves] for board in standard] == [["h8", "i9", "h10"], ["a1", "o15"]]
    assert [board.stones("black") for board in wide] == [[Cell(7, 9), Cell(9, 9)], [Cell(16, 2)]]
    (board,) = external.openings(Rule.RENJU, 20, drawn)
    assert (board.stones("white"), board.stones("black")) == ([Cell(8, 10), Cell(16, 2)], [Cell(9, 9)])
    assert (board.turn, board.rule, board.rows) == (Colour.BLACK, Rule.RENJU, 20)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--openings", "none.pos"], "none.pos: cannot be read: no such file"),
        (["--pairs", "0"], "a pair of games or more"),
    ],
)
def test_what_cannot_be_played_is_said(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert external.main(["true", "--settings", "freestyle-15", *more]) == 2
    assert said in capsys.readouterr().err


def test_a_match_is_counted_and_goes_on_from_its_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weak = shlex.join([sys.executable, "-m", "gomoku", "brain", "--player", "random:seed=1"])
    arguments = [weak, "--settings", "freestyle-20", "--pairs", "1", "--nodes", "300", "--tolerance", "30"]
    assert external.main([*arguments, "--log", str(tmp_path)]) == 0
    first = capsys.readouterr().out
    assert "| freestyle-20 | 2 | 2-0-0 | 100.0%" in first and "| none | " in first and "ms at most; " in first
    log = (tmp_path / "freestyle-20.jsonl").read_bytes()
    assert external.main([*arguments, "--log", str(tmp_path)]) == 0
    assert capsys.readouterr().out == first
    assert (tmp_path / "freestyle-20.jsonl").read_bytes() == log


def test_a_program_that_ends_at_once_forfeits(capsys: pytest.CaptureFixture[str]) -> None:
    gone = shlex.join([sys.executable, "-c", ""])
    assert external.main([gone, "--settings", "renju-15", "--pairs", "1", "--nodes", "100"]) == 0
    assert "| renju-15 | 2 | 2-0-0 |" in (told := capsys.readouterr().out)
    assert "2 theirs: start" in told or "2 theirs: crash" in told
