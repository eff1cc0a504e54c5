"""Games that were played, as data: the logs of matches and ladders, and files of any notation.

>>> import tempfile, pathlib
>>> from arena import MatchPlan, play_match, workers
>>> from arena.log import Log
>>> from gomoku_patterns import Board
>>> path = pathlib.Path(tempfile.mkdtemp()) / "games.jsonl"
>>> plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(5),))
>>> with Log(path, plan.header()) as log, workers() as pool:
...     standings = play_match(plan, pool, log=log)
>>> game = next(read_games(path))
>>> game.black, game.winner, len(game.moves)
('random:seed=1', WHITE, 16)
>>> first = next(game.positions())
>>> first.board == Board(5), first.move == game.moves[0].cell, first.points
(True, True, 0.0)
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import NoneType
from typing import Any

from arena.entrants import Entrant
from arena.log import LogLine, holds_log, read_entries
from arena.records import game_tree
from arena.units import opening_board, opening_json, points, record_board
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import ArenaError, GomokuError
from gomoku_patterns.notation import Entry, GameNode, GameTree, read_positions

Json = dict[str, Any]

RESULTS: Mapping[str | None, Colour | None] = {"black": BLACK, "white": WHITE, "draw": None, None: None}


@dataclass(frozen=True)
class PlayedMove:
    """A move and what its player said of it: the score is black minus white, ``win`` a decided score in words."""

    cell: Cell
    colour: Colour
    score: int | None = None
    win: str | None = None
    nodes: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class PlayedPosition:
    """A position of a game: what was played there, and what the side to move got in the end.

    ``played`` is None in the last position; ``points`` is 1, 0.5 or 0, and None for a game without a result.
    """

    board: Board
    played: PlayedMove | None
    points: float | None

    @property
    def move(self) -> Cell | None:
        """The cell that was played."""
        return self.played.cell if self.played else None

    @property
    def score(self) -> int | None:
        """What the side to move thought the position worth, black minus white; None if it did not say."""
        return self.played.score if self.played else None


@dataclass(frozen=True)
class PlayedGame:
    """A game: who played, from which opening, every move, how it ended and why.

    ``result`` is "black", "white", "draw", or None for a game that is not counted; ``place`` says where it was read,
    and ``match`` which round robin of a ladder's log it belongs to: "nodes" or "seconds". No two games of one reading
    have the same ``number``.
    """

    number: int
    black: str
    white: str
    opening: Board
    moves: tuple[PlayedMove, ...]
    result: str | None
    reason: str
    detail: str
    place: str
    match: str = ""

    @property
    def winner(self) -> Colour | None:
        """Who won; None for a draw and for a game without a result."""
        return RESULTS[self.result]

    @property
    def board(self) -> Board:
        """The last position, its moves pushed."""
        return record_board({"opening": opening_json(self.opening), "moves": [move.cell for move in self.moves]})

    def points(self, colour: Colour) -> float | None:
        """What a colour got: 1, 0.5 or 0; None for a game without a result."""
        return points({"result": self.result}, colour)

    def positions(self) -> Iterator[PlayedPosition]:
        """The positions from the opening to the last, each a board of its own."""
        board = self.opening.copy(moves=False)
        for move in self.moves:
            board.turn = move.colour
            yield PlayedPosition(board.copy(), move, self.points(board.turn))
            board.push(move.cell)
        yield PlayedPosition(board, None, self.points(board.turn))

    def tree(self) -> GameTree:
        """The game as a tree, with the scores and times in its comments; ready to be written as SGF."""
        return game_tree(self.record())

    def record(self) -> Json:
        """The game as a log keeps it."""
        name = self.opening.name
        return {
            "unit": self.number - 1,
            "black": self.black,
            "white": self.white,
            "opening": opening_json(self.opening),
            "moves": [name(move.cell) for move in self.moves],
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            **{key: [getattr(move, one) for move in self.moves] for key, one in _LISTS.items()},
        }

    def row(self) -> Json:
        """The game as one row of a table."""
        return {
            "game": self.number,
            "black": self.black,
            "white": self.white,
            "rows": self.opening.rows,
            "cols": self.opening.cols,
            "rule": self.opening.rule.value,
            "opening": " ".join(self.opening.name(move.cell) for move in self.opening.moves),
            "moves": " ".join(self.opening.name(move.cell) for move in self.moves),
            "plies": len(self.moves),
            "result": self.result,
            "reason": self.reason,
            "detail": self.detail,
            "match": self.match,
            "file": self.file,
        }

    @property
    def file(self) -> str:
        """The file it was read from."""
        return re.sub(r":( game)? ?[0-9]+\Z", "", self.place)

    def position_rows(self) -> Iterator[Json]:
        """Each position in which a move was played, as a row of a table: a drawing in ``cells``, row by row."""
        for ply, position in enumerate(self.positions(), 1):
            board, move = position.board, position.played
            if move is None:
                return
            yield {
                "game": self.number,
                "ply": ply,
                "stones": len(board),
                "player": self.black if move.colour is BLACK else self.white,
                "to_move": str(move.colour),
                "cells": cells_text(board),
                "move": board.name(move.cell),
                "score": move.score,
                "win": move.win,
                "nodes": move.nodes,
                "seconds": move.seconds,
                "points": position.points,
                "result": self.result,
                "reason": self.reason,
                "match": self.match,
            }


_LISTS = {"nodes": "nodes", "scores": "score", "wins": "win", "seconds": "seconds"}
"""The lists of a record with a value for each move, and what a move calls it."""


MOVE_COLUMNS = ("game", "ply", "stones", "player", "to_move", "cells", "move", "score", "win", "nodes", "seconds",
                "points", "result", "reason", "match")  # fmt: skip
"""What a row of :meth:`PlayedGame.position_rows` says."""


def cells_text(board: Board) -> str:
    """The stones as text, row by row from the top: ``.`` empty, ``x`` black, ``o`` white; rows parted by ``/``."""
    symbols = [".xo"[value] for value in board.to_array().ravel().tolist()]
    rows = (symbols[start : start + board.cols] for start in range(0, len(symbols), board.cols))
    return "/".join(map("".join, rows))


# ---------------------------------------------------------------------- reading


def read_games(*files: str | Path, max_bytes: int = 2**28) -> Iterator[PlayedGame]:
    """The games in some files, one after the other: logs of matches and ladders, and files of any notation.

    Logs are read line by line. Stones that were set up before a game of another notation are its opening. The numbers
    of a file's games follow those of the file before.
    """
    before = 0
    for file in files:
        last = before
        for game in _games_of(file, max_bytes):
            found = replace(game, number=game.number + before)
            last = max(last, found.number)
            yield found
        before = last


def _games_of(file: str | Path, max_bytes: int) -> Iterator[PlayedGame]:
    if holds_log(file):
        yield from games_in(read_entries(file))
    else:
        entries = read_positions(Path(file), name=str(file), max_bytes=max_bytes)
        for number, entry in enumerate(entries, 1):
            yield entry_game(entry, number, f"{file}: game {number}")


def games_in(lines: Iterable[LogLine]) -> Iterator[PlayedGame]:
    """The games in the lines of a log."""
    return (game_of(line.entry, line.place) for line in game_lines(lines))


def game_lines(lines: Iterable[LogLine]) -> Iterator[LogLine]:
    """The lines of a log that hold the record of a game; other results are passed over.

    A ladder keeps the record of a game under its key, beside results of other kinds. Its two round robins count their
    games from 0 each: here those of the second follow those of the first.
    """
    before: dict[str, int] = {}
    for line in lines:
        if isinstance(line.entry.get("header"), dict):
            before = _games_before(line.entry["header"])
        inside = isinstance(line.entry.get("result"), dict)
        record = line.entry["result"] if inside else line.entry
        if "moves" in record and "opening" in record:
            by = str(line.entry.get("key", "")).split(" ")[1:2] if inside else []
            yield line._replace(entry=_numbered(record, by[0], before.get(by[0], 0)) if by else record)


def _games_before(header: Mapping[str, Any]) -> dict[str, int]:
    """For each round robin of a ladder, how many games those before it have."""
    found, total = {}, 0
    matches = header.get("games")
    for by, match in matches.items() if isinstance(matches, dict) else ():
        found[by] = total
        with contextlib.suppress(KeyError, TypeError):
            count = len(match["players"])
            total += count * (count - 1) * int(match["pairs"])
    return found


def _numbered(record: Json, by: str, before: int) -> Json:
    unit = record.get("unit")
    return {**record, "match": by, "unit": unit + before if type(unit) is int else unit}


def game_of(record: Mapping[str, Any], place: str) -> PlayedGame:
    """The game of a log's record."""
    try:
        if record["result"] not in RESULTS:
            raise ArenaError(f"the result is {record['result']!r:.60}, not 'black', 'white', 'draw' or null")
        opening = opening_board(record["opening"])
        _check_kinds(record)
        game = PlayedGame(
            int(record["unit"]) + 1,
            Entrant.parse(str(record["black"])).name,
            Entrant.parse(str(record["white"])).name,
            opening,
            tuple(_moves(record, opening)),
            record["result"],
            str(record["reason"]),
            str(record.get("detail") or ""),
            place,
            str(record.get("match") or ""),
        )
        _ = game.board  # an edited log may play a cell twice
    except (GomokuError, ValueError, KeyError, TypeError, AttributeError) as error:
        fault = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise ArenaError(f"{place}: not a game of a match: {fault:.200}") from None
    return game


_NUMBER, _WORDS = (int, NoneType), (str, NoneType)
_KINDS: Mapping[str, tuple[type, ...]] = {
    "nodes": _NUMBER, "scores": _NUMBER, "depths": _NUMBER, "wins": _WORDS, "lines": _WORDS,
    "seconds": (int, float, NoneType),
}  # fmt: skip
"""The lists of a record with a value for each move, and what the values are; a truth value is no number."""


def _is_usual(value: float | str | None) -> bool:
    """Whether a value is no number, or one that a move may have: finite, and of 64 bits at most."""
    return isinstance(value, str | NoneType) or abs(value) < 2**63


def _check_kinds(record: Mapping[str, Any]) -> None:
    for name, kinds in _KINDS.items():
        values = record.get(name)
        if not isinstance(values, list | NoneType) or not all(
            type(value) in kinds and _is_usual(value) for value in values or ()
        ):
            raise ArenaError(f"{name!r} is {values!r:.60}, not a list with a value for each move")
    for name in ("black", "white", "reason"):
        if not isinstance(record[name], str):
            raise ArenaError(f"{name!r} is {record[name]!r:.60}, not a text")
    if not isinstance(record.get("detail"), str | NoneType):
        raise ArenaError(f"'detail' is {record['detail']!r:.60}, not a text")
    if not all(isinstance(cell, str) for cell in record["opening"]["moves"]):
        raise ArenaError(f"the opening's moves are {record['opening']['moves']!r:.60}")


def _moves(record: Mapping[str, Any], opening: Board) -> Iterator[PlayedMove]:
    names = record["moves"]
    if not isinstance(names, list):
        raise ArenaError(f"the moves are {names!r:.60}")
    said = {one: _padded(record.get(key), len(names)) for key, one in _LISTS.items()}
    colour = opening.turn
    for number, name in enumerate(names):
        yield PlayedMove(opening.cell(name), colour, **{one: values[number] for one, values in said.items()})
        colour = colour.opponent


def _padded(values: Any, count: int) -> list[Any]:
    """A value for each move; players that give up or crash leave the last ones out."""
    found = list(values or [])[:count]
    return found + [None] * (count - len(found))


def entry_game(entry: Entry, number: int, place: str) -> PlayedGame:
    """The main line of a game in any notation."""
    tree = entry.game()
    nodes = [node for node in tree.main_line() if node.move]
    final = tree.board(nodes[-1]) if nodes else tree.start()
    if len(final.moves) != len(nodes) or any(a.colour is b.colour for a, b in pairwise(nodes)):
        # Stones were taken off or a side passed on the way: what it came to is all there is.
        opening, nodes = final.copy(moves=False), []
    else:
        opening = _before(final, nodes) or tree.start()
    moves = (PlayedMove(node.move.cell, node.move.colour, seconds=node.elapsed) for node in nodes if node.move)
    told = result_of(tree.info.get("RE"), final)
    names = (tree.info.get("PB", "black"), tree.info.get("PW", "white"))
    return PlayedGame(number, *names, opening, tuple(moves), told, tree.info.get("TE", ""), "", place)


def _before(final: Board, nodes: list[GameNode]) -> Board | None:
    """The position before the moves of a game, one of which the root itself may make; None without moves."""
    if not nodes:
        return None
    board = final.copy()
    for _ in nodes:
        board.pop()
    if nodes[0].colour is not None:
        board.turn = nodes[0].colour
    return board


def result_of(told: str | None, final: Board) -> str | None:
    """Who won, by SGF's words or by the five on the board."""
    text = (told or "").strip().upper()
    if text[:2] in ("B+", "W+"):
        return "black" if text[0] == "B" else "white"
    if text in ("0", "DRAW"):
        return "draw"
    winner = final.winner()
    return None if winner is None else str(winner)


def entry_of(game: PlayedGame) -> Entry:
    """The game as the entry of a collection; its ``notes`` hold the game itself."""
    tree = game.tree()
    return Entry(tree.board(), id=game.number, tree=tree, notes={"game": game})
