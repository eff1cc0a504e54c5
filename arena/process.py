"""An engine's process: started in a session of its own, spoken to in lines, weighed, and ended with all it started."""

from __future__ import annotations

import contextlib
import math
import os
import select
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
from arena.protocol import LINE_END, Splitter, encoded, lines_of
from gomoku_patterns.errors import ArenaError

FAREWELL_SECONDS = 0.5
"""What an engine that was told END has to leave by itself."""
MEMORY_EVERY = 0.1
_PIECE = 65536


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
        assert self._process.stdout is not None and self._process.stderr is not None
        self._output = self._process.stdout
        self._ready = select.poll()
        self._ready.register(self._output, select.POLLIN)
        self._splitter = Splitter()
        self._lines: deque[str] = deque()
        self._ended = False
        self.complaints: deque[str] = deque(maxlen=5)
        self._reader = threading.Thread(target=_read, args=(self._process.stderr, self._complain), daemon=True)
        self._reader.start()
        self._gauge = _MemoryGauge(psutil, self._process.pid) if psutil else None

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._process.poll()

    # ------------------------------------------------------------------ lines

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
        """The next line; None when none comes in that time. :class:`Gone` when no more can come.

        It is read by who waits for it: a thread in between would cost every move another change of threads.
        """
        deadline = time.monotonic() + seconds
        while not self._lines:
            if self._ended:
                raise Gone
            if self._ready.poll(0):
                self._take()
                continue
            gone, left = self.status is not None, deadline - time.monotonic()
            if self._ready.poll(math.ceil(1000 * min(max(left, 0.0), MEMORY_EVERY))):
                self._take()
            elif gone:  # a child of the engine holds its output open
                raise Gone
            elif left <= MEMORY_EVERY:
                return None
        return self._lines.popleft()

    def _take(self) -> None:
        """Read what there is."""
        try:
            data = os.read(self._output.fileno(), _PIECE)
        except (OSError, ValueError):
            data = b""
        self._ended = not data
        for line in self._splitter.feed(data):
            text = line.decode("utf-8", "replace").strip()
            if self._overhear is not None:
                self._overhear("<", text)
            self._lines.append(text)

    def last_words(self) -> str:
        """How it ended, with the last line it wrote to its standard error."""
        try:
            code: int | None = self._process.wait(FAREWELL_SECONDS)
        except subprocess.TimeoutExpired:
            code = None
        self._reader.join(FAREWELL_SECONDS)
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
        """Whether it ends by itself in that time."""
        if hasattr(os, "pidfd_open") and self.status is None:
            # Popen.wait looks again and again, each time later; the kernel says at once.
            with contextlib.suppress(OSError):
                ending = os.pidfd_open(self.pid)
                try:
                    select.select([ending], [], [], seconds)
                finally:
                    os.close(ending)
                seconds = FAREWELL_SECONDS if self.status is not None else 0.0
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
        self._reader.join(FAREWELL_SECONDS)
        self._output.close()


def _read(stream: IO[bytes], take: Callable[[str], object]) -> None:
    with contextlib.suppress(OSError, ValueError), stream:
        for line in lines_of(stream):
            take(line.decode("utf-8", "replace").strip())


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
