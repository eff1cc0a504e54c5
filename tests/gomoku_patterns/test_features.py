"""Features: native counts are the reference's, and the score of a line table is a sum over them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Colour, GomokuError, as_evaluator, parse_table, table_names
from gomoku_patterns.errors import BoardError
from gomoku_patterns.table import load_table
from gomoku_patterns.testing import boards, tables
from tests.gomoku_patterns.test_codes import random_code
from tests.long import examples

LINE_TABLES = [name for name in table_names() if load_table(name).scan == "line"]


def same_as_reference(table, board):
    native, reference = as_evaluator(table), as_evaluator(table, native=False)
    found, wanted = native.features([board]), reference.features([board])
    assert found.names == wanted.names
    assert found.matrix.tolist() == wanted.matrix.tolist()
    assert (native.classes([board]) == reference.classes([board])).all()


@pytest.mark.parametrize("name", table_names())
@given(board=boards(max_side=12))
@settings(max_examples=10, deadline=None)
def test_native_features_are_the_reference_s(name, board):
    same_as_reference(name, board)


@given(tables(), boards(max_side=9))
@settings(max_examples=examples(80), deadline=None)
def test_native_features_of_random_tables_are_the_reference_s(table, board):
    same_as_reference(table, board)


@pytest.mark.parametrize("count", ["once", "every"])
@pytest.mark.parametrize("text", ["|o|", "|o", "o|", "~o~", "|x~o.|", "o", "ooooo|", "|...o"])
@given(board=boards(max_side=7))
@settings(max_examples=5, deadline=None)
def test_edges_and_short_lines(text, count, board):
    same_as_reference(own_table(text, "xo", count=count), board)


@pytest.mark.parametrize("count", ["once", "every"])
@given(board=boards(max_side=10))
@settings(max_examples=5, deadline=None)
def test_more_patterns_than_a_mask_has_bits(count, board):
    same_as_reference(
        own_table(*(f"{a}o{b}{c}{d}" for a in ".ox" for b in ".ox" for c in ".ox" for d in ".ox"), count=count), board
    )


def own_table(*texts, count):
    entries = [f'[[pattern]]\nshape = "odd"\ntext = "{text}"\nscore = [{at}, 7]\n' for at, text in enumerate(texts)]
    return parse_table(f'name = "own"\nscan = "line"\ncount = "{count}"\n{"".join(entries)}')


# ---------------------------------------------------------------------- laws


@pytest.mark.parametrize("view", ["colour", "mover"])
@given(table=st.sampled_from(LINE_TABLES).map(load_table) | tables(scan="line"), board=boards(max_side=12))
@settings(max_examples=examples(60), deadline=None)
def test_the_score_of_a_line_table_is_its_features_times_their_weights(view, table, board):
    """Whatever the worth depends on: ``wins`` scores by whose turn it is."""
    evaluator = as_evaluator(table)
    both = [board, turned(board)]
    found = evaluator.features(both, view=view)
    assert found.weights is not None
    scores = [int(row @ found.weights[one.turn - 1]) for row, one in zip(found.matrix, both, strict=True)]
    assert scores == [evaluator.score(one) for one in both]


@given(tables(), boards(max_side=10))
@settings(max_examples=examples(30), deadline=None)
def test_exchanging_colours_exchanges_columns(table, board):
    evaluator = as_evaluator(table)
    found, swapped = evaluator.features([board]).matrix[0], evaluator.features([board.swap_colours()]).matrix[0]
    assert found[:-1].reshape(-1, 2)[:, ::-1].tolist() == swapped[:-1].reshape(-1, 2).tolist()
    assert found[-1] != swapped[-1]


@given(tables(), boards(max_side=10))
@settings(max_examples=examples(30), deadline=None)
def test_the_mover_s_view_is_the_same_from_both_sides(table, board):
    evaluator = as_evaluator(table)
    found = evaluator.features([board, board.swap_colours()], view="mover").matrix
    assert found[0, :-1].tolist() == found[1, :-1].tolist()


@given(tables(scan="point"), boards(max_side=9))
@settings(max_examples=examples(30), deadline=None)
def test_counts_of_a_point_table_are_those_of_its_classes(table, board):
    evaluator = as_evaluator(table)
    counts, found = evaluator.features([board]).matrix[0, :-1], evaluator.classes([board])[0]
    for colour in Colour:
        many = np.bincount(found[colour - 1].reshape(-1), minlength=len(table.patterns) + 1)
        assert counts[colour - 1 :: 2].tolist() == many[1:].tolist()


@given(tables(scan="line"), boards(max_side=9))
@settings(max_examples=examples(30), deadline=None)
def test_a_class_in_a_line_table_is_a_pattern_that_is_there(table, board):
    evaluator = as_evaluator(table)
    counts, found = evaluator.features([board]).matrix[0, :-1], evaluator.classes([board])[0]
    for colour in Colour:
        there = {number + 1 for number, count in enumerate(counts[colour - 1 :: 2]) if count}
        assert set(found[colour - 1].reshape(-1).tolist()) - {0} <= there


# ---------------------------------------------------------------------- what users give


def turned(board):
    other = board.copy(moves=False)
    other.turn = board.turn.opponent
    return other


def test_a_live_three_by_hand():
    """Column h on an empty board: .ooo.. and ..ooo. and, within them, no two alone."""
    found = as_evaluator("grade_dict").features([Board(black=["h8", "h9", "h10"], turn="black")])
    counted = {name: int(count) for name, count in zip(found.names, found.matrix[0], strict=True) if count}
    live = {"black live_three .ooo..": 1, "black live_three ..ooo.": 1}
    assert {name: count for name, count in counted.items() if "three" in name} == live
    assert counted["black to move"] == 1


def test_the_class_of_a_cell_is_what_a_stone_there_would_make():
    table = load_table("level")
    board = Board(black=["h8", "h9", "h10"], white=["a1"], turn="black")
    found = as_evaluator(table).classes([board])[0]
    cell = board.cell("h11")
    assert table.patterns[found[BLACK - 1, cell.row, cell.col, 1] - 1].shape == "live_four"
    assert found[WHITE - 1, cell.row, cell.col].tolist() == [0, 0, 0, 0] or found[WHITE - 1, cell.row, cell.col, 1]
    assert not found[:, board.cell("h9").row, board.cell("h9").col].any()


def test_boards_and_arrays_say_the_same():
    evaluator = as_evaluator("wins")
    some = [Board(black=["h8", "i8"], white=["h9"], turn="white"), Board(black=["a1"], white=["b1"], turn="black")]
    stack = np.stack([board.to_array() for board in some])
    wanted = evaluator.features(some)
    assert (evaluator.features(stack, [WHITE, BLACK]).matrix == wanted.matrix).all()
    assert (evaluator.features(np.where(stack == 2, -1, stack).astype(np.int64), ["white", "black"]).matrix ==
            wanted.matrix).all()  # fmt: skip
    assert wanted.matrix[:, -1].tolist() == [0, 1]
    assert len(wanted) == 2


def test_no_boards_have_no_rows():
    found = as_evaluator("level").features(np.zeros((0, 15, 15), dtype=np.int8))
    assert found.matrix.shape == (0, len(found.names))
    assert found.weights is None


@pytest.mark.parametrize("native", [True, False])
def test_sparse_and_dense_hold_the_same(native):
    pytest.importorskip("scipy")
    rng = np.random.default_rng(1)
    stack = rng.integers(0, 3, (5, 9, 9))
    evaluator = as_evaluator("grade_dict", native=native)
    sparse = evaluator.features(stack, sparse=True).matrix
    assert sparse.format == "csr"
    assert (sparse.toarray() == evaluator.features(stack).matrix).all()


def test_sparse_portions_are_joined(monkeypatch):
    pytest.importorskip("scipy")
    monkeypatch.setattr("gomoku_patterns.features.PORTION", 2)
    stack = np.random.default_rng(2).integers(0, 3, (5, 9, 9))
    evaluator = as_evaluator("grade_dict")
    assert (evaluator.features(stack, sparse=True).matrix.toarray() == evaluator.features(stack).matrix).all()


@pytest.mark.parametrize(
    ("given_boards", "message"),
    [
        ([Board(9), Board(15)], "one size"),
        (np.full((2, 9, 9), 7), "expected 0, 1, 2 or -1"),
        (np.zeros((2, 3, 3), dtype=np.int8), "5 to 22"),
        (np.zeros((9, 9), dtype=np.int8), "expected an integer array"),
    ],
)
@pytest.mark.parametrize("native", [True, False])
def test_what_is_no_stack_of_boards_is_refused(given_boards, message, native):
    for ask in ("features", "classes"):
        with pytest.raises(BoardError, match=message):
            getattr(as_evaluator("grade_dict", native=native), ask)(given_boards)


def test_only_tables_have_features():
    with pytest.raises(GomokuError, match="not a pattern table"):
        as_evaluator(lambda board: 0).features([Board()])


def test_an_unknown_view_is_refused():
    with pytest.raises(GomokuError, match="'colour' or 'mover'"):
        as_evaluator("level").features([Board()], view="white")


def test_a_line_code_has_no_patterns_to_count():
    """It is a table, but its windows are no patterns: a row of small numbers for each of 60,738."""
    table = parse_table('name = "learned"\nscan = "code"\nweights = "learned.npz"\n', weights=random_code())
    with pytest.raises(GomokuError, match="line code, which has none"):
        as_evaluator(table).features([Board()])
