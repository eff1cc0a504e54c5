"""``gomoku puzzles make`` and ``audit``: what people see, what scripts rely on, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gomoku.commands.puzzles import command
from gomoku_patterns.errors import GomokuError
from puzzles import read


def puzzles(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], standalone_mode=False)


MAKE = ("make", "--count", "2", "--seed", "4", "--source", "shapes")


@pytest.mark.parametrize("ending", ["toml", "jsonl", "sgf"])
def test_puzzles_are_made_written_and_judged(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"made.{ending}"
    result = puzzles(*MAKE, "--out", file, "--name", "fresh")
    assert result.return_value == 0
    assert result.output.startswith("2 puzzles kept; by band 1:")
    assert "shapes: " in result.output
    suite = read(file)
    name = "made" if ending == "sgf" else "fresh"  # SGF has no place for the name of a suite
    assert (suite.name, len(suite)) == (name, 2)
    assert all(level.line and level.band and level.tags and level.recorded for level in suite)
    judged = puzzles("audit", file)
    assert judged.return_value == 0
    assert judged.output.endswith(f"{name}: 2 levels: 2 sound\n")
    assert puzzles(file).return_value == 0


def test_the_contracts_of_the_json_results(tmp_path: Path) -> None:
    answer = json.loads(puzzles(*MAKE, "--json").output)
    assert (answer["kept"], set(answer["tests"])) == (2, {"shapes"})
    proofs = tmp_path / "proofs"
    result = puzzles("audit", "huanle", "--level", "9-10", "--json", "--proofs", proofs)
    answer = json.loads(result.output)
    assert result.return_value == 1
    assert (answer["suite"], answer["total"], answer["verdicts"]) == ("huanle", 2, {"sound": 1, "cooked": 1})
    row = answer["levels"][0]
    assert (row["number"], row["verdict"], row["length"], row["keys"], row["exact"]) == (9, "sound", 7, ["h10"], True)
    assert sorted(path.name for path in proofs.iterdir()) == ["10.json", "9.json"]


def test_a_sample_is_spread_over_the_suite() -> None:
    output = puzzles("audit", "huanle", "--sample", "3", "--nodes", "50000").output
    assert [line.split()[1] for line in output.splitlines()[:-1]] == ["1", "7", "13"]


def test_a_log_keeps_what_was_judged(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    puzzles("audit", "huanle", "--level", "1-3", "--log", log)
    again = puzzles("audit", "huanle", "--level", "1-4", "--log", log)
    assert [line.split()[1] for line in again.output.splitlines()[:-1]] == ["4"]
    assert again.output.endswith("huanle: 4 levels: 4 sound\n")
    log.write_text(log.read_text() + '{"number": 9, "verdict": "nice", "why": "", "keys": [], "notes": []}\n')
    error = puzzles("audit", "huanle", "--level", "1-4", "--log", log).exception
    assert "its verdict is 'nice'" in str(error)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("make",), "say how many puzzles to make: --count N"),
        (("make", "-n", "1", "--tag", "egde"), "unknown tag 'egde'; did you mean 'edge'?"),
        (("make", "-n", "1", "--band", "11"), "there are bands from 1 to 10, and no band 11"),
        (("make", "-n", "1", "--plies", "x"), "cannot read the plies 'x'; write them as in 1-5,16"),
        (("make", "-n", "1", "--plies", "9-5"), "the plies 9-5 run backwards; write 5-9"),
        (
            ("make", "-n", "1", "--plies", "5-7,15-17"),
            "expected one range of plies, found '5-7,15-17'; run the command",
        ),
        (("make", "-n", "1", "--plies", "5-7", "--tag", "long"), "no puzzle of at most 7 plies shows long"),
        (("make", "-n", "1", "--tag", "forbidden_trap"), "no puzzle shows forbidden_trap under freestyle"),
        (("make", "-n", "1", "--out", "mine.txt"), "end the name in .toml, .jsonl or .sgf"),
        (("make", "-n", "1", "--source", "luck"), "unknown source 'luck'"),
        (("make", "-n", "1", "--rule", "caro"), "puzzles are made under freestyle, standard and renju rules, not caro"),
        (("make", "-n", "1", "--out", "no/such/folder.toml"), "no/such"),
        (("make", "--from", "nothing.sgf"), "nothing.sgf"),
        (("audit", "nothing"), "unknown suite 'nothing'"),
        (("audit", "huanle", "--level", "1", "--sample", "2"), "both choose levels"),
        (("audit", "huanle", "--level", "77"), "none with the number 77"),
    ],
)
def test_what_cannot_be_done_is_said(words: tuple[str, ...], message: str) -> None:
    error = puzzles(*words).exception
    assert message in str(getattr(error, "message", error))
    assert isinstance(error, GomokuError) or hasattr(error, "message")


def test_the_help_names_the_commands_below() -> None:
    output = puzzles("--help").output
    assert output.startswith("Usage: puzzles [OPTIONS] [SUITE]")
    assert "--attacker" in output
    assert "make " in output
    assert "audit " in output
    assert "gomoku puzzles make --count 100" in puzzles("make", "--help").output


def test_a_run_that_finds_nothing_ends_and_says_what_to_ask_for() -> None:
    result = puzzles("make", "-n", "1", "--source", "shapes", "--plies", "61-99", "--nodes", "100", "--patience", "20")
    assert result.return_value == 1
    assert "gave up after " in result.stderr and "ask for fewer tags, other bands or other plies" in result.stderr


SUITE = """
suite = "faulty"
[[level]]
black = "d10 d8 f8 e6"
white = "f11 h10 d7 g7"
to_move = "black"
length = 11
[[level]]
black = "h8 h8"
[[level]]
number = 7
black = "h11 f9 i9 l9 h8 k8"
white = "g11 j11 g10 e9 k9 i8"
[[level]]
this is no TOML
[[level]]
number = 9
black = "i11 g9 j9 m9 i8 l8"
white = "h11 k11 h10 f9 l9 j8"
"""


def test_one_bad_level_does_not_end_an_audit(tmp_path: Path) -> None:
    file = tmp_path / "faulty.toml"
    file.write_text(SUITE)
    result = puzzles("audit", str(file), "--json")
    levels = json.loads(result.output)["levels"]
    found = [(level["number"], level["verdict"]) for level in levels]
    assert found == [(1, "shorter"), (7, "sound"), (9, "repeated"), (2, "unreadable"), (8, "unreadable")]
    assert "h8" in levels[3]["why"] and f"{file}:" in levels[4]["why"]
    assert levels[2]["why"] == "it is level 7 again"
    only = puzzles("audit", str(file), "--level", "2,7").output
    assert "level    2  unreadable" in only and only.endswith("faulty: 2 levels: 1 sound, 1 unreadable\n")
