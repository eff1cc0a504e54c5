"""A Gomocup engine on standard input and output, with any registered player behind it.

A thread reads, so that STOP and END are obeyed while a search runs; everything else is answered in order by the main
thread. A command that cannot be carried out changes nothing and is answered by ERROR, one that is not known by UNKNOWN.

The rule code is a bit mask: 1 exactly five, 4 renju, 8 caro, and 2 for a continuous game, which changes nothing here.
Yixin's programs mean renju by 2: it is read so once a command or key of theirs has been seen.
"""

from __future__ import annotations

import os
import queue
import re
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import IO, TYPE_CHECKING

from arena.protocol import LONGEST_LINE, lines_of
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, MIN_SIDE, WHITE, Cell, Colour
from gomoku_patterns.errors import ArenaError, GomokuError
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from search.players import Option, Player
    from search.result import Limit, SearchResult

ABOUT = 'name="gomoku-patterns", version="{}", author="the gomoku-patterns authors", country="-", www="-", email="-"'

UNLIMITED = 2147483647
FASTEST_SECONDS = 0.05
"""What a move takes when the manager asks for one as fast as possible."""
HURRY_SECONDS = 0.03
"""What is left to a search that was told to stop before it began."""
SAFETY_SECONDS = 0.05
"""Kept back of every limit for the way through the pipes."""
BASE_MEGABYTES = 100
"""What the process holds before any table of positions."""

_CLOCK_KEYS = ("timeout_turn", "timeout_match", "time_left")
_KEYS = ("rule", "max_memory", "max_depth", "max_node", "hash_size")
_YIXIN_KEYS = ("max_depth", "max_node", "thread_num", "hash_size", "show_detail", "caution_factor", "pondering")
_STOPS = ("STOP", "YXSTOP", "END")
_COORDINATES = re.compile(r"\s*(-?\d{1,6})\s*,\s*(-?\d{1,6})\s*\Z")
_STONE = re.compile(r"\s*(\d{1,6})\s*,\s*(\d{1,6})\s*,\s*([123])\s*\Z")
_SIZE = re.compile(r"\s*(\d{1,6})\s*\Z")


class CannotError(GomokuError):
    """A known command that cannot be carried out; becomes an ERROR line."""


@dataclass
class Clock:
    """What the manager has said about time, in milliseconds, and how much of it a move may take."""

    timeout_turn: int = 30_000
    timeout_match: int = 0
    time_left: int = UNLIMITED

    def seconds(self, stones: int, cells: int) -> float:
        """Seconds for the next move: the turn's limit, or a fair part of what is left of the match.

        >>> Clock(timeout_turn=1000).seconds(10, 225)
        0.95
        >>> Clock(timeout_turn=5000, timeout_match=120_000, time_left=60_000).seconds(40, 225)
        2.95
        """
        if self.timeout_turn <= 0:
            return FASTEST_SECONDS
        turn = self.timeout_turn / 1000
        if self.timeout_match > 0 or self.time_left < UNLIMITED:
            # Most games end before the board is a third full; twenty more moves are expected at first, eight always.
            moves = max(8, 20 - max(0, stones - cells // 6) // 4)
            turn = min(turn, max(0.0, self.time_left / 1000) / moves)
        return max(FASTEST_SECONDS, round(turn - SAFETY_SECONDS, 3))


@dataclass
class Information:
    """The INFO keys that mean something to us."""

    clock: Clock = field(default_factory=Clock)
    rule: int = 0
    max_memory: int = 0
    max_depth: int = 0
    max_node: int = 0
    thread_num: int = 0
    hash_size: int = 0
    yixin: bool = False

    def note(self, key: str, value: str) -> None:
        """Take one key; unknown ones and values that are no numbers are passed over, as managers expect."""
        self.yixin = self.yixin or key in _YIXIN_KEYS
        if re.fullmatch(r"-?\d{1,18}", value.strip()):
            if key in _CLOCK_KEYS:
                setattr(self.clock, key, int(value))
            elif key == "thread_num":
                # More threads than processors only wait for each other.
                self.thread_num = min(int(value), os.cpu_count() or 1) if int(value) > 0 else self.thread_num
            elif key in _KEYS:
                setattr(self, key, int(value))

    def game_rule(self) -> Rule:
        """The rule that the code means."""
        if self.rule & 8:
            return Rule.CARO if self.rule & 1 else Rule.CARO_OVERLINE
        if self.rule & 4 or (self.rule == 2 and self.yixin):
            return Rule.RENJU
        return Rule.STANDARD if self.rule & 1 else Rule.FREESTYLE

    def megabytes(self) -> int | None:
        """How large the table of positions may be; None where nothing was said."""
        if self.max_memory > 0:
            return max(1, min(4096, ((self.max_memory >> 20) - BASE_MEGABYTES) // 3))
        return max(1, min(4096, self.hash_size >> 10)) if self.hash_size > 0 else None


class Brain:
    """The engine's side of the dialogue. ``say`` sends a line to the manager."""

    def __init__(self, say: Callable[[str], None], player: str = "engine") -> None:
        from search._control import Cancel

        self.say = say
        self.spec = player
        self.board: Board | None = None
        self.info = Information()
        self.cancel = Cancel()
        self.ended = False
        self._player: Player | None = None
        self._player_key: object = None
        self._block: list[str] | None = None
        self._block_command = ""
        self._own: Colour | None = None
        self._thinking = False
        self._stops_pending = 0
        self._lock = threading.Lock()
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
        if _word(line)[0].upper() in _STOPS:
            with self._lock:
                self._stops_pending += 1
                if self._thinking:
                    self.cancel.set()

    def hear(self, line: str) -> None:
        """Carry out one line."""
        if _word(line)[0].upper() in _STOPS:
            with self._lock:
                self._stops_pending = max(0, self._stops_pending - 1)
        try:
            self._hear(line.strip())
        except CannotError as error:
            self.say(f"ERROR {error}")
        except GomokuError as error:
            self.say(f"ERROR {' '.join(str(error).split())}")

    def _hear(self, line: str) -> None:
        if not line:
            return
        word, rest = _word(line)
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

    # ------------------------------------------------------------------ boards

    def start(self, rest: str) -> None:
        found = _SIZE.match(rest)
        size = int(found[1]) if found else 0
        self._new_board(size, size, rest)

    def rectstart(self, rest: str) -> None:
        found = _COORDINATES.match(rest)
        cols, rows = (int(found[1]), int(found[2])) if found else (0, 0)
        self._new_board(rows, cols, rest)

    def _new_board(self, rows: int, cols: int, said: str) -> None:
        if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
            raise CannotError(f"expected a board of {MIN_SIDE} to {MAX_SIDE} lines, found {_printable(said)!r}")
        self.board = Board(rows, cols)
        self._forget()
        self.say("OK")

    def restart(self, _rest: str) -> None:
        board = self._started()
        self.board = Board(board.rows, board.cols)
        self._forget()
        self.say("OK")

    def _started(self) -> Board:
        if self.board is None:
            raise CannotError("expected START first")
        self.board.rule = self.info.game_rule()
        return self.board

    def _forget(self) -> None:
        self._own = None
        if self._player is not None:
            self._player.new_game()

    # ------------------------------------------------------------------ moves

    def begin(self, _rest: str) -> None:
        board = self._started()
        if len(board):
            raise CannotError("expected an empty board for BEGIN")
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
            raise CannotError("expected a move to take back, found none")
        if cell is not None and board.is_empty(cell):
            raise CannotError(f"expected a stone to take back, found none on {cell.col},{cell.row}")
        if cell is None or (board.moves and cell == board.peek()):
            board.pop()
        else:
            self.board = _without(board, cell)
        self.say("OK")

    def _check_going_on(self, board: Board) -> None:
        if board.is_over():
            raise CannotError("the game is over")

    def _think(self, board: Board, lines: int = 1) -> None:
        result = self.search(board, self._limit(board), lines)
        if result.move is None:
            raise CannotError("expected a cell that can be played, found none")
        self._report(board, result)
        self._own = board.turn
        board.push(result.move)
        self._say_move(result.move)

    def search(self, board: Board, limit: Limit, lines: int = 1) -> SearchResult:
        """The player's answer, stopped by STOP and END."""
        player = self._ready_player(lines)
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

    def _limit(self, board: Board) -> Limit:
        from search.result import Limit

        seconds = self.info.clock.seconds(len(board), board.rows * board.cols)
        return Limit(
            depth=max(1, self.info.max_depth) if self.info.max_depth > 0 else None,
            nodes=max(1, self.info.max_node) if self.info.max_node > 0 else None,
            seconds=seconds,
        )

    def _ready_player(self, lines: int) -> Player:
        """The player with what INFO says of memory and threads; the same one until that changes."""
        from search.players import parse_spec, player, player_info

        key = (self.info.megabytes(), self.info.thread_num, lines)
        if self._player is None or key != self._player_key:
            name, given = parse_spec(self.spec)
            options = [option for option in player_info(name).options if option.name not in given]
            wanted = {"hash": self.info.megabytes(), "threads": self.info.thread_num, "lines": lines}
            extra = {option.name: _allowed(value, option) for option in options if (value := wanted.get(option.name))}
            self._player, self._player_key = player(self.spec, **extra), key
        return self._player

    def _report(self, board: Board, result: SearchResult) -> None:
        sign = board.turn.sign
        line = " ".join(f"{cell.col},{cell.row}" for cell in result.pv[:12])
        self.say(
            f"MESSAGE depth {result.depth} nodes {result.nodes} score {sign * result.score} "
            f"time {1000 * result.elapsed:.0f} pv {line}"
        )

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
        key, value = _word(rest)
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
        result = self.search(board, self._limit(board), int(found[1]))
        if result.move is None:
            raise CannotError("expected a cell that can be played, found none")
        values = result.stats.get("values")
        for number, (cell, value) in enumerate(values.items() if isinstance(values, dict) else (), 1):
            self.say(f"MESSAGE {number} {cell.col},{cell.row} score {board.turn.sign * value}")
        board.push(result.move)
        self._say_move(result.move)

    def show_forbidden(self, _rest: str) -> None:
        board = self._started()
        self.say("FORBID " + "".join(f"{cell.col:02}{cell.row:02}" for cell in board.forbidden()) + ".")

    def clear_hash(self, _rest: str) -> None:
        if self._player is not None:
            self._player.new_game()

    def show_info(self, _rest: str) -> None:
        self.say(f"MESSAGE INFO MAX_THREAD_NUM {os.cpu_count() or 1}")
        self.say("MESSAGE INFO MAX_HASH_SIZE 22")


# ---------------------------------------------------------------------- reading what a manager writes


def _word(line: str) -> tuple[str, str]:
    """The first word of a line and what follows it, whatever kind of space is between them."""
    word, rest, *_ = [*line.split(maxsplit=1), "", ""]
    return word, rest.strip()


def _allowed(value: int, option: Option) -> int:
    """The nearest value that the option takes."""
    least = value if option.least is None else int(option.least)
    most = value if option.most is None else int(option.most)
    return max(least, min(most, value))


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text[:60])


def _coordinates(text: str, board: Board) -> Cell:
    found = _COORDINATES.match(text)
    if not found or not (0 <= int(found[1]) < board.cols and 0 <= int(found[2]) < board.rows):
        raise CannotError(f"expected x,y on a {board.cols}x{board.rows} board, found {_printable(text)!r}")
    return Cell(int(found[2]), int(found[1]))


def _cell(text: str, board: Board) -> Cell:
    cell = _coordinates(text, board)
    if not board.is_empty(cell):
        raise CannotError(f"expected an empty cell, found a stone on {cell.col},{cell.row}")
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
    """The position of a BOARD block. Who is black follows from the numbers of stones or, under renju, their order.

    A 3 is a stone of a line that was won earlier, or a forbidden one, in a game that goes on: its cell is taken, and
    whose it was is not told. It stands here as the opponent's, or as our own where that would make a five.
    """
    stones: dict[Cell, int] = {}
    for line in block:
        found = _STONE.match(line)
        if not found:
            raise CannotError(f"expected x,y,1, x,y,2 or x,y,3 in BOARD, found {_printable(line)!r}")
        cell = _coordinates(f"{found[1]},{found[2]}", board)
        if cell in stones:
            raise CannotError(f"expected each cell once in BOARD, found {cell.col},{cell.row} again")
        stones[cell] = int(found[3])
    own, other, dead = ([cell for cell, owner in stones.items() if owner == kind] for kind in (1, 2, 3))
    colour = _own_colour([owner for owner in stones.values() if owner != 3], board.rule)
    for cell in dead:
        side = own if _position(board, own, [*other, cell], colour).winner() else other
        side.append(cell)
    return _position(board, own, other, colour)


def _position(board: Board, own: list[Cell], other: list[Cell], colour: Colour) -> Board:
    black, white = (own, other) if colour is BLACK else (other, own)
    return Board(board.rows, board.cols, black=black, white=white, turn=colour, rule=board.rule)


def _own_colour(owners: list[int], rule: Rule) -> Colour:
    if rule is Rule.RENJU and owners:
        return BLACK if owners[0] == 1 else WHITE
    return WHITE if owners.count(2) > owners.count(1) else BLACK


# ---------------------------------------------------------------------- the process


def run(stdin: IO[bytes], stdout: IO[bytes], player: str = "engine") -> None:
    """Speak the protocol until END or the end of the input."""

    def say(line: str) -> None:
        stdout.write(line.encode("ascii", "replace") + b"\n")
        stdout.flush()

    brain = Brain(say, player)
    lines: queue.SimpleQueue[str | OSError | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stdin, brain, lines), daemon=True).start()
    while not brain.ended and isinstance(line := lines.get(), str):
        brain.hear(line)
    if not brain.ended and isinstance(line, OSError):
        raise ArenaError(f"expected a standard input that can be read, found: {line.strerror or line}")


def _read(stdin: IO[bytes], brain: Brain, lines: queue.SimpleQueue[str | OSError | None]) -> None:
    end: OSError | None = None
    try:
        for data in lines_of(stdin):
            line = data.decode("ascii", "replace")
            brain.overhear(line)
            lines.put(line)
    except OSError as error:
        end = error
    finally:
        lines.put(end)


def serve(player: str = "engine") -> None:
    """:func:`run` on the streams of this process."""
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None:
            raise ArenaError(f"expected a standard {name}, found it closed")
    run(sys.stdin.buffer, sys.stdout.buffer, player)
    sys.stdout.flush()


def main() -> None:
    """``pbrain-gomoku``: the engine, as managers start it."""
    status = 0
    try:
        serve()
    except (BrokenPipeError, KeyboardInterrupt):
        pass
    except ArenaError as error:
        print(f"pbrain-gomoku: {error}", file=sys.stderr, flush=True)
        status = 2
    finally:
        # What was asked to stop may still hold a thread; a manager does not wait for it.
        os._exit(status)
