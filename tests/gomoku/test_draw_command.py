"""``gomoku draw``: text, SVG and PNG."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

POSITION = """
.........
.........
....X....
....X....
..XX.....
.....O...
......O..
.........
.........
"""


@pytest.fixture
def draw(gomoku: Any) -> Any:
    return partial(gomoku, "draw", a_txt=POSITION, moves_txt="h8h9i8")


def test_text(draw: Any) -> None:
    done = draw("a.txt")
    assert done.status == 0 and " 5 ├  ┼  ●  ●  ┼  ┼  ┼  ┼  ┤\n" in done.out
    out = draw("a.txt", "--ascii", "--forbidden", "--rule", "renju", "--mark", "a1=Q", "--mark", "b1").out
    assert out.isascii() and " 5 .  .  X  X  *  .  .  .  .\n" in out and " 1 Q  @  .  .  .  .  .  .  .\n" in out


def test_numbers(draw: Any) -> None:
    assert "X1 (X3)" in draw("moves.txt", "--numbers", "--ascii").out


def test_pictures(draw: Any) -> None:
    pytest.importorskip("resvg_py")
    options = ["--heat", "grade_dict", "--line", "c5,d5", "--no-coordinates", "--size", "200"]
    done = draw("a.txt", "--svg", "a.svg", "--png", "a.png", *options)
    assert (done.status, done.err) == (0, "")
    root = ElementTree.fromstring(Path("a.svg").read_text(encoding="utf-8"))
    assert root.attrib["width"] == "200"
    values = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "-20" in values and len(values) > 20, "what a stone of black gains"
    assert Path("a.png").read_bytes().startswith(b"\x89PNG")


def test_svg_alone_on_standard_output(draw: Any) -> None:
    done = draw("a.txt", "--svg", "-")
    assert done.status == 0 and ElementTree.fromstring(done.out) is not None


def test_json(draw: Any) -> None:
    done = draw("a.txt", "--json", "--svg", "b.svg")
    value = done.value
    assert done.status == 0 and value.pop("text").startswith(" 9 ┌")
    assert value == {"rows": 9, "cols": 9, "rule": "freestyle", "to_move": "black", "svg": "b.svg", "png": None}


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["missing.txt"],
        ["a.txt", "--mark", "z9"],
        ["a.txt", "--line", "a1,zz"],
        ["a.txt", "--size", "0"],
        ["a.txt", "--size", "big"],
        ["a.txt", "--heat", "no_such_table"],
        ["a.txt", "--svg", "nowhere/a.svg"],
        ["a.txt", "--rule", "chess"],
        ["a.txt", "--json", "--svg", "-"],
    ],
)
def test_bad_usage_is_one_message_and_status_2(draw: Any, args: list[str]) -> None:
    done = draw(*args)
    assert done.status == 2 and done.out == "" and done.err and "Traceback" not in done.err
