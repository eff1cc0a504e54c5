"""What a benchmark says: our time, the peer's time in the same run, and the ratio that was promised.

A suite is a module ``bench_NAME`` with ``figures()``, which checks the answers and then yields one figure after the
other. ``python -m benchmarks`` prints them; ``pytest benchmarks`` gives them to pytest-benchmark (``test_figures.py``).
With ``--smoke`` every suite runs on a small part of its work: all answers are checked, and no figure means anything.
"""

from __future__ import annotations

import importlib
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from gomoku_patterns.quantities import duration

_Amount = TypeVar("_Amount")


def smoke() -> bool:
    """Return whether this is a smoke run."""
    return bool(os.environ.get("GOMOKU_SMOKE"))


def amount(full: _Amount, in_smoke: _Amount) -> _Amount:
    """Return how much work a suite does: ``full``, or ``in_smoke`` in a smoke run."""
    return in_smoke if smoke() else full


SUITES = (
    "scoring",
    "features",
    "data",
    "match",
    "minmax",
    "mcts",
    "solver",
    "puzzles",
    "making",
    "engine",
    "proofs",
    "prove",
    "clock",
)


class Seconds(float):
    """A time, and the rounds of which it is the shortest."""

    rounds: tuple[float, ...]

    def __new__(cls, rounds: Iterable[float]) -> Seconds:
        kept = tuple(rounds)
        made = super().__new__(cls, min(kept))
        made.rounds = kept
        return made


@dataclass(frozen=True)
class Figure:
    """One line of the report: ``theirs / ours`` is the ratio, and should be at least ``least``.

    ``what`` is the same in every run, so that runs can be compared; ``note`` says what was special in this one.
    """

    what: str
    ours: float
    against: str
    theirs: float
    least: float
    note: str = ""

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    @property
    def reached(self) -> bool:
        return self.ratio >= self.least

    def __str__(self) -> str:
        verdict = "reached" if self.reached else "MISSED"
        ratio = f"{self.ratio:8.2f}" if self.ratio < 10 else f"{self.ratio:8.0f}"
        note = f" ({self.note})" if self.note else ""
        return (
            f"{ratio} x  (at least {self.least:g}: {verdict})  {self.what}{note}: {duration(self.ours)}"
            f" against {duration(self.theirs)} for {self.against}"
        )


def fastest(function: Callable[[], Any], seconds: float = 0.3, pieces: int = 1) -> Seconds:
    """The shortest of many timings of a call, divided by the pieces of work in it: what others do counts least."""
    rounds, until = [], time.perf_counter() + amount(seconds, 0)
    while True:
        started = time.perf_counter()
        function()
        ended = time.perf_counter()
        rounds.append((ended - started) / pieces)
        if ended >= until:
            return Seconds(rounds)


def figures_of(suite: str) -> Iterator[Figure]:
    """The figures of a suite, measured as they are asked for."""
    found: Iterable[Figure] = importlib.import_module(f"benchmarks.bench_{suite}").figures()
    yield from found


def report(figures: Iterable[Figure]) -> bool:
    """Print figures as they come; return whether all of them were reached, which no smoke run is asked."""
    good = True
    for figure in figures:
        print(figure, flush=True)
        good &= figure.reached
    return good or smoke()
