"""Proofs as bytes: written as a stream and read in place, however large.

``docs/reference/proof-format.md`` specifies every byte.

A node is written after all nodes that it leads to, and names them by how many bytes back they begin. Nothing has to be
kept to write one, and a reader that can seek follows the references from the root, which a trailer names.

>>> import io
>>> from gomoku_patterns import Board
>>> from search import Proof
>>> board = Board(5, black=["b3", "c3", "d3"], white=["b1", "c1", "d1"], turn="black")
>>> file = io.BytesIO()
>>> writer = ProofWriter(file, board)
>>> five = writer.five(board.cell("e3"))
>>> writer.end(writer.attack(board.cell("a3"), threat=[board.cell("e3")], replies={board.cell("a1"): five}))
>>> file.getvalue()[:8], len(file.getvalue())
(b'GMKPROOF', 62)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush
from typing import BinaryIO, Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE, Cell, Colour
from gomoku_patterns.errors import ProofError
from gomoku_patterns.rules import Rule
from search.proof import ELSEWHERE, Attack, Defence, Proof, leaves_first

MAGIC: Final = b"GMKPROOF"
END: Final = b"FOORPKMG"
VERSION: Final = 2
FIXED_HEAD: Final = len(MAGIC) + 5
"""The bytes of the head before the position."""
FIVE, FOUR, ATTACK, OTHER_PART = 0, 1, 2, 3
"""Kinds of nodes: the move makes five; a four whose one answer has a node; any other move; proven in another part."""

_MERGED = 1 << 18
"""So many of the nodes written last are kept, to write equal ones once."""


_Node = tuple[int, Cell, tuple[Cell, ...], tuple[tuple[Cell, int], ...], tuple[int, ...]]
"""Kind, move, threat, replies and defaults; nodes below by where they begin."""


class ProofWriter:
    """Writes a proof to a file, node by node, each after those below it; a node is known by where it begins."""

    def __init__(self, file: BinaryIO, position: Board, *, passing: bool | None = None) -> None:
        self._file, self._cols = file, position.cols
        head = _head(position, bool(passing) or position.rule is Rule.RENJU)
        file.write(head)
        self._at = len(head)
        self._merged: dict[_Node, int] = {}

    def five(self, move: Cell) -> int:
        """A move that makes five."""
        return self._node((FIVE, move, (), (), ()))

    def elsewhere(self) -> int:
        """The position is proven in another part."""
        return self._node((OTHER_PART, ELSEWHERE, (), (), ()))

    def attack(
        self,
        move: Cell,
        *,
        threat: Iterable[Cell] = (),
        replies: Mapping[Cell, int] | None = None,
        defaults: Iterable[int] = (),
    ) -> int:
        """Any other move, with what was written for the replies to it, and what answers all others."""
        line, below, others = tuple(threat), tuple(sorted((replies or {}).items())), tuple(defaults)
        four = len(line) == len(below) == 1 and not others and line[0] == below[0][0]
        return self._node((FOUR if four else ATTACK, move, line, below, others))

    def end(self, root: int) -> None:
        """Say which node is the root. Nothing is written after that."""
        self._file.write(root.to_bytes(8, "little") + END)

    def _node(self, node: _Node) -> int:
        place = self._merged.pop(node, None)
        if place is None:
            place = self._at
            written = _node_bytes(node, place, self._cols)
            self._file.write(written)
            self._at += len(written)
        self._merged[node] = place
        if len(self._merged) > _MERGED:
            del self._merged[next(iter(self._merged))]
        return place


def _head(position: Board, passing: bool) -> bytes:
    flags = passing | (position.turn is Colour.WHITE) << 1
    return MAGIC + bytes([VERSION, position.rule.code, flags, position.rows, position.cols]) + position.flat


def _node_bytes(node: _Node, place: int, cols: int) -> bytes:
    kind, move, threat, replies, defaults = node
    if kind == OTHER_PART:
        return bytes([OTHER_PART])
    numbers = [(move[0] * cols + move[1]) * 4 + kind]
    pairs = [number for cell, below in replies for number in (cell[0] * cols + cell[1], place - below)]
    if kind == FOUR:
        numbers += pairs
    elif kind == ATTACK:
        numbers += [len(threat), *(cell[0] * cols + cell[1] for cell in threat)]
        numbers += [len(replies), *pairs, len(defaults), *(place - below for below in defaults)]
    return b"".join(map(_varint, numbers))


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def write_binary(proof: Proof, file: BinaryIO) -> None:
    """Write a whole proof."""
    writer = ProofWriter(file, proof.position, passing=proof.passing)
    places: dict[int, int] = {}
    for attack in leaves_first(proof.tree):
        places[id(attack)] = _write_attack(writer, attack, places)
    writer.end(places[id(proof.tree)])


def _write_attack(writer: ProofWriter, attack: Attack, places: Mapping[int, int]) -> int:
    if attack.move == ELSEWHERE:
        return writer.elsewhere()
    if attack.then is None:
        return writer.five(attack.move)
    replies = {reply: places[id(below)] for reply, below in attack.then.replies.items()}
    defaults = [places[id(below)] for below in attack.then.defaults]
    return writer.attack(attack.move, threat=attack.then.threat, replies=replies, defaults=defaults)


# ---------------------------------------------------------------------- reading

MOST_NODES: Final = 2_000_000
"""A proof with more nodes than this does not become Python objects; the native verifier reads it in place."""


def is_binary(data: bytes) -> bool:
    return data[: len(MAGIC)] == MAGIC


def read_binary(data: bytes) -> Proof:
    """The proof in the bytes of a file; :class:`ProofError` says what is wrong with one that is none."""
    reader = _Reader(data)
    return Proof(reader.position, reader.tree(), passing=reader.passing)


def position_of(data: bytes, *, whole: bool = True) -> Board:
    """The position that a proof in binary form is about; not ``whole``, of a file's first bytes."""
    return _Reader(data, whole).position


def head_size(first: bytes) -> int:
    """How many bytes the head of a proof has, by those before the position."""
    if len(first) < FIXED_HEAD or not is_binary(first):
        raise ProofError("this is no proof in binary form")
    return FIXED_HEAD + first[len(MAGIC) + 3] * first[len(MAGIC) + 4]


def allows_passing(data: bytes) -> bool:
    """Whether a proof in binary form says that the defender may pass; its head was read before."""
    return bool(data[len(MAGIC) + 2] & 1)


class _Reader:
    """Reads the nodes that the root leads to; what nothing leads to is never looked at."""

    def __init__(self, data: bytes, whole: bool = True) -> None:
        self.data, self.at = data, FIXED_HEAD
        if len(data) < self.at or data[: len(MAGIC)] != MAGIC:
            raise ProofError("this is no proof in binary form")
        version, code, flags, rows, cols = data[len(MAGIC) : self.at]
        if version != VERSION or code not in _RULES or flags > 3:
            raise ProofError(f"cannot read a proof of version {version}, rule {code} and flags {flags}")
        if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= cols <= MAX_SIDE):
            raise ProofError(f"expected a board from 5x5 to 22x22, found {rows}x{cols}")
        self.passing, rule = bool(flags & 1), _RULES[code]
        if rule is Rule.RENJU and not self.passing:
            raise ProofError("under renju, where the defender may pass, the head has to say so")
        self.rows, self.cols, self.size = rows, cols, rows * cols
        self.first = self.at + self.size
        self.end = len(data) - 8 - len(END)
        if len(data) < self.first or (whole and (self.end < self.first or data[self.end + 8 :] != END)):
            raise ProofError("the proof is cut off: its end is missing")
        self.position = self._position(rule, Colour.WHITE if flags & 2 else Colour.BLACK)
        self.cells = list(self.position.cells())
        self.made: dict[int, Attack] = {}
        self.todo: list[tuple[int, Attack]] = []
        """What is still to be read, the node nearest to the end first; places are negative for that."""

    def _position(self, rule: Rule, turn: Colour) -> Board:
        stones = self.data[self.at : self.first]
        if max(stones) > Colour.WHITE:
            raise ProofError("the stones of the position have to be 0, 1 or 2 each")
        cells = [divmod(place, self.cols) for place in range(self.size)]
        black, white = ([cells[place] for place in range(self.size) if stones[place] == colour] for colour in Colour)
        return Board(self.rows, self.cols, black=black, white=white, turn=turn, rule=rule)

    def tree(self) -> Attack:
        root = int.from_bytes(self.data[self.end : self.end + 8], "little")
        tree, above = self._node(root), self.end
        while self.todo:
            place, attack = heappop(self.todo)
            self._fill(-place, attack)
            if self.at > above:
                raise ProofError(f"byte {-place}: a node overlaps the next one")
            above = -place
        return tree

    def _node(self, place: int) -> Attack:
        if not self.first <= place < self.end:
            raise ProofError(f"a node is said to begin at byte {place}, outside of the nodes")
        if place not in self.made:
            self.made[place] = attack = Attack.__new__(Attack)
            heappush(self.todo, (-place, attack))
            if len(self.made) > MOST_NODES:
                raise ProofError(f"the proof has more than {MOST_NODES:,} nodes; verify it with --native")
        return self.made[place]

    def _fill(self, place: int, attack: Attack) -> None:
        self.at = place
        number = self._number()
        if number == OTHER_PART:
            attack.move, attack.then = ELSEWHERE, None
            return
        attack.move, kind = self._cell(number >> 2), number & 3
        if kind == FIVE:
            attack.then = None
        elif kind == FOUR:
            answer = self._cell(self._number())
            attack.then = Defence((answer,), {answer: self._below(place)})
        elif kind == ATTACK:
            threat = tuple(self._cell(self._number()) for _ in range(self._count()))
            replies: dict[Cell, Attack] = {}
            last = -1
            for _ in range(self._count()):
                number = self._number()
                if number <= last:
                    raise ProofError(f"byte {place}: replies have to be in ascending order")
                last = number
                replies[self._cell(number)] = self._below(place)
            attack.then = Defence(threat, replies, tuple(self._below(place) for _ in range(self._count())))
        else:
            raise ProofError(f"byte {place}: there is no node of kind {kind}")

    def _below(self, place: int) -> Attack:
        back = self._number()
        if back == 0:
            raise ProofError(f"byte {place}: a node leads to itself")
        return self._node(place - back)

    def _count(self) -> int:
        count = self._number()
        if count > self.size:
            raise ProofError(f"byte {self.at}: expected at most {self.size} entries, found {count}")
        return count

    def _cell(self, number: int) -> Cell:
        if number >= self.size:
            raise ProofError(f"byte {self.at}: expected a cell below {self.size}, found {number}")
        return self.cells[number]

    def _number(self) -> int:
        value = 0
        for shift in range(0, 63, 7):
            if self.at >= self.end:
                raise ProofError("a node goes on beyond the last of the nodes")
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
        raise ProofError(f"byte {self.at}: a number has more than nine bytes")


_RULES = {rule.code: rule for rule in (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)}
