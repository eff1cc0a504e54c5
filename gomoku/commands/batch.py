"""``--batch``: a JSON position a line in, a JSON result a line out, in the same order."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, BinaryIO

from gomoku.commands.common import Json, decode, print_json, reading_limit, source_name, standard_input
from gomoku_patterns.board import Board
from gomoku_patterns.errors import GomokuError, NotationError
from gomoku_patterns.files import open_file, too_large

Line = tuple[int, bytes | str]
"""A line of a batch: its number, and what stands there or why that was not read."""
PIECE = 2**20


def run_batch(
    file: str,
    answer: Callable[[Board], Mapping[str, Any]],
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


def answer_line(source: str, answer: Callable[[Board], Mapping[str, Any]], line: Line) -> Json:
    """The result for one numbered line of a batch."""
    from gomoku_patterns.notation import parse_json_position
    from gomoku_patterns.notation.json_place import JsonValueError

    number, data = line
    identity = None
    if isinstance(data, str):
        return {"id": None, "error": f"{source}:{number}: {data}"}
    try:
        text = decode(data, source, number)
        value = parse_batch_line(text, source, number)
        identity = value.get("id")
        return {"id": identity, **answer(parse_json_position(value))}
    except JsonValueError as slip:
        return {"id": identity, "error": str(slip.placed(text, source, number))}
    except GomokuError as error:
        return {"id": identity, "error": _batch_error(error, source, number)}


def _spread(
    answered: Callable[[Line], Json],
    lines: Iterator[Line],
    stack: contextlib.ExitStack,
    *,
    jobs: int,
    cluster: str | None,
) -> Iterator[Json]:
    from arena.pools import workers
    from arena.work import run_units

    def lost(line: Line) -> Json:
        return {"id": _identity(line), "error": f"line {line[0]}: the process that worked on it died, three times"}

    pool = stack.enter_context(workers(jobs, cluster=cluster))
    return (result for _, result in run_units(answered, lines, pool, ordered=True, lost=lost))


def _identity(line: Line) -> object:
    """The ``id`` of a line, as far as it can be read."""
    number, data = line
    if isinstance(data, str):
        return None
    with contextlib.suppress(GomokuError):
        return parse_batch_line(decode(data, "", number), "", number).get("id")
    return None


def _batch_error(error: GomokuError, source: str, number: int) -> str:
    text = str(error)
    return text if text.startswith(source) else f"{source}:{number}: {text}"


def batch_lines(file: str) -> Iterator[Line]:
    """The non-empty lines of a batch with their numbers, read as they come."""
    if file == "-":
        yield from _numbered(standard_input())
        return
    try:
        with open_file(file) as stream:
            yield from _numbered(stream)
    except OSError as error:
        raise NotationError(f"cannot be read: {str(error.strerror).lower()}", source=file) from None


def _numbered(stream: BinaryIO) -> Iterator[Line]:
    limit = reading_limit()
    for number, line in enumerate(iter(lambda: stream.readline(limit + 1), b""), 1):
        if len(line) > limit:
            _skip_line(stream, line)
            yield number, too_large(limit)
        elif line.strip():
            yield number, line


def _skip_line(stream: BinaryIO, begun: bytes) -> None:
    while begun and not begun.endswith(b"\n"):
        begun = stream.readline(PIECE)


def parse_batch_line(text: str, source: str, number: int) -> Json:
    """The JSON object on one line of a batch."""
    from gomoku_patterns.errors import shown
    from gomoku_patterns.notation.json_position import parse_json

    value = parse_json(text, source, number)
    if not isinstance(value, dict):
        raise NotationError(f"each line must be a JSON object, not {shown(value)}", source=source, line=number)
    return value
