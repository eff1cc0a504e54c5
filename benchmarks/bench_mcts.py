"""Rollouts a second: the native tree beside the one in plain Python, which grows the same tree.

    python -m benchmarks.bench_mcts
    pytest benchmarks/bench_mcts.py

Before anything is timed, both searches answer the same positions and must agree on every visit count. A rollout here is
one whole iteration: down the tree, opening a node, up to 40 random plies, and back. What would flatter the figures:
fewer plies a rollout, positions that end early, small boards, and counting plies instead of rollouts.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from gomoku_patterns import Board
from gomoku_patterns.evaluator import as_evaluator
from search import Limit
from search._control import Control
from search.mcts_native import NativeMcts
from search.mcts_reference import ReferenceMcts
from search.mcts_tree import MctsOptions

LEVEL_16 = Board(
    black=[(4, 7), (6, 5), (6, 8), (6, 11), (7, 7), (7, 10)],
    white=[(4, 6), (4, 9), (5, 6), (6, 4), (6, 10), (7, 8)],
    turn="black",
)
POSITIONS = {"opening": Board(black=["h8", "i9"], white=["h9", "g8"]), "level 16": LEVEL_16}
AT_LEAST = 100_000
ROLLOUTS = 300


def grown(kind: type[NativeMcts] | type[ReferenceMcts], board: Board, rollouts: int, table: str | None = None) -> Any:
    evaluator = None if table is None else as_evaluator(table, native=kind is NativeMcts)
    tree = kind(board, MctsOptions(seed=1), board.legal_moves(), evaluator)
    tree.run(Control(Limit(nodes=rollouts)))
    return tree


def rate(kind: type[NativeMcts] | type[ReferenceMcts], board: Board, rollouts: int, table: str | None = None) -> float:
    """Rollouts a second, the best of three."""
    seconds = []
    for _ in range(3):
        started = time.perf_counter()
        grown(kind, board, rollouts, table)
        seconds.append(time.perf_counter() - started)
    return rollouts / min(seconds)


@pytest.mark.parametrize("name", POSITIONS)
def test_both_trees_are_the_same(name: str) -> None:
    for table in (None, "grade_dict"):
        trees = [grown(kind, POSITIONS[name], 60, table) for kind in (NativeMcts, ReferenceMcts)]
        assert trees[0].moves() == trees[1].moves()


@pytest.mark.parametrize("table", [None, "grade_dict", "level"], ids=["plain", "grade_dict", "level"])
@pytest.mark.parametrize("name", POSITIONS)
def test_native(benchmark: Any, name: str, table: str | None) -> None:
    benchmark.group = f"{ROLLOUTS} rollouts, {name}"
    benchmark(grown, NativeMcts, POSITIONS[name], ROLLOUTS, table)


@pytest.mark.parametrize("name", POSITIONS)
def test_python(benchmark: Any, name: str) -> None:
    benchmark.group = f"{ROLLOUTS} rollouts, {name}"
    benchmark.pedantic(grown, (ReferenceMcts, POSITIONS[name], ROLLOUTS), rounds=2)


def main() -> None:
    for name, board in POSITIONS.items():
        test_both_trees_are_the_same(name)
        native, python = rate(NativeMcts, board, 100_000), rate(ReferenceMcts, board, 500)
        guided = rate(NativeMcts, board, 20_000, "grade_dict")
        print(f"{name}: native {native:,.0f} rollouts a second (asked: {AT_LEAST:,}), plain Python {python:,.0f},")
        print(f"    {native / python:,.0f} times as many; guided by grade_dict {guided:,.0f}")


if __name__ == "__main__":
    main()
