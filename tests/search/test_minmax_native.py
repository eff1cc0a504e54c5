"""The native tree is the reference's tree: node for node, under every option and limit, and it stops when told to."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import Board
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.table import table_names
from gomoku_patterns.testing import positions
from search import Cancel, Limit, minmax
from search._control import Control
from search._minmax import NativeMinMax
from search.fives import KnowsFives
from search.minmax_search import MinMaxOptions, ReferenceMinMax
from tests.long import LONG, examples
from tests.timing import quickest, slowness, timing

WIDE = Board(black=["h8", "j9", "g6"], white=["h9", "j8", "f7"], turn="black")

OPTIONS = st.builds(
    MinMaxOptions,
    width=st.sampled_from([None, 1, 2, 5, 11]),
    ordering=st.sampled_from(["gain", "gain", "gain", "ring", "none"]),
    near=st.sampled_from([None, 1, 2, 4, 30]),
    decided=st.sampled_from([1, 300, 4000, 35000, 10**12]),
)


def both(board, table, options, limit, knowing=False):
    """A reference that asks the native evaluator, so that it gets deep enough, and the native tree."""
    evaluator, legal = as_evaluator(table), board.legal_moves()
    judge = KnowsFives(evaluator) if knowing else evaluator
    return (
        ReferenceMinMax(board, judge, options, legal, Control(limit)),
        NativeMinMax(board, evaluator, options, legal, Control(limit), knowing),
    )


def told(tree):
    return tree.line, tree.best, dict(tree.values), list(tree.values), tree.nodes, tree.stopped_by, tree.grade


def depth_for(options, board):
    """As deep as the reference gets in a moment."""
    free = len(board.empties())
    width = free if options.width is None else min(options.width, free)
    most = 4000 if LONG else 1000
    return next(depth for depth in (5, 4, 3, 2, 1) if depth == 1 or width**depth < most)


@settings(max_examples=examples(150), deadline=None)
@given(
    board=positions(max_side=11, max_moves=20),
    options=OPTIONS,
    table=st.sampled_from(table_names()),
    nodes=st.none() | st.integers(1, 400),
    knowing=st.booleans(),
)
def test_the_same_tree(board, options, table, nodes, knowing):
    depth = depth_for(options, board)
    reference, native = both(board, table, options, Limit(depth=depth, nodes=nodes), knowing)
    for each in (reference, native):
        each.run(depth)
    assert told(reference) == told(native)


@settings(max_examples=examples(20), deadline=None)
@given(board=positions(max_side=22, max_moves=60), options=OPTIONS, table=st.sampled_from(["grade_dict", "wins"]))
def test_the_same_tree_ply_by_ply_on_every_size(board, options, table):
    reference, native = both(board, table, options, Limit(nodes=600))
    for depth in range(1, 4):
        for each in (reference, native):
            each.run(depth)
        assert told(reference) == told(native)


@pytest.mark.parametrize("nodes", range(1, 140))
def test_a_node_limit_is_exact_wherever_it_falls(nodes):
    reference, native = both(WIDE, "grade_dict", MinMaxOptions(width=5, decided=35000), Limit(nodes=nodes))
    for each in (reference, native):
        each.run(4)
    assert told(reference) == told(native)
    assert native.nodes == nodes


@pytest.mark.parametrize("table", ["grade_dict", "wins", "level", "money"])
def test_a_search_of_all_that_is_left_ends_with_the_last_cell(table):
    rows = ["XOXOX", "XOXOX", "OXOXO", "OXOXO", "X...."]
    stones = {mark: [(r, c) for r, row in enumerate(rows) for c, at in enumerate(row) if at == mark] for mark in "XO"}
    board = Board(5, black=stones["X"], white=stones["O"], turn="black")
    reference, native = both(board, table, MinMaxOptions(width=None, decided=10**9), Limit(depth=9))
    for each in (reference, native):
        each.run(len(board.empties()))
    assert told(reference) == told(native)
    assert native.stopped_by is None


@timing
@pytest.mark.parametrize("evaluator", ["grade_dict", "level"])
@pytest.mark.parametrize("width", [11, None])
@pytest.mark.parametrize("seconds", [0.001, 0.03, 0.1])
def test_time_is_kept(evaluator, width, seconds):
    found = []

    def think():
        found.append(minmax(WIDE, evaluator, Limit(seconds=seconds), width=width, decided=10**12))

    bound = seconds + 0.02 * slowness()
    assert quickest(think, bound) < bound
    # Fives are known by the rules where the table does not score them, so that a win may be found before.
    assert {result.stopped_by for result in found} <= {"seconds"} | ({"complete"} if evaluator == "level" else set())
    assert all(result.move for result in found)


def test_another_thread_can_stop_a_search():
    cancel = Cancel()
    threading.Timer(0.05, cancel.set).start()
    started = time.monotonic()
    result = minmax(WIDE, limit=Limit(depth=60), cancel=cancel)
    assert result.stopped_by == "cancelled"
    assert time.monotonic() - started < 5
    assert result.move in WIDE.legal_moves()


def test_a_search_that_is_cancelled_from_the_start_still_answers():
    cancel = Cancel()
    cancel.set()
    result = minmax(WIDE, limit=Limit(depth=5), cancel=cancel)
    assert (result.stopped_by, result.nodes) == ("cancelled", 0)
    assert result.move in WIDE.legal_moves()


def test_two_searches_at_once_do_not_disturb_each_other():
    alone = minmax(WIDE, limit=Limit(depth=5))
    found = []
    threads = [threading.Thread(target=lambda: found.append(minmax(WIDE, limit=Limit(depth=5)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(each.move, each.score, each.nodes, each.pv) for each in found} == {
        (alone.move, alone.score, alone.nodes, alone.pv)
    }


def test_the_deepest_search_the_board_has_room_for():
    board = Board(22)
    result = minmax(board, limit=Limit(depth=10**6, nodes=2000))
    assert (result.nodes, result.stopped_by) == (2000, "nodes")
    assert len(minmax(board, limit=Limit(depth=484, nodes=600), width=1).pv) <= 484
