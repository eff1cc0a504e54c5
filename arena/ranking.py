"""Which moves to try where each reply has to be proven by itself, and which replies to try first.

The engine compares the moves and looks at the best of them from the defender's side; what it plays there are the
replies on which a bad move fails soonest. A move after which the attacker would win by attacking moves if the defender
passed goes before others that the engine likes about as much: most of its replies take no time.

>>> from gomoku_patterns.board import Board
>>> board = Board(9, black=["d5", "e5"], white=["d4", "f6"], turn="black")
>>> ranked = rank_moves(board, nodes=3000)
>>> len(ranked), [board.name(reply) for reply in ranked[0].replies][:1] != []
(8, True)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._leaves import LeafSearch
from search.engine_player import EnginePlayer
from search.result import Limit
from search.symmetry import Symmetries

MOVES = 8
"""So many are tried,"""
COMPARED = 12
"""of so many that the engine looks at,"""
AGAIN = 4
"""the best of them longer."""
REPLIES = 10
"""Replies to each that are tried before all others."""
DEFAULT_NODES = 20_000
DEFAULT_PLACES = 3
"""A win by attacking moves after a pass is worth so many places."""


class Ranked(NamedTuple):
    """A move, and the replies that look best against it."""

    move: Cell
    replies: tuple[Cell, ...]
    default: bool
    """Whether the attacker wins by attacking moves if the defender passes."""


def rank_moves(board: Board, *, nodes: int, also: Iterable[Cell] = ()) -> list[Ranked]:
    """The moves to try, the best first, of those that differ; the engine searches some eight times so many nodes.

    ``also`` are moves to compare with those that the engine chooses.
    """
    looked = [_look(board, move, nodes // 4) for move in _different(board, [*_asked(board, nodes, COMPARED)[1], *also])]
    found = sorted((one for one in looked if one is not None), key=lambda one: -one[0])
    again = [_look(board, ranked.move, nodes) for _, ranked in found[:AGAIN]]
    found[:AGAIN] = sorted((one for one in again if one is not None), key=lambda one: -one[0])
    places = [(place - DEFAULT_PLACES * ranked.default, place) for place, (_, ranked) in enumerate(found)]
    return [found[place][1] for _, place in sorted(places)][:MOVES]


def _asked(board: Board, nodes: int, lines: int) -> tuple[int, list[Cell]]:
    """What the engine says a position is worth, black minus white, and the moves that it likes best."""
    result = EnginePlayer(lines=lines, solver=False).search(board, Limit(nodes=max(1, nodes)))
    values = result.stats.get("values")
    return result.score, list(values) if isinstance(values, dict) else []


def _different(board: Board, moves: list[Cell]) -> list[Cell]:
    """The legal moves among these, one of those that are the same under the symmetries of the position."""
    symmetries = Symmetries(board.rows, board.cols)
    legal = set(board.legal_moves())
    kept: dict[bytes, Cell] = {}
    for move in moves:
        if move in legal:
            board.push(move)
            kept.setdefault(symmetries.canonical(board.flat)[0], move)
            board.pop()
    return list(kept.values())


def _look(board: Board, move: Cell, nodes: int) -> tuple[int, Ranked] | None:
    """What a move is worth, judged from the defender's side; None if he makes five, or has no reply."""
    after = board.copy(moves=False)
    after.push(move)
    leaves = LeafSearch(board, int(board.turn), 16 << 20)
    if after.winner() is not None or leaves.fives(after.flat) or not after.legal_moves():
        return None
    score, replies = _asked(after, nodes, REPLIES)
    return board.turn.sign * score, Ranked(move, tuple(replies), leaves.attempt(after.flat, DEFAULT_NODES) is True)
