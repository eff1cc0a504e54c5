"""Walking a book: what it says of a game as it stands, for somebody who tries to hold against it.

Nothing is kept from one question to the next but what makes the next answer quicker, so that any process can answer
any of them. A game says enough: the last of its positions that is in the book, and which search below that entry
answers the reply that was played there.

>>> from gomoku_patterns import Board
>>> from search.book import great
>>> board = Board()
>>> for move in ("h8", "h9", "i9", "k10"):
...     board.push(move)
>>> standing = BookWalk(great()).standing(board)
>>> standing.status, board.name(standing.move)
('proven', 'g7')
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Literal, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control, Stopped
from search.book import Book, BookError, Entry
from search.book_guide import LEAST_REPLIES, BookGuide
from search.expand import Covered, Found
from search.follow import planned_move, replies_along
from search.proof import Proof
from search.quiet import bits, empties, put
from search.result import Limit

KEPT = 8
"""Entries whose searches are kept for the next question."""

Tell = Callable[[int, int], object]
Word = Literal["proven", "partly", "near", "outside"]


class Answered(NamedTuple):
    """What comes of a reply: the attacker's move, and how many plies the game lasts at most, the reply included.

    Either is None where it has not been counted.
    """

    move: Cell | None
    plies: int | None


@dataclass(frozen=True)
class Standing:
    """What a book says of a position.

    ``proven``: the attacker wins, however the defender plays. ``partly``: the defender is to move and loses with the
    ``replies``, while the ``open`` ones are not decided. ``near``: nothing is proven, but the attacker's ``move``, or
    one of the replies ``leads``, goes towards positions that are. ``outside``: the book says nothing.
    """

    status: Word
    move: Cell | None = None
    """The attacker's move, when it is his turn."""
    plies: int | None = None
    """How many more plies the game lasts at most; None where that is not known or was not counted."""
    replies: dict[Cell, Answered] = field(default_factory=dict)
    open: tuple[Cell, ...] = ()
    leads: tuple[Cell, ...] = ()
    root: Board | None = None
    """The position of the book whose proof the game follows."""
    stopped_by: str = "complete"


class _Search(NamedTuple):
    """What is remembered of a search: its first move, and its longest line in plies."""

    covered: Covered
    move: int
    length: int


class _Place(NamedTuple):
    """Where a game is: at an entry or after its move, or in the proof of a search below it after these replies."""

    before: bytes
    entry: Entry
    proof: Proof | None = None
    replies: tuple[Cell, ...] = ()


class BookWalk:
    """Says of games what a book knows of them, one at a time."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._guide = BookGuide(book)
        self._expander = self._guide.expander
        self._searches: dict[bytes, list[_Search]] = {}
        self._plies: dict[bytes, int] = {}
        self._kept: OrderedDict[bytes, None] = OrderedDict()
        self._at_work = Lock()
        self._control = Control(Limit(nodes=1))
        self._tell: Tell | None = None
        self._attacker, self._defender = int(book.attacker), int(book.attacker.opponent)

    def standing(
        self, board: Board, *, count: bool = False, control: Control | None = None, tell: Tell | None = None
    ) -> Standing:
        """What the book says of a game; with ``count`` also how long it lasts and what answers each reply.

        Counting makes all searches again on which the position rests, once, and calls ``tell`` with how many entries
        are done and how many there are. A control that ends it leaves the rest of the answer as it is, and the next
        counting goes on from there.
        """
        with self._at_work:
            return self._standing(board, count, control or Control(Limit(nodes=1 << 62)), tell)

    def _standing(self, board: Board, count: bool, control: Control, tell: Tell | None) -> Standing:
        self._control, self._tell = control, tell
        if not self.book.fits(board) or rules.winner(board):
            return Standing("outside")
        standing = Standing("outside")
        try:
            place = self._place(board)
            if place is None:
                return self._around(board)
            standing = self._known(place, board)
            return self._counted(standing, place, board) if count else standing
        except Stopped:
            return replace(standing, stopped_by=control.stopped_by or "complete")

    # ------------------------------------------------------------------ where a game is

    def _place(self, board: Board) -> _Place | None:
        """Where the last position of the book leads by the moves since; of a position alone, the one before it."""
        earlier, later = board.copy(), list[Cell]()
        while not (earlier.turn is self.book.attacker and self.book.find(earlier.flat)):
            if not earlier.moves:
                return self._transposed(board)
            later.insert(0, earlier.pop())
        return self._followed(earlier.flat, later, board) or self._transposed(board)

    def _transposed(self, board: Board) -> _Place | None:
        """The same where moves were played in another order, or the game is not known."""
        if board.turn is self.book.attacker:
            found = (
                self._followed(before, self._since(before, board.flat), board) for before in self._guide.parents(board)
            )
            return next(filter(None, found), None)
        for own in self._cells(board.flat, self._attacker):
            before = put(board.flat, own, 0)
            entry = self.book.find(before)
            if entry is not None and entry.move == own:
                return _Place(before, entry)
        return None

    def _since(self, before: bytes, cells: bytes) -> list[Cell]:
        """The move of the attacker and the reply that were played since."""
        new = [cell for cell, stone in enumerate(cells) if stone and not before[cell]]
        return [self.book.cell(cell) for cell in sorted(new, key=lambda cell: cells[cell] != self._attacker)]

    def _followed(self, before: bytes, later: list[Cell], board: Board) -> _Place | None:
        """Where the moves since a position of the book lead, if they are those of its proof."""
        entry = self.book.find(before)
        assert entry is not None
        played = [self._index(cell) for cell in later]
        if not played or (len(played) == 1 and played[0] == entry.move):
            return _Place(before, entry)
        if entry.move is None:
            return self._along(before, entry, before, self._found(before)[0], board)
        if played[0] != entry.move or not entry.nodes or played[1] in entry.replies:
            return None
        after = put(put(before, entry.move, self._attacker), played[1], self._defender)
        image = self.book.symmetries.to[self._canonical(before)[1]]
        answering = (found for found in self._found(before) if image[played[1]] in found.covered)
        found = next(answering, None)
        return None if found is None else self._along(before, entry, after, found, board)

    def _along(self, before: bytes, entry: Entry, start: bytes, found: Found, board: Board) -> _Place | None:
        """Where the game is in the proof of a search, which begins with a position."""
        proof = Proof(self.book.board(start), self._expander.turned(found.tree, self._canonical(before)[1]))
        replies = replies_along(proof, board)
        return None if replies is None else _Place(before, entry, proof, replies)

    # ------------------------------------------------------------------ what is said there

    def _around(self, board: Board) -> Standing:
        """What the book says of a position that is not proven itself."""
        if board.turn is self.book.attacker:
            move = self._guide.leading_move(board)
            return Standing("near", move=move) if move else Standing("outside")
        after = {reply: put(board.flat, reply, self._defender) for reply in bits(empties(board.flat))}
        entries = {self.book.cell(reply): self.book.find(cells) for reply, cells in after.items()}
        lost = {
            reply: Answered(None if entry.move is None else self.book.cell(entry.move), None)
            for reply, entry in entries.items()
            if entry is not None
        }
        undecided = tuple(reply for reply, entry in entries.items() if entry is None)
        if lost:
            return Standing("partly" if undecided else "proven", replies=lost, open=undecided)
        leads = tuple(
            self.book.cell(reply) for reply, cells in after.items() if self._canonical(cells)[0] in self._leading
        )
        return Standing("near" if leads else "outside", leads=leads)

    @cached_property
    def _leading(self) -> set[bytes]:
        """Canonical positions from which a move leads into the book against most replies."""
        met: Counter[bytes] = Counter()
        least = min(map(_stones, self.book.entries), default=0)
        for key in self.book.entries:
            if _stones(key) == least:
                met.update(set(self._two_before(key)))
        return {key for key, replies in met.items() if replies >= LEAST_REPLIES}

    def _two_before(self, key: bytes) -> Iterator[bytes]:
        for own in self._cells(key, self._attacker):
            for other in self._cells(key, self._defender):
                yield self._canonical(put(put(key, own, 0), other, 0))[0]

    def _known(self, place: _Place, board: Board) -> Standing:
        """What is known there without counting: in the proof of a search, everything."""
        before, entry, proof, replies = place
        attacks, root = board.turn is self.book.attacker, self.book.board(before)
        if proof is not None and attacks:
            planned = planned_move(proof, board)
            assert planned is not None
            return Standing("proven", move=planned[0], plies=planned[1].plies, root=root)
        if proof is not None:
            lasting, moves = proof.lengths(*replies), proof.answers(*replies)
            answered = {reply: Answered(moves[reply], plies) for reply, plies in lasting.items()}
            return Standing("proven", plies=max(lasting.values(), default=0), replies=answered, root=root)
        if not attacks:
            return Standing("proven", root=root)
        key, number = self._canonical(before)
        move = self._searched(key)[0].move if entry.move is None else None
        turned = entry.move if move is None else self.book.symmetries.back[number][move]
        return Standing("proven", move=None if turned is None else self.book.cell(turned), root=root)

    def _counted(self, standing: Standing, place: _Place, board: Board) -> Standing:
        """The same with figures."""
        if place.proof is not None:
            return standing
        key, number = self._canonical(place.before)
        plies = self._plies_of(key)
        if board.turn is self.book.attacker:
            return replace(standing, plies=plies)
        return replace(standing, plies=plies - 1, replies=dict(self._answers(place, key, number)))

    def _answers(self, place: _Place, key: bytes, number: int) -> Iterator[tuple[Cell, Answered]]:
        """What answers each reply to the move of an entry."""
        before, entry = place.before, place.entry
        assert entry.move is not None
        to, back = self.book.symmetries.to[number], self.book.symmetries.back[number]
        after, searched = put(before, entry.move, self._attacker), self._searched(key)
        for reply in bits(empties(after)):
            if reply in entry.replies or not entry.nodes:
                yield self.book.cell(reply), self._answer_below(put(after, reply, self._defender))
            else:
                one = next(one for one in searched if to[reply] in one.covered)
                yield self.book.cell(reply), Answered(self.book.cell(back[one.move]), 1 + one.length)

    def _answer_below(self, cells: bytes) -> Answered:
        """What the entry of a position plays, all of it being counted."""
        key, number = self._canonical(cells)
        move = self.book.entries[key].move
        first = self._searched(key)[0].move if move is None else move
        return Answered(self.book.cell(self.book.symmetries.back[number][first]), 1 + self._plies[key])

    # ------------------------------------------------------------------ counting

    def _plies_of(self, key: bytes) -> int:
        """How many plies the proof of an entry takes at most, after those of all entries below it."""
        order = self._order(key)
        unknown = [one for one in order if one not in self._plies]
        for done, one in enumerate(unknown, len(order) - len(unknown)):
            if self._tell is not None:
                self._tell(done, len(order))
            self._control.check()
            below = [self._plies[child] for child in self._below(one)]
            searched = [search.length for search in self._searched(one)]
            quiet = self.book.entries[one].move is not None
            self._plies[one] = max(below + searched) + (2 if quiet else 0)
        return self._plies[key]

    def _order(self, key: bytes) -> list[bytes]:
        """The entries below one, each after those below it, and itself last."""
        if key in self._plies:
            return [key]
        order: dict[bytes, None] = {}
        todo = [key]
        while todo:
            waiting = [one for one in self._below(todo[-1]) if one not in order]
            if waiting and todo[-1] not in order:
                todo += waiting
            else:
                order.setdefault(todo.pop())
        return list(order)

    def _below(self, key: bytes) -> list[bytes]:
        return [self._canonical(cells)[0] for cells in self._expander.below(key)]

    def _searched(self, key: bytes) -> list[_Search]:
        """What is remembered of the searches below an entry."""
        if key not in self._searches:
            board = self.book.board(key)
            found = self._found(key) if self.book.entries[key].nodes else []
            self._searches[key] = [
                _Search(covered, self._index(tree.move), Proof(board, tree).length) for tree, covered in found
            ]
        return self._searches[key]

    def _found(self, before: bytes) -> list[Found]:
        """The searches below the entry of a position, made again unless they were asked for lately."""
        key = self._canonical(before)[0]
        try:
            found = self._expander.found(key, self._control)
        except BookError:
            self._control.check()  # a search that was ended found nothing
            raise
        self._kept.pop(key, None)
        self._kept[key] = None
        if len(self._kept) > KEPT:
            self._expander.forget(self._kept.popitem(last=False)[0])
        return found

    # ------------------------------------------------------------------ cells and positions

    def _canonical(self, cells: bytes) -> tuple[bytes, int]:
        return self.book.symmetries.canonical(cells)

    def _cells(self, cells: bytes, colour: int) -> list[int]:
        return [cell for cell, stone in enumerate(cells) if stone == colour]

    def _index(self, cell: Cell) -> int:
        return cell.row * self.book.cols + cell.col


def _stones(cells: bytes) -> int:
    return len(cells) - cells.count(0)
