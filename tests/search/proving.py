"""Proofs for small boards, made by trying every move, and attackers that follow a proof to the end."""

from __future__ import annotations

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ProofError
from search.proof import Attack, Defence, Proof
from tests.search.exhaustive import Memo, can_force_five


def prove(board: Board) -> Proof | None:
    """A proof for the side to move if it can force five."""
    memo: Memo = {}
    board = board.copy()
    return Proof(board, _attack(board, memo)) if can_force_five(board, memo) else None


def _attack(board: Board, memo: Memo) -> Attack:
    fives = rules.winning_cells(board, board.turn)
    if fives:
        return Attack(fives[0])
    for move in rules.legal_moves(board):
        board.push(move)
        defence = _defence(board, memo)
        board.pop()
        if defence is not None:
            return Attack(move, defence)
    raise AssertionError("the exhaustive search sees a win, and no move wins")


def _defence(board: Board, memo: Memo) -> Defence | None:
    """What wins against every reply, or None. A five to come is left to the threat."""
    if board.is_full() or rules.winning_cells(board, board.turn):
        return None
    fives = rules.winning_cells(board, board.turn.opponent)
    replies = {}
    for reply in [reply for reply in rules.legal_moves(board) if not fives or reply == fives[0]]:
        board.push(reply)
        won = can_force_five(board, memo)
        if won:
            replies[reply] = _attack(board, memo)
        board.pop()
        if not won:
            return None
    return Defence(tuple(fives[:1]), replies)


def wins_every_game(proof: Proof, replies: tuple[tuple[int, int], ...] = ()) -> bool:
    """Whether an attacker that plays what the proof says wins whatever the defender does: all games are played.

    It knows nothing of forced answers: in the middle of a threat, too, the defender tries every legal move.
    """
    board = proof.position.copy()
    try:
        line = proof.line(*replies)
    except ProofError:
        return False
    for cell in line[:-1]:
        board.push(cell)
    if rules.makes_five(board, line[-1], proof.attacker):
        return True
    board.push(line[-1])
    legal = rules.legal_moves(board)
    return bool(legal) and all(wins_every_game(proof, (*replies, reply)) for reply in legal)
