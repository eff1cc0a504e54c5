"""Who can force what, by trying every move: the oracle for claims about small or nearly full boards.

Two things are cut, neither of which can change the answer: a side that can make five does, and a side that is
threatened with five answers on one of those cells, since any other reply loses at once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell

Memo = dict[bytes, bool]
Wins = Callable[[Board], bool]
"""Whether the side to move wins from here on."""


def can_force_five(board: Board, memo: Memo | None = None) -> bool:
    """Whether the side to move makes five against every defence. A full board is no win; who has no move passes."""
    memo = {} if memo is None else memo
    key = board.flat
    if key not in memo:
        memo[key] = _attack(board, memo)
    return memo[key]


def can_force_by_fours(board: Board, memo: Memo | None = None) -> bool:
    """Whether the side to move wins with fives and fours alone (a win by continuous fours)."""
    memo = {} if memo is None else memo
    key = board.flat
    if key not in memo:
        five = bool(rules.winning_cells(board, board.turn))
        memo[key] = five or any(four_works(board, cell, memo) for cell in _worth_trying(board))
    return memo[key]


def four_works(board: Board, cell: Cell, memo: Memo) -> bool:
    attacker = board.turn
    board.push(cell)
    won = False
    fives = rules.winning_cells(board, attacker)
    if fives and not rules.winning_cells(board, board.turn):
        answers = [answer for answer in fives if answer in rules.legal_moves(board)]
        won = len(fives) > 1 or not answers or _after(board, answers[0], partial(can_force_by_fours, memo=memo))
    board.pop()
    return won


def _attack(board: Board, memo: Memo) -> bool:
    if rules.winning_cells(board, board.turn):
        return True
    left = partial(can_force_five, memo=memo)
    return any(holds_against_all(board, cell, left) for cell in _worth_trying(board))


def _worth_trying(board: Board) -> list[Cell]:
    """The legal moves; only those on the opponent's winning cells if there are any."""
    threatened = rules.winning_cells(board, board.turn.opponent)
    legal = rules.legal_moves(board)
    return [cell for cell in legal if cell in threatened] if threatened else legal


def holds_against_all(board: Board, cell: Cell, wins: Wins) -> bool:
    """Whether the attacker, having played there, wins after every reply."""
    board.push(cell)
    won = not board.is_full() and not rules.winning_cells(board, board.turn) and _all_lose(board, wins)
    board.pop()
    return won


def _all_lose(board: Board, wins: Wins) -> bool:
    if not rules.legal_moves(board):
        board.turn = board.turn.opponent
        won = wins(board)
        board.turn = board.turn.opponent
        return won
    return all(_after(board, reply, wins) for reply in _worth_trying(board))


def _after(board: Board, cell: Cell, wins: Wins) -> bool:
    board.push(cell)
    won = wins(board)
    board.pop()
    return won


def can_force_five_within(board: Board, plies: int) -> bool:
    """Whether the side to move makes five within so many plies against every defence, by trying every move."""
    if rules.winning_cells(board, board.turn):
        return plies > 0
    left = partial(can_force_five_within, plies=plies - 2)
    return plies > 1 and any(holds_against_all(board, cell, left) for cell in _worth_trying(board))
