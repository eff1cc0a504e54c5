"""Positions with labels: from games that the engine's search plays against itself, from games of others, and from where
the lines end that searches expect.

A game of self-play begins with a random opening that the search finds even. Every position is searched for the same
number of nodes; now and then not the best move is played but one drawn by how good the others are, so that games differ
and positions after slips are seen. It ends when the search sees who wins.

>>> plan = SelfPlay(nodes=100, seed=1)
>>> rows = play(plan, 0)
>>> len(rows) > 5, set(rows["turn"].tolist()) == {1, 2}
(True, True)
"""

from __future__ import annotations

import hashlib
import math
import random
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from arena.data import (
    DECIDED,
    LARGEST,
    UNKNOWN_MOVE,
    UNKNOWN_RESULT,
    UNKNOWN_SCORE,
    DataSet,
    Source,
    opening_id,
    packed,
    rows_of,
    unpacked,
)
from arena.games import read_games, result_of
from arena.log import holds_log
from arena.openings import first_plies, random_opening
from arena.units import opening_board, opening_json
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.notation import read_positions
from gomoku_patterns.rules import Rule, makes_five
from gomoku_patterns.table import Table, load_table
from search.labels import Label, Labeller

if TYPE_CHECKING:
    import numpy.typing as npt

    from gomoku_patterns.notation import Entry

Json = dict[str, Any]

CANDIDATES = 20
"""So many random openings are looked at for an even one before the last is taken as it is."""
CHOICES = 6
"""The moves among which a slip is drawn."""
GLANCE = 20
"""Nodes that show whether a position is quiet, where nothing else is asked of the search."""


@dataclass(frozen=True)
class Labelling:
    """How positions are searched: by which table, for how many nodes each, and which are kept."""

    rows: int = 15
    cols: int = 15
    rule: Rule = Rule.FREESTYLE
    table: Table | str = "engine"
    nodes: int = 2000
    quiet: bool = True
    """Whether only quiet positions are kept."""

    def json(self) -> Json:
        """What ``meta.json`` says of it."""
        table = load_table(self.table)
        return {"table": table.name, "table_digest": table.digest, "nodes": self.nodes, "quiet": self.quiet}


@dataclass(frozen=True)
class SelfPlay(Labelling):
    """How games are played. Scores are in the table's unit."""

    seed: int = 0
    fewest: int = 2
    most: int = 8
    """An opening has as many stones as are drawn between these."""
    even: int = 150
    """An opening is even if the search gives neither side more than this."""
    variety: float = 0.1
    """How often a move is drawn."""
    temperature: float = 40.0
    """A move worse by this is drawn e times less often; a move worse by more makes the results before it unknown."""
    max_moves: int = 180

    def json(self) -> Json:
        names = ("seed", "fewest", "most", "even", "variety", "temperature", "max_moves")
        return {"by": "self-play", **super().json(), **{name: getattr(self, name) for name in names}}


_mine = threading.local()


def _labeller(plan: Labelling) -> Labeller:
    """This thread's search for a plan, its memory empty."""
    known: dict[Labelling, Labeller] = _mine.__dict__.setdefault("labellers", {})
    if plan not in known:
        known.clear()
        board = Board(plan.rows, plan.cols, rule=plan.rule)
        known[plan] = Labeller(board, nodes=plan.nodes or GLANCE, table=plan.table)
    known[plan].new_game()
    return known[plan]


def _position(board: Board, label: Label) -> Json:
    """A position with its labels; the result is added when it is known."""
    score = label.decided * DECIDED or max(-LARGEST, min(LARGEST, label.score))
    return {
        "board": board.to_array(),
        "turn": int(board.turn),
        "result": UNKNOWN_RESULT,
        "score": score,
        "best": board.index(label.move),
        "ply": len(board),
    }


# ---------------------------------------------------------------------- self-play


def play(plan: SelfPlay, number: int) -> npt.NDArray[Any]:
    """The positions of one game; the plan and the number decide everything about it."""
    return _Game(plan, number).rows()


class _Game:
    def __init__(self, plan: SelfPlay, number: int) -> None:
        self.plan, self.number = plan, number
        self.rng = random.Random(f"self-play {plan.seed} {number}")
        self.labeller = _labeller(plan)
        self.board = self._opening()
        self.opening = opening_id(self.board)
        self.positions: list[Json] = []
        self.slip = 0

    def _opening(self) -> Board:
        plan = self.plan
        start = board = Board(plan.rows, plan.cols, rule=plan.rule)
        for _ in range(CANDIDATES):
            board = random_opening(self.rng, start, self.rng.randint(plan.fewest, plan.most))
            if not board.is_over():
                label = self.labeller.label(board)
                if label and not label.decided and abs(label.score) <= plan.even:
                    break
        return board

    def rows(self) -> npt.NDArray[Any]:
        winner = self._played()
        for number, position in enumerate(self.positions):
            if number >= self.slip:
                position["result"] = 0 if winner is None else 1 if winner == position["turn"] else -1
        plan = self.plan
        return rows_of(self.positions, plan.rows, plan.cols, game=self.number, opening=self.opening)

    def _played(self) -> Colour | None:
        """Play until the game is decided; who wins it."""
        board, most = self.board, min(self.plan.max_moves, self.plan.rows * self.plan.cols)
        while len(board) < most:
            label = self.labeller.label(board)
            if label is None:
                return None
            if label.quiet or not self.plan.quiet:
                self.positions.append(_position(board, label))
            if label.decided:
                return board.turn if label.decided > 0 else board.turn.opponent
            cell, mover = self._move(label), board.turn
            won = makes_five(board, cell, mover)
            board.push(cell)
            if won:  # seen too late, which takes a search of very few nodes
                return mover
        return None

    def _move(self, label: Label) -> Cell:
        """The best move, or one that is drawn among the best."""
        if not label.quiet or self.rng.random() >= self.plan.variety:
            return label.move
        choices = self.labeller.choices(self.board, CHOICES)
        if not choices:
            return label.move
        best = max(score for _, score in choices)
        weights = [math.exp(max(-50.0, (score - best) / self.plan.temperature)) for _, score in choices]
        cell, score = self.rng.choices(choices, weights)[0]
        if best - score > self.plan.temperature:
            self.slip = len(self.positions)
        return cell


def self_play(plan: SelfPlay, games: int) -> Source:
    """So many games of the engine's search against itself."""
    return Source(
        plan.rows,
        plan.cols,
        plan.rule.value,
        plan.json(),
        partial(play, plan),
        lambda first: range(first, games),
    )


# ---------------------------------------------------------------------- games of others


def label_game(plan: Labelling, unit: Json) -> npt.NDArray[Any]:
    """The positions of a game that was played elsewhere: from its opening to its last move."""
    board = opening_board(unit["opening"])
    if (board.rows, board.cols, board.rule) != (plan.rows, plan.cols, plan.rule):
        found = f"{board.rows}x{board.cols} {board.rule.value}"
        raise ArenaError(f"{unit['place']}: a game on {found}, not {plan.rows}x{plan.cols} {plan.rule.value}")
    opening, labeller = opening_id(board), _labeller(plan)
    positions: list[Json] = []
    for ply in range(len(unit["moves"]) + 1):
        label = None if board.is_over() else labeller.label(board)
        if label is None:
            break
        if label.quiet or not plan.quiet:
            positions.append(_position(board, label) | _told(unit, board, ply, plan.nodes))
        if ply < len(unit["moves"]):
            colour, name = unit["moves"][ply]
            board.push(name, colour)
    for position in positions:
        position["result"] = _result_for(unit["result"], Colour(position["turn"]))
    return rows_of(positions, plan.rows, plan.cols, game=unit["game"], opening=opening)


def _told(unit: Json, board: Board, ply: int, nodes: int) -> Json:
    """Without a search, what the game itself says: the move that was played, and what its player thought of it."""
    if nodes:
        return {}
    if ply >= len(unit["moves"]):
        return {"best": UNKNOWN_MOVE, "score": UNKNOWN_SCORE}
    score, win = unit["scores"][ply], unit["wins"][ply]
    if win is not None:
        told = DECIDED if win.startswith(str(board.turn)) else -DECIDED
    else:
        told = UNKNOWN_SCORE if score is None else max(-LARGEST, min(LARGEST, board.turn.sign * score))
    return {"best": board.index(unit["moves"][ply][1]), "score": told}


def _result_for(result: str | None, colour: Colour) -> int:
    if result is None:
        return UNKNOWN_RESULT
    return 0 if result == "draw" else 1 if result == str(colour) else -1


def games_of(files: Iterable[str | Path], *, plies: int = 5, max_bytes: int = 2**28) -> Iterator[Json]:
    """The games in match logs, suites and files of any notation, as units of work.

    The first ``plies`` moves are the opening, except in logs, which say themselves what it was.
    """
    number = 0
    for file in files:
        for unit in _games_in(file, plies, max_bytes):
            yield {"game": number, **unit}
            number += 1


def _games_in(file: str | Path, plies: int, max_bytes: int) -> Iterator[Json]:
    from puzzles.suite import load, suite_names

    path = Path(file)
    if str(file) in suite_names() or path.suffix.lower() == ".toml":
        for level in load(str(file)):
            yield _unit(level.board, [], None, f"{file}: level {level.number}")
    elif holds_log(path):
        yield from _logged(path)
    else:
        for at, entry in enumerate(read_positions(path, name=str(file), max_bytes=max_bytes), 1):
            yield _entry_unit(entry, plies, f"{file}: game {at}")


def _unit(opening: Board, moves: list[tuple[Colour, str]], result: str | None, place: str) -> Json:
    return {
        "opening": opening_json(opening),
        "moves": [(str(colour), name) for colour, name in moves],
        "result": result,
        "scores": [None] * len(moves),
        "wins": [None] * len(moves),
        "place": place,
    }


def _logged(path: Path) -> Iterator[Json]:
    for game in read_games(path):
        if game.result is not None:
            unit = _unit(game.opening, [(move.colour, game.opening.name(move.cell)) for move in game.moves],
                         game.result, game.place)  # fmt: skip
            yield unit | {"scores": [move.score for move in game.moves], "wins": [move.win for move in game.moves]}


def _entry_unit(entry: Entry, plies: int, place: str) -> Json:
    """A game of a collection: its main line; stones that were set up are part of the opening."""
    tree = entry.game()
    nodes = [node for node in tree.main_line() if node.cell is not None and node.colour is not None]
    final = tree.board(nodes[-1]) if nodes else tree.start()
    if not nodes or len(final.moves) != len(nodes):
        # A position, or a game in which stones were taken off: what it came to is all there is.
        return _unit(final.copy(moves=False), [], None, place)
    opening = first_plies(final, min(plies, len(nodes)))
    moves = [(move.colour, final.name(move.cell)) for move in final.moves[len(opening.moves) :]]
    return _unit(opening, moves, result_of(tree.info.get("RE"), final), place)


def games_source(files: Iterable[str | Path], plan: Labelling, *, plies: int = 5) -> Source:
    """The games of some files; edited files are another source."""
    names = [str(file) for file in files]
    digests = {name: file_digest(name) for name in names}
    made = {"by": "games", **plan.json(), "plies": plies, "files": digests}

    def units(first: int) -> Iterator[Json]:
        return islice(games_of(names, plies=plies), first, None)

    return Source(plan.rows, plan.cols, plan.rule.value, made, partial(label_game, plan), units)


def file_digest(name: str) -> str:
    path = Path(name)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.is_file() else "built in"


# ---------------------------------------------------------------------- ends of lines


def ends_of_game(plan: Labelling, game: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Where the lines end that the search expects from the positions of a game.

    A position's score is what a table says of the end of its line. So the ends are what a table for searches has to
    judge well, and a game has few positions like them, with the threats played out. An end has the score and the
    result of the position it comes from, and its place in the game; its best move is not known.
    """
    labeller, ends = _labeller(plan), []
    for row, stones in zip(game, unpacked(game["cells"], plan.rows, plan.cols), strict=True):
        board = Board.from_array(stones, turn=Colour(int(row["turn"])), rule=plan.rule)
        end = None if abs(int(row["score"])) == DECIDED else labeller.end(board)
        if end is not None:
            ends.append(_as_end(row, end))
    return np.array(ends, dtype=game.dtype)


def _as_end(row: npt.NDArray[Any], end: Board) -> npt.NDArray[Any]:
    """The row of a position with the end of its line in its place."""
    found = row.copy()
    found["cells"], found["turn"], found["best"] = packed(end.to_array()[None])[0], int(end.turn), UNKNOWN_MOVE
    if found["turn"] != row["turn"]:
        for field, unknown in (("score", UNKNOWN_SCORE), ("result", UNKNOWN_RESULT)):
            found[field] = row[field] if row[field] == unknown else -row[field]
    return found


def ends_source(folder: str | Path, *, nodes: int, table: Table | str) -> Source:
    """The ends of the lines that a search of so many nodes expects from the positions of a data set."""
    data = DataSet(folder)
    plan = Labelling(data.rows, data.cols, Rule.parse(data.meta["rule"]), table, nodes)

    def units(first: int) -> Iterator[npt.NDArray[Any]]:
        return islice(data.games(), first, None)

    made = {"by": "ends of lines", **plan.json(), "of": data.meta["made"]}
    return Source(plan.rows, plan.cols, plan.rule.value, made, partial(ends_of_game, plan), units)
