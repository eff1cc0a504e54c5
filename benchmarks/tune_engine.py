"""How the scores of ``engine.toml`` were found, and can be found again.

    python -m benchmarks.tune_engine --out tuned.toml            # from engine_start.toml, which was written by hand

The engine plays itself with the table as it is, without the solver, a few thousand nodes a move, from random openings.
Of every game those positions are kept that the search asks the table about: neither side can make five, a straight four
or two fours. Each is searched for some thousand nodes, and what that says is the label: the table is to foresee what a
search sees. With ``--label outcome`` it is who won. A logistic regression (:func:`arena.tune.fit`) finds the scores,
held to where they were by ``--strength``. Everything is decided by the seed.

A fit that predicts better need not play better: what is kept is decided by a match (``gomoku match
engine:table=tuned.toml engine:table=engine_start.toml``).
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from arena.log import Log
from arena.match import MatchPlan, play_match
from arena.openings import random_openings
from arena.pools import workers
from arena.time_control import TimeControl
from arena.tune import Data, Fit, fit, read_data
from gomoku_patterns import Board
from gomoku_patterns.table import Table, load_table
from search import Limit, player
from search._threats import ThreatBoard

START = Path(__file__).with_name("engine_start.toml")
STONES = 6
UNIT = 150.0
"""The score of a search that is worth odds of e to one."""


def self_play(given: argparse.Namespace, log: Path) -> None:
    """Log games of the engine against itself; the second player differs in name alone."""
    spec = f"engine:table={given.table},solver=no,hash=8"
    starts = tuple(random_openings(given.pairs, Board(), seed=given.seed, plies=STONES))
    plan = MatchPlan(
        (spec, f"{spec},lines=1"),
        starts,
        given.pairs,
        time_control=TimeControl(Limit(nodes=given.nodes)),
        seed=given.seed,
    )
    with Log(log, plan.header()) as kept, workers(given.jobs) as pool:
        play_match(plan, pool, log=kept)


def is_quiet(board: Board) -> bool:
    """Whether the search would ask the table about this position."""
    threats = ThreatBoard(board)
    return not any(threats.cells(colour, which) for colour in ("black", "white") for which in ("five", "kill"))


def quiet(data: Data) -> Data:
    """The positions that are left to the table."""
    kept = [number for number, board in enumerate(data.boards) if is_quiet(board)]
    return Data(
        tuple(data.boards[number] for number in kept),
        tuple(data.results[number] for number in kept),
        tuple(data.games[number] for number in kept),
        data.digest,
        tuple(data.openings[number] for number in kept),
    )


def foreseen(data: Data, table: str, nodes: int, most: int) -> Data:
    """Evenly spread positions with what a search says of them as black's chance."""
    engine = player(f"engine:table={table},solver=no,hash=8")
    kept = range(0, len(data.boards), max(1, len(data.boards) // most))
    scores = [engine.search(data.boards[number], Limit(nodes=nodes)).score for number in kept]
    return Data(
        tuple(data.boards[number] for number in kept),
        tuple(1 / (1 + math.exp(-max(-20.0, min(20.0, score / UNIT)))) for score in scores),
        tuple(data.games[number] for number in kept),
        data.digest,
        tuple(data.openings[number] for number in kept),
    )


def tuned(given: argparse.Namespace, log: Path) -> Fit:
    self_play(given, log)
    data = quiet(read_data([log]))
    if given.label == "search":
        data = foreseen(data, given.table, given.nodes, given.positions)
    return fit(load_table(given.table), data, strength=given.strength, seed=given.seed)


def rescored(start: str, found: Table, notes: str) -> str:
    """The text of the table begun with, its windows and comments as they were, with the scores that were found."""
    scores = {pattern.shape: pattern.score for pattern in found.patterns}
    head, *entries = re.split(r"(?m)^(?=\[\[)", Path(start).read_text(encoding="utf-8"))
    head = re.sub(r"(?m)^notes\b.*\n", "", head).rstrip() + f'\nnotes  = "{notes}"\n\n'
    return head + "".join(map(partial(_rescored_entry, scores), entries))


def _rescored_entry(scores: dict[str, tuple[int, int]], entry: str) -> str:
    shape = re.search(r'(?m)^shape\s*=\s*"(.*)"', entry)
    score = list(scores[shape[1]]) if shape else []
    return re.sub(r"(?m)^(score\s*=\s*).*$", rf"\g<1>{score}", entry)


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tune_engine", description="Fit the engine's table.")
    parser.add_argument("table", nargs="?", default=str(START), help="where to start: a TOML file, a score a shape")
    parser.add_argument("--out", default="tuned.toml", metavar="FILE")
    parser.add_argument("--pairs", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--label", choices=("search", "outcome"), default="search")
    parser.add_argument("--positions", type=int, default=10_000, help="how many are searched at most, about")
    parser.add_argument("--strength", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--log", metavar="FILE", help="keep the games, and go on with them")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> int:
    given = parsed(arguments)
    with TemporaryDirectory() as folder:
        found = tuned(given, Path(given.log or f"{folder}/games.jsonl"))
    notes = (
        f"Scores fitted by benchmarks/tune_engine.py (--pairs {given.pairs} --nodes {given.nodes} --seed {given.seed}"
        f" --label {given.label} --strength {given.strength:g}) to {found.positions} quiet positions of"
        f" {found.games} games; log loss on held-out games {found.before:.4f} before, {found.after:.4f} after."
    )
    Path(given.out).write_text(rescored(given.table, found.table, notes), encoding="utf-8")
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main())
