"""The attacker of puzzles: ``solver`` proves a win and plays it.

It is known to the registry of players once :func:`make_player` has been asked for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from search.follow import planned_move
from search.players import Option, Player, playable, player, player_names, register_player, tightened
from search.result import Limit, Progress, SearchResult, Win
from search.solver import Solver

if TYPE_CHECKING:
    from search._control import Cancel
    from search.proof import Proof


class SolverPlayer(Player):
    """Proves a win and follows the proof; where there is none to be found it plays as another player would."""

    kind = "solver"
    summary = "Follows a proven win; without one it plays as another player would."
    options = (
        Option("seconds", float, 5.0, "how long the solver may take for a move", least=0.001),
        Option("otherwise", str, "minmax", "who plays when no win is proven (a name without options)"),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.proof: Proof | None = None
        self._solver = Solver()
        self._otherwise = player(self.settings["otherwise"])

    def new_game(self) -> None:
        self.proof = None
        self._solver = Solver()
        self._otherwise.new_game()

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        if not playable(board):
            return SearchResult(None, 0)
        if self.proof and (planned := planned_move(self.proof, board)):
            move, win = planned
            return SearchResult(move, depth=win.plies, pv=(move,), win=win)
        proven = self.prove(board, limit, cancel)
        return proven or self._otherwise.search(board, limit, cancel=cancel, progress=progress)

    def prove(self, board: Board, limit: Limit | None = None, cancel: Cancel | None = None) -> SearchResult | None:
        """The first move of a win, whose proof is kept and followed; None if none is proven."""
        found = self._solver.solve(board, tightened(limit, seconds=self.settings["seconds"]), cancel=cancel)
        line = _line(found.proof)
        self.proof = found.proof if line else None
        if not line:
            return None
        return SearchResult(
            line[0],
            depth=len(line),
            nodes=found.nodes,
            elapsed=found.elapsed,
            pv=line,
            stopped_by=found.stopped_by,
            win=Win(board.turn, len(line)),
        )


def _line(proof: Proof | None) -> tuple[Cell, ...]:
    """The main line of a proof that can be played; nothing if there is none."""
    try:
        return proof.main_line() if proof else ()
    except (ProofError, IllegalMoveError):
        return ()


def make_player(spec: str, **options: Any) -> Player:
    """The player a spec asks for, ``solver`` included."""
    if SolverPlayer.kind not in player_names():
        register_player(SolverPlayer.kind, SolverPlayer)
    return player(spec, **options)
