"""Every figure as a ratio; the exit status is 1 if one is missed.

python -m benchmarks [--smoke] [scoring] [features] [data] [match] [minmax] [mcts] [solver] [puzzles] [making] [engine]
    [proofs] [prove] [clock]

--smoke runs a small part of each suite: all answers are checked, and no figure means anything.
"""

from __future__ import annotations

import os
import sys

from benchmarks.figures import SUITES, figures_of, report


def main(names: list[str]) -> int:
    good = True
    if {"-h", "--help"} & set(names):
        print(__doc__)
        return 0
    if "--smoke" in names:
        os.environ["GOMOKU_SMOKE"] = "1"
        names = [name for name in names if name != "--smoke"]
    for name in names or SUITES:
        if name not in SUITES:
            print(f"expected suites of {', '.join(SUITES)}, found {name!r}", file=sys.stderr)
            return 2
        good &= report(figures_of(name))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
