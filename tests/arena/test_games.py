"""Games read back from logs and files: every move with what its player said, every position with the result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena import Ladder, LadderPlan, Log, MatchPlan, TimeControl, play_match, read_games, workers
from arena.games import MOVE_COLUMNS
from gomoku_patterns import BLACK, WHITE, Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.notation.sgf import sgf_text
from search import Limit

PLAN = MatchPlan(
    ("minmax:depth=1", "random:seed=3"),
    (Board(black=["h8"], white=["h9"]),),
    pairs=2,
    time_control=TimeControl(Limit(depth=1)),
)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    with Log(path, PLAN.header()) as log, workers() as pool:
        play_match(PLAN, pool, log=log)
    return path


def test_a_game_says_what_the_log_says(log: Path) -> None:
    records = {record["unit"]: record for record in map(json.loads, log.read_text().splitlines()[1:])}
    games = list(read_games(log))
    assert len(games) == PLAN.games == len(records)
    for game in games:
        record = records[game.number - 1]
        assert [game.opening.name(move.cell) for move in game.moves] == record["moves"]
        assert [move.score for move in game.moves] == record["scores"]
        assert [move.seconds for move in game.moves] == record["seconds"]
        assert (game.black, game.white, game.result) == (record["black"], record["white"], record["result"])
        assert game.record() == {key: value for key, value in record.items() if key in game.record()}
        assert game.board.winner() is game.winner is not None


def test_every_position_knows_its_move_and_what_its_side_got(log: Path) -> None:
    for game in read_games(log):
        board = game.opening.copy(moves=False)
        *positions, last = game.positions()
        for position in positions:
            assert position.board == board and position.move is not None
            assert position.points == (1.0 if board.turn is game.winner else 0.0)
            board.push(position.move)
        assert last.board == board == game.board and last.move is None
        assert len(list(game.position_rows())) == len(game.moves)


def test_no_two_games_of_a_reading_have_the_same_number(tmp_path: Path, log: Path) -> None:
    """Grouped by their numbers, games of two round robins or of two files stay apart."""
    path = tmp_path / "ladder.jsonl"
    chosen = LadderPlan(
        ("grade_dict", "outcome", "level"), "huanle", (), pairs=2, nodes=20, seconds=0.002, speed=0, size=7,
        positions=1, game_search="minmax:depth=1",
    )  # fmt: skip
    ladder = Ladder(chosen)
    with Log(path, ladder.header()) as kept, workers() as pool:
        ladder.run(pool, kept)
    games = list(read_games(path))
    assert sorted(game.number for game in games) == list(range(1, 25))
    assert {(game.match, game.number > 12) for game in games} == {("nodes", False), ("seconds", True)}
    both = list(read_games(path, log))
    assert len({game.number for game in both}) == len(both) == 24 + PLAN.games
    rows = [row for game in both for row in game.position_rows()]
    assert {row["match"] for row in rows} == {"nodes", "seconds", ""} and set(rows[0]) == set(MOVE_COLUMNS)
    assert {game.row()["file"] for game in both} == {str(path), str(log)}


def test_a_ladders_log_holds_games_too(tmp_path: Path) -> None:
    path = tmp_path / "ladder.jsonl"
    ladder = Ladder(LadderPlan(("grade_dict", "outcome"), "huanle", (), pairs=1, nodes=20, seconds=None, speed=0))
    with Log(path, ladder.header()) as log, workers() as pool:
        ladder.run(pool, log)
    games = list(read_games(path))
    assert [game.number for game in games] == [1, 2]
    assert {game.black for game in games} == {f"minmax:fives=rules,table={name}" for name in ("grade_dict", "outcome")}


def test_games_of_other_notations_are_read_alike(log: Path, tmp_path: Path) -> None:
    trees = [game.tree() for game in read_games(log)]
    (tmp_path / "games.sgf").write_text("".join(map(sgf_text, trees)))
    pairs = list(zip(read_games(log), read_games(tmp_path / "games.sgf"), strict=True))
    for ours, theirs in pairs:
        assert (ours.black, ours.white, ours.result, ours.board) == (
            theirs.black,
            theirs.white,
            theirs.result,
            theirs.board,
        )
        assert theirs.moves[-1].cell == ours.moves[-1].cell


def test_set_up_stones_are_an_opening_and_a_pass_ends_the_moves(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text("(;GM[4]SZ[15]AB[hh]AW[hg];B[ii];W[jj])(;GM[4]SZ[15];B[hh];W[];B[ii])")
    puzzle, passed = read_games(tmp_path / "a.sgf")
    assert puzzle.opening == Board(black=["h8"], white=["h9"]) and len(puzzle.moves) == 2
    assert passed.moves == () and passed.opening == Board(black=["h8", "i7"], turn=WHITE)
    assert puzzle.winner is None and puzzle.points(BLACK) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"result": "both"}, "the result is 'both'"),
        ({"moves": ["h8"]}, "not a game of a match"),
        ({"moves": "h7"}, "the moves are 'h7'"),
        ({"opening": {}}, "no 'rows'"),
    ],
)
def test_an_edited_log_is_refused_by_its_line(log: Path, tmp_path: Path, change: dict[str, object], said: str) -> None:
    lines = log.read_text().splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | change)
    edited = tmp_path / "edited.jsonl"
    edited.write_text("\n".join(lines) + "\n")
    with pytest.raises(ArenaError, match=rf"edited\.jsonl:3: not a game of a match: .*{said}|{said}"):
        list(read_games(edited))


def test_a_line_that_was_cut_is_left_out(log: Path, tmp_path: Path) -> None:
    (tmp_path / "cut.jsonl").write_bytes(log.read_bytes()[:-20])
    assert len(list(read_games(tmp_path / "cut.jsonl"))) == PLAN.games - 1
