"""The solver as a player: it proves, follows its proof, and leaves the rest to another player."""

from __future__ import annotations

from gomoku_patterns import BLACK, Board
from search import Limit, Win, player, player_names
from search.follow import planned_move, replies_along

WON = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"], turn="black")


def test_it_is_a_player_like_any_other() -> None:
    assert "solver" in player_names()
    assert player("solver:seconds=1,otherwise=random").name == "solver:seconds=1,otherwise=random"


def test_it_follows_its_proof_and_says_how_long_it_takes() -> None:
    board, chosen = WON.copy(), player("solver")
    first = chosen.search(board, Limit(nodes=10_000))
    assert first.win == Win(BLACK, 3) and len(first.pv) == 3
    board.push(first.move)
    board.push(first.pv[1])
    second = chosen.search(board, Limit(nodes=10_000))
    assert second.win == Win(BLACK, 1) and second.nodes == 0
    board.push(second.move)
    assert board.winner() is BLACK


def test_a_game_that_left_the_proof_is_seen() -> None:
    chosen = player("solver")
    first = chosen.search(WON, Limit(nodes=10_000))
    other = WON.copy()
    assert planned_move(chosen.proof, other) == (first.move, Win(BLACK, 3))
    other.push("i9")
    assert replies_along(chosen.proof, other) is None
    assert planned_move(chosen.proof, Board(9)) is None


def test_without_a_win_the_other_player_has_what_is_left() -> None:
    board = Board(9, black=["e5"], white=["d4"], turn="black")
    result = player("solver:otherwise=minmax").search(board, Limit(nodes=400))
    assert result.move in board.legal_moves() and result.win is None
    assert 0 < result.nodes <= 400
