"""All that is said between a manager and an engine, with its time, line by line in a file.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     transcript = Transcript(f"{folder}/one.txt", ["./pbrain-x"])
...     transcript(">", "START 15")
...     transcript.close("over")
...     [line.split(maxsplit=1)[1] for line in Path(folder, "one.txt").read_text().splitlines()]
['./pbrain-x', '> START 15', '= over']

``>`` is sent to the engine, ``<`` its answer, ``!`` a line of its standard error, ``=`` why it was closed.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from gomoku_patterns.errors import ArenaError


class Transcript:
    """A file that takes lines from several threads as they come."""

    def __init__(self, path: str | Path, command: Sequence[str]) -> None:
        self._lock = threading.Lock()
        self._began = time.monotonic()
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._file: IO[str] = Path(path).open("w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        except OSError as error:
            raise ArenaError(f"{path}: cannot write the transcript: {(error.strerror or '').lower()}") from None
        with self._lock:
            self._write(time.strftime("%Y-%m-%dT%H:%M:%S"), " ".join(command))

    def __call__(self, kind: str, line: str) -> None:
        """Write one line with the seconds since the engine was started."""
        with self._lock:  # held before the clock is read, so that times never run backwards
            self._write(f"{time.monotonic() - self._began:10.4f}", f"{kind} {line}")

    def _write(self, when: str, text: str) -> None:
        with contextlib.suppress(ValueError):  # a reader may still hear after the file is closed
            self._file.write(f"{when} {text}\n")
            self._file.flush()

    def close(self, why: str) -> None:
        """Write why the engine was closed, and close the file."""
        self("=", why)
        self._file.close()
