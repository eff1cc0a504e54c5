"""What is written as TOML is read back as it was."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.toml_text import toml_lines

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
PLAIN = TEXTS | st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.floats(allow_nan=False)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3))


@given(st.dictionaries(TEXTS, VALUES, max_size=4))
def test_lines_come_back(values: dict[str, Any]) -> None:
    lines = list(toml_lines(values))
    assert tomllib.loads("\n".join(lines)) == values
    assert all("\n" not in line for line in lines)


def test_what_is_not_there_is_left_out() -> None:
    assert list(toml_lines({"a": None, "b c": {}, "d": 1.5})) == ['"b c" = {}', "d = 1.5"]
