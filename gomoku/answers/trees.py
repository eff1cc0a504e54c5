"""Games with variations as JSON: a flat list of nodes, each naming its parent, so that no depth is too deep.

A node is ``{"parent": 0, "move": [row, col, "black"]}`` with, where there are any, ``"comment"``, ``"marks"``
(``[[row, col, "triangle"], ...]``), ``"labels"`` (``[[row, col, "A"], ...]``), ``"setup"`` (``[[row, col, "black" or
null], ...]``), ``"pass"`` (the colour that passed) and ``"turn"``. The first node is the root and has no parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour, parse_colour
from gomoku_patterns.errors import GomokuError, NotationError
from gomoku_patterns.notation import Entry, GameNode, GameTree
from gomoku_patterns.rules import Rule

Json = dict[str, Any]

MOST_NODES = 20_000
SIGNS = {"CR": "circle", "MA": "cross", "SQ": "square", "TR": "triangle"}
CODES = {sign: code for code, sign in SIGNS.items()}
MOST_COMMENT = 20_000
MOST_LABEL = 8


def tree_json(tree: GameTree) -> Json:
    """A game with its variations, comments and signs."""
    numbers: dict[int, int] = {}
    nodes: list[Json] = []
    for node in tree.nodes():
        numbers[id(node)] = len(nodes)
        nodes.append(_node_json(node, numbers))
        if len(nodes) > MOST_NODES:
            raise NotationError(f"the game has more than {MOST_NODES} moves and variations; split it", code="too-long")
    return {"rows": tree.rows, "cols": tree.cols, "rule": tree.rule.value, "info": tree.info, "nodes": nodes}


def _node_json(node: GameNode, numbers: dict[int, int]) -> Json:
    told: Json = {
        "parent": None if node.parent is None else numbers[id(node.parent)],
        "move": None if node.move is None else [*node.move.cell, str(node.move.colour)],
        "pass": str(node.colour) if node.colour is not None and node.cell is None else None,
        "turn": None if node.turn is None else str(node.turn),
        "comment": node.comment or None,
        "marks": [[*cell, SIGNS.get(sign, sign)] for cell, sign in node.marks.items()] or None,
        "labels": [[*cell, label] for cell, label in node.labels.items()] or None,
        "setup": [[*cell, None if stone is None else str(stone)] for cell, stone in node.setup.items()] or None,
    }
    return {key: value for key, value in told.items() if value is not None}


def parse_tree(value: Mapping[str, Any]) -> GameTree:
    """The game that JSON holds; what is wrong with it is said with the number of the node."""
    nodes = value.get("nodes")
    if not isinstance(nodes, list) or not 1 <= len(nodes) <= MOST_NODES:
        raise NotationError(f"'tree' needs 'nodes', a list of 1 to {MOST_NODES} nodes")
    tree = GameTree(*_size(value), Rule.parse(value.get("rule", "freestyle")), info=_info(value.get("info")))
    made: list[GameNode] = []
    for number, told in enumerate(nodes):
        try:
            made.append(_node(told, made, tree))
        except (GomokuError, TypeError, KeyError, IndexError, AttributeError) as error:
            raise NotationError(
                f"node {number} of 'tree' cannot be read: {error}"[:300], code=getattr(error, "code", None)
            ) from None
    tree.root = made[0]
    if (clash := tree.clash()) is not None:
        number = next(number for number, node in enumerate(made) if node is clash)
        raise NotationError(f"node {number} of 'tree' plays on a cell that is taken", code="cell-taken")
    return tree


def _size(value: Mapping[str, Any]) -> tuple[int, int]:
    board = Board(value.get("rows", 15), value.get("cols", 15))
    return board.rows, board.cols


def _info(value: object) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    return {key: text for key, text in value.items() if isinstance(text, str) and key.isalpha() and key.isupper()}


def _node(told: Any, made: list[GameNode], tree: GameTree) -> GameNode:
    parent = _parent(told, made)
    node = GameNode(
        parent,
        colour=_colour(told),
        cell=_cell(told["move"], tree) if told.get("move") else None,
        setup={_cell(one, tree): None if one[2] is None else parse_colour(one[2]) for one in told.get("setup", [])},
        turn=parse_colour(told["turn"]) if told.get("turn") else None,
        comment=str(told.get("comment", ""))[:MOST_COMMENT],
        labels={_cell(one, tree): str(one[2])[:MOST_LABEL] for one in told.get("labels", [])},
        marks={_cell(one, tree): CODES[one[2]] for one in told.get("marks", [])},
    )
    if parent is not None:
        parent.children.append(node)
    return node


def _parent(told: Any, made: list[GameNode]) -> GameNode | None:
    if not made:
        return None
    number = told["parent"]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < len(made):
        raise NotationError(f"its parent is {number!r:.40}, which is no earlier node")
    return made[number]


def _colour(told: Json) -> Colour | None:
    if told.get("move"):
        return parse_colour(told["move"][2])
    return parse_colour(told["pass"]) if told.get("pass") else None


def _cell(value: Any, tree: GameTree) -> Cell:
    row, col = value[0], value[1]
    for at, end in ((row, tree.rows), (col, tree.cols)):
        if not isinstance(at, int) or isinstance(at, bool) or not 0 <= at < end:
            raise NotationError(f"{value[:2]!r:.60} is no cell of this board", code="bad-cell")
    return Cell(row, col)


def game_tree(game: str | bytes | GameTree | Board | Mapping[str, Any], format: str | None) -> GameTree:
    """The game that was given, in whatever form."""
    if isinstance(game, GameTree):
        return game
    if isinstance(game, Board):
        return GameTree.from_board(game)
    return parse_tree(game) if isinstance(game, Mapping) else read_tree(game, format)


def read_tree(text: str | bytes, format: str | None) -> GameTree:
    """The one game in a text of any notation; a position is a game without moves."""
    from gomoku_patterns.notation import read_positions

    found = list(islice(read_positions(text, name="text", format=format), 2))
    if len(found) > 1:
        raise NotationError("text: a second position begins in it; give one at a time", code="several-positions")
    return found[0].game()


def write_tree(tree: GameTree, format: str) -> str:
    """The game in a notation; one without variations gets the main line."""
    from gomoku_patterns.notation import write_positions

    return "".join(write_positions([Entry(tree.board(), tree=tree)], format))
