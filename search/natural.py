"""Which of several replies a person would choose: one that stops something or makes a four, near the last stone.

It decides between replies that hold out equally long against a proven win, where any of them would do for a program.

>>> from gomoku_patterns import Board
>>> board = Board(black=["f8", "g8", "h8", "i8"], white=["f9", "g9", "h10"], turn="white")
>>> board.name(natural_order(board, board.legal_moves())[0]) in {"e8", "j8"}
True
"""

from __future__ import annotations

from collections.abc import Iterable

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._threats import ThreatBoard
from search.proof import Proof

OWN = (0, 1, 8, 10, 60, 600, 3000, 3000, 1_000_000, 0)
"""What a reply is worth for what it makes on a line, by the kinds of :class:`~search._threats.ThreatBoard`: nothing,
sleeping and live twos, sleeping and live threes, a four, two fours, a live four, five, an overline that is no five."""
STOPPED = (0, 1, 6, 8, 50, 500, 20_000, 20_000, 100_000, 0)
"""And for what it stops the other side from making there."""
FAR = 99


def natural_order(board: Board, cells: Iterable[Cell]) -> list[Cell]:
    """The cells as a person would think of them as moves of the side to move, the first thought first."""
    threats = ThreatBoard(board)
    side, other = board.turn, board.turn.opponent
    stones = [board.moves[-1].cell] if board.moves else list(board.stones(other))

    def thought(cell: Cell) -> tuple[int, int, Cell]:
        made = sum(OWN[kind] for kind in threats.kinds_at(cell, side))
        stopped = sum(STOPPED[kind] for kind in threats.kinds_at(cell, other))
        return -(made + stopped), min((_distance(cell, stone) for stone in stones), default=FAR), cell

    return sorted(cells, key=thought)


def natural_line(proof: Proof) -> tuple[Cell, ...]:
    """A game along a proof to its five, in which the defender holds out as long as he can in the natural way."""
    board, replies, line = proof.position, list[Cell](), list[Cell]()
    while True:
        line.append(proof.answer(*replies))
        board.push(line[-1])
        if board.winner() is not None:
            return tuple(line)
        lengths = proof.lengths(*replies)
        most = max(lengths.values())
        replies.append(natural_order(board, [cell for cell, plies in lengths.items() if plies == most])[0])
        board.push(replies[-1])
        line.append(replies[-1])


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one.row - other.row), abs(one.col - other.col))
