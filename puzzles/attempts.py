"""One level attempted: proven by the solver and verified, or played out between two players.

>>> from puzzles import load
>>> found = attempt(load("huanle").level(16))
>>> found.status, found.length, found.verdict
('proven', 7, 'accepted')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, cell_name
from puzzles.game import judge, replay
from puzzles.suite import Level

if TYPE_CHECKING:
    from search import Limit, Solution, Verdict

SOLVER = "solver"


@dataclass(frozen=True)
class AttemptPlan:
    """How levels are attempted: by whom, against whom (None: a proof is enough), and within which limit.

    The limit is for the solver on a level, ten seconds if none is given, or for every move of a game.
    """

    attacker: str = SOLVER
    defender: str | None = None
    limit: Limit | None = None

    @property
    def proves(self) -> bool:
        """Whether levels are proven instead of played."""
        return self.defender is None and self.attacker == SOLVER

    def check(self) -> AttemptPlan:
        """Raise an error now if a player does not exist, and not in the middle of the work."""
        from search import player

        for spec in (self.attacker, self.defender):
            if spec is not None:
                player(spec)
        return self


@dataclass(frozen=True)
class Attempt:
    """What came of an attempt on a level.

    ``length`` is the plies of the proof or of the game, ``line`` its moves, and ``verdict`` says in words what the
    verification of the proof or the judgement of the game was. ``elapsed`` is the solver's time or the players',
    ``verify_elapsed`` what it took to verify the proof; None if there was none.
    """

    number: int
    solved: bool
    status: str
    move: Cell | None
    name: str | None
    length: int | None
    value: int | None
    nodes: int
    elapsed: float
    verdict: str
    line: tuple[Cell, ...] = ()
    verify_elapsed: float | None = None

    def row(self) -> dict[str, Any]:
        """The attempt as JSON results give it."""
        return {
            "number": self.number,
            "status": self.status,
            "move": None if self.move is None else list(self.move),
            "name": self.name,
            "length": self.length,
            "nodes": self.nodes,
            "elapsed": self.elapsed,
            "verify_elapsed": self.verify_elapsed,
            "verdict": self.verdict,
        }

    def to_json(self) -> dict[str, Any]:
        """Everything, so that :meth:`from_json` gives the attempt back."""
        return {**self.row(), "solved": self.solved, "value": self.value, "line": [list(cell) for cell in self.line]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Attempt:
        """The attempt that :meth:`to_json` wrote."""
        cells = {"move": value["move"] and Cell(*value["move"]), "line": tuple(Cell(*cell) for cell in value["line"])}
        return cls(**{**value, **cells})


def attempt(level: Level, plan: AttemptPlan = AttemptPlan()) -> Attempt:
    """Prove the level, or play it out, as the plan says."""
    return _prove(level, plan) if plan.proves else _play(level, plan)


def _prove(level: Level, plan: AttemptPlan) -> Attempt:
    from search import Limit, Solver, verify

    board = level.board
    # A solver of its own for each level: what it remembers of another would change the nodes.
    found = Solver().solve(board, plan.limit or Limit(seconds=10.0))
    verdict = verify(found.proof, board, thorough=False, native=True) if found.proof else None
    return Attempt(
        number=level.number,
        solved=bool(verdict),
        status=str(found.status),
        move=found.move,
        name=_name(found.move, board),
        length=found.length,
        value=None,
        nodes=found.nodes,
        elapsed=found.elapsed,
        verdict=_verdict(found, verdict),
        line=found.pv if verdict else (),
        verify_elapsed=None if verdict is None else verdict.elapsed,
    )


def _verdict(found: Solution, verdict: Verdict | None) -> str:
    if verdict is None:
        return str(found.exhausted or f"no win proven, stopped by {found.stopped_by}")
    return "accepted" if verdict.accepted else f"refused: {verdict.reason}"


def _play(level: Level, plan: AttemptPlan) -> Attempt:
    game = replay(level, plan.attacker, plan.defender or "minmax", limit=plan.limit)
    judgement = judge(game)
    first = game.plies[0] if game.plies else None
    return Attempt(
        number=level.number,
        solved=judgement.solved,
        status="solved" if judgement.solved else "failed",
        move=first.cell if first else None,
        name=_name(first.cell if first else None, game.start),
        length=judgement.plies,
        value=first.score if first else None,
        nodes=game.nodes,
        elapsed=game.elapsed,
        verdict=judgement.why,
        line=game.moves,
    )


def _name(cell: Cell | None, board: Board) -> str | None:
    return None if cell is None else cell_name(cell, board.rows)
