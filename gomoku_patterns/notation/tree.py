"""Games as trees: moves, passes, stones that are set up, comments, labels and variations.

>>> tree = GameTree(15, 15)
>>> first = tree.root.add(cell=(7, 7), colour=BLACK)
>>> reply = first.add(cell=(6, 7), colour=WHITE, comment="direct")
>>> tree.board()["h9"], len(list(tree.nodes()))
(WHITE, 3)

Every walk is a loop, so that a game of any depth can be read, walked and written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.rules import Rule


class GameNode:
    """A step of a game: a move (``colour`` and ``cell``), a pass (``colour`` alone), or a change of the position.

    ``setup`` maps cells to the colour put there, or to None where a stone is taken off; ``turn`` says who moves next.
    Mappings are made when they are first asked for: most nodes need none, and a library may have a million nodes.
    """

    __slots__ = ("_labels", "_marks", "_setup", "cell", "children", "colour", "comment", "elapsed", "parent", "turn")

    def __init__(
        self,
        parent: GameNode | None = None,
        *,
        colour: Colour | None = None,
        cell: tuple[int, int] | None = None,
        setup: Mapping[Cell, Colour | None] | None = None,
        turn: Colour | None = None,
        comment: str = "",
        labels: Mapping[Cell, str] | None = None,
        marks: Mapping[Cell, str] | None = None,
        elapsed: float | None = None,
    ) -> None:
        self.parent = parent
        self.children: list[GameNode] = []
        self.colour = colour
        self.cell = None if cell is None else Cell(*cell)
        self._setup: dict[Cell, Colour | None] | None = dict(setup) if setup else None
        self.turn = turn
        self.comment = comment
        self._labels: dict[Cell, str] | None = dict(labels) if labels else None
        self._marks: dict[Cell, str] | None = dict(marks) if marks else None
        self.elapsed = elapsed

    @property
    def setup(self) -> dict[Cell, Colour | None]:
        """The cells that are changed, each with the colour put there or None."""
        if self._setup is None:
            self._setup = {}
        return self._setup

    @property
    def labels(self) -> dict[Cell, str]:
        """The texts on cells."""
        if self._labels is None:
            self._labels = {}
        return self._labels

    @property
    def marks(self) -> dict[Cell, str]:
        """The signs on cells, by SGF's names."""
        if self._marks is None:
            self._marks = {}
        return self._marks

    def add(self, *, colour: Colour | None = None, cell: tuple[int, int] | None = None, comment: str = "") -> GameNode:
        """Append a child with a move (or a pass) and return it."""
        child = GameNode(self, colour=colour, cell=cell, comment=comment)
        self.children.append(child)
        return child

    @property
    def move(self) -> Move | None:
        """The stone this node plays."""
        return Move(self.cell, self.colour) if self.cell is not None and self.colour is not None else None

    def path(self) -> list[GameNode]:
        """The nodes from the root to this one."""
        nodes = [self]
        while nodes[-1].parent is not None:
            nodes.append(nodes[-1].parent)
        return nodes[::-1]

    def content(self) -> tuple[object, ...]:
        """Everything the node says, for comparing; not its place in the tree."""
        children = len(self.children)
        mappings = (self._setup or {}, self._labels or {}, self._marks or {})
        return (self.colour, self.cell, self.turn, self.comment, *mappings, children)

    def __repr__(self) -> str:
        return f"<GameNode {self.move or self.colour or 'setup'} with {len(self.children)} children>"


@dataclass(eq=False)
class GameTree:
    """A game with its variations; ``info`` says what is known about it in SGF's words (``PB``, ``PW``, ``RE``, ...)."""

    rows: int = 15
    cols: int = 15
    rule: Rule = Rule.FREESTYLE
    root: GameNode = field(default_factory=GameNode)
    info: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_board(cls, board: Board) -> GameTree:
        """The game that leads to this position: the stones that were set up, then the moves that were pushed."""
        moved = {move.cell for move in board.moves}
        setup: dict[Cell, Colour | None] = {
            cell: colour for colour in Colour for cell in board.stones(colour) if cell not in moved
        }
        tree = cls(board.rows, board.cols, board.rule, GameNode(setup=setup))
        node, expected = tree.root, tree.board().turn
        for cell, colour in board.moves:
            node, expected = node.add(cell=cell, colour=colour), colour.opponent
        if board.turn is not expected and board.moves:
            node.add(colour=expected)
        elif board.turn is not expected:
            tree.root.turn = board.turn
        return tree

    def nodes(self) -> Iterator[GameNode]:
        """All nodes, each before its children, variations in the order written."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def main_line(self) -> list[GameNode]:
        """The root and the first child of each node in turn."""
        line = [self.root]
        while line[-1].children:
            line.append(line[-1].children[0])
        return line

    def board(self, node: GameNode | None = None) -> Board:
        """The position at a node (at the end of the main line if none is given), its moves pushed."""
        path = self.main_line() if node is None else node.path()
        last = max((number for number, step in enumerate(path) if step._setup), default=0)
        board = self._set_up(path[: last + 1])
        for step in path[last:]:
            _play(board, step)
        return board

    def _set_up(self, path: list[GameNode]) -> Board:
        """The stones that stand when the last node of a path has set up its own and not yet moved."""
        stones: dict[Cell, Colour] = {}
        for step in path[:-1]:
            _put(stones, step._setup or {})
            _put(stones, {step.cell: step.colour} if step.cell else {})
        _put(stones, path[-1]._setup or {})
        black, white = ([cell for cell, stone in stones.items() if stone is colour] for colour in (BLACK, WHITE))
        return Board(self.rows, self.cols, black=black, white=white, rule=self.rule)

    def start(self) -> Board:
        """The position before the first move: the puzzle when the game is a puzzle's solution.

        The side to move is the one the root names, or else the one that makes the first move.
        """
        board = self.board(self.root)
        if self.root.turn is None and self.root.colour is None and self.root.children:
            board.turn = self.root.children[0].colour or board.turn
        return board

    def clash(self) -> GameNode | None:
        """The first node that plays on a cell which is taken by then; None in a sound game."""
        stones: dict[Cell, Colour] = {}
        waiting: list[tuple[GameNode, dict[Cell, Colour | None] | None]] = [(self.root, None)]
        while waiting:
            node, undo = waiting.pop()
            if undo is not None:
                _put(stones, undo)
                continue
            changes: dict[Cell, Colour | None] = dict(node._setup or {})
            if node.cell is not None and node.colour is not None:
                if changes.get(node.cell, stones.get(node.cell)) is not None:
                    return node
                changes[node.cell] = node.colour
            if changes:
                waiting.append((node, {cell: stones.get(cell) for cell in changes}))
                _put(stones, changes)
            waiting.extend((child, None) for child in reversed(node.children))
        return None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameTree):
            return NotImplemented
        if (self.rows, self.cols, self.rule, self.info) != (other.rows, other.cols, other.rule, other.info):
            return False
        mine, theirs = list(self.nodes()), list(other.nodes())
        return len(mine) == len(theirs) and all(a.content() == b.content() for a, b in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]  # a tree changes, and equal trees are no keys


def _put(stones: dict[Cell, Colour], changes: Mapping[Cell, Colour | None]) -> None:
    for cell, colour in changes.items():
        if colour is None:
            stones.pop(cell, None)
        else:
            stones[cell] = colour


def _play(board: Board, step: GameNode) -> None:
    """What a step does to the board once its stones are set up."""
    if step.turn is not None:
        board.turn = step.turn
    if step.cell is not None and step.colour is not None:
        board.push(step.cell, step.colour)
    elif step.colour is not None:
        board.turn = step.colour.opponent
