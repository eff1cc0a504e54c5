"""Whether a move still wins when one more quiet move is allowed, and otherwise a reply that refutes it.

The solver tries attacks: moves after which continuous fours would win if the defender passed. A win may need a move
that is quieter, so "no attack wins" is no reason to call a move wrong. After a reply of the defender this search
tries all attacks, and then every legal move of the attacker followed by attacks. Either one of them wins against
every reply, which is a proof, or each of them has a reply after which no attack wins. In the second case the reply is
*denied*: the attacker has no win there with at most one quiet move, and only a win with two or more could be missed.

>>> from gomoku_patterns import Board
>>> from search import Limit
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> search = Refuting(board, Limit(nodes=500_000))
>>> search.after(board.cell("a1"), board.cell("f5"))
<Outcome.DENIED: 'denied'>
>>> search.after(board.cell("f5"), board.cell("a1"))
<Outcome.WON: 'won'>
"""

from __future__ import annotations

import threading
from enum import StrEnum
from types import TracebackType
from typing import Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.rules import Rule
from search import Cancel, Limit
from search._control import Control
from search._leaves import LeafSearch
from search.proof import Attack, Defence
from search.quiet import bits, put

REPLY_NODES: Final = 20_000
"""For all attacks after a reply."""
OUTCOME_NODES: Final = 150_000
"""For everything after one reply."""
QUIET_NODES: Final = 1_000
"""For all attacks after a quiet move and a reply to it,"""
AGAIN: Final = 8
"""and so many times as many where that settled nothing."""
KNOWN: Final = 3
"""Replies that refuted other quiet moves are tried first, so many of them."""
TRIED: Final = 12
"""Where not even a pass is settled, so many replies are tried before the quiet move is put off."""
MEMORY: Final = 64 << 20
UNLIMITED: Final = 1 << 62


class Outcome(StrEnum):
    """What the attacker has after a reply of the defender."""

    WON = "won"
    """A win by attacks, perhaps after one quiet move."""
    DENIED = "denied"
    """No win by attacks, nor by any one move followed by attacks: all were tried."""
    OPEN = "open"
    """The limit came before an answer."""


_own = threading.local()


def _leaves(board: Board, attacker: Colour) -> LeafSearch:
    """Return this thread's search for boards of a shape, a rule and an attacker, with everything forgotten."""
    kept: dict[tuple[int, int, Rule, Colour], LeafSearch] = _own.__dict__.setdefault("leaves", {})
    key = (board.rows, board.cols, board.rule, attacker)
    if key not in kept:
        if len(kept) >= 2:
            kept.clear()
        kept[key] = LeafSearch(board, int(attacker), MEMORY)
    kept[key].forget()
    return kept[key]


class Refuting:
    """Searches after moves of one attacker in one position, against one limit."""

    def __init__(self, board: Board, limit: Limit, cancel: Cancel | None = None) -> None:
        self.board = board.copy(moves=False)
        self.attacker, self.defender = int(board.turn), int(board.turn.opponent)
        self.leaves = _leaves(board, board.turn)
        self.control = Control(limit, cancel)
        self.leaves.use(self.control)
        self.given = self.leaves.left = limit.nodes or UNLIMITED
        self.tree: Attack | None = None
        """The win after the last reply that was asked about."""
        self.zone: int | None = None
        """The cells on which it has to be answered; None where only the reply itself is settled."""
        self._refuting: list[int] = []
        self._until = 0
        self._nodes: int | None = None

    @property
    def nodes(self) -> int:
        """How many were searched."""
        return self.given - self.leaves.left if self._nodes is None else self._nodes

    @property
    def stopped(self) -> bool:
        """Whether the limit is used up."""
        return self.leaves.left <= 0 or self.control.stopped_by is not None

    @property
    def _spent(self) -> bool:
        return self.stopped or self.leaves.left <= self._until

    def close(self) -> None:
        """Give the search back without a limit."""
        self._nodes = self.nodes
        self.control.finish()
        self.leaves.left = UNLIMITED
        self.leaves.use(Control(Limit(nodes=UNLIMITED)))

    def __enter__(self) -> Refuting:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------ a move of the attacker

    def position(self, move: Cell) -> bytes:
        """The position after a move of the attacker."""
        return put(self.board.flat, self.board.index(move), self.attacker)

    def after(self, move: Cell, reply: Cell) -> Outcome:
        """What the attacker has after a move and a reply to it."""
        return self.outcome(self.position(move), self.board.index(reply))

    def legal_replies(self, after: bytes) -> int:
        """The cells on which the defender may reply, as a set."""
        return self.leaves.legal(after, self.defender)

    @property
    def threatened(self) -> Cell | None:
        """The first move of the win that was found last."""
        return None if self.tree is None else self.tree.move

    def threat(self, after: bytes) -> bool:
        """Whether attacks would win if the defender passed; then ``tree`` and ``zone`` show how."""
        return self._attack(after, REPLY_NODES) is True

    # ------------------------------------------------------------------ a reply

    def outcome(self, after: bytes, reply: int, hint: int = -1) -> Outcome:
        """What the attacker has after a reply in this position."""
        cells = put(after, reply, self.defender)
        self._until = self.leaves.left - OUTCOME_NODES
        found = self._attack(cells, REPLY_NODES, hint, reply)
        if found is True:
            return Outcome.WON
        quiet = self._quiet_moves(cells)
        return Outcome.OPEN if quiet is Outcome.DENIED and found is None else quiet

    def _attack(self, cells: bytes, nodes: int, hint: int = -1, taken: int = -1) -> bool | None:
        """Whether attacks win; None if the limit came first. A win is kept in ``tree`` and ``zone``."""
        found = self.leaves.attempt(cells, nodes, hint, taken)
        if found:
            self.tree, self.zone = self.leaves.proof(), self.leaves.zone()
        return found

    def _quiet_moves(self, cells: bytes) -> Outcome:
        """Whether one move of the attacker, followed by attacks, wins; or else whether all are refuted."""
        worths = self.leaves.worths(cells)
        pending = sorted(bits(self._moves(cells)), key=lambda cell: (-worths[cell], cell))
        for nodes in (QUIET_NODES, AGAIN * QUIET_NODES):
            left = []
            for move in pending:
                outcome = self._quiet_move(cells, move, worths, nodes)
                if outcome is Outcome.WON:
                    return outcome
                if outcome is Outcome.OPEN:
                    left.append(move)
                if self._spent:
                    return Outcome.OPEN
            pending = left
            if not pending:
                return Outcome.DENIED
        return Outcome.OPEN

    def _moves(self, cells: bytes) -> int:
        """The legal moves of the attacker, those that stop the defender's five where he threatens one."""
        legal = self.leaves.legal(cells, self.attacker)
        fives = sum(1 << five for five in self.leaves.fives(cells))
        return legal & fives if fives else legal

    def _quiet_move(self, cells: bytes, move: int, worths: list[int], nodes: int) -> Outcome:
        after = put(cells, move, self.attacker)
        if self.leaves.fives(after):
            return Outcome.DENIED
        legal = self.leaves.legal(after, self.defender)
        for reply in self._refuting[:KNOWN]:
            if legal >> reply & 1 and self._denies(after, reply, QUIET_NODES):
                return self._refuted_by(reply)
        passed = self._attack(after, nodes)
        if passed is False and self.board.rule is Rule.FREESTYLE:
            return Outcome.DENIED
        return self._replies(after, move, legal, worths, nodes, passed=passed is True)

    def _replies(self, after: bytes, move: int, legal: int, worths: list[int], nodes: int, *, passed: bool) -> Outcome:
        """Whether attacks answer every reply to a quiet move; after a win against a pass only those in its zone."""
        answers = Answers(self)
        left, hint, settled, count = legal, -1, passed or self.board.rule is not Rule.RENJU, 0
        if passed:
            left, hint = answers.add(None, left), self.leaves.first_move
        for reply in sorted(bits(left), key=lambda cell: (cell != hint, -worths[cell], cell)):
            if not left >> reply & 1:
                continue
            found = self._attack(put(after, reply, self.defender), nodes, hint, reply)
            if found is False:
                return self._refuted_by(reply)
            if found:
                left, hint = answers.add(reply, left), self.leaves.first_move
            settled, count = settled and found is True, count + 1
            if self._spent or (not passed and count >= TRIED):
                return Outcome.OPEN
        if not settled or not legal:
            return Outcome.OPEN
        self.tree, self.zone = answers.attack(self.board.at(move)), None
        return Outcome.WON

    def _denies(self, after: bytes, reply: int, nodes: int) -> bool:
        return self.leaves.attempt(put(after, reply, self.defender), nodes, -1, reply) is False

    def _refuted_by(self, reply: int) -> Outcome:
        self._refuting = [reply, *(other for other in self._refuting if other != reply)]
        return Outcome.DENIED


class Answers:
    """What the attacker does about each reply to a move, as it is found."""

    def __init__(self, search: Refuting) -> None:
        self.search = search
        self.replies: dict[Cell, Attack] = {}
        self.defaults: list[Attack] = []

    def add(self, reply: int | None, left: int) -> int:
        """Note the win that was found last, after a reply or a pass; which of the replies are left after it."""
        search = self.search
        assert search.tree is not None
        if reply is None or (search.zone is not None and search.board.rule is Rule.FREESTYLE):
            self.defaults.append(search.tree)
        else:
            self.replies[search.board.at(reply)] = search.tree
        rest = left if reply is None else left & ~(1 << reply)
        return rest if search.zone is None else rest & search.zone

    def attack(self, move: Cell) -> Attack:
        """The move with its answers."""
        return Attack(move, Defence((), self.replies, tuple(self.defaults)))
