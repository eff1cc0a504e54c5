"""The slow definition of threats says what a player would say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import rules
from gomoku_patterns.cells import BLACK, WHITE
from tests.search import slow_threats
from tests.search.boards import BOTH, draw, marked, names

RULES = ("freestyle", "standard", "renju")


@pytest.mark.parametrize("rule", RULES)
def test_a_row_of_three_makes_fours_with_their_answers(rule: str) -> None:
    board = draw(
        """
        . . . . . . .
        . . . . . . .
        O X X X . . .
        . . . . . . .
        . . . . . . .
        """,
        rule=rule,
    )
    found = slow_threats.fours(board, BLACK)
    assert {names(board, [cell]): names(board, answers) for cell, answers in found.items()} == {"e3": "f3", "f3": "e3"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("row", [". . d X X ! d . .", "O d X X ! d d O .", ". d X d X ! d . ."])
def test_a_live_three_is_stopped_where_no_straight_four_is_left(rule: str, row: str) -> None:
    diagram = "\n".join([". . . . . . . . ."] * 2 + [row] + [". . . . . . . . ."] * 4)
    board = draw(diagram, rule=rule)
    threes = slow_threats.live_threes(board, BLACK)
    assert threes[marked(diagram, "!")[0]] == set(marked(diagram, "d"))


def test_an_overline_is_a_five_for_some_and_nothing_for_others() -> None:
    diagram = """
        . . . . . . .
        X X X ! X X .
        O O O . O O .
        . . . . . . .
        . . . . . . .
        """
    for rule, black, white in (("freestyle", 1, 1), ("standard", 0, 0), ("renju", 0, 1)):
        board = draw(diagram, rule=rule)
        assert len(slow_threats.five_cells(board, BLACK)) == black
        assert len(slow_threats.five_cells(board, WHITE)) == white


def test_under_renju_a_four_that_only_an_overline_completes_is_none() -> None:
    diagram = """
        . . . . . . . .
        O X X X ! . X O
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        """
    cell = marked(diagram, "!")[0]
    assert cell in slow_threats.fours(draw(diagram), BLACK)
    assert cell not in slow_threats.fours(draw(diagram, rule="renju"), BLACK)
    assert cell not in slow_threats.fours(draw(diagram, rule="standard"), BLACK)


def test_a_three_between_two_of_its_own_stones_is_not_live_where_overlines_do_not_count() -> None:
    diagram = """
        . . . . . . . . . . .
        . X . . X X ! . . X .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        """
    cell = marked(diagram, "!")[0]
    assert cell in slow_threats.live_threes(draw(diagram), BLACK)
    assert cell not in slow_threats.live_threes(draw(diagram, rule="standard"), BLACK)


def test_black_cannot_count_on_a_straight_four_at_a_forbidden_point() -> None:
    diagram = """
        . . . . . . . .
        . . . . . X . .
        . . . . . X . .
        O . X X ! . . .
        . . . . . X . .
        . . . . . X . .
        . . . . . X . .
        . . . . . . . .
        """
    cell = marked(diagram, "!")[0]
    assert cell in slow_threats.live_threes(draw(diagram, rule="standard"), BLACK)
    assert cell not in slow_threats.live_threes(draw(diagram, rule="renju"), BLACK)


stones = st.lists(st.sampled_from(".XO"), min_size=49, max_size=49)


@given(stones, st.sampled_from(RULES))
def test_five_cells_are_the_cells_that_win(cells: list[str], rule: str) -> None:
    board = draw("\n".join("".join(cells[row * 7 : row * 7 + 7]) for row in range(7)), rule=rule)
    for colour in BOTH:
        assert slow_threats.five_cells(board, colour) == rules.winning_cells(board, colour)


@given(stones, st.sampled_from(RULES))
def test_a_four_threatens_five_at_its_answers_and_nowhere_else_it_did_not_before(cells: list[str], rule: str) -> None:
    board = draw("\n".join("".join(cells[row * 7 : row * 7 + 7]) for row in range(7)), rule=rule)
    for colour in BOTH:
        before = set(rules.winning_cells(board, colour))
        for cell, answers in slow_threats.fours(board, colour).items():
            with slow_threats.stone(board, cell, colour):
                after = set(rules.winning_cells(board, colour))
            assert answers <= after <= answers | before
