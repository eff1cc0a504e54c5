"""The native core says what the reference says, on every table and board, and survives whatever it is given."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import ahocorasick
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gomoku_patterns
from gomoku_patterns import BLACK, WHITE, Board, Colour
from gomoku_patterns import compile as compiling
from gomoku_patterns.compile import LineArrays, PointArrays, cache_folder, compile_table
from gomoku_patterns.errors import BoardError, GomokuError, IllegalMoveError, TableError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.native import NativeEvaluator, native_evaluator
from gomoku_patterns.reference import reference_evaluator
from gomoku_patterns.table import Combination, Pattern, Table, load_table, parse_table, table_names
from gomoku_patterns.testing import boards, check_evaluator, check_laws, games, tables
from tests.long import examples
from tests.timing import quickest, timing

TABLES = table_names()


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compile_table.cache_clear()
    yield
    compile_table.cache_clear()


def line_table(*texts, count="once", score=7):
    """Each text is worth one more than the one before it."""
    entries = [f'[[pattern]]\nshape = "odd"\ntext = "{text}"\nscore = {score + at}\n' for at, text in enumerate(texts)]
    return parse_table(f'name = "own"\nscan = "line"\ncount = "{count}"\n{"".join(entries)}')


def same_as_reference(table, board):
    native, reference = NativeEvaluator(table), reference_evaluator(table)
    assert native.score(board) == reference.score(board)
    for colour in (BLACK, WHITE):
        assert native.gains(board, colour).tolist() == reference.gains(board, colour).tolist()
        assert native.points(board, colour) == reference.points(board, colour)
        assert native.ranked(board, colour, 7) == reference.ranked(board, colour, 7)


# ---------------------------------------------------------------------- equal to the reference


@pytest.mark.parametrize("name", TABLES)
def test_all_laws_hold_for_the_built_in_tables(name):
    check_evaluator(native_evaluator(name), max_examples=examples(15))


@given(tables(), boards(max_side=12))
@settings(max_examples=examples(60))
def test_random_tables_are_scored_like_the_reference(table, board):
    check_laws(NativeEvaluator(table), board)


@pytest.mark.parametrize("name", TABLES)
@given(board=boards(max_side=9))
@settings(max_examples=10)
def test_every_gain_point_and_rank_is_the_reference_s(name, board):
    same_as_reference(load_table(name), board)


@pytest.mark.parametrize("size", [(5, 5), (5, 22), (22, 5), (16, 17), (22, 22)])
@pytest.mark.parametrize("name", TABLES)
def test_small_rectangular_and_large_boards(name, size):
    native, reference = native_evaluator(name), reference_evaluator(name)
    rng = np.random.default_rng(size[0] * 22 + size[1])
    for share in (0.1, 0.5, 1.0):
        cells = rng.integers(1, 3, size) * (rng.random(size) < share)
        board = Board.from_array(cells)
        assert native.score(board) == reference.score(board)
        for cell in board.empties()[:: max(1, len(board.empties()) // 3)]:
            assert native.gain(board, cell, WHITE) == reference.gain(board, cell, WHITE)


@given(games(max_side=22, max_moves=30), st.sampled_from(TABLES))
@settings(max_examples=examples(40))
def test_a_tracker_that_played_a_game_equals_one_that_started_there(game, name):
    evaluator = native_evaluator(name)
    start = Board(game.rows, game.cols)
    tracker = evaluator.tracker(start)
    scores = [tracker.score]
    for move in game.moves:
        tracker.play(move.cell, move.colour)
        scores.append(tracker.score)
    assert tracker.board == game.copy(moves=False)
    for colour in (BLACK, WHITE):
        assert (tracker.gains(colour) == evaluator.gains(game, colour)).all()
        assert tracker.ranked(colour) == evaluator.ranked(game, colour)
    for score in reversed(scores):
        assert tracker.score == score
        if score is not scores[0] or len(tracker.board):
            tracker.undo()


@pytest.mark.parametrize("count", ["once", "every"])
@pytest.mark.parametrize("text", ["|o|", "|o", "o|", "~o~", "|x~o.|", "o", "ooooo|", "|...o"])
@given(board=boards(max_side=7))
@settings(max_examples=8)
def test_edges_are_seen_on_the_shortest_lines(text, count, board):
    same_as_reference(line_table(text, "xo", count=count), board)


def test_a_corner_is_a_line_of_one_cell():
    """Each of the four corners ends one diagonal of a single cell."""
    table = line_table("|o|", count="every")
    assert NativeEvaluator(table).score(Board(5, black=["a1", "e5"], white=["a5"])) == 7


@pytest.mark.parametrize("count", ["once", "every"])
@given(board=boards(max_side=10))
@settings(max_examples=5)
def test_more_patterns_than_a_mask_has_bits(count, board):
    texts = [f"{a}o{b}{c}{d}" for a in ".ox" for b in ".ox" for c in ".ox" for d in ".ox"]
    table = line_table(*texts, count=count)
    assert len(table.patterns) == 81
    check_laws(NativeEvaluator(table), board)


@pytest.mark.parametrize("count", ["once", "every"])
@given(board=boards(max_side=10))
@settings(max_examples=5)
def test_automata_too_large_for_pieces_are_walked(count, board):
    table = line_table("o~~~~o", "oo~", "..o", count=count)
    pieces = NativeEvaluator(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiling, "MAX_STATES", 10)
        patch.setattr("gomoku_patterns.native.compile_table", compiling._compile_lines)
        walked = NativeEvaluator(table)
    assert walked.core.arrays.walk and not pieces.core.arrays.walk
    check_laws(walked, board)
    assert walked.score(board) == pieces.score(board)


@given(board=boards(max_side=9))
@settings(max_examples=10)
def test_point_tables_with_many_shapes(board):
    texts = [f"{a}{b}O{c}{d}" for a in ".ox" for b in ".ox" for c in "ox" for d in ".x"]
    patterns = [Pattern(f"s{at}", text, (at, 2 * at), at % 9 == 8) for at, text in enumerate(texts)]
    combination = Combination((("s1", 1), ("s2", 1)), (99, 98))
    table = Table("many", tuple(patterns), (combination,), "point", reach=6, opposing="subtract")
    assert compile_table(table).parts.shape == (2, 0)
    same_as_reference(table, board)


def test_scores_that_could_overflow_are_refused():
    """Texts with ``~`` add up at one place, beyond what a table's own check counts."""
    texts = [f"{left}o{right}" for left in ".x~" for right in ".x~"]
    table = line_table(*texts, count="every", score=2**26 // 22 - 10)
    with pytest.raises(TableError, match="add up to at most"):
        NativeEvaluator(table)


# ---------------------------------------------------------------------- batches


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int64, np.uint64])
def test_batches_take_every_integer_type(name, dtype):
    rng = np.random.default_rng(5)
    stones = rng.integers(0, 3, (6, 9, 7)).astype(dtype)
    turns = [BLACK, WHITE] * 3
    each = [Board.from_array(one, turn=turn) for one, turn in zip(stones, turns, strict=True)]
    expected = [reference_evaluator(name).score(board) for board in each]
    evaluator = native_evaluator(name)
    assert evaluator.scores(stones, turns).tolist() == expected
    if np.issubdtype(dtype, np.signedinteger):
        assert evaluator.scores(np.where(stones == 2, -1, stones), turns).tolist() == expected
    assert evaluator.scores(np.asfortranarray(stones), turns).tolist() == expected
    assert evaluator.scores(stones[::-1], turns[::-1]).tolist() == expected[::-1]
    assert evaluator.scores(stones[:0]).tolist() == []
    for kind in (np.uint8, np.int64):
        assert evaluator.scores(stones, np.array(turns, dtype=kind)).tolist() == expected
    assert evaluator.scores(stones, [str(turn) for turn in turns]).tolist() == expected


@timing
@pytest.mark.parametrize("name", ["grade_dict", "level"])
def test_a_turn_for_each_board_costs_little(name):
    rng = np.random.default_rng(5)
    stones, turns = rng.integers(0, 3, (4000, 15, 15)).astype(np.int8), rng.integers(1, 3, 4000)
    colours, evaluator = [Colour(turn) for turn in turns], native_evaluator(name)

    def seconds(run: Callable[[], object], bound: float) -> float:
        return quickest(run, bound, clock=time.process_time)

    alone = min(seconds(lambda: evaluator.scores(stones), 0) for _ in range(2))
    assert seconds(lambda: evaluator.scores(stones, turns), 1.5 * alone) < 1.5 * alone
    assert seconds(lambda: evaluator.scores(stones, colours), 2 * alone) < 2 * alone


@pytest.mark.parametrize("odd", [3, -2, 127, 255, 256, 2**40, -(2**62)])
@pytest.mark.parametrize("name", ["grade_dict", "level"])
def test_other_numbers_in_a_batch_are_refused_with_their_place(name, odd):
    stones = np.zeros((4, 6, 6), dtype=np.int64)
    stones[2, 1, 5] = odd
    with pytest.raises(BoardError, match=rf"expected 0, 1, 2 or -1 in the array, found {odd} at \(1, 5\)"):
        native_evaluator(name).scores(stones)


@pytest.mark.parametrize("shape", [(3, 4, 9), (2, 23, 23), (1, 0, 0), (0, 500, 500)])
def test_a_batch_of_impossible_boards_is_refused(shape):
    with pytest.raises(BoardError, match="expected boards from 5 to 22"):
        native_evaluator("grade_dict").scores(np.zeros(shape, dtype=np.int8))


def test_batches_release_the_gil():
    """A second thread gets on while a batch is being scored."""
    evaluator, stones = native_evaluator("grade_dict"), np.zeros((1_000_000, 5, 5), dtype=np.int8)
    done, ticks = threading.Event(), []

    def score():
        evaluator.scores(stones)
        done.set()

    thread = threading.Thread(target=score)
    thread.start()
    while not done.wait(0.001):
        ticks.append(1)
    thread.join()
    assert len(ticks) > 5


# ---------------------------------------------------------------------- misuse


@pytest.mark.parametrize("name", TABLES)
def test_nothing_a_user_gives_a_tracker_harms_it(name):
    tracker = native_evaluator(name).tracker(Board(5, black=["a1"], turn="white"))
    before = (tracker.score, tracker.turn, tracker.board, tracker.ranked())
    for cell in ("a1", "z9", (-1, 0), (5, 0), (2**70, 1), None, 3.5, ""):
        for call in (tracker.play, tracker.gain):
            with pytest.raises(GomokuError):
                call(cell)
    with pytest.raises(IllegalMoveError, match="nothing was pushed"):
        tracker.undo()
    with pytest.raises(BoardError):
        tracker.play("b2", "green")
    with pytest.raises(BoardError):
        tracker.ranked(width=-1)
    assert before == (tracker.score, tracker.turn, tracker.board, tracker.ranked())


@pytest.mark.parametrize("name", TABLES)
def test_the_core_refuses_what_would_leave_its_memory(name):
    core = native_evaluator(name).core_tracker(Board(5))
    for cell, colour in ((-1, 1), (25, 1), (0, 0), (0, 3), (0, -1)):
        with pytest.raises(BoardError):
            core.play(cell, colour)
        with pytest.raises(BoardError):
            core.gain(cell, colour)
    with pytest.raises(BoardError):
        core.undo()
    with pytest.raises(BoardError):
        core.gains(1, np.zeros((5, 6), dtype=np.int64))
    with pytest.raises(BoardError):
        core.set(Board(6))
    with pytest.raises(BoardError, match="expected a Board"):
        core.set("board")


@pytest.mark.parametrize("name", TABLES)
def test_the_core_checks_what_it_is_called_with(name):
    core, boards = native_evaluator(name).core, np.zeros((3, 6, 6), dtype=np.uint8)
    turns, scores = np.ones(3, dtype=np.uint8), np.zeros(3, dtype=np.int64)
    assert core.scores(boards, turns, scores) == -1
    for bad in ((boards, turns[:2], scores), (boards, turns, scores[:2]), (boards, turns * 3, scores)):
        with pytest.raises(BoardError):
            core.scores(*bad)
    with pytest.raises(BoardError):
        core.scores(np.zeros((1, 23, 23), dtype=np.uint8), turns[:1], scores[:1])
    for nothing in (None, 5, "board"):
        with pytest.raises(BoardError, match="expected a Board"):
            core.score(nothing)
        with pytest.raises(TypeError):
            type(native_evaluator(name).core_tracker(Board(5)))(nothing, None)
    torn = Board(6)
    torn._cells = bytearray(3)
    with pytest.raises(BoardError, match="expected a board of 36 cells"):
        core.score(torn)


def test_the_core_checks_the_cell_of_a_gain():
    core = native_evaluator("grade_dict").core
    for cell, colour in ((-1, 1), (25, 1), (0, 1), (1, 0), (1, 3)):
        with pytest.raises(BoardError):
            core.gain(Board(5, black=["a5"]), cell, colour)


@pytest.mark.parametrize("side", [5, 15, 16, 17, 22])
@pytest.mark.parametrize("name", TABLES)
def test_a_tracker_takes_less_than_four_megabytes(name, side):
    assert native_evaluator(name).core_tracker(Board(side)).nbytes < 4_000_000


@pytest.mark.parametrize("name", TABLES)
def test_a_tracker_fills_and_empties_the_largest_board(name):
    evaluator = native_evaluator(name)
    tracker = evaluator.tracker(Board(22))
    empty = tracker.score
    for cell in Board(22).cells():
        tracker.play(cell)
    assert tracker.ranked() == []
    assert tracker.score == evaluator.score(tracker.board)
    for _ in range(484):
        tracker.undo()
    assert tracker.score == empty


def test_many_trackers_at_once_do_not_disturb_each_other():
    evaluator = native_evaluator("grade_dict")
    trackers = [evaluator.tracker(Board(black=["h8"])) for _ in range(5)]
    for number, tracker in enumerate(trackers):
        tracker.play((number, number))
    expected = [evaluator.score(tracker.board) for tracker in trackers]
    assert [tracker.score for tracker in trackers] == expected


def test_trackers_give_their_memory_back():
    evaluator = native_evaluator("grade_dict")
    evaluator.tracker(Board())
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(50):
        evaluator.tracker(Board()).play("h8")
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 100_000


# ---------------------------------------------------------------------- compiled tables on disk


def cached_file(name="grade_dict"):
    table = load_table(name)
    compile_table(table)
    compile_table.cache_clear()
    return cache_folder() / f"{table.digest}.npz"


def scores_as_ever(name="grade_dict"):
    compile_table.cache_clear()
    board = Board(black=["h8", "h9", "h10"], white=["a1"])
    assert NativeEvaluator(load_table(name)).score(board) == reference_evaluator(name).score(board)


@pytest.mark.parametrize("name", TABLES)
def test_a_compiled_table_is_read_back_from_disk(name, monkeypatch):
    table, path = load_table(name), cached_file(name)
    assert path.is_file()
    monkeypatch.setattr(compiling, "_compile_lines", None)
    monkeypatch.setattr(compiling, "_compile_points", None)
    again = compile_table(table)
    assert isinstance(again, LineArrays if table.scan == "line" else PointArrays)
    scores_as_ever(name)


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "flip", "folder", "other table", "foreign"])
@pytest.mark.parametrize("name", ["grade_dict", "level"])
def test_damaged_and_foreign_files_are_ignored_and_rebuilt(name, damage):
    path, other = cached_file(name), cached_file("money")
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "text":
        path.write_text("not a table")
    elif damage == "flip":
        data[len(data) // 2] ^= 4
        path.write_bytes(data)
    elif damage == "folder":
        path.unlink()
        path.mkdir()
    elif damage == "other table":
        path.write_bytes(other.read_bytes())
    else:
        np.savez(path, seal="0", steps=np.zeros(3))
    scores_as_ever(name)
    if damage != "folder":
        assert compiling._read(path, load_table(name)) is not None


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    occupied = tmp_path / "file"
    occupied.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    scores_as_ever()


def test_without_xdg_the_cache_is_in_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "gomoku-patterns"
    assert cached_file().is_file()


def test_the_cache_does_not_grow_for_ever(monkeypatch):
    monkeypatch.setattr(compiling, "KEPT_FILES", 3)
    for number in range(6):
        compile_table(line_table("o" * (number + 1)))
    assert len(list(cache_folder().iterdir())) == 3


def test_no_draft_is_left_behind(monkeypatch):
    monkeypatch.setattr(Path, "replace", lambda *args: (_ for _ in ()).throw(OSError("disk full")))
    scores_as_ever()
    assert list(cache_folder().iterdir()) == []


def test_tables_become_native_evaluators():
    assert isinstance(as_evaluator("grade_dict"), NativeEvaluator)
    assert native_evaluator("grade_dict") is as_evaluator(load_table("grade_dict"))


def test_a_folder_without_its_native_modules_says_how_to_build_them(tmp_path):
    source = Path(gomoku_patterns.__file__).parent
    shutil.copytree(source, tmp_path / source.name, ignore=shutil.ignore_patterns("*.so", "*.pyd", "*.c"))
    # Without the site's start-up files, where an editable install hooks in and would find the modules of the original.
    program = "from gomoku_patterns import as_evaluator; as_evaluator('grade_dict')"
    command = [sys.executable, "-S", "-c", program]
    packages = {str(Path(module.__file__).parents[up]) for module, up in ((np, 1), (ahocorasick, 0))}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(packages)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "are not built: run pip install -e ." in done.stderr.splitlines()[-1]


def test_a_tracker_that_goes_in_one_sweep_with_its_table_says_nothing(monkeypatch):
    """The collector empties the table first, as at the end of a program; the tracker has a memo to give back."""
    gc.collect()  # what other tests left
    said = []
    monkeypatch.setattr(sys, "unraisablehook", lambda slip: said.append(slip.exc_value))
    evaluator = NativeEvaluator(load_table("grade_dict"))
    evaluator.tracker(Board())
    held = [evaluator.tracker(Board())]
    held.append(held)
    del evaluator, held
    gc.collect()
    assert said == []
