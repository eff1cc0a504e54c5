"""Files of JSON positions: one object, a list of objects, or one object a line (which streams)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.json_place import JsonValueError, Path
from gomoku_patterns.notation.json_position import json_position, parse_json, parse_json_position
from gomoku_patterns.notation.text import Entry, Text, TextOptions


def read_json(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The positions of one JSON value: an object, or a list of them."""
    value = parse_json(text.text, text.source, text.first_line)
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield _entry(item, options, text, start=(number - 1,), what=f"position {number}: ")
    else:
        yield _entry(value, options, text)


def read_json_lines(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The positions of a text, one JSON object a line; empty lines are left out."""
    for number, (_, line) in enumerate(text.lines()):
        if line.strip():
            yield json_line(line, text.first_line + number, options, text.source)


def json_line(line: str, number: int, options: TextOptions, source: str | None) -> Entry:
    """The position on one line."""
    return replace(_entry(parse_json(line, source, number), options, Text(line, source, number)), line=number)


def write_json(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """One object for one position, a list for several."""
    values = [_value(entry, options) for entry in entries]
    if len(values) == 1:
        yield json.dumps(values[0], ensure_ascii=False) + "\n"
    else:
        yield "[\n" + ",\n".join(json.dumps(value, ensure_ascii=False) for value in values) + "\n]\n"


def write_json_lines(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    return (json.dumps(_value(entry, options), ensure_ascii=False) + "\n" for entry in entries)


def _value(entry: Entry, options: TextOptions) -> dict[str, Any]:
    board = entry.board
    value = json_position(board, id=entry.id)
    frame = options.frame("bottom", board.rows, board.cols)
    for colour in ("black", "white"):
        value[colour] = [frame.name(board.cell(name)) for name in value[colour]]
    return value


def _entry(value: object, options: TextOptions, text: Text, *, start: Path = (), what: str = "") -> Entry:
    try:
        board = _checked(parse_json_position(value, options.origin), options)
    except JsonValueError as slip:
        raise slip.placed(text.text, text.source, text.first_line, start, what) from None
    except NotationError as error:
        raise NotationError(what + error.message, source=text.source, line=text.first_line, code=error.code) from None
    return Entry(board, id=value.get("id") if isinstance(value, dict) else None)


def _checked(board: Board, options: TextOptions) -> Board:
    options.frame("bottom", board.rows, board.cols)
    board.rule = options.rule or board.rule
    return board
