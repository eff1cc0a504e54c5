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
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gomoku_patterns.automaton import Automaton
from gomoku_patterns.cells import BLACK, MAX_SIDE, WHITE, Colour
from gomoku_patterns.errors import TableError
from gomoku_patterns.table import Pattern, Table

if TYPE_CHECKING:
    import numpy.typing as npt

    Int = npt.NDArray[np.int64]

PIECE = 5
"""How many cells one look-up reads: 3 ** 5 fits a byte, and a table of states by 256 stays inside the second cache."""
PIECES = 3**PIECE
STRIDE = 256
END_STRIDE = 384
ENDS = tuple((3**cells - 3) // 2 for cells in range(PIECE + 1))
"""Where the columns for a last piece of 1 to 5 cells begin."""
MASK_PATTERNS = 32
"""How many patterns one pass tells apart: two bits each, one a colour, in a 64-bit mask."""
MAX_STATES = 4000
"""Automata with more states than this are walked cell by cell: their piece tables would leave every cache."""
MAX_VALUES = 65535
MAX_WORTH = 2**27
"""The most one line may be worth: a gain adds and subtracts four lines in 32 bits."""

_WALL = 3
_SWAP = str.maketrans("ox", "xo")


class Pass(NamedTuple):
    """One automaton by pieces. With ``worths`` a value is a mask of patterns seen, without it is a worth.

    ``steps[state, piece]`` is the next state and, 16 bits up, the number of a value; ``ends[state, ENDS[n] + piece]`` the
    number of the value of a last piece of n cells, the edge behind it included. ``worths[i, byte]`` is what the i-th byte
    of a mask is worth. A worth is two in one: black to move in the upper 32 bits plus white to move in the lower.
    """

    start: int
    steps: npt.NDArray[np.uint32]
    ends: npt.NDArray[np.uint16]
    values: Int
    worths: Int


class Walk(NamedTuple):
    """One automaton cell by cell: ``outputs[offsets[s]:offsets[s + 1]]`` are the patterns by colour seen in state s."""

    start: int
    edge: int
    once: int
    transitions: npt.NDArray[np.int32]
    offsets: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    worths: Int


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


def packed_worth(pattern: Pattern, colour: Colour) -> int:
    """The worth of a pattern of one colour, black minus white: black to move above, white to move below."""
    just_moved, to_move = pattern.score
    return (to_move << 32) + just_moved if colour is BLACK else -((just_moved << 32) + to_move)


def _worth_of_owners(patterns: tuple[Pattern, ...]) -> Int:
    return np.array([packed_worth(pattern, colour) for pattern in patterns for colour in (BLACK, WHITE)], dtype=np.int64)


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
        worths = np.maximum(np.abs(_upper(self.worths)), np.abs(_lower(self.worths)))
        emitted, best = self.sums(worths)[self.transitions], np.zeros(len(self.transitions), dtype=np.int64)
        for _ in range(MAX_SIDE + self.edge):
            best = (emitted + best[self.transitions]).max(axis=1)
        return int(best[self.start])


def _upper(packed: Int) -> Int:
    return (packed - _lower(packed)) >> 32


def _lower(packed: Int) -> Int:
    return packed.astype(np.int32).astype(np.int64)


def _compile_lines(table: Table) -> LineArrays:
    shortest = min(len(text) for texts in table.texts for text in texts) - 2 * table.uses_edge
    size = MASK_PATTERNS if table.count == "once" else len(table.patterns)
    parts = [range(at, min(at + size, len(table.patterns))) for at in range(0, len(table.patterns), size)]
    machines = [_Machine(table, part) for part in parts]
    _check_worth(table, sum(machine.most() for machine in machines))
    if sum(len(machine.owners) for machine in machines) <= MAX_STATES:
        passes = tuple(_compile_pass(machine, table.count == "once") for machine in machines)
        if all(len(each.values) <= MAX_VALUES for each in passes):
            return LineArrays(max(shortest, 1), passes)
    return LineArrays(max(shortest, 1), (), _compile_walk(table))


def _check_worth(table: Table, most: int) -> None:
    if table.count == "once":
        most = min(most, 2 * sum(max(map(abs, pattern.score)) for pattern in table.patterns))
    if most > MAX_WORTH:
        raise TableError(f"table {table.name!r}: expected scores that add up to at most {MAX_WORTH} on one line, "
                         f"found up to {most}; divide all scores by the same number")  # fmt: skip


def _compile_pass(machine: _Machine, once: bool) -> Pass:
    emitted = machine.masks() if once else machine.sums(machine.worths)
    nexts, step_values, end_values = _pieces(machine, emitted, np.bitwise_or if once else np.add)
    values, numbers = _numbered(np.concatenate([step_values, end_values], axis=1))
    steps = np.zeros((len(nexts), STRIDE), dtype=np.uint32)
    steps[:, :PIECES] = nexts | numbers[:, :PIECES] << 16
    ends = np.zeros((len(nexts), END_STRIDE), dtype=np.uint16)
    ends[:, : numbers.shape[1] - PIECES] = numbers[:, PIECES:].astype(np.uint16)
    worths = _byte_worths(machine.worths) if once else np.zeros((0, 256), dtype=np.int64)
    return Pass(machine.start, steps, ends, values.view(np.int64), worths)


def _pieces(machine: _Machine, emitted: npt.NDArray[np.generic], merge: np.ufunc) -> tuple[npt.NDArray[np.generic], ...]:
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


def _numbered(values: npt.NDArray[np.generic]) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.uint32]]:
    """The different values, 0 first, and for each place the number of its value. Most places hold 0."""
    numbers = np.zeros(values.shape, dtype=np.uint32)
    places = values.nonzero()
    different, inverse = np.unique(values[places], return_inverse=True)
    numbers[places] = inverse.reshape(-1) + 1
    return np.concatenate([np.zeros(1, dtype=values.dtype), different]), numbers


def _byte_worths(worths: Int) -> Int:
    """What each byte of a mask is worth, by its place: four look-ups for sixteen patterns."""
    bits = np.zeros(-(-len(worths) // 8) * 8, dtype=np.int64)
    bits[: len(worths)] = worths
    chosen = np.arange(256)[:, None] >> np.arange(8) & 1
    return (chosen[None] * bits.reshape(-1, 1, 8)).sum(axis=2)


def _compile_walk(table: Table) -> Walk:
    machine = _Machine(table, range(len(table.patterns)))
    offsets = np.cumsum([0, *map(len, machine.owners)]).astype(np.int32)
    outputs = np.array([owner for owners in machine.owners for owner in owners], dtype=np.int32)
    transitions = np.ascontiguousarray(machine.transitions, dtype=np.int32)
    return Walk(machine.start, int(machine.edge), int(table.count == "once"), transitions, offsets, outputs, machine.worths)


def compile_table(table: Table) -> LineArrays:
    return _compile_lines(table)
