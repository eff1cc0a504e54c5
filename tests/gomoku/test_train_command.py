"""``gomoku train``: a table comes out that plays, the same from the same data, and a broken run goes on."""

from __future__ import annotations

import json

import pytest

from gomoku.cli import main
from gomoku_patterns import Board, load_table
from search import Limit, player
from tests.learned import write_games


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("train") / "games"
    write_games(folder)
    return folder


@pytest.fixture(name="run")
def _run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["train", *map(str, arguments)])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


def test_a_table_comes_out_that_plays(run, folder, tmp_path):
    status, out, err = run(folder, "--out", tmp_path / "mine.toml", "--epochs", 2, "--batch", 64)
    assert status == 0, err
    assert "400 positions of 7x9" in out
    assert "pass 2: loss" in out
    table = load_table(tmp_path / "mine.toml")
    assert table.name == "mine"
    assert table.weights.provenance["positions"] == 400
    assert "Validation loss" in table.notes
    assert player(f"engine:table={tmp_path / 'mine.toml'}").search(Board(9, 9, black=["e5"]), Limit(depth=2)).move


def test_json_says_where_it_is_and_a_broken_run_goes_on(run, folder, tmp_path):
    status, whole, err = run(folder, "--out", tmp_path / "a.toml", "--epochs", 2, "--batch", 64, "--json")
    assert status == 0, err
    first = ["--out", tmp_path / "b.toml", "--batch", 64, "--log", tmp_path / "b.log.npz", "--epochs", 2]
    assert run(folder, *first)[0] == 0
    again = json.loads(run(folder, *first, "--json")[1])
    assert again["digest"] == json.loads(whole)["digest"]
    assert len(again["history"]) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "mine.txt"], "ends in .toml"),
        (["--out", "mine.toml", "--log", "mine.npz"], "is where the weights go"),
    ],
)
def test_names_that_cannot_be(run, folder, monkeypatch, arguments, message):
    monkeypatch.chdir(folder.parent)
    status, _, err = run(folder, *arguments)
    assert status
    assert message in err
