"""Pattern tables compiled into the arrays that the native core runs on.

A line is read in *pieces* of five cells, each a number in base 3 with the first cell as the lowest digit: 243 pieces,
one byte. An automaton over the words of both colours becomes a table of what a whole piece does to a state, so that a
line of fifteen cells is three look-ups. Everything is numpy over whole arrays; what comes out is kept in a file in the
user's cache folder under the hash of the table, because the next process wants the same.

>>> from gomoku_patterns.table import load_table
>>> compiled = compile_table(load_table("grade_dict"))
>>> len(compiled.passes), compiled.passes[0].steps.shape[1], compiled.shortest
(1, 256, 5)
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gomoku_patterns.automaton import Automaton, table_automaton, table_words
from gomoku_patterns.cell_tables import cell_weights, combination_numbers, first_classes, shown_facts
from gomoku_patterns.cells import MAX_SIDE
from gomoku_patterns.errors import GomokuError, TableError
from gomoku_patterns.files import read_file, write_file
from gomoku_patterns.table import Pattern, Table

if TYPE_CHECKING:
    import numpy.typing as npt

    Int = npt.NDArray[np.int64]

PIECE = 5
"""How many cells one look-up reads: 3 ** 5 fits a byte, and a table of states by 256 stays inside the second cache."""
PIECES = 3**PIECE
STRIDE = 256
END_STRIDE = 512
ENDS = tuple((3**cells - 3) // 2 for cells in range(PIECE + 1))
"""Where the columns for a last piece of 1 to 5 cells begin."""
MASK_PATTERNS = 32
"""How many patterns one pass tells apart: two bits each, one a colour, in a 64-bit mask."""
MAX_STATES = 4000
"""Automata with more states than this are walked cell by cell: their piece tables would leave every cache."""
MAX_VALUES = 65535
MAX_WORTH = 2**27
"""The most one line may be worth: a gain adds and subtracts four lines in 32 bits."""

MAX_CLASSES = 255
FORMAT = 5
"""Counts up whenever the arrays change their meaning."""
KEPT_FILES = 64
MAX_KEPT = 2**26
"""The largest file of a compiled table that is believed to be one."""

_WALL, _PLAYED = 3, 4
_SWAP = str.maketrans("ox", "xo")


class Pass(NamedTuple):
    """One automaton by pieces. A value is a set of patterns seen, with what it is worth by whose turn it is.

    ``steps[state, piece]`` is the next state and, 16 bits up, the number of a value; ``heads[second, first]`` the same
    for the first two pieces of a line; ``ends[state, ENDS[n] + piece]`` the number of the value of a last piece of n
    cells, the edge behind it included. ``masks[value]`` are the patterns seen, two bits each, if a pattern counts once;
    what two pieces both have seen was counted twice, and ``bytes[:, 256 * i + byte]`` is the worth of the i-th byte of
    that mask. ``worths`` and ``bytes`` have a row for black to move and one for white to move.
    """

    start: int
    steps: npt.NDArray[np.uint32]
    heads: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint16]
    masks: npt.NDArray[np.uint64]
    worths: npt.NDArray[np.int32]
    bytes: npt.NDArray[np.int32]


class Walk(NamedTuple):
    """One automaton cell by cell: ``outputs[offsets[s]:offsets[s + 1]]`` are the patterns by colour seen in state s."""

    start: int
    edge: int
    once: int
    transitions: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    worths: npt.NDArray[np.int32]


@dataclass(frozen=True)
class LineArrays:
    """A compiled line table: the sum of its passes, or one walk. Lines under ``shortest`` cells are worth nothing."""

    shortest: int
    passes: tuple[Pass, ...]
    walk: Walk | None = None


# ---------------------------------------------------------------------- line tables


def _both_colours(table: Table, numbers: range) -> dict[str, list[int]]:
    """The words of some patterns for black and, with stones exchanged, for white; each with its owners.

    An owner is ``2 * pattern + colour - 1``, the pattern counted from the start of ``numbers``.
    """
    owners: dict[str, list[int]] = {}
    for number in numbers:
        for text in table.texts[number]:
            owners.setdefault(text, []).append(2 * (number - numbers.start))
            owners.setdefault(text.translate(_SWAP), []).append(2 * (number - numbers.start) + 1)
    return owners


def _worth_of_owners(patterns: Sequence[Pattern]) -> npt.NDArray[np.int32]:
    """What each owner is worth, black minus white, with black to move and with white to move."""
    scores = np.array([pattern.score for pattern in patterns], dtype=np.int32)
    return np.stack([scores[:, ::-1], -scores], axis=1).reshape(-1, 2)


class _Machine:
    """An automaton over the words of some patterns in both colours, and who owns what ends in each state."""

    def __init__(self, table: Table, numbers: range) -> None:
        words = _both_colours(table, numbers)
        automaton = Automaton(words)
        owned = list(words.values())
        self.transitions = automaton.transitions[:, : _WALL + 1]
        self.owners = [sorted({owner for word in output for owner in owned[word]}) for output in automaton.outputs]
        self.worths = _worth_of_owners(table.patterns[numbers.start : numbers.stop])
        self.edge = table.uses_edge
        self.start = int(self.transitions[0, _WALL]) if self.edge else 0

    def sums(self, values: Int) -> Int:
        """For each state the sum of the values of its owners."""
        return np.array([sum(int(values[owner]) for owner in owners) for owners in self.owners], dtype=np.int64)

    def masks(self) -> npt.NDArray[np.uint64]:
        """For each state the mask of its owners."""
        return np.array([sum(1 << owner for owner in owners) for owners in self.owners], dtype=np.uint64)

    def most(self) -> int:
        """The most that the matches of one line can be worth if all count for the same side."""
        emitted = self.sums(np.abs(self.worths).max(axis=1))[self.transitions]
        best = np.zeros(len(self.transitions), dtype=np.int64)
        for _ in range(MAX_SIDE + self.edge):
            best = (emitted + best[self.transitions]).max(axis=1)
        return int(best[self.start])


def _compile_lines(table: Table) -> LineArrays:
    shortest = min(len(text) for texts in table.texts for text in texts) - 2 * table.uses_edge
    size = MASK_PATTERNS if table.count == "once" else len(table.patterns)
    parts = [range(at, min(at + size, len(table.patterns))) for at in range(0, len(table.patterns), size)]
    machines = [_Machine(table, part) for part in parts]
    _check_worth(table, sum(machine.most() for machine in machines))
    if sum(len(machine.owners) for machine in machines) <= MAX_STATES:
        passes = tuple(_compile_pass(machine, table.count == "once", len(machines) == 1) for machine in machines)
        if all(len(each.masks) <= MAX_VALUES for each in passes):
            return LineArrays(max(shortest, 1), passes)
    return LineArrays(max(shortest, 1), (), compile_walk(table))


def _check_worth(table: Table, most: int) -> None:
    if table.count == "once":
        most = min(most, 2 * sum(max(map(abs, pattern.score)) for pattern in table.patterns))
    if most > MAX_WORTH:
        raise TableError(f"table {table.name!r}: expected scores that add up to at most {MAX_WORTH} on one line, "
                         f"found up to {most}; divide all scores by the same number")  # fmt: skip


def _compile_pass(machine: _Machine, once: bool, alone: bool) -> Pass:
    emitted = machine.masks() if once else machine.sums(_packed(machine.worths))
    merge = np.bitwise_or if once else np.add
    nexts, step_values, end_values = _pieces(machine, emitted, merge)
    # Heads are for tables of one pass, as nearly all are: making them takes longer than all the rest.
    first = nexts[machine.start, :PIECES] if alone else nexts[machine.start, :0]
    head_values = merge(step_values[machine.start, : len(first), None], step_values[first])
    values, numbers = _numbered(step_values, head_values, end_values)
    ends = np.zeros((len(nexts), END_STRIDE), dtype=np.uint16)
    ends[:, : end_values.shape[1]] = numbers[2]
    return Pass(
        machine.start,
        _stepped(nexts, numbers[0]),
        _stepped(nexts[first], numbers[1]).transpose().copy() if alone else np.zeros((0, 0), dtype=np.uint32),
        ends,
        values if once else np.zeros(len(values), dtype=np.uint64),
        _mask_worths(values, machine.worths) if once else _unpacked(values),
        _byte_worths(machine.worths) if once else np.zeros((2, 0), dtype=np.int32),
    )


def _packed(worths: npt.NDArray[np.int32]) -> Int:
    return (worths[:, 0].astype(np.int64) << 32) + worths[:, 1]


def _unpacked(packed: Int) -> npt.NDArray[np.int32]:
    lower = packed.astype(np.int32)
    return np.stack([(packed - lower) >> 32, lower]).astype(np.int32)


def _stepped(nexts: Any, numbers: Any) -> npt.NDArray[np.uint32]:
    steps = np.zeros((STRIDE if len(nexts) == PIECES else len(nexts), STRIDE), dtype=np.uint32)
    steps[: len(nexts), :PIECES] = nexts | numbers << 16
    return steps


def _pieces(machine: _Machine, emitted: Any, merge: np.ufunc) -> tuple[Any, Any, Any]:
    """The next state and the value of every whole piece, and the values of all last pieces."""
    transitions = machine.transitions
    states, values = np.arange(len(transitions))[:, None], np.zeros((len(transitions), 1), dtype=emitted.dtype)
    ends = []
    for _ in range(PIECE):
        after = [transitions[states, code] for code in range(_WALL)]
        values = np.concatenate([merge(values, emitted[each]) for each in after], axis=1)
        states = np.concatenate(after, axis=1)
        ends.append(merge(values, emitted[transitions[states, _WALL]]) if machine.edge else values)
    return states, values, np.concatenate(ends, axis=1)


def _numbered(*parts: Any) -> tuple[Any, list[npt.NDArray[np.uint32]]]:
    """The different values, 0 first, and in each part for each place the number of its value. Most places hold 0."""
    places = [part.nonzero() for part in parts]
    held = np.concatenate([part[place] for part, place in zip(parts, places, strict=True)])
    different, inverse = np.unique(held, return_inverse=True)
    numbers = [np.zeros(part.shape, dtype=np.uint32) for part in parts]
    bounds = np.cumsum([len(place[0]) for place in places])[:-1]
    for number, place, found in zip(numbers, places, np.split(inverse, bounds), strict=True):
        number[place] = found + 1
    return np.concatenate([np.zeros(1, dtype=held.dtype), different]), numbers


def _mask_worths(masks: npt.NDArray[np.uint64], worths: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    chosen = (masks[:, None] >> np.arange(len(worths), dtype=np.uint64)).astype(np.int32) & 1
    return np.ascontiguousarray((chosen @ worths).T)


def _byte_worths(worths: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """What each byte of a mask is worth, by its place."""
    bits = np.zeros((2, -(-len(worths) // 8) * 8), dtype=np.int32)
    bits[:, : len(worths)] = worths.T
    chosen = np.arange(256)[:, None] >> np.arange(8) & 1
    worths_of_bytes: npt.NDArray[np.int32] = (chosen * bits.reshape(2, -1, 1, 8)).sum(axis=3, dtype=np.int32)
    return worths_of_bytes.reshape(2, -1)


def compile_walk(table: Table) -> Walk:
    """The automaton of a line table cell by cell, however small it is."""
    machine = _Machine(table, range(len(table.patterns)))
    offsets = np.cumsum([0, *map(len, machine.owners)]).astype(np.int32)
    outputs = np.array([owner for owners in machine.owners for owner in owners], dtype=np.int32)
    transitions = np.ascontiguousarray(machine.transitions, dtype=np.int32)
    once = int(table.count == "once")
    return Walk(machine.start, int(machine.edge), once, transitions, offsets, outputs, machine.worths)


# ---------------------------------------------------------------------- cell tables


@dataclass(frozen=True)
class CellArrays:
    """A compiled cell table. Sides are numbered as in a point table.

    ``kinds[left * sides + right]`` is the class of a window for black and, 4 bits up, for white; 0 is no shape. By code
    of four classes, four bits each: ``worths`` to the side to move and to the other, ``priors`` of the one who moves
    and of the other, and ``marks``: the facts that are shown, a bit each, and 8 bits up the first class. ``facts`` is
    what the facts of both sides are worth, ``meetings`` what a cell's first classes are, by that of the side to move in
    the upper four bits and that of the other, ``counts`` what so many cells for either side are, fact by fact.
    """

    reach: int
    fact_count: int
    kinds: npt.NDArray[np.uint8]
    worths: npt.NDArray[np.int16]
    priors: npt.NDArray[np.int16]
    marks: npt.NDArray[np.uint16]
    facts: npt.NDArray[np.int32]
    meetings: npt.NDArray[np.int16]
    counts: npt.NDArray[np.int32]


def _compile_cells(table: Table) -> CellArrays:
    weights = cell_weights(table)
    classes = len(table.shape_order) + 1
    numbers = combination_numbers(classes)
    marks = shown_facts(table) | first_classes(classes).astype(np.uint16) << 8
    meetings = np.zeros((16, 16, 4), dtype=np.int16)
    # Of a cell, what it is to black and what to white: its worth with either to move, then the growths of both.
    meetings[:classes, :classes] = np.stack([part for one in weights.meetings for part in (one, one.T)], axis=-1)
    worths = [part[numbers] for one in (0, 1) for part in (weights.moving[one], weights.resting[one])]
    return CellArrays(
        reach=table.reach,
        fact_count=len(table.facts),
        kinds=window_kinds(table),
        worths=np.ascontiguousarray(np.stack(worths, axis=1)),
        priors=np.ascontiguousarray(np.stack([weights.prior_own[numbers], weights.prior_other[numbers]], axis=1)),
        marks=marks[numbers].astype(np.uint16),
        facts=np.ascontiguousarray(weights.facts.T),
        meetings=meetings.reshape(-1, 4),
        counts=np.ascontiguousarray(weights.counts.reshape(2, -1).T),
    )


def window_kinds(table: Table) -> npt.NDArray[np.uint8]:
    """The class of every window of a cell table for black and, 4 bits up, for white."""
    classes = np.array([0, *(table.shape_order.index(one.shape) + 1 for one in table.patterns)], dtype=np.uint8)
    both = classes[first_patterns(table)]
    return np.ascontiguousarray(both[..., 0] | both[..., 1] << 4, dtype=np.uint8).reshape(-1)


# ---------------------------------------------------------------------- point tables


@dataclass(frozen=True)
class PointArrays:
    """A compiled point table.

    A *side* is what a point sees one way: up to ``reach`` cells, a number in base 3 with the nearest cell as its lowest
    digit, those cut off by the edge numbered before those that are not. ``classes[left, right]`` is the class of the
    line for black and, 8 bits up, for white; 0 is no shape. ``parts`` holds for all codes of four classes, four bits
    each, twice the worth of the own part (row 0) or opposing part (row 1), plus 1 if it is decisive; tables with more
    than 15 classes have none, and the core adds up ``scores``, ``shapes`` and ``combination_scores`` each time.
    """

    reach: int
    subtract: int
    ring: int
    best: int
    occupied: int
    shape_count: int
    classes: npt.NDArray[np.uint16]
    parts: npt.NDArray[np.int32]
    scores: npt.NDArray[np.int32]
    shapes: npt.NDArray[np.uint8]
    decisive: npt.NDArray[np.uint8]
    combination_scores: npt.NDArray[np.int32]
    needs: npt.NDArray[np.uint8]


def _compile_points(table: Table) -> PointArrays:
    numbers, firsts = _classes(table)
    if len(firsts) > MAX_CLASSES:
        raise TableError(f"table {table.name!r}: expected at most {MAX_CLASSES} shapes of different worth, "
                         f"found {len(firsts)}; the reference evaluator knows no such limit")  # fmt: skip
    black = np.array([0, *numbers], dtype=np.uint16)[_first_patterns(table)]
    exchanged = _exchanged_sides(table.reach)
    shapes = list(dict.fromkeys(first.shape for first in firsts))
    needs = [[dict(one.needs).get(shape, 0) for shape in shapes] for one in table.combinations]
    arrays = PointArrays(
        reach=table.reach,
        subtract=int(table.opposing == "subtract"),
        ring=int(table.ring),
        best=int(table.board == "best"),
        occupied=table.occupied,
        shape_count=len(shapes),
        classes=(black | black[np.ix_(exchanged, exchanged)] << 8).astype(np.uint16),
        parts=np.zeros((2, 0), dtype=np.int32),
        scores=np.array([(0, 0), *(first.score for first in firsts)], dtype=np.int32),
        shapes=np.array([0, *(shapes.index(first.shape) for first in firsts)], dtype=np.uint8),
        decisive=np.array([0, *(first.decisive for first in firsts)], dtype=np.uint8),
        combination_scores=np.array([one.score for one in table.combinations], dtype=np.int32).reshape(-1, 2),
        needs=np.array(needs, dtype=np.uint8).reshape(len(needs), len(shapes)),
    )
    return replace(arrays, parts=_parts(arrays)) if len(firsts) < 16 else arrays


def _classes(table: Table) -> tuple[list[int], list[Pattern]]:
    """For each pattern the number of its class, from 1, and for each class its first pattern."""
    classes: dict[tuple[object, ...], int] = {}
    numbers: list[int] = []
    firsts: list[Pattern] = []
    same = groupby(table.patterns, key=lambda pattern: (pattern.shape, pattern.score, pattern.decisive))
    for run, (key, patterns) in enumerate(same):
        # The first of several decisive patterns counts, so only neighbours among them may share a class.
        number = classes.setdefault((*key, run if key[2] else None), len(classes) + 1)
        members = list(patterns)
        numbers += [number] * len(members)
        firsts += members[:1] if number > len(firsts) else []
    return numbers, firsts


def _first_patterns(table: Table) -> Int:
    """For each left and right side the first pattern in the window plus 1, or 0; black's stone is played between."""
    words = table_words(table)
    automaton = table_automaton(table)
    none = len(table.patterns)
    found = np.array(
        [min((owner for word in output for owner in words.owners[word]), default=none) for output in automaton.outputs]
    )
    transitions = automaton.transitions
    lefts, seen = _left_sides(transitions, found, table.reach, none)
    states, which = np.unique(lefts, return_inverse=True)
    first = np.minimum(seen[:, None], _right_sides(transitions, found, table.reach, states, none)[which.reshape(-1)])
    return np.where(first == none, 0, first + 1)


def first_patterns(table: Table) -> npt.NDArray[np.uint16]:
    """``[left, right, colour]``: the first pattern, plus 1, between two sides if the colour plays there."""
    black = _first_patterns(table)
    exchanged = _exchanged_sides(table.reach)
    return np.ascontiguousarray(np.stack([black, black[np.ix_(exchanged, exchanged)]], axis=2), dtype=np.uint16)


def _left_sides(transitions: Any, found: Any, reach: int, none: int) -> tuple[Any, Any]:
    """The state and the first pattern after each left side and the stone behind it."""
    states, seen = [], []
    for cells in range(reach + 1):
        state = np.array([transitions[0, _WALL] if cells < reach else 0])
        first = np.full(1, none)
        for _ in range(cells):
            state = transitions[state, :_WALL].reshape(-1)
            first = np.minimum(np.repeat(first, _WALL), found[state])
        state = transitions[state, _PLAYED]
        states.append(state)
        seen.append(np.minimum(first, found[state]))
    return np.concatenate(states), np.concatenate(seen)


def _right_sides(transitions: Any, found: Any, reach: int, starts: Any, none: int) -> Any:
    """The first pattern that each right side completes, by state before it."""
    state, first = starts[:, None], np.full((len(starts), 1), none)
    columns = []
    for cells in range(reach + 1):
        edge = found[transitions[state, _WALL]] if cells < reach else none
        columns.append(np.minimum(first, edge))
        after = [transitions[state, code] for code in range(_WALL)]
        first = np.concatenate([np.minimum(first, found[each]) for each in after], axis=1)
        state = np.concatenate(after, axis=1)
    return np.concatenate(columns, axis=1)


def _exchanged_sides(reach: int) -> Int:
    """The number of each side with black and white stones exchanged."""
    sides, digits = [np.zeros(1, dtype=np.int64)], np.zeros(1, dtype=np.int64)
    for cells in range(reach):
        digits = np.concatenate([digits, digits + 2 * 3**cells, digits + 3**cells])
        sides.append(digits + (3 ** (cells + 1) - 1) // 2)
    return np.concatenate(sides)


def _parts(arrays: PointArrays) -> npt.NDArray[np.int32]:
    codes = np.arange(1 << 16)
    lines = [np.where((one := codes >> shift & 15) < len(arrays.scores), one, 0) for shift in (0, 4, 8, 12)]
    have = [
        sum(((arrays.shapes[line] == shape) & (line > 0)).astype(np.int8) for line in lines)
        for shape in range(arrays.shape_count)
    ]
    first = _first_combinations(arrays.needs, have)
    return np.stack([_part(arrays, lines, first, side) for side in (0, 1)])


def _first_combinations(needs: npt.NDArray[np.uint8], have: list[Any]) -> Int:
    """For each code the number of the first combination that applies, or the number of combinations."""
    first = np.full(1 << 16, len(needs))
    for number in reversed(range(len(needs))):
        met = [have[shape] >= needs[number, shape] for shape in needs[number].nonzero()[0]]
        first[np.logical_and.reduce(met)] = number
    return first


def _part(arrays: PointArrays, lines: list[Any], first: Int, side: int) -> npt.NDArray[np.int32]:
    scores = arrays.scores[:, side]
    combined = np.append(arrays.combination_scores[:, side], 0)[first]
    best = np.maximum.reduce([np.maximum(combined, 0), *(scores[line] for line in lines)])
    ends = np.minimum.reduce([np.where(arrays.decisive[line] == 1, line, 16) for line in lines])
    return np.where(ends < 16, 2 * np.append(scores, 0)[np.minimum(ends, len(scores))] + 1, 2 * best).astype(np.int32)


# ---------------------------------------------------------------------- compiled once


Arrays = LineArrays | PointArrays | CellArrays


@lru_cache(maxsize=16)
def compile_table(table: Table) -> Arrays:
    """The arrays of a table: from this process, from the cache folder, or made now and kept in both."""
    path = cache_folder() / f"{table.digest}.npz"
    found = _read(path, table)
    if found is None:
        found = compile_afresh(table)
        _write(path, found, table)
    return found


def compile_afresh(table: Table) -> Arrays:
    """The arrays of a table, made now and kept nowhere."""
    if table.scan == "cell":
        return _compile_cells(table)
    return _compile_lines(table) if table.scan == "line" else _compile_points(table)


def cache_folder() -> Path:
    """Where compiled tables are kept: ``$XDG_CACHE_HOME/gomoku-patterns`` or ``~/.cache/gomoku-patterns``.

    ``platformdirs`` would say the same on Linux, but takes as long to import as a table takes to compile.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111 -- works without a home
    return Path(base) / "gomoku-patterns"


def _flat(compiled: Arrays) -> dict[str, Any]:
    """Everything in a compiled table by a flat name."""
    if not isinstance(compiled, LineArrays):
        return {field.name: np.asarray(getattr(compiled, field.name)) for field in fields(compiled)}
    parts = {f"pass{number}": one._asdict() for number, one in enumerate(compiled.passes)}
    parts |= {"walk": compiled.walk._asdict()} if compiled.walk else {}
    flat = {f"{name}.{key}": np.asarray(value) for name, part in parts.items() for key, value in part.items()}
    return {"shortest": np.asarray(compiled.shortest), **flat}


def _folded(flat: dict[str, Any], table: Table) -> Arrays:
    """The compiled table that :func:`_flat` took apart."""
    values: dict[str, Any] = {key: array if array.ndim else int(array) for key, array in flat.items()}
    if table.scan != "line":
        return PointArrays(**values) if table.scan == "point" else CellArrays(**values)
    parts: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        name, _, field = key.rpartition(".")
        parts.setdefault(name, {})[field] = value
    passes = tuple(Pass(**parts[f"pass{number}"]) for number in range(sum(name.startswith("pass") for name in parts)))
    return LineArrays(parts[""]["shortest"], passes, Walk(**parts["walk"]) if "walk" in parts else None)


def _seal(flat: dict[str, Any], table: Table) -> str:
    """A hash of the format, the table and every array: a file without the right one is not ours, or damaged."""
    seal = hashlib.blake2b(f"{FORMAT} {table.digest}".encode())
    for key, array in sorted(flat.items()):
        seal.update(f"{key} {array.dtype.str} {array.shape}".encode())
        seal.update(np.ascontiguousarray(array).data)
    return seal.hexdigest()


def _read(path: Path, table: Table) -> Arrays | None:
    try:
        if not path.is_file():  # a pipe would keep us waiting for ever
            return None
        with np.load(io.BytesIO(read_file(path, MAX_KEPT)), allow_pickle=False) as file:
            flat = {key: file[key] for key in file.files}
        return _folded(flat, table) if str(flat.pop("seal")) == _seal(flat, table) else None
    except Exception:  # whatever is wrong with the file, the table is compiled instead
        return None


def _write(path: Path, compiled: Arrays, table: Table) -> None:
    """Keep a compiled table; a folder that cannot be written to is left alone."""
    flat, data = _flat(compiled), io.BytesIO()
    np.savez(data, seal=np.asarray(_seal(flat, table)), **flat)
    with suppress(OSError, GomokuError):
        if path.exists() and not path.is_file():
            return
        write_file(path, data.getvalue(), folders=True)
        _prune(path.parent)


def _prune(folder: Path) -> None:
    """Let go of the oldest files when there are too many."""
    for path in sorted(folder.glob("*.npz"), key=lambda path: path.stat().st_mtime)[:-KEPT_FILES]:
        path.unlink(missing_ok=True)
