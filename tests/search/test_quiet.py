"""Quiet wins: what is written into the book makes a proof that the verifier accepts, the same one every time."""

from __future__ import annotations

import threading
from random import Random

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.errors import LimitError
from search._control import Cancel
from search._leaves import LeafSearch
from search._solver import Unsound
from search.book import Book, BookError, Entry
from search.denial import Attacks, Denial
from search.expand import Expander
from search.proof import Attack, Proof
from search.quiet import QuietSearch, bits, empties, put, unanswered
from search.result import Limit
from search.solver import Status, solve
from search.verifier import verify
from tests.long import some

# No win by moves that threaten continuous fours; a quiet move wins.
OPEN = Board(15, black=["h8", "i9"], white=["h9", "e12"], turn="black")


@pytest.fixture(scope="module")
def searched() -> QuietSearch:
    search = QuietSearch(Book(Board(15)))
    assert search.prove(OPEN.flat, seconds=60).proof == 0
    return search


@pytest.fixture(scope="module")
def expanded(searched: QuietSearch) -> Proof:
    return Expander(searched.book).proof(OPEN)


def test_a_quiet_win_is_found_and_its_proof_is_accepted(searched: QuietSearch, expanded: Proof) -> None:
    entry = searched.book.find(OPEN.flat)
    assert entry is not None
    assert entry.move is not None
    assert verify(expanded, OPEN, thorough=False)
    assert expanded.answer() == OPEN.copy().cell((entry.move // 15, entry.move % 15))


def test_the_solver_finds_it_when_it_is_asked_for_any_move() -> None:
    attacks, found = solve(OPEN, Limit(nodes=20_000)), solve(OPEN, Limit(nodes=1_000_000), mode="any")
    assert attacks.status is not Status.PROVEN
    assert found.status is Status.PROVEN
    assert found.proof is not None
    assert verify(found.proof, OPEN, thorough=False)
    again = solve(OPEN, Limit(nodes=1_000_000), mode="any")
    assert (again.nodes, again.move, again.length) == (found.nodes, found.move, found.length)


@pytest.mark.parametrize("nodes", [1, 2, 500, 30_000])
def test_any_move_keeps_node_limits_and_claims_nothing_of_quiet_moves(nodes: int) -> None:
    solution = solve(OPEN, Limit(nodes=nodes), mode="any")
    assert (solution.status is Status.PROVEN, solution.stopped_by) == (False, "nodes")
    assert solution.nodes <= nodes
    assert solution.status is Status.UNKNOWN
    assert solution.exhausted in (None, Denial(Attacks.THREATS))


def test_any_move_ends_when_it_is_told_to() -> None:
    hard = Board(15, black=["h8", "i9"], white=["h9", "g7"], turn="black")
    cancel = Cancel()
    threading.Timer(0.3, cancel.set).start()
    assert solve(hard, Limit(seconds=60), mode="any", cancel=cancel).stopped_by == "cancelled"
    assert solve(hard, Limit(seconds=0.3), mode="any").stopped_by == "seconds"


def test_any_move_is_never_denied() -> None:
    """Attacking moves were exhausted; of quiet moves that can never be said."""
    board = Board(9, black=["e5"], white=["a1"])
    attacks, found = solve(board), solve(board, Limit(nodes=3000), mode="any")
    assert attacks.status is Status.DISPROVEN
    assert (found.status, found.exhausted) == (Status.UNKNOWN, Denial(Attacks.THREATS))
    assert found.stopped_by in ("nodes", "quiet")
    assert "disproven" not in str(found) and "no win by moves that extend a line" in str(found)


def test_the_proof_of_a_quiet_win_is_written_within_the_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing ends by a cancel, by a search that contradicts itself, or with a proof that does not hold."""
    cancel = Cancel()

    def cancelled(self: Expander, board: Board) -> Proof:
        cancel.set()
        return proof(self, board)

    def broken(self: Expander, board: Board) -> Proof:
        raise Unsound("a proof that cannot be walked")

    def too_little(self: Expander, board: Board) -> Proof:
        return Proof(board, Attack(board.cell("a1")))

    proof = Expander.proof
    for writes, reason in ((cancelled, "cancelled"), (broken, "unsound"), (too_little, "unsound")):
        monkeypatch.setattr(Expander, "proof", writes)
        found = solve(OPEN, Limit(nodes=1_000_000), mode="any", cancel=cancel)
        assert (found.status, found.stopped_by, found.proof) == (Status.UNKNOWN, reason, None)
        cancel.clear()


@pytest.mark.parametrize(("rule", "black", "white"), [("standard", "h8 i9", "h9 e12"), ("renju", "h8 i9", "h9 a1")])
def test_under_other_rules_every_reply_is_tried(rule: str, black: str, white: str) -> None:
    """White's last stone is far away in the renju opening h8 h9 i9, which is known to be won (kagetsu)."""
    board = Board(15, black=black.split(), white=white.split(), turn="black", rule=rule)
    assert solve(board, Limit(nodes=20_000)).status is not Status.PROVEN
    found = solve(board, Limit(nodes=6_000_000), mode="any")
    assert found.proof is not None and found.proof.tree.then is not None
    assert found.proof.tree.then.defaults
    assert verify(found.proof, board, native=True)
    assert not verify(found.proof, board.copy(), native=True, most_work=1000)


def test_a_forbidden_move_is_no_quiet_move_and_no_reply() -> None:
    """d4 would make two threes for black under renju, and white may count on that."""
    board = Board(9, black=["d3", "d5", "c4", "e4"], white=["a1", "i9", "a9"], turn="black", rule="renju")
    forbidden = 1 << (9 - 4) * 9 + 3
    leaves = LeafSearch(board, 1, 16 << 20)
    assert not leaves.legal(board.flat, 1) & forbidden
    assert leaves.legal(board.flat, 2) & forbidden
    assert leaves.legal(Board(9).flat, 1) == (1 << 81) - 1


def test_any_move_is_for_any_length() -> None:
    with pytest.raises(LimitError, match="no depth"):
        solve(OPEN, Limit(depth=9, nodes=100), mode="any")
    with pytest.raises(LimitError, match="no shortest win"):
        solve(OPEN, Limit(nodes=100), mode="any", shortest=True)


def test_every_image_has_the_proof_and_it_is_the_same_every_time(searched: QuietSearch, expanded: Proof) -> None:
    image = OPEN.transform(6)
    assert image != OPEN
    assert verify(Expander(searched.book).proof(image), image, thorough=False)
    assert Expander(searched.book).proof(OPEN).to_json() == expanded.to_json()


def test_every_entry_of_the_book_holds_by_itself(searched: QuietSearch) -> None:
    leaves = LeafSearch(Board(15), 1)
    for key, entry in searched.book.entries.items():
        if entry.move is None:
            leaves.forget()
            assert leaves.attempt(key, entry.nodes) is True
        else:
            named = sum(1 << reply for reply in entry.replies)
            assert unanswered(leaves, key, entry.move, entry.nodes, named) == 0
            after = put(key, entry.move, 1)
            assert all(searched.book.find(put(after, reply, 2)) for reply in entry.replies)


def test_what_is_not_in_the_book_or_does_not_hold_is_said() -> None:
    book = Book(Board(15))
    with pytest.raises(BookError, match="not in the book"):
        Expander(book).proof(OPEN)
    book.add(OPEN.flat, Entry(0, 1000))
    with pytest.raises(BookError, match="after the quiet move and a pass"):
        Expander(book).proof(OPEN)
    leaf = Book(Board(15))
    leaf.add(OPEN.flat, Entry(None, 1000))
    with pytest.raises(BookError, match="one search does not show"):
        Expander(leaf).proof(OPEN)


def test_a_search_goes_on_from_its_book(searched: QuietSearch) -> None:
    again = QuietSearch(searched.book)
    assert again.prove(OPEN.flat, seconds=1).proof == 0
    assert again.counts.expanded == 1


def test_a_win_that_empty_tables_do_not_show_has_to_be_won_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(9, black=["d5", "e5", "f5"], white=["a1", "a9", "i1"], turn="black")
    search = QuietSearch(Book(Board(9)))
    shown = search._settle_leaf
    refused = board.flat
    assert LeafSearch(Board(9), 1).attempt(refused, 20_000) is True
    key = search.book.symmetries.canonical(refused)[0]
    monkeypatch.setattr(search, "_settle_leaf", lambda cells: cells != key and shown(cells))
    position = search.prove(refused, seconds=20)
    entry = search.book.find(refused)
    assert position.unshown
    assert position.proof == 0 and entry is not None and entry.move is not None
    assert verify(Expander(search.book).proof(board), board, thorough=False)


def test_wins_on_a_small_board_stand_the_thorough_verifier() -> None:
    random = Random(0)
    search = QuietSearch(Book(Board(8)))
    for _ in range(8):
        board = Board(8)
        cells = [cell for cell in board.cells() if 1 < cell.row < 6 and 1 < cell.col < 6]
        random.shuffle(cells)
        for number in range(5):
            board.push(cells.pop(), 1 + number % 2)
        board.push(cells.pop(), 2)
        board.turn = "black"
        board = board.copy(moves=False)
        if search.prove(board.flat, seconds=2).proof == 0:
            assert verify(Expander(search.book).proof(board), board)
            return
    pytest.fail("none of the boards was won")


def test_the_book_that_is_shipped_rests_on_itself() -> None:
    book = Book.great()
    for key, entry in book.entries.items():
        if entry.move is not None:
            after = put(key, entry.move, 1)
            replies = entry.replies if entry.nodes else bits(empties(after))
            assert all(book.find(put(after, reply, 2)) for reply in replies), book.line(key)


def test_the_entries_of_the_book_that_is_shipped_hold() -> None:
    book, leaves = Book.great(), LeafSearch(Board(15), 1)
    for key, entry in some(book.entries.items(), len(book) // 10):
        if entry.move is None:
            leaves.forget()
            assert leaves.attempt(key, entry.nodes) is True, book.line(key)
        elif entry.nodes:
            named = sum(1 << reply for reply in entry.replies)
            assert unanswered(leaves, key, entry.move, entry.nodes, named) == 0, book.line(key)


def test_sets_of_cells() -> None:
    assert empties(b"\0\1\0") == 0b101
    assert put(b"\0\0\0", 1, 2) == b"\0\2\0"


def test_a_search_that_contradicts_itself_makes_no_proof_from_a_book(searched: QuietSearch) -> None:
    class Broken:
        """Finds every win, and no proof of it."""

        attacker_stone, first_move = 1, 0

        def __init__(self, *_: object) -> None: ...
        def forget(self) -> None: ...

        def attempt(self, *_: object) -> bool:
            return True

        def worths(self, cells: bytes) -> list[int]:
            return [0] * len(cells)

        def fives(self, cells: bytes) -> list[int]:
            return []

        def zone(self) -> int:
            return 0

        def proof(self) -> Attack:
            raise Unsound("a threat that does not work")

    expander = Expander(searched.book)
    expander._leaves = Broken()  # type: ignore[assignment]
    with pytest.raises(BookError, match="a threat that does not work; please report this position"):
        expander.proof(OPEN)
