"""What a move in a puzzle is worth, said at once: still winning, and in how many, or no longer, and what refutes it.

>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> found = feedback(board, "f5")
>>> found.still_wins, found.plies
(True, 2)
>>> found = feedback(board, "a1")
>>> found.still_wins, board.name(found.reply) in {"b5", "f5"}
(False, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from time import perf_counter

from gomoku_patterns import rules
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.rules import Rule
from search import Cancel, Limit, Solution, Solver, Status, player
from search._control import Control
from search._leaves import LeafSearch
from search.natural import natural_order
from search.quiet import unanswered

NODES = 200_000
"""For each question to the solver, unless a limit says less."""
QUIET_NODES = 3_000
"""For each reply to a quiet move."""
ENGINE_NODES = 20_000
LEAST_LEFT = 0.02
"""With fewer seconds left nothing more is asked."""
SHOWN = 8
"""Plies of a refutation that ends with no five."""
MEMORY = 64 << 20


@dataclass(frozen=True)
class Feedback:
    """What came of a move of the attacker.

    ``PROVEN`` says that it still wins, in ``plies`` more if the defence plays ``reply``, its best. ``DISPROVEN`` says
    that every attack after it was tried and none wins, ``UNKNOWN`` that none was found within the limit: then ``reply``
    refutes the move, and ``line`` shows how it goes on. Where the defender wins by force the line goes on to his
    five, after ``loses_in`` plies.
    """

    move: Cell
    status: Status
    plies: int | None = None
    reply: Cell | None = None
    line: tuple[Cell, ...] = ()
    loses_in: int | None = None
    nodes: int = 0
    elapsed: float = 0.0

    @property
    def still_wins(self) -> bool:
        return self.status is Status.PROVEN


def feedback(
    board: Board,
    move: CellLike,
    limit: Limit | None = None,
    *,
    within: int | None = None,
    cancel: Cancel | None = None,
) -> Feedback:
    """What a move of the side to move does for its win; ``within`` is how many plies the win is known to take.

    Without a limit the answer depends on nothing but the position. A limit on the seconds goes for everything.
    """
    if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
        raise SuiteError(f"wins are proven under freestyle, standard and renju, not under {board.rule.value}")
    after = board.copy(moves=False)
    after.push(move)
    cell = after.moves[-1].cell
    asked = _Asked(limit or Limit(nodes=100 * NODES), cancel)
    if after.winner() is not None:
        return Feedback(cell, Status.PROVEN, plies=0)
    found = _by_attack(board, cell, within, asked) or _by_quiet_move(board, after, cell, asked)
    found = found or _refuted(after, cell, asked)
    return _timed(found, asked)


class _Asked:
    """Questions to the solver and to the engine, counted against one limit."""

    def __init__(self, limit: Limit, cancel: Cancel | None) -> None:
        self.limit, self.cancel = limit, cancel
        self.began = perf_counter()
        self.nodes = 0
        self.exhausted = False

    @property
    def elapsed(self) -> float:
        return perf_counter() - self.began

    def part(self, nodes: int, share: float = 1.0, depth: int | None = None) -> Limit | None:
        """The limit of one question; None when nothing is left for it."""
        if self.cancel is not None and self.cancel.is_set():
            return None
        left = None if self.limit.seconds is None else (self.limit.seconds - self.elapsed) * share
        if left is not None and left < LEAST_LEFT:
            return None
        if self.limit.nodes is not None:
            nodes = min(nodes, self.limit.nodes - self.nodes)
        return Limit(depth=depth, nodes=nodes, seconds=left) if nodes > 0 else None

    def solve(
        self,
        board: Board,
        nodes: int = NODES,
        *,
        first: Cell | None = None,
        depth: int | None = None,
        share: float = 0.7,
    ) -> Solution:
        """The solver's answer; with ``first`` only that move is tried as the first."""
        limit = self.part(nodes, share, depth)
        if limit is None or board.is_full():
            return Solution(Status.UNKNOWN, stopped_by="cancelled" if limit is None else "complete")
        others = [] if first is None else [cell for cell in board.legal_moves() if cell != first]
        found = _solver().solve(board, limit, without=others, cancel=self.cancel)
        self.nodes += found.nodes
        return found


@lru_cache(maxsize=1)
def _solver() -> Solver:
    return Solver(memory=MEMORY)


# ---------------------------------------------------------------------- does it still win?


def _by_attack(board: Board, move: Cell, within: int | None, asked: _Asked) -> Feedback | None:
    """The move as the first of an attack that wins, as short as it can be shown in a moment."""
    found = asked.solve(board, first=move)
    asked.exhausted = found.status is Status.DISPROVEN
    if found.proof is None:
        return None
    for depth in _shorter(found.proof.length, within):
        again = asked.solve(board, NODES // 10, first=move, depth=depth, share=0.2)
        if again.proof is not None:
            found = again
            break
    proof = found.proof
    assert proof is not None
    lengths = proof.lengths()
    after = proof.position
    after.push(move)
    reply = _best_defence(after, lengths)
    return Feedback(move, Status.PROVEN, proof.length - 1, reply)


def _shorter(length: int, within: int | None) -> Iterator[int]:
    """The lengths to ask for: from what is known to be possible up to what was found."""
    if within is not None and within % 2 == length % 2:
        yield from range(max(1, within), length, 2)


def _best_defence(after: Board, lengths: dict[Cell, int]) -> Cell:
    most = max(lengths.values())
    return natural_order(after, [cell for cell, plies in lengths.items() if plies == most])[0]


def _by_quiet_move(board: Board, after: Board, move: Cell, asked: _Asked) -> Feedback | None:
    """A quiet move that wins although it threatens no continuous fours: every reply that matters is answered."""
    if board.rule is not Rule.FREESTYLE or rules.winning_cells(after, after.turn):
        return None
    limit = asked.part(QUIET_NODES * 100, 0.5)
    if limit is None:
        return None
    control = Control(limit, asked.cancel)
    leaves = LeafSearch(board, int(board.turn), MEMORY)
    leaves.use(control)
    left = unanswered(leaves, board.flat, move.row * board.cols + move.col, QUIET_NODES, 0)
    control.finish()
    if left != 0:
        return None
    reply = _engine_move(after, asked) or natural_order(after, after.legal_moves())[0]
    then = after.copy(moves=False)
    then.push(reply)
    win = asked.solve(then)
    return Feedback(move, Status.PROVEN, 1 + win.length if win.length else None, reply)


# ---------------------------------------------------------------------- and if not, why not?


def _refuted(after: Board, move: Cell, asked: _Asked) -> Feedback:
    """The reply that a person would call the refutation: a win of the defender's, or what leaves the attacker none."""
    status = Status.DISPROVEN if asked.exhausted else Status.UNKNOWN
    theirs = asked.solve(after)
    if theirs.proof is not None:
        line = theirs.pv
        return Feedback(move, Status.DISPROVEN, reply=line[0], line=line, loses_in=len(line))
    for reply in _candidates(after, asked):
        then = after.copy(moves=False)
        then.push(reply)
        if then.is_over() or asked.solve(then, share=0.3).proof is None:
            return Feedback(move, status, reply=reply, line=(reply, *_going_on(then, asked)))
    return Feedback(move, Status.UNKNOWN)


def _candidates(after: Board, asked: _Asked) -> Iterator[Cell]:
    chosen = _engine_move(after, asked)
    if chosen is not None:
        yield chosen
    yield from (cell for cell in natural_order(after, after.legal_moves()) if cell != chosen)


def _engine_move(board: Board, asked: _Asked) -> Cell | None:
    limit = asked.part(ENGINE_NODES, 0.5)
    return None if limit is None else player("engine").search(board, limit, cancel=asked.cancel).move


def _going_on(board: Board, asked: _Asked) -> tuple[Cell, ...]:
    """A few plies more, as the engine would play them for both sides."""
    limit = None if board.is_over() else asked.part(ENGINE_NODES, 0.5)
    if limit is None:
        return ()
    return tuple(player("engine").search(board, limit, cancel=asked.cancel).pv[: SHOWN - 1])


def _timed(found: Feedback, asked: _Asked) -> Feedback:
    return replace(found, nodes=asked.nodes, elapsed=asked.elapsed)
