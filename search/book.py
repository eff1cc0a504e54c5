"""A book of quiet wins: for each position in it the move that wins, and what it takes to show it again.

A book is a text file. Its first line names the board, the rule and the attacker; every other line is a position that
is won, the attacker to move::

    gomoku book 1 15x15 freestyle black
    h8i8k10/h9i9l11 j9 20000 k8l9

black stones / white stones, the winning move, how many nodes each search below it may take, and the replies that are
answered by a position of the book; all other replies are answered by searches (:mod:`search.expand`). ``-`` for the
move says that one search shows the win. A position stands for its images under the symmetries of the board.

Lines are only ever appended, a position after those it rests on, so that a book that was cut off anywhere is still
true: a last line without its end is dropped. The lines of two books are the lines of one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour, parse_colour
from gomoku_patterns.errors import GomokuError, shown
from gomoku_patterns.files import check_writable, read_file, write_file
from gomoku_patterns.rules import Rule
from search.symmetry import Symmetries

_CELL = re.compile(r"[a-z][0-9]{1,2}")
_NODES = re.compile(r"0|[1-9][0-9]{0,14}")
_HEAD = re.compile(r"gomoku book 1 ([0-9]{1,2})x([0-9]{1,2}) ([a-z]+) (black|white)")
MAX_BYTES = 256 * 2**20
"""The largest book that is read: eight million positions."""
GREAT = "great"
"""What the book that is shipped is called where a file can be named."""


class BookError(GomokuError):
    """A book that cannot be read, or does not hold what was asked for."""

    code = "book"


class Entry(NamedTuple):
    """How a position is won: the quiet move (None: a search shows it), nodes for each search, replies in the book."""

    move: int | None
    nodes: int
    replies: tuple[int, ...] = ()


class Book:
    """Positions, as canonical bytes, and how each is won."""

    def __init__(self, board: Board, attacker: Colour = BLACK) -> None:
        self.rows, self.cols, self.rule, self.attacker = board.rows, board.cols, board.rule, attacker
        self.symmetries = Symmetries(board.rows, board.cols)
        self.entries: dict[bytes, Entry] = {}
        self._file: IO[str] | None = None

    def __len__(self) -> int:
        return len(self.entries)

    # ------------------------------------------------------------------ asking

    def find(self, cells: bytes) -> Entry | None:
        """The entry of a position, its cells those of the position as it is given."""
        key, number = self.symmetries.canonical(cells)
        entry = self.entries.get(key)
        if entry is None or number == 0:
            return entry
        back = self.symmetries.back[number]
        move = None if entry.move is None else back[entry.move]
        return Entry(move, entry.nodes, tuple(sorted(back[reply] for reply in entry.replies)))

    def add(self, cells: bytes, entry: Entry) -> None:
        """Keep an entry, and write it to the file if there is one. What is known already stays."""
        key, number = self.symmetries.canonical(cells)
        if key in self.entries:
            return
        to = self.symmetries.to[number]
        move = None if entry.move is None else to[entry.move]
        self.entries[key] = Entry(move, entry.nodes, tuple(sorted(to[reply] for reply in entry.replies)))
        if self._file is not None:
            self._file.write(self.line(key) + "\n")
            self._file.flush()

    def cell(self, index: int) -> Cell:
        """The cell that stands at an index of a position's bytes."""
        return Cell(index // self.cols, index % self.cols)

    def board(self, cells: bytes) -> Board:
        """A position with the attacker to move, without the moves that led there."""
        black, white = ([self.cell(index) for index, stone in enumerate(cells) if stone == colour] for colour in (1, 2))
        return Board(self.rows, self.cols, black=black, white=white, turn=self.attacker, rule=self.rule)

    def fits(self, board: Board) -> bool:
        """Whether a position is one of such boards and rules."""
        return (board.rows, board.cols, board.rule) == (self.rows, self.cols, self.rule)

    # ------------------------------------------------------------------ text

    @property
    def head(self) -> str:
        """The first line of the text."""
        return f"gomoku book 1 {self.cols}x{self.rows} {self.rule} {self.attacker}"

    def lines(self) -> Iterator[str]:
        """The text of the book, line by line."""
        yield self.head
        yield from map(self.line, self.entries)

    def line(self, key: bytes) -> str:
        """An entry as text."""
        entry = self.entries[key]
        move = "-" if entry.move is None else self.name(entry.move)
        replies = "".join(map(self.name, entry.replies))
        return f"{self.text(key)} {move} {entry.nodes}" + (f" {replies}" if replies else "")

    def text(self, cells: bytes) -> str:
        """A position as text: black stones, a stroke, white stones."""
        stones = ["".join(self.name(cell) for cell, stone in enumerate(cells) if stone == colour) for colour in (1, 2)]
        return "/".join(stones)

    def cells(self, text: str) -> bytes:
        """The position in a text."""
        black, stroke, white = text.partition("/")
        cells = bytearray(self.rows * self.cols)
        for colour, names in ((BLACK, black), (WHITE, white)):
            for cell in self.cells_of(names) if names else ():
                if cells[cell]:
                    stroke = ""
                cells[cell] = colour
        if not stroke:
            raise BookError(f"{shown(text)} is no position: stones are written black/white, each on a cell of its own")
        return bytes(cells)

    def read_line(self, line: str) -> None:
        """Add the entry of a line."""
        parts = line.split(" ")
        if len(parts) not in (3, 4) or not _NODES.fullmatch(parts[2]):
            raise BookError(f"expected 'stones/stones move nodes replies', found {shown(line)}")
        cells = self.cells(parts[0])
        moves = [] if parts[1] == "-" else self.cells_of(parts[1])
        if len(moves) > 1:
            raise BookError(f"expected one move, found {shown(parts[1])}")
        move = moves[0] if moves else None
        if move is None and not int(parts[2]):
            raise BookError(f"{shown(line)} has neither a move nor a search: give it a number of nodes")
        replies = tuple(self.cells_of(parts[3])) if len(parts) == 4 else ()
        if any(cells[cell] for cell in (*replies, *moves)) or len({*replies, *moves}) < len(replies) + len(moves):
            raise BookError(f"a move of {shown(line)} is on a cell that is taken")
        self.add(cells, Entry(move, int(parts[2]), replies))

    def name(self, cell: int) -> str:
        """What a cell is called."""
        return f"{chr(97 + cell % self.cols)}{self.rows - cell // self.cols}"

    def cells_of(self, names: str) -> list[int]:
        """The cells whose names are written one after the other."""
        cells = []
        for name in _CELL.findall(names):
            row, col = self.rows - int(name[1:]), ord(name[0]) - 97
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                raise BookError(f"{name} is no cell of a board of {self.rows}x{self.cols}")
            cells.append(row * self.cols + col)
        if not names or "".join(map(self.name, cells)) != names:
            raise BookError(f"expected names of cells, found {shown(names)}")
        return cells

    # ------------------------------------------------------------------ files

    @classmethod
    def of_head(cls, line: str) -> Book:
        """The empty book that begins with this line."""
        head = _HEAD.fullmatch(line)
        if head is None:
            raise BookError(f"expected a book to begin with 'gomoku book 1', found {shown(line)}")
        try:
            return cls(Board(int(head[2]), int(head[1]), rule=Rule.parse(head[3])), parse_colour(head[4]))
        except ValueError as error:
            raise BookError(f"the head {shown(line)} is of no book: {error}") from None

    @classmethod
    def load(cls, path: str | Path) -> Book:
        """The book in a file; a last line that was cut off does not count."""
        text = _text_of(path)
        lines = text.split("\n")[:-1]
        try:
            book = cls.of_head(lines[0] if lines else text[:40])
        except BookError as error:
            raise BookError(f"{path}: {error}") from None
        for number, line in enumerate(lines[1:], 2):
            try:
                book.read_line(line)
            except BookError as error:
                raise BookError(f"{path}, line {number}: {error}") from None
        return book

    @classmethod
    def great(cls) -> Book:
        """What is proven so far of freestyle on 15x15: see ``docs/explanation/whole-game.md``."""
        return cls.load(Path(__file__).parent / "data" / "great.book")

    @classmethod
    def open(cls, path: str | Path, board: Board, attacker: Colour = BLACK) -> Book:
        """The book in a file that goes on growing there; the file is made if there is none."""
        path = Path(path)
        check_writable(path)
        if path.exists() and path.stat().st_size:
            book = cls.load(path)
            if book.head != cls(board, attacker).head:
                wanted = cls(board, attacker).head
                raise BookError(f"{path} is a book of something else: its head is {book.head!r}, not {wanted!r}")
            _drop_cut_line(path)
        else:
            book = cls(board, attacker)
            write_file(path, book.head + "\n")
        try:
            book._file = path.open("a", encoding="ascii")
        except OSError as error:
            raise BookError(f"{path}: cannot be written: {str(error.strerror).lower()}") from None
        return book

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None


@cache
def great() -> Book:
    """The book that is shipped, read once; nobody adds to it."""
    return Book.great()


def book_of(file: str | Path) -> Book:
    """The book in a file, or the one that is shipped (``great``)."""
    return great() if file == GREAT else Book.load(file)


def _text_of(path: str | Path) -> str:
    try:
        return read_file(path, MAX_BYTES).decode("ascii")
    except OSError as error:
        raise BookError(f"{path}: cannot be read: {str(error.strerror).lower()}") from None
    except UnicodeDecodeError as error:
        raise BookError(f"{path}: expected ASCII, found byte 0x{error.object[error.start]:02x}") from None
    except GomokuError:
        raise BookError(f"{path}: larger than {MAX_BYTES:,} bytes, which no book is") from None
    except ValueError as error:  # a NUL byte in the name
        raise BookError(f"{shown(str(path))}: cannot be read: {error}") from None


def _drop_cut_line(path: Path) -> None:
    whole = path.read_bytes().rfind(b"\n") + 1
    if whole < path.stat().st_size:
        os.truncate(path, whole)
