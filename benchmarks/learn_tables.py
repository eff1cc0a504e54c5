"""Learned tables from nothing: self-play, training, and matches that show what came of it.

    python -m benchmarks.learn_tables FOLDER             # a night on two cores; stopped, the same line goes on
    python -m benchmarks.learn_tables FOLDER --small     # seconds: every step, nothing learned worth mentioning

Each step is a command of the program, shown before it runs, and each goes on where it was broken off:

1. the engine plays itself, judging by the table written by hand (``engine``): the first games;
2. a cell table is learned from them;
3. the engine plays itself judging by that, with twice the nodes: better judged positions, and another kind of games;
4. a cell table is learned from both, and by that the engine plays itself with four times the nodes, and every third
   quiet move drawn: positions after slips, as a search sees them;
5. a cell table and a line code are learned from all games;
6. both play the engine as it was, from the openings of benchmarks/openings.pos, every one with either colour: at the
   same number of nodes, and with the same time.

What is learned lies in FOLDER/cell.toml and FOLDER/code.toml, each with its weights. The built-in ``cell`` was made so,
by engines of different days and with runs that were broken off; docs/learning.md says how many positions of each. The
built-in ``learned`` is older, from two rounds of games at 1,000 nodes. What would flatter the matches: openings that
the games were begun with, which they were not, and fewer nodes than a game really has.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gomoku.cli import cli
from gomoku_patterns.errors import ArenaError

OPENINGS = Path(__file__).with_name("openings.pos")


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    games: tuple[int, int, int]
    nodes: int
    epochs: int
    pairs: int
    match_nodes: int
    seconds: float


FULL = Size((60_000, 25_000, 10_000), 1000, 6, 118, 5000, 0.1)
SMALL = Size((30, 30, 30), 60, 1, 1, 60, 0.01)
RATES = {"cell": "0.01", "code": "0.003"}
SLIPS = ["--variety", "0.3", "--temperature", "80"]


def steps(folder: Path, size: Size, *, seed: int, jobs: int) -> Iterator[list[str]]:
    """The commands, each with its arguments."""
    start, better, cell, code = (folder / f"{name}.toml" for name in ("first", "second", "cell", "code"))
    judges = ("engine", str(start), str(better))
    learned = ([("cell", start)], [("cell", better)], [("cell", cell), ("code", code)])
    games: list[str] = []
    for number, name in enumerate(("first-games", "second-games", "third-games")):
        games.append(str(folder / name))
        yield ["data", games[-1], "--games", str(size.games[number]), "--nodes", str(size.nodes << number),
               "--seed", str(seed + number), "--table", judges[number], *(SLIPS if number == 2 else []),
               "--jobs", str(jobs)]  # fmt: skip
        for kind, out in learned[number]:
            yield ["train", *games, "--kind", kind, "--out", str(out), "--epochs", str(size.epochs),
                   "--batch", "1024", "--rate", RATES[kind], "--seed", str(seed), "--jobs", str(jobs),
                   "--log", str(out.with_suffix(".log.npz"))]  # fmt: skip
    for out in (cell, code):
        for limit in (["--nodes", str(size.match_nodes)], ["--seconds", str(size.seconds)]):
            log = out.with_suffix(f".{limit[0][2:]}.jsonl")
            yield ["match", f"engine:table={out}", "engine:table=engine", *limit, "--pairs", str(size.pairs),
                   "--openings", str(OPENINGS), "--log", str(log), "--jobs", str(jobs)]  # fmt: skip


def run(command: list[str]) -> None:
    """One command of the program, in this process."""
    click.echo(f"\n$ gomoku {shlex.join(command)}")
    status = cli.main(command, prog_name="gomoku", standalone_mode=False)
    if status:
        raise ArenaError(f"gomoku {command[0]} ended with status {status}")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learn_tables", description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where games, tables and logs are kept")
    parser.add_argument("--small", action="store_true", help="every step in seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", "-j", type=int, default=2)
    given = parser.parse_args(arguments)
    given.folder.mkdir(parents=True, exist_ok=True)
    for command in steps(given.folder, SMALL if given.small else FULL, seed=given.seed, jobs=given.jobs):
        run(command)


if __name__ == "__main__":
    main()
