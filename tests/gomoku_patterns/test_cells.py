"""Colours, cells and their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Cell, Colour
from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE, cell_name, parse_cell, parse_colour
from gomoku_patterns.errors import BoardError, GomokuError

sides = st.integers(MIN_SIDE, MAX_SIDE)


@pytest.mark.parametrize(
    ("name", "rows", "cols", "cell"),
    [
        ("h8", 15, 15, (7, 7)),
        ("a1", 15, 15, (14, 0)),
        ("o15", 15, 15, (0, 14)),
        ("A1", 5, 5, (4, 0)),
        (" v22 ", 22, 22, (0, 21)),
        ("i1", 5, 9, (4, 8)),
        ("e9", 9, 5, (0, 4)),
    ],
)
def test_a_name_counts_columns_from_the_left_and_rows_from_the_bottom(
    name: str, rows: int, cols: int, cell: tuple[int, int]
) -> None:
    assert parse_cell(name, rows, cols) == cell
    assert cell_name(cell, rows) == name.strip().lower()


@given(rows=sides, cols=sides, data=st.data())
def test_names_and_cells_are_pairs(rows: int, cols: int, data: st.DataObject) -> None:
    cell = Cell(data.draw(st.integers(0, rows - 1)), data.draw(st.integers(0, cols - 1)))
    name = cell_name(cell, rows)
    assert parse_cell(name, rows, cols) == cell == parse_cell(name.upper(), rows, cols)


@pytest.mark.parametrize(
    "text", ["", "h", "8", "8h", "h0", "h08", "h8x", "h-1", "h 8", "hh8", "ü8", "h٣", "h8\n9", "h100"]
)
def test_what_no_cell_is_called(text: str) -> None:
    with pytest.raises(BoardError, match="expected a cell such as 'h8', found"):
        parse_cell(text, 15, 15)


@pytest.mark.parametrize("value", [None, 8, 7.5, b"h8", ("h", 8)])
def test_a_name_is_text(value: object) -> None:
    with pytest.raises(BoardError, match="expected a cell such as 'h8', found"):
        parse_cell(value, 15, 15)  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize("text", ["p1", "a16", "z99", "o16"])
def test_a_cell_beside_the_board(text: str) -> None:
    with pytest.raises(BoardError, match=f"expected a cell from 'a1' to 'o15', found '{text}'"):
        parse_cell(text, 15, 15)


@given(text=st.text(max_size=6), rows=sides, cols=sides)
def test_any_text_is_a_cell_of_the_board_or_refused(text: str, rows: int, cols: int) -> None:
    try:
        row, col = parse_cell(text, rows, cols)
    except BoardError:
        return
    assert 0 <= row < rows and 0 <= col < cols


def test_a_long_text_is_not_echoed_whole() -> None:
    for wrong in ("h" * 10_000_000, "z" + "9" * 10_000):
        with pytest.raises(BoardError) as caught:
            parse_cell(wrong, 15, 15)
        assert len(str(caught.value)) < 150
    with pytest.raises(BoardError) as caught:
        parse_colour("red" * 10_000)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize("word", [BLACK, "black", " Black ", "b", "B", "x", "X", 1])
def test_what_people_call_black(word: object) -> None:
    assert parse_colour(word) is BLACK


@pytest.mark.parametrize("word", [WHITE, "white", "w", "O", 2])
def test_what_people_call_white(word: object) -> None:
    assert parse_colour(word) is WHITE


@pytest.mark.parametrize("word", [None, "", "red", 0, 3, -1, True, 1.0, [1]])
def test_what_is_no_colour(word: object) -> None:
    with pytest.raises(BoardError, match="expected a colour, 'black' or 'white', found"):
        parse_colour(word)


def test_a_colour_knows_its_opponent_sign_and_words() -> None:
    assert BLACK.opponent is WHITE and WHITE.opponent is BLACK
    assert (BLACK.sign, WHITE.sign) == (1, -1)
    assert [str(colour) for colour in Colour] == ["black", "white"]
    assert repr(list(Colour)) == "[BLACK, WHITE]"


def test_every_error_of_a_board_is_an_error_of_the_project_and_a_value_error() -> None:
    assert issubclass(BoardError, GomokuError) and issubclass(GomokuError, ValueError)
