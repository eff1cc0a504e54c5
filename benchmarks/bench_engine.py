"""The engine: nodes a second on one thread, and what a second thread is worth.

    python -m benchmarks engine
    pytest benchmarks -k engine

Before anything is timed, the engine solves a level by itself and answers twice alike. A node is a position searched by
alpha-beta or a four played by the look for continuous fours at a leaf; cells looked at to order moves are none. The
solver is off, so that the rate is the search's alone. Rates are per second of processor time, which others on the
machine do not take away. What would flatter them: positions full of fours, and a table of few patterns. The second
thread is judged by the time on the clock to reach the same depth, over all positions together, since a single one may
be lucky; what would flatter it is a depth so low that the table decides.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.figures import Figure, amount
from gomoku_patterns import Board
from puzzles import load
from search import Limit, SearchResult, player

POSITIONS = {
    "opening": Board(black=["h8", "g10"], white=["i9", "h6"]),
    "midgame": Board(
        black=["h8", "i9", "g9", "j7", "f8", "k10", "g6"],
        white=["h9", "j10", "g7", "i7", "h10", "e7", "i11"],
        turn="black",
    ),
    "20x20": Board(20, black=["j10", "k11", "i12"], white=["j11", "k9", "l12"]),
    "renju": Board(black=["h8", "g10", "i7"], white=["i9", "h6", "j8"], rule="renju"),
}
AT_LEAST = 1_000_000
SPEED_UP = 1.2
NODES = amount(400_000, 10_000)
DEPTH = amount(8, 4)
ROUNDS = amount(3, 1)


def searched(board: Board, limit: Limit, threads: int = 1) -> SearchResult:
    return player(f"engine:solver=no,threads={threads}").search(board, limit)


def check() -> None:
    """The answers, before their speed."""
    level = list(load("huanle"))[15]
    assert searched(level.board, Limit(depth=8)).win is not None
    for board in POSITIONS.values():
        one, two = (searched(board, Limit(nodes=20_000)) for _ in range(2))
        assert (one.move, one.score, one.pv) == (two.move, two.score, two.pv)


def rate(board: Board) -> float:
    """Nodes a second, the best of several."""
    rates = []
    for _ in range(ROUNDS):
        began = time.process_time()
        rates.append(searched(board, Limit(nodes=NODES)).nodes / (time.process_time() - began))
    return max(rates)


def seconds_to_depth(threads: int) -> float:
    """The time to look so deep into every position, each the best of several."""
    return sum(
        min(searched(board, Limit(depth=DEPTH), threads).elapsed for _ in range(ROUNDS)) for board in POSITIONS.values()
    )


def figures() -> Iterator[Figure]:
    check()
    for name, board in POSITIONS.items():
        yield Figure(f"a node, {name}", 1 / rate(board), "a millionth of a second", 1 / AT_LEAST, 1.0)
    two, one = seconds_to_depth(2), seconds_to_depth(1)
    yield Figure(f"two threads to depth {DEPTH}", two, "one thread", one, SPEED_UP)
