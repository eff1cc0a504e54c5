"""Cell tables: combinations and facts, weights as a file, and the native core against the reference."""

from __future__ import annotations

import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Table, TableError, explain, load_table, parse_table
from gomoku_patterns.cell_reference import CellReference, combined, facts_of
from gomoku_patterns.cell_tables import (
    CROWDED,
    PARTS,
    CellWeights,
    cell_weights,
    combination_count,
    combination_list,
    combination_numbers,
    load_cell_weights,
    meets,
    shape_lists,
    shown_facts,
)
from gomoku_patterns.compile import CellArrays, compile_afresh
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.table import LEARNED, learned_names
from gomoku_patterns.testing import boards, check_evaluator, check_laws, games
from gomoku_patterns.weights_file import packed
from search import Limit, player
from tests import cells
from tests.cells import COMBINED, FACTS, WRITTEN, random_weights
from tests.long import examples
from tests.same_scores import knows_who_is_ahead, same_as_reference, same_in_a_batch

LEARNED_CELLS = [name for name in learned_names() if load_table(name).scan == "cell"]
TABLES = [
    parse_table(WRITTEN),
    parse_table(cells.text(5), weights=random_weights()),
    parse_table(cells.text(3), weights=random_weights(2, 32767)),
]
NATIVE, REFERENCE = NativeEvaluator(TABLES[1]), CellReference(TABLES[1])


# ---------------------------------------------------------------------- combinations


@pytest.mark.parametrize(("classes", "count"), [(1, 1), (2, 5), (14, 2380), (16, 3876)])
def test_combinations_are_as_many_as_four_of_so_many_classes(classes, count):
    assert combination_count(classes) == len(set(combination_list(classes))) == count
    assert combination_list(classes)[0] == (0, 0, 0, 0)


def test_the_order_of_the_four_lines_does_not_matter():
    numbers = combination_numbers(6)
    for classes in combination_list(6):
        codes = {sum(one << 4 * at for at, one in enumerate(order)) for order in permutations(classes)}
        assert {int(numbers[code]) for code in codes} == {combination_list(6).index(classes)}


def test_codes_with_classes_that_are_none_have_no_combination():
    assert combination_numbers(6)[0x0007] == combination_numbers(6)[0xF000] == 0


def test_combinations_show_the_facts_whose_needs_they_meet():
    for shapes, shown in zip(shape_lists(TABLES[0]), shown_facts(TABLES[0]).tolist(), strict=True):
        met = [any(meets(shapes, needs) for needs in fact.needs) for fact in TABLES[0].facts]
        assert shown == sum(one << bit for bit, one in enumerate(met))


# ---------------------------------------------------------------------- worth, on boards a player can read


def test_a_cell_is_worth_its_shapes_or_the_first_combination_they_meet():
    """With i8 black makes a live three in the row and a sleeping three in the column: a combination."""
    board = Board(black=["g8", "h8", "i9", "i10"], white=["i11"], turn="black")
    found = combined(TABLES[0], board, board.cell("i8"), BLACK)
    assert sorted(found.shapes) == ["live_three", "sleeping_three"]
    assert found.worth == PARTS * 111
    board.turn = WHITE
    assert combined(TABLES[0], board, board.cell("i8"), BLACK).worth == -PARTS * 70
    alone = parse_table(WRITTEN.replace(COMBINED, ""))
    assert combined(alone, board, board.cell("i8"), BLACK).worth == -PARTS * (20 + 7)


def test_facts_are_of_a_side_and_count_once():
    board = Board(9, black=["b5", "c5", "d5", "e5"], white=["a9", "a8", "a7", "a6", "a1"], turn="white")
    every = [combined(TABLES[0], board, cell, colour) for cell in board.empties() for colour in (BLACK, WHITE)]
    assert facts_of(TABLES[0], every, BLACK) == {"can_make_five": 2, "threatens": 0}
    assert facts_of(TABLES[0], every, WHITE) == {"can_make_five": 1, "threatens": 0}
    weights = cell_weights(TABLES[0])
    assert [int(weights.facts[0, mask]) // 16 for mask in (0, 1, 2, 4, 5)] == [0, 400, 33, -30, 370]


def weighed(**changed: np.ndarray) -> Table:
    """A table in which nothing is worth anything but what is given."""
    weights = vars(random_weights())
    nothing = {name: np.zeros_like(value) for name, value in weights.items() if isinstance(value, np.ndarray)}
    return parse_table(cells.text(4), weights=CellWeights(**{**weights, **nothing, **changed}))


def test_a_cell_that_is_something_to_both_is_worth_their_meeting():
    """On f5 black makes five (the first shape), white a two (the fourth)."""
    meetings = np.zeros((2, 5, 5), dtype=np.int16)
    meetings[0, 1, 4], meetings[0, 4, 1] = 160, -320
    board = Board(9, black=["b5", "c5", "d5", "e5"], white=["a5", "f6"], turn="black")
    table = weighed(meetings=meetings)
    assert NativeEvaluator(table).score(board) == 10
    board.turn = WHITE
    assert NativeEvaluator(table).score(board) == 20
    assert [item.worth for item in explain(board, table).items] == [20]


def test_facts_are_counted_cell_by_cell():
    counts = np.zeros((2, 2, 8, 8), dtype=np.int32)
    counts[0, 0, 2, 1], counts[0, 0, 1, 2] = 160, -320
    board = Board(9, black=["b5", "c5", "d5", "e5"], white=["a9", "a8", "a7", "a6", "a1"], turn="black")
    assert NativeEvaluator(weighed(counts=counts)).score(board) == 10
    board.turn = WHITE
    assert NativeEvaluator(weighed(counts=counts)).score(board) == 20


def test_worths_grow_with_the_stones_on_the_board():
    """A fact that is worth 10 points on an empty board and 42 on a crowded one, half a point more for each stone."""
    facts = np.zeros((2, 16), dtype=np.int32)
    facts[0, 1::2], facts[1, 1::2] = 160, 512
    table, fives = weighed(facts=facts), ["b5", "c5", "d5", "e5"]
    assert NativeEvaluator(table).score(Board(19, black=fives, turn="black")) == 12
    assert NativeEvaluator(table).score(Board(19, black=[*fives, "s1"], turn="black")) == 12
    assert NativeEvaluator(table).score(Board(19, black=[*fives, "s1", "s3"], turn="black")) == 13
    far = [f"{column}{row}" for row in (10, 12, 14, 16, 18) for column in "abcdefghijklmnopqrs"]
    for stones in (CROWDED - 5, CROWDED - 4, CROWDED - 3, len(far)):
        board = Board(19, black=fives, white=far[:stones], turn="black")
        parts = 160 * CROWDED + 512 * min(len(board), CROWDED)
        assert NativeEvaluator(table).score(board) == CellReference(table).score(board) == parts // PARTS


def test_a_worth_that_only_grew_is_no_reason_of_a_move():
    moving = random_weights().moving
    growing = np.stack([np.zeros_like(moving[1]), moving[1] // 100])
    board = Board(9, black=["b5", "c5", "d5"], white=["h1"], turn="black")
    table = weighed(moving=growing, resting=growing)
    explained = explain(board, table, "h9")
    assert explained.grows and explain(board, table).grows
    assert not [item for item in explained.items if item.change == "revalued" and not item.worth]


def test_worths_that_are_written_do_not_grow():
    explained = explain(Board(9, black=["b5", "c5", "d5"], white=["h1"], turn="black"), TABLES[0], "h9")
    assert not explained.grows
    assert "board fills" not in str(explained)


# ---------------------------------------------------------------------- equal to the reference


@given(boards(max_side=9), st.sampled_from(TABLES))
@settings(max_examples=examples(30), deadline=None)
def test_the_core_says_what_the_reference_says(board, table):
    same_as_reference(NativeEvaluator(table), board, cells=2)


@pytest.mark.parametrize("size", [(5, 5), (5, 22), (22, 5), (16, 17)])
@pytest.mark.parametrize("table", TABLES, ids=["written", "reach 5", "reach 3"])
def test_small_rectangular_and_large_boards(size, table):
    rng = np.random.default_rng(size[0] * 22 + size[1])
    for share in (0.0, 0.3, 1.0):
        board = Board.from_array(rng.integers(1, 3, size) * (rng.random(size) < share))
        assert NativeEvaluator(table).score(board) == CellReference(table).score(board)


@given(games(max_side=22, max_moves=30), st.integers(0, 8))
@settings(max_examples=examples(20), deadline=None)
def test_a_tracker_that_played_and_took_back_equals_one_that_started_there(game, back):
    tracker = NATIVE.tracker(Board(game.rows, game.cols))
    for move in game.moves:
        tracker.play(move.cell, move.colour)
    for _ in range(min(back, len(game.moves))):
        tracker.undo()
    now = tracker.board
    assert tracker.score == NATIVE.score(now)
    for colour in (BLACK, WHITE):
        assert (tracker.gains(colour) == NATIVE.gains(now, colour)).all()


def test_the_laws_hold():
    check_evaluator(NATIVE, max_examples=8, max_side=9)


@given(boards(max_side=7))
@settings(max_examples=8, deadline=None)
def test_the_laws_hold_for_the_reference(board):
    check_laws(REFERENCE, board)


def test_a_batch_is_scored_like_its_boards():
    same_in_a_batch(NATIVE)


def test_features_count_the_shapes_of_lines_through_empty_cells():
    board = Board(black=["h8", "h9", "h10"], white=["a1"])
    native, reference = (as_evaluator(TABLES[0], native=native) for native in (True, False))
    assert (native.features([board]).matrix == reference.features([board]).matrix).all()
    assert (native.classes([board]) == reference.classes([board])).all()
    assert native.features([board]).weights is None


def test_an_explanation_names_the_shapes_and_adds_up():
    board = Board(black=["g8", "h8", "i9", "i10"], white=["i11"], turn="black")
    told = explain(board, "cell")
    assert told.total == as_evaluator("cell").score(board)
    assert any(item.name.en.startswith("open three x sleeping three") and item.at is not None for item in told.items)
    move = explain(board, "cell", "i8")
    assert move.total == as_evaluator("cell").gain(board, "i8")
    assert {"appears", "disappears", "revalued"} <= {item.change for item in move.items}


# ---------------------------------------------------------------------- searches


@pytest.mark.parametrize("spec", ["minmax:depth=2", "level_tree:depth=2", "wins", "two_ply", "mcts", "engine"])
def test_every_search_judges_by_one(tmp_path, spec):
    (tmp_path / "cells.toml").write_text(cells.text(4), encoding="utf-8")
    (tmp_path / "cells.npz").write_bytes(random_weights().to_bytes())
    judge = f"{spec}{',' if ':' in spec else ':'}table={tmp_path / 'cells.toml'}"
    board = Board(9, black=["e5", "f6"], white=["d4", "e6"])
    move = player(judge).search(board, Limit(nodes=500, depth=2)).move
    assert move is not None
    assert board.is_empty(move)


# ---------------------------------------------------------------------- tables and files


def test_a_table_names_a_file_beside_it(tmp_path):
    (tmp_path / "cells.toml").write_text(cells.text(5), encoding="utf-8")
    (tmp_path / "cells.npz").write_bytes(random_weights().to_bytes())
    table = load_table(tmp_path / "cells.toml")
    assert table == TABLES[1]
    assert table.digest == TABLES[1].digest
    assert table.weights.provenance == {"seed": 1}


def test_what_decides_scores_decides_the_digest():
    texts = [WRITTEN, WRITTEN.replace("33]", "34]"), WRITTEN.replace("reach = 4", "reach = 5"),
             WRITTEN.replace("{ five = 1 }", "{ five = 2 }")]  # fmt: skip
    assert len({parse_table(text).digest for text in texts}) == 4
    assert parse_table('title = "other"\n' + WRITTEN).digest == TABLES[0].digest


@pytest.mark.parametrize("table", TABLES[:2], ids=["written", "learned"])
def test_tables_and_evaluators_travel(table):
    assert pickle.loads(pickle.dumps(table)) == table
    assert parse_table(table.to_toml(), weights=table.weights) == table
    board = Board(black=["h8", "i9"], white=["g7"])
    for evaluator in (NativeEvaluator(table), CellReference(table)):
        assert pickle.loads(pickle.dumps(evaluator)).score(board) == evaluator.score(board)
    core = pickle.loads(pickle.dumps(NativeEvaluator(table).core))
    assert core.score(board) == NativeEvaluator(table).score(board)


def test_weights_are_the_same_bytes_each_time():
    content = random_weights().to_bytes()
    assert content == random_weights().to_bytes()
    assert load_cell_weights(content) == random_weights()


def test_weights_written_before_there_were_growths_have_none():
    weights = random_weights()
    names = ("moving", "resting", "facts", "meetings", "counts")
    first = {name: getattr(weights, name)[0] for name in names}
    told = {"format": 2, "shapes": weights.shapes, "facts": weights.fact_names}
    priors = {name: getattr(weights, name) for name in ("prior_own", "prior_other")}
    read = load_cell_weights(packed(told, {**first, **priors}))
    for name in names:
        assert (getattr(read, name)[0] == first[name]).all() and not getattr(read, name)[1].any()
    told["format"] = 1
    with pytest.raises(TableError, match="expected weights of format 3"):
        load_cell_weights(packed(told, {**first, **priors}))


def test_a_compiled_table_has_small_arrays():
    arrays = compile_afresh(TABLES[0])
    assert isinstance(arrays, CellArrays)
    assert len(arrays.kinds) == 121**2
    assert set(np.unique(arrays.kinds & 15)) <= set(range(5))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (cells.text(9), "expected reach from 1 to 6"),
        (cells.text(4).replace('"cells.npz"', '"none.npz"'), "none.npz: cannot be read"),
        (cells.text(4).replace("two", "three"), "the weights are for the shapes five, live_three"),
        (cells.text(4) + COMBINED, "remove the scores and combinations in it"),
        (cells.text(4).replace("# score", "score", 1), "remove the scores and combinations in it"),
        (WRITTEN.replace("{ five = 1 }", "{ six = 1 }"), "fact 'can_make_five': expected a shape of this table"),
        (WRITTEN.replace("{ five = 1 }", "3"), "needs: expected a table such as"),
        (WRITTEN.replace('"threatens"', '"can_make_five"'), "written twice"),
        (WRITTEN.replace('shape = "two"', 'shape = "five"'), "a shape has one score"),
        (WRITTEN.replace("[0, 500]", "[0, 600]"), "expected a cell worth at most"),
        (WRITTEN + "decisive = true\n", "unknown key 'decisive'|expected"),
        (WRITTEN.replace("reach = 4", 'reach = 4\nboard = "sum"'), "board belongs to point tables"),
        (WRITTEN + FACTS.replace("can_make_five", "a").replace("threatens", "b")
         + "".join(f'[[fact]]\nname = "f{n}"\nneeds = {{ two = 1 }}\n' for n in range(3)), "at most 6 facts"),
        (WRITTEN + "".join(f'[[pattern]]\nshape = "s{n}"\ntext = "{"o" * (n % 4 + 1)}{"x" * (n // 4 + 1)}"\n'
                           for n in range(12)), "at most 15 shapes"),
    ],
)  # fmt: skip
def test_tables_that_cannot_be(tmp_path, text, message):
    (tmp_path / "cells.npz").write_bytes(random_weights().to_bytes())
    (tmp_path / "cells.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=message):
        as_evaluator(load_table(tmp_path / "cells.toml"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"x" * 1000])
def test_files_that_are_no_weights(content):
    with pytest.raises(TableError, match="these are not the weights of a cell table"):
        load_cell_weights(content)


def test_weights_of_another_size_or_for_empty_cells_are_refused():
    weights = vars(random_weights())
    with pytest.raises(TableError, match="expected moving of int16"):
        CellWeights(**{**weights, "moving": np.zeros(3, dtype=np.int16)})
    with pytest.raises(TableError, match="0 for cells with no shape"):
        CellWeights(**{**weights, "resting": weights["resting"] + np.int16(1)})
    grows_from_nothing = weights["moving"].copy()
    grows_from_nothing[1, 0] = 1
    with pytest.raises(TableError, match="0 for cells with no shape"):
        CellWeights(**{**weights, "moving": grows_from_nothing})
    with pytest.raises(TableError, match="meetings worth 0"):
        CellWeights(**{**weights, "meetings": np.ones((2, 5, 5), dtype=np.int16)})
    with pytest.raises(TableError, match="expected counts of int32"):
        CellWeights(**{**weights, "counts": np.zeros(3, dtype=np.int32)})


# ---------------------------------------------------------------------- those that come with the project


@pytest.mark.parametrize("name", LEARNED_CELLS)
def test_built_in_cell_tables_are_small_and_say_where_they_come_from(name):
    table = load_table(name)
    assert (LEARNED / table.weights_file).stat().st_size < 2**20
    assert {"data", "options", "positions", "history"} <= set(table.weights.provenance)
    check_evaluator(NativeEvaluator(table), max_examples=3, max_side=8)


@pytest.mark.parametrize("name", LEARNED_CELLS)
@given(board=boards(max_side=8))
@settings(max_examples=8, deadline=None)
def test_built_in_cell_tables_are_scored_like_the_reference(name, board):
    same_as_reference(NativeEvaluator(load_table(name)), board, cells=2)


@pytest.mark.parametrize("name", LEARNED_CELLS)
def test_built_in_cell_tables_know_who_is_ahead(name):
    knows_who_is_ahead(NativeEvaluator(load_table(name)), 80)
