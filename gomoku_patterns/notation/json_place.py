"""Where in a JSON text a value stands: what is wrong with a position is said with its line and column.

>>> offset_of('{"black": ["h8", "z99"]}', ("black", 1))
17
"""

from __future__ import annotations

import json
import re

from gomoku_patterns.errors import NotationError

_BLANK = re.compile(r"[ \t\n\r\ufeff]*")
_DECODER = json.JSONDecoder()

Path = tuple[str | int, ...]


class JsonValueError(NotationError):
    """What is wrong with the value at ``path`` of a JSON value; ``named`` if it is its key that is wrong."""

    def __init__(self, message: str, *path: str | int, named: bool = False, code: str | None = None) -> None:
        super().__init__(message, code=code)
        self.path = path
        self.named = named

    def placed(self, text: str, source: str | None, first_line: int, start: Path = (), what: str = "") -> NotationError:
        """The same, said of the place in a text whose value at ``start`` is the one that was read."""
        at = offset_of(text, (*start, *self.path), self.named)
        line, column = first_line + text.count("\n", 0, at), at - text.rfind("\n", 0, at)
        return NotationError(what + self.message, source=source, line=line, column=column, code=self.code)


def offset_of(text: str, path: Path, of_key: bool = False) -> int:
    """Where the value at a path of a valid JSON text begins; with ``of_key`` the last key itself."""
    at = _skip(text, 0)
    for depth, step in enumerate(path, 1):
        at = _step(text, at, step, of_key and depth == len(path))
    return at


def _step(text: str, at: int, wanted: str | int, of_key: bool) -> int:
    """From a list or object to one of its values, over those before it."""
    at, index = _skip(text, at + 1), 0
    while True:
        key, begin = index, at
        if isinstance(wanted, str):
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == wanted:
            return begin if of_key else at
        _, at = _DECODER.raw_decode(text, at)
        at, index = _skip(text, _skip(text, at) + 1), index + 1


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
