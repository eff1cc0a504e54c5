"""The problem collection: what was solved stays solved, with about the effort the data says, and is checked.

A single problem may take many times its nodes after a change, for ordering is luck; all of a kind together may not.
``python benchmarks/make_problems.py tests/search/data/problems.jsonl --update`` writes new figures after a change of
the solver; the difference is what the change did.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gomoku_patterns.notation import parse_json_position
from search.result import Limit
from search.solver import Solution, Solver
from search.verifier import verify
from tests.long import some

FILE = Path(__file__).parent / "data" / "problems.jsonl"
PROBLEMS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
EASY_TO_CHECK = 12
"""Proofs with no more attacks are checked on every run, and some of the others."""


def groups() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for problem in PROBLEMS:
        found.setdefault(f"{problem['position']['rule']} {problem['mode']} {problem['status']}", []).append(problem)
    return found


@pytest.mark.parametrize("group", groups())
def test_every_problem_is_solved_again(group: str) -> None:
    again = [(problem, solved(problem)) for problem in groups()[group]]
    worse = [line for problem, solution in again if (line := difference(problem, solution, EASY_TO_CHECK))]
    assert not worse, "\n".join(worse)
    assert sum(solution.nodes for _, solution in again) <= 2 * sum(problem["nodes"] for problem, _ in again)


@pytest.mark.parametrize("group", groups())
def test_long_proofs_are_accepted(group: str) -> None:
    worse = [line for problem in some(groups()[group], 5) if (line := difference(problem, solved(problem), 10**9))]
    assert not worse, "\n".join(worse)


def solved(problem: dict[str, Any]) -> Solution:
    limit = Limit(nodes=20 * problem["nodes"] + 10_000)
    return Solver().solve(parse_json_position(problem["position"]), limit, mode=problem["mode"])


def difference(problem: dict[str, Any], solution: Solution, most_attacks: int) -> str:
    """What is not as the data says, or nothing."""
    if str(solution.status) != problem["status"]:
        return (
            f"{solution.status}, stopped by {solution.stopped_by} after {solution.nodes} nodes: {json.dumps(problem)}"
        )
    if solution.proof is None or solution.proof.attacks > most_attacks:
        return ""
    verdict = verify(solution.proof, parse_json_position(problem["position"]))
    return "" if verdict else f"{verdict}: {json.dumps(problem)}"


def test_the_collection_is_wide() -> None:
    """Long wins by fours, long wins by threats, and denials, under each rule."""
    for rule in ("freestyle", "standard", "renju"):
        ours = [problem for problem in PROBLEMS if problem["position"]["rule"] == rule]
        lengths = {mode: [p["length"] or 0 for p in ours if p["mode"] == mode] for mode in ("vcf", "vct")}
        assert len(ours) >= 100
        assert max(lengths["vcf"]) >= 80 and sum(length >= 30 for length in lengths["vcf"]) >= 10
        assert max(lengths["vct"]) >= 25 and sum(length >= 13 for length in lengths["vct"]) >= 15
        assert sum(problem["status"] == "disproven" for problem in ours) >= 20
        assert {problem["position"]["to_move"] for problem in ours} == {"black", "white"}
