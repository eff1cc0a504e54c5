"""Everything that looks ahead: players, searches, the solver and its proofs.

>>> from gomoku_patterns import Board
>>> from search import Limit, player
>>> player("random:seed=3").search(Board(), Limit(seconds=1)).stopped_by
'complete'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search._control import Cancel
    from search.certificate import Certificate
    from search.minmax import minmax
    from search.players import (
        Option,
        Player,
        describe_players,
        player,
        player_names,
        register_player,
    )
    from search.proof import Verdict, check
    from search.result import Limit, SearchResult, Win, score_text, value_text
    from search.solver import Solution, Solver, Status, solve

# What is imported on first use, and from where.
_HOMES = {
    "Cancel": "search._control",
    "Certificate": "search.certificate",
    "Limit": "search.result",
    "Option": "search.players",
    "Player": "search.players",
    "SearchResult": "search.result",
    "Verdict": "search.proof",
    "Win": "search.result",
    "score_text": "search.result",
    "value_text": "search.result",
    "check": "search.proof",
    "minmax": "search.minmax",
    "describe_players": "search.players",
    "player": "search.players",
    "player_names": "search.players",
    "register_player": "search.players",
    "Solution": "search.solver",
    "Solver": "search.solver",
    "Status": "search.solver",
    "solve": "search.solver",
}

__all__ = [
    "Cancel",
    "Certificate",
    "Limit",
    "Option",
    "Player",
    "SearchResult",
    "Solution",
    "Solver",
    "Status",
    "Verdict",
    "Win",
    "check",
    "describe_players",
    "minmax",
    "player",
    "player_names",
    "register_player",
    "score_text",
    "solve",
    "value_text",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
