"""``gomoku score``: the contract that scripts rely on."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

LEVEL_16 = {
    "id": "level 16",
    "black": [[4, 7], [6, 5], [6, 8], [6, 11], [7, 7], "k8"],
    "white": [[4, 6], [4, 9], [5, 6], [6, 4], [6, 10], [7, 8]],
    "to_move": "black",
}


@pytest.fixture
def level_16(tmp_path: Path) -> str:
    path = tmp_path / "level16.json"
    path.write_text(json.dumps(LEVEL_16), encoding="utf-8")
    return str(path)


def test_the_score_of_level_16(gomoku: Run, level_16: str) -> None:
    told = gomoku("score", level_16, "--table", "grade_dict", "--json").value
    assert told.pop("elapsed") >= 0
    assert told == {"id": "level 16", "table": "grade_dict", "score": -440, "to_move": "black"}


def test_the_turn_may_be_given(gomoku: Run, level_16: str) -> None:
    scores = {
        colour: gomoku("score", level_16, "--table", "wins", "--to-move", colour, "--json").value["score"]
        for colour in ("black", "white")
    }
    assert scores["black"] == 12500
    assert scores["white"] < scores["black"]


@pytest.mark.parametrize(
    ("table", "black", "white"),
    [("grade_dict", 960, -1440), ("level", 1006, 206), ("money", -625, 1000 - 110)],
)
def test_points_of_every_empty_cell(gomoku: Run, level_16: str, table: str, black: int, white: int) -> None:
    """A line table gives gains, black minus white; a point table what the point is worth to that colour."""
    points = gomoku("score", level_16, "--table", table, "--points", "--json").value["points"]
    assert (points["black"][6][7], points["white"][6][7]) == (black, white)
    assert points["black"][7][7] is None and points["white"][4][6] is None
    assert [len(line) for line in points["black"]] == [15] * 15
    assert sum(value is None for line in points["white"] for value in line) == 12


def test_people_see_the_board(gomoku: Run, level_16: str) -> None:
    done = gomoku("score", level_16, "--points")
    assert done.status == 0
    assert "grade_dict: -440  (black minus white, black to move)" in done.out
    assert "for black:" in done.out and "for white:" in done.out


def test_a_table_of_ones_own(gomoku: Run, level_16: str, tmp_path: Path) -> None:
    table = tmp_path / "mine.toml"
    table.write_text('name = "mine"\n[[pattern]]\nshape = "stone"\ntext = "o"\nscore = 1\n', encoding="utf-8")
    assert gomoku("score", level_16, "--table", str(table), "--json").value["table"] == "mine"


def test_a_batch_answers_each_line_in_order(gomoku: Run, tmp_path: Path) -> None:
    batch = tmp_path / "positions.jsonl"
    small, bad = {"id": 7, "rows": 5, "cols": 6}, {"id": 8, "black": 3}
    lines = [json.dumps(LEVEL_16), "oops", json.dumps(small), json.dumps(bad)]
    batch.write_text("\n".join(lines), encoding="utf-8")
    done = gomoku("score", "--table", "grade_dict", "--batch", str(batch))
    told = [json.loads(line) for line in done.out.splitlines()]
    assert [one["id"] for one in told] == ["level 16", None, 7, 8]
    assert [one.get("score") for one in told] == [-440, None, 0, None]
    assert all(set(told[at]) == {"id", "error"} for at in (1, 3))
    assert "positions.jsonl:2" in told[1]["error"]
    assert done.status == 2


BAD = [
    (["score"], "give either FILE or --batch"),
    (["score", "a.json", "--batch", "b.jsonl"], "give either FILE or --batch"),
    (["score", "nowhere.json"], "nowhere.json: cannot be read: no such file or directory"),
    (["score", "nowhere.json", "--table", "gradedict"], "unknown table 'gradedict'; did you mean 'grade_dict'?"),
    (["score", "nowhere.json", "--to-move", "green"], "green"),
    (["score", "--batch", "nowhere.jsonl"], "nowhere.jsonl: cannot be read"),
]


@pytest.mark.parametrize(("words", "message"), BAD)
def test_bad_input_is_one_message_and_status_2(gomoku: Run, words: list[str], message: str) -> None:
    done = gomoku(*words)
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_the_whole_process_is_quick(level_16: str) -> None:
    """Its processor time, beside that of a process that imports numpy, which it needs; the best of a few."""

    def seconds(*words: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    least = min(seconds("-c", "import numpy") for _ in range(4))
    assert min(seconds("-m", "gomoku", "score", level_16, "--json") for _ in range(4)) < 3 * least
