"""``gomoku move``: a player's answer for people, as JSON, in batches, within its limits."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gomoku.commands.move import _marked_board, _progress, command
from gomoku_patterns import BLACK, Board
from gomoku_patterns.errors import IllegalMoveError, LimitError, PlayerError
from search import Win

FOUR = {"id": "four", "rows": 9, "cols": 9, "black": ["c5", "d5", "e5", "f5"], "white": ["b5", "c6", "d7"]}
WON = {"rows": 9, "cols": 9, "black": ["c5", "d5", "e5", "f5", "g5"], "white": ["b5", "c6", "d7", "a1"]}


def move(*args: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args], input=text, standalone_mode=False)


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.json"
    path.write_text(json.dumps(FOUR | {"to_move": "black"}))
    return path


def test_the_answer_as_json(four: Path) -> None:
    result = move(four, "--player", "minmax:depth=1,width=3", "--json")
    [answer] = answers(result)
    assert result.return_value == 0
    assert answer.pop("elapsed") >= 0
    values = answer.pop("stats")["values"]
    assert answer == {
        "id": "four",
        "player": "minmax:depth=1,width=3",
        "move": [4, 6],
        "name": "g5",
        "score": answer["score"],
        "win": {"colour": "black", "plies": 1},
        "nodes": 3,
        "depth": 1,
        "pv": [[4, 6]],
        "pv_names": ["g5"],
        "stopped_by": "depth",
    }
    assert answer["score"] >= 50000
    assert values[0] == {"move": [4, 6], "name": "g5", "value": answer["score"]}


def test_several_lines_are_told_each_with_its_value(tmp_path: Path) -> None:
    path = tmp_path / "quiet.json"
    path.write_text('{"black": ["h8", "g10"], "white": ["i9", "h6"]}')
    asked = (path, "--player", "engine:lines=2,solver=no", "--depth", "4")
    told, [answer] = move(*asked).output, answers(move(*asked, "--json"))
    values, lines = answer["stats"]["values"], answer["stats"]["lines"]
    assert len(lines) == 2 and len(lines[1]["value"]) > 1
    for rank, (value, line) in enumerate(zip(values, lines, strict=True), 1):
        assert re.search(rf"^  {rank}: +{value['value']:,}   {line['name']} [a-o]", told, re.MULTILINE)


def test_the_answer_for_people_marks_the_move_and_tells_the_line(four: Path) -> None:
    result = move(four, "--player", "minmax", "--depth", "2")
    assert "X  X  X  X (X) ." in result.output
    assert "plays black g5 (4, 6)" in result.output
    assert [word for word in ("line:", "nodes:", "pruned:", "values:") if word not in result.output] == []
    assert "pruned:       1\n" not in result.output


def test_a_figure_that_is_not_there_is_not_shown(four: Path) -> None:
    assert "None" not in move(four, "--player", "mcts", "--nodes", "10").output


def test_the_mark_fits_in_every_corner() -> None:
    board = Board(5)
    for cell in ("a1", "e1", "a5", "e5"):
        row = _marked_board(board, board.cell(cell)).split("\n")[board.cell(cell).row]
        assert row.count("(X)") == 1
        assert (
            row.replace("(", " ").replace(")", " ").rstrip()
            == str(_after(board, cell)).split("\n")[board.cell(cell).row]
        )


def _after(board: Board, cell: str) -> Board:
    after = board.copy()
    after.push(cell)
    return after


def test_positions_come_from_standard_input_in_any_notation() -> None:
    [answer] = answers(move("-", "--player", "random", "--json", text="h8i9"))
    assert answer["player"] == "random"
    assert answer["id"] is None


@pytest.mark.parametrize(("limit", "key", "value"), [("--nodes", "nodes", 7), ("--depth", "depth", 2)])
def test_limits_are_passed_on(four: Path, limit: str, key: str, value: int) -> None:
    [answer] = answers(move(four, "--player", "minmax", limit, str(value), "--json"))
    assert answer[key] <= value
    assert answers(move(four, "--player", "mcts:rollouts=5", "--seconds", "0.01", "--json"))[0]["name"] == "g5"


def test_a_batch_answers_line_by_line(tmp_path: Path) -> None:
    lines = [json.dumps(FOUR), "{not json", json.dumps(WON), json.dumps({"id": 4, "rows": 5, "cols": 5})]
    batch = tmp_path / "positions.jsonl"
    batch.write_text("\n".join(lines))
    result = move("--batch", batch, "--player", "mcts", "--nodes", "300")
    first, broken, won, last = answers(result)
    assert (first["id"], first["name"]) == ("four", "g5")
    assert "positions.jsonl:2" in broken["error"]
    assert "black has won" in won["error"]
    assert (last["id"], last["name"]) == (4, "c3")
    assert result.return_value == 2


def test_positions_of_a_batch_do_not_know_of_each_other() -> None:
    line = json.dumps({"rows": 9, "cols": 9, "black": ["e5"], "white": ["e6"], "to_move": "black"})
    result = move("--batch", "-", "--player", "mcts", "--nodes", "500", text=f"{line}\n{line}\n")
    one, same = answers(result)
    assert {**one, "elapsed": 0} == {**same, "elapsed": 0}


def test_a_full_board_has_no_move_and_exit_status_1() -> None:
    rows = ["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"]
    result = move("-", "--player", "level", text="\n".join(rows))
    assert result.return_value == 1
    assert "no cell can be played" in result.output


def test_the_players_and_their_options_are_listed() -> None:
    listed = move("--list").output
    assert "minmax  " in listed
    assert "depth=limit" in listed
    players = json.loads(move("--list", "--json").output)["players"]
    assert {"minmax", "level", "level_tree", "wins", "two_ply", "mcts", "random"} <= {one["name"] for one in players}
    assert all({"name", "expected", "default", "help"} == set(option) for one in players for option in one["options"])


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (["--player", "nobody"], PlayerError),
        (["--player", "minmax:depth=0"], PlayerError),
        (["--player", "minmax:table=nothing"], PlayerError),
        (["--nodes", "0"], LimitError),
        (["--seconds", "nan"], LimitError),
    ],
)
def test_bad_requests_are_errors_of_the_project(four: Path, args: list[str], error: type[Exception]) -> None:
    assert isinstance(move(four, *args).exception, error)


def test_a_game_that_is_over_is_an_error() -> None:
    assert isinstance(move("-", text=json.dumps(WON)).exception, IllegalMoveError)


def test_progress_is_one_line() -> None:
    told = {"elapsed": 1.25, "depth": 4, "nodes": 123456, "score": -20}
    assert _progress(told) == "1.2 s   depth 4   123,456 nodes   score -20"
    assert _progress({**told, "win": Win(BLACK, 7)}).endswith("   black wins in 7")


def test_a_decided_score_is_told_in_plies(four: Path) -> None:
    told = move(four, "--player", "engine", "--nodes", "10000").output
    assert "score:        black wins in 1\n" in told
    assert answers(move(four, "--player", "engine", "--json"))[0]["win"] == {"colour": "black", "plies": 1}
