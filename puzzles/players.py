"""The attacker of puzzles: ``solver`` proves a win and plays it.

It is known to the registry of players once :func:`make_player` has been asked for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from search.players import Option, Player, playable, player, player_names, register_player, tightened
from search.result import Limit, Progress, SearchResult
from search.solver import Solver

if TYPE_CHECKING:
    from search._control import Cancel
    from search.certificate import Certificate

WON: Final = 1_000_000
"""The score of a proven win, less its plies."""


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
        self.certificate: Certificate | None = None
        self._solver = Solver()
        self._otherwise = player(self.settings["otherwise"])

    def new_game(self) -> None:
        self.certificate = None
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
        planned = _answer(self.certificate, board)
        if planned is not None:
            return SearchResult(planned, board.turn.sign * WON, pv=(planned,))
        proven = self.prove(board, limit, cancel)
        return proven or self._otherwise.search(board, limit, cancel=cancel, progress=progress)

    def prove(self, board: Board, limit: Limit | None = None, cancel: Cancel | None = None) -> SearchResult | None:
        """The first move of a win, whose certificate is kept and followed; None if none is proven."""
        found = self._solver.solve(board, tightened(limit, seconds=self.settings["seconds"]), cancel=cancel)
        line = _line(found.certificate)
        self.certificate = found.certificate if line else None
        if not line:
            return None
        score = board.turn.sign * (WON - len(line))
        return SearchResult(line[0], score, len(line), found.nodes, found.elapsed, line, stopped_by=found.stopped_by)


def _line(certificate: Certificate | None) -> tuple[Cell, ...]:
    """The main line of a certificate that can be played; nothing if there is none."""
    try:
        return certificate.main_line() if certificate else ()
    except (ProofError, IllegalMoveError):
        return ()


def _answer(certificate: Certificate | None, board: Board) -> Cell | None:
    """What the certificate's attacker plays now, if the game has followed it."""
    moves = _played(certificate, board) if certificate else None
    if certificate is None or moves is None or len(moves) % 2:
        return None
    try:
        line = certificate.line(*moves[1::2])
    except (ProofError, IllegalMoveError):
        return None
    return line[-1] if list(line[:-1]) == moves else None


def _played(certificate: Certificate, board: Board) -> list[Cell] | None:
    """The moves since the position of the certificate, or None if the board has not come from there."""
    earlier, position = board.copy(), certificate.position
    moves: list[Cell] = []
    while earlier != position:
        if not earlier.moves:
            return None
        moves.append(earlier.pop())
    return moves[::-1]


def make_player(spec: str, **options: Any) -> Player:
    """The player a spec asks for, ``solver`` included."""
    if SolverPlayer.kind not in player_names():
        register_player(SolverPlayer.kind, SolverPlayer)
    return player(spec, **options)
