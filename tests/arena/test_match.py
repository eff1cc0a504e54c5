"""Matches: every game once, whatever happens; standings that add up."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from arena.agreements import DrawAgreement, Resignation
from arena.log import Log
from arena.match import MatchPlan, plan_of_header, play_match
from arena.openings import random_openings
from arena.pools import workers
from arena.ratings import PairResult, ratings
from arena.records import pgn, sgf, write_psq, write_sgf
from arena.scoreboard import match_json, match_view
from arena.standings import Standings
from arena.statistics import Sprt, Tally
from arena.time_control import TimeControl
from arena.time_used import TimeUsed
from benchmarks import strength
from gomoku_patterns import Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.notation import read_positions
from search import Limit, Player, SearchResult, register_player
from search.players import unregister_player

RANDOM = ("random:seed=1", "random:seed=2", "random:seed=3")


def plan(players: tuple[str, ...] = RANDOM, pairs: int = 3, **options: object) -> MatchPlan:
    return MatchPlan(players, options.pop("openings", (Board(6), Board(6, black=["c3"]))), pairs, **options)


def played(standings: Standings) -> dict[int, tuple[object, ...]]:
    """The games without what the clock adds."""
    return {unit: (record["result"], *record["moves"]) for unit, record in standings.records.items()}


def run(match: MatchPlan, jobs: int = 1, **options: object) -> Standings:
    with workers(jobs) as pool:
        return play_match(match, pool, **options)


def test_everybody_meets_everybody_on_every_opening_with_both_colours() -> None:
    openings = tuple(Board(6, black=[cell]) for cell in ("c3", "b2", "a1"))
    units = list(plan(openings=openings).units())
    assert [unit["unit"] for unit in units] == list(range(18))
    meetings = {(unit["black"], unit["white"], json.dumps(unit["opening"])) for unit in units}
    assert len(meetings) == 18
    for one, other in zip(units[::2], units[1::2], strict=True):
        assert one["opening"] == other["opening"]
        assert (one["black"], one["white"]) == (other["white"], other["black"])


def test_a_gauntlet_is_the_first_against_the_others() -> None:
    units = list(plan(gauntlet=True).units())
    assert len(units) == 12 and all(RANDOM[0] in (unit["black"], unit["white"]) for unit in units)


def test_a_gauntlet_of_two_seeds_leaves_out_their_own_games() -> None:
    four = (*RANDOM, "random:seed=4")
    assert plan(four, gauntlet=2).pairings == [(0, 2), (0, 3), (1, 2), (1, 3)]
    with pytest.raises(ArenaError, match="a gauntlet of 3 players has from 1 seed, not 3"):
        plan(gauntlet=3)


def test_results_call_players_by_their_names() -> None:
    players = ("random:seed=1 @ name=One", "random:seed=2 @ name=Two, nodes=5", "random:seed=3 @ name=Two")
    assert plan(players).names == ["One", *players[1:]]


def test_a_header_says_all_that_decides_the_games() -> None:
    match = plan(("random @ nodes=5", "random"), gauntlet=1, resign=Resignation(3, 500), draw=DrawAgreement(4, 10, 30))
    assert plan_of_header(json.loads(json.dumps(match.header()))) == match


def _tags(game: str) -> dict[str, str]:
    return dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.MULTILINE))


def test_pgn_has_a_game_with_its_result_for_every_game_that_counts() -> None:
    """As rating programs read it: tags, then the result as the last word; what is no chess is a comment."""
    standings = run(plan(('random:seed=1 @ name=Dr. "X"', "random:seed=2"), openings=(Board(5, black=["c3"]),)))
    records = [*standings.records.values()]
    games = pgn([*records, {**records[0], "result": None}]).strip().split("\n\n[")
    assert len(games) == len(records) == 6
    for game, record in zip(games, records, strict=True):
        tags = _tags(game if game.startswith("[") else f"[{game}")
        assert tags["Result"] == {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}[record["result"]]
        assert {tags["White"], tags["Black"]} == {'Dr. \\"X\\"', "random:seed=2"}
        assert game.split()[-1] == tags["Result"] and game.count("{") == game.count("}") == 1


def test_used_up_openings_come_again_turned() -> None:
    match = plan(openings=(Board(6, black=["a2"]),), pairs=8)
    stones = {match.opening(lap).flat for lap in range(8)}
    assert len(stones) == 8
    oblong = plan(openings=(Board(5, 6, black=["a2"]),), pairs=4)
    assert {(match.rows, match.cols) for match in map(oblong.opening, range(4))} == {(5, 6)}


def test_tallies_agree_with_the_records() -> None:
    standings = run(plan())
    assert standings.games == 18
    for first, second in plan().pairings:
        tally = standings.tally(first, second)
        assert tally.games == 6 and sum(tally.pairs) == 3
        assert standings.tally(second, first) == tally.reversed
    assert sum((standings.total(player).points for player in range(3)), 0.0) == 18
    assert sum(standings.reasons.values()) == 18


def test_workers_play_the_same_games_as_this_process() -> None:
    assert played(run(plan(), jobs=2)) == played(run(plan()))


def test_a_run_goes_on_exactly_from_its_log(tmp_path: Path) -> None:
    """Stopped after every possible number of games, in the middle of a line: the same games in the end, each once."""
    match, path = plan(pairs=2), tmp_path / "match.jsonl"
    with Log(path, match.header()) as kept:
        whole = run(match, log=kept)
    data = path.read_bytes()
    ends = [index + 1 for index, byte in enumerate(data) if byte == ord("\n")]
    for end in ends[::3]:
        path.write_bytes(data[: end + 25])
        with Log(path, match.header()) as kept:
            again = run(match, log=kept)
        assert played(again) == played(whole)
        units = [json.loads(line)["unit"] for line in path.read_text().splitlines()[1:]]
        assert sorted(units) == list(range(match.games))


def test_the_match_against_the_source_systems_keeps_a_log_and_goes_on_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "strength.jsonl"
    asked = ["--first", "minmax:depth=1", "--against", "random", "--pairs", "1", "--nodes", "50", "--log", str(path)]
    strength.main(asked)
    kept, first = path.read_bytes(), capsys.readouterr().out
    strength.main(asked)
    assert (path.read_bytes(), capsys.readouterr().out) == (kept, first)
    assert len(kept.splitlines()) == 3, "a header and two games"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: record.pop("moves"), "a game without its opening or moves"),
        (
            lambda record: record.update(black="random:seed=3"),
            "in game 0 black is 'random:seed=1', not",
        ),
        (lambda record: record.update(unit=99), "there is no game 99 in a match with games 0 to"),
        (lambda record: record.pop("result"), "game 0 has no result with its reason"),
        (lambda record: record["opening"].pop("moves"), "game 0: not a game of a match: no 'moves'"),
        (lambda record: record["opening"].update(rule=[]), r"game 0: .*\[\] is not a valid Rule"),
        (lambda record: record.update(seconds=5), "game 0: .*'seconds' is 5, not a list"),
        (lambda record: record.update(nodes=["many"]), r"game 0: .*'nodes' is \['many'\], not a list"),
        (lambda record: record.update(moves=[[], {}]), "game 0: not a game of a match"),
        (lambda record: record.update(detail=7), "game 0: .*'detail' is 7, not a text"),
        (lambda record: record.pop("black"), "game 0: .*no 'black'"),
    ],
)
def test_a_log_that_was_edited_is_named(
    tmp_path: Path, change: Callable[[dict[str, object]], object], message: str
) -> None:
    log, match = tmp_path / "games.jsonl", plan(RANDOM[:2], pairs=1)
    with Log(log, match.header()) as kept:
        run(match, log=kept)
    header, first, *others = log.read_text().splitlines()
    record = json.loads(first)
    change(record)
    log.write_text("\n".join([header, json.dumps(record), *others]) + "\n")
    with Log(log, match.header()) as kept, pytest.raises(ArenaError, match=f"games.jsonl: {message}"):
        run(match, log=kept)


@pytest.mark.parametrize(
    "change", [{"pairs": 3.5}, {"openings": [{"rows": 5, "cols": 5, "rule": "foo"}]}, {"time_control": 3}]
)
def test_a_header_that_was_edited_is_refused_in_words(change: dict[str, object]) -> None:
    header = json.loads(json.dumps(plan().header()))
    with pytest.raises(ArenaError, match="the log's header is no match: "):
        plan_of_header(header | change)


def test_under_caro_no_game_is_adjudicated() -> None:
    match = plan(RANDOM[:2], pairs=1, openings=(Board(9, rule="caro", black=["c5", "d5", "e5"]),), adjudicate=1000)
    assert set(run(match).reasons) <= {"five", "full"}


def test_a_log_is_not_gone_on_with_after_a_players_class_was_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, path = tmp_path / "own_edited_lead.py", tmp_path / "match.jsonl"
    own.write_text("class Lead:\n    name = 'lead'\n    def score(self, board):\n        return 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    match = plan(("minmax:table=own_edited_lead:Lead,depth=1", "random:seed=2"))
    for _ in range(2):
        Log(path, match.header()).close()
    own.write_text(own.read_text().replace("return 0", "return 1"))
    with pytest.raises(ArenaError, match="own_edited_lead:Lead was edited since its results were made"):
        Log(path, match.header())


def test_the_class_of_a_registered_player_is_in_the_log_too() -> None:
    class Own(Player):
        def search(self, board, limit=None, *, cancel=None, progress=None):
            raise NotImplementedError

    register_player("own_player", Own)
    try:
        assert list(plan(("own_player", "random")).header()["sources"]) == ["own_player"]
    finally:
        unregister_player("own_player")


def test_another_match_does_not_go_on_from_this_log(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    with Log(path, plan().header()) as kept:
        run(plan(), log=kept)
    with pytest.raises(ArenaError, match="seed is 0 there and 5 here"):
        Log(path, plan(seed=5).header())


SCRIPT = """
import sys
from arena.match import MatchPlan, play_match
from arena.log import Log
from arena.pools import workers
from gomoku_patterns import Board
if __name__ == "__main__":
    plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(8),), 100)
    with Log(sys.argv[1], plan.header()) as kept, workers(2) as pool:
        play_match(plan, pool, log=kept)
"""


def process_children(pid: int) -> list[Any]:
    psutil = pytest.importorskip("psutil")
    return psutil.Process(pid).children(recursive=True)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_goes_on_with_every_game_once(tmp_path: Path, how: signal.Signals) -> None:
    path, script = tmp_path / "match.jsonl", tmp_path / "run.py"
    script.write_text(SCRIPT)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen([sys.executable, script, path], env=environment, stderr=subprocess.DEVNULL)
    while not path.exists() or path.stat().st_size < 30_000:
        time.sleep(0.01)
    children = list(process_children(process.pid))
    process.send_signal(how)
    process.wait(20)
    deadline = time.monotonic() + 10
    while any(child.is_running() and child.status() != "zombie" for child in children):
        assert time.monotonic() < deadline, "a worker outlived the run it belonged to"
        time.sleep(0.05)
    match = MatchPlan(("random:seed=1", "random:seed=2"), (Board(8),), 100)
    with Log(path, match.header()) as kept:
        before = len(kept.entries)
        standings = run(match, log=kept)
    assert 0 < before < 200
    assert played(standings) == played(run(match))
    units = [json.loads(line)["unit"] for line in path.read_text().splitlines()[1:]]
    assert sorted(units) == list(range(200))


def test_a_sequential_test_ends_the_match() -> None:
    strong = plan(("minmax:depth=1", "random"), pairs=200, openings=tuple(random_openings(50, Board(9))))
    sprt = Sprt(0, 400)
    standings = run(strong, sprt=sprt)
    assert standings.judge(sprt).accepted == "H1"
    assert standings.games < 100
    with pytest.raises(ArenaError, match="two players"):
        run(plan(), sprt=sprt)
    with pytest.raises(ArenaError, match="2 openings or more, not 1"):
        run(plan(RANDOM[:2], pairs=8, openings=(Board(9),)), sprt=sprt)


class Sleeper(Player):
    """Takes a fixed time for each move, whatever it is granted."""

    seconds = 0.0

    def search(self, board, limit=None, *, cancel=None, progress=None):
        time.sleep(self.seconds)
        return SearchResult(board.legal_moves()[0])


def test_the_time_that_moves_took_is_reported_and_too_much_is_marked() -> None:
    """Within the tolerance no game is lost, but who takes twice its time on average is named."""
    names = {"prompt": 0.0, "sluggish": 0.05}
    for name, seconds in names.items():
        register_player(name, type(name, (Sleeper,), {"seconds": seconds}))
    try:
        control = TimeControl(Limit(seconds=0.02), tolerance=5.0)
        match = plan(("prompt", "sluggish @ name=Slow"), pairs=1, time_control=control, max_moves=8)
        standings = run(match)
    finally:
        for name in names:
            unregister_player(name)
    prompt, slow = standings.times
    moves = sum(len(record["moves"]) for record in standings.records.values())
    assert prompt.moves + slow.moves == moves and abs(prompt.moves - slow.moves) <= 2
    assert slow.mean >= 0.05 and slow.most >= slow.mean and slow.overruns and not TimeUsed(0.02).overruns
    assert prompt.mean < slow.mean
    found = match_json(standings)["players"][1]["time"]
    assert (found["overruns"], found["allowed"]) == (True, 0.02) and found["mean"] == pytest.approx(slow.mean, abs=1e-6)
    with (console := Console(width=200)).capture() as shown:
        console.print(match_view(standings))
    assert re.search(r"time +Slow +\d.* a move, \d.* at most, 20 ms granted, more than 25% too long", shown.get())


def test_times_go_to_those_who_moved_where_white_begins() -> None:
    standings = Standings(plan(RANDOM[:2], pairs=1, openings=(Board(6, black=["a1"]),)))
    opening = {"moves": [], "to_move": "white"}
    standings.add({"unit": 0, "result": "draw", "reason": "full", "opening": opening, "seconds": [3.0, 1.0, 3.0, None]})
    assert [(used.moves, used.total) for used in standings.times] == [(1, 1.0), (2, 6.0)]


def test_games_lost_with_their_workers_are_not_counted() -> None:
    standings = Standings(plan())
    record = {"unit": 0, "result": None, "reason": "lost"}
    standings.add(record)
    assert standings.games == 0 and standings.reasons == {"lost": 1}
    standings.add({"unit": 1, "result": "black", "reason": "five"})
    assert standings.tally(0, 1) == Tally(losses=1)
    with pytest.raises(ArenaError, match="game 0 is there twice"):
        standings.add(record)
    with pytest.raises(ArenaError, match="no game 18 in a match with games 0 to 17"):
        standings.add({"unit": 18})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ("random",)}, "two players or more, not 1"),
        ({"pairs": 0}, "a pair of games or more, not 0"),
        ({"players": ("random", Sleeper())}, "a player of a plan is a text .*'tests.arena.test_match:Sleeper'"),
        ({"players": "random"}, "the players of a plan are a tuple of texts"),
        ({"openings": ("h8",)}, "an opening of a match is a Board, not 'h8'"),
        ({"openings": ()}, "needs an opening"),
        ({"openings": (Board(5, black=["a1", "b1", "c1", "d1", "e1"]),)}, "opening 1 is a game that is over"),
    ],
)
def test_senseless_matches_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(ArenaError, match=message):
        plan(**options)


def test_games_are_written_for_other_programs(tmp_path: Path) -> None:
    standings = run(plan(openings=(Board(6),), pairs=1))
    records = list(standings.records.values())
    assert write_psq(tmp_path, records) == 0
    write_sgf(tmp_path / "all.sgf", records)
    games = list(read_positions(tmp_path / "all.sgf"))
    assert len(games) == 6
    for record, entry in zip(records, games, strict=True):
        one = next(read_positions(tmp_path / f"game-{record['unit'] + 1:06}.psq"))
        assert [entry.board.name(move.cell) for move in entry.board.moves] == record["moves"]
        assert one.board.flat == entry.board.flat
        assert entry.tree.info["PB"] == record["black"]
    assert "RE[" in sgf(records)


def test_ratings_follow_from_scores() -> None:
    """One player scores 3/4 against another over many pairs: 191 Elo, less a little for the added draws."""
    results = [PairResult(0, 1, score) for score in (0.5, 1.0)] * 200
    first, second = ratings(2, results)
    assert first.value == pytest.approx(-second.value)
    assert first.value - second.value == pytest.approx(190.8, abs=1.0)
    assert first.low < first.value < first.high and first.games == 800


def test_ratings_at_the_corners() -> None:
    winner, loser, absent = ratings(3, [PairResult(0, 1, 1.0)] * 4)
    assert winner.value > 0 > loser.value and winner.high - winner.low > 100
    assert absent.value is None and absent.games == 0
    assert [rating.value for rating in ratings(2, [])] == [None, None]
