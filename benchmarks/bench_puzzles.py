"""Puzzles by the thousand: every winning move found, proofs verified beside solving, a game reviewed.

    python -m benchmarks puzzles

The peer of ``winning_moves`` asks the solver about every reply by itself, those first that refuted other moves, as it
does where no zone may be used; both have to find the same moves, and every proof has to be accepted. Processor time is
measured. What would flatter the figures: positions that are won or lost at a glance; these are levels, problems of many
plies, and a game between players who err.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import puzzles
from benchmarks.figures import Figure, Seconds, amount
from gomoku_patterns import Board
from gomoku_patterns.notation import parse_json_position
from puzzles.winning import every_reply
from search import Limit, Solver, player, verify

LEVELS = amount((7, 9, 18), (7,))
"""Those whose replies are all asked about in some seconds."""
FEW = Limit(nodes=3000)
PROBLEMS = Path(__file__).parent.parent / "tests" / "search" / "data" / "problems.jsonl"
PROBLEM = Limit(nodes=amount(200_000, 2_000))
LEAST_PROVEN = amount(50, 10)
PLIES = amount(60, 24)
"""The reviewed game is over by then, or broken off."""
SHARE = 0.1
"""Verifying may add so much to solving."""
REVIEWED = 0.25
"""Seconds a move of a game may take to review."""


def spent(action: Callable[[], object], rounds: int = amount(3, 1)) -> Seconds:
    """Processor seconds of a call."""
    taken = []
    for _ in range(rounds):
        began = time.process_time()
        action()
        taken.append(time.process_time() - began)
    return Seconds(taken)


def winning() -> Figure:
    boards = [puzzles.load("huanle").level(number).board for number in LEVELS]
    began = time.process_time()
    slow = [every_reply(board, FEW) for board in boards]
    theirs = time.process_time() - began
    found = [puzzles.winning_moves(board, FEW) for board in boards]
    assert [set(one) for one in found] == [set(one) for one in slow]
    assert all(verify(proof, board) for board, one in zip(boards, found, strict=True) for proof in one.values())
    ours = spent(lambda: [puzzles.winning_moves(board, FEW) for board in boards])
    each = Seconds(one / len(boards) for one in ours.rounds)
    return Figure("every winning move of a level", each, "every reply by itself", theirs / len(boards), 1.5)


def solved_and_verified() -> Figure:
    """What verifying adds to solving, on the problems of the tests."""
    lines = PROBLEMS.read_text(encoding="utf-8").splitlines()
    boards = [parse_json_position(json.loads(line)["position"]) for line in lines]
    solver = Solver()
    found = [(solver.solve(board, PROBLEM).proof, board) for board in boards]
    proven = [(proof, board) for proof, board in found if proof is not None]
    assert len(proven) > LEAST_PROVEN

    def verified() -> None:
        assert all(verify(proof, board, native=True, thorough=False) for proof, board in proven)

    solving = spent(lambda: [solver.solve(board, PROBLEM) for _, board in proven], 1)
    verifying = spent(verified)
    pieces = len(proven)
    each = Seconds(one / pieces for one in verifying.rounds)
    note = f"{each / (solving / pieces):.0%} of what solving took"
    return Figure("a proof verified", each, "a tenth of 0.05 s, for solving", SHARE * 0.05, 1, note)


def reviewed() -> Figure:
    board, players = Board(), (player("minmax:depth=2"), player("minmax:depth=2,table=level"))
    for name in ("h8", "i9", "g6"):
        board.push(name)
    while not board.is_over() and len(board) < PLIES:
        move = players[len(board) % 2].search(board, Limit(depth=2)).move
        assert move is not None
        board.push(move)
    found = puzzles.review(board)
    assert found.complete and found.decisive is not None
    ours = spent(lambda: puzzles.review(board))
    each = Seconds(one / len(found.moves) for one in ours.rounds)
    return Figure("a move of a game reviewed", each, "a quarter of a second", REVIEWED, 1)


def figures() -> Iterator[Figure]:
    yield winning()
    yield solved_and_verified()
    yield reviewed()
