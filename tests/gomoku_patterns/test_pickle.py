"""Tables, evaluators and trackers travel: through pickle, deepcopy and pools of processes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given

from gomoku_patterns import BLACK, WHITE, Board, Table, as_evaluator, load_table, table_names
from gomoku_patterns.testing import tables

TRAVELS = [lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy, copy.copy]


class Lead:
    """An evaluator of a user's own."""

    name = "lead"

    def score(self, board: Board) -> int:
        return len(board.stones(BLACK)) - len(board.stones(WHITE))


def game() -> Board:
    board = Board(9, black=["a1"], white=["b2"], turn=WHITE)
    for move in ("e5", "e6", "d5"):
        board.push(move)
    return board


@given(table=tables())
def test_a_table_travels_as_its_text(table: Table) -> None:
    arrived = pickle.loads(pickle.dumps(table))
    assert arrived == table
    assert (arrived.title, arrived.source, arrived.notes) == (table.title, table.source, table.notes)


@pytest.mark.parametrize("travel", TRAVELS)
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("subject", [*table_names(), Lead()])
def test_an_evaluator_scores_alike_where_it_arrives(
    subject: object, native: bool, travel: Callable[[Any], Any]
) -> None:
    evaluator, board = as_evaluator(subject, native=native), game()
    arrived = travel(evaluator)
    assert type(arrived) is type(evaluator) and arrived.name == evaluator.name
    assert arrived.score(board) == evaluator.score(board)
    assert arrived.points(board) == evaluator.points(board)


@pytest.mark.parametrize("travel", TRAVELS[:2])
@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("subject", ["grade_dict", "level", Lead()])
def test_a_tracker_takes_its_moves_along(subject: object, native: bool, travel: Callable[[Any], Any]) -> None:
    tracker = as_evaluator(subject, native=native).tracker(game())
    before = tracker.score
    tracker.play("f6")
    tracker.play("f7", "black")
    arrived = travel(tracker)
    assert (arrived.score, arrived.turn, arrived.ranked()) == (tracker.score, tracker.turn, tracker.ranked())
    arrived.undo()
    arrived.undo()
    assert arrived.score == before and arrived.turn is game().turn
    assert tracker.score != before or subject == "level"


def test_an_evaluator_of_a_table_is_small_on_its_way() -> None:
    assert len(pickle.dumps(as_evaluator("wins"))) < 20_000


@pytest.mark.parametrize("name", ["grade_dict", "level"])
def test_an_evaluator_works_in_a_pool(name: str) -> None:
    evaluator, board = as_evaluator(load_table(name)), game()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert pool.submit(evaluator.score, board).result() == evaluator.score(board)
        assert pool.submit(_gain, evaluator, board).result() == evaluator.gain(board, "f6")


def _gain(evaluator: Any, board: Board) -> int:
    gain: int = evaluator.gain(board, "f6")
    return gain
