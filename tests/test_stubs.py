"""The stubs of the native modules name exactly what is there."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = (ROOT / "gomoku_patterns", ROOT / "search")
NATIVE = sorted(path.relative_to(ROOT) for room in ROOMS for path in room.glob("*.pyx"))
UNSEEN = {"LineMemo", "Bench"}
"""Classes that never leave their module."""


def module_of(path: Path) -> ModuleType:
    return importlib.import_module(".".join(path.with_suffix("").parts))


def stub_of(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).with_suffix(".pyi").read_text(encoding="utf-8"))


def names(body: list[ast.stmt]) -> set[str]:
    """The public names that a stub's statements declare."""
    found: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            found.add(statement.name)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.add(statement.target.id)
    return {name for name in found if not name.startswith("_")}


def public(owner: object) -> set[str]:
    return {name for name in vars(owner) if not name.startswith("_")}


@pytest.mark.parametrize("path", NATIVE, ids=str)
def test_what_a_stub_names_is_there(path: Path) -> None:
    assert names(stub_of(path).body) - public(module_of(path)) == set()


@pytest.mark.parametrize("path", NATIVE, ids=str)
def test_what_is_there_has_a_stub(path: Path) -> None:
    module = module_of(path)
    own = {name for name in public(module) if getattr(vars(module)[name], "__module__", None) == module.__name__}
    assert own - UNSEEN - names(stub_of(path).body) == set()


@pytest.mark.parametrize("path", NATIVE, ids=str)
def test_classes_have_the_members_their_stubs_name(path: Path) -> None:
    classes = [statement for statement in stub_of(path).body if isinstance(statement, ast.ClassDef)]
    stubs = {stub.name: names(stub.body) for stub in classes}
    assert {name: public(getattr(module_of(path), name)) for name in stubs} == stubs
