"""The house stays in order: imports point one way, and each room exports exactly what it says."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku", "benchmarks")
PUBLIC = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")


def sources(room: str) -> list[Path]:
    return sorted(path for pattern in ("*.py", "*.pyi") for path in (ROOT / room).rglob(pattern))


def imported_rooms(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.split(".")[0])
    return found & set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_one_way(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    offenders = {
        str(path.relative_to(ROOT)): imported_rooms(path) - allowed
        for path in sources(room)
        if imported_rooms(path) - allowed
    }
    assert not offenders


@pytest.mark.parametrize("room", PUBLIC[:3])
def test_native_modules_import_one_way(room: str) -> None:
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    pattern = re.compile(rf"^\s*(?:from|cimport|import)\s+({'|'.join(ROOMS)})\b", re.MULTILINE)
    for path in sorted((ROOT / room).glob("*.px[yd]*")):
        assert set(pattern.findall(path.read_text(encoding="utf-8"))) <= allowed, path.name


def names_of_stub(room: str) -> list[str]:
    """The names that a package's stub imports, each from a module of the package and under its own name."""
    found: list[str] = []
    for node in ast.parse((ROOT / room / "__init__.pyi").read_text(encoding="utf-8")).body:
        assert isinstance(node, ast.ImportFrom) and node.level == 1, ast.unparse(node)
        assert all(alias.asname == alias.name for alias in node.names), ast.unparse(node)
        found += [alias.name for alias in node.names]
    return found


@pytest.mark.parametrize("room", PUBLIC)
def test_every_room_exports_exactly_what_its_stub_says(room: str) -> None:
    module = importlib.import_module(room)
    assert module.__doc__
    stub = names_of_stub(room)
    assert len(stub) == len(set(stub))
    assert sorted(stub) == sorted(module.__all__) == sorted(dir(module))
    assert [name for name in stub if not hasattr(module, name)] == []


DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").glob("*.*")]
IMPORT = re.compile(rf"^\W*from ({'|'.join(ROOMS)})([\w.]*) import ([\w, ]+)|^\W*import (?:{'|'.join(ROOMS)})\.", re.M)


def imports_of_documents() -> list[tuple[str, str, list[str]]]:
    """What documents and examples import from our rooms: (document, module, names)."""
    return [
        (path.name, (found[1] or "") + (found[2] or ""), (found[3] or "").replace(" ", "").split(","))
        for path in DOCUMENTS
        for found in IMPORT.finditer(path.read_text(encoding="utf-8"))
    ]


def test_documents_import_public_names_from_the_rooms_themselves() -> None:
    offenders = [
        (document, module, names)
        for document, module, names in imports_of_documents()
        if module not in PUBLIC or not set(names) <= set(importlib.import_module(module).__all__)
    ]
    assert [offender for offender in offenders if offender[1] != "gomoku_patterns.testing"] == []


@pytest.mark.parametrize("room", PUBLIC)
def test_documents_name_everything_that_is_public(room: str) -> None:
    """docs/reference/python.md lists the public names of each room, all of them and no others."""
    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    section = text.split(f"## `{room}`", 1)[1].split("\n## ", 1)[0]
    listed = [name for row in re.findall(r"^\|.*", section, re.M) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(listed) == sorted(importlib.import_module(room).__all__)


def test_the_help_of_the_command_loads_nothing_heavy() -> None:
    probe = (
        "import sys, gomoku.cli; print([m for m in ('numpy', 'rich', 'ahocorasick', 'starlette') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"


def test_every_command_has_its_module_and_its_help() -> None:
    import click

    from gomoku.cli import COMMANDS, cli

    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None and command.help, name
