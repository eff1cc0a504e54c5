"""``gomoku data``: data sets made, gone on with, described and verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.data import DataSet
from gomoku.cli import main
from gomoku_patterns import Board
from gomoku_patterns.cells import Colour
from gomoku_patterns.rules import winning_cells


@pytest.fixture
def data(capfd: pytest.CaptureFixture[str]):
    def run(*args: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            main(["data", *map(str, args)])
        out, err = capfd.readouterr()
        return int(str(stop.value.code)), out + err

    return run


def test_the_command_makes_goes_on_describes_and_verifies(data, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    assert data(folder, "--games", 2, "--nodes", 50)[0] == 0
    said = json.loads(data(folder, "--games", 4, "--nodes", 50, "--json")[1])
    assert said["games"] == 4 and said["made"]["table"] == "engine" and said["positions"] > 10
    assert "of 4 games in 2 shards" in data(folder)[1]
    assert data(folder, "--verify")[0] == 0
    (folder / "part-0000" / "turn.npy").unlink()
    status, told = data(folder, "--verify")
    assert status == 1 and "part-0000/turn.npy" in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--games 1 --from x.sgf", "give --games or --from"),
        ("--from x.sgf --ends-of set", "give --from or --ends-of"),
        ("--games 1 --nodes 0", "--games needs nodes"),
        ("--ends-of set --nodes 0", "--ends-of needs nodes"),
        ("--ends-of missing", "missing is no data set"),
        ("--ends-of missing --rule renju", "leave out --rule"),
        ("--from missing.sgf", "missing.sgf: cannot be read"),
        ("--games 1 --table outcome.tom", "outcome.tom"),
        ("", "is no data set"),
    ],
)
def test_the_command_refuses_what_makes_no_sense(data, tmp_path: Path, words: str, message: str) -> None:
    status, told = data(tmp_path / "set", *words.split())
    assert status == 2 and message in told and "Traceback" not in told


def test_a_set_of_quiet_positions_says_what_it_lacks(data, tmp_path: Path) -> None:
    """By default no position has a four, whoever is to move; with --all some have, and nothing is said."""
    fours = {}
    for name, more in (("quiet", ()), ("all", ("--all",))):
        status, told = data(tmp_path / name, "--games", 6, "--nodes", 50, *more)
        assert status == 0 and ("only quiet positions were kept" in told and "--all" in told) == (name == "quiet")
        found, count = DataSet(tmp_path / name), 0
        for part in found.parts():
            turns = [Colour(int(turn)) for turn in part["turn"]]
            boards = [Board.from_array(one, turn=turn) for one, turn in zip(found.stones(part), turns, strict=True)]
            count += sum(bool(winning_cells(board, colour)) for board in boards for colour in Colour)
        fours[name] = count
    assert fours["quiet"] == 0 and fours["all"] > 0


def test_games_are_read_from_files(data, tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]SZ[15]RE[W+R];B[hh];W[hg];B[ii];W[gg];B[jj];W[gi];B[gh];W[jk])")
    status, told = data(tmp_path / "set", "--from", path, "--nodes", 50, "--plies", 3, "--json")
    assert status == 0 and json.loads(told)["games"] == 1
    path.write_text("(;GM[4]SZ[15];B[hh])")
    status, told = data(tmp_path / "set", "--from", path, "--nodes", 50, "--plies", 3)
    assert status == 2 and "was made otherwise: files" in told


def test_the_ends_of_lines_are_another_data_set(data, tmp_path: Path) -> None:
    assert data(tmp_path / "set", "--games", 2, "--nodes", 50, "--rule", "renju")[0] == 0
    words = (tmp_path / "ends", "--ends-of", tmp_path / "set", "--nodes", 40, "--json")
    said = json.loads(data(*words)[1])
    assert said["rule"] == "renju" and said["made"]["of"]["seed"] == 0 and 0 < said["games"] <= 2
    assert data(tmp_path / "set", "--games", 4, "--nodes", 50, "--rule", "renju")[0] == 0
    assert json.loads(data(*words)[1])["games"] > said["games"], "games that came later are added"
