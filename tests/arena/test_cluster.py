"""A real Dask scheduler and two real workers on this machine, one of which is killed in the middle of a match."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.log import Log
from arena.match import MatchPlan, play_match
from arena.pools import workers
from arena.standings import Standings
from arena.work import run_units
from gomoku_patterns import Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.notation import json_position
from puzzles import load

distributed = pytest.importorskip("distributed")
psutil = pytest.importorskip("psutil")

ROOT = Path(__file__).parents[2]
PLAN = MatchPlan(("random:seed=1", "random:seed=2"), (Board(9), Board(9, black=["e5"])), 60)


def wait_until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Cluster:
    """``dask scheduler`` and two ``dask worker`` processes."""

    def __init__(self, folder: Path, *, nannies: bool = False, failures: int = 3) -> None:
        self.failures = failures
        self.file = folder / "scheduler.json"
        self.processes = [self._dask("scheduler", "--port", "0")]
        # The scheduler makes the file before it writes it.
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"))
        self.address = json.loads(self.file.read_text())["address"]
        self.watch = "--nanny" if nannies else "--no-nanny"
        for _ in range(2):
            self.join()

    def join(self) -> None:
        self.processes.append(self._dask("worker", "--nthreads", "1", self.watch))

    def _dask(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(self.file), "--host", "127.0.0.1"]
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(self.failures),
            # How long a result is asked for of a worker that has just died; 30 seconds unless told.
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s",
        }
        return subprocess.Popen(
            [*command, "--no-dashboard"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self, number: int) -> None:
        self.processes[number].send_signal(signal.SIGKILL)

    def close(self) -> None:
        """A nanny would bring its worker back, so it goes first; the worker would outlive it, so it goes too."""
        families = [[psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
                    for process in self.processes if process.poll() is None]  # fmt: skip
        for member in itertools.chain.from_iterable(families):
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
        for process in self.processes:
            process.wait(30)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.close()


def played(standings: Standings) -> dict[int, tuple[object, ...]]:
    return {unit: (record["result"], *record["moves"]) for unit, record in standings.records.items()}


def nap(number: int) -> tuple[int, int]:
    time.sleep(0.01)
    return number, os.getpid()


def test_a_worker_killed_in_the_middle_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    killed = threading.Event()

    def kill_one(standings: Standings, _record: dict[str, object]) -> None:
        if len(standings.records) >= 20 and not killed.is_set():
            cluster.kill(2)
            killed.set()

    with Log(log, PLAN.header()) as kept, workers(cluster=cluster.address) as pool:
        wait_until(lambda: pool.capacity() == 2)
        standings = play_match(PLAN, pool, log=kept, on_game=kill_one)
    with workers() as here:
        alone = play_match(PLAN, here)
    assert killed.is_set()
    assert played(standings) == played(alone)
    units = [json.loads(line)["unit"] for line in log.read_text().splitlines()[1:]]
    assert sorted(units) == list(range(PLAN.games))


def die_of_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.slow
def test_a_unit_that_kills_every_worker_is_held_responsible(tmp_path: Path) -> None:
    """Its neighbours in the chunk are not; nannies bring the workers back."""
    cluster = Cluster(tmp_path, nannies=True, failures=0)
    try:
        with workers(cluster=cluster.address) as pool:
            done = dict(run_units(die_of_three, range(6), pool, chunk=3, lost=lambda unit: -unit))
    finally:
        cluster.close()
    assert done == {0: 0, 1: 1, 2: 2, 3: -3, 4: 4, 5: 5}


def test_a_cluster_without_workers_says_so_and_goes_on_when_one_joins(
    cluster: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    def join_when_missed() -> None:
        with contextlib.suppress(AssertionError):
            wait_until(lambda: "has no workers: waiting for one" in caplog.text)
        cluster.join()

    with workers(cluster=cluster.address) as pool:
        wait_until(lambda: pool.capacity() == 2)
        caplog.clear()  # a busy machine starts its workers after the first look for them, which is said too
        for number in (1, 2):
            cluster.kill(number)
        helper = threading.Thread(target=join_when_missed)
        helper.start()
        done = [number for number, _ in run_units(nap, range(5), pool, ordered=True)]
        helper.join()
    assert done == list(range(5))
    assert caplog.text.count("has no workers") == 1


def keep_it_until_death(folder: str) -> int:
    """A worker that dies when it is asked for the result, and another that dies making it again."""
    first = Path(folder, "first")
    if first.exists():
        os.kill(os.getpid(), signal.SIGKILL)
    first.touch()
    distributed.get_worker().handlers["get_data"] = lambda *_, **__: os._exit(1)
    return 1


@pytest.mark.slow
def test_a_result_that_is_lost_with_its_worker_and_cannot_be_made_again_is_not_waited_for(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, nannies=True, failures=0)
    try:
        with workers(cluster=cluster.address) as pool:
            done = list(run_units(keep_it_until_death, [str(tmp_path)], pool, lost=lambda _: -1))
    finally:
        cluster.close()
    assert done == [(str(tmp_path), -1)]


def test_both_workers_work_and_order_is_kept(cluster: Cluster) -> None:
    with workers(cluster=cluster.address) as pool:
        wait_until(lambda: pool.capacity() == 2)
        done = [result for _, result in run_units(nap, range(100), pool, chunk=5, ordered=True)]
    assert [number for number, _ in done] == list(range(100))
    assert len({worker for _, worker in done}) == 2


def test_a_function_that_workers_cannot_import_travels_with_its_units(cluster: Cluster) -> None:
    """Such as one of the program that is run."""
    with workers(cluster=cluster.address) as pool:
        assert sorted(run_units(lambda number: number + 1, range(5), pool)) == [(n, n + 1) for n in range(5)]


@pytest.mark.slow
def test_puzzles_and_batches_run_on_the_cluster(cluster: Cluster, tmp_path: Path) -> None:
    batch = tmp_path / "positions.jsonl"
    positions = [{"id": level.number, **json_position(level.board)} for level in load("huanle")]
    batch.write_text("".join(json.dumps(position) + "\n" for position in positions) + "not json\n")
    solve = ["solve", "--batch", str(batch), "--nodes", "200000"]
    for args in (solve, ["puzzles", "--nodes", "200000", "--json"]):
        here, there = (gomoku(*args, *more) for more in ((), ("--cluster", cluster.address)))
        assert here[0] == there[0] and untimed(here[1]) == untimed(there[1])


def gomoku(*args: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "gomoku", *args], cwd=ROOT, capture_output=True, text=True, check=False, timeout=100
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


def untimed(text: str) -> list[str]:
    return [re.sub(r'"(\w*elapsed|seconds)": [0-9.e-]+', "", line) for line in text.splitlines()]


def test_a_scheduler_that_is_lost_ends_the_run_with_what_was_done(cluster: Cluster) -> None:
    done = []
    with workers(cluster=cluster.address) as pool, pytest.raises(ArenaError, match=r"the Dask scheduler at .* is gone"):
        for unit, _ in run_units(nap, range(100_000), pool):
            done.append(unit)
            if len(done) == 20:
                cluster.kill(0)
    assert len(done) >= 20
