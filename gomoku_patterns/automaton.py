"""Aho-Corasick automata over the symbols of pattern texts.

:class:`Automaton` is built here, breadth first from trie and fail links, into a dense transition array that the native
core is compiled from. :func:`scanner` makes the ``pyahocorasick`` automaton over the same words, which the reference
evaluators scan with. Both report the same matches in the same order.

>>> automaton = Automaton(["oo", ".oo.", "o"])
>>> list(automaton.scan(".oo."))
[(1, 2), (2, 0), (2, 2), (3, 1)]
>>> automaton.transitions.shape
(7, 5)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gomoku_patterns.errors import TableError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gomoku_patterns.table import Table

ALPHABET = ".ox|O"
"""The symbols by code: the first three are a board's cells as black sees them (0 empty, 1 own, 2 opposing), then the
edge, then the stone that is being played, which only point tables have."""


class Automaton:
    """A deterministic automaton over a few words, all overlapping matches reported.

    ``transitions[state, code]`` is the next state, ``outputs[state]`` the numbers of the words that end in a state,
    longest first; state 0 is the start.
    """

    def __init__(self, words: Iterable[str], alphabet: str = ALPHABET) -> None:
        self.words = tuple(words)
        self.alphabet = alphabet
        _check_words(self.words, alphabet)
        rows, ends = _trie(self.words, alphabet)
        self.outputs = _link(rows, ends)
        self._rows = rows

    @property
    def transitions(self) -> npt.NDArray[np.int32]:
        """The dense transitions, one row a state and one column a symbol of the alphabet."""
        import numpy as np

        return np.array(self._rows, dtype=np.int32)

    def __len__(self) -> int:
        """How many states there are."""
        return len(self._rows)

    def scan(self, text: str) -> Iterator[tuple[int, int]]:
        """Every match in a text as (index of its last symbol, word number), as ``pyahocorasick`` reports them."""
        state = 0
        for at, symbol in enumerate(text):
            state = self._rows[state][self.alphabet.index(symbol)]
            for word in self.outputs[state]:
                yield at, word


def _check_words(words: Sequence[str], alphabet: str) -> None:
    for word in words:
        if not word or not set(word) <= set(alphabet):
            raise TableError(f"expected a word over {alphabet!r}, found {word!r}")
    if len(set(words)) < len(words):
        raise TableError("a word is there twice")


def _trie(words: Sequence[str], alphabet: str) -> tuple[list[list[int]], list[int]]:
    """The children of each node by symbol code, -1 where there is none, and the word that ends in it or -1."""
    rows, ends = [[-1] * len(alphabet)], [-1]
    for number, word in enumerate(words):
        node = 0
        for symbol in word:
            code = alphabet.index(symbol)
            if rows[node][code] < 0:
                rows[node][code] = len(rows)
                rows.append([-1] * len(alphabet))
                ends.append(-1)
            node = rows[node][code]
        ends[node] = number
    return rows, ends


def _link(rows: list[list[int]], ends: list[int]) -> list[tuple[int, ...]]:
    """Fill the missing transitions in place by way of the fail links, breadth first, and gather the outputs."""
    outputs: list[tuple[int, ...]] = [(end,) if end >= 0 else () for end in ends]
    fails = [0] * len(rows)
    queue = [0]
    for state in queue:
        fallback = rows[fails[state]]
        for code, child in enumerate(rows[state]):
            if child < 0:
                # The start falls back to itself; any other state's fail link is shallower and already complete.
                rows[state][code] = fallback[code] if state else 0
                continue
            fails[child] = fallback[code] if state else 0
            outputs[child] += outputs[fails[child]]
            queue.append(child)
    return outputs


class TableWords(NamedTuple):
    """The different concrete texts of a table, and for each the numbers of the patterns it is a reading of."""

    words: tuple[str, ...]
    owners: tuple[tuple[int, ...], ...]


def table_words(table: Table) -> TableWords:
    """What an automaton for this table has to find."""
    owners: dict[str, list[int]] = {}
    for number, texts in enumerate(table.texts):
        for text in texts:
            owners.setdefault(text, []).append(number)
    return TableWords(tuple(owners), tuple(map(tuple, owners.values())))


@lru_cache(maxsize=32)
def table_automaton(table: Table) -> Automaton:
    """Our own automaton over the words of a table; its word numbers are those of :func:`table_words`."""
    return Automaton(table_words(table).words)


def scanner(words: Iterable[str]) -> Any:
    """The ``pyahocorasick`` automaton over some words: ``iter`` yields (end, word number)."""
    import ahocorasick

    automaton = ahocorasick.Automaton(ahocorasick.STORE_INTS)
    for number, word in enumerate(words):
        automaton.add_word(word, number)
    automaton.make_automaton()
    return automaton
