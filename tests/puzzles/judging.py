"""Random other moves in the shipped puzzles: what feedback says of each, and whether a longer search says otherwise.

A move that is said to win comes with a proof, which is verified. So does a move after which the defender wins. A move
that is refused because of a reply is given to a second judge, which has more nodes after that reply; where it sees that
the attacker may win there, a search of a minute decides.

Feedback is given as long as a player waits. This time is measured on the processor, so that a machine with other work
says the same.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from random import Random
from time import process_time
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from puzzles import Feedback, Level, MoveVerdict, feedback, load
from search import Limit, Status, player, solve, verify

SUITE = "endgames"
REACH = 2
"""Moves are taken from the cells within so many of a stone."""
WAIT = 0.5
"""Seconds that a player waits."""
NEARLY = 0.9
"""Feedback that settles nothing and had the processor for less than this share of the wait is given again,"""
TRIES = 4
"""up to so many times in all, with a longer limit."""
LEAST_SHARE = 0.05
"""A process that had less of its processor is not given more time than this share asks for."""
SECOND_NODES = 400_000
ENGINE_NODES = 200_000
SUSPICIOUS = 50
"""With so high a score of the engine for the attacker the longest search is asked."""


@dataclass(frozen=True)
class Judged:
    """A move, what feedback says of it, and what is wrong with that."""

    number: int
    level: int
    move: str
    verdict: str
    reply: str | None
    elapsed: float
    """Seconds of processor time until the verdict."""
    judge: str
    """Who had the last word: the verifier, the second judge or the search of a minute."""
    score: int | None = None
    """The engine's, for the attacker, after the reply."""
    fault: str | None = None

    def row(self) -> dict[str, Any]:
        return asdict(self)


@cache
def _levels() -> tuple[Level, ...]:
    return tuple(load(SUITE))


def other_move(seed: int, number: int) -> tuple[Level, Cell]:
    """A puzzle and a move in it that is not the solution's, the same for the same numbers."""
    random = Random(f"judging {seed} {number}")
    level = random.choice(_levels())
    board = level.board
    stones = [*board.stones("black"), *board.stones("white")]
    near = [cell for cell in board.legal_moves() if any(_distance(cell, stone) <= REACH for stone in stones)]
    return level, random.choice([cell for cell in near if cell not in level.wins])


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one.row - other.row), abs(one.col - other.col))


def judged(number: int, seed: int = 0, seconds: float = 60.0, wait: float | None = None) -> Judged:
    """Return what is said of one random move, and the fault that a longer search finds with it.

    Without ``wait`` only nodes limit the feedback, so that it is the same on every machine.
    """
    level, move = other_move(seed, number)
    board = level.board.copy(moves=False)
    found, elapsed = waited(board, move, level.length, wait)
    judge, score, fault = _second_opinion(board, found, seconds)
    reply = None if found.reply is None else board.name(found.reply)
    return Judged(
        number, level.number, board.name(move), found.verdict.value, reply, round(elapsed, 3), judge, score, fault
    )


def waited(board: Board, move: Cell, within: int | None, wait: float | None) -> tuple[Feedback, float]:
    """Return the feedback after so many seconds of processor time, or sooner where it is settled; and the time used."""
    seconds = wait
    for _ in range(TRIES):
        began = process_time()
        found = feedback(board, move, None if seconds is None else Limit(seconds=seconds), within=within)
        used = process_time() - began
        if wait is None or seconds is None or found.verdict is not MoveVerdict.UNSETTLED:
            break
        share = max(LEAST_SHARE, min(1.0, used / found.elapsed))
        if seconds * share >= NEARLY * wait or found.elapsed < seconds / 2:
            break
        seconds = wait / share
    return found, used


def _second_opinion(board: Board, found: Feedback, seconds: float) -> tuple[str, int | None, str | None]:
    if found.verdict is MoveVerdict.UNSETTLED:
        return "nobody", None, None
    if found.verdict is MoveVerdict.REFUTED:
        return _on_a_refutation(board, found, seconds)
    if found.proof is None:
        return "the rules", None, None if found.plies == 0 else "there is no proof"
    claimed = board.copy(moves=False)
    if found.verdict is MoveVerdict.LOSES:
        claimed.push(found.move)
    verdict = verify(found.proof, claimed, native=True)
    if not found.refused and found.proof.tree.move != found.move:
        return "the verifier", None, "the proof is of another move"
    return "the verifier", None, None if verdict else verdict.reason


def _on_a_refutation(board: Board, found: Feedback, seconds: float) -> tuple[str, int | None, str | None]:
    assert found.reply is not None
    then = board.copy(moves=False)
    then.push(found.move)
    then.push(found.reply)
    if then.is_over():
        return "the rules", None, None
    if solve(then, Limit(nodes=SECOND_NODES), mode="any").status is Status.PROVEN:
        return "the second judge", None, "the reply loses"
    seen = player("engine").search(then, Limit(nodes=ENGINE_NODES))
    score = seen.score * board.turn.sign
    if score < SUSPICIOUS:
        return "the second judge", score, None
    longest = solve(then, Limit(seconds=seconds), mode="any")
    fault = "the reply loses" if longest.status is Status.PROVEN else None
    return f"a search of {seconds:g} seconds", min(score, 100_000), fault
