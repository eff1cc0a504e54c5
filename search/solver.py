"""Wins proven: ``solve`` finds a forced win for the side to move, or says what it has shown not to exist.

>>> from gomoku_patterns import Board
>>> from search import Limit, solve
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> solution = solve(board, Limit(seconds=1))
>>> solution.status, board.name(solution.move), solution.length
(<Status.PROVEN: 'proven'>, 'b5', 3)
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import IllegalMoveError, PlayerError
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search._solver import ProofSearch
from search.certificate import Certificate
from search.result import Limit, Progress

MEMORY: Final = 256 << 20
"""How many bytes of tables a solver may fill unless told otherwise."""


class Status(StrEnum):
    """What a solver can say for certain, and that it cannot."""

    PROVEN = "proven"
    DISPROVEN = "disproven"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Solution:
    """What the solver found for the side to move.

    ``PROVEN`` comes with the winning ``move``, the ``certificate`` and its ``length`` in plies, which is ``minimal``
    when no shorter win exists. ``DISPROVEN`` is about ``exhausted`` alone: "no VCF" says that there is no win by continuous
    fours, not that there is no win. ``UNKNOWN`` names the limit that stopped the search in ``stopped_by``.
    """

    status: Status
    move: Cell | None = None
    length: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    stopped_by: str = "complete"
    certificate: Certificate | None = None
    exhausted: str | None = None
    minimal: bool = False

    @property
    def pv(self) -> tuple[Cell, ...]:
        """The game in which the defender holds out longest; empty unless proven."""
        return self.certificate.main_line() if self.certificate else ()


EXHAUSTED = {
    "vcf": "no VCF",
    "vct": "no VCT: no win by fours and live threes",
    "full": "no win by moves that extend a line and threaten continuous fours",
}


class Solver:
    """A solver that keeps its tables; for one thread at a time. Different solvers may run in different threads.

    >>> Solver(memory=32 << 20).solve(Board(5), Limit(nodes=1000)).status
    <Status.DISPROVEN: 'disproven'>
    """

    def __init__(self, *, memory: int = MEMORY) -> None:
        self.memory = memory
        self._search: ProofSearch | None = None
        self._shape: tuple[int, int, Rule] | None = None

    def solve(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        mode: str = "full",
        rule: Rule | str | int | None = None,
        shortest: bool = False,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """See :func:`solve`."""
        if mode not in EXHAUSTED:
            raise PlayerError(f"expected a mode, one of {', '.join(EXHAUSTED)}, found {mode!r}")
        position = board.copy(moves=False)
        position.rule = Rule.parse(board.rule if rule is None else rule)
        if rules.winner(position) is not None:
            raise IllegalMoveError("expected a game that goes on, found one that is won")
        search = self._ready(position)
        control = Control(limit or Limit(seconds=5.0), cancel, progress)
        result = search.solve(position, mode, control, limit.nodes if limit else None)
        solution = self._solution(search, position, mode, control, result)
        control.finish()
        return solution

    def _ready(self, board: Board) -> ProofSearch:
        shape = (board.rows, board.cols, board.rule)
        if self._search is None or self._shape != shape:
            self._search = ProofSearch(board, board.rule, self.memory)
            self._shape = shape
        return self._search

    def _solution(self, search: ProofSearch, board: Board, mode: str, control: Control, result: int) -> Solution:
        nodes = search.nodes_searched
        if result == 1:
            certificate = Certificate(board, search.proof())
            return Solution(
                Status.PROVEN, certificate.tree.move, certificate.length, nodes, control.elapsed,
                certificate=certificate,
            )
        if result == 0:
            return Solution(Status.DISPROVEN, nodes=nodes, elapsed=control.elapsed, exhausted=EXHAUSTED[mode])
        return Solution(
            Status.UNKNOWN, nodes=nodes, elapsed=control.elapsed, stopped_by=control.stopped_by or search.stopped_by
        )


_own = threading.local()


def solve(
    board: Board,
    limit: Limit | None = None,
    *,
    mode: str = "full",
    rule: Rule | str | int | None = None,
    shortest: bool = False,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    memory: int = MEMORY,
) -> Solution:
    """Find a forced win for the side to move.

    ``mode`` says what the attacker may play: continuous fours (``"vcf"``), fours and live threes (``"vct"``), or any
    move that threatens continuous fours (``"full"``). Without a limit it gives up after five seconds. ``shortest`` goes
    on, within the limit, to the shortest win it can show.
    """
    solvers = _own.__dict__.setdefault("solvers", {})
    key = (board.rows, board.cols, board.rule if rule is None else Rule.parse(rule), memory)
    solver = solvers.pop(key, None) or Solver(memory=memory)
    try:
        return solver.solve(
            board, limit, mode=mode, rule=rule, shortest=shortest, cancel=cancel, progress=progress
        )
    finally:
        if len(solvers) < 4:
            solvers[key] = solver
