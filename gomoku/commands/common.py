"""What the commands share: reading input, printing JSON."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any, BinaryIO

import click

from gomoku_patterns.board import Board
from gomoku_patterns.errors import GomokuError, NotationError
from gomoku_patterns.files import MAX_BYTES, read_file, read_stream

Json = dict[str, Any]


READING_LIMIT = "gomoku.max_bytes"
"""Where the context of a command keeps its ``--max-bytes``."""


def reading_limit(default: int = MAX_BYTES) -> int:
    """How many bytes of a file, or of a line of a batch, the command reads."""
    context = click.get_current_context(silent=True)
    return int((context and context.meta.get(READING_LIMIT)) or default)


def read_text(file: str, most: int = MAX_BYTES) -> str:
    """The text of a file, or of standard input for ``-``; refused with one clear line if it cannot be read."""
    return decode(read_bytes(file, most), source_name(file))


def read_bytes(file: str, most: int = MAX_BYTES) -> bytes:
    """The bytes of a file, or of standard input for ``-``; no more than ``most``, or what ``--max-bytes`` allows."""
    if not file:
        raise NotationError("the name of the file to read is empty")
    try:
        limit = reading_limit(most)
        return read_stream(standard_input(), limit) if file == "-" else read_file(file, limit)
    except NotationError:
        raise
    except GomokuError as error:
        raise NotationError(str(error), source=source_name(file), code=error.code) from None
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).lower()
        raise NotationError(f"cannot be read: {why}", source=file) from None


def standard_input() -> BinaryIO:
    """The bytes of standard input."""
    check_input("a position")
    return sys.stdin.buffer


def check_input(wanted: str) -> None:
    """Refuse to go on without standard input, which may be closed."""
    if sys.stdin is None:
        raise NotationError(f"cannot read {wanted}: standard input is closed", source="<stdin>")


def source_name(file: str) -> str:
    """What error messages call a file."""
    return "<stdin>" if file == "-" else file


def decode(data: bytes, source: str, first_line: int = 1) -> str:
    """UTF-8 text, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise NotationError(
            f"expected UTF-8 text, found byte 0x{data[error.start]:02x}", source=source, line=line
        ) from None


def print_json(value: object) -> None:
    """One JSON value on one line, escaped where standard output cannot take its letters as they are."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    click.echo(text)


def read_board(file: str) -> Board:
    """The position in a file of any notation."""
    from gomoku_patterns.notation import read_position

    return read_position(read_bytes(file), source=source_name(file), max_bytes=reading_limit())


def read_identified(file: str) -> tuple[Board, Any]:
    """The position in a file of any notation, and its ``id`` if it is JSON that has one."""
    from gomoku_patterns.notation import read_position

    data = read_bytes(file)
    board = read_position(data, source=source_name(file), max_bytes=reading_limit())
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(data)
        return board, value.get("id") if isinstance(value, dict) else None
    return board, None
