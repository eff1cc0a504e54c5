"""The reference documentation from the docstrings: ``pip install -e '.[docs]'``, then ``python docs/build.py``.

It is written to docs/_build; open index.html there.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pdoc

ROOMS = ("gomoku_patterns", "search", "puzzles", "arena")


def main() -> None:
    """Rooms export names on first use; pdoc lists what is there, so all are asked for before."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in getattr(module, "__all__", []):
            setattr(module, name, getattr(module, name))
    target = Path(__file__).parent / "_build"
    pdoc.pdoc(*ROOMS, output_directory=target)
    print(f"{target / 'index.html'} written", file=sys.stderr)


if __name__ == "__main__":
    main()
