"""A ladder again, from its result alone: the files it was made with are written, and its plan is read.

>>> source = {"of": "x/mine.toml", "kind": "table", "file": "mine.toml", "text": ""}
>>> plan_of({"settings": {"evaluators": ["x/mine.toml", "level"], "pairs": 3}, "sources": [source]}).evaluators
('mine.toml', 'level')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path, PurePosixPath
from typing import Any

from arena.ladder import LadderPlan
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.files import write_file

Json = Mapping[str, Any]


def unpack(sources: Iterable[Json], folder: str | Path = ".") -> list[Path]:
    """Write the files of a result into a folder; a file that is there already has to be the same.

    Nothing is written unless everything can be.
    """
    wanted = {}
    for source in sources:
        name, text = source.get("file"), source.get("text")
        if name is None:
            continue
        if not isinstance(name, str) or not isinstance(text, str) or not _is_inside(name):
            raise ArenaError(f"the result names a file {name!r:.60}, which is not inside the folder it is unpacked to")
        wanted[Path(folder, name)] = text
    for path, text in wanted.items():
        if path.exists() and (not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != text):
            raise ArenaError(f"{path} is here already and is another file; unpack the result in an empty folder")
    new = [path for path in wanted if not path.exists()]
    for path in new:
        write_file(path, wanted[path], folders=True)
    return new


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name


def plan_of(result: Json) -> LadderPlan:
    """The plan that a result was made with, where its files lie in the folder the program runs in."""
    try:
        settings = dict(result["settings"])
        files = {one["of"]: one["file"] for one in result["sources"] if one["kind"] != "python" and one["file"]}
        known = {field.name for field in fields(LadderPlan)}
        options: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in settings.items()
        }
        options["evaluators"] = tuple(files.get(text, text) for text in settings["evaluators"])
        if "suite" in options:
            options["suite"] = files.get(options["suite"], options["suite"])
        return LadderPlan(**{key: value for key, value in options.items() if key in known})
    except (KeyError, TypeError, AttributeError) as error:
        raise ArenaError(f"this is no result of a ladder: {error!r}") from None
