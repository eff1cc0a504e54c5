"""What docstrings show is true: every example in every module is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")


def modules(room: str) -> list[str]:
    package = importlib.import_module(room)
    found = [module.name for module in pkgutil.walk_packages(package.__path__, f"{room}.")]
    return [room, *(name for name in found if not name.endswith(".__main__") and has_source(name))]


def has_source(name: str) -> bool:
    """Not so of what was compiled here once and has been removed since: a developer's tree keeps such files."""
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or any(path.with_suffix(suffix).exists() for suffix in (".py", ".pyx"))


@pytest.mark.parametrize("name", [name for room in ROOMS for name in modules(room)])
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0


def test_a_module_without_its_source_is_left_alone() -> None:
    assert has_source("search") and has_source("search.solver") and has_source("search._solver")
    assert not has_source("gomoku_patterns._core")
