"""``gomoku review``: a game in, its errors out, in words, as JSON, as a page, as SGF and as puzzles."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from gomoku.answers import types
from gomoku.commands.review import command
from gomoku.web.schema import Schemas
from gomoku_patterns.notation import read_positions
from puzzles import read, reviewing, winning_moves

LOST = "h8 i9 g6 g9 f10 h11 i8 j9 g10 h9 f9 k9\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "game.pos").write_text(LOST)
    return tmp_path / "game.pos"


def run(*words: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(command, ["--nodes", "3000", *map(str, words)], input=text)


def test_people_read_what_went_wrong(game: Path) -> None:
    done = run(game)
    assert done.exit_code == 0
    assert (
        "9. black ?? g10 loses: white wins in 3; h9 was better, and nothing could save the game any more" in done.output
    )
    assert "then:   h9 f9 k9" in done.output
    assert done.output.endswith("White wins. After move 9, g10, black could not be saved any more.\n")


def test_programs_read_json(game: Path) -> None:
    found = json.loads(run(game, "--json").output)
    assert (found["winner"], found["decisive"], found["plies"], found["complete"]) == ("white", 9, 12, True)
    move = found["moves"][8]
    assert (move["name"], move["slip"], move["better_name"]) == ("g10", "losing move", "h9")
    assert move["refutation_names"] == ["h9", "f9", "k9"] and move["worth"]["share"] == 0.0
    assert json.loads(run("-", "--json", text=LOST).output)["moves"] == found["moves"]
    schemas = Schemas()
    schema = {**schemas.of(types.ReviewAnswer), "components": {"schemas": schemas.components}}
    jsonschema.Draft202012Validator(schema).validate(found)


def test_files_are_written(game: Path, tmp_path: Path) -> None:
    html, sgf = tmp_path / "a.html", tmp_path / "a.sgf"
    done = run(game, "--html", html, "--sgf", sgf)
    assert done.exit_code == 0 and "<svg" in html.read_text(encoding="utf-8")
    assert len(next(iter(read_positions(sgf))).board) == 12


def test_puzzles_are_a_suite(tmp_path: Path) -> None:
    stones = "AB[he][ie][je][if][hg][ig][jg][hh]AW[gd][kd][hf][kg][jh][gi][hj]PL[W]"
    (tmp_path / "a.sgf").write_text(f"(;GM[4]SZ[15]{stones};W[aa])")
    (tmp_path / "b.sgf").write_text("(;GM[4]SZ[15];B[hh])")
    target = tmp_path / "mine.toml"
    assert run(tmp_path / "a.sgf", "--puzzles", target).output.endswith("mine.toml: 1 puzzle\n")
    (level,) = read(target)
    assert set(winning_moves(level.board)) == set(level.wins) and level.title == "a, move 1"
    assert "there is no puzzle in this game" in run(tmp_path / "b.sgf", "--puzzles", tmp_path / "b.toml").output
    assert not (tmp_path / "b.toml").exists()


def test_one_game_of_a_collection(tmp_path: Path) -> None:
    (tmp_path / "two.sgf").write_text("(;GM[4]SZ[15];B[hh];W[hg])(;GM[4]SZ[15];B[hh];W[ig];B[ih])")
    assert json.loads(run(tmp_path / "two.sgf", "--game", "2", "--json").output)["plies"] == 3
    done = CliRunner().invoke(command, [str(tmp_path / "two.sgf"), "--game", "3"])
    assert done.exit_code == 1 and "there is no game 3" in str(done.exception)


def test_the_page_judges_by_the_same_numbers() -> None:
    """The web board judges moves while its engine looks at them; what counts as much given away is the same."""
    static = Path(reviewing.__file__).parent.parent / "gomoku" / "web" / "static"
    engine = (static / "engine.js").read_text("utf-8")
    assert re.findall(r"const DECISIVE = ([\d.]+);", engine) == [f"{reviewing.DECISIVE:g}"]
    assert "0.5 + 0.48 * Math.tanh(found.value / DECISIVE)" in engine
    assert reviewing.Worth(score=300).share == 0.5 + 0.48 * math.tanh(1)
