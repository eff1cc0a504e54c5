"""Monte Carlo tree search in plain Python: what the native search has to equal, number for number."""

from __future__ import annotations

import math
from collections.abc import Iterator

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase, Tracker
from gomoku_patterns.rules import Rule
from search._control import MOST, Control, Stopped
from search.mcts_tree import LOST, MAX_DEPTH, REWARDS, UNKNOWN, WON, MctsOptions, Tried

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


class CandidateBoard:
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

    def copy(self) -> CandidateBoard:
        other = CandidateBoard.__new__(CandidateBoard)
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


class ReferenceMcts:
    """The search in plain Python."""

    def __init__(
        self, board: Board, options: MctsOptions, legal: list[Cell], evaluator: EvaluatorBase | None = None
    ) -> None:
        self.board = board
        self.options = options
        self.win, self.draw = REWARDS[options.reward]
        self.chance = Chance(options.seed)
        self.legal = [board.index(cell) for cell in legal]
        self.start = CandidateBoard(board)
        self.evaluator = evaluator
        self.tracker = evaluator.tracker(board) if evaluator else None
        self.played = 0
        self.root = Node(-1, 0.0, UNKNOWN)
        self.depth = self.rollouts = 0

    def run(self, control: Control, rollouts: int = MOST) -> str | None:
        """Roll out until a limit stops it, and say which, or until the root is proven.

        The tree is at most ``control.limit.depth`` plies deep.
        """
        depth = MAX_DEPTH if control.limit.depth is None else min(control.limit.depth, MAX_DEPTH)
        self.opened(self.root, self.start, self.board.turn, room=True)
        try:
            while not self.root.proven and control.nodes < rollouts:
                control.visit()
                self.iterate(depth)
                control.depth = self.depth
        except Stopped:
            pass
        self.rollouts = control.nodes
        return control.stopped_by or (None if self.root.proven else "nodes")

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

    def outcome(self, node: Node, position: CandidateBoard, turn: Colour) -> int:
        """Who wins from here, or 0."""
        if node.proven:
            return turn.opponent if node.proven == WON else turn
        return self.rollout(position, turn) if node.children is None else 0

    def opened(self, node: Node, position: CandidateBoard, turn: Colour, room: bool) -> bool:
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

    def cells(self, node: Node, position: CandidateBoard, turn: Colour) -> list[int]:
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
        if self.options.proofs:
            for child in children:
                if child.proven == WON:
                    return child
        best, most = children[0], -math.inf
        for child in children:
            if child.proven == LOST and self.options.proofs:
                continue
            promise = self.guided(node, child) if self.tracker else self.plain(node, child)
            if promise > most:
                best, most = child, promise
        return best

    def plain(self, node: Node, child: Node) -> float:
        if not child.visits:
            return math.inf
        return child.value / child.visits + self.options.exploration * math.sqrt(math.log(node.visits) / child.visits)

    def guided(self, node: Node, child: Node) -> float:
        if child.visits:
            mean = child.value / (child.visits * self.win)
        else:
            mean = 1 - node.value / (node.visits * self.win) if node.visits else 0.5
        return mean + self.options.exploration * child.prior * math.sqrt(node.visits) / (1 + child.visits)

    def rollout(self, position: CandidateBoard, turn: Colour) -> int:
        """Random moves from here: who wins, or 0."""
        for _ in range(self.options.plies):
            if not position.candidates:
                return 0
            cell = self.draw_candidate(position)
            self.play(position, cell, turn)
            if position.wins(cell, turn):
                return turn
            turn = turn.opponent
        return 0

    def draw_candidate(self, position: CandidateBoard) -> int:
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

    def play(self, position: CandidateBoard, cell: int, turn: Colour) -> None:
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
            if not self.options.proofs or not self.proves(node, parent):
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
