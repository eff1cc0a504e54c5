"""Every first move that wins, and every move that does not lose: all replies looked at, by one search's proofs.

After a move, one proof shows the win against a defender who passes. Its zone
(docs/reference/proof-format.md) says which replies it does not answer; each of those is searched by itself, those first
that refuted other moves. So a move takes a few searches instead of one for each of two hundred replies.

>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> sorted(board.name(move) for move in winning_moves(board))
['b5', 'c6', 'e4', 'e6', 'f3', 'f5']
>>> board.turn = "white"
>>> sorted(board.name(move) for move in saving_moves(board))
['b5', 'f5']
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.rules import Rule
from puzzles.question_limits import QuestionLimits
from search import Limit, Proof, solve
from search._leaves import LeafSearch
from search.proof import Attack, Defence
from search.quiet import bits, empties, put

NODES = 20_000
"""For each of the many positions, unless a limit says otherwise."""
MEMORY = 64 << 20


def winning_moves(board: Board, limit: Limit | None = None) -> dict[Cell, Proof]:
    """Every first move after which the solver proves a win against each legal reply, with its proof.

    ``limit`` goes for each of the many positions that are solved; a move that is left out is not shown to win, which
    does not mean that it does not.
    """
    bound = _bound(board, limit)
    if rules.winner(board) is not None:
        return {}
    if board.rule is not Rule.FREESTYLE:
        return every_reply(board, bound)
    search = _Replies(board, board.turn, QuestionLimits(bound))
    found: dict[Cell, Proof] = {}
    for move in rules.legal_moves(board):
        if rules.makes_five(board, move, board.turn):
            found[move] = Proof(board.copy(moves=False), Attack(move))
        elif (defence := search.defence(put(board.flat, board.index(move), int(board.turn)))) is not None:
            found[move] = Proof(board.copy(moves=False), Attack(move, defence))
    return found


def saving_moves(
    board: Board, limit: Limit | None = None, *, limits: QuestionLimits | None = None
) -> tuple[Cell, ...] | None:
    """The moves of the side to move after which no win of the opponent is shown; none if every move loses.

    None where the opponent threatens no win that the solver shows, so that any move might do. Freestyle rules prove
    each of the other moves lost; ``limit`` goes for each position that is solved, as in :func:`winning_moves`. Give
    ``limits`` in its place to bound all of them together.
    """
    limits = limits or QuestionLimits(limit or Limit(nodes=NODES))
    limits.each = _bound(board, limits.each)
    if rules.winner(board) is not None or board.is_full():
        return None
    if board.rule is not Rule.FREESTYLE:
        return _saving_by_every_move(board, limits)
    fives = {board.index(cell) for cell in rules.winning_cells(board, board.turn)}
    left = _Replies(board, board.turn.opponent, limits).unanswered(board.flat, fives)
    return None if left is None else tuple(board.at(index) for index in sorted(fives.union(left)))


def _bound(board: Board, limit: Limit | None) -> Limit:
    if board.rule is Rule.CARO:
        raise SuiteError("wins are proven under freestyle, standard and renju, not under caro")
    bound = limit or Limit(nodes=NODES)
    return bound if bound.nodes is not None else replace(bound, nodes=1 << 40)


_own = threading.local()


def _leaves(board: Board, attacker: Colour) -> LeafSearch:
    """This thread's search for boards of a shape and an attacker, everything forgotten."""
    known: dict[tuple[int, int, Colour], LeafSearch] = _own.__dict__.setdefault("leaves", {})
    key = (board.rows, board.cols, attacker)
    if key not in known:
        if len(known) >= 4:
            known.clear()
        known[key] = LeafSearch(board, int(attacker), MEMORY)
    known[key].forget()
    return known[key]


class _Replies:
    """Whether an attacker has an answer to every reply, in one position after another; freestyle rules."""

    def __init__(self, board: Board, attacker: Colour, limits: QuestionLimits) -> None:
        self.board, self.limits = board, limits
        self.leaves = _leaves(board, attacker)
        self.defender = int(attacker.opponent)
        self.refuting: list[int] = []
        """Replies that refuted other moves, the last ones first."""

    def wins(self, cells: bytes, hint: int = -1, taken: int = -1) -> bool:
        """Whether the attacker, to move, is shown to win."""
        self.leaves.use(self.limits.control())
        if self.leaves.attempt(cells, self.limits.each.nodes or NODES, hint, taken) is True:
            return True
        self.limits.check()
        return False

    def defence(self, after: bytes) -> Defence | None:
        """The answers to all replies in the position after a move of the attacker; None if one has none."""
        if self.leaves.fives(after):
            return None
        for known in self.refuting[:2]:
            if not after[known] and not self.wins(put(after, known, self.defender)):
                return None
        trees: list[Attack] = []
        for reply, found in self.answers(after):
            if not found:
                if reply is not None:
                    self.refuting = [reply, *(other for other in self.refuting if other != reply)]
                return None
            trees.append(self.leaves.proof())
        return Defence((), {}, tuple(trees))

    def unanswered(self, after: bytes, fives: Collection[int]) -> list[int] | None:
        """The replies that are not shown to lose, beside fives; None if even a pass is not."""
        failing: list[int] = []
        for reply, found in self.answers(after, fives):
            if reply is None:
                if not found:
                    return None
            elif not found:
                failing.append(reply)
        return failing

    def answers(self, after: bytes, but: Collection[int] = ()) -> Iterator[tuple[int | None, bool]]:
        """A pass (None), then each reply that no proof before it answers, and whether the attacker wins after it."""
        found = self.wins(after)
        yield None, found
        if not found:
            return
        leaves = self.leaves
        left, hint = leaves.zone() & empties(after), leaves.first_move
        worths = leaves.worths(after)
        rank = {reply: at for at, reply in enumerate(self.refuting)}
        for reply in sorted(bits(left), key=lambda cell: (rank.get(cell, len(rank)), -worths[cell], cell)):
            if left >> reply & 1 and reply not in but:
                found = self.wins(put(after, reply, self.defender), hint, reply)
                if found:
                    left, hint = left & leaves.zone(), leaves.first_move
                yield reply, found


# ---------------------------------------------------------------------- rules without zones


def every_reply(board: Board, bound: Limit) -> dict[Cell, Proof]:
    """The winning moves by a search for every reply to every move, under any rule."""
    found: dict[Cell, Proof] = {}
    refuting: dict[Cell, None] = {}
    for move in rules.legal_moves(board):
        proof = _prove_move(board, move, bound, refuting)
        if proof is not None:
            found[move] = proof
    return found


def _prove_move(board: Board, move: Cell, bound: Limit, refuting: dict[Cell, None]) -> Proof | None:
    start = board.copy(moves=False)
    if rules.makes_five(board, move, board.turn):
        return Proof(start, Attack(move))
    after = board.copy(moves=False)
    after.push(move)
    answers: dict[Cell, Attack] = {}
    for reply in _likely_first(after, bound, refuting):
        if rules.makes_five(after, reply, after.turn):
            return None
        after.push(reply)
        proof = solve(after, bound).proof
        after.pop()
        if proof is None:
            refuting.pop(reply, None)
            refuting[reply] = None
            return None
        answers[reply] = proof.tree
    if after.rule is not Rule.RENJU:
        return Proof(start, Attack(move, Defence((), answers)))
    after.turn = board.turn
    passed = solve(after, bound).proof
    return passed and Proof(start, Attack(move, Defence((), answers, (passed.tree,))))


def _likely_first(after: Board, bound: Limit, refuting: Iterable[Cell]) -> Iterator[Cell]:
    """The legal replies: those that refuted other moves, then those that stand in the way of the attacker's plan."""
    legal = rules.legal_moves(after)
    first = [cell for cell in reversed(list(refuting)) if cell in legal][:4]
    yield from first
    free = after.copy(moves=False)
    free.turn = free.turn.opponent
    plan = set(solve(free, bound).pv)
    yield from sorted((cell for cell in legal if cell not in first), key=lambda cell: cell not in plan)


def _saving_by_every_move(board: Board, limits: QuestionLimits) -> tuple[Cell, ...] | None:
    passed = board.copy(moves=False)
    passed.turn = board.turn.opponent
    if limits.solve(passed).proof is None:
        return None
    saving = []
    for move in rules.legal_moves(board):
        after = board.copy(moves=False)
        after.push(move)
        if after.is_over() or limits.solve(after).proof is None:
            saving.append(move)
    return tuple(saving)
