"""Time that is kept: by how much players are late when they get a few hundredths of a second a move.

    python -m benchmarks clock

Every player answers a thousand positions (quiet and sharp ones, the levels, boards of four sizes, three rules) under a
limit that cuts most searches short; each answer has to be a legal cell. Counted is the time on the clock from the call
to the answer, less the limit; a player that needs no search is early, and counts as not late. What would flatter the
figures: limits that no search reaches, and leaving out the slowest of a thousand. What spoils them is a machine that is
busy with something else, since nobody can answer who is not running.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from arena import GomocupEngine, TimeControl
from arena.openings import random_openings
from benchmarks.figures import Figure, amount, report
from gomoku_patterns import Board
from puzzles import load
from search import Limit, player

PLAYERS = (
    "engine",
    "engine:threads=2",
    "minmax:depth=9",
    "level",
    "level_tree",
    "wins",
    "two_ply",
    "mcts",
    "mcts:table=level",
)
SECONDS = (0.01, 0.05)
LATE = 0.02
MOVES = amount(1000, 6)
PERCENTILE = 0.999
FIRST_SECONDS = 0.5
FIRST_MOVES = amount(5, 1)


def positions(count: int) -> list[Board]:
    """Boards with more and more stones, each rule and several sizes in turns, and the levels."""
    found = [level.board for level in load("huanle")]
    shapes = [(15, "freestyle"), (15, "renju"), (20, "freestyle"), (9, "standard"), (22, "freestyle")]
    while len(found) < count:
        rows, rule = shapes[len(found) % len(shapes)]
        plies = 1 + len(found) % 60
        board = next(iter(random_openings(1, Board(rows, rule=rule), plies=plies, seed=len(found))))
        if not board.is_over():
            found.append(board)
    return found[:count]


def lateness(spec: str, boards: list[Board]) -> list[float]:
    """By how much each answer was late, in order."""
    chosen, late = player(spec), []
    for number, board in enumerate(boards):
        seconds = SECONDS[number % len(SECONDS)]
        began = time.perf_counter()
        result = chosen.search(board, Limit(seconds=seconds))
        late.append(max(0.0, time.perf_counter() - began - seconds))
        assert result.move in board.legal_moves(), (spec, board)
    return sorted(late)


def first_moves() -> list[float]:
    """How late the first move of a fresh engine process is, as its manager sees it, START and INFO told before."""
    late = []
    for _ in range(FIRST_MOVES):
        board = Board(black=["h8", "i9"], white=["h9"], turn="white")
        control = TimeControl(Limit(seconds=FIRST_SECONDS), match_seconds=60.0)
        with GomocupEngine([sys.executable, "-m", "gomoku", "brain"], control) as engine:
            engine.start(board)
            time.sleep(0.1)
            result = engine.play(board, left=60.0)
        assert result.move in board.legal_moves()
        late.append(max(0.0, result.elapsed - FIRST_SECONDS))
    return sorted(late)


def figures() -> Iterator[Figure]:
    what = f"the first move of a new engine process, late by, the worst of {FIRST_MOVES}"
    yield Figure(what, max(first_moves()[-1], 1e-6), "the limit", LATE, 1.0)
    boards = positions(MOVES)
    for spec in PLAYERS:
        late = lateness(spec, boards)
        worst = late[min(len(late) - 1, int(PERCENTILE * len(late)))]
        what = f"{spec}, late by, at the {100 * PERCENTILE:g}th percentile of {len(late)} moves"
        yield Figure(what, max(worst, 1e-6), "the limit", LATE, 1.0)


if __name__ == "__main__":
    sys.exit(0 if report(figures()) else 1)
