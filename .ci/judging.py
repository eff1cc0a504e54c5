#!/usr/bin/env python3
"""Judges random other moves of the shipped puzzles, and lets longer searches look for a refused move that wins.

Prints how many moves have which verdict, how long a verdict takes, and each wrong one as a line of JSON. Exits with 1
if there was any. With --log a run goes on after a break.

    python .ci/judging.py [MOVES] [--seed N] [--wait S] [--seconds S] [-j N] [--log FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena.log import Log, levels_digest
from arena.pools import workers
from arena.work import run_units
from puzzles import load
from tests.puzzles.judging import SUITE, WAIT, judged


def row_of(number: int, seed: int, seconds: float, wait: float) -> dict[str, Any]:
    return judged(number, seed, seconds, wait).row()


def summary(rows: list[dict[str, Any]]) -> str:
    verdicts = Counter(row["verdict"] for row in rows)
    judges = Counter(row["judge"] for row in rows)
    times = sorted(row["elapsed"] for row in rows)
    late = times[len(times) * 19 // 20]
    lines = [f"{count:6}  {verdict}" for verdict, count in verdicts.most_common()]
    lines += [f"{count:6}  judged by {judge}" for judge, count in judges.most_common()]
    faults = sum(row["fault"] is not None for row in rows)
    lines.append(
        f"{len(rows):6}  moves, {faults} wrong; median {statistics.median(times):.2f} s of processor time, "
        f"95 % within {late:.2f} s"
    )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("moves", type=int, nargs="?", default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--wait", type=float, default=WAIT, help="seconds of processor time for each verdict")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the longest search")
    parser.add_argument("--jobs", "-j", type=int, default=1)
    parser.add_argument("--log", type=Path)
    asked = parser.parse_args()
    rows: dict[int, dict[str, Any]] = {}
    log = None
    if asked.log is not None:
        what = {"task": "judging", "suite": SUITE, "positions": levels_digest(load(SUITE))}
        log = Log(asked.log, {**what, "seed": asked.seed, "wait": asked.wait, "seconds": asked.seconds})
        log.replay(lambda row: rows.__setitem__(row["number"], row))
    todo = [number for number in range(asked.moves) if number not in rows]
    with workers(jobs=asked.jobs) as pool:
        one = partial(row_of, seed=asked.seed, seconds=asked.seconds, wait=asked.wait)
        for number, row in run_units(one, todo, pool, chunk=1):
            if log is not None:
                log.append(row)
            rows[number] = row
            if row["fault"] is not None:
                print(json.dumps(row), flush=True)
    wanted = [rows[number] for number in range(asked.moves)]
    print(summary(wanted))
    return 1 if any(row["fault"] is not None for row in wanted) else 0


if __name__ == "__main__":
    sys.exit(main())
