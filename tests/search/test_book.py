"""A book of quiet wins: its text, its symmetries, and that it survives what happens to files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.cells import WHITE
from gomoku_patterns.errors import GomokuError
from search import book as books
from search.book import Book, BookError, Entry
from search.expand import Expander
from search.proof import Proof
from search.symmetry import Symmetries
from search.verifier import verify
from tests.damage import damaged, outcome
from tests.long import LONG

SHAPES = st.sampled_from([(5, 5), (6, 9), (15, 15)])


@given(SHAPES, st.data())
def test_images_of_a_position_are_one_position(shape: tuple[int, int], data: st.DataObject) -> None:
    rows, cols = shape
    symmetries = Symmetries(rows, cols)
    cells = bytes(data.draw(st.lists(st.integers(0, 2), min_size=rows * cols, max_size=rows * cols)))
    number = data.draw(st.integers(0, len(symmetries.to) - 1))
    image = symmetries.image(cells, number)
    assert all(image[there] == cells[cell] for cell, there in enumerate(symmetries.to[number]))
    assert symmetries.canonical(image)[0] == symmetries.canonical(cells)[0]
    key, to = symmetries.canonical(cells)
    assert symmetries.image(cells, to) == key
    assert all(symmetries.back[to][symmetries.to[to][cell]] == cell for cell in range(rows * cols))
    mask = data.draw(st.integers(0, 2 ** (rows * cols) - 1))
    there = sum(1 << symmetries.to[to][cell] for cell in range(rows * cols) if mask >> cell & 1)
    assert symmetries.mask_back(there, to) == mask


@given(st.data())
def test_an_entry_is_found_for_every_image(data: st.DataObject) -> None:
    book, symmetries = Book(Board(7)), Symmetries(7, 7)
    cells = bytes(data.draw(st.lists(st.sampled_from([0, 0, 1, 2]), min_size=48, max_size=48))) + b"\0"
    empty = [cell for cell, stone in enumerate(cells) if not stone]
    move = data.draw(st.sampled_from(empty))
    entry = Entry(move, 500, tuple(sorted(data.draw(st.sets(st.sampled_from(empty))) - {move})))
    book.add(cells, entry)
    number = data.draw(st.integers(0, 7))
    image, to = symmetries.image(cells, number), symmetries.to[number]
    found = book.find(image)
    assert found is not None
    # A position that is its own image has its move as well as the move's image.
    same = [symmetries.to[one] for one in symmetries.of(image)]
    moved = Entry(to[entry.move], 500, tuple(sorted(to[reply] for reply in entry.replies)))  # type: ignore[index]
    images = [(one[moved.move], sorted(one[reply] for reply in moved.replies)) for one in same]  # type: ignore[index]
    assert (found.move, list(found.replies)) in images
    again = Book.of_head(book.head)
    for line in list(book.lines())[1:]:
        again.read_line(line)
    assert again.entries == book.entries


def test_a_book_is_text_that_grows(tmp_path: Path) -> None:
    path, board = tmp_path / "wins.book", Board(15, black=["h8"], white=["h9"])
    with_file = Book.open(path, board)
    with_file.add(board.flat, Entry(98, 20_000, (3,)))
    with_file.add(board.flat, Entry(99, 1))
    with_file.close()
    assert path.read_text() == "gomoku book 1 15x15 freestyle black\nh8/h9 i9 20000 d15\n"
    with path.open("a") as file:
        file.write("h8/h10 i9 200")  # killed while it wrote
    assert len(Book.load(path)) == 1
    again = Book.open(path, board)
    again.add(Board(15, black=["h8"], white=["h10"]).flat, Entry(None, 7))
    again.close()
    assert path.read_text().splitlines()[2] == "h8/h10 - 7"
    with pytest.raises(BookError, match="white"):
        Book.open(path, board, WHITE)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "begin with"),
        ("gomoku book 2 15x15 freestyle black\n", "begin with"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9\n", "line 2: expected 'stones/stones move"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9 x\n", "line 2"),
        ("gomoku book 1 15x15 freestyle black\nh8/h8 i9 5\n", "each on a cell of its own"),
        ("gomoku book 1 15x15 freestyle black\nh8h9 i9 5\n", "stones are written black/white"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 h8 5\n", "on a cell that is taken"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 p16 5\n", "no cell of a board of 15x15"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9? 5\n", "names of cells"),
        (f"gomoku book 1 15x15 freestyle black\nh8/h9 i9 {'9' * 5000}\n", "line 2: expected 'stones/stones move"),
        (f"gomoku book 1 15x15 freestyle black\nh8/h9 i{'9' * 5000} 5\n", "names of cells|no cell"),
        (f"gomoku book 1 15x15 freestyle black\nh8/h{'9' * 5000} i9 5\n", "names of cells|no cell"),
        ("gomoku book 1 99x15 freestyle black\n", "of no book: "),
        ("gomoku book 1 15x15 nonsense black\n", "of no book: "),
        ("gomoku book 1 15x15 freestyle black\n i9 5\n", "stones are written black/white"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9i10 5\n", "expected one move"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 - 0\n", "neither a move nor a search"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9 5 i9\n", "on a cell that is taken"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9 5 a1a1\n", "on a cell that is taken"),
        ("gomoku book 1 15x15 freestyle black\nh8/h9 i9 \x1b[2J\n", "expected 'stones"),
    ],
)
def test_what_is_no_book_is_refused_with_the_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "no.book"
    path.write_text(text)
    with pytest.raises(BookError, match=reason):
        Book.load(path)


def test_damaged_books_are_refused_or_read(tmp_path: Path) -> None:
    """What is read is either made into proofs that hold, or refused when it is."""
    lines = [
        "gomoku book 1 9x9 freestyle black",
        "d5e5f5/a1c1e1 g5 200 c5h5",
        "d5e5f5g5/a1c1e1c5 - 200",
        "d5e5f5g5/a1c1e1h5 - 200",
    ]
    path, whole = tmp_path / "a.book", ("\n".join(lines) + "\n").encode()
    read = refused = 0
    for copy in damaged(whole, seed=5, number=10_000 if LONG else 250):
        path.write_bytes(copy)
        found = outcome(lambda: Book.load(path), measured=False)
        refused += isinstance(found, BookError)
        if isinstance(found, GomokuError):
            continue
        for key in found.entries:
            read += 1
            made = outcome(lambda book=found, key=key: Expander(book, memory=1 << 20).proof(book.board(key)))  # type: ignore[misc]
            assert isinstance(made, (Proof, GomokuError))
    assert read > 20 and refused > 50


@pytest.mark.parametrize("name", ["a\0b", "/", "missing/a.book"])
def test_names_of_files_that_cannot_be(name: str) -> None:
    assert isinstance(outcome(lambda: Book.load(name)), BookError)
    assert isinstance(outcome(lambda: Book.open(name, Board(15))), GomokuError)


@pytest.mark.parametrize(("name", "rule", "reply"), [("great", "freestyle", "o1"), ("kagetsu", "renju", "a15")])
def test_the_books_that_are_shipped_make_proofs(name: str, rule: str, reply: str) -> None:
    """docs/explanation/whole-game.md says what all of them stand for."""
    book = Book.load(Path(books.__file__).parent / "data" / f"{name}.book")
    board = Board(15, rule=rule)
    for move in ("h8", "h9", "i9", reply):
        board.push(move)
    proof = Expander(book).proof(board)
    assert verify(proof, board, native=True)


@pytest.mark.parametrize("make", [Expander.proof, lambda expander, board: next(expander.parts(board))])
@pytest.mark.parametrize("board", [Board(16), Board(rule="renju"), Board(turn="white")], ids=["size", "rule", "turn"])
def test_no_proof_is_made_for_other_boards_rules_or_turns(make: Callable[..., object], board: Board) -> None:
    with pytest.raises(BookError, match=r"the book is for 15x15 boards under freestyle|the book proves wins of black"):
        make(Expander(Book.of_head("gomoku book 1 15x15 freestyle black")), board)
