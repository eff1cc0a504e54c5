"""Holds: trees that show that one side, the holder, keeps the other from making five, so that he loses no game.

Where both sides hold a position, it is a draw. A hold is a file of the form that ``docs/reference/proof-format.md``
specifies: an answer to each move of the opponent, and at the leaves *pairings*: pairs of empty cells, so that every row
of five in which the holder has no stone contains a pair. The holder answers a stone on one cell of a pair by a stone on
the other.

:func:`find_hold` finds them, :func:`verify_hold` judges them, by this module or by :file:`hold_verifier.c`.

>>> from gomoku_patterns import Board
>>> hold = find_hold(Board(5), "white").hold
>>> print(verify_hold(hold))
accepted after 0 replies
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from os import urandom
from pathlib import Path

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour, parse_colour
from gomoku_patterns.errors import GomokuError, ProofError
from gomoku_patterns.files import write_file
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control, Stopped
from search._hold_verifier import judge_hold
from search._holding import NO_MEMORY, STOPPED, HoldSearch
from search.result import Limit, Progress
from search.verifier import MOST_KEPT, MOST_NATIVE_WORK, MOST_WORK, Verdict, described

MAGIC, END, VERSION = b"GMKHOLDS", b"SDLOHKMG", 1
RULES = {Rule.FREESTYLE: 0, Rule.STANDARD: 1}
MOST_CELLS = 128
PAIRS, REPLIES, MOVE, FIVE = range(4)
SLICE = 500_000
"""Steps of the search between two looks at the clock: a tenth of a second or so."""
MEMORY = 2 << 30
"""The most bytes that the tables of a search take unless the caller says otherwise."""
USUAL = Limit(seconds=60)
"""The limit of a search unless the caller says otherwise."""


@dataclass(frozen=True)
class Hold:
    """A hold that was found: the file, and how many nodes of each kind it has."""

    holder: Colour
    data: bytes
    pairings: int
    replies: int
    moves: int
    seconds: float
    """Of processor time, to find it."""

    def save(self, path: str | Path) -> None:
        """Write the file."""
        write_file(path, self.data)


@dataclass(frozen=True)
class HoldResult:
    """What a search for a hold has found: a hold, or None and why the search ended.

    ``stopped_by`` is "complete" if the search has a hold or has tried all that it tries, otherwise what stopped it:
    "depth", "nodes", "seconds", "cancelled" or "memory". No hold proves nothing: of the moves those are tried that seem
    to stop most, and not all pairings are.
    """

    hold: Hold | None
    stopped_by: str
    positions: int
    elapsed: float


def find_hold(
    board: Board,
    holder: Colour | str,
    limit: Limit = USUAL,
    *,
    cancel: Cancel | None = None,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> HoldResult:
    """Search for a hold of the side ``holder``; one that is found has been verified by the native verifier.

    Of the limit, ``depth`` is how often the opponent moves before a pairing, and ``nodes`` are positions. ``memory`` is
    how many bytes the tables may take.
    """
    _check_board(board)
    holder, began = parse_colour(holder), time.process_time()
    control = Control(limit, cancel, progress)
    try:
        search = HoldSearch(board.rows, board.cols, int(holder), memory)
        found, stopped_by = _search(search, board, holder, control)
        written = search.body(found) if found >= 0 else None
    except MemoryError:
        return HoldResult(None, "memory", control.nodes, control.elapsed)
    hold = None
    if written is not None:
        body, root, (pairings, replies, moves) = written
        data = _written(board, holder, body, root)
        hold = Hold(holder, data, pairings, replies, moves, time.process_time() - began)
        if not (verdict := verify_hold(hold, board, native=True, thorough=False, most_work=2**62)):
            raise ProofError(f"a hold was found that does not hold, which is an error of the search: {verdict.reason}")
    return HoldResult(hold, stopped_by, search.positions, control.elapsed)


def _search(search: HoldSearch, board: Board, holder: Colour, control: Control) -> tuple[int, str]:
    """The root of what was found, or a negative number, and what ended the search."""
    cells = len(board.flat)
    for depth in range(min(cells, control.limit.depth or cells)):
        found, control.depth = STOPPED, depth
        while found == STOPPED:
            found = search.search(board.flat, board.turn is holder, depth, SLICE)
            control.nodes = search.positions
            if found >= 0:
                return found, "complete"
            if found == NO_MEMORY:
                return found, "memory"
            if control.limit.nodes is not None and control.nodes >= control.limit.nodes:
                return found, "nodes"
            try:
                control.check()
            except Stopped:
                return found, control.stopped_by or "cancelled"
    return found, "depth" if control.limit.depth is not None and control.limit.depth < cells else "complete"


def _check_board(board: Board) -> None:
    """Refuse a position of which there are no holds."""
    if board.rule not in RULES:
        raise ProofError(f"expected freestyle or standard rules, found {board.rule.value!r}")
    if len(board.flat) > MOST_CELLS:
        raise ProofError(f"expected a board of at most {MOST_CELLS} cells, found {board.rows}x{board.cols}")
    if rules.winner(board) or board.is_full():
        raise ProofError("expected a game that goes on, found one that is over")


def _written(board: Board, holder: Colour, body: bytes, root: int) -> bytes:
    flags = (board.turn is holder) | 2 * (holder is Colour.WHITE)
    head = MAGIC + bytes([VERSION, RULES[board.rule], flags, board.rows, board.cols]) + board.flat
    return head + body + (len(head) + root).to_bytes(8, "little") + END


# ---------------------------------------------------------------------- verifying


def is_hold(data: bytes) -> bool:
    """Whether these bytes begin like a hold."""
    return data[: len(MAGIC)] == MAGIC


def position_of_hold(data: bytes) -> tuple[Board, Colour]:
    """The position that a hold is about, and the holder."""
    if not is_hold(data) or len(data) < 13:
        raise ProofError("this is no hold in binary form")
    version, code, flags, rows, cols = data[8:13]
    if version != VERSION or flags > 3:
        raise ProofError("cannot read a hold of this version")
    rule = next((rule for rule, known in RULES.items() if known == code), None)
    if rule is None:
        raise ProofError("expected freestyle or standard")
    stones = data[13 : 13 + rows * cols]
    if not (5 <= rows <= 22 and 5 <= cols <= 22 and rows * cols <= MOST_CELLS) or len(stones) < rows * cols:
        raise ProofError(f"expected a board of at most {MOST_CELLS} cells, 5 to 22 a side")
    if max(stones) > 2:
        raise ProofError("the stones of the position have to be 0, 1 or 2 each")
    holder = Colour.WHITE if flags & 2 else Colour.BLACK
    placed = {
        colour: [Cell(*divmod(i, cols)) for i, stone in enumerate(stones) if stone == colour] for colour in (1, 2)
    }
    turn = holder if flags & 1 else holder.opponent
    return Board(rows, cols, rule=rule, black=placed[1], white=placed[2], turn=turn), holder


def verify_hold(
    hold: Hold | bytes,
    board: Board | None = None,
    *,
    most_work: int | None = None,
    thorough: bool = True,
    native: bool = False,
) -> Verdict:
    """Whether a hold is true, for ``board`` if given: every reply is put on the board.

    Not ``thorough``, a reply outside the zone of what answers a pass is taken to be answered by that; the specification
    argues why. The verdict is the same. ``native`` asks the verifier in C.
    """
    started, work, reason, accepted = time.perf_counter(), 0, "", False
    data = hold.data if isinstance(hold, Hold) else hold
    most = most_work if most_work is not None else MOST_NATIVE_WORK if native else MOST_WORK
    try:
        position, holder = position_of_hold(data)
        if board is not None and board != position:
            raise ProofError(f"expected a hold for this position, found one for another: {described(position)}")
        if native:
            accepted, work, reason = judge_hold(data, most, int.from_bytes(urandom(8)), thorough)
        else:
            _check_board(position)
            verifier = _Verifier(data, position, holder, most, thorough)
            try:
                accepted = verifier.holds()
            finally:
                work = verifier.work
    except MemoryError:
        reason = "gave up: there is not enough memory to verify this hold"
    except GomokuError as error:
        reason = str(error)
    return Verdict(accepted, work, reason, time.perf_counter() - started)


class _TooMuchError(ProofError):
    """Work or a file that ends the whole: no other answer is tried."""


class _Verifier:
    """Reads the file in place; sets of cells, also zones, are integers with a bit for each cell."""

    def __init__(self, data: bytes, board: Board, holder: Colour, most: int, thorough: bool) -> None:
        self.data, self.board, self.holder, self.most, self.thorough = data, board.copy(), holder, most, thorough
        self.cells = len(board.flat)
        self.first, self.end = 13 + self.cells, len(data) - 16
        self.rows = _rows_of_five(board.rows, board.cols)
        self.all = (1 << self.cells) - 1
        self.stones = {c: sum(1 << i for i, stone in enumerate(board.flat) if stone == c) for c in Colour}
        self.work = 0
        self.met: dict[tuple[int, int, int], int] = {}

    def holds(self) -> bool:
        """Whether the hold is true; :class:`ProofError` says why it is not."""
        if self.end < self.first or self.data[-8:] != END:
            raise ProofError("the hold is cut off: its end is missing")
        root = int.from_bytes(self.data[self.end : self.end + 8], "little")
        if not self.first <= root < self.end:
            raise ProofError("the file is not well formed")
        self._check_form(root)
        if self.board.turn is self.holder:
            self._with_move(root)
        else:
            self._after(root)
        return True

    # ------------------------------------------------------------------ the file

    def _check_form(self, root: int) -> None:
        """Read every node that the root leads to, from the root towards the first byte; nodes may not overlap."""
        todo, met, above = [-root], {root}, self.end
        while todo:
            node = -heappop(todo)
            below, end = self._read(node)
            if end > above:
                raise _TooMuchError("the file is not well formed")
            above = node
            for place in below:
                if place not in met:
                    met.add(place)
                    heappush(todo, -place)

    def _read(self, node: int) -> tuple[list[int], int]:
        """The nodes that a node leads to, and where it ends."""
        head, at = self._number(node)
        kind, count = head & 3, head >> 2
        if kind == PAIRS:
            if count > MOST_CELLS // 2:
                raise _TooMuchError("the file is not well formed")
            for _ in range(2 * count):
                at = self._cell(at)[1]
            return [], at
        if kind == REPLIES:
            other, named, at = self._replies(node, count, at)
            return [other, *named.values()], at
        if count >= self.cells:
            raise _TooMuchError("the file is not well formed")
        if kind == FIVE:
            return [], at
        then, at = self._below(node, at)
        return [then], at

    def _number(self, at: int) -> tuple[int, int]:
        value = 0
        for number in range(9):
            if at >= self.end:
                break
            byte = self.data[at]
            value |= (byte & 127) << 7 * number
            at += 1
            if byte < 128:
                return value, at
        raise _TooMuchError("the file is not well formed")

    def _cell(self, at: int) -> tuple[int, int]:
        cell, at = self._number(at)
        if cell >= self.cells:
            raise _TooMuchError("the file is not well formed")
        return cell, at

    def _below(self, node: int, at: int) -> tuple[int, int]:
        back, at = self._number(at)
        if not 0 < back <= node - self.first:
            raise _TooMuchError("the file is not well formed")
        return node - back, at

    # ------------------------------------------------------------------ the board

    def _empty(self) -> int:
        return self.all & ~(self.stones[Colour.BLACK] | self.stones[Colour.WHITE])

    def _place(self, cell: int) -> Cell:
        return Cell(*divmod(cell, self.board.cols))

    @contextmanager
    def _with_stone(self, cell: int, colour: Colour) -> Iterator[bool]:
        """A stone for the time being; whether it makes five."""
        self.work += 1
        if self.work > self.most:
            raise _TooMuchError(f"gave up: this hold takes more than {self.most:,} replies and moves to verify")
        turn, self.board.turn = self.board.turn, colour
        five = rules.makes_five(self.board, self._place(cell), colour)
        self.board.push(self._place(cell))
        self.stones[colour] |= 1 << cell
        try:
            yield five
        finally:
            self.stones[colour] &= ~(1 << cell)
            self.board.pop()
            self.board.turn = turn

    def _said(self, text: str, cell: int) -> str:
        moves = " ".join(self.board.name(move.cell) for move in self.board.moves)
        return (f"after {moves} " if moves else "") + text.format(self.board.name(self._place(cell)))

    # ------------------------------------------------------------------ what it means to hold

    def _with_move(self, node: int) -> int:
        """The holder is to move; the zone."""
        head, at = self._number(node)
        kind, cell = head & 3, head >> 2
        if kind not in (MOVE, FIVE):
            raise ProofError(self._said("expected a move of the holder", 0))
        if cell >= self.cells:
            raise _TooMuchError("the file is not well formed")
        then = self._below(node, at)[0] if kind == MOVE else 0
        if not self._empty() >> cell & 1:
            raise ProofError(self._said("the holder cannot play {}: the cell is occupied", cell))
        with self._with_stone(cell, self.holder) as five:
            if kind == MOVE:
                return self._after(then) | 1 << cell
        if not five:
            raise ProofError(self._said("{} makes no five", cell))
        return self.all

    def _after(self, node: int) -> int:
        """The opponent is to move; the zone."""
        head, at = self._number(node)
        if head & 3 not in (PAIRS, REPLIES):
            raise ProofError(self._said("expected pairs or replies", 0))
        if head & 3 == PAIRS:
            return self._paired(head >> 2, at)
        key = node, self.stones[Colour.BLACK], self.stones[Colour.WHITE]
        if key in self.met:
            return self.met[key]
        zone = self._answered(node, head >> 2, at)
        if len(self.met) < MOST_KEPT:
            self.met[key] = zone
        return zone

    def _paired(self, count: int, at: int) -> int:
        """No cell twice, and a pair in every row of five in which the holder has no stone."""
        if count > MOST_CELLS // 2:
            raise _TooMuchError("the file is not well formed")
        pairs, left = [], self._empty()
        for _ in range(count):
            pair = 0
            for _ in range(2):
                cell, at = self._cell(at)
                if not left >> cell & 1:
                    raise ProofError(self._said("{} is in no pair that is free", cell))
                left &= ~(1 << cell)
                pair |= 1 << cell
            pairs.append(pair)
        own = self.stones[self.holder]
        for row in self.rows:
            if not row & own and not any(row & pair == pair for pair in pairs):
                first = (row & -row).bit_length() - 1
                raise ProofError(self._said("no pair stops the row of five that begins at {}", first))
        return sum(pairs)

    def _answered(self, node: int, count: int, at: int) -> int:
        """Every reply is answered: by the node that names it, or by the one for all others."""
        other, named, _ = self._replies(node, count, at)
        replayed, zone = self._empty(), 0
        if not self.thorough:
            try:
                zone = self._with_move(other)
                replayed &= zone | sum(1 << reply for reply in named)
            except _TooMuchError:
                raise
            except ProofError:
                pass
        for reply in range(self.cells):
            if not replayed >> reply & 1:
                continue
            zone |= 1 << reply
            if rules.makes_five(self.board, self._place(reply), self.holder.opponent):
                raise ProofError(self._said("the reply {} makes five", reply))
            with self._with_stone(reply, self.holder.opponent):
                if self._empty():
                    zone |= self._with_move(named.get(reply, other))
        return zone

    def _replies(self, node: int, count: int, at: int) -> tuple[int, dict[int, int], int]:
        """The node for all other replies, those for the named ones, and where they end."""
        if count > self.cells:
            raise _TooMuchError("the file is not well formed")
        other, at = self._below(node, at)
        named: dict[int, int] = {}
        last = -1
        for _ in range(count):
            cell, at = self._cell(at)
            if cell <= last:
                raise _TooMuchError("the file is not well formed")
            last = cell
            named[cell], at = self._below(node, at)
        return other, named, at


@lru_cache(maxsize=8)
def _rows_of_five(rows: int, cols: int) -> list[int]:
    found = []
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 4 * down < rows and 0 <= col + 4 * right < cols:
                    found.append(sum(1 << (row + i * down) * cols + col + i * right for i in range(5)))
    return found
