"""``gomoku puzzles``: what scripts rely on, what people see, and that an interrupted run loses nothing."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from arena.suite_run import SuiteRun
from gomoku.cli import main
from gomoku.commands import puzzles as module
from gomoku.commands.puzzles import command
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.table import load_table
from puzzles import AttemptPlan, load, read, write


def puzzles(*args: str | Path) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], standalone_mode=False)


def test_the_contract_of_the_json_result() -> None:
    result = puzzles("--level", "1-2,16", "--json")
    answer = json.loads(result.output)
    assert (answer["suite"], answer["solved"], answer["total"]) == ("huanle", 3, 3)
    assert [level["number"] for level in answer["levels"]] == [1, 2, 16]
    for level in answer["levels"]:
        assert {"number", "status", "move", "length", "nodes", "elapsed", "verdict"} <= set(level)
        assert (level["status"], level["verdict"]) == ("proven", "accepted")
    assert answer["levels"][2]["move"] == [6, 7]
    assert result.return_value == 0


def test_the_time_of_solving_and_that_of_verifying_are_both_told() -> None:
    levels = json.loads(puzzles("--level", "1-2", "--json").output)["levels"]
    assert all(level["elapsed"] > 0 and level["verify_elapsed"] > 0 for level in levels)
    assert re.search(r"[0-9.]+ .?s solving, [0-9.]+ .?s verifying: proven by the solver", puzzles().output)
    played = json.loads(puzzles("--level", "1", "--attacker", "random", "--json").output)["levels"][0]
    assert played["verify_elapsed"] is None


def test_several_processes_give_the_same_levels() -> None:
    answers = [json.loads(puzzles("--level", "1-3", "--json", "--jobs", jobs).output) for jobs in ("1", "2")]
    for answer in answers:
        for level in answer["levels"]:
            del level["elapsed"], level["verify_elapsed"]
    assert answers[0] == answers[1]


def test_a_level_that_fails_gives_status_one() -> None:
    result = puzzles("--level", "7,17", "--nodes", "5")
    assert result.return_value == 1
    assert "1 of 2 levels solved" in result.output
    assert "failed: 17" in result.output
    assert "no win proven, stopped by nodes" in result.output


def test_players_finish_a_level() -> None:
    result = puzzles("--level", "7", "--attacker", "random:seed=3", "--defender", "minmax:depth=2")
    assert result.return_value == 1
    assert "white wins in" in result.output
    result = puzzles("--level", "7", "--defender", "stubborn", "--json")
    assert json.loads(result.output)["levels"][0]["verdict"] == "black wins in 5 plies"


def test_a_suite_comes_from_standard_input() -> None:
    result = CliRunner().invoke(
        command, ["-", "--json"], input='{"black": ["g8", "h8", "i8"], "white": ["a1", "a2", "b1"]}'
    )
    assert json.loads(result.output)["suite"] == "<stdin>"
    assert json.loads(result.output)["solved"] == 1


def test_boards_are_shown_with_their_solution() -> None:
    output = puzzles("--level", "16", "--show").output
    assert "X1" in output
    assert "h9 h10 j9" in output


def test_a_page_is_written(tmp_path: Path) -> None:
    puzzles("--level", "1", "--report", tmp_path / "r.html")
    assert (tmp_path / "r.html").read_text().count("<svg") == 2


@pytest.mark.parametrize("option", [["--show"], ["--report", "levels.html"], ["--log", "log"]])
def test_what_the_recall_does_not_do_is_refused(option: list[str]) -> None:
    assert "--recall solves nothing" in str(puzzles("--recall", *option).exception)


def test_a_report_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    result = puzzles("--level", "1", "--report", tmp_path)
    assert "cannot be written" in str(result.exception) and result.output == ""


def test_a_page_of_proofs_has_no_column_without_a_figure(tmp_path: Path) -> None:
    page = tmp_path / "levels.html"
    for words, valued in (((), False), (("--attacker", "minmax:depth=2", "--defender", "random"), True)):
        puzzles("--level", "1", "--report", page, *words)
        text = page.read_text(encoding="utf-8")
        assert ("<th>value</th>" in text) is valued and "1 nodes" not in text


def test_the_recall_of_every_table() -> None:
    assert "grade_dict         90%    100%    100%        0.938  20" in puzzles("--recall").output
    answer = json.loads(puzzles("--recall", "--json", "--level", "1-2").output)
    assert {row["evaluator"] for row in answer["recall"]} >= {"grade_dict", "level", "wins", "cell", "cell prior"}
    assert answer["total"] == 2


# ---------------------------------------------------------------- going on


def test_what_is_in_the_log_is_not_done_again(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert puzzles("--level", "1-2", "--log", log).return_value == 0
    lines = log.read_text().splitlines()
    assert len(lines) == 3
    changed = json.loads(lines[1]) | {"nodes": 123_456}
    log.write_text("\n".join([lines[0], json.dumps(changed), lines[2][:20]]))
    answer = json.loads(puzzles("--level", "1-3", "--log", log, "--json").output)
    assert [level["number"] for level in answer["levels"]] == [1, 2, 3]
    assert answer["levels"][0]["nodes"] == 123_456
    assert len(log.read_text().splitlines()) == 4


def test_the_log_of_another_run_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    puzzles("--level", "1", "--log", log)
    error = puzzles("--level", "1", "--log", log, "--nodes", "7").exception
    assert "nodes is None there and 7 here" in str(error)


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"nodes": None}, "'nodes' is None"),
        ({"number": "1"}, "'number' is '1'"),
        ({"line": 5}, "'int' object is not iterable"),
        ({"move": [1, 2, 3]}, ""),
        ({"more": 1}, ""),
    ],
)
def test_a_result_that_was_edited_is_told_by_its_line(tmp_path: Path, slip: dict[str, object], said: str) -> None:
    log = tmp_path / "log.jsonl"
    puzzles("--level", "16", "--log", log)
    header, result = log.read_text().splitlines()
    log.write_text("\n".join([header, result, json.dumps(json.loads(result) | slip), ""]))
    error = puzzles("--level", "16", "--log", log).exception
    assert isinstance(error, GomokuError)
    assert str(error).startswith(f"{log}:3: this is not the result of a level: ") and said in str(error)


def fours(*rows: int) -> str:
    """A suite in which black wins at once in each of these rows; 0 stands for a level of two lone stones."""
    levels = [[[row, 3], [row, 4], [row, 5], [row, 6]] if row else [[7, 7]] for row in rows]
    return "".join(json.dumps({"black": black, "white": [[14, 0]]}) + "\n" for black in levels)


def test_the_log_of_a_suite_that_was_edited_is_refused(tmp_path: Path) -> None:
    log, suite = tmp_path / "log.jsonl", tmp_path / "mine.jsonl"
    suite.write_text(fours(2, 4))
    assert puzzles(suite, "--log", log).return_value == 0
    assert puzzles(suite, "--log", log).return_value == 0
    suite.write_text(fours(0, 4))
    assert "is the log of another run: positions is" in str(puzzles(suite, "--log", log).exception)
    header, *results = log.read_text().splitlines(keepends=True)
    old = {name: value for name, value in json.loads(header)["header"].items() if name != "positions"}
    log.write_text("".join([json.dumps({"header": old}) + "\n", *results]))
    assert "positions is None there" in str(puzzles(suite, "--log", log).exception)


def test_the_log_of_players_whose_table_was_edited_is_refused(tmp_path: Path) -> None:
    log, suite, table = tmp_path / "log.jsonl", tmp_path / "mine.jsonl", tmp_path / "table.toml"
    suite.write_text(fours(2))
    text = load_table("grade_dict").to_toml()
    table.write_text(text)
    args = (suite, "--log", log, "--attacker", f"minmax:depth=1,table={table}", "--defender", "random")
    assert puzzles(*args).return_value == 0
    table.write_text(text + "# edited\n")
    assert f"{table} was edited since its results were made" in str(puzzles(*args).exception)


def slow_run(tmp_path: Path) -> list[str]:
    """A run over many levels, each of which takes a while."""
    suite = tmp_path / "many.toml"
    level = load().level(2)
    write(suite, (level.__class__(number, level.position) for number in range(1, 400)))
    return [sys.executable, "-m", "gomoku", "puzzles", str(suite), "--log", str(tmp_path / "log.jsonl")]


def done(log: Path) -> int:
    return max(0, len(log.read_text().splitlines()) - 1) if log.exists() else 0


def wait_for(log: Path, levels: int) -> None:
    deadline = time.monotonic() + 60
    while done(log) < levels:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_run_says_what_was_done_and_keeps_it(tmp_path: Path, jobs: str) -> None:
    log = tmp_path / "log.jsonl"
    with subprocess.Popen(
        [*slow_run(tmp_path), "--jobs", jobs], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for(log, 2)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in output + errors
    said = re.search(r"interrupted, (\d+) of 399 levels done; --log (.*) goes on", errors)
    assert said is not None
    assert said[2] == str(log)
    assert int(said[1]) in (done(log), done(log) - 1)


def test_a_report_is_written_though_standard_output_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as stop:
        main(["puzzles", "--level", "1", "--report", str(tmp_path / "r.html")])
    assert stop.value.code == 0 and (tmp_path / "r.html").exists()


def test_the_table_grows_on_a_terminal(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "gomoku", "puzzles", "--level", "1,7"],
        stdout=follower, stderr=follower, env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.wait(timeout=30) == 0
    text = shown.decode()
    assert "verdict" in text
    assert "i12" in text
    assert "2 of 2 levels solved" in text


# ---------------------------------------------------------------- bad use


@pytest.mark.parametrize(
    "args, message",
    [
        (("nowhere",), "unknown suite 'nowhere'; the suites are huanle, endgames, tags"),
        (("--level", "x"), "cannot read the levels 'x'; write them as in 1-5,16"),
        (("--level", "5-1"), "the levels 5-1 run backwards; write 1-5"),
        (("--level", "40-50"), "'huanle' has 20 levels, but none with the number 40-50"),
        (("--attacker", "nobody"), "unknown player"),
        (("--defender", "minmax:dept=2"), "player 'minmax': unknown option 'dept'"),
        (("--seconds", "-1"), "seconds must be a finite number above 0, not -1.0"),
        (("--level", "1", "--report", "/no/such/r.html"), "cannot be written: no such file or directory"),
        (("--level", "1", "--log", "/no/such/log"), "cannot write the log: no such file or directory"),
    ],
)
def test_bad_use_gets_one_line_and_status_two(
    args: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["puzzles", *args])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert message in said
    assert "Traceback" not in said


def test_a_bad_level_of_a_users_suite_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text('[[level]]\nnumber = 7\nblack = "h8 h8"\n')
    with pytest.raises(SystemExit) as stop:
        main(["puzzles", str(tmp_path / "mine.toml")])
    assert stop.value.code == 2
    assert "mine.toml:1: level 7: black[" in capsys.readouterr().err


def test_convert_builds_a_suite_and_takes_it_apart(tmp_path: Path) -> None:
    from gomoku.commands.convert import command as convert

    games, suite, lines = tmp_path / "games.sgf", tmp_path / "mine.toml", tmp_path / "mine.jsonl"
    games.write_text("(;GN[one]AB[hh][ih][jh]AW[aa][ab][ac]PL[B];B[kh])(;GN[two]AB[hh][ih][jh]AW[aa][ab][ac])")
    assert CliRunner().invoke(convert, [str(games), str(suite)]).exit_code == 0
    answer = json.loads(puzzles(suite, "--json").output)
    assert (answer["suite"], answer["solved"], answer["total"]) == ("mine", 2, 2)
    assert CliRunner().invoke(convert, [str(suite), str(lines)]).exit_code == 0
    assert [json.loads(line)["id"] for line in lines.read_text().splitlines()] == [1, 2]
    assert CliRunner().invoke(convert, ["huanle.toml", "-"]).exit_code != 0


def test_titles_of_a_suite_are_text_and_neither_markup_nor_control_characters(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    about, level = {"suite": "s", "title": "[/b] \x1b[2J"}, {"title": "\x1b[2J", **json.loads(fours(2))}
    file.write_text(f"{json.dumps(about)}\n{json.dumps(level)}\n")
    shown = puzzles(file, "--show").output
    assert "\x1b" not in shown and "level 1 (\\x1b[2J)" in shown
    run = SuiteRun(read(file), AttemptPlan())
    assert len(list(run.results())) == 1
    with io.StringIO() as screen:
        Console(file=screen, width=120).print(module._table(run))
        assert "[/b] \\x1b[2J  1/1" in screen.getvalue()
