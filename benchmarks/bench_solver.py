"""The solver: the twenty levels, the problem collection, and ``gomoku solve`` as a whole process.

    python -m benchmarks solver
    pytest benchmarks -k solver

Every proof is accepted by the verifier before anything is timed. The levels are solved one after the other by one
warm solver in this process; 69 ms is what a strong open engine spends on searching them, 0 to 17 ms each, without
start-up. What would flatter the figure: tables that remember a level from the round before. So every round must search
the same nodes as a new solver.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import puzzles
from benchmarks.figures import Figure, fastest
from gomoku_patterns.board import Board
from gomoku_patterns.notation import json_position, parse_json_position
from search.result import Limit
from search.solver import Solver, Status
from search.verifier import verify

ENGINE_SECONDS = 0.069
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
    rounds = [all_levels(solver) for _ in range(50)]
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
    return sum(solved(parse_json_position(problem["position"]), Solver(), mode)[0] for problem in won) / len(won)


def process_seconds(board: Board) -> float:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "level.json"
        path.write_text(json.dumps(json_position(board)), encoding="utf-8")
        program = [sys.executable, "-c", "from gomoku.cli import main; main()", "solve", str(path), "--json"]
        return fastest(lambda: subprocess.run(program, check=True, capture_output=True), seconds=1.5)


def figures() -> Iterator[Figure]:
    longest, total = check_levels(), level_seconds()
    yield Figure("the twenty levels", total, "a strong open engine", ENGINE_SECONDS, ENGINE_SECONDS / 0.005)
    yield Figure("checking the longest of their proofs", longest, "ten seconds", 10.0, 1.0)
    yield Figure("gomoku solve on level 14, the whole process", process_seconds(LEVELS[13]), "250 ms", 0.25, 1.0)
    yield Figure("a win by fours of up to 99 plies, on average", problem_seconds("vcf"), "20 ms", 0.02, 1.0)
    yield Figure("a win by threats of up to 43 plies, on average", problem_seconds("vct"), "100 ms", 0.1, 1.0)
