"""What is wrong with a JSON position is said with its line and column."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation import read_position
from gomoku_patterns.notation.json_place import offset_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"black": ["h8",\n           "z99"]}', "2:12: expected a cell from 'a1' to 'o15'"),
        ('{"black": ["h8"], "white": ["h8"]}', "1:29: white[0] is 'h8', where black has a stone"),
        ('{"black": ["h8",\n"h8"]}', "2:1: black[1] is 'h8' a second time"),
        ('{\n  "rule": "chess"\n}', "2:11: expected one of freestyle"),
        ('{"black": [],\n "blak": []}', "2:2: expected the keys id, rows, cols"),
        ('{"rows": 15, "cols": 99}', "1:22: expected 5 to 22 columns, found 99"),
        ('{"rows": 3, "cols": 15}', "1:10: expected 5 to 22 rows, found 3"),
        ('{"rows": 3}', "1:10: expected 5 to 22 rows, found 3"),
        ('{"to_move":\t"green"}', "1:13: expected 'black' or 'white' in to_move"),
        ('{"black": 7}', "1:11: expected a list of cells in black, found 7"),
        ('[{"black": []},\n {"white": ["q"]}]', "2:13: position 2: expected a cell from"),
        ("[{}, 5]", "1:6: position 2: expected a JSON object with a position, found 5"),
    ],
)  # fmt: skip
def test_the_place_of_what_is_wrong(text: str, place: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a.json", format="json")
    assert str(error.value).startswith(f"a.json:{place}")


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(value=values, indent=st.sampled_from([None, 0, 3]), ascii_only=st.booleans())
def test_every_value_and_every_key_is_found(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    def check(inner: Any, path: tuple[str | int, ...]) -> None:
        assert json.JSONDecoder().raw_decode(text, offset_of(text, path))[0] == inner
        if path and isinstance(path[-1], str):
            assert json.JSONDecoder().raw_decode(text, offset_of(text, path, of_key=True))[0] == path[-1]
        for step, item in (
            inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        ):
            check(item, (*path, step))

    check(value, ())
