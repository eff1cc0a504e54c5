"""Limits: what limits a search, and what cannot."""

from __future__ import annotations

from typing import Any

import pytest

from gomoku_patterns import Board
from gomoku_patterns.errors import LimitError
from search import Limit
from search.players import player, player_names

SENSELESS: list[dict[str, Any]] = [
    {},
    {"depth": 0},
    {"nodes": -1},
    {"nodes": 1.5},
    {"depth": True},
    {"nodes": 2**63},
    {"depth": 10**30},
    {"seconds": 0},
    {"seconds": float("nan")},
    {"seconds": float("inf")},
    {"seconds": 10**400},
    {"seconds": "1"},
]


@pytest.mark.parametrize("asked", SENSELESS)
def test_a_limit_that_makes_no_sense_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(LimitError, match="expected "):
        Limit(**asked)


@pytest.mark.parametrize("name", player_names())
def test_every_player_takes_the_largest_limits(name: str) -> None:
    limit = Limit(depth=2**63 - 1, nodes=2**63 - 1, seconds=0.02)
    board = Board(5, black=["c3"], white=["b2"])
    move = player(name).search(board, limit).move
    assert move is not None and board.is_empty(move)
