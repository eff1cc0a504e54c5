"""Counting patterns on many boards, against the reference in the same run and against what was promised.

    python -m benchmarks features
    pytest benchmarks -k features

Every matrix is compared with the reference's before it is timed, and every time is the shortest of many. The boards
are those of ``bench_scoring``: stones at random, a tenth to two fifths of the cells, which show more different lines
than games do. What would flatter the figures, and is avoided: sparse boards, of which empty lines are skipped; a batch
so small that its matrix stays in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.bench_scoring import some_boards
from benchmarks.figures import Figure, amount, fastest
from gomoku_patterns import as_evaluator, table_names

PROMISED = 1 / 200_000
"""Seconds a position, of ``grade_dict`` on one core."""


def counting() -> Iterator[Figure]:
    boards = some_boards()
    stack = np.stack([board.to_array() for board in boards])
    many = np.concatenate([stack] * amount(20, 1))
    for name in table_names():
        evaluator, reference = as_evaluator(name), as_evaluator(name, native=False)
        some = stack[:9] if evaluator.additive else stack[:3]
        assert (evaluator.features(some).matrix == reference.features(some).matrix).all()
        slow = fastest(lambda some=some, reference=reference: reference.features(some), pieces=len(some))  # type: ignore[misc]
        ours = fastest(lambda evaluator=evaluator: evaluator.features(many), pieces=len(many))  # type: ignore[misc]
        yield Figure(f"features of {name}, batch", ours, "the reference", slow, 20)
        if name == "grade_dict":
            yield Figure(f"features of {name}, batch", ours, "200,000 positions a second", PROMISED, 1)


def figures() -> Iterator[Figure]:
    yield from counting()
