"""Proofs: how quickly each verifier judges them, and how many bytes they take.

    python -m benchmarks proofs

The proofs are those of the twenty levels and of the problems that the solver proves with less than twenty thousand
nodes. All four ways of verifying have to accept each of them, and refuse it with a reply left out, before anything is
timed. The verifiers get the same proofs in the same run; reading is timed for neither. What would flatter the figure:
nodes that are met in many positions, each of which is work, are counted once here, for either verifier.
"""

from __future__ import annotations

import json
import lzma
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import puzzles
from benchmarks.figures import Figure, amount, fastest
from gomoku_patterns.notation import parse_json_position
from search import Limit, Proof, solve, verify

PROBLEMS = Path(__file__).parent.parent / "tests" / "search" / "data" / "problems.jsonl"
LEAST_TIMES = 50
NODES = Limit(nodes=amount(20_000, 50))


@cache
def proofs() -> list[Proof]:
    lines = PROBLEMS.read_text(encoding="utf-8").splitlines()
    boards = [level.position for level in puzzles.load("huanle")]
    boards += [parse_json_position(json.loads(line)["position"]) for line in lines]
    found = [proof for board in boards[: amount(len(boards), 12)] if (proof := solve(board, NODES).proof)]
    for proof in found:
        for native in (False, True):
            assert verify(proof, thorough=False, native=native)
            assert not verify(spoiled(proof), thorough=False, native=native)
        assert verify(proof, native=True)
    return found


def spoiled(proof: Proof) -> Proof:
    """The proof with the last reply of the first attack that has any left out."""
    value = Proof.from_json(proof.to_json())
    then = next(step.attack.then for step in value.steps() if step.attack.then and step.attack.then.replies)
    then.replies.popitem()
    return value


def python_seconds(some: list[Proof], *, thorough: bool) -> float:
    """The time that the Python verifier takes for all of them, once."""
    started = time.perf_counter()
    assert all(verify(proof, thorough=thorough) for proof in some)
    return time.perf_counter() - started


def native_seconds(some: list[Proof], *, thorough: bool) -> float:
    forms = [proof.to_bytes() for proof in some]
    return fastest(lambda: [verify(data, thorough=thorough, native=True) for data in forms])


def figures() -> Iterator[Figure]:
    some = [proof for proof in proofs() if proof.length > 1 and proof.tree.then]
    for thorough, what in ((True, "every reply replayed"), (False, "as verify --quick does")):
        kept = some[:60] if thorough else some
        nodes = sum(proof.attacks for proof in kept)
        slow, quick = python_seconds(kept, thorough=thorough), native_seconds(kept, thorough=thorough)
        print(f"{nodes} nodes, {what}: {nodes / slow:,.0f} a second in Python, {nodes / quick:,.0f} in C")
        yield Figure(f"a node verified in C, {what}", quick / nodes, "Python", slow / nodes, LEAST_TIMES)
    largest = max(some, key=lambda proof: proof.attacks)
    text, data = json.dumps(largest.to_json(), separators=(",", ":")).encode(), largest.to_bytes()
    sizes = [len(form) / largest.attacks for form in (text, data, lzma.compress(text), lzma.compress(data))]
    print(
        "{} nodes, bytes a node: {:.1f} as JSON, {:.1f} in binary form, {:.1f} and {:.1f} compressed by xz".format(
            largest.attacks, *sizes
        )
    )
