"""TOML read within bounds, and written on one line a value, for files that people go on to edit.

``tomli-w`` spreads every list over several lines and folds short arrays of tables into one, so that a table of patterns
would not look like those that people write.

>>> print(*toml_lines({"title": "four 四", "score": [720, 1], "needs": {"rush_four": 2}, "mirror": True}), sep="\\n")
title = "four 四"
score = [720, 1]
needs = { rush_four = 2 }
mirror = true
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from gomoku_patterns.errors import GomokuError

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
# Strings and comments. The groups never backtrack: an unclosed string reaches to the end of its line or of the text.
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?|'
    r"'{3}(?:[^']|'(?!''))*+(?:'{3})?|"
    r'"(?:[^"\\\n]|\\.)*+"?|'
    r"'[^'\n]*+'?|#[^\n]*+",
    re.DOTALL,
)
_DEEP_KEY = re.compile(r"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){32}")
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")


class TomlError(GomokuError):
    """A text that is not TOML; knows the line and the column where it is known to go wrong."""

    code = "bad-toml"

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.line, self.column = line, column
        super().__init__(f"not valid TOML: {message}")


def parse_toml(text: str) -> dict[str, Any]:
    """The values of a TOML text.

    The time that ``tomllib`` takes grows with the square of the parts of a dotted key, so keys of many are refused.
    """
    deep = _DEEP_KEY.search(_STRING.sub("s", text))
    if deep:
        raise TomlError(f"a key of more than 32 parts, {deep[0][:30]}...")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        said = _PLACE.sub("", str(error))
        line, column = (int(place[1]), int(place[2])) if place and place[1] else (text.count("\n") + 1, None)
        raise TomlError(said[:1].lower() + said[1:], line, column) from None
    except RecursionError:
        raise TomlError("nested too deep") from None
    except ValueError:
        raise TomlError("a number has too many digits") from None


def toml_lines(values: Mapping[str, Any]) -> Iterator[str]:
    """A line ``key = value`` for each value; None is left out."""
    for key, value in values.items():
        if value is not None:
            yield f"{_key(key)} = {toml_value(value)}"


def toml_value(value: Any) -> str:
    """A text, number, truth value, list or mapping; anything else, such as a date, as its text."""
    if isinstance(value, Mapping):
        inside = ", ".join(toml_lines(value))
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value) if isinstance(value, (bool, int)) else _quoted(str(value))


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _quoted(key)


def _quoted(text: str) -> str:
    """What JSON escapes TOML escapes alike, except for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
