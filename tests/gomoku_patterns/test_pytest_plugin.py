"""``pytest --gomoku-laws``: one test for each law, in a run of its own; and benchmarks of a user's evaluator."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gomoku_patterns import Board
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.testing import check_evaluator, speeds
from gomoku_patterns.testing.speed import WORKS, batch_times, some_boards

MINE = """
import time

class Stones:
    name, antisymmetric = "stones", True

    def score(self, board):
        return len(board.stones(1)) - len(board.stones(2))

class Lopsided(Stones):
    name = "lopsided"

    def score(self, board):
        return super().score(board) + (board["a1"] is not None)

class Slow(Stones):
    name = "slow"

    def score(self, board):
        time.sleep(0.01)
        return super().score(board)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    # The plugin is loaded by its module, whether this installation knows its entry point or not.
    command = [sys.executable, "-m", "pytest", "-p", "no:gomoku", "-p", "gomoku_patterns.pytest_plugin",
               "-p", "no:cacheprovider", "-W", "error", *words]  # fmt: skip
    # A worker of xdist times nothing, and says so; the runs here are no workers, wherever they are started from.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    return subprocess.run(command, cwd=folder, env=alone, capture_output=True, text=True, check=False, timeout=120)


def test_every_law_is_a_test_of_its_own_and_nothing_else_is_run(folder: Path) -> None:
    (folder / "test_other.py").write_text("raise RuntimeError('nobody asked for this')")
    done = run(folder, "--gomoku-laws", "mine:Stones", "--gomoku-boards", "10", "--gomoku-max-side", "8")
    assert done.returncode == 0, done.stdout
    assert "10 passed, 8 skipped" in done.stdout
    assert "stones           undo restores                       10 boards" in done.stdout
    assert "the eight symmetries are alike   not asked: it does not claim to be symmetric" in done.stdout


def test_a_broken_law_shows_the_board_and_the_line_that_repeats_it(folder: Path) -> None:
    done = run(folder, "--gomoku-laws", "mine:Lopsided", "--gomoku-max-side", "7", "-k", "alike")
    assert done.returncode == 1, done.stdout
    assert "law 'colours are alike' does not hold for lopsided" in done.stdout
    assert "from mine import Lopsided; from gomoku_patterns import Board" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_picture_of_the_smallest_board_is_written(folder: Path) -> None:
    options = ("--gomoku-max-side", "7", "-k", "alike", "--gomoku-pictures", "pictures")
    done = run(folder, "--gomoku-laws", "mine:Lopsided", *options)
    assert "picture: pictures/lopsided-colours-are-alike.svg" in done.stdout
    assert (folder / "pictures" / "lopsided-colours-are-alike.svg").read_text().startswith("<svg")


def test_an_evaluator_that_hangs_ends(folder: Path) -> None:
    (folder / "hanging.py").write_text("import time\n\ndef hang(board):\n    time.sleep(10**6)\n")
    options = ("--gomoku-call-seconds", "0.2", "--gomoku-max-side", "7", "-k", "alone")
    done = run(folder, "--gomoku-laws", "hanging:hang", *options)
    assert done.returncode == 1, done.stdout
    assert "law 'the board is left alone' does not hold for hang: a call took longer than 0.2 s" in done.stdout


def test_rare_noise_of_the_module_random_is_found(folder: Path) -> None:
    text = "import random\n\ndef noise(board):\n    return int(random.random() < 0.02)\n"
    (folder / "noisy.py").write_text(text)
    done = run(folder, "--gomoku-laws", "noisy:noise", "--gomoku-max-side", "7", "-k", "repeat")
    assert done.returncode == 1, done.stdout
    assert "law 'answers repeat' does not hold for noise" in done.stdout


def test_laws_and_files_run_together_on_many_processes(folder: Path) -> None:
    (folder / "test_own.py").write_text("def test_own(): pass")
    words = ("test_own.py", "--gomoku-laws", "mine:Stones", "--gomoku-boards", "3", "-n", "2")
    assert "11 passed, 8 skipped" in run(folder, *words).stdout


def test_a_table_is_held_to_its_laws_too(folder: Path) -> None:
    done = run(folder, "--gomoku-laws", "grade_dict", "--gomoku-boards", "5", "-k", "reference")
    assert "reference equals native              5 boards" in done.stdout


@pytest.mark.parametrize("name", ["mine:Nobody", "nowhere:Mine", "grade"])
def test_an_evaluator_that_is_not_there_is_one_line(folder: Path, name: str) -> None:
    done = run(folder, "--gomoku-laws", name)
    assert done.returncode == 4 and f"ERROR: --gomoku-laws {name}: " in done.stderr + done.stdout


def test_the_plugin_loads_nothing() -> None:
    probe = "import sys, pytest, gomoku_patterns.pytest_plugin; print([m for m in ('numpy', 'hypothesis', "
    probe += "'gomoku_patterns.board', 'gomoku_patterns.testing') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_slow_evaluator_is_held_to_the_laws_in_the_seconds_given(capsys: pytest.CaptureFixture[str]) -> None:
    calls = 0

    class Slow:
        name, antisymmetric, symmetric = "slow", True, True

        def score(self, board: Board) -> int:
            nonlocal calls
            calls += 1
            time.sleep(0.005)
            return len(board.stones(1)) - len(board.stones(2))

    report = check_evaluator(Slow(), max_examples=1000, seconds=0.6)
    assert len(report.asked) == 10 and all(0 < count < 200 for count in report.boards.values())
    # Each law ends with the board on which its share runs out.
    assert calls < 0.6 / 0.005 + 10 * 200
    assert capsys.readouterr().out == ""


def test_speeds_are_ratios_to_another_evaluator() -> None:
    same = speeds("grade_dict", "grade_dict", seconds=0.05)
    assert set(same.ratios) == {"score", "batch", "play and undo"}
    assert all(0.2 < ratio < 5 for ratio in same.ratios.values())
    assert "grade_dict beside grade_dict" in str(same)


def test_an_evaluator_whose_answers_differ_is_not_timed() -> None:
    class Drifting:
        name, antisymmetric, symmetric = "drifting", False, False

        def score(self, board: Board) -> int:
            return 1

        def scores(self, boards: object, to_move: object = None) -> list[int]:
            return [2] * len(boards)  # type: ignore[arg-type]  # an array

    with pytest.raises(GomokuError, match="scores differently in batches"):
        speeds(Drifting(), seconds=0.01)


def test_three_lines_are_benchmarks(folder: Path) -> None:
    (folder / "test_speed.py").write_text(
        "from gomoku_patterns.testing import evaluator_benchmarks\n"
        "from mine import Stones\n"
        "test_stones = evaluator_benchmarks(Stones())\n"
    )
    options = ("--benchmark-json=out.json", "--benchmark-max-time=0.02", "--benchmark-min-rounds=2")
    done = run(folder, "test_speed.py", *options, "-o", "pythonpath=.")
    assert done.returncode == 0, done.stdout
    found = json.loads((folder / "out.json").read_text())["benchmarks"]
    assert {(one["group"], one["params"]["evaluator"] is not None) for one in found} == {
        (what, True) for what in ("score", "batch", "play and undo")
    }
    assert {one["extra_info"]["evaluator"] for one in found} == {"stones", "grade_dict"}


@pytest.mark.parametrize("slow", [False, True])
def test_all_evaluators_of_a_batch_score_the_same_boards(slow: bool) -> None:
    """The printed ratio is that of the rounds, so a round of a slow evaluator may not be smaller."""

    class Sleepy:
        name = "sleepy"

        def score(self, board: Board) -> int:
            if slow:
                time.sleep(0.0005)
            return 0

    subjects = [as_evaluator(Sleepy()), as_evaluator("grade_dict")]
    boards = some_boards(count=3)
    times = batch_times(subjects, boards[0])
    pieces = [WORKS["batch"](subject, boards, times)[1] for subject in subjects]
    assert pieces[0] == pieces[1] == 3 * times and (times == 1 if slow else times >= 1)
