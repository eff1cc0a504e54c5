#!/usr/bin/env python3
"""Compares what is packaged with the source tree.

    python .ci/contents.py TREE SDIST WHEEL

TREE is a clean copy of the working tree (.ci/copy makes one). Prints each file that is missing or should not be there,
and exits with 1 if there is any.
"""

from __future__ import annotations

import re
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

NOT_INSTALLED = {".c", ".cpp", ".pyc", ".pyx", ".so"}
"""Sources of native modules, which the sdist holds, and what a build leaves behind."""


def rooms(tree: Path) -> list[str]:
    """Return the packages at the top level, as pyproject.toml names them."""
    return [name for name in settings(tree)["packages"]["find"]["include"] if "." not in name]


def native_modules(tree: Path) -> list[str]:
    return [module["name"] for module in settings(tree)["ext-modules"]]


def settings(tree: Path) -> dict[str, Any]:
    """Return what pyproject.toml says to setuptools."""
    found: dict[str, Any] = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    return found


def installed_files(tree: Path) -> set[str]:
    """Return what an installation must hold beside its native modules: every other file of the packages."""
    files = (path for room in rooms(tree) for path in (tree / room).rglob("*") if path.is_file())
    return {str(path.relative_to(tree)) for path in files if path.suffix not in NOT_INSTALLED}


def wheel_faults(tree: Path, names: list[str]) -> list[str]:
    """Compare the names of a wheel's files with the tree."""
    held = {name for name in names if ".dist-info/" not in name}
    native = {name: re.sub(r"\.[^/]*$", "", name).replace("/", ".") for name in held if name.endswith((".so", ".pyd"))}
    expected, modules = installed_files(tree), set(native_modules(tree))
    faults = [f"the wheel lacks {name}" for name in sorted(expected - held)]
    faults += [f"the wheel lacks the native module {name}" for name in sorted(modules - set(native.values()))]
    faults += [f"the wheel holds {name}" for name in sorted(held - expected - set(native))]
    return faults + [f"the wheel holds {name}" for name, module in sorted(native.items()) if module not in modules]


def sdist_faults(tree: Path, names: list[str]) -> list[str]:
    """Compare the names of an sdist's files, which begin with its own folder, with the tree."""
    held = {name.partition("/")[2] for name in names} - {"PKG-INFO", "setup.cfg", ""}
    held = {name for name in held if "gomoku_patterns.egg-info/" not in name}
    expected = {str(path.relative_to(tree)) for path in tree.rglob("*") if path.is_file()}
    faults = [f"the sdist lacks {name}" for name in sorted(expected - held)]
    return faults + [f"the sdist holds {name}" for name in sorted(held - expected)]


def main() -> int:
    tree, sdist, wheel = map(Path, sys.argv[1:])
    with tarfile.open(sdist) as archive:
        faults = sdist_faults(tree, [member.name for member in archive.getmembers() if member.isfile()])
    with zipfile.ZipFile(wheel) as archive:
        faults += wheel_faults(tree, [name for name in archive.namelist() if not name.endswith("/")])
    print("\n".join(faults) or f"contents: the sdist holds the tree, the wheel its {len(rooms(tree))} packages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
