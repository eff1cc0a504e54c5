"""How long the moves of a player took, against what it was granted.

>>> used = TimeUsed(allowed=0.5)
>>> used.add([0.5, 0.7, 0.3])
>>> round(used.mean or 0, 2), used.most, used.overruns
(0.5, 0.7, False)
>>> used.add([1.4])
>>> used.overruns
True

A move that is late by more than the tolerance loses its game. Below that a player may still take more than its share:
one whose mean exceeds what it was granted by more than :data:`OVERRUN` is marked, since its games were not played at
equal time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

OVERRUN = 0.25
"""By what share of its time a player's mean may exceed it unmarked."""


@dataclass
class TimeUsed:
    """The moves of a player that were timed: how many, their seconds in all, and the longest."""

    allowed: float | None = None
    moves: int = 0
    total: float = 0.0
    most: float = 0.0

    def add(self, seconds: Iterable[float | None]) -> None:
        """Count some moves; those without a time are left out."""
        for taken in seconds:
            if taken is not None:
                self.moves += 1
                self.total += taken
                self.most = max(self.most, taken)

    @property
    def mean(self) -> float | None:
        """Return the seconds of a move on average; None before the first."""
        return self.total / self.moves if self.moves else None

    @property
    def overruns(self) -> bool:
        """Whether the mean exceeds what was granted by more than :data:`OVERRUN`."""
        return self.allowed is not None and self.mean is not None and self.mean > self.allowed * (1 + OVERRUN)

    def json(self) -> Json:
        """Return the figures for JSON, in seconds."""
        return {
            "moves": self.moves,
            "mean": None if self.mean is None else round(self.mean, 6),
            "most": round(self.most, 6) if self.moves else None,
            "allowed": self.allowed,
            "overruns": self.overruns,
        }

    def __str__(self) -> str:
        if self.mean is None:
            return "no move was timed"
        granted = "" if self.allowed is None else f", {seconds_text(self.allowed)} granted"
        marked = f", more than {OVERRUN:.0%} too long" if self.overruns else ""
        return f"{seconds_text(self.mean)} a move, {seconds_text(self.most)} at most{granted}{marked}"


def seconds_text(seconds: float) -> str:
    """Return a time of a move in milliseconds, or in seconds from one second on.

    >>> seconds_text(0.0123), seconds_text(1.5)
    ('12.3 ms', '1.50 s')
    """
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"
