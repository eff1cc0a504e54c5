"""Pictures of boards: valid XML that shows every stone, number, mark and value, and text for the terminal."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import BLACK, Board
from gomoku_patterns.draw import board_svg, board_text, svg_to_png
from gomoku_patterns.errors import BoardError, GomokuError

NAMESPACE = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in parsed(svg).iter(f"{NAMESPACE}text")]


def stones_in(svg: str, colour: str) -> list[tuple[float, float]]:
    groups = [group for group in parsed(svg).iter(f"{NAMESPACE}g") if group.get("fill") == f"url(#gomoku-{colour})"]
    return [(float(stone.attrib["cx"]), float(stone.attrib["cy"])) for group in groups for stone in group]


def played(*names: str) -> Board:
    board = Board()
    for name in names:
        board.push(name)
    return board


def test_every_stone_stands_on_its_crossing() -> None:
    svg = board_svg(Board(5, 9, black=["a1", "i5"], white=["e3"]), coordinates=False)
    width, height = map(float, parsed(svg).attrib["viewBox"].split()[2:])
    assert stones_in(svg, "black") == [(width - 30, 30), (30, height - 30)]
    assert stones_in(svg, "white") == [(width / 2, height / 2)]


@pytest.mark.parametrize(("rows", "cols"), [(5, 5), (5, 22), (22, 5), (15, 15), (19, 19), (20, 20), (22, 22), (9, 13)])
@pytest.mark.parametrize("coordinates", [True, False])
def test_any_size_is_a_picture_whose_longer_side_is_as_asked(rows: int, cols: int, coordinates: bool) -> None:
    svg = board_svg(Board(rows, cols), size=400, coordinates=coordinates)
    root = parsed(svg)
    assert max(float(root.attrib["width"]), float(root.attrib["height"])) == 400
    letters = {chr(ord("a") + col) for col in range(cols)}
    numbers = {str(row + 1) for row in range(rows)}
    assert set(texts(svg)) == (letters | numbers if coordinates else set())


def test_the_picture_says_what_it_shows_to_those_who_cannot_see_it() -> None:
    svg = board_svg(Board(9, black=["e5"], rule="renju"), title='Level <1> & "more"')
    root = parsed(svg)
    assert root.attrib["role"] == "img"
    assert root[0].tag == f"{NAMESPACE}title" and root[0].text == 'Level <1> & "more"'
    assert root[1].tag == f"{NAMESPACE}desc"
    assert root[1].text == "black: e5; white: no stones; white to move; rule: renju"
    assert parsed(board_svg(Board(5, 6)))[0].text == "Gomoku board, 5 by 6"


def test_moves_are_numbered_and_the_newest_is_red() -> None:
    board = played("h8", "h9", "i8")
    svg = board_svg(board, numbers=True, coordinates=False)
    assert texts(svg) == ["1", "2", "3"]
    inks = [element.attrib["fill"] for element in parsed(svg).iter(f"{NAMESPACE}text")]
    assert inks == ["#ffffff", "#111111", "#ff5a48"]


def test_any_cells_can_be_numbered() -> None:
    board = Board(9, black=["e5"])
    assert texts(board_svg(board, numbers=["e5", (0, 0)], coordinates=False)) == ["1", "2"]
    assert texts(board_svg(board, numbers=True, coordinates=False)) == []


def test_marks_have_shapes_or_are_written() -> None:
    board = played("h8", "h9")
    marks = {"h8": "circle", "h9": "cross", (0, 0): "triangle", "a1": "square", "b1": "A", "c1": "<&\"'>"}
    svg = board_svg(board, marks=marks, coordinates=False)
    assert texts(svg) == ["A", "<&\"'>"]
    plain = board_svg(board, coordinates=False, last=False)
    assert len(list(parsed(svg).iter(f"{NAMESPACE}path"))) > len(list(parsed(plain).iter(f"{NAMESPACE}path")))


def test_the_last_move_has_a_dot_unless_something_else_is_written_there() -> None:
    board = played("h8")
    plain = len(board_svg(board, last=False))
    assert len(board_svg(board)) > plain
    assert board_svg(Board(black=["h8"])) == board_svg(Board(black=["h8"]), last=False)
    assert texts(board_svg(board, marks={"h8": "1"}, coordinates=False)) == ["1"]


def test_heat_is_written_in_red_and_blue() -> None:
    board = Board(9, black=["e5"])
    heat = {"a1": 50000, "b1": -4320, "c1": 720, "d1": 0.25, "e1": -1234567, "f1": 2e10, "h1": 3e40, "e5": 5}
    svg = board_svg(board, heat=heat, coordinates=False)
    assert texts(svg) == ["50k", "-4.3k", "720", "0.25", "-1.2M", "20G", "3e+40"], "a stone hides the value under it"
    squares = [rect for rect in parsed(svg).iter(f"{NAMESPACE}rect") if "fill-opacity" in rect.attrib]
    red, blue = "#c8321f", "#1f5fc8"
    assert [rect.attrib["fill"] for rect in squares] == [red, blue, red, red, blue, red, red]
    fullness = [float(rect.attrib["fill-opacity"]) for rect in squares]
    assert max(fullness) == fullness[-1] <= 1 and min(fullness) == fullness[3] > 0


def test_heat_from_an_array_leaves_zeros_and_nans_blank() -> None:
    board = Board(5, 6)
    array = np.zeros((5, 6))
    array[0, 0], array[4, 5], array[2, 2] = 7, -3, math.nan
    assert texts(board_svg(board, heat=array, coordinates=False)) == ["7", "-3"]
    assert texts(board_svg(board, heat=array.tolist(), coordinates=False)) == ["7", "-3"]
    assert texts(board_svg(board, heat={"a1": 0, "b1": None}, coordinates=False)) == ["0"]


@pytest.mark.parametrize(
    ("line", "bands"),
    [
        ([], 0),
        (["a1", "b2", "c3"], 1),
        ([(0, 0), (0, 1)], 1),
        ([["a1", "b2"], ["e5", "e4"]], 2),
        ([["c3"]], 1),
        ([[]], 0),
    ],
)
def test_rows_of_cells_are_highlighted(line: list[object], bands: int) -> None:
    svg = board_svg(Board(5), line=line)
    assert sum("stroke-opacity" in path.attrib for path in parsed(svg).iter(f"{NAMESPACE}path")) == bands


@pytest.mark.parametrize(
    "options",
    [
        {"numbers": "h8"},
        {"numbers": ["z1"]},
        {"marks": {"p1": "circle"}},
        {"marks": ["a1"]},
        {"heat": {"a99": 1}},
        {"heat": {"a1": "hot"}},
        {"heat": {"a1": math.inf}},
        {"heat": [[1, 2], [3, 4]]},
        {"heat": 5},
        {"line": ["a1", "p1"]},
        {"size": 0},
        {"size": math.nan},
        {"size": "big"},
        {"size": 1e9},
    ],
)
def test_what_cannot_be_drawn(options: dict[str, object]) -> None:
    with pytest.raises(BoardError, match=r"expected|heat (must have|has to be)"):
        board_svg(Board(), **options)  # type: ignore[arg-type]  # wrong types are the point


@given(text=st.text(max_size=12))
def test_any_label_makes_valid_xml(text: str) -> None:
    svg = board_svg(Board(5), marks={"a1": text}, title=text)
    parsed(svg)


@given(values=st.lists(st.floats(allow_infinity=False) | st.integers(-(10**30), 10**30), min_size=1, max_size=25))
def test_any_values_make_valid_pictures(values: list[float]) -> None:
    board = Board(5)
    svg = board_svg(board, heat=dict(zip(board.cells(), values, strict=False)))
    for rect in parsed(svg).iter(f"{NAMESPACE}rect"):
        assert 0 <= float(rect.get("fill-opacity", "1")) <= 1
    assert "nan" not in svg and "inf" not in svg


# ---------------------------------------------------------------------- PNG


def test_png(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    path = tmp_path / "board.png"
    data = svg_to_png(board_svg(Board(5), size=100), path)
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and path.read_bytes() == data
    assert int.from_bytes(data[16:20], "big") == 100
    with pytest.raises(GomokuError, match="this is not an SVG picture"):
        svg_to_png("<html/>")


def test_png_without_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(GomokuError, match=r"need the extra 'png'.*pip install 'gomoku-patterns\[png\]'"):
        svg_to_png(board_svg(Board()))


# ---------------------------------------------------------------------- text


def test_text_with_lines_stones_and_the_last_move() -> None:
    board = Board(5, 6)
    for name in ("c3", "d3", "a1"):
        board.push(name)
    assert board_text(board) == "\n".join([
        " 5 ┌  ┬  ┬  ┬  ┬  ┐",
        " 4 ├  ┼  ┼  ┼  ┼  ┤",
        " 3 ├  ┼  ●  ○  ┼  ┤",
        " 2 ├  ┼  ┼  ┼  ┼  ┤",
        " 1(●) ┴  ┴  ┴  ┴  ┘",
        "   a  b  c  d  e  f",
    ])  # fmt: skip


def test_text_with_numbers_and_marks_in_ascii() -> None:
    board = Board(5)
    for name in ("c3", "d3"):
        board.push(name)
    marks = {"a1": "circle", "b1": "cross", "c1": "triangle", "d1": "square", "e1": "Q"}
    assert board_text(board, numbers=True, marks=marks, unicode=False) == "\n".join([
        " 5 .   .   .   .   .",
        " 4 .   .   .   .   .",
        " 3 .   .   X1 (O2) .",
        " 2 .   .   .   .   .",
        " 1 @   *   ^   #   Q",
        "   a   b   c   d   e",
    ])  # fmt: skip


@pytest.mark.parametrize(("rows", "cols"), [(5, 22), (22, 5), (15, 15)])
def test_text_of_any_size_has_a_line_a_row(rows: int, cols: int) -> None:
    board = Board(rows, cols, black=[(0, 0)])
    lines = board_text(board).split("\n")
    assert len(lines) == rows + 1 and len(lines[-1].split()) == cols
    assert board_text(board).count("●") == 1 and board_text(board, unicode=False).isascii()
    assert BLACK is board[0, 0]


@given(text=st.text(max_size=9))
def test_a_mark_never_breaks_the_rows(text: str) -> None:
    drawn = board_text(Board(5), marks={"a1": text})
    assert len(drawn.splitlines()) == 6 and all(line.isprintable() for line in drawn.split("\n"))
