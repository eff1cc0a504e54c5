"""Tags: each is shown by an example and denied to one that comes near, both in the suite ``tags``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from puzzles import Level, load
from puzzles.soundness import Budget, Examiner, Study
from puzzles.tagging import PREDICATES, Shown, tags_of
from puzzles.tags import TAGS

SUITE = load("tags")
ROOT = Path(__file__).parents[2]


def studied(level: Level) -> tuple[Study, Examiner]:
    board = level.board
    examiner = Examiner(board.rows, board.cols, board.rule, Budget(glance=50_000, nodes=50_000))
    study = examiner.study(board)
    assert isinstance(study, Study)
    return study, examiner


@pytest.mark.parametrize("number, tag", list(enumerate(TAGS)))
def test_an_example_has_the_tag_and_one_that_comes_near_has_not(number: int, tag: str) -> None:
    shows, near = SUITE.level(2 * number + 1), SUITE.level(2 * number + 2)
    assert PREDICATES[tag](Shown(*studied(shows)))
    assert not PREDICATES[tag](Shown(*studied(near)))


@pytest.mark.parametrize("level", list(SUITE), ids=lambda level: level.title)
def test_the_examples_have_the_tags_and_the_solution_that_they_say(level: Level) -> None:
    study, examiner = studied(level)
    assert (tags_of(study, examiner), study.length, (study.key,)) == (level.tags, level.length, level.wins)
    assert study.line == level.line


def test_every_tag_has_a_predicate_and_names_in_two_languages() -> None:
    assert list(PREDICATES) == list(TAGS)
    for name, tag in TAGS.items():
        assert (tag.name, tag.meaning[-1]) == (name, ".")
        assert tag.english.isascii()
        assert not tag.chinese.isascii()


def test_the_page_of_the_tags_is_made_from_the_suite() -> None:
    made = subprocess.run(
        [sys.executable, ROOT / "docs" / "tags.py"], capture_output=True, encoding="utf-8", check=True
    )
    assert (ROOT / "docs" / "reference" / "puzzle-tags.md").read_text(encoding="utf-8") == made.stdout
