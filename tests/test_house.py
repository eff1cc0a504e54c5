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


@pytest.mark.parametrize("room", PUBLIC)
def test_every_room_exports_exactly_what_it_says(room: str) -> None:
    module = importlib.import_module(room)
    assert module.__doc__
    names = getattr(module, "__all__", [])
    assert len(names) == len(set(names))
    assert [name for name in names if not hasattr(module, name)] == []


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
