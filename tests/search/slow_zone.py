"""The zone of a proof by its definition, walked on plain boards: what the native walk has to say too."""

from __future__ import annotations

from collections.abc import Iterable

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import EMPTY, Cell
from gomoku_patterns.lines import lines
from search.proof import Attack


def zone_of(tree: Attack, board: Board, extra: int) -> set[Cell]:
    """The cells on which the proof rests against so many extra stones of the defender; freestyle rules."""
    board = board.copy(moves=False)
    board.push(tree.move)
    zone = {tree.move}
    if tree.then is None:
        return zone
    zone |= _windows(board, 4 - extra) | _threat(board, tree.then.threat, extra + 1)
    zone |= {cell for cell in rules.winning_cells(board, board.turn.opponent) if tree.then.replies}
    for reply, attack in tree.then.replies.items():
        after = board.copy(moves=False)
        after.push(reply)
        zone |= {reply} | zone_of(attack, after, extra)
    return zone


def _windows(board: Board, least: int) -> set[Cell]:
    """The empty cells of windows with so many stones of the defender, to move, and none of the attacker."""
    flat, zone = board.flat, set()
    for line in lines(board.rows, board.cols):
        for start in range(len(line) - 4):
            window = line[start : start + 5]
            stones = [flat[cell] for cell in window]
            if stones.count(board.turn) >= least and board.turn.opponent not in stones:
                zone |= {Cell(*divmod(cell, board.cols)) for cell in window if flat[cell] == EMPTY}
    return zone


def _threat(board: Board, threat: Iterable[Cell], extra: int) -> set[Cell]:
    replay = board.copy(moves=False)
    replay.turn = board.turn.opponent
    attacker, zone = replay.turn, set()
    for cell in threat:
        zone.add(cell)
        if rules.makes_five(replay, cell, attacker):
            break
        replay.push(cell)
        fives = rules.winning_cells(replay, attacker)
        zone |= _windows(replay, 4 - extra) | set(fives)
        if len(fives) > 1:
            break
        replay.push(fives[0])
    return zone
