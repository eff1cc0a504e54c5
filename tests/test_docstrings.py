"""What docstrings show is true: every example in every module is run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

ROOMS = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")


def modules(room: str) -> list[str]:
    package = importlib.import_module(room)
    found = [module.name for module in pkgutil.walk_packages(package.__path__, f"{room}.")]
    return [room, *(name for name in found if not name.endswith(".__main__"))]


@pytest.mark.parametrize("name", [name for room in ROOMS for name in modules(room)])
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS).failed == 0
