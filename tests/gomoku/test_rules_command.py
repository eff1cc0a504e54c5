"""``gomoku rules``: the winner and the forbidden cells, for people, as JSON and in batches."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

DOUBLE_THREE = """
.........
.........
....X....
....X....
..XX.....
.....O...
......O..
.........
.........
"""
FIVE = "XXXXX\nOOOO.\n.....\n.....\n.....\n"


@pytest.fixture
def rules(gomoku: Any) -> Any:
    return partial(gomoku, "rules")


def test_json_names_the_forbidden_cells(rules: Any) -> None:
    result = rules("a.txt", "--rule", "renju", "--json", a_txt=DOUBLE_THREE)
    assert result.status == 0
    assert result.value == {
        "id": None,
        "rule": "renju",
        "winner": None,
        "over": False,
        "line": [],
        "line_names": [],
        "forbidden": [[4, 4]],
        "forbidden_names": ["e5"],
        "fouls": ["three-three"],
    }


@pytest.mark.parametrize("rule", ["freestyle", "standard", "caro", "caro-overline", "0", "9"])
def test_other_rules_forbid_nothing(rules: Any, rule: str) -> None:
    assert rules("a.txt", "--rule", rule, "--json", a_txt=DOUBLE_THREE).value["forbidden"] == []


def test_the_board_for_people_shows_and_names_them(rules: Any) -> None:
    result = rules("a.txt", "--rule", "renju", a_txt=DOUBLE_THREE)
    assert result.status == 0
    assert " 5 .  .  X  X  *  .  .  .  .\n" in result.out
    assert "renju: nobody has won yet, black to move\nforbidden to black (*): e5\n" in result.out


def test_a_winner_in_words(rules: Any) -> None:
    result = rules("a.txt", a_txt=FIVE)
    assert "freestyle: black has won with a5 b5 c5 d5 e5" in result.out and "forbidden" not in result.out
    assert rules("a.txt", "--json", a_txt=FIVE).value == {
        "id": None,
        "rule": "freestyle",
        "winner": "black",
        "over": True,
        "line": [[0, col] for col in range(5)],
        "line_names": ["a5", "b5", "c5", "d5", "e5"],
        "forbidden": [],
        "forbidden_names": [],
        "fouls": [],
    }
    assert "nothing is forbidden to black" in rules("a.txt", "--rule", "4", a_txt=FIVE).out


def test_a_draw_in_words(rules: Any) -> None:
    full = "XXOOX\nOOXXO\nXXOOX\nOOXXO\nXXOOX\n"
    assert "standard: a draw, the board is full" in rules("a.txt", "--rule", "standard", a_txt=full).out
    rows = ["XXX.XX", "OOXXOO", "XXOOXX", "OOXXOO", "XXOOXX"]
    stones = [(row, col, found) for row, text in enumerate(rows) for col, found in enumerate(text)]
    position = {
        "rows": 5,
        "cols": 6,
        "rule": "renju",
        "black": [[row, col] for row, col, found in stones if found == "X"],
        "white": [[row, col] for row, col, found in stones if found == "O"],
        "to_move": "black",
    }
    stuck = rules("a.json", a_json=json.dumps(position))
    assert "renju: a draw, black has nowhere to play" in stuck.out and "(*): d5" in stuck.out


def test_a_batch_answers_line_by_line(rules: Any) -> None:
    lines = [
        '{"id": 7, "black": ["h8", "i8", "j8", "k8", "l8"], "white": []}',
        "not json",
        '{"id": "bad", "black": ["z1"], "white": []}',
        '{"id": null, "rows": 9, "cols": 9, "rule": "renju", "black": ["c5", "d5", "e6", "e7"], "white": []}',
        '{"id": [1], "black": ' + "9" * 5000 + "}",
    ]
    result = rules("--batch", "b.jsonl", b_jsonl="\n".join(lines))
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [answer["id"] for answer in answers] == [7, None, "bad", None, None]
    assert answers[0]["winner"] == "black" and answers[0]["over"]
    assert [("error" in answer) for answer in answers] == [False, True, True, False, True]
    assert "b.jsonl:2" in answers[1]["error"] and "z1" in answers[2]["error"]
    assert answers[3]["forbidden"] == [[4, 4]]
    assert result.status == 2 and "Traceback" not in result.err


def test_a_rule_for_a_whole_batch(rules: Any) -> None:
    line = '{"id": 1, "rows": 9, "cols": 9, "black": ["c5", "d5", "e6", "e7"], "white": []}'
    result = rules("--batch", "b.jsonl", "--rule", "renju", b_jsonl=line)
    assert result.status == 0 and result.value["rule"] == "renju" and result.value["forbidden_names"] == ["e5"]


@pytest.mark.parametrize(
    "args", [[], ["missing.txt"], ["a.txt", "--rule", "chess"], ["a.txt", "--batch", "a.txt"], ["--batch", "missing"]]
)
def test_bad_usage_is_one_message_and_status_2(rules: Any, args: list[str]) -> None:
    result = rules(*args, a_txt=DOUBLE_THREE)
    assert result.status == 2 and result.out == ""
    assert (
        any(word in result.err for word in ("expected", "cannot be read", "give either"))
        and "Traceback" not in result.err
    )
