"""The testing kit finds planted mistakes in every run, names the law, and prints a line that repeats the failure."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.testing import (
    LAWS,
    LawBrokenError,
    agrees_with,
    answers_repeat,
    check_evaluator,
    check_laws,
    law,
)
from tests.gomoku_patterns import mutants
from tests.gomoku_patterns.mutants import BEYOND_LAWS, MUTANTS, SOUND, Shapes
from tests.long import long_test

pytestmark = pytest.mark.filterwarnings("ignore::gomoku_patterns.testing.LawNotAskedWarning")

HANGING = ("HangsOnAFullBoard", "SleepsOnAFullBoard")

# Evaluators whose failure depends on what was asked before, or on luck, and some others: all laws, and their lines.
FULL_RUNS = (
    mutants.CacheOfTheClassWithoutTurn,
    mutants.CacheByWeakHash,
    mutants.NoiseOneInThousand,
    mutants.OnePatternInTheLastRowOf19,
    mutants.DependsOnTheLastMove,
    mutants.GainForgetsTheBlock,
    mutants.RaisesOnAFullBoard,
)


def failure(evaluator: object, **options: Any) -> LawBrokenError:
    with pytest.raises(LawBrokenError) as caught:
        check_evaluator(evaluator, **options)
    return caught.value


def line_of(error: LawBrokenError) -> str:
    return str(error).partition("to repeat it: ")[2].splitlines()[0]


# One process that copies itself for each line, so that every line starts from nothing and none costs an interpreter.
REPEATS = """
import os, sys
import gomoku_patterns.testing as kit
import tests.gomoku_patterns.mutants
for number, line in enumerate(sys.stdin.read().splitlines()):
    child = os.fork()
    if not child:
        try:
            exec(line, {})
            outcome = "passed"
        except kit.LawBrokenError:
            outcome = "repeated"
        except BaseException as error:
            outcome = repr(error)
        print(number, outcome, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def outcomes(lines: list[str], folder: Path) -> list[str]:
    """What the lines do in new processes, in any folder."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", f"import sys; sys.path.insert(0, {str(Path.cwd())!r})\n{REPEATS}"],
        input="\n".join(lines), cwd=folder, capture_output=True, text=True, check=True, timeout=300,
    )  # fmt: skip
    return [line.partition(" ")[2] for line in done.stdout.splitlines()]


def test_there_are_as_many_mutants_as_there_should_be() -> None:
    assert len(MUTANTS) >= 62
    assert len(MUTANTS) + len(BEYOND_LAWS) >= 69
    names = {law.name for law in LAWS}
    # Tables are compared with their reference elsewhere: no mutant is one.
    assert {name for laws in MUTANTS.values() for name in laws.split("|")} == names - {"reference equals native"}


# Mistakes that show only on the sides they are about; the others are found sooner on small boards.
NEED_LARGE_BOARDS = ("LastRowOf19", "OnePatternInTheLastRowOf19", "StoneOnH8Of15")


@pytest.fixture(autouse=True)
def nothing_cached() -> None:
    """Forget what earlier tests left in the cache that belongs to a class."""
    mutants.CacheOfTheClassWithoutTurn.shared.clear()


class TestMutants:
    errors: dict[str, LawBrokenError] = {}  # noqa: RUF012  (each test adds its own; the last one repeats all lines)

    @pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.__name__)
    def test_the_law_finds_it(self, mutant: type) -> None:
        wanted = MUTANTS[mutant].partition("|")[0]
        limit = 0.5 if mutant.__name__ in HANGING else 5.0
        side = 22 if mutant.__name__ in NEED_LARGE_BOARDS else 12
        error = failure(mutant(), laws=wanted, call_seconds=limit, max_side=side)
        assert error.law.name == wanted
        self.errors[mutant.__name__] = error

    def test_the_line_repeats_each_of_them_in_a_new_process(self, tmp_path: Path) -> None:
        chosen = {name: line_of(error) for name, error in self.errors.items() if name not in HANGING}
        if not chosen:
            pytest.skip("the tests of the mutants themselves were not run")
        found = dict(zip(chosen, outcomes(list(chosen.values()), tmp_path), strict=True))
        assert {name: outcome for name, outcome in found.items() if outcome != "repeated"} == {}

    @pytest.mark.parametrize("mutant", FULL_RUNS, ids=lambda one: one.__name__)
    def test_all_laws_together_find_it_and_the_line_repeats_it(self, mutant: type, tmp_path: Path) -> None:
        error = failure(mutant())
        assert error.law.name in MUTANTS[mutant].split("|")
        assert outcomes([line_of(error)], tmp_path) == ["repeated"]

    @long_test
    @pytest.mark.parametrize("mutant", MUTANTS, ids=lambda one: one.__name__)
    def test_all_laws_together_find_every_one(self, mutant: type) -> None:
        assert failure(mutant()).law.name in MUTANTS[mutant].split("|")

    @pytest.mark.parametrize("mutant", BEYOND_LAWS, ids=lambda one: one.__name__)
    def test_what_no_law_can_find_another_evaluator_shows(self, mutant: type) -> None:
        assert failure(mutant(), laws=[agrees_with(Shapes())]).law.name == "agrees with shapes"


class TestSoundEvaluators:
    @pytest.mark.parametrize("kind", SOUND, ids=lambda one: one.__name__)
    def test_they_keep_every_law(self, kind: type) -> None:
        report = check_evaluator(kind(), max_examples=20, max_side=15)
        assert len(report.asked) >= 10

    def test_what_is_claimed_is_asked(self) -> None:
        assert {law.name for law in check_evaluator(mutants.Complete(), max_examples=1, max_side=7).asked} == {
            law.name for law in LAWS
        } - {"reference equals native", "explanations add up", "lists agree", "the turn matters as claimed"}
        not_asked = check_laws(mutants.NotAGain(), Board(5)).not_asked
        assert not_asked["gains change the score"] == "it says additive = False"


class TestHanging:
    """An evaluator that does not return fails a law, and names the board."""

    @pytest.mark.parametrize("mutant", [mutants.HangsOnAFullBoard, mutants.SleepsOnAFullBoard])
    def test_a_full_board_that_hangs(self, mutant: type) -> None:
        text = str(failure(mutant(), laws="the board is left alone", call_seconds=0.5, max_side=7))
        assert "a call took longer than 0.5 s and was ended" in text
        assert len(re.findall(r"[XO]", text.partition("\n\n")[2].partition("    black to move")[0])) >= 25

    def test_on_another_thread_too(self) -> None:
        errors: list[LawBrokenError] = []

        def run() -> None:
            errors.append(failure(mutants.HangsOnAFullBoard(), laws="the board is left alone", call_seconds=0.3))

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        assert "a call took longer than 0.3 s" in str(errors[0])

    def test_a_slow_evaluator_does_not_hang(self) -> None:
        """The limit is one of each call, not of all calls that a law makes on a board."""

        class Slow(Shapes):
            def score(self, board: Board) -> int:
                time.sleep(0.05)
                return 0

        check_laws(Slow(), Board(5), laws=[answers_repeat], call_seconds=0.5)
        check_evaluator(Slow(), laws=[answers_repeat], call_seconds=None, max_examples=1)

    def test_an_alarm_of_another_still_rings(self) -> None:
        import signal

        rung: list[int] = []
        before = signal.signal(signal.SIGALRM, lambda number, _frame: rung.append(number))
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            check_laws(Shapes(), Board(5))
            until = time.monotonic() + 10
            while not rung and time.monotonic() < until:
                time.sleep(0.01)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        assert rung


class TestNoise:
    def test_noise_ends_in_a_law_with_a_name(self) -> None:
        error = failure(mutants.NoiseOneInFifty())
        assert error.law is answers_repeat and "range(10000)" in str(error)

    def test_the_random_numbers_of_the_caller_go_on_as_before(self) -> None:
        random.seed(5)
        wanted = [random.random() for _ in range(2)]
        random.seed(5)
        first = random.random()
        check_evaluator(Shapes(), max_examples=3, max_side=6)
        assert [first, random.random()] == wanted


class Scaled(Shapes):
    """An evaluator made with an argument, wrong from a certain number of stones on."""

    def __init__(self, stones: int) -> None:
        self.stones = stones

    def score(self, board: Board) -> int:
        return super().score(board) + (len(board) >= self.stones)


class Named(Scaled):
    """The same, with a repr that rebuilds it."""

    def __repr__(self) -> str:
        return f"Named({self.stones})"


class Inside:
    """A class that holds one."""

    class Scaled(Scaled):
        """To be imported through its outer class."""


class LastMove(Shapes):
    """Depends on the moves that were played, which a board does not show."""

    def score(self, board: Board) -> int:
        return super().score(board) + (board.moves[-1].cell.row == 1 if board.moves else 0)


@law
def few_stones_are_worth_little(evaluator: Any, board: Board, cells: Any) -> None:
    """A stone is worth at most ten points."""
    assert abs(evaluator.score(board)) <= 10 * len(board), f"{evaluator.score(board)} points"


def no_more_than_a_hundred(evaluator: Any, board: Board, cells: Any) -> None:
    assert evaluator.score(board) <= 100


class TestRepeating:
    @pytest.mark.parametrize("evaluator", [Scaled(3), Named(2), Inside.Scaled(1)], ids=lambda it: type(it).__qualname__)
    def test_constructor_arguments_are_in_the_line(self, evaluator: Scaled, tmp_path: Path) -> None:
        line = line_of(failure(evaluator, laws="colours are alike", max_side=7))
        assert ("Named(" in line) == isinstance(evaluator, Named)
        assert outcomes([line], tmp_path) == ["repeated"]

    def test_moves_that_were_played_are_in_the_line(self, tmp_path: Path) -> None:
        line = line_of(failure(LastMove(), laws=["colours are alike", "the eight symmetries are alike"], max_side=7))
        assert "board.push('" in line
        assert outcomes([line], tmp_path) == ["repeated"]

    def test_the_other_evaluator_is_in_the_line(self, tmp_path: Path) -> None:
        line = line_of(failure(Shapes(), laws=[agrees_with(Scaled(4))], max_side=7))
        assert outcomes([line], tmp_path) == ["repeated"]

    def test_an_evaluator_that_nobody_can_import_is_named(self) -> None:
        class Local(Scaled):
            pass

        line = line_of(failure(Local(2), laws="colours are alike", max_side=7))
        assert line.endswith("# your_local stands for your Local, which no other file can import")
        with pytest.raises(LawBrokenError):
            exec(line, {"your_local": Local(2)})

    def test_a_table_read_from_a_file_is_written_out(self, tmp_path: Path) -> None:
        toml = 'name = "level"\nscan = "line"\n[[pattern]]\nshape = "two"\ntext = "oox"\nscore = 5\n'
        (tmp_path / "level.toml").write_text(toml)
        evaluator = as_evaluator(tmp_path / "level.toml")
        error = failure(evaluator, laws=[agrees_with("grade_dict")], max_side=7)
        assert outcomes([line_of(error)], tmp_path) == ["repeated"]


class TestOwnLaws:
    """A law of one's own is a function of three lines."""

    def test_with_the_decorator(self, tmp_path: Path) -> None:
        error = failure(Shapes(), laws=few_stones_are_worth_little, max_side=7)
        assert str(error).startswith("law 'few stones are worth little' does not hold for shapes: ")
        assert re.search(r"for shapes: .*\d+ points", str(error))
        assert few_stones_are_worth_little.says == "A stone is worth at most ten points."
        assert outcomes([line_of(error)], tmp_path) == ["repeated"]

    def test_a_plain_function_beside_the_built_in_laws(self, tmp_path: Path) -> None:
        error = failure(Shapes(), laws=[*LAWS, no_more_than_a_hundred], max_side=7)
        assert error.law.name == "no more than a hundred"
        assert outcomes([line_of(error)], tmp_path) == ["repeated"]

    def test_the_picture_shows_the_smallest_board(self) -> None:
        error = failure(mutants.WrongAfterTwentyMoves(), laws="incremental equals scratch")
        assert error.board is not None and len(error.played) == 21
        picture = error.picture(size=200)
        assert picture.startswith("<svg") and ">21<" in picture
