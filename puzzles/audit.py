"""Somebody's puzzle judged: is it won, as soon as it says, by the move it says, and by that move alone?

>>> from puzzles import load
>>> audit(load("huanle").level(16)).verdict
'sound'
>>> found = audit(load("huanle").level(10))
>>> found.verdict, sorted(map(found.level.position.name, found.keys))
('cooked', ['h9', 'i8'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from puzzles.first_moves import FirstMoves
from puzzles.soundness import (
    EXACT,
    MOST_OTHERS,
    Budget,
    Examiner,
    Study,
    canonical,
    implausible,
    is_mirrored,
    transposes,
)
from puzzles.suite import Level

if TYPE_CHECKING:
    from search import Proof, Solution

VERDICTS: Final = {
    "sound": "won in as many plies as it says, by the first move that it names and by no other as soon",
    "cooked": "more than one first move wins as soon, mirror images and the same stones in another order aside",
    "shorter": "there is a win in fewer plies than it says",
    "forced": "a side can make five at once, so that the first move is no choice",
    "implausible": "no game comes to such a position",
    "wrong": "it is not won as it says: no win was found though every attack was tried, or not by the move or the line "
    "or in the plies that it names",
    "repeated": "an earlier level is the same, perhaps turned, mirrored, shifted or with colours swapped",
    "unreadable": "it breaks a rule of the file format",
    "unsettled": "the limit came before an answer",
}
AUDIT_NODES: Final = 200_000
JUDGING: Final = 10
"""A move of the line that no attack shows to win is judged with so many times the nodes of a proof."""
FAR_BAND: Final = 2
"""A band that differs by so much from today's is noted; a band is never sure to one step."""


@dataclass(frozen=True)
class Audit:
    """What is to be said of a level."""

    level: Level
    verdict: str
    why: str
    length: int | None = None
    """Plies of the shortest win that was found."""
    keys: tuple[Cell, ...] = ()
    """The first moves that win within so many plies."""
    exact: bool = False
    """Whether every other move was tried, and not only first moves and attacks after them."""
    others: Mapping[int, tuple[Cell, ...]] = field(default_factory=dict)
    """Where on the main line other moves win as soon."""
    proof: Proof | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()
    """What else differs from what the level says: its tags or its band."""

    @property
    def sound(self) -> bool:
        return self.verdict == "sound"

    def to_json(self) -> dict[str, Any]:
        """The audit as JSON results give it, without the proof."""
        name = self.level.position.name
        return {
            "number": self.level.number,
            "verdict": self.verdict,
            "why": self.why,
            "length": self.length,
            "claimed": self.level.length,
            "keys": [name(cell) for cell in self.keys],
            "exact": self.exact,
            "others": {str(played): [name(cell) for cell in cells] for played, cells in self.others.items()},
            "notes": list(self.notes),
        }


def audit(level: Level, nodes: int = AUDIT_NODES) -> Audit:
    """Judge a level; ``nodes`` limits each proof and each denial."""
    return _Auditor(level, nodes).audit()


def repeated_levels(levels: Iterable[Level]) -> dict[int, int]:
    """For each level that repeats an earlier one its number and the earlier one's.

    Levels are the same if they are under turning, mirroring, shifting and, but for renju, swapping the colours; stones
    that a level calls scenery do not count.
    """
    first: dict[tuple[Any, ...], int] = {}
    found: dict[int, int] = {}
    for level in levels:
        board, scenery = level.position, level.recorded.get("scenery", "")
        cells = [board.cell(name) for name in scenery.split()] if isinstance(scenery, str) else []
        for key in {(board.rule, board.rows, board.cols, canonical(board, less)) for less in ((), tuple(cells))}:
            if first.setdefault(key, level.number) != level.number:
                found.setdefault(level.number, first[key])
    return found


class _Auditor:
    def __init__(self, level: Level, nodes: int) -> None:
        self.level, self.board = level, level.board.copy(moves=False)
        budget = Budget(glance=nodes, nodes=nodes, fewest=1)
        self.examiner = Examiner(self.board.rows, self.board.cols, self.board.rule, budget)

    def _say(self, verdict: str, why: str, **known: Any) -> Audit:
        return Audit(self.level, verdict, why, **known)

    def audit(self) -> Audit:
        return self._out_of_the_question() or self._solved()

    def _out_of_the_question(self) -> Audit | None:
        """What needs no search."""
        board = self.board
        if rules.is_over(board):
            return self._say("wrong", "the game is over, or nobody can move")
        for cell in self.level.wins:
            if not _is_legal(board, cell):
                return self._say("wrong", f"{board.name(cell)} is forbidden to {board.turn}")
        for colour in (board.turn, board.turn.opponent):
            if fives := rules.winning_cells(board, colour):
                return self._say("forced", f"{colour} makes five on {board.name(fives[0])}", length=1)
        if fault := implausible(board):
            return self._say("implausible", fault.why)
        return None

    def _solved(self) -> Audit:
        from search import Limit, Status

        found = self.examiner.solver.solve(self.board, Limit(nodes=self.examiner.budget.nodes), shortest=True)
        if found.proof is None:
            return self._say("wrong" if found.status is Status.DISPROVEN else "unsettled", str(found))
        return self._length(found, found.proof)

    def _length(self, found: Solution, proof: Proof) -> Audit:
        """Whether the win takes as many plies as the level says."""
        from search import verify

        claimed, n = self.level.length, proof.length
        known = {"length": n, "proof": proof, "keys": (proof.tree.move,)}
        if not verify(proof, self.board, thorough=False):
            return self._say("unsettled", "the verifier refused the proof, which is a defect of the solver")
        if claimed is not None and n < claimed:
            return self._say("shorter", f"won in {n} plies, not {claimed}", **known)
        if not found.minimal and found.exhausted is None:
            return self._say("unsettled", f"won in {n} plies; shorter wins were not denied", **known)
        if claimed is not None and n > claimed:
            return self._say("wrong", f"won in {n} plies, not {claimed}", **known)
        return self._keys(found, known)

    def _keys(self, found: Solution, known: dict[str, Any]) -> Audit:
        assert found.length is not None and found.move is not None
        first = self._first_moves(found)
        known |= {"keys": tuple(first.keys), "exact": self.examiner.is_exact(found.length)}
        if first.shortest < found.length:
            known["length"] = first.shortest
            return self._say(
                "shorter", f"won in {first.shortest} plies, not {self.level.length or found.length}", **known
            )
        names = " and ".join(map(self.board.name, first.keys))
        named = self.level.wins
        if named and first.settled and not set(first.keys) & set(named):
            told = " and ".join(map(self.board.name, named))
            return self._say("wrong", f"{names} wins in {found.length} plies; {told} does not", **known)
        if first.cooks:
            itself = ", as the suite says itself" if set(first.keys) <= set(named) else ""
            return self._say("cooked", f"{names} win within {found.length} plies{itself}", **known)
        if not first.settled:
            return self._say("unsettled", f"first moves other than {names} were not denied", **known)
        return self._shorter_by_quiet_moves(found, known) or self._sound(found, known)

    def _first_moves(self, found: Solution) -> FirstMovesFound:
        """The first moves that win within the shortest win's plies.

        A move that leads to the same stones in another order is no cook, nor is one that mirrors the key.
        """
        from search import Status

        assert found.length is not None and found.move is not None
        key, line, n = found.move, found.pv, found.length
        first = FirstMovesFound([key], n)
        while len(first.keys) <= MOST_OTHERS:
            other = self.examiner.solve(self.board, n, without=first.keys)
            if other.move is None:
                break
            first.add(other.move, n, cook=not self._is_the_same(key, line, other.move, other.pv))
        else:
            return first
        quiet = FirstMoves(self.examiner, self.board, n)
        for win in quiet.wins(without=tuple(first.keys)):
            first.add(
                win.move, self._fewest_plies(win.move, n), cook=not self._is_the_same(key, line, win.move, win.line)
            )
            if len(first.keys) > MOST_OTHERS:
                return first
        first.settled = other.status is Status.DISPROVEN and not quiet.unsettled
        return first

    def _fewest_plies(self, move: Cell, plies: int) -> int:
        """In how few plies a first move wins that wins within so many."""
        while plies > 1 and FirstMoves(self.examiner, self.board, plies - 2).tried(move)[1] is not None:
            plies -= 2
        return plies

    def _is_the_same(self, key: Cell, line: tuple[Cell, ...], move: Cell, other: tuple[Cell, ...]) -> bool:
        return transposes(other, line) or is_mirrored(self.board, key, move)

    def _shorter_by_quiet_moves(self, found: Solution, known: dict[str, Any]) -> Audit | None:
        """A win in fewer plies that is not by attacks alone, whatever its first move."""
        assert found.length is not None
        for plies in dict.fromkeys((min(found.length - 2, EXACT), found.length - 2)):
            won, _, _ = self.examiner.wins(self.board, plies) if plies > 0 else (False, 0, None)
            if won is None:
                return self._say("unsettled", f"wins within {plies} plies by quiet moves were not denied", **known)
            if won:
                return self._say("shorter", f"won within {plies} plies, by quiet moves", **known)
        return None

    def _sound(self, found: Solution, known: dict[str, Any]) -> Audit:
        assert found.proof is not None and found.length is not None and found.move is not None
        study = Study(
            self.board, found.move, found.length, found.proof, known["exact"], proving=found.nodes, denying=0
        )  # fmt: skip
        if slip := self._slip_of_the_line(known["keys"]):
            return self._say(*slip, **known)
        study = self.examiner.with_others(study)
        others = study.others
        places = "one place" if len(others) == 1 else f"{len(others)} places"
        also = f"; later on other moves win as soon at {places}" if others else ""
        why = f"{self.board.name(found.move)} alone wins within {found.length} plies{also}"
        return self._say("sound", why, others=others, notes=tuple(self._notes(study)), **known)

    def _slip_of_the_line(self, keys: tuple[Cell, ...]) -> tuple[str, str] | None:
        """Return the verdict and its reason where the line of the level leaves its win, or may; otherwise None."""
        line, board = self.level.line, self.board.copy()
        if line and line[0] not in keys:
            return "wrong", f"its line begins with {board.name(line[0])}, which does not win"
        for number, cell in enumerate(line, 1):
            move = f"move {number} of its line, {board.name(cell)},"
            if board.winner() is not None or not _is_legal(board, cell):
                return "wrong", f"{move} cannot be played"
            still = self._still_wins(board, cell) if number % 2 else True
            if still is None:
                return "unsettled", f"{move} may win no longer"
            if not still:
                return "wrong", f"{move} wins no longer"
            board.push(cell)
        if self.level.length == len(line) > 0 and board.winner() is not self.board.turn:
            return "wrong", f"its line of {len(line)} plies does not end with a five"
        return None

    def _still_wins(self, board: Board, cell: Cell) -> bool | None:
        """Return whether a move still wins, by quiet moves too; None if that is not settled."""
        from puzzles.feedback import MoveVerdict, feedback
        from search import Limit

        if rules.makes_five(board, cell, board.turn):
            return True
        others = [other for other in board.legal_moves() if other != cell]
        if self.examiner.solve(board.copy(moves=False), without=others).proof is not None:
            return True
        found = feedback(board, cell, Limit(nodes=JUDGING * self.examiner.budget.nodes))
        return None if found.verdict is MoveVerdict.UNSETTLED else found.still_wins

    def _notes(self, study: Study) -> Iterator[str]:
        from puzzles.difficulty import band_of, features_of
        from puzzles.tagging import tags_of

        if self.level.tags and self.level.tags != (tags := tags_of(study, self.examiner)):
            yield f"its tags are {', '.join(self.level.tags)}; by today's rules they would be {', '.join(tags)}"
        if self.level.band is not None:
            band = band_of(features_of(study, self.examiner))
            if abs(band - self.level.band) >= FAR_BAND:
                yield f"its band is {self.level.band}; by today's rules it would be {band}"


def _is_legal(board: Board, cell: Cell) -> bool:
    return board.is_empty(cell) and not (board.turn is Colour.BLACK and rules.is_forbidden(board, cell))


@dataclass
class FirstMovesFound:
    """First moves that win within a number of plies."""

    keys: list[Cell]
    shortest: int
    """Plies of the shortest win among them."""
    cooks: bool = False
    settled: bool = False
    """Whether there are no others."""

    def add(self, move: Cell, length: int, *, cook: bool) -> None:
        """Note another move that wins in so many plies."""
        self.keys.append(move)
        self.cooks = self.cooks or cook
        self.shortest = min(self.shortest, length)
