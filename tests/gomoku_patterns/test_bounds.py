"""Files made to hurt: each is refused in little time and memory, with a message that says why."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from gomoku_patterns import (
    Board,
    GomokuError,
    NotationError,
    TableError,
    as_evaluator,
    load_table,
    parse_table,
    read_position,
    read_positions,
)
from gomoku_patterns.compile import cache_folder, compile_table
from gomoku_patterns.files import MAX_BYTES, read_file
from tests.timing import calls, quickest, timing

MEGABYTE = 1_000_000
LIBRARY = b"\xffRenLib\xff" + bytes(12) + b"\x00\x00"


def peak(run: Callable[[], object]) -> int:
    """The most memory that Python held meanwhile."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def refused(source: str | bytes | Path, message: str) -> Callable[[], None]:
    def run() -> None:
        with pytest.raises(NotationError, match=message):
            list(read_positions(source))

    return run


class TestSizes:
    def test_more_than_the_bound_is_not_read(self, tmp_path: Path) -> None:
        path = tmp_path / "large.txt"
        with path.open("wb") as stream:
            stream.truncate(10**11)  # a hundred gigabytes of nothing
        assert (
            peak(refused(path, rf"large\.txt: larger than {MAX_BYTES:,} bytes; give a larger max_bytes"))
            < 12 * MEGABYTE
        )

    def test_texts_and_bytes_are_bounded_alike(self) -> None:
        text = "h8" + " " * MAX_BYTES
        for source in (text, text.encode()):
            with pytest.raises(NotationError, match="larger than"):
                read_position(source)
            assert read_position(source, max_bytes=2 * MAX_BYTES) == read_position("h8")

    def test_lines_of_a_stream_are_bounded_and_the_stream_is_not(self, tmp_path: Path) -> None:
        path = tmp_path / "some.jsonl"
        line = '{"black": ["h8"]}\n'
        path.write_text(line * 10)
        assert len(list(read_positions(path, max_bytes=len(line)))) == 10
        with pytest.raises(NotationError, match=r"some\.jsonl:1: larger than 17 bytes"):
            list(read_positions(path, max_bytes=len(line) - 1))

    def test_a_file_of_just_the_size_is_read(self, tmp_path: Path) -> None:
        path = tmp_path / "some"
        path.write_bytes(b"12345")
        assert read_file(path, 5) == b"12345"
        with pytest.raises(GomokuError, match="larger than 4 bytes"):
            read_file(path, 4)

    def test_a_table_is_no_large_file(self, tmp_path: Path) -> None:
        path = tmp_path / "large.toml"
        path.write_text("#" * 2**21)
        for load in (lambda: load_table(path), lambda: parse_table(path.read_text())):
            with pytest.raises(TableError, match="larger than 1,048,576 bytes, which no table is"):
                load()


@timing
class TestNotations:
    def test_a_library_is_refused_where_it_goes_wrong(self) -> None:
        data = LIBRARY + b"\x78\x00" * 400_000
        assert peak(refused(data, "the move at byte 24 is on a cell that is taken")) < 3 * MEGABYTE

    def test_a_long_line_of_openings(self) -> None:
        assert peak(refused("1,2," * 900_000, "an opening of at most 484 stones")) < 30 * MEGABYTE

    def test_a_comment_of_escapes(self) -> None:
        text = "(;C[" + "\\\\" * 900_000 + "])"
        assert peak(lambda: read_position(text)) < 30 * MEGABYTE

    def test_a_game_of_empty_nodes_takes_a_few_calls_a_node(self) -> None:
        def read(nodes: int) -> int:
            return calls(lambda: read_position("(;" + ";" * nodes + ")"))

        assert read(4000) - read(2000) < 2000 * 20
        assert peak(lambda: read_position("(;" + ";" * 20_000 + ")")) < 20_000 * 270

    def test_openings_are_read_one_by_one(self) -> None:
        assert peak(lambda: next(iter(read_positions("1,1,2,2\n" * 20_000)))) < 8 * MEGABYTE

    @pytest.mark.parametrize("text", ["hello world ", "hello\n", "https://", "7", ",", "."])
    def test_a_text_without_a_position_is_seen_soon(self, text: str) -> None:
        data = text * (MEGABYTE // 4 // len(text))
        assert quickest(refused(data, "cannot tell the format|expected a link"), 2) < 2

    @pytest.mark.parametrize(
        "text", ["a" + ".a" * 100_000 + " = 1", "[" + "a." * 100_000 + "a]", "x = {" + '"a" . ' * 100_000 + "a = 1}"]
    )
    def test_a_key_of_many_parts(self, text: str) -> None:
        def run() -> None:
            with pytest.raises(TableError, match=r"<table>: not valid TOML: a key of more than 32 parts, \w"):
                parse_table(text)

        assert quickest(run, 2) < 2

    def test_dots_in_texts_are_no_parts(self) -> None:
        notes = "a." * 1000
        texts = ", ".join(["'.o.o.o.o.'", '"..o..."'])
        table = parse_table(
            f'name = "dots"\nnotes = "{notes}" # {notes}\n[[pattern]]\nshape = "two"\ntexts = [{texts}]\nscore = 1'
        )
        assert table.notes == notes


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_in_the_cache_hangs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compile_table.cache_clear()
    path = cache_folder() / f"{load_table('grade_dict').digest}.npz"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    compile_table(load_table("grade_dict"))
    assert as_evaluator("grade_dict").score(Board()) == 0
    assert path.is_fifo()
    compile_table.cache_clear()
