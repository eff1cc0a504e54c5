"""Somebody's puzzle judged: is it won, as soon as it says, by the move it says, and by that move alone?

>>> from puzzles import load
>>> audit(load("huanle").level(16)).verdict
'sound'
>>> found = audit(load("huanle").level(10))
>>> found.verdict, sorted(map(found.level.position.name, found.keys))
('cooked', ['h9', 'i8'])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns import rules
from gomoku_patterns.cells import Cell
from puzzles.soundness import MOST_OTHERS, Budget, Examiner, Study, is_mirrored, transposes
from puzzles.suite import Level

if TYPE_CHECKING:
    from search import Proof, Solution

VERDICTS: Final = {
    "sound": "won in as many plies as it says, by the first move that it names and by no other as soon",
    "cooked": "more than one first move wins as soon, mirror images and the same stones in another order aside",
    "shorter": "there is a win in fewer plies than it says",
    "wrong": "it is not won as it says: no win was found though every attack was tried, or not by the move or in the "
    "plies that it names",
    "unsettled": "the limit came before an answer",
}
AUDIT_NODES: Final = 200_000


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
    """Whether every other move was tried, and not only those that threaten continuous fours."""
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


class _Auditor:
    def __init__(self, level: Level, nodes: int) -> None:
        self.level, self.board = level, level.board.copy(moves=False)
        budget = Budget(glance=nodes, nodes=nodes, fewest=1)
        self.examiner = Examiner(self.board.rows, self.board.cols, self.board.rule, budget)

    def _say(self, verdict: str, why: str, **known: Any) -> Audit:
        return Audit(self.level, verdict, why, **known)

    def audit(self) -> Audit:
        from search import Limit

        if rules.is_over(self.board):
            return self._say("wrong", "the game is over, or nobody can move")
        found = self.examiner.solver.solve(self.board, Limit(nodes=self.examiner.budget.nodes), shortest=True)
        if found.proof is None:
            verdict = "wrong" if found.exhausted else "unsettled"
            return self._say(verdict, f"disproven: {found.exhausted}" if found.exhausted else str(found))
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
        keys, cooks, settled = self._first_moves(found)
        known |= {"keys": tuple(keys), "exact": self.examiner.is_exact(found.length)}
        names = " and ".join(map(self.board.name, keys))
        named = self.level.wins
        if named and settled and not set(keys) & set(named):
            told = " and ".join(map(self.board.name, named))
            return self._say("wrong", f"{names} wins in {found.length} plies; {told} does not", **known)
        if cooks:
            itself = ", as the suite says itself" if set(keys) <= set(named) else ""
            return self._say("cooked", f"{names} win within {found.length} plies{itself}", **known)
        if not settled:
            return self._say("unsettled", f"first moves other than {names} were not denied", **known)
        return self._sound(found, known)

    def _first_moves(self, found: Solution) -> tuple[list[Cell], bool, bool]:
        """The first moves that win within the shortest win's plies, whether that is a cook, and whether these are all.

        A move that leads to the same stones in another order is none, nor is one that mirrors the key.
        """
        assert found.length is not None and found.move is not None
        keys, cooks, line = [found.move], False, found.pv
        while len(keys) <= MOST_OTHERS:
            other = self.examiner.solve(self.board, found.length, without=keys)
            if other.move is None:
                won = self.examiner.wins(self.board, found.length, without=keys)[0]
                return keys, cooks or won is True, won is not None
            keys.append(other.move)
            cooks = cooks or not (transposes(other, line) or is_mirrored(self.board, found.move, other.move))
        return keys, cooks, False

    def _sound(self, found: Solution, known: dict[str, Any]) -> Audit:
        assert found.proof is not None and found.length is not None and found.move is not None
        study = Study(
            self.board, found.move, found.length, found.proof, known["exact"], proving=found.nodes, denying=0
        )  # fmt: skip
        line = self.level.line
        if line and line[0] not in known["keys"]:
            return self._say("wrong", f"its line begins with {self.board.name(line[0])}, which does not win", **known)
        others = self.examiner.with_others(study).others
        places = "one place" if len(others) == 1 else f"{len(others)} places"
        also = f"; later on other moves win as soon at {places}" if others else ""
        why = f"{self.board.name(found.move)} alone wins within {found.length} plies{also}"
        return self._say("sound", why, others=others, notes=tuple(self._notes(study)), **known)

    def _notes(self, study: Study) -> Iterator[str]:
        from puzzles.tagging import tags_of

        if self.level.tags and self.level.tags != (tags := tags_of(study, self.examiner)):
            yield f"its tags are {', '.join(self.level.tags)}; by today's rules they would be {', '.join(tags)}"
