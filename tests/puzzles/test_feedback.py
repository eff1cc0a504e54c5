"""What is said of a move: that it still wins, against every reply, or which reply refutes it."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import puzzles
from gomoku_patterns import Board
from gomoku_patterns.errors import GomokuError, IllegalMoveError, SuiteError
from puzzles.feedback import MoveVerdict, feedback
from search import Cancel, Limit, SearchResult, Solution, Solver, Status, solve, verify
from tests.search.boards import draw

judge = sys.modules[feedback.__module__]
LEVELS_OF_THE_GAME = puzzles.load("huanle")
LEVELS = {number: LEVELS_OF_THE_GAME.level(number) for number in (1, 6, 9, 15, 16, 18)}


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
    refused = 0
    for cell in level.board.legal_moves()[::23]:
        found = feedback(level.board, cell)
        assert found.reply is not None
        if found.refused:
            refused += 1
            assert not wins_after(level.board, cell, found.reply)
            assert found.line[0] == found.reply
            assert (found.exhausted is None) is (found.loses_in is not None)
    assert refused >= 5


def position(black: str, white: str, turn: str = "black") -> Board:
    return Board(black=black.split(), white=white.split(), turn=turn)


SLOWER = {
    "every reply loses to an attack": (LEVELS_OF_THE_GAME.level(10).board, "j9"),
    "one quiet move answers a reply": (position("e10 e9 c7 d7 f7", "f9 f8 b7 h7 h5"), "i7"),
    "and here": (position("h14 i14 h12 i12 j12 h11 i11 l10", "h15 l13 f12 g12 j11 l11 e10 d8"), "e7"),
    "two replies need a quiet move": (position("c10 d9 f9 c8 d8", "b12 e9 a6 b6 c6"), "f10"),
    "one does": (position("g11 j9 g8 h8 g7", "g12 l12 d10 l9 l8"), "l11"),
    "white attacks": (position("g15 h14 j12 l9 i8", "h10 g9 i9 h7", "white"), "g7"),
    "a quiet win, level 19": (LEVELS_OF_THE_GAME.level(19).board, "j6"),
    "a quiet win, level 12": (LEVELS_OF_THE_GAME.level(12).board, "g5"),
}


@pytest.mark.parametrize("name", SLOWER)
def test_a_move_that_wins_later_is_no_failure(name: str) -> None:
    board, move = SLOWER[name]
    found = feedback(board, move)
    assert found.verdict is MoveVerdict.WINS
    assert found.proof is not None and found.proof.tree.move == board.cell(move)
    assert verify(found.proof, board, native=True)
    assert found.plies == found.proof.length - 1 and found.reply in board.legal_moves()


@pytest.mark.parametrize(
    ("board", "move", "within"),
    [
        (position("d10 d8 f8 e6", "f11 h10 d7 g7"), "e7", 9),
        (position("g7 d6 f4 e2", "f8 e7 c6 h6"), "d4", 9),
    ],
)
def test_the_shortest_win_by_a_quiet_move_is_not_called_slower(board: Board, move: str, within: int) -> None:
    found = feedback(board, move, within=within)
    assert (found.verdict, found.plies, found.exact) == (MoveVerdict.SOONEST, within - 1, True)


def test_no_slower_number_is_exact_unless_all_moves_were_tried() -> None:
    board = position("d10 d8 f8 e6", "f11 h10 d7 g7")
    found = feedback(board, "e7")  # nobody says how short the win is
    assert found.still_wins and not found.exact
    slower = feedback(LEVELS[16].board, "g9", within=LEVELS[16].length)
    assert slower.verdict is MoveVerdict.WINS and slower.plies is not None and slower.plies >= LEVELS[16].length
    assert feedback(LEVELS[9].board, "a1").exact is False


def test_what_is_not_settled_is_not_refused_and_goes_on() -> None:
    found = feedback(LEVELS_OF_THE_GAME.level(10).board, "j9", Limit(nodes=300))
    assert found.verdict is MoveVerdict.UNSETTLED and not found.refused and not found.still_wins
    assert found.reply in LEVELS_OF_THE_GAME.level(10).board.legal_moves() and found.plies is None


# White is to move and h14 wins, for after d5 c4 b5 the quiet k9 wins. No attack shows that.
QUIET_LATER = position("i12 i9 g8 f7 n7 e6", "k12 n12 m11 k10 h9", "white")
REFUTED = position("o12 i10 l10 o9 m8 n7", "h10 k8 l8 n8 j7 n6")


@pytest.mark.parametrize("stopped_by", ["nodes", "quiet", "seconds", "cancelled", "memory", "unsound"])
def test_a_look_for_quiet_wins_that_was_cut_short_refuses_nothing(
    monkeypatch: pytest.MonkeyPatch, stopped_by: str
) -> None:
    class Stopped(Solver):
        def solve(self, *args: Any, mode: str = "full", **kwargs: Any) -> Solution:
            if mode == "any":
                return Solution(Status.UNKNOWN, stopped_by=stopped_by)
            return super().solve(*args, mode=mode, **kwargs)

    monkeypatch.setattr(judge, "_solver", Stopped)
    found = feedback(QUIET_LATER, "h14", within=7)
    assert found.verdict is (MoveVerdict.REFUTED if stopped_by in ("nodes", "quiet") else MoveVerdict.UNSETTLED)


@pytest.mark.parametrize("stopped_by", ["nodes", "seconds", "cancelled"])
def test_an_engine_that_was_cut_short_refuses_nothing(monkeypatch: pytest.MonkeyPatch, stopped_by: str) -> None:
    class Hurried:
        def search(self, board: Board, *_args: Any, **_kwargs: Any) -> SearchResult:
            return SearchResult(board.legal_moves()[0], 0, stopped_by=stopped_by)

    monkeypatch.setattr(judge, "player", lambda _name: Hurried())
    found = feedback(REFUTED, "n14", within=7)
    assert found.verdict is (MoveVerdict.REFUTED if stopped_by == "nodes" else MoveVerdict.UNSETTLED)


def test_fewer_nodes_than_a_refusal_needs_refuse_nothing() -> None:
    assert feedback(REFUTED, "n14", within=7).verdict is MoveVerdict.REFUTED
    assert feedback(REFUTED, "n14", Limit(nodes=45_000), within=7).verdict is MoveVerdict.UNSETTLED


def test_a_move_that_fills_the_board_does_not_win() -> None:
    board = draw("X O X O X\nX O X O X\nO X O X O\nO X O X O\nX O X O .", turn="black")
    assert feedback(board, "e1").refused


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
