"""Programs of others that speak the Gomocup protocol, for matches and for anybody's Python.

>>> import sys
>>> from gomoku_patterns import Board
>>> from search import Limit
>>> with GomocupEngine([sys.executable, "-m", "gomoku", "brain", "--player", "random:seed=1"]) as engine:
...     name = engine.name
...     result = engine.play(Board(black=["h8"]), Limit(seconds=0.5))
>>> name
'gomoku-patterns'
>>> result.move in Board(black=["h8"]).legal_moves()
True

Nothing here waits for ever: an engine that does wrong is closed, and :class:`EngineError` says why in one word:

======== ==========================================================================
reason   what happened
======== ==========================================================================
start    it could not be started, or did not answer START with OK
time     no move within its time and the tolerance, or it stopped reading
crash    it ended, or closed its output, while a move was expected
error    it said ERROR or UNKNOWN where a move was expected, and no move in its time
illegal  its move is not on the board, or the cell is taken
memory   the process and its children hold more memory than allowed
======== ==========================================================================
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

from arena.process import MEMORY_EVERY, WRITE_SECONDS, EngineProcess, Gone, split_command
from arena.protocol import UNLIMITED, Remarks, about_facts, coordinates, informed, is_refusal, is_remark
from arena.time_control import TimeControl
from arena.transcript import Transcript
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ArenaError, EngineError, IllegalMoveError
from gomoku_patterns.notation.gomocup import block_lines, start_line
from gomoku_patterns.rules import makes_five
from search.door import check_board, check_limit
from search.result import Limit, SearchResult

ABOUT_SECONDS = 2.0
"""How long an engine may take to say its name."""

# What INFO keys are set back to where a later limit has no bound; some programs read 0 as a bound of 0.
_UNBOUNDED = {"max_depth": 99, "max_node": 0}
_SUGGEST = re.compile(r"SUGGEST\s+(.*)\Z", re.IGNORECASE)


class GomocupEngine:
    """An engine's process. Ask it with :meth:`play` or :meth:`analyse`, and :meth:`close` it, or use ``with``.

    ``command`` is a command line or its words. ``time_control`` says what a move is granted where no limit is given (a
    second, unless it says otherwise), by how much it may be late, the memory the engine may hold and how many threads
    it is told to use. ``info`` is sent as it is, ``INFO KEY VALUE``, after START. ``transcript`` is a file for every
    line that is sent and comes back.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        time_control: TimeControl | None = None,
        *,
        info: Mapping[str, str] | None = None,
        transcript: str | Path | None = None,
    ) -> None:
        self.time_control = time_control or TimeControl(Limit(seconds=1.0))
        self._info = dict(info or {})
        self._facts: dict[str, str] | None = None
        self._told: dict[str, int | str] = {}
        self._size: tuple[int, int] | None = None
        self._position: Board | None = None
        self._heard = self._refusal = ""
        self._closed = ""
        self._transcript: Transcript | None = None
        try:
            self.command = split_command(command) if isinstance(command, str) else list(command)
            self._transcript = Transcript(transcript, self.command) if transcript else None
            weighed = self.time_control.memory is not None
            self._process = EngineProcess(self.command, weighed=weighed, overhear=self._transcript)
        except (OSError, ArenaError) as error:
            if self._transcript is not None:
                self._transcript.close("it could not be started")
            if isinstance(error, ArenaError):
                raise
            raise EngineError("start", f"{self.command[0]}: {(error.strerror or str(error)).lower()}") from None

    def __repr__(self) -> str:
        return f"GomocupEngine({self.command!r})"

    def __enter__(self) -> GomocupEngine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    # ------------------------------------------------------------------ who it is

    @property
    def about(self) -> dict[str, str]:
        """What it says of itself: ``name``, ``version``, ``author``, ...; empty where it says nothing."""
        if self._facts is None:
            self._check_open()
            self._facts = self._ask_about()
        return dict(self._facts)

    def _ask_about(self) -> dict[str, str]:
        self._wake()
        self._process.send("ABOUT", seconds=ABOUT_SECONDS)
        deadline = time.monotonic() + ABOUT_SECONDS
        try:
            while (left := deadline - time.monotonic()) > 0:
                line = self._process.receive(left) or ""
                if is_refusal(line):
                    break
                if not is_remark(line) and "name" in (facts := about_facts(line)):
                    return facts
        except Gone:
            pass
        return {}

    @property
    def name(self) -> str:
        """Its name, or its file's where it has none."""
        return self.about.get("name") or Path(self.command[0]).name

    # ------------------------------------------------------------------ moves

    def start(self, board: Board) -> None:
        """Begin a game on a board of this size and rule, and wait until the engine is ready, as :meth:`play` does."""
        self._check_open()
        self._wake()
        try:
            self._start(board)
            self._inform(board, self.time_control.limit)
        except EngineError as error:
            self._give_up(error)
            raise

    def play(self, board: Board, limit: Limit | None = None, *, left: float | None = None) -> SearchResult:
        """Its move for the side to move, with what it printed of its search; ``left`` is what a game's clock shows.

        The engine goes on with its game when the board is its last position and the opponent's answer; any other board
        is set up.
        """
        return self._search(board, limit, left)

    def analyse(self, board: Board, limit: Limit | None = None) -> SearchResult:
        """What it thinks of a position by itself: before and after it the engine is in no game."""
        self._size = self._position = None
        try:
            return self._search(board, limit, None)
        finally:
            self._size = self._position = None

    def _search(self, board: Board, limit: Limit | None, left: float | None) -> SearchResult:
        check_board(board)
        check_limit(limit)
        self._check_open()
        follows = self._follows(board)
        if board.is_full() or (_last_stone_won(board) if follows else board.is_over()):
            raise IllegalMoveError("the game on this board is over: there is nothing to ask the engine")
        limit = limit or self.time_control.limit
        try:
            self._wake()
            if self._size != (board.rows, board.cols) or (self._position is not None and not len(board)):
                self._start(board)
            self._inform(board, limit)
            result = self._answer_to(board, limit, left, follows)
        except EngineError as error:
            self._give_up(error)
            raise
        except BaseException:  # Ctrl-C: its answer would be taken for that to the next question
            self.close("its search was broken off")
            raise
        if self.time_control.suspend:
            self._process.suspend()
        self._position = board.copy()
        if result.move is not None:
            self._position.push(result.move)
        return result

    def _answer_to(self, board: Board, limit: Limit | None, left: float | None, follows: bool) -> SearchResult:
        allowed = [part for part in (limit.seconds if limit else None, left) if part is not None]
        budget = max(0.0, min(allowed)) if allowed else self.time_control.patience
        began = time.monotonic()
        deadline = began + budget + (self.time_control.tolerance if allowed else 0.0)
        self._heard = self._refusal = ""
        # In one write: an engine that wakes for each line would cost every move another change of processes.
        clock = UNLIMITED if left is None else int(left * 1000)
        self._say(f"INFO time_left {clock}", *_request(board, follows), deadline=deadline)
        remarks = Remarks(board)
        move = self._heed(board, deadline, remarks)
        return remarks.result(move, time.monotonic() - began)

    def _start(self, board: Board) -> None:
        self._told.clear()
        self._position = None
        deadline = time.monotonic() + self.time_control.patience
        self._say(start_line(board), deadline=deadline)
        while not (answer := self._answer(deadline, "start")).upper().startswith("OK"):
            if is_refusal(answer):
                raise EngineError("start", f"{answer[:80]!r} in answer to START")
        self._size = (board.rows, board.cols)

    def _inform(self, board: Board, limit: Limit | None) -> None:
        """Tell what is not told yet: the limits, the rule."""
        control = self.time_control
        turn = (limit.seconds if limit else None) or control.match_seconds or control.patience
        facts: dict[str, int | str | None] = {
            "timeout_turn": int(turn * 1000),
            "timeout_match": int((control.match_seconds or 0) * 1000),
            "max_memory": control.memory or 0,
            "game_type": 1,
            "rule": board.rule.code,
            "max_depth": limit.depth if limit else None,
            "max_node": limit.nodes if limit else None,
            "thread_num": control.threads,
            "time_increment": int(control.increment * 1000) or None,
            **self._info,
        }
        for key, value in _UNBOUNDED.items():
            if facts[key] is None and key in self._told:
                facts[key] = value
        news = {key: value for key, value in facts.items() if value is not None and self._told.get(key) != value}
        self._say(*informed(news))
        self._told |= news

    def _follows(self, board: Board) -> bool:
        """Whether the board is the engine's last position and one move of the opponent."""
        if self._position is None or not board.moves:
            return False
        before = board.copy()
        before.pop()
        return before == self._position

    def _heed(self, board: Board, deadline: float, remarks: Remarks) -> Cell:
        """The move. A refusal costs nothing if a move follows: it may be meant for an INFO, which nobody can tell."""
        while True:
            answer = self._answer(deadline, "time", remarks)
            if found := coordinates(answer):
                return _placed(board, *found)
            if suggestion := _SUGGEST.match(answer):
                self._say(f"PLAY {suggestion[1]}", deadline=deadline)
            elif is_refusal(answer):
                self._refusal = answer[:80]

    # ------------------------------------------------------------------ lines

    def _wake(self) -> None:
        """Let a stopped engine go on: between its moves, and between games, it may be suspended."""
        if self.time_control.suspend:
            self._process.resume()

    def _say(self, *lines: str, deadline: float | None = None) -> None:
        """Send lines; an engine that is gone is found out when its answer is waited for."""
        seconds = WRITE_SECONDS if deadline is None else max(0.0, deadline - time.monotonic())
        self._process.send(*lines, seconds=seconds)
        if self._process.is_deaf:
            raise EngineError("time", f"it does not read: {lines[0][:40]!r} could not be sent")

    def _answer(self, deadline: float, late: str, remarks: Remarks | None = None) -> str:
        """The next line that is no remark; an error when the engine is late, gone or too big."""
        began = time.monotonic()
        while True:
            self._weigh()
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._too_late(late, deadline - began)
            try:
                line = self._process.receive(min(left, MEMORY_EVERY))
            except Gone:
                raise EngineError("crash", self._last_words()) from None
            if not line:
                continue
            self._heard = line
            if not is_remark(line):
                return line
            if remarks is not None:
                remarks.note(line)

    def _too_late(self, reason: str, seconds: float) -> EngineError:
        if self._refusal:
            return EngineError("error", f"{self._refusal!r} where a move was expected")
        said = f", only {self._heard[:60]!r}" if self._heard else ""
        return EngineError(reason, f"no answer within {seconds:.2f} s{said}")

    def _weigh(self) -> None:
        limit = self.time_control.memory
        if limit is not None and (held := self._process.memory()) > limit:
            raise EngineError("memory", f"{held / 2**20:.0f} MiB held, {limit / 2**20:.0f} MiB allowed")

    def _last_words(self) -> str:
        how = self._process.last_words() + (f" after {self._refusal!r}" if self._refusal else "")
        complaints = self._process.complaints
        return f"{how}: {complaints[-1]}" if complaints else how

    # ------------------------------------------------------------------ the end

    @property
    def is_open(self) -> bool:
        """Whether it can be asked; what does wrong is closed."""
        return not self._closed

    def _check_open(self) -> None:
        if self._closed:
            raise ArenaError(f"the engine {self.command[0]} is closed: {self._closed}")

    def _give_up(self, error: EngineError) -> None:
        self.close(f"{error}")

    def close(self, why: str = "it was closed before") -> None:
        """END, a moment to leave, then the process and whatever it started are killed; closed twice is closed once."""
        if not self._closed:
            self._closed = why
            self._wake()
            self._process.close()
            if self._transcript is not None:
                self._transcript.close(why)


def _request(board: Board, follows: bool) -> list[str]:
    """The lines that ask for a move on a board, which may follow the engine's last position."""
    if follows:
        last = board.peek()
        return [f"TURN {last.col},{last.row}"]
    return block_lines(board) if len(board) else ["BEGIN"]


def _last_stone_won(board: Board) -> bool:
    """Whether the last move ended a game that went on before it."""
    before = board.copy()
    last = before.pop()
    return makes_five(before, last, board.turn.opponent)


def _placed(board: Board, col: int, row: int) -> Cell:
    if not (0 <= col < board.cols and 0 <= row < board.rows):
        raise EngineError("illegal", f"{col},{row} is not on the board")
    cell = Cell(row, col)
    if not board.is_empty(cell):
        raise EngineError("illegal", f"{board.name(cell)} is taken")
    return cell
