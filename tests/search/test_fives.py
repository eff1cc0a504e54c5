"""Fives are known by the rules whatever the evaluator says; where it says so itself, nothing changes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, rules
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.table import table_names
from search import Limit, Win, level, level_tree, minmax, two_ply
from search.evaluator_player import scores_fives, values_fives
from search.fives import KnowsFives
from tests.long import examples
from tests.search.same_tree import assert_same_tree, small_boards


class Blind:
    """Stones are worth nothing."""

    name = "blind"

    def score(self, board: Board) -> int:
        return 0


class Sighted(Blind):
    """Only a five is worth something, and it says so."""

    decided = 10

    def score(self, board: Board) -> int:
        winner = board.winner()
        return 0 if winner is None else 100 * winner.sign


OWN = Board(9, black=["c5", "d5", "e5", "f5"], white=["b5", "c6", "d7", "a1"], turn="black")
THEIRS = Board(9, black=["c5", "d5", "e5", "f5"], white=["b5", "c6", "d7"], turn="white")


@pytest.mark.parametrize("search", [minmax, level, level_tree, two_ply])
def test_an_evaluator_that_scores_no_five_still_makes_and_stops_one(search) -> None:
    for evaluator in (Blind(), "wins"):
        made = search(OWN, evaluator, Limit(depth=2))
        assert OWN.name(made.move) == "g5" and made.win == Win(BLACK, 1)
        assert THEIRS.name(search(THEIRS, evaluator, Limit(depth=2)).move) == "g5"


@pytest.mark.parametrize("native", [True, False])
def test_a_lost_position_is_told_as_lost_and_the_shorter_win_is_taken(native: bool) -> None:
    lost = Board(9, black=["c5", "d5", "e5", "f5"], white=["c6", "d7", "a1"], turn="white")
    result = minmax(lost, "wins", Limit(depth=2), width=None, native=native)
    assert result.win == Win(BLACK, 2) and result.score == result.win.score
    assert set(result.stats["ends_in"].values()) == {2}
    three = Board(9, black=["d5", "e5", "f5"], white=["d6", "a1"], turn="black")
    assert minmax(three, "wins", Limit(depth=3), native=native).win == Win(BLACK, 3)


def test_what_scores_fives_by_itself_is_left_alone() -> None:
    assert [name for name in table_names() if scores_fives(as_evaluator(name))] == ["grade_dict", "outcome"]
    assert [name for name in table_names() if not values_fives(as_evaluator(name))] == ["engine", "wins"]
    assert scores_fives(as_evaluator(Sighted())) and not scores_fives(as_evaluator(Blind()))
    result = minmax(OWN, Sighted(), Limit(depth=1))
    assert (OWN.name(result.move), result.score, result.win) == ("g5", 100, Win(BLACK, 1))


@settings(max_examples=examples(40))
@given(
    board=small_boards(),
    depth=st.integers(1, 3),
    table=st.sampled_from(table_names()),
    fives=st.sampled_from(["table", "rules"]),
)
def test_native_and_python_know_the_same_fives(board: Board, depth: int, table: str, fives: str) -> None:
    def search(*args, **options):
        return minmax(*args, table, fives=fives, **options)

    assert_same_tree(search, board, Limit(depth=depth), width=4)


@pytest.mark.parametrize("native", [True, False])
def test_fives_by_the_rules_are_the_same_for_every_evaluator(native: bool) -> None:
    """Under the standard rule six in a row win nothing, whatever a table that looks for five in a row says of them."""
    six = Board(9, black=["b5", "c5", "d5", "f5", "g5"], white=["b6", "c6", "d6", "h1"], turn="black", rule="standard")
    told = minmax(six, "grade_dict", Limit(depth=1), width=None, native=native)
    assert (six.name(told.move), told.win) == ("e5", None) and told.score > 35000
    assert six.copy().push("e5") is None and not rules.makes_five(six, six.cell("e5"), BLACK)
    known = minmax(six, "grade_dict", Limit(depth=1), width=None, native=native, fives="rules")
    assert known.win is None
    five = Board(9, black=["b5", "c5", "d5", "f5"], white=["b6", "c6", "d6"], turn="black", rule="standard")
    for evaluator in ("grade_dict", "outcome", "level", Blind()):
        found = minmax(five, evaluator, Limit(depth=2), native=native, fives="rules")
        assert (five.name(found.move), found.win) == ("e5", Win(BLACK, 1))


@settings(max_examples=examples(40))
@given(board=small_boards(), data=st.data())
def test_gains_lead_from_score_to_score(board: Board, data: st.DataObject) -> None:
    knowing = KnowsFives(as_evaluator(data.draw(st.sampled_from(["grade_dict", "wins"]))))
    cell = data.draw(st.sampled_from(board.empties()))
    before, gain = knowing.score(board), knowing.gain(board, cell)
    assert knowing.gains(board, board.turn)[cell] == gain
    board.push(cell)
    assert knowing.score(board) == before + gain
    assert (abs(knowing.score(board)) > 2**40) == (rules.winner(board) in (BLACK, WHITE))
