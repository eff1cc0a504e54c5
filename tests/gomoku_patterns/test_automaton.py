"""Our automaton, pyahocorasick and a naive scan find the same words in the same places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns.automaton import ALPHABET, Automaton, scanner, table_automaton, table_words
from gomoku_patterns.errors import TableError
from gomoku_patterns.table import load_table, table_names
from gomoku_patterns.testing import lines

words = st.lists(st.text(ALPHABET, min_size=1, max_size=7), min_size=1, max_size=12, unique=True)
few_symbols = st.lists(st.text("o.", min_size=1, max_size=6), min_size=1, max_size=20, unique=True)
haystacks = st.text(ALPHABET, max_size=40) | st.text("o.", max_size=40) | lines()


def naive(words: list[str], text: str) -> list[tuple[int, int]]:
    """Every word at every place, longest first where several end."""
    return [
        (end - 1, number)
        for end in range(1, len(text) + 1)
        for number in sorted(range(len(words)), key=lambda number: -len(words[number]))
        if text[:end].endswith(words[number])
    ]


def dense(automaton: Automaton, text: str) -> list[tuple[int, int]]:
    """A walk over the transition array, as the native core does it."""
    transitions, state, found = automaton.transitions, 0, []
    for at, symbol in enumerate(text):
        state = int(transitions[state, ALPHABET.index(symbol)])
        found += [(at, word) for word in automaton.outputs[state]]
    return found


@given(words | few_symbols, haystacks)
def test_all_scans_agree(words: list[str], text: str) -> None:
    automaton = Automaton(words)
    expected = naive(words, text)
    assert list(automaton.scan(text)) == expected
    assert dense(automaton, text) == expected
    assert list(scanner(words).iter(text)) == expected


@pytest.mark.parametrize("name", table_names())
@given(text=st.text(".ox", min_size=5, max_size=22).map("|{}|".format))
def test_the_automaton_of_a_table_finds_what_the_reference_finds(name: str, text: str) -> None:
    table = load_table(name)
    assert list(table_automaton(table).scan(text)) == list(scanner(table_words(table).words).iter(text))


def test_words_know_their_patterns() -> None:
    found = table_words(load_table("money"))
    assert found.words[:3] == ("xOoooo", ".Ooooo", "|Ooooo")
    assert found.owners[:3] == ((0,), (0,), (0,))
    assert len(found.words) == len(found.owners) == len(set(found.words))


def test_states_are_shared_prefixes() -> None:
    automaton = Automaton(["oo", "oo.", "ox"])
    assert len(automaton) == 5
    assert automaton.outputs == [(), (), (0,), (1,), (2,)]


@pytest.mark.parametrize(
    ("words", "message"),
    [(["oq"], "expected a word over '.ox|O', found 'oq'"), ([""], "found ''"), (["o", "o"], "a word is there twice")],
)
def test_words_must_be_different_and_of_known_symbols(words: list[str], message: str) -> None:
    with pytest.raises(TableError, match=message.replace("|", r"\|")):
        Automaton(words)
