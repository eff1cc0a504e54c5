"""Results on disk before they are counted: one JSON value a line, synced.

A line that was cut by a crash is dropped when the file is opened again.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "run.jsonl"
>>> with Journal(path, {"task": "squares"}) as journal:
...     journal.append({"unit": 1, "square": 1})
>>> with Journal(path, {"task": "squares"}) as journal:
...     journal.entries
[{'unit': 1, 'square': 1}]
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gomoku_patterns.errors import ArenaError, GomokuError
from gomoku_patterns.notation import json_position

if TYPE_CHECKING:
    from puzzles.suite import Level

Json = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]
"""The members of an entry, and of which types each may be."""

_HEADER = b'{"header": '


class Journal:
    """A file of results, one JSON value a line under a header that says what the run is; see the top of this module.

    ``entries`` are the results that an earlier run left.
    """

    def __init__(self, path: str | Path, header: Mapping[str, Any], *, fresh: bool = False) -> None:
        self.path = Path(path)
        self.header = json.loads(json.dumps(header))
        self.entries: list[Json] = []
        if fresh and self.path.exists() and self.path.stat().st_size:
            raise ArenaError(f"{self.path}: expected a new file, found a log; resume it, or name another")
        try:
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise ArenaError(f"{self.path}: expected a file to write, found {(error.strerror or '').lower()}") from None
        try:
            _lock(self._file, self.path)
            self._resume()
        except BaseException:
            self._file.close()
            raise

    def _resume(self) -> None:
        self._file.seek(0)
        data = self._file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            self._refuse_foreign(data)
            self._file.truncate(len(whole))
        values = list(read_lines(whole, self.path))
        if not values:
            self._write([{"header": self.header}])
            return
        found = values[0].get("header")
        if found != self.header:
            raise ArenaError(f"{self.path}: {_difference(self.header, found)}")
        self.entries = values[1:]

    def _refuse_foreign(self, data: bytes) -> None:
        """A line that was cut is only dropped from what is a log: its first line, or as much as there is of it."""
        if data[: len(_HEADER)] != _HEADER[: len(data)]:
            raise ArenaError(f"{self.path}: expected the log of a run, found a file without its header")

    def replay(self, count: Callable[[Json], object]) -> None:
        """Count what an earlier run left; an entry that cannot be, because the log was edited, is told by its line."""
        for line, entry in enumerate(self.entries, 2):
            try:
                count(entry)
            except GomokuError as error:
                raise ArenaError(f"{self.path}:{line}: {error}") from None

    def append(self, *entries: Json) -> None:
        """Write results; they are on the disk when this returns."""
        self._write(entries)

    def _write(self, entries: Iterable[Json]) -> None:
        text = "".join(json.dumps(entry, ensure_ascii=False, allow_nan=False) + "\n" for entry in entries)
        # Half a surrogate pair, which only a string of JSON may hold, is written as JSON's own escape.
        self._file.write(text.encode(errors="backslashreplace"))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def misfit(entry: Mapping[str, Any], kinds: Kinds) -> str | None:
    """The first member that an entry lacks or has of another kind; a truth value is no number."""
    return next((name for name, allowed in kinds.items() if type(entry.get(name)) not in allowed), None)


def read_header(path: str | Path) -> Json:
    """The header of a journal."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            line = stream.readline()
    except OSError as error:
        raise ArenaError(f"{path}: expected a log to read, found {(error.strerror or '').lower()}") from None
    header = next(read_lines(line, file), {}).get("header")
    if not isinstance(header, dict):
        raise ArenaError(f"{path}: expected the log of a run, found a file without its header")
    return header


def read_lines(data: bytes, path: Path) -> Iterator[Json]:
    """The JSON objects of a log."""
    for number, line in enumerate(data.splitlines(), 1):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise ArenaError(f"{path}:{number}: expected a JSON object, found {line[:60].decode(errors='replace')!r}")
        yield value


def levels_digest(levels: Iterable[Level]) -> str:
    """What a log's header keeps of a suite: a digest of all that results depend on."""
    digest = hashlib.sha256()
    for level in levels:
        deciding = [level.number, json_position(level.position), level.depth, level.wins]
        digest.update(json.dumps(deciding).encode())
    return digest.hexdigest()[:16]


def text_digests(texts: Mapping[str, str]) -> dict[str, str]:
    """What a log's header keeps of the files that a run reads."""
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in texts.items()}


def _difference(wanted: Json, found: object) -> str:
    if not isinstance(found, dict):
        return "expected the log of a run, found a file without its header"
    for key in [*wanted, *found]:
        if wanted.get(key) != found.get(key):
            return f"expected a log of the same run, with {key} {wanted.get(key)!r:.200}, found {found.get(key)!r:.200}"
    return "expected a log of the same run"


def _lock(file: IO[bytes], path: Path) -> None:
    """Two runs never write one log; where the system has no such locks, the user has to see to it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ArenaError(f"{path}: expected a log nobody else writes, found another run at work on it") from None
