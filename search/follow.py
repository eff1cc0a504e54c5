"""Following a proof: whether a game has come along it, what its attacker plays next, and how long each reply lasts.

Both sides use it: the player ``solver`` plays what its proof says, and ``stubborn`` looks for the reply that the
opponent's proof holds out longest against.
"""

from __future__ import annotations

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from search.proof import Proof
from search.result import Win


def replies_along(proof: Proof, board: Board) -> tuple[Cell, ...] | None:
    """The defender's replies in a game that has come along the proof so far; None if it has left it."""
    earlier, start, moves = board.copy(), proof.position, []
    while earlier != start:
        if not earlier.moves:
            return None
        moves.append(earlier.pop())
    moves.reverse()
    replies = tuple(moves[1::2])
    try:
        line = proof.line(*replies)
    except (ProofError, IllegalMoveError):
        return None
    return replies if list(line[: len(moves)]) == moves else None


def planned_move(proof: Proof, board: Board) -> tuple[Cell, Win] | None:
    """What the attacker of a proof plays now, and what that leads to; None where the proof does not say."""
    replies = replies_along(proof, board) if board.turn is proof.attacker else None
    if replies is None:
        return None
    lasting = {} if _is_last(proof, replies) else proof.lengths(*replies)
    return proof.answer(*replies), Win(proof.attacker, 1 + max(lasting.values(), default=0))


def _is_last(proof: Proof, replies: tuple[Cell, ...]) -> bool:
    """Whether the answer to these replies makes five."""
    board = proof.position
    for cell in proof.line(*replies):
        board.push(cell)
    return board.winner() is not None


def lasting_replies(proof: Proof, board: Board) -> dict[Cell, int | None] | None:
    """How many plies the game lasts after each legal reply, None for one that the proof has no answer to.

    The replies that the proof lists are last. None altogether when the game has not come along the proof.
    """
    replies = replies_along(proof, board)
    if replies is None:
        return None
    lengths, listed, unanswered = proof.lengths(*replies), proof.listed(*replies), proof.unanswered(*replies)
    surprising = sorted(lengths, key=lambda cell: cell in listed)
    return {cell: None if cell in unanswered else lengths[cell] for cell in surprising}
