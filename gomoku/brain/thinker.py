"""The player behind the protocol: made of what INFO says, ready before it is asked, and stopped from another thread."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from gomoku_patterns.board import Board

if TYPE_CHECKING:
    from gomoku.brain.information import Information
    from search import Option, Player
    from search.result import Limit, SearchResult

HURRY_SECONDS = 0.03
"""What is left to a search that was told to stop before it began."""


class Thinker:
    """A player of the registry that searches for the brain."""

    def __init__(self, spec: str) -> None:
        from search._control import Cancel

        self.spec = spec
        self.cancel = Cancel()
        self._player: Player | None = None
        self._made_of: object = None
        self._warm_for: object = None
        self._thinking = False
        self._stops_pending = 0
        self._lock = threading.Lock()

    # ------------------------------------------------------------------ before the move

    def prepare(self, info: Information, board: Board) -> None:
        """Do now what the first search would have to do: imports, tables, memory."""
        player = self.player(info)
        if not self.is_ready(info, board):
            player.prepare(board)
            self._warm_for = self._need(info, board)

    def is_ready(self, info: Information, board: Board) -> bool:
        """Whether a search on such a board can begin at once."""
        return self._warm_for == self._need(info, board)

    @staticmethod
    def _need(info: Information, board: Board) -> object:
        return (info.megabytes(), info.thread_num, board.rows, board.cols, board.rule)

    def player(self, info: Information, lines: int = 1) -> Player:
        """The player with what INFO says of memory and threads, which may change between two moves."""
        from search.players import parse_spec, player, player_info

        key = (info.megabytes(), info.thread_num, lines)
        if self._player is None or key != self._made_of:
            name, given = parse_spec(self.spec)
            options = [option for option in player_info(name).options if option.name not in given]
            room = info.megabytes()
            wanted = {"hash": room, "memory": room, "threads": info.thread_num, "lines": lines}
            extra = {option.name: _allowed(value, option) for option in options if (value := wanted.get(option.name))}
            if self._player is None:
                self._player = player(self.spec, **extra)
            else:
                self._player.change(**extra)
            self._made_of = key
        return self._player

    def forget(self) -> None:
        """What is known of positions belongs to another game."""
        if self._player is not None:
            self._player.new_game()

    # ------------------------------------------------------------------ the move

    def search(self, player: Player, board: Board, limit: Limit) -> SearchResult:
        """The player's answer, stopped by STOP and END."""
        with self._lock:
            self._thinking = True
            self.cancel.clear()
            if self._stops_pending:
                limit = replace(limit, seconds=min(limit.seconds or HURRY_SECONDS, HURRY_SECONDS))
        try:
            return player.search(board, limit, cancel=self.cancel)
        finally:
            with self._lock:
                self._thinking = False

    def stop(self) -> None:
        """Called by the reading thread: ends the search that runs, or hurries the one that is still to come."""
        with self._lock:
            self._stops_pending += 1
            if self._thinking:
                self.cancel.set()

    def stop_was_for_now(self) -> None:
        """The line that stopped has had its turn: the next search is not meant by it."""
        with self._lock:
            self._stops_pending = max(0, self._stops_pending - 1)


def _allowed(value: int, option: Option) -> int:
    """The nearest value that the option takes."""
    least = value if option.least is None else int(option.least)
    most = value if option.most is None else int(option.most)
    return max(least, min(most, value))
