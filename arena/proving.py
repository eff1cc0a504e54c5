"""A win of the whole game, or of an opening, by many searches for quiet wins: see :mod:`search.quiet`.

An opening is a list of moves after which the defender is to move. Each of his replies is a position to prove. With few
stones on the board (fewer than ``SEARCHED``) it is proven by a move of the attacker after which each reply is proven
again, and several moves are tried, the one that seems to take the least time first; with more stones one search after
the other works on it. The searches are units for :func:`arena.work.run_units`: on this machine, on a Dask cluster, or
on any executor.

What is proven goes into a book (:mod:`search.book`), which only grows; how long each open position has been searched
goes into a log. Both survive being killed at any moment, and a run goes on where the last one stopped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arena.log import Log
from arena.pools import Workers
from arena.work import run_units
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.rules import Rule
from search.book import Book, Entry
from search.quiet import INFINITE, QuietOptions, QuietSearch, bits, empties, put

Json = dict[str, Any]
SEARCHED = 4
"""Positions with so many stones are searched; with fewer a move is chosen and all replies are proven."""
FIRST_SECONDS, MOST_SECONDS = 4.0, 60.0
"""Of processor time, for the first search of a position and for any: the next takes thrice as long as all before."""
AT_A_TIME = 20
"""Units of one choice before another may seem better."""
MOVES_TRIED = 8
"""Moves of the attacker that are tried where all replies have to be proven."""
QUICK, SLOW = 0.5, 3.0
"""What a reply that has not been searched yet is supposed to take, far from all stones and near them."""
WIDEST = 3
"""How often a position of which a search knows no way is searched again with more of everything."""
GIVEN_UP = 100_000.0
"""Seconds that a position is supposed to take of which the widest search knows no way."""


# ---------------------------------------------------------------------- one search, on any worker


@dataclass
class _Desk:
    """What a worker process keeps from one unit to the next."""

    search: QuietSearch
    read: int = 0
    """How much of the book's file has been read."""


_desks: dict[str, _Desk] = {}


def search_position(unit: Json) -> Json:
    """Search a position for so many seconds; what was proven on the way comes back as lines of a book."""
    desk = _desk(unit)
    book, began = desk.search.book, time.process_time()
    known, cells = set(book.entries), book.cells(unit["position"])
    hints = [hint for hint in unit["hints"] if not cells[hint]]
    position = desk.search.prove(cells, unit["seconds"], hints=hints)
    proven = book.find(cells) is not None
    return {
        "position": unit["position"],
        "proven": proven,
        "seconds": round(unit["spent"] + time.process_time() - began, 2),
        "proof": 0 if proven else max(1, min(position.proof, INFINITE)),
        "disproof": 0 if proven else position.disproof,
        "lines": [book.line(key) for key in book.entries if key not in known],
    }


def _desk(unit: Json) -> _Desk:
    """The desk for this board, with what the book's file has got since, if it can be read from here."""
    key = f"{unit['head']} {unit['options']}"
    if key not in _desks:
        _desks[key] = _Desk(QuietSearch(Book.of_head(unit["head"]), QuietOptions(**unit["options"])))
    desk = _desks[key]
    path = Path(unit["book"])
    if path.exists():
        with path.open("rb") as file:
            file.seek(desk.read)
            new = file.read()
        whole = new[: new.rfind(b"\n") + 1]
        for line in whole.decode("ascii").split("\n")[1 if desk.read == 0 else 0 : -1]:
            desk.search.book.read_line(line)
        desk.read += len(whole)
    return desk


# ---------------------------------------------------------------------- what is to be proven


@dataclass(eq=False)
class Goal:
    """A position with the attacker to move."""

    cells: bytes
    near: bool
    spent: float = 0.0
    proof: int = 1
    width: int = 0
    """How often it was given up."""
    proven: bool = False
    at_work: bool = False
    moves: list[Choice] | None = None
    choices: list[Choice] = field(default_factory=list)
    """Those that it is a reply to."""

    @property
    def given_up(self) -> bool:
        return self.width > WIDEST

    def left(self) -> float:
        """The seconds that it is supposed to take still."""
        if self.proven:
            return 0.0
        if self.moves is not None:
            return min((choice.left() for choice in self.moves), default=GIVEN_UP)
        if self.given_up:
            return GIVEN_UP
        return (SLOW if self.near else QUICK) if not self.spent else 6 * self.spent


@dataclass(eq=False)
class Choice:
    """A move of the attacker (None: the opening itself), the position after it, and those after each reply."""

    move: int | None
    cells: bytes
    goals: dict[int, Goal]

    def __post_init__(self) -> None:
        for goal in self.goals.values():
            goal.choices.append(self)

    def is_proven(self) -> bool:
        return all(goal.proven for goal in self.goals.values())

    def left(self) -> float:
        return sum(goal.left() for goal in self.goals.values())


@dataclass
class ProvingProgress:
    """How far a run is."""

    goals: int
    proven: int
    entries: int
    seconds: float
    left: float
    open: list[tuple[str, float, int]] = field(default_factory=list)
    """The open positions that have been searched longest: text, seconds, proof number."""


class Proving:
    """A run: which position to search next, and what the searches found."""

    def __init__(
        self,
        board: Board,
        book: Book,
        path: str | Path,
        log: Log,
        *,
        replies: str = "all",
        options: QuietOptions | None = None,
    ) -> None:
        if board.turn is book.attacker:
            raise ArenaError("it is the attacker's turn after these moves; leave out the last one, or add the next")
        if board.rule is Rule.RENJU and len(board.moves) < SEARCHED - 1:
            raise ArenaError("under renju, where white may pass, an opening has at least three moves")
        self.book, self.path, self.log = book, Path(path), log
        self.options = options or QuietOptions()
        self.attacker, self.defender = int(book.attacker), int(book.attacker.opponent)
        self.goals: dict[bytes, Goal] = {}
        self._ends = 0.0
        self._worths = QuietSearch(Book(board, book.attacker), memory=16 << 20).leaves.worths
        self._spent: dict[bytes, Json] = {self._key(entry["position"]): entry for entry in log.entries}
        self.seconds = sum(float(entry["took"]) for entry in log.entries)
        self.root = Choice(None, board.flat, self._replies(board.flat, adjacent=replies == "adjacent"))
        whole = board.moves and replies == "all" and board.rule is not Rule.RENJU  # where the pass remains
        self._last = board.moves[-1].cell if whole else None
        self._close_all()

    def _replies(self, cells: bytes, *, adjacent: bool = False) -> dict[int, Goal]:
        """The positions after each reply, one of those that are the same under the symmetries of the board."""
        near = self._around(cells, 1 if adjacent else 3)
        found: dict[int, Goal] = {}
        met = set()
        for reply in bits(empties(cells)):
            if adjacent and not near >> reply & 1:
                continue
            goal = self._goal(put(cells, reply, self.defender), bool(near >> reply & 1))
            if goal.cells not in met:
                met.add(goal.cells)
                found[reply] = goal
        return found

    def _goal(self, cells: bytes, near: bool) -> Goal:
        key = self.book.symmetries.canonical(cells)[0]
        if key not in self.goals:
            goal = self.goals[key] = Goal(key, near)
            before = self._spent.get(key)
            if before is not None:
                goal.spent, goal.proof, goal.width = before["seconds"], before["proof"], before.get("width", 0)
            goal.proven = key in self.book.entries
            if not goal.proven and len(key) - key.count(0) < SEARCHED:
                goal.moves = [self._choice(key, move) for move in self._moves(key)]
        return self.goals[key]

    def _moves(self, cells: bytes) -> list[int]:
        near = self._around(cells, 2)
        worths = self._worths(cells)
        moves, seen = [], set()
        for move in sorted(bits(near), key=lambda cell: -worths[cell]):
            image = self.book.symmetries.canonical(put(cells, move, self.attacker))[0]
            if image not in seen:
                seen.add(image)
                moves.append(move)
        return moves[:MOVES_TRIED]

    def _choice(self, cells: bytes, move: int) -> Choice:
        after = put(cells, move, self.attacker)
        return Choice(move, after, self._replies(after))

    def _around(self, cells: bytes, reach: int) -> int:
        mask, cols = 0, self.book.cols
        stones = [divmod(cell, cols) for cell, stone in enumerate(cells) if stone]
        for cell in bits(empties(cells)):
            row, col = divmod(cell, cols)
            if any(max(abs(row - r), abs(col - c)) <= reach for r, c in stones):
                mask |= 1 << cell
        return mask

    # ------------------------------------------------------------------ running

    def run(
        self, pool: Workers, seconds: float, tell: Callable[[ProvingProgress], object] | None = None
    ) -> ProvingProgress:
        """Search until all is proven, nothing is left to try, or the time is over."""
        self._ends = time.monotonic() + seconds
        while self._next(self.root) is not None and time.monotonic() < self._ends:
            for _, result in run_units(search_position, self._units(), pool, chunk=1):
                self._take(result)
                if tell is not None:
                    tell(self.progress())
        return self.progress()

    def _units(self) -> Iterator[Json]:
        choice, left = self.root, 0
        while time.monotonic() < self._ends:
            # To ask the whole tree takes a while, so some units in turn are of the same choice.
            found = self._next(choice) if left else None
            if found is None and (found := self._next(self.root)) is not None:
                left = AT_A_TIME
            if found is None:
                return
            choice, reply = found
            left -= 1
            goal = choice.goals[reply]
            goal.at_work = True
            yield {
                "head": self.book.head,
                "book": str(self.path),
                "position": self.book.text(put(choice.cells, reply, self.defender)),
                "seconds": self._seconds(goal),
                "spent": goal.spent,
                "hints": self._hints(choice),
                "options": asdict(self.options.wider(goal.width)),
            }

    def _next(self, choice: Choice) -> tuple[Choice, int] | None:
        """The position to search next: of the replies the one searched least, the dangerous ones first."""
        open_ = [(reply, goal) for reply, goal in choice.goals.items() if not goal.proven]
        for reply, goal in sorted(
            open_, key=lambda one: (one[1].left() if one[1].moves else one[1].spent, not one[1].near)
        ):
            if goal.moves is not None:
                for deeper in sorted(goal.moves, key=Choice.left):
                    found = self._next(deeper)
                    if found is not None:
                        return found
            elif not goal.at_work and not goal.given_up:
                return choice, reply
        return None

    def _seconds(self, goal: Goal) -> float:
        wanted = min(MOST_SECONDS, max(FIRST_SECONDS, 3 * goal.spent))
        return max(1.0, min(wanted, self._ends - time.monotonic()))

    def _hints(self, choice: Choice) -> list[int]:
        """The moves that won most often against other replies."""
        found: Counter[int] = Counter()
        for reply, goal in choice.goals.items():
            entry = self.book.find(put(choice.cells, reply, self.defender)) if goal.proven else None
            if entry is not None and entry.move is not None:
                found[entry.move] += 1
        return [move for move, _ in reversed(found.most_common(4))]

    def _take(self, result: Json) -> None:
        goal = self._goal_of(result["position"])
        assert goal is not None
        proven = []
        for line in result["lines"]:
            self.book.read_line(line)
            found = self._goal_of(line.split(" ")[0])
            if found is not None:
                found.proven = True
                proven.append(found)
        took = result["seconds"] - goal.spent
        self.seconds += took
        goal.at_work, goal.spent, goal.proof = False, result["seconds"], result["proof"]
        goal.width += goal.proof >= INFINITE
        kept = {name: result[name] for name in ("position", "proven", "seconds", "proof", "disproof")}
        self.log.append({**kept, "width": goal.width, "took": round(took, 2)})
        if any(choice.is_proven() for found in proven for choice in found.choices):
            self._close_all()

    def _goal_of(self, text: str) -> Goal | None:
        return self.goals.get(self._key(text))

    def _key(self, text: str) -> bytes:
        return self.book.symmetries.canonical(self.book.cells(text))[0]

    def _close_all(self) -> None:
        """Write what is won now; the opening's own last move as well, when every reply to it is proven."""
        if self._close(self.root) and self._last is not None:
            last = self._last.row * self.book.cols + self._last.col
            self.book.add(put(self.root.cells, last, 0), Entry(last, 0))

    def _close(self, choice: Choice) -> bool:
        """Write into the book what is proven by a move and all its replies; whether the choice is proven."""
        for goal in choice.goals.values():
            for deeper in goal.moves or ():
                if not goal.proven and self._close(deeper):
                    goal.proven = True
                    self.book.add(goal.cells, Entry(deeper.move, 0))
        return choice.is_proven()

    def progress(self) -> ProvingProgress:
        searched = [goal for goal in self.goals.values() if goal.moves is None]
        open_ = sorted((goal for goal in searched if goal.spent and not goal.proven), key=lambda goal: -goal.spent)
        return ProvingProgress(
            goals=len(self.root.goals),
            proven=sum(goal.proven for goal in self.root.goals.values()),
            entries=len(self.book),
            seconds=self.seconds,
            left=self.root.left(),
            open=[(self.book.text(goal.cells), goal.spent, goal.proof) for goal in open_],
        )
