"""level and level_tree: the sorted list by hand, the tree against its listing written out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board
from gomoku_patterns.errors import PlayerError
from gomoku_patterns.evaluator import as_evaluator
from search import Limit, level_tree, player
from search.level_search import sorted_list
from tests.long import examples
from tests.search.boards import draw
from tests.search.same_tree import assert_same_tree, small_boards


def test_a_cell_is_worth_what_both_sides_would_get_there():
    board = draw("""
        . . . . . . .
        . . . . . . .
        . . X X X . .
        . . . . . . .
        . . O O O . .
        . . . . . . .
        . . . . . . .
    """)
    values = {board.name(cell): value for cell, value in sorted_list(board)}
    live_four, live_two, ring = 10000, 5, 1
    # Black would have a live four on b5; white a live two, with d3.
    assert values["b5"] == values["f5"] == live_four + ring + live_two + ring
    assert values["b3"] == values["f3"] == values["b5"]
    # Between the rows either side would only have a live two with one stone of the rows above or below it.
    assert values["d4"] < 200


def test_equal_cells_stay_in_row_major_order_and_the_first_is_played():
    board = Board(5)
    assert [board.name(cell) for cell, _ in sorted_list(board)][:4] == ["c3", "b4", "c4", "d4"]
    assert board.name(player("level").search(board).move) == "c3"


@pytest.mark.parametrize("turn", ["black", "white"])
def test_level_answers_with_the_first_legal_cell(turn):
    board = Board(black=["h8", "h9", "h10"], white=["g8", "g9", "i10"], turn=turn)
    result = player("level").search(board)
    (cell, value), *_ = sorted_list(board)
    assert (result.move, result.score) == (cell, value if turn == "black" else -value)
    assert player("level").candidates(board) == dict(sorted_list(board))


def listing(board, depth, node, decided, ply=0):
    """The published loop, with the i-th cell taken and the board restored; black minus white of the mover at ply 0."""
    evaluator = as_evaluator("level")
    points = {colour: evaluator.points(board, colour) for colour in (BLACK, WHITE)}
    values = {cell: points[BLACK][cell.row][cell.col] + points[WHITE][cell.row][cell.col] for cell in board.empties()}
    order = sorted(values, key=lambda cell: -values[cell])
    if not order:
        return 0, None
    if ply == depth or values[order[0]] > decided:
        return values[order[0]], order[0]
    best = None
    for i in range(min(node, len(order))):
        board.push(order[i])
        value = listing(board, depth, node, decided, ply + 1)[0]
        board.pop()
        if best is None or (value > best[0] if ply % 2 == 0 else value < best[0]):
            best = value, order[i]
    return best


@settings(max_examples=examples(40))
@given(
    board=small_boards(rules=["freestyle"]),
    depth=st.integers(1, 3),
    node=st.integers(1, 4),
    decided=st.sampled_from([250, 10000]),
)
def test_the_tree_is_that_of_the_listing(board, depth, node, decided):
    result = level_tree(board, limit=Limit(depth=depth), node=node, decided=decided)
    value, move = listing(board.copy(), depth, node, decided)
    assert (result.score * board.turn.sign, result.move) == (value, move)


@settings(max_examples=examples(40))
@given(
    board=small_boards(),
    limit=st.sampled_from([Limit(depth=2), Limit(depth=3), Limit(nodes=1), Limit(nodes=30)]),
    node=st.sampled_from([1, 3, 5]),
    decided=st.sampled_from([300, 10000]),
)
def test_python_and_native_grow_the_same_tree(board, limit, node, decided):
    assert_same_tree(level_tree, board, limit, node=node, decided=decided)


def test_any_evaluator_sorts_the_list():
    board = Board(black=["h8"], white=["i9"])
    assert_same_tree(level_tree, board, Limit(depth=2), node=3, evaluator="grade_dict")
    first, *_ = sorted_list(board, "grade_dict")
    assert player("level:table=grade_dict").search(board).move == first[0]


def test_a_straight_four_at_hand_ends_the_line_at_the_root():
    board = Board(black=["g8", "h8", "i8"], white=["g9", "h9"], turn="black")
    result = player("level_tree").search(board)
    assert board.name(result.move) in ("f8", "j8")
    assert (result.nodes, result.stopped_by, result.score > 10000) == (1, "complete", True)


def test_options_are_checked():
    for spec in ("level_tree:node=0", "level_tree:depth=off", "level:table=nothing"):
        with pytest.raises(PlayerError):
            player(spec)
