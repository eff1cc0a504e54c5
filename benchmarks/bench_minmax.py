"""The source's search on the native core, against the reference in Python with pyahocorasick: the same tree, same run.

    python -m benchmarks minmax
    pytest benchmarks -k minmax

Both must give the published move, value and node count before they are timed; the whole Python call counts, legal moves
and all. What would flatter the ratio: a slow reference. Ours is written to be read, so a second peer stands beside it:
``Quick``, the same tree with gains from pyahocorasick scans of the four lines through a move and of nothing else, and
with every line remembered that was scanned before. What does flatter ours: from the second search on the lines of the
position are remembered by the table; the figure for a first search in a new evaluator is printed too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from operator import itemgetter
from typing import Any

import ahocorasick

from benchmarks.bench_scoring import both_colours
from benchmarks.figures import Figure, amount, fastest
from gomoku_patterns import Board, Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase
from gomoku_patterns.lines import lines, lines_through
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.table import load_table
from search import Limit, SearchResult, minmax

LEVEL_16 = Board(
    black=[(4, 7), (6, 5), (6, 8), (6, 11), (7, 7), (7, 10)],
    white=[(4, 6), (4, 9), (5, 6), (6, 4), (6, 10), (7, 8)],
    turn="black",
)
GOLDEN = (Cell(6, 7), 3720, 3941)


class Quick(EvaluatorBase):
    """``grade_dict`` with all that Python and pyahocorasick can do for it: lines as texts, each scanned only once."""

    name = "quick"
    decided = 35000

    def __init__(self) -> None:
        words = both_colours()
        self.worths = list(words.values())
        self.automaton: Any = ahocorasick.Automaton(ahocorasick.STORE_INTS)
        for number, word in enumerate(words):
            self.automaton.add_word(word, number)
        self.automaton.make_automaton()
        self.getters = [itemgetter(*line) if len(line) > 1 else None for line in lines(15, 15)]
        self.through = lines_through(15, 15)
        self.line = cache(self.scan)

    def scan(self, cells: bytes) -> int:
        text = cells.translate(bytes.maketrans(b"\0\1\2", b".ox")).decode()
        return sum(self.worths[number] for number in {number for _, number in self.automaton.iter(text)})

    def score(self, board: Board) -> int:
        cells = board.flat
        return sum(self.line(bytes(getter(cells))) for getter in self.getters if getter)

    def gain(self, board: Board, cell: Any, colour: Colour | str | None = None) -> int:
        place, cells = board.index(cell), bytearray(board.flat)
        getters = [getter for line in self.through[place] if (getter := self.getters[line])]
        before = sum(self.line(bytes(getter(cells))) for getter in getters)
        cells[place] = board.turn if colour is None else int(colour)
        return sum(self.line(bytes(getter(cells))) for getter in getters) - before


def search(evaluator: Any, native: bool = True) -> SearchResult:
    result = minmax(LEVEL_16, evaluator, Limit(depth=5), width=11, native=native)
    assert (result.move, result.score, result.nodes) == GOLDEN
    return result


def figures() -> Iterator[Figure]:
    evaluator = NativeEvaluator(load_table("grade_dict"))
    reference, quick = search("grade_dict", native=False), search(Quick())
    ours = search(evaluator)
    assert ours.stats == reference.stats == quick.stats
    assert ours.pv == reference.pv == quick.pv
    again = fastest(lambda: search(evaluator), seconds=1)
    cold = min(first_search() for _ in range(amount(20, 2)))
    what = "level 16, depth 5, width 11"
    yield Figure(what, again, "the reference with pyahocorasick", reference.elapsed, 500)
    yield Figure(what, again, "the quickest search on pyahocorasick", quick.elapsed, 500)
    yield Figure(
        f"{what}, first search of an evaluator", cold, "the reference with pyahocorasick", reference.elapsed, 500
    )


def first_search() -> float:
    """The time of a search by an evaluator that has seen no line yet; making the evaluator does not count."""
    evaluator = NativeEvaluator(load_table("grade_dict"))
    return fastest(lambda: search(evaluator), seconds=0)
