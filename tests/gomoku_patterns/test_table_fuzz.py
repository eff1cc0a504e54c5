"""Whatever is read as a table, the answer is a table or a TableError; nothing else, soon, and in little memory."""

from __future__ import annotations

import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import as_evaluator
from gomoku_patterns.errors import LONGEST_MESSAGE, TableError
from gomoku_patterns.table import Table, load_table, parse_table, table_names
from tests.timing import quickest, timing

CELL = """
name = "c"
scan = "cell"
reach = 3
[[pattern]]
shape = "three"
text = "ooo"
score = 5
[[combination]]
needs = { three = 2 }
score = [7, 8]
[[fact]]
name = "f"
needs = [{ three = 1 }]
score = 2
"""
VALID = {name: load_table(name).to_toml() for name in table_names()} | {"cell": CELL}


def answers(text: str) -> Table | None:
    """Read a table; any error but a TableError comes through and fails the test."""
    try:
        return parse_table(text, "in")
    except TableError as error:
        said = str(error)
        assert said.startswith("in") and said.isprintable() and 8 < len(said) <= LONGEST_MESSAGE, said
        return None


@pytest.mark.parametrize("name", VALID)
def test_the_sound_tables_are_sound(name: str) -> None:
    assert answers(VALID[name]) is not None


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
@settings(max_examples=50)
def test_sound_tables_with_a_few_letters_changed(name: str, data: st.DataObject) -> None:
    content = VALID[name]
    pieces = ["99999999999", "[[window]]\n", '"""', "\x1b[2J", "\u2028", "nan", "{", "~", "O", "0x" + "f" * 5000, "-"]
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 6)))
        content = content[:start] + data.draw(st.text(max_size=3) | st.sampled_from(pieces)) + content[end:]
    answers(content)


WINDOW = "[[window]]\nlength = {}\nown = {}\nscore = 1\n"
PATTERN = '[[pattern]]\nshape = "{}"\ntext = "{}"\nscore = 1\n'
HURTING = {
    "windows": 'name = "t"\n' + WINDOW.format(15, 5) * 5_000,
    "large windows": 'name = "t"\n' + WINDOW.format(22, 11) * 100,
    "readings": 'name = "t"\n' + PATTERN.format("a", "o" + "~" * 21) * 100,
    "places": 'name = "t"\nscan = "point"\nreach = 6\n' + PATTERN.format("a", "~" * 6 + "o" + "~" * 6) * 100,
    "one text": 'name = "t"\n' + PATTERN.format("a", "oo") * 10_000,
    "texts": 'name = "t"\n[[pattern]]\nshape = "a"\nscore = 1\ntexts = [' + '"oo",' * 100_000 + "]",
    "a long text": 'name = "t"\n' + PATTERN.format("a", "o" * 500_000),
    "a long shape": 'name = "t"\n' + PATTERN.format("a" * 500_000, "oox"),
    "a long name": f'name = "{"a" * 500_000}"\n',
    "needs": CELL + "".join(f"[[combination]]\nneeds = {{ s{number} = 1 }}\nscore = 1\n" for number in range(5_000)),
    "facts": CELL + '[[fact]]\nname = "g"\nneeds = { three = 1 }\n' * 5_000,
    "unclosed strings": '\\"""\n' * 100_000,
    "keys": "".join(f"a{number} = 1\n" for number in range(50_000)),
    "one key": "a." * 200_000 + "b = 1",
    "nested": "a = " + "[" * 200_000,
    "tables": "[a.b]\n" * 50_000,
}


@pytest.mark.parametrize("name", HURTING)
@timing
def test_tables_that_are_made_to_hurt_are_refused_soon(name: str) -> None:
    assert quickest(lambda: answers(HURTING[name]), 5, clock=time.process_time) < 5


@pytest.mark.parametrize("name", ["windows", "large windows", "readings", "places", "one text", "texts", "facts"])
def test_tables_that_are_made_to_hurt_take_little_memory(name: str) -> None:
    tracemalloc.start()
    try:
        assert answers(HURTING[name]) is None
        assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    finally:
        tracemalloc.stop()


def test_the_largest_tables_compile_in_little_memory() -> None:
    """The windows of reach 6 and the texts of 22 symbols are what an evaluator has most of."""
    texts = [f"{number:022b}".replace("0", "x").replace("1", "o") for number in range(1, 3000)]
    line = 'name = "t"\n' + "".join(PATTERN.format("a", text) for text in texts)
    point = (
        'name = "t"\nscan = "point"\nreach = 6\n' + PATTERN.format("a", "ooooo") + PATTERN.format("b", "~oo~oooooo~o~")
    )
    for text in (line, point):
        table = answers(text)
        assert table is not None
        tracemalloc.start()
        try:
            as_evaluator(table)
            assert tracemalloc.get_traced_memory()[1] < 200 * 2**20
        finally:
            tracemalloc.stop()
