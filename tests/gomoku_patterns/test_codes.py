"""Line codes: windows and their rows, weights as a file, and the native core against the reference."""

from __future__ import annotations

import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, TableError, explain, load_table, parse_table
from gomoku_patterns.code_reference import CodeReference
from gomoku_patterns.codes import (
    CODES,
    HIDDEN,
    WIDTH,
    LineCode,
    code_rows,
    load_weights,
    row_count,
    swapped_codes,
    window_code,
)
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator
from gomoku_patterns.table import LEARNED, learned_names
from gomoku_patterns.testing import boards, check_evaluator, check_laws, games
from tests.learned import TEXT, random_code
from tests.long import examples
from tests.same_scores import knows_who_is_ahead, same_as_reference, same_in_a_batch

TABLE = parse_table(TEXT, weights=random_code())
STEEP = parse_table(TEXT, weights=random_code(2, spread=127))
NATIVE, REFERENCE = NativeEvaluator(TABLE), CodeReference(TABLE)
LINE_CODES = [name for name in learned_names() if load_table(name).scan == "code"]


# ---------------------------------------------------------------------- windows


def test_a_window_and_its_mirror_image_share_a_row():
    rows = code_rows().reshape(364, 364)
    assert (rows == rows.T).all()
    assert row_count() <= 2**16
    assert sorted(set(rows.reshape(-1).tolist())) == list(range(row_count()))


def test_exchanging_colours_twice_is_nothing_and_keeps_what_shares_a_row():
    swapped = swapped_codes()
    assert (swapped[swapped] == np.arange(CODES)).all()
    assert swapped[window_code("ox.", "..xx.")] == window_code("xo.", "..oo.")
    first = {row: code for code, row in enumerate(code_rows().tolist())}
    alike = [first[row] for row in code_rows().tolist()]
    assert (code_rows()[swapped] == code_rows()[swapped[alike]])[code_rows() > 2].all()


@pytest.mark.parametrize(
    ("left", "right", "row"),
    [
        ("", "", 0),
        (".....", "..", 0),
        ("oooo.", "", 1),
        ("oo...", "oox..", 1),
        ("ooooo", "....", 1),
        ("x...", "xxx", 2),
    ],
)
def test_windows_that_share_the_first_rows(left, right, row):
    assert code_rows()[window_code(left, right)] == row


def test_four_in_reach_that_make_no_five_have_rows_of_their_own():
    assert code_rows()[window_code("ooo.o", ".....")] > 2


# ---------------------------------------------------------------------- equal to the reference


@given(boards(max_side=12), st.sampled_from([TABLE, STEEP]))
@settings(max_examples=examples(40), deadline=None)
def test_the_core_says_what_the_reference_says(board, table):
    same_as_reference(NativeEvaluator(table), board)


@pytest.mark.parametrize("size", [(5, 5), (5, 22), (22, 5), (16, 17), (22, 22)])
def test_small_rectangular_and_large_boards(size):
    rng = np.random.default_rng(size[0] * 22 + size[1])
    for share in (0.0, 0.1, 0.5, 1.0):
        cells = rng.integers(1, 3, size) * (rng.random(size) < share)
        same_as_reference(NATIVE, Board.from_array(cells))


@given(games(max_side=22, max_moves=30))
@settings(max_examples=examples(20), deadline=None)
def test_a_tracker_that_played_a_game_equals_one_that_started_there(game):
    tracker = NATIVE.tracker(Board(game.rows, game.cols))
    for number, move in enumerate(game.moves):
        tracker.play(move.cell, move.colour)
        if number % 3 == 0:
            assert tracker.score == NATIVE.score(tracker.board)
    assert tracker.score == REFERENCE.score(game) if game.turn is tracker.turn else True
    for colour in (BLACK, WHITE):
        assert (tracker.gains(colour) == NATIVE.gains(game, colour)).all()


def test_the_laws_hold():
    check_evaluator(NATIVE, max_examples=examples(15))


@given(boards(max_side=9))
@settings(max_examples=10, deadline=None)
def test_the_laws_hold_for_the_reference(board):
    check_laws(REFERENCE, board)


def test_a_batch_is_scored_like_its_boards():
    same_in_a_batch(NATIVE)


# ---------------------------------------------------------------------- tables and files


def test_a_table_names_a_file_beside_it(tmp_path):
    (tmp_path / "learned.toml").write_text(TEXT, encoding="utf-8")
    (tmp_path / "learned.npz").write_bytes(random_code().to_bytes())
    table = load_table(tmp_path / "learned.toml")
    assert table == TABLE
    assert table.digest == TABLE.digest
    assert table.weights.provenance == {"seed": 1}
    board = Board(black=["h8"], white=["g7"])
    assert as_evaluator(table).score(board) == NATIVE.score(board)


def test_weights_are_the_same_bytes_each_time_and_plain_numpy(tmp_path):
    content = random_code().to_bytes()
    assert content == random_code().to_bytes()
    assert load_weights(content) == random_code()
    (tmp_path / "w.npz").write_bytes(content)
    with zipfile.ZipFile(tmp_path / "w.npz") as archive, archive.open("rows.npy") as stream:
        assert np.load(stream).shape == (row_count(), WIDTH)


def test_tables_and_evaluators_travel():
    assert pickle.loads(pickle.dumps(TABLE)) == TABLE
    board = Board(black=["h8"], white=["g7"])
    for evaluator in (NATIVE, REFERENCE):
        assert pickle.loads(pickle.dumps(evaluator)).score(board) == NATIVE.score(board)


def test_an_explanation_is_the_score():
    board = Board(black=["h8"], white=["g7"])
    assert explain(board, NATIVE).total == NATIVE.score(board)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('name = "a"\nscan = "code"\n', "the key 'weights' is missing"),
        (TEXT.replace("learned.npz", "../learned.npz"), "expected the name of a file beside the table"),
        (TEXT.replace("learned.npz", "none.npz"), "none.npz: cannot be read"),
        (TEXT.replace("150", "0"), "expected scale from 1"),
        (TEXT + "mirror = true\n", "mirror belongs to"),
        (TEXT + '[[pattern]]\nshape = "two"\ntext = "oo"\nscore = 1\n', "has no patterns of its own"),
    ],
)
def test_tables_that_cannot_be(tmp_path, text, message):
    (tmp_path / "learned.npz").write_bytes(random_code().to_bytes())
    (tmp_path / "learned.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=message):
        load_table(tmp_path / "learned.toml")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"x" * 1000])
def test_files_that_are_no_weights(content):
    with pytest.raises(TableError, match="these are not the weights of a line code"):
        load_weights(content)


def test_weights_that_could_overflow_are_refused():
    code = random_code()
    with pytest.raises(TableError, match="add up to less than"):
        LineCode(**{**vars(code), "out": np.full(HIDDEN, 2000, dtype=np.int16)})


# ---------------------------------------------------------------------- those that come with the project


@pytest.mark.parametrize("name", LINE_CODES)
def test_built_in_line_codes_are_small_and_say_where_they_come_from(name):
    table = load_table(name)
    assert (LEARNED / table.weights_file).stat().st_size < 5 * 2**20
    assert {"data", "options", "positions", "history"} <= set(table.weights.provenance)
    check_evaluator(NativeEvaluator(table), max_examples=5)


@pytest.mark.parametrize("name", LINE_CODES)
@given(board=boards(max_side=9))
@settings(max_examples=10, deadline=None)
def test_built_in_line_codes_are_scored_like_the_reference(name, board):
    assert NativeEvaluator(load_table(name)).score(board) == CodeReference(load_table(name)).score(board)


@pytest.mark.parametrize("name", LINE_CODES)
def test_built_in_line_codes_know_who_is_ahead(name):
    knows_who_is_ahead(NativeEvaluator(load_table(name)), load_table(name).scale)
