"""Verifying: is a proof true? This module believes nothing but ``Board`` and ``rules``.

At every attack the attacker's move is put on the board. At every defence each legal reply is put on the board, and the
pass where the defender may pass. No reply may make five, and each has to be answered: by an attack of its own; or by
the threat, replayed move by move with the defender free to make five whenever he can; or by one of the defaults, which
is verified like any other attack, with the reply on the board. The first of these that wins counts. Nothing recurses,
however deep a proof is, and an attack that several lines reach in the same position is verified once.

An attack that is proven in another part holds if its position is among those that are given as proven
(:mod:`search.parts`); in a proof of one file it is refused.

Not ``thorough``, the verifier skips replies that cannot matter (see :mod:`search.zone`): the threat or the default is
verified once with the defender passing, and then answers every reply outside its zone. That takes a tenth of the time
and gives the same verdict. Under renju, where a stone far away may decide what is forbidden, nothing is skipped.

>>> from gomoku_patterns import Board
>>> board = Board(5, black=["b3", "c3", "d3"], white=["b1", "c1", "d1"], turn="black")
>>> lines = {"threat": ["e3"], "replies": {"e3": {"move": "e1"}}}
>>> from gomoku_patterns.notation import json_position
>>> proof = {"version": 1, "position": json_position(board), "attacker": "black", "tree": {"move": "a3", "then": lines}}
>>> print(verify(proof, board))
refused after 18 replies: after a3 e3 nothing follows e1, and it does not make five
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from os import urandom
from time import perf_counter
from typing import Any, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import GomokuError, ProofError
from gomoku_patterns.rules import Rule
from search.proof import ELSEWHERE, Attack, Defence, Proof, children, leaves_first
from search.proof_binary import position_of
from search.zone import Zones

MOST_WORK = 5_000_000
"""A proof that takes more replies and stones than this is refused: none keeps the verifier busy for ever."""

MOST_NATIVE_WORK = 1_000_000_000
"""The same for the native verifier."""

MOST_KEPT = 50_000
"""So many verified attacks are remembered: no proof fills the memory."""

RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)
"""Those for which there are proofs."""


@dataclass(frozen=True)
class Verdict:
    """What the verifier says. True as a truth value when the proof is accepted.

    ``replies_checked`` are the replies, and passes, that were put on the board and answered. Two verifiers need not
    agree on them, since each remembers what it has verified in a way of its own.
    """

    accepted: bool
    replies_checked: int
    reason: str
    elapsed: float

    def __post_init__(self) -> None:
        if not self.accepted and not self.reason:
            object.__setattr__(self, "reason", "the verifier did not accept it and gave no reason")

    def __bool__(self) -> bool:
        return self.accepted

    def __str__(self) -> str:
        said = "accepted" if self.accepted else "refused"
        replies = "1 reply" if self.replies_checked == 1 else f"{self.replies_checked} replies"
        return f"{said} after {replies}" + (f": {self.reason}" if self.reason else "")


def verify(
    proof: Proof | Mapping[str, Any] | str | bytes,
    board: Board | None = None,
    *,
    most_work: int | None = None,
    thorough: bool = True,
    native: bool = False,
) -> Verdict:
    """Whether a proof (or its JSON or binary form) shows a win for the side to move, in ``board`` if given.

    The answer is always a verdict: what is not a proof at all is refused with the reason. It is the same answer whether
    ``thorough`` or not, unless ``most_work`` cuts it short: see the top of this module. ``native`` asks the second
    verifier, which is written in C from the specification and is some hundred times as fast.
    """
    started = perf_counter()
    most = most_work if most_work is not None else MOST_NATIVE_WORK if native else MOST_WORK
    try:
        if native:
            data = proof if isinstance(proof, bytes) else _claim(proof).to_bytes()
            if board is not None:
                _check_board(position_of(data), board)
            found = judge_bytes(data, most, thorough)
        else:
            claim = _claim(proof)
            _check_board(claim.position, board)
            found = judge_tree(claim, most, thorough)
    except GomokuError as error:
        found = Judgement(False, 0, 0, str(error), [])
    return Verdict(found.accepted, found.replies, found.reason, perf_counter() - started)


class Judgement(NamedTuple):
    """What a verifier says of one file: ``work`` are the replies looked at and the stones put down, ``rests_on`` the
    positions proven in other parts that the proof needs, each as its least image."""

    accepted: bool
    replies: int
    work: int
    reason: str
    rests_on: list[bytes]


def judge_bytes(data: bytes, most_work: int, thorough: bool, proven: Collection[bytes] | None = None) -> Judgement:
    """Have the native verifier judge a proof in binary form; ``proven`` are the positions that other parts prove."""
    from search._verifier import judge

    known = None if proven is None else sorted(proven)
    try:
        accepted, replies, work, reason, used = judge(
            data, most_work, int.from_bytes(urandom(8)), thorough, None if known is None else b"".join(known)
        )
    except MemoryError:
        return Judgement(False, 0, 0, "gave up: there is not enough memory to verify this proof", [])
    return Judgement(accepted, replies, work, reason, [known[number] for number in used] if known else [])


def judge_tree(proof: Proof, most_work: int, thorough: bool, proven: Collection[bytes] | None = None) -> Judgement:
    """Judge a proof as :func:`judge_bytes` does, in Python."""
    work, accepted, reason = _Work(most_work), False, ""
    verifier = _Verifier(proof, work, thorough, proven)
    try:
        _check_position(proof.position)
        accepted = verifier.holds()
    except GomokuError as error:
        reason = str(error)
    return Judgement(accepted, work.replies, work.steps, reason, sorted(verifier.used))


def judge_of(proof: Proof, most_work: int = MOST_WORK) -> _Verifier:
    """A verifier for single questions about a proof; ``most_work`` is for all of them together."""
    return _Verifier(proof, _Work(most_work), thorough=False)


def _claim(proof: Proof | Mapping[str, Any] | str | bytes) -> Proof:
    if isinstance(proof, str):
        return Proof.parse(proof)
    if isinstance(proof, bytes):
        return Proof.from_bytes(proof)
    return proof if isinstance(proof, Proof) else Proof.from_json(proof)


def _check_board(position: Board, board: Board | None) -> None:
    if board is not None and board != position:
        raise ProofError(f"the proof is for another position: {described(position)}")


def _check_position(position: Board) -> None:
    if position.rule not in RULES:
        raise ProofError(f"expected freestyle, standard or renju, found {position.rule.value!r}")
    if winner := rules.winner(position):
        raise ProofError(f"{winner} has won already; there is nothing to prove")


def described(board: Board) -> str:
    """A position in a message: size, rule, stones and whose turn it is.

    >>> described(Board(black=["h8"], white=["h9"]))
    '15x15 freestyle, black h8, white h9, black to move'
    """
    stones = [" ".join([str(colour), *map(board.name, board.stones(colour))]) for colour in Colour]
    return f"{board.rows}x{board.cols} {board.rule}, {', '.join(stones)}, {board.turn} to move"


class _Work:
    """Counts what was done, and refuses to do more than was allowed."""

    def __init__(self, most: int) -> None:
        self.replies, self.steps, self.most = 0, 0, most

    def count(self, steps: int = 1) -> None:
        """Count replies that are looked at and stones that are put down. ``replies`` are those that were played."""
        self.steps += steps
        if self.steps > self.most:
            raise _TooMuchError(f"gave up: this proof takes more than {self.most:,} replies and stones to verify")


class _TooMuchError(ProofError):
    """Not the fault of one reply: no other answer is tried."""


class _Line(NamedTuple):
    """Whether a line of fours wins, and its zone or why it does not."""

    wins: bool
    zone: int = 0
    fault: str = ""


class _Task(NamedTuple):
    """An attack to verify on a board. ``extra``: against so many more stones of the defender, outside of its zone.
    ``inside``: within a default, where a stone may stand on a cell that the proof names as a reply."""

    attack: Attack
    extra: int = 0
    inside: bool = False


Steps = Generator["Steps", int, int]
"""Verifies something in steps that :func:`_run` takes, and gives its zone, or raises :class:`ProofError`."""


def _run(steps: Steps) -> int:
    """Take the steps of a generator and of all that it waits for, without recursion."""
    waiting = [steps]
    zone: Any = None
    fault: ProofError | None = None
    while waiting:
        try:
            below = waiting[-1].throw(fault) if fault else waiting[-1].send(zone)
        except StopIteration as done:
            waiting.pop()
            zone, fault = done.value, None
        except ProofError as error:
            waiting.pop()
            fault = error
        else:
            waiting.append(below)
            zone, fault = None, None
    if fault is not None:
        raise fault
    return int(zone)


class _Verifier:
    """Verifies one proof."""

    def __init__(self, proof: Proof, work: _Work, thorough: bool, proven: Collection[bytes] | None = None) -> None:
        self.position = proof.position
        self.passing = proof.passing
        self.tree = proof.tree
        self.work = work
        self.zones = Zones(self.position.rows, self.position.cols)
        self.skipping = not thorough and self.position.rule is not Rule.RENJU
        uses = Counter(id(child) for attack in leaves_first(proof.tree) for child in children(attack))
        self.shared = {node for node, times in uses.items() if times > 1}
        self.met: dict[tuple[bytes, int, int, bool], int] = {}
        self.proven = proven
        self.used: set[bytes] = set()
        """Which of ``proven`` the proof rests on."""

    def holds(self) -> bool:
        """Whether the proof holds; :class:`ProofError` says why it does not."""
        if self.tree.move == ELSEWHERE and self.proven is not None:
            raise ProofError("the part needs its own position")
        zone = _run(self.attack(self.position.copy(), _Task(self.tree)))
        return self.zones.holds(zone, self.tree.move)

    def attack(self, board: Board, task: _Task) -> Steps:
        """Verify an attack; the board stands before its move."""
        attack, extra, inside = task
        if attack.move == ELSEWHERE:
            return self._elsewhere(board, extra)
        key = (board.flat, id(attack), extra, inside)
        if key in self.met:
            return self.met[key]
        self.work.count()
        zone = self.zones.of((attack.move,))
        if not _wins_at_once(board, attack):
            if attack.then is None:
                raise ProofError(f"{_said(board)}nothing follows {board.name(attack.move)}")
            with _with_stone(board, attack.move):
                zone |= yield self._defence(board, attack.then, extra, inside)
        if id(attack) in self.shared and len(self.met) < MOST_KEPT:
            self.met[key] = zone
        return zone

    def _elsewhere(self, board: Board, extra: int) -> int:
        """Verify that another part proves the position, and give the whole board for its zone.

        Against further stones nothing is known of it: where that is the question it does not count, so that the
        replies are played one by one.
        """
        if self.proven is None:
            raise ProofError(f"{_said(board)}the proof goes on in another part")
        if extra:
            raise ProofError(f"{_said(board)}the proof goes on in another part, which says nothing of further stones")
        self.work.count()
        position = least_image(board)
        if position not in self.proven:
            raise ProofError(f"{_said(board)}the proof goes on in another part, and no part proves this position")
        self.used.add(position)
        return self.zones.everything

    def _defence(self, board: Board, defence: Defence, extra: int, inside: bool) -> Steps:
        """Verify that each reply is answered; the board stands after the attacker's move."""
        legal = rules.legal_moves(board)
        if not inside and (wrong := next((cell for cell in defence.replies if cell not in legal), None)):
            raise ProofError(f"{_said(board)}the reply {board.name(wrong)} is not legal")
        if board.is_full():
            raise ProofError(f"{_said(board)}the board is full: a draw")
        replies: list[Cell | None] = [*legal] if legal and not self.passing else [*legal, None]
        fives = rules.winning_cells(board, board.turn)
        zone = 0
        won: list[int] = []
        if self.skipping:
            zone = self.zones.near_fives(board, board.turn, extra)
            with _with_pass(board):
                line = self._line(board, defence.threat, extra + 1)
                won += [line.zone] if line.wins else []
                for default in defence.defaults:
                    if all(reply in defence.replies or self._skipped(reply, won) for reply in replies):
                        break
                    try:
                        won.append((yield self.attack(board, _Task(default, extra + 1, inside=True))))
                    except _TooMuchError:
                        raise
                    except ProofError:
                        continue
        for reply in replies:
            self.work.count()
            if reply in fives:
                raise ProofError(f"{_said(board)}the reply {board.name(reply)} makes five")
            if reply not in defence.replies and not self._skipped(reply, won):
                zone |= yield self._unnamed(board, defence, reply, extra)
        for reply, below in defence.replies.items():
            if board.is_empty(reply) and reply in legal:
                self.work.replies += 1
                with _with_stone(board, reply):
                    zone |= yield self.attack(board, _Task(below, extra, inside))
        return zone | _joined(won)

    def is_answered(self, board: Board, defence: Defence) -> bool:
        """Whether the threat or a default wins on this board, where a reply stands."""
        self.work.count()
        return self._line(board.copy(), defence.threat, 0).wins or self.first_default(board, defence) is not None

    def default_for(self, board: Board, defence: Defence) -> Attack | None:
        """The default that wins on this board, where the reply stands; None if the threat does, or nothing."""
        self.work.count()
        if self._line(board.copy(), defence.threat, 0).wins:
            return None
        return self.first_default(board, defence)

    def first_default(self, board: Board, defence: Defence) -> Attack | None:
        """The first default that wins on this board, where a reply stands."""
        for default in defence.defaults:
            try:
                _run(self.attack(board.copy(), _Task(default, inside=True)))
            except _TooMuchError:
                raise
            except ProofError:
                continue
            return default
        return None

    def _skipped(self, reply: Cell | None, won: Iterable[int]) -> bool:
        """Whether something that wins when the defender passes wins against this reply for that reason."""
        return any(reply is None or not self.zones.holds(zone, reply) for zone in won)

    def _unnamed(self, board: Board, defence: Defence, reply: Cell | None, extra: int) -> Steps:
        """Verify that the threat or a default wins against a reply without an attack of its own."""
        said = _said(board)
        self.work.count()
        self.work.replies += 1
        with _with_stone(board, reply) if reply else _with_pass(board):
            line = self._line(board, defence.threat, extra)
            if line.wins:
                return line.zone
            fault = line.fault
            for default in defence.defaults:
                try:
                    return (yield self.attack(board, _Task(default, extra, inside=True)))
                except _TooMuchError:
                    raise
                except ProofError as error:
                    fault = str(error)
        escape = f"the reply {board.name(reply)} escapes" if reply else "passing escapes"
        raise ProofError(f"{said}{escape}: {fault}")

    def _line(self, board: Board, line: Iterable[Cell], extra: int) -> _Line:
        """Whether a line of fours wins, the attacker to move."""
        attacker, zone, played = board.turn, 0, 0
        try:
            for cell in line:
                if fault := _illegal(board, cell):
                    return _Line(False, fault=f"the attacker cannot go on with {board.name(cell)}: {fault}")
                zone |= self.zones.of((cell,))
                if rules.makes_five(board, cell, attacker):
                    return _Line(True, zone)
                board.push(cell)
                self.work.count()
                played += 1
                if fives := rules.winning_cells(board, attacker.opponent):
                    said = f"after {board.name(cell)} the defender makes five with {board.name(fives[0])}"
                    return _Line(False, fault=said)
                fives = rules.winning_cells(board, attacker)
                if not fives:
                    return _Line(False, fault=f"{board.name(cell)} makes no four")
                if self.skipping:
                    zone |= self.zones.of(fives[:2]) | self.zones.near_fives(board, attacker.opponent, extra)
                if len(fives) > 1 or _illegal(board, fives[0]):
                    return _Line(True, zone)
                board.push(fives[0])
                played += 1
            return _Line(False, fault="the threat ends without a five")
        finally:
            for _ in range(played):
                board.pop()


def least_image(board: Board) -> bytes:
    """The stones of a position as its images under the symmetries of the board share them."""
    images = [board.transform(symmetry) for symmetry in range(8)]
    return min(image.flat for image in images if (image.rows, image.cols) == (board.rows, board.cols))


def _joined(zones: Iterable[int]) -> int:
    joined = 0
    for zone in zones:
        joined |= zone
    return joined


def _wins_at_once(board: Board, attack: Attack) -> bool:
    """Whether an attack's move makes five; an error if it cannot be played, or if what follows contradicts it."""
    name = board.name(attack.move)
    if fault := _illegal(board, attack.move):
        raise ProofError(f"{_said(board)}the attacker cannot play {name}: {fault}")
    five = rules.makes_five(board, attack.move, board.turn)
    if five and attack.then:
        raise ProofError(f"{_said(board)}{name} makes five, and yet something follows")
    if not five and not attack.then:
        raise ProofError(f"{_said(board)}nothing follows {name}, and it does not make five")
    return five


def _illegal(board: Board, cell: Cell) -> str | None:
    """Why the side to move may not play here."""
    if not board.is_empty(cell):
        return "the cell is occupied"
    if board.turn is Colour.BLACK and rules.is_forbidden(board, cell):
        return "it is forbidden"
    return None


@contextmanager
def _with_stone(board: Board, cell: Cell) -> Iterator[None]:
    """The side to move plays here, for the time being."""
    board.push(cell)
    try:
        yield
    finally:
        board.pop()


@contextmanager
def _with_pass(board: Board) -> Iterator[None]:
    """The side to move passes, for the time being."""
    board.turn = board.turn.opponent
    try:
        yield
    finally:
        board.turn = board.turn.opponent


def _said(board: Board) -> str:
    """The plies from the proof's position to this one, to begin a reason with."""
    names = " ".join(board.name(move.cell) for move in board.moves)
    return f"after {names} " if names else ""
