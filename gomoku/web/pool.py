"""A bounded pool of processes for what takes time: fair among clients, killable, watched, replaced.

Each process speaks JSON lines on its pipes (see :mod:`gomoku.web.worker`). A job that outlives its deadline is killed
with its process; what a client has abandoned is stopped, or killed if it does not listen; a process that dies is
replaced and its job is tried once more, so a client notices nothing but the delay.

Nobody has the pool to himself: a client, that is an address, is never at work in all of its processes (unless there is
but one), holds no more than half of the places in the queue, and waits its turn among the clients, not among the jobs.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gomoku_patterns.errors import ArenaError

Json = dict[str, Any]

STOP_SECONDS = 0.3
"""How long a job that was abandoned may take to come to its end before its process is killed."""
RESTART_SECONDS = 1.0
"""How long to wait before a process that could not be started is tried again."""
STARTING_SECONDS = 30.0
"""How long a process may take to import what it needs."""
READY = b"ready\n"
"""The first line of a process."""
MAX_LINE = 64 * 1024 * 1024
NO_PROCESS = "no process can be started at the moment; try again later"
ENDING = "the server is ending"
BEGINNING = """\
import sys
sys.path.append(sys.argv[2])  # where this package is; the current folder stays out: it may hold modules of anybody
import os, signal
signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends its processes
if hasattr(os, "nice"):
    os.nice(int(sys.argv[1]))  # from the first import on, the processor is the server's when it needs it
from gomoku.web.worker import main
main()
"""
PACKAGES = str(Path(__file__).parents[2])
RESULT = b'{"result": '


def niceness() -> int:
    """By how much the processes give way to the server, and to all else on the machine."""
    asked = os.environ.get("GOMOKU_NICE") or "10"
    try:
        return int(asked)
    except ValueError:
        raise ArenaError(f"GOMOKU_NICE: expected a whole number, found {asked!r}") from None


class PoolBusyError(ArenaError):
    """Every process is at work and the queue is full; the same request may do better later."""

    code, status = "busy", 503


class ProcessDiedError(ArenaError):
    """The process of a job died; the same request may do better later."""

    code, status = "process-died", 503


class DeadlineError(ArenaError):
    """A job took longer than it may; its process was killed."""

    code = "out-of-time"


class AnswerTooLongError(ArenaError):
    """An answer is longer than a process may write on one line."""

    code = "answer-too-long"


@dataclass(frozen=True)
class Job:
    """What a process shall do: a small JSON object and, where there is one, the body of a request as it came."""

    about: Json
    seconds: float
    """Its deadline, after which the process is killed."""
    client: str = ""
    body: bytes = b""
    overdue: str = "the search did not keep its time limit and was ended"
    """What is said when the deadline has passed."""

    def message(self) -> bytes:
        """A line for the process, and the body after it."""
        return json.dumps({"job": self.about, "bytes": len(self.body)}).encode() + b"\n" + self.body


class Worker:
    """One process of a pool and the job it is on."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.clean = True
        self._is_ready = False

    @classmethod
    async def start(cls) -> Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-c",
            BEGINNING,
            str(niceness()),
            PACKAGES,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_LINE,
        )
        return cls(process)

    def send(self, message: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self.process.stdin.write(message)

    async def lines(self, job: Job) -> AsyncGenerator[bytes, None]:
        """What the process says of a job, a line an event, up to and including its answer."""
        assert self.process.stdout is not None
        self.clean = False
        self.send(job.message())
        deadline = asyncio.get_running_loop().time() + job.seconds
        while not self.clean:
            try:
                async with asyncio.timeout_at(deadline):
                    line = await self.process.stdout.readline()
            except TimeoutError:
                raise DeadlineError(job.overdue) from None
            except ValueError:
                raise AnswerTooLongError("the answer is too long to be sent; ask for less") from None
            if not line:
                raise ProcessDiedError("the process at work on this died; try again")
            self.clean = not line.startswith(b'{"progress": ')
            yield line

    async def become_ready(self) -> None:
        """Wait until the process can take a job: what it imports does not count as time of its first one."""
        if self._is_ready:
            return
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(STARTING_SECONDS):
                self._is_ready = await self.process.stdout.readline() == READY
        except TimeoutError:
            raise DeadlineError("the process for this search did not start in time; try again") from None
        if not self._is_ready:
            raise ProcessDiedError("the process for this search died while it started; try again")

    def stop(self) -> None:
        self.send(b'{"stop": true}\n')

    async def come_to_an_end(self) -> None:
        """Let a job that was abandoned stop; it is clean if it did within a moment."""
        assert self.process.stdout is not None
        self.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while not self.clean and (line := await self.process.stdout.readline()):
                    self.clean = not line.startswith(b'{"progress": ')

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class Pool:
    """``size`` processes and room for ``queue`` jobs that wait."""

    def __init__(self, size: int, queue: int) -> None:
        self.size = size
        self.queue = queue
        self.most_running = max(1, size - 1)
        self.most_waiting = (queue + 1) // 2
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()
        self._running: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_ended = self._cannot_start = False

    async def start(self) -> None:
        for _ in range(self.size):
            await self._add()

    def end(self) -> None:
        """Kill all processes and turn away all who wait; nothing is begun any more."""
        self._has_ended = True
        for task in list(self._tasks):
            task.cancel()
        self._turn_away(ENDING)
        for worker in list(self._all):
            with contextlib.suppress(ProcessLookupError):
                worker.process.kill()

    async def close(self) -> None:
        """End, and wait until all processes are gone."""
        self.end()
        await asyncio.gather(*(worker.process.wait() for worker in self._all))

    @property
    def busy(self) -> int:
        return self.size - len(self._idle)

    async def run(self, job: Job, stop: asyncio.Event | None = None) -> AsyncGenerator[bytes, None]:
        """The lines of a job: any number of ``{"progress": ...}``, then ``{"result": ...}`` or ``{"error": ...}``."""
        for attempt in itertools.count(1):
            worker = await self._take(job.client, retry=attempt > 1)
            watcher = None
            try:
                await worker.become_ready()
                if stop is not None:  # it is heard after the job, which begins with nobody having stopped it
                    watcher = asyncio.create_task(_stop_when_set(worker, stop))
                async with contextlib.aclosing(worker.lines(job)) as lines:
                    async for line in lines:
                        yield line
                return
            except ProcessDiedError:
                if attempt == 2 or self._has_ended or (stop is not None and stop.is_set()):
                    raise
            except DeadlineError:
                await worker.end()
                raise
            finally:
                if watcher is not None:
                    watcher.cancel()
                self._give_back(job.client, worker)

    # ------------------------------------------------------------------ whose turn it is

    async def _take(self, client: str, *, retry: bool) -> Worker:
        """An idle process, now or when it is this client's turn; a job whose process died has a place for certain."""
        if self._has_ended or (self._cannot_start and not self._all):
            raise PoolBusyError(ENDING if self._has_ended else NO_PROCESS)
        if self._idle and self._running[client] < self.most_running:
            self._running[client] += 1
            return self._idle.pop()
        own = len(self._waiting.get(client, ()))
        waiting = sum(map(len, self._waiting.values()))
        if not retry and (waiting >= self.queue or own >= self.most_waiting):
            raise PoolBusyError(f"all processes are busy ({self.busy} at work, {waiting} waiting); try again")
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            return await turn
        except (asyncio.CancelledError, PoolBusyError):
            self._forget(client, turn)
            raise

    def _forget(self, client: str, turn: asyncio.Future[Worker]) -> None:
        """Nobody waits for this turn any more; a process that was given to it at the last moment goes to the next."""
        line = self._waiting.get(client, deque())
        if turn in line:
            line.remove(turn)
            if not line:
                del self._waiting[client]
        elif turn.done() and not turn.cancelled() and turn.exception() is None:
            self._give_back(client, turn.result())

    def _hand_out(self) -> None:
        """Give idle processes to those who wait: one to each client, then again from the first."""
        has_given = True
        while self._idle and has_given:
            has_given = False
            for client in list(self._waiting):
                if self._idle and self._running[client] < self.most_running and (turn := self._next_turn(client)):
                    self._running[client] += 1
                    turn.set_result(self._idle.pop())
                    has_given = True

    def _next_turn(self, client: str) -> asyncio.Future[Worker] | None:
        """The client's first turn that somebody still waits for; the client goes to the end of the line."""
        line = self._waiting[client]
        while line and line[0].done():  # cancelled, and not forgotten yet
            line.popleft()
        turn = line.popleft() if line else None
        self._waiting.move_to_end(client)
        if not line:
            del self._waiting[client]
        return turn

    # ------------------------------------------------------------------ processes

    async def _add(self) -> None:
        worker = await Worker.start()
        self._all.add(worker)
        self._idle.append(worker)
        self._hand_out()

    def _give_back(self, client: str, worker: Worker) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        if worker.clean and worker.process.returncode is None:
            self._idle.append(worker)
        elif not self._has_ended:
            task = asyncio.get_running_loop().create_task(self._replace(worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._hand_out()

    async def _replace(self, worker: Worker) -> None:
        """Give a job that was abandoned a moment to come to its end; otherwise start a fresh process."""
        if worker.process.returncode is None:
            await worker.come_to_an_end()
        if worker.clean and worker.process.returncode is None:
            self._idle.append(worker)
            self._hand_out()
            return
        self._all.discard(worker)
        await worker.end()
        while True:
            try:
                await self._add()
            except OSError:  # no memory or no processes to be had now; there may be later
                self._cannot_start = True
                if not self._all:
                    self._turn_away(NO_PROCESS)
                await asyncio.sleep(RESTART_SECONDS)
            else:
                self._cannot_start = False
                return

    def _turn_away(self, why: str) -> None:
        """Let nobody wait any longer."""
        for turn in itertools.chain(*self._waiting.values()):
            if not turn.done():
                turn.set_exception(PoolBusyError(why))


async def _stop_when_set(worker: Worker, stop: asyncio.Event) -> None:
    await stop.wait()
    worker.stop()
