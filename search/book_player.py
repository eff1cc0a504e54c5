"""A player that plays what a book has proven, and otherwise as another player would.

>>> from gomoku_patterns import Board
>>> from search import player
>>> board = Board()
>>> for move in ("h8", "h9"):
...     board.push(move)
>>> board.name(player("book").search(board).move) in ("g9", "i9")
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control
from search.book_guide import GREAT, guide_of, proven_move
from search.door import ran_out
from search.options import Options, option
from search.player_base import SearchPlayer
from search.players import player
from search.result import Limit, SearchResult


@dataclass(frozen=True)
class BookOptions(Options):
    """Which book, and who plays where it says nothing."""

    file: str = option(GREAT, "a book of 'gomoku prove'; great is the one that is shipped")
    otherwise: str = option("engine", "who plays where the book says nothing (a name without options)")


class BookPlayer(SearchPlayer):
    """Plays the moves of a book and follows their proofs."""

    kind = "book"
    summary = "Plays what a book has proven to win; elsewhere it plays as another player would."
    Options = BookOptions
    options: BookOptions
    default = Limit(seconds=5.0)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._guide = guide_of(self.options.file)
        self._otherwise = player(self.options.otherwise)

    def new_game(self) -> None:
        self._guide.new_game()
        self._otherwise.new_game()

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        if found := proven_move(self._guide, board, control):
            return found
        if leading := self._guide.leading_move(board):
            return SearchResult(leading, nodes=control.nodes, pv=(leading,), stats={"proven": False, "book": True})
        rest = control.left()
        if rest is None:
            return SearchResult(legal[0], nodes=control.nodes, pv=(legal[0],), stopped_by=ran_out(control))
        result = self._otherwise.search(board, rest, cancel=control.cancel, progress=control.progress)
        return replace(result, nodes=control.nodes + result.nodes)
