"""Standard output that tells its own failures apart from those of anybody else's files and pipes."""

from __future__ import annotations

import io
import os
import sys
from typing import Any


class OutputError(Exception):
    """Standard output cannot be written to. It is raised once; what is written after it is dropped."""

    def __init__(self, why: str, *, is_gone: bool = False) -> None:
        super().__init__(f"cannot write to standard output: {why}")
        self.is_gone = is_gone
        """The reader has closed the pipe."""


class _Output(io.FileIO):
    """The file behind standard output."""

    failed = False

    def write(self, data: Any) -> int:
        if self.failed:
            return len(data)
        try:
            return super().write(data)
        except OSError as error:
            self.failed = True
            is_gone = isinstance(error, BrokenPipeError)
            raise OutputError((error.strerror or str(error)).lower(), is_gone=is_gone) from None


class _Closed(io.RawIOBase):
    """In the place of a standard output that was closed before the program began."""

    failed = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.failed:
            return len(data)
        self.failed = True
        raise OutputError("it is closed")


def prepare_output() -> None:
    """Make failures of standard output :class:`OutputError`, and print letters that its encoding lacks as escapes."""
    if sys.stdout is None:
        os.open(os.devnull, os.O_WRONLY)  # so that no file that is opened later gets its number
        sys.stdout = _text(_Closed(), "utf-8", "strict", line_buffering=False)
    elif type(_raw(sys.stdout)) is io.FileIO:
        sys.stdout.flush()
        raw = _Output(sys.stdout.fileno(), "wb", closefd=False)
        sys.stdout = _text(raw, sys.stdout.encoding, str(sys.stdout.errors), line_buffering=raw.isatty())
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "errors", None) in ("strict", "surrogateescape"):  # the latter in the locale C
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # it has errors: a TextIOWrapper


def _raw(stream: object) -> object:
    """What a stream of the interpreter's own writes to in the end; unbuffered, it has one layer less."""
    buffer = getattr(stream, "buffer", None)
    return getattr(buffer, "raw", buffer)


def _text(raw: io.RawIOBase, encoding: str, errors: str, *, line_buffering: bool) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BufferedWriter(raw), encoding=encoding, errors=errors, line_buffering=line_buffering)
