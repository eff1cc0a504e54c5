"""A player that plays anywhere: the floor under every ladder, and an opponent that reaches odd positions.

>>> from gomoku_patterns import Board
>>> RandomPlayer(seed=1).search(Board()) == RandomPlayer(seed=1).search(Board())
True
"""

from __future__ import annotations

import random

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Cancel
from search.players import Option, Player, playable
from search.result import Limit, Progress, SearchResult


class RandomPlayer(Player):
    """Any legal cell with equal chance. The choice depends on the seed and the position alone."""

    kind = "random"
    summary = "Any legal cell, with equal chance."
    options = (Option("seed", int, 0, "another seed, another game", least=0),)

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
        move = self._chance(board).choice(cells)
        return SearchResult(move, 0, depth=0, nodes=0, pv=(move,))

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        return dict.fromkeys(playable(board), 0)

    def _chance(self, board: Board) -> random.Random:
        return random.Random(f"{self.settings['seed']} {board.rows} {board.turn} {board.flat.hex()}")
