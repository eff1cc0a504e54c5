"""Results as JSON, the same for the command line, the web board and batches.

Every cell is given as ``[row, col]`` and beside it by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gomoku_patterns.cells import cell_name
from search.result import Win

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from search.players import Player
    from search.result import SearchResult
    from search.solver import Solution

Json = dict[str, Any]


def named(cell: tuple[int, int] | None, board: Board, key: str = "move") -> Json:
    """A cell as JSON results give it: ``{"move": [r, c], "name": "h9"}``."""
    if cell is None:
        return {key: None, "name": None}
    return {key: [cell[0], cell[1]], "name": cell_name(cell, board.rows)}


def move_answer(player: Player, board: Board, result: SearchResult) -> Json:
    """A player's move with its score, line and statistics."""
    return {
        "player": player.name,
        **named(result.move, board),
        "score": result.score,
        "win": win_answer(result.win),
        "nodes": result.nodes,
        "depth": result.depth,
        "elapsed": result.elapsed,
        "pv": [list(cell) for cell in result.pv],
        "pv_names": [board.name(cell) for cell in result.pv],
        "stopped_by": result.stopped_by,
        "stats": {name: plain(value, board) for name, value in result.stats.items()},
    }


def plain(value: object, board: Board) -> Any:
    """A statistic as JSON can say it; a mapping from cells becomes a list of moves with their values."""
    if isinstance(value, Mapping):
        if all(isinstance(key, tuple) for key in value):
            return [{**named(cell, board), "value": plain(item, board)} for cell, item in value.items()]
        return {str(key): plain(item, board) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, board) for item in value]
    return win_answer(value) if isinstance(value, Win) else value


def win_answer(win: Win | None) -> Json | None:
    """Who wins, and in how many plies: ``{"colour": "black", "plies": 7}``."""
    return None if win is None else {"colour": str(win.colour), "plies": win.plies}


def solve_answer(board: Board, solution: Solution, *, with_proof: bool = False) -> Json:
    """A solution, with its proof when asked for and there is one.

    A win that is known to be the shortest is ``minimal``; no win names what was ``exhausted``.
    """
    answer: Json = {
        "status": str(solution.status),
        **named(solution.move, board),
        "length": solution.length,
        "nodes": solution.nodes,
        "elapsed": solution.elapsed,
        "stopped_by": solution.stopped_by,
    }
    if solution.exhausted is not None:
        answer["exhausted"] = solution.exhausted
    if solution.minimal:
        answer["minimal"] = True
    if with_proof and solution.proof is not None:
        answer["proof"] = solution.proof.to_json()
    return answer
