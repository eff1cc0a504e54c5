"""Runs that prove an opening: they end, go on where they stopped, and what they write makes a proof."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from arena import proving, ranking
from arena.log import Log
from arena.pools import workers
from arena.proving import OpenPosition, Proving, ProvingProgress
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError
from search.book import Book, Entry
from search.expand import Expander
from search.parts import listed_parts, save_parts, verify_part, whole_verdict
from search.quiet import INFINITE, put
from search.verifier import verify
from tests.arena import tried_moves

TRIED = (8, 244, 273, 279)
"""Of these small boards the last three are won only by moves tried below other moves."""


@pytest.fixture(autouse=True)
def _new_desks() -> Iterator[None]:
    proving._desks.clear()
    yield
    proving._desks.clear()


def opening() -> Board:
    """Black is ahead by two moves: every reply loses soon."""
    board = Board(9, black=["d5", "e6"], white=["a1"], turn="black")
    board.push("e5")
    return board


def run(path: Path, board: Board, seconds: float, jobs: int = 1, replies: str = "all") -> ProvingProgress:
    book = Book.open(path, board)
    with Log(f"{path}.log", {"task": "prove", "book": book.head}) as log, workers(jobs) as pool:
        progress = Proving(board, book, path, log, replies=replies).run(pool, seconds)
    book.close()
    return progress


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_opening_is_proven_and_its_proof_accepted(tmp_path: Path, jobs: int) -> None:
    path, board = tmp_path / "wins.book", opening()
    progress = run(path, board, 300, jobs)
    assert (progress.proven, progress.left, progress.open) == (progress.goals, 0.0, [])
    before = board.copy()
    before.pop()
    proof = Expander(Book.load(path)).proof(before)
    assert before.name(proof.answer()) == "e5"
    assert verify(proof, before.copy(moves=False), thorough=False)


def test_parts_are_made_from_the_book_and_cover_everything(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", tried_moves.opening(TRIED[-1])
    assert tried_moves.prove(board, path).left == 0.0
    before = board.copy()
    before.pop()
    before = before.copy(moves=False)
    files = save_parts(Expander(Book.load(path)).parts(before), tmp_path)
    parts = [verify_part(str(tmp_path / file)) for file in files]
    assert len(parts) > len(board.legal_moves()) / 2
    assert [part.reason for part in parts if not part.accepted] == []
    assert whole_verdict(parts, listed_parts(tmp_path), before)
    assert "no part proves" in whole_verdict(parts[:-1], listed_parts(tmp_path)[:-1], before).reason


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", opening()
    first = run(path, board, 1.0)
    entries = [json.loads(line) for line in Path(f"{path}.log").read_text().splitlines()[1:]]
    second = run(path, board, 1.0)
    again = [json.loads(line) for line in Path(f"{path}.log").read_text().splitlines()[1:]]
    assert 0 < first.proven <= second.proven
    assert again[: len(entries)] == entries
    done = {entry["position"] for entry in entries if entry["proven"]}
    assert not done & {entry["position"] for entry in again[len(entries) :]}


def test_a_position_that_was_searched_in_vain_is_told_and_counted_on(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", Board(15, black=["h8"], white=["h9"], turn="black")
    board.push("i9")
    book = Book.open(path, board)
    with Log(tmp_path / "log", {"task": "prove", "book": book.head}) as log:
        state = Proving(board, book, path, log)
        # A position as it lies on the board, which the book has the other way round.
        reply, goal = next(
            (text, goal)
            for number, goal in state.root.goals.items()
            if goal.near and (text := book.text(put(board.flat, number, 2))) != book.text(goal.cells)
        )
        result = {"position": reply, "proven": False, "seconds": 4.0, "proof": 7, "disproof": 20, "lines": []}
        before = state.progress().left
        state._take(result)
        assert state.progress().open == [OpenPosition(state.book.text(goal.cells), 4.0, 7)]
        assert state.progress().left > before
        state._take({**result, "seconds": 5.0, "proof": INFINITE})
        assert (goal.width, goal.given_up) == (1, False)
    with Log(tmp_path / "log", {"task": "prove", "book": book.head}) as log:
        again = Proving(board, book, path, log)
        assert again.progress() == state.progress()
        same = again.goals[goal.cells]
        assert (same.spent, same.width) == (5.0, 1)
        for _ in range(proving.WIDEST):
            assert again._next(again.root) is not None
            again._take({**result, "seconds": 6.0, "proof": INFINITE})
        assert same.given_up
    book.close()


def test_with_few_stones_moves_are_ranked_and_closed_from_below(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", Board(15)
    board.push("h8")
    book = Book.open(path, board)
    with Log(tmp_path / "log", {"task": "prove", "book": book.head}) as log:
        state = Proving(board, book, path, log, replies="adjacent", ranking_nodes=1000)
        assert len(state.root.goals) == 2
        for unit in islice(state._units(), 2):
            state._take(proving.work_on(unit))
        for goal in state.root.goals.values():
            assert goal.moves is not None
            assert 0 < len(goal.moves) <= ranking.MOVES
            for below in goal.moves[0].goals.values():
                book.add(below.cells, Entry(None, 1))
                below.proven = True
        state._close_all()
        assert state.progress().proven == 2
        assert all(book.find(goal.cells) is not None for goal in state.root.goals.values())
        assert book.find(bytes(225)) is None  # other replies than the adjacent ones are not proven
    book.close()


def test_what_is_proven_by_moves_without_a_default_is_what_exhaustive_search_finds(tmp_path: Path) -> None:
    kinds = {}
    for seed in (*range(12), *TRIED):
        kinds[seed], board, faults = tried_moves.claim(seed, tmp_path / f"{seed}.book")
        assert not faults, (seed, board)
    assert [kinds[seed] for seed in TRIED] == ["won", *["won by moves tried below"] * 3]
    assert "not won" in kinds.values()


def test_a_run_that_tries_moves_may_be_killed_anywhere(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", tried_moves.opening(TRIED[-1])
    log = Path(f"{path}.log")
    for units in (3, 1, 4, 1, 5, 9):
        with pytest.raises(tried_moves.EnoughError):
            tried_moves.prove(board, path, tried_moves.stop_after(units))
        for file in (path, log):
            file.write_bytes(file.read_bytes()[:-5])
    progress = tried_moves.prove(board, path)
    assert progress.proven == progress.goals
    ranked = [entry["position"] for entry in map(json.loads, log.read_text().splitlines()) if "moves" in entry]
    assert 1 < len(ranked) == len(set(ranked))
    before = board.copy()
    before.pop()
    assert verify(Expander(Book.load(path)).proof(before), before.copy(moves=False))


def test_an_entry_is_tried_with_just_the_replies_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches share tables: where those for some replies are left out, one for another may fail."""
    board = opening()
    book = Book(board)
    with Log(tmp_path / "log", {"task": "prove", "book": book.head}) as log:
        state = Proving(board, book, tmp_path / "book", log)
        fails = iter([0b0110, 0b1000, 0])
        named = []

        def unanswered(_leaves: object, _cells: bytes, _move: int, _nodes: int, replies: int) -> int:
            named.append(replies)
            return next(fails)

        monkeypatch.setattr(proving, "unanswered", unanswered)
        cells = bytes([1] + 80 * [0])
        state._write(cells, 40)
        key, number = book.symmetries.canonical(cells)
        assert named == [0, 0b0110, 0b1110]
        there = book.symmetries.to[number][40]
        assert book.entries[key] == Entry(there, state.options.settle_nodes, (1, 2, 3))


def test_the_defender_is_to_move(tmp_path: Path) -> None:
    board = Board(15)
    with (
        Log(tmp_path / "log", {"task": "prove"}) as log,
        pytest.raises(ArenaError, match="attacker's turn after these moves"),
    ):
        Proving(board, Book(board), tmp_path / "book", log)
