"""What is said of a move: that it still wins, against every reply, or which reply refutes it."""

from __future__ import annotations

import pytest

import puzzles
from gomoku_patterns import Board
from gomoku_patterns.errors import GomokuError, IllegalMoveError, SuiteError
from puzzles.feedback import feedback
from search import Cancel, Limit, Status, solve
from tests.search.boards import draw

LEVELS = {number: puzzles.load("huanle").level(number) for number in (1, 6, 9, 15, 16, 18)}


def wins_after(board: Board, move: object, reply: object) -> bool:
    after = board.copy(moves=False)
    after.push(move)
    after.push(reply)
    return after.winner() is board.turn or (
        after.winner() is None and solve(after, Limit(nodes=200_000)).proof is not None
    )


@pytest.mark.parametrize("number", LEVELS)
def test_all_known_wins_are_accepted_and_the_best_defence_is_named(number: int) -> None:
    level = LEVELS[number]
    for move in level.wins:
        found = feedback(level.board, move, within=level.length)
        assert found.still_wins and found.plies is not None and found.plies >= level.length - 1
        assert wins_after(level.board, move, found.reply)
    assert level.length - 1 in {feedback(level.board, move, within=level.length).plies for move in level.wins}


@pytest.mark.parametrize("number", LEVELS)
def test_what_refutes_a_move_leaves_no_win(number: int) -> None:
    level = LEVELS[number]
    for cell in level.board.legal_moves()[::23]:
        found = feedback(level.board, cell)
        if not found.still_wins:
            assert not wins_after(level.board, cell, found.reply)
            assert found.line[0] == found.reply


def test_a_still_winning_move_wins_against_every_reply() -> None:
    level = LEVELS[18]
    after = level.board
    after.push(level.wins[0])
    assert all(wins_after(level.board, level.wins[0], reply) for reply in after.legal_moves()[::7])


def test_a_win_of_the_defender_is_played_to_its_five() -> None:
    board = LEVELS[9].board
    found = feedback(board, "a1")
    assert found.status is Status.DISPROVEN and found.loses_in == len(found.line) > 1
    board.push("a1")
    for cell in found.line:
        board.push(cell)
    assert board.winner() is board.turn.opponent


def test_five_ends_it() -> None:
    board = draw(". X X X X . . . .\n" + 8 * ". . . . . . . . .\n", turn="black")
    found = feedback(board, "a9")
    assert found.still_wins and found.plies == 0 and found.reply is None


def test_a_quiet_move_may_win_too() -> None:
    """Level 8 is won by quiet g6 and j8 alone of those that its source knows; nothing says which kind they are."""
    level = puzzles.load("huanle").level(8)
    for move in level.wins:
        assert feedback(level.board, move).still_wins


@pytest.mark.parametrize("rule", ["standard", "renju"])
def test_other_rules(rule: str) -> None:
    board = Board(9, rule=rule, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    assert feedback(board, "f5").still_wins
    assert not feedback(board, "a9").still_wins


def test_the_same_question_has_the_same_answer_and_a_limit_is_kept() -> None:
    board = LEVELS[16].board
    first, second = (feedback(board, "a1") for _ in range(2))
    assert (first.reply, first.line, first.nodes) == (second.reply, second.line, second.nodes)
    assert feedback(board, "h9", Limit(nodes=1)).status is Status.UNKNOWN
    cancel = Cancel()
    cancel.set()
    assert feedback(board, "h9", cancel=cancel).status is Status.UNKNOWN


def test_what_cannot_be_asked() -> None:
    with pytest.raises(IllegalMoveError):
        feedback(LEVELS[1].board, LEVELS[1].board.stones("black")[0])
    with pytest.raises(SuiteError, match="under caro"):
        feedback(Board(rule="caro"), "h8")
    with pytest.raises(GomokuError):
        feedback(Board(), "z99")
