"""The source's search on its own levels: what it finds and how its games end is recorded, and has to stay.

It wins nineteen of the twenty against itself. On level 13 its first move could still win, but it loses in six plies.
"""

from __future__ import annotations

import time

import pytest

from gomoku_patterns import Cell
from puzzles import Level, judge, load, replay
from search import Limit, minmax, player

LEVELS = list(load("huanle"))


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_the_search_finds_what_is_recorded(level: Level) -> None:
    result = minmax(level.board, "grade_dict", Limit(depth=level.depth or 5))
    found = {"move": list(result.move or ()), "score": result.score, "nodes": result.nodes}
    assert found == {key: level.recorded[key] for key in found}


@pytest.mark.parametrize("level", LEVELS, ids=str)
def test_the_game_against_itself_ends_as_is_recorded(level: Level) -> None:
    game = replay(level, "minmax", "minmax")
    assert (str(game.winner), len(game.plies)) == (level.recorded["winner"], level.recorded["plies"])
    assert list(game.moves[0]) == level.recorded["move"]
    assert judge(game).solved == (level.number != 13)


def test_black_wins_nineteen_of_the_twenty() -> None:
    assert [level.number for level in LEVELS if level.recorded["winner"] != "black"] == [13]
    lost = next(level for level in LEVELS if level.number == 13)
    game = replay(lost, "minmax", "minmax")
    assert game.moves[0] == Cell(4, 10)
    assert str(judge(game)) == "failed: white wins in 6 plies"


def test_published_figures() -> None:
    figures = {level.number: tuple(level.recorded[key] for key in ("move", "score", "nodes")) for level in LEVELS}
    assert figures[16] == ([6, 7], 3720, 3941)
    assert figures[1] == ([3, 8], -20, 506)
    assert figures[2] == ([10, 7], 240, 650)


def test_all_twenty_levels_take_less_than_a_second() -> None:
    searcher = player("minmax")
    searcher.search(LEVELS[0].board, Limit(depth=1))
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for level in LEVELS:
            searcher.search(level.board, Limit(depth=level.depth or 5))
        times.append(time.perf_counter() - start)
    assert min(times) < 1
