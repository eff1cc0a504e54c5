"""What a spec names outside the program: TOML tables, which travel as text, and Python classes, which are imported.

>>> sources(["random", "minmax:table=json:JSONDecoder"]).keys()
dict_keys(['json:JSONDecoder'])
"""

from __future__ import annotations

import base64
import hashlib
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.entrants import Entrant
from gomoku_patterns.errors import ArenaError, TableError
from gomoku_patterns.import_path import imported, is_import_path
from search.players import BUILT_IN, import_player, parse_spec, player_info

if TYPE_CHECKING:
    from gomoku_patterns.evaluator import EvaluatorBase

Json = dict[str, Any]


def _players(texts: Iterable[str]) -> list[str]:
    """The specs of the program's players and the user's; external engines are left out."""
    entrants = map(Entrant.parse, texts)
    return [entrant.spec for entrant in entrants if not entrant.is_engine]


def option_values(specs: Iterable[str]) -> list[str]:
    """What the players' options say; an external engine has none."""
    return [value for spec in _players(specs) for value in parse_spec(spec)[1].values()]


def with_table(search: str, evaluator: str) -> str:
    """The spec of a search that judges by this evaluator."""
    return f"{search}{',' if ':' in search else ':'}table={evaluator}"


def table_files(specs: Iterable[str]) -> dict[str, str]:
    """The text of every TOML file that the players' options name."""
    return file_texts(option_values(specs))


def file_texts(values: Iterable[str]) -> dict[str, str]:
    """The text of those values that are TOML files."""
    paths = [value for value in values if value.endswith(".toml") and Path(value).is_file()]
    return {path: Path(path).read_text(encoding="utf-8") for path in paths}


def digests(specs: Iterable[str], values: Iterable[str] = ()) -> dict[str, str]:
    """What a log's header keeps of all that results depend on outside the program: edited, it is another run.

    ``values`` are named beside the players' own options: the evaluators of a ladder.
    """
    specs, values = list(specs), list(values)
    texts = file_texts([*option_values(specs), *values])
    found = {name: _with_weights(name, text) for name, text in texts.items()} | sources(specs, values)
    return {name: hashlib.sha256(data).hexdigest()[:16] for name, data in found.items()}


def _with_weights(path: str, text: str) -> bytes:
    """The text of a table and, of a line code, the digest of its weights."""
    from gomoku_patterns.table import parse_table

    if "weights" not in text:
        return text.encode()
    return text.encode() + parse_table(text, path, Path(path).parent).digest.encode()


def sources(specs: Iterable[str], values: Iterable[str] = ()) -> dict[str, bytes]:
    """The files of the Python classes that are named: by import path, or as a player of somebody else's package."""
    specs = list(specs)
    paths = filter(is_import_path, [*option_values(specs), *values])
    found = {path: _source(imported(path)) for path in paths}
    for spec in _players(specs):
        name, _ = parse_spec(spec)
        if name not in BUILT_IN:
            import_player(spec)
            found[name] = _source(player_info(name).factory)
    return found


def _source(value: object) -> bytes:
    """The files of the modules in which a class and its bases are written, those of the program left out."""
    kind = value if isinstance(value, type) or callable(value) else type(value)
    modules = [getattr(one, "__module__", "") for one in getattr(kind, "__mro__", (kind,))]
    return b"".join(_file(name) for name in dict.fromkeys(modules) if name.partition(".")[0] not in _OWN)


_OWN = ("builtins", "abc", "typing", "gomoku_patterns", "search", "puzzles", "arena", "gomoku")


def _file(module: str) -> bytes:
    path = getattr(sys.modules.get(module), "__file__", None)
    return Path(path).read_bytes() if path and Path(path).is_file() else b""


def resolved(value: str, files: Mapping[str, str]) -> Any:
    """What an option's text stands for: the table whose text travels with the unit, an imported object, or itself.

    The weights of a line code do not travel: they are read from beside the table's path, where the unit is worked on.
    """
    if value in files:
        from gomoku_patterns.table import parse_table

        return parse_table(files[value], value, Path(value).parent)
    return imported(value) if is_import_path(value) else value


def evaluator_of(text: str, files: Mapping[str, str]) -> EvaluatorBase:
    """The evaluator that a user names."""
    from gomoku_patterns.evaluator import as_evaluator

    try:
        return as_evaluator(resolved(text, files))
    except TableError as error:
        if not text.isidentifier():
            raise
        raise ArenaError(f"{error}; a Python class is written package.module:Class") from None


# ------------------------------------------------------------------ sources to take along


def texts_of(evaluators: Iterable[str], suite: str = "") -> list[Json]:
    """The text of every table, class and suite, so that a comparison can be repeated where none of them is.

    ``file`` is the name under which a text has to be saved; None for what comes with the program. Weights are no text:
    those of up to :data:`MOST_OF_WEIGHTS` bytes, as cell tables have them, are there in base64, of others the digest.
    """
    found: list[Json] = []
    for text in evaluators:
        if is_import_path(text):
            found += [{"of": text, "kind": "python", **one} for one in _modules(imported(text))]
        else:
            found += _table_texts(text)
    if suite and Path(suite).is_file() and Path(suite).stat().st_size <= _MOST_OF_A_SUITE:
        content = Path(suite).read_text(encoding="utf-8", errors="replace")
        found.append({"of": suite, "kind": "suite", "file": Path(suite).name, "text": content})
    return found


_MOST_OF_A_SUITE = 2**20


MOST_OF_WEIGHTS = 2**18
"""Bytes of a file of weights that a result carries; a cell table has some ten thousand, a line code a million."""


def _table_texts(text: str) -> list[Json]:
    """Return the text of a table, and the file of its weights if it is the user's own and small."""
    table = _table_text(text)
    name, path = table.pop("weights_file"), Path(text)
    if table["file"] is None or not name or not (path.parent / name).is_file():
        return [table]
    data = (path.parent / name).read_bytes()
    if len(data) > MOST_OF_WEIGHTS:
        return [table]
    return [table, {"of": text, "kind": "weights", "file": name, "base64": base64.b64encode(data).decode("ascii")}]


def _table_text(text: str) -> Json:
    from gomoku_patterns.table import load_table

    path, table = Path(text), load_table(text)
    own = text.endswith(".toml") and path.is_file()
    content = path.read_text(encoding="utf-8") if own else table.to_toml()
    weights = {"weights": table.digest} if table.weights is not None else {}
    named = {"weights_file": table.weights_file} if table.weights is not None else {"weights_file": ""}
    return {"of": text, "kind": "table", "file": path.name if own else None, "text": content, **weights, **named}


def _modules(value: object) -> list[Json]:
    """The modules that a class and its bases are written in, each under the path it is imported by."""
    kind = value if isinstance(value, type) else type(value)
    found = []
    for name in dict.fromkeys(getattr(one, "__module__", "") for one in kind.__mro__):
        path = getattr(sys.modules.get(name), "__file__", None)
        if name.partition(".")[0] in _OWN or not path or not Path(path).is_file():
            continue
        file = name.replace(".", "/") + ("/__init__.py" if Path(path).stem == "__init__" else ".py")
        found.append({"file": file, "text": Path(path).read_text(encoding="utf-8", errors="replace")})
    return found
