"""External Gomocup engines, started, fed and policed as a referee does.

An engine is a process that speaks the Gomocup protocol; a match names it ``cmd:./pbrain-x --option``. Whatever it does
wrong ends its game with a reason, and never more than its game:

======== ==========================================================================
reason   what happened
======== ==========================================================================
start    it could not be started, or did not answer START with OK
time     no move within its time and the tolerance
crash    it ended, or closed its output, while a move was expected
error    it said ERROR or UNKNOWN where a move was expected, and no move in its time
illegal  its move is not on the board, or the cell is taken
memory   the process and its children hold more memory than allowed
======== ==========================================================================
"""

from __future__ import annotations

import contextlib
import os
import queue
import re
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, Any

from arena.protocol import lines_of
from arena.sources import PREFIX
from arena.time_control import TimeControl
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import ArenaError

_MOVE = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\Z")
_SUGGEST = re.compile(r"SUGGEST\s+(.*)\Z", re.IGNORECASE)
_FAREWELL = 0.5
_MEMORY_EVERY = 0.1


class Forfeit(Exception):  # noqa: N818  (an outcome of a game, not an error of the program)
    """A player has lost the game by what it did; ``reason`` is one word, ``detail`` a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


def split_command(spec: str) -> list[str]:
    """The command of a spec such as ``cmd:./pbrain-x --option``, its program found."""
    try:
        words = shlex.split(spec.removeprefix(PREFIX), posix=os.name == "posix")
    except ValueError as error:
        raise ArenaError(f"expected a command such as 'cmd:./pbrain-x', found {spec!r}: {error}") from None
    if not words:
        raise ArenaError(f"expected a command such as 'cmd:./pbrain-x', found {spec!r}")
    program = shutil.which(words[0])
    if program is None:
        raise ArenaError(f"expected a program that can be run, found {words[0]!r}")
    return [str(Path(program).resolve()) if os.sep in words[0] else program, *words[1:]]


class Engine:
    """One external engine in one game. :meth:`begin`, then :meth:`move` for each of its turns, then :meth:`close`."""

    def __init__(self, spec: str, time_control: TimeControl) -> None:
        self.time_control = time_control
        self._opened = False
        self._heard = ""
        self._refusal = ""
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=1000)
        self._complaints: deque[str] = deque(maxlen=5)
        psutil = _psutil() if time_control.memory else None
        self._process = self._launch(spec)
        streams = ((self._process.stdout, self._read_answers), (self._process.stderr, self._read_errors))
        self._readers = [threading.Thread(target=read, args=(stream,), daemon=True) for stream, read in streams]
        for reader in self._readers:
            reader.start()
        self._gauge = _MemoryGauge(psutil, self._process.pid) if psutil else None

    @staticmethod
    def _launch(spec: str) -> subprocess.Popen[bytes]:
        """A program that was there when the match began may be gone when a game does."""
        pipe = subprocess.PIPE
        try:
            command = split_command(spec)
        except ArenaError as error:
            raise Forfeit("start", str(error)) from None
        try:
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        except OSError as error:
            raise Forfeit("start", f"{command[0]}: {(error.strerror or str(error)).lower()}") from None

    def begin(self, board: Board) -> None:
        """Tell the engine the size, the rule and its limits, and wait until it is ready."""
        square = board.rows == board.cols
        self._send(f"START {board.rows}" if square else f"RECTSTART {board.cols},{board.rows}")
        deadline = time.monotonic() + self.time_control.patience
        while not (answer := self._answer(deadline, "start")).upper().startswith("OK"):
            if answer.upper().startswith(("ERROR", "UNKNOWN")):
                raise Forfeit("start", f"{answer[:80]!r} in answer to START")
        for key, value in self._information(board):
            self._send(f"INFO {key} {value}")

    def _information(self, board: Board) -> list[tuple[str, int]]:
        terms, limit = self.time_control, self.time_control.limit
        turn = terms.seconds or terms.match_seconds or terms.patience
        facts: list[tuple[str, int | None]] = [
            ("timeout_turn", int(turn * 1000)),
            ("timeout_match", int((terms.match_seconds or 0) * 1000)),
            ("max_memory", terms.memory or 0),
            ("game_type", 1),
            ("rule", board.rule.code),
            ("max_depth", limit.depth if limit else None),
            ("max_node", limit.nodes if limit else None),
        ]
        return [(key, value) for key, value in facts if value is not None]

    def move(self, board: Board, left: float | None) -> Cell:
        """The engine's move in this position, with ``left`` seconds for the rest of the game."""
        allowed = [part for part in (self.time_control.seconds, left) if part is not None]
        budget = max(0.0, min(allowed)) if allowed else self.time_control.patience
        deadline = time.monotonic() + budget + (self.time_control.tolerance if allowed else 0.0)
        self._send(f"INFO time_left {2147483647 if left is None else int(left * 1000)}")
        self._heard = self._refusal = ""
        self._signal("SIGCONT")
        self._ask(board)
        cell = self._heed(board, deadline)
        self._signal("SIGSTOP")
        return cell

    def _heed(self, board: Board, deadline: float) -> Cell:
        """The move. A refusal costs nothing if a move follows: it may be meant for an INFO, which nobody can tell."""
        while True:
            answer = self._answer(deadline, "time")
            if found := _MOVE.match(answer):
                return _placed(board, int(found[1]), int(found[2]))
            if suggestion := _SUGGEST.match(answer):
                self._send(f"PLAY {suggestion[1]}")
            elif answer.upper().startswith(("ERROR", "UNKNOWN")):
                self._refusal = answer[:80]

    def _signal(self, name: str) -> None:
        """Stop or continue the engine and its children, where the terms and the system know of that."""
        if self.time_control.suspend and os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, getattr(signal, name))

    def _ask(self, board: Board) -> None:
        if self._opened:
            last = board.peek()
            self._send(f"TURN {last.col},{last.row}")
        elif len(board) == 0:
            self._send("BEGIN")
        else:
            own = board.turn
            stones = [f"{cell.col},{cell.row},{1 if colour is own else 2}" for cell, colour in _in_order(board)]
            self._send("\r\n".join(["BOARD", *stones, "DONE"]))
        self._opened = True

    # ------------------------------------------------------------------ lines

    def _send(self, text: str) -> None:
        stdin = self._process.stdin
        with contextlib.suppress(OSError, ValueError):
            # A process that is gone is noticed where its answer is read.
            if stdin is not None:
                stdin.write(f"{text}\r\n".encode())
                stdin.flush()

    def _answer(self, deadline: float, late: str) -> str:
        """The next line that is not small talk; whoever is late, gone or too big forfeits."""
        began = time.monotonic()
        while True:
            self._weigh()
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._too_late(late, deadline - began)
            gone = self._process.poll() is not None
            try:
                line = self._lines.get(timeout=min(left, _MEMORY_EVERY))
            except queue.Empty:
                if not gone:
                    continue
                line = None  # a child of the engine holds its output open
            if line is None:
                raise Forfeit("crash", self._last_words())
            self._heard = line or self._heard
            if line and not line.upper().startswith(("MESSAGE", "DEBUG")):
                return line

    def _too_late(self, reason: str, seconds: float) -> Forfeit:
        if self._refusal:
            return Forfeit("error", f"{self._refusal!r} where a move was expected")
        said = f", only {self._heard[:60]!r}" if self._heard else ""
        return Forfeit(reason, f"no answer within {seconds:.2f} s{said}")

    def _weigh(self) -> None:
        limit = self.time_control.memory
        if self._gauge is None or limit is None:
            return
        held = self._gauge.read()
        if held > limit:
            raise Forfeit("memory", f"{held / 2**20:.0f} MiB held, {limit / 2**20:.0f} MiB allowed")

    def _last_words(self) -> str:
        try:
            code: int | None = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            code = None
        self._readers[-1].join(_FAREWELL)
        how = "closed its output" if code is None else f"ended with status {code}"
        how += f" after {self._refusal!r}" if self._refusal else ""
        return f"{how}: {self._complaints[-1]}" if self._complaints else how

    def _read_answers(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            for line in lines_of(stream):
                self._lines.put(line.decode("utf-8", "replace").strip())
        self._lines.put(None)

    def _read_errors(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            for line in lines_of(stream):
                if text := line.decode("utf-8", "replace").strip():
                    self._complaints.append(text[:200])

    # ------------------------------------------------------------------ the end

    def close(self) -> None:
        """END, a moment to leave, then the process and whatever it started are killed."""
        self._signal("SIGCONT")
        self._send("END")
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        _kill_group(self._process)
        self._process.wait()
        deadline = time.monotonic() + _FAREWELL
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self._lines.get(timeout=0.01)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if os.name == "posix":
        # The engine leads a session of its own: the group is it and its children, nobody else.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _in_order(board: Board) -> list[tuple[Cell, int]]:
    """The stones as they were played; those that were set up come first, row by row."""
    moved = {move.cell for move in board.moves}
    early = [(cell, colour) for colour in Colour for cell in board.stones(colour) if cell not in moved]
    return [*early, *((move.cell, move.colour) for move in board.moves)]


def _placed(board: Board, x: int, y: int) -> Cell:
    if not (0 <= x < board.cols and 0 <= y < board.rows):
        raise Forfeit("illegal", f"{x},{y} is not on the board")
    cell = Cell(y, x)
    if not board.is_empty(cell):
        raise Forfeit("illegal", f"{board.name(cell)} is taken")
    return cell


def _psutil() -> Any:
    try:
        import psutil
    except ImportError:
        message = "expected the package 'psutil', found none: pip install 'gomoku-patterns[match]'"
        raise ArenaError(message) from None
    return psutil


class _MemoryGauge:
    """How much a process and its children hold, read at most every tenth of a second."""

    def __init__(self, psutil: Any, pid: int) -> None:
        self._psutil = psutil
        self._pid = pid
        self._next = 0.0
        self._held = 0

    def read(self) -> int:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _MEMORY_EVERY
            self._held = self._tree()
        return self._held

    def _tree(self) -> int:
        try:
            root = self._psutil.Process(self._pid)
            family = [root, *root.children(recursive=True)]
        except self._psutil.Error:
            return 0
        return sum(self._one(process) for process in family)

    def _one(self, process: Any) -> int:
        try:
            return int(process.memory_full_info().uss)
        except (self._psutil.Error, OSError):
            return 0
