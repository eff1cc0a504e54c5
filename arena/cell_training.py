"""What is trained in a cell table: weights of combinations, as sums that rare ones share with common ones.

In training the weight of a combination is the sum of eleven numbers: its own, one for each of its four lines and one
for each of their six pairs. So a combination that the data hardly know begins as what its parts have learned. Facts
likewise are a number for the set and one for each fact in it. Only the sums are written. Meetings, and how many cells
show a fact, have numbers of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from arena._train_cells import CellWorker
from arena.models import Task
from gomoku_patterns.cell_tables import (
    CODES,
    COUNTED,
    MAX_WEIGHT,
    UNIT,
    CellWeights,
    combination_list,
    combination_numbers,
    first_classes,
    shown_facts,
)
from gomoku_patterns.compile import window_kinds
from gomoku_patterns.table import Table

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

SPREAD = 1e-5
"""How strongly numbers that nothing is known of are drawn to 0."""
PRIOR_UNIT = 64


@lru_cache(maxsize=4)
def shared_parts(classes: int) -> tuple[npt.NDArray[np.int64], int]:
    """For each combination the places of the numbers that are added up, and how many places there are.

    Place 0 always holds 0: it stands for lines that show no shape.
    """
    every = np.array(combination_list(classes), dtype=np.int64)
    own = 1 + np.arange(len(every))
    singles = np.where(every > 0, len(every) + every, 0)
    first_pair = len(every) + classes
    columns = [own, *singles.T]
    for one, other in combinations(range(4), 2):
        pair = first_pair + every[:, one] * classes + every[:, other]
        columns.append(np.where((every[:, one] > 0) & (every[:, other] > 0), pair, 0))
    parts = np.stack(columns, axis=1)
    parts[0] = 0
    return parts, first_pair + classes * classes


@lru_cache(maxsize=4)
def fact_parts(facts: int) -> tuple[npt.NDArray[np.int64], int]:
    """The same for every set of facts; facts that do not hold have place 0."""
    sets = np.arange(1 << 2 * facts)
    bits = [np.where(sets >> fact & 1, 1 + len(sets) + fact, 0) for fact in range(2 * facts)]
    return np.stack([1 + sets, *bits], axis=1), 1 + len(sets) + 2 * facts


@lru_cache(maxsize=4)
def meeting_parts(classes: int) -> tuple[npt.NDArray[np.int64], int]:
    """The same for every meeting: where one side is shown nothing it has place 0."""
    own, other = np.divmod(np.arange(classes * classes), classes)
    return np.where((own > 0) & (other > 0), 1 + own * classes + other, 0)[:, None], 1 + classes * classes


def count_parts(facts: int) -> tuple[npt.NDArray[np.int64], int]:
    """The same for how many cells show each fact."""
    count = facts * COUNTED * COUNTED
    return 1 + np.arange(count)[:, None], 1 + count


class CellModel:
    """The weights of a cell table in training, and what Adam remembers of them."""

    kind = "cell"

    def __init__(self, table: Table, rows: int, cols: int, *, threads: int) -> None:
        self.table = table
        classes = len(table.shape_order) + 1
        kinds, numbers = window_kinds(table), combination_numbers(classes)
        shown, firsts = shown_facts(table), first_classes(classes)
        assert len(numbers) == CODES
        self.workers = [
            CellWorker(kinds, numbers, shown, firsts, table.reach, len(table.facts), rows, cols) for _ in range(threads)
        ]
        facts = len(table.facts)
        both = [shared_parts(classes)] * 2
        values = [*both, fact_parts(facts), meeting_parts(classes), count_parts(facts)]
        self._groups = [*values, *values, *both]
        self.numbers = np.zeros(sum(size for _, size in self._groups))
        self.first, self.second = np.zeros_like(self.numbers), np.zeros_like(self.numbers)
        self.updates = 0
        self.weights_now = self._summed()

    def _summed(self) -> Floats:
        parts, start = [], 0
        for places, size in self._groups:
            parts.append(self.numbers[start : start + size][places].sum(axis=1))
            start += size
        return np.concatenate(parts).astype(np.float32)

    def _shared(self, gradients: Floats) -> npt.NDArray[np.float64]:
        """What the gradients of sums are for the numbers that are added up."""
        found, start = [], 0
        for places, size in self._groups:
            part = np.repeat(gradients[start : start + len(places)].astype(np.float64), places.shape[1])
            found.append(np.bincount(places.reshape(-1), part, minlength=size))
            found[-1][0] = 0
            start += len(places)
        return np.concatenate(found)

    def run(self, worker: int, task: Task) -> None:
        """Let one worker do a task; it keeps the gradients."""
        self.workers[worker].run(self.weights_now, *task)

    def update(self, rate: float, positions: int) -> None:
        """One step of Adam against the gradients of the workers, which are forgotten."""
        total = self.workers[0].gradients.copy()
        for worker in self.workers[1:]:
            total += worker.gradients
        for worker in self.workers:
            worker.forget()
        gradient = self._shared(total) / positions + SPREAD * self.numbers
        self.updates += 1
        self.first += 0.1 * (gradient - self.first)
        self.second += 0.001 * (gradient * gradient - self.second)
        unbiased = self.second / (1 - 0.999**self.updates)
        self.numbers -= rate / (1 - 0.9**self.updates) * self.first / (np.sqrt(unbiased) + 1e-8)
        self.weights_now = self._summed()

    def best(self) -> tuple[Floats, ...]:
        """What is kept of the best pass."""
        return (self.weights_now.copy(),)

    def state(self) -> dict[str, Any]:
        """All that a run needs to go on."""
        return {"numbers": self.numbers, "first": self.first, "second": self.second, "updates": np.array(self.updates)}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from a state."""
        self.numbers, self.first, self.second = saved["numbers"], saved["first"], saved["second"]
        self.updates = int(saved["updates"])
        self.weights_now = self._summed()

    def rounded(self, best: Sequence[Floats], scale: int, provenance: Mapping[str, Any]) -> CellWeights:
        """Weights in training as whole numbers; a score of ``scale`` is a winning chance of 73 %."""
        ends = np.cumsum([len(places) for places, _ in self._groups[:-1]])
        tables = np.split(best[0].astype(np.float64), ends)
        point, classes = scale * UNIT, len(self.table.shape_order) + 1
        moving, resting, facts, meetings, counts = map(np.stack, zip(tables[:5], tables[5:10], strict=True))
        return CellWeights(
            moving=_whole(moving * point, MAX_WEIGHT, np.int16),
            resting=_whole(resting * point, MAX_WEIGHT, np.int16),
            prior_own=_whole(tables[10] * PRIOR_UNIT, MAX_WEIGHT, np.int16),
            prior_other=_whole(tables[11] * PRIOR_UNIT, MAX_WEIGHT, np.int16),
            facts=_whole(facts * point, 2**24, np.int32),
            meetings=_whole(meetings * point, MAX_WEIGHT, np.int16).reshape(2, classes, classes),
            counts=_whole(counts * point, 2**24, np.int32).reshape(2, -1, COUNTED, COUNTED),
            shapes=self.table.shape_order,
            fact_names=tuple(fact.name for fact in self.table.facts),
            provenance=provenance,
        )


def _whole(values: npt.NDArray[np.float64], most: int, kind: type) -> npt.NDArray[Any]:
    return np.clip(np.rint(values), -most, most).astype(kind)
