"""The ``gomoku`` command as a whole: what every command owes its user, whatever happens around it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from gomoku.cli import COMMANDS, cli

Run = Callable[..., Any]
LEVEL_16 = {
    "id": "level 16",
    "black": ["h11", "f9", "i9", "l9", "h8", "k8"],
    "white": ["g11", "j11", "g10", "e9", "k9", "i8"],
    "to_move": "black",
}
READERS = ["score", "explain", "rules", "move", "solve"]


@pytest.fixture
def shell(tmp_path: Path) -> Run:
    """Runs a line of bash in an empty folder that holds level 16; ``gomoku`` is this program as a process."""

    def run(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "level16.json").write_text(json.dumps(LEVEL_16))
        (tmp_path / "lead.py").write_text("class Lead:\n    name = 'lead'\n    def score(self, board): return 1 // 0\n")
        path = os.pathsep.join([str(Path(__file__).parents[2]), str(tmp_path)])
        start = f'set -o pipefail; gomoku() {{ {sys.executable} -m gomoku "$@"; }}; {line}'
        environment = {**os.environ, "PYTHONPATH": path, **environment}
        return subprocess.run(
            ["bash", "-c", start],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
            check=False,
        )

    return run


def test_a_slip_in_the_name_of_a_command_is_guessed(gomoku: Run) -> None:
    done = gomoku("scroe", "a.json")
    assert done.status == 2
    assert "unknown command 'scroe'; did you mean 'score'?" in done.err


def test_a_table_in_the_place_of_a_command_is_shown_how_to_be_shown(gomoku: Run) -> None:
    done = gomoku("tables", "level")
    assert done.status == 2
    assert "unknown command 'level'; the table of that name is shown by 'gomoku tables show level'" in done.err


def test_a_slip_in_a_command_of_tables_is_guessed(gomoku: Run) -> None:
    done = gomoku("tables", "shwo")
    assert done.status == 2 and "unknown command 'shwo'; did you mean 'show'?" in done.err


def test_a_text_that_is_no_position_is_answered_with_how_one_is_written(gomoku: Run) -> None:
    done = gomoku("score", "bad.txt", bad_txt="hello world")
    assert done.status == 2
    assert "cannot tell the format of 'hello world'; expected moves such as 'h8 h9 i9', the rows of a board" in done.err


def test_the_version_is_told_wherever_it_runs_from(gomoku: Run) -> None:
    done = gomoku("--version")
    assert done.status == 0 and done.out.startswith(("gomoku, version ", "gomoku (running from the source tree"))


@pytest.mark.parametrize("command", READERS)
def test_results_carry_the_id_of_their_position(gomoku: Run, command: str) -> None:
    done = gomoku(command, "a.json", "--json", a_json=json.dumps(LEVEL_16))
    assert done.status == 0
    assert next(iter(done.value.items())) == ("id", "level 16")


@pytest.mark.parametrize("command", READERS)
def test_a_position_without_an_id_has_none(gomoku: Run, command: str) -> None:
    assert gomoku(command, "a.pos", "--json", a_pos="h8i9h9i10").value["id"] is None


@pytest.mark.parametrize("command", READERS)
def test_a_bad_line_of_a_batch_ends_it_with_status_2_and_names_the_line(
    gomoku: Run, tmp_path: Path, command: str
) -> None:
    lines = [json.dumps(LEVEL_16).encode(), b'{"id": NaN}', b"\xff", b'{"id": 4, "id": 5}', b"[]"]
    (tmp_path / "batch.jsonl").write_bytes(b"\n".join(lines))
    done = gomoku(command, "--batch", "batch.jsonl")
    first, *bad = [json.loads(line, parse_constant=pytest.fail) for line in done.out.splitlines()]
    assert done.status == 2 and "error" not in first
    assert [one["error"].split(":")[:2] for one in bad] == [["batch.jsonl", str(number)] for number in (2, 3, 4, 5)]


def test_a_name_that_is_empty_is_no_folder(gomoku: Run) -> None:
    assert "the name of the file to read is empty" in gomoku("score", "").err


@pytest.mark.parametrize("command", [*READERS, "draw"])
def test_files_are_read_up_to_a_size(gomoku: Run, command: str) -> None:
    position = json.dumps(LEVEL_16)
    done = gomoku(command, "a.json", "--max-bytes", "50", a_json=position)
    assert done.status == 2 and "a.json: larger than 50 bytes; give a larger" in done.err
    assert gomoku(command, "a.json", "--max-bytes", str(len(position)), a_json=position).status in (0, 1)


def test_standard_input_and_converted_files_are_read_up_to_a_size(shell: Run) -> None:
    for line in ("score - --max-bytes 50 < level16.json", "convert level16.json - --to sgf --max-bytes 50"):
        done = shell(f"gomoku {line}")
        assert done.returncode == 2 and "larger than 50 bytes" in done.stderr


@pytest.mark.parametrize("command", READERS)
def test_a_line_of_a_batch_that_is_too_long_is_answered_in_its_place(gomoku: Run, command: str) -> None:
    lines = ['{"id": 1, "black": ["h8"]}', json.dumps({"id": 2, "black": ["h8"] * 5000}), '{"id": 3, "black": ["h8"]}']
    done = gomoku(command, "--batch", "a.jsonl", "--max-bytes", "1000", a_jsonl="\n".join(lines))
    told = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 2 and [one["id"] for one in told] == [1, None, 3]
    assert told[1]["error"].startswith("a.jsonl:2: larger than 1,000 bytes")


@pytest.mark.parametrize("line", ["explain level16.json --cell $NAME", "draw level16.json --mark $NAME", "rules $NAME"])
def test_what_is_too_long_to_show_is_cut(shell: Run, line: str) -> None:
    done = shell(f"gomoku {line}", NAME="h" * 50_000)
    assert done.returncode == 2 and len(done.stderr) < 1100


def test_a_reader_that_goes_away_ends_it_quietly(shell: Run) -> None:
    done = shell('yes "$(cat level16.json)" | gomoku score --batch - | head -1')
    assert done.stdout.count("\n") == 1 and done.stderr == ""


@pytest.mark.parametrize("line", ["score level16.json --json", "convert level16.json - --to sgf", "tables"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_is_one_line(shell: Run, line: str) -> None:
    done = shell(f"gomoku {line} > /dev/full")
    assert (done.returncode, done.stderr) == (
        2,
        "gomoku: cannot write to standard output: no space left on device\n",
    )


CLOSED = [
    "score level16.json",
    "score level16.json --json",
    "score --batch level16.json",
    "explain level16.json",
    "rules level16.json",
    "move level16.json",
    "solve level16.json",
    "solve level16.json --proof -",
    "solve level16.json --svg -",
    "tables",
    "draw level16.json",
    "convert level16.json - --to sgf",
    "--help",
]


@pytest.mark.parametrize("line", CLOSED)
def test_an_answer_that_nobody_can_get_is_an_error(shell: Run, line: str) -> None:
    done = shell(f"gomoku {line} >&-")
    assert (done.returncode, done.stderr) == (2, "gomoku: cannot write to standard output: it is closed\n")


def test_a_verdict_that_nobody_can_get_is_an_error(shell: Run) -> None:
    done = shell("gomoku solve level16.json --proof proof.json > told && gomoku verify level16.json proof.json >&-")
    assert (done.returncode, done.stderr) == (2, "gomoku: cannot write to standard output: it is closed\n")


def test_files_are_written_with_standard_output_closed(shell: Run, tmp_path: Path) -> None:
    shell("gomoku solve level16.json --proof proof.json >&-")
    shell("gomoku convert level16.json level16.sgf >&-")
    assert json.loads((tmp_path / "proof.json").read_text())["attacker"] == "black"
    assert (tmp_path / "level16.sgf").read_text().startswith("(;")


@pytest.mark.parametrize("line", ["score -", "score --batch -", "convert - out.sgf"])
def test_a_closed_standard_input_is_one_line(shell: Run, line: str) -> None:
    done = shell(f"gomoku {line} <&-")
    assert done.returncode == 2
    assert done.stderr == "gomoku: <stdin>: cannot read a position: standard input is closed\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_of_the_terminal_will_do(shell: Run, encoding: str) -> None:
    done = shell("gomoku explain level16.json && gomoku tables show level", PYTHONIOENCODING=encoding)
    assert done.returncode == 0 and done.stderr == ""


def test_the_locale_c_loses_no_result(shell: Run) -> None:
    line = "gomoku match random random:seed=2 --pairs 1 --balance none --size 5 --random-openings 1"
    done = shell(line, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="")
    assert done.returncode == 0 and "\\xbd" in done.stdout and done.stderr == ""


def test_json_stays_json_in_any_encoding(shell: Run) -> None:
    position = json.dumps({**LEVEL_16, "id": "五子棋 😀"}, ensure_ascii=False)
    done = shell(f"gomoku score - --json <<< '{position}'", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout)["id"] == "五子棋 😀"


def test_what_a_class_of_the_user_raises_is_one_line_with_its_place(shell: Run) -> None:
    line = "gomoku ladder lead:Lead --pairs 0 --speed 0"
    done = shell(line)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "lead.py:3: ZeroDivisionError: " in done.stderr
    assert "Traceback" in shell(line, GOMOKU_TRACEBACK="1").stderr


@pytest.mark.parametrize("raised", ["PermissionError(13, 'No')", "BrokenPipeError(32, 'gone')", "RuntimeError('no')"])
def test_what_a_class_of_the_user_does_with_files_is_no_failure_of_the_output(
    shell: Run, tmp_path: Path, raised: str
) -> None:
    (tmp_path / "odd.py").write_text(f"class Odd:\n    def score(self, board): raise {raised}\n")
    done = shell("gomoku ladder odd:Odd --pairs 0 --speed 0")
    assert done.returncode == 2 and "standard output" not in done.stderr
    assert f"odd.py:2: {raised.partition('(')[0]}: " in done.stderr


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("gomoku so", "plain,solve"),
        ("gomoku solve --mo", "plain,--mode"),
        ("gomoku solve --mode v", "plain,vcf"),
        ("gomoku solve lev", "file,lev"),
        ("gomoku score --table gra", "plain,grade_dict"),
        ("gomoku tables show mon", "plain,money"),
        ("gomoku move a.json --player min", "plain,minmax"),
        ("gomoku match engi", "plain,engine"),
        ("gomoku rules a.json --rule ren", "plain,renju"),
        ("gomoku puzzles hu", "plain,huanle"),
        ("gomoku convert a.sgf b.", "file,b."),
        ("gomoku convert a.sgf - --to sg", "plain,sgf"),
    ],
)
def test_the_shell_completes_what_can_stand_there(shell: Run, words: str, offered: str) -> None:
    last = len(words.split()) - 1
    done = shell("gomoku", _GOMOKU_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(last))
    assert offered in done.stdout.splitlines()


def test_a_proof_goes_from_one_command_to_the_other(shell: Run) -> None:
    done = shell("gomoku solve level16.json --proof - | gomoku verify level16.json -")
    assert done.returncode == 0 and done.stdout.startswith("accepted after ")


def test_a_proof_that_is_not_there_is_not_silence(gomoku: Run) -> None:
    done = gomoku("solve", "a.json", "--proof", "-", a_json='{"black": ["h8"], "white": ["h9"]}')
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("gomoku: black to move: disproven: ")


def test_a_picture_of_a_proof_on_standard_output_is_alone_there(gomoku: Run) -> None:
    level = json.dumps(LEVEL_16)
    done = gomoku("solve", "a.json", "--svg", "-", a_json=level)
    assert done.status == 0 and done.out.startswith("<svg") and done.out.endswith("</svg>\n")
    for both in (["--svg", "-", "--proof", "-"], ["--proof", "-", "--json"]):
        assert "only one of --json, --proof and --svg" in gomoku("solve", "a.json", *both).err


def test_a_batch_says_of_every_position_whether_a_proof_was_accepted(gomoku: Run) -> None:
    lines = "\n".join([json.dumps(LEVEL_16), json.dumps({"black": ["h8"]})])
    done = gomoku("solve", "--batch", "a.jsonl", a_jsonl=lines)
    assert [json.loads(line)["proof_accepted"] for line in done.out.splitlines()] == [True, None]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["convert", "a.pos", "b.sgf", "--at", "9"], "gomoku: a.pos:1: the game has 4 plies; --at 9 is beyond its end"),
        (
            ["puzzles", "won.json"],
            "gomoku: won.json: level 1: black has already won this game",
        ),
        (["solve", "a.pos", "--memory", "0"], "0 is not in the range"),
    ],
)
def test_messages_name_the_file(gomoku: Run, words: list[str], message: str) -> None:
    won = json.dumps({"black": ["a1", "b1", "c1", "d1", "e1"], "white": ["a3", "b3", "c3", "d3"]})
    done = gomoku(*words, a_pos="h8i9h9i10", won_json=won)
    assert done.status == 2 and message in done.err


def test_an_address_that_cannot_be_had_is_said_before_the_board_is_announced(gomoku: Run) -> None:
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = gomoku("serve", "--port", port)
    assert done.status == 2
    assert done.err == f"gomoku: cannot listen on 127.0.0.1:{port}: address already in use\n"
    assert "cannot listen on 256.1.1.1:1:" in gomoku("serve", "--host", "256.1.1.1", "--port", "1").err


def examples(name: str) -> list[str]:
    """The lines of a command's help that can be typed."""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None and command.help is not None
    return [line.strip() for line in command.help.splitlines() if line.strip().startswith(f"gomoku {name} ")]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples_and_its_options_are_those_of_the_command(name: str) -> None:
    assert examples(name)
    for line in examples(name):
        words = shlex.split(line.partition(" > ")[0].partition(" < ")[0].partition(" | ")[0])[1:]
        command: click.Command | None = cli
        while isinstance(command, click.Group) and words:
            inner = command.get_command(click.Context(command, info_name=words[0]), words[0])
            if inner is None:  # as puzzles, which takes a suite as well as commands
                break
            command = inner
            words.pop(0)
        assert command not in (None, cli)
        command.make_context(command.name, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_fits_a_narrow_terminal(gomoku: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    done = gomoku(name, "--help")
    assert done.status == 0 and done.out.startswith(f"Usage: gomoku {name} ")
    assert "RANGE" not in done.out and "INTEGER" not in done.out and "FLOAT" not in done.out


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize(
    "words",
    [
        "ladder --log log --pairs 500 --speed 0 -j 2",
        "match minmax:depth=3 minmax:depth=2 --pairs 5000 --balance none --random-openings 0 --log log -j 2",
        "puzzles --attacker engine --defender stubborn --seconds 3 --log log --jobs 2",
    ],
)
def test_a_run_that_is_told_to_end_keeps_what_is_done(tmp_path: Path, words: str) -> None:
    """As a batch system tells it, by SIGTERM: no traceback, nothing leaked, a log to go on from."""
    command, log = [sys.executable, "-m", "gomoku", *words.split()], tmp_path / "log"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        deadline = time.monotonic() + 60
        while (not log.exists() or log.read_bytes().count(b"\n") < 3) and time.monotonic() < deadline:
            time.sleep(0.02)
        run.send_signal(signal.SIGTERM)
        _, told = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "interrupted" in told and "--log log" in told
    assert "Traceback" not in told and "leaked" not in told
    assert all(isinstance(json.loads(line), dict) for line in log.read_bytes().splitlines())
