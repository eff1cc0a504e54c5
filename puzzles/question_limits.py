"""One limit for each question about a position, and one time and one cancel for all questions together."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic

from gomoku_patterns.board import Board
from search import Cancel, Limit, Solution, solve
from search._control import Control


class Unfinished(Exception):  # noqa: N818 - not an error
    """Unwinds a series of questions whose time is over, or that was cancelled: the last one has no answer."""


class QuestionLimits:
    """The limit of each question, the seconds that all of them may take together, and what cancels them."""

    def __init__(self, each: Limit, seconds: float | None = None, cancel: Cancel | None = None) -> None:
        self.each = each
        self.cancel = Cancel() if cancel is None else cancel
        self._end = None if seconds is None else monotonic() + seconds

    def check(self) -> None:
        """Raise Unfinished if no time is left."""
        if self.cancel.is_set() or (self._end is not None and monotonic() >= self._end):
            raise Unfinished

    def next(self) -> Limit:
        """The limit of the next question: its own, and no more seconds than are left for all."""
        self.check()
        if self._end is None:
            return self.each
        left = max(0.001, self._end - monotonic())
        return replace(self.each, seconds=left if self.each.seconds is None else min(left, self.each.seconds))

    def control(self) -> Control:
        """The control of the next question."""
        return Control(self.next(), self.cancel)

    def solve(self, board: Board) -> Solution:
        """Ask the solver; an answer that was cut short by the end of all questions does not count."""
        found = solve(board, self.next(), cancel=self.cancel)
        if found.proof is None:
            self.check()
        return found
