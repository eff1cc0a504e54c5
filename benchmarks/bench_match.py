"""What a match and a ladder cost beside the players: each figure with a loop that does no more than it must.

    python -m benchmarks match
    python -m benchmarks.bench_match --manager PATH/c-gomoku-cli

The peers are bare loops: the same searches asked in turn, the same protocol lines exchanged with the same engines, the
same lines written and synced. They judge no rules, police nobody and keep no statistics, so they are what cannot be
undercut in Python; where the ratings' peer, choix, is not installed its figure is left out. Processor time is measured,
since waiting says more of the machine than of the program. With ``--manager`` another match manager plays the same
openings with the same engines, run in turn with ``gomoku match`` as whole processes, children and engines included.
What would flatter the figures: long searches, or few moves a game.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from arena import Log, MatchPlan, TimeControl, play_match, random_openings, workers
from arena.process import EngineProcess
from arena.ratings import PairResult, ratings
from arena.seats import close_kept
from benchmarks.figures import Figure, amount
from gomoku_patterns import Board
from gomoku_patterns.rules import makes_five
from search import Limit, player

PAIRS = amount(10, 2)
NODES = 1_000
LINES = amount(300, 10)
ROUNDS = amount(5, 1)
GAMES = 100
"""Openings that every two of the ten players of the ratings meet on."""
_FIVES = "minmax:fives=rules,table="


def processor_seconds(action: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of several calls."""
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return median(taken)


def openings(count: int = PAIRS) -> tuple[Board, ...]:
    return tuple(random_openings(count, Board(15), seed=3))


# ------------------------------------------------------------------ a ladder's games


def ladder_game() -> Figure:
    """A game at 1,000 nodes a move, with referee, log and statistics, against the searches alone."""
    plan = MatchPlan((f"{_FIVES}grade_dict", f"{_FIVES}level"), openings(), PAIRS, time_control=_nodes())
    played: list[list[str]] = []

    def ours() -> None:
        with TemporaryDirectory() as folder, workers() as pool, Log(Path(folder, "log"), plan.header()) as log:
            standings = play_match(plan, pool, log=log)
            standings.ratings()
            played[:] = [standings.records[number]["moves"] for number in sorted(standings.records)]

    bare = [_bare_game(plan, number) for number in range(plan.games)]
    ours()
    assert played == bare
    mine = processor_seconds(ours)
    theirs = processor_seconds(lambda: [_bare_game(plan, number) for number in range(plan.games)])
    return Figure("a ladder's game", mine / plan.games, "the same searches in a bare loop", theirs / plan.games, 0.5)


def _nodes() -> TimeControl:
    return TimeControl(Limit(nodes=NODES))


def _bare_game(plan: MatchPlan, number: int) -> list[str]:
    meeting, turned = plan.meeting(number)
    specs = [plan.players[side] for side in (meeting[::-1] if turned else meeting)]
    seats = [player(spec) for spec in specs]
    board = plan.opening(number // 2)
    moves: list[str] = []
    while not board.is_full():
        cell = seats[board.turn - 1].search(board, Limit(nodes=NODES)).move
        assert cell is not None
        won = makes_five(board, cell, board.turn)
        moves.append(board.name(cell))
        board.push(cell)
        if won:
            break
    return moves


# ------------------------------------------------------------------ instant players


def instant_engine(folder: Path) -> str:
    """The engine of ``instant.c``, compiled."""
    program = folder / "pbrain-instant"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([*compiler.split(), "-O2", "-o", program, Path(__file__).with_name("instant.c")], check=True)
    return str(program)


def instant_games(engine: str) -> Figure:
    """Games between engines that take no time, kept from game to game, against the same lines said by a bare loop."""
    control = TimeControl(Limit(seconds=1.0), match_seconds=10.0, keep=True)
    plan = MatchPlan((f"cmd:{engine} @ name=A", f"cmd:{engine} @ name=B"), openings(), PAIRS, time_control=control)
    moves: list[int] = []

    def ours() -> None:
        with workers() as pool:
            standings = play_match(plan, pool)
        assert standings.reasons == {"five": plan.games}
        moves[:] = [len(standings.records[number]["moves"]) for number in sorted(standings.records)]

    ours()
    mine = processor_seconds(ours)
    close_kept()
    dialogues = [EngineProcess([engine]) for _ in range(2)]

    def bare() -> None:
        for count in moves:
            for dialogue in dialogues:
                dialogue.send("START 15")
                assert dialogue.receive(5.0) == "OK"
            for number in range(count):
                dialogues[number % 2].send("INFO time_left 1000", "TURN 14,14" if number > 1 else "BEGIN")
                assert dialogues[number % 2].receive(5.0)

    bare()
    theirs = processor_seconds(bare)
    for dialogue in dialogues:
        dialogue.close()
    return Figure("a game of instant engines", mine / plan.games, "a bare dialogue", theirs / plan.games, 0.1)


# ------------------------------------------------------------------ log lines


def log_lines() -> Iterator[Figure]:
    """Lines of a log, each on the disk before the next, against json and fsync alone; and read again."""
    record = {"unit": 1, "black": "minmax", "white": "level", "moves": ["h8"] * 40, "seconds": [0.01] * 40}

    def ours(path: Path) -> None:
        with Log(path, {"task": "bench"}) as log:
            for _ in range(LINES):
                log.append(record)

    def bare(path: Path) -> None:
        with path.open("ab") as file:
            for _ in range(LINES):
                file.write((json.dumps(record) + "\n").encode())
                file.flush()
                os.fsync(file.fileno())

    with TemporaryDirectory() as folder:
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for turn in range(ROUNDS):
            for name, write in (("ours", ours), ("bare", bare)):
                path = Path(folder, f"{name}{turn}")
                began = time.process_time()
                write(path)
                times[name].append(time.process_time() - began)
        written = Path(folder, "ours0")
        assert len(written.read_bytes().splitlines()) == LINES + 1
        mine, theirs = (median(times[name]) / LINES for name in ("ours", "bare"))
        yield Figure("a log line written and synced", mine, "json and fsync", theirs, 0.5)

        def read() -> None:
            with Log(written, {"task": "bench"}) as log:
                assert len(log.entries) == LINES

        mine = processor_seconds(read) / LINES
        theirs = processor_seconds(lambda: [json.loads(line) for line in written.open(encoding="utf-8")]) / LINES
        yield Figure("a log line read and checked", mine, "json.loads", theirs, 0.3)


# ------------------------------------------------------------------ ratings


def rating_fit() -> Iterator[Figure]:
    """Ten players' ratings with intervals against the strengths alone by choix."""
    if importlib.util.find_spec("choix") is None:
        return
    import choix

    chance, players = random.Random(1), 10
    results, games = [], []
    for opening in range(GAMES):
        for one, two in combinations(range(players), 2):
            wins = sum(chance.random() < 1 / (1 + math.exp((one - two) / 8)) for _ in range(2))
            results.append(PairResult(one, two, wins / 2, opening=opening))
            games += [(one, two)] * wins + [(two, one)] * (2 - wins)
    found, theirs = ratings(players, results), choix.ilsr_pairwise(players, games)
    for mine, strength in zip(found, theirs - theirs.mean(), strict=True):
        assert mine.value is not None and abs(mine.value - strength * 400 / math.log(10)) < 1.0
    taken = processor_seconds(lambda: ratings(players, results))
    other = processor_seconds(lambda: choix.ilsr_pairwise(players, games))
    yield Figure("ratings of ten players, 9,000 games, with intervals", taken, "choix, strengths alone", other, 1)


def figures() -> Iterator[Figure]:
    yield ladder_game()
    with TemporaryDirectory() as folder:
        yield instant_games(instant_engine(Path(folder)))
    yield from log_lines()
    yield from rating_fit()


# ------------------------------------------------------------------ another manager, as a whole process


def against_manager(manager: str, games: int = 200) -> Figure:
    """Processor time a game of two managers with their engines, run in turn; the engines' own is in both."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        engine = instant_engine(folder)
        book = folder / "openings.txt"
        book.write_text("0,0, 2,3, -1,2, 3,3, -4,1\n1,0, 2,-3, -1,2, 3,-3, -4,1\n0,2, 2,3, -1,-2, 3,0, -4,1\n")
        theirs = [manager, "-each", "tc=10/1", "-engine", "name=A", f"cmd={engine}", "-engine", "name=B"]
        theirs += [f"cmd={engine}", "-rule", "0", "-boardsize", "15", "-games", str(games), "-repeat"]
        theirs += ["-concurrency", "1", "-openings", f"file={book}"]
        ours = [sys.executable, "-m", "gomoku", "match", f"cmd:{engine} @ name=A", f"cmd:{engine} @ name=B"]
        ours += ["--games", str(games), "--openings", str(book), "--seconds", "1", "--match-seconds", "10", "--keep"]
        start = [sys.executable, "-m", "gomoku", "match", "random", "random", "--games", "2", "--random-openings", "0"]
        taken: dict[str, list[tuple[float, float]]] = {"ours": [], "theirs": [], "start": []}
        for _ in range(ROUNDS):
            for key, command in (("ours", ours), ("theirs", theirs), ("start", start)):
                taken[key].append(_spent(command, folder))
        processor = {key: median(one for one, _ in both) for key, both in taken.items()}
        wall = {key: median(one for _, one in both) for key, both in taken.items()}
        print(
            f"wall clock a game: {wall['ours'] / games:.4f} s, {wall['theirs'] / games:.4f} s by {Path(manager).name}"
        )
        print(f"of ours {processor['start']:.2f} s in all is the start of Python and two games between random players")
        what = f"a game of instant engines, {games} games as a process"
        return Figure(what, processor["ours"] / games, Path(manager).name, processor["theirs"] / games, 0.05)


def _spent(command: list[str], folder: Path) -> tuple[float, float]:
    """Processor and wall seconds of a process and its children."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        command, check=True, cwd=folder, capture_output=True, env={**os.environ, "PYTHONPATH": str(Path.cwd())}
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.perf_counter() - began


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_match", description=__doc__.splitlines()[0])
    parser.add_argument("--manager", metavar="PROGRAM", help="c-gomoku-cli, to be measured beside gomoku match")
    given = parser.parse_args(arguments)
    for figure in figures():
        print(figure, flush=True)
    if given.manager:
        print(against_manager(given.manager))
    return 0


if __name__ == "__main__":
    sys.exit(main())
