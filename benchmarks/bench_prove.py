"""The search for quiet wins, its proofs, and holds: what a second brings, and two workers against one.

    python -m benchmarks prove

Five replies to h8 h9 i9 are proven from an empty book; the proofs that it stands for, and the holds of 6x7, have to be
accepted by both verifiers before anything is told. Rates are by processor time, since a busy machine only ever slows
the clock on the wall. What would flatter them: replies far from the stones, which a few searches settle; two of the
five are near. Two workers get the same replies as one and their processor time is told as well: where that is the
same, nothing but the machine stands in the way of twice the speed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from arena.log import Log
from arena.pools import workers
from arena.proving import Goal, Proving
from benchmarks.figures import Figure, amount, fastest
from gomoku_patterns import Board
from gomoku_patterns.cells import BLACK, WHITE
from search import find_hold, verify_hold
from search.book import Book
from search.expand import Expander
from search.quiet import QuietSearch, put
from search.verifier import verify

OPENING = ("h8", "h9", "i9")
REPLIES = amount(("h7", "k7", "a1", "e12", "n3"), ("a1",))
LEAST_TIMES = 50


def opening(*more: str) -> Board:
    board = Board()
    for move in (*OPENING, *more):
        board.push(move)
    return board


def proven() -> Iterator[str]:
    """Prove the replies one after the other; what a second and a node took."""
    book = Book(Board())
    search, began = QuietSearch(book), time.process_time()
    for reply in REPLIES:
        assert search.prove(opening(reply).flat).proof == 0
    seconds, counts = time.process_time() - began, search.counts
    yield f"{len(REPLIES)} replies proven in {seconds:.1f} s of processor time, {len(book)} entries"
    yield (
        f"{counts.searches / seconds:,.0f} searches for attacking wins a second, {counts.nodes / seconds:,.0f} nodes,"
        f" {counts.expanded / seconds:,.1f} positions expanded"
    )
    expander = Expander(book)
    proofs = [expander.proof(opening(reply)) for reply in REPLIES]
    for proof in proofs:
        assert verify(proof, thorough=False) and verify(proof, native=True)
    attacks, size = sum(proof.attacks for proof in proofs), sum(len(proof.to_bytes()) for proof in proofs)
    text = sum(len(line) + 1 for line in book.lines())
    yield f"{attacks:,} attacks in the proofs, {size / attacks:.1f} bytes each"
    yield f"{text / len(book):.0f} bytes an entry of the book"


def run(jobs: int) -> tuple[float, float]:
    """The time on the wall, and of the processors, for the replies with so many workers."""
    with tempfile.TemporaryDirectory() as folder:
        board, path = opening(), Path(folder) / "wins.book"
        book = Book.open(path, board, BLACK)
        log = Log(Path(folder) / "log", {"task": "bench"})
        proving = Proving(board, book, path, log)
        chosen: dict[int, Goal] = {}
        for reply in REPLIES:
            cell = board.cell(reply)
            key = book.symmetries.canonical(put(board.flat, cell.row * 15 + cell.col, 2))[0]
            chosen[cell.row * 15 + cell.col] = proving.goals[key]
        proving.root.goals = chosen
        with workers(jobs) as pool:
            began = time.perf_counter()
            progress = proving.run(pool, 600)
            took = time.perf_counter() - began
        assert progress.proven == len(REPLIES)
        book.close()
        log.close()
        return took, progress.seconds


def figures() -> Iterator[Figure]:
    yield from _told(proven())
    holds = [find_hold(Board(6, 7), holder).hold for holder in (WHITE, BLACK)]
    datas = [hold.data for hold in holds if hold is not None]
    assert len(datas) == 2 and all(verify_hold(data) for data in datas)
    native = fastest(lambda: [verify_hold(data, native=True) for data in datas])
    yield Figure(
        "both holds of 6x7 verified in C", native, "Python", fastest(lambda: [*map(verify_hold, datas)]), LEAST_TIMES
    )
    for jobs, (wall, processors) in ((jobs, run(jobs)) for jobs in (1, 2)):
        print(f"{jobs} workers: {wall:.1f} s on the wall, {processors:.1f} s of processor time")


def _told(lines: Iterator[str]) -> Iterator[Figure]:
    for line in lines:
        print(line, flush=True)
    yield from ()
