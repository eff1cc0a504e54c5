"""Games as data: the work unit of a game, and what its record says.

A unit is a JSON value that says everything a worker needs (players, opening, time control, seed, the text of the
tables), and so is the record that comes back.

>>> unit = unit_of("random:seed=1", "random:seed=2", Board(5), TimeControl(), number=0)
>>> opening_board(unit["opening"]) == Board(5), unit["black"]
(True, 'random:seed=1')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from arena.agreements import DrawAgreement, Resignation
from arena.time_control import TimeControl
from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import Colour
from gomoku_patterns.rules import Rule

Json = dict[str, Any]


def unit_of(
    black: str,
    white: str,
    opening: Board,
    time_control: TimeControl,
    *,
    number: int,
    seed: int = 0,
    max_moves: int | None = None,
    adjudicate: int | None = None,
    resign: Resignation | None = None,
    draw: DrawAgreement | None = None,
    files: Mapping[str, str] | None = None,
    transcripts: str | None = None,
) -> Json:
    """The work unit of a game. ``adjudicate`` is the solver's node limit before each move, None plays games out.

    ``transcripts`` is a folder for all that external engines are sent and answer.
    """
    return {
        "unit": number,
        "black": black,
        "white": white,
        "opening": opening_json(opening),
        "time_control": time_control.json(),
        "seed": seed,
        "max_moves": max_moves,
        "adjudicate": adjudicate,
        "resign": resign and list(astuple(resign)),
        "draw": draw and list(astuple(draw)),
        "transcripts": transcripts,
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
