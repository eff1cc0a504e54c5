"""Work that survives lost workers: nothing lost and nothing twice."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.cluster import DaskWorkers
from arena.pools import GivenWorkers, workers
from arena.work import run_units
from gomoku_patterns.errors import ArenaError


def square(number: int) -> int:
    return number * number


def die_once(unit: tuple[str, int]) -> int:
    """Kills its worker the first time it meets the number 3."""
    marker, number = unit
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_always(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise ValueError(f"no {number}")


def leave(number: int) -> int:
    raise SystemExit(0)


def work_until_told(folder: str) -> None:
    """Says when it begins, and does its clean-up when it is told to stop."""
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as began:
        try:
            time.sleep(60)
        finally:
            time.sleep(0.1)
            Path(began.name).rename(Path(folder, "done-" + Path(began.name).name))


@pytest.mark.parametrize(("jobs", "chunk"), [(1, 1), (1, 3), (2, 1), (2, 4), (1, None), (2, None)])
def test_every_unit_is_done_once(jobs: int, chunk: int | None) -> None:
    with workers(jobs) as pool:
        done = list(run_units(square, range(10), pool, chunk=chunk))
    assert sorted(done) == [(number, number * number) for number in range(10)]


def test_results_come_in_order_when_asked() -> None:
    with ThreadPoolExecutor(4) as executor, workers(executor=executor) as pool:
        done = [unit for unit, _ in run_units(lambda n: time.sleep(0.02 * (n % 3)), range(12), pool, ordered=True)]
    assert done == list(range(12))


def test_units_are_drawn_no_faster_than_they_are_done() -> None:
    drawn = itertools.count()
    with workers() as pool:
        results = run_units(square, drawn, pool)
        assert [next(results) for _ in range(3)] == [(0, 0), (1, 1), (2, 4)]
    assert next(drawn) < 8


class Counting(ThreadPoolExecutor):
    """Keeps how many units came in each message."""

    def __init__(self) -> None:
        super().__init__(1)
        self.sizes: list[int] = []

    def submit(self, function: Any, /, *args: Any, **named: Any) -> Future[Any]:
        self.sizes.append(len(args[1]))
        return super().submit(function, *args, **named)


def test_small_units_share_messages_and_long_ones_do_not() -> None:
    with Counting() as executor, workers(executor=executor) as pool:
        assert sum(1 for _ in run_units(square, range(5000), pool)) == 5000
        assert len(executor.sizes) < 50
        executor.sizes.clear()
        assert sum(1 for _ in run_units(time.sleep, [0.03] * 6, pool)) == 6
        assert executor.sizes == [1] * 6


def test_the_more_workers_a_scheduler_serves_the_more_is_in_a_message() -> None:
    pool = DaskWorkers.__new__(DaskWorkers)
    for workers_of_it, seconds in ((2, 0.2), (1000, 4.0)):
        pool._counted = (time.monotonic(), workers_of_it)
        assert pool.worth == seconds


class Growing(GivenWorkers):
    """One worker at first, then four."""

    asked = 0

    def capacity(self) -> int:
        self.asked += 1
        return 1 if self.asked < 5 else 4


def test_workers_that_join_get_work_before_the_first_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.work.PULSE_SECONDS", 0.05)
    together = threading.Barrier(4, timeout=20)
    with ThreadPoolExecutor(8) as executor:
        done = list(run_units(lambda _: together.wait() >= 0, range(4), Growing(executor, 1), chunk=1))
    assert [result for _, result in done] == [True] * 4


def test_messages_shrink_when_hard_units_follow_easy_ones() -> None:
    with Counting() as executor, workers(executor=executor) as pool:
        assert sum(1 for _ in run_units(time.sleep, [0.0] * 200 + [0.005] * 400, pool)) == 600
    assert max(executor.sizes) > 16
    assert executor.sizes[-3] <= 4


def test_a_lost_workers_unit_is_done_again(tmp_path: Path) -> None:
    marker = str(tmp_path / "died")
    with workers(2) as pool:
        done = list(run_units(die_once, [(marker, number) for number in range(8)], pool, chunk=2))
    assert Path(marker).exists()
    assert sorted(result for _, result in done) == list(range(8))


def test_a_unit_that_always_kills_its_worker_is_held_responsible() -> None:
    with workers(2) as pool:
        done = dict(run_units(die_always, range(6), pool, lost=lambda unit: -unit))
    assert done == {0: 0, 1: 1, 2: 2, 3: -3, 4: 4, 5: 5}


def test_without_a_remedy_the_run_ends_with_a_clear_error() -> None:
    with workers(2) as pool, pytest.raises(ArenaError, match="unit 3 has no result: 3 workers died doing it"):
        list(run_units(die_always, range(6), pool))


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_function_ends_the_run(jobs: int) -> None:
    with workers(jobs) as pool, pytest.raises(ValueError, match=r"no \d"):
        list(run_units(refuse, range(3), pool))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_function_that_leaves_the_program_is_an_error(jobs: int) -> None:
    with workers(jobs) as pool, pytest.raises(ArenaError, match=r"left, by sys\.exit\(0\), doing 2"):
        list(run_units(leave, [2, 2], pool))


def test_workers_that_are_told_to_stop_clean_up_and_begin_nothing(tmp_path: Path) -> None:
    """Each has a unit, and another one waits at its door."""
    with workers(2) as pool:
        futures = [pool.submit(work_until_told, str(tmp_path)) for _ in range(6)]
        while sum(1 for _ in tmp_path.iterdir()) < 2:
            time.sleep(0.01)
    assert [path.name[:5] for path in tmp_path.iterdir()] == ["done-"] * 2
    assert not any(future.done() and not future.cancelled() and future.exception() is None for future in futures)


def test_an_executor_that_is_shut_down_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.work.PULSE_SECONDS", 0.05)
    executor = ThreadPoolExecutor(1)

    def shut_down(number: int) -> int:
        executor.shutdown(wait=False, cancel_futures=True)
        return number

    with workers(executor=executor) as pool:
        results = run_units(shut_down, range(2), pool, chunk=1)
        with pytest.raises(ArenaError, match=r"all workers are gone \(cannot schedule .*; [01] results are in"):
            list(results)


def test_a_given_executor_that_breaks_ends_the_run() -> None:
    context = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(1, context) as executor,
        workers(executor=executor) as pool,
        pytest.raises(ArenaError, match="all workers are gone"),
    ):
        list(run_units(die_always, [3], pool))


def test_a_pool_whose_processes_cannot_be_started_again_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """It neither waits for ever nor ends in an error of the system that nobody can read."""
    with workers(2) as pool:
        results = run_units(square, itertools.count(), pool, chunk=1)
        next(results)

        def none_to_be_had(*_: object) -> Future[Any]:
            raise BlockingIOError(11, "Resource temporarily unavailable")

        monkeypatch.setattr(pool, "submit", none_to_be_had)
        with pytest.raises(ArenaError, match=r"all workers are gone .*Resource temporarily unavailable"):
            list(results)


def test_a_run_needs_a_worker() -> None:
    with pytest.raises(ArenaError, match="number of jobs is 0"), workers(0):
        pass


@pytest.mark.parametrize("address", ["", "nope", "tcp://", "tcp://host", "smtp://host:1", "tcp://host:port"])
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ArenaError, match="is no address of a Dask scheduler"), workers(cluster=address):
        pytest.fail("no cluster was there")
