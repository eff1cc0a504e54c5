"""RenLib libraries (``.lib``), read only: trees of renju games with comments and texts on the board.

After a header of 20 bytes (older files have none) come the nodes in preorder, two bytes each: the move as
``16 * (row - 1) + column`` from the top, where 0 is a pass or the root, and flags. Texts follow in pairs of bytes up
to a NUL; they are UTF-8 or one of the legacy code pages that such files were written with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, TextOptions
from gomoku_patterns.notation.tree import GameNode, GameTree
from gomoku_patterns.rules import Rule

SIDE = 15
HEADER = b"\xffRenLib\xff"
HEADER_SIZE = 20
CODE_PAGES = ("utf-8", "gb18030", "cp932", "cp949", "cp1251", "cp1252")

_HAS_SIBLING, _LAST_OF_BRANCH, _OLD_COMMENT, _MARK, _COMMENT, _NO_MOVE, _EXTENSION = 0x80, 0x40, 0x20, 0x10, 8, 2, 1
_BOARD_TEXT = 0x01


def looks_like_lib(data: bytes) -> bool:
    """Whether the bytes start as a library does: with its header, or with the move h8 and flags."""
    return data.startswith(HEADER) or (data[:1] == b"\x78" and len(data) > 1 and data[1] in b"\x00\x40\x08\x48\x80\xc0")


def read_lib(data: bytes, source: str | None, options: TextOptions) -> Iterator[Entry]:
    """The one game tree of a library, under renju unless the user says otherwise."""
    tree = _Reader(data, source, options).tree()
    yield Entry(tree.board(), comment=tree.root.comment, tree=tree)


@dataclass
class _Reader:
    data: bytes
    source: str | None
    options: TextOptions
    at: int = 0

    @cached_property
    def frame(self) -> Frame:
        return self.options.frame("top", SIDE, SIDE)

    def tree(self) -> GameTree:
        if self.data.startswith(HEADER):
            if len(self.data) < HEADER_SIZE:
                raise self._error(len(self.data), f"a header of {HEADER_SIZE} bytes")
            self.at = HEADER_SIZE
        tree = GameTree(self.frame.rows, self.frame.cols, self.options.rule or Rule.RENJU)
        self._read_nodes(tree)
        return tree

    def _read_nodes(self, tree: GameTree) -> None:
        """Preorder with flags: a node with a sibling to come keeps its parent waiting, a childless one goes back.

        A move is checked against the stones on its path as it is read, so a bad file is refused where it goes wrong.
        """
        path, turns, taken = [tree.root], [BLACK], set[Cell | None]()
        waiting: list[int] = []
        if len(self.data) == self.at:
            raise self._error(self.at, "a first node")
        first = True
        while True:
            start, depth = self.at, len(path)
            node, flags = self._node(path[-1], tree.root if first else None, turns[-1])
            if node.cell is not None and node.cell in taken:
                raise NotationError(
                    f"the move at byte {start} is on a cell that is taken", source=self.source, code="cell-taken"
                )
            first = False
            if flags & _HAS_SIBLING:
                waiting.append(depth)
            if not flags & _LAST_OF_BRANCH:
                if node is not tree.root:
                    path.append(node)
                    turns.append(node.colour.opponent if node.colour else turns[-1])
                    taken.add(node.cell)
            elif waiting:
                depth = waiting.pop()
                taken.difference_update(left.cell for left in path[depth:])
                del path[depth:], turns[depth:]
            else:
                break

    def _node(self, parent: GameNode, root: GameNode | None, turn: Colour) -> tuple[GameNode, int]:
        """The next node, a child of ``parent``; the first may be the root itself."""
        start = self.at
        move, flags = self._pair("a node")
        kind = self._pair("an extension")[1] if flags & _EXTENSION else 0
        if root is not None and move == 0:
            node = root
        else:
            node = parent.add(colour=None if flags & _NO_MOVE else turn, cell=self._cell(move, flags, start))
        node.comment = self._text() if flags & (_COMMENT | _OLD_COMMENT) else ""
        label = self._text() if kind & _BOARD_TEXT else ""
        if node.cell is not None:
            if label:
                node.labels[node.cell] = label
            if flags & _MARK:
                node.marks[node.cell] = "TR"
        return node, flags

    def _cell(self, move: int, flags: int, start: int) -> Cell | None:
        if move == 0 or flags & _NO_MOVE:
            return None
        cell = self.frame.cell((move & 0x0F) - 1, move >> 4)
        if cell is None:
            raise self._error(start, "a move on a 15x15 board", f"0x{move:02x}")
        return cell

    def _pair(self, what: str) -> tuple[int, int]:
        if self.at + 2 > len(self.data):
            raise self._error(len(self.data), what)
        self.at += 2
        return self.data[self.at - 2], self.data[self.at - 1]

    def _text(self) -> str:
        start = self.at
        while 0 not in self._pair("the NUL that ends a text"):
            pass
        return _decoded(self.data[start : self.at].split(b"\0", 1)[0])

    def _error(self, offset: int, expected: str, found: str | None = None) -> NotationError:
        ends = offset >= len(self.data)
        found = found or ("the end of the file" if ends else f"byte 0x{self.data[offset]:02x}")
        return NotationError(f"expected {expected}, found {found} at byte {offset}", source=self.source)


def _decoded(data: bytes) -> str:
    """The text in the first code page that knows its bytes; byte 8 parts the heading from the rest."""
    for code_page in CODE_PAGES:
        try:
            text = data.decode(code_page)
            break
        except UnicodeDecodeError:
            continue
    else:
        text = data.decode("latin-1")
    return text.replace("\b", "\n").replace("\r\n", "\n").replace("\r", "\n")
