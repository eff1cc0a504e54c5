"""Where units are done: this process, local processes, a Dask cluster, or any executor of the user's.

>>> with workers(jobs=1) as pool:
...     pool.submit(abs, -3).result()
3
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

from gomoku_patterns.errors import ArenaError

_GRACE = 0.5
_PATIENCE = 2.0


class Told(BaseException):
    """Raised in the unit of a worker that is told to stop: no exit of the program, and not the unit's to catch."""


@dataclass
class _Worker:
    """What a process knows of itself as a worker."""

    at_work: bool = False
    told: bool = False


_this = _Worker()


class Workers(Protocol):
    """Where units are done. A message to a worker is worth sending for ``worth`` seconds of work."""

    @property
    def worth(self) -> float: ...

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]: ...

    def capacity(self) -> int:
        """How many units are done at the same time."""

    def renew(self) -> None:
        """Called when a worker died; makes the pool usable again."""

    def close(self) -> None:
        """Drop what has not begun and stop what has."""


@contextlib.contextmanager
def workers(jobs: int = 1, *, cluster: str | None = None, executor: Executor | None = None) -> Iterator[Workers]:
    """The workers a user asked for: ``jobs`` local processes (1: this process), a cluster's address, or an executor."""
    if jobs < 1:
        raise ArenaError(f"the number of jobs is {jobs!r}; it has to be 1 or more")
    pool: Workers
    if cluster is not None:
        from arena.cluster import DaskWorkers

        pool = DaskWorkers(cluster)
    elif executor is not None:
        pool = GivenWorkers(executor, jobs)
    else:
        pool = ProcessWorkers(jobs) if jobs > 1 else ThisProcess()
    try:
        yield pool
    finally:
        pool.close()


class ThisProcess:
    """No workers at all: a unit is done when it is submitted."""

    worth = 0.0

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*args))
        except Exception as error:  # handed on through the future, as any executor does
            future.set_exception(error)
        return future

    def capacity(self) -> int:
        return 1

    def renew(self) -> None:
        return

    def close(self) -> None:
        return


class GivenWorkers:
    """An executor of the user's; it is neither renewed nor shut down here."""

    worth = 0.02

    def __init__(self, executor: Executor, jobs: int) -> None:
        self._executor = executor
        self._jobs = jobs

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(function, *args)

    def capacity(self) -> int:
        return max(self._jobs, getattr(self._executor, "_max_workers", 1))

    def renew(self) -> None:
        return

    def close(self) -> None:
        return


class ProcessWorkers:
    """A pool of local processes that is replaced when one of them dies."""

    worth = 0.01

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._executor = self._start()

    def _start(self) -> ProcessPoolExecutor:
        methods = multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
        return ProcessPoolExecutor(self._jobs, context, initializer=_begin_worker)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        return self._executor.submit(_do, function, *args)

    def capacity(self) -> int:
        return self._jobs

    def renew(self) -> None:
        self.close()
        self._executor = self._start()

    def close(self) -> None:
        """Idle workers leave by themselves; one in the middle of a unit, which may take minutes, is stopped."""
        processes = list((getattr(self._executor, "_processes", None) or {}).values())
        self._executor.shutdown(wait=False, cancel_futures=True)
        _join(processes, _GRACE)
        for process in processes:
            process.terminate()
        _join(processes, _PATIENCE)
        for process in processes:
            process.kill()


def _join(processes: Iterable[BaseProcess], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    for process in processes:
        process.join(max(0.0, deadline - time.monotonic()))


def _begin_worker() -> None:
    """Ctrl-C is for the parent; a worker that is told to stop runs its clean-up (engines it started, files)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_die_with_parent, daemon=True).start()


def _die_with_parent() -> None:
    """A worker whose parent was killed would otherwise wait for work for ever."""
    if (parent := multiprocessing.parent_process()) is not None:
        wait_for_any([parent.sentinel])
        os._exit(1)


def _leave(_number: int, _frame: object) -> None:
    """Once: the executor stops all the others when one of its processes has gone, and clean-up is under way here."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _this.told = True
    raise Told if _this.at_work else SystemExit(0)


def _do(function: Callable[..., Any], *args: Any) -> Any:
    """The executor would take the exit of a worker for the unit's result, and begin the unit that waits next."""
    _this.at_work = True
    try:
        return None if _this.told else function(*args)
    finally:
        _this.at_work = False
        if _this.told:
            os._exit(0)
