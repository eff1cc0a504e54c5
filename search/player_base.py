"""What a player is: a configured search. :class:`Player` is for everybody; the built-in ones share more."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Cancel, Control
from search.door import check_limit, enter, tightened
from search.options import Options
from search.result import Limit, Progress, SearchResult, Win

WARMING = Limit(nodes=200, seconds=1.0)
"""For the search that gets a player ready."""


class Player(ABC):
    """A named, configured search.

    A subclass declares its options as a frozen dataclass ``Options`` and a one-line ``summary``, and implements
    :meth:`search`; the checked values are in ``self.options``. What it returns is a legal move under the board's rule,
    or None where there is none.
    """

    kind: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    Options: ClassVar[type[Options]] = Options

    name: str
    options: Any
    """The values of all options, an instance of ``Options``."""
    written: frozenset[str]
    """The names of the options that were given."""

    def __init__(self, **options: Any) -> None:
        self._take(options)

    def _take(self, given: Mapping[str, Any]) -> None:
        """Check the options, and let the player be called by them."""
        self.options = self.Options.of(given)
        self.written = frozenset(given)
        self.name = self.options.spec(self.kind or type(self).__name__, self.written)

    @abstractmethod
    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        """The move for the side to move. Without a limit the player's own options decide how far it looks."""

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        """What the player thinks of each cell it considers, positive is good for the side to move; for heat maps."""
        result = self.search(board, limit)
        values = result.stats.get("values")
        if isinstance(values, Mapping) and values:
            return {cell: board.turn.sign * value for cell, value in values.items()}
        return {} if result.move is None else {result.move: board.turn.sign * result.score}

    def within(self, limit: Limit | None) -> Limit | None:
        """The limit with the player's own ``depth``: the smaller one if both are written, else the written one."""
        check_limit(limit)
        depth = getattr(self.options, "depth", None)
        if depth is None or (limit is not None and limit.depth is not None and "depth" not in self.written):
            return limit
        return tightened(limit, depth=depth)

    def prepare(self, board: Board) -> None:
        """Do now what the first search on boards of this size and rule would have to do first: imports, tables, memory.

        A short search is made and forgotten; a player that can get ready without one does.
        """
        trial = Board(board.rows, board.cols, rule=board.rule)
        trial.push((board.rows // 2, board.cols // 2))
        self.search(trial, WARMING)
        self.new_game()

    def change(self, **options: Any) -> None:
        """Take other values for some options; what is known from earlier moves is kept where it can be."""
        if not options:
            return
        given = {name: getattr(self.options, name) for name in self.written} | options
        kind = self.name.partition(":")[0]
        fresh = type(self)(**given)
        self.__dict__.update(fresh.__dict__)
        self.name = self.options.spec(kind, self.written)

    def new_game(self) -> None:
        """Forget what was kept from earlier moves; most players keep nothing."""
        return

    def __repr__(self) -> str:
        return f"player({self.name!r})"


class SearchPlayer(Player):
    """A built-in player: what it is asked is checked at one door, and a subclass only finds the :meth:`answer`."""

    default: ClassVar[Limit] = Limit(depth=1)
    """What holds where nobody limits the search."""

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        control = enter(board, self.within(limit), cancel, progress, default=self.default)
        legal = board.legal_moves()
        result = self.answer(board, legal, control) if legal else self.without_a_move(board)
        win = result.win
        if win is None and result.move and rules.makes_five(board, result.move, board.turn):
            win = Win(board.turn, 1)
        return replace(result, elapsed=control.elapsed, win=win)

    @abstractmethod
    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        """The best of the legal moves, of which there is at least one; ``elapsed`` is filled in afterwards."""

    def without_a_move(self, board: Board) -> SearchResult:
        """The answer on a board where nothing can be played."""
        return SearchResult(None)
