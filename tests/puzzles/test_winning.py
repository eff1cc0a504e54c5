"""Moves that win and moves that save, against what a solver says of each move by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from gomoku_patterns import Board, Rule
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.testing import positions
from puzzles import saving_moves, winning_moves
from search import Limit, solve, verify

FEW = Limit(nodes=400)


@settings(max_examples=40)
@given(positions(size=(7, 7), max_moves=18))
def test_every_winning_move_has_a_proof_that_holds(board: Board) -> None:
    wins = winning_moves(board, FEW)
    assert all(verify(proof, board, native=True) for proof in wins.values())
    assert all(proof.tree.move == move for move, proof in wins.items())
    found = solve(board, Limit(nodes=50))
    assert found.move is None or found.move in wins


@settings(max_examples=40)
@given(positions(size=(7, 7), max_moves=18))
def test_a_move_saves_unless_the_opponent_is_shown_to_win_after_it(board: Board) -> None:
    saving = saving_moves(board, FEW)
    if saving is None:
        return
    for move in board.legal_moves():
        after = board.copy(moves=False)
        after.push(move)
        if move in saving:
            # Tables that are shared between replies may show a little more than one search by itself.
            assert after.is_over() or solve(after, Limit(nodes=FEW.nodes // 20)).proof is None
        else:
            assert solve(after, Limit(nodes=50_000)).proof is not None


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_the_rules_agree_where_no_rule_matters(rule: str) -> None:
    board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"], rule=rule)
    wins = winning_moves(board, FEW)
    assert {"b5", "f5"} <= {board.name(cell) for cell in wins}
    assert all(verify(proof, board) for proof in wins.values())
    board.turn = "white"
    assert (
        {"b5", "f5"}
        <= {board.name(cell) for cell in saving_moves(board, FEW) or ()}
        < set(map(board.name, board.empties()))
    )


def test_a_five_wins_and_saves_at_once() -> None:
    board = Board(black=["d8", "e8", "f8", "g8"], white=["d9", "e9", "f9", "g9"], turn="black")
    assert {board.name(cell) for cell in winning_moves(board, FEW)} == {"c8", "h8"}
    assert {"c8", "h8"} <= set(map(board.name, saving_moves(board, FEW) or ()))


def test_two_open_fours_cannot_be_met_and_nothing_needs_meeting_on_an_empty_board() -> None:
    board = Board(black=["d8", "e8", "f8", "g8"], white=["a1", "a2", "b4"], turn="white")
    assert saving_moves(board, FEW) == ()
    assert saving_moves(Board(), FEW) is None and winning_moves(Board(5), Limit(nodes=20)) == {}


def test_a_game_that_is_over_has_neither() -> None:
    won = Board(black=["c8", "d8", "e8", "f8", "g8"], white=["a1", "a2", "b4", "b5"])
    assert winning_moves(won) == {} and saving_moves(won) is None
    with pytest.raises(SuiteError, match="not under caro"):
        winning_moves(Board(rule=Rule.CARO))
