"""Results on disk before they are counted: one JSON value a line, synced.

A line that was cut by a crash is dropped when the file is opened again.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp()) / "run.jsonl"
>>> with Log(path, {"task": "squares"}) as log:
...     log.append({"unit": 1, "square": 1})
>>> with Log(path, {"task": "squares"}) as log:
...     log.entries
[{'unit': 1, 'square': 1}]
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from gomoku_patterns.errors import ArenaError, GomokuError
from gomoku_patterns.files import open_file
from gomoku_patterns.notation import json_position

if TYPE_CHECKING:
    from puzzles.suite import Level

Json = dict[str, Any]
Kinds = Mapping[str, tuple[type, ...]]
"""The members of an entry, and of which types each may be."""

_HEADER = b'{"header": '


class LogLine(NamedTuple):
    """A line of a log: where it stands, its bytes, and the object on it."""

    place: str
    data: bytes
    entry: Json


class Log:
    """A file of results, one JSON value a line under a header that says what the run is; see the top of this module.

    ``entries`` are the results that an earlier run left.
    """

    def __init__(self, path: str | Path, header: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.header = json.loads(json.dumps(header))
        self.entries: list[Json] = []
        try:
            self._file: IO[bytes] = self.path.open("a+b")
        except OSError as error:
            raise ArenaError(f"{self.path}: cannot write the log: {(error.strerror or '').lower()}") from None
        try:
            lock_file(self._file, self.path)
            self._load()
        except BaseException:
            self._file.close()
            raise

    def _load(self) -> None:
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
            raise ArenaError(_difference(self.path, self.header, found))
        self.entries = values[1:]

    def _refuse_foreign(self, data: bytes) -> None:
        """A line that was cut is only dropped from what is a log: its first line, or as much as there is of it."""
        if data[: len(_HEADER)] != _HEADER[: len(data)]:
            raise ArenaError(_no_log(self.path))

    def replay(self, count: Callable[[Json], object]) -> None:
        """Count what an earlier run left; the error names the line of an entry that cannot be."""
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

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def misfit(entry: Mapping[str, Any], kinds: Kinds) -> str | None:
    """The first member that an entry lacks or has of another kind; a truth value is no number."""
    return next((name for name, allowed in kinds.items() if type(entry.get(name)) not in allowed), None)


def read_header(path: str | Path) -> Json:
    """The header of a log."""
    file = Path(path)
    try:
        with open_file(file) as stream:
            line = stream.readline()
    except OSError as error:
        raise ArenaError(f"{path}: cannot read the log: {(error.strerror or '').lower()}") from None
    header = next(read_lines(line, file), {}).get("header")
    if not isinstance(header, dict):
        raise ArenaError(_no_log(file))
    return header


def is_log(start: bytes) -> bool:
    """Whether a file that starts so is a log."""
    return start.startswith(_HEADER)


def holds_log(path: str | Path) -> bool:
    """Whether a file is the log of a run."""
    try:
        with open_file(path) as stream:
            return is_log(stream.read(80))
    except OSError as error:
        raise ArenaError(f"{path}: cannot be read: {(error.strerror or '').lower()}") from None


def read_lines(data: bytes, path: Path) -> Iterator[Json]:
    """The JSON objects of a log."""
    for number, line in enumerate(data.splitlines(), 1):
        yield _object(line, f"{path}:{number}")


def read_entries(path: str | Path) -> Iterator[LogLine]:
    """The lines of the log in a file, one at a time."""
    try:
        with open_file(path) as stream:
            yield from entries_in(stream, str(path))
    except OSError as error:
        raise ArenaError(f"{path}: cannot read the log: {(error.strerror or '').lower()}") from None


def entries_in(lines: Iterable[bytes], name: str) -> Iterator[LogLine]:
    """The lines of a log, each with the JSON object on it; a last line that was cut is left out."""
    for number, line in enumerate(lines, 1):
        if line.endswith(b"\n"):
            yield LogLine(f"{name}:{number}", line.rstrip(b"\r\n"), _object(line, f"{name}:{number}"))


def _object(line: bytes, place: str) -> Json:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ArenaError(f"{place}: not a JSON object: {line[:60].decode(errors='replace').rstrip()!r}")
    return value


def levels_digest(levels: Iterable[Level]) -> str:
    """What a log's header keeps of a suite: a digest of all that results depend on."""
    digest = hashlib.sha256()
    for level in levels:
        deciding = [level.number, json_position(level.position), level.depth, level.wins]
        digest.update(json.dumps(deciding).encode())
    return digest.hexdigest()[:16]


def _no_log(path: Path) -> str:
    return f"{path} is not the log of a run: its first line is no header"


def _difference(path: Path, wanted: Json, found: object) -> str:
    """Why a run cannot go on from this log."""
    if not isinstance(found, dict):
        return _no_log(path)
    ours, theirs = wanted.get("sources"), found.get("sources")
    if isinstance(ours, dict) and isinstance(theirs, dict) and ours.keys() == theirs.keys() and ours != theirs:
        edited = ", ".join(name for name in ours if ours[name] != theirs[name])
        return f"{path} cannot go on: {edited} was edited since its results were made; name a new log"
    for key in [*wanted, *found]:
        if wanted.get(key) != found.get(key):
            values = f"{key} is {found.get(key)!r:.200} there and {wanted.get(key)!r:.200} here"
            return f"{path} is the log of another run: {values}; name a new log, or give the settings it was made with"
    return f"{path} is the log of another run"


def lock_file(file: IO[bytes], path: Path) -> None:
    """Two runs never write one log; where the system has no such locks, the user has to see to it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ArenaError(f"{path} is in use by another run{_holder(file)}") from None


def _holder(file: IO[bytes]) -> str:
    """Which process holds the lock, where the system tells: a line of ``/proc/locks`` ends in PID, device:inode, ..."""
    place = f":{os.fstat(file.fileno()).st_ino}"
    with contextlib.suppress(OSError, IndexError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].endswith(place):
                return f" (pid {words[4]})"
    return ""
