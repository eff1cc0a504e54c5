"""Monte Carlo tree search: UCT over the neighbours of stones, and beyond it.

As its source describes it: the candidates are the empty ones of the eight neighbours of each stone (the centre of an
empty board), a rollout plays random candidates up to a number of plies, a win, a loss and an undecided rollout are
worth 1, 0 and 0.5 (``reward="half"``) or 100, 0 and 1 (``"hundred"``), UCT explores with the square root of two, and
the most visited move is played.

>>> from gomoku_patterns import Board
>>> board = Board(black=["h8", "h9", "h10", "h11"], white=["g8", "g9", "g10", "h12"])
>>> board.name(mcts(board, Limit(nodes=200)).move)
'h7'

Beyond the source:

- ``proofs``: a move that makes five is seen when a node is opened, and wins and losses are backed up the tree. They are
  proven *among the candidates*: a reply away from all stones is not looked at.
- ``table``: any pattern table guides the search. A candidate weighs what a stone of either colour on it gains (beside
  the turn, where that is worth something), plus one. Rollouts draw candidates by their weight, and selection prefers
  them by the square root of it (PUCT).
- The tree is kept between moves, its nodes lie in one pool of bounded size (``memory``), and the same seed plays the
  same game.

Decided here, where the description is silent: a node's children are opened on its second visit, in the order of the
candidate list, and without a table each is tried once before any is tried again; black's forbidden points under renju
are no children, but rollouts may play them; if no candidate of the root is legal, all legal cells are tried. A node is
a rollout. Scores, also those in ``values``, are thousandths of a certain win, black minus white.

:class:`Reference` is the search in plain Python; the native one grows the same tree, number for number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, WHITE, Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase, Tracker, as_evaluator
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.rules import Rule
from search._control import Cancel, Control
from search._mcts import Tree
from search.alphabeta import core_tracker
from search.players import Option, Player, parse_options, playable, tightened
from search.result import MOST, Limit, Progress, SearchResult
from search.watch import Stopped, Watch

REWARDS = {"half": (1.0, 0.5), "hundred": (100.0, 1.0)}
"""What a won and an undecided rollout are worth; a lost one is worth nothing."""

WON, UNKNOWN, LOST = 1, 0, -1
"""What is proven of a node, for the colour whose move led to it."""

OPTIONS = (
    Option("rollouts", int, 20000, "how many, unless a limit says so", least=1, most=MOST),
    Option("reward", str, "half", "win, loss and undecided: 1, 0, 0.5 or 100, 0, 1", choices=tuple(REWARDS)),
    Option("exploration", float, math.sqrt(2), "how much to try what was tried little", least=0),
    Option("plies", int, 40, "how long a rollout may be", least=0, most=MAX_SIDE**2),
    Option("table", object, None, "a pattern table that guides selection and rollouts", none="off"),
    Option("proofs", bool, True, "back up proven wins and losses"),
    Option("reuse", bool, True, "keep the tree between moves"),
    Option("memory", int, 256, "most megabytes for the tree", least=1, most=16384),
    Option("seed", int, 0, "another seed, other rollouts", least=0, most=2**63 - 1),
)


@dataclass(frozen=True)
class Settings:
    """How the tree is grown."""

    reward: str = "half"
    exploration: float = math.sqrt(2)
    plies: int = 40
    proofs: bool = True
    memory: int = 256
    seed: int = 0


MAX_DEPTH = 484


# ---------------------------------------------------------------------- the reference

_MASK = 2**64 - 1


class Chance:
    """The random numbers of both searches: SplitMix64."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def number(self) -> int:
        self._state = self._state + 0x9E3779B97F4A7C15 & _MASK
        mixed = (self._state ^ self._state >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK
        return mixed ^ mixed >> 31

    def below(self, count: int) -> int:
        return (self.number() >> 32) * count >> 32


class Position:
    """Stones and the list of candidates, in the order in which they became candidates."""

    def __init__(self, board: Board) -> None:
        self.rows, self.cols = board.rows, board.cols
        self.rule = board.rule
        self.stones = [int(value) for value in board.flat]
        self.candidates: list[int] = []
        self.where: dict[int, int] = {}
        for index, value in enumerate(self.stones):
            if not value and any(self.stones[other] for other in self.neighbours(index)):
                self._add(index)
        if not any(self.stones):
            self._add(self.rows // 2 * self.cols + self.cols // 2)

    def copy(self) -> Position:
        other = Position.__new__(Position)
        other.__dict__.update(self.__dict__)
        other.stones, other.candidates, other.where = list(self.stones), list(self.candidates), dict(self.where)
        return other

    def board(self) -> Board:
        """The stones alone."""
        board = Board(self.rows, self.cols, rule=self.rule)
        board._cells[:] = bytes(self.stones)
        return board

    def neighbours(self, index: int) -> Iterator[int]:
        row, col = divmod(index, self.cols)
        for r in (row - 1, row, row + 1):
            for c in (col - 1, col, col + 1):
                if 0 <= r < self.rows and 0 <= c < self.cols and (r, c) != (row, col):
                    yield r * self.cols + c

    def play(self, index: int, colour: int) -> None:
        """Put a stone; the last candidate takes the place of the one that was played, new ones go to the end."""
        self.stones[index] = colour
        if index in self.where:
            at, last = self.where.pop(index), self.candidates.pop()
            if last != index:
                self.candidates[at] = last
                self.where[last] = at
        for other in self.neighbours(index):
            if not self.stones[other] and other not in self.where:
                self._add(other)

    def _add(self, index: int) -> None:
        self.where[index] = len(self.candidates)
        self.candidates.append(index)

    def wins(self, index: int, colour: int) -> bool:
        """Whether a stone on this cell, put there or not, makes a winning row."""
        return any(self._is_win(index, colour, step) for step in ((0, 1), (1, 0), (1, 1), (1, -1)))

    def _is_win(self, index: int, colour: int, step: tuple[int, int]) -> bool:
        ahead, end = self._walk(index, colour, *step)
        behind, start = self._walk(index, colour, -step[0], -step[1])
        length = ahead + behind + 1
        if length == 5:
            blocked = start == end == 3 - colour
            return not (blocked and self.rule.can_be_blocked)
        return length > 5 and not self.rule.only_five(colour)

    def _walk(self, index: int, colour: int, row_step: int, col_step: int) -> tuple[int, int]:
        """How many stones of the colour follow, and what ends them."""
        row, col = divmod(index, self.cols)
        for count in range(max(self.rows, self.cols)):
            row, col = row + row_step, col + col_step
            if not (0 <= row < self.rows and 0 <= col < self.cols):
                return count, -1
            if self.stones[row * self.cols + col] != colour:
                return count, self.stones[row * self.cols + col]
        raise AssertionError("a row longer than the board")


class Ended(NamedTuple):
    """How many rollouts there were, how long they took, and what stopped them; nothing did if the root is proven."""

    rollouts: int
    elapsed: float
    stopped_by: str | None


class Tried(NamedTuple):
    """What is known of a root move: how often it was tried, what that was worth in all, and what is proven."""

    cell: Cell
    visits: int
    value: float
    proven: int


class Node:
    """A move, how often it was tried, and what came of it for the colour that made it."""

    __slots__ = ("children", "index", "prior", "proven", "value", "visits")

    def __init__(self, index: int, prior: float, proven: int) -> None:
        self.index = index
        self.prior = prior
        self.proven = proven
        self.visits = 0
        self.value = 0.0
        self.children: list[Node] | None = None


class Reference:
    """The search in plain Python."""

    def __init__(
        self, board: Board, settings: Settings, legal: list[Cell], evaluator: EvaluatorBase | None = None
    ) -> None:
        self.board = board
        self.settings = settings
        self.win, self.draw = REWARDS[settings.reward]
        self.chance = Chance(settings.seed)
        self.legal = [board.index(cell) for cell in legal]
        self.start = Position(board)
        self.evaluator = evaluator
        self.tracker = evaluator.tracker(board) if evaluator else None
        self.played = 0
        self.root = Node(-1, 0.0, UNKNOWN)
        self.depth = 0

    def run(self, limit: Limit, cancel: Cancel | None = None, progress: Progress | None = None) -> Ended:
        """Roll out until a limit stops it or the root is proven; the tree is at most ``limit.depth`` plies deep."""
        watch, depth = Watch(limit, cancel, progress), min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        self.opened(self.root, self.start, self.board.turn, room=True)
        try:
            while not self.root.proven:
                watch.visit()
                self.iterate(depth)
                watch.depth = self.depth
        except Stopped:
            pass
        return Ended(watch.nodes, watch.elapsed, watch.stopped_by)

    @property
    def proven(self) -> int:
        """What is proven for the side to move."""
        return -self.root.proven

    def iterate(self, depth: int) -> None:
        """Down the tree, one rollout, and back."""
        position, path, turn = self.start.copy(), [self.root], self.board.turn
        while self.opened(path[-1], position, turn, room=len(path) <= depth):
            if not path[-1].children:
                break
            path.append(self.select(path[-1]))
            self.play(position, path[-1].index, turn)
            turn = turn.opponent
            if path[-1].proven:
                break
        self.back_up(path, self.outcome(path[-1], position, turn))
        self.take_back()

    def outcome(self, node: Node, position: Position, turn: Colour) -> int:
        """Who wins from here, or 0."""
        if node.proven:
            return turn.opponent if node.proven == WON else turn
        return self.rollout(position, turn) if node.children is None else 0

    def opened(self, node: Node, position: Position, turn: Colour, room: bool) -> bool:
        """Whether a node has its children, or gets them now: on its second visit, the root on its first."""
        if node.children is None and room and (node.visits or node is self.root):
            cells = self.cells(node, position, turn)
            weights = [math.sqrt(weight) for weight in self.weights(cells)]
            total = sum(weights)
            node.children = [
                Node(cell, weight / total, WON if position.wins(cell, turn) else UNKNOWN)
                for cell, weight in zip(cells, weights, strict=True)
            ]
        return node.children is not None

    def cells(self, node: Node, position: Position, turn: Colour) -> list[int]:
        """The moves to be tried: the candidates that are legal."""
        if node is self.root:
            return [cell for cell in position.candidates if cell in self.legal] or self.legal
        if position.rule is not Rule.RENJU or turn is not BLACK:
            return position.candidates[:]
        board = position.board()
        return [cell for cell in position.candidates if not rules.is_forbidden(board, board.at(cell))]

    def select(self, node: Node) -> Node:
        """The child to try: one that wins, else the most promising one that is not lost."""
        children = node.children or []
        if self.settings.proofs:
            for child in children:
                if child.proven == WON:
                    return child
        best, most = children[0], -math.inf
        for child in children:
            if child.proven == LOST and self.settings.proofs:
                continue
            promise = self.guided(node, child) if self.tracker else self.plain(node, child)
            if promise > most:
                best, most = child, promise
        return best

    def plain(self, node: Node, child: Node) -> float:
        if not child.visits:
            return math.inf
        return child.value / child.visits + self.settings.exploration * math.sqrt(math.log(node.visits) / child.visits)

    def guided(self, node: Node, child: Node) -> float:
        if child.visits:
            mean = child.value / (child.visits * self.win)
        else:
            mean = 1 - node.value / (node.visits * self.win) if node.visits else 0.5
        return mean + self.settings.exploration * child.prior * math.sqrt(node.visits) / (1 + child.visits)

    def rollout(self, position: Position, turn: Colour) -> int:
        """Random moves from here: who wins, or 0."""
        for _ in range(self.settings.plies):
            if not position.candidates:
                return 0
            cell = self.draw_candidate(position)
            self.play(position, cell, turn)
            if position.wins(cell, turn):
                return turn
            turn = turn.opponent
        return 0

    def draw_candidate(self, position: Position) -> int:
        if not self.tracker:
            return position.candidates[self.chance.below(len(position.candidates))]
        weights = self.weights(position.candidates)
        left = self.chance.number() % sum(weights)
        for cell, weight in zip(position.candidates, weights, strict=True):
            left -= weight
            if left < 0:
                return cell
        raise AssertionError("weights that do not add up")

    def weights(self, cells: list[int]) -> list[int]:
        """What a stone of either colour gains on each cell beside the turn, plus one; all alike without a guide."""
        if not (self.evaluator and self.tracker):
            return [1] * len(cells)
        tempo, gain = self.tempo(self.evaluator, self.tracker), self.tracker.gain
        both = (sum(colour.sign * gain(self.board.at(cell), colour) for colour in Colour) for cell in cells)
        return [1 + max(0, worth + tempo) for worth in both]

    def tempo(self, evaluator: EvaluatorBase, tracker: Tracker) -> int:
        """What it is worth to both colours together to be the one to move, where scores tell that."""
        if not evaluator.additive:
            return 0
        board = tracker.board
        board.turn = BLACK
        if_black = evaluator.score(board)
        board.turn = WHITE
        return 2 * (if_black - evaluator.score(board))

    def play(self, position: Position, cell: int, turn: Colour) -> None:
        position.play(cell, turn)
        if self.tracker:
            self.tracker.play(self.board.at(cell), turn)
            self.played += 1

    def take_back(self) -> None:
        while self.tracker and self.played:
            self.tracker.undo()
            self.played -= 1

    def back_up(self, path: list[Node], winner: int) -> None:
        """Count what came of it for whoever made each move, and what it proves."""
        mover = self.board.turn.opponent
        for node in path:
            node.visits += 1
            node.value += self.win if winner == mover else self.draw if winner == 0 else 0.0
            mover = mover.opponent
        self.depth = max(self.depth, len(path) - 1)
        for node, parent in zip(path[:0:-1], path[-2::-1], strict=True):
            if not self.settings.proofs or not self.proves(node, parent):
                break

    def proves(self, node: Node, parent: Node) -> bool:
        """Whether something is known of the parent now: a winning answer refutes it, only lost ones prove it."""
        if node.proven == WON:
            parent.proven = LOST
        elif node.proven == LOST and all(child.proven == LOST for child in parent.children or []):
            parent.proven = WON
        return bool(parent.proven)

    def moves(self) -> list[Tried]:
        """What was tried at the root."""
        return [
            Tried(self.board.at(node.index), node.visits, node.value, node.proven) for node in self.root.children or []
        ]

    def line(self) -> tuple[Cell, ...]:
        """The line of the most tried moves."""
        node, line = self.root, []
        while node.children and (best := max(node.children, key=lambda child: (child.proven, child.visits))).visits:
            node = best
            line.append(self.board.at(node.index))
        return tuple(line)


# ---------------------------------------------------------------------- the native search


class Native:
    """The search in the native core; it may keep its tree when moves are played."""

    def __init__(
        self, board: Board, settings: Settings, legal: list[Cell], evaluator: EvaluatorBase | None = None
    ) -> None:
        self.board = board.copy(moves=False)
        self.settings = settings
        win, draw = REWARDS[settings.reward]
        self._tree = Tree(
            board,
            legal,
            core_tracker(evaluator, board) if evaluator else None,
            win=win,
            draw=draw,
            exploration=settings.exploration,
            plies=settings.plies,
            proofs=settings.proofs,
            memory=settings.memory,
        )

    def run(self, limit: Limit, cancel: Cancel | None = None, progress: Progress | None = None) -> Ended:
        """Roll out until a limit stops it or the root is proven; the tree is at most ``limit.depth`` plies deep."""
        control = Control(limit, cancel, progress)
        nodes = 2**62 if limit.nodes is None else limit.nodes
        complete = self._tree.run(control, self.settings.seed, nodes, min(limit.depth or MAX_DEPTH, MAX_DEPTH))
        return Ended(self._tree.rollouts, control.elapsed, "nodes" if complete else control.stopped_by)

    def follow(self, board: Board, legal: list[Cell]) -> bool:
        """Keep the part of the tree under the moves that lead to another board, if it has that part."""
        moves = _moves_between(self.board, board)
        if not moves or not self._tree.follow([board.index(cell) for cell in moves], legal):
            return False
        self.board = board.copy(moves=False)
        return True

    @property
    def proven(self) -> int:
        return self._tree.proven

    @property
    def depth(self) -> int:
        return self._tree.depth

    def moves(self) -> list[Tried]:
        return [Tried(self.board.at(cell), visits, value, proven) for cell, visits, value, proven in self._tree.moves()]

    def line(self) -> tuple[Cell, ...]:
        return tuple(self.board.at(cell) for cell in self._tree.line())


def _moves_between(before: Board, after: Board) -> list[Cell]:
    """The one or two moves, a stone of each side in turn, that lead from one position to the other, or none."""
    if (before.rows, before.cols, before.rule) != (after.rows, after.cols, after.rule):
        return []
    changed = [index for index, (old, new) in enumerate(zip(before.flat, after.flat, strict=True)) if old != new]
    if any(before.flat[index] for index in changed) or len(changed) > 2:
        return []
    changed.sort(key=lambda index: after.flat[index] != before.turn)
    turns = [before.turn, before.turn.opponent, before.turn]
    if [after.flat[index] for index in changed] != turns[: len(changed)] or after.turn != turns[len(changed)]:
        return []
    return [after.at(index) for index in changed]


# ---------------------------------------------------------------------- the search


def mcts(
    board: Board,
    limit: Limit | None = None,
    *,
    table: Any = None,
    rollouts: int = 20000,
    reward: str = "half",
    exploration: float = math.sqrt(2),
    plies: int = 40,
    proofs: bool = True,
    memory: int = 256,
    seed: int = 0,
    native: bool | None = None,
    cancel: Cancel | None = None,
    progress: Progress | None = None,
) -> SearchResult:
    """The most tried move; ``rollouts`` counts when the limit has neither nodes nor seconds.

    ``table`` is a pattern table's name or file, or any evaluator. ``native=False`` asks for the search in plain Python.

    ``stats``: ``values`` of the root moves, how often they were ``visited``, and what is ``proven`` for the side to
    move: ``win``, ``loss`` or None.
    """
    written = {
        "reward": reward,
        "exploration": exploration,
        "plies": plies,
        "proofs": proofs,
        "memory": memory,
        "seed": seed,
    }
    settings = Settings(**parse_options("mcts", OPTIONS, written))
    legal = playable(board, limit)
    if len(legal) < 2:
        return _without_choice(legal)
    tree = _new_tree(board, settings, legal, table, native)
    return _grow(tree, board, rollouts, limit, cancel=cancel, progress=progress)


def _without_choice(legal: list[Cell]) -> SearchResult:
    """The answer where there is one legal cell, or none."""
    return SearchResult(legal[0] if legal else None, 0, pv=tuple(legal))


def _new_tree(
    board: Board, settings: Settings, legal: list[Cell], table: Any, native: bool | None
) -> Native | Reference:
    evaluator = None if table is None else as_evaluator(table, native=native is not False)
    kind = Reference if native is False or (evaluator and not isinstance(evaluator, NativeEvaluator)) else Native
    return kind(board, settings, legal, evaluator)


def _grow(
    tree: Native | Reference,
    board: Board,
    rollouts: int,
    limit: Limit | None,
    *,
    cancel: Cancel | None,
    progress: Progress | None,
) -> SearchResult:
    own = None if limit and (limit.nodes or limit.seconds) else rollouts
    ended = tree.run(tightened(limit, nodes=own), cancel, progress)
    stopped_by = ended.stopped_by or "complete"
    if own and stopped_by == "nodes" and limit:
        stopped_by = "depth"
    tried = tree.moves()
    best = max(tried, key=lambda one: (one.proven, one.visits))
    stats = {
        "values": {one.cell: _score(one, board, tree.settings) for one in tried if one.visits},
        "visited": {one.cell: one.visits for one in tried if one.visits},
        "proven": {1: "win", -1: "loss", 0: None}[tree.proven],
    }
    line = tree.line() if best.visits else (best.cell,)
    return SearchResult(
        move=best.cell,
        score=_score(best, board, tree.settings),
        depth=tree.depth,
        nodes=ended.rollouts,
        elapsed=ended.elapsed,
        pv=line,
        stats=stats,
        stopped_by=stopped_by,
    )


def _score(one: Tried, board: Board, settings: Settings) -> int:
    """Thousandths of a certain win, for black."""
    if one.proven or not one.visits:
        return 1000 * one.proven * board.turn.sign
    return round(2000 * one.value / (one.visits * REWARDS[settings.reward][0]) - 1000) * board.turn.sign


class MctsPlayer(Player):
    """:func:`mcts` with its parameters as options; it keeps its tree from move to move."""

    kind = "mcts"
    summary = "Monte Carlo tree search: random or guided rollouts, proofs, and a tree that is kept."
    options = OPTIONS

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        names = ("reward", "exploration", "plies", "proofs", "memory", "seed")
        self._settings = Settings(**{name: self.settings[name] for name in names})
        table = self.settings["table"]
        self._evaluator = None if table is None else as_evaluator(table)
        self._tree: Native | Reference | None = None

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        cancel: Cancel | None = None,
        progress: Progress | None = None,
    ) -> SearchResult:
        started, legal = time.monotonic(), playable(board, limit)
        if len(legal) < 2:
            return _without_choice(legal)
        tree = self._kept(board, legal) or _new_tree(board, self._settings, legal, self._evaluator, None)
        self._tree = None
        if limit and limit.seconds:
            # Keeping a large tree takes time too.
            limit = replace(limit, seconds=max(1e-6, limit.seconds - (time.monotonic() - started)))
        result = _grow(tree, board, self.settings["rollouts"], limit, cancel=cancel, progress=progress)
        self._tree = tree if self.settings["reuse"] else None
        return result

    def _kept(self, board: Board, legal: list[Cell]) -> Native | None:
        tree = self._tree
        return tree if isinstance(tree, Native) and tree.follow(board, legal) else None

    def new_game(self) -> None:
        self._tree = None
