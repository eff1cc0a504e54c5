"""Python objects by their import path, written ``package.module:Name``: evaluators and players of one's own.

>>> is_import_path("my_package.evaluators:Mine"), is_import_path("grade_dict")
(True, False)
>>> imported_object("json:JSONDecoder.decode").__name__
'decode'
"""

from __future__ import annotations

import functools
import importlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gomoku_patterns.errors import GomokuError, PlayerError

if TYPE_CHECKING:
    from gomoku_patterns.evaluator import EvaluatorBase

IMPORT_PATH = r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*"


def is_import_path(text: str) -> bool:
    """Whether a text looks like ``package.module:Name``."""
    return re.fullmatch(IMPORT_PATH, text) is not None


def imported_object(path: str) -> Any:
    """The object at ``package.module:Name``, as it is.

    Modules are looked for where the program was started too, as ``python -m`` does.
    """
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    module, _, attribute = path.partition(":")
    try:
        return functools.reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is imported
        raise PlayerError(f"cannot import {path!r}: {error!r}") from error


def imported(path: str) -> Any:
    """The object at ``package.module:Name``; a class is called without arguments."""
    value = imported_object(path)
    try:
        return value() if isinstance(value, type) else value
    except (Exception, SystemExit) as error:  # whatever a stranger's class does when it is made
        raise PlayerError(f"cannot make {path!r}: {error!r}") from error


def named_evaluator(text: str, *, native: bool = True) -> EvaluatorBase:
    """The evaluator that a user names: a built-in table, a TOML file, or an object of their own by its import path.

    Only what the user typed may come here: a name from elsewhere could import anything.
    """
    from gomoku_patterns.evaluator import as_evaluator

    if not is_import_path(text):
        return as_evaluator(text, native=native)
    found = as_evaluator(imported(text))
    if found.table is None and not callable(getattr(getattr(found, "subject", found), "score", None)):
        raise GomokuError(f"{text!r} has no score(board), so it is no evaluator")
    return found
