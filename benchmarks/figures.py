"""What a benchmark says: our time, the peer's time in the same run, and the ratio that was promised."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from gomoku_patterns.quantities import duration


@dataclass(frozen=True)
class Figure:
    """One line of the report: ``theirs / ours`` is the ratio, and should be at least ``least``."""

    what: str
    ours: float
    against: str
    theirs: float
    least: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    @property
    def reached(self) -> bool:
        return self.ratio >= self.least

    def __str__(self) -> str:
        verdict = "reached" if self.reached else "MISSED"
        ratio = f"{self.ratio:8.2f}" if self.ratio < 10 else f"{self.ratio:8.0f}"
        return (
            f"{ratio} x  (at least {self.least:g}: {verdict})  {self.what}: {duration(self.ours)}"
            f" against {duration(self.theirs)} for {self.against}"
        )


def fastest(function: Callable[[], Any], seconds: float = 0.3, pieces: int = 1) -> float:
    """The shortest of many timings of a call, divided by the pieces of work in it: what others do counts least."""
    best, until = float("inf"), time.perf_counter() + seconds
    while True:
        started = time.perf_counter()
        function()
        ended = time.perf_counter()
        best = min(best, ended - started)
        if ended >= until:
            return best / pieces


def report(figures: Iterable[Figure]) -> bool:
    """Print figures as they come; whether all of them were reached."""
    good = True
    for figure in figures:
        print(figure, flush=True)
        good &= figure.reached
    return good
