"""Rollouts a second: the native tree beside the one in plain Python, which grows the same tree.

    python -m benchmarks mcts
    pytest benchmarks -k mcts

Before anything is timed, both searches answer the same positions and must agree on every visit count. A rollout here is
one whole iteration: down the tree, opening a node, up to 40 random plies, and back. What would flatter the figures:
fewer plies a rollout, positions that end early, small boards, and counting plies instead of rollouts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from benchmarks.figures import Figure, Seconds, amount
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
SHARE = amount(1, 50)
"""The part of the rollouts that is timed, inverted."""


def grown(kind: type[NativeMcts] | type[ReferenceMcts], board: Board, rollouts: int, table: str | None = None) -> Any:
    evaluator = None if table is None else as_evaluator(table, native=kind is NativeMcts)
    tree = kind(board, MctsOptions(seed=1), board.legal_moves(), evaluator)
    tree.run(Control(Limit(nodes=rollouts)))
    return tree


def seconds(
    kind: type[NativeMcts] | type[ReferenceMcts], board: Board, rollouts: int, table: str | None = None
) -> Seconds:
    """Seconds a rollout, in three rounds."""
    rounds = []
    for _ in range(3):
        started = time.perf_counter()
        grown(kind, board, rollouts, table)
        rounds.append((time.perf_counter() - started) / rollouts)
    return Seconds(rounds)


def check() -> None:
    """Both trees are the same, by any table."""
    for board in POSITIONS.values():
        for table in (None, "grade_dict"):
            trees = [grown(kind, board, amount(60, 10), table) for kind in (NativeMcts, ReferenceMcts)]
            assert trees[0].moves() == trees[1].moves()


def figures() -> Iterator[Figure]:
    check()
    for name, board in POSITIONS.items():
        native, python = seconds(NativeMcts, board, 100_000 // SHARE), seconds(ReferenceMcts, board, 500 // SHARE)
        yield Figure(f"a rollout, {name}", native, "the same tree in plain Python", python, 100)
        yield Figure(f"a rollout, {name}", native, "100,000 a second", 1 / AT_LEAST, 1)
        guided = seconds(NativeMcts, board, 20_000 // SHARE, "grade_dict")
        yield Figure(f"a rollout guided by grade_dict, {name}", guided, "the same tree in plain Python", python, 1)
