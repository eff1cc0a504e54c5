"""Positions as JSON: the form that scripts and the ``gomoku`` command speak.

>>> board = parse_json_position({"rows": 15, "cols": 15, "black": ["h8", [7, 8]], "white": ["h9"]})
>>> json_position(board, id=1)["to_move"]
'white'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour, parse_colour
from gomoku_patterns.errors import NotationError, shown
from gomoku_patterns.notation.json_place import JsonValueError
from gomoku_patterns.notation.origin import Frame, check_size, parse_origin
from gomoku_patterns.rules import Rule

KEYS = ("id", "rows", "cols", "rule", "black", "white", "to_move")


def parse_json_position(value: object, origin: str | None = None) -> Board:
    """The board that a JSON object describes: rows and columns (15), rule (freestyle), stones, and whose turn it is.

    A stone is a name, counted from the bottom unless ``origin`` says otherwise, or ``[row, col]`` from the top left.
    Without ``to_move`` it is white's turn when black has exactly one stone more, and black's otherwise.
    """
    if not isinstance(value, Mapping):
        raise JsonValueError(f"expected a JSON object with a position, found {shown(value)}")
    for key in value:
        if key not in KEYS:
            raise JsonValueError(f"expected the keys {', '.join(KEYS)}, found {shown(key)}", key, named=True)
    rows, cols = _size(value)
    frame = Frame(rows, cols, parse_origin(origin, "bottom"))
    black, white = (_stones(value, colour, frame) for colour in ("black", "white"))
    taken = set(black)
    for index, cell in enumerate(white):
        if cell in taken:
            message = f"white[{index}] is {frame.name(cell)!r}, where black has a stone"
            raise JsonValueError(message, "white", index, code="cell-taken")
    turn = value.get("to_move")
    return Board(
        rows, cols, black=black, white=white, turn=None if turn is None else _turn(turn), rule=_rule(value.get("rule"))
    )


def json_position(board: Board, id: Any = None) -> dict[str, Any]:
    """The JSON object that describes a board; ``id`` is left out when there is none."""
    identity = {} if id is None else {"id": id}
    return {
        **identity,
        "rows": board.rows,
        "cols": board.cols,
        "rule": board.rule.value,
        "black": [board.name(cell) for cell in board.stones(Colour.BLACK)],
        "white": [board.name(cell) for cell in board.stones(Colour.WHITE)],
        "to_move": str(board.turn),
    }


def parse_json(text: str, source: str | None = None, line: int = 1) -> Any:
    """The JSON value in a text; doubled keys and numbers that are none are refused like any other slip."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
        _check_surrogates(text, value)
        return value
    except json.JSONDecodeError as error:
        message = f"not valid JSON: {error.msg.lower()}"
        raise NotationError(
            message, source=source, line=line + error.lineno - 1, column=error.colno, code="bad-json"
        ) from None
    except RecursionError:
        raise NotationError("the JSON is nested too deep", source=source, line=line, code="bad-json") from None
    except NotationError as error:
        raise NotationError(error.message, source=source, line=line, code="bad-json") from None
    except ValueError:
        raise NotationError(
            "a number in the JSON has too many digits", source=source, line=line, code="bad-json"
        ) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for key, member in pairs:
        if key in value:
            raise NotationError(f"the key {shown(key)} stands there twice")
        value[key] = member
    return value


def _check_surrogates(text: str, value: Any) -> None:
    """Half a surrogate pair is valid JSON, but no text: it could never be written again."""
    if "\\ud" not in text.lower():
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise NotationError("text may not hold half of a surrogate pair") from None


def _no_constant(name: str) -> Any:
    raise NotationError(f"expected a JSON value, found {name}")


def _size(value: Mapping[str, Any]) -> tuple[int, int]:
    rows = value.get("rows", 15)
    try:
        return check_size(rows, value.get("cols", rows))
    except NotationError as error:
        key = "cols" if "cols" in value and "col" in error.message else "rows"
        raise (JsonValueError(error.message, key, code=error.code) if key in value else error) from None


def _stones(value: Mapping[str, Any], colour: str, frame: Frame) -> list[Cell]:
    given = value.get(colour, [])
    if not isinstance(given, (list, tuple)):
        raise JsonValueError(f"expected a list of cells in {colour}, found {shown(given)}", colour)
    cells: dict[Cell, None] = {}
    for index, item in enumerate(given):
        cell = _cell(item, frame)
        if cell is None:
            expected = f"a cell from {frame.span} or [row, col] on a {frame.rows}x{frame.cols} board"
            raise JsonValueError(
                f"expected {expected} at {colour}[{index}], found {shown(item)}", colour, index, code="bad-cell"
            )
        if cell in cells:
            raise JsonValueError(
                f"{colour}[{index}] is {frame.name(cell)!r} a second time", colour, index, code="cell-taken"
            )
        cells[cell] = None
    return list(cells)


def _cell(item: object, frame: Frame) -> Cell | None:
    if isinstance(item, str):
        return frame.parse_name(item.strip())
    if not isinstance(item, (list, tuple)) or len(item) != 2 or not all(type(part) is int for part in item):
        return None
    row, col = cast("tuple[int, int]", tuple(item))
    return Cell(row, col) if 0 <= row < frame.rows and 0 <= col < frame.cols else None


def _turn(value: object) -> Colour:
    try:
        return parse_colour(value)
    except ValueError:
        raise JsonValueError(f"expected 'black' or 'white' in to_move, found {shown(value)}", "to_move") from None


def _rule(value: object) -> Rule:
    try:
        return Rule.FREESTYLE if value is None else Rule.parse(value)
    except (ValueError, TypeError):
        names = ", ".join(rule.value for rule in Rule)
        message = f"expected one of {names} or a Gomocup code in rule, found {shown(value)}"
        raise JsonValueError(message, "rule", code="unknown-rule") from None
