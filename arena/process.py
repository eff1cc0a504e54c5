"""An engine's process: started in a session of its own, spoken to in lines, weighed, and ended with all it started."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from arena.entrants import PREFIX
from arena.protocol import LINE_END, encoded, lines_of
from gomoku_patterns.errors import ArenaError

FAREWELL_SECONDS = 0.5
"""What an engine that was told END has to leave by itself."""
MEMORY_EVERY = 0.1
_MOST_WAITING = 1000


def split_command(spec: str) -> list[str]:
    """The words of a command such as ``cmd:./pbrain-x --option``, with or without the prefix, its program found."""
    try:
        words = shlex.split(spec.removeprefix(PREFIX), posix=os.name == "posix")
    except ValueError as error:
        raise ArenaError(f"cannot read the command {spec!r}: {str(error).lower()}") from None
    if not words:
        raise ArenaError(f"{spec!r} names no program; write a command such as {PREFIX}./pbrain-x")
    program = shutil.which(words[0])
    if program is None:
        raise ArenaError(f"cannot find a program {words[0]!r} that can be run")
    # A link keeps its name: a Python of a virtual environment finds its packages by it.
    return [str(Path(program).absolute()) if os.sep in words[0] else program, *words[1:]]


class Gone(Exception):  # noqa: N818  (news, not an error of the program)
    """The process has ended, or closed its output."""


class EngineProcess:
    """A process, its lines and its complaints. ``OSError`` where it cannot be started.

    ``overhear`` is given every line with what it is: ``>`` sent, ``<`` answered, ``!`` written to standard error.
    """

    def __init__(
        self, command: Sequence[str], *, weighed: bool = False, overhear: Callable[[str, str], object] | None = None
    ) -> None:
        psutil = _psutil() if weighed else None
        self._overhear = overhear
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        self._lines: queue.Queue[str | None] = queue.Queue(maxsize=_MOST_WAITING)
        self.complaints: deque[str] = deque(maxlen=5)
        self._readers = [
            self._reader(self._process.stdout, self._hear, self._end),
            self._reader(self._process.stderr, self._complain, lambda: None),
        ]
        self._gauge = _MemoryGauge(psutil, self._process.pid) if psutil else None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    # ------------------------------------------------------------------ lines

    @staticmethod
    def _reader(stream: IO[bytes] | None, take: Callable[[str], object], end: Callable[[], object]) -> threading.Thread:
        assert stream is not None
        thread = threading.Thread(target=_read, args=(stream, take, end), daemon=True)
        thread.start()
        return thread

    def _hear(self, line: str) -> None:
        if self._overhear is not None:
            self._overhear("<", line)
        self._lines.put(line)

    def _end(self) -> None:
        self._lines.put(None)

    def _complain(self, line: str) -> None:
        if self._overhear is not None:
            self._overhear("!", line)
        if line:
            self.complaints.append(line[:200])

    def send(self, *lines: str, end: str = LINE_END) -> bool:
        """Send lines in one write; whether the engine can still be written to."""
        stdin = self._process.stdin
        assert stdin is not None
        if self._overhear is not None:
            for line in lines:
                self._overhear(">", line)
        try:
            stdin.write(encoded(*lines, end=end))
            stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def receive(self, seconds: float) -> str | None:
        """The next line; None when none comes in that time. :class:`Gone` when no more can come."""
        deadline = time.monotonic() + seconds
        while True:
            gone = self.status is not None
            left = deadline - time.monotonic()
            try:
                line = self._lines.get(timeout=min(max(left, 0.0), MEMORY_EVERY))
            except queue.Empty:
                if gone:  # a child of the engine holds its output open
                    raise Gone from None
                if left <= MEMORY_EVERY:
                    return None
                continue
            if line is None:
                raise Gone
            return line

    def last_words(self) -> str:
        """How it ended, with the last line it wrote to its standard error."""
        try:
            code: int | None = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        self._readers[-1].join(FAREWELL_SECONDS)
        return "closed its output" if code is None else f"ended with status {code}"

    # ------------------------------------------------------------------ the process

    def memory(self) -> int:
        """Bytes that it and its children hold; 0 where it is not weighed."""
        return self._gauge.read() if self._gauge else 0

    def suspend(self) -> None:
        self._signal("SIGSTOP")

    def resume(self) -> None:
        self._signal("SIGCONT")

    def _signal(self, name: str) -> None:
        # The engine leads a session of its own: the group is it and its children, nobody else.
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, getattr(signal, name))

    def ended_within(self, seconds: float) -> bool:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self, farewell: float = FAREWELL_SECONDS) -> None:
        """END, a moment to leave, then the process and whatever it started are killed."""
        if farewell:
            self.send("END")
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        if farewell:
            self.ended_within(farewell)
        if os.name == "posix":
            self._signal("SIGKILL")
        else:
            self._process.kill()
        self._process.wait()
        deadline = time.monotonic() + FAREWELL_SECONDS
        while any(reader.is_alive() for reader in self._readers) and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self._lines.get(timeout=0.01)


def _read(stream: IO[bytes], take: Callable[[str], object], end: Callable[[], object]) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        for line in lines_of(stream):
            take(line.decode("utf-8", "replace").strip())
    end()


def _psutil() -> Any:
    try:
        import psutil
    except ImportError:
        message = "a memory limit needs the package 'psutil': pip install 'gomoku-patterns[match]'"
        raise ArenaError(message) from None
    return psutil


def memory_of_family(psutil: Any, pid: int) -> int:
    """Bytes that only a process and its children hold."""
    try:
        root = psutil.Process(pid)
        family = [root, *root.children(recursive=True)]
    except psutil.Error:
        return 0
    return sum(_held(psutil, process) for process in family)


def _held(psutil: Any, process: Any) -> int:
    try:
        return int(process.memory_full_info().uss)
    except (psutil.Error, OSError):
        return 0


class _MemoryGauge:
    """How much a process and its children hold, read at most every tenth of a second."""

    def __init__(self, psutil: Any, pid: int) -> None:
        self._psutil = psutil
        self._pid = pid
        self._next = 0.0
        self._held = 0

    def read(self) -> int:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + MEMORY_EVERY
            self._held = memory_of_family(self._psutil, self._pid)
        return self._held
