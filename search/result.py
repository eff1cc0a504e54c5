"""What limits a search, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import BoardError, LimitError

Progress = Callable[[Mapping[str, object]], object]
"""Told a few times a second: ``{"nodes", "depth", "score", "elapsed"}``. What it raises ends the search."""

MOST = 2**63 - 1
"""What the kernels can count to."""


@dataclass(frozen=True)
class Limit:
    """When a search stops: at least one of depth in plies, nodes, seconds.

    >>> Limit(depth=5)
    Limit(depth=5, nodes=None, seconds=None)
    >>> Limit()
    Traceback (most recent call last):
    ...
    gomoku_patterns.errors.LimitError: expected at least one of depth, nodes and seconds, found none
    """

    depth: int | None = None
    nodes: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.depth is None and self.nodes is None and self.seconds is None:
            raise LimitError("expected at least one of depth, nodes and seconds, found none")
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise LimitError(f"expected {name} to be a whole number from 1, found {value!r}")
            if value is not None and value > MOST:
                raise LimitError(f"expected {name} to be at most {MOST}, found {value!r:.30}")
        seconds = self.seconds
        if seconds is not None and not (_is_number(seconds) and seconds > 0 and _is_finite(seconds)):
            raise LimitError(f"expected seconds to be a finite number above 0, found {seconds!r}")


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # a whole number that no float can hold
        return False


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_asked(board: object, limit: object) -> None:
    """An error that says what a search takes, where it was given something else: a number for a limit, a text, ..."""
    if not isinstance(board, Board):
        raise BoardError(f"expected a Board, found {board!r:.80}")
    check_limit(limit)


def check_limit(limit: object) -> None:
    """An error where something else than a Limit was given; None is no limit."""
    if limit is not None and not isinstance(limit, Limit):
        raise LimitError(f"expected a Limit such as Limit(depth=5) or Limit(seconds=1), found {limit!r:.80}")


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    ``score`` is black minus white, in the unit of the evaluator. ``move`` is None when no cell can be played.
    ``stopped_by`` says what ended it: ``depth``, ``nodes``, ``seconds``, ``cancelled``, or ``complete`` when there
    was nothing more to look at (the only move, a proven win, ...).
    """

    move: Cell | None
    score: int
    depth: int = 0
    nodes: int = 0
    elapsed: float = 0.0
    pv: tuple[Cell, ...] = ()
    stats: Mapping[str, object] = field(default_factory=dict)
    stopped_by: str = "complete"
