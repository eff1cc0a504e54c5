"""Logs survive killed runs and cut lines, and nobody else's file is touched."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from arena.log import Log
from gomoku_patterns.errors import ArenaError

HEADER = {"match": "a against b"}
IN_USE = rf"log\.jsonl is in use by another run \(pid {os.getpid()}\)" if sys.platform == "linux" else "in use"


def write(path: Path, *entries: dict[str, int]) -> None:
    with Log(path, HEADER) as log:
        log.append(*entries)


def test_a_log_gives_back_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, {"unit": 0}, {"unit": 1})
    with Log(path, HEADER) as log:
        assert log.entries == [{"unit": 0}, {"unit": 1}]


def test_letters_that_no_encoding_has_come_back(tmp_path: Path) -> None:
    path, entry = tmp_path / "log.jsonl", {"detail": "\udcff \ud83d oops \\ 五子棋 😀"}
    for _ in range(2):
        with Log(path, {"players": "\udcff"}) as log:
            log.append(entry)
    with Log(path, {"players": "\udcff"}) as log:
        assert log.entries == [entry, entry]
    assert "五子棋 😀".encode() in path.read_bytes()


def test_a_line_that_was_cut_is_dropped_and_written_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, {"unit": 0})
    whole = path.read_bytes()
    for cut in range(1, 8):
        path.write_bytes(whole + b'{"unit": 1}'[:cut])
        with Log(path, HEADER) as log:
            assert log.entries == [{"unit": 0}]
        assert path.read_bytes() == whole


def test_a_log_cut_in_its_header_begins_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"header": {"ma')
    with Log(path, HEADER) as log:
        assert log.entries == []
    assert json.loads(path.read_text()) == {"header": HEADER}


def test_another_runs_log_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, {"unit": 0})
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="log of another run: match is 'a against b' there and 'b against c' here"):
        Log(path, {"match": "b against c"})
    assert path.read_bytes() == before


def test_a_damaged_log_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, {"unit": 0})
    path.write_bytes(path.read_bytes() + b"\x00\xff garbage\n")
    with pytest.raises(ArenaError, match=r"log\.jsonl:3: not a JSON object"):
        Log(path, HEADER)


@pytest.mark.parametrize("text", ['{"black": ["h8"]}', "notes\nwithout an end", '{"header"; }', "h8i9"])
def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path, text: str) -> None:
    """It has no end of a line to be cut at: nothing says that its last line was being written by a run."""
    path = tmp_path / "my.json"
    path.write_text(text)
    with pytest.raises(ArenaError, match="is not the log of a run: its first line is no header"):
        Log(path, HEADER)
    assert path.read_text() == text


def test_two_runs_never_share_a_log(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with Log(tmp_path / "log.jsonl", HEADER), pytest.raises(ArenaError, match=IN_USE):
        Log(tmp_path / "log.jsonl", HEADER)


def test_a_log_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot write the log: is a directory"):
        Log(tmp_path, HEADER)
