"""``gomoku convert``: files in, files out, nothing half-written."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gomoku.cli import main
from gomoku.commands.convert import command
from gomoku_patterns import Board
from gomoku_patterns.notation import read_position, read_positions
from puzzles.suite import load, read

GAME = "(;FF[4]GM[4]SZ[15]AB[hh]AW[hg];B[ii]C[good](;W[jj])(;W[kk]))"


def convert(*args: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], input=text)


def test_a_position_goes_through_many_notations(tmp_path: Path) -> None:
    before = tmp_path / "start.pos"
    before.write_text("h8i9h9j9\n")
    for name in ("a.sgf", "b.psq", "c.rec", "d.board", "e.openings", "f.json", "g.txt", "h.cells", "i.jsonl"):
        after = tmp_path / name
        assert convert(before, after).exit_code == 0
        before = after
    assert read_position(before.read_text()) == Board(black=["h8", "h9"], white=["i9", "j9"])


def test_standard_input_and_output() -> None:
    result = convert("-", "-", "--to", "moves", text="8,8,0\n9,7,25\n")
    assert (result.exit_code, result.output) == (0, "h8i9\n")


def test_a_closed_standard_output_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("a.pos", "h8i9\n"), ("a.jsonl", '{"black": ["h8"], "white": []}\n')):
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    for words in ("convert a.pos - --to sgf", "score --batch a.jsonl"):
        monkeypatch.setattr(sys, "stdout", None)
        with pytest.raises(SystemExit) as stop:
            main(words.split())
        said = "gomoku: cannot write to standard output: it is closed\n"
        assert (stop.value.code, capsys.readouterr().err) == (2, said), words


def test_origin_size_and_rule_are_told(tmp_path: Path) -> None:
    source, target = tmp_path / "a.pos", tmp_path / "a.json"
    source.write_text("t20")
    assert convert(source, target, "--size", "20", "--origin", "top", "--rule", "renju").exit_code == 0
    assert json.loads(target.read_text()) == {
        "rows": 20, "cols": 20, "rule": "renju", "black": ["t1"], "white": [], "to_move": "white",
    }  # fmt: skip
    assert convert(target, "-", "--to", "moves", "--to-origin", "top").output == "t20\n"


def test_a_game_keeps_its_variations_and_is_taken_at_a_ply(tmp_path: Path) -> None:
    source = tmp_path / "a.sgf"
    source.write_text(GAME)
    assert "(;W[jj])(;W[kk])" in convert(source, "-", "--to", "sgf").output
    assert convert(source, "-", "--to", "cells").output == "black: h8 i7 white: h9 j6\n"
    assert convert(source, "-", "--to", "cells", "--at", "0").output == "black: h8 white: h9\n"
    assert convert(source, "-", "--to", "cells", "--at", "1").output == "black: h8 i7 white: h9\n"
    assert "the game has 2 plies; --at 9 is beyond its end" in str(
        convert(source, "-", "--to", "cells", "--at", "9").exception
    )


def test_a_collection_stays_a_collection(tmp_path: Path) -> None:
    source, target = tmp_path / "many.sgf", tmp_path / "many.jsonl"
    source.write_text("(;B[hh])(;B[ii];W[hh])(;B[jj])")
    result = convert(source, target, "--json")
    assert json.loads(result.output)["positions"] == 3
    assert [len(entry.board) for entry in read_positions(target)] == [1, 2, 1]


def test_a_file_is_replaced_only_when_all_is_well(tmp_path: Path) -> None:
    source, target = tmp_path / "many.jsonl", tmp_path / "out.sgf"
    source.write_text('{"black": ["h8"]}\n{"black": ["h8", "h8"]}\n')
    target.write_text("precious")
    target.chmod(0o640)
    assert convert(source, target).exit_code != 0
    assert target.read_text() == "precious"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many.jsonl", "out.sgf"]
    source.write_text('{"black": ["h8"]}\n')
    assert convert(source, target).exit_code == 0
    assert target.read_text().startswith("(;FF[4]")
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    "args, message",
    [
        (("nothing.pos", "x.sgf"), "gomoku: nothing.pos: cannot be read: no such file or directory"),
        (("-", "x"), "cannot tell the notation from the file name 'x'; say --to"),
        (("-", "-"), "say with --to which notation to write"),
        (("-", "x.sgf", "--from", "pgn"), "unknown format"),
        (("-", "x.sgf", "--size", "big"), "cannot read the size 'big'; write 15 or 15x20"),
        (("-", "x.sgf", "--size", "4"), "expected 5 to 22 rows, found 4"),
        (("-", "no/such/x.sgf"), "cannot be written: no such file or directory"),
        (("-",), "give a file A to read and a file B to write, or --list"),
    ],
)
def test_bad_use_gets_one_line_and_status_two(
    args: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "in").write_text("h8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        main(
            [
                "convert",
                *("in" if arg == "-" and not number and len(args) > 1 else arg for number, arg in enumerate(args)),
            ]
        )
    assert stop.value.code == 2
    assert message in capsys.readouterr().err


def test_the_list_of_notations() -> None:
    rows = json.loads(convert("--list", "--json").output)["formats"]
    assert {"json", "sgf", "lib", "suite"} <= {row["name"] for row in rows}
    assert "RenLib library" in convert("--list").output


LOG = """{"header": {"match": 1}}
{"unit": 1, "black": "a", "white": "b", "opening": {"rows": 15, "cols": 15, "rule": "freestyle", \
"black": [], "white": [], "moves": ["h8", "h9"], "first": "black", "to_move": "black"}, \
"seed": 0, "moves": ["i8", "g8"], "result": "white", \
"reason": "time", "detail": "black: 3 s", "nodes": [7, null], "scores": [40, null], \
"wins": [null, "white wins in 3"], \
"seconds": [0.5, 0.25]}
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "games.jsonl").write_text(LOG)
    return tmp_path / "games.jsonl"


class TestALog:
    def test_becomes_a_game(self, log: Path) -> None:
        text = convert(log, "-", "--to", "sgf").output
        assert "PB[a]PW[b]RE[W+1]GN[2]TE[time: black: 3 s]" in text
        assert text.endswith(";B[hh];W[hg];B[ih]C[500 ms, score 40, 7 nodes];W[gh]C[250 ms, white wins in 3])\n")

    def test_becomes_a_table_with_a_row_for_each_move(self, log: Path, tmp_path: Path) -> None:
        assert convert(log, tmp_path / "a.csv").output.startswith("1 game written to ")
        rows = list(csv.DictReader((tmp_path / "a.csv").read_text().splitlines()))
        assert [(row["ply"], row["to_move"], row["move"], row["score"], row["points"]) for row in rows] == [
            ("1", "black", "i8", "40", "0.0"),
            ("2", "white", "g8", "", "1.0"),
        ]
        assert rows[1]["cells"].split("/")[7] == ".......xx......" and rows[1]["win"] == "white wins in 3"
        assert convert("-", "-", "--to", "csv", text=LOG).output == (tmp_path / "a.csv").read_text()

    def test_becomes_positions_that_say_what_they_are_of(self, log: Path) -> None:
        lines = convert(log, "-", "--to", "jsonl", "--each").output.splitlines()
        found = [json.loads(line) for line in lines]
        assert [one["id"] for one in found] == [
            {"game": 2, "ply": 0, "result": "white", "score": 40},
            {"game": 2, "ply": 1, "result": "white", "score": None},
            {"game": 2, "ply": 2, "result": "white", "score": None},
        ]
        assert [len(one["black"] + one["white"]) for one in found] == [2, 3, 4]

    def test_fills_a_folder(self, log: Path, tmp_path: Path) -> None:
        assert convert(log, tmp_path / "games", "--to", "psq").exit_code == 0  # a file, without a slash at its end
        assert convert(log, f"{tmp_path}/many/", "--to", "psq").exit_code == 0
        assert read_position((tmp_path / "many" / "game-000001.psq").read_text()).moves[-1].cell == (7, 6)
        (tmp_path / "many" / "game-000001.psq").unlink()
        assert "say with --to" in convert(log, tmp_path / "many").output
        assert convert(log, tmp_path / "many", "--to", "suite").exit_code == 2
        both = tmp_path / "both.jsonl"
        both.write_text('{"black": ["h8"]}\n{"black": ["h8", "h9", "h7"]}\n')
        assert convert(both, tmp_path / "many", "--to", "psq").exit_code == 1  # three black stones: nothing is written
        assert list((tmp_path / "many").iterdir()) == []

    @pytest.mark.parametrize("value", ["NaN", "-Infinity", "1" + "0" * 400])
    @pytest.mark.parametrize("notation", ["sgf", "psq", "csv"])
    def test_with_a_number_that_no_move_has_is_refused(self, value: str, notation: str) -> None:
        done = convert("-", "-", "--to", notation, text=LOG.replace("[0.5, 0.25]", f"[0.5, {value}]"))
        assert "not a list with a value for each move" in str(done.exception)

    def test_says_its_size_itself(self, log: Path) -> None:
        assert "leave them out" in convert(log, "-", "--to", "sgf", "--size", "20").output
        assert "--at takes one position" in convert(log, "-", "--to", "csv", "--at", "1").output


SUITE = """
suite = "mine"
title = "Two of mine"
source = "here"
notes = "none"
[[level]]
number = 4
title = "first"
black = "h8 i8 j8"
white = "a1 a2 a3"
to_move = "black"
length = 3
wins = "g8 k8"
line = "g8 f8 k8"
band = 2
tags = ["edge"]
[[level]]
number = 9
black = "h8"
white = "a1"
"""


class TestASuite:
    @pytest.fixture
    def suite(self, tmp_path: Path) -> Path:
        (tmp_path / "mine.toml").write_text(SUITE)
        return tmp_path / "mine.toml"

    @pytest.mark.parametrize("way", [["b.toml"], ["b.sgf"], ["b.jsonl", "--to", "suite"]])
    def test_keeps_all_it_says(self, suite: Path, tmp_path: Path, way: list[str]) -> None:
        between, back = tmp_path / way[0], tmp_path / "back.toml"
        said = convert(suite, between, *way[1:])
        assert (said.exit_code, said.stderr) == (0, "")
        assert said.stdout.startswith("2 puzzles written to ")
        assert convert(between, back).exit_code == 0
        assert list(read(back)) == list(read(suite))
        if way[0] != "b.sgf":
            assert (read(back).title, read(back).source, read(back).notes) == ("Two of mine", "here", "none")

    def test_says_what_a_notation_has_no_place_for(self, suite: Path, tmp_path: Path) -> None:
        told = convert(suite, tmp_path / "b.jsonl")
        assert "jsonl has no place for length, wins, line, band, tags of the puzzles; a .toml or" in told.stderr
        answer = json.loads(convert(suite, tmp_path / "b.lfz", "--json").stdout)
        assert answer["left_out"] == ["length", "wins", "line", "band", "tags"]
        assert [entry.board for entry in read_positions(tmp_path / "b.jsonl")] == [level.board for level in read(suite)]

    def test_becomes_a_table_with_a_row_for_each_level(self, suite: Path, tmp_path: Path) -> None:
        assert convert(suite, tmp_path / "a.csv").stdout.startswith("2 puzzles written to ")
        first, second = csv.DictReader((tmp_path / "a.csv").read_text().splitlines())
        assert (first["number"], first["line"], first["band"], first["tags"]) == ("4", "g8 f8 k8", "2", "edge")
        assert (second["black"], second["wins"]) == ("h8", "")

    def test_is_found_by_the_name_of_a_built_in_one(self, tmp_path: Path) -> None:
        assert convert("huanle", tmp_path / "b.sgf").stdout.startswith("20 puzzles written to ")
        assert convert(tmp_path / "b.sgf", tmp_path / "b.toml").exit_code == 0
        assert list(read(tmp_path / "b.toml")) == list(load("huanle"))

    def test_under_another_rule_is_only_positions(self, suite: Path, tmp_path: Path) -> None:
        assert convert(suite, tmp_path / "b.toml", "--rule", "renju").exit_code == 0
        first, _ = read(tmp_path / "b.toml")
        assert (first.position.rule, first.length, first.wins, first.line) == ("renju", None, (), ())


def test_a_table_of_moves_tells_how_many_rows_it_has(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"black": ["h8"]}\n')
    done = convert(tmp_path / "a.jsonl", tmp_path / "a.csv")
    assert "there is no move in it" in str(done.exception) and not (tmp_path / "a.csv").exists()
    (tmp_path / "a.sgf").write_text("(;AB[hh])(;B[hh];W[ii])")
    assert (
        convert(tmp_path / "a.sgf", tmp_path / "a.csv")
        .stdout.rstrip()
        .endswith(": 2 rows, 1 of the games have no move")
    )
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 3
