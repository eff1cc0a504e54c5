"""A file is written whole or not at all, and whatever was there keeps its place and permissions."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gomoku_patterns.errors import GomokuError
from gomoku_patterns.files import check_writable, replacing, write_file


def test_text_and_bytes(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", "活三\n")
    write_file(str(tmp_path / "b.bin"), b"\x00\xff")
    assert (tmp_path / "a.txt").read_bytes() == "活三\n".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\x00\xff"


def test_the_old_file_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with replacing(path) as stream:
        stream.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"


def test_what_fails_on_the_way_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    with pytest.raises(KeyError), replacing(path) as stream:
        stream.write(b"ne")
        raise KeyError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "a.txt", tmp_path / "link.txt"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, "new")
    assert link.is_symlink() and path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_that_new_files_get(tmp_path: Path) -> None:
    write_file(tmp_path / "ours", "x")
    (tmp_path / "theirs").write_text("x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


def test_the_umask_of_other_threads_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "umask", lambda _mask: pytest.fail("the umask belongs to the whole process"))
    write_file(tmp_path / "ours", "x")
    write_file(tmp_path / "ours", "y")
    assert (tmp_path / "ours").read_text() == "y"


@pytest.mark.parametrize("write", [lambda path: write_file(path, "x"), check_writable])
def test_a_name_that_no_file_can_have(write: Callable[[str], object]) -> None:
    with pytest.raises(GomokuError, match=r"'a\\x00b': cannot be written"):
        write("a\0b")


def test_a_pipe_is_written_to_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    write_file(pipe, "h8")
    reader.join(5)
    assert heard == ["h8"] and pipe.is_fifo()


def test_folders_are_made_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "a.txt"
    with pytest.raises(GomokuError, match=r"a\.txt: cannot be written: no such file or directory"):
        write_file(path, "x")
    write_file(path, "x", folders=True)
    assert path.read_text() == "x"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(GomokuError, match="cannot be written: is a directory"):
        write_file(tmp_path, "x")


def test_whether_a_file_can_be_written_is_known_before_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    check_writable(path)
    assert not path.exists()
    path.write_text("old")
    check_writable(path)
    check_writable(tmp_path / "new" / "a.txt", folders=True)
    check_writable(os.devnull)
    assert path.read_text() == "old" and [child.name for child in sorted(tmp_path.iterdir())] == ["a.txt", "new"]
    for wrong in (tmp_path, tmp_path / "none" / "a.txt", path / "a.txt"):
        with pytest.raises(GomokuError, match="cannot be written: "):
            check_writable(wrong)
