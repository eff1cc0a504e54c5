"""Who enters a match: a player with a name and with settings of its own, so that odds can be given.

>>> entrant = Entrant.parse("cmd:./pbrain-x @ name=Old, seconds=0.5, memory=350, info.hash_size=64")
>>> entrant.spec, entrant.name, dict(entrant.info)
('cmd:./pbrain-x', 'Old', {'hash_size': '64'})
>>> entrant.time_control(TimeControl(Limit(seconds=5, nodes=1000))).limit
Limit(depth=None, nodes=1000, seconds=0.5)
>>> Entrant.parse("minmax:depth=5").name
'minmax:depth=5'

What stands behind `` @ `` is for this player alone and takes the place of what the match says; ``none`` takes it away.

============= ================================================================================================
setting       meaning
============= ================================================================================================
name          what results call it
depth, nodes  how far, and how many nodes, a move may look
seconds       for a move
match_seconds for the whole game; ``increment`` is added after each of its moves
tolerance     by how many seconds a move may be late
memory        MiB that an external engine and its children may hold
threads       how many threads it may use: an option of the program's players, ``INFO thread_num`` for engines
info.KEY      sent to an external engine as ``INFO KEY VALUE`` before each game
============= ================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arena.time_control import TimeControl
from gomoku_patterns.errors import ArenaError, LimitError, unknown
from search.result import Limit

SEPARATOR = " @ "
PREFIX = "cmd:"
"""What begins the spec of an external engine."""

_INFO = "info."
_MIB = 2**20


def _mebibytes(text: str) -> int:
    return int(float(text) * _MIB)


_SETTINGS: dict[str, Callable[[str], Any]] = {
    "depth": int,
    "nodes": int,
    "seconds": float,
    "match_seconds": float,
    "increment": float,
    "tolerance": float,
    "memory": _mebibytes,
    "threads": int,
}
_OF_A_MOVE = ("depth", "nodes", "seconds")
_NONE: dict[str, Any] = {"increment": 0.0, "tolerance": 0.0}


@dataclass(frozen=True)
class Entrant:
    """A player of a match: its spec, what it is called, and what is granted to it alone."""

    text: str
    spec: str
    name: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    info: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Entrant:
        """The entrant that a text such as ``minmax:depth=5 @ name=Five, nodes=1000`` means."""
        spec, at, written = text.rpartition(SEPARATOR)
        if not at:
            return cls(text, text, text)
        settings: dict[str, Any] = {}
        info: dict[str, str] = {}
        name = spec = spec.strip()
        for part in written.split(","):
            key, equals, value = (word.strip() for word in part.partition("="))
            if not (equals and key and value):
                raise ArenaError(f"{text!r}: a setting is written key=value, not {part.strip()!r}")
            if key == "name":
                name = value
            elif key.startswith(_INFO):
                info[key.removeprefix(_INFO)] = value
            else:
                settings[key] = _setting(text, key, value)
        if info and not spec.startswith(PREFIX):
            raise ArenaError(f"{text!r}: info.{next(iter(info))} is for external engines (cmd:...) alone")
        entrant = cls(text, spec, name, settings, info)
        _check(entrant)
        return entrant

    @property
    def is_engine(self) -> bool:
        """Whether it is an external program."""
        return self.spec.startswith(PREFIX)

    def time_control(self, base: TimeControl) -> TimeControl:
        """What the match grants everybody, with this player's own settings in their places."""
        own = dict(self.settings)
        limit = {key: own.pop(key) if key in own else getattr(base.limit, key, None) for key in _OF_A_MOVE}
        found = Limit(**limit) if any(value is not None for value in limit.values()) else None
        if "match_seconds" in own and own["match_seconds"] is None:
            own.setdefault("increment", 0.0)
        return replace(base, limit=found, **own)


def _setting(text: str, key: str, value: str) -> Any:
    if key not in _SETTINGS:
        raise ArenaError(f"{text!r}: {unknown('setting', key, ['name', *_SETTINGS, 'info.KEY'])}")
    if value == "none":
        return _NONE.get(key)
    try:
        return _SETTINGS[key](value)
    except (ValueError, OverflowError):
        raise ArenaError(f"{text!r}: {key} is a number, not {value!r}") from None


def _check(entrant: Entrant) -> None:
    """An error now where its settings make no sense by themselves; an increment may add to the match's time."""
    try:
        entrant.time_control(TimeControl(match_seconds=1.0))
    except (ArenaError, LimitError) as error:
        raise ArenaError(f"{entrant.text!r}: {error}") from None


def check_texts(what: str, values: object, example: str) -> None:
    """Check that the members of a plan are texts, since a plan is logged and sent to workers."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise ArenaError(f"the {what}s of a plan are a tuple of texts such as ({example!r},), not {values!r:.60}")
    for value in values:
        if not isinstance(value, str):
            kind = value if isinstance(value, type) else type(value)
            path = f"{kind.__module__}:{kind.__qualname__}"
            article = "an" if what[0] in "aeiou" else "a"
            raise ArenaError(
                f"{article} {what} of a plan is a text such as {example!r} or 'my_module:Mine', for logs and workers, "
                f"not {value!r:.60}; if it can be imported, write its class as {path!r:.80}"
            )


def names(players: Iterable[str]) -> list[str]:
    """What results call the players, in their order; those who would share a name keep their whole texts."""
    texts = list(players)
    called = [Entrant.parse(text).name for text in texts]
    return [name if called.count(name) == 1 else text for name, text in zip(called, texts, strict=True)]
