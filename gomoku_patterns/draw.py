"""Boards as pictures: SVG for notebooks and pages, PNG through the extra ``png``, text for the terminal.

>>> from gomoku_patterns import Board
>>> board = Board(rows=5, cols=5)
>>> for name in ("c3", "d3", "c4"):
...     board.push(name)
>>> svg = board_svg(board, numbers=True, marks={"b2": "triangle"}, heat={"c2": 120, "e5": -40})
>>> svg.startswith("<svg") and "c4" in svg
True
>>> print(board_text(board, marks={"b2": "cross"}))
 5 ┌  ┬  ┬  ┬  ┐
 4 ├  ┼ (●) ┼  ┤
 3 ├  ┼  ●  ○  ┤
 2 ├  ×  ┼  ┼  ┤
 1 └  ┴  ┴  ┴  ┘
   a  b  c  d  e
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import BoardError, GomokuError
from gomoku_patterns.files import write_file

if TYPE_CHECKING:
    import numpy.typing as npt

Numbers = bool | Sequence[CellLike]
"""``True`` numbers the moves of the board, a sequence of cells numbers those from 1 on."""

Marks = Mapping[Any, str]
"""What to put on a cell: ``circle``, ``cross``, ``triangle``, ``square``, or any other text as it is."""

__all__ = ["board_svg", "board_text", "svg_to_png"]

UNIT = 40.0
"""The distance of two lines in the picture's own coordinates; ``size`` only scales them."""

WOOD, WOOD_LIGHT, INK, RED, BRIGHT_RED = "#dfb566", "#eccb89", "#4a3113", "#d02c1f", "#ff5a48"
HOT, COLD = "#c8321f", "#1f5fc8"
SHINE = {"black": ("#707070", "#242424", "#050505"), "white": ("#ffffff", "#f4f1ea", "#c9c4b8")}
SHAPES = ("circle", "cross", "triangle", "square")


# ---------------------------------------------------------------------- SVG


class Picture(str):
    """The text of an SVG picture, which a notebook shows as one."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board_svg(
    board: Board,
    *,
    numbers: Numbers = False,
    marks: Marks | None = None,
    heat: Mapping[Any, float] | npt.ArrayLike | None = None,
    line: Iterable[Any] = (),
    last: bool = True,
    coordinates: bool = True,
    size: float = 640,
    title: str | None = None,
) -> str:
    """The board as an SVG picture whose longer side is ``size`` pixels.

    ``heat`` gives values to cells, as a mapping or as a rows x cols array whose zeros and NaNs stay blank: red is
    positive, blue negative, the strongest value the fullest. ``line`` highlights a row of cells, or several. ``last``
    marks the last pushed stone.
    """
    order, labels = _order(board, numbers), _by_cell(board, marks or {}, "marks")
    values, rows = _values(board, heat), _rows_of_cells(board, line)
    picture = _Picture(board, coordinates, _size(size), title)
    picture.draw_grid()
    picture.draw_heat({cell: value for cell, value in values.items() if board.is_empty(cell)})
    for row in filter(None, rows):
        picture.draw_row(row)
    picture.draw_stones()
    picture.draw_numbers(order)
    for cell, mark in labels.items():
        picture.draw_mark(cell, mark)
    if last and board.moves and not order and board.peek() not in labels:
        picture.draw_last(board.peek())
    return picture.text()


class _Picture:
    """An SVG under construction: each method draws one thing over what is there already."""

    def __init__(self, board: Board, coordinates: bool, size: float, title: str | None) -> None:
        self.board, self.coordinates = board, coordinates
        self.margin = UNIT * (1.1 if coordinates else 0.75)
        width, height = (2 * self.margin + UNIT * (side - 1) for side in (board.cols, board.rows))
        scale = size / max(width, height)
        self.root = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": _number(width * scale),
                "height": _number(height * scale),
                "viewBox": f"0 0 {_number(width)} {_number(height)}",
                "role": "img",
                "font-family": "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif",
                "text-anchor": "middle",
            },
        )
        self._describe(title)
        self._define()
        self.add("rect", width=width, height=height, rx=6, fill="url(#gomoku-wood)")

    def text(self) -> str:
        return ElementTree.tostring(self.root, encoding="unicode")

    def add(self, tag: str, parent: ElementTree.Element | None = None, **attributes: Any) -> ElementTree.Element:
        """A new element; underscores in attribute names stand for hyphens, numbers are rounded."""
        named = {
            name.replace("_", "-"): _number(value) if isinstance(value, (int, float)) else str(value)
            for name, value in attributes.items()
        }
        return ElementTree.SubElement(self.root if parent is None else parent, tag, named)

    def place(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Where a cell is in the picture, as (x, y)."""
        return self.margin + UNIT * cell[1], self.margin + UNIT * cell[0]

    def write(self, text: str, x: float, y: float, height: float, fill: str, **attributes: Any) -> None:
        """A short text centred on a point: the baseline is lowered by hand, which every renderer understands."""
        element = self.add("text", x=x, y=y + 0.36 * height, font_size=height, fill=fill, **attributes)
        element.text = _xml_text(text)

    # ------------------------------------------------------------------ what the picture is

    def _describe(self, title: str | None) -> None:
        board = self.board
        self.add("title").text = _xml_text(title or f"Gomoku board, {board.rows} by {board.cols}")
        stones = [f"{colour}: {' '.join(map(board.name, board.stones(colour))) or 'no stones'}" for colour in Colour]
        self.add("desc").text = "; ".join([*stones, f"{board.turn} to move", f"rule: {board.rule}"])

    def _define(self) -> None:
        defs = self.add("defs")
        wood = self.add("linearGradient", defs, id="gomoku-wood", x1=0, y1=0, x2=1, y2=1)
        for offset, shade in ((0, WOOD_LIGHT), (0.5, WOOD), (1, WOOD_LIGHT)):
            self.add("stop", wood, offset=offset, stop_color=shade)
        for name, shades in SHINE.items():
            shine = self.add("radialGradient", defs, id=f"gomoku-{name}", cx=0.36, cy=0.32, r=0.75)
            for offset, shade in zip((0, 0.45, 1), shades, strict=True):
                self.add("stop", shine, offset=offset, stop_color=shade)

    # ------------------------------------------------------------------ the empty board

    def draw_grid(self) -> None:
        rows, cols = self.board.rows, self.board.cols
        left, top = self.place((0, 0))
        right, bottom = self.place((rows - 1, cols - 1))
        across = (f"M{_number(left)} {_number(self.place((row, 0))[1])}H{_number(right)}" for row in range(rows))
        down = (f"M{_number(self.place((0, col))[0])} {_number(top)}V{_number(bottom)}" for col in range(cols))
        self.add("path", d="".join([*across, *down]), stroke=INK, stroke_width=1.1, fill="none")
        self.add(
            "rect", x=left, y=top, width=right - left, height=bottom - top, fill="none", stroke=INK, stroke_width=2.4
        )
        for cell in _star_points(rows, cols):
            x, y = self.place(cell)
            self.add("circle", cx=x, cy=y, r=0.1 * UNIT, fill=INK)
        if self.coordinates:
            self._draw_coordinates()

    def _draw_coordinates(self) -> None:
        rows, cols = self.board.rows, self.board.cols
        away = self.margin - 0.36 * UNIT
        for row in range(rows):
            x, y = self.place((row, 0))
            self.write(str(rows - row), x - away, y, 0.34 * UNIT, INK)
        for col in range(cols):
            x, y = self.place((rows - 1, col))
            self.write(chr(ord("a") + col), x, y + away, 0.34 * UNIT, INK)

    # ------------------------------------------------------------------ what is on it

    def draw_heat(self, values: Mapping[Cell, float]) -> None:
        """Squares under the stones; the root of a value's share in the largest decides how full its colour is."""
        largest = max(map(abs, values.values()), default=0.0)
        for cell, value in values.items():
            strength = math.sqrt(abs(value) / largest) if largest else 0.0
            x, y = self.place(cell)
            side = 0.92 * UNIT
            box: dict[str, Any] = {"x": x - side / 2, "y": y - side / 2, "width": side, "height": side, "rx": 5}
            self.add("rect", fill=WOOD_LIGHT, **box)
            self.add("rect", fill=HOT if value > 0 else COLD, fill_opacity=0.1 + 0.85 * strength, **box)
            label = _short(value)
            self.write(label, x, y, _text_height(label, 0.34), "#ffffff" if strength > 0.45 else "#2b1c08")

    def draw_row(self, cells: Sequence[Cell]) -> None:
        """A band wide enough to show around stones; a single cell becomes a disc."""
        places = [self.place(cell) for cell in cells]
        path = "".join(f"{'L' if index else 'M'}{_number(x)} {_number(y)}" for index, (x, y) in enumerate(places))
        self.add(
            "path", d=path + ("h0" if len(cells) == 1 else ""), fill="none", stroke=RED, stroke_opacity=0.5,
            stroke_width=1.1 * UNIT, stroke_linecap="round", stroke_linejoin="round",
        )  # fmt: skip

    def draw_stones(self) -> None:
        shadows = self.add("g", fill="#000000", fill_opacity=0.22)
        for colour in Colour:
            group = self.add("g", fill=f"url(#gomoku-{colour})", stroke="#1c1c1c", stroke_width=0.8)
            for cell in self.board.stones(colour):
                x, y = self.place(cell)
                self.add("circle", shadows, cx=x + 1.6, cy=y + 2.2, r=0.45 * UNIT)
                self.add("circle", group, cx=x, cy=y, r=0.45 * UNIT)

    def draw_numbers(self, order: Mapping[Cell, int]) -> None:
        """On stones in the contrasting colour, the last one red; on empty cells over a patch of wood."""
        newest = max(order.values(), default=0)
        for cell, number in order.items():
            x, y = self.place(cell)
            if self.board.is_empty(cell):
                self.add("circle", cx=x, cy=y, r=0.34 * UNIT, fill=WOOD_LIGHT)
            ink = self._red(cell) if number == newest else self._ink(cell)
            self.write(str(number), x, y, _text_height(str(number), 0.46), ink, font_weight="bold")

    def draw_last(self, cell: Cell) -> None:
        x, y = self.place(cell)
        self.add("circle", cx=x, cy=y, r=0.13 * UNIT, fill=self._red(cell))

    def draw_mark(self, cell: Cell, mark: str) -> None:
        x, y = self.place(cell)
        if mark in SHAPES:
            if self.board.is_empty(cell):
                self._draw_shape(mark, x, y, "#fff6e2", 0.17)
            self._draw_shape(mark, x, y, self._red(cell), 0.075)
            return
        if self.board.is_empty(cell):
            self.add("circle", cx=x, cy=y, r=0.36 * UNIT, fill=WOOD_LIGHT, fill_opacity=0.9)
        self.write(mark, x, y, _text_height(mark, 0.5), self._ink(cell), font_weight="bold")

    def _draw_shape(self, mark: str, x: float, y: float, ink: str, width: float) -> None:
        r = 0.24 * UNIT
        attributes: dict[str, Any] = {"fill": "none", "stroke": ink, "stroke_width": width * UNIT}
        attributes |= {"stroke_linecap": "round", "stroke_linejoin": "round"}
        if mark == "circle":
            self.add("circle", cx=x, cy=y, r=r, **attributes)
            return
        corners = {
            "cross": ((-0.8, -0.8), (0.8, 0.8), None, (0.8, -0.8), (-0.8, 0.8)),
            "triangle": ((0, -1.1), (1, 0.7), (-1, 0.7), (0, -1.1)),
            "square": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85), (-0.85, -0.85)),
        }[mark]
        self.add("path", d=_path(corners, x, y, r), **attributes)

    def _red(self, cell: Cell) -> str:
        return BRIGHT_RED if self.board[cell] is Colour.BLACK else RED

    def _ink(self, cell: Cell) -> str:
        return {None: INK, Colour.BLACK: "#ffffff", Colour.WHITE: "#111111"}[self.board[cell]]


def _path(corners: Iterable[tuple[float, float] | None], x: float, y: float, radius: float) -> str:
    """A path through corners given in radii; ``None`` lifts the pen."""
    steps, pen = [], "M"
    for corner in corners:
        if corner is None:
            pen = "M"
            continue
        steps.append(f"{pen}{_number(x + radius * corner[0])} {_number(y + radius * corner[1])}")
        pen = "L"
    return "".join(steps)


def _star_points(rows: int, cols: int) -> list[Cell]:
    """The dots of a board: near the corners, in the middle, and between them where there is room."""
    inset = 3 if min(rows, cols) >= 12 else 2
    along = [_star_lines(side, inset) for side in (rows, cols)]
    full = rows >= 19 and cols >= 19
    return [
        Cell(row, col) for (row, row_middle), (col, col_middle) in product(*along) if full or row_middle == col_middle
    ]


def _star_lines(side: int, inset: int) -> list[tuple[int, bool]]:
    """The lines that dots may stand on, and whether each is the middle one."""
    corners = [(inset, False), (side - 1 - inset, False)] if side >= 9 else []
    return corners + ([(side // 2, True)] if side % 2 else [])


def _text_height(text: str, share: float) -> float:
    """The font size at which a text fits its cell."""
    return UNIT * min(share, 1.3 / max(len(text), 1))


def _short(value: float) -> str:
    """A value in a few characters: 720, 4.3k, 50k, -1.2M, 3e+40."""
    if abs(value) >= 1e12:
        return f"{value:.0e}"
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:.{0 if abs(value) >= 10 * unit else 1}f}".removesuffix(".0") + name
    return f"{value:.0f}" if abs(value) >= 10 or value == int(value) else f"{value:.2g}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml_text(text: str) -> str:
    """The text with what XML cannot carry replaced."""
    return _NOT_XML.sub("\ufffd", text)


# ---------------------------------------------------------------------- what a user gave, checked


def _order(board: Board, numbers: Numbers) -> dict[Cell, int]:
    """The number of each numbered cell; a cell that was played twice keeps its last number."""
    if numbers is True:
        cells = [move.cell for move in board.moves]
    elif numbers is False or numbers is None:
        cells = []
    elif isinstance(numbers, str):
        raise BoardError(f"expected cells to number, found {numbers!r}")
    else:
        cells = [board.cell(cell) for cell in numbers]
    return {cell: number for number, cell in enumerate(cells, 1)}


def _by_cell(board: Board, given: Mapping[Any, Any], what: str) -> dict[Cell, Any]:
    if not isinstance(given, Mapping):
        raise BoardError(f"expected {what} as a mapping of cells, found {given!r:.60}")
    return {board.cell(cell): value for cell, value in given.items()}


def _values(board: Board, heat: Mapping[Any, float] | npt.ArrayLike | None) -> dict[Cell, float]:
    if heat is None:
        return {}
    given = _by_cell(board, heat, "heat") if isinstance(heat, Mapping) else dict(_array_values(board, heat))
    values = {cell: _finite(value) for cell, value in given.items() if value is not None}
    return {cell: value for cell, value in values.items() if not math.isnan(value)}


def _finite(value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise BoardError(f"heat has to be a number for each cell, not {value!r:.60}") from None
    if math.isinf(number):
        raise BoardError(f"heat has to be a finite number, not {value!r}")
    return number


def _array_values(board: Board, heat: Any) -> Iterator[tuple[Cell, Any]]:
    """The cells of an array that have something to say."""
    try:
        rows = [list(row) for row in heat]
    except TypeError:
        raise BoardError(f"expected heat as a mapping of cells or an array, found {heat!r:.60}") from None
    if len(rows) != board.rows or any(len(row) != board.cols for row in rows):
        raise BoardError(f"heat must have the board's {board.rows} rows and {board.cols} columns")
    for cell in board.cells():
        value = rows[cell.row][cell.col]
        if value is not None and value != 0:
            yield cell, value


def _rows_of_cells(board: Board, line: Iterable[Any]) -> list[list[Cell]]:
    """One row of cells or several, always as several."""
    given = list(line)
    if given and all(isinstance(item, str) or _is_pair(item) for item in given):
        given = [given]
    return [[board.cell(cell) for cell in row] for row in given]


def _is_pair(item: Any) -> bool:
    return isinstance(item, (tuple, list)) and len(item) == 2 and all(hasattr(part, "__index__") for part in item)


def _size(size: float) -> float:
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 16 <= size <= 16384:
        raise BoardError(f"expected a size from 16 to 16384 pixels, found {size!r}")
    return float(size)


# ---------------------------------------------------------------------- PNG


def svg_to_png(svg: str, path: str | os.PathLike[str] | None = None) -> bytes:
    """The picture as PNG bytes, also written to ``path`` if one is given. Needs the extra ``png``."""
    try:
        import resvg_py
    except ImportError:
        raise GomokuError("PNG pictures need the extra 'png': pip install 'gomoku-patterns[png]'") from None
    try:
        data = bytes(resvg_py.svg_to_bytes(svg_string=svg))
    except ValueError as error:
        raise GomokuError(f"this is not an SVG picture: {error}") from None
    if path is not None:
        write_file(path, data)
    return data


# ---------------------------------------------------------------------- text

_SIGNS = {"circle": "◯", "cross": "×", "triangle": "△", "square": "□"}
_PLAIN_SIGNS = {"circle": "@", "cross": "*", "triangle": "^", "square": "#"}


def board_text(
    board: Board,
    *,
    numbers: Numbers = False,
    marks: Marks | None = None,
    last: bool = True,
    unicode: bool = True,
) -> str:
    """The board for a terminal, with coordinates; the last pushed stone stands in brackets.

    A numbered stone is drawn as ``X`` or ``O`` with its number. Without ``unicode`` everything is ASCII.
    """
    order, labels = _order(board, numbers), _by_cell(board, marks or {}, "marks")
    texts = {cell: _cell_text(board, cell, order, labels, unicode) for cell in board.cells()}
    newest = board.peek() if last and board.moves else None
    width = max(map(len, texts.values()))
    rows = [
        f"{board.rows - row:2}"
        + "".join(_boxed(texts[Cell(row, col)], width, newest, Cell(row, col)) for col in range(board.cols))
        for row in range(board.rows)
    ]
    letters = "".join(_boxed(chr(ord("a") + col), width, None, None) for col in range(board.cols))
    return "\n".join(row.rstrip() for row in [*rows, "  " + letters])


def _cell_text(board: Board, cell: Cell, order: Mapping[Cell, int], labels: Mapping[Cell, str], unicode: bool) -> str:
    colour = board[cell]
    if cell in labels:
        return (_SIGNS if unicode else _PLAIN_SIGNS).get(labels[cell]) or _printable(labels[cell])
    if cell in order:
        return f"{'' if colour is None else 'XO'[colour - 1]}{order[cell]}"
    if colour is not None:
        return ("●○" if unicode else "XO")[colour - 1]
    return _crossing(board, cell) if unicode else "."


def _printable(mark: str) -> str:
    """As much of a mark as a cell of text has room for."""
    return "".join(symbol if symbol.isprintable() else " " for symbol in mark)[:4]


def _crossing(board: Board, cell: Cell) -> str:
    """How the lines of the board meet in a cell."""
    down = 0 if cell.row == 0 else 2 if cell.row == board.rows - 1 else 1
    right = 0 if cell.col == 0 else 2 if cell.col == board.cols - 1 else 1
    return ("┌┬┐", "├┼┤", "└┴┘")[down][right]


def _boxed(text: str, width: int, newest: Cell | None, cell: Cell | None) -> str:
    """A cell's text between two places that its brackets may take."""
    left, right = ("(", ")") if newest is not None and newest == cell else (" ", " ")
    return f"{left}{text}{right}".ljust(width + 2)
