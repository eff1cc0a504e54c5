"""Cell tables: every empty cell is worth what its four lines are together, for either colour, and all cells add up.

The *class* of a line through an empty cell is the shape it would show if a colour played there, as in point tables: the
first pattern, in the order written, that occurs in the window; 0 is none. Four classes, in whatever order, are a
*combination*: with 15 classes there are 3,060. A combination is worth one number to the side to move and another to the
side that has just moved. What a cell is to both is its *meeting*: the first of the classes for either, and what these
two are worth together to the side to move. A *fact* of a side is that one of its empty cells shows some shapes, such as
a double four; what the facts of both sides are worth together to the side to move is added at the end, and for each
fact what it is worth that so many cells of either show it.

The numbers are learned and lie in a file beside the table, or they follow from scores in the table. What is learned has
a *growth* besides, since a live two means more on an empty board than on a crowded one: what it is worth more when 64
stones lie on the board, a 64th of it for each stone. All of it is whole numbers in sixteenths of a point, so that the
native core says exactly what the reference says. Learned weights also hold a *prior* for each combination: how likely
the best move is on such a cell.

>>> combination_count(15), len(combination_list(15))
(3060, 3060)
>>> combination_list(3)[:4]
((0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1))
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gomoku_patterns.errors import TableError, shown
from gomoku_patterns.table import MAX_FACTS, MAX_SHAPES, Combination, Table
from gomoku_patterns.weights_file import check_array, packed, read_from, unpacked

if TYPE_CHECKING:
    import numpy.typing as npt

UNIT_BITS = 4
UNIT = 1 << UNIT_BITS
"""A weight of so many is one point of the score."""
CROWDED = 64
"""From so many stones on a board is as crowded as can be, and growths count in full."""
PARTS = UNIT * CROWDED
"""What cells add up to is counted in so many parts of a point."""
FORMAT = 3
_WITHOUT_GROWTH = 2
MAX_WEIGHT = 2**15 - 1
CLASS_BITS = 4
CODES = 1 << 4 * CLASS_BITS
_WORD = re.compile(r"[A-Za-z0-9_-]+")
COUNTED = 8
"""How many cells show a fact is told apart from 0 to 7; more are as good as 7."""


def combination_count(classes: int) -> int:
    """How many combinations so many classes have, "none" among them."""
    return comb(classes + 3, 4)


@lru_cache(maxsize=4)
def combination_list(classes: int) -> tuple[tuple[int, int, int, int], ...]:
    """The combinations of so many classes, the lowest class first in each, in the order of their weights."""
    # By the highest class first, so that a shape that is added last adds its combinations at the end.
    every = combinations_with_replacement(range(classes), 4)
    return tuple(sorted(every, key=lambda one: one[::-1]))


@lru_cache(maxsize=4)
def combination_ranks(classes: int) -> dict[tuple[int, ...], int]:
    """The number of every combination."""
    return {one: number for number, one in enumerate(combination_list(classes))}


@lru_cache(maxsize=4)
def combination_numbers(classes: int) -> npt.NDArray[np.uint16]:
    """The number of the combination of every code of four classes, four bits each; 0 for classes that are none."""
    keys = np.array(combination_list(classes), dtype=np.int64) @ (1 << CLASS_BITS * np.arange(4))
    lines = np.arange(CODES)[:, None] >> CLASS_BITS * np.arange(4) & (1 << CLASS_BITS) - 1
    known = (lines < classes).all(axis=1)
    by_key = np.zeros(CODES, dtype=np.uint16)
    by_key[keys] = np.arange(len(keys))
    sorted_keys = np.sort(lines, axis=1) @ (1 << CLASS_BITS * np.arange(4))
    return np.where(known, by_key[sorted_keys], 0).astype(np.uint16)


@lru_cache(maxsize=4)
def first_classes(classes: int) -> npt.NDArray[np.uint8]:
    """For each combination the class among its lines that is written first, 0 if they show none."""
    every = np.array(combination_list(classes))
    first = np.where(every > 0, every, classes).min(axis=1)
    return np.where(first < classes, first, 0).astype(np.uint8)


# ---------------------------------------------------------------------- weights


@dataclass(frozen=True, eq=False)
class CellWeights:
    """The weights of a cell table, and where they come from.

    ``moving`` and ``resting`` are what each combination is worth to the side to move and to the other, always from the
    view of the side to move: what the other side has is mostly negative. ``prior_own`` and ``prior_other`` added up say
    how likely the best move is on a cell with these combinations: 64 more are e times as likely. ``facts`` has a number
    for every set of facts, those of the side to move in the low bits. ``meetings`` has one for the first classes of a
    cell, that of the side to move and that of the other; ``counts`` for each fact and how many cells show it to the
    side to move and to the other. All but the priors are there twice: ``[0]`` is the worth on an empty board, ``[1]``
    its growth.
    """

    moving: npt.NDArray[np.int16]
    resting: npt.NDArray[np.int16]
    prior_own: npt.NDArray[np.int16]
    prior_other: npt.NDArray[np.int16]
    facts: npt.NDArray[np.int32]
    meetings: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int32]
    shapes: tuple[str, ...]
    fact_names: tuple[str, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if len(self.shapes) > MAX_SHAPES or len(self.fact_names) > MAX_FACTS:
            raise TableError(f"expected at most {MAX_SHAPES} shapes and {MAX_FACTS} facts, found more")
        for word in (*self.shapes, *self.fact_names):
            if not _WORD.fullmatch(word):
                raise TableError(
                    f"expected names of shapes and facts of letters, digits, '_' and '-', found {shown(word)}"
                )
        count = combination_count(len(self.shapes) + 1)
        for name in _BY_COMBINATION:
            found = getattr(self, name)
            check_array(name, found, (2, count) if name in _GROWING else (count,), np.int16)
            if found[..., 0].any() or int(found.min()) < -MAX_WEIGHT:
                raise TableError(f"expected {name} from {-MAX_WEIGHT}, and 0 for cells with no shape")
        check_array("facts", self.facts, (2, 1 << 2 * len(self.fact_names)), np.int32)
        check_array("meetings", self.meetings, (2, *(len(self.shapes) + 1,) * 2), np.int16)
        check_array("counts", self.counts, (2, len(self.fact_names), COUNTED, COUNTED), np.int32)
        if self.meetings[:, 0].any() or self.meetings[:, :, 0].any():
            raise TableError("expected meetings worth 0 where a cell shows one side no shape")
        for name in ("facts", "counts"):
            if getattr(self, name).size and int(np.abs(getattr(self, name).astype(np.int64)).max()) > 2**24:
                raise TableError(f"expected {name} worth at most 2 ** 24")

    def __reduce__(self) -> tuple[object, ...]:
        return load_cell_weights, (self.to_bytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CellWeights) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def check_fits(self, table: Table) -> None:
        """Refuse a table with other shapes or facts than these weights were learned for."""
        names = tuple(fact.name for fact in table.facts)
        for found, ours, what in ((table.shape_order, self.shapes, "shapes"), (names, self.fact_names, "facts")):
            if found != ours:
                raise TableError(f"the weights are for the {what} {', '.join(ours)}, in this order, not for "
                                 f"{', '.join(found)}; train them anew")  # fmt: skip

    @cached_property
    def digest(self) -> str:
        """A hash of everything that decides scores and priors."""
        total = hashlib.sha256(repr((self.shapes, self.fact_names)).encode())
        for name in _ARRAYS:
            total.update(np.ascontiguousarray(getattr(self, name)).tobytes())
        return total.hexdigest()

    @property
    def grows(self) -> bool:
        """Whether anything is worth more or less with more stones on the board."""
        return any(getattr(self, name)[1].any() for name in _GROWING)

    def to_bytes(self) -> bytes:
        """The weights as a file; the same bytes for the same weights."""
        told = {"format": FORMAT, "shapes": self.shapes, "facts": self.fact_names, **self.provenance}
        return packed(told, {name: getattr(self, name) for name in _ARRAYS})


_BY_COMBINATION = ("moving", "resting", "prior_own", "prior_other")
_ARRAYS = (*_BY_COMBINATION, "facts", "meetings", "counts")
_GROWING = ("moving", "resting", "facts", "meetings", "counts")


def read_cell_weights(path: str | Path, source: str | None = None) -> CellWeights:
    """The weights in a file."""
    return read_from(path, source, load_cell_weights)


def load_cell_weights(content: bytes) -> CellWeights:
    """The weights that :meth:`CellWeights.to_bytes` wrote."""
    about, arrays = unpacked(content, _ARRAYS, "a cell table")
    written = about.pop("format", None) if isinstance(about, dict) else None
    if written not in (FORMAT, _WITHOUT_GROWTH):
        raise TableError(f"expected weights of format {FORMAT}; train them anew with this version")
    if written == _WITHOUT_GROWTH:
        arrays |= {name: growing(arrays[name]) for name in _GROWING}
    shapes, facts = about.pop("shapes", None), about.pop("facts", None)
    for names in (shapes, facts):
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise TableError("expected the names of the shapes and facts in about.json")
    return CellWeights(**arrays, shapes=tuple(shapes), fact_names=tuple(facts), provenance=about)


def growing(worths: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Worths that do not grow."""
    return np.stack([worths, np.zeros_like(worths)])


def grown(worths: npt.NDArray[Any], place: int | tuple[int, ...], stones: int) -> int:
    """What one of the worths is with so many stones on the board, in parts of a point.

    >>> grown(np.array([[0, 160], [0, -64]]), 1, stones=32) / PARTS
    8.0
    """
    return CROWDED * int(worths[0][place]) + min(stones, CROWDED) * int(worths[1][place])


def cell_weights(table: Table) -> CellWeights:
    """The weights of a cell table: its own, or those that follow from the scores written in it."""
    if table.weights is not None:
        assert isinstance(table.weights, CellWeights)
        return table.weights
    return _written(table)


@lru_cache(maxsize=16)
def _written(table: Table) -> CellWeights:
    score = {pattern.shape: pattern.score for pattern in table.patterns}
    worths = [_worth(table, shapes, score) for shapes in shape_lists(table)]
    resting, moving = (np.array([pair[side] for pair in worths], dtype=np.int64) * UNIT for side in (0, 1))
    if max(np.abs(moving).max(), np.abs(resting).max()) > MAX_WEIGHT:
        raise TableError(f"table {table.name!r}: expected a cell worth at most {MAX_WEIGHT // UNIT}, found more; "
                         "divide all scores by the same number")  # fmt: skip
    none = np.zeros(len(moving), dtype=np.int16)
    return CellWeights(
        moving=growing(moving.astype(np.int16)),
        resting=growing((-resting).astype(np.int16)),
        prior_own=none,
        prior_other=none,
        facts=growing(_written_facts(table)),
        meetings=np.zeros((2, *(len(table.shape_order) + 1,) * 2), dtype=np.int16),
        counts=np.zeros((2, len(table.facts), COUNTED, COUNTED), dtype=np.int32),
        shapes=table.shape_order,
        fact_names=tuple(fact.name for fact in table.facts),
    )


def shape_lists(table: Table) -> list[tuple[str, ...]]:
    """For each combination the shapes of its lines, the first written first; lines that show none are left out."""
    return [
        tuple(table.shape_order[one - 1] for one in classes if one)
        for classes in combination_list(len(table.shape_order) + 1)
    ]


def _worth(table: Table, shapes: tuple[str, ...], score: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The first combination whose needs the shapes meet, or all shapes added up."""
    found = next((one for one in table.combinations if meets(shapes, one.needs)), None)
    if isinstance(found, Combination):
        return found.score
    return sum(score[shape][0] for shape in shapes), sum(score[shape][1] for shape in shapes)


def meets(shapes: tuple[str, ...], needs: tuple[tuple[str, int], ...]) -> bool:
    """Whether there are at least as many lines of each shape as are needed."""
    return all(shapes.count(shape) >= count for shape, count in needs)


def _written_facts(table: Table) -> npt.NDArray[np.int32]:
    masks = np.arange(1 << 2 * len(table.facts))
    total = np.zeros(len(masks), dtype=np.int64)
    for number, fact in enumerate(table.facts):
        total += UNIT * fact.score[1] * (masks >> number & 1)
        total -= UNIT * fact.score[0] * (masks >> number + len(table.facts) & 1)
    if np.abs(total).max() > 2**24:
        raise TableError(f"table {table.name!r}: expected facts worth at most {2**24 // UNIT:,} together, found more")
    return total.astype(np.int32)


def shown_facts(table: Table) -> npt.NDArray[np.uint8]:
    """For each combination the facts that it shows, a bit each."""
    classes = np.array(combination_list(len(table.shape_order) + 1))
    have = {shape: (classes == number).sum(axis=1) for number, shape in enumerate(table.shape_order, 1)}
    shown = np.zeros(len(classes), dtype=np.uint8)
    for bit, fact in enumerate(table.facts):
        for needs in fact.needs:
            met = np.logical_and.reduce([have[shape] >= count for shape, count in needs])
            shown |= (met << bit).astype(np.uint8)
    return shown
