"""Labelled quiet positions a second by self-play, on two cores.

    python -m benchmarks data

The time that counts is processor time, halved for two cores, because games share nothing. Beside it stands the share of
a core that the run really had: on a busy machine caches are shared too, and the figure is worse than on an idle one.
Before that, a data set made with one worker is compared with one made with two. What would flatter the figure: fewer
nodes, or counting positions that a threat decides at once, which cost nothing; neither is done.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from arena import DataSet, SelfPlay, make_data, self_play, workers
from benchmarks.figures import Figure, amount

GAMES = amount(100, 2)
PROMISED = 1 / 1000
"""Seconds a position on two cores at 2,000 nodes."""


def made(folder: Path, games: int, jobs: int, nodes: int) -> DataSet:
    with workers(jobs) as pool:
        return make_data(folder, self_play(SelfPlay(nodes=nodes, seed=5), games), pool)


def processor_seconds() -> float:
    """Of this process and of those of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def figures() -> Iterator[Figure]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        one, two = made(folder / "one", 6, 1, 100), made(folder / "two", 6, 2, 100)
        assert len(one) and [shard["sha256"] for shard in one.shards] == [shard["sha256"] for shard in two.shards]
        # In this process: how long children took is known only when they have gone, and their start would count.
        began, used = time.perf_counter(), processor_seconds()
        found = made(folder / "many", GAMES, 1, 2000)
        seconds, wall = processor_seconds() - used, time.perf_counter() - began
        what, note = "a quiet position at 2,000 nodes, two cores", f"this run had {seconds / wall:.0%} of one"
        yield Figure(what, seconds / len(found) / 2, "1,000 a second", PROMISED, 1, note)
