"""The solver: the twenty levels, the problem collection, and ``gomoku solve`` as a whole process.

    python -m benchmarks solver
    pytest benchmarks -k solver
    python -m benchmarks.bench_solver --engine ./pbrain-x --won 'Eval \\+M[0-9]+'

Every proof is accepted by the verifier before anything is timed. The levels are solved one after the other by one
warm solver in this process. What would flatter the figure: tables that remember a level from the round before. So every
round must search the same nodes as a new solver. With ``--engine`` a Gomocup engine gets the levels in the same run,
each in a fresh process: what counts is its processor time from the position on until it says that it wins, which the
system tells to a hundredth of a second.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import puzzles
from benchmarks.figures import Figure, amount, fastest
from benchmarks.hard import theirs
from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position, parse_json_position
from search.result import Limit
from search.solver import Solver, Status
from search.verifier import verify

PROMISED = 0.005
"""Seconds for the twenty levels."""
ENGINE_LIMIT = 10.0
"""Seconds of processor time an engine may take for a level."""
LEVELS = [level.position for level in puzzles.load("huanle")]
PROBLEMS = Path(__file__).parent.parent / "tests" / "search" / "data" / "problems.jsonl"


def solved(board: Board, solver: Solver, mode: str = "full") -> tuple[float, int]:
    """The solver's own time and nodes for a position, which it has to prove."""
    solution = solver.solve(board, Limit(seconds=10), mode=mode)
    assert solution.status is Status.PROVEN
    return solution.elapsed, solution.nodes


def all_levels(solver: Solver) -> tuple[float, list[int]]:
    times, nodes = zip(*(solved(board, solver) for board in LEVELS), strict=True)
    return sum(times), list(nodes)


def level_seconds() -> float:
    """The best of many rounds with one solver, each of which begins from nothing."""
    solver = Solver()
    _, nodes = all_levels(solver)
    rounds = [all_levels(solver) for _ in range(amount(50, 2))]
    assert all(again == nodes for _, again in rounds)
    return min(seconds for seconds, _ in rounds)


def check_levels() -> float:
    """The longest that the verifier takes for a level; it has to accept them all."""
    solver, longest = Solver(), 0.0
    for board in LEVELS:
        verdict = verify(solver.solve(board, Limit(seconds=10)).proof or {}, board)
        assert verdict, verdict
        longest = max(longest, verdict.elapsed)
    return longest


def problem_seconds(mode: str) -> float:
    """The time for all problems of the collection that are won in this mode, each with a new solver."""
    problems = [json.loads(line) for line in PROBLEMS.read_text(encoding="utf-8").splitlines()]
    won = [problem for problem in problems if problem["mode"] == mode and problem["status"] == "proven"]
    won = won[: amount(len(won), 10)]
    return sum(solved(parse_json_position(problem["position"]), Solver(), mode)[0] for problem in won) / len(won)


def process_seconds(board: Board) -> float:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "level.json"
        path.write_text(json.dumps(json_position(board)), encoding="utf-8")
        program = [sys.executable, "-c", "from gomoku.cli import main; main()", "solve", str(path), "--json"]
        return fastest(lambda: subprocess.run(program, check=True, capture_output=True), seconds=amount(1.5, 0))


def figures() -> Iterator[Figure]:
    longest, total = check_levels(), level_seconds()
    yield Figure("the twenty levels", total, "five milliseconds", PROMISED, 1.0)
    yield Figure("checking the longest of their proofs", longest, "ten seconds", 10.0, 1.0)
    yield Figure("gomoku solve on level 14, the whole process", process_seconds(LEVELS[13]), "250 ms", 0.25, 1.0)
    yield Figure("a win by fours of up to 99 plies, on average", problem_seconds("vcf"), "20 ms", 0.02, 1.0)
    yield Figure("a win by threats of up to 43 plies, on average", problem_seconds("vct"), "100 ms", 0.1, 1.0)


# ------------------------------------------------------------------ another engine, in the same run


def against_engine(command: str, won: str) -> Figure:
    """The twenty levels by our solver and by a Gomocup engine, which has to say of each that it wins."""
    check_levels()
    ours, taken = level_seconds(), []
    for number, board in enumerate(LEVELS, 1):
        seconds = theirs(shlex.split(command), re.compile(won), board, ENGINE_LIMIT)
        if seconds is None:
            raise SystemExit(f"the engine said within {ENGINE_LIMIT:g} s no line like {won!r} of level {number}")
        taken.append(seconds)
    return Figure("the twenty levels", ours, f"{command}, processor time", sum(taken), 1.0)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench_solver", description=__doc__.splitlines()[0])
    parser.add_argument("--engine", required=True, help="the command of a Gomocup engine to measure in the same run")
    parser.add_argument("--won", default=r"Eval \+M[0-9]+", help="a line of the engine's that says it wins")
    given = parser.parse_args(arguments)
    print(against_engine(given.engine, given.won))
    return 0


if __name__ == "__main__":
    sys.exit(main())
