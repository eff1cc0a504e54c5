"""Two players that think in certificates: ``solver``, who attacks as it has proven, and ``stubborn``, who will not give up.

Both are known to the registry once ``puzzles`` has been asked for a player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, ProofError
from search.players import Option, Player, player, player_names, playable, register_player, tightened
from search.result import Limit, Progress, SearchResult

if TYPE_CHECKING:
    from search._control import Cancel
    from search.certificate import Certificate

WON: Final = 1_000_000
"""The score of a proven win, less its plies."""

SECONDS = Option("seconds", float, 5.0, "how long the solver may take for a move", least=0.001)


class SolverPlayer(Player):
    """Proves a win and follows the proof; where there is none to be found it plays as another player would."""

    kind = "solver"
    summary = "Follows a proven win; without one it plays as another player would."
    options = (SECONDS, Option("otherwise", str, "minmax", "the player to ask when no win is proven"))

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._followed: Certificate | None = None
        self._otherwise = player(self.settings["otherwise"])

    def new_game(self) -> None:
        self._followed = None

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
        planned = _answer(self._followed, board)
        if planned is not None:
            return SearchResult(planned, board.turn.sign * WON, pv=(planned,))
        return self._prove(board, limit, cancel) or self._otherwise.search(
            board, limit, cancel=cancel, progress=progress
        )

    def _prove(self, board: Board, limit: Limit | None, cancel: Cancel | None) -> SearchResult | None:
        from search.solver import solve

        found = solve(board, tightened(limit, seconds=self.settings["seconds"]), cancel=cancel)
        self._followed = found.certificate
        if found.certificate is None:
            return None
        line = found.certificate.main_line()
        score = board.turn.sign * (WON - len(line))
        return SearchResult(line[0], score, len(line), found.nodes, found.elapsed, line, stopped_by=found.stopped_by)


class StubbornPlayer(Player):
    """Defends against a proof: always with the reply that holds out longest.

    Of replies that hold out equally long it prefers one that the proof has no line of its own for, then one that
    stops a five, then the nearest. Without a certificate it asks the solver what the attacker has, and when nothing is
    proven it plays as another player would; it takes a win of its own whenever there is one.
    """

    kind = "stubborn"
    summary = "Defends against proofs with the reply that holds out longest."
    options = (SECONDS, Option("otherwise", str, "minmax", "the player to ask when nothing is proven"))

    def __init__(self, certificate: Certificate | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.certificate = certificate
        self._otherwise = player(self.settings["otherwise"])

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        legal = playable(board)
        fives = [cell for cell in legal if rules.makes_five(board, cell, board.turn)]
        if fives or not legal:
            return SearchResult(fives[0] if fives else None, board.turn.sign * WON if fives else 0)
        move = _longest(self.certificate, board) or _longest(self._asked(board, cancel), board)
        if move is not None:
            return SearchResult(move, -board.turn.sign * WON, pv=(move,))
        return self._otherwise.search(board, limit, cancel=cancel, progress=progress)

    def _asked(self, board: Board, cancel: Cancel | None) -> Certificate | None:
        """What the solver proves for the attacker from before the last move, if that is the move it plays."""
        from search.solver import solve

        before = board.copy()
        if not before.moves or before.moves[-1].colour is board.turn:
            return None
        before.pop()
        return solve(before, Limit(seconds=self.settings["seconds"]), cancel=cancel).certificate


def _played(certificate: Certificate, board: Board) -> list[Cell] | None:
    """The moves since the position of the certificate, or None if the board has not come from there."""
    earlier, moves = board.copy(), []
    position = certificate.position
    while earlier != position:
        if not earlier.moves:
            return None
        moves.append(earlier.pop())
    return moves[::-1]


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


def _longest(certificate: Certificate | None, board: Board) -> Cell | None:
    """The reply that holds out longest against the certificate, if the attacker has followed it so far."""
    moves = _played(certificate, board) if certificate else None
    if certificate is None or not moves or len(moves) % 2 == 0:
        return None
    replies = moves[1::2]
    try:
        if list(certificate.line(*replies)) != moves:
            return None
        lengths = certificate.lengths(*replies)
    except (ProofError, IllegalMoveError):
        return None
    return max(lengths, key=lambda reply: _worth(reply, lengths[reply], certificate, board, moves)) if lengths else None


def _worth(
    reply: Cell, length: int, certificate: Certificate, board: Board, moves: list[Cell]
) -> tuple[int, bool, bool, int]:
    distance = max(abs(reply.row - moves[-1].row), abs(reply.col - moves[-1].col))
    stops = rules.makes_five(board, reply, board.turn.opponent)
    return length, reply not in _known(certificate, moves), stops, -distance


def _known(certificate: Certificate, moves: list[Cell]) -> set[Cell]:
    """The replies that the certificate has a line of its own for at this point of the game."""
    attack = certificate.tree
    for reply in moves[1::2]:
        below = attack.then.replies.get(reply) if attack.then else None
        if below is None:
            return set()
        attack = below
    return set(attack.then.replies) if attack.then else set()


def make_player(spec: str, **options: Any) -> Player:
    """The player a spec asks for, the two of this module included."""
    for known in (SolverPlayer, StubbornPlayer):
        if known.kind not in player_names():
            register_player(known.kind, known)
    return player(spec, **options)
