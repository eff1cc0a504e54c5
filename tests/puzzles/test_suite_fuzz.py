"""Whatever is read as a suite, the answer is levels or a SuiteError; nothing else, soon, and in little memory."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzles
from gomoku_patterns.errors import LONGEST_MESSAGE, NotationError, SuiteError
from puzzles.suite import LEVEL_KEYS, SUITE_KEYS, read_text, suite_games, suite_lines, suite_text
from tests.timing import quickest, timing

LEVELS = [puzzles.load("huanle").level(16), puzzles.load("endgames").level(700)]
WRITERS = {"toml": suite_text, "jsonl": suite_lines, "sgf": suite_games}
VALID = {name: "".join(write("mine", LEVELS, title="Mine")).encode() for name, write in WRITERS.items()}


def answers(data: str | bytes) -> int:
    """Read everything and return how many levels there are; any error but those foreseen fails the test."""
    try:
        return len(list(read_text(data, "in")))
    except (SuiteError, NotationError) as error:
        text = str(error)
        assert text.isprintable() and 8 < len(text) <= LONGEST_MESSAGE, text
        return 0


@pytest.mark.parametrize("name", VALID)
def test_the_sound_suites_are_sound(name: str) -> None:
    assert answers(VALID[name]) == 2


@pytest.mark.parametrize("name", VALID)
@given(data=st.data())
@settings(max_examples=100)
def test_sound_suites_with_a_few_bytes_changed(name: str, data: st.DataObject) -> None:
    content = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 6)))
        pieces = [
            b"99999999999",
            b"[[level]]\n",
            b'"""',
            b"\x1b[2J",
            b"\xe2\x80\xa8",
            b"nan",
            b"{",
            b"0x" + b"f" * 5000,
        ]
        content[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from(pieces))
    answers(bytes(content))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["h8", "h8 i9", [7]]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(value=st.dictionaries(st.sampled_from([*LEVEL_KEYS, *SUITE_KEYS]), VALUES, max_size=6))
@settings(max_examples=100)
def test_any_json_line(value: dict[str, object]) -> None:
    answers(json.dumps({"number": 1, **value}))
    answers(json.dumps({"suite": "mine"}) + "\n" + json.dumps(value))


@given(text=st.text("[]level{}=\",.0x1bh8\\\n'# :(;)AB", max_size=100))
@settings(max_examples=100)
def test_any_text(text: str) -> None:
    answers(text)
    answers("[[level]]\n" + text)


HURTING = {
    "unclosed strings": "[[level]]\n" + '\\"""\n' * 40_000,
    "one key": "[[level]]\n" + "a." * 100_000 + "b = 1",
    "many levels": "[[level]]\n" * 3_000,
    "many keys": "[[level]]\n" + "".join(f"a{number} = 1\n" for number in range(50_000)),
    "a doubled key": '{"number": 1, ' + ",".join(f'"{number}":0' for number in range(50_000)) + ',"49999":0}',
    "one number for all games": '(;AB[hh]AW[aa]GOMOKU[{"number": 7}])' * 1_000,
    "facts without end": '(;AB[hh]GOMOKU[{"tags": [' + '"edge",' * 100_000 + '"edge"\\]}])',
    "rectangles": "(;GM[4]SZ[22]" + ";AE[aa:vv]" * 20_000 + ")",
    "cells without end": '[[level]]\nblack = "' + "1 " * 200_000 + '"',
    "a line without end": '[[level]]\nblack = "h8"\nwins = [' + '"a1",' * 20_000 + "]",
}


@pytest.mark.parametrize("name", HURTING)
@timing
def test_suites_that_are_made_to_hurt_are_answered_soon(name: str) -> None:
    assert quickest(lambda: answers(HURTING[name]), 5, clock=time.process_time) < 5


@pytest.mark.parametrize("suffix", ["toml", "jsonl"])
def test_a_large_file_is_read_in_little_memory(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"large.{suffix}"
    file.write_bytes(b'[[level]]\nblack = "h8"\n#' + b"x" * 20_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(SuiteError):
            puzzles.read(file)
        assert tracemalloc.get_traced_memory()[1] < 10 * 2**20
    finally:
        tracemalloc.stop()
