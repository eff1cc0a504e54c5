"""wins: the table counted window by window, the tree written out, the deadline and the forbidden points."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Rule, rules
from gomoku_patterns.lines import lines
from search import Limit, player, wins
from search.wins_search import near_cells
from tests.long import examples
from tests.search.boards import draw, names
from tests.search.same_tree import assert_same_tree, small_boards
from tests.timing import quickest, timing

JUST_MOVED = (0, 100, 2330, 6000, 30000, 0)
TO_MOVE = (0, 120, 2800, 8000, 1000000, 0)


def count_ways(board):
    """The worth of every way to make five, black minus white."""
    total = 0
    for line in lines(board.rows, board.cols):
        for start in range(len(line) - 4):
            stones = [board.flat[index] for index in line[start : start + 5]]
            for colour in (BLACK, WHITE):
                if colour.opponent not in stones:
                    worth = TO_MOVE if colour is board.turn else JUST_MOVED
                    total += colour.sign * worth[stones.count(colour)]
    return total


def plain_wins(board, depth, width, ply=0):
    """Every line to the end, without pruning by alpha-beta: the value and the first best move."""
    mover = board.turn
    tried = []
    for cell in near_cells(board):
        winning = rules.makes_five(board, cell, mover)
        renju = board.copy()
        renju.rule = Rule.RENJU
        if winning or mover is WHITE or not rules.is_forbidden(renju, cell):
            board.push(cell)
            tried.append((not winning, -mover.sign * count_ways(board), cell))
            board.pop()
    best = None
    for lost, _, cell in sorted(tried, key=lambda one: one[:2])[:width]:
        board.push(cell)
        if not lost:
            value = mover.sign * 10**8 * 0.95 ** (ply + 1)
        elif ply + 1 == depth:
            value = count_ways(board) * 0.95 ** (ply + 1)
        else:
            value = plain_wins(board, depth, width, ply + 1)[0]
        board.pop()
        if best is None or mover.sign * value > mover.sign * best[0]:
            best = value, cell
    return best or (count_ways(board) * 0.95**ply, None)


@settings(max_examples=examples(30))
@given(board=small_boards(rules=["freestyle", "standard"]), depth=st.integers(1, 3), width=st.integers(1, 4))
def test_the_tree_is_that_of_the_description(board, depth, width):
    value, move = plain_wins(board.copy(), depth, width)
    result = wins(board, limit=Limit(depth=depth), width=width)
    assert move is None or (result.score, result.move) == (round(value), move)


@settings(max_examples=examples(40))
@given(
    board=small_boards(),
    limit=st.sampled_from([Limit(depth=1), Limit(depth=2), Limit(depth=3), Limit(nodes=1), Limit(nodes=30, depth=3)]),
    width=st.sampled_from([1, 3, 10, None]),
    forbidden=st.sampled_from(["always", "rule"]),
    table=st.sampled_from(["wins", "grade_dict"]),
)
def test_python_and_native_grow_the_same_tree(board, limit, width, forbidden, table):
    assert_same_tree(wins, board, limit, evaluator=table, width=width, forbidden=forbidden, deadline=None)


def test_only_cells_one_or_two_steps_along_a_ray_are_tried():
    board = draw("""
        . . . . . . .
        . * . * . * .
        . . * * * . .
        . * * X * * .
        . . * * * . .
        . * . * . * .
        . . . . . . .
    """)
    assert names(board, near_cells(board)) == "b6 d6 f6 c5 d5 e5 b4 c4 e4 f4 c3 d3 e3 b2 d2 f2"
    assert near_cells(Board(15)) == [(7, 7)]


def test_a_win_now_is_worth_more_than_a_win_later():
    board = Board(black=["c8", "d8", "e8", "f8"], white=["c9", "d9", "e9", "b8"], turn="black")
    result = wins(board)
    assert (board.name(result.move), result.score) == ("g8", round(10**8 * 0.95))
    straight = Board(black=["d8", "e8", "f8"], white=["c10", "d10"], turn="black")
    assert wins(straight, limit=Limit(depth=3)).score == round(10**8 * 0.95**3)


def test_black_leaves_forbidden_points_alone_under_any_rule_unless_told_otherwise():
    board = Board(9, black=["c5", "d5", "e6", "e7"], white=["a1", "a9", "i1", "i9"], turn="black")
    assert board.cell("e5") not in wins(board, width=None, limit=Limit(depth=1)).stats["values"]
    free = wins(board, width=None, limit=Limit(depth=1), forbidden="rule")
    assert board.cell("e5") in free.stats["values"]


@timing
@pytest.mark.parametrize("native", [False, True])
def test_past_the_deadline_branches_return_their_static_score(native):
    board = Board(black=["h8", "i9", "g9"], white=["h9", "j10", "g7"], turn="black")
    wins(board, limit=Limit(depth=1))
    found = []

    def think():
        found.append(wins(board, limit=Limit(depth=12), width=None, deadline=0.1, native=native))

    assert quickest(think, 0.4) < 0.4
    result = found[-1]
    assert result.stopped_by == "seconds"
    assert len(result.stats["values"]) == len(wins(board, limit=Limit(depth=1), width=None).stats["values"])
    at_once = wins(board, limit=Limit(depth=12), deadline=1e-9)
    assert at_once.nodes == len(at_once.stats["values"]) == 10
    for cell, value in at_once.stats["values"].items():
        after = board.copy()
        after.push(cell)
        assert value == round(count_ways(after) * 0.95)


def test_the_published_settings_are_the_defaults():
    options = player("wins").options
    assert (options.width, options.depth, options.deadline, options.discount) == (10, 5, 6.0, 0.95)
    board = Board(black=["h8"], white=["i9"])
    assert player("wins").search(board).depth == 5
    assert player("wins").search(board, Limit(depth=2)).depth == 2
    assert player("wins:depth=3").search(board, Limit(depth=4)).depth == 3
