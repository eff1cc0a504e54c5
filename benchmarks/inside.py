"""Measuring inside the native core: ``_inside.pyx``, compiled when a benchmark first asks for it.

Users of the packages have no need of it, so it is not among the modules that are installed. What is built is kept in
the user's cache folder under a hash of everything it was built from.
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from gomoku_patterns.board import Board
from gomoku_patterns.compile import cache_folder

SOURCE = Path(__file__).with_name("_inside.pyx")
ROOT = SOURCE.parent.parent

Kind = Literal["score", "play", "play_and_gains", "all_gains"]


def inside(kind: Kind, tracker: Any, board: Board, moves: Iterable[int], seconds: float = 0.05) -> tuple[float, int]:
    """The seconds that one piece of work takes inside the core, and the sum of what one pass over the moves gave.

    ``score``: a full board; ``play``: a move and its taking back; ``play_and_gains``: the same with the gains of all
    ``moves`` read in between; ``all_gains``: every gain from the board alone.
    """
    return _module().inside(kind, tracker, board, moves, seconds)  # type: ignore[no-any-return]  # a native module


@cache
def _module() -> ModuleType:
    name = f"_inside_{_digest()}"
    folder = cache_folder() / "benchmarks"
    path = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    if not path.exists():
        _build(name, folder)
    found = importlib.util.spec_from_file_location("_inside", path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _digest() -> str:
    sources = [SOURCE, *sorted((ROOT / "gomoku_patterns").glob("*.pxd"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def _build(name: str, folder: Path) -> None:
    try:
        from Cython.Build import cythonize
        from setuptools import Distribution, Extension
        from setuptools.command.build_ext import build_ext
        from setuptools.errors import BaseError
    except ImportError as error:
        sys.exit(f"benchmarks: {error.name} is missing, which compiles {SOURCE.name}: pip install -e '.[bench]'")
    print(f"compiling {SOURCE.name} ...", file=sys.stderr)
    extension = Extension("_inside", [str(SOURCE)], extra_compile_args=["-O3", "-w"])
    folder.mkdir(parents=True, exist_ok=True)
    made = cythonize([extension], include_path=[str(ROOT)], build_dir=str(folder / name), quiet=True)
    command = build_ext(Distribution({"ext_modules": made}))
    command.build_lib = command.build_temp = str(folder / name)
    command.ensure_finalized()
    try:
        command.run()
    except BaseError as error:
        sys.exit(f"benchmarks: cannot compile {SOURCE.name}, is there a C compiler? {error}")
    Path(command.get_ext_fullpath("_inside")).replace(folder / (name + sysconfig.get_config_var("EXT_SUFFIX")))
