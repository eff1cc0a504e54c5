"""Limits and results: what limits a search, what cannot, and how a decided score reads."""

from __future__ import annotations

from typing import Any

import pytest

from gomoku_patterns import BLACK, WHITE, Board, Cell
from gomoku_patterns.errors import LimitError
from search import Limit, SearchResult, Win, player, player_names, score_text, value_text

SENSELESS: list[dict[str, Any]] = [
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
    (name,) = asked
    with pytest.raises(LimitError, match=rf"^{name} must be "):
        Limit(**asked)


def test_a_limit_that_limits_nothing_is_refused() -> None:
    with pytest.raises(LimitError, match="at least one of depth, nodes and seconds"):
        Limit()


@pytest.mark.parametrize("name", player_names())
def test_every_player_takes_the_largest_limits(name: str) -> None:
    limit = Limit(depth=2**63 - 1, nodes=2**63 - 1, seconds=0.02)
    board = Board(5, black=["c3"], white=["b2"])
    move = player(name).search(board, limit).move
    assert move is not None and board.is_empty(move)


def test_a_decided_score_says_who_wins_and_when() -> None:
    board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "c3"])
    result = player("engine").search(board, Limit(depth=4))
    assert result.win == Win(BLACK, 3)
    assert score_text(result) == value_text(result, result.move) == "black wins in 3"
    assert "26843" not in repr(result)
    assert Win.of(result.score) == result.win
    undecided = player("engine").search(Board(black=["h8"], white=["h9"]), Limit(depth=2))
    assert undecided.win is None and score_text(undecided) == f"{undecided.score:,}"


def test_the_stubborn_defender_says_that_it_has_lost() -> None:
    board = Board(9, black=["d5", "e5", "f5", "g5"], white=["a1", "b1", "a9"], turn="white")
    result = player("stubborn").search(board)
    assert result.win == Win(BLACK, 2) and result.score == result.win.score


def test_a_result_shows_what_differs_from_nothing() -> None:
    assert repr(SearchResult(None)) == "SearchResult(move=None, score=0)"
    won = SearchResult(Cell(7, 7), win=Win(WHITE, 1), nodes=3)
    assert eval(repr(won)) == won
    assert won.score < -(2**27)


def test_progress_tells_wins_in_words() -> None:
    assert score_text({"score": 268_435_449, "win": Win(BLACK, 7)}) == "black wins in 7"
    assert score_text({"score": -1234, "win": None}) == "-1,234"


def test_no_value_of_a_result_shows_the_number_that_codes_a_win() -> None:
    here, there = Cell(7, 7), Cell(7, 8)
    won = Win(BLACK, 7)
    stats = {"values": {here: won.score, there: 31}, "ends_in": {here: 7}}
    result = SearchResult(here, win=won, stats=stats)
    assert str(won.score) not in repr(result) and "Win(colour=BLACK, plies=7)" in repr(result)
    assert (value_text(result, here), value_text(result, there)) == ("black wins in 7", "31")
    assert result.stats["values"][here] == won.score
