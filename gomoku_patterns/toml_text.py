"""Values written as TOML on one line, for files that people go on to edit.

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
from collections.abc import Iterator, Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


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
