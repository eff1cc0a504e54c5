"""Many independent units of work on any workers, with results that survive what happens to them.

A unit is plain data and its result is a pure function of it, so any worker may do it, and do it again when a worker is
lost. For many independent things to do (games, puzzles, positions to solve) three lines are enough:

>>> from arena.pools import workers
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
``concurrent.futures.Executor``. A :class:`arena.log.Log` keeps results on disk.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from itertools import islice
from typing import Any, TypeVar

from arena.pools import ThisProcess, Workers
from gomoku_patterns.errors import ArenaError

Unit = TypeVar("Unit")
Result = TypeVar("Result")

ATTEMPTS = 3
"""How often a unit is given to a worker that dies before the unit is held responsible."""

MOST_IN_A_MESSAGE = 20_000
"""Units, however little they cost."""

PULSE_SECONDS = 2.0
"""How often workers that have joined are looked for while no result comes."""


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
    return [_do_one(function, unit) for unit in units], time.perf_counter() - began


def _do_one(function: Callable[[Any], Any], unit: Any) -> Any:
    """A function that leaves the program would end the whole run, and say nothing."""
    try:
        return function(unit)
    except SystemExit as error:
        raise ArenaError(f"the program was left, by sys.exit({error.code!r:.40}), doing {unit!r:.80}") from error


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
        self.done = 0

    def results(self) -> Iterator[tuple[int, Any, Any]]:
        try:
            while self._fill():
                done, _ = wait(self.pending, timeout=PULSE_SECONDS, return_when=FIRST_COMPLETED)
                # Nobody is told of what an executor cancels when it is shut down.
                for future in done | {future for future in self.pending if future.cancelled()}:
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
            future = self._send(units)
        except (RuntimeError, OSError) as error:
            # An executor that is shut down, or broken for good; or no process can be started.
            message = f"all workers are gone ({error}); {self.done} results are in, and with a log the run can go on"
            raise ArenaError(message) from error
        self.pending[future] = batch

    def _send(self, units: list[Any]) -> Future[Any]:
        with contextlib.suppress(BrokenExecutor):
            return self.pool.submit(_do_all, self.function, units)
        self.pool.renew()
        return self.pool.submit(_do_all, self.function, units)

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
            self.done += 1
            yield number, unit, result

    def _mourn(self, batch: list[tuple[int, Any]], error: BaseException) -> Iterator[tuple[int, Any, Any]]:
        """A worker died with these. Which unit is to blame, and what else was lost, depends on the kind of pool."""
        if isinstance(error, BrokenExecutor):
            self._suspect(batch)
            for other in list(self.pending):
                if not _succeeded(other):
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
            message = f"unit {number} has no result: {ATTEMPTS} workers died doing it"
            raise ArenaError(message) from error
        return self.lost(unit)

    def _suspect(self, batch: list[tuple[int, Any]]) -> None:
        for number, unit in batch:
            self.losses[number] = self.losses.get(number, 0) + 1
            self.suspects.append((number, unit))


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _cluster_losses() -> tuple[type[BaseException], ...]:
    """What Dask raises for a unit that took its workers down, when Dask is in use at all."""
    module: Any = sys.modules.get("distributed")
    return (module.KilledWorker,) if module is not None else ()
