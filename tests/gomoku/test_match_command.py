"""``gomoku match`` as its users meet it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from gomoku.cli import main

QUICK = ["--balance", "none", "--size", "7", "--max-moves", "20"]


@pytest.fixture
def gomoku(capsys: pytest.CaptureFixture[str]):
    def run(*args: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main(list(args))
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return run


def test_a_duel_is_reported_with_its_games_and_its_significance(gomoku) -> None:
    status, out, _ = gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "2", *QUICK)
    assert status == 0
    assert "random:seed=1 against random:seed=2" in out
    assert "games     4: " in out and "not significant" in out and "; 4 games)" in out


def test_a_round_robin_has_ratings_and_a_crosstable(gomoku) -> None:
    status, out, _ = gomoku("match", "random:seed=1", "random:seed=2", "random:seed=3", "--games", "2", *QUICK)
    assert status == 0
    assert out.count("random:seed=3") == 3 and "6 of 6 games" in out


def test_json_has_every_pairing(gomoku) -> None:
    players = ("random:seed=1", "random:seed=2", "random:seed=3")
    status, out, _ = gomoku("match", *players, "--gauntlet", "--pairs", "1", "--json", *QUICK)
    result = json.loads(out)
    assert (status, result["games"], result["planned"]) == (0, 4, 4)
    assert [pairing["players"] for pairing in result["pairings"]] == [
        [players[0], players[1]],
        [players[0], players[2]],
    ]
    assert sum(result["reasons"].values()) == 4 and result["sprt"] is None


def test_sprt_prints_where_it_stands(gomoku) -> None:
    args = ("random:seed=1", "random:seed=2", "--pairs", "2", "--sprt", "0,100", "--sprt-model", "logistic", *QUICK)
    status, out, _ = gomoku("match", *args)
    assert "SPRT      LLR" in out and "Elo 0 against 100: undecided after 4 games" in out and status == 1


@pytest.mark.parametrize(
    ("first", "second", "status"), [("minmax:depth=1", "random", 0), ("random", "minmax:depth=1", 1)]
)
def test_a_sequential_test_is_an_exit_status(gomoku, first: str, second: str, status: int) -> None:
    """A script can go by it: 0 where the first player is shown to be stronger, 1 where it is shown not to be."""
    found, out, _ = gomoku("match", first, second, "--sprt", "0,400", "--pairs", "60", *QUICK[:-2])
    assert f"H{1 - status} accepted" in out and found == status


def test_a_log_is_enough_to_go_on_without_naming_the_players_again(gomoku, tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    args = ("match", "random:seed=1", "random:seed=2", "--pairs", "3", "--json", *QUICK)
    _, whole, _ = gomoku(*args, "--log", str(log))
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:3]) + lines[3][:17])
    status, again, _ = gomoku("match", "--log", str(log), "--json")
    assert (status, again) == (0, whole)
    assert len(log.read_bytes().splitlines()) == 7


def test_games_are_written_as_psq_and_sgf(gomoku, tmp_path: Path) -> None:
    args = ("random:seed=1", "random:seed=2", "--pairs", "1", *QUICK)
    gomoku("match", *args, "--psq", str(tmp_path / "games"), "--sgf", str(tmp_path / "games.sgf"))
    assert sorted(path.name for path in (tmp_path / "games").iterdir()) == ["game-000001.psq", "game-000002.psq"]
    assert (tmp_path / "games.sgf").read_text().count("(;FF[4]") == 2


def test_a_match_with_odds_names_pgn_and_transcripts(gomoku, tmp_path: Path) -> None:
    engine = f"cmd:{sys.executable} {Path(__file__).parents[1] / 'arena' / 'pbrain.py'} rapfi @ name=Fine, seconds=3"
    written = ("--pgn", str(tmp_path / "games.pgn"), "--transcripts", str(tmp_path / "said"))
    agreed = ("--draw", "2,50,6", "--resign", "9,9999", "--match-seconds", "30", "--increment", "0.1")
    args = (engine, "minmax @ name=Mini, depth=1, nodes=20", "--pairs", "1", *QUICK, *written, *agreed, "--json")
    status, out, err = gomoku("match", *args)
    result = json.loads(out)
    assert (status, [player["player"] for player in result["players"]]) == (0, ["Fine", "Mini"]), err
    assert result["players"][1]["given"].startswith("minmax @ name=Mini")
    text = (tmp_path / "games.pgn").read_text()
    assert text.count('[White "Fine"]') == text.count('[Black "Fine"]') == 1
    assert len([*(tmp_path / "said").iterdir()]) == 2


def test_seeds_are_for_a_gauntlet(gomoku) -> None:
    four = [f"random:seed={seed}" for seed in range(4)]
    status, out, _ = gomoku("match", *four, "--gauntlet", "--seeds", "2", "--pairs", "1", "--json", *QUICK)
    assert (status, json.loads(out)["planned"]) == (0, 8)
    assert "--seeds is for --gauntlet" in gomoku("match", *four, "--seeds", "2", "--pairs", "1", *QUICK)[2]


def test_without_a_terminal_lines_say_how_far_the_match_is(gomoku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gomoku.commands.status.PULSE_SECONDS", 0.0)
    _, _, err = gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "2", *QUICK)
    assert err.count("match: ") == 4 and "match: 4 of 4 games, " in err and " to go" in err


def test_openings_come_from_a_file_or_from_the_judge(gomoku, tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("0,0, 1,1\n0,0, 1,0\n")
    log = tmp_path / "games.jsonl"
    gomoku("match", "random", "random:seed=2", "--pairs", "2", "--openings", str(book), "--log", str(log), *QUICK)
    openings = json.loads(log.read_text().splitlines()[0])["header"]["openings"]
    assert [opening["moves"] for opening in openings] == [["d4", "e3"], ["d4", "e4"]]
    status, _, _ = gomoku("match", "random", "random:seed=2", "--pairs", "1", "--max-moves", "8")
    assert status == 0


def test_several_games_at_a_time(gomoku) -> None:
    args = ("match", "random:seed=1", "random:seed=2", "--pairs", "4", "--json", *QUICK)
    assert gomoku(*args, "-j", "2")[:2] == gomoku(*args)[:2]


def test_games_that_share_a_processor_are_warned_of(gomoku) -> None:
    args = ("random", "random:seed=2", "--pairs", "1", "--seconds", "0.1", "-j", "99", *QUICK)
    _, _, err = gomoku("match", *args)
    assert "99 games at a time on" in err


def test_openings_that_run_out_are_warned_of(gomoku) -> None:
    """Statistics count openings: what symmetries make of one is not another."""
    args = ("random", "random:seed=2", "--pairs", "2", "--random-openings", "0", *QUICK)
    _, _, err = gomoku("match", *args)
    assert "there is 1 opening for 2 pairs" in err and "no interval can be told" in err


@pytest.mark.parametrize(
    "line", ['{"unit": 0}', '{"unit": 0, "result": "both", "reason": "five"}', '{"unit": "x"}', '{"moves": []}']
)
def test_a_log_that_makes_no_sense_is_refused(gomoku, tmp_path: Path, line: str) -> None:
    log = tmp_path / "games.jsonl"
    gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "1", "--log", str(log), *QUICK)
    log.write_text(log.read_text().splitlines()[0] + "\n" + line + "\n")
    status, _, err = gomoku("match", "--log", str(log))
    assert status == 2 and err.startswith(f"gomoku: {log}") and "Traceback" not in err


@pytest.mark.parametrize(
    "change",
    [
        {"players": ["random"]},
        {"openings": [{}]},
        {"time_control": {"seconds": "soon"}},
        {"time_control": {"x": 1}},
        {"pairs": None},
    ],
)
def test_a_header_that_makes_no_sense_is_refused(gomoku, tmp_path: Path, change: dict[str, object]) -> None:
    log = tmp_path / "games.jsonl"
    gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "1", "--log", str(log), *QUICK)
    header = json.loads(log.read_text().splitlines()[0])["header"]
    log.write_text(json.dumps({"header": {**header, **change}}) + "\n")
    status, _, err = gomoku("match", "--log", str(log))
    assert status == 2 and "the log's header is no match: " in err and "Traceback" not in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "a match needs two players or more"),
        (("random", "random", "--games", "3"), "the number has to be even"),
        (("random", "random", "--games", "2", "--pairs", "1"), "give either --pairs or --games"),
        (("random", "nobody"), "unknown player 'nobody'"),
        (("random", "cmd:./pbrain-missing"), "cannot find a program './pbrain-missing' that can be run"),
        (("random", "random", "--size", "big"), "cannot read the size 'big'"),
        (("random", "random", "--size", "40"), "expected rows from 5 to 22, found 40"),
        (("random", "random", "--rule", "chess"), "expected a rule"),
        (("random", "random", "--sprt", "5"), "write ELO0,ELO1"),
        (("random", "random", "random", "--sprt", "0,5"), "a sequential test is between two players, not 3"),
        (("random", "random", "--seconds", "0"), "seconds must be a finite number above 0"),
        (("random", "random", "--seconds", "nan"), "seconds must be a finite number above 0"),
        (("random", "random", "--memory", "-1"), "--memory has to be above 0"),
        (("random", "random", "--openings", "missing.txt"), "missing.txt"),
        (("--log", "missing.jsonl"), "missing.jsonl: cannot read the log: no such file or directory"),
        (("random", "random", "--cluster", "tcp://127.0.0.1:1", "--balance", "none"), "no Dask scheduler answers at"),
    ],
)
def test_bad_usage_is_one_clear_line(
    gomoku, args: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cluster.CONTACT_SECONDS", 0.5)
    status, out, err = gomoku("match", *args)
    assert status == 2 and out == ""
    assert message in err and "Traceback" not in err


def test_a_narrow_terminal_hides_no_names(gomoku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = gomoku("match", "random:seed=1", "random:seed=2", "random:seed=3", "--games", "2", *QUICK)
    assert out.count("random:seed=3") == 3


@pytest.mark.parametrize("option", ["--sgf", "--psq"])
def test_games_that_cannot_be_written_are_told_before_they_are_played(gomoku, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").touch()
    path, log = tmp_path / "file" if option == "--psq" else tmp_path, tmp_path / "log"
    status, _, told = gomoku("match", "random", "random", "--pairs", "1", option, str(path), "--log", str(log), *QUICK)
    assert status == 2 and "cannot be written" in told and not log.exists()


def test_settings_beside_a_log_are_not_passed_over_in_silence(gomoku, tmp_path: Path) -> None:
    log = str(tmp_path / "games.jsonl")
    gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "1", "--log", log, *QUICK)
    status, _, told = gomoku("match", "--log", log, "--pairs", "5")
    assert status == 2 and "without players the settings come from the log: leave out --pairs" in told
    status, _, _ = gomoku("match", "--log", log, "-j", "1", "--sgf", str(tmp_path / "games.sgf"), "--json")
    assert status == 0


def test_a_match_stopped_before_its_first_game_has_no_figures(gomoku, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.match.play_match", stopped)
    status, out, told = gomoku("match", "random:seed=1", "random:seed=2", "--pairs", "1", *QUICK)
    assert status == 130 and "Elo" not in out and "0 of 2 games" in out
    assert "interrupted after 0 games; with --log FILE it could go on" in told
