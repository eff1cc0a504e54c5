"""Figures are declared once: the same ones are printed and given to pytest-benchmark, in groups with their peers."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import bench_solver, hard
from benchmarks.__main__ import main as run_suites
from benchmarks.figures import SUITES, Figure, Seconds, fastest, report
from gomoku_patterns import Board

ROOT = Path(__file__).parent.parent

SUITE = """
import pytest
from benchmarks.figures import Figure, Seconds
from benchmarks.test_figures import CLOCK, recorded

@pytest.mark.benchmark(timer=CLOCK)
def test_suite(benchmark):
    ours = Seconds([0.5, 0.25, 0.75])
    figures = [Figure("a piece", ours, "a peer", 4.0, 2), Figure("a piece", ours, "another", Seconds([1.0, 2.0]), 5),
               Figure("a move", 0.001, "a promise", 0.002, 1, "in haste")]
    missed = recorded(benchmark, figures)
    assert len(missed) == 1 and "MISSED" in missed[0] and "another" in missed[0]
"""


def test_figures_become_groups_with_all_their_rounds(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(SUITE)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", "--rootdir", str(tmp_path)]
    command += ["-o", f"pythonpath={ROOT}", "-o", "markers=slow", "--benchmark-json=out.json", "test_some.py"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    done = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {(one["group"], one["name"]): one for one in json.loads((tmp_path / "out.json").read_text())["benchmarks"]}
    assert set(found) == {
        ("a piece", "ours"),
        ("a piece", "a peer"),
        ("a piece", "another"),
        ("a move", "ours"),
        ("a move", "a promise"),
    }
    ours = found["a piece", "ours"]
    assert (ours["stats"]["min"], ours["stats"]["median"], ours["stats"]["rounds"]) == (0.25, 0.5, 3)
    assert ours["extra_info"]["ratio"] == 16 and found["a move", "ours"]["extra_info"]["note"] == "in haste"
    assert len({one["fullname"] for one in found.values()}) == len(found)


def test_every_suite_has_figures() -> None:
    files = {path.stem.removeprefix("bench_") for path in (ROOT / "benchmarks").glob("bench_*.py")}
    assert files - set(SUITES) == {"cluster", "server"}  # which start many processes, and are asked for by themselves
    for suite in SUITES:
        assert callable(importlib.import_module(f"benchmarks.bench_{suite}").figures)


@pytest.mark.smoke
@pytest.mark.parametrize("suite", SUITES)
def test_every_suite_runs(suite: str) -> None:
    """A small part of each suite with all its answers checked; the figures mean nothing."""
    command = [sys.executable, "-W", "error", "-m", "benchmarks", "--smoke", suite]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and " x  (at least " in done.stdout, done.stdout + done.stderr


def test_a_smoke_run_forgives_no_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """It forgives a ratio that was missed, and nothing else."""
    monkeypatch.setenv("GOMOKU_SMOKE", "1")
    assert report([Figure("a", 1.0, "b", 1.0, 30)])
    monkeypatch.setattr(bench_solver, "solved", lambda *_: pytest.fail("wrong"))
    with pytest.raises(pytest.fail.Exception, match="wrong"):
        run_suites(["--smoke", "solver"])


def test_an_engine_is_measured_in_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twenty levels by ours and by an engine, here our own brain."""
    monkeypatch.setattr(bench_solver, "LEVELS", bench_solver.LEVELS[:1])
    monkeypatch.setenv("GOMOKU_SMOKE", "1")
    brain = f"{sys.executable} -m gomoku brain"
    figure = bench_solver.against_engine(brain, "(black|white) wins in")
    assert figure.against.startswith(brain) and figure.ours > 0 and figure.theirs >= 0
    with pytest.raises(SystemExit, match="said within"):
        bench_solver.against_engine(f"{brain} --player mcts", "nothing of the kind")


def test_every_script_of_the_benchmarks_can_be_imported() -> None:
    scripts = sorted(path.stem for path in (ROOT / "benchmarks").glob("*.py") if "def main(" in path.read_text())
    assert {"bench_server", "tune_engine", "make_hard", "calibrate_puzzles", "external"} <= set(scripts)
    scripts.remove("__main__")
    for script in scripts:
        importlib.import_module(f"benchmarks.{script}")


def test_no_source_in_c_is_ignored_by_git() -> None:
    """Only what Cython makes of a .pyx file is."""
    if not (ROOT / ".git").exists():
        pytest.skip("git knows nothing of an unpacked sdist")
    listed = ["git", "ls-files", "--others", "--ignored", "--exclude-standard", "*.c", "*.h", "*.pyx", "*.pxd"]
    ignored = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    own = [name for name in ignored if not name.startswith((".venv/", "build/"))]
    assert [name for name in own if not (ROOT / name).with_suffix(".pyx").exists()] == []


def test_a_time_keeps_its_rounds() -> None:
    taken = fastest(lambda: sum(range(100)), seconds=0.01, pieces=100)
    assert isinstance(taken, Seconds) and float(taken) == min(taken.rounds) and len(taken.rounds) > 10


def test_a_figure_says_whether_it_was_reached(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = Figure("a", 1.0, "b", 20.0, 10), Figure("a", 1.0, "b", 20.0, 30, "on a busy machine")
    assert report([good]) and not report([good, bad])
    said = capsys.readouterr().out.splitlines()
    assert "20 x  (at least 10: reached)  a: 1 s against 20 s for b" in said[0]
    assert "(at least 30: MISSED)  a (on a busy machine): " in said[2]


def test_hard_wins_are_measured_by_processor_time() -> None:
    found = hard.problems()
    assert len(found) == len({problem.board for problem in found}) > 30
    assert all(problem.board.winner() is None for problem in found)
    assert 10 < sum(problem.known for problem in found) < len(found) - 10
    values = [json.loads(line) for line in hard.FILE.read_text(encoding="utf-8").splitlines()]
    easiest = min((number for number, one in enumerate(found) if one.known), key=lambda number: values[number]["nodes"])
    taken = hard.ours(found[easiest].board, 5.0)
    assert taken is not None and 0 < taken < 5
    assert hard.ours(found[easiest].board, 0.000001) is None


def test_an_engine_is_believed_when_it_says_that_it_wins() -> None:
    board = Board(9, black=["c5", "d5", "e5"], white=["c4", "d4", "f8"])
    brain = [sys.executable, "-m", "gomoku", "brain"]
    taken = hard.theirs(brain, re.compile("black wins in"), board, 5.0)
    assert taken is not None and 0 <= taken < 5
    assert hard.theirs(brain, re.compile("a win is claimed"), board, 5.0) is None
    assert hard.theirs([*brain, "--player", "mcts"], re.compile("nothing of the kind"), Board(15), 0.3) is None


def test_what_was_measured_is_summed_up() -> None:
    ours, theirs = [1.0, None, 3.0, 0.5], [2.0, 4.0, None, 0.5]
    first, second, both = hard.lines({"ours": ours, "theirs": theirs}, 5.0)
    assert "3 of 4, 75%" in first and "PAR-2 3.62 s" in first
    assert "3 of 4, 75%" in second and "PAR-2 4.12 s" in second
    assert "ours alone 1, theirs alone 1; ours 0.50 s ahead" in both
