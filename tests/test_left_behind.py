"""No test depends on what those before it did to the process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from search import player_names, register_player
from search.players import parse_spec

OWN = """
from search import Player, SearchResult

class Corner(Player):
    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(board.legal_moves()[0], 0)
"""


@pytest.mark.parametrize("time", ["once", "again"])
def test_what_a_test_leaves_is_taken_back(time: str, gomoku: Callable[..., Any], tmp_path: Path) -> None:
    """The same test a second time finds all as it was the first time."""
    assert parse_spec("left_player:Edge:depth=2") == ("left_player:Edge", {"depth": "2"})
    assert "leftover" not in sys.modules and "leftover:Corner" not in player_names()
    assert "GOMOKU_LEFT" not in os.environ and Path.cwd() == tmp_path
    assert not any("test_what_a_test_leaves" in place for place in sys.path)
    assert getattr(signal.getsignal(signal.SIGTERM), "__module__", None) != "gomoku.cli"

    register_player("left_player", player_names)
    assert gomoku("move", "one.txt", "--player", "leftover:Corner", one_txt="h8", leftover_py=OWN).status == 0
    os.environ["GOMOKU_LEFT"] = "yes"
    os.chdir("/")
    assert "leftover" in sys.modules and "leftover:Corner" in player_names()
