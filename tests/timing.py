"""Promises about time, asked of a machine that is busy with other things."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

import pytest

timing = pytest.mark.skipif(bool(os.environ.get("GOMOKU_SANITIZED")), reason="the sanitizers are slow")
"""For tests that would fail of slowness alone."""


def quickest(run: Callable[[], object], bound: float, *, clock: Callable[[], float] = time.perf_counter) -> float:
    """The seconds of the quickest of a few runs, no more of them than it takes to stay below the bound."""
    best = float("inf")
    for _ in range(5):
        began = clock()
        run()
        best = min(best, clock() - began)
        if best < bound:
            break
    return best


def slowness() -> float:
    """How many times as long as on an idle machine a computation takes now, since others have the processors."""
    began, worked = time.perf_counter(), time.process_time()
    while time.process_time() - worked < 0.05:
        pass
    return max(1.0, (time.perf_counter() - began) / 0.05)


def calls(run: Callable[[], object]) -> int:
    """How many functions were called meanwhile, those in C included."""
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return made
