"""How much the tests do of what takes long: a part of it, and all of it with ``GOMOKU_LONG_TESTS=1``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest

LONG = bool(os.environ.get("GOMOKU_LONG_TESTS"))

long_test = pytest.mark.skipif(not LONG, reason="takes long: GOMOKU_LONG_TESTS=1 runs it")
"""For what others guard too, in less time."""

_Thing = TypeVar("_Thing")


def some(things: Iterable[_Thing], number: int) -> list[_Thing]:
    """So many of the things, spread evenly over all of them and the same every time; all of them in long tests."""
    found = list(things)
    if LONG or len(found) <= number:
        return found
    return [found[index * len(found) // number] for index in range(number)]


def examples(number: int, long: int | None = None) -> int:
    """How many examples Hypothesis tries: in long tests perhaps more, under the sanitizers no more than these allow."""
    asked = long if LONG and long else number
    return min(asked, int(os.environ.get("HYPOTHESIS_MAX_EXAMPLES", asked)))
