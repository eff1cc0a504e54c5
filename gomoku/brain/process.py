"""The engine as a process: one thread reads, so that STOP and END are obeyed while a search runs, the other answers."""

from __future__ import annotations

import os
import queue
import select
import sys
import threading
import time
from typing import IO

from arena.protocol import encoded, lines_of
from gomoku.brain.dialogue import Brain
from gomoku_patterns.errors import ArenaError

IDLE_SECONDS = 0.02
"""So long nothing has to come before the time until the next command is used to get ready."""

Line = tuple[str, float]
"""What was read, and when."""


def run(stdin: IO[bytes], stdout: IO[bytes], player: str = "engine") -> None:
    """Speak the protocol until END or the end of the input."""

    def say(line: str) -> None:
        stdout.write(encoded(line, end="\n"))
        stdout.flush()

    brain = Brain(say, player)
    lines: queue.SimpleQueue[Line | OSError | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(stdin, brain, lines), daemon=True).start()
    threading.Thread(target=_watch, args=(stdout, brain, lines), daemon=True).start()
    line: Line | OSError | None = None
    while not brain.ended and isinstance(line := _next(lines, brain), tuple):
        brain.hear(*line)
    if not brain.ended and isinstance(line, OSError):
        raise ArenaError(f"cannot read standard input: {line.strerror or line}")


def _next(lines: queue.SimpleQueue[Line | OSError | None], brain: Brain) -> Line | OSError | None:
    try:
        return lines.get(timeout=IDLE_SECONDS)
    except queue.Empty:
        brain.use_idle_time()
    return lines.get()


def _read(stdin: IO[bytes], brain: Brain, lines: queue.SimpleQueue[Line | OSError | None]) -> None:
    end: OSError | None = None
    try:
        for data in lines_of(stdin):
            line = data.decode("ascii", "replace")
            brain.overhear(line)
            lines.put((line, time.monotonic()))
    except OSError as error:
        end = error
    finally:
        # Nobody is there any more to hear the move that is being thought about.
        brain.overhear("END")
        lines.put(end)


def _watch(stdout: IO[bytes], brain: Brain, lines: queue.SimpleQueue[Line | OSError | None]) -> None:
    """End it when nobody can read the answers any more, though the input may still be open."""
    try:
        poll = select.poll()
        poll.register(stdout.fileno(), 0)  # only a closed other end is reported
        closed = any(event & select.POLLERR for _, event in poll.poll())
    except (OSError, ValueError):  # no file descriptor, as in tests
        return
    if closed:
        brain.overhear("END")
        lines.put(None)


def serve(player: str = "engine") -> None:
    """:func:`run` on the streams of this process."""
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None:
            raise ArenaError(f"standard {name} is closed; a Gomocup engine needs both")
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
