"""From a book to the proof: everything that an entry rests on is searched again, the same way every time.

An entry says which quiet move wins, which replies lead to other entries, and how many nodes each other search may take.
The searches are those of :func:`search.quiet.answers`, on empty tables and in one order, so the same book makes
the same proof on every machine. The proof needs no belief in any of this: :func:`search.verify` judges it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control
from search._leaves import LeafSearch
from search._solver import Unsound
from search.book import Book, BookError, Entry, book_of
from search.parts import save_part
from search.proof import ELSEWHERE, Attack, Defence, Proof
from search.quiet import answers, bits, empties, put

MOST_SEARCHED = 2000
"""Entries whose searches are kept from one part to the next."""


class Covered(NamedTuple):
    """Which replies a search answers: the one it was made for (None: a pass), and those that lie outside its zone."""

    reply: int | None
    zone: int

    def __contains__(self, reply: object) -> bool:
        return reply == self.reply or (isinstance(reply, int) and not self.zone >> reply & 1)


class Found(NamedTuple):
    """What a search below an entry found."""

    tree: Attack
    covered: Covered


class PartUnit(NamedTuple):
    """One part of a proof to be written by any process: the book's file, the position, the folder, and its number."""

    book: str
    position: bytes
    folder: str
    number: int


class EntryUnit(NamedTuple):
    """One entry to be searched again by any process: the book's file and the canonical position."""

    book: str
    key: bytes


def search_again(unit: EntryUnit) -> str:
    """Search below an entry as its proof is made, and return its line; a BookError says that it does not hold."""
    expander = _expander(unit.book)
    if expander.book.entries[unit.key].nodes:
        expander.found(unit.key)
        expander.forget(unit.key)
    return expander.book.line(unit.key)


def write_part(unit: PartUnit) -> tuple[str, str]:
    """Make a part and write it; what the list of parts says of it."""
    return save_part(_expander(unit.book).part(unit.position), unit.folder, unit.number)


@lru_cache(maxsize=1)
def _expander(book: str) -> Expander:
    """The one of this process: what it has searched serves many parts."""
    return Expander(book_of(book))


class Expander:
    """Makes proofs from a book; what it has made is shared between them.

    ``tell`` is called with the number of entries that have been searched again.
    """

    def __init__(
        self,
        book: Book,
        *,
        memory: int = 256 << 20,
        tell: Callable[[int], object] | None = None,
        control: Control | None = None,
    ) -> None:
        board = Board(book.rows, book.cols, rule=book.rule)
        self.book = book
        self.tell = tell
        self._attacker, self._defender = int(book.attacker), int(book.attacker.opponent)
        self._leaves = LeafSearch(board, self._attacker, memory)
        if control is not None:
            self._leaves.use(control)
        self._attacks: dict[bytes, Attack] = {}
        self._searched: dict[bytes, list[Found]] = {}

    def proof(self, board: Board) -> Proof:
        """The proof for a position of the book, the attacker to move."""
        self._check(board)
        return Proof(board, self.attack(board.flat))

    def _check(self, board: Board) -> None:
        book = self.book
        if not book.fits(board):
            raise BookError(
                f"the book is for {book.rows}x{book.cols} boards under {book.rule}, not {board.rows}x{board.cols} "
                f"under {board.rule}"
            )
        if board.turn is not book.attacker:
            raise BookError(f"the book proves wins of {book.attacker}, and here {board.turn} is to move")

    def parts(self, board: Board) -> Iterator[Proof]:
        """The proof in parts (:mod:`search.parts`), made one after the other, so that memory holds about one of them.

        The trunk comes first. It answers each reply by a part, if all are in the book; so it does further down where
        nothing but entries of the book answers the replies. Where it has nothing to say it is the whole proof.
        """
        trunk, positions = self.trunk(board)
        yield trunk
        yield from map(self.part, positions)

    def trunk(self, board: Board) -> tuple[Proof, list[bytes]]:
        """The first part of the proof in parts, and the positions that it leaves to the others."""
        self._check(board)
        todo: dict[bytes, None] = {}
        trunk = self._trunk(board.flat, todo, whole=True)
        if trunk.move == ELSEWHERE:
            return self.proof(board), []
        return Proof(board, trunk), list(todo)

    def part(self, position: bytes) -> Proof:
        """The part for a position that the trunk leaves to it."""
        proof = Proof(self.book.board(position), self.attack(position))
        self._attacks.clear()
        if len(self._searched) > MOST_SEARCHED:
            self._searched.clear()
        return proof

    def _trunk(self, cells: bytes, todo: dict[bytes, None], *, whole: bool = False) -> Attack:
        """The attack on a position as far as it is in the trunk; what is left to parts goes to ``todo``."""
        entry = self._entry(cells)
        if entry.move is not None and (whole or not entry.nodes):
            after = put(cells, entry.move, self._attacker)
            below = {reply: put(after, reply, self._defender) for reply in bits(empties(after))}
            if below and all(self.book.find(position) is not None for position in below.values()):
                replies = {self.book.cell(reply): self._trunk(position, todo) for reply, position in below.items()}
                return Attack(self.book.cell(entry.move), Defence((), replies))
        todo[self.book.symmetries.canonical(cells)[0]] = None
        return Attack(ELSEWHERE)

    def attack(self, cells: bytes) -> Attack:
        """The tree of a position. Positions only grow, so those below are made first, without recursion."""
        todo = [cells]
        while todo:
            position = todo[-1]
            waiting = [] if position in self._attacks else [c for c in self.below(position) if c not in self._attacks]
            if waiting:
                todo += waiting
            else:
                todo.pop()
                if position not in self._attacks:
                    self._attacks[position] = self._make(position)
        return self._attacks[cells]

    def _entry(self, cells: bytes) -> Entry:
        entry = self.book.find(cells)
        if entry is None:
            raise BookError(f"{self.book.text(cells)} is not in the book")
        return entry

    def _replies(self, cells: bytes, entry: Entry) -> dict[int, bytes]:
        """The replies of an entry, and the positions after them; without a search below it all replies are named."""
        if entry.move is None:
            return {}
        after = put(cells, entry.move, self._attacker)
        replies = entry.replies if entry.nodes else bits(empties(after))
        return {reply: put(after, reply, self._defender) for reply in replies}

    def below(self, cells: bytes) -> list[bytes]:
        """The positions of the book that an entry rests on."""
        return list(self._replies(cells, self._entry(cells)).values())

    def needed(self, board: Board) -> list[bytes]:
        """Return the canonical positions that the proof of a position rests on, its own included, as the book has them.

        The book's order puts each position after those it rests on.
        """
        self._check(board)
        canonical = self.book.symmetries.canonical
        seen: set[bytes] = set()
        todo = [board.flat]
        while todo:
            key = canonical(todo.pop())[0]
            if key not in seen:
                seen.add(key)
                todo += self.below(key)
        return [key for key in self.book.entries if key in seen]

    def _make(self, cells: bytes) -> Attack:
        entry = self._entry(cells)
        searched = self.searched(cells) if entry.nodes else []
        if entry.move is None:
            return searched[0]
        replies = {self.book.cell(reply): self._attacks[below] for reply, below in self._replies(cells, entry).items()}
        return Attack(self.book.cell(entry.move), Defence((), replies, tuple(searched)))

    def searched(self, cells: bytes, control: Control | None = None) -> list[Attack]:
        """The trees of the searches below an entry, done where its canonical position lies and turned to this one."""
        key, number = self.book.symmetries.canonical(cells)
        return [self.turned(found.tree, number) for found in self.found(key, control)]

    def found(self, key: bytes, control: Control | None = None) -> list[Found]:
        """The searches below the entry of a canonical position."""
        if control is not None:
            self._leaves.use(control)
        if key not in self._searched:
            try:
                self._searched[key] = self._search_canonical(key, self.book.entries[key])
            except Unsound as error:
                raise BookError(f"{self.book.line(key)}: a search found {error}; please report this position") from None
            if self.tell is not None:
                self.tell(len(self._searched))
        return self._searched[key]

    def forget(self, key: bytes) -> None:
        """Give back the memory that the searches below an entry take."""
        self._searched.pop(key, None)

    def _search_canonical(self, key: bytes, entry: Entry) -> list[Found]:
        if entry.move is None:
            self._leaves.forget()
            if not self._leaves.attempt(key, entry.nodes):
                raise BookError(f"{self.book.line(key)}: one search does not show the win")
            return [Found(self._leaves.proof(), Covered(None, 0))]
        named = sum(1 << reply for reply in entry.replies)
        trees, open_ = [], 0
        for reply, is_found in answers(self._leaves, key, entry.move, entry.nodes, named):
            if is_found:
                zone = self._leaves.zone()
                trees.append(Found(self._leaves.proof(), Covered(reply, zone)))
                open_ &= zone
            elif reply is None:
                raise BookError(f"{self.book.line(key)}: no win by attacking moves after the quiet move and a pass")
            else:
                open_ |= 1 << reply
        if open_:
            names = " ".join(self.book.name(reply) for reply in bits(open_))
            raise BookError(f"{self.book.line(key)}: no search answers {names}")
        return trees

    def turned(self, tree: Attack, number: int) -> Attack:
        """The tree of a canonical position for the position that this symmetry leads there from."""
        if number == 0:
            return tree
        back = self.book.symmetries.back[number]
        turned: dict[int, Attack] = {}
        todo = [tree]
        while todo:
            attack = todo[-1]
            then = attack.then
            waiting = [child for child in then.replies.values() if id(child) not in turned] if then else []
            if waiting:
                todo += waiting
                continue
            todo.pop()
            if id(attack) in turned:
                continue
            defence = None
            if then is not None:
                replies = {self._moved(reply, back): turned[id(child)] for reply, child in then.replies.items()}
                defence = Defence(tuple(self._moved(cell, back) for cell in then.threat), replies)
            turned[id(attack)] = Attack(self._moved(attack.move, back), defence)
        return turned[id(tree)]

    def _moved(self, cell: Cell, back: list[int]) -> Cell:
        return self.book.cell(back[cell.row * self.book.cols + cell.col])
