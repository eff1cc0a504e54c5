"""Fits the weights of :mod:`puzzles.difficulty`: which players solve a sample of puzzles, and what that says.

    python -m benchmarks.calibrate_puzzles SUITE.jsonl [--sample 240] [--jobs 2] [--log attempts.jsonl]

Levels need their features (``recorded``), as ``gomoku puzzles make`` writes them. It prints the players' ratings with
their 95 % intervals, the weights, and how well they predict the ratings of puzzles that were left out of the fit.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from arena.difficulty import PLAYERS, fitted, predicted, tried
from arena.log import Log, levels_digest
from arena.pools import workers
from arena.work import run_units
from puzzles import Level, load
from puzzles.difficulty import Features, terms_of


def attempts_on(levels: list[Level], jobs: int, log: Path | None) -> dict[int, list[bool]]:
    """Which players solve which level; what the log has is not done again."""
    header = {"task": "calibration", "players": list(PLAYERS), "positions": levels_digest(levels)}
    kept = Log(log, header) if log else None
    found = {entry["number"]: entry["tried"] for entry in kept.entries} if kept else {}
    with workers(jobs) as pool:
        todo = [level for level in levels if level.number not in found]
        for level, row in run_units(tried, todo, pool):
            found[level.number] = row
            if kept:
                kept.append({"number": level.number, "tried": row})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite")
    parser.add_argument("--sample", type=int, default=240)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--log", type=Path)
    options = parser.parse_args()
    every = [level for level in load(options.suite) if "proving" in level.recorded]
    levels = every[:: max(1, len(every) // options.sample)][: options.sample]
    found = attempts_on(levels, options.jobs, options.log)
    games = [(who, at, won) for at, level in enumerate(levels) for who, won in enumerate(found[level.number])]
    players, ratings = fitted(len(PLAYERS), len(levels), games)
    for number, (spec, rating) in enumerate(zip(PLAYERS, players, strict=True)):
        share = sum(found[level.number][number] for level in levels) / len(levels)
        print(f"{spec:16} {rating.value:6.0f} ± {1.96 * rating.deviation:3.0f}  solves {share:.0%}")
    prediction = predicted([terms_of(Features.from_json(level.recorded)) for level in levels], ratings)
    print(f"explained {prediction.explained:.0%} of the variance, typical error {prediction.error:.0f} points")
    print(f"BASE = {prediction.base:.0f}")
    for name, weight in prediction.weights.items():
        print(f'    "{name}": {weight:.1f},')


if __name__ == "__main__":
    main()
