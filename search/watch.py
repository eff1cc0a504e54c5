"""Limits, cancellation and progress for the searches in plain Python; the native ones have ``search._control``."""

from __future__ import annotations

import math
import time
from typing import NoReturn

from search._control import Cancel
from search.result import Limit, Progress

REPORT_EVERY = 0.2


class Stopped(Exception):  # noqa: N818 - not an error
    """Unwinds a search whose limit is reached."""


class Watch:
    """Counts the nodes of one search and stops it in time; a search says what it has so far in ``depth`` and ``score``.

    >>> watch = Watch(Limit(nodes=2))
    >>> watch.visit(), watch.visit()
    (None, None)
    >>> watch.visit()
    Traceback (most recent call last):
    ...
    search.watch.Stopped
    >>> watch.nodes, watch.stopped_by
    (2, 'nodes')
    """

    def __init__(self, limit: Limit, cancel: Cancel | None = None, progress: Progress | None = None) -> None:
        self.nodes = self.depth = self.score = 0
        self.stopped_by: str | None = None
        self._most = math.inf if limit.nodes is None else limit.nodes
        self._cancel = cancel or Cancel()
        self._progress = progress
        self._started = time.monotonic()
        self._deadline = math.inf if limit.seconds is None else self._started + limit.seconds
        self._next_report = self._started + REPORT_EVERY

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    def visit(self) -> None:
        """Count one node, unless the search has to stop before it."""
        if self.nodes >= self._most:
            self._stop("nodes")
        self.check()
        self.nodes += 1

    def check(self) -> None:
        """Stop here if time is up or somebody asked for it."""
        if self._cancel.is_set():
            self._stop("cancelled")
        moment = time.monotonic()
        if moment >= self._deadline:
            self._stop("seconds")
        if self._progress is not None and moment >= self._next_report:
            self._next_report = moment + REPORT_EVERY
            self._progress(
                {"nodes": self.nodes, "depth": self.depth, "score": self.score, "win": None, "elapsed": self.elapsed}
            )

    def _stop(self, reason: str) -> NoReturn:
        self.stopped_by = reason
        raise Stopped
