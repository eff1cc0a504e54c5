"""The engine: the player to beat.

A move is found in three steps that share the time. First the solver looks for a proven win. Then alpha-beta
(:mod:`search._engine`) deepens ply by ply over the cells that the threats on the board allow. Last, the solver looks at
the chosen move with the opponent's eyes: a move after which the opponent has a proven win is struck out, and
the search goes on with the others.

Under caro, whose fives need both ends' colours, threats are counted as under standard rules: legal, only weaker.

>>> from gomoku_patterns import Board
>>> from search import Limit, player
>>> board = Board(black=["h8", "i8", "j8"], white=["h9", "i9", "c3"])
>>> result = player("engine").search(board, Limit(depth=4))
>>> board.name(result.move), result.stats["proven"]
('g8', True)
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import PlayerError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator, tracker_on
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search._engine import AlphaBeta, Transpositions
from search._threats import ThreatBoard
from search.players import Option, Player, playable, tightened
from search.result import Limit, Progress, SearchResult
from search.solver import Solution, Solver, Status

WIN = 1 << 28
SURE = WIN - 1024
DEFAULT = Limit(seconds=1.0)

SOLVER_SHARE = 0.25
"""Of the time (or nodes), for proving a win before the search."""
CHECK_SHARE = 0.2
"""Of the time, for looking at the chosen move with the opponent's eyes."""
LEAST_SECONDS = 0.0005
DEEPEST = 60
MOST_REFUTED = 12
SOLVER_MEGABYTES = 64
DEPTH_SOLVER_NODES = 20_000
"""Where only the depth is limited the solver gets so many nodes, so that the answer never depends on the clock."""

THREAT_RULES = {Rule.CARO: Rule.STANDARD, Rule.CARO_OVERLINE: Rule.FREESTYLE}


class Engine(Player):
    """Alpha-beta with threats, a pattern table as evaluation, and the solver before and after."""

    kind = "engine"
    summary = "Deepening alpha-beta on threats, a solver that proves wins, any table as evaluation."
    options = (
        Option("table", object, "engine", "the pattern table it judges by: a name or a TOML file"),
        Option("depth", int, None, "plies to look ahead at most", least=1, most=60, none="limit"),
        Option("threads", int, 1, "threads that search", least=1, most=64),
        Option("hash", int, 64, "megabytes for what was found out about positions", least=1, most=65536),
        Option("solver", bool, True, "prove wins and refute losing moves"),
        Option("lines", int, 1, "best moves to tell the value of", least=1, most=484),
    )

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._evaluator = _native(self.settings["table"])
        self._table = Transpositions(self.settings["hash"])
        self._solver = Solver(memory=SOLVER_MEGABYTES << 20)
        self.solver_nodes = 0
        self._workers: list[AlphaBeta] = []
        self._shape: tuple[int, int, Rule] | None = None

    def new_game(self) -> None:
        self._table.clear()
        for worker in self._workers:
            worker.new_game()
        self._solver = Solver(memory=SOLVER_MEGABYTES << 20)

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        return _Move(self, board, limit, cancel, progress).result()

    def candidates(self, board: Board, limit: Limit | None = None) -> dict[Cell, int]:
        """The values of the ten best moves for the side to move."""
        many = Engine(**{**self.settings, "lines": 10, "solver": False})
        values = many.search(board, limit).stats.get("values", {})
        return {cell: board.turn.sign * value for cell, value in values.items()}

    def workers(self, board: Board) -> list[AlphaBeta]:
        """A search for each thread, set to the position."""
        shape = (board.rows, board.cols, board.rule)
        if self._shape != shape:
            self._workers = [self._worker(board) for _ in range(self.settings["threads"])]
            self._shape = shape
            self._table.clear()
        for worker in self._workers:
            worker.set(board)
        return self._workers

    def _worker(self, board: Board) -> AlphaBeta:
        threats = ThreatBoard(board, THREAT_RULES.get(board.rule, board.rule))
        return AlphaBeta(threats, tracker_on(self._evaluator.core, board.rows, board.cols), self._table)

    def own_limit(self, limit: Limit | None) -> Limit:
        """The limit asked for, not looking deeper than the player's own depth."""
        if self.settings["depth"] is not None:
            return tightened(limit, depth=self.settings["depth"])
        return limit or DEFAULT

    def proof(self, board: Board, limit: Limit, cancel: Cancel, progress: Progress | None) -> Solution | None:
        """A proven win of the side to move, if the solver is asked and finds one."""
        if not self.settings["solver"] or board.rule in THREAT_RULES:
            return None
        budget = limit if limit.seconds or limit.nodes else Limit(nodes=DEPTH_SOLVER_NODES)
        solution = self._solver.solve(board, budget, cancel=cancel, progress=progress)
        self.solver_nodes = solution.nodes
        return solution if solution.status is Status.PROVEN else None


def _native(table: object) -> NativeEvaluator:
    evaluator = as_evaluator(table)
    if not isinstance(evaluator, NativeEvaluator):
        raise PlayerError(f"expected a pattern table for the engine to judge by, found {evaluator.name!r}")
    return evaluator


class _Move:
    """One search for a move: what was found so far, and what is left of the limit."""

    def __init__(
        self, engine: Engine, board: Board, limit: Limit | None, cancel: Cancel | None, progress: Progress | None
    ) -> None:
        self.engine, self.board, self.limit = engine, board, engine.own_limit(limit)
        self.cancel, self.progress = cancel or Cancel(), progress
        self.started = time.monotonic()
        self.nodes = self.depth = 0
        self.stopped_by = "complete"
        self.values: dict[Cell, int] = {}
        self.pv: tuple[Cell, ...] = ()
        self.refuted: dict[Cell, int] = {}

    def result(self) -> SearchResult:
        legal = playable(self.board)
        if len(legal) < 2 or not len(self.board):
            return self.answer(self.obvious(legal), 0)
        if proof := self.prove(self.board, SOLVER_SHARE):
            self.pv = proof.pv
            return self.answer(proof.move, WIN - (proof.length or 0), proven=True)
        return self.searched()

    def obvious(self, legal: list[Cell]) -> Cell | None:
        """The centre of an empty board, the only move, or none."""
        centre = Cell(self.board.rows // 2, self.board.cols // 2)
        move = centre if centre in legal else legal[0] if legal else None
        self.pv = (move,) if move else ()
        return move

    def searched(self) -> SearchResult:
        """Search, let the opponent look at the best move, and search on without it if that loses."""
        best, score = self.best_of()
        while best is not None and score > -SURE and (refutation := self.refutation(best)):
            self.refuted[best] = refutation
            if len(self.refuted) == MOST_REFUTED or self.left() is None:
                break
            best, score = self.best_of()
        if best is None or best in self.refuted:
            best = max(self.refuted, key=lambda cell: self.refuted[cell])
            score, self.pv = self.refuted[best] + 1 - WIN, (best,)
        return self.answer(best, score)

    def answer(self, move: Cell | None, score: int, *, proven: bool = False) -> SearchResult:
        sign = self.board.turn.sign
        elapsed = self.elapsed
        stats = {
            "proven": proven,
            "nodes_per_second": int(self.nodes / elapsed) if elapsed else 0,
            "refuted": len(self.refuted),
            "values": {cell: sign * value for cell, value in self.values.items()} or {move: sign * score},
        }
        return SearchResult(
            move, sign * score, self.depth, self.nodes, elapsed, self.pv, stats if move else {}, self.stopped_by
        )

    # ------------------------------------------------------------------ limits

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.started

    def left(self, share: float = 1.0) -> Limit | None:
        """A share of what is left of the limit; None when nothing is."""
        seconds = None if self.limit.seconds is None else (self.limit.seconds - self.elapsed) * share
        nodes = None if self.limit.nodes is None else int((self.limit.nodes - self.nodes) * share)
        if (seconds is not None and seconds < LEAST_SECONDS) or (nodes is not None and nodes < 1):
            return None
        return None if self.cancel.is_set() else Limit(depth=self.limit.depth, nodes=nodes, seconds=seconds)

    # ------------------------------------------------------------------ the solver

    def prove(self, board: Board, share: float) -> Solution | None:
        limit = self.left(share)
        if limit is None:
            return None
        proof = self.engine.proof(board, limit, self.cancel, self.progress)
        self.nodes += self.engine.solver_nodes
        return proof

    def refutation(self, move: Cell) -> int:
        """The length of the opponent's proven win after a move, 0 if none is found."""
        after = self.board.copy(moves=False)
        after.push(move)
        proof = None if after.is_over() else self.prove(after, 0.5 if self.refuted else 1.0)
        return proof.length or 0 if proof else 0

    # ------------------------------------------------------------------ alpha-beta

    def best_of(self) -> tuple[Cell | None, int]:
        """The best move that is not refuted, as deep as the limit allows, with its value."""
        limit = self.left(1 - CHECK_SHARE if self.engine.settings["solver"] else 1.0)
        first, *others = self.engine.workers(self.board)
        if limit is None:
            limit = Limit(nodes=1)
        control = Control(limit, self.cancel, self.progress)
        if not first.prepare(control, limit.nodes, self.refuted):
            return None, 0
        stop = Cancel()
        with ThreadPoolExecutor(max(1, len(others))) as pool:
            running = [pool.submit(self.assist, other, limit, stop) for other in others]
            self.deepen(first, limit)
            stop.set()
            self.nodes += first.nodes_searched + sum(job.result() for job in running)
        control.finish()
        self.stopped_by = control.stopped_by or self.stopped_by
        self.values = dict(first.values(self.engine.settings["lines"]))
        return next(iter(self.values.items()))

    def deepen(self, search: AlphaBeta, limit: Limit) -> None:
        """Search ply by ply until the limit, a decided value or the last ply that is left."""
        deepest = min(limit.depth or DEEPEST, len(self.board.empties()))
        for depth in range(1, deepest + 1):
            if not search.iterate(depth, self.engine.settings["lines"]):
                self.stopped_by = search.stopped_by or "cancelled"
                break
            self.depth = depth
            self.pv = tuple(search.line())
            values = [value for _, value in search.values(self.engine.settings["lines"])]
            if all(abs(value) > SURE for value in values) or search.only_move:
                return
            self.stopped_by = "depth" if depth == limit.depth else "complete"

    def assist(self, search: AlphaBeta, limit: Limit, stop: Cancel) -> int:
        """Search beside the first thread, a ply deeper, for the table's sake; the nodes visited."""
        control = Control(limit, stop)
        search.prepare(control, None, self.refuted)
        for depth in range(1, DEEPEST + 1):
            if not search.iterate(depth, 1, offset=depth % 2):
                break
        return search.nodes_searched
