"""One level attempted: proven by the solver and checked, or played out between two players.

>>> from puzzles import load
>>> outcome = attempt(load("huanle").level(16), Task())
>>> outcome.status, outcome.length, outcome.verdict
('proven', 7, 'accepted')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, cell_name
from puzzles.game import judge, replay
from puzzles.suite import Level

SOLVER = "solver"


@dataclass(frozen=True)
class Task:
    """How levels are attempted: by whom, against whom (None: the proof is enough), and for how long at most.

    ``seconds`` and ``nodes`` limit the solver on a level, and every move of a game.
    """

    attacker: str = SOLVER
    defender: str | None = None
    seconds: float | None = None
    nodes: int | None = None

    @property
    def proves(self) -> bool:
        """Whether a level is proven and not played."""
        return self.defender is None and self.attacker == SOLVER

    def check(self) -> Task:
        """Refuse players and limits that do not exist before any work is done."""
        from puzzles.players import make_player

        for spec in (self.attacker, self.defender):
            if spec is not None:
                make_player(spec)
        self.limit()
        return self

    def limit(self) -> Any:
        """The limit as searches take it; None if there is none."""
        from search.result import Limit

        return None if self.seconds is None and self.nodes is None else Limit(seconds=self.seconds, nodes=self.nodes)


@dataclass(frozen=True)
class Outcome:
    """What came of an attempt. ``length`` is the plies of the proof, or of the game; ``line`` is that line or game."""

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

    def row(self) -> dict[str, Any]:
        """The outcome as JSON results give it."""
        return {
            "number": self.number,
            "status": self.status,
            "move": None if self.move is None else list(self.move),
            "name": self.name,
            "length": self.length,
            "nodes": self.nodes,
            "elapsed": self.elapsed,
            "verdict": self.verdict,
        }

    def to_json(self) -> dict[str, Any]:
        """Everything, so that :meth:`from_json` gives the outcome back."""
        return {**self.row(), "solved": self.solved, "value": self.value, "line": [list(cell) for cell in self.line]}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Outcome:
        """The outcome that :meth:`to_json` wrote."""
        cells = {"move": value["move"] and Cell(*value["move"]), "line": tuple(Cell(*cell) for cell in value["line"])}
        return cls(**{**value, **cells})


def attempt(level: Level, task: Task) -> Outcome:
    """Prove the level, or play it out, as the task says."""
    return _prove(level, task) if task.proves else _play(level, task)


def _prove(level: Level, task: Task) -> Outcome:
    from search.result import Limit
    from search.solver import Solver
    from search.verifier import verify

    board = level.board
    # A solver of its own for each level: what it remembers of another would change the nodes.
    found = Solver().solve(board, task.limit() or Limit(seconds=10.0))
    verdict = verify(found.proof, board) if found.proof else None
    return Outcome(
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
    )


def _verdict(found: Any, verdict: Any) -> str:
    if verdict is None:
        return found.exhausted or f"no win proven, stopped by {found.stopped_by}"
    return "accepted" if verdict.accepted else f"refused: {verdict.reason}"


def _play(level: Level, task: Task) -> Outcome:
    game = replay(level, task.attacker, task.defender or "minmax", limit=task.limit())
    judgement = judge(game)
    first = game.plies[0] if game.plies else None
    return Outcome(
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
