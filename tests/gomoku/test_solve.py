"""``gomoku solve`` and ``gomoku verify``: proofs out, proofs in, and which kind of "no"."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gomoku.commands.batch import run_batch
from gomoku.commands.solve import command as solve_command
from gomoku.commands.verify import command as verify_command
from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position, parse_json_position
from search.parts import write_parts
from search.proof import Proof
from search.result import Limit
from search.solver import DEFAULT_LIMIT, MEMORY, MEMORY_PER_SECOND

THREE = {"rows": 9, "cols": 9, "black": ["c5", "d5", "e5"], "white": ["a5", "d4", "f8"], "to_move": "black"}
QUIET = {"rows": 9, "cols": 9, "black": ["e5"], "white": ["e6"], "to_move": "black"}


def invoke(command: Any, *args: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], input=text, standalone_mode=False)


def solve(*args: str | Path, text: str | None = None) -> Result:
    return invoke(solve_command, *args, text=text)


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "three.json"
    path.write_text(json.dumps({"id": "three", **THREE}))
    return path


@pytest.fixture
def proof(position: Path, tmp_path: Path) -> Path:
    path = tmp_path / "proof.json"
    assert solve(position, "--proof", path).return_value == 0
    return path


# ---------------------------------------------------------------------- solve


def test_the_command_has_the_limits_of_the_function() -> None:
    assert Limit(seconds=10) == DEFAULT_LIMIT
    assert "10 unless --nodes is given" in " ".join(solve("--help").output.split())
    memory = f"by default {MEMORY >> 20}, or {MEMORY_PER_SECOND >> 20} for each second"
    assert memory in " ".join(solve("--help").output.split())


def test_a_win_as_json(position: Path) -> None:
    result = solve(position, "--json", "--verify")
    answer = json.loads(result.output)
    assert "proof_accepted" not in json.loads(solve(position, "--json").output)
    assert result.return_value == 0
    assert answer.pop("elapsed") > 0
    assert answer.pop("nodes") >= 0
    assert answer == {
        "id": "three",
        "status": "proven",
        "move": [4, 5],
        "name": "f5",
        "length": 3,
        "stopped_by": "complete",
        "proof_accepted": True,
    }


def test_no_win_is_a_negative_result_and_says_what_was_exhausted(tmp_path: Path) -> None:
    path = tmp_path / "quiet.json"
    path.write_text(json.dumps(QUIET))
    result = solve(path, "--json", "--mode", "vcf")
    answer = json.loads(result.output)
    assert result.return_value == 1
    assert (answer["status"], answer["move"], answer["name"], answer["length"]) == ("disproven", None, None, None)
    assert answer["exhausted"].startswith("no VCF")
    assert "proof_accepted" not in answer
    assert "black to move: disproven: no VCF" in solve(path, "--mode", "vcf").output


def test_a_limit_that_stops_the_search_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hard.json"
    path.write_text(json.dumps(HARD))
    result = solve(path, "--json", "--nodes", "2")
    answer = json.loads(result.output)
    assert (result.return_value, answer["status"], answer["stopped_by"]) == (1, "unknown", "nodes")
    assert "unknown, stopped by nodes" in solve(path, "--nodes", "2").output


HARD = {
    "black": ["f10", "h8", "h9", "i9", "f7", "g7"],
    "white": ["e8", "g9", "g10", "i8", "f6", "h7"],
    "to_move": "black",
}


def test_a_win_for_people(position: Path) -> None:
    said = solve(position, "--verify", "--tree", "--reply", "a1").output
    assert "black wins in 3 plies" in said
    assert "after f5 a1: " in said
    assert "any other →" in said
    assert " X1" in said and " O2" in said and " X3" in said
    assert "accepted after 74 replies" in said


def test_what_if_as_json(position: Path) -> None:
    answer = json.loads(solve(position, "--json", "--reply", "b5").output)["answer"]
    line = {"line": [[4, 5], [4, 1], [4, 6]], "line_names": ["f5", "b5", "g5"]}
    assert answer == {"move": [4, 6], "name": "g5", **line}


def test_what_needs_a_proof_is_not_left_out_in_silence(tmp_path: Path) -> None:
    path = tmp_path / "quiet.json"
    path.write_text(json.dumps(QUIET))
    said = solve(path, "--reply", "a1", "--tree", "--proof", tmp_path / "p.json", "--svg", tmp_path / "p.svg")
    assert said.return_value == 1
    assert "no win is proven, so there is nothing to show for --tree and --reply" in said.stdout
    assert all(f"{tmp_path}/p.{kind} is not written: no win is proven" in said.stderr for kind in ("json", "svg"))
    assert json.loads(solve(path, "--json", "--reply", "a1").stdout)["answer"] is None


def test_a_win_in_one_move_takes_one_ply(tmp_path: Path) -> None:
    path = tmp_path / "four.json"
    path.write_text(json.dumps({"black": ["c5", "d5", "e5", "f5"], "white": ["a5", "d4", "f8", "g8"]}))
    assert "black wins in 1 ply\n" in solve(path).output


def test_the_proof_in_the_result_is_the_one_in_the_file(position: Path, proof: Path) -> None:
    answer = json.loads(solve(position, "--json", "--with-proof").output)
    assert answer["proof"] == json.loads(proof.read_text())


def test_the_winning_line_as_a_picture(position: Path, tmp_path: Path) -> None:
    assert solve(position, "--svg", tmp_path / "line.svg").return_value == 0
    picture = (tmp_path / "line.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg") and "black wins in 3 plies" in picture


def test_another_rule_than_the_files(tmp_path: Path) -> None:
    """The row would be six: five in freestyle, nothing in standard."""
    path = tmp_path / "six.json"
    six = {"rows": 5, "cols": 9, "black": ["b3", "c3", "d3", "f3", "g3"], "white": [], "to_move": "black"}
    path.write_text(json.dumps(six))
    assert json.loads(solve(path, "--json").output)["name"] == "e3"
    assert json.loads(solve(path, "--json", "--rule", "standard").output)["name"] != "e3"


def test_files_that_cannot_be_written_are_named(position: Path, tmp_path: Path) -> None:
    result = solve(position, "--proof", tmp_path / "no" / "such" / "folder.json")
    assert "cannot be written" in str(result.exception)


# ---------------------------------------------------------------------- batches


def batch(tmp_path: Path) -> Path:
    path = tmp_path / "batch.jsonl"
    lines = [
        json.dumps({"id": 1, **THREE}),
        '{"id": 2, "rows": 99}',
        "not json",
        json.dumps({"id": "four", **QUIET}),
        json.dumps(THREE),
    ]
    path.write_text("\n".join(lines) + "\n\n")
    return path


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_batch_answers_every_line_in_order(tmp_path: Path, jobs: int) -> None:
    result = solve("--batch", batch(tmp_path), "--mode", "vcf", "--jobs", str(jobs))
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert result.return_value == 2
    assert [answer["id"] for answer in answers] == [1, 2, None, "four", None]
    assert [answer.get("status") for answer in answers] == ["proven", None, None, "disproven", "proven"]
    assert "batch.jsonl:2:" in answers[1]["error"] and "batch.jsonl:3:" in answers[2]["error"]
    assert answers[0]["proof_accepted"] is True and "proof" not in answers[0]


def deadly(board: Board) -> dict[str, int]:
    """Ends its process at a stone on a1."""
    if not board.is_empty("a1"):
        os._exit(1)
    return {"stones": len(board)}


def test_a_line_that_kills_its_process_keeps_its_id(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "batch.jsonl"
    path.write_text("".join(json.dumps({"id": name, "black": [name], "white": []}) + "\n" for name in ("h8", "a1")))
    assert not run_batch(str(path), deadly, jobs=2)
    good, bad = map(json.loads, capsys.readouterr().out.splitlines())
    assert (good, bad["id"]) == ({"id": "h8", "stones": 1}, "a1") and "line 2: " in bad["error"]


def test_a_batch_with_proofs_from_standard_input(tmp_path: Path) -> None:
    result = solve("--batch", "-", "--with-proof", text=json.dumps(THREE) + "\n")
    answer = json.loads(result.output)
    assert result.return_value == 0
    assert Proof.from_json(answer["proof"]).length == answer["length"]


@pytest.mark.parametrize("option", [["--tree"], ["--svg", "a.svg"], ["--proof", "a.json"], ["--reply", "a1"]])
def test_a_batch_takes_no_options_for_one_position(tmp_path: Path, option: list[str]) -> None:
    assert "use FILE, not --batch" in str(solve("--batch", batch(tmp_path), *option).exception)


# ---------------------------------------------------------------------- verify


def verify(*args: str | Path) -> Result:
    return invoke(verify_command, *args)


def test_a_proof_is_accepted_for_its_position_alone(position: Path, proof: Path, tmp_path: Path) -> None:
    result = verify(position, proof, "--json")
    answer = json.loads(result.output)
    assert result.return_value == 0
    assert answer.pop("elapsed") > 0
    assert answer == {"accepted": True, "replies_checked": 74, "reason": None}
    assert verify(position, proof).output == "accepted after 74 replies\n"
    assert verify(position, proof, "--quick").output == "accepted after 1 reply\n", (
        "the others are answered by one look"
    )
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**THREE, "white": ["a5", "d4", "g8"]}))
    assert verify(other, proof).return_value == 1
    said = verify(position, proof, "--rule", "renju").output
    assert said.startswith("refused after 0 replies: the proof is for another position: 9x9 freestyle, black ")


def test_a_tampered_proof_is_refused_and_the_escape_is_named(position: Path, proof: Path) -> None:
    value = json.loads(proof.read_text())
    (reply,) = value["tree"]["then"]["replies"]
    value["tree"]["then"]["replies"] = {}
    proof.write_text(json.dumps(value))
    for options in ((), ("--quick",)):
        result = verify(position, proof, *options)
        assert result.return_value == 1
        assert f"the reply {reply} escapes" in result.output


def test_a_proof_in_binary_form_is_judged_by_either_verifier(
    position: Path, proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = tmp_path / "proof.gmkproof"
    assert invoke(solve_command, position, "--proof", binary).return_value == 0
    assert binary.read_bytes().startswith(b"GMKPROOF")
    assert Proof.load(binary).to_json() == json.loads(proof.read_text())
    for how in ((), ("--native",), ("--python",)):
        assert verify(position, binary, *how).output == "accepted after 74 replies\n"
        assert verify(position, proof, *how).output == "accepted after 74 replies\n"
        assert "gave up" in verify(position, binary, *how, "--most", "20").output
    monkeypatch.setattr("gomoku.commands.verify.LARGE", 10)
    monkeypatch.setattr("search.verifier.Proof", None)  # a large file is judged as it is
    assert verify(position, binary).output == "accepted after 74 replies\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_proof_in_parts_is_verified_by_several_processes(
    position: Path, proof: Path, tmp_path: Path, jobs: str
) -> None:
    folder = tmp_path / "parts"
    assert write_parts(Proof.load(proof), folder, 1)[0] == "0000.gmkproof"
    result = verify(position, folder, "--parts", "--jobs", jobs, "--json")
    assert json.loads(result.output)["accepted"] is True and result.return_value == 0
    (folder / "0000.gmkproof").write_bytes(b"nothing")
    result = verify(position, folder, "--parts", "--jobs", jobs)
    assert result.return_value == 1
    assert "part 0000.gmkproof is refused: this is no proof in binary form" in result.output


@pytest.mark.parametrize("text", ["", "{", '{"version": 1}', "[1, 2]"])
def test_what_is_no_proof_is_refused(position: Path, proof: Path, text: str) -> None:
    proof.write_text(text)
    result = verify(position, proof, "--json")
    answer = json.loads(result.output)
    assert result.return_value == 1
    assert answer["accepted"] is False and answer["reason"]


def gomoku(*args: str | Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-c", "from gomoku.cli import main; main()"]
    return subprocess.run([*program, *map(str, args)], capture_output=True, text=True, check=False)


def test_exit_status_of_the_program(position: Path, proof: Path, tmp_path: Path) -> None:
    assert gomoku("solve", position).returncode == 0
    missing = gomoku("verify", position, tmp_path / "none.json")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr.count("\n") == 1 and "cannot be read" in missing.stderr
    assert gomoku("verify", "-", "-").returncode == 2
    won = tmp_path / "won.json"
    won.write_text(json.dumps({"rows": 5, "cols": 5, "black": ["a1", "b1", "c1", "d1", "e1"], "to_move": "white"}))
    over = gomoku("solve", won)
    assert over.returncode == 2 and "this game is already won" in over.stderr


def test_a_proof_of_a_board_that_was_played_is_a_proof_of_the_position(proof: Path) -> None:
    board = parse_json_position(THREE)
    played = Board(9)
    for black, white in zip(board.stones(board.turn), board.stones(board.turn.opponent), strict=True):
        played.push(black)
        played.push(white)
    assert json_position(Proof.load(proof).position) == json_position(played)
