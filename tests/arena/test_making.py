"""Runs of the maker: the same with any number of workers, and after a break."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.making import Making
from gomoku_patterns.errors import ArenaError
from puzzles import write
from puzzles.maker import MakePlan
from puzzles.soundness import canonical

PLAN = MakePlan(seed=8, sources=("shapes",), fewest=7)


def made(run: Making) -> list[tuple[object, ...]]:
    for _ in run.results():
        pass
    return [(level.number, level.position, level.line, level.band, level.tags) for level in run.levels]


@pytest.fixture(scope="module")
def whole() -> list[tuple[object, ...]]:
    return made(Making(PLAN, 4))


def test_two_workers_make_the_same_puzzles_as_one(whole: list[tuple[object, ...]]) -> None:
    assert made(Making(PLAN, 4, jobs=2)) == whole
    assert [row[0] for row in whole] == [1, 2, 3, 4]


def test_a_run_that_was_broken_off_goes_on_from_its_log(whole: list[tuple[object, ...]], tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    first = Making(PLAN, 4, log=log)
    for _ in first.results():
        break
    assert 0 < first.kept < 4
    again = Making(PLAN, 4, log=log)
    assert made(again) == whole
    assert again.units > first.units
    done = Making(PLAN, 4, log=log)
    assert made(done) == whole
    with pytest.raises(ArenaError, match="plan is"):
        made(Making(MakePlan(seed=9), 6, log=log))


def test_no_puzzle_is_there_twice(whole: list[tuple[object, ...]]) -> None:
    run = Making(PLAN, 4)
    made(run)
    assert len({canonical(level.position) for level in run.levels}) == 4
    tests = run.summary()["tests"]["shapes"]
    assert tests["kept"] == 4


def test_a_log_that_was_edited_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    run = Making(PLAN, 1, log=log)
    made(run)
    lines = log.read_text().splitlines()
    log.write_text("\n".join([lines[0], lines[1].replace('"unit": 0', '"unit": 7')]) + "\n")
    with pytest.raises(ArenaError, match="unit 0 was expected here, not 7"):
        made(Making(PLAN, 1, log=log))
    log.write_text(lines[0] + '\n{"unit": "x"}\n')
    with pytest.raises(ArenaError, match="this is not a unit of made puzzles"):
        made(Making(PLAN, 1, log=log))


def test_puzzles_are_found_in_games_of_files(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[4]SZ[15];B[hh];W[hi];B[gg];W[ii];B[ff];W[jj];B[ig];W[ee])")
    run = Making(MakePlan(fewest=3), None, games=[str(file)])
    made(run)
    assert sum(run.tests["games"].values()) > 0
    with pytest.raises(ArenaError, match="say how many puzzles to make"):
        Making(MakePlan(), None)


def test_what_was_made_is_written_and_read_again(tmp_path: Path) -> None:
    from puzzles import read

    run = Making(PLAN, 3)
    made(run)
    write(tmp_path / "s.toml", run.levels)
    assert list(read(tmp_path / "s.toml")) == run.levels


def test_a_run_without_a_puzzle_gives_up_and_says_after_how_many_candidates(tmp_path: Path) -> None:
    plan = MakePlan(seed=8, sources=("shapes",), fewest=61, most=99, nodes=100, glance=10)
    run = Making(plan, 1, patience=50, log=tmp_path / "log")
    assert list(run.results()) and run.gave_up and run.kept == 0
    assert 50 <= run.barren == sum(sum(tests.values()) for tests in run.tests.values())
    again = Making(plan, 1, patience=50, log=tmp_path / "log")
    assert list(again.results()) == [] and again.gave_up
