"""Wins proven: ``solve`` finds a forced win for the side to move, or says what it has shown not to exist.

>>> from gomoku_patterns import Board
>>> from search import Limit, solve
>>> board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
>>> solution = solve(board, Limit(seconds=1))
>>> solution.status, board.name(solution.move), solution.length
(<Status.PROVEN: 'proven'>, 'b5', 3)
"""

from __future__ import annotations

import contextlib
import math
import os
import threading
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from gomoku_patterns import rules
from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import IllegalMoveError, LimitError, PlayerError, unknown
from gomoku_patterns.quantities import plies
from gomoku_patterns.rules import Rule
from search._control import MOST, Cancel, Control
from search._solver import ProofSearch, Unsound
from search._threats import ThreatBoard
from search.denial import Attacks, Denial
from search.door import check_board, check_limit
from search.proof import Attack, Defence, Proof
from search.result import Limit, Progress
from search.verifier import verify

MEMORY: Final = 512 << 20
"""How many bytes of tables a solver may fill unless told otherwise, at least."""
MEMORY_PER_SECOND: Final = 64 << 20
MEMORY_PER_NODE: Final = 160
"""Twice what searches were seen to fill, so that one ends by the limit it was given and not for lack of memory."""
SHARE_OF_MACHINE: Final = 0.5
"""Of the machine's memory: so much may be filled for a limit in seconds."""
LEAST_MEMORY: Final = 1 << 20
MOST_MEMORY: Final = 1 << 40


class Status(StrEnum):
    """What a search for a win has shown: that there is one, that there is none of its kind, or neither."""

    PROVEN = "proven"
    DISPROVEN = "disproven"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Solution:
    """What the solver found for the side to move.

    ``PROVEN`` comes with the winning ``move``, the ``proof`` and its ``length`` in plies, which is ``minimal``
    when no shorter win exists. ``exhausted`` names the wins that were shown not to exist, in its type
    (:class:`search.denial.Denial`). ``DISPROVEN`` is about those alone; beside a win that is not ``minimal`` they are
    the shorter ones that were denied, and beside ``UNKNOWN`` what was denied before the search ended.

    ``UNKNOWN`` says in ``stopped_by`` what stopped the search: a limit (``seconds``, ``nodes``, ``memory``,
    ``cancelled``); ``quiet``, where not all quiet moves were tried; ``book``, where the position is not in the book; or
    ``unsound``, should a proof ever fail its replay. ``elapsed`` is the search alone, in seconds; writing the proof is
    not in it.
    """

    status: Status
    move: Cell | None = None
    length: int | None = None
    nodes: int = 0
    elapsed: float = 0.0
    stopped_by: str = "complete"
    proof: Proof | None = None
    exhausted: Denial | None = None
    minimal: bool = False

    def __str__(self) -> str:
        """Say in a few words what was found; a denial says of what."""
        if self.proof is not None:
            win = f"{self.proof.attacker} wins in {plies(self.proof.length)}"
            return win + ", proven to be the shortest" if self.minimal else win
        if self.status is Status.DISPROVEN:
            return f"disproven: {self.exhausted}"
        unknown = UNKNOWN_TEXTS.get(self.stopped_by, f"unknown, stopped by {self.stopped_by}")
        return unknown if self.exhausted is None else f"{unknown}; shown so far: {self.exhausted}"

    @property
    def pv(self) -> tuple[Cell, ...]:
        """The game in which the defender holds out longest; empty unless proven."""
        return self.proof.main_line() if self.proof else ()

    def row(self) -> dict[str, object]:
        """The solution as a row of a table."""
        position = self.proof.position if self.proof else None
        return {
            "status": self.status.value,
            "move": position.name(self.move) if position and self.move else None,
            "length": self.length,
            "line": " ".join(map(position.name, self.pv)) if position else None,
            "nodes": self.nodes,
            "elapsed": self.elapsed,
            "stopped_by": self.stopped_by,
            "exhausted": None if self.exhausted is None else str(self.exhausted),
            "minimal": self.minimal,
        }


PROVEN, DISPROVEN = 1, 0
SEARCH_SHARE: Final = 0.75
"""Of the time for quiet moves; the rest is for the proof of what was found."""
LEAST_SECONDS: Final = 0.001
FOUR_AT_ONCE: Final = 3
"""The plies of a four that cannot be answered: the four, a reply, the five."""
DEFAULT_LIMIT: Final = Limit(seconds=10.0)
SHORT_BY_FOURS: Final = 5
"""A win in three plies is found in every mode if there is one: its first move is a four."""
SHORT_BY_THREATS: Final = 7
"""So is one in five plies, in mode ``full`` under freestyle rules: there passing is never the defender's best, so that
the first move threatens to win in three, and that takes two stones beside it on a line."""

MODES: Final = ("vcf", "vct", "full", "book", "any")
ATTACKS: Final = {"vcf": Attacks.FOURS, "vct": Attacks.THREES, "full": Attacks.THREATS, "any": Attacks.THREATS}
"""The attacks that the search itself tries in each mode; in mode ``any`` another search tries quiet moves after it."""

UNKNOWN_TEXTS: Final = {
    "memory": "unknown, stopped by memory: allow it more (--memory, in Python memory=)",
    "book": "unknown: the book of proven openings does not have this position",
    "quiet": "unknown: the quiet moves that were tried, not all there are, prove no win",
    "unsound": "unknown: the proof that was found does not hold; please report this position",
}
"""What is said of an unknown win beside the name of what stopped the search."""


class Solver:
    """A solver that keeps its memory, and forgets what was in it before each search, so that answers do not depend on
    what was asked before. One search at a time, others wait; different solvers may run in different threads.

    >>> Solver(memory=32 << 20).solve(Board(5), Limit(nodes=1000)).status
    <Status.DISPROVEN: 'disproven'>
    """

    def __init__(self, *, memory: int | None = None) -> None:
        whole = isinstance(memory, int) and not isinstance(memory, bool)
        if memory is not None and not (whole and LEAST_MEMORY <= memory <= MOST_MEMORY):
            raise LimitError(f"memory must be from {LEAST_MEMORY} to {MOST_MEMORY} bytes, not {memory!r:.60}")
        self.memory = memory
        self._at_work = threading.Lock()
        self._search: ProofSearch | None = None
        self._shape: tuple[int, int, Rule] | None = None

    def solve(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        mode: str = "full",
        rule: Rule | str | int | None = None,
        shortest: bool = False,
        without: Iterable[CellLike] = (),
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> Solution:
        """See :func:`solve`."""
        if mode not in MODES:
            raise PlayerError(unknown("mode", mode, MODES))
        check_board(board)
        check_limit(limit)
        barred = _barred(board, without, mode, shortest=shortest)
        position = board.copy(moves=False)
        position.rule = Rule.parse(board.rule if rule is None else rule)
        if rules.winner(position) is not None:
            raise IllegalMoveError("this game is already won; there is nothing to solve")
        limit = limit or DEFAULT_LIMIT
        if mode in ("any", "book"):
            _check_any(mode, limit, shortest=shortest)
        if mode == "book":
            return self._by_the_book(position, Control(limit, cancel, progress))
        with self._at_work:
            search = self._ready(position, limit)
            try:
                if mode == "any":
                    return self._by_any_move(search, position, limit, cancel, progress)
                control = Control(limit, cancel, progress)
                solution = self._first(search, position, mode, control, limit, without=barred)
                if shortest and solution.proof is not None:
                    solution = self._shorter(search, mode, control, limit, solution.proof)
                control.finish()
            finally:
                search.clear()
        return solution

    def _memory(self, limit: Limit) -> int:
        return memory_for(limit) if self.memory is None else self.memory

    def _ready(self, board: Board, limit: Limit) -> ProofSearch:
        shape = (board.rows, board.cols, board.rule)
        if self._search is None or self._shape != shape:
            self._search = ProofSearch(board, board.rule, self._memory(limit))
            self._shape = shape
        self._search.allow(self._memory(limit))
        self._search.clear()
        return self._search

    def _first(
        self,
        search: ProofSearch,
        board: Board,
        mode: str,
        control: Control,
        limit: Limit,
        *,
        without: Collection[Cell] = (),
    ) -> Solution:
        plies = None if limit.depth is None else min(limit.depth, board.rows * board.cols)
        result = search.solve(board, mode, control, limit.nodes, plies, without)
        nodes, elapsed = search.nodes_searched, control.elapsed
        three = plies is None or plies >= FOUR_AT_ONCE
        if without and result != PROVEN and three and (proof := _four_at_once(board, without)):
            return _proven(proof, nodes, elapsed)
        if result == DISPROVEN:
            denial = Denial(ATTACKS[mode], plies, tuple(map(board.name, without)))
            return Solution(Status.DISPROVEN, nodes=nodes, elapsed=elapsed, exhausted=denial)
        if result != PROVEN:
            return Solution(Status.UNKNOWN, nodes=nodes, elapsed=elapsed, stopped_by=search.stopped_by)
        proof = _written(search, board, plies)
        if proof is None:
            return Solution(Status.UNKNOWN, nodes=nodes, elapsed=elapsed, stopped_by="unsound")
        return _win(proof, nodes, elapsed)

    def _by_any_move(
        self, search: ProofSearch, board: Board, limit: Limit, cancel: Cancel | None, progress: Progress | None
    ) -> Solution:
        """Attacking moves for half of the limit at most, and then quiet moves.

        Not all quiet moves are tried, so that a win that is not found is UNKNOWN, whatever else was exhausted.
        """
        first = _share(limit, 0.5)
        control = Control(first, cancel, progress)
        attacks = self._first(search, board, "any", control, first)
        search.clear()
        control.finish()
        if attacks.proof is not None:
            return attacks
        rest = _rest(limit, attacks)
        if rest is None or attacks.stopped_by == "cancelled":
            stopped_by = "cancelled" if rest else "nodes" if _is_spent(limit.nodes, attacks.nodes) else "seconds"
            return replace(attacks, status=Status.UNKNOWN, stopped_by=stopped_by)
        quiet = self._by_quiet_moves(board, rest, cancel, progress)
        nodes, elapsed = attacks.nodes + quiet.nodes, attacks.elapsed + quiet.elapsed
        return replace(quiet, nodes=nodes, elapsed=elapsed, exhausted=None if quiet.proof else attacks.exhausted)

    def _by_quiet_moves(self, board: Board, limit: Limit, cancel: Cancel | None, progress: Progress | None) -> Solution:
        """A win found by quiet moves, searched again on empty tables for its proof, all within the limit."""
        from search.book import Book, BookError
        from search.expand import Expander
        from search.quiet import MOST_NODES, QuietSearch

        memory = self._memory(limit) // 4
        control = Control(_seconds_of(limit, SEARCH_SHARE), cancel, progress)
        quiet = QuietSearch(Book(board, board.turn), memory=memory)
        try:
            quiet.prove(board.flat, nodes=MOST_NODES if limit.nodes is None else limit.nodes, control=control)
        except Unsound:
            return Solution(Status.UNKNOWN, nodes=quiet.nodes, elapsed=control.elapsed, stopped_by="unsound")
        if quiet.book.find(board.flat) is None:
            out = "nodes" if limit.nodes is not None and not quiet.left else "quiet"
            return Solution(Status.UNKNOWN, nodes=quiet.nodes, elapsed=control.elapsed,
                            stopped_by=control.stopped_by or out)  # fmt: skip
        again = Control(_seconds_left(limit, control.elapsed), cancel, progress)
        try:
            proof = Expander(quiet.book, memory=memory, control=again, tell=_telling(again)).proof(board)
        except (BookError, Unsound):  # a limit ended the searches, unless the book is wrong
            return Solution(Status.UNKNOWN, nodes=quiet.nodes, elapsed=control.elapsed,
                            stopped_by=again.stopped_by or "unsound")  # fmt: skip
        return _proven(proof, quiet.nodes, control.elapsed)

    def _by_the_book(self, board: Board, control: Control) -> Solution:
        """The proof that the book which is shipped stands for; nothing is searched that is not in there."""
        from search.book import BookError, great
        from search.expand import Expander

        book = great()
        if not book.fits(board) or board.turn is not book.attacker or book.find(board.flat) is None:
            return Solution(Status.UNKNOWN, elapsed=control.elapsed, stopped_by="book")
        memory = self._memory(control.limit) // 4
        try:
            proof = Expander(book, memory=memory, control=control, tell=_telling(control)).proof(board)
        except (BookError, Unsound):  # a limit ended the searches, unless the book is wrong
            stopped_by = control.stopped_by or "unsound"
            return Solution(Status.UNKNOWN, elapsed=control.elapsed, stopped_by=stopped_by)
        return _proven(proof, 0, control.elapsed)

    def _shorter(self, search: ProofSearch, mode: str, control: Control, limit: Limit, proof: Proof) -> Solution:
        """The shortest win that can be shown: each search asks for one two plies shorter, until there is none."""
        board, result = proof.position, PROVEN
        while proof.length > 1 and result == PROVEN:
            plies = proof.length - 2
            result = search.solve(board, mode, control, limit.nodes, plies)
            if result == PROVEN:
                shorter = _written(search, board, plies)
                if shorter is None:
                    return replace(_win(proof, search.nodes_searched, control.elapsed), stopped_by="unsound")
                proof = shorter
        found = _win(proof, search.nodes_searched, control.elapsed)
        if result == DISPROVEN or proof.length == 1:
            certain = proof.length <= _surely_shortest(board, mode) or _none_within(found, control, limit)
            denial = None if certain else Denial(ATTACKS[mode], proof.length - 2)
            return replace(found, minimal=certain, exhausted=denial)
        return replace(found, stopped_by=search.stopped_by)


REPORT_SECONDS = 0.1


def _telling(control: Control) -> Callable[[int], None]:
    """Progress of an expansion: how many entries of the book have been searched again."""

    last = 0.0

    def tell(done: int) -> None:
        nonlocal last
        if control.progress is not None and control.elapsed >= last + REPORT_SECONDS:
            last = control.elapsed
            control.progress({"done": done, "elapsed": last})

    return tell


def memory_for(limit: Limit) -> int:
    """Return how many bytes of tables a search with this limit may fill unless it is told.

    It depends on the machine only where the limit is in seconds: the same node limit gives the same answer anywhere.

    >>> memory_for(Limit(nodes=1_000_000)) >> 20, memory_for(Limit(nodes=10_000_000)) >> 20
    (512, 1525)
    """
    if limit.nodes is not None:
        return min(MOST_MEMORY, max(MEMORY, limit.nodes * MEMORY_PER_NODE))
    seconds = DEFAULT_LIMIT.seconds if limit.seconds is None else limit.seconds
    assert seconds is not None
    return max(MEMORY, int(min(seconds * MEMORY_PER_SECOND, SHARE_OF_MACHINE * _machine_memory(), MOST_MEMORY)))


@lru_cache(maxsize=1)
def _machine_memory() -> int:
    """The memory of the machine, or of the container if that may use less."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # a system that does not say
        return 2 * MEMORY
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with contextlib.suppress(OSError, ValueError):  # "max": no limit
            memory = min(memory, int(Path(path).read_text(encoding="ascii")))
    return memory


def _written(search: ProofSearch, board: Board, plies: int | None) -> Proof | None:
    """Return the proof of the win that the search has found; None if it does not hold or takes more plies than that."""
    try:
        proof = Proof(board, search.proof())
    except Unsound:
        return None
    return proof if _holds(proof) and (plies is None or proof.length <= plies) else None


def _holds(proof: Proof) -> bool:
    """Whether the verifier in C, which shares nothing with the search, accepts the proof."""
    return verify(proof, thorough=False, native=True).accepted


def _proven(proof: Proof, nodes: int, elapsed: float) -> Solution:
    """The win, if its proof holds."""
    if not _holds(proof):
        return Solution(Status.UNKNOWN, nodes=nodes, elapsed=elapsed, stopped_by="unsound")
    return _win(proof, nodes, elapsed)


def _win(proof: Proof, nodes: int, elapsed: float) -> Solution:
    """The solution with a proof that was verified."""
    move, length = proof.tree.move, proof.length
    return Solution(Status.PROVEN, move, length, nodes, elapsed, proof=proof)


def _surely_shortest(board: Board, mode: str) -> int:
    """A win of so many plies is the shortest if the search finds no shorter one."""
    return SHORT_BY_THREATS if mode == "full" and board.rule is Rule.FREESTYLE else SHORT_BY_FOURS


def _none_within(found: Solution, control: Control, limit: Limit) -> bool:
    """Whether no moves at all, quiet ones included, win sooner: asked as far as that takes milliseconds."""
    from search.within import EVERY_MOVE, wins_within

    assert found.proof is not None
    board, plies = found.proof.position, found.proof.length - 2
    bounded = limit.nodes is not None or limit.seconds is not None
    rest = _rest(limit, found) if bounded else DEFAULT_LIMIT
    if board.rule is not Rule.FREESTYLE or plies > EVERY_MOVE or rest is None:
        return False
    return wins_within(board, plies, limit=rest, cancel=control.cancel) is Status.DISPROVEN


def _check_any(mode: str, limit: Limit, *, shortest: bool) -> None:
    if limit.depth is not None or shortest:
        raise LimitError(f"mode {mode!r} takes no depth and finds no shortest win; use mode 'full'")


def _barred(board: Board, cells: Iterable[CellLike], mode: str, *, shortest: bool) -> tuple[Cell, ...]:
    barred = tuple(board.cell(cell) for cell in cells)
    if barred and (mode in ("any", "book") or shortest):
        raise PlayerError("first moves can be left out in the modes vcf, vct and full, and not with shortest")
    return barred


def _four_at_once(board: Board, without: Collection[Cell]) -> Proof | None:
    """A first move that may be played and makes a four that cannot be answered.

    The search sees such a move at once where every first move may be played, and only there.
    """
    threats, side = ThreatBoard(board), board.turn
    closed = set(threats.forbidden_cells()) if side is Colour.BLACK else set()
    # With a five that may not be played any move will do that leaves two of them.
    for cell in board.empties() if threats.cells(side, "five") else threats.cells(side, "four"):
        if cell in without or cell in closed:
            continue
        threats.push(cell, side)
        fives = threats.cells(side, "five")
        open_ = set(fives) - (set(threats.forbidden_cells()) if side is Colour.WHITE else set())
        safe = not threats.cells(side.opponent, "five")
        threats.pop()
        if safe and fives and (len(fives) > 1 or not open_):
            answers = {fives[0]: Attack(fives[1])} if fives[0] in open_ else {}
            return Proof(board, Attack(cell, Defence((fives[0],), answers)))
    return None


def _share(limit: Limit, share: float) -> Limit:
    nodes = None if limit.nodes is None else max(1, math.ceil(limit.nodes * share))
    return Limit(nodes=nodes, seconds=None if limit.seconds is None else limit.seconds * share)


def _seconds_of(limit: Limit, share: float) -> Limit:
    """A share of the time; the nodes, which somebody else counts, are not limited."""
    return Limit(nodes=MOST, seconds=None if limit.seconds is None else limit.seconds * share)


def _seconds_left(limit: Limit, elapsed: float) -> Limit:
    """The time that is left, if only a moment."""
    return Limit(nodes=MOST, seconds=None if limit.seconds is None else max(LEAST_SECONDS, limit.seconds - elapsed))


def _is_spent(limit: int | None, spent: int) -> bool:
    return limit is not None and spent >= limit


def _rest(limit: Limit, spent: Solution) -> Limit | None:
    """What is left of a limit."""
    nodes = None if limit.nodes is None else limit.nodes - spent.nodes
    seconds = None if limit.seconds is None else limit.seconds - spent.elapsed
    if (nodes is not None and nodes < 1) or (seconds is not None and seconds <= 0):
        return None
    return Limit(nodes=nodes, seconds=seconds)


_own = threading.local()


def solve(
    board: Board,
    limit: Limit | None = None,
    *,
    mode: str = "full",
    rule: Rule | str | int | None = None,
    shortest: bool = False,
    without: Iterable[CellLike] = (),
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    memory: int | None = None,
) -> Solution:
    """Find a forced win for the side to move.

    ``mode`` says what the attacker may play: continuous fours (``"vcf"``), fours and live threes (``"vct"``), any move
    that threatens continuous fours (``"full"``), or quiet moves as well (``"any"``). Without a
    limit it gives up after ten seconds. ``shortest`` goes on, within the limit, to the shortest win it can show. A
    limit on the depth leaves longer wins out, and ``without`` names first moves that are not to be played, so that a
    denial says that no other one wins. ``memory`` limits the tables, in bytes; without it they may grow to what the
    limit needs. The same position and node limit give the same answer, in any process and thread and whatever was
    solved before. A win that is returned was replayed by the verifier in C.
    """
    check_board(board)
    solvers = _own.__dict__.setdefault("solvers", {})
    key = (board.rows, board.cols, board.rule if rule is None else Rule.parse(rule), memory)
    solver = solvers.pop(key, None) or Solver(memory=memory)
    try:
        return solver.solve(
            board, limit, mode=mode, rule=rule, shortest=shortest, without=without, cancel=cancel, progress=progress
        )
    finally:
        if len(solvers) < 4:
            solvers[key] = solver
