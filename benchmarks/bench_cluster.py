"""Two workers against one, on local processes and on a real Dask cluster on loopback, and what a unit of work costs.

    python -m benchmarks.bench_cluster

Every run is checked: the same results, each once, whoever did the work. One and two workers are measured in turns,
and the fastest of each counts, since others on the machine only ever slow a run down. What would flatter the ratio:
units so long that nothing else shows, or a first run that pays for starting the workers. Workers are warm here, and
units are what they are in practice: whole games of a tenth of a second, and levels that are solved in a third of a
millisecond and whose proofs are verified in a few milliseconds, as many in a message as the run finds worth sending.

On a machine that others use, two workers get less than twice the processor time of one, and the ratio says more about
the others than about this program. So the processor time the workers used is printed as well: where two workers need no
more of it for the same units than one, nothing but the machine stands in the way of twice the speed.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from arena.game import play_game
from arena.log import Log
from arena.match import MatchPlan
from arena.openings import random_openings
from arena.pools import Workers, workers
from arena.time_control import TimeControl
from arena.work import run_units
from benchmarks.figures import Figure, report
from gomoku_patterns import Board
from gomoku_patterns.quantities import duration
from puzzles import Attempt, Level, attempt, load
from search import Limit

ROUNDS = 3
PUZZLES = 1_000
GAMES = MatchPlan(
    ("engine:solver=no", "engine:solver=no,table=grade_dict"),
    tuple(random_openings(20, Board(), plies=6)),
    20,
    time_control=TimeControl(Limit(nodes=20_000)),
)


def nothing(_unit: int) -> None:
    """A unit that costs nothing but its way."""


def puzzles(count: int) -> list[Level]:
    """The twenty levels over and over; :func:`puzzles.attempt` is what ``gomoku puzzles`` does with each."""
    levels = list(load("huanle"))
    return [replace(levels[number % len(levels)], number=number) for number in range(count)]


def games_on(pool: Workers) -> tuple[float, Any]:
    began = time.perf_counter()
    done = {record["unit"]: record["moves"] for _, record in run_units(play_game, GAMES.units(), pool)}
    taken = time.perf_counter() - began
    assert sorted(done) == list(range(GAMES.games))
    return taken, done


def puzzles_on(pool: Workers) -> tuple[float, Any]:
    began = time.perf_counter()
    done = [(found.verdict, found.nodes) for _, found in run_units(attempt, puzzles(PUZZLES), pool, ordered=True)]
    taken = time.perf_counter() - began
    assert [verdict for verdict, _ in done] == ["accepted"] * PUZZLES
    return taken, done


@contextmanager
def dask(count: int) -> Iterator[str]:
    """The address of a scheduler on loopback with so many workers of one thread."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "scheduler.json"
        common = ["--scheduler-file", str(place), "--host", "127.0.0.1", "--no-dashboard"]
        commands = [["scheduler", "--port", "0"], *[["worker", "--nthreads", "1", "--no-nanny"]] * count]
        processes = []
        try:
            for words in commands:
                command = [sys.executable, "-m", "dask", *words, *common]
                quiet = subprocess.DEVNULL
                options: dict[str, Any] = {"stdout": quiet, "stderr": quiet, "start_new_session": True}
                processes.append(subprocess.Popen(command, env=environment, **options))
                while not place.exists():
                    time.sleep(0.05)
            yield json.loads(place.read_text())["address"]
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


def warm(pool: Workers, count: int) -> Workers:
    """The pool once all its workers are there and have imported what they need."""
    while pool.capacity() < count:
        time.sleep(0.2)
    list(run_units(play_game, list(GAMES.units())[:2] * 2 * count, pool))
    return pool


class Measured(NamedTuple):
    """What a run took, and what it found."""

    wall: float
    processor: float
    answer: Any


def measured(run: Callable[[Workers], tuple[float, Any]], pool: Workers) -> Measured:
    before = family_time()
    wall, answer = run(pool)
    return Measured(wall, family_time() - before, answer)


def family_time() -> float:
    """The processor time of all processes that were started here."""
    family = psutil.Process().children(recursive=True)
    return sum(sum(process.cpu_times()[:2]) for process in family)


def compared(open_pool: Callable[[ExitStack, int], Workers], where: str) -> list[Figure]:
    """One worker against two, in turns."""
    with ExitStack() as stack:
        pools = {count: warm(open_pool(stack, count), count) for count in (1, 2)}
        found = []
        for what, run in ((f"{GAMES.games} games", games_on), (f"{PUZZLES} puzzles", puzzles_on)):
            rounds = [{count: measured(run, pool) for count, pool in pools.items()} for _ in range(ROUNDS)]
            assert all(one[1].answer == one[2].answer for one in rounds)
            best = {count: min(one[count].wall for one in rounds) for count in pools}
            used = {count: min(one[count].processor for one in rounds) for count in pools}
            print(f"{what}, {where}: processor time of one worker {used[1]:.2f} s, of two {used[2]:.2f} s")
            found.append(Figure(f"{what} on two workers, {where}", best[2], "one worker", best[1], 1.8))
    return found


def local_pool(stack: ExitStack, count: int) -> Workers:
    from arena.pools import ProcessWorkers

    pool = ProcessWorkers(count)
    stack.callback(pool.close)
    return pool


def dask_pool(stack: ExitStack, count: int) -> Workers:
    return stack.enter_context(workers(cluster=stack.enter_context(dask(count))))


def figures() -> list[Figure]:
    return compared(local_pool, "local processes") + compared(dask_pool, "Dask")


# ------------------------------------------------------------------ what a unit costs


def costs() -> Iterator[str]:
    """Sizes and overheads, for planning."""
    unit = next(GAMES.units())
    record = play_game(unit)
    levels = puzzles(20)
    for level in levels:
        attempt(level)
    began = time.process_time()
    attempts = [attempt(level) for level in levels]
    each = (time.process_time() - began) / len(levels)
    for what, value in (
        ("game, unit", json.dumps(unit)),
        ("game, record", json.dumps(record)),
        ("puzzle, unit", pickle.dumps(levels[0])),
        ("puzzle, result", pickle.dumps(attempts[0])),
        ("puzzle, line of the log", json.dumps(attempts[0].to_json())),
    ):
        yield f"{len(value):6} bytes  {what}"
    solving, verifying = (sum(times) / len(levels) for times in zip(*map(_times, attempts), strict=True))
    yield f"{duration(each):>12}  a level, processor time; {duration(solving)} solving, {duration(verifying)} verifying"
    with ExitStack() as stack:
        pools = {"local processes": warm(local_pool(stack, 2), 2), "Dask": warm(dask_pool(stack, 2), 2)}
        for where, pool in pools.items():
            for chunk, count in ((1, 1000), (100, 50_000)):
                began = time.perf_counter()
                assert sum(1 for _ in run_units(nothing, range(count), pool, chunk=chunk)) == count
                each = (time.perf_counter() - began) / count
                yield f"{duration(each):>12}  a unit that does nothing, {where}, in chunks of {chunk}"
    yield from log_costs(record)


def _times(found: Attempt) -> tuple[float, float]:
    return found.elapsed, found.verify_elapsed or 0.0


def log_costs(record: dict[str, Any]) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, Log(Path(folder) / "log.jsonl", {}) as log:
        for many in (1, 100):
            began = time.perf_counter()
            for _ in range(50):
                log.append(*[record] * many)
            each = (time.perf_counter() - began) / 50 / many
            yield f"{duration(each):>12}  a record logged and synced, {many} at a time"


if __name__ == "__main__":
    for line in costs():
        print(line)
    sys.exit(0 if report(figures()) else 1)
