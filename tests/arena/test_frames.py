"""Solutions, search results, levels, attempts, games, reviews and ladders are rows."""

from __future__ import annotations

from pathlib import Path

import pytest

import puzzles
from arena import Ladder, LadderPlan, Log, MatchPlan, play_match, read_games, workers
from gomoku_patterns import Board, read_position
from gomoku_patterns.frames import rows_of
from search import Limit, player, solve


def test_what_searches_find() -> None:
    level = puzzles.load("huanle").level(16)
    (row,) = rows_of(solve(level.board, Limit(nodes=10_000)))
    assert (row["status"], row["move"], row["length"]) == ("proven", "h9", 7)
    assert str(row["line"]).split()[0] == "h9" and len(str(row["line"]).split()) == 7
    (row,) = rows_of(solve(Board(5), Limit(nodes=100)))
    assert row["move"] is row["line"] is None
    (row,) = rows_of(player("minmax").search(level.board, Limit(depth=2)))
    assert row["depth"] == 2 and {"row", "col", "score", "nodes"} <= row.keys()


def test_levels_and_attempts() -> None:
    suite = puzzles.load("huanle")
    assert [row["number"] for row in rows_of(suite)] == list(range(1, 21))
    rows = list(rows_of(map(puzzles.attempt, list(suite)[:2])))
    assert [row["verdict"] for row in rows] == ["accepted", "accepted"]


def test_games_and_their_moves(tmp_path: Path) -> None:
    plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(5),))
    with Log(tmp_path / "games.jsonl", plan.header()) as log, workers() as pool:
        play_match(plan, pool, log=log)
    games = list(rows_of(read_games(tmp_path / "games.jsonl")))
    moves = list(rows_of(read_games(tmp_path / "games.jsonl"), positions=True))
    assert [game["game"] for game in games] == [1, 2]
    assert len(moves) == sum(game["plies"] for game in games) and moves[0]["cells"] == "/".join(["....."] * 5)


def test_reviews_and_ladders() -> None:
    rows = list(rows_of(puzzles.review(read_position("h8 h9 i9", format="moves"), Limit(nodes=200))))
    assert [row["move"] for row in rows] == ["h8", "h9", "i9"]
    ladder = Ladder(LadderPlan(("grade_dict", "outcome"), searches=(), pairs=0, speed=0.001))
    with workers() as pool:
        ladder.run(pool)
    rows = list(rows_of(ladder))
    assert [row["evaluator"] for row in rows] == ["grade_dict", "outcome"]
    assert all(row["speed.batch.median"] > 0 for row in rows)
    pandas = pytest.importorskip("pandas")
    from gomoku_patterns import to_frame

    assert isinstance(to_frame(ladder), pandas.DataFrame)
