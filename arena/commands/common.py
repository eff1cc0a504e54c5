"""What the commands share: reading input, JSON output, batches, exit status."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from gomoku_patterns.board import Board
from gomoku_patterns.cells import cell_name
from gomoku_patterns.errors import GomokuError, NotationError

Json = dict[str, Any]

CLUSTER_CHUNK = 16
"""How many lines of a batch go to a cluster's worker in one message, which costs as much as a few easy positions."""

file_argument = click.argument("file", required=False, metavar="FILE")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://host:8786.")
batch_option = click.option(
    "--batch",
    metavar="FILE.jsonl",
    help="One JSON position a line in ('-': standard input), one JSON result a line out.",
)


def read_text(file: str) -> str:
    """The text of a file, or of standard input for ``-``; refused with one clear line if it cannot be read."""
    return decode(read_bytes(file), source_name(file))


def read_bytes(file: str) -> bytes:
    """The bytes of a file, or of standard input for ``-``."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).lower()
        raise NotationError(f"expected a file to read, found {why}", source=file) from None


def source_name(file: str) -> str:
    """What error messages call a file."""
    return "<stdin>" if file == "-" else file


def decode(data: bytes, source: str) -> str:
    """UTF-8 text, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError(
            f"expected UTF-8 text, found byte 0x{data[error.start]:02x}", source=source, line=line
        ) from None


def print_json(value: object) -> None:
    """One JSON value on one line, escaped where a text copied from the input is half a surrogate pair."""
    text = json.dumps(value, ensure_ascii=False)
    click.echo(text if text.isascii() or text.encode(errors="ignore").decode() == text else json.dumps(value))


def named(cell: tuple[int, int] | None, board: Board, key: str = "move") -> Json:
    """A cell as JSON results give it: ``{"move": [r, c], "name": "h9"}``."""
    if cell is None:
        return {key: None, "name": None}
    return {key: [cell[0], cell[1]], "name": cell_name(cell, board.rows)}


def require_one_input(file: str | None, batch: str | None) -> None:
    """A command reads either FILE or --batch."""
    if (file is None) == (batch is None):
        raise click.UsageError("expected either FILE or --batch FILE.jsonl ('-' reads standard input)")


def batch_lines(file: str) -> Iterator[tuple[int, bytes]]:
    """The non-empty lines of a batch with their numbers, read as they come."""
    if file == "-":
        yield from _numbered(sys.stdin.buffer)
        return
    try:
        stream = Path(file).open("rb")
    except OSError as error:
        raise NotationError(f"expected a file to read, found {str(error.strerror).lower()}", source=file) from None
    with stream:
        yield from _numbered(stream)


def _numbered(stream: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(stream, 1) if line.strip())


def parse_batch_line(data: bytes, source: str, number: int) -> Json:
    """The JSON object on one line of a batch."""
    text = decode(data, source)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        column = getattr(error, "colno", None)
        what = getattr(error, "msg", "a number too long or nesting too deep").lower()
        raise NotationError(
            f"expected a JSON position, found {what}", source=source, line=number, column=column
        ) from None
    if not isinstance(value, dict):
        raise NotationError(f"expected a JSON object, found {value!r:.60}", source=source, line=number)
    return value


def run_batch(
    file: str,
    answer: Callable[[Board], Json],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    watch: Callable[[Json], object] | None = None,
) -> bool:
    """Answer each line of a batch in order, its ``id`` copied; a bad line gives ``{"id", "error"}`` in its place.

    With several ``jobs`` the answers are computed in that many processes, and with a ``cluster`` on its workers, so
    ``answer`` must be something that can be pickled. ``watch`` is told every result. Returns whether every line could
    be answered.
    """
    answered = partial(answer_line, source_name(file), answer)
    lines, clean = batch_lines(file), True
    with contextlib.ExitStack() as stack:
        here = jobs == 1 and cluster is None
        results = map(answered, lines) if here else _spread(answered, lines, stack, jobs=jobs, cluster=cluster)
        for result in results:
            clean = clean and "error" not in result
            print_json(result)
            sys.stdout.flush()
            if watch:
                watch(result)
    return clean


def answer_line(source: str, answer: Callable[[Board], Json], line: tuple[int, bytes]) -> Json:
    """The result for one numbered line of a batch."""
    from gomoku_patterns.notation import parse_json_position

    number, data = line
    identity = None
    try:
        value = parse_batch_line(data, source, number)
        identity = value.get("id")
        return {"id": identity, **answer(parse_json_position(value))}
    except GomokuError as error:
        return {"id": identity, "error": _batch_error(error, source, number)}


def _spread(
    answered: Callable[[tuple[int, bytes]], Json],
    lines: Iterator[tuple[int, bytes]],
    stack: contextlib.ExitStack,
    *,
    jobs: int,
    cluster: str | None,
) -> Iterator[Json]:
    from arena.work import run_units, workers

    def lost(line: tuple[int, bytes]) -> Json:
        return {"id": None, "error": f"line {line[0]}: the process that worked on it died, three times"}

    pool = stack.enter_context(workers(jobs, cluster=cluster))
    chunk = 1 if cluster is None else CLUSTER_CHUNK
    return (result for _, result in run_units(answered, lines, pool, chunk=chunk, ordered=True, lost=lost))


def _batch_error(error: GomokuError, source: str, number: int) -> str:
    text = str(error)
    return text if text.startswith(source) else f"{source}:{number}: {text}"


def read_board(file: str) -> Board:
    """The position in a file of any notation."""
    from gomoku_patterns.notation import read_position

    return read_position(read_bytes(file), source=source_name(file))


def read_identified(file: str) -> tuple[Board, Any]:
    """The position in a file of any notation, and its ``id`` if it is JSON that has one."""
    from gomoku_patterns.notation import read_position

    data = read_bytes(file)
    board = read_position(data, source=source_name(file))
    with contextlib.suppress(ValueError, RecursionError):
        value = json.loads(data)
        return board, value.get("id") if isinstance(value, dict) else None
    return board, None
