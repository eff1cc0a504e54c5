"""Answers of those who look ahead: a player's move, the solver's proof, the verifier's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from gomoku.answers.cells import names, places, plain, win_json
from gomoku_patterns.cells import cell_name

if TYPE_CHECKING:
    from gomoku.answers import types
    from gomoku.answers.types import BookAnswer, FeedbackAnswer, FollowAnswer, MoveAnswer, SolveAnswer, VerifyAnswer
    from gomoku_patterns.board import Board, CellLike
    from gomoku_patterns.cells import Cell
    from search import Cancel, Limit, Player, Proof, Solution, Verdict
    from search.book_walk import BookWalk, Standing
    from search.result import Progress

REPORT_SECONDS = 0.1
"""How often the counting of a book says how far it is."""


def move(
    board: Board,
    player: Player | str = "minmax",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> MoveAnswer:
    """A player's move with its score, line and statistics."""
    from search.players import player as player_named

    chosen = player_named(player) if isinstance(player, str) else player
    result = chosen.search(board, limit, cancel=cancel, progress=progress)
    return {
        "player": chosen.name,
        "move": None if result.move is None else [*result.move],
        "name": None if result.move is None else cell_name(result.move, board.rows),
        "score": result.score,
        "win": win_json(result.win),
        "nodes": result.nodes,
        "depth": result.depth,
        "elapsed": result.elapsed,
        "pv": places(result.pv),
        "pv_names": names(result.pv, board),
        "stopped_by": result.stopped_by,
        "stats": {name: plain(value, board) for name, value in result.stats.items()},
    }


def progress(board: Board, told: Mapping[str, object]) -> types.ProgressReport:
    """How far a search has come, as it reports to its progress callback."""
    return cast("types.ProgressReport", {name: plain(value, board) for name, value in told.items()})


def solve(
    board: Board, limit: Limit | None = None, *, with_proof: bool = False, with_line: bool = False, **asked: Any
) -> SolveAnswer:
    """Whether the side to move has a proven win; ``asked`` is what else ``search.solve`` takes."""
    from search import solver

    return solved(board, solver.solve(board, limit, **asked), with_proof=with_proof, with_line=with_line)


def solved(board: Board, solution: Solution, *, with_proof: bool = False, with_line: bool = False) -> SolveAnswer:
    """What a solution says, with its proof and the game to its end when asked for and there is one."""
    answer: SolveAnswer = {
        "status": solution.status.value,
        "move": None if solution.move is None else [*solution.move],
        "name": None if solution.move is None else cell_name(solution.move, board.rows),
        "length": solution.length,
        "nodes": solution.nodes,
        "elapsed": solution.elapsed,
        "stopped_by": solution.stopped_by,
    }
    if solution.exhausted is not None:
        answer["exhausted"] = str(solution.exhausted)
        answer["exhausted_attacks"] = solution.exhausted.attacks.value
        answer["exhausted_plies"] = solution.exhausted.plies
    if solution.minimal:
        answer["minimal"] = True
    if with_line and solution.proof is not None:
        from search.natural import natural_line

        line = natural_line(solution.proof)
        answer["line"], answer["line_names"] = places(line), names(line, board)
    if with_proof and solution.proof is not None:
        answer["proof"] = solution.proof.to_json()
    return answer


def feedback(board: Board, move: CellLike, limit: Limit | None = None, **asked: Any) -> FeedbackAnswer:
    """What a move in a puzzle is worth; ``asked`` is what else ``puzzles.feedback`` takes."""
    import puzzles

    found = puzzles.feedback(board, move, limit, **asked)
    return {
        "move": [*found.move],
        "name": cell_name(found.move, board.rows),
        "status": found.status.value,
        "verdict": found.verdict.value,
        "plies": found.plies,
        "exact": found.exact,
        "reply": None if found.reply is None else [*found.reply],
        "reply_name": None if found.reply is None else cell_name(found.reply, board.rows),
        "line": places(found.line),
        "line_names": names(found.line, board),
        "loses_in": found.loses_in,
        "exhausted": found.exhausted,
        "nodes": found.nodes,
        "elapsed": found.elapsed,
    }


def book(
    board: Board,
    limit: Limit | None = None,
    *,
    count: bool = False,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> BookAnswer:
    """What the book that is shipped says of a game; with ``count`` also how long it lasts and what answers each reply.

    Counting takes a second or two the first time. The moves of the board matter, not its stones alone.
    """
    from search._control import Control
    from search.solver import DEFAULT_LIMIT

    control = Control(limit or DEFAULT_LIMIT, cancel)

    last = -REPORT_SECONDS

    def tell(done: int, of: int) -> None:
        nonlocal last
        if progress is not None and control.elapsed >= last + REPORT_SECONDS:
            last = control.elapsed
            progress({"done": done, "of": of, "elapsed": last})

    standing = _walk().standing(board, count=count, control=control, tell=tell)
    return _standing(board, standing, control.elapsed)


@cache
def _walk() -> BookWalk:
    from search.book import great
    from search.book_walk import BookWalk

    return BookWalk(great())


def _standing(board: Board, found: Standing, elapsed: float) -> BookAnswer:
    from gomoku_patterns.notation import json_position

    def place(cell: Cell | None) -> list[int] | None:
        return None if cell is None else [*cell]

    def name(cell: Cell | None) -> str | None:
        return None if cell is None else cell_name(cell, board.rows)

    return {
        "status": found.status,
        "attacker": str(_walk().book.attacker),
        "move": place(found.move),
        "name": name(found.move),
        "plies": found.plies,
        "replies": [
            {
                "move": [*reply],
                "name": cell_name(reply, board.rows),
                "answer": place(answered.move),
                "answer_name": name(answered.move),
                "plies": answered.plies,
            }
            for reply, answered in found.replies.items()
        ],
        "open": places(found.open),
        "open_names": names(found.open, board),
        "leads": places(found.leads),
        "lead_names": names(found.leads, board),
        "root": None if found.root is None else json_position(found.root),
        "elapsed": elapsed,
        "stopped_by": found.stopped_by,
    }


def verify(proof: Proof | Mapping[str, Any] | str, board: Board | None = None, **asked: Any) -> VerifyAnswer:
    """Whether a proof, or its JSON, holds against every legal reply; ``asked`` is what else ``search.verify`` takes."""
    from search import verifier

    return judged(verifier.verify(proof, board, **asked))


def judged(verdict: Verdict) -> VerifyAnswer:
    """What a verdict says."""
    return {
        "accepted": verdict.accepted,
        "replies_checked": verdict.replies_checked,
        "reason": verdict.reason or None,
        "elapsed": verdict.elapsed,
    }


def follow(proof: Proof | Mapping[str, Any], *replies: CellLike) -> FollowAnswer:
    """What a proof plays after these replies of the defender."""
    from search.proof import Proof

    found = proof if isinstance(proof, Proof) else Proof.from_json(proof)
    line, board = found.line(*replies), found.position
    return {
        "move": [*line[-1]],
        "name": cell_name(line[-1], board.rows),
        "line": places(line),
        "line_names": names(line, board),
    }
