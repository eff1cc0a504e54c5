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
from search.book import GREAT
from search.book_guide import guide_of, proven_move
from search.door import ran_out
from search.options import Options, option
from search.player_base import SearchPlayer
from search.players import parse_spec, player, player_info
from search.result import Limit, SearchResult


@dataclass(frozen=True)
class BookOptions(Options):
    """Which book, and who plays where it says nothing."""

    file: str = option(GREAT, "a book of 'gomoku prove'; great is the one that is shipped")
    otherwise: str = option("engine", "who plays where the book says nothing (a name without options)")
    hash: int | None = option(
        None, "megabytes for the player elsewhere, if it has this option", least=1, most=65536, none="own"
    )
    threads: int | None = option(
        None, "threads for the player elsewhere, if it has this option", least=1, most=64, none="own"
    )


RESOURCES = ("hash", "threads")
"""Options that are handed on to the player elsewhere."""


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
        self._otherwise = player(self.options.otherwise, **self._handed_on())

    def _handed_on(self) -> dict[str, Any]:
        """The options for the player elsewhere: those written here that it takes, and that its spec does not say."""
        name, said = parse_spec(self.options.otherwise)
        taken = {one.name for one in player_info(name).options if one.name not in said}
        given = {name: getattr(self.options, name) for name in RESOURCES if name in taken}
        return {name: value for name, value in given.items() if value is not None}

    def prepare(self, board: Board) -> None:
        """The book is there; the player elsewhere gets ready."""
        self._otherwise.prepare(board)

    def change(self, **options: Any) -> None:
        """Take other values for some options; what is handed on leaves the book and the game as they are."""
        if any(name not in RESOURCES or value is None for name, value in options.items()):
            super().change(**options)
            return
        given = {name: getattr(self.options, name) for name in self.written} | options
        fresh = self.Options.of(given)
        self.name = fresh.spec(self.name.partition(":")[0], given)
        self.options, self.written = fresh, frozenset(given)
        self._otherwise.change(**self._handed_on())

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
