"""The checker: is a proof true? It believes nothing but ``Board`` and ``rules``.

At every attack the attacker's move is put on the board. At every defence each legal reply is put on the board: it
must not make five, and either it has an attack of its own, or the threat is replayed against it, move by move, with
the defender free to make five whenever he can. Every position is a task of its own, so a deep tree costs no recursion,
and an attack that several lines reach in the same position is checked once.

Not ``thorough``, the checker replays a threat only against replies that could matter to it, which takes a tenth of the
time: the other replies cannot matter, because they lie on no cell of the threat, its fives and its forced answers, and
no five of the defender would go through them even if no stone of the threat were in its way. Under renju, where a stone
far away may decide what is forbidden, every reply is replayed anyway.

>>> from gomoku_patterns import Board
>>> board = Board(5, black=["b3", "c3", "d3"], white=["b1", "c1", "d1"], turn="black")
>>> lines = {"threat": ["e3"], "replies": {"e3": {"move": "e1"}}}
>>> from gomoku_patterns.notation import json_position
>>> proof = {"version": 1, "position": json_position(board), "attacker": "black", "tree": {"move": "a3", "then": lines}}
>>> print(verify(proof, board))
refused after 18 replies: after a3 e3 nothing follows e1, and it does not make five
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import EMPTY, Cell, Colour
from gomoku_patterns.errors import GomokuError, ProofError
from gomoku_patterns.lines import lines
from gomoku_patterns.rules import Rule
from search.proof import Attack, Defence, Proof

MOST_REPLIES = 5_000_000
"""A check that has put this many replies on the board gives up and refuses: no proof keeps it busy for ever."""

RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)
"""Those for which there are proofs."""


@dataclass(frozen=True)
class Verdict:
    """What the checker says. True as a truth value when the proof is accepted."""

    accepted: bool
    replies_checked: int
    reason: str
    elapsed: float

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        said = "accepted" if self.accepted else "refused"
        return f"{said} after {self.replies_checked} replies" + (f": {self.reason}" if self.reason else "")


def verify(
    proof: Proof | Mapping[str, Any] | str,
    board: Board | None = None,
    *,
    most_replies: int = MOST_REPLIES,
    thorough: bool = True,
) -> Verdict:
    """Whether a proof (or its JSON value or text) proves a win for the side to move, in ``board`` if given.

    Whatever is handed in, the answer is a verdict: what is not a proof at all is refused with the reason. It is
    the same answer whether ``thorough`` or not: see the top of this module.
    """
    started, verifier, reason = perf_counter(), _Verifier(most_replies, thorough), ""
    try:
        verifier.judge(_claim(proof), board)
    except GomokuError as error:
        reason = str(error)
    return Verdict(not reason, verifier.replies, reason, perf_counter() - started)


def _claim(proof: Proof | Mapping[str, Any] | str) -> Proof:
    if isinstance(proof, str):
        return Proof.parse(proof)
    return proof if isinstance(proof, Proof) else Proof.from_json(proof)


class _Verifier:
    def __init__(self, most_replies: int, thorough: bool) -> None:
        self.replies = 0
        self.most_replies = most_replies
        self.thorough = thorough

    def judge(self, claim: Proof, board: Board | None) -> None:
        """Raise :class:`ProofError` unless the claim holds."""
        position = claim.position
        if board is not None and board != position:
            raise ProofError("expected a proof for this position, found one for another")
        if position.rule not in RULES:
            raise ProofError(f"expected freestyle, standard or renju, found {position.rule.value!r}")
        if winner := rules.winner(position):
            raise ProofError(f"expected a game that goes on, found one that {winner} has won")
        self._check_all(position, claim.tree)

    def _check_all(self, position: Board, tree: Attack) -> None:
        tasks: list[tuple[tuple[Cell, ...], Attack]] = [((), tree)]
        met = set()
        while tasks:
            path, attack = tasks.pop()
            board = _after(position, path)
            if (task := (board.flat, id(attack))) not in met:
                met.add(task)
                tasks += [((*path, attack.move, reply), below) for reply, below in self._check_attack(board, attack)]

    def _check_attack(self, board: Board, attack: Attack) -> Iterable[tuple[Cell, Attack]]:
        """The replies whose own attacks are still to be checked."""
        name = board.name(attack.move)
        if fault := _illegal(board, attack.move):
            raise ProofError(f"{_said(board)}the attacker cannot play {name}: {fault}")
        five = rules.makes_five(board, attack.move, board.turn)
        if attack.then is None:
            if not five:
                raise ProofError(f"{_said(board)}nothing follows {name}, and it does not make five")
            return ()
        if five:
            raise ProofError(f"{_said(board)}{name} makes five, and yet something follows")
        board.push(attack.move)
        self._check_defence(board, attack.then)
        return attack.then.replies.items()

    def _check_defence(self, board: Board, defence: Defence) -> None:
        legal = rules.legal_moves(board)
        for answered in defence.replies:
            if answered not in legal:
                raise ProofError(f"{_said(board)}the reply {board.name(answered)} is not legal")
        if board.is_full():
            raise ProofError(f"{_said(board)}the board is full: a draw")
        fives = rules.winning_cells(board, board.turn)
        replies: Sequence[Cell | None] = legal or [None]
        harmless = set() if self.thorough else _harmless(board, legal, defence.threat)
        for reply in replies:
            self._count()
            if reply in fives:
                raise ProofError(f"{_said(board)}the reply {board.name(reply)} makes five")
            if reply in harmless or reply in defence.replies:
                continue
            if fault := _threat_fault(board, reply, defence.threat):
                escape = f"the reply {board.name(reply)} escapes" if reply else "passing escapes"
                raise ProofError(f"{_said(board)}{escape}: {fault}")

    def _count(self) -> None:
        self.replies += 1
        if self.replies > self.most_replies:
            raise ProofError(f"expected at most {self.most_replies} replies to check, found more")


def _after(position: Board, path: Iterable[Cell]) -> Board:
    board = position.copy()
    for cell in path:
        board.push(cell)
    return board


def _illegal(board: Board, cell: Cell) -> str | None:
    """Why the side to move may not play here."""
    if not board.is_empty(cell):
        return "the cell is occupied"
    if board.turn is Colour.BLACK and rules.is_forbidden(board, cell):
        return "it is forbidden"
    return None


def _threat_fault(
    board: Board, reply: Cell | None, threat: Iterable[Cell], used: dict[Cell, Colour] | None = None
) -> str | None:
    """Why the threat does not win against this reply (None: the defender can only pass), or None if it does.

    ``used`` gets the cells of the threat that were played, and as the defender's the fives that he has to answer.
    """
    replay = board.copy(moves=False)
    used = {} if used is None else used
    if reply is None:
        replay.turn = board.turn.opponent
    else:
        replay.push(reply)
    attacker, defender = replay.turn, replay.turn.opponent
    for cell in threat:
        if fault := _illegal(replay, cell):
            return f"the attacker cannot go on with {board.name(cell)}: {fault}"
        used[cell] = attacker
        if rules.makes_five(replay, cell, attacker):
            return None
        replay.push(cell)
        if fives := rules.winning_cells(replay, defender):
            return f"after {board.name(cell)} the defender makes five with {board.name(fives[0])}"
        fives = rules.winning_cells(replay, attacker)
        if not fives:
            return f"{board.name(cell)} makes no four"
        used |= dict.fromkeys(fives, defender)
        if len(fives) > 1 or _illegal(replay, fives[0]):
            return None
        replay.push(fives[0])
    return "the threat ends without a five"


def _harmless(board: Board, legal: Iterable[Cell], threat: Sequence[Cell]) -> set[Cell]:
    """Replies against which the threat wins just as it does when the defender passes."""
    used: dict[Cell, Colour] = {}
    if board.rule is Rule.RENJU or _threat_fault(board, None, threat, used):
        return set()
    answered = bytearray(board.flat)
    for cell, colour in used.items():
        if colour is board.turn:
            answered[cell.row * board.cols + cell.col] = colour
    near = _makes_four(bytes(answered), board.rows, board.cols, board.turn)
    return {cell for cell in legal if cell not in used and cell.row * board.cols + cell.col not in near}


def _makes_four(flat: bytes, rows: int, cols: int, colour: Colour) -> set[int]:
    """The empty places of all rows of five that hold three or more stones of this colour and none of the other."""
    found: set[int] = set()
    for line in lines(rows, cols):
        for start in range(len(line) - 4):
            five = line[start : start + 5]
            stones = [flat[place] for place in five]
            if stones.count(colour) >= 3 and colour.opponent not in stones:
                found.update(place for place in five if flat[place] == EMPTY)
    return found


def _said(board: Board) -> str:
    """The plies from the proof's position to this one, to begin a reason with."""
    names = " ".join(board.name(move.cell) for move in board.moves)
    return f"after {names} " if names else ""
