"""Every first move tried for a win within n plies: each is refuted by one reply, or all replies to it lose.

The solver's own denial is of attacks. A first move that is quiet shows in no such search, nor does an attack that goes
on by a quiet move. Here each first move is played, and after it one reply after another, those first that refuted other
moves, until one is found after which the attacker does not win within n - 2 plies. Up to nine plies under freestyle
rules every move is tried after that reply too, so that nothing is left out; elsewhere every attack is tried.

>>> from puzzles import load
>>> from puzzles.soundness import Examiner
>>> board = load("huanle").level(10).board
>>> found = FirstMoves(Examiner(), board, 7)
>>> sorted(board.name(win.move) for win in found.wins()), found.unsettled
(['h9', 'i8'], [])
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from puzzles.soundness import Examiner

KNOWN: Final = 4
"""Replies that refuted other moves are tried before all others, so many of them."""


class FirstMove(NamedTuple):
    """A first move that wins, and a game in which the defender holds out, as far as attacks show how it goes on."""

    move: Cell
    line: tuple[Cell, ...]


class FirstMoves:
    """The first moves of a position that win within so many plies; ``unsettled`` are those that nothing settled."""

    def __init__(self, examiner: Examiner, board: Board, plies: int) -> None:
        self.examiner, self.board, self.plies = examiner, board.copy(moves=False), plies
        self.unsettled: list[Cell] = []
        self.nodes = 0
        self._refuting: list[Cell] = []

    def wins(self, without: Collection[Cell] = ()) -> Iterator[FirstMove]:
        """The winning first moves but those in ``without``."""
        for move in rules.legal_moves(self.board):
            if move in without:
                continue
            settled, line = self.tried(move)
            if line is not None:
                yield FirstMove(move, line)
            elif not settled:
                self.unsettled.append(move)

    def tried(self, move: Cell) -> tuple[bool, tuple[Cell, ...] | None]:
        """Whether a first move is settled, and how it wins if it does."""
        after = self.board.copy(moves=False)
        after.push(move)
        if after.winner() is not None:
            return True, (move,)
        if self.plies < 3 or after.is_full() or rules.winning_cells(after, after.turn):
            return True, None
        settled, longest = True, tuple[Cell, ...]()
        for reply in self._replies(after):
            won, line = self._won_after(after, reply)
            if won is False:
                self._refuting = [reply, *(other for other in self._refuting if other != reply)]
                return True, None
            settled = settled and won is True
            longest = max(longest, (move, reply, *line), key=len)
        return settled, longest if settled and longest else None

    def _replies(self, after: Board) -> Iterable[Cell]:
        """The legal replies, those first that may refute; none if the move threatens nothing."""
        legal = dict.fromkeys(rules.legal_moves(after))
        first = [cell for cell in self._refuting[:KNOWN] if cell in legal]
        yield from first
        passed = after.copy(moves=False)
        passed.turn = self.board.turn
        plan = self._solved(passed)[1]
        rest = [*(cell for cell in plan if cell in legal), *legal]
        yield from dict.fromkeys(cell for cell in rest if cell not in first)

    def _won_after(self, after: Board, reply: Cell) -> tuple[bool | None, tuple[Cell, ...]]:
        then = after.copy(moves=False)
        then.push(reply)
        return (False, ()) if then.is_over() else self._solved(then)

    def _solved(self, board: Board) -> tuple[bool | None, tuple[Cell, ...]]:
        """Whether the attacker, to move, wins within the plies that are left, and how if attacks show it."""
        from search import Status

        found = self.examiner.solve(board, self.plies - 2)
        self.nodes += found.nodes
        if found.proof is not None:
            return True, found.pv
        if found.status is Status.UNKNOWN:
            return None, ()
        if board.rule is Rule.FREESTYLE:
            return self.examiner.wins_by_any(board, self.plies - 2), ()
        return False, ()
