"""Proofs as JSON: read with a reason for every refusal, written compactly and always the same way.

Reading trusts nothing: unknown keys, cells off the board, numbers of nodes that are not there, and nodes that lead back
to themselves are refused with their place. Neither reading nor writing recurses, however deep a tree is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NoReturn

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, parse_cell
from gomoku_patterns.errors import BoardError, GomokuError, ProofError, shown
from gomoku_patterns.notation.json_position import json_position, parse_json_position
from gomoku_patterns.rules import Rule
from search.proof import ELSEWHERE, Attack, Defence, Proof, children, leaves_first

_PLAIN = re.compile(r"[A-Za-z0-9_]{1,20}")
"""Keys and names of cells that messages print as they stand in the file."""
_LONGEST_PLACE = 16
"""How many keys of a place messages show."""
_KEYS = ("version", "position", "attacker", "tree")

# ---------------------------------------------------------------------- from JSON

Where = tuple[Any, ...]
"""A place in the JSON: (the place above, the key there), or () for the top."""


def read_proof(value: object) -> Proof:
    """The proof in a JSON value."""
    if isinstance(value, dict) and value.get("version") == 2 and type(value["version"]) is int:
        top = _object(value, (), (*_KEYS, "passing"), ("nodes",))
        if not isinstance(top["passing"], bool):
            _wrong("true or false", top["passing"], ("passing",))
    else:
        top = _object(value, (), _KEYS, ("nodes",))
        if type(top["version"]) is not int or top["version"] != 1:
            _wrong("version 1 or 2", top["version"], ("version",))
    try:
        board = parse_json_position(top["position"])
    except GomokuError as error:
        raise ProofError(f"position: {error}") from None
    if top["attacker"] != str(board.turn):
        _wrong(f"{str(board.turn)!r}, whose turn it is in the position", top["attacker"], ("attacker",))
    shared = top.get("nodes", [])
    if not isinstance(shared, list):
        _wrong("a list of nodes", shared, ("nodes",))
    if top.get("passing") is False and board.rule is Rule.RENJU:
        _wrong("true under renju, where the defender may pass", False, ("passing",))
    reader = _Reader(board, shared, top["version"])
    tree = reader.read(top["tree"])
    leaves_first(tree, *reader.shared)
    return Proof(board, tree, passing=top.get("passing"))


class _Reader:
    """Builds the tree. Nesting costs no recursion: what is still to be read waits in a list."""

    def __init__(self, board: Board, shared: list[object], version: int) -> None:
        self.more = ("defaults",) if version == 2 else ()
        self.rows, self.cols = board.rows, board.cols
        self.cells: dict[str, Cell] = {}
        self.todo: list[tuple[object, Attack, Where]] = []
        self.shared = [self._later(node, (("nodes",), number)) for number, node in enumerate(shared)]

    def read(self, tree: object) -> Attack:
        root = self._node(tree, ("tree",))
        while self.todo:
            self._fill(*self.todo.pop())
        return root

    def _later(self, node: object, where: Where) -> Attack:
        attack = Attack.__new__(Attack)
        self.todo.append((node, attack, where))
        return attack

    def _node(self, node: object, where: Where) -> Attack:
        if type(node) is not int:
            return self._later(node, where)
        if not 0 <= node < len(self.shared):
            _wrong(f"the number of one of the {len(self.shared)} shared nodes", node, where)
        return self.shared[node]

    def _fill(self, node: object, attack: Attack, where: Where) -> None:
        if isinstance(node, dict) and list(node) == ["elsewhere"] and node["elsewhere"] is True and self.more:
            attack.move, attack.then = ELSEWHERE, None
            return
        parts = _object(node, where, required=("move",), optional=("then",))
        attack.move = self._cell(parts["move"], (where, "move"))
        attack.then = self._defence(parts["then"], (where, "then")) if "then" in parts else None

    def _defence(self, value: object, where: Where) -> Defence:
        parts = _object(value, where, required=("threat", "replies"), optional=self.more)
        threat, replies, defaults = parts["threat"], parts["replies"], parts.get("defaults", [])
        if not isinstance(threat, list):
            _wrong("a list of cells", threat, (where, "threat"))
        if not isinstance(replies, dict):
            _wrong("an object with a node for each reply", replies, (where, "replies"))
        if not isinstance(defaults, list):
            _wrong("a list of nodes", defaults, (where, "defaults"))
        line = tuple(self._cell(cell, (where, "threat")) for cell in threat)
        below = {
            self._cell(cell, (where, "replies")): self._node(node, ((where, "replies"), cell))
            for cell, node in replies.items()
        }
        if len(below) < len(replies):
            _wrong("each reply once", list(replies), (where, "replies"))
        others = (self._node(node, ((where, "defaults"), number)) for number, node in enumerate(defaults))
        return Defence(line, below, tuple(others))

    def _cell(self, name: object, where: Where) -> Cell:
        if not isinstance(name, str):
            _wrong("a cell such as 'h8'", name, where)
        if name not in self.cells:
            try:
                self.cells[name] = parse_cell(name, self.rows, self.cols)
            except BoardError as error:
                raise ProofError(f"{_place(where)}: {error}") from None
        return self.cells[name]


def _object(value: object, where: Where, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        _wrong(f"an object with {', '.join(required)}", value, where)
    for key in required:
        if key not in value:
            _wrong(f"the key {key!r}", list(value), where)
    for key in value:
        if key not in required + optional:
            _wrong(f"the keys {', '.join(required + optional)}", key, where)
    return value


def _wrong(expected: str, found: object, where: Where) -> NoReturn:
    raise ProofError(f"{_place(where)}: expected {expected}, found {shown(found)}")


def _place(where: Where) -> str:
    keys: list[str] = []
    while where:
        *above, key = where
        keys.append(key if isinstance(key, str) and _PLAIN.fullmatch(key) else shown(key))
        where = above[0] if above else ()
    if len(keys) > _LONGEST_PLACE:
        keys[_LONGEST_PLACE // 2 : -_LONGEST_PLACE // 2] = ["..."]
    return ".".join(reversed(keys)) if keys else "proof"


# ---------------------------------------------------------------------- to JSON

_DEEPEST = 64
"""An attack this far above its deepest leaf, or a multiple of it, is written as a shared node: readers and writers of
JSON in many languages give up on deep nesting."""


def write_proof(proof: Proof) -> dict[str, Any]:
    """The JSON value of a proof."""
    writer = _Writer(proof.position)
    tree = writer.write(proof.tree)
    passing = proof.passing and proof.position.rule is not Rule.RENJU
    version = 2 if passing or writer.needs_version_2 else 1
    return {
        "version": version,
        **({"passing": proof.passing} if version == 2 else {}),
        "position": json_position(proof.position),
        "attacker": str(proof.attacker),
        "tree": tree,
        **({"nodes": writer.nodes} if writer.nodes else {}),
    }


class _Writer:
    """Writes a tree with equal attacks merged; an attack with a defence that recurs becomes a shared node."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.nodes: list[dict[str, Any]] = []
        self.needs_version_2 = False

    def write(self, tree: Attack) -> dict[str, Any] | int:
        order = self._merge(tree)
        uses = self._uses(order)
        written: dict[int, dict[str, Any] | int] = {}
        for number, attack in enumerate(order):
            node = self._node(attack, written)
            deep = attack.then is not None and (uses[number] > 1 or self.heights[number] % _DEEPEST == 0)
            written[number] = self._share(node) if deep and number < len(order) - 1 else node
        return written[len(order) - 1]

    def _merge(self, tree: Attack) -> list[Attack]:
        """One of each kind of equal attacks, leaves first; ``self.number`` maps every attack to its kind."""
        kinds: dict[object, int] = {}
        self.number: dict[int, int] = {}
        self.heights: list[int] = []
        order: list[Attack] = []
        for attack in leaves_first(tree):
            kind = kinds.setdefault(self._kind(attack), len(order))
            self.number[id(attack)] = kind
            if kind == len(order):
                order.append(attack)
                below = [self.heights[self.number[id(child)]] for child in children(attack)]
                self.heights.append(1 + max(below, default=0))
        return order

    def _kind(self, attack: Attack) -> object:
        if attack.then is None:
            return attack.move
        replies = tuple((reply, self.number[id(child)]) for reply, child in sorted(attack.then.replies.items()))
        defaults = tuple(self.number[id(child)] for child in attack.then.defaults)
        return attack.move, attack.then.threat, replies, defaults

    def _uses(self, order: list[Attack]) -> list[int]:
        uses = [0] * len(order)
        for attack in order:
            for child in children(attack):
                uses[self.number[id(child)]] += 1
        return uses

    def _node(self, attack: Attack, written: Mapping[int, dict[str, Any] | int]) -> dict[str, Any]:
        if attack.move == ELSEWHERE:
            self.needs_version_2 = True
            return {"elsewhere": True}
        move = self.board.name(attack.move)
        if attack.then is None:
            return {"move": move}
        replies = {
            self.board.name(reply): written[self.number[id(child)]]
            for reply, child in sorted(attack.then.replies.items())
        }
        threat = [self.board.name(cell) for cell in attack.then.threat]
        defaults = [written[self.number[id(child)]] for child in attack.then.defaults]
        self.needs_version_2 |= bool(defaults)
        return {
            "move": move,
            "then": {"threat": threat, "replies": replies, **({"defaults": defaults} if defaults else {})},
        }

    def _share(self, node: dict[str, Any]) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1
