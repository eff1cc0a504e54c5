"""SGF, FF[4] GM[4]: games with variations, comments, labels and stones that are set up.

A point is two letters, column then row from the top (``hh``), or a name as people write it (``h8``, from the bottom).
An explicit ``origin`` goes for both. The parser is a loop over tokens: brackets may nest as deep as they like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import END, Entry, Plain, Text, TextOptions, parse_rule, parse_turn
from gomoku_patterns.notation.tree import GameNode, GameTree
from gomoku_patterns.rules import Rule

Values = list[tuple[int, str]]
Properties = dict[str, Values]

_BRACKETS = frozenset("(;)[")
_BLANK = re.compile(r"\s*")
_IDENT = re.compile(r"[A-Za-z0-9]{1,64}", re.ASCII)
_VALUE = re.compile(r"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
_ESCAPE = re.compile(r"\\(\r\n|.)", re.DOTALL)
_PAIR = re.compile(r"[a-v]{2}", re.ASCII)
_SIZE = re.compile(r"\s*([0-9]{1,3})\s*(?::\s*([0-9]{1,3})\s*)?", re.ASCII)

FEW_CELLS = 100_000
"""So many cells may the rectangles of any file name; a larger file as many as it has room for, four bytes each."""
MARKS = ("CR", "MA", "SQ", "TR")
_SETUP: dict[str, Colour | None] = {"AB": BLACK, "AW": WHITE, "AE": None}
_STRUCTURE = {*_SETUP, *MARKS, "B", "W", "PL", "C", "LB", "SZ", "RU", "FF", "GM", "CA"}


def read_sgf(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The games of a collection; each entry's board is the end of its game's main line."""
    reader = _Reader(text, options)
    for offset, tree in reader.games():
        line = text.line(offset)
        title = tree.info.get("GN", "")
        yield Entry(tree.board(), title=title, comment=tree.root.comment, tree=tree, line=line)


@dataclass
class _Game:
    """A game while it is read: the open brackets, and where each node with a move was written."""

    offset: int
    open: list[GameNode | None] = field(default_factory=list)
    tree: GameTree | None = None
    node: GameNode | None = None
    pairs: Frame | None = None
    names: Frame | None = None
    places: dict[int, int] = field(default_factory=dict)


class _Reader:
    def __init__(self, text: Text, options: TextOptions) -> None:
        self.text = text
        self.options = options
        self.at = 0
        self.unfolded = 0

    def games(self) -> Iterator[tuple[int, GameTree]]:
        """The game trees in turn; nothing is given out of a game that does not end well."""
        while (start := self._find_game()) is not None:
            yield start, self._game(start)

    def _find_game(self) -> int | None:
        """The offset of the next game; what stands between two games is not SGF's business."""
        self.at = self.text.text.find("(", self.at)
        if self.at < 0:
            self.at = len(self.text.text)
            return None
        return self.at

    def _game(self, start: int) -> GameTree:
        game = _Game(start)
        while True:
            offset = self.at = self._blank()
            mark = self.text.text[offset : offset + 1]
            self.at += 1
            if mark == "(" and (game.node is not None or not game.open):
                game.open.append(game.node)
            elif mark == ";" and game.open:
                self._node(game)
            elif mark == ")" and game.node is not None and game.node is not game.open[-1]:
                game.node = game.open.pop()
                if not game.open and game.tree:
                    return self._checked(game, game.tree)
            else:
                expected = "'(', ')' or a node that starts with ';'" if game.node else "a node that starts with ';'"
                raise self.text.error(offset, expected, mark or END)

    def _blank(self) -> int:
        if self.text.text[self.at : self.at + 1] in _BRACKETS:
            return self.at
        blank = _BLANK.match(self.text.text, self.at)
        return blank.end() if blank else self.at

    def _node(self, game: _Game) -> None:
        properties = self._properties()
        if game.node is None:
            game.tree = self._root(game, properties)
            game.node = game.tree.root
        else:
            game.node = game.node.add()
            if not properties:
                return
        self._fill(game, game.node, properties)

    def _properties(self) -> Properties:
        properties: Properties = {}
        while True:
            self.at = self._blank()
            ident = _IDENT.match(self.text.text, self.at)
            if not ident:
                return properties
            # FF[1] to FF[3] allow lower case letters in a name, which mean nothing.
            name = "".join(letter for letter in ident[0] if not letter.islower())
            self.at = ident.end()
            properties.setdefault(name, []).extend(self._values(ident[0]))

    def _values(self, name: str) -> Values:
        values: Values = []
        while True:
            self.at = self._blank()
            value = _VALUE.match(self.text.text, self.at)
            if value:
                values.append((value.start(1), value[1]))
                self.at = value.end()
            elif values and self.text.text[self.at : self.at + 1] != "[":
                return values
            else:
                found = self.text.text[self.at : self.at + 12]
                expected = f"']' at the end of {name}" if found[:1] == "[" else f"'[' after {name}"
                raise self.text.error(self.at, expected, found or END)

    def _root(self, game: _Game, properties: Properties) -> GameTree:
        for offset, value in properties.get("GM", []):
            if value.strip() != "4":
                raise self.text.refusal(
                    offset, f"this is a game of another kind, GM[{value}]; Gomoku is GM[4]", "another-game"
                )
        rows, cols = self._size(properties)
        game.pairs = self.options.frame("top", rows, cols)
        game.names = self.options.frame("bottom", rows, cols)
        info = {name: plain(values[0][1]) for name, values in properties.items() if name not in _STRUCTURE}
        return GameTree(game.pairs.rows, game.pairs.cols, self._rule(properties, info), info=info)

    def _size(self, properties: Properties) -> tuple[int | None, int | None]:
        """Rows and columns; SGF writes columns first."""
        if "SZ" not in properties:
            return None, None
        offset, value = properties["SZ"][0]
        size = _SIZE.fullmatch(value)
        cols, rows = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
        if not (5 <= rows <= 22 and 5 <= cols <= 22):
            raise self.text.error(offset, "a size from 5 to 22, or columns:rows,", value, "bad-size")
        return rows, cols

    def _rule(self, properties: Properties, info: dict[str, str]) -> Rule:
        """The rule; a name that is none of ours is kept as a remark."""
        given = Rule.FREESTYLE
        for offset, value in properties.get("RU", [])[:1]:
            word = value.strip().lower()
            if word.isdigit() or word in set(Rule):
                given = parse_rule(word, self.text, offset)
            else:
                info["RU"] = plain(value)
        return self.options.rule or given

    def _fill(self, game: _Game, node: GameNode, properties: Properties) -> None:
        node.comment = "\n".join(plain(value) for _, value in properties.get("C", []))
        for name, colour in _SETUP.items():
            for offset, cell in self._points(game, properties.get(name, [])):
                if cell in node.setup:
                    raise self.text.error(offset, "each cell set up once", self._frame(game).name(cell), "cell-taken")
                node.setup[cell] = colour
        for offset, value in properties.get("PL", [])[:1]:
            node.turn = parse_turn(value, self.text, offset)
        for mark in MARKS:
            for _, cell in self._points(game, properties.get(mark, [])):
                node.marks[cell] = mark
        for offset, value in properties.get("LB", []):
            point, colon, label = value.partition(":")
            if not colon:
                raise self.text.error(offset, "a label such as hh:A", value)
            node.labels[self._point(game, offset, point)] = plain(label)
        self._move(game, node, properties)

    def _move(self, game: _Game, node: GameNode, properties: Properties) -> None:
        colours = (("B", BLACK), ("W", WHITE))
        moves = [(colour, *value) for name, colour in colours for value in properties.get(name, [])]
        if len(moves) > 1:
            raise self.text.error(moves[1][1], "one move in a node", Plain("two"))
        for colour, offset, value in moves:
            node.colour = colour
            node.cell = self._point(game, offset, value) if value.strip() else None
            game.places[id(node)] = offset

    def _points(self, game: _Game, values: Values) -> Iterator[tuple[int, Cell]]:
        """Yield the cells of a list, where ``hh:jk`` is a rectangle of them, with their offsets."""
        for offset, value in values:
            first, colon, last = value.partition(":")
            low = self._point(game, offset, first)
            if not colon:
                yield offset, low
                continue
            high = self._point(game, offset + len(first) + 1, last)
            rows = range(min(low.row, high.row), max(low.row, high.row) + 1)
            cols = range(min(low.col, high.col), max(low.col, high.col) + 1)
            self._allow(offset, len(rows) * len(cols))
            for row in rows:
                for col in cols:
                    yield offset, Cell(row, col)

    def _allow(self, offset: int, cells: int) -> None:
        """Count the cells of a rectangle: seven bytes may name 484 of them, as often as the file repeats them."""
        self.unfolded += cells
        if self.unfolded > FEW_CELLS + len(self.text.text) // 4:
            raise self.text.refusal(
                offset, "the rectangles of this file name more cells than it could name one by one", "too-long"
            )

    def _point(self, game: _Game, offset: int, value: str) -> Cell:
        point, frame = value.strip(), self._frame(game)
        if _PAIR.fullmatch(point):
            cell = frame.cell(ord(point[0]) - ord("a"), ord(point[1]) - ord("a"))
        else:
            cell = game.names.parse_name(point) if game.names else None
        if cell is None:
            last = chr(ord("a") + frame.cols - 1) + chr(ord("a") + frame.rows - 1)
            raise self.text.error(offset, f"a point from 'aa' to {last!r} or a name such as 'h8'", value, "bad-cell")
        return cell

    def _frame(self, game: _Game) -> Frame:
        return game.pairs or self.options.frame("top")

    def _checked(self, game: _Game, tree: GameTree) -> GameTree:
        clash = tree.clash()
        if clash is not None and clash.cell is not None:
            name = self._frame(game).name(clash.cell)
            raise self.text.taken(game.places[id(clash)], name)
        return tree


def plain(value: str) -> str:
    """The text that a property's value stands for: escapes undone, line ends made one."""
    undone = _ESCAPE.sub(lambda found: "" if found[1] in "\r\n" or found[1] == "\r\n" else found[1], value)
    return undone.replace("\r\n", "\n").replace("\r", "\n")


def escaped(text: str) -> str:
    """A text as the value of a property."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def write_sgf(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """The games, each with all its variations."""
    for entry in entries:
        yield sgf_text(_titled(entry), options)


def _titled(entry: Entry) -> GameTree:
    tree = entry.game()
    if entry.tree is None:
        tree.root.comment = entry.comment
        tree.info.update({"GN": entry.title} if entry.title else {})
    return tree


def sgf_text(tree: GameTree, options: TextOptions | None = None) -> str:
    """A game as SGF."""
    frame = (options or TextOptions()).frame("top", tree.rows, tree.cols)
    parts: list[str] = []
    waiting: list[GameNode | str] = [")", tree.root, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(";" + (_head(tree) if item is tree.root else "") + _body(item, frame))
        if len(item.children) == 1:
            waiting.append(item.children[0])
        for child in reversed(item.children if len(item.children) > 1 else []):
            waiting += [")", child, "("]
    return "".join(parts) + "\n"


def _head(tree: GameTree) -> str:
    size = str(tree.rows) if tree.rows == tree.cols else f"{tree.cols}:{tree.rows}"
    rule = escaped(tree.info.get("RU", str(tree.rule.code)))
    info = "".join(f"{name}[{escaped(value)}]" for name, value in tree.info.items() if name != "RU")
    return f"FF[4]GM[4]CA[UTF-8]SZ[{size}]RU[{rule}]{info}"


def _body(node: GameNode, frame: Frame) -> str:
    def point(cell: Cell) -> str:
        return chr(ord("a") + cell.col) + chr(ord("a") + frame.row(cell.row))

    text = ""
    for name, colour in _SETUP.items():
        points = "".join(f"[{point(cell)}]" for cell, stone in node.setup.items() if stone is colour)
        text += name + points if points else ""
    text += f"PL[{'B' if node.turn is BLACK else 'W'}]" if node.turn else ""
    if node.colour:
        text += f"{'B' if node.colour is BLACK else 'W'}[{point(node.cell) if node.cell else ''}]"
    for mark in MARKS:
        points = "".join(f"[{point(cell)}]" for cell, kind in node.marks.items() if kind == mark)
        text += mark + points if points else ""
    labels = "".join(f"[{point(cell)}:{escaped(label)}]" for cell, label in node.labels.items())
    text += "LB" + labels if labels else ""
    return text + (f"C[{escaped(node.comment)}]" if node.comment else "")
