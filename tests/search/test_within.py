"""Wins within n plies: the native search against trying every move."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from gomoku_patterns import Board, rules
from gomoku_patterns.errors import GomokuError, IllegalMoveError, LimitError, PlayerError
from search import Limit, Status, wins_within
from tests.search.boards import draw
from tests.search.exhaustive import can_force_five_within, holds_against_all
from tests.search.soundness import endgame


def told(won: bool) -> Status:
    return Status.PROVEN if won else Status.DISPROVEN


@pytest.mark.parametrize("seed", range(120))
def test_it_says_what_trying_every_move_says(seed: int) -> None:
    random = Random(seed)
    board = endgame(random, "freestyle")
    plies = random.choice([1, 3, 5, 5, 7, 7, 9])
    assert wins_within(board, plies) is told(can_force_five_within(board.copy(), plies))


@pytest.mark.parametrize("seed", range(60))
def test_first_moves_can_be_left_out(seed: int) -> None:
    random = Random(1000 + seed)
    board = endgame(random, "freestyle")
    plies = random.choice([3, 5, 7])
    without = random.sample(board.empties(), 2)
    left = partial(can_force_five_within, plies=plies - 2)
    others = [cell for cell in board.empties() if cell not in without]
    fives = rules.winning_cells(board, board.turn)
    won = any(cell in fives or holds_against_all(board.copy(), cell, left) for cell in others)
    assert wins_within(board, plies, without=without) is told(won)


QUIET = """
    . . . . . . . . .
    . . . . . . . . .
    . . . X . . . . .
    . . X . . O . . .
    . . . . X . . . .
    . . . O . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """


def test_limits_are_kept() -> None:
    board = draw(QUIET)
    assert wins_within(board, 9, limit=Limit(nodes=50)) is Status.UNKNOWN


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: wins_within(Board(rule="renju"), 5), PlayerError, "under freestyle rules, not renju"),
        (lambda: wins_within(Board(), 0), LimitError, "plies must be a whole number from 1, not 0"),
        (lambda: wins_within(Board(), True), LimitError, "plies must be a whole number"),
        (lambda: wins_within(Board(), 5, without=["z9"]), GomokuError, "expected a cell"),
        (lambda: wins_within(Board(black=["a1", "b1", "c1", "d1", "e1"]), 5), IllegalMoveError, "already won"),
    ],
)
def test_what_cannot_be_asked_is_refused(ask, error: type[GomokuError], message: str) -> None:
    with pytest.raises(error, match=message):
        ask()
