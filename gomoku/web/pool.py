"""A bounded pool of search processes that can be watched, stopped and replaced.

Each process speaks JSON lines on its pipes (see :mod:`gomoku.web.worker`). A search that outlives its time is killed
with its process; a process that dies is replaced and its search is tried once more, so a client notices nothing but
the delay.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from collections.abc import AsyncGenerator
from typing import Any

from gomoku_patterns.errors import ArenaError

Json = dict[str, Any]

GRACE_SECONDS = 5.0
RESTART_SECONDS = 1.0
"""How long to wait before a process that could not be started is tried again."""
MAX_LINE = 64 * 1024 * 1024


class PoolBusyError(ArenaError):
    """Every process is searching and the queue is full."""


class SearchDiedError(ArenaError):
    """The process of a search died or had to be killed."""


class SearchProcess:
    """One search process and the job it is on."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.clean = True

    @classmethod
    async def start(cls) -> SearchProcess:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "gomoku.web.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAX_LINE,
            start_new_session=True,
        )
        return cls(process)

    def send(self, message: Json) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(ConnectionError, RuntimeError):
            self.process.stdin.write(json.dumps(message).encode() + b"\n")

    async def events(self, job: Json, seconds: float) -> AsyncGenerator[Json, None]:
        """What the process says of a job, up to and including its answer."""
        assert self.process.stdout is not None
        self.clean = False
        self.send({"job": job})
        deadline = asyncio.get_running_loop().time() + seconds + GRACE_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    line = await self.process.stdout.readline()
            except TimeoutError:
                raise SearchDiedError("expected the search to keep its time limit; it was ended") from None
            if not line:
                raise SearchDiedError("expected an answer, found that the search process had died")
            event = json.loads(line)
            self.clean = event.keys() != {"progress"}
            yield event
            if self.clean:
                return

    def stop(self) -> None:
        self.send({"stop": True})

    async def end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()


class SearchPool:
    """``size`` search processes and room for ``queue`` searches that wait."""

    def __init__(self, size: int, queue: int) -> None:
        self.size = size
        self.queue = queue
        self._idle: asyncio.Queue[SearchProcess] = asyncio.Queue()
        self._waiting = 0
        self._short = False
        self._all: set[SearchProcess] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        for _ in range(self.size):
            await self._add()

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        for process in list(self._all):
            await process.end()

    @property
    def busy(self) -> int:
        return self.size - self._idle.qsize()

    async def _add(self) -> None:
        process = await SearchProcess.start()
        self._all.add(process)
        self._idle.put_nowait(process)

    async def _take(self, retry: bool) -> SearchProcess:
        """An idle process; a search whose process died has a place in the queue for certain."""
        if self._short and not self._all:
            raise PoolBusyError("no search process can be started at the moment; try again later")
        if self._idle.empty() and self._waiting >= self.queue and not retry:
            raise PoolBusyError(
                f"expected a free search process, found {self.size} searching and {self._waiting} waiting"
            )
        self._waiting += 1
        try:
            return await self._idle.get()
        finally:
            self._waiting -= 1

    def _give_back(self, process: SearchProcess) -> None:
        if process.clean and process.process.returncode is None:
            self._idle.put_nowait(process)
            return
        task = asyncio.get_running_loop().create_task(self._replace(process))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _replace(self, process: SearchProcess) -> None:
        """Give a stopped search a moment to come to its end; otherwise start a fresh process."""
        self._all.discard(process)
        await process.end()
        while True:
            try:
                await self._add()
            except OSError:  # no memory or no processes to be had now; there may be later
                self._short = True
                await asyncio.sleep(RESTART_SECONDS)
            else:
                self._short = False
                return

    async def run(self, job: Json, seconds: float, stop: asyncio.Event | None = None) -> AsyncGenerator[Json, None]:
        """The events of a job: any number of ``{"progress": ...}``, then ``{"result": ...}`` or ``{"error": ...}``."""
        for attempt in itertools.count(1):
            process = await self._take(retry=attempt > 1)
            watcher = asyncio.create_task(_stop_when_set(process, stop)) if stop is not None else None
            try:
                async for event in process.events(job, seconds):
                    yield event
                return
            except SearchDiedError:
                if attempt == 2 or (stop is not None and stop.is_set()):
                    raise
            finally:
                if watcher is not None:
                    watcher.cancel()
                self._give_back(process)


async def _stop_when_set(process: SearchProcess, stop: asyncio.Event) -> None:
    await stop.wait()
    process.stop()
