"""A win of the whole game, or of an opening, by many searches for quiet wins: see :mod:`search.quiet`.

An opening is a list of moves after which the defender is to move. Each of his replies is a position to prove. One
search after the other works on it. Where they get nowhere, and from the beginning with few stones on the board (fewer
than ``SEARCHED``), moves of the attacker are tried, after each of which every reply has to be proven again. The moves
are ranked by the engine (:mod:`arena.ranking`); the one that seems to take the least time is worked on first, its
dangerous replies first. Positions below may get stuck and be worked on in the same way. Searches and rankings are units
for :func:`arena.work.run_units`: on this machine, on a Dask cluster, or on any executor.

What is proven goes into a book (:mod:`search.book`), which only grows; how long each open position has been searched,
and which moves are tried, goes into a log. Both survive being killed at any moment, and a run goes on where the last
one stopped.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from arena.log import Log
from arena.pools import Workers
from arena.ranking import rank_moves
from arena.work import run_units
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.rules import Rule
from search._leaves import LeafSearch
from search.book import Book, Entry
from search.quiet import INFINITE, QuietOptions, QuietSearch, bits, empties, put, unanswered

Json = dict[str, Any]
SEARCHED = 4
"""Positions with so many stones are searched; with fewer a move is chosen and all replies are proven."""
FIRST_SECONDS, MOST_SECONDS = 4.0, 60.0
"""Of processor time, for the first search of a position and for any: the next takes thrice as long as all before."""
AT_A_TIME = 20
"""Units of one choice before another may seem better."""
STUCK = 300.0
"""Where a position is supposed to take so many seconds still, or more, moves are tried as well."""
RANKING_NODES = 1_000_000
LESS_LIKELY = 0.25
"""By so much of its time a move is supposed to take longer than the one ranked before it."""
HINTS = 4
QUICK, SLOW = 0.5, 3.0
"""What a reply that has not been searched yet is supposed to take, far from all stones and near them."""
WIDEST = 3
"""How often a position of which a search knows no way is searched again with more of everything."""
GIVEN_UP = 100_000.0
"""Seconds that a position is supposed to take of which the widest search knows no way."""
UNRANKED = 1000.0
"""Seconds that a position with few stones is supposed to take before its moves are ranked."""


# ---------------------------------------------------------------------- one search or ranking, on any worker


@dataclass
class _Desk:
    """What a worker process keeps from one unit to the next."""

    search: QuietSearch
    read: int = 0
    """How much of the book's file has been read."""


_desks: dict[str, _Desk] = {}


def work_on(unit: Json) -> Json:
    """Do a unit of a run: rank the moves of a position, or search it."""
    return rank_position(unit) if "ranking_nodes" in unit else search_position(unit)


def rank_position(unit: Json) -> Json:
    """Rank the moves that may win a position."""
    book, began = Book.of_head(unit["head"]), time.process_time()
    board = book.board(book.cells(unit["position"]))
    ranked = rank_moves(board, nodes=unit["ranking_nodes"], also=[book.cell(hint) for hint in unit["hints"]])
    name = board.name
    moves = [[name(found.move), "".join(map(name, found.replies))] for found in ranked]
    return {"position": unit["position"], "moves": moves, "took": round(time.process_time() - began, 2)}


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
    searched: bool
    """Whether searches work on it, or only moves that are tried."""
    spent: float = 0.0
    proof: int = 1
    width: int = 0
    """How often it was given up."""
    proven: bool = False
    at_work: bool = False
    moves: list[Choice] | None = None
    """The moves that are tried, the best first; None before they are ranked."""
    choices: list[Choice] = field(default_factory=list)
    """Those that it is a reply to."""

    @property
    def given_up(self) -> bool:
        return self.width > WIDEST

    @property
    def begun(self) -> bool:
        return self.spent > 0 or self.moves is not None

    def search_left(self) -> float:
        """The seconds that searches of it are supposed to take still."""
        if self.given_up or not self.searched:
            return GIVEN_UP
        return (SLOW if self.near else QUICK) if not self.spent else 6 * self.spent

    def left(self) -> float:
        """The seconds that it is supposed to take still."""
        if self.proven:
            return 0.0
        if self.moves is None:
            return self.search_left() if self.searched else UNRANKED
        return min(self.search_left(), *(choice.left() for choice in self.moves), GIVEN_UP)

    def best(self) -> Choice | None:
        """The move that seems to take the least time, if one takes less than searches do."""
        best = min(self.moves or (), key=Choice.left, default=None)
        return best if best is not None and best.left() < self.search_left() else None


@dataclass(eq=False)
class Choice:
    """A move of the attacker (None: the opening itself), the position after it, and those after each reply.

    The replies are in the order in which they are tried first.
    """

    move: int | None
    cells: bytes
    goals: dict[int, Goal]
    rank: int = 0

    def __post_init__(self) -> None:
        for goal in self.goals.values():
            goal.choices.append(self)

    def is_proven(self) -> bool:
        return all(goal.proven for goal in self.goals.values())

    def left(self) -> float:
        return (1 + LESS_LIKELY * self.rank) * sum(goal.left() for goal in self.goals.values())


@dataclass(frozen=True)
class OpenPosition:
    """A position that has been worked on and is not proven."""

    position: str
    seconds: float
    """Of searching."""
    proof: int
    move: str | None = None
    """The best of the moves that are tried, if they seem to take less time than searches, and"""
    proven: int = 0
    replies: int = 0
    """how many of the replies to it are proven, of how many."""


@dataclass
class ProvingProgress:
    """How far a run is."""

    goals: int
    proven: int
    entries: int
    seconds: float
    left: float
    open: list[OpenPosition] = field(default_factory=list)
    """The open positions that take the most time, those below a move that is tried after it."""


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
        ranking_nodes: int = RANKING_NODES,
    ) -> None:
        if board.turn is book.attacker:
            raise ArenaError("it is the attacker's turn after these moves; leave out the last one, or add the next")
        if board.rule is Rule.RENJU and len(board.moves) < SEARCHED - 1:
            raise ArenaError("under renju, where white may pass, an opening has at least three moves")
        self.book, self.path, self.log = book, Path(path), log
        self.options = options or QuietOptions()
        self.ranking_nodes = ranking_nodes
        self.tries = board.rule is not Rule.RENJU
        """Whether moves are tried; not where the defender may pass, which no position in the book answers."""
        self.attacker, self.defender = int(book.attacker), int(book.attacker.opponent)
        self.goals: dict[bytes, Goal] = {}
        self._ends = math.inf
        self._spent: dict[bytes, Json] = {}
        self._ranked: dict[bytes, Json] = {}
        for entry in log.entries:
            (self._ranked if "moves" in entry else self._spent)[self._key(entry["position"])] = entry
        self.seconds = sum(float(entry["took"]) for entry in log.entries)
        self.root = Choice(None, board.flat, self._replies(board.flat, (), adjacent=replies == "adjacent"))
        whole = board.moves and replies == "all" and board.rule is not Rule.RENJU  # where the pass remains
        self._last = board.moves[-1].cell if whole else None
        self._close_all()

    def _replies(self, cells: bytes, first: Iterable[int], *, adjacent: bool = False) -> dict[int, Goal]:
        """The positions after each reply, one of those that are the same under the symmetries of the board."""
        near = self._around(cells, 1 if adjacent else 3)
        legal = near if adjacent else empties(cells)
        others = legal & ~sum(1 << reply for reply in first)
        found: dict[int, Goal] = {}
        met = set()
        for reply in (*first, *bits(others & near), *bits(others & ~near)):
            goal = self._goal(put(cells, reply, self.defender), bool(near >> reply & 1))
            if goal.cells not in met:
                met.add(goal.cells)
                found[reply] = goal
        return found

    def _goal(self, cells: bytes, near: bool) -> Goal:
        key = self.book.symmetries.canonical(cells)[0]
        if key not in self.goals:
            goal = self.goals[key] = Goal(key, near, searched=len(key) - key.count(0) >= SEARCHED)
            before = self._spent.get(key)
            if before is not None:
                goal.spent, goal.proof, goal.width = before["seconds"], before["proof"], before.get("width", 0)
            goal.proven = key in self.book.entries
            if not goal.proven and key in self._ranked:
                self._try_moves(goal, self._ranked[key]["moves"])
        return self.goals[key]

    def _try_moves(self, goal: Goal, ranked: list[list[str]]) -> None:
        """Try these moves, given as names, each with the names of the replies that are looked at first."""
        goal.moves = []
        for rank, (move, replies) in enumerate(ranked):
            cell, first = self.book.cells_of(move)[0], self.book.cells_of(replies) if replies else ()
            after = put(goal.cells, cell, self.attacker)
            goal.moves.append(Choice(cell, after, self._replies(after, first), rank))

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
            for _, result in run_units(work_on, self._units(), pool, chunk=1):
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
            yield (
                self._ranking(choice, reply, goal) if self._is_to_be_ranked(goal) else self._search(choice, reply, goal)
            )

    def _ranking(self, choice: Choice, reply: int, goal: Goal) -> Json:
        number = self.book.symmetries.canonical(put(choice.cells, reply, self.defender))[1]
        return {
            "head": self.book.head,
            "position": self.book.text(goal.cells),
            "hints": [self.book.symmetries.to[number][hint] for hint in self._hints(choice) if hint != reply],
            "ranking_nodes": self.ranking_nodes,
        }

    def _search(self, choice: Choice, reply: int, goal: Goal) -> Json:
        position = put(choice.cells, reply, self.defender)
        back = self.book.symmetries.back[self.book.symmetries.canonical(position)[1]]
        ranked = [back[tried.move] for tried in (goal.moves or ())[:HINTS] if tried.move is not None]
        return {
            "head": self.book.head,
            "book": str(self.path),
            "position": self.book.text(position),
            "seconds": self._seconds(goal),
            "spent": goal.spent,
            "hints": [*reversed(ranked), *self._hints(choice)],
            "options": asdict(self.options.wider(goal.width)),
        }

    def _is_to_be_ranked(self, goal: Goal) -> bool:
        return self.tries and goal.moves is None and (not goal.searched or goal.search_left() >= STUCK)

    def _next(self, choice: Choice) -> tuple[Choice, int] | None:
        """The position to work on next: first those that have not been, then the one that takes the least time."""
        open_ = [(reply, goal) for reply, goal in choice.goals.items() if not goal.proven]
        for reply, goal in sorted(open_, key=lambda one: one[1].left() if one[1].begun else 0.0):
            if self._is_to_be_ranked(goal):
                found = None if goal.at_work else (choice, reply)
            else:
                found = self._way(choice, reply, goal)
            if found is not None:
                return found
        return None

    def _way(self, choice: Choice, reply: int, goal: Goal) -> tuple[Choice, int] | None:
        """What to do for a position: search it, or work on what is below a move that seems to take less time."""
        may_be_searched = goal.searched and not goal.at_work and not goal.given_up
        for tried in sorted(goal.moves or (), key=Choice.left):
            if may_be_searched and goal.search_left() <= tried.left():
                return choice, reply
            found = self._next(tried)
            if found is not None:
                return found
        return (choice, reply) if may_be_searched else None

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
        return [move for move, _ in reversed(found.most_common(HINTS))]

    def _take(self, result: Json) -> None:
        goal = self._goal_of(result["position"])
        assert goal is not None
        goal.at_work = False
        if "moves" in result:
            self._take_ranking(goal, result)
        else:
            self._take_search(goal, result)

    def _take_ranking(self, goal: Goal, result: Json) -> None:
        self.seconds += result["took"]
        self.log.append(result)
        if not goal.proven:
            self._try_moves(goal, result["moves"])
            self._close_all()

    def _take_search(self, goal: Goal, result: Json) -> None:
        proven = []
        for line in result["lines"]:
            self.book.read_line(line)
            found = self._goal_of(line.split(" ")[0])
            if found is not None:
                found.proven = True
                proven.append(found)
        took = result["seconds"] - goal.spent
        self.seconds += took
        goal.spent, goal.proof = result["seconds"], result["proof"]
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
            self._write(put(self.root.cells, last, 0), last)

    def _close(self, choice: Choice) -> bool:
        """Write into the book what is proven by a move and all its replies; whether the choice is proven."""
        for goal in choice.goals.values():
            for deeper in goal.moves or ():
                if not goal.proven and deeper.move is not None and self._close(deeper):
                    goal.proven = True
                    self._write(goal.cells, deeper.move)
        return choice.is_proven()

    def _write(self, cells: bytes, move: int) -> None:
        """Write an entry for a move, every reply to which is proven; it names those that no single search answers."""
        key, number = self.book.symmetries.canonical(cells)
        if key in self.book.entries:
            return
        nodes, there = self.options.settle_nodes, self.book.symmetries.to[number][move]
        named, more = 0, unanswered(self._settling, key, there, nodes, 0)
        while more:
            named |= more
            more = unanswered(self._settling, key, there, nodes, named)
        self.book.add(key, Entry(there, 0) if more is None else Entry(there, nodes, tuple(bits(named))))

    @cached_property
    def _settling(self) -> LeafSearch:
        return LeafSearch(Board(self.book.rows, self.book.cols, rule=self.book.rule), self.attacker)

    def progress(self) -> ProvingProgress:
        return ProvingProgress(
            goals=len(self.root.goals),
            proven=sum(goal.proven for goal in self.root.goals.values()),
            entries=len(self.book),
            seconds=self.seconds,
            left=self.root.left(),
            open=list(self._open(self.root)),
        )

    def _open(self, choice: Choice) -> Iterator[OpenPosition]:
        """The open replies that have been worked on, hardest first, each with those below the best move against it."""
        open_ = [goal for goal in choice.goals.values() if goal.begun and not goal.proven]
        for goal in sorted(open_, key=lambda goal: -goal.left()):
            best, text = goal.best(), self.book.text(goal.cells)
            if best is None or best.move is None:
                yield OpenPosition(text, goal.spent, goal.proof)
            else:
                below = best.goals.values()
                proven, move = sum(goal.proven for goal in below), self.book.name(best.move)
                yield OpenPosition(text, goal.spent, goal.proof, move, proven, len(below))
                yield from self._open(best)
