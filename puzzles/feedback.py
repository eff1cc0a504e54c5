"""What a move in a puzzle is worth, said at once: how it wins, or what refutes it, or that this is not settled.

A move that wins is never called a failure. Attacks are tried first, then the defender's own attacks, and then each
reply is answered by attacks or by one quiet move and attacks (:mod:`puzzles.refuting`). A move is refused only if the
defender wins by force after it, or if after one of his replies all of this was tried, nothing wins, and the engine does
not see the attacker ahead. A search that the time has cut short refuses nothing. Otherwise the move is *unsettled*, and
the game goes on with the engine's reply.

>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e5"], white=["d4", "e4", "g6"])
>>> found = feedback(board, "f5")
>>> found.verdict, found.plies
(<MoveVerdict.SOONEST: 'soonest'>, 2)
>>> found = feedback(board, "a1")
>>> found.verdict, board.name(found.reply) in {"b5", "f5"}, found.exhausted
(<MoveVerdict.REFUTED: 'refuted'>, True, 'no win by attacks, nor by one quiet move and attacks')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from time import perf_counter

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.rules import Rule
from puzzles.refuting import Answers, Outcome, Refuting
from search import Cancel, Limit, Proof, SearchResult, Solution, Solver, Status, player, verify, wins_within
from search.natural import natural_order
from search.quiet import bits
from search.within import EVERY_MOVE

NODES = 200_000
"""For each question to the solver, unless a limit says less."""
REPLIES_NODES = 1_000_000
"""For all replies to a move that does not win by attacks."""
ENGINE_NODES = 20_000
GATE_NODES = 30_000
"""For quiet wins after a reply that seems to refute the move."""
QUIET_NODES = 300_000
"""For quiet wins after each reply that is left."""
MOST_PENDING = 4
"""With more replies left than these no more are tried."""
LEAST_LEFT = 0.02
"""With fewer seconds left nothing more is asked."""
SHOWN = 8
"""Plies of a refutation that ends with no five."""
MEMORY = 64 << 20
WHOLE = ("nodes", "quiet")
"""What stops a search for quiet wins that has used all its nodes, or tried all its moves."""
CUT_SHORT = ("seconds", "cancelled")
"""What stops a search of the engine before its last node."""
DENIED = "no win by attacks, nor by one quiet move and attacks"


class MoveVerdict(StrEnum):
    """What is said of a move."""

    SOONEST = "soonest"
    """It wins, and no move wins sooner."""
    WINS = "wins"
    """It wins; another move may win sooner."""
    LOSES = "loses"
    """The defender wins by force."""
    REFUTED = "refuted"
    """After the reply nothing wins of what was tried, which ``exhausted`` names."""
    UNSETTLED = "unsettled"
    """It is not known whether the move wins."""


@dataclass(frozen=True)
class Feedback:
    """What came of a move of the attacker.

    ``PROVEN`` says that it wins, in at most ``plies`` more; ``reply`` is the best defence, and ``proof`` has been
    replayed by the verifier in C. If ``exact``, the move does not win in fewer plies; if not, name no number or say
    "at most". ``DISPROVEN`` says that ``reply`` refutes the move, and ``line`` shows how it goes on. Where the defender
    wins by force, the line goes on to his five, after ``loses_in`` plies; elsewhere ``exhausted`` names what was tried
    after the reply. ``UNKNOWN`` says that nothing was settled; then ``reply`` is the engine's, so that the game can go
    on.
    """

    move: Cell
    status: Status
    plies: int | None = None
    reply: Cell | None = None
    line: tuple[Cell, ...] = ()
    loses_in: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    exact: bool = False
    soonest: bool = False
    exhausted: str | None = None
    proof: Proof | None = None

    @property
    def still_wins(self) -> bool:
        return self.status is Status.PROVEN

    @property
    def refused(self) -> bool:
        """Whether the move was shown to be wrong; only this may cost anything."""
        return self.status is Status.DISPROVEN

    @property
    def verdict(self) -> MoveVerdict:
        if self.status is Status.PROVEN:
            return MoveVerdict.SOONEST if self.soonest else MoveVerdict.WINS
        if self.status is Status.UNKNOWN:
            return MoveVerdict.UNSETTLED
        return MoveVerdict.REFUTED if self.loses_in is None else MoveVerdict.LOSES


def feedback(
    board: Board,
    move: CellLike,
    limit: Limit | None = None,
    *,
    within: int | None = None,
    cancel: Cancel | None = None,
) -> Feedback:
    """Return what a move of the side to move does for its win; ``within`` is how many plies the win is known to take.

    Without a limit the answer depends on nothing but the position. A limit on the seconds goes for everything.
    """
    if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
        raise SuiteError(f"wins are proven under freestyle, standard and renju, not under {board.rule.value}")
    after = board.copy(moves=False)
    after.push(move)
    cell = after.moves[-1].cell
    asked = _Asked(limit or Limit(nodes=100 * NODES), cancel)
    if after.winner() is not None:
        return Feedback(cell, Status.PROVEN, plies=0, exact=True, soonest=True)
    if after.is_full():
        return Feedback(cell, Status.DISPROVEN, exhausted="the board is full")
    found = _by_attack(board, cell, within, asked) or _by_the_defender(after, cell, asked)
    found = found or _Replies(board, after, cell, within, asked).judge()
    return replace(found, nodes=asked.nodes, elapsed=asked.elapsed)


class _Asked:
    """Questions to the solver and to the engine, counted against one limit."""

    def __init__(self, limit: Limit, cancel: Cancel | None) -> None:
        self.limit, self.cancel = limit, cancel
        self.began = perf_counter()
        self.nodes = 0

    @property
    def elapsed(self) -> float:
        return perf_counter() - self.began

    def has(self, nodes: int) -> bool:
        """Whether the limit leaves so many nodes."""
        return self.limit.nodes is None or self.limit.nodes - self.nodes >= nodes

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
        mode: str = "full",
    ) -> Solution:
        """The solver's answer; with ``first`` only that move is tried as the first."""
        limit = self.part(nodes, share, depth)
        if limit is None or board.is_full():
            return Solution(Status.UNKNOWN, stopped_by="cancelled" if limit is None else "complete")
        others = [] if first is None else [cell for cell in board.legal_moves() if cell != first]
        found = _solver().solve(board, limit, mode=mode, without=others, cancel=self.cancel)
        self.nodes += found.nodes
        return found


@lru_cache(maxsize=1)
def _solver() -> Solver:
    return Solver(memory=MEMORY)


# ---------------------------------------------------------------------- attacks of either side


def _by_attack(board: Board, move: Cell, within: int | None, asked: _Asked) -> Feedback | None:
    """The move as the first of an attack that wins, as short as it can be shown in a moment."""
    proof = _replayed(asked.solve(board, first=move).proof)
    if proof is None:
        return None
    for depth in _shorter(proof.length, within):
        shorter = _replayed(asked.solve(board, NODES // 10, first=move, depth=depth, share=0.2).proof)
        if shorter is not None:
            proof = shorter
            break
    return _won(board, move, proof, within, asked)


def _replayed(proof: Proof | None) -> Proof | None:
    """The proof if the verifier accepts it; nothing is said to win that it refuses."""
    return proof if proof is not None and verify(proof, native=True, thorough=False) else None


def _shorter(length: int, within: int | None) -> Iterator[int]:
    """The lengths to ask for: from what is known to be possible up to what was found."""
    if within is not None and within % 2 == length % 2:
        yield from range(max(1, within), length, 2)


def _won(board: Board, move: Cell, proof: Proof, within: int | None, asked: _Asked) -> Feedback:
    """What is said of a move with a proof that it wins."""
    length = proof.length
    if within is not None and within % 2 and length > within and _wins_as_soon(board, move, proof, within, asked):
        length = within
    after = board.copy(moves=False)
    after.push(move)
    reply = _best_defence(after, proof.lengths())
    sooner = None if within is None else length > within
    exact = sooner is False or _denied(board, length - 2, move, asked)
    soonest = _denied(board, length - 2, None, asked) if sooner is None else not sooner
    return Feedback(move, Status.PROVEN, length - 1, reply, exact=exact, soonest=soonest, proof=proof)


def _best_defence(after: Board, lengths: dict[Cell, int]) -> Cell:
    most = max(lengths.values())
    return natural_order(after, [cell for cell, plies in lengths.items() if plies == most])[0]


def _wins_as_soon(board: Board, move: Cell, proof: Proof, plies: int, asked: _Asked) -> bool:
    """Whether attacks after each reply win within so many plies in all, whatever the proof takes.

    The replies that hold out longest against the proof come first, so that most moves need one search.
    """
    after = board.copy(moves=False)
    after.push(move)
    lengths = proof.lengths()
    for reply in sorted(lengths, key=lambda cell: -lengths[cell]):
        then = after.copy(moves=False)
        then.push(reply)
        if plies < 3 or asked.solve(then, NODES // 10, depth=plies - 2, share=0.2).proof is None:
            return False
    return True


def _denied(board: Board, plies: int, move: Cell | None, asked: _Asked) -> bool:
    """Whether no win within so many plies begins with this move, or with any: all moves are tried."""
    if plies < 1:
        return True
    limit = asked.part(NODES, 0.2)
    if board.rule is not Rule.FREESTYLE or plies > EVERY_MOVE or limit is None:
        return False
    others = [] if move is None else [cell for cell in board.legal_moves() if cell != move]
    return wins_within(board, plies, without=others, limit=limit, cancel=asked.cancel) is Status.DISPROVEN


def _by_the_defender(after: Board, move: Cell, asked: _Asked) -> Feedback | None:
    """The defender's own win by force."""
    proof = _replayed(asked.solve(after).proof)
    if proof is None:
        return None
    line = proof.main_line()
    return Feedback(move, Status.DISPROVEN, reply=line[0], line=line, loses_in=len(line), proof=proof)


# ---------------------------------------------------------------------- every reply


class _Replies:
    """The replies to a move, each with a win against it, or one of them that refutes the move."""

    def __init__(self, board: Board, after: Board, move: Cell, within: int | None, asked: _Asked) -> None:
        self.board, self.after, self.move, self.within, self.asked = board, after, move, within, asked

    def judge(self) -> Feedback:
        chosen = self._engine(self.after)
        first = None if chosen is None else chosen.move
        limit = self.asked.part(REPLIES_NODES, 0.8)
        found = None
        if limit is not None:
            with Refuting(self.board, limit, self.asked.cancel) as search:
                found = self._searched(search, first)
            self.asked.nodes += search.nodes
        return found or self._unsettled(first)

    def _searched(self, search: Refuting, first: Cell | None) -> Feedback | None:
        after, answers, pending = search.position(self.move), Answers(search), list[Cell]()
        left = search.legal_replies(after)
        passed = search.threat(after)
        if passed:
            left = answers.add(None, left)
        for reply in self._likely(left, first, search.threatened):
            if not left >> (index := self.after.index(reply)) & 1:
                continue
            outcome = search.outcome(after, index)
            if outcome is Outcome.WON:
                left = answers.add(index, left)
            elif outcome is Outcome.OPEN:
                pending.append(reply)
            elif (won := self._quiet_win(reply, GATE_NODES, answers)) is not True:
                if won is False and (line := self._refutation(reply)) is not None:
                    return Feedback(self.move, Status.DISPROVEN, reply=reply, line=line, exhausted=DENIED)
                pending.append(reply)
            if search.stopped or len(pending) > MOST_PENDING:
                return None
        if self.board.rule is Rule.RENJU and not passed:
            return None
        return self._proven(answers) if all(self._quiet_win(one, QUIET_NODES, answers) for one in pending) else None

    def _quiet_win(self, reply: Cell, nodes: int, answers: Answers) -> bool | None:
        """Return whether quiet moves win after a reply, and note the win; None if there was no time for all nodes."""
        then = self.after.copy(moves=False)
        then.push(reply)
        if then.is_over():
            return False
        whole = self.asked.has(nodes)
        found = self.asked.solve(then, nodes, share=0.5, mode="any")
        if found.proof is not None:
            answers.replies[reply] = found.proof.tree
            return True
        return False if whole and found.stopped_by in WHOLE else None

    def _proven(self, answers: Answers) -> Feedback | None:
        proof = _replayed(Proof(self.board, answers.attack(self.move)))
        return None if proof is None else _won(self.board, self.move, proof, self.within, self.asked)

    def _likely(self, left: int, first: Cell | None, threatened: Cell | None) -> list[Cell]:
        """The replies, those first that are likely to refute the move."""
        order = natural_order(self.after, [self.after.at(index) for index in bits(left)])
        return sorted(order, key=lambda cell: (cell != first, cell != threatened))

    def _refutation(self, reply: Cell) -> tuple[Cell, ...] | None:
        """The reply and how the engine goes on; None if it sees the attacker ahead, or was cut short.

        A reply after which one quiet move was denied may still lose to a longer quiet win. Where it does, the engine
        mostly sees the attacker ahead; ``.ci/judging.py`` looks for refusals where it does not.
        """
        then = self.after.copy(moves=False)
        then.push(reply)
        if then.is_over():
            return (reply,)
        whole = self.asked.has(ENGINE_NODES)
        found = self._engine(then)
        if found is None or not whole or found.stopped_by in CUT_SHORT or found.score * then.turn.sign > 0:
            return None
        return reply, *found.pv[: SHOWN - 1]

    def _unsettled(self, first: Cell | None) -> Feedback:
        reply = first or natural_order(self.after, self.after.legal_moves())[0]
        return Feedback(self.move, Status.UNKNOWN, reply=reply)

    def _engine(self, board: Board) -> SearchResult | None:
        limit = self.asked.part(ENGINE_NODES, 0.5)
        return None if limit is None else player("engine").search(board, limit, cancel=self.asked.cancel)
