"""Cell tables for tests: one with scores written in it, and random weights for it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gomoku_patterns import parse_table
from gomoku_patterns.cell_tables import COUNTED, CellWeights, combination_count

SHAPES = """
[[pattern]]
shape = "five"
text  = "ooooo"
score = [0, 500]
[[pattern]]
shape = "live_three"
texts = [".ooo..", ".oo.o."]
score = [20, 50]
[[pattern]]
shape = "sleeping_three"
texts = ["ooo..", "o.oo.", "|ooo..", "~oo.o."]
score = 7
[[pattern]]
shape = "two"
text  = "oo"
score = [1, 2]
"""
FACTS = """
[[fact]]
name  = "can_make_five"
needs = { five = 1 }
score = [30, 400]
[[fact]]
name  = "threatens"
needs = [{ live_three = 2 }, { live_three = 1, sleeping_three = 1 }]
score = [10, 33]
"""
COMBINED = """
[[combination]]
needs = { live_three = 1, sleeping_three = 1 }
score = [70, 111]
"""
WRITTEN = 'name = "cells"\nscan = "cell"\nreach = 4\n' + SHAPES + COMBINED + FACTS
"""A cell table whose scores are written in it."""


def text(reach: int = 4) -> str:
    """The TOML text of one whose weights are beside it, in ``cells.npz``."""
    head = f'name = "cells"\nscan = "cell"\nreach = {reach}\nweights = "cells.npz"\n'
    return head + (SHAPES + FACTS).replace("score", "# score")


def random_weights(seed: int = 1, spread: int = 3000) -> CellWeights:
    """Weights as no training makes them, but every number of them matters."""
    table = parse_table(WRITTEN)
    rng = np.random.default_rng(seed)
    count = combination_count(len(table.shape_order) + 1)
    parts = [rng.integers(-spread, spread + 1, size).astype(np.int16) for size in [(2, count)] * 2 + [(count,)] * 2]
    for part in parts:
        part[..., 0] = 0
    return CellWeights(
        *parts,
        facts=rng.integers(-9999, 9999, (2, 1 << 2 * len(table.facts))).astype(np.int32),
        meetings=_meetings(rng, len(table.shape_order) + 1),
        counts=rng.integers(-9999, 9999, (2, len(table.facts), COUNTED, COUNTED)).astype(np.int32),
        shapes=table.shape_order,
        fact_names=tuple(fact.name for fact in table.facts),
        provenance={"seed": seed},
    )


def _meetings(rng: np.random.Generator, classes: int) -> npt.NDArray[np.int16]:
    meetings = rng.integers(-3000, 3001, (2, classes, classes)).astype(np.int16)
    meetings[:, 0] = meetings[:, :, 0] = 0
    return meetings
