"""Learned tables from nothing: self-play, training, and matches that show what came of it.

    python -m benchmarks.learn_tables FOLDER             # a night on two cores; stopped, the same line goes on
    python -m benchmarks.learn_tables FOLDER --small     # seconds: every step, nothing learned worth mentioning

Each step is a command of the program, shown before it runs, and each goes on where it was broken off:

1. the engine plays itself, judging by the table written by hand (``engine``): the first games;
2. a cell table is learned from them;
3. the engine plays itself judging by that: better judged positions, and games that last longer because both defend;
4. a cell table is learned from all games but the first, and so on for seven rounds. In the third every third quiet move
   is drawn: positions after slips, as a search sees them;
5. a line code is learned from the same, and the cell table from where the lines end that longer and shorter searches
   expect from the positions of the last round; its prior is that of the table before;
6. both play the engine as it was, from the openings of benchmarks/openings.pos, every one with either colour: at the
   same number of nodes, and with the same time.

What is learned lies in FOLDER/cell.toml and FOLDER/code.toml, each with its weights. The built-in ``cell`` was made so,
by engines of different days and with runs that were broken off; docs/lab has the number of positions
of each. The built-in ``learned`` is older, from two rounds of games at 1,000 nodes. The matches do not start from the
openings of the training games, and use as many nodes as a real game has.
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
class Round:
    """Some games of the engine against itself."""

    games: int
    nodes: int
    variety: float = 0.05
    temperature: float = 40


@dataclass(frozen=True)
class Size:
    """How much of everything."""

    rounds: tuple[Round, ...]
    epochs: int
    pairs: int
    end_nodes: tuple[int, ...]
    match_nodes: int
    seconds: float


FULL = Size(
    (
        Round(60_000, 1000, 0.1), Round(20_000, 2000, 0.1), Round(12_000, 4000, 0.3, 80), Round(12_000, 4000),
        Round(60_000, 1500), Round(120_000, 1500), Round(30_000, 4000),
    ),
    epochs=8, pairs=118, end_nodes=(2000, 600), match_nodes=5000, seconds=0.1,
)  # fmt: skip
SMALL = Size((Round(90, 60, 0.1),) * 3, epochs=1, pairs=1, end_nodes=(60, 30), match_nodes=60, seconds=0.01)
RATE = 0.003


def steps(folder: Path, size: Size, *, seed: int, jobs: int) -> Iterator[list[str]]:
    """The commands, each with its arguments."""
    cell, code = folder / "cell.toml", folder / "code.toml"

    def train(data: list[str], kind: str, out: Path, *more: str) -> list[str]:
        return ["train", *data, "--kind", kind, "--out", str(out), "--epochs", str(size.epochs), "--batch", "1024",
                "--rate", str(RATE), "--seed", str(seed), "--jobs", str(jobs),
                "--log", str(out.with_suffix(".log.npz")), *more]  # fmt: skip

    games: list[str] = []
    judge = "engine"
    for number, each in enumerate(size.rounds, 1):
        games.append(str(folder / f"games-{number}"))
        yield ["data", games[-1], "--games", str(each.games), "--nodes", str(each.nodes),
               "--seed", str(seed + number - 1), "--table", judge,
               "--variety", str(each.variety), "--temperature", str(each.temperature),
               "--jobs", str(jobs)]  # fmt: skip
        judge = str(folder / f"judge-{number}.toml")
        yield train(games[1:] or games, "cell", Path(judge))
    yield train(games[1:], "code", code)
    ends = []
    for nodes in size.end_nodes:
        ends.append(str(folder / f"ends-{nodes}"))
        yield ["data", ends[-1], "--ends-of", games[-1], "--nodes", str(nodes), "--table", judge, "--jobs", str(jobs)]
    yield train(ends, "cell", cell, "--table", judge, "--patience", str(size.epochs))
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
