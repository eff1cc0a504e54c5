"""``gomoku train``: a table comes out that plays, the same from the same data, and a broken run goes on."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from gomoku.cli import main
from gomoku_patterns import Board, load_table
from search import Limit, player
from tests.learned import write_games


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("train") / "games"
    write_games(folder)
    return folder


def run(*arguments):
    return CliRunner().invoke(main, ["train", *map(str, arguments)])


def test_a_table_comes_out_that_plays(folder, tmp_path):
    done = run(folder, "--out", tmp_path / "mine.toml", "--epochs", 2, "--batch", 64)
    assert done.exit_code == 0, done.output
    assert "400 positions of 7x9" in done.output
    assert "pass 2: loss" in done.output
    table = load_table(tmp_path / "mine.toml")
    assert table.name == "mine"
    assert table.weights.provenance["positions"] == 400
    assert "Validation loss" in table.notes
    assert player(f"engine:table={tmp_path / 'mine.toml'}").search(Board(9, 9, black=["e5"]), Limit(depth=2)).move


def test_json_says_where_it_is_and_a_broken_run_goes_on(folder, tmp_path):
    whole = run(folder, "--out", tmp_path / "a.toml", "--epochs", 2, "--batch", 64, "--json")
    assert whole.exit_code == 0, whole.output
    first = ["--out", tmp_path / "b.toml", "--batch", 64, "--log", tmp_path / "b.log.npz", "--epochs", 2]
    assert run(folder, *first).exit_code == 0
    again = run(folder, *first, "--json")
    assert json.loads(again.output)["digest"] == json.loads(whole.output)["digest"]
    assert len(json.loads(again.output)["history"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "mine.txt"], "ends in .toml"),
        (["--out", "mine.toml", "--log", "mine.npz"], "is where the weights go"),
    ],
)
def test_names_that_cannot_be(folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = run(folder, *arguments)
    assert done.exit_code != 0
    assert message in done.output + str(done.exception)
