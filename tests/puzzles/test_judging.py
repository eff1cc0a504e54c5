"""No move in a shipped puzzle is refused that a longer search proves to win: a sample of ``python .ci/judging.py``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gomoku_patterns import Board, Cell
from puzzles import Feedback, feedback, load
from search import Limit, Status
from tests.long import LONG
from tests.puzzles import judging
from tests.puzzles.judging import judged, other_move

SAMPLE = range(60 if LONG else 5)


@pytest.mark.parametrize("number", SAMPLE)
def test_no_refused_move_is_shown_to_win(number: int) -> None:
    assert judged(number, seed=471, seconds=3.0).fault is None


def test_the_same_numbers_choose_the_same_move_which_is_not_the_key() -> None:
    moves = {number: other_move(471, number) for number in range(50)}
    assert len({(level.number, move) for level, move in moves.values()}) == 50
    for number, (level, move) in moves.items():
        assert (level, move) == other_move(471, number)
        assert move not in level.wins and level.position.is_empty(move)


def test_a_busy_machine_waits_longer_for_what_is_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process with a quarter of its processor gets two seconds for the half second of processor time."""
    limits: list[float] = []
    clock = 0.0

    def busy(board: Board, move: Cell, limit: Limit, within: int | None) -> Feedback:
        nonlocal clock
        assert limit.seconds is not None
        limits.append(limit.seconds)
        clock += limit.seconds / 4
        return Feedback(move, Status.UNKNOWN, elapsed=limit.seconds)

    level, move = other_move(471, 0)
    monkeypatch.setattr(judging, "feedback", busy)
    monkeypatch.setattr(judging, "process_time", lambda: clock)
    found, used = judging.waited(level.board, move, level.length, 0.5)
    assert (limits, used, found.status) == ([0.5, 2.0], 0.5, Status.UNKNOWN)


@pytest.mark.parametrize(("status", "elapsed"), [(Status.DISPROVEN, 0.5), (Status.PROVEN, 0.5), (Status.UNKNOWN, 0.1)])
def test_what_is_settled_or_out_of_nodes_is_asked_once(
    monkeypatch: pytest.MonkeyPatch, status: Status, elapsed: float
) -> None:
    level, move = other_move(471, 0)
    answers = [Feedback(move, status, elapsed=elapsed)]
    monkeypatch.setattr(judging, "feedback", lambda *_args, **_kwargs: answers.pop())
    monkeypatch.setattr(judging, "process_time", lambda: 0.0)
    assert judging.waited(level.board, move, level.length, 0.5)[0].status is status


def test_a_wrong_refusal_and_a_wrong_proof_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    level = load("huanle").level(16)
    key = feedback(level.board, "h9")
    wrong = replace(key, status=Status.DISPROVEN, proof=None)
    assert judging._second_opinion(level.board, wrong, 1.0) == ("the second judge", None, "the reply loses")
    other = replace(key, move=level.board.cell("a1"))
    assert judging._second_opinion(level.board, other, 1.0)[2] == "the proof is of another move"
    turned = level.board
    turned.turn = "white"
    assert judging._second_opinion(turned, key, 1.0)[2]
