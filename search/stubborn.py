"""The stubborn defender: when the opponent has a proven win, it plays what holds out longest.

It follows the opponent's proof if it is given one and the game has come along it, and then prefers a reply that
the proof lacks. Otherwise it asks the solver about each of its replies. It wins when it can, and while nothing is
lost it plays as another player would.

>>> from gomoku_patterns import Board
>>> from search import player
>>> board = Board(black=["g8", "h8", "i8"], white=["h9"], turn="white")
>>> board.name(player("stubborn").search(board).move) in {"f8", "j8", "e8", "k8"}
True
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from gomoku_patterns.rules import Rule
from search._control import Cancel
from search.follow import lasting_replies
from search.players import Option, Player, playable, player
from search.proof import Proof
from search.result import MOST, Limit, Progress, SearchResult, Win
from search.solver import Solver

FOR_EVER = 10_000
"""More plies than any game has: a reply against which no win is known."""

LACKING = FOR_EVER - 1
"""A reply that the proof has no answer to."""

OTHERWISE = Limit(nodes=50_000)
"""For the other player when nothing limits the search."""

_MEMORY = 64 << 20


class Stubborn(Player):
    """Holds out as long as it can."""

    kind = "stubborn"
    summary = "Answers a proven win with the reply that holds out longest."
    options = (
        Option("proof", object, None, "the opponent's proof: a file, or the object from Python", none="none"),
        Option("nodes", int, 2000, "nodes the solver may spend on each reply", least=1, most=MOST),
        Option("otherwise", str, "engine", "who plays while nothing is lost (a name without options)"),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        proof = self.settings["proof"]
        self.proof = Proof.load(proof) if isinstance(proof, str) else proof
        if not isinstance(self.proof, Proof | None):
            raise ProofError(f"expected a proof or the name of its file, found {proof!r}")
        self._otherwise = player(self.settings["otherwise"])
        self._solver = Solver(memory=_MEMORY)

    def new_game(self) -> None:
        self._otherwise.new_game()
        self._solver = Solver(memory=_MEMORY)

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        cells = playable(board, limit)
        if not cells:
            return SearchResult(move=None, score=0)
        spent = _Budget(limit, cancel, progress)
        if fives := [cell for cell in rules.winning_cells(board, board.turn) if cell in cells]:
            return SearchResult(fives[0], pv=(fives[0],), elapsed=spent.elapsed, win=Win(board.turn, 1))
        lasting = self._lasting(board, cells, spent)
        if lasting is None or FOR_EVER in lasting.values():
            return self._play_on(board, lasting or {}, spent)
        move = max(lasting, key=lambda cell: lasting[cell])
        losses = {cell: Win(board.turn.opponent, plies) for cell, plies in lasting.items() if plies < LACKING}
        values = {cell: losses[cell].score if cell in losses else 0 for cell in lasting}
        ends_in = {cell: loss.plies for cell, loss in losses.items()}
        return SearchResult(
            move,
            nodes=spent.nodes,
            elapsed=spent.elapsed,
            pv=(move,),
            stats={"holds_out": lasting[move], "values": values, "ends_in": ends_in},
            win=losses.get(move),
        )

    def _lasting(self, board: Board, cells: list[Cell], spent: _Budget) -> dict[Cell, int] | None:
        """For each reply the plies that the game then lasts, or None if no win of the opponent's is known."""
        if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
            return None
        followed = self._along_the_proof(board)
        return followed if followed is not None else self._asked(board, cells, spent)

    # ------------------------------------------------------------------ with a proof

    def _along_the_proof(self, board: Board) -> dict[Cell, int] | None:
        """How long each reply lasts, if the moves on the board are a game that the proof tells of."""
        found = lasting_replies(self.proof, board) if self.proof else None
        return None if found is None else {cell: plies or LACKING for cell, plies in found.items()}

    # ------------------------------------------------------------------ with the solver

    def _asked(self, board: Board, cells: list[Cell], spent: _Budget) -> dict[Cell, int] | None:
        """How long each reply lasts by the solver; None if the opponent has no win even after a pass."""
        passed = board.copy(moves=False)
        if self._plies(passed, spent) < FOR_EVER:
            return None
        passed.turn = board.turn.opponent
        if self._plies(passed, spent) == FOR_EVER:
            return None
        return {cell: self._plies_after(board, cell, spent) for cell in cells}

    def _plies_after(self, board: Board, cell: Cell, spent: _Budget) -> int:
        after = board.copy(moves=False)
        after.push(cell)
        return min(1 + self._plies(after, spent), FOR_EVER)

    def _plies(self, board: Board, spent: _Budget) -> int:
        """The plies to the end if the side to move has a win that the solver sees."""
        limit = spent.part(self.settings["nodes"])
        if limit is None or board.is_full():
            return FOR_EVER
        solution = self._solver.solve(board, limit, cancel=spent.cancel)
        spent.nodes += solution.nodes
        return solution.length or FOR_EVER

    # ------------------------------------------------------------------ while nothing is lost

    def _play_on(self, board: Board, lasting: dict[Cell, int], spent: _Budget) -> SearchResult:
        """The other player's move; if that is lost, or there is no time for it, the first reply that is not."""
        limit = spent.rest()
        result = SearchResult(None, 0, stopped_by=spent.stop)
        if limit is not None:
            result = self._otherwise.search(board, limit, cancel=spent.cancel, progress=spent.progress)
        if result.move is not None and lasting.get(result.move, FOR_EVER) == FOR_EVER:
            move, line = result.move, result.pv
        else:
            move = max(lasting, key=lambda cell: lasting[cell]) if lasting else playable(board)[0]
            line = (move,)
        nodes = result.nodes + spent.nodes
        return replace(result, move=move, nodes=nodes, elapsed=spent.elapsed, pv=line, stats={})


class _Budget:
    """What one search may still spend."""

    def __init__(self, limit: Limit | None, cancel: Cancel | None, progress: Progress | None) -> None:
        self.limit, self.cancel, self.progress = limit, cancel or Cancel(), progress
        self.started = time.monotonic()
        self.nodes = 0
        self.stop = "complete"

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def part(self, nodes: int) -> Limit | None:
        """The limit for asking the solver once, or None when half of everything is spent."""
        if self.cancel.is_set():
            return None
        left = self._left(share=0.5)
        if self.limit is None:
            return Limit(nodes=nodes)
        if (self.limit.nodes and left["nodes"] < 1) or (self.limit.seconds and left["seconds"] <= 0):
            return None
        return Limit(nodes=min(nodes, left.get("nodes", nodes)), seconds=left.get("seconds"))

    def rest(self) -> Limit | None:
        """The limit for the other player, or None when all is spent."""
        left = self._left(share=1.0)
        if self.cancel.is_set():
            self.stop = "cancelled"
        elif left.get("seconds", 1) <= 0:
            self.stop = "seconds"
        elif left.get("nodes", 1) < 1:
            self.stop = "nodes"
        else:
            return Limit(**left) if left else OTHERWISE
        return None

    def _left(self, share: float) -> dict[str, Any]:
        if self.limit is None:
            return {}
        left: dict[str, Any] = {"depth": self.limit.depth} if self.limit.depth else {}
        if self.limit.nodes:
            left["nodes"] = int(self.limit.nodes * share) - self.nodes
        if self.limit.seconds:
            left["seconds"] = self.limit.seconds * share - self.elapsed
        return left
