"""One game between two players: a pure function of a work unit.

A unit is a JSON value that says everything a worker needs (players, opening, limits, seed, the text of the tables), and
so is the record that comes back. Played again with the same unit, a game limited by depth or nodes is the same game.

>>> unit = unit_of("random:seed=1", "random:seed=2", Board(5), Terms(), number=0)
>>> record = play_game(unit)
>>> record["result"], record["reason"], record == play_game(unit) | {"seconds": record["seconds"]}
('white', 'five', True)

============ ======================================================================
reason       how a game ended
============ ======================================================================
five         a line of five, as the rule wants it
full         no cell is empty, or none may be played: drawn
length       the agreed number of stones is on the board: drawn
proof        the solver proved a win for the side to move
forbidden    black played a forbidden point
...          what players do wrong: see :mod:`arena.engines`
lost         the worker died every time; the game is not counted
============ ======================================================================
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import re
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from arena.engines import PREFIX, Engine, Forfeit, Terms, split_command
from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.errors import PlayerError
from gomoku_patterns.rules import Rule, is_forbidden, legal_moves, makes_five
from search.players import Player, parse_spec, player, player_info
from search.result import Limit, SearchResult

Json = dict[str, Any]

# A player that only knows the time for the whole game gives a move this share of what is left.
_SHARE_OF_THE_REST = 1 / 20


# ------------------------------------------------------------------ units


def unit_of(
    black: str,
    white: str,
    opening: Board,
    terms: Terms,
    *,
    number: int,
    seed: int = 0,
    max_moves: int | None = None,
    adjudicate: int | None = None,
    files: Mapping[str, str] | None = None,
) -> Json:
    """The work unit of a game. ``adjudicate`` is the solver's node limit before each move, None plays games out."""
    return {
        "unit": number,
        "black": black,
        "white": white,
        "opening": opening_json(opening),
        "terms": asdict(terms),
        "seed": seed,
        "max_moves": max_moves,
        "adjudicate": adjudicate,
        "files": dict(files or {}),
    }


def opening_json(board: Board) -> Json:
    """An opening with its stones in the order they were played, as far back as the colours took turns."""
    moves = _last_in_turn(board)
    moved = {move.cell for move in moves}
    stones = {str(colour): [board.name(c) for c in board.stones(colour) if c not in moved] for colour in Colour}
    return {
        "rows": board.rows,
        "cols": board.cols,
        "rule": board.rule.value,
        **stones,
        "moves": [board.name(move.cell) for move in moves],
        "first": str(moves[0].colour) if moves else str(board.turn),
        "to_move": str(board.turn),
    }


def _last_in_turn(board: Board) -> tuple[Move, ...]:
    """The moves after the last time that a colour moved twice in a row."""
    moves = board.moves
    repeats = (at for at in range(len(moves) - 1, 0, -1) if moves[at].colour is moves[at - 1].colour)
    return moves[next(repeats, 0) :]


def opening_board(opening: Mapping[str, Any]) -> Board:
    """The board of an opening, its moves pushed."""
    board = Board(
        opening["rows"],
        opening["cols"],
        black=opening["black"],
        white=opening["white"],
        turn=opening["first"],
        rule=Rule(opening["rule"]),
    )
    for name in opening["moves"]:
        board.push(name)
    board.turn = opening["to_move"]
    return board


def table_files(specs: Iterable[str]) -> dict[str, str]:
    """The text of every TOML file that the players' options name: tables travel as text."""
    values = (value for spec in specs if not spec.startswith(PREFIX) for value in parse_spec(spec)[1].values())
    return file_texts(values)


def file_texts(values: Iterable[str]) -> dict[str, str]:
    """The text of those values that are TOML files."""
    paths = [value for value in values if value.endswith(".toml") and Path(value).is_file()]
    return {path: Path(path).read_text(encoding="utf-8") for path in paths}


# ------------------------------------------------------------------ players


class Seat(Protocol):
    """A player at the board, whatever it is made of."""

    def begin(self, board: Board) -> None: ...

    def move(self, board: Board, left: float | None) -> Cell: ...

    def close(self) -> None: ...


@contextlib.contextmanager
def _losing_by_crash() -> Iterator[None]:
    """A user's player may do anything; it loses its game and no more."""
    try:
        yield
    except (Exception, SystemExit) as error:
        raise Forfeit("crash", f"{type(error).__name__}: {error}") from error


class PlayerSeat:
    """A player of the registry, policed like any engine."""

    def __init__(self, spec: str, terms: Terms, seed: int, files: Mapping[str, str]) -> None:
        self.terms = terms
        self.last: SearchResult | None = None
        self._player = seated(spec, seed, files)

    def begin(self, board: Board) -> None:
        with _losing_by_crash():
            self._player.new_game()

    def move(self, board: Board, left: float | None) -> Cell:
        limit = self._limit(left)
        began = time.monotonic()
        with _losing_by_crash():
            result = self._player.search(board.copy(), limit)
        self._police(time.monotonic() - began, limit)
        if not isinstance(result, SearchResult) or result.move is None:
            raise Forfeit("illegal", f"no move, but {result!r:.80}")
        self.last = result
        return _on_board(board, result.move)

    def _limit(self, left: float | None) -> Limit | None:
        terms = self.terms
        seconds = terms.seconds
        if left is not None:
            share = max(0.001, left * _SHARE_OF_THE_REST)
            seconds = share if seconds is None else min(seconds, share)
        if terms.depth is None and terms.nodes is None and seconds is None:
            return None
        return Limit(terms.depth, terms.nodes, seconds)

    def _police(self, taken: float, limit: Limit | None) -> None:
        allowed = self.terms.seconds if limit is not None else None
        if allowed is not None and taken > allowed + self.terms.tolerance:
            raise Forfeit("time", f"{taken:.2f} s taken, {allowed:.2f} s allowed")

    def close(self) -> None:
        return


def seated(spec: str, seed: int, files: Mapping[str, str]) -> Player:
    """The player of a spec: tables from the unit's texts, evaluators by import path, the seed where none is given."""
    name, written = parse_spec(spec)
    options: dict[str, Any] = {key: resolved(value, files) for key, value in written.items()}
    if "seed" not in written and any(option.name == "seed" for option in player_info(name).options):
        options["seed"] = seed
    return player(name, **options)


def resolved(value: str, files: Mapping[str, str]) -> Any:
    """What an option's text stands for: the table whose text travels with the unit, an imported object, or itself."""
    if value in files:
        from gomoku_patterns.table import parse_table

        return parse_table(files[value], value)
    return imported(value) if is_import_path(value) else value


def is_import_path(text: str) -> bool:
    """Whether a text looks like ``package.module:Class``."""
    return re.fullmatch(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*", text) is not None


def imported(path: str) -> Any:
    """The object at ``package.module:name``; a class is called without arguments.

    Modules are looked for where the program was started too, as ``python -m`` does.
    """
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    module_name, _, attribute = path.partition(":")
    try:
        value = functools.reduce(getattr, attribute.split("."), importlib.import_module(module_name))
        return value() if isinstance(value, type) else value
    except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is imported
        raise PlayerError(f"expected {path!r} to be an object that can be imported, found {error!r}") from error


def check_player(spec: str, files: Mapping[str, str] | None = None) -> None:
    """An error now, rather than in every game, when a spec makes no player."""
    if spec.startswith(PREFIX):
        split_command(spec)
    else:
        seated(spec, 0, files or {})


def _on_board(board: Board, move: object) -> Cell:
    try:
        cell = board.cell(move)  # type: ignore[arg-type]  # a user's player may return anything; cell() checks it
    except ValueError as error:
        raise Forfeit("illegal", str(error)) from None
    if not board.is_empty(cell):
        raise Forfeit("illegal", f"{board.name(cell)} is taken")
    return cell


def _seat(spec: str, unit: Json, colour: Colour) -> Seat:
    terms = Terms(**unit["terms"])
    if spec.startswith(PREFIX):
        return Engine(spec, terms)
    digest = hashlib.sha256(f"{unit['seed']} {unit['unit']} {colour}".encode()).digest()
    return PlayerSeat(spec, terms, int.from_bytes(digest[:4], "big") >> 1, unit["files"])


# ------------------------------------------------------------------ the game


def play_game(unit: Json) -> Json:
    """Play the game of a unit and record it. Whatever a player does ends at most its game."""
    game = _Game(unit)
    try:
        game.play()
    finally:
        game.close()
    return game.record()


def lost_game(unit: Json) -> Json:
    """The record of a game that killed every worker it was given to: it is not counted."""
    game = _Game(unit)
    game.end(None, "lost", "every worker that played it died")
    return game.record()


class _Game:
    def __init__(self, unit: Json) -> None:
        self.unit = unit
        self.terms = Terms(**unit["terms"])
        self.board = opening_board(unit["opening"])
        self.seats: dict[Colour, Seat] = {}
        self.left = dict.fromkeys(Colour, self.terms.match_seconds)
        self.moves: list[Json] = []
        self.result: str | None = None
        self.reason = self.detail = ""

    def play(self) -> None:
        for colour in Colour:
            try:
                self.seats[colour] = _seat(self.unit[str(colour)], self.unit, colour)
                self.seats[colour].begin(self.board)
            except Forfeit as failure:
                self._forfeit(colour, failure)
                return
            except PlayerError as failure:
                self._forfeit(colour, Forfeit("start", str(failure)))
                return
        while not self.reason and not self._over():
            self._turn()

    def _over(self) -> bool:
        """Draws and proofs, before the side to move is asked."""
        board, most = self.board, self.unit["max_moves"]
        if winner := board.winner() if not self.moves else None:
            self.end(str(winner), "five")
        elif board.is_full() or (board.rule is Rule.RENJU and not legal_moves(board)):
            self.end("draw", "full")
        elif most is not None and len(board) >= most:
            self.end("draw", "length", f"{most} stones")
        elif self.unit["adjudicate"] and (length := _proven(board, self.unit["adjudicate"])) is not None:
            self.end(str(board.turn), "proof", f"in {length} plies")
        return bool(self.reason)

    def _turn(self) -> None:
        board, colour = self.board, self.board.turn
        try:
            cell = self._ask(colour)
            if is_forbidden(board, cell) and colour is BLACK:
                raise Forfeit("forbidden", f"{board.name(cell)} is forbidden to black")
        except Forfeit as failure:
            self._forfeit(colour, failure)
            return
        won = makes_five(board, cell, colour)
        board.push(cell)
        if won:
            self.end(str(colour), "five")

    def _ask(self, colour: Colour) -> Cell:
        seat, left = self.seats[colour], self.left[colour]
        began = time.monotonic()
        cell = seat.move(self.board, left)
        taken = time.monotonic() - began
        if left is not None:
            self.left[colour] = left - taken
            if left - taken < -self.terms.tolerance:
                raise Forfeit("time", f"{taken - left:.2f} s beyond the time for the game")
        found = getattr(seat, "last", None)
        self.moves.append(
            {
                "name": self.board.name(cell),
                "seconds": round(taken, 4),
                "nodes": found.nodes if found else None,
                "score": found.score if found else None,
            }
        )
        return cell

    def _forfeit(self, colour: Colour, failure: Forfeit) -> None:
        self.end(str(colour.opponent), failure.reason, f"{colour}: {failure.detail}")

    def end(self, result: str | None, reason: str, detail: str = "") -> None:
        self.result, self.reason, self.detail = result, reason, detail

    def close(self) -> None:
        for seat in self.seats.values():
            seat.close()

    def record(self) -> Json:
        played = self.board.moves[len(self.unit["opening"]["moves"]) :]
        kept = self.moves[: len(played)]
        return {
            **{key: self.unit[key] for key in ("unit", "black", "white", "opening", "seed")},
            "moves": [self.board.name(move.cell) for move in played],
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            "nodes": [move["nodes"] for move in kept],
            "scores": [move["score"] for move in kept],
            "seconds": [move["seconds"] for move in kept],
        }


def _proven(board: Board, nodes: int) -> int | None:
    """The plies of a proven win for the side to move, or None; under caro there are no proofs."""
    from search import solve
    from search.proof import RULES

    if board.rule not in RULES:
        return None
    solution = solve(board, Limit(nodes=nodes))
    return solution.length if solution.status.name == "PROVEN" else None


def record_board(record: Json) -> Board:
    """The final position of a recorded game, its moves pushed."""
    board = opening_board(record["opening"])
    for name in record["moves"]:
        board.push(name)
    return board


def points(record: Json, colour: Colour) -> float | None:
    """What a colour got from a game: 1, 1/2, 0, or None for a game that is not counted."""
    result = record["result"]
    if result is None:
        return None
    return 0.5 if result == "draw" else float(result == str(colour))
