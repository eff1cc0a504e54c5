"""Tuning: scores fitted to outcomes and by matches; what is written says where it comes from."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from arena import tune
from arena.game import play_game
from arena.openings import random_openings
from arena.pools import workers
from arena.statistics import Tally
from arena.time_control import TimeControl
from arena.tune import Data, Games, changes, counts, duel, fit, knobs, read_data, spsa, turned, with_provenance
from arena.units import unit_of
from gomoku.cli import main
from gomoku_patterns import BLACK, WHITE, Board
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.table import load_table, table_names

QUICK = Games("minmax:depth=1", nodes=50, size=7)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of forty short games between players that make mistakes."""
    path = tmp_path_factory.mktemp("tune") / "games.jsonl"
    openings = random_openings(40, Board(9), plies=4)
    records = [
        play_game(unit_of("minmax:depth=1", "random", board, TimeControl(), number=number))
        for number, board in enumerate(openings)
    ]
    lines = [{"header": {}}, *records, {**records[0], "unit": 99, "result": None}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"unit": 40, "mo')
    return path


TUNABLE = [name for name in table_names() if name != "outcome"]


def test_a_table_that_sees_fives_only_has_nothing_to_tune() -> None:
    with pytest.raises(ArenaError, match="nothing to tune in 'outcome': every score decides"):
        knobs(load_table("outcome"))


@pytest.mark.parametrize("name", [name for name in TUNABLE if load_table(name).scan == "line"])
def test_a_score_is_its_counts_times_its_knobs(name: str) -> None:
    """Everything but the knobs is fixed: here the scores that decide a game, which these positions do not have."""
    table = load_table(name)
    settings = knobs(table)
    boards = random_openings(20, Board(), plies=16)
    zeroed = turned(table, settings, [knob.score for knob in settings])
    assert zeroed == table
    scores = counts(table, settings, boards) @ [knob.score for knob in settings]
    fives = [as_evaluator(_only_untuned(name)).score(board) for board in boards]
    assert (scores + fives).tolist() == [as_evaluator(table).score(board) for board in boards]


def _only_untuned(name: str) -> object:
    from dataclasses import replace

    table = load_table(name)
    tuned = {(index, knob.side) for knob in knobs(table) for index in knob.patterns}
    both = table.uses_turn
    patterns = []
    for index, pattern in enumerate(table.patterns):
        kept = tuple(0 if (index, side if both else 0) in tuned else pattern.score[side] for side in (0, 1))
        patterns.append(replace(pattern, score=kept))
    return replace(table, patterns=tuple(patterns))


@pytest.mark.parametrize("name", TUNABLE)
def test_knobs_turn_only_what_they_name(name: str) -> None:
    table = load_table(name)
    settings = knobs(table)
    assert turned(table, settings, [knob.score for knob in settings]) == table
    for number, knob in enumerate(settings):
        doubled = turned(table, settings, [k.score * (2 if k is knob else 1) for k in settings])
        moved = [change for change in changes(table, doubled) if change["after"] != change["before"]]
        assert [change["after"] for change in moved] == [2 * knob.score], number


def test_scores_keep_their_sign_and_a_size_that_means_something() -> None:
    table = load_table("grade_dict")
    settings = knobs(table)
    wild = turned(table, settings, [-5.0] * len(settings))
    assert all(change["after"] > 0 for change in changes(table, wild))
    huge = turned(table, settings, [1e12] * len(settings))
    assert all(change["after"] < 21 * change["before"] for change in changes(table, huge))


def test_what_decides_the_game_is_left_alone() -> None:
    table = load_table("grade_dict")
    assert "five" not in {knob.shape for knob in knobs(table)}


def test_a_fit_recovers_the_scores_that_made_the_outcomes() -> None:
    """Outcomes drawn from a table whose twos and ones are worth three times and a third: the fit moves towards it."""
    table = load_table("grade_dict")
    settings = knobs(table)
    wanted = {"live_two": 3.0, "live_one": 1 / 3}
    truth = turned(table, settings, [knob.score * wanted.get(knob.shape, 1.0) for knob in settings])
    boards = tuple(random_openings(1500, Board(), plies=10, seed=5))
    scores = np.array([as_evaluator(truth).score(board) for board in boards])
    chances = 1 / (1 + np.exp(-scores / 400))
    rng = random.Random(5)
    results = tuple(float(rng.random() < chance) for chance in chances)
    found = fit(table, Data(boards, results, tuple(range(len(boards))), "made"))
    after = {change["shape"]: change["after"] / change["before"] for change in changes(table, found.table)}
    assert after["live_two"] / after["live_one"] > 3
    assert found.after < found.before
    assert (found.games, found.positions, found.held_out) == (1500, 1500, 300)


def test_data_leaves_out_openings_last_moves_and_games_that_do_not_count(log: Path) -> None:
    data = read_data([log])
    assert data.count == 40
    assert min(len(board) for board in data.boards) == 5
    assert all(board.winner() is None for board in data.boards)
    assert set(data.results) <= {0.0, 0.5, 1.0}
    assert len(read_data([log], skip=4).boards) < len(data.boards)


def test_data_that_says_too_little_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot read the log"):
        read_data([tmp_path / "missing.jsonl"])
    empty = tmp_path / "empty.jsonl"
    empty.write_text('{"header": {}}\n')
    with pytest.raises(ArenaError, match="0 positions of 0 games, where 50 are needed"):
        read_data([empty])


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        ({"opening": {}}, "no 'rows'"),
        ({"opening": None}, "'NoneType' object"),
        ({"result": "lost"}, "the result is 'lost', not"),
        ({"moves": 5}, "the moves are 5"),
        ({"moves": [5, 5, 5]}, "expected a cell"),
    ],
)
def test_a_log_that_was_edited_is_told_by_its_line(
    log: Path, tmp_path: Path, slip: dict[str, object], said: str
) -> None:
    header, game = map(json.loads, log.read_text().splitlines()[:2])
    edited = tmp_path / "edited.jsonl"
    edited.write_text("".join(json.dumps(line) + "\n" for line in (header, game, {**game, **slip})))
    with pytest.raises(ArenaError, match=r"edited\.jsonl:3: not a game of a match") as told:
        read_data([edited])
    assert said in str(told.value)
    edited.write_text("".join(json.dumps(line) + "\n" for line in (header, {"moves": [], "opening": {}})))
    with pytest.raises(ArenaError, match=r"edited\.jsonl:2: .*: no 'result'"):
        read_data([edited])


def test_point_tables_are_tuned_by_matches_only(log: Path) -> None:
    with pytest.raises(ArenaError, match="point table, which cannot be fitted to outcomes; use --method spsa"):
        fit(load_table("level"), read_data([log]))


def test_spsa_plays_its_rounds_and_is_a_function_of_the_seed() -> None:
    rounds = []
    with workers() as pool:
        tuned, games = spsa(
            load_table("level"), QUICK, pool, rounds=2, pairs=1, step=0.5, on_round=lambda *told: rounds.append(told)
        )
        again, _ = spsa(load_table("level"), QUICK, pool, rounds=2, pairs=1, step=0.5)
    assert games == 4 and [number for number, _, _ in rounds] == [1, 2]
    assert tuned == again == rounds[-1][1]


def test_a_lost_round_moves_scores_as_far_as_a_won_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A round lost by 0 to 8 is no draw: it turns every score the other way round by the same factor."""
    table, moved = load_table("grade_dict"), {}
    for name, tally in {"won": Tally.of_pairs(0, 0, 0, 0, 4), "lost": Tally.of_pairs(4, 0, 0, 0, 0)}.items():
        monkeypatch.setattr(tune, "duel", lambda *_args, tally=tally, **_options: tally)
        found, games = spsa(table, QUICK, None, rounds=1, pairs=4, step=0.5)
        scores = [change for change in changes(table, found) if change["before"] >= 50]
        moved[name] = [change["after"] / change["before"] for change in scores]
        assert games == 8 and len(scores) >= 3
    for won, lost in zip(moved["won"], moved["lost"], strict=True):
        assert won * lost == pytest.approx(1, rel=0.05) and abs(won - 1) > 0.1


def test_games_from_one_opening_are_held_out_together(tmp_path: Path) -> None:
    """Turned repeats and both colours of an opening are alike: none predicts another that is held out."""
    boards = [Board(9, black=["e5"], white=["d6"]).transform(number) for number in range(8)] * 5
    boards += random_openings(39, Board(9), plies=4)
    records = [
        play_game(unit_of("minmax:depth=1", "random", board, TimeControl(), number=number))
        for number, board in enumerate(boards)
    ]
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in [{"header": {}}, *records]))
    data = read_data([path])
    assert len(set(data.openings)) == 40 and data.count == 79
    held = tune._held_out(np.array(data.openings), 0)
    games, openings = np.array(data.games), np.array(data.openings)
    assert not set(openings[held]) & set(openings[~held]) and len(set(openings[held])) == 8
    assert fit(load_table("grade_dict"), data).held_out == len(set(games[held]))


def test_a_good_table_beats_a_blind_one() -> None:
    with workers() as pool:
        tally = duel(load_table("grade_dict"), load_table("outcome"), Games("minmax:depth=2", size=9), pool, pairs=3)
    assert tally.games == 6 and tally.wins >= 5


def test_the_new_table_says_where_it_comes_from() -> None:
    table = load_table("grade_dict")
    tuned = with_provenance(table, table, "mine", "logistic regression on 7 positions")
    assert tuned.name == "mine"
    assert tuned.notes.startswith(f"Tuned from grade_dict ({table.digest[:12]}): logistic regression on 7 positions.")


# ------------------------------------------------------------------ the command


def gomoku(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    out, err = capsys.readouterr()
    return end.value.code, out, err


def test_the_command_fits_writes_and_judges(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "mine.toml"
    args = ("tune", "grade_dict", "--on", str(log), "--out", str(out), "--pairs", "2", "--search", "minmax:depth=1")
    status, text, _ = gomoku(capsys, *args, "--size", "7")
    assert status == 1 and "not significant" in text and "4 games" in text
    assert "40 games" in text and "games held out" in text
    assert load_table(out).name == "mine" and "logistic regression on" in load_table(out).notes
    status, text, _ = gomoku(capsys, *args[:-4], "--pairs", "0", "--json")
    result = json.loads(text)
    assert (status, result["method"], result["games"], result["match"]) == (0, "outcomes", 40, None)
    assert {change["shape"] for change in result["changes"]} >= {"live_four", "live_two"}


def test_the_second_score_of_a_point_table_is_that_of_the_opponent(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["tune", "level", "--method", "spsa", "--rounds", "1", "--round-pairs", "1", "--search", "minmax:depth=1"]
    with pytest.raises(SystemExit):
        main([*words, "--nodes", "20", "--size", "7", "--pairs", "0", "--out", str(tmp_path / "mine.toml")])
    out = capsys.readouterr().out
    assert "(as" in out and "(to move)" not in " ".join(out.split())


def test_the_command_tunes_by_matches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "level-mine.toml"
    args = ("tune", "level", "--out", str(out), "--rounds", "1", "--round-pairs", "1", "--pairs", "0")
    status, text, _ = gomoku(capsys, *args, "--search", "minmax:depth=1", "--size", "7")
    assert status == 0 and "SPSA in 1 rounds, 2 games" in " ".join(text.split())
    assert load_table(out).scan == "point"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("no_such_table",), "no_such_table"),
        (("grade_dict", "--method", "outcomes"), "needs games: give --on LOG"),
        (("grade_dict", "--on", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_bad_usage_is_one_clear_line(args: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = gomoku(capsys, "tune", *args)
    assert (status, out) == (2, "") and message in err and "Traceback" not in err


@pytest.mark.parametrize("name", ["my table.toml", "中文.toml", "_mine.toml"])
def test_a_file_that_makes_no_name_for_a_table_is_told_before_the_work(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.tune.spsa", lambda *_, **__: pytest.fail("it worked first"))
    status, out, err = gomoku(capsys, "tune", "grade_dict", "--out", name)
    assert (status, out) == (2, "") and list(tmp_path.iterdir()) == []
    assert err.startswith("gomoku: the table is named after its file") and repr(name) in err


def test_black_and_white_are_treated_alike(log: Path) -> None:
    """The counts of a position with colours exchanged are the opposite."""
    table = load_table("grade_dict")
    boards = read_data([log]).boards[:30]
    assert BLACK.opponent is WHITE
    exchanged = [board.swap_colours() for board in boards]
    assert (counts(table, knobs(table), boards) == -counts(table, knobs(table), exchanged)).all()
