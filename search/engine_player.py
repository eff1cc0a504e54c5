"""The engine: the player to beat.

A move is found in three steps that share the time. First the solver looks for a proven win. Then alpha-beta
(:mod:`search._engine`) deepens ply by ply over the cells that the threats on the board allow. Last, the solver looks at
the chosen move with the opponent's eyes: a move after which the opponent has a proven win is struck out, and
the search goes on with the others.

Under caro a four can be answered at the far end of its row too, which the search does not see, and a wall is taken for
a stone at an end. So nothing is called decided there but a five that can be made at once.

>>> from gomoku_patterns import Board
>>> from search import Limit, player
>>> board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "c3"])
>>> result = player("engine").search(board, Limit(depth=4))
>>> board.name(result.move), result.stats["proven"]
('g8', True)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import PlayerError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator, tracker_on
from gomoku_patterns.rules import Rule, makes_five
from search._control import MOST, SURE, WIN, Cancel, Control
from search._engine import EngineSearch, Transpositions
from search._threats import ThreatBoard
from search.book_guide import BookGuide, guide_of, proven_move
from search.door import ran_out
from search.evaluator_player import five_at_once
from search.options import Options, option, takes
from search.player_base import SearchPlayer
from search.result import Limit, Progress, SearchResult, Win
from search.solver import Solution, Solver, Status
from search.unit import unit_of

LIKELY = SURE - 1
HIGHEST = 1 << 27
SOLVER_SHARE = 0.08
"""Of the time (or nodes), for proving a win before the search."""
CHECK_SHARE = 0.1
"""Of the time, for looking at the chosen move with the opponent's eyes."""
WORTH_GOING_ON = 0.04
"""Of the limit: with more left after the check the search goes on where it was cut."""
REPLAY_SECONDS = 0.05
DEEPEST = 60
MOST_REFUTED = 12
"""So many moves are looked at with the opponent's eyes; the next one is played as it comes."""
CUT_SHORT = ("seconds", "nodes", "cancelled")
SOLVER_MEGABYTES = 64
NODES_PER_SECOND = 4_000_000
"""More than a thread can do."""
FIRST_TOUCH = Limit(nodes=1 << 16)
"""For as many nodes a table is made ready before the first search."""
DEPTH_SOLVER_NODES = 20_000
"""Where only the depth is limited the solver gets so many nodes, so that the answer never depends on the clock."""

THREAT_RULES = {Rule.CARO: Rule.STANDARD, Rule.CARO_OVERLINE: Rule.FREESTYLE}


Found = tuple[Cell, int]
"""A move and its score for the side to move."""


@dataclass(frozen=True)
class EngineOptions(Options):
    """What it judges by and how much it may use."""

    table: Any = option("cell", "the pattern table it judges by: a name or a TOML file")
    depth: int | None = option(None, "plies to look ahead at most", least=1, most=60, none="limit")
    threads: int = option(1, "threads that search", least=1, most=64)
    hash: int = option(64, "megabytes for what was found out about positions", least=1, most=65536)
    solver: bool = option(True, "prove wins and refute losing moves")
    book: str | None = option(
        None, "a book whose proven wins it plays: a file of 'gomoku prove', or great", none="none"
    )
    lines: int = option(1, "best moves to show, each with its value and line", least=1, most=484)


class EnginePlayer(SearchPlayer):
    """Alpha-beta with threats, a pattern table as evaluation, and the solver before and after."""

    kind = "engine"
    summary = "Deepening alpha-beta on threats, a solver that proves wins, any table as evaluation."
    Options = EngineOptions
    options: EngineOptions
    default = Limit(seconds=1.0)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._evaluator = _native(self.options.table)
        self._table = _table(self.options.hash)
        self._solver = Solver(memory=SOLVER_MEGABYTES << 20)
        self._guide = _guide(self.options.book)
        self._workers: list[EngineSearch] = []
        self._shape: tuple[int, int, Rule] | None = None
        self._at_work = Lock()

    def new_game(self) -> None:
        with self._at_work:
            self._shape = None
            if self._guide is not None:
                self._guide.new_game()
            self._solver = Solver(memory=SOLVER_MEGABYTES << 20)

    def prepare(self, board: Board) -> None:
        """Set up the searches for boards of this size, and touch the memory that a first search would touch."""
        with self._at_work:
            for worker in self.workers(board, FIRST_TOUCH):
                worker.prepare()
            if not board.is_over():
                self.solve(board, FIRST_TOUCH, Cancel(), None)

    def change(self, **options: Any) -> None:
        """Take other values for some options between two moves; what was found out about positions is kept.

        A ``hash`` of another size starts empty.
        """
        before = self.options
        with self._at_work:
            given = {name: getattr(before, name) for name in self.written} | options
            fresh = self.Options.of(given)
            if fresh.table is not before.table and fresh.table != before.table:
                self._evaluator, self._shape = _native(fresh.table), None
            if fresh.hash != before.hash:
                self._table = _table(fresh.hash)
            if fresh.book != before.book:
                self._guide = _guide(fresh.book)
            if (fresh.hash, fresh.threads) != (before.hash, before.threads):
                self._workers = []
            name = self.name.partition(":")[0]
            self.options, self.written, self.name = fresh, frozenset(given), fresh.spec(name, given)

    def answer(self, board: Board, legal: list[Cell], control: Control) -> SearchResult:
        with self._at_work:  # what others wait counts as their time
            if self._guide is not None and (found := proven_move(self._guide, board, control)):
                return found
            return _Move(self, board, legal, control).result()

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        """The values of the ten best moves for the side to move.

        Another engine is asked: what this one has found out, and so its next move, must not depend on such a question.
        """
        many = EnginePlayer(**{**vars(self.options), "lines": 10, "solver": False})
        values = many.search(board, limit).stats.get("values")
        return {cell: board.turn.sign * value for cell, value in values.items()} if isinstance(values, dict) else {}

    def workers(self, board: Board, limit: Limit) -> list[EngineSearch]:
        """A search for each thread, set to the position, and a table for as much as the limit lets them find out."""
        shape = (board.rows, board.cols, board.rule)
        if self._shape != shape:
            self._workers, self._shape = [], shape
            self._table.clear()
        while len(self._workers) < self.options.threads:
            self._workers.append(self._worker(board))
        self._table.next_search(self._reach(limit))
        for worker in self._workers:
            worker.set(board)
        return self._workers

    def _reach(self, limit: Limit) -> int | None:
        """More positions than a search within the limit can visit; None if there is no telling."""
        bounds = [] if limit.nodes is None else [limit.nodes]
        if limit.seconds is not None:
            bounds.append(int(min(limit.seconds * NODES_PER_SECOND * self.options.threads, MOST)))
        return min(bounds, default=None)

    def _worker(self, board: Board) -> EngineSearch:
        threats = ThreatBoard(board, THREAT_RULES.get(board.rule, board.rule), board.rule in THREAT_RULES)
        tracker = tracker_on(self._evaluator.core, board.rows, board.cols)
        return EngineSearch(
            threats, tracker, self._table, shared=self.options.threads > 1, unit=unit_of(self._evaluator)
        )

    def evaluate(self, board: Board) -> int:
        """What the table says, black minus white."""
        return max(-HIGHEST, min(HIGHEST, self._evaluator.score(board)))

    def solve(self, board: Board, limit: Limit, cancel: Cancel, progress: Progress | None) -> Solution | None:
        """What the solver finds for the side to move, if it is asked at all."""
        if not self.options.solver or board.rule in THREAT_RULES:
            return None
        # The depth is that of the alpha-beta: a proof may be longer.
        budget = replace(limit, depth=None) if limit.seconds or limit.nodes else Limit(nodes=DEPTH_SOLVER_NODES)
        return self._solver.solve(board, budget, cancel=cancel, progress=progress)


@takes(EngineOptions)
def engine(
    board: Board,
    evaluator: Any = "cell",
    limit: Limit | None = None,
    *,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> SearchResult:
    """The engine's move, found with no memory of earlier ones; the player ``engine`` keeps what it finds out.

    ``stats`` has the ``values`` of the best moves and their ``lines``.
    """
    chosen = EnginePlayer(table=evaluator, **options)
    return chosen.search(board, limit, cancel=cancel, progress=progress)


def _guide(file: str | None) -> BookGuide | None:
    return None if file is None else guide_of(file)


def _native(table: object) -> NativeEvaluator:
    evaluator = as_evaluator(table)
    if not isinstance(evaluator, NativeEvaluator):
        raise PlayerError(
            f"the engine judges by a pattern table, not by {evaluator.name!r}; minmax takes any evaluator"
        )
    return evaluator


def _table(megabytes: int) -> Transpositions:
    try:
        return Transpositions(megabytes)
    except MemoryError:
        raise PlayerError(f"hash={megabytes} is more megabytes than there is memory") from None


class _Move:
    """One search for a move: what was found so far, and what is left of the limit."""

    def __init__(self, engine: EnginePlayer, board: Board, legal: list[Cell], control: Control) -> None:
        self.engine, self.board, self.legal, self.control = engine, board, legal, control
        self.limit, self.cancel = control.limit, control.cancel
        self.progress = self.report if control.progress is not None else None
        self.lines = engine.options.lines
        self.depth = 0
        self.stopped_by = "complete"
        self.workers: list[EngineSearch] = []
        self.values: dict[Cell, int] = {}
        self.paths: dict[Cell, tuple[Cell, ...]] = {}
        self.pv: tuple[Cell, ...] = ()
        self.next_depth = 1
        self.refuted: dict[Cell, int] = {}

    def result(self) -> SearchResult:
        if len(self.legal) < 2 or not len(self.board):
            return self.obvious()
        if self.board.rule in THREAT_RULES and (move := self.urgent()):
            return self.answer(move, self.worth(move))
        if proof := self.prove(self.board, SOLVER_SHARE):
            return self.proven(proof)
        return self.searched()

    # ------------------------------------------------------------------ without a search

    def obvious(self) -> SearchResult:
        """The centre of an empty board, or the only move."""
        centre = Cell(self.board.rows // 2, self.board.cols // 2)
        move = centre if centre in self.legal else self.legal[0]
        self.pv = (move,)
        return self.answer(move, self.worth(move))

    def urgent(self) -> Cell | None:
        """Five, or the opponent's five: for the rules whose fives the threats do not know."""
        found = five_at_once(self.board, self.legal)
        self.pv = found.pv if found else ()
        return found.move if found else None

    def worth(self, move: Cell) -> int:
        """The score of a move that needs no search: a win at once, or what the table says of the position."""
        if makes_five(self.board, move, self.board.turn):
            return WIN - 1
        return self.board.turn.sign * self.engine.evaluate(self.board)

    def proven(self, proof: Solution) -> SearchResult:
        """The solver's move, and the values of others if they are asked for."""
        assert proof.move is not None
        move, length = proof.move, proof.length or 0
        if self.lines > 1 and self.prepare((move,)):
            self.think(self.lines - 1)
        self.values = {move: WIN - length} | self.values
        self.pv, self.depth, self.stopped_by = self.main_line(proof, move), length, "complete"
        return self.answer(move, WIN - length, proven=True)

    def main_line(self, proof: Solution, move: Cell) -> tuple[Cell, ...]:
        """How the proven win goes on, if there is the time to find out: it means replaying the proof."""
        seconds = self.limit.seconds
        in_a_hurry = seconds is not None and seconds - self.elapsed < REPLAY_SECONDS
        return (move,) if in_a_hurry else proof.pv

    # ------------------------------------------------------------------ with one

    def searched(self) -> SearchResult:
        """Search, let the opponent look at the best move, and go on: without it if it loses, else with what is left."""
        self.prepare()
        found: Found | None = self.think(self.lines)
        while found:
            if loss := self.loss(*found):
                self.refuted[found[0]] = loss
                found = self.think(self.lines) if self.strike(found[0]) else None
                if len(self.refuted) == MOST_REFUTED:
                    break
            elif found[1] > -SURE and self.goes_on():
                found = self.think(self.lines)
            else:
                break
        best, score = self.longest(found)
        others = sorted((self.values | self.lost).items(), key=lambda one: -one[1])
        self.values = {best: score} | dict([one for one in others if one[0] != best][: self.lines - 1])
        return self.answer(best, score)

    def loss(self, move: Cell, score: int) -> int:
        """After how many plies a move is seen to lose while there may be others that do not; 0 if it is not."""
        if score > -SURE:
            return self.refutation(move)
        return WIN + score - 1 if self.stopped_by in CUT_SHORT else 0

    @property
    def lost(self) -> dict[Cell, int]:
        """What the refuted moves are worth."""
        return {cell: length + 1 - WIN for cell, length in self.refuted.items()}

    def goes_on(self) -> bool:
        """Whether the limit cut the search short, and the check left enough of it."""
        if self.stopped_by not in CUT_SHORT or self.control.left(1 - CHECK_SHARE) is None:
            return False
        seconds, nodes = self.limit.seconds, self.limit.nodes
        in_time = seconds is None or seconds - self.elapsed > seconds * WORTH_GOING_ON
        return in_time and (nodes is None or nodes - self.nodes > nodes * WORTH_GOING_ON)

    def strike(self, move: Cell) -> bool:
        """Search on without a move; whether there is anything to search on with."""
        self.next_depth = 1
        left = [worker.exclude(move) for worker in self.workers]
        return bool(left[0])

    def longest(self, found: Found | None) -> Found:
        """What was found; when every move loses, the one that holds out longest, with its value."""
        if found and found[1] > -SURE:
            return found
        lost = self.lost | dict([found] if found else [])
        move = max(lost, key=lambda cell: lost[cell])
        if found is None or move != found[0]:
            self.pv = (move,)
        return move, lost[move]

    def answer(self, move: Cell, score: int, *, proven: bool = False) -> SearchResult:
        elapsed = self.control.elapsed
        if self.cancel.is_set() and not proven:
            self.stopped_by = "cancelled"
        values = self.values or {move: score}
        stats = {
            "proven": proven,
            "nodes_per_second": int(self.nodes / elapsed) if elapsed else 0,
            "refuted": len(self.refuted),
            **self.best_moves(values, self.paths | dict.fromkeys(self.refuted, ()) | {move: self.pv}),
        }
        score *= self.board.turn.sign
        return SearchResult(
            move,
            score,
            depth=self.depth,
            nodes=self.nodes,
            pv=self.pv,
            stats=stats,
            stopped_by=self.stopped_by,
            win=Win.of(score),
        )

    def best_moves(self, values: Mapping[Cell, int], paths: Mapping[Cell, tuple[Cell, ...]]) -> dict[str, object]:
        """The best moves as they are told, in how many plies a decided one ends, and of several also how they go on."""
        sign = self.board.turn.sign
        told: dict[str, object] = {"values": {cell: sign * value for cell, value in values.items()}}
        if self.lines > 1:
            told["lines"] = {cell: paths.get(cell) or (cell,) for cell in values}
        wins = {cell: win for cell, value in values.items() if (win := Win.of(value))}
        told["ends_in"] = {cell: win.plies for cell, win in wins.items()}
        return told

    # ------------------------------------------------------------------ limits

    @property
    def elapsed(self) -> float:
        return self.control.elapsed

    @property
    def nodes(self) -> int:
        return self.control.nodes

    def report(self, told: Mapping[str, object]) -> None:
        """Tell of the whole search, whichever part of it is running."""
        assert self.control.progress is not None
        nodes = self.nodes + int(str(told["nodes"]))
        self.control.progress({**told, "nodes": nodes, "elapsed": self.elapsed, **self.so_far()})

    def so_far(self) -> dict[str, object]:
        """The best moves while their search goes on, when several are asked for."""
        if self.lines == 1 or not self.workers:
            return {}
        first = self.workers[0]
        return self.best_moves(self.sober(first.values(self.lines)), first.lines_by_move())

    # ------------------------------------------------------------------ the solver

    def prove(self, board: Board, share: float) -> Solution | None:
        limit = self.control.left(share)
        if limit is None:
            return None
        solution = self.engine.solve(board, limit, self.cancel, self.progress)
        self.control.nodes += solution.nodes if solution else 0
        return solution if solution and solution.status is Status.PROVEN else None

    def refutation(self, move: Cell) -> int:
        """The length of the opponent's proven win after a move, 0 if none is found."""
        after = self.board.copy(moves=False)
        after.push(move)
        if after.is_over() or not after.legal_moves():
            return 0
        proof = self.prove(after, 0.5 if self.refuted else 1.0)
        return proof.length or 0 if proof else 0

    # ------------------------------------------------------------------ alpha-beta

    def prepare(self, excluded: tuple[Cell, ...] = ()) -> int:
        """Set up a search for each thread; how many moves there are."""
        self.workers = self.engine.workers(self.board, self.limit)
        sizes = [worker.prepare(excluded) for worker in self.workers]
        return sizes[0]

    def think(self, lines: int) -> Found:
        """The best move, as deep as the limit allows, with its value; with nothing left, what was second so far."""
        limit = self.control.left(1 - CHECK_SHARE if self.engine.options.solver else 1.0)
        first = self.workers[0]
        if limit is not None:
            self.run(limit, lines)
        else:
            self.stopped_by = ran_out(self.control)
        self.values = self.sober(first.values(lines))
        self.paths |= first.lines_by_move()
        best, score = next(iter(self.values.items()))
        line = tuple(first.line())
        if line[:1] == (best,):
            self.pv = line
        elif self.pv[:1] != (best,):
            self.pv = self.paths.get(best, (best,))  # a later line turned out better
        return best, score

    def sober(self, values: Iterable[Found]) -> dict[Cell, int]:
        """The values as they are told: under caro nothing is certain."""
        if self.board.rule not in THREAT_RULES:
            return dict(values)
        return {cell: max(-LIKELY, min(LIKELY, value)) for cell, value in values}

    def run(self, limit: Limit, lines: int) -> None:
        """Let all threads search, each with its share of the nodes."""
        first, *others = self.workers[: limit.nodes]
        nodes = None if limit.nodes is None else limit.nodes // (1 + len(others))
        control, stop = self.control.part(limit, self.progress), Cancel()
        control.tells_wins = True
        first.allow(control, nodes)
        with ThreadPoolExecutor(max(1, len(others))) as pool:
            running = [pool.submit(self.assist, other, limit, nodes, stop, self.next_depth) for other in others]
            try:
                self.deepen(first, lines)
            finally:
                stop.set()
            self.control.nodes += first.nodes_searched + sum(job.result() for job in running)
        control.finish()

    def deepen(self, search: EngineSearch, lines: int) -> None:
        """Search ply by ply until the limit, a decided value or the last ply that is left."""
        deepest = DEEPEST if self.limit.depth is None else self.limit.depth
        for depth in range(self.next_depth, min(deepest, len(self.board.empties())) + 1):
            if not search.iterate(depth, lines):
                self.stopped_by = search.stopped_by or "cancelled"
                return
            self.depth, self.next_depth = depth, depth + 1
            self.stopped_by = "depth" if depth == self.limit.depth else "complete"
            if search.only_move or all(abs(value) > SURE for _, value in search.values(lines)):
                self.stopped_by = "complete"
                return

    def assist(self, search: EngineSearch, limit: Limit, nodes: int | None, stop: Cancel, start: int) -> int:
        """Search beside the first thread, which finds the results in the table; the nodes visited."""
        search.allow(Control(limit, stop), nodes)
        for depth in range(start, DEEPEST + 1):
            if not search.iterate(depth, 1):
                break
        return search.nodes_searched
