"""Wins by quiet moves: a proof-number search above the solver.

At a position the attacker, to move, wins by attacking moves, which one search shows (``search._leaves.LeafSearch``),
or by a quiet move: one after which he would win so if the defender passed. That win, the *default*, has a zone: it wins
against all replies outside. Each reply inside is tried with a search of its own, whose zone leaves out others in turn.
What remains are the *hard* replies, and each of them is a position of its own, searched in the same way.

Candidates are ranked by how many hard replies they leave; few are kept, more are looked for when all have failed. A
move that wins against one reply is tried against the others as well. Positions are the same under the symmetries.

Zones are known for freestyle rules alone. Under standard and renju the zone is the whole board: every reply is tried.

Searches on shared tables find more, depending on what was asked before, than the same search finds by itself. So that
a win can be shown again, a proven position is *settled*: everything that it takes is searched once more on empty
tables (:func:`unanswered`), and only what this shows is written into the book.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Colour
from search._control import Control
from search._leaves import LeafSearch
from search.book import Book, Entry

INFINITE = 10**9
MOST_NODES = 1 << 62
LATER = (12, 50, 200)
"""Proof numbers of the candidates that have not been looked for yet: where all others are higher, more are."""


@dataclass(frozen=True)
class QuietOptions:
    """How wide the search looks and how long its searches are, in nodes."""

    first_nodes: int = 250
    """For a reply when a candidate is looked at first; twice as many for its default."""
    second_nodes: int = 3000
    """For a reply that is left, when a candidate is looked at again."""
    own_nodes: int = 20_000
    """For a win by attacking moves at a position."""
    settle_nodes: int = 20_000
    """For each search when a position is settled; eight times as many if that does not do."""
    defaults: int = 40
    """Moves whose default is looked for."""
    looked_at: int = 14
    """Candidates that are looked at, and"""
    again: int = 6
    """that are looked at again; of those that make a three,"""
    threes: int = 4
    kept: int = 6
    """Candidates in the end."""
    most_hard: int = 40
    """A candidate may leave so many hard replies at first."""
    most_stones: int = 16
    """Where the candidates look bad, more are looked for, with longer searches, on boards with fewer stones."""
    most_positions: int = 100_000
    """So many are kept in memory from one position to the next."""

    def wider(self, width: int) -> QuietOptions:
        """For a position that was given up: longer searches, and more of everything."""
        return replace(
            self,
            first_nodes=self.first_nodes << width,
            second_nodes=self.second_nodes << width,
            own_nodes=self.own_nodes << width,
            defaults=self.defaults * (1 + width),
            looked_at=self.looked_at * (1 + width),
            again=self.again * (1 + width),
            threes=self.threes * (1 + width),
            kept=self.kept * (1 + width),
            most_hard=self.most_hard * (1 + width),
            most_stones=self.most_stones + 4 * width,
        )


@dataclass(eq=False, slots=True)
class Candidate:
    """A quiet move, and the positions after its hard replies: reply, position, symmetry that leads there."""

    move: int
    children: list[tuple[int, Position, int]]
    three: bool

    def proof(self) -> int:
        number = sum(child.proof for _, child, _ in self.children)
        return min(INFINITE, number + 3 if number and self.three else number)

    def disproof(self) -> int:
        if any(child.proof >= INFINITE for _, child, _ in self.children):
            return 0
        return min((child.disproof for _, child, _ in self.children), default=INFINITE)


@dataclass(eq=False, slots=True)
class Position:
    """A canonical position, the attacker to move."""

    cells: bytes
    proof: int = 1
    disproof: int = 1
    expanded: bool = False
    width: int = 0
    candidates: list[Candidate] = field(default_factory=list)
    parents: list[tuple[Position, Candidate]] = field(default_factory=list)
    hints: set[int] = field(default_factory=set)
    move: int | None = None
    zone: int | None = None
    """Of the search that proved it, if one did."""
    unshown: bool = False
    """Whether a search on used tables proved it, and none on empty ones does: it has to be won by a quiet move."""

    @property
    def stones(self) -> int:
        return len(self.cells) - self.cells.count(0)


@dataclass
class Counts:
    """What was done."""

    expanded: int = 0
    searches: int = 0
    nodes: int = 0
    settled: int = 0
    unsettled: int = 0


def bits(mask: int) -> Iterator[int]:
    """The cells of a set."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def put(cells: bytes, cell: int, colour: int) -> bytes:
    """The position with one stone more."""
    return cells[:cell] + bytes([colour]) + cells[cell + 1 :]


def empties(cells: bytes) -> int:
    """The empty cells as a set."""
    return sum(1 << cell for cell, stone in enumerate(cells) if not stone)


class QuietSearch:
    """Searches for wins of one attacker on one board; what is learned serves the next position.

    >>> board = Board(9, black=["d5", "e5", "e6"], white=["d4", "f6"], turn="black")
    >>> search = QuietSearch(Book(Board(9)))
    >>> search.prove(board.flat, seconds=20).proof
    0
    """

    def __init__(self, book: Book, options: QuietOptions | None = None, *, memory: int = 256 << 20) -> None:
        board = Board(book.rows, book.cols, rule=book.rule)
        self.book = book
        self.options = options or QuietOptions()
        self.attacker, self.defender = int(book.attacker), int(Colour(book.attacker).opponent)
        self.leaves = LeafSearch(board, self.attacker, memory)
        self.settling = LeafSearch(board, self.attacker, memory)
        self.positions: dict[bytes, Position] = {}
        self.counts = Counts()
        self._given = MOST_NODES
        self._near = _neighbours(book.rows, book.cols, (2, 4))
        self._beside = _neighbours(book.rows, book.cols, (2, 2))

    # ------------------------------------------------------------------ searching

    def prove(
        self,
        cells: bytes,
        seconds: float = math.inf,
        *,
        nodes: int = MOST_NODES,
        hints: Iterable[int] = (),
        control: Control | None = None,
    ) -> Position:
        """Work on a position for so many seconds of processor time, or until it is proven or given up.

        All searches take so many nodes together at most, and end when ``control`` says so.
        """
        self.leaves.left = self._given = nodes
        if control is not None:
            self.leaves.use(control)
            self.settling.use(control)
        if len(self.positions) > self.options.most_positions:
            self.positions.clear()
        root, number = self._position(cells)
        for hint in hints:
            self._hint(root, self.book.symmetries.to[number][hint])
        ends = time.process_time() + seconds
        self._settle_root(root)
        while root.proof and root.proof < INFINITE and time.process_time() < ends and self.leaves.left:
            if control is not None and control.stopped_by is not None:
                break
            position = self._select(root)
            self._expand(position)
            self._pass_up(position)
            self._settle_root(root)
        return root

    def _settle_root(self, root: Position) -> None:
        if root.proof == 0 and root.cells not in self.book.entries:
            self.settling.left = self.leaves.left
            if not self._settle_leaf(root.cells):
                self._take_back(root)
            self.leaves.left = self.settling.left

    @property
    def left(self) -> int:
        """How many nodes were left when the last search ended."""
        return self.leaves.left

    @property
    def nodes(self) -> int:
        """How many nodes the last search took."""
        return self._given - self.leaves.left

    def _select(self, position: Position) -> Position:
        while position.expanded:
            candidate = min(position.candidates, key=Candidate.proof)
            open_ = [child for _, child, _ in candidate.children if child.proof]
            position = min(open_, key=lambda child: (child.disproof, -child.proof))
        return position

    def _position(self, cells: bytes) -> tuple[Position, int]:
        """The node of a position, made if need be, and the symmetry that leads to it."""
        key, number = self.book.symmetries.canonical(cells)
        position = self.positions.get(key)
        if position is None:
            position = self.positions[key] = Position(key)
        return position, number

    def _attempt(self, cells: bytes, nodes: int, hint: int = -1, taken: int = -1) -> bool:
        found = self.leaves.attempt(cells, nodes, hint, taken)
        self.counts.searches += 1
        self.counts.nodes += self.leaves.nodes
        return found is True

    # ------------------------------------------------------------------ expanding

    def _expand(self, position: Position) -> None:
        self.counts.expanded += 1
        position.expanded = True
        entry = self.book.entries.get(position.cells)
        if entry is not None:
            self._is_proven(position, entry.move)
        elif not position.unshown and self._attempt(position.cells, self.options.own_nodes << position.width):
            position.zone = self.leaves.zone()
            self._is_proven(position, None)
        else:
            self._add_candidates(position)
            self._update(position)

    def _is_proven(self, position: Position, move: int | None) -> None:
        position.proof, position.disproof, position.move = 0, INFINITE, move

    def _add_candidates(self, position: Position) -> None:
        options = self.options.wider(position.width)
        worths = self.leaves.worths(position.cells)
        moves = self._moves(position, worths)[: options.defaults]
        quiet: list[tuple[int, int, int, bool]] = []
        threes: list[tuple[int, int, int, bool]] = []
        most = options.most_hard
        for move in self._with_default(position, moves, worths, options)[: options.looked_at]:
            looked = self._look(position.cells, move, worths, most + 4, options)
            if looked is None:
                continue
            size, hard = looked
            (threes if size <= THREE and hard else quiet).append((hard.bit_count(), move, hard, size <= THREE))
            if not hard:
                break
            most = min(most, 2 * min((found[0] for found in quiet), default=most) + 2)
        best: list[tuple[int, int, int, bool]] = []
        most = options.most_hard
        for _, move, hard, three in sorted(quiet)[: options.again] + sorted(threes)[: options.threes]:
            left = self._look_again(position.cells, move, hard, worths, most=2 * most + 2, options=options)
            if left is None:
                continue
            best.append((left.bit_count(), move, left, three))
            if not left:
                break
            most = most if three else min(most, left.bit_count())
        for _, move, left, three in sorted(best)[: options.kept]:
            self._add_candidate(position, move, left, three)

    def _moves(self, position: Position, worths: list[int]) -> list[int]:
        """Moves near the stones that are no candidates yet, the promising first; the one that stops a five."""
        fives = self.leaves.fives(position.cells)
        if fives:
            legal = self.leaves.legal(position.cells, self.attacker)
            return [move for move in fives if legal >> move & 1] if len(fives) == 1 else []
        near = 0
        for cell, stone in enumerate(position.cells):
            if stone:
                near |= self._near[cell] if stone == self.attacker else self._beside[cell]
        near &= self.leaves.legal(position.cells, self.attacker)
        for candidate in position.candidates:
            near &= ~(1 << candidate.move)
        return sorted(bits(near), key=lambda move: (move not in position.hints, -worths[move]))

    def _with_default(
        self, position: Position, moves: list[int], worths: list[int], options: QuietOptions
    ) -> list[int]:
        """The moves after which the attacker wins if the defender passes, those first that leave few replies."""
        found = []
        for move in moves:
            after = put(position.cells, move, self.attacker)
            if not self.leaves.fives(after) and self._attempt(after, 2 * options.first_nodes):
                size = (self.leaves.zone() & self.leaves.legal(after, self.defender)).bit_count()
                found.append((move not in position.hints, size - 0.5 * worths[move], move))
        return [move for _, _, move in sorted(found)]

    def _look(
        self, cells: bytes, move: int, worths: list[int], most: int, options: QuietOptions
    ) -> tuple[int, int] | None:
        """How many replies the default leaves, and the hard ones among them; None for more than ``most``."""
        after = put(cells, move, self.attacker)
        if self.leaves.fives(after) or not self._attempt(after, 2 * options.first_nodes):
            return None
        first = self.leaves.first_move
        left = self.leaves.zone() & self.leaves.legal(after, self.defender)
        dangers = [worth + (30 if cell == first else 0) for cell, worth in enumerate(worths)]
        hard = self._hard(after, left, dangers, most=most, nodes=options.first_nodes, hint=first)
        return None if hard is None else (left.bit_count(), hard)

    def _look_again(
        self, cells: bytes, move: int, hard: int, worths: list[int], *, most: int, options: QuietOptions
    ) -> int | None:
        after = put(cells, move, self.attacker)
        if not self._attempt(after, 2 * options.second_nodes):
            return None
        return self._hard(after, hard, worths, most=most, nodes=options.second_nodes, hint=self.leaves.first_move)

    def _hard(self, after: bytes, left: int, dangers: list[int], *, most: int, nodes: int, hint: int) -> int | None:
        """The replies of a set that no search answers; None when they are more than ``most``."""
        hard = 0
        while left:
            reply = max(bits(left), key=dangers.__getitem__)
            left &= ~(1 << reply)
            if self._attempt(put(after, reply, self.defender), nodes, hint, reply):
                zone = self.leaves.zone()
                left, hard, hint = left & zone, hard & zone, self.leaves.first_move
            else:
                hard |= 1 << reply
                if hard.bit_count() > most:
                    return None
        return hard

    def _add_candidate(self, position: Position, move: int, hard: int, three: bool) -> Candidate:
        candidate = Candidate(move, [], three)
        for reply in bits(hard):
            self._add_reply(position, candidate, reply)
        position.candidates.append(candidate)
        return candidate

    def _add_reply(self, position: Position, candidate: Candidate, reply: int) -> None:
        after = put(put(position.cells, candidate.move, self.attacker), reply, self.defender)
        child, number = self._position(after)
        candidate.children.append((reply, child, number))
        child.parents.append((position, candidate))

    # ------------------------------------------------------------------ hints

    def _hint(self, position: Position, move: int) -> None:
        """A move that won in a like position: make it a candidate."""
        if move in position.hints or position.cells[move] or position.proof in (0, INFINITE):
            return
        position.hints.add(move)
        if not position.expanded or any(candidate.move == move for candidate in position.candidates):
            return
        if self.leaves.fives(position.cells) or not self.leaves.legal(position.cells, self.attacker) >> move & 1:
            return
        worths = self.leaves.worths(position.cells)
        options = self.options.wider(position.width)
        looked = self._look(position.cells, move, worths, 20, options)
        left = looked and self._look_again(position.cells, move, looked[1], worths, most=15, options=options)
        if looked is not None and left is not None:
            self._add_candidate(position, move, left, looked[0] <= THREE)
            if self._update(position):
                self._pass_up(position)

    # ------------------------------------------------------------------ numbers

    def _update(self, position: Position) -> bool:
        """Set a position's numbers from its candidates; whether they changed."""
        if position.proof == 0:
            return False
        before = position.proof, position.disproof
        position.proof = min((candidate.proof() for candidate in position.candidates), default=INFINITE)
        position.disproof = min(INFINITE, sum(candidate.disproof() for candidate in position.candidates))
        if position.proof == 0:
            self._settle(position)
        if position.proof and position.proof > self._later(position):
            position.proof, position.disproof = self._later(position), max(1, position.disproof)
            position.width += 1
            position.expanded = False
        elif position.proof >= INFINITE:
            position.disproof = 0
        return before != (position.proof, position.disproof)

    def _later(self, position: Position) -> int:
        """The proof number of the candidates that have not been looked for yet."""
        if position.width == len(LATER) or position.stones >= self.options.most_stones:
            return INFINITE
        return LATER[position.width]

    def _pass_up(self, position: Position) -> None:
        """Update all that hangs on a position."""
        todo = [position]
        while todo:
            child = todo.pop()
            for parent, candidate in list(child.parents):
                if parent.proof and child.proof == 0 and candidate in parent.candidates:
                    self._tell_brothers(candidate, child)
                if parent.expanded and parent.proof and self._update(parent):
                    todo.append(parent)

    def _tell_brothers(self, candidate: Candidate, proven: Position) -> None:
        """What answers one reply may answer others: as it stands, outside its zone, or by the same move."""
        symmetries = self.book.symmetries
        found = [number for _, child, number in candidate.children if child is proven]
        if not found:
            return
        if proven.zone is not None:
            zone = symmetries.mask_back(proven.zone, found[0])
            kept = [one for one in candidate.children if one[1].proof == 0 or zone >> one[0] & 1]
            candidate.children[:] = kept
        if proven.move is not None:
            move = symmetries.back[found[0]][proven.move]
            for _, child, number in list(candidate.children):
                if child.proof:
                    self._hint(child, symmetries.to[number][move])

    # ------------------------------------------------------------------ settling

    def _settle(self, position: Position) -> None:
        """Write a proven position into the book, or take back what cannot be shown on empty tables."""
        for candidate in list(position.candidates):
            if candidate.proof() == 0:
                self.settling.left = self.leaves.left
                self._settle_by(position, candidate)
                self.leaves.left = self.settling.left
                if position.proof == 0:
                    return
        position.proof = min((candidate.proof() for candidate in position.candidates), default=INFINITE)

    def _settle_by(self, position: Position, candidate: Candidate) -> None:
        hard = 0
        for reply, child, _ in candidate.children:
            if child.cells in self.book.entries:
                hard |= 1 << reply
        for nodes in (self.options.settle_nodes, 8 * self.options.settle_nodes):
            failing = unanswered(self.settling, position.cells, candidate.move, nodes, hard)
            while failing:
                failing = self._settle_leaves(position.cells, candidate.move, failing)
                hard |= self._in_book(position.cells, candidate.move, failing)
                if failing & ~hard:
                    failing &= ~hard
                    break
                # The searches share tables: without those for what is named now, others may find less.
                failing = unanswered(self.settling, position.cells, candidate.move, nodes, hard)
            if failing == 0:
                self.counts.settled += 1
                self.book.add(position.cells, Entry(candidate.move, nodes, tuple(bits(hard))))
                self._is_proven(position, candidate.move)
                return
        self.counts.unsettled += 1
        position.candidates.remove(candidate)
        if failing is not None:
            known = {reply for reply, _, _ in candidate.children}
            again = Candidate(candidate.move, list(candidate.children), candidate.three)
            for reply in bits(failing):
                if reply not in known:
                    self._add_reply(position, again, reply)
            if again.proof():
                position.candidates.append(again)
                for _, child, _ in again.children:
                    child.parents.append((position, again))

    def _in_book(self, cells: bytes, move: int, replies: int) -> int:
        """Those of the replies whose position is in the book."""
        after = put(cells, move, self.attacker)
        return sum(1 << r for r in bits(replies) if self.book.find(put(after, r, self.defender)) is not None)

    def _settle_leaves(self, cells: bytes, move: int, replies: int) -> int:
        """Give the replies an entry of their own where one longer search answers them; the replies themselves."""
        after = put(cells, move, self.attacker)
        for reply in bits(replies):
            there = put(after, reply, self.defender)
            child = self.positions.get(self.book.symmetries.canonical(there)[0])
            if child is None or child.proof or self.book.find(there) is not None or self._settle_leaf(there):
                continue
            self._take_back(child)
        return replies

    def _take_back(self, position: Position) -> None:
        """A win that cannot be shown is none."""
        position.proof, position.disproof, position.move, position.zone = 1, 1, None, None
        position.unshown, position.expanded = True, False

    def _settle_leaf(self, cells: bytes) -> bool:
        """Write the entry of a position that one search wins; whether it does, on empty tables."""
        key = self.book.symmetries.canonical(cells)[0]
        for factor in (1, 8, 64):
            self.settling.forget()
            if self.settling.attempt(key, factor * self.options.settle_nodes):
                self.book.add(key, Entry(None, factor * self.options.settle_nodes))
                return True
        return False


THREE = 14
"""A move whose default leaves no more replies makes a three or a four."""


def unanswered(leaves: LeafSearch, cells: bytes, move: int, nodes: int, replies: int) -> int | None:
    """The replies to a quiet move that no search of so many nodes answers, beside those in ``replies``.

    None when even the default is not found. Everything is done on empty tables and in one order, so that the answer is
    the same every time: :mod:`search.expand` goes the same way.
    """
    failing = 0
    for reply, found in answers(leaves, cells, move, nodes, replies):
        if not found:
            failing |= 1 << reply if reply is not None else 0
            if reply is None:
                return None
        elif reply is not None:
            failing &= leaves.zone()
    return failing


def answers(leaves: LeafSearch, cells: bytes, move: int, nodes: int, replies: int) -> Iterator[tuple[int | None, bool]]:
    """Search for the default (None) and then for an answer to one reply after another, as far as they are needed.

    After each the proof and its zone may be taken from ``leaves``. A reply on which no zone lies any more is left out.
    """
    attacker = leaves.attacker_stone
    leaves.forget()
    worths = leaves.worths(cells)
    after = put(cells, move, attacker)
    found = not leaves.fives(after) and leaves.attempt(after, nodes) is True
    if not found:
        yield None, False
        return
    zone, hint = leaves.zone(), leaves.first_move
    yield None, True
    left = zone & leaves.legal(after, 3 - attacker) & ~replies
    for reply in sorted(bits(left), key=lambda cell: (-worths[cell], cell)):
        if not left >> reply & 1:
            continue
        found = leaves.attempt(put(after, reply, 3 - attacker), nodes, hint, reply) is True
        if found:
            left &= leaves.zone()
            hint = leaves.first_move
        yield reply, found


@lru_cache(maxsize=8)
def _neighbours(rows: int, cols: int, reach: tuple[int, int]) -> list[int]:
    return [_near(cell, rows, cols, reach) for cell in range(rows * cols)]


def _near(cell: int, rows: int, cols: int, reach: tuple[int, int]) -> int:
    """The cells around one: all as far as the first number, along the lines as far as the second."""
    row, col = divmod(cell, cols)
    mask = 0
    for other_row in range(rows):
        for other_col in range(cols):
            down, right = abs(other_row - row), abs(other_col - col)
            on_line = down in (0, right) or right == 0
            if 0 < max(down, right) <= (reach[1] if on_line else reach[0]):
                mask |= 1 << (other_row * cols + other_col)
    return mask
