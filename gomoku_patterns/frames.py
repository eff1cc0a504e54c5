"""Results as a pandas ``DataFrame``: solutions, search results, levels, attempts, games, reviews, ladders.

>>> from gomoku_patterns.frames import rows_of
>>> list(rows_of([{"name": "a", "speed": {"batch": 3}}, {"name": "b"}]))
[{'name': 'a', 'speed.batch': 3}, {'name': 'b'}]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gomoku_patterns.errors import GomokuError

Row = dict[str, Any]


def to_frame(*results: Any, positions: bool = False) -> Any:
    """A ``pandas.DataFrame`` with a row for each result.

    A result is anything with a ``row()`` or with ``rows()``, the data that a command or :mod:`gomoku.answers` gives, or
    any iterable of these, as ``read_games(...)`` is. ``positions`` gives games a row for each move. What is nested in a
    result becomes columns such as ``speed.batch``; a table's features keep the names of their columns.
    """
    try:
        import pandas
    except ImportError as error:
        raise GomokuError("to_frame needs pandas: pip install 'gomoku-patterns[data]'") from error
    if len(results) == 1 and (matrix := _matrix(results[0])) is not None:
        return pandas.DataFrame(matrix[0], columns=matrix[1])
    return pandas.DataFrame(list(rows_of(results, positions=positions)))


def _matrix(result: Any) -> tuple[Any, list[str]] | None:
    """The counts of :class:`~gomoku_patterns.Features`, with the names of their columns."""
    from gomoku_patterns.features import Features

    if not isinstance(result, Features):
        return None
    matrix = result.matrix
    return (matrix.toarray() if hasattr(matrix, "toarray") else matrix), list(result.names)


def rows_of(result: Any, *, positions: bool = False) -> Iterator[Row]:
    """The rows of a result, or of an iterable of results, each flat."""
    if isinstance(result, Mapping):
        yield _flat(result)
    elif positions and hasattr(result, "position_rows"):
        yield from map(_flat, result.position_rows())
    elif callable(row := getattr(result, "row", None)):
        yield _flat(row())
    elif callable(rows := getattr(result, "rows", None)):
        yield from map(_flat, rows())
    elif isinstance(result, Iterable) and not isinstance(result, (str, bytes)):
        for one in result:
            yield from rows_of(one, positions=positions)
    else:
        raise GomokuError(f"there are no rows in {result!r:.60}; give results, or data of gomoku.answers")


def _flat(row: Mapping[str, Any], prefix: str = "") -> Row:
    found: Row = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            found |= _flat(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found
