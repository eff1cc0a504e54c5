"""Documents state facts that the program can check: numbers, names of files, variables of the environment."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gomoku import answers
from gomoku.conformance import CHECKS
from gomoku.opponents import OPPONENTS
from gomoku_patterns import load_table
from gomoku_patterns.cell_tables import combination_count
from gomoku_patterns.codes import code_rows
from gomoku_patterns.notation.formats import FORMATS
from puzzles import Suite, load
from search import player_names

ROOT = Path(__file__).parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "lab"),
]
"""Records of the laboratory are dated and keep the numbers of their day."""

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty"
)
NUMBERS = {word: value for value, word in enumerate(WORDS.split())} | {"thirty-one": 31}


def number(text: str) -> int | None:
    digits = text.replace(",", "")
    return int(digits) if digits.isdecimal() else NUMBERS.get(text.lower())


def stated(pattern: str) -> list[tuple[str, int]]:
    """Every number that documents state where the pattern has its group: (document, number)."""
    texts = {path: " ".join(path.read_text(encoding="utf-8").split()) for path in DOCUMENTS}
    every = [(path, number(found)) for path, text in texts.items() for found in re.findall(pattern, text)]
    return [(path.relative_to(ROOT).as_posix(), value) for path, value in every if value is not None]


def levels(name: str) -> Suite:
    return load(name)


def shapes() -> int:
    return len({pattern.shape for pattern in load_table("cell").patterns})


def renju_puzzles() -> int:
    return sum(level.board.rule.value == "renju" for level in levels("endgames"))


COUNTS: list[tuple[str, Callable[[], int], int]] = [
    (r"([\w-]+) notations\b", lambda: len(FORMATS), 2),
    (r"\b(2,\d{3}) (?:more )?\[?puzzles\b", lambda: len(list(levels("endgames"))), 2),
    (r"([\d,]+) of them (?:are )?renju\b", renju_puzzles, 1),
    (r"([\w-]+) (?:\w+ )?levels of 欢乐五子棋", lambda: len(list(levels("huanle"))), 2),
    (r"([\w-]+) short dialogues", lambda: len(CHECKS), 1),
    (r"([\w-]+) (?:opponents|characters of)\b", lambda: len(OPPONENTS), 2),
    (r"has ([\w-]+) shapes\b", shapes, 1),
    (r"has ([\w-]+) classes\b", lambda: shapes() + 1, 1),
    (r"([\d,]+) combinations\b", lambda: combination_count(shapes() + 1), 1),
    (r"for each of ([\d,]+) windows", lambda: int(code_rows().max()) + 1, 1),
    (r"there are ([\d,]+) windows", lambda: code_rows().size, 1),
    (r"([\w-]+) built-in tables\b", lambda: len(answers.tables()["tables"]), 1),
    (r"([\w-]+) built-in players\b", lambda: len(player_names()), 1),
]


@pytest.mark.parametrize(("pattern", "count", "least"), COUNTS, ids=[pattern for pattern, _, _ in COUNTS])
def test_documents_state_the_number_that_the_program_counts(pattern: str, count: Callable[[], int], least: int) -> None:
    found = stated(pattern)
    assert len(found) >= least
    assert [(document, value) for document, value in found if value != count()] == []


def test_the_pages_of_players_and_notations_have_a_row_for_each() -> None:
    for page, names in (("players", player_names()), ("notations", tuple(FORMATS))):
        text = (ROOT / "docs" / "reference" / f"{page}.md").read_text(encoding="utf-8")
        rows = re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)
        assert sorted(rows) == sorted(names), page


def test_bytes_per_attack_are_those_of_the_file() -> None:
    """The record gives the size of a proof, its attacks, and their quotient."""
    page = " ".join((ROOT / "docs" / "lab" / "2026-11-19-book.md").read_text(encoding="utf-8").split())
    stated = re.search(r"([\d.]+) in the proof of[^(]*\(([\d,]+) bytes, ([\d,]+) attacks", page)
    assert stated is not None
    size, attacks = (int(figure.replace(",", "")) for figure in stated.groups()[1:])
    assert float(stated[1]) == round(size / attacks, 1)


PATH = re.compile(r"`((?:arena|benchmarks|gomoku|gomoku_patterns|puzzles|search|tests|docs)/[\w./-]+\w)`")


def test_files_that_documents_name_exist() -> None:
    pages = [*DOCUMENTS, ROOT / "CONTRIBUTING.md", *(ROOT / "docs" / "lab").glob("*.md")]
    named = {(page.name, path) for page in pages for path in PATH.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 50
    assert sorted((page, path) for page, path in named if "NAME" not in path and not (ROOT / path).exists()) == []


VARIABLE = re.compile(r"(?<![A-Z_])GOMOKU_[A-Z_]+[A-Z]")


def test_the_page_of_variables_lists_all_that_are_read() -> None:
    folders = ("arena", "benchmarks", "gomoku", "gomoku_patterns", "puzzles", "search", "tests")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    sources += [path for path in (ROOT / ".ci").iterdir() if path.is_file()]
    read = {name for path in sources for name in VARIABLE.findall(path.read_text(encoding="utf-8"))} - {"GOMOKU_LEFT"}
    page = (ROOT / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(GOMOKU_\w+)`", page, re.MULTILINE)) == read
