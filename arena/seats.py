"""Who sits at the board: players of the registry and external engines, both policed as a referee does.

Whatever a player does wrong ends its game with a reason (:class:`Forfeit`), and never more than its game.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
import time
from collections.abc import Iterator, Mapping
from multiprocessing.util import Finalize
from typing import Any, Protocol

from arena.engines import GomocupEngine
from arena.entrants import Entrant
from arena.process import split_command
from arena.sources import resolved
from arena.time_control import TimeControl
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import ArenaError, EngineError, GomokuError, PlayerError
from search.door import tightened
from search.player_base import Player
from search.players import import_player, parse_spec, player, player_info
from search.result import Limit, SearchResult

Json = dict[str, Any]

# A player that only knows the time for the whole game gives a move this share of what is left.
_SHARE_OF_THE_REST = 1 / 20


class Forfeit(Exception):  # noqa: N818  (an outcome of a game, not an error of the program)
    """A player has lost the game by what it did; ``reason`` is one word, ``detail`` a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Seat(Protocol):
    """A player at the board, whatever it is made of; ``last`` is what it found, as far as it says so."""

    last: SearchResult | None

    def begin(self, board: Board) -> None: ...

    def move(self, board: Board, left: float | None) -> Cell: ...

    def close(self) -> None: ...


@contextlib.contextmanager
def _losing_by_error() -> Iterator[None]:
    try:
        yield
    except EngineError as error:
        raise Forfeit(error.reason, error.detail) from None


MOST_KEPT = 8
"""Engines that a worker keeps between games; of more, the one that waited longest is closed."""

_kept: dict[tuple[str, TimeControl], list[GomocupEngine]] = {}
"""Engines between two games of this worker, by their text and what is granted to them, the latest last."""


def close_kept() -> None:
    """Close the engines that wait for a game."""
    while _kept:
        for engine in _kept.popitem()[1]:
            engine.close()


def not_made(why: str) -> ArenaError:
    """Return the error for a player that this machine cannot make: no fault in play, so it costs no game."""
    return ArenaError(f"on {platform.node() or 'this machine'}: {why}; repair that, then go on with the same --log")


class EngineSeat:
    """An external engine, started for the game; where it cannot be started, the run ends and no game is lost."""

    def __init__(self, entrant: Entrant, time_control: TimeControl, transcript: str | None) -> None:
        self.last: SearchResult | None = None
        self._key = (entrant.text, time_control) if time_control.keep and transcript is None else None
        waiting = _kept.get(self._key) if self._key else None
        self._engine = waiting.pop() if waiting else self._started(entrant, time_control, transcript)

    @staticmethod
    def _started(entrant: Entrant, time_control: TimeControl, transcript: str | None) -> GomocupEngine:
        try:
            command = split_command(entrant.spec)
            return GomocupEngine(command, time_control, info=entrant.info, transcript=transcript)
        except ArenaError as error:
            raise not_made(str(error)) from None

    def begin(self, board: Board) -> None:
        with _losing_by_error():
            self._engine.start(board)

    def move(self, board: Board, left: float | None) -> Cell:
        with _losing_by_error():
            result = self._engine.play(board, left=left)
        self.last = result if result.stats["told"] else None
        assert result.move is not None
        return result.move

    def close(self) -> None:
        if self._key is None or not self._engine.is_open:
            self._engine.close()
            return
        if not _kept:
            Finalize(None, close_kept, exitpriority=10)
        _kept[self._key] = [*_kept.pop(self._key, []), self._engine]
        while sum(map(len, _kept.values())) > MOST_KEPT:
            _close_oldest()


def _close_oldest() -> None:
    key = next(key for key, engines in _kept.items() if engines)
    _kept[key].pop(0).close()
    if not _kept[key]:
        del _kept[key]


@contextlib.contextmanager
def _losing_by_crash() -> Iterator[None]:
    """A user's player may do anything; it loses its game and no more."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise Forfeit("crash", f"{type(error).__name__}: {error}") from error


class PlayerSeat:
    """A player of the registry, policed like any engine."""

    def __init__(self, spec: str, time_control: TimeControl, seed: int, files: Mapping[str, str]) -> None:
        self.time_control = time_control
        self.last: SearchResult | None = None
        self._player = seated(spec, seed, files, time_control.threads)

    def begin(self, board: Board) -> None:
        with _losing_by_crash():
            self._player.new_game()

    def move(self, board: Board, left: float | None) -> Cell:
        limit = self._limit(left)
        began = time.monotonic()
        with _losing_by_crash():
            result = self._player.search(board.copy(), limit)
        self._police(time.monotonic() - began)
        if not isinstance(result, SearchResult) or result.move is None:
            raise Forfeit("illegal", f"no move, but {result!r:.80}")
        self.last = result
        return _on_board(board, result.move)

    def _limit(self, left: float | None) -> Limit | None:
        limit = self.time_control.limit
        if left is None:
            return limit
        share = min(left, left * _SHARE_OF_THE_REST + self.time_control.increment)
        return tightened(limit, seconds=max(0.001, share))

    def _police(self, taken: float) -> None:
        allowed = self.time_control.seconds
        if allowed is not None and taken > allowed + self.time_control.tolerance:
            raise Forfeit("time", f"{taken:.2f} s taken, {allowed:.2f} s allowed")

    def close(self) -> None:
        return


def seated(spec: str, seed: int, files: Mapping[str, str], threads: int | None = None) -> Player:
    """The player of a spec: tables from the unit's texts, import paths followed, the seed where none is given.

    A class of the user's whose constructor raises is a :class:`PlayerError`.
    """
    try:
        return _made(spec, seed, files, threads)
    except GomokuError:
        raise
    except (Exception, SystemExit) as error:
        raise PlayerError(f"{spec!r} cannot be made: {type(error).__name__}: {error}") from error


def _made(spec: str, seed: int, files: Mapping[str, str], threads: int | None) -> Player:
    import_player(spec)
    name, written = parse_spec(spec)
    options: dict[str, Any] = {key: resolved(value, files) for key, value in written.items()}
    known = {option.name for option in player_info(name).options}
    if "seed" not in written and "seed" in known:
        options["seed"] = seed
    if threads is not None and "threads" in known:
        options["threads"] = threads
    return player(name, **options)


def check_player(text: str, files: Mapping[str, str] | None = None) -> None:
    """An error now, rather than in every game, when a spec and its settings make no player."""
    entrant = Entrant.parse(text)
    if entrant.is_engine:
        split_command(entrant.spec)
        return
    seated(entrant.spec, 0, files or {})
    name, _ = parse_spec(entrant.spec)
    if "threads" in entrant.settings and all(option.name != "threads" for option in player_info(name).options):
        raise ArenaError(f"{text!r}: the player {name!r} has no option 'threads'")


def _on_board(board: Board, move: object) -> Cell:
    try:
        cell = board.cell(move)  # type: ignore[arg-type]  # a user's player may return anything; cell() checks it
    except ValueError as error:
        raise Forfeit("illegal", str(error)) from None
    if not board.is_empty(cell):
        raise Forfeit("illegal", f"{board.name(cell)} is taken")
    return cell


def seat_of(entrant: Entrant, time_control: TimeControl, unit: Json, colour: Colour) -> Seat:
    """The seat of one side of a unit's game."""
    if entrant.is_engine:
        folder = unit.get("transcripts")
        transcript = f"{folder}/game-{unit['unit'] + 1:06}-{colour}.txt" if folder else None
        return EngineSeat(entrant, time_control, transcript)
    digest = hashlib.sha256(f"{unit['seed']} {unit['unit']} {colour}".encode()).digest()
    try:
        return PlayerSeat(entrant.spec, time_control, int.from_bytes(digest[:4], "big") >> 1, unit["files"])
    except PlayerError as error:
        raise not_made(str(error)) from None
