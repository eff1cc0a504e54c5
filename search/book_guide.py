"""Playing what a book has proven.

A position of the book has its move there. After a reply that is not in the book some search below the entry wins; the
same search, made again, is followed from then on. Before the book is reached, the guide makes for it: it plays the move
after which most replies lead into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control
from search._leaves import LeafSearch
from search.book import Book, BookError, book_of
from search.expand import Expander
from search.follow import replies_along
from search.proof import Attack, Defence, Proof
from search.quiet import put
from search.result import Limit, SearchResult

MEMORY = 64 << 20
FIRST_NODES = 20_000
"""For the first search after a reply; what the entry says is tried then."""
FEW_STONES = 4
"""Boards with fewer stones may not be in the book yet."""
SHARE = 0.75
"""Of a limit, for finding again what the book has proven."""
LEAST_REPLIES = 20
"""A move is made for the book's sake if at least so many replies to it are in there."""


class BookGuide:
    """Says what wins, for the attacker of a book, in one game after another."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._board = Board(book.rows, book.cols, rule=book.rule)
        self._leaves: LeafSearch | None = None
        self._expander: Expander | None = None
        self._proof: Proof | None = None
        self._after_opening = {
            key: entry for key, entry in book.entries.items() if len(key) - key.count(0) <= FEW_STONES
        }

    def new_game(self) -> None:
        """Forget which proof was followed."""
        self._proof = None

    def winning_move(self, board: Board, control: Control | None = None) -> Cell | None:
        """A move that is proven to win; None where the book does not say, or the control ends the search for it."""
        if not self._is_for(board):
            return None
        control = control or Control(Limit(nodes=1 << 62))
        entry = self.book.find(board.flat)
        if entry is not None and entry.move is not None:
            self._proof = None
            return self.book.cell(entry.move)
        if (planned := self._planned(board)) is not None:
            return planned
        parents = list(self.parents(board))
        if entry is None and not parents:
            return None
        found = self._searched(board, entry.nodes if entry else FIRST_NODES, control)
        return found or self._expanded(board, parents, control)

    def leading_move(self, board: Board) -> Cell | None:
        """A move, not itself proven, after which most replies are won by the book; None if there is none."""
        if not self._is_for(board):
            return None
        stones = len(board.flat) - board.flat.count(0)
        if stones == 0:
            return Cell(board.rows // 2, board.cols // 2)
        met = Counter(self._moves_into(board.flat, stones + 2))
        best, replies = max(met.items(), key=lambda one: (one[1], -one[0]), default=(0, 0))
        return self.book.cell(best) if replies >= LEAST_REPLIES else None

    def _is_for(self, board: Board) -> bool:
        return self.book.fits(board) and board.turn is self.book.attacker and len(self.book) > 0

    def _moves_into(self, cells: bytes, stones: int) -> Iterator[int]:
        """The attacker's moves that lead into positions with so many stones, once for each reply."""
        attacker = int(self.book.attacker)
        found: set[tuple[int, int]] = set()
        for key in self._after_opening:
            if len(key) - key.count(0) != stones:
                continue
            there = [(cell, stone) for cell, stone in enumerate(key) if stone]
            for back in self.book.symmetries.back:
                image = {back[cell]: stone for cell, stone in there}
                new = {cell: stone for cell, stone in image.items() if cells[cell] != stone}
                own = [cell for cell, stone in new.items() if stone == attacker]
                if len(new) == 2 and len(own) == 1:
                    found.add((own[0], next(cell for cell in new if cell != own[0])))
        return iter([move for move, _ in found])

    def _planned(self, board: Board) -> Cell | None:
        """What the proof that is being followed plays now."""
        if self._proof is None:
            return None
        replies = replies_along(self._proof, board)
        return None if replies is None else self._proof.answer(*replies)

    def parents(self, board: Board) -> Iterator[bytes]:
        """The positions of the book that this one may have come from, by the book's move and a reply."""
        cells = board.flat
        own = [cell for cell, stone in enumerate(cells) if stone == self.book.attacker]
        others = [cell for cell, stone in enumerate(cells) if stone == self.book.attacker.opponent]
        for move in own:
            for reply in others:
                before = put(put(cells, move, 0), reply, 0)
                entry = self.book.find(before)
                if entry is not None and entry.move == move and entry.nodes:
                    yield before

    def _searched(self, board: Board, nodes: int, control: Control) -> Cell | None:
        """The first move of a win by attacking moves, which is followed from then on."""
        if self._leaves is None:
            self._leaves = LeafSearch(self._board, int(self.book.attacker), MEMORY)
        key, number = self.book.symmetries.canonical(board.flat)
        self._leaves.forget()
        self._leaves.use(control)
        if not self._leaves.attempt(key, nodes):
            return None
        self._follow(board, self.expander.turned(self._leaves.proof(), number))
        assert self._proof is not None
        return self._proof.tree.move

    def _expanded(self, board: Board, parents: list[bytes], control: Control) -> Cell | None:
        """What the searches below an entry that led here play, made again as the book says."""
        for before in parents:
            entry = self.book.find(before)
            assert entry is not None and entry.move is not None
            try:
                trees = self.expander.searched(before, control)
            except BookError:
                continue
            move, reply = self.book.cell(entry.move), self._reply(board.flat, before, entry.move)
            self._follow(self.book.board(before), Attack(move, Defence((), {}, tuple(trees))))
            assert self._proof is not None
            return self._proof.answer(reply)
        return None

    @property
    def expander(self) -> Expander:
        if self._expander is None:
            self._expander = Expander(self.book, memory=MEMORY)
        return self._expander

    def _follow(self, position: Board, tree: Attack) -> None:
        self._proof = Proof(position, tree)

    def _reply(self, cells: bytes, before: bytes, move: int) -> Cell:
        return self.book.cell(next(c for c, stone in enumerate(cells) if stone and not before[c] and c != move))


def guide_of(file: str) -> BookGuide:
    """The guide of the book in a file, or of the one that is shipped (``great``)."""
    return BookGuide(book_of(file))


def proven_move(guide: BookGuide, board: Board, control: Control) -> SearchResult | None:
    """The move that the book has proven to win; None where it says nothing, or the time is over."""
    limit = control.left(SHARE)
    move = guide.winning_move(board, control.part(limit)) if limit else None
    return move and SearchResult(move, nodes=control.nodes, pv=(move,), stats={"proven": True, "book": True})
