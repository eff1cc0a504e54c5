"""Players: searches with a name and settings, from one registry that the command line, matches and the web board share.

A player is asked for by a *spec*, its name and the options that differ from the defaults:

>>> random = player("random:seed=7")
>>> random.name
'random:seed=7'
>>> player("random:sead=7")
Traceback (most recent call last):
...
gomoku_patterns.errors.PlayerError: expected an option of player 'random', one of seed, found 'sead'

Anybody can add one, at run time or from an installed package (entry points in the group ``gomoku_patterns.players``):

>>> class Corner(Player):
...     summary = "Plays the first legal cell."
...     def search(self, board, limit=None, *, cancel=None, progress=None):
...         return SearchResult(move=playable(board)[0], score=0)
>>> register_player("corner", Corner)
>>> player("corner").search(Board()).move
Cell(row=0, col=0)
>>> unregister_player("corner")
"""

from __future__ import annotations

import importlib
import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, PlayerError, TableError
from search._control import Cancel
from search.result import Limit, Progress, SearchResult, check_asked, check_limit

ENTRY_POINTS = "gomoku_patterns.players"

BUILT_IN: dict[str, str] = {
    "minmax": "search.minmax:MinMaxPlayer",
    "level": "search.sorted_tree:LevelPlayer",
    "level_tree": "search.sorted_tree:LevelTreePlayer",
    "wins": "search.wins_tree:WinsPlayer",
    "two_ply": "search.two_ply:TwoPlyPlayer",
    "mcts": "search.mcts:MctsPlayer",
    "random": "search.random_player:RandomPlayer",
    "engine": "search.engine:Engine",
    "stubborn": "search.stubborn:Stubborn",
}
"""Where each built-in player lives; its module is imported when it is asked for."""


@dataclass(frozen=True)
class Option:
    """One setting of a player: its name, type, default and help.

    ``kind`` is ``int``, ``float``, ``bool``, ``str`` or ``object``; the last is text in a spec and anything at all
    from Python, such as an evaluator of one's own. ``none`` is the word that stands for None where that is allowed.
    """

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    none: str | None = None

    @property
    def expected(self) -> str:
        """What a value has to be, in words."""
        words = " or ".join(self.choices) or _KIND_WORDS[self.kind]
        if self.least is not None:
            words += f" from {_figure(self.least)}"
        if self.most is not None:
            words += f" to {_figure(self.most)}"
        return f"{words} or {self.none}" if self.none else words

    def parse(self, value: Any, player: str) -> Any:
        """The value that text from a spec, or a Python value, stands for."""
        if self.none is not None and (value is None or value == self.none):
            return None
        try:
            parsed = _PARSERS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise self._bad(value, player) from None
        if not self._allows(parsed):
            raise self._bad(value, player)
        return parsed

    def _allows(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _bad(self, value: Any, player: str) -> PlayerError:
        return PlayerError(f"expected {self.name} of player {player!r} to be {self.expected}, found {value!r}")

    def spell(self, value: Any) -> str:
        """The one way a value is written in a canonical spec."""
        if value is None:
            return str(self.none)
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind is object and not isinstance(value, str):
            return str(getattr(value, "name", type(value).__name__))
        return f"{value:g}" if isinstance(value, float) else str(value)


def _figure(value: float) -> str:
    """A bound as it would be typed: a large whole number with all its digits."""
    return str(value) if isinstance(value, int) else f"{value:g}"


_KIND_WORDS = {int: "a whole number", float: "a number", bool: "yes or no", str: "a text", object: "a name"}
_TRUTH = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def _whole(value: Any) -> int:
    if isinstance(value, str):
        return int(value)
    if isinstance(value, bool):
        raise TypeError
    return operator.index(value)


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError
    return number


def _truth(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.lower() not in _TRUTH:
        raise ValueError
    return _TRUTH[value.lower()]


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return value


def _anything(value: Any) -> Any:
    if value == "":
        raise ValueError
    return value


_PARSERS: dict[type, Callable[[Any], Any]] = {
    int: _whole,
    float: _number,
    bool: _truth,
    str: _text,
    object: _anything,
}


class Player(ABC):
    """A named, configured search.

    A subclass declares its ``options`` and a one-line ``summary`` and implements :meth:`search`; the checked values
    are in ``self.settings``. What it returns is a legal move under the board's rule, or None where there is none.
    """

    kind: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    options: ClassVar[tuple[Option, ...]] = ()

    name: str
    settings: dict[str, Any]
    written: frozenset[str]

    def __init__(self, **options: Any) -> None:
        kind = self.kind or type(self).__name__
        given = parse_options(kind, self.options, options)
        self.settings = {option.name: given.get(option.name, option.default) for option in self.options}
        self.written = frozenset(given)
        self.name = canonical(kind, self.options, given)

    @abstractmethod
    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The move for the side to move. Without a limit the player's own settings decide how far it looks."""

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        """What the player thinks of each cell it considers, positive is good for the side to move; for heat maps."""
        result = self.search(board, limit)
        values = result.stats.get("values")
        if isinstance(values, Mapping) and values:
            return {cell: board.turn.sign * value for cell, value in values.items()}
        return {} if result.move is None else {result.move: board.turn.sign * result.score}

    def within(self, limit: Limit | None) -> Limit | None:
        """The limit with the player's own ``depth``: the smaller one if both are written, else the written one."""
        check_limit(limit)
        depth = self.settings.get("depth")
        if depth is None or (limit is not None and limit.depth is not None and "depth" not in self.written):
            return limit
        return tightened(limit, depth=depth)

    def new_game(self) -> None:
        """Forget what was kept from earlier moves; most players keep nothing."""
        return

    def __repr__(self) -> str:
        return f"player({self.name!r})"


class EvaluatorPlayer(Player):
    """A search by an evaluator as a player: the options are the table, the depth, and the function's own parameters."""

    function: ClassVar[Callable[..., SearchResult]]
    """Called as ``function(board, evaluator, limit, cancel=..., progress=..., **parameters)``."""

    def __init__(self, **options: Any) -> None:
        from gomoku_patterns.evaluator import as_evaluator

        super().__init__(**options)
        self.evaluator = as_evaluator(self.settings["table"])
        self.parameters = {name: self.settings[name] for name in self.settings if name not in ("table", "depth")}

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        search = type(self).function
        return search(board, self.evaluator, self.within(limit), cancel=cancel, progress=progress, **self.parameters)


Factory = Callable[..., Player]


@dataclass(frozen=True)
class PlayerInfo:
    """What the registry knows of a player."""

    name: str
    summary: str
    options: tuple[Option, ...]
    factory: Factory


_registered: dict[str, PlayerInfo] = {}


def register_player(name: str, factory: Factory, *, options: Iterable[Option] | None = None, summary: str = "") -> None:
    """Make ``factory`` known under a name. It is called with the options as keywords and returns a :class:`Player`.

    A subclass of :class:`Player` brings its own options and summary; a plain function is given them here.
    """
    if not name or not name.replace("_", "").replace("-", "").isalnum():
        raise PlayerError(f"expected a player's name of letters, digits, '_' and '-', found {name!r}")
    if not callable(factory):
        raise PlayerError(f"expected a player's factory that can be called, found {factory!r}")
    if name in player_names():
        raise PlayerError(f"expected a name that no player has yet, found {name!r}")
    _registered[name] = _info(name, factory, options, summary)


def unregister_player(name: str) -> None:
    """Forget a player that was registered at run time."""
    if name not in _registered:
        raise PlayerError(f"expected a player that was registered, found {name!r}")
    del _registered[name]


def _info(name: str, factory: Factory, options: Iterable[Option] | None = None, summary: str = "") -> PlayerInfo:
    declared = getattr(factory, "options", ()) if options is None else options
    return PlayerInfo(name, summary or getattr(factory, "summary", ""), tuple(declared), factory)


def player_names() -> list[str]:
    """The names of all players: built-in ones first, then those of installed packages, then registered ones."""
    return list(dict.fromkeys([*BUILT_IN, *_plugins(), *_registered]))


def describe_players() -> list[PlayerInfo]:
    """What is known of every player, in the order of :func:`player_names`."""
    return [player_info(name) for name in player_names()]


def player_info(name: str) -> PlayerInfo:
    """What is known of one player; its module is imported."""
    if name in _registered:
        return _registered[name]
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        return _info(name, getattr(importlib.import_module(module), attribute))
    plugins = _plugins()
    if name not in plugins:
        raise PlayerError(f"expected a player, one of {', '.join(player_names())}, found {name!r}")
    return _info(name, _load(plugins[name]))


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _load(point: EntryPoint) -> Factory:
    try:
        factory: Factory = point.load()
    except Exception as error:  # whatever a stranger's package does when it is imported
        raise PlayerError(f"expected player {point.name!r} to load from {point.value!r}, found {error!r}") from error
    return factory


def player(spec: str, **options: Any) -> Player:
    """The player a spec such as ``minmax:table=grade_dict,depth=5`` asks for; keywords add options or override them."""
    if isinstance(spec, str) and spec.startswith("cmd:"):
        raise PlayerError(f"expected one of the program's own players, found {spec!r}; external engines play matches")
    name, written = parse_spec(spec)
    info = player_info(name)
    given = parse_options(name, info.options, {**written, **options})
    try:
        made = info.factory(**given)
    except TableError as error:
        raise PlayerError(f"player {name!r}: {error}") from error
    if not isinstance(made, Player):
        raise PlayerError(f"expected the factory of player {name!r} to make a Player, found {made!r}")
    made.name = canonical(name, info.options, given)
    return made


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the written options of a spec.

    >>> parse_spec("minmax:table=grade_dict,depth=5")
    ('minmax', {'table': 'grade_dict', 'depth': '5'})
    """
    if not isinstance(spec, str) or not spec.strip():
        raise PlayerError(f"expected a player such as 'minmax' or 'minmax:depth=5', found {spec!r}")
    name, colon, rest = (text.strip() for text in spec.partition(":"))
    if not colon:
        return name, {}
    written: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = (text.strip() for text in part.partition("="))
        if not (key and equals):
            raise PlayerError(f"expected an option as key=value in player {spec!r}, found {part!r}")
        if key in written:
            raise PlayerError(f"expected each option once in player {spec!r}, found {key!r} twice")
        written[key] = value
    return name, written


def parse_options(kind: str, options: tuple[Option, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options with their values checked."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            names = f"one of {', '.join(known)}" if known else "which has none"
            raise PlayerError(f"expected an option of player {kind!r}, {names}, found {name!r}")
    return {name: known[name].parse(value, kind) for name, value in given.items()}


def canonical(kind: str, options: tuple[Option, ...], given: Mapping[str, Any]) -> str:
    """The spec with the given options in declared order and every value written one way."""
    parts = [f"{option.name}={option.spell(given[option.name])}" for option in options if option.name in given]
    return f"{kind}:{','.join(parts)}" if parts else kind


def playable(board: Board, limit: Limit | None = None) -> list[Cell]:
    """The cells the side to move may play, none on a full board; an error when somebody has already won.

    What a search was asked with is checked on the way.
    """
    check_asked(board, limit)
    if winner := board.winner():
        raise IllegalMoveError(f"expected a game that goes on, found one that {winner} has won")
    return board.legal_moves()


def tightened(limit: Limit | None, **own: Any) -> Limit:
    """The limit and a player's own depth, nodes or seconds together: the smaller of each counts."""
    check_limit(limit)
    parts = {name: getattr(limit, name, None) for name in ("depth", "nodes", "seconds")}
    for name, value in own.items():
        if value is not None:
            parts[name] = value if parts[name] is None else min(value, parts[name])
    return Limit(**parts)
