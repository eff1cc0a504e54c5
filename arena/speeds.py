"""How fast an evaluator is: many short rounds, told by their median and the quartiles around it.

What counts is the processor time of the thread, so that others who use the machine disturb as little as they can.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

from arena.openings import random_openings
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.evaluator import EvaluatorBase

Json = dict[str, Any]

BOARDS = 64
PLIES = 24
LEAST_ROUNDS = 5
_MOST_ROUNDS = 10_000


def measure_speed(evaluator: EvaluatorBase, empty: Board, *, seconds: float, seed: int = 0) -> Json:
    """Operations in a second of processor time: scores one by one and in batches, moves played and taken back.

    Each figure has its ``median`` over rounds that take about ``seconds`` together, and the quartiles ``low`` and
    ``high``: half of the rounds were between them.
    """
    boards = random_openings(BOARDS, empty, seed=seed, plies=PLIES)
    return {
        "scores": _rate(lambda: [evaluator.score(board) for board in boards], len(boards), seconds),
        "batch": _batch_rate(evaluator, boards, seconds),
        "plays": _play_rate(evaluator, boards[0], seconds),
        "boards": len(boards),
        "stones": PLIES,
    }


def _batch_rate(evaluator: EvaluatorBase, boards: list[Board], seconds: float) -> Json:
    import numpy as np

    times = 16 if evaluator.table is not None else 1
    stack = np.stack([board.to_array() for board in boards] * times)
    turns = np.array([board.turn for board in boards] * times, dtype=np.uint8)
    singles = [evaluator.score(board) for board in boards]
    if evaluator.scores(stack[: len(boards)], turns[: len(boards)]).tolist() != singles:
        raise ArenaError(f"{evaluator.name!r} scores differently in batches and one by one")
    return _rate(lambda: evaluator.scores(stack, turns), len(stack), seconds)


def _play_rate(evaluator: EvaluatorBase, board: Board, seconds: float) -> Json:
    tracker = evaluator.tracker(board)
    cells = board.empties()[::3]

    def play_and_undo() -> None:
        for cell in cells:
            tracker.play(cell)
            _ = tracker.score
            tracker.undo()

    return _rate(play_and_undo, len(cells), seconds)


def _rate(action: Callable[[], object], count: int, seconds: float) -> Json:
    action()
    rates: list[float] = []
    end = time.perf_counter() + seconds
    while len(rates) < LEAST_ROUNDS or (time.perf_counter() < end and len(rates) < _MOST_ROUNDS):
        began = time.thread_time()
        action()
        rates.append(count / max(time.thread_time() - began, 1e-9))
    low, _, high = quantiles(rates, n=4, method="inclusive")
    return {"median": round(median(rates), 1), "low": round(low, 1), "high": round(high, 1), "rounds": len(rates)}
