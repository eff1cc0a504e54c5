"""Whatever is read, the answer is positions or a NotationError; nothing else, and soon."""

from __future__ import annotations

import contextlib
import json
import time
import tracemalloc

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gomoku_patterns import Board
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation import (
    Entry,
    formats,
    parse_json_position,
    read_positions,
    write_position,
    write_positions,
)
from gomoku_patterns.notation.formats import detect
from gomoku_patterns.notation.text import Text
from tests.timing import quickest, timing

NAMES = [entry.name for entry in formats()]


def _board() -> Board:
    board = Board(rule="renju")
    for cell in ("h8", "i9", "h9", "a1", "o15"):
        board.push(cell)
    return board


LIBRARY = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x78\x00\x68\xc8one\x08two\x00\x69\x01\x00\x01A\x00\x01\x40"
VALID = {name: LIBRARY if name == "lib" else b"" for name in NAMES}
VALID |= {entry.name: write_position(_board(), entry.name).encode() for entry in formats() if entry.write is not None}
VALID["lfz-link"] = b"https://example.org/p.html#H8H9&A1&&15&0&1&2&32&0&3&&"
VALID["sgf"] = b"(;FF[4]GM[4]SZ[15:9]RU[4]AB[aa:bb]PL[W]LB[cc:x\\]](;W[ee]C[a](;B[])(;B[f5]))(;W[ff]TR[aa]))"


def answers(data: str | bytes, name: str | None = None, origin: str | None = None) -> None:
    """Read everything; anything but entries and NotationError comes through and fails the test."""
    try:
        for entry in read_positions(data, format=name, origin=origin, name="in"):
            assert isinstance(entry.board, Board)
            assert not entry.tree or entry.tree.board() == entry.board
    except NotationError as error:
        text = str(error)
        assert text.startswith("in") and error.message.strip(". ")
        assert text.isprintable() and error.message.isprintable()
        assert len(text) < 400


ORIGINS = st.sampled_from([None, "top", "bottom"])
ALPHABETS = st.sampled_from(
    [
        "();BWA[]hio:\\ \n",
        '{}[]",:0h8blackwhite ',
        "h8i9,; pasA0-\n",
        ".XO10 \n5",
        "BOARDONE0123,-\n ",
        "black:white h8,()[]7\n",
    ]
)


@given(text=st.text(max_size=200), name=st.none() | st.sampled_from(NAMES))
@example("²", "moves")
@example("h²", "moves")
@example("\0", None)
@example("\x1c", "grid")
@example("rule: ²\n.....", "grid")
@settings(max_examples=400)
def test_any_text(text: str, name: str | None) -> None:
    answers(text, name)


@given(data=st.binary(max_size=200), name=st.none() | st.sampled_from(NAMES))
@settings(max_examples=300)
def test_any_bytes(data: bytes, name: str | None) -> None:
    answers(data, name)


@given(text=ALPHABETS.flatmap(lambda letters: st.text(letters, max_size=120)), name=st.none() | st.sampled_from(NAMES))
@settings(max_examples=500)
def test_texts_that_look_like_something(text: str, name: str | None) -> None:
    answers(text, name)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=60)
def test_sound_files_with_a_few_bytes_changed(name: str, data: st.DataObject) -> None:
    content = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 6)))
        content[start:end] = data.draw(st.binary(max_size=4) | st.sampled_from([b"99999999999", b"((((", b"[[", b"\0"]))
    answers(bytes(content), data.draw(st.sampled_from([name, None])), data.draw(ORIGINS))


@pytest.mark.parametrize("name", NAMES)
def test_the_sound_files_are_sound(name: str) -> None:
    assert list(read_positions(VALID[name], format=name))
    assert list(read_positions(VALID[name]))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["h8", "black"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["rows", "cols", "rule", "black", "white", "to_move", "id", "puzzles", "defaultSettings", "stones", "side", "size"]
)


@given(value=VALUES | st.dictionaries(KEYS, VALUES, max_size=5))
@settings(max_examples=400)
def test_any_json(value: object) -> None:
    answers(json.dumps(value))
    answers(json.dumps(value), "lfz")
    with contextlib.suppress(NotationError):
        assert isinstance(parse_json_position(value), Board)


@pytest.mark.parametrize(
    "data",
    [
        "(" * 300_000,
        "(;" * 50_000,
        "(;B[hh]" + "(;W[]" * 50_000,
        "(;C[" + "\\]" * 300_000,
        "(;" + "AB[aa:oo]" * 1000 + ")",
        "[" * 300_000,
        '{"a":' * 100_000,
        '{"rows": ' + "9" * 10_000 + "}",
        '{"black": [' + "[0," * 100_000,
        "h8" * 100_000,
        "pass" * 100_000,
        "0," * 100_000,
        "-" * 300_000,
        "." * 300_000,
        ".\n" * 100_000,
        "\n" * 300_000 + "h8",
        " " * 300_000 + "?",
        "black:" * 50_000,
        "black: h8\n\n" * 5_000,
        "BOARD\nDONE\n" * 10_000,
        "Piskvorky 15x15, 1:1, 0\n" + "1,1,1\n" * 50_000,
        "9" * 100_000,
        "{" + ",".join(f'"{number}":0' for number in range(100_000)) + ',"99999":0}',
        "{}" + "\n" * 100_000 + "?",
        '{"defaultSettings": {'
        + ",".join(f'"{number}":0' for number in range(20_000))
        + '}, "puzzles": ['
        + "{}," * 20_000
        + "{}]}",
        "(;GM[4]SZ[22]" + "CR[aa:vv]" * 100_000 + ")",
        "(;GM[4]SZ[22]" + ";TR[aa:vv]" * 50_000 + ")",
        "(;GM[4]SZ[22]" + ";AE[aa:vv]" * 50_000 + ")",
        "START 15\nINFO a" + " " * 100_000 + "x",
        "1,1" + " " * 100_000 + "x",
        "1,1,1\n1,2" + " " * 100_000 + "x",
        "https://" * 100_000,
        "x x x x x\n" * 100_000,
        b"\x78\x00" * 100_000,
        b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x00\x02" * 100_000,
        b"\xffRenLib\xff\x03\x04" + b"\xff" * 10 + b"\x78\xc0" * 100_000,
        b"\x78\x48" + b"a" * 300_000,
    ],
    ids=lambda data: repr(data[:12]),
)
@timing
def test_large_and_deep_files_are_answered_soon(data: str | bytes) -> None:
    assert quickest(lambda: answers(data), 5, clock=time.process_time) < 5


@pytest.mark.parametrize("node", [";CR[aa:vv]", ";AB[aa:vv]", ";AE[aa:vv]"])
def test_rectangles_take_no_more_memory_than_cells_named_one_by_one(node: str) -> None:
    text = "(;GM[4]SZ[22]" + node * 10_000 + ")"
    tracemalloc.start()
    try:
        answers(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 60 * 2**20


def test_a_game_of_another_kind_is_named_without_its_control_characters() -> None:
    with pytest.raises(NotationError, match="GM") as error:
        list(read_positions("(;GM[1\x1b[2J\\]\n])", name="in\x1b[2J\n.sgf"))
    assert str(error.value).isprintable()
    assert "in\\x1b[2J\\n.sgf" in str(error.value)


LINE_ENDS = st.sampled_from(["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029", "a", " "])


@given(parts=st.lists(LINE_ENDS, max_size=12))
def test_lines_and_places_count_alike(parts: list[str]) -> None:
    text = Text("".join(parts), first_line=5)
    for number, (offset, line) in enumerate(text.lines(), 5):
        assert text.text.startswith(line, offset)
        assert text.line(offset) == number
        place = text.refusal(offset + len(line), "")
        assert (place.line, place.column) == (number, len(line) + 1)


@given(identity=st.text(max_size=20))
@example("\u2028 \u2029 \x85 \x0b \x1c")
@example("\r\n")
def test_json_lines_keep_any_id(identity: str) -> None:
    pieces = write_positions([Entry(_board(), id=identity), Entry(_board(), id=2)], "jsonl")
    found = list(read_positions("".join(pieces), format="jsonl"))
    assert [entry.id for entry in found] == [identity, 2]


@given(text=st.text(max_size=100))
def test_detection_never_fails(text: str) -> None:
    assert detect(text) is None or detect(text) in formats()
