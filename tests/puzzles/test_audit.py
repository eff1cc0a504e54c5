"""What the audit says of puzzles that are sound, and of others that claim too much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gomoku_patterns import Board, Cell
from puzzles import Level, load
from puzzles.audit import AUDIT_NODES, VERDICTS, _Auditor, audit, repeated_levels
from search import Limit, solve, verify
from tests.search.boards import draw, names

LEVEL = load("huanle").level(16)


def board(black: str, white: str, turn: str = "black", rule: str = "freestyle") -> Board:
    return Board(black=black.split(), white=white.split(), turn=turn, rule=rule)


def cells(names: str) -> tuple[Cell, ...]:
    return tuple(LEVEL.board.cell(name) for name in names.split())


LEVEL_LINE = solve(LEVEL.board, Limit(nodes=100_000), shortest=True).pv
QUIETER = Level(1, board("d10 d8 f8 e6", "f11 h10 d7 g7"), length=11)
"""e8 attacks and wins in eleven plies; the quiet e7 wins in nine."""
COOKED = Level(1, board("g7 d6 f4 e2", "f8 e7 c6 h6"), length=9)
"""e5 attacks; the quiet d4 wins as soon."""
FORBIDDEN = Level(1, board("g8 i8 h7 h9", "a1 c1 e1 g1", rule="renju"), wins=cells("h8"))


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
        (Level(1, board("b8 c8 d8 e8", "b9 c9 d9 h8")), "forced", "black makes five on a8"),
        (Level(1, board("b8 c8 d8", "b9 c9 d9 e9", "white")), "forced", "white makes five on a9"),
        (Level(1, board("b8 c8 d8", "b9 c9 d9 e9")), "forced", "white makes five on a9"),
        (Level(1, board("h8 h9 i8 j8 k9", "h10 i10")), "implausible", "5 black and 2 white stones, black to move"),
        (replace(LEVEL, line=cells("h9 h10 a1")), "wrong", "move 3 of its line, a1, wins no longer"),
        (
            replace(LEVEL, line=(*LEVEL_LINE[:5], *cells("a1 a2"))),
            "wrong",
            "its line of 7 plies does not end with a five",
        ),
        (replace(LEVEL, line=LEVEL_LINE), "sound", "h9 alone wins within 7 plies"),
        (replace(LEVEL, band=10), "sound", "h9 alone wins within 7 plies"),
        (QUIETER, "shorter", "won in 9 plies, not 11"),
        (replace(QUIETER, length=None), "shorter", "won in 9 plies, not 11"),
        (COOKED, "cooked", "e5 and d4 win within 9 plies"),
        (FORBIDDEN, "wrong", "h8 is forbidden to black"),
        (Level(1, Board(black=["a1", "b1", "c1", "d1", "e1"], white=["h8"])), "wrong", "the game is over"),
        (replace(LEVEL, tags=("edge",)), "sound", "h9 alone wins within 7 plies"),
    ],
)
def test_every_claim_is_judged(level: Level, verdict: str, why: str) -> None:
    found = audit(level)
    assert found.verdict == verdict
    assert found.verdict in VERDICTS
    assert found.why.startswith(why)


def test_a_line_may_win_by_quiet_moves() -> None:
    """After j9 an attack answers every reply, though no attack begins with it."""
    level = replace(load("huanle").level(10), line=(LEVEL.board.cell("j9"),))
    assert _Auditor(level, AUDIT_NODES)._slip_of_the_line(level.line) is None
    slip = _Auditor(level, 50)._slip_of_the_line(level.line)
    assert slip == ("unsettled", "move 1 of its line, j9, may win no longer")


def test_a_limit_that_comes_first_settles_nothing() -> None:
    assert audit(load("huanle").level(14), nodes=50).verdict == "unsettled"
    assert audit(load("huanle").level(17), nodes=2000).verdict == "unsettled"


def test_a_band_that_is_far_off_is_noted() -> None:
    assert audit(replace(LEVEL, band=10)).notes[0].startswith("its band is 10; by today's rules it would be ")


def test_the_same_puzzle_turned_shifted_or_with_other_scenery_is_repeated() -> None:
    start = LEVEL.position
    other = Level(2, start.transform(1), recorded={})
    swapped = Level(3, start.swap_colours())
    fewer = Level(4, board("h8 i8", "h9 i9"))
    scenery = Level(5, board("h8 i8 c3", "h9 i9"), recorded={"scenery": "c3"})
    assert repeated_levels([LEVEL, other, swapped, fewer, scenery]) == {2: LEVEL.number, 3: LEVEL.number, 5: 4}


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
