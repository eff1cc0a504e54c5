"""How fast an evaluator is: full-board scores, batches, and moves played and taken back, beside another one.

>>> class Stones:
...     "Every stone is worth a point."
...     name, antisymmetric, symmetric = "stones", True, True
...     def score(self, board):
...         return len(board.stones(1)) - len(board.stones(2))
>>> found = speeds(Stones(), seconds=0.01)
>>> sorted(found.ratios), found.ratios["play and undo"] < 1
(['batch', 'play and undo', 'score'], True)

In a test file three lines make benchmarks of it, which pytest-benchmark times, saves and compares across commits::

    from gomoku_patterns.testing import evaluator_benchmarks
    from my_module import Mine
    test_mine = evaluator_benchmarks(Mine())
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator

BOARDS = 64
PLIES = 24
BATCH = 16
"""A batch has so many times all boards, so that the call itself does not count."""

Work = tuple[Callable[[], object], int]
"""A function that does some pieces of work, and how many."""


def some_boards(side: int = 15, count: int = BOARDS, plies: int = PLIES, seed: int = 0) -> list[Board]:
    """Positions with their stones around the middle, the same ones every time."""
    rng = random.Random(f"speed {seed}")
    boards = []
    for _ in range(count):
        board = Board(side)
        near = [c for c in board.cells() if max(abs(c.row - side // 2), abs(c.col - side // 2)) <= max(2, side // 3)]
        for cell in rng.sample(near, min(plies, len(near) - 1)):
            board.push(cell)
        boards.append(board)
    return boards


def _scores(evaluator: EvaluatorBase, boards: list[Board], _times: int) -> Work:
    return lambda: [evaluator.score(board) for board in boards], len(boards)


def _batch(evaluator: EvaluatorBase, boards: list[Board], times: int) -> Work:
    import numpy as np

    alone = [evaluator.score(board) for board in boards]
    together = np.asarray(evaluator.scores(np.stack([board.to_array() for board in boards]), [b.turn for b in boards]))
    if together.tolist() != alone:
        raise GomokuError(f"{evaluator.name!r} scores differently in batches and one by one")
    many = np.stack([board.to_array() for board in boards] * times)
    turns = np.resize(np.array([board.turn for board in boards], dtype=np.uint8), len(many))
    return lambda: evaluator.scores(many, turns), len(many)


def batch_times(evaluators: Sequence[EvaluatorBase], board: Board) -> int:
    """Return how many times a batch has all boards: the same for all, :data:`BATCH` unless one of them is slow."""
    return BATCH if all(_quick(one, board) for one in evaluators) else 1


def _quick(evaluator: EvaluatorBase, board: Board) -> bool:
    evaluator.score(board)
    began = time.perf_counter()
    evaluator.score(board)
    return time.perf_counter() - began < 1e-4


def _plays(evaluator: EvaluatorBase, boards: list[Board], _times: int) -> Work:
    board = boards[0]
    tracker, cells = evaluator.tracker(board), board.empties()[::5]
    for cell in cells[:5]:
        before = tracker.score
        tracker.play(cell)
        played = board.copy()
        played.push(cell)
        if tracker.score != evaluator.score(played):
            raise GomokuError(f"{evaluator.name!r}: its tracker and its score differ after {board.name(cell)}")
        tracker.undo()
        if tracker.score != before:
            raise GomokuError(f"{evaluator.name!r}: its tracker does not come back from {board.name(cell)}")

    def play_and_undo() -> None:
        for cell in cells:
            tracker.play(cell)
            _ = tracker.score
            tracker.undo()

    return play_and_undo, len(cells)


WORKS: dict[str, Callable[[EvaluatorBase, list[Board], int], Work]] = {
    "score": _scores,
    "batch": _batch,
    "play and undo": _plays,
}
"""What is measured; each compares the answers before anything is timed."""


@dataclass(frozen=True)
class Speeds:
    """An evaluator's rates a second beside another one's; ``ratios`` are ours to theirs, ``spread`` of our rounds.

    A rate is the median of rounds in which both take turns, a second of processor time, so that a busy machine matters
    little.
    """

    evaluator: str
    beside: str
    rates: dict[str, float]
    theirs: dict[str, float]
    spread: dict[str, float]

    @property
    def ratios(self) -> dict[str, float]:
        """How many times as fast as the other."""
        return {what: rate / self.theirs[what] for what, rate in self.rates.items()}

    def __str__(self) -> str:
        lines = [f"{self.evaluator} beside {self.beside}, a second"]
        for what, rate in self.rates.items():
            times = f"{self.ratios[what]:.3g} x"
            lines.append(f"  {what:14} {rate:14,.0f}  against {self.theirs[what]:14,.0f}  {times:>10}"
                         f"  (rounds within {100 * self.spread[what]:.0f} %)")  # fmt: skip
        return "\n".join(lines)

    def row(self) -> dict[str, Any]:
        """The figures as a row of a table."""
        return {"evaluator": self.evaluator, "beside": self.beside, **self.rates} | {
            f"{what} ratio": ratio for what, ratio in self.ratios.items()
        }


def speeds(evaluator: object, beside: object = "grade_dict", *, side: int = 15, seconds: float = 0.3) -> Speeds:
    """Measure an evaluator (a table, its name or path, or an object with ``score``) beside another, in one run.

    ``seconds`` is roughly what each of the three measurements takes, half of it for either evaluator.
    """
    boards = some_boards(side)
    ours, theirs = as_evaluator(evaluator), as_evaluator(beside)
    found: tuple[dict[str, float], dict[str, float], dict[str, float]] = ({}, {}, {})
    times = batch_times((ours, theirs), boards[0])
    for what, make in WORKS.items():
        rates = _in_turns([make(one, boards, times) for one in (ours, theirs)], seconds)
        found[0][what], found[1][what] = (statistics.median(times) for times in rates)
        found[2][what] = (max(rates[0]) - min(rates[0])) / found[0][what]
    return Speeds(ours.name, theirs.name, *found)


def _in_turns(works: list[Work], seconds: float, rounds: int = 5) -> list[list[float]]:
    """The rates of each in rounds, in every one of which it works for about the same time."""
    times = []
    for action, _ in works:
        began = time.process_time()
        action()
        times.append(max(time.process_time() - began, 1e-9))
    repeats = [max(1, round(seconds / len(works) / rounds / taken)) for taken in times]
    rates: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for rate, (action, pieces), count in zip(rates, works, repeats, strict=True):
            began = time.process_time()
            for _ in range(count):
                action()
            rate.append(pieces * count / max(time.process_time() - began, 1e-9))
    return rates


def evaluator_benchmarks(*evaluators: object, beside: object = "grade_dict", side: int = 15) -> Callable[..., None]:
    """A test for pytest-benchmark: each evaluator and ``beside`` in one group for each kind of work.

    pytest-benchmark prints beside each time how many times the fastest of its group it is: all evaluators of a group do
    the same work in a round. ``extra_info`` of a saved run holds its pieces.
    """
    try:
        import pytest
        import pytest_benchmark as _  # noqa: F401  (pytest would say only that there is no fixture 'benchmark')
    except ImportError as error:
        message = "evaluator_benchmarks needs pytest and pytest-benchmark: pip install 'gomoku-patterns[bench]'"
        raise ImportError(message) from error

    boards = some_boards(side)
    subjects = [as_evaluator(one) for one in (*evaluators, beside)]
    times = batch_times(subjects, boards[0])

    @pytest.mark.parametrize("what", WORKS)
    @pytest.mark.parametrize("evaluator", subjects, ids=lambda one: one.name)
    def test_speed(benchmark: Any, evaluator: EvaluatorBase, what: str) -> None:
        action, pieces = WORKS[what](evaluator, boards, times)
        benchmark.group = what
        benchmark.extra_info.update(evaluator=evaluator.name, pieces=pieces)
        benchmark(action)

    made: Callable[..., None] = test_speed
    return made
