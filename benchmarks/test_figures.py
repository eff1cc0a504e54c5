"""Every figure as a group of pytest-benchmark: our time and the peer's, one beside the other, in the same run.

    pytest benchmarks --benchmark-autosave           # keep the run
    pytest benchmarks --benchmark-compare            # beside the last one that was kept
    pytest benchmarks -k "scoring or solver"

pytest-benchmark prints beside each time how many times the fastest of its group it is. A suite fails when its answers
are wrong, or when a ratio that was promised is missed.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import pytest

from benchmarks.figures import SUITES, Figure, Seconds, figures_of


class Clock:
    """A clock that is put forward by hand: by a time that a figure has measured itself, inside the core for example."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


CLOCK = Clock()


def recorded(benchmark: Any, figures: Iterable[Figure]) -> list[str]:
    """Give both sides of every figure to pytest-benchmark; the figures that are missed."""
    waiting: list[Any] = [benchmark]
    fresh = copy.copy(benchmark)  # a benchmark takes one time; every further one is a copy of what it was
    seen: set[tuple[str, str]] = set()
    missed = []
    for figure in figures:
        for who, seconds in (("ours", figure.ours), (figure.against, figure.theirs)):
            # Where several peers stand beside it, ours is there once.
            if (figure.what, who) not in seen:
                seen.add((figure.what, who))
                _record(waiting.pop() if waiting else copy.copy(fresh), figure, who, seconds)
        if not figure.reached:
            missed.append(str(figure))
    return missed


def _record(benchmark: Any, figure: Figure, who: str, seconds: float) -> None:
    benchmark.group, benchmark.name = figure.what, who
    benchmark.fullname = f"{benchmark.fullname}[{figure.what}][{who}]"
    benchmark.extra_info = {"ratio": figure.ratio, "least": figure.least, "note": figure.note}
    rounds = seconds.rounds if isinstance(seconds, Seconds) else (float(seconds),)
    left = iter(rounds)
    benchmark.pedantic(lambda: CLOCK.pass_by(next(left)), rounds=len(rounds))


@pytest.mark.slow
@pytest.mark.benchmark(timer=CLOCK)
@pytest.mark.parametrize("suite", SUITES)
def test_suite(benchmark: Any, suite: str) -> None:
    missed = recorded(benchmark, figures_of(suite))
    assert not missed, "\n".join(missed)
