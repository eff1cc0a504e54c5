"""The reference documentation from the docstrings: ``pip install -e '.[docs]'``, then ``python docs/build.py``.

It is written to docs/_build; open index.html there.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from pathlib import Path

try:
    import pdoc
except ImportError:
    sys.exit("docs/build.py needs the package pdoc: pip install -e '.[docs]'")

ROOMS = ("gomoku_patterns", "search", "puzzles", "arena", "gomoku")


def main() -> None:
    """Rooms export names on first use; pdoc lists what is there, so all are asked for before."""
    for room in ROOMS:
        module = importlib.import_module(room)
        for name in getattr(module, "__all__", []):
            setattr(module, name, getattr(module, name))
    # The types of a named tuple's fields are texts that pdoc looks up in the wrong module.
    warnings.filterwarnings("ignore", r"Error parsing type annotation ForwardRef\(.*Move", UserWarning)
    target = Path(__file__).parent / "_build"
    pdoc.pdoc(*ROOMS, output_directory=target)
    print(f"{target / 'index.html'} written", file=sys.stderr)


if __name__ == "__main__":
    main()
