"""The line of Python that repeats a failure in a new process: imports, the evaluator, the board and the check.

The evaluator is written as its class and what the object holds, so that one made with arguments is made alike; moves
that were played are played again, and boards on which the evaluator was asked before are asked about again.
"""

from __future__ import annotations

import ast
import inspect
import pickle
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.table import Table, load_table, table_names

if TYPE_CHECKING:
    from gomoku_patterns.testing.laws import Law

Step = tuple["Law", Board, list[Cell]]
"""A law that was checked on a board, with cells to play or to look at."""

LONGEST_PICKLE = 1000
"""An object that only its pickle can write down is named instead if the pickle is longer than this."""

LONGEST_TABLE = 4000
"""A table that is not built in is named instead of written out if its text is longer than this."""


class Expression:
    """An object written as Python: the statements that come first, the expression, and what a reader has to fill in."""

    def __init__(self, text: str, first: Iterable[str] = (), missing: str = "") -> None:
        self.text, self.first, self.missing = text, tuple(first), missing


def evaluator_expression(subject: object) -> Expression:
    """Return an expression for an evaluator as it is now, before it has been asked anything."""
    if isinstance(subject, (str, Path)):
        return Expression(repr(str(subject)))
    if isinstance(subject, Table):
        return _table_expression(subject)
    if not isinstance(subject, EvaluatorBase) or subject.table is None:
        return object_expression(subject)
    table = _table_expression(subject.table)
    if type(subject) is not type(as_evaluator(subject.table, native=False)):
        return table
    first = [*table.first, "from gomoku_patterns import as_evaluator"]
    return Expression(f"as_evaluator({table.text}, native=False)", first, table.missing)


def _table_expression(table: Table) -> Expression:
    if table.name in table_names() and load_table(table.name).digest == table.digest:
        return Expression(repr(table.name))
    toml = table.to_toml()
    if table.weights is None and len(toml) <= LONGEST_TABLE:
        return Expression(f"parse_table({toml!r})", ["from gomoku_patterns import parse_table"])
    return Expression("your_table", missing=f"your_table stands for the table {table.name!r}")


def object_expression(subject: object) -> Expression:
    """Return an expression for an object, a function or a class."""
    named: Any = subject if hasattr(subject, "__qualname__") else type(subject)
    place = _imported(named)
    if place is None:
        missing = f"{_placeholder(subject)} stands for your {named.__qualname__.rpartition('.')[2]}"
        return Expression(_placeholder(subject), missing=f"{missing}, which no other file can import")
    first, name = place
    if named is subject:
        return Expression(name, first)
    return _instance(subject, named, name, first)


def _placeholder(subject: object) -> str:
    return "your_" + re.sub(r"\W", "", getattr(subject, "__name__", type(subject).__name__)).lower()


def is_importable(named: Any) -> bool:
    """Whether another process could import a class or function by its name."""
    return _imported(named) is not None


def _imported(named: Any) -> tuple[list[str], str] | None:
    """The statements that import a class or function, and its name; None where no other file can import it."""
    module, path = getattr(named, "__module__", None), getattr(named, "__qualname__", "<")
    if module in (None, "__main__") or "<" in path:
        return None
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = getattr(found, part, None)
    if found is not named:
        return None
    return [*_on_path(module), f"from {module} import {path.partition('.')[0]}"], path


def _on_path(module: str) -> list[str]:
    """A statement that lets Python find a module, if it is found neither here nor where packages are installed."""
    package = sys.modules[module.partition(".")[0]]
    file = getattr(package, "__file__", None)
    if file is None:
        return []
    folder = Path(file).resolve().parent
    folder = folder.parent if hasattr(package, "__path__") else folder
    if folder in (Path.cwd(), Path(inspect.__file__).resolve().parent):
        return []
    if {"site-packages", "dist-packages"} & set(folder.parts):
        return []
    return ["import sys", f"sys.path.insert(0, {str(folder)!r})"]


def _instance(subject: object, kind: type, name: str, first: list[str]) -> Expression:
    """An object of a class: made without arguments, by its repr, by its attributes or by its pickle."""
    holds = _attributes(subject)
    if holds is not None:
        with_defaults = _made_without_arguments(kind)
        if with_defaults is not None and _are_alike(_attributes(with_defaults), holds):
            return Expression(f"{name}()", first)
    if _repr_rebuilds(subject, kind, holds):
        return Expression(repr(subject), first)
    if holds is not None and all(_is_literal(value) for value in holds.values()):
        variable = _placeholder(subject)
        filled = [f"{variable} = object.__new__({name})", f"vars({variable}).update({holds!r})"]
        return Expression(variable, [*first, *filled])
    return _pickled(subject, first)


def _attributes(subject: object) -> dict[str, Any] | None:
    """What an object holds; None if it holds more than its dictionary says."""
    slots = any(vars(kind).get("__slots__") for kind in type(subject).__mro__)
    return dict(getattr(subject, "__dict__", {})) if not slots else None


def _are_alike(one: Any, other: Any) -> bool:
    """Whether two objects hold the same: equal values, functions of the same code, and objects of the same."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_are_alike(one[key], other[key]) for key in one)
    if hasattr(one, "__code__"):
        return one.__code__ is other.__code__ and not one.__closure__
    try:
        if one == other:
            return True
    except Exception:
        return False
    kind: Any = type(one)
    plain = kind.__eq__ is object.__eq__ and _attributes(one)
    return bool(plain) and _are_alike(plain, _attributes(other))


def _made_without_arguments(kind: type) -> object | None:
    try:
        made: object = kind()  # as the line itself would do
        return made
    except Exception:
        return None


def _repr_rebuilds(subject: object, kind: type, holds: dict[str, Any] | None) -> bool:
    try:
        text = repr(subject)
        if not text.startswith(f"{kind.__name__}(") or kind.__name__ != kind.__qualname__:
            return False
        return holds is not None and _attributes(eval(text, vars(sys.modules[kind.__module__]).copy())) == holds
    except Exception:
        return False


def _is_literal(value: object) -> bool:
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except Exception:
        return False


def _pickled(subject: object, first: list[str]) -> Expression:
    try:
        data = pickle.dumps(subject)
        if len(data) <= LONGEST_PICKLE:
            return Expression(f"pickle.loads({data!r})", [*first, "import pickle"])
    except Exception:
        data = b""
    name = _placeholder(subject)
    return Expression(name, first, f"{name} stands for your {type(subject).__name__}, made as you made it")


def board_statements(board: Board, variable: str = "board") -> tuple[str, list[str]]:
    """Return an expression for a board, and the statements that make it if moves were played on it."""
    if not board.moves:
        return repr(board), []
    before, pushes = board.copy(), []
    while before.moves:
        move, turn = before.moves[-1], before.turn
        if turn is not move.colour.opponent:
            pushes.append(f"{variable}.turn = {str(turn)!r}")
        pushes.append(f"{variable}.push({board.name(move.cell)!r}, {str(move.colour)!r})")
        before.pop()
    return variable, [f"{variable} = {before!r}", *reversed(pushes)]


def law_expression(law: Law) -> Expression:
    """Return an expression for a law: a built-in one by its name, another by its import."""
    from gomoku_patterns.testing.laws import LAWS

    if law in LAWS:
        return Expression(repr(law.name))
    if law.model is not None:
        model = evaluator_expression(law.model)
        first = ["from gomoku_patterns.testing import agrees_with", *model.first]
        return Expression(f"[agrees_with({model.text})]", first, model.missing)
    found = object_expression(law.check)
    if found.missing and (name := _module_name_of(law)):
        return Expression(name, [*_on_path(law.check.__module__), f"from {law.check.__module__} import {name}"])
    return found


def _module_name_of(law: Law) -> str | None:
    """The name under which the module of a law's function holds the law, as ``@law`` leaves it."""
    module = law.check.__module__
    if module == "__main__":
        return None
    held = vars(sys.modules.get(module, object)) if module in sys.modules else {}
    return next((name for name, value in held.items() if value is law), None)


def repeating_line(evaluator: Expression, steps: Sequence[Step], times: int = 1) -> str:
    """Return a line that checks laws one after another on the same evaluator; the last of them fails.

    ``times`` repeats the check that many times, for an answer that is only sometimes another.
    """
    laws = [law_expression(law) for law, _, _ in steps]
    imports = ["from gomoku_patterns import Board", "from gomoku_patterns.testing import check_laws"]
    first = list(dict.fromkeys([*evaluator.first, *imports, *(one for law in laws for one in law.first)]))
    written = []
    for number, (_, board, cells) in enumerate(steps, 1):
        shown, statements = board_statements(board, "board" if number == len(steps) else f"board_{number}")
        first += statements
        written.append((shown, repr(" ".join(board.name(cell) for cell in cells)), laws[number - 1].text))
    shown, names, law = written.pop()
    after = ", ".join(f"({', '.join(each)})" for each in written)
    call = f"check_laws({evaluator.text}, {shown}, {names}, laws={law}{f', after=[{after}]' if after else ''})"
    first.append(call if times == 1 else f"[{call} for _ in range({times})]")
    missing = "; ".join(dict.fromkeys(one.missing for one in (evaluator, *laws) if one.missing))
    return "; ".join(first) + (f"  # {missing}" if missing else "")
