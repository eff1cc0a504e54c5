"""What the audit says of puzzles that are sound, and of others that claim too much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gomoku_patterns import Board
from puzzles import Level, load
from puzzles.audit import VERDICTS, audit
from search import verify
from tests.search.boards import draw, names

LEVEL = load("huanle").level(16)


def test_sound_levels_come_with_their_proof() -> None:
    found = audit(LEVEL)
    assert (found.verdict, found.length, found.exact) == ("sound", 7, True)
    assert found.proof is not None
    assert verify(found.proof, LEVEL.board)


@pytest.mark.parametrize(
    ("level", "verdict", "why"),
    [
        (replace(LEVEL, length=9), "shorter", "won in 7 plies, not 9"),
        (replace(LEVEL, length=5), "wrong", "won in 7 plies, not 5"),
        (replace(LEVEL, wins=(LEVEL.board.cell("a1"),)), "wrong", "h9 wins in 7 plies; a1 does not"),
        (replace(LEVEL, line=(LEVEL.board.cell("a1"),)), "wrong", "its line begins with a1, which does not win"),
        (replace(load("huanle").level(10), wins=()), "cooked", "i8 and h9 win within 7 plies"),
        (load("huanle").level(10), "cooked", "i8 and h9 win within 7 plies, as the suite says itself"),
        (Level(1, Board(black=["h8"], white=["h9"])), "wrong", "disproven: no win by moves that extend a line"),
        (Level(1, Board(black=["a1", "b1", "c1", "d1", "e1"], white=["h8"])), "wrong", "the game is over"),
        (replace(LEVEL, tags=("edge",)), "sound", "h9 alone wins within 7 plies"),
    ],
)
def test_every_claim_is_judged(level: Level, verdict: str, why: str) -> None:
    found = audit(level)
    assert found.verdict == verdict
    assert found.verdict in VERDICTS
    assert found.why.startswith(why)


def test_a_limit_that_comes_first_settles_nothing() -> None:
    assert audit(load("huanle").level(14), nodes=50).verdict == "unsettled"
    assert audit(load("huanle").level(17), nodes=2000).verdict == "unsettled"


def test_tags_that_differ_are_noted() -> None:
    note = audit(replace(LEVEL, tags=("edge",))).notes[0]
    assert note.startswith("its tags are edge; by today's rules they would be win_by_threes")


MIRRORED = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . X . . O . . X . .
    . . O . . . . . O . .
    . . . X . . . X . . .
    . . . O . X . O . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """


def test_mirror_images_of_the_key_are_no_cook() -> None:
    found = audit(Level(1, draw(MIRRORED)))
    assert (found.verdict, found.length) == ("sound", 7)
    assert names(found.level.position, found.keys) == "e6 g6"
