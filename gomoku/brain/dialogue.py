"""The engine's side of the dialogue: every command of the protocol, and the boards it speaks of.

Commands are answered in order. One that cannot be carried out changes nothing and is answered by ERROR, one that is
not known by UNKNOWN.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, cast

from arena.protocol import LONGEST_LINE, coordinates, split_word
from gomoku.brain.information import Information
from gomoku.brain.thinker import HURRY_SECONDS, Thinker
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, MIN_SIDE, WHITE, Cell, Colour
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.notation.gomocup import NOBODYS, OWN, block_board, parse_stone

if TYPE_CHECKING:
    from search.result import Limit, SearchResult

ABOUT = 'name="gomoku-patterns", version="{}", author="the gomoku-patterns authors", country="-", www="-", email="-"'

_STOPS = ("STOP", "YXSTOP", "END")
_SIZE = re.compile(r"\s*(\d{1,6})\s*\Z")


class CannotError(GomokuError):
    """A known command that cannot be carried out; becomes an ERROR line."""


class Brain:
    """The engine's side of the dialogue. ``say`` sends a line to the manager."""

    def __init__(self, say: Callable[[str], None], player: str = "engine") -> None:
        self.say = say
        self.board: Board | None = None
        self.info = Information()
        self.thinker = Thinker(player)
        self.ended = False
        self._heard_at = time.monotonic()
        self._block: list[str] | None = None
        self._block_command = ""
        self._own: Colour | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "START": self.start, "RECTSTART": self.rectstart, "RESTART": self.restart, "BEGIN": self.begin,
            "TURN": self.turn, "BOARD": self.open_block, "YXBOARD": self.open_block, "SWAP2BOARD": self.open_block,
            "INFO": self.take_info, "TAKEBACK": self.takeback, "PLAY": self.play, "ABOUT": self.about,
            "STOP": self.nothing, "YXSTOP": self.nothing, "END": self.end, "YXNBEST": self.best_moves,
            "YXSHOWFORBID": self.show_forbidden, "YXHASHCLEAR": self.clear_hash, "YXSHOWINFO": self.show_info,
        }  # fmt: skip

    # ------------------------------------------------------------------ the two threads

    def overhear(self, line: str) -> None:
        """Called by the reading thread with every line before it is queued: stops what is being thought about.

        A STOP or END that comes before the search it is meant for has begun leaves that search a moment; so a dialogue
        that is piped in whole, END and all, is answered with sensible moves.
        """
        if split_word(line)[0].upper() in _STOPS:
            self.thinker.stop()

    def hear(self, line: str, read_at: float | None = None) -> None:
        """Carry out one line; what a move may take counts from when the line was read."""
        self._heard_at = time.monotonic() if read_at is None else read_at
        if split_word(line)[0].upper() in _STOPS:
            self.thinker.stop_was_for_now()
        try:
            self._hear(line.strip())
        except CannotError as error:
            self.say(f"ERROR {error}")
        except GomokuError as error:
            self.say(f"ERROR {' '.join(str(error).split())}")

    def _hear(self, line: str) -> None:
        if not line:
            return
        word, rest = split_word(line)
        if self._block is not None:
            if word.upper() not in _STOPS:
                self._in_block(line, self._block)
                return
            self._leave_block(word.upper())
        command = self._commands.get(word.upper())
        if command is None:
            self.say(f"UNKNOWN command {_printable(word)}")
            return
        self._block_command = word.upper()
        self.info.yixin = self.info.yixin or word.upper().startswith("YX")
        command(rest)

    def nothing(self, _rest: str) -> None:
        """STOP was obeyed when it was overheard."""

    def end(self, _rest: str) -> None:
        self.ended = True

    def use_idle_time(self) -> None:
        """Get ready for the next move, where START or INFO has changed what it takes."""
        if self.board is not None and self._block is None and not self.ended:
            self.board.rule = self.info.game_rule()
            self._prepare(self.board)

    def _prepare(self, board: Board) -> None:
        """What is wrong with the player is said when a move is asked for."""
        with contextlib.suppress(GomokuError):
            self.thinker.prepare(self.info, board)

    # ------------------------------------------------------------------ boards

    def start(self, rest: str) -> None:
        found = _SIZE.match(rest)
        size = int(found[1]) if found else 0
        self._new_board(size, size, rest)

    def rectstart(self, rest: str) -> None:
        cols, rows = coordinates(rest) or (0, 0)
        self._new_board(rows, cols, rest)

    def _new_board(self, rows: int, cols: int, said: str) -> None:
        if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
            raise CannotError(f"expected a board of {MIN_SIDE} to {MAX_SIDE} lines, found {_printable(said)!r}")
        self.board = Board(rows, cols, rule=self.info.game_rule())
        self._forget()
        self._prepare(self.board)
        self.say("OK")

    def restart(self, _rest: str) -> None:
        board = self._started()
        self.board = Board(board.rows, board.cols)
        self._forget()
        self.say("OK")

    def _started(self) -> Board:
        if self.board is None:
            raise CannotError("there is no board yet; send START first")
        self.board.rule = self.info.game_rule()
        return self.board

    def _forget(self) -> None:
        self._own = None
        self.thinker.forget()

    # ------------------------------------------------------------------ moves

    def begin(self, _rest: str) -> None:
        board = self._started()
        if len(board):
            raise CannotError("BEGIN needs an empty board; send RESTART or START first")
        self._think(board)

    def turn(self, rest: str) -> None:
        board = self._started()
        cell = _cell(rest, board)
        self._check_going_on(board)
        board.push(cell, board.turn if self._own is None else self._own.opponent)
        try:
            self._check_going_on(board)
            self._think(board)
        except GomokuError:
            board.pop()
            raise

    def play(self, rest: str) -> None:
        """Only asked after a SUGGEST, which we never send; some managers impose a move with it."""
        board = self._started()
        self._check_going_on(board)
        cell = _cell(rest, board)
        board.push(cell, self._own)
        self._say_move(cell)

    def takeback(self, rest: str) -> None:
        """Take back the stone that is named, also one that was set up; the last move where none is."""
        board = self._started()
        cell = _coordinates(rest, board) if rest else None
        if cell is None and not board.moves:
            raise CannotError("there is no move to take back")
        if cell is not None and board.is_empty(cell):
            raise CannotError(f"there is no stone to take back on {cell.col},{cell.row}")
        if cell is None or (board.moves and cell == board.peek()):
            board.pop()
        else:
            self.board = _without(board, cell)
        self.say("OK")

    def _check_going_on(self, board: Board) -> None:
        if board.is_over():
            raise CannotError("the game is over")

    def _think(self, board: Board, lines: int = 1) -> None:
        result = self.search(board, self._limit(board, lines), lines)
        if result.move is None:
            raise CannotError("no cell can be played")
        self._report(board, result)
        self._own = board.turn
        board.push(result.move)
        self._say_move(result.move)

    def search(self, board: Board, limit: Limit, lines: int = 1) -> SearchResult:
        """The player's answer."""
        return self.thinker.search(self.thinker.player(self.info, lines), board, limit)

    def _limit(self, board: Board, lines: int = 1) -> Limit:
        """What INFO grants the move, less what has passed since it was asked for."""
        from search.result import Limit

        self.thinker.player(self.info, lines)
        seconds = self.info.clock.seconds(len(board), board.rows * board.cols)
        gone = time.monotonic() - self._heard_at
        return Limit(
            depth=max(1, self.info.max_depth) if self.info.max_depth > 0 else None,
            nodes=max(1, self.info.max_node) if self.info.max_node > 0 else None,
            seconds=max(HURRY_SECONDS, seconds - gone),
        )

    def _report(self, board: Board, result: SearchResult) -> None:
        line = " ".join(f"{cell.col},{cell.row}" for cell in result.pv[:12])
        worth = str(result.win) if result.win else f"score {board.turn.sign * result.score}"
        time_taken = f"time {1000 * result.elapsed:.0f}"
        self.say(f"MESSAGE depth {result.depth} nodes {result.nodes} {worth} {time_taken} pv {line}")

    def _say_move(self, cell: Cell) -> None:
        self.say(f"{cell.col},{cell.row}")

    # ------------------------------------------------------------------ blocks of stones

    def open_block(self, _rest: str) -> None:
        self._started()
        self._block = []

    def _in_block(self, line: str, block: list[str]) -> None:
        if line.upper() != "DONE":
            if len(block) <= MAX_SIDE * MAX_SIDE:
                block.append(line[:LONGEST_LINE])
            return
        self._block = None
        board = self._started()
        if self._block_command == "SWAP2BOARD":
            self._swap2(board, block)
            return
        fresh = _board_of(block, board)
        self._own, before = fresh.turn, self._own
        try:
            if self._block_command == "BOARD":
                self._check_going_on(fresh)
                self._think(fresh)
        except GomokuError:
            self._own = before
            raise
        self.board = fresh

    def _leave_block(self, word: str) -> None:
        self._block = None
        if word != "END":
            raise CannotError(f"expected DONE, found {word}: {self._block_command} is given up")

    def _swap2(self, board: Board, block: Iterable[str]) -> None:
        from gomoku.swap2 import answer

        fresh = Board(board.rows, board.cols, rule=board.rule)
        for line in block:
            fresh.push(_cell(line, fresh))
        choice = answer(fresh, self._limit(fresh), self.search)
        self.board, self._own = fresh, None
        for cell in choice.stones:
            fresh.push(cell)
        self.say("SWAP" if choice.swap else " ".join(f"{cell.col},{cell.row}" for cell in choice.stones))

    # ------------------------------------------------------------------ the rest

    def take_info(self, rest: str) -> None:
        key, value = split_word(rest)
        self.info.note(key.lower(), value)

    def about(self, _rest: str) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            self.say(ABOUT.format(version("gomoku-patterns")))
        except PackageNotFoundError:
            self.say(ABOUT.format("0"))

    def best_moves(self, rest: str) -> None:
        found = _SIZE.match(rest)
        if not found or not 1 <= int(found[1]) <= MAX_SIDE * MAX_SIDE:
            raise CannotError(f"expected how many moves, found {_printable(rest)!r}")
        board = self._started()
        self._check_going_on(board)
        lines = int(found[1])
        result = self.search(board, self._limit(board, lines), lines)
        if result.move is None:
            raise CannotError("no cell can be played")
        from search.result import value_text

        values = result.stats.get("values")
        for number, (cell, value) in enumerate(values.items() if isinstance(values, dict) else (), 1):
            decided = cell in cast("Mapping[Cell, int]", result.stats.get("ends_in", {}))
            worth = value_text(result, cell) if decided else f"score {board.turn.sign * value}"
            self.say(f"MESSAGE {number} {cell.col},{cell.row} {worth}")
        board.push(result.move)
        self._say_move(result.move)

    def show_forbidden(self, _rest: str) -> None:
        board = self._started()
        self.say("FORBID " + "".join(f"{cell.col:02}{cell.row:02}" for cell in board.forbidden()) + ".")

    def clear_hash(self, _rest: str) -> None:
        self.thinker.forget()

    def show_info(self, _rest: str) -> None:
        self.say(f"MESSAGE INFO MAX_THREAD_NUM {os.cpu_count() or 1}")
        self.say("MESSAGE INFO MAX_HASH_SIZE 22")


# ---------------------------------------------------------------------- reading what a manager writes


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:60])


def _coordinates(text: str, board: Board) -> Cell:
    found = coordinates(text)
    if not found or not (0 <= found[0] < board.cols and 0 <= found[1] < board.rows):
        raise CannotError(f"expected x,y on a {board.cols}x{board.rows} board, found {_printable(text)!r}")
    return Cell(found[1], found[0])


def _cell(text: str, board: Board) -> Cell:
    cell = _coordinates(text, board)
    if not board.is_empty(cell):
        raise CannotError(f"there is a stone on {cell.col},{cell.row} already")
    return cell


def _without(board: Board, cell: Cell) -> Board:
    """The same game without this stone. Where it was the last to come, the side whose stone it was is to move."""
    kept = [move for move in board.moves if move.cell != cell]
    gone = {cell, *(move.cell for move in kept)}
    black, white = ([stone for stone in board.stones(colour) if stone not in gone] for colour in (BLACK, WHITE))
    turn = kept[0].colour if kept else board[cell] if len(board) > 1 else BLACK
    fresh = Board(board.rows, board.cols, black=black, white=white, turn=turn, rule=board.rule)
    for move in kept:
        fresh.push(*move)
    return fresh


def _board_of(block: Iterable[str], board: Board) -> Board:
    """The position of a BOARD block."""
    stones: dict[Cell, int] = {}
    for line in block:
        found = parse_stone(line)
        if not found or not OWN <= found[2] <= NOBODYS:
            raise CannotError(f"expected x,y,1, x,y,2 or x,y,3 in BOARD, found {_printable(line)!r}")
        cell = _coordinates(f"{found[0]},{found[1]}", board)
        if cell in stones:
            raise CannotError(f"BOARD names {cell.col},{cell.row} twice")
        stones[cell] = found[2]
    return block_board([*stones.items()], board.rows, board.cols, board.rule)
