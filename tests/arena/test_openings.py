"""Openings: read from any notation, or made at random, legal, near the centre, even, and no two alike."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.openings import canonical, first_plies, random_openings, read_openings
from gomoku_patterns import Board
from gomoku_patterns.board import SYMMETRIES
from gomoku_patterns.errors import ArenaError, NotationError
from gomoku_patterns.rules import Rule
from search import Limit, player, solve


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("offsets.txt", "0,0, 1,-1, 2,0\n0,0, 0,-1, 1,1\n"),
        ("moves.txt", "h8 i9 j8\nh8h9i7\n"),
        ("lines.jsonl", '{"black": ["h8", "j8"], "white": ["i9"]}\n{"black": ["h8", "i7"], "white": ["h9"]}\n'),
    ],
)
def test_openings_are_read_from_any_notation(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    one, other = read_openings(path, rows=15, rule=Rule.RENJU)
    assert str(one["h8"]) == str(one["j8"]) == "black" and str(one["i9"]) == "white"
    assert other["h9"] is not None and other["i7"] is not None
    assert one.rule is Rule.RENJU and str(one.turn) == "white"


def test_of_whole_games_the_first_moves_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;FF[4]GM[4]SZ[15];B[hh];W[ig];B[ii];W[jh])")
    (opening,) = read_openings(path, rows=15, plies=2)
    assert [opening.name(move.cell) for move in opening.moves] == ["h8", "i9"]
    assert len(first_plies(opening, None)) == 2


def test_bad_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("0,0, 99,0\n")
    with pytest.raises(NotationError, match=r"bad\.txt:1"):
        read_openings(path, rows=15)
    with pytest.raises(NotationError, match="cannot be read"):
        read_openings(tmp_path / "missing.txt", rows=15)
    path.write_text('{"black": ["a1", "b1", "c1", "d1", "e1"]}\n')
    with pytest.raises(ArenaError, match="opening 1 is a game that is over"):
        read_openings(path, rows=15)


@settings(max_examples=20)
@given(rows=st.integers(5, 12), cols=st.integers(5, 12), rule=st.sampled_from(list(Rule)), seed=st.integers(0, 99))
def test_random_openings_are_legal_and_all_different(rows: int, cols: int, rule: Rule, seed: int) -> None:
    made = random_openings(5, Board(rows, cols, rule=rule), seed=seed, plies=4)
    assert made == random_openings(5, Board(rows, cols, rule=rule), seed=seed, plies=4)
    assert len({canonical(board) for board in made}) == 5
    for board in made:
        assert len(board.moves) == 4 and not board.is_over() and board.rule is rule


def test_a_judge_makes_them_even() -> None:
    judge = player("minmax:depth=1")
    plain = random_openings(12, Board(), seed=3, plies=5)
    even = random_openings(12, Board(), seed=3, plies=5, judge=judge)

    def unevenness(boards: list[Board]) -> float:
        return sum(abs(judge.search(board).score) for board in boards) / len(boards)

    assert unevenness(even) < unevenness(plain)
    assert all(solve(board, Limit(nodes=2000)).status.name != "PROVEN" for board in even)


@pytest.mark.parametrize("rule", ["caro", "caro-overline"])
def test_where_nothing_can_be_proven_they_are_made_all_the_same(rule: str) -> None:
    judge = player("engine")
    assert len(random_openings(2, Board(9, rule=rule), judge=judge, limit=Limit(nodes=100))) == 2


def test_there_are_only_so_many() -> None:
    with pytest.raises(ArenaError, match="cannot make 50 different openings of 1 stones: there seem to be 3"):
        random_openings(50, Board(15), plies=1)


def test_canonical_is_the_same_for_all_symmetries() -> None:
    board = Board(6, 9, black=["a1", "b3"], white=["f2"])
    assert {canonical(board.transform(symmetry)) for symmetry in SYMMETRIES} == {canonical(board)}
    assert canonical(board) != canonical(Board(6, 9, black=["a1", "b2"], white=["f2"]))
