"""The registry of players, which the command line, matches, the brain and the web board share.

A player is asked for by a *spec*, its name and the options that differ from the defaults:

>>> random = player("random:seed=7")
>>> random.name
'random:seed=7'
>>> player("random:sead=7")
Traceback (most recent call last):
...
gomoku_patterns.errors.PlayerError: player 'random': unknown option 'sead'; did you mean 'seed'?

Anybody can add one, at run time or from an installed package (entry points in the group ``gomoku_patterns.players``):

>>> from gomoku_patterns import Board
>>> from search import SearchResult
>>> class Corner(Player):
...     summary = "Plays the first legal cell."
...     def search(self, board, limit=None, *, cancel=None, progress=None):
...         return SearchResult(move=board.legal_moves()[0])
>>> register_player("corner", Corner)
>>> player("corner").search(Board()).move
Cell(row=0, col=0)
>>> unregister_player("corner")
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from gomoku_patterns.errors import PlayerError, TableError, shown, unknown
from gomoku_patterns.import_path import IMPORT_PATH, imported, imported_object, is_import_path
from search.options import Option, Options, declared
from search.player_base import Player

ENTRY_POINTS = "gomoku_patterns.players"

BUILT_IN: dict[str, str] = {
    "minmax": "search.minmax_search:MinMaxPlayer",
    "level": "search.level_search:LevelPlayer",
    "level_tree": "search.level_search:LevelTreePlayer",
    "wins": "search.wins_search:WinsPlayer",
    "two_ply": "search.two_ply_search:TwoPlyPlayer",
    "mcts": "search.mcts_search:MctsPlayer",
    "random": "search.random_player:RandomPlayer",
    "engine": "search.engine_player:EnginePlayer",
    "solver": "search.solver_player:SolverPlayer",
    "stubborn": "search.stubborn_player:StubbornPlayer",
    "book": "search.book_player:BookPlayer",
}
"""Where each built-in player lives; its module is imported when it is asked for."""


Factory = Callable[..., Player]

_OWN = re.compile(rf"({IMPORT_PATH})(:|\Z)")


@dataclass(frozen=True)
class PlayerInfo:
    """What the registry knows of a player."""

    name: str
    summary: str
    declared: type[Options]
    factory: Factory

    @property
    def options(self) -> tuple[Option, ...]:
        """What the player can be told."""
        return declared(self.declared)


_registered: dict[str, PlayerInfo] = {}


def register_player(name: str, factory: Factory, *, options: type[Options] | None = None, summary: str = "") -> None:
    """Make ``factory`` known under a name. It is called with the options as keywords and returns a :class:`Player`.

    A subclass of :class:`Player` brings its own options and summary; a plain function is given them here.
    """
    if not isinstance(name, str) or not name.replace("_", "").replace("-", "").isalnum():
        raise PlayerError(f"a player's name is made of letters, digits, '_' and '-', so it cannot be {shown(name)}")
    if not callable(factory):
        raise PlayerError(f"player {name!r} needs a class or function that makes it, not {shown(factory)}")
    if name in player_names():
        raise PlayerError(f"there is already a player {name!r}")
    _registered[name] = _info(name, factory, options, summary)


def import_player(spec: str) -> None:
    """Make the player known that a spec names by an import path, such as ``edge:Edge``; other specs are left alone.

    Only what the user typed may come here: a spec from elsewhere could import anything.
    """
    name, _ = parse_spec(spec)
    if not is_import_path(name):
        return
    factory = imported_object(name)
    if hasattr(factory, "score") and not hasattr(factory, "search"):
        raise PlayerError(f"{name!r} is an evaluator, not a player; a search plays by it: minmax:table={name}")
    if not callable(factory):
        raise PlayerError(f"{name!r} is {shown(factory)}, not a class or function that makes a player")
    _registered[name] = _info(name, factory)


def named_player(spec: str) -> Player:
    """The player that a user names; import paths stand for players and evaluators of their own.

    As for :func:`import_player`, only what the user typed may come here.
    """
    import_player(spec)
    name, written = parse_spec(spec)
    return player(name, **{key: imported(text) if is_import_path(text) else text for key, text in written.items()})


def unregister_player(name: str) -> None:
    """Forget a player that was registered at run time."""
    if name not in _registered:
        raise PlayerError(unknown("registered player", name, _registered))
    del _registered[name]


def _info(name: str, factory: Factory, options: type[Options] | None = None, summary: str = "") -> PlayerInfo:
    own = getattr(factory, "Options", Options) if options is None else options
    return PlayerInfo(name, summary or getattr(factory, "summary", ""), own, factory)


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
        raise PlayerError(unknown("player", name, player_names()))
    return _info(name, _load(plugins[name]))


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def _load(point: EntryPoint) -> Factory:
    try:
        factory: Factory = point.load()
    except Exception as error:  # whatever a stranger's package does when it is imported
        raise PlayerError(f"player {point.name!r} cannot be loaded from {point.value!r}: {error!r}") from error
    return factory


def player(spec: str, **options: Any) -> Player:
    """The player a spec such as ``minmax:table=grade_dict,depth=5`` asks for; keywords add options or override them."""
    if isinstance(spec, str) and spec.startswith("cmd:"):
        raise PlayerError(f"{shown(spec)} is an external engine, which only plays matches; see gomoku move --list")
    name, written = parse_spec(spec)
    info, given = player_info(name), {**written, **options}
    try:
        made = _made(info, given)
        if not isinstance(made, Player):
            raise PlayerError(f"its factory has to make a Player, not {shown(made)}")
    except (PlayerError, TableError) as error:
        raise PlayerError(f"player {name!r}: {error}") from error
    return made


def _made(info: PlayerInfo, given: dict[str, Any]) -> Any:
    """The player; a class checks the options itself, for a plain function they are checked here."""
    if isinstance(info.factory, type) and issubclass(info.factory, Player):
        made: Any = info.factory(**given)
        made.name = made.options.spec(info.name, made.written)
        return made
    checked = info.declared.of(given)
    made = info.factory(**{name: getattr(checked, name) for name in given})
    if isinstance(made, Player):
        made.name = checked.spec(info.name, given)
    return made


def spec_options(spec: str) -> dict[str, Any]:
    """The options that are written in a spec, with their checked values; the player is not made."""
    name, written = parse_spec(spec)
    try:
        checked = player_info(name).declared.of(written)
    except PlayerError as error:
        raise PlayerError(f"player {name!r}: {error}") from error
    return {option: getattr(checked, option) for option in written}


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the written options of a spec.

    >>> parse_spec("minmax:table=grade_dict,depth=5")
    ('minmax', {'table': 'grade_dict', 'depth': '5'})
    >>> parse_spec("edge:Edge:depth=2")
    ('edge:Edge', {'depth': '2'})
    """
    if not isinstance(spec, str) or not spec.strip():
        raise PlayerError(f"a player is written as 'minmax' or 'minmax:depth=5', not {shown(spec)}")
    own = _OWN.match(spec.strip())
    if own and own[1].partition(":")[0] not in (*BUILT_IN, *_registered):
        name, colon, rest = own[1], own[2], spec.strip()[own.end() :]
    else:
        name, colon, rest = (text.strip() for text in spec.partition(":"))
    if not colon:
        return name, {}
    written: dict[str, str] = {}
    for part in rest.split(","):
        key, equals, value = (text.strip() for text in part.partition("="))
        if not (key and equals):
            raise PlayerError(f"player {shown(spec)}: an option is written key=value, not {shown(part)}")
        if key in written:
            raise PlayerError(f"player {shown(spec)}: option {key!r} is given twice")
        written[key] = value
    return name, written
