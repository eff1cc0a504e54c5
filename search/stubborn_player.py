"""The stubborn defender: when the opponent has a proven win, it plays what holds out longest.

Where several replies hold out equally long it plays the one that a person would (:mod:`search.natural`): it blocks, or
makes a four, near the last stone, and not in a far corner.

It follows the opponent's proof if it is given one and the game has come along it, and then prefers a reply that the
proof lacks. Otherwise it asks the solver about each of its replies. It wins when it can, and while nothing is
lost it plays as another player would.

>>> from gomoku_patterns import Board
>>> from search import player
>>> board = Board(black=["g8", "h8", "i8"], white=["h9"], turn="white")
>>> board.name(player("stubborn").search(board).move) in {"f8", "j8", "e8", "k8"}
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError, shown
from gomoku_patterns.rules import Rule
from search._control import MOST, Control
from search.door import ran_out
from search.follow import lasting_replies
from search.natural import natural_order
from search.options import Options, option
from search.player_base import SearchPlayer
from search.players import player
from search.proof import Proof
from search.result import Limit, SearchResult, Win
from search.solver import Solver

FOR_EVER = 10_000
"""More plies than any game has: a reply against which no win is known."""

LACKING = FOR_EVER - 1
"""A reply that the proof has no answer to."""

UNLIMITED = Limit(nodes=MOST)
OTHERWISE = Limit(nodes=50_000)
"""For the other player when nothing limits the search."""

_MEMORY = 64 << 20


@dataclass(frozen=True)
class StubbornOptions(Options):
    """What it knows of the opponent's win, and who plays while there is none."""

    proof: Any = option(None, "the opponent's proof: a file, or the object from Python", none="none")
    nodes: int = option(2000, "nodes the solver may spend on each reply", least=1, most=MOST)
    otherwise: str = option("engine", "who plays while nothing is lost (a name without options)")


class StubbornPlayer(SearchPlayer):
    """Holds out as long as it can."""

    kind = "stubborn"
    summary = "Answers a proven win with the reply that holds out longest."
    Options = StubbornOptions
    options: StubbornOptions
    default = UNLIMITED

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        proof = self.options.proof
        self.proof = Proof.load(proof) if isinstance(proof, str) else proof
        if not isinstance(self.proof, Proof | None):
            raise ProofError(f"proof must be a proof or the name of its file, not {shown(proof)}")
        self._otherwise = player(self.options.otherwise)
        self._solver = Solver(memory=_MEMORY)

    def new_game(self) -> None:
        self._otherwise.new_game()
        self._solver = Solver(memory=_MEMORY)

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if fives := [cell for cell in rules.winning_cells(board, board.turn) if cell in legal]:
            return SearchResult(fives[0], pv=(fives[0],), win=Win(board.turn, 1))
        lasting = self._lasting(board, legal, control)
        if lasting is None or FOR_EVER in lasting.values():
            return self._play_on(legal, board, lasting or {}, control)
        move = _longest(board, lasting)
        losses = {cell: Win(board.turn.opponent, plies) for cell, plies in lasting.items() if plies < LACKING}
        values = {cell: losses[cell].score if cell in losses else 0 for cell in lasting}
        ends_in = {cell: loss.plies for cell, loss in losses.items()}
        return SearchResult(
            move,
            nodes=control.nodes,
            pv=(move,),
            stats={"holds_out": lasting[move], "values": values, "ends_in": ends_in},
            win=losses.get(move),
        )

    def _lasting(self, board: Board, cells: list[Cell], control: Control) -> dict[Cell, int] | None:
        """For each reply the plies that the game then lasts, or None if no win of the opponent's is known."""
        if board.rule not in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU):
            return None
        followed = self._along_the_proof(board)
        return followed if followed is not None else self._asked(board, cells, control)

    # ------------------------------------------------------------------ with a proof

    def _along_the_proof(self, board: Board) -> dict[Cell, int] | None:
        """How long each reply lasts, if the moves on the board are a game along the proof."""
        found = lasting_replies(self.proof, board) if self.proof else None
        return None if found is None else {cell: LACKING if plies is None else plies for cell, plies in found.items()}

    # ------------------------------------------------------------------ with the solver

    def _asked(self, board: Board, cells: list[Cell], control: Control) -> dict[Cell, int] | None:
        """How long each reply lasts by the solver; None if the opponent has no win even after a pass."""
        passed = board.copy(moves=False)
        if self._plies(passed, control) < FOR_EVER:
            return None
        passed.turn = board.turn.opponent
        if self._plies(passed, control) == FOR_EVER:
            return None
        return {cell: self._plies_after(board, cell, control) for cell in cells}

    def _plies_after(self, board: Board, cell: Cell, control: Control) -> int:
        after = board.copy(moves=False)
        after.push(cell)
        return min(1 + self._plies(after, control), FOR_EVER)

    def _plies(self, board: Board, control: Control) -> int:
        """The plies to the end if the side to move has a win that the solver sees."""
        limit = self._part(control)
        if limit is None or board.is_full():
            return FOR_EVER
        solution = self._solver.solve(board, limit, cancel=control.cancel)
        control.nodes += solution.nodes
        return FOR_EVER if solution.length is None else solution.length

    def _part(self, control: Control) -> Limit | None:
        """The limit for asking the solver once, or None when half of everything is spent."""
        asked, nodes, seconds = control.limit, self.options.nodes, None
        if asked.nodes is not None:
            nodes = min(nodes, asked.nodes // 2 - control.nodes)
        if asked.seconds is not None:
            seconds = asked.seconds / 2 - control.elapsed
        spent = control.cancel.is_set() or nodes < 1 or (seconds is not None and seconds <= 0)
        return None if spent else Limit(nodes=nodes, seconds=seconds)

    # ------------------------------------------------------------------ while nothing is lost

    def _play_on(self, legal: list[Cell], board: Board, lasting: dict[Cell, int], control: Control) -> SearchResult:
        """The other player's move; if that is lost, or there is no time for it, the first reply that is not."""
        limit = OTHERWISE if control.limit is UNLIMITED and not control.cancel.is_set() else control.left()
        if limit is None:
            result = SearchResult(None, stopped_by=ran_out(control))
        else:
            result = self._otherwise.search(board, limit, cancel=control.cancel, progress=control.progress)
        nodes = result.nodes + control.nodes
        if result.move is not None and lasting.get(result.move, FOR_EVER) == FOR_EVER:
            return replace(result, nodes=nodes, stats={})
        move = _longest(board, lasting) if lasting else legal[0]
        return replace(result, move=move, nodes=nodes, pv=(move,), stats={}, win=None)


def _longest(board: Board, lasting: dict[Cell, int]) -> Cell:
    """The reply that lasts longest; of several the one that a person would play."""
    most = max(lasting.values())
    return natural_order(board, [cell for cell, plies in lasting.items() if plies == most])[0]
