"""Monte Carlo tree search: UCT over the neighbours of stones, and beyond it.

As its source describes it: the candidates are the empty ones of the eight neighbours of each stone (the centre of an
empty board), a rollout plays random candidates up to a number of plies, a win, a loss and an undecided rollout are
worth 1, 0 and 0.5 (``reward="half"``) or 100, 0 and 1 (``"hundred"``), UCT explores with the square root of two, and
the most visited move is played.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10", "h11"], white=["g8", "g9", "g10", "h12"])
>>> board.name(mcts(board, limit=Limit(nodes=200)).move)
'h7'

Beyond the source:

- ``proofs``: a move that makes five is seen when a node is opened, and wins and losses are backed up the tree. They are
  proven *among the candidates*: a reply away from all stones is not looked at.
- ``table``: any pattern table guides the search. A candidate weighs what a stone of either colour on it gains (beside
  the turn, where that is worth something), plus one. Rollouts draw candidates by their weight, and selection prefers
  them by the square root of it (PUCT).
- The tree is kept between moves, its nodes lie in one pool of bounded size (``memory``), and the same seed plays the
  same game.

Decided here, where the description is silent: a node's children are opened on its second visit, in the order of the
candidate list, and without a table each is tried once before any is tried again; black's forbidden points under renju
are no children, but rollouts may play them; if no candidate of the root is legal, all legal cells are tried. A node is
a rollout. Scores, also those in ``values``, are thousandths of a certain win, black minus white.

:mod:`search.mcts_reference` is the search in plain Python; :mod:`search.mcts_native` grows the same tree, number for
number.
"""

from __future__ import annotations

from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.native import NativeEvaluator
from search._control import Cancel, Control
from search.mcts_native import NativeMcts
from search.mcts_reference import ReferenceMcts
from search.mcts_tree import REWARDS, MctsOptions, Tried
from search.options import takes
from search.player_base import SearchPlayer
from search.result import Limit, Progress, SearchResult

PROVEN = {1: "win", -1: "loss", 0: None}


class MctsPlayer(SearchPlayer):
    """:func:`mcts` as a player; it keeps its tree from move to move."""

    kind = "mcts"
    summary = "Monte Carlo tree search: random or guided rollouts, proofs, and a tree that is kept."
    Options = MctsOptions
    options: MctsOptions

    def __init__(self, *, native: bool = True, **options: Any) -> None:
        super().__init__(**options)
        table = self.options.table
        self._evaluator: EvaluatorBase | None = None if table is None else as_evaluator(table, native=native)
        is_native = native and (self._evaluator is None or isinstance(self._evaluator, NativeEvaluator))
        self._kind: type[NativeMcts | ReferenceMcts] = NativeMcts if is_native else ReferenceMcts
        self._tree: NativeMcts | ReferenceMcts | None = None

    def within(self, limit: Limit | None) -> Limit | None:
        return super().within(limit) or Limit(nodes=self.options.rollouts)

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if len(legal) == 1:
            return SearchResult(legal[0], pv=tuple(legal))
        tree = self._kept(board, legal) or self._kind(board, self.options, legal, self._evaluator)
        self._tree = None
        result = self._grown(tree, board, control)
        self._tree = tree if self.options.reuse else None
        return result

    def _grown(self, tree: NativeMcts | ReferenceMcts, board: Board, control: Control) -> SearchResult:
        """Roll out, as often as the options say where the limit has neither nodes nor seconds."""
        if control.limit.nodes or control.limit.seconds:
            stopped_by = tree.run(control)
        else:
            stopped_by = tree.run(control, self.options.rollouts)
            stopped_by = "depth" if stopped_by == "nodes" else stopped_by
        tried = tree.moves()
        best = max(tried, key=lambda one: (one.proven, one.visits))
        return SearchResult(
            move=best.cell,
            score=self._score(best, board),
            depth=tree.depth,
            nodes=tree.rollouts,
            pv=tree.line() if best.visits else (best.cell,),
            stats={
                "values": {one.cell: self._score(one, board) for one in tried if one.visits},
                "visited": {one.cell: one.visits for one in tried if one.visits},
                "proven": PROVEN[tree.proven],
            },
            stopped_by=stopped_by or "complete",
        )

    def _score(self, one: Tried, board: Board) -> int:
        """Thousandths of a certain win, for black."""
        if one.proven or not one.visits:
            return 1000 * one.proven * board.turn.sign
        return round(2000 * one.value / (one.visits * REWARDS[self.options.reward][0]) - 1000) * board.turn.sign

    def _kept(self, board: Board, legal: list[Cell]) -> NativeMcts | None:
        tree = self._tree
        return tree if isinstance(tree, NativeMcts) and tree.follow(board, legal) else None

    def new_game(self) -> None:
        self._tree = None


@takes(MctsOptions)
def mcts(
    board: Board,
    evaluator: Any = None,
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    native: bool = True,
    **options: Any,
) -> SearchResult:
    """The most tried move; ``rollouts`` counts when the limit has neither nodes nor seconds.

    ``evaluator`` is a pattern table's name or file, or any evaluator, that guides the search; without one it is plain
    UCT. ``native=False`` asks for the search in plain Python.

    ``stats``: ``values`` of the root moves, how often they were ``visited``, and what is ``proven`` for the side to
    move: ``win``, ``loss`` or None.
    """
    chosen = MctsPlayer(table=evaluator, native=native, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)
