"""Players' moves judged by one that thinks longer: who is worse shows, and nothing is asked twice."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from arena.log import Log
from arena.match import MatchPlan, play_match
from arena.pools import workers
from benchmarks import judged
from gomoku_patterns import Board
from search import SearchResult

GAMES = ("h8i9j7g10i8h7k8j8i6g8l9", "h8h9i9g7j10k11g10i8j8")


@pytest.fixture
def games(tmp_path: Path) -> str:
    file = tmp_path / "games.txt"
    file.write_text("\n".join(GAMES) + "\n")
    return str(file)


def told(games: str, capsys: pytest.CaptureFixture[str], *more: str) -> list[str]:
    status = judged.main([games, "--nodes", "300", "--judge-nodes", "1500", "--positions", "8", *more])
    out = capsys.readouterr()
    assert status == 0, out.err
    return out.out.splitlines()


def test_chance_plays_worse_than_the_engine(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(games, capsys, "--players", "engine", "random:seed=3")
    assert lines[0].startswith("| 8 positions |") and lines[2].startswith("| engine | 0.")
    spec, more, other = lines[3].strip("| ").split(" | ")
    assert spec == "random:seed=3" and float(more.split()[0]) < -0.05 and int(other) >= 6


def test_the_interval_counts_openings() -> None:
    """Twenty positions of games from two openings are two results, and of one opening there is no interval."""
    plan = judged.Plan(("a", "b"), 10, "engine", 10, 100.0, False)
    better = [judged.Verdict(("h8", "h9"), (0.5, 0.5 + 0.1 * (number % 2)), {}) for number in range(20)]
    errors = [
        judged.report(plan, [(number % count, one) for number, one in enumerate(better)]).split("± ")[1].split(" ")[0]
        for count in (1, 2, 20)
    ]
    assert errors[0] == "∞" and float(errors[1]) > 4 * float(errors[2]) > 0


def test_games_from_one_opening_have_one_number(tmp_path: Path) -> None:
    """Turned openings are the same one; games that begin on the empty board have openings of their own."""
    plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(7, black=["c3"]),), 4)
    with Log(tmp_path / "log.jsonl", plan.header()) as log, workers() as pool:
        play_match(plan, pool, log=log)
    assert {number for number, _ in judged.positions([str(tmp_path / "log.jsonl")], 1)} == {0}
    (tmp_path / "games.txt").write_text("\n".join(GAMES) + "\n")
    assert {number for number, _ in judged.positions([str(tmp_path / "games.txt")], 1)} == {0, 1}


def test_who_plays_the_same_is_as_good(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = told(games, capsys, "--players", "minmax:depth=1", "minmax:depth=1,table=grade_dict")
    assert lines[3] == "| minmax:depth=1,table=grade_dict | +0.0000 ± 0.0000 | 0 |"


def test_the_jobs_do_not_matter(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    players = ("--players", "engine", "level")
    assert told(games, capsys, *players) == told(games, capsys, *players, "-j", "2")


def test_a_log_answers_what_was_asked_before(
    games: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log = ("--log", str(tmp_path / "answers.jsonl"))
    first = told(games, capsys, *log, "--players", "engine", "level")
    asked: list[str] = []
    search = judged._search

    def noted(spec: str, board: Board, nodes: int) -> SearchResult:
        asked.append(spec)
        return search(spec, board, nodes)

    monkeypatch.setattr(judged, "_search", noted)
    assert told(games, capsys, *log, "--players", "engine", "level") == first
    assert asked == []
    assert told(games, capsys, *log, "--players", "engine", "level", "two_ply")[:4] == first
    assert asked.count("two_ply") == 8 and set(asked) <= {"two_ply", "engine"}


def test_hard_positions_are_those_on_which_the_judge_changes_its_mind() -> None:
    plan = judged.Plan(("level",), 100, "minmax:depth=1", 50, 800, hard=True)
    board = Board(black=["h8", "i9"], white=["h9", "g7"])
    calm = judged.verdict(plan, judged.Position(0, board, {}))
    assert calm.moves == ()  # one ply is the same whatever the nodes
    torn = judged._Asking({})
    first = torn.think(plan.judge, board, 5)
    changed = {key: first | {"move": "a1"} for key in torn.asked}
    assert judged.verdict(plan, judged.Position(0, board, changed)).moves != ()


def test_a_decided_position_is_left_out() -> None:
    plan = judged.Plan(("level",), 100, "engine", 500, 80, hard=False)
    even = Board(black=["h8", "i9"], white=["h9", "g7"])
    won = Board(black=["h8", "i8", "j8"], white=["a1", "a15", "o1"])
    assert judged.verdict(plan, judged.Position(0, even, {})).moves != ()
    assert judged.verdict(plan, judged.Position(0, won, {})).moves == ()


def test_where_nothing_is_open_there_is_nothing_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "won.sgf"
    file.write_text("(;GM[4]SZ[15]AB[hh][ih][jh]AW[aa][ao][oa];B[gh])")
    assert judged.main([str(file), "--nodes", "50", "--judge-nodes", "500"]) == 1
    assert "no position" in capsys.readouterr().err


def test_fewer_positions_than_were_asked_for_are_named(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    shared = [games, "--nodes", "10", "--judge-nodes", "10", "--positions"]
    assert judged.main([*shared, "2"]) == 0
    assert capsys.readouterr().err == ""
    assert judged.main([*shared, "100"]) == 0
    out = capsys.readouterr()
    count = int(out.out.split()[1])
    assert 2 < count < 100 and out.err == f"only {count} positions of these games count; 100 were asked for\n"


def test_a_win_is_certain_and_a_five_ends_the_game() -> None:
    plan = judged.Plan(("solver",), 500, "engine", 500, 80, hard=False)
    board = Board(black=["h8", "i8", "j8", "k8"], white=["a1", "a15", "o1", "g8"])
    asking = judged._Asking({})
    assert asking.chance(plan, board) == 1.0
    board.push("l8")
    assert asking.chance(plan, board) == 0.0


@pytest.mark.parametrize(
    ("more", "status", "said"),
    [
        (("--players", "engin"), 2, "engine"),
        (("--judge", "cmd:./nobody"), 2, "nobody"),
        (("--players", "engine:table=nothing.toml"), 2, "nothing.toml"),
    ],
)
def test_what_cannot_be_asked_is_named(
    games: str, more: tuple[str, ...], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged.main([games, "--nodes", "50", "--judge-nodes", "50", *more]) == status
    assert said in capsys.readouterr().err


def test_numbers_below_one_are_refused(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        judged.main([games, "--positions", "0"])
    assert "expected 1 or more, found '0'" in capsys.readouterr().err


def test_an_engine_of_somebody_else_is_asked_too(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    brain = "cmd:" + shlex.join([sys.executable, "-m", "gomoku", "brain", "--player", "minmax:depth=1"])
    lines = told(games, capsys, "--players", "minmax:depth=1", brain, "--positions", "2")
    assert lines[3].endswith("| +0.0000 ± 0.0000 | 0 |")
