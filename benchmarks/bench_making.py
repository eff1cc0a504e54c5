"""Puzzles made a second: of the lengths of the twenty levels, and hard ones; and which share of candidates fails what.

    python -m benchmarks making

The time that counts is processor time, halved for two cores, because units share nothing. Before that every puzzle kept
is judged by the audit, with ten times the nodes: a figure for puzzles that are not sound would be worth nothing. What
would flatter the figure: shorter puzzles, which are cheap, or leaving the tags, the rating and the search for stones
that are not needed out of the time; the mix of lengths is printed, and all of that is in it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from arena.making import Making
from benchmarks.figures import Figure, amount
from puzzles.audit import audit
from puzzles.maker import MakePlan, share_failing

EASY, HARD = amount((40, 4), (2, 0))
EASY_SECONDS = 1 / 10
"""A puzzle of 5 to 17 plies on two cores, as promised."""
HARD_SECONDS = 3600 / 1000
"""One of 15 plies and more with a quiet move."""
LEVELS = MakePlan(seed=5)
QUIET = MakePlan(seed=5, fewest=15, most=61, quiet=True, nodes=40_000, glance=1000)


def made(plan: MakePlan, count: int) -> tuple[Making, float]:
    """A finished run in this process, and its processor seconds."""
    run = Making(plan, count)
    began = time.process_time()
    for _ in run.results():
        pass
    return run, time.process_time() - began


def report(run: Making, seconds: float) -> None:
    """Puzzles a second by band and by length, and what became of all candidates."""
    bands, lengths = Counter(level.band for level in run.levels), Counter(level.length for level in run.levels)
    print(f"{run.kept} puzzles in {seconds:.1f} s of processor time; on two cores, a second, by band:")
    print("  " + "  ".join(f"{band}: {2 * number / seconds:.2f}" for band, number in sorted(bands.items(), key=str)))
    print("  by plies: " + "  ".join(f"{plies}: {number}" for plies, number in sorted(lengths.items(), key=str)))
    tests = share_failing(list(run.tests.values()))
    total = sum(tests.values())
    print(f"  {total} candidates: " + ", ".join(f"{test} {n / total:.1%}" for test, n in tests.most_common()))


def figures() -> Iterator[Figure]:
    for plan, count, what, seconds in (
        (LEVELS, EASY, "a puzzle of 5 to 17 plies, two cores", EASY_SECONDS),
        (QUIET, HARD, "a hard one of 15 plies and more with a quiet move, two cores", HARD_SECONDS),
    ):
        if not count:  # a hard one costs a smoke run too much
            continue
        run, took = made(plan, count)
        assert run.kept == count
        for level in run.levels:
            assert audit(level, nodes=10 * plan.nodes).verdict == "sound"
            assert plan.fewest <= (level.length or 0) <= plan.most
        report(run, took)
        yield Figure(what, took / count / 2, "what was promised", seconds, 1)
