"""A ladder again, from its result alone: the files it was made with are written, and its plan is read.

>>> source = {"of": "x/mine.toml", "kind": "table", "file": "mine.toml", "text": ""}
>>> plan_of({"settings": {"evaluators": ["x/mine.toml", "level"], "pairs": 3}, "sources": [source]}).evaluators
('mine.toml', 'level')

A result may come from a stranger, and what it names is run: Python modules that it carries or that are installed,
players, external programs. So :func:`unpack` writes into an empty folder only, and the command asks for ``--trust``.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Any

from arena.ladder import LadderPlan
from gomoku_patterns.errors import ArenaError, GomokuError
from gomoku_patterns.files import write_file

Json = Mapping[str, Any]

ENDINGS = {"python": (".py",), "table": (".toml",), "weights": (".npz",)}
"""What the names of carried files end in, by their kind; a suite may be in any notation."""


def unpack(sources: Iterable[Json], folder: str | Path = ".", beside: Iterable[str | Path] = ()) -> list[Path]:
    """Write the files of a result into an empty folder, and return those that are new.

    The folder may hold what an earlier call wrote, and the files named ``beside``: the page, the log, what is to be
    written. Nothing is written unless everything can be.
    """
    wanted = {Path(folder, name): content for name, content in map(_content, sources) if name is not None}
    for path, content in wanted.items():
        if path.exists() and (not path.is_file() or path.read_bytes() != content):
            raise ArenaError(f"{path} is here already and is another file; unpack the result in an empty folder")
    _check_empty(Path(folder), {*wanted, *map(Path, beside)})
    new = [path for path in wanted if not path.exists()]
    for path in new:
        write_file(path, wanted[path], folders=True)
    return new


def _content(source: Json) -> tuple[str | None, bytes]:
    """Return the name of a carried file and its bytes; no name for what comes with the program."""
    name = source.get("file")
    if name is None:
        return None, b""
    if not isinstance(name, str) or not _is_inside(name):
        raise ArenaError(f"the result names a file {name!r:.60}, which is not inside the folder it is unpacked to")
    if any(part.startswith((".", "__pycache__")) for part in PurePosixPath(name).parts):
        raise ArenaError(f"the result names a hidden file {name!r:.60}; a ladder needs none")
    if not name.endswith(ENDINGS.get(str(source.get("kind")), "")):
        raise ArenaError(
            f"the result names {name!r:.60} as a {source.get('kind')!r:.20}, which it is not by its ending"
        )
    try:
        packed = source.get("base64")
        return name, source["text"].encode() if packed is None else base64.b64decode(packed, validate=True)
    except (KeyError, TypeError, AttributeError, ValueError, binascii.Error):
        raise ArenaError(f"the result carries {name!r:.60} without its content") from None


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name


def _check_empty(folder: Path, known: set[Path]) -> None:
    """An error where the folder holds other files: a stranger's modules would stand beside them, and be imported."""
    kept = {path.resolve() for one in known for path in (one, *one.parents)}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.resolve() not in kept and path.name != "__pycache__":
            raise ArenaError(f"{path} is here already; go to an empty folder and repeat the ladder there")


def plan_of(result: Json) -> LadderPlan:
    """The plan that a result was made with, where its files lie in the folder the program runs in."""
    try:
        settings = dict(result["settings"])
        tables = [one for one in result["sources"] if one["kind"] not in ("python", "weights") and one["file"]]
        files = {one["of"]: one["file"] for one in tables}
        known = {field.name for field in fields(LadderPlan)}
        options: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()
        }
        options["evaluators"] = tuple(files.get(text, text) for text in settings["evaluators"])
        if "suite" in options:
            options["suite"] = files.get(options["suite"], options["suite"])
        return LadderPlan(**{key: value for key, value in options.items() if key in known})
    except GomokuError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ArenaError(f"this is no result of a ladder: {error!r}") from None
