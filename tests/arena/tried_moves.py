"""Small boards on which moves are tried, each with every reply, by searches that see hardly anything themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from unittest.mock import patch

from arena import proving
from arena.log import Log
from arena.pools import workers
from arena.proving import Proving, ProvingProgress
from arena.ranking import Ranked
from gomoku_patterns import rules
from gomoku_patterns.board import Board
from search.book import Book
from search.expand import Expander
from search.quiet import Position, QuietOptions, QuietSearch
from search.verifier import verify
from tests.search.exhaustive import can_force_five
from tests.search.soundness import crowded


class FivesOnly(QuietSearch):
    """Sees no win but a five that can be made at once: all else has to be found by trying moves."""

    def _expand(self, position: Position) -> None:
        five = bool(rules.winning_cells(self.book.board(position.cells), self.book.attacker))
        self.options = QuietOptions(own_nodes=1000 if five else 0, defaults=0)
        super()._expand(position)


def every_move(board: Board, *, nodes: int, also: object = ()) -> list[Ranked]:
    """All moves, so that only what is tried and proven decides, and nothing is missed."""
    assert nodes
    return [Ranked(move, (), False) for move in board.legal_moves() if not _loses(board, move)]


def _loses(board: Board, move: object) -> bool:
    after = board.copy()
    after.push(move)  # type: ignore[arg-type]
    return after.is_over() or bool(rules.winning_cells(after, after.turn))


def opening(seed: int) -> Board:
    """A crowded small board on which the attacker has just moved and nobody makes five at once."""
    random = Random(seed)
    while True:
        board = crowded(random)
        board.push(random.choice(board.legal_moves()))
        if not board.is_over() and not rules.winning_cells(board, board.turn):
            return board


def is_won(board: Board) -> bool:
    """Whether the attacker wins against every reply, by exhaustive search."""
    for reply in board.legal_moves():
        after = board.copy()
        after.push(reply)
        if after.is_over() or not can_force_five(after):
            return False
    return True


class EnoughError(Exception):
    """So many units were to be done."""


def stop_after(units: int) -> Callable[[ProvingProgress], object]:
    """What ends a run in the middle."""
    left = iter(range(units))

    def tell(_: ProvingProgress) -> None:
        if next(left, None) is None:
            raise EnoughError

    return tell


def prove(board: Board, path: Path, tell: Callable[[ProvingProgress], object] | None = None) -> ProvingProgress:
    """Run until all is decided, or ``tell`` ends it; searches see fives alone, and all moves are tried."""
    proving._desks.clear()
    book = Book.open(path, board, board.turn.opponent)
    blind = patch.multiple(proving, QuietSearch=FivesOnly, rank_moves=every_move)
    try:
        with blind, Log(f"{path}.log", {"task": "prove", "book": book.head}) as log, workers(1) as pool:
            return Proving(board, book, path, log, ranking_nodes=100).run(pool, 60.0, tell)
    finally:
        book.close()


def claim(seed: int, path: Path) -> tuple[str, Board, list[str]]:
    """An opening, what a run says of it, and what is wrong with that."""
    board = opening(seed)
    won = is_won(board)
    try:
        progress = prove(board, path, stop_after(400))
    except EnoughError:
        return "not finished", board, []
    if progress.proven < progress.goals:
        return ("missed" if won else "not won"), board, []
    faults = [] if won else ["proven, and exhaustive search finds a reply that holds"]
    before, book = board.copy(), Book.load(path)
    before.pop()
    proof = Expander(book, memory=4 << 20).proof(before)
    for native in (False, True):
        verdict = verify(proof, before.copy(moves=False), native=native)
        faults += [] if verdict else [f"refused: {verdict.reason}"]
    tried = sum(entry.move is not None for entry in book.entries.values())
    return ("won by moves tried below" if tried > 1 else "won"), board, faults
