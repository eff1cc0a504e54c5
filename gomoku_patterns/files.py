"""Files that are read up to a size, and written whole or not at all.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     write_file(f"{folder}/notes.txt", "h8 h9")
...     Path(folder, "notes.txt").read_text()
'h8 h9'
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from gomoku_patterns.errors import GomokuError, shown

MAX_BYTES = 4 * 2**20
"""How much of a file or text is read unless somebody asks for more: more than people collect, and read in seconds."""


def too_large(max_bytes: int) -> str:
    """The message about something that is larger than this."""
    return f"larger than {max_bytes:,} bytes; give a larger max_bytes (--max-bytes) to read it all the same"


def open_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file for reading its bytes; a name that no file can have, such as one with a NUL, is an OSError too."""
    try:
        return Path(path).open("rb")
    except ValueError as error:
        raise OSError(errno.EINVAL, str(error)) from None


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a regular file of this name; a name that no file can have is none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether there is a folder of this name."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is anything of this name."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def read_file(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> bytes:
    """All bytes of a file; no more than it takes to see that there are too many are ever read."""
    with open_file(path) as stream:
        return read_stream(stream, max_bytes)


def read_stream(stream: BinaryIO, max_bytes: int = MAX_BYTES) -> bytes:
    """The rest of a stream, such as standard input, bounded like a file."""
    pieces, left = [], max_bytes + 1
    while left and (piece := stream.read(min(left, 2**20))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise GomokuError(too_large(max_bytes))
    return b"".join(pieces)


def write_file(path: str | os.PathLike[str], content: str | bytes, *, folders: bool = False) -> None:
    """Write text as UTF-8, or bytes; a reader finds the old file or the new one, never half of it."""
    with replacing(path, folders=folders) as stream:
        stream.write(content.encode(errors="replace") if isinstance(content, str) else content)


def check_writable(path: str | os.PathLike[str], *, folders: bool = False) -> None:
    """An error now, before long work, if a file could not be written after it; the file is left as it is."""
    import tempfile

    with _told_as(path):
        target = _resolved(path)
        if folders:
            target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.is_file() or not target.exists():
            tempfile.TemporaryFile(dir=target.parent).close()


@contextmanager
def replacing(path: str | os.PathLike[str], *, folders: bool = False) -> Iterator[BinaryIO]:
    """A stream for a file's new content, which takes its place when the block ends well.

    A link stays one: the file it points to is replaced. What is no regular file, such as a pipe, is written to as it
    comes. With ``folders``, those that are missing are made.
    """
    with _told_as(path):
        target = _resolved(path)
        if folders:
            target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
        else:
            with _draft(target) as stream:
                yield stream


@contextmanager
def _told_as(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise GomokuError(f"{path}: cannot be written: {why}") from None


def _resolved(path: str | os.PathLike[str]) -> Path:
    try:
        return Path(path).resolve()
    except (ValueError, RuntimeError) as error:  # a NUL byte in the name, or links in a circle
        raise GomokuError(f"{shown(os.fspath(path))}: cannot be written: {error}") from None


@contextmanager
def _draft(target: Path) -> Iterator[BinaryIO]:
    descriptor, name = _new_file(target)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
        if target.exists():
            name.chmod(stat.S_IMODE(target.stat().st_mode))
        name.replace(target)
    except BaseException:
        name.unlink(missing_ok=True)
        raise


def _new_file(target: Path) -> tuple[int, Path]:
    """Open a new file beside the target: a private one if the target exists, else one as the system makes new files.

    The system applies the umask. To read the umask a program has to set it, which every other thread would notice.
    """
    mode = 0o600 if target.exists() else 0o666
    while True:
        name = target.with_name(f".{target.name[:50]}.{secrets.token_hex(6)}")
        with suppress(FileExistsError):
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode), name
