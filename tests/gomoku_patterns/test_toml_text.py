"""What is written as TOML is read back as it was."""

from __future__ import annotations

import time
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.toml_text import TomlError, parse_toml, toml_lines
from tests.timing import quickest, timing

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


@pytest.mark.parametrize(
    "text", ['\\"""\n' * 40_000, '"' + 'a\\"' * 80_000 + "\n", "'''" + "'" * 200_000, '"""' + '"' * 200_000]
)
@timing
def test_strings_that_nothing_closes_are_refused_soon(text: str) -> None:
    def refuse() -> None:
        with pytest.raises(TomlError):
            parse_toml(text)

    assert quickest(refuse, 2, clock=time.process_time) < 2


@pytest.mark.parametrize("before", ['t = """a""b\\""""', "t = '''a''b'''", r't = "\"" # "', "t = 'a\"'"])
def test_a_deep_key_is_found_beside_strings_with_quotes_in_them(before: str) -> None:
    deep = "\n" + "a." * 40 + "b = 1\n"
    assert parse_toml(before)
    with pytest.raises(TomlError, match="more than 32 parts"):
        parse_toml(before + deep)
    assert parse_toml(before + "\n# " + deep.strip()) == parse_toml(before)
