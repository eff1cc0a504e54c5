"""What a game grants each player.

>>> control = TimeControl(Limit(seconds=5), match_seconds=180)
>>> control.limit, control.tolerance
(Limit(depth=None, nodes=None, seconds=5), 1.0)
>>> TimeControl.of_json(control.json()) == control
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gomoku_patterns.errors import ArenaError
from search.result import Limit

_FOR_EVER = 1e9
_LIMIT = ("depth", "nodes", "seconds")


@dataclass(frozen=True)
class TimeControl:
    """What a game grants a player: the limit of a move, the time for the game, memory in bytes, threads.

    ``increment`` is how many seconds each move adds to the time for the game, ``tolerance`` by how many seconds a move
    may be late. ``patience`` bounds a move of an engine where no time is given, so that silence always ends.
    ``suspend`` stops an engine's processes while its opponent thinks. With ``keep`` a worker keeps an engine's process
    from game to game, which is quicker; what the engine remembers of a game then reaches the next.
    """

    limit: Limit | None = None
    match_seconds: float | None = None
    tolerance: float = 1.0
    memory: int | None = None
    patience: float = 60.0
    suspend: bool = False
    increment: float = 0.0
    threads: int | None = None
    keep: bool = False

    def __post_init__(self) -> None:
        if self.limit is not None and not isinstance(self.limit, Limit):
            raise ArenaError(f"the limit of a move is a Limit such as Limit(seconds=1), not {self.limit!r:.80}")
        for name, unit in (("memory", " of bytes"), ("threads", "")):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ArenaError(f"{name} is a whole number{unit} from 1, not {value!r}")
        if self.increment and self.match_seconds is None:
            raise ArenaError("an increment needs match_seconds, the time for the game that it adds to")
        for name, least in (("match_seconds", 1e-9), ("tolerance", 0.0), ("patience", 1e-9), ("increment", 0.0)):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, (int, float)) and least <= value < _FOR_EVER):
                raise ArenaError(f"{name} is a finite number {'above' if least else 'from'} 0, not {value!r}")

    @property
    def seconds(self) -> float | None:
        """The seconds for a move, where there is such a limit."""
        return self.limit.seconds if self.limit is not None else None

    def json(self) -> dict[str, Any]:
        """As a work unit and a log's header carry it: the limit's members beside the others."""
        members = asdict(self)
        return {**(members.pop("limit") or dict.fromkeys(_LIMIT)), **members}

    @classmethod
    def of_json(cls, members: Mapping[str, Any]) -> TimeControl:
        """The time control that :meth:`json` wrote."""
        others = dict(members)
        limit = {name: others.pop(name) for name in _LIMIT}
        return cls(Limit(**limit) if any(value is not None for value in limit.values()) else None, **others)
