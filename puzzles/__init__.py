"""Puzzle suites: levels as data, played out, judged, proven and reported.

>>> import puzzles
>>> suite = puzzles.load("huanle")
>>> len(suite), suite.level(13).board.turn
(20, BLACK)
>>> outcome = puzzles.attempt(suite.level(13), puzzles.Task())
>>> outcome.status, outcome.verdict
('proven', 'accepted')
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from puzzles.game import Game, Judgement, Ply, judge, replay
    from puzzles.recall import Recall, ordering_recall, winning_moves
    from puzzles.report import report_html
    from puzzles.suite import Level, Suite, load, read, suite_names, write
    from puzzles.task import Outcome, Task, attempt

# What is imported on first use, and from where.
_HOMES = {
    **dict.fromkeys(("Level", "Suite", "load", "read", "suite_names", "write"), "puzzles.suite"),
    **dict.fromkeys(("Game", "Judgement", "Ply", "judge", "replay"), "puzzles.game"),
    **dict.fromkeys(("Outcome", "Task", "attempt"), "puzzles.task"),
    **dict.fromkeys(("Recall", "ordering_recall", "winning_moves"), "puzzles.recall"),
    "report_html": "puzzles.report",
}

__all__ = [
    "Game",
    "Judgement",
    "Level",
    "Outcome",
    "Ply",
    "Recall",
    "Suite",
    "Task",
    "attempt",
    "judge",
    "load",
    "ordering_recall",
    "read",
    "replay",
    "report_html",
    "suite_names",
    "winning_moves",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
