"""Work units on any executor: local processes, a Dask cluster, or this process; results that survive what happens.

A unit is plain data and its result is a pure function of it, so any worker may do it, and do it again when a worker is
lost. Whoever has many independent things to do (games, puzzles, positions to solve) needs three lines:

>>> with workers(jobs=1) as pool:
...     for unit, result in run_units(abs, [-3, 4], pool):
...         print(unit, result)
-3 3
4 4

``function`` is defined at the top of a module, and units and results can be pickled (JSON values are best). Units are
drawn from their iterable only as fast as the workers take them, so it may be endless. Results come as they are
finished, or with ``ordered=True`` in the order of the units. Small units share a message: as many as keep a worker busy
long enough for the message not to matter, which is measured as the run goes, or always ``chunk`` of them.
``workers(cluster="tcp://host:8786")`` is a Dask cluster, and ``workers(executor=...)`` is any other
``concurrent.futures.Executor``.

A :class:`Journal` keeps results on disk before they are counted: one JSON value a line, synced; a line that was cut by
a crash is dropped when the file is opened again.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "run.jsonl"
>>> with Journal(path, {"task": "squares"}) as journal:
...     journal.append({"unit": 1, "square": 1})
>>> with Journal(path, {"task": "squares"}) as journal:
...     journal.entries
[{'unit': 1, 'square': 1}]
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    InvalidStateError,
    ProcessPoolExecutor,
    wait,
)
from itertools import islice
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any, Protocol, TypeVar

from gomoku_patterns.errors import ArenaError

Unit = TypeVar("Unit")
Result = TypeVar("Result")
Json = dict[str, Any]

ATTEMPTS = 3
"""How often a unit is given to a worker that dies before the unit is held responsible."""

MOST_IN_A_MESSAGE = 20_000
"""Units, however little they cost."""

CONTACT_SECONDS = 10.0
"""How long a cluster's scheduler may take to answer."""

_ADDRESS = re.compile(r"((tcp|tls|ws|wss)://)?[^\s/]+:[0-9]{1,5}", re.ASCII)
_HEADER = b'{"header": '
_GRACE = 0.5
_PATIENCE = 2.0


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
        raise ArenaError(f"expected at least one job, found {jobs!r}")
    pool: Workers
    if cluster is not None:
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
        return self._executor.submit(function, *args)

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
    raise SystemExit(0)


class DaskWorkers:
    """A Dask cluster: ``dask scheduler`` on one machine, ``dask worker tcp://...`` on the others."""

    least_worth = 0.2
    messages_per_second = 250
    """That a scheduler passes, however many workers there are."""

    def __init__(self, address: str) -> None:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            message = "expected the package 'distributed', found none: pip install 'gomoku-patterns[cluster]'"
            raise ArenaError(message) from None
        if not _ADDRESS.fullmatch(address):
            raise ArenaError(f"expected the address of a Dask scheduler, such as tcp://host:8786, found {address!r}")
        try:
            self._client = distributed.Client(address, timeout=CONTACT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ArenaError(f"expected a Dask scheduler at {address!r}, found none: {error}") from None
        self._counted = (float("-inf"), 0)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Packed here, since Dask would look into every list and dictionary of what it is given, and of the result.

        As with Dask itself, functions of the program that is run, and those without a name, travel too.
        """
        cloudpickle: Any = importlib.import_module("cloudpickle")
        return _OnCluster(self._client, cloudpickle.dumps((function, args)))

    @property
    def worth(self) -> float:
        return max(self.least_worth, self.capacity() / self.messages_per_second)

    def capacity(self) -> int:
        """The threads of all workers, asked for every few seconds: workers come and go."""
        asked, threads = self._counted
        if time.monotonic() - asked > _PATIENCE:
            threads = sum(self._client.nthreads().values())
            self._counted = (time.monotonic(), threads)
        return max(1, threads)

    def renew(self) -> None:
        """The scheduler replaces workers by itself; without a scheduler nothing goes on."""
        if self._client.status != "running":
            raise ArenaError(f"expected the Dask scheduler to go on, found it {self._client.status}")

    def close(self) -> None:
        self._client.close()


def _call_packed(call: bytes) -> bytes:
    function, args = pickle.loads(call)
    return pickle.dumps(function(*args))


class _OnCluster(Future[Any]):
    """A packed call and its result.

    Dask's own executor leaves a future waiting for ever when a result was lost with its worker before it was fetched,
    and could not be made again.
    """

    def __init__(self, client: Any, call: bytes) -> None:
        super().__init__()
        self._client = client
        self._remote = client.submit(_call_packed, call, pure=False)
        client.loop.add_callback(self._follow)

    async def _follow(self) -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = pickle.loads(await self._client.gather(self._remote, asynchronous=True))
        except (CancelledError, asyncio.CancelledError):
            failure = CancelledError()
        except BaseException as error:  # handed on, as any executor does
            failure = error
        with contextlib.suppress(InvalidStateError):  # when it was cancelled here
            self.set_exception(failure) if failure is not None else self.set_result(result)

    def cancel(self) -> bool:
        """Dropped here, whatever becomes of it there."""
        dropped = super().cancel()
        if dropped and self._client.status == "running":
            self._remote.cancel()
        return dropped


# ------------------------------------------------------------------ running


def run_units(
    function: Callable[[Unit], Result],
    units: Iterable[Unit],
    pool: Workers,
    *,
    chunk: int | None = None,
    ordered: bool = False,
    lost: Callable[[Unit], Result] | None = None,
) -> Iterator[tuple[Unit, Result]]:
    """Do every unit once and yield it with its result; see the top of this module.

    A unit whose worker died is done again: in a local pool, where one death breaks the whole pool, with nobody beside
    it, so that the culprit shows. One whose worker dies every time gets ``lost(unit)`` for a result, or ends the run
    with an error. An exception of ``function`` ends the run as well.
    """
    run = _Run(function, units, pool, chunk, lost)
    return _in_order(run.results()) if ordered else ((unit, result) for _, unit, result in run.results())


def _in_order(results: Iterator[tuple[int, Unit, Result]]) -> Iterator[tuple[Unit, Result]]:
    early: dict[int, tuple[Unit, Result]] = {}
    due = 0
    for number, unit, result in results:
        early[number] = (unit, result)
        while due in early:
            yield early.pop(due)
            due += 1


def _do_all(function: Callable[[Any], Any], units: list[Any]) -> tuple[list[Any], float]:
    """The results, and the seconds they took."""
    began = time.perf_counter()
    return [function(unit) for unit in units], time.perf_counter() - began


class _Chunks:
    """How many units go in one message: what makes it worth sending, judged by the messages before."""

    def __init__(self, pool: Workers, fixed: int | None) -> None:
        self.size = 1 if fixed is None else max(1, fixed)
        self._pool = pool
        self._adapts = fixed is None
        self._each = 0.0

    def learn(self, units: int, seconds: float) -> None:
        """The mean follows quickly, and the size grows at most twofold, since hard units may come after easy ones."""
        if not self._adapts:
            return
        self._each = max(seconds / units if not self._each else (self._each + seconds / units) / 2, 1e-7)
        self.size = max(1, min(2 * units, int(self._pool.worth / self._each), MOST_IN_A_MESSAGE))


class _Run:
    """One run: what is waiting, what is with a worker, and what was lost with one."""

    def __init__(
        self,
        function: Callable[[Any], Any],
        units: Iterable[Any],
        pool: Workers,
        chunk: int | None,
        lost: Callable[[Any], Any] | None,
    ) -> None:
        self.function = function
        self.source = iter(enumerate(units))
        self.pool = pool
        self.chunks = _Chunks(pool, chunk)
        self.lost = lost
        self.pending: dict[Future[Any], list[tuple[int, Any]]] = {}
        self.suspects: deque[tuple[int, Any]] = deque()
        self.again: deque[tuple[int, Any]] = deque()
        self.losses: dict[int, int] = {}

    def results(self) -> Iterator[tuple[int, Any, Any]]:
        try:
            while self._fill():
                done, _ = wait(self.pending, return_when=FIRST_COMPLETED)
                for future in done:
                    yield from self._collect(future)
        finally:
            for future in self.pending:
                future.cancel()

    def _fill(self) -> bool:
        """Keep the workers busy, with a little ahead; after a loss, one suspect at a time with nobody beside it."""
        if self.suspects:
            if not self.pending:
                self._submit([self.suspects.popleft()])
            return True
        while len(self.pending) < self.pool.capacity() * 2:
            batch = [self.again.popleft()] if self.again else list(islice(self.source, self.chunks.size))
            if not batch:
                break
            self._submit(batch)
            if isinstance(self.pool, ThisProcess):
                break
        return bool(self.pending)

    def _submit(self, batch: list[tuple[int, Any]]) -> None:
        units = [unit for _, unit in batch]
        try:
            future = self.pool.submit(_do_all, self.function, units)
        except BrokenExecutor:
            self.pool.renew()
            future = self.pool.submit(_do_all, self.function, units)
        self.pending[future] = batch

    def _collect(self, future: Future[Any]) -> Iterator[tuple[int, Any, Any]]:
        if future not in self.pending:
            return
        batch = self.pending.pop(future)
        losses: tuple[type[BaseException], ...] = (BrokenExecutor, CancelledError, *_cluster_losses())
        try:
            results, seconds = future.result()
        except losses as error:
            yield from self._mourn(batch, error)
            return
        self.chunks.learn(len(batch), seconds)
        for (number, unit), result in zip(batch, results, strict=True):
            self.losses.pop(number, None)
            yield number, unit, result

    def _mourn(self, batch: list[tuple[int, Any]], error: BaseException) -> Iterator[tuple[int, Any, Any]]:
        """A worker died with these. Which unit is to blame, and what else was lost, depends on the kind of pool."""
        if isinstance(error, BrokenExecutor):
            self._suspect(batch)
            for other in list(self.pending):
                if not (other.done() and other.exception() is None):
                    self._suspect(self.pending.pop(other))
        self.pool.renew()
        if not isinstance(error, BrokenExecutor):
            yield from self._retry(batch, error)
        for number, unit in [item for item in self.suspects if self.losses[item[0]] >= ATTEMPTS]:
            self.suspects.remove((number, unit))
            yield number, unit, self._give_up(number, unit, error)

    def _retry(self, batch: list[tuple[int, Any]], error: BaseException) -> Iterator[tuple[int, Any, Any]]:
        """A cluster has given up on these: each gets a chance by itself, then one with nobody beside it, its last."""
        for number, unit in batch:
            if len(batch) > 1:
                self.again.append((number, unit))
            elif number not in self.losses:
                self._suspect(batch)
            else:
                yield number, unit, self._give_up(number, unit, error)

    def _give_up(self, number: int, unit: Any, error: BaseException) -> Any:
        if self.lost is None:
            message = f"expected a result of unit {number}, found {ATTEMPTS} workers that died doing it"
            raise ArenaError(message) from error
        return self.lost(unit)

    def _suspect(self, batch: list[tuple[int, Any]]) -> None:
        for number, unit in batch:
            self.losses[number] = self.losses.get(number, 0) + 1
            self.suspects.append((number, unit))


def _cluster_losses() -> tuple[type[BaseException], ...]:
    """What Dask raises for a unit that took its workers down, when Dask is in use at all."""
    module: Any = sys.modules.get("distributed")
    return (module.KilledWorker,) if module is not None else ()


# ------------------------------------------------------------------ the journal


class Journal:
    """A file of results, one JSON value a line under a header that says what the run is; see the top of this module.

    ``entries`` are the results that an earlier run left.
    """

    def __init__(self, path: str | Path, header: Mapping[str, Any], *, fresh: bool = False) -> None:
        self.path = Path(path)
        self.header = json.loads(json.dumps(header))
        self.entries: list[Json] = []
        if fresh and self.path.exists() and self.path.stat().st_size:
            raise ArenaError(f"{self.path}: expected a new file, found a log; resume it, or name another")
        try:
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise ArenaError(f"{self.path}: expected a file to write, found {(error.strerror or '').lower()}") from None
        try:
            _lock(self._file, self.path)
            self._resume()
        except BaseException:
            self._file.close()
            raise

    def _resume(self) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._refuse_foreign(data)
            self._file.truncate(len(whole))
        values = list(read_lines(whole, self.path))
        if not values:
            self._write([{"header": self.header}])
            return
        found = values[0].get("header")
        if found != self.header:
            raise ArenaError(f"{self.path}: {_difference(self.header, found)}")
        self.entries = values[1:]

    def _refuse_foreign(self, data: bytes) -> None:
        """A line that was cut is only dropped from what is a log: its first line, or as much as there is of it."""
        if data[: len(_HEADER)] != _HEADER[: len(data)]:
            raise ArenaError(f"{self.path}: expected the log of a run, found a file without its header")

    def append(self, *entries: Json) -> None:
        """Write results; they are on the disk when this returns."""
        self._write(entries)

    def _write(self, entries: Iterable[Json]) -> None:
        text = "".join(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n" for entry in entries)
        self._file.write(text.encode())
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_header(path: str | Path) -> Json:
    """The header of a journal."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            line = stream.readline()
    except OSError as error:
        raise ArenaError(f"{path}: expected a log to read, found {(error.strerror or '').lower()}") from None
    header = next(read_lines(line, file), {}).get("header")
    if not isinstance(header, dict):
        raise ArenaError(f"{path}: expected the log of a run, found a file without its header")
    return header


def read_lines(data: bytes, path: Path) -> Iterator[Json]:
    """The JSON objects of a log."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise ArenaError(f"{path}:{number}: expected a JSON object, found {line[:60].decode(errors='replace')!r}")
        yield value


def _difference(wanted: Json, found: object) -> str:
    if not isinstance(found, dict):
        return "expected the log of a run, found a file without its header"
    for key in [*wanted, *found]:
        if wanted.get(key) != found.get(key):
            return f"expected a log of the same run, with {key} {wanted.get(key)!r:.200}, found {found.get(key)!r:.200}"
    return "expected a log of the same run"


def _lock(file: IO[bytes], path: Path) -> None:
    """Two runs never write one log; where the system has no such locks, the user has to see to it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ArenaError(f"{path}: expected a log nobody else writes, found another run at work on it") from None
