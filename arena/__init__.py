"""Players and evaluators compared: matches, external engines, statistics, the evaluator ladder, work on many machines.

>>> from arena import Plan, Terms, elo, play_match, workers
>>> from gomoku_patterns import Board
>>> plan = Plan(("random:seed=1", "random:seed=2"), (Board(7),), pairs=2, terms=Terms(nodes=100))
>>> with workers(jobs=1) as pool:
...     standings = play_match(plan, pool)
>>> standings.games, elo(standings.tally(0, 1)).significant
(4, False)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.engines import Terms
    from arena.journal import Journal
    from arena.ladder import Ladder, Settings
    from arena.openings import random_openings, read_openings
    from arena.pools import workers
    from arena.runner import Plan, Standings, play_match
    from arena.statistics import Sprt, Tally, elo, normalised_elo, superiority
    from arena.work import run_units

# What is imported on first use, and from where.
_HOMES = {
    "Journal": "arena.journal",
    "Ladder": "arena.ladder",
    "Plan": "arena.runner",
    "Settings": "arena.ladder",
    "Sprt": "arena.statistics",
    "Standings": "arena.runner",
    "Tally": "arena.statistics",
    "Terms": "arena.engines",
    "elo": "arena.statistics",
    "normalised_elo": "arena.statistics",
    "play_match": "arena.runner",
    "random_openings": "arena.openings",
    "read_openings": "arena.openings",
    "run_units": "arena.work",
    "superiority": "arena.statistics",
    "workers": "arena.pools",
}

__all__ = [
    "Journal",
    "Ladder",
    "Plan",
    "Settings",
    "Sprt",
    "Standings",
    "Tally",
    "Terms",
    "elo",
    "normalised_elo",
    "play_match",
    "random_openings",
    "read_openings",
    "run_units",
    "superiority",
    "workers",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
