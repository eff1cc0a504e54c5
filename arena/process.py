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
WRITE_SECONDS = 5.0
"""How long an engine may leave what it is sent unread when its pipe is full."""
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
        assert self._process.stdin is not None
        assert self._process.stdout is not None and self._process.stderr is not None
        self._input, self._output = self._process.stdin, self._process.stdout
        if os.name == "posix":
            os.set_blocking(self._input.fileno(), False)
        self.is_deaf = False
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

    def send(self, *lines: str, end: str = LINE_END, seconds: float = WRITE_SECONDS) -> bool:
        """Send lines in one write; return whether the engine can still be written to.

        An engine that does not read until its pipe is full has ``seconds`` to go on reading; afterwards it ``is_deaf``,
        and nothing more is sent, since it has half a line.
        """
        if self._overhear is not None:
            for line in lines:
                self._overhear(">", line)
        data, deadline = encoded(*lines, end=end), time.monotonic() + seconds
        while data and not self.is_deaf:
            try:
                data = data[os.write(self._input.fileno(), data) :]
            except BlockingIOError:
                self.is_deaf = not self._wait_for_room(deadline)
            except (OSError, ValueError):
                return False
        return not self.is_deaf

    def _wait_for_room(self, deadline: float) -> bool:
        """Wait until the engine reads; what it writes meanwhile is taken, for it may wait for that."""
        poll = select.poll()
        poll.register(self._input, select.POLLOUT)
        if not self._ended:
            poll.register(self._output, select.POLLIN)
        left = deadline - time.monotonic()
        ready = dict(poll.poll(math.ceil(1000 * max(left, 0.0))))
        if self._output.fileno() in ready:
            self._take()
        return self._input.fileno() in ready or (bool(ready) and left > 0)

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
        # The engine leads a session of its own: the group is it and its children, nobody else. Children that began
        # a session of their own are not in the group.
        if os.name == "posix":
            number, family = getattr(signal, name), descendants(self.pid) if self.status is None else []
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
            for pid in family:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)

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
        family = _Held(descendants(self.pid) if self.status is None else [])
        if farewell:
            self.send("END", seconds=farewell)
        with contextlib.suppress(OSError, ValueError):
            self._input.close()
        if farewell:
            self.ended_within(farewell)
        if os.name == "posix":
            self._signal("SIGKILL")
        else:
            self._process.kill()
        family.kill()
        self._process.wait()
        self._reader.join(FAREWELL_SECONDS)
        self._output.close()


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, those that they have started, and so on.

    One whose parent has ended is no longer found.
    """
    found, waiting = list[int](), [pid]
    while waiting:
        for child in _children(waiting.pop()):
            found.append(child)
            waiting.append(child)
    return found


def _children(pid: int) -> list[int]:
    """Return the children of all threads of a process, where the system has ``/proc``."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text(encoding="ascii").split())
    return found


class _Held:
    """Processes by handles of the kernel: a number may be another process by the time it is used."""

    def __init__(self, pids: Sequence[int]) -> None:
        self._handles: list[int] = []
        for pid in pids if hasattr(os, "pidfd_open") else ():
            with contextlib.suppress(OSError):
                self._handles.append(os.pidfd_open(pid))

    def kill(self) -> None:
        """Kill those that are still there."""
        for handle in self._handles:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            os.close(handle)
        self._handles = []


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
