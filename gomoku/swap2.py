"""Swap2: the opening in which one side proposes and the other chooses.

The proposer puts three stones. The other takes black, takes white and plays, or puts two more stones and lets the
proposer choose. An engine that can tell who stands better never needs the last: choosing a side oneself is worth at
least as much as letting the opponent choose. So three stones are answered by the better side, five by the better side
again, and an empty board by the fairest of a few well-spread openings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import GomokuError

if TYPE_CHECKING:
    from search.result import Limit, SearchResult

OPENINGS = (
    ((0, 0), (1, 2), (3, 1)),
    ((0, 0), (0, 3), (2, 1)),
    ((0, 0), (2, 2), (-1, 3)),
    ((0, 0), (1, 1), (4, 2)),
    ((0, 0), (3, 2), (1, 4)),
    ((0, 0), (2, -1), (4, 1)),
)
"""Black, white, black as steps from a corner region, where a first stone is worth less than in the centre."""


FAIR_MARGIN = 20
"""How much less fair than the fairest an opening may be, in the engine's score."""


@dataclass(frozen=True)
class Swap2Choice:
    """What is answered: stones to put, or to swap."""

    stones: tuple[Cell, ...] = ()
    swap: bool = False


Search = Callable[[Board, "Limit"], "SearchResult"]


def answer(board: Board, limit: Limit, search: Search, seed: int | None = None) -> Swap2Choice:
    """The choice for a Swap2 position of no, three or five stones.

    The opening is the fairest known; with a seed, one that is about as fair, another seed another one.
    """
    if len(board) == 0:
        return Swap2Choice(_fair(board, limit, search, None if seed is None else Random(seed)))
    if len(board) not in (3, 5):
        raise GomokuError(f"Swap2 is asked with 0, 3 or 5 stones, not {len(board)}")
    result = search(board, limit)
    if result.move is None or board.turn.sign * result.score < 0:
        return Swap2Choice(swap=True)
    return Swap2Choice((result.move,))


def _fair(board: Board, limit: Limit, search: Search, chance: Random | None) -> tuple[Cell, ...]:
    """The opening whose value is closest to nothing, or by chance one that is about as close, perhaps mirrored."""
    from search.result import Limit

    nodes = None if limit.nodes is None else max(1, limit.nodes // len(OPENINGS))
    seconds = None if limit.seconds is None else limit.seconds / len(OPENINGS)
    share = Limit(depth=limit.depth, nodes=nodes, seconds=seconds)
    values: dict[tuple[Cell, ...], int] = {}
    for opening in OPENINGS:
        cells = _placed(board, opening)
        position = board.copy()
        for cell in cells:
            position.push(cell)
        values[cells] = abs(search(position, share).score)
    fairest = min(values.values())
    if chance is None:
        return min(values, key=lambda cells: values[cells])
    cells = chance.choice(sorted(cells for cells, value in values.items() if value <= fairest + FAIR_MARGIN))
    down, right = chance.random() < 0.5, chance.random() < 0.5
    return tuple(
        Cell(board.rows - 1 - cell.row if down else cell.row, board.cols - 1 - cell.col if right else cell.col)
        for cell in cells
    )


def _placed(board: Board, opening: tuple[tuple[int, int], ...]) -> tuple[Cell, ...]:
    """The opening near the top left of the board, where there is room for it."""
    row, col = min(2, board.rows - 5), min(2, board.cols - 5)
    lowest = min(down for down, _ in opening), min(right for _, right in opening)
    return tuple(Cell(row + down - lowest[0], col + right - lowest[1]) for down, right in opening)
