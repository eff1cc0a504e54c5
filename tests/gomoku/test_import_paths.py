"""Evaluators and players of one's own, by their import path, in every command that takes one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gomoku.cli import main
from gomoku_patterns.errors import PlayerError
from search import player
from search.players import named_player, parse_spec, unregister_player

OWN = '''
from search import Player, SearchResult


class Lead:
    """More stones are better."""

    name = "lead"

    def score(self, board):
        return 10 * (len(board.stones(1)) - len(board.stones(2)))


class Torn(Lead):
    """Scores differently in a batch."""

    def scores(self, boards, to_move=1):
        import numpy as np

        return np.zeros(len(boards), dtype=np.int64) - 1


class Corner(Player):
    """Plays the first legal cell."""

    summary = "the first cell"

    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(board.legal_moves()[0], 0)


number = 5
'''

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gomoku(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    (tmp_path / "own_by_path.py").write_text(OWN)
    (tmp_path / "one.txt").write_text("h8i9h9")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)

    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(args))
        out, err = capsys.readouterr()
        return int(str(end.value.code)), out, err

    return run


def test_a_class_scores_explains_and_draws(gomoku: Run) -> None:
    _, out, _ = gomoku("score", "one.txt", "--table", "own_by_path:Lead", "--json")
    assert (json.loads(out)["table"], json.loads(out)["score"]) == ("lead", 10)
    _, out, _ = gomoku("explain", "one.txt", "--table", "own_by_path:Lead", "--json")
    assert [item["worth"] for item in json.loads(out)["items"]] == [10]
    _, out, _ = gomoku("explain", "one.txt", "--table", "own_by_path:Lead", "--cell", "a1")
    assert "white on a1 gains -10" in out
    status, _, err = gomoku("draw", "one.txt", "--heat", "own_by_path:Lead", "--svg", "one.svg")
    assert status == 0, err


def test_a_class_is_checked(gomoku: Run) -> None:
    _, out, _ = gomoku("tables", "check", "own_by_path:Lead", "--json")
    found = json.loads(out)
    assert (found["table"], found["scan"], found["patterns"]) == ("lead", "python", None)
    assert found["scores_per_second"] > 0
    assert "check_evaluator" in gomoku("tables", "check", "own_by_path:Lead")[1]
    status, _, err = gomoku("tables", "check", "own_by_path:Torn")
    assert status == 2 and "'lead' scores differently in a batch and one by one" in err


def test_a_player_and_a_players_evaluator(gomoku: Run) -> None:
    _, out, _ = gomoku("move", "one.txt", "--player", "own_by_path:Corner", "--json")
    assert (json.loads(out)["player"], json.loads(out)["name"]) == ("own_by_path:Corner", "a15")
    status, out, err = gomoku("move", "one.txt", "--player", "minmax:table=own_by_path:Lead,depth=1", "--json")
    assert status == 0 and json.loads(out)["player"] == "minmax:table=lead,depth=1", err
    unregister_player("own_by_path:Corner")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("score one.txt --table own_by_path:Nobody", "cannot import 'own_by_path:Nobody'"),
        ("score one.txt --table own_by_path:number", "an evaluator is a table, a TOML file or an object with score"),
        ("explain one.txt --table no_such_module:Lead", "cannot import 'no_such_module:Lead'"),
        ("move one.txt --player own_by_path:Lead", "a search plays by it: minmax:table=own_by_path:Lead"),
        ("move one.txt --player own_by_path:number", "not a class or function that makes a player"),
    ],
)
def test_what_is_none_is_told(gomoku: Run, words: str, said: str) -> None:
    status, out, err = gomoku(*words.split())
    assert (status, out) == (2, "") and said in err and "Traceback" not in err


def test_only_what_the_user_typed_is_imported(gomoku: Run) -> None:
    """A spec from elsewhere, such as a request to the web board, goes through ``player`` and imports nothing."""
    with pytest.raises(PlayerError, match="unknown player 'own_by_path:Corner'"):
        player("own_by_path:Corner")
    assert parse_spec("own_by_path:Corner:depth=2") == ("own_by_path:Corner", {"depth": "2"})
    assert named_player("own_by_path:Corner").name == "own_by_path:Corner"
    unregister_player("own_by_path:Corner")
