"""A player that plays anywhere: the floor under every ladder, and an opponent that reaches odd positions.

>>> from gomoku_patterns import Board
>>> RandomPlayer(seed=1).search(Board()).move == RandomPlayer(seed=1).search(Board()).move
True
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control
from search.door import playable
from search.options import Options, option
from search.player_base import SearchPlayer
from search.result import Limit, SearchResult


@dataclass(frozen=True)
class RandomOptions(Options):
    """Which game it plays."""

    seed: int = option(0, "another seed, another game", least=0)


class RandomPlayer(SearchPlayer):
    """Any legal cell with equal chance. The choice depends on the seed and the position alone."""

    kind = "random"
    summary = "Any legal cell, with equal chance."
    Options = RandomOptions
    options: RandomOptions

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        chance = random.Random(f"{self.options.seed} {board.rows} {board.turn} {board.flat.hex()}")
        move = chance.choice(legal)
        return SearchResult(move, pv=(move,))

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        return dict.fromkeys(playable(board), 0)
