"""Monte Carlo tree search in the native core, with a tree that follows the game."""

from __future__ import annotations

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.evaluator import EvaluatorBase
from search._control import MOST, Control
from search._mcts import MctsTree
from search.alphabeta import core_tracker
from search.mcts_tree import MAX_DEPTH, REWARDS, MctsOptions, Tried


class NativeMcts:
    """The search in the native core; it may keep its tree when moves are played."""

    def __init__(
        self, board: Board, options: MctsOptions, legal: list[Cell], evaluator: EvaluatorBase | None = None
    ) -> None:
        self.board = board.copy(moves=False)
        self.options = options
        win, draw = REWARDS[options.reward]
        self._tree = MctsTree(
            board,
            legal,
            core_tracker(evaluator, board) if evaluator else None,
            win=win,
            draw=draw,
            exploration=options.exploration,
            plies=options.plies,
            proofs=options.proofs,
            memory=options.memory,
        )

    def run(self, control: Control, rollouts: int = MOST) -> str | None:
        """Roll out until a limit stops it, and say which, or until the root is proven.

        The tree is at most ``control.limit.depth`` plies deep.
        """
        limit = control.limit
        most = rollouts if limit.nodes is None else min(limit.nodes, rollouts)
        depth = MAX_DEPTH if limit.depth is None else min(limit.depth, MAX_DEPTH)
        complete = self._tree.run(control, self.options.seed, most, depth)
        return "nodes" if complete else control.stopped_by

    @property
    def rollouts(self) -> int:
        return self._tree.rollouts

    def follow(self, board: Board, legal: list[Cell]) -> bool:
        """Keep the part of the tree under the moves that lead to another board, if it has that part."""
        moves = _moves_between(self.board, board)
        if not moves or not self._tree.follow([board.index(cell) for cell in moves], legal):
            return False
        self.board = board.copy(moves=False)
        return True

    @property
    def proven(self) -> int:
        return self._tree.proven

    @property
    def depth(self) -> int:
        return self._tree.depth

    def moves(self) -> list[Tried]:
        return [Tried(self.board.at(cell), visits, value, proven) for cell, visits, value, proven in self._tree.moves()]

    def line(self) -> tuple[Cell, ...]:
        return tuple(self.board.at(cell) for cell in self._tree.line())


def _moves_between(before: Board, after: Board) -> list[Cell]:
    """The one or two moves, a stone of each side in turn, that lead from one position to the other, or none."""
    if (before.rows, before.cols, before.rule) != (after.rows, after.cols, after.rule):
        return []
    changed = [index for index, (old, new) in enumerate(zip(before.flat, after.flat, strict=True)) if old != new]
    if any(before.flat[index] for index in changed) or len(changed) > 2:
        return []
    changed.sort(key=lambda index: after.flat[index] != before.turn)
    turns = [before.turn, before.turn.opponent, before.turn]
    if [after.flat[index] for index in changed] != turns[: len(changed)] or after.turn != turns[len(changed)]:
        return []
    return [after.at(index) for index in changed]
