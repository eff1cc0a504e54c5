"""The solver as a player: it proves a win and plays it.

>>> from gomoku_patterns import Board
>>> from search import Limit, player
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> result = player("solver").search(board, Limit(seconds=5))
>>> board.name(result.move), str(result.win)
('b5', 'black wins in 3')
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search.door import ran_out, tightened
from search.follow import planned_move
from search.options import Options, option
from search.player_base import SearchPlayer
from search.players import player
from search.proof import Proof
from search.result import Limit, SearchResult, Win
from search.solver import Solver

SHARE = 0.75
"""Of the limit, for the solver; the rest is left to the other player."""

_RULES = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)


@dataclass(frozen=True)
class SolverOptions(Options):
    """How long it looks for a win, and who plays where it finds none."""

    seconds: float = option(5.0, "how long the solver may take for a move", least=0.001)
    otherwise: str = option("minmax", "who plays when no win is proven (a name without options)")


class SolverPlayer(SearchPlayer):
    """Proves a win and follows the proof; where there is none to be found it plays as another player would."""

    kind = "solver"
    summary = "Follows a proven win; without one it plays as another player would."
    Options = SolverOptions
    options: SolverOptions

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.proof: Proof | None = None
        self._solver = Solver()
        self._otherwise = player(self.options.otherwise)

    def new_game(self) -> None:
        self.proof = None
        self._solver = Solver()
        self._otherwise.new_game()

    def within(self, limit: Limit | None) -> Limit | None:
        return super().within(limit) or Limit(seconds=self.options.seconds / SHARE)

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if self.proof and (planned := planned_move(self.proof, board)):
            move, win = planned
            return SearchResult(move, depth=win.plies, pv=(move,), win=win)
        if board.rule in _RULES and (limit := control.left(SHARE)):
            found = self.prove(board, limit, control.cancel)
            if found.win:
                return found
            control.nodes = found.nodes
        rest = control.left()
        if rest is None:
            return SearchResult(legal[0], nodes=control.nodes, pv=(legal[0],), stopped_by=ran_out(control))
        result = self._otherwise.search(board, rest, cancel=control.cancel, progress=control.progress)
        return replace(result, nodes=control.nodes + result.nodes)

    def prove(self, board: Board, limit: Limit | None = None, cancel: Cancel | None = None) -> SearchResult:
        """The first move of a win, whose proof is kept and followed; no move where none is proven."""
        found = self._solver.solve(board, tightened(limit, seconds=self.options.seconds), cancel=cancel)
        line = _line(found.proof)
        self.proof = found.proof if line else None
        return SearchResult(
            line[0] if line else None,
            depth=len(line),
            nodes=found.nodes,
            elapsed=found.elapsed,
            pv=line,
            stopped_by=found.stopped_by,
            win=Win(board.turn, len(line)) if line else None,
        )


def _line(proof: Proof | None) -> tuple[Cell, ...]:
    """The main line of a proof that can be played; nothing if there is none."""
    try:
        return proof.main_line() if proof else ()
    except (ProofError, IllegalMoveError):
        return ()
