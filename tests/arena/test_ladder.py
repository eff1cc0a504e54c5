"""The ladder: every evaluator measured the same way, on one page that stands by itself."""

from __future__ import annotations

import csv
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.ladder import SEARCHES, Ladder, LadderPlan
from arena.ladder_again import plan_of, unpack
from arena.ladder_charts import save_charts
from arena.ladder_cost import complete, fitted, measured_costs
from arena.ladder_sheets import levels_sheet, sheets
from arena.ladder_units import lost_unit, sampled
from arena.log import Log
from arena.match import play_match
from arena.page import command_line, ladder_page, page_result
from arena.pools import workers
from arena.scoreboard import duel_json
from arena.sheets import NOTHING, Entry, best_marked, save_sheets
from arena.speeds import measure_speed
from arena.statistics import elo, least_pairs
from gomoku.cli import main
from gomoku.commands.ladder import command
from gomoku_patterns import BLACK, Board
from gomoku_patterns.cells import Colour
from gomoku_patterns.errors import ArenaError, GomokuError, PlayerError
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.table import LEARNED
from puzzles import Level

OWN = """
from gomoku_patterns import BLACK, WHITE

class Lead:
    name = "lead"
    def score(self, board):
        return len(board.stones(BLACK)) - len(board.stones(WHITE))
"""


def settings(*evaluators: str, **options: Any) -> LadderPlan:
    quick: dict[str, Any] = {"searches": ("minmax:depth=2",), "game_search": "minmax:depth=1", "budgets": (50, 100)}
    quick |= {"speed": 0.0, "seconds": None, "suite": "huanle"}
    return LadderPlan(evaluators or ("grade_dict", "outcome"), **{"pairs": 1, "nodes": 100, **quick, **options})


def run(chosen: LadderPlan, **options: Any) -> dict[str, Any]:
    ladder = Ladder(chosen)
    with workers() as pool:
        ladder.run(pool, **options)
    return ladder.result()


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    return run(settings("grade_dict", "outcome", "level", speed=0.01))


def test_every_evaluator_has_every_figure(result: dict[str, Any]) -> None:
    assert [row["evaluator"] for row in result["evaluators"]] == ["grade_dict", "outcome", "level"]
    for row in result["evaluators"]:
        for speed in (row["speed"][key] for key in ("scores", "batch", "plays")):
            assert 0 < speed["low"] <= speed["median"] <= speed["high"] and speed["rounds"] >= 5
        shares = [row["ordering"][key] for key in ("top1", "top5", "top10")]
        assert all(0 <= one["low"] <= one["value"] <= one["high"] <= 1 for one in (*shares, row["ordering"]["mrr"]))
        assert shares[0]["value"] <= shares[1]["value"] <= shares[2]["value"]
        few, many = (row["levels"][0]["won"][key] for key in ("50", "100"))
        assert 0 <= few <= many <= row["levels"][0]["tried"] == 20
        assert many == sum(least is not None for least in row["levels"][0]["levels"].values())
        games = row["games"]["nodes"]
        assert games["rating"]["games"] == games["games"] == 4
        assert [games["wins"], games["draws"], games["losses"]] == [
            sum(pair) for pair in zip(games["as_black"], games["as_white"], strict=True)
        ]
    found = result["games"]["nodes"]
    assert len(found["pairings"]) == 3 and found["games"] == found["black"] + found["draws"] + found["white"] == 6
    json.dumps(result, allow_nan=False)


def test_a_good_table_orders_moves_better_than_one_that_sees_fives_only(result: dict[str, Any]) -> None:
    good, blind = (row["ordering"] for row in result["evaluators"][:2])
    assert good["top5"]["low"] > 0.8 and blind["top5"]["value"] < 0.3
    assert good["mrr"]["low"] > blind["mrr"]["high"]
    told = {tuple(one["evaluators"]): one for one in result["ordering"]}["grade_dict", "outcome"]
    assert told["better"] > 15 and told["significant"] and told["p"] < told["p_holm"] < 0.01


def test_figures_but_speed_are_a_function_of_the_settings(tmp_path: Path) -> None:
    """With a log, in two processes, and cut in the middle: the same figures."""
    chosen, log = settings(), tmp_path / "ladder.jsonl"
    whole = run(chosen)
    ladder = Ladder(chosen)
    with workers(2) as pool, Log(log, ladder.header()) as kept:
        ladder.run(pool, kept)
    assert ladder.result() == whole
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:20]) + lines[20][:9])
    again = Ladder(chosen)
    with workers() as pool, Log(log, again.header()) as kept:
        assert len(kept.entries) == 19
        again.run(pool, kept)
    assert again.result() == whole


def test_the_log_of_a_suite_or_a_table_that_was_edited_is_refused(tmp_path: Path) -> None:
    log, suite, table = (tmp_path / name for name in ("log.jsonl", "mine.jsonl", "table.toml"))
    text = as_evaluator("grade_dict").table.to_toml()
    chosen = settings(str(table), suite=str(suite), pairs=0)
    edited = f"cannot go on: {re.escape(str(table))} was edited since its results were made"
    changes = (("", "f8", ""), ("is the log of another run: digest is ", "e8", ""), (edited, "f8", "# edited\n"))
    for said, four, comment in changes:
        suite.write_text(json.dumps({"black": ["g8", "h8", "i8", four], "white": ["a1"], "to_move": "black"}))
        table.write_text(text + comment, encoding="utf-8")
        header = Ladder(chosen).header()
        if not said:
            Log(log, header).close()
            continue
        with pytest.raises(ArenaError, match=said):
            Log(log, header)


def test_the_log_of_a_python_class_that_was_edited_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its games and levels were those of the old class."""
    own, log = tmp_path / "own_edited_evaluator.py", tmp_path / "log.jsonl"
    own.write_text(OWN)
    monkeypatch.chdir(tmp_path)
    chosen = settings("own_edited_evaluator:Lead", searches=(), pairs=0)
    for _ in range(2):
        Log(log, Ladder(chosen).header()).close()
    own.write_text(OWN.replace("return len", "return 2 * len"))
    with pytest.raises(ArenaError, match="own_edited_evaluator:Lead was edited since its results were made"):
        Log(log, Ladder(chosen).header())


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"result": {}}, "None is not the key of a unit of work"),
        ({"key": "supper", "result": {}}, "'supper' is not the key of a unit of work"),
        ({"key": "level x 1"}, "the result of 'level x 1' is None"),
        ({"key": "level x 1", "result": {"budget": "50"}}, "the result of 'level x 1' has '50' for 'budget'"),
        ({"key": "ordering outcome 1", "result": {"ranks": 1}}, "the result of 'ordering outcome 1' has 1 for 'ranks'"),
        (
            {"key": "ordering outcome 1", "result": {"ranks": {"1": [0, [1, 1], 3]}}},
            "the result of 'ordering outcome 1' has [0, [1, 1], 3] for the rank in level '1'",
        ),
        ({"key": "game nodes 0", "result": {}}, "there is no game None in a match with games 0 to 1"),
        ({"key": "game seconds 0", "result": {}}, "there are no games at equal 'seconds' in this ladder"),
    ],
)
def test_an_entry_that_was_edited_is_told_by_its_line(tmp_path: Path, entry: dict[str, Any], said: str) -> None:
    ladder, log = Ladder(settings()), tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in ({"header": ladder.header()}, entry)))
    with workers() as pool, Log(log, ladder.header()) as kept, pytest.raises(ArenaError) as told:
        ladder.run(pool, kept)
    assert str(told.value).startswith(f"{log}:2: {said}")


def test_an_evaluator_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_ladder_evaluator.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    found = run(settings("own_ladder_evaluator:Lead", "grade_dict", searches=(), speed=0.01))
    own = found["evaluators"][0]
    assert (own["evaluator"], own["kind"], own["patterns"]) == ("lead", "python", None)
    ratings = [row["games"]["nodes"]["rating"]["value"] for row in found["evaluators"]]
    assert ratings[0] < ratings[1]


def test_a_search_that_cannot_judge_by_an_evaluator_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_for_the_engine.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    evaluators = ("own_for_the_engine:Lead", "grade_dict")
    for slip in ({"game_search": "engine"}, {"searches": ("engine",)}):
        with pytest.raises(PlayerError, match="not by 'lead'; minmax takes any evaluator"):
            Ladder(settings(*evaluators, **slip))


def test_who_else_takes_part_changes_nobodys_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python class among tables plays and tries what it can; the tables are measured as without it."""
    (tmp_path / "own_among_tables.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    quick = {"searches": SEARCHES, "game_search": LadderPlan(("outcome",)).game_search, "budgets": (20,), "nodes": 20}
    alone = {unit["key"] for unit in Ladder(settings("grade_dict", "outcome", **quick, pairs=0)).units()}
    ladder = Ladder(settings("grade_dict", "outcome", "own_among_tables:Lead", **quick, pairs=0))
    assert alone < {unit["key"] for unit in ladder.units()}
    assert ladder.left_out == {("engine:solver=no", "own_among_tables:Lead")}
    games = Ladder(settings("grade_dict", "own_among_tables:Lead", **quick)).matches["nodes"]
    assert games.players[0] == "minmax:fives=rules,table=grade_dict"


def test_the_command_compares_a_class_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_on_the_page.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    words = "own_on_the_page:Lead grade_dict --suite huanle --pairs 1 --nodes 20 --seconds 0 --level-nodes 20 --speed 0"
    done = CliRunner().invoke(command, [*words.split(), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["settings"]["searches"] == [*SEARCHES] and found["settings"]["game_search"] == SEARCHES[0]
    assert [level["tried"] for level in found["evaluators"][0]["levels"]] == [20, 0]


@pytest.mark.parametrize("words", ["--report none/there/ladder.html", "--charts file"])
def test_a_page_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    if "--charts" in words:
        pytest.importorskip("resvg_py")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "none").touch()
    monkeypatch.setattr(Ladder, "run", lambda *_: pytest.fail("it worked first"))
    done = CliRunner().invoke(command, words.split())
    assert re.search("cannot be written|cannot make this folder: file exists", str(done.exception))


def test_a_table_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(as_evaluator("grade_dict").table.to_toml(), encoding="utf-8")
    found = run(settings(str(path), "grade_dict", pairs=0, searches=()))
    mine, theirs = found["evaluators"]
    assert mine["ordering"] == theirs["ordering"]
    assert [mine["evaluator"], theirs["evaluator"]] == [str(path), "grade_dict"]


class Fickle(EvaluatorBase):
    """Scores differently in batches."""

    name = "fickle"

    def score(self, board: Board) -> int:
        return len(board.stones(BLACK))

    def scores(self, boards: Any, to_move: Any = BLACK) -> Any:
        return super().scores(boards, to_move) + 1


def test_speed_is_measured_only_of_right_answers() -> None:
    with pytest.raises(ArenaError, match="'fickle' scores differently in batches"):
        measure_speed(Fickle(), Board(), seconds=0.01)


@pytest.mark.parametrize("evaluators", [(), ("grade_dict", "grade_dict")])
def test_senseless_ladders_are_refused(evaluators: tuple[str, ...]) -> None:
    with pytest.raises(ArenaError):
        LadderPlan(evaluators)


@pytest.mark.parametrize("budgets", [(), (0,), (5, 5), (5, 4)])
def test_senseless_budgets_are_refused(budgets: tuple[int, ...]) -> None:
    with pytest.raises(ArenaError, match="budgets are numbers of nodes"):
        LadderPlan(("grade_dict",), budgets=budgets)


# ------------------------------------------------------------------ the page


VOID = {"meta", "br", "line", "rect", "circle"}


class Balance(HTMLParser):
    """Checks that tags close in order, and collects what would be loaded from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


def test_the_page_stands_by_itself(result: dict[str, Any]) -> None:
    page = ladder_page(result)
    balance = Balance()
    balance.feed(page)
    assert balance.open == [] and balance.loaded == []
    assert "<script" not in page and "url(" not in page and "@import" not in page
    assert page.count("<svg") == 7 and "nan" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL).lower()
    assert "with 95 % intervals" in page and "4 games" in page
    assert "gomoku ladder grade_dict outcome level --suite huanle" in page
    assert "Holm" in page and "openings" in page and result["machine"]["compiler"] in page


def test_names_on_the_page_are_escaped(result: dict[str, Any]) -> None:
    row = {**result["evaluators"][0], "evaluator": "<b>&amp;"}
    page = ladder_page({**result, "evaluators": [row], "games": {}, "ordering": []})
    assert "<b>&amp;<" not in page and "&lt;b&gt;&amp;amp;" in page


def test_a_page_of_what_there_is_when_nothing_is_measured_yet() -> None:
    page = ladder_page(Ladder(settings()).result())
    assert "<h1>Evaluator ladder</h1>" in page and "–" in page


def test_figures_are_counted_whichever_there_are(result: dict[str, Any]) -> None:
    for page in (ladder_page(result), ladder_page({**result, "games": {}, "evaluators": _unrated(result)})):
        for word, mark in (("Figure", "<figure>"), ("Table", "<table")):
            numbers = re.findall(rf"<b>{word} (\d+)\.</b>", page)
            assert numbers == [str(place + 1) for place in range(len(numbers))] and page.count(mark) == len(numbers)


def _unrated(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**row, "games": {}} for row in result["evaluators"]]


def test_a_crosstable_numbers_names_that_have_no_room(result: dict[str, Any]) -> None:
    long = {"level": "an_evaluator_with_a_long_name"}
    rows = [{**row, "evaluator": long.get(row["evaluator"], row["evaluator"])} for row in result["evaluators"]]
    games = result["games"]["nodes"]
    pairings = [{**one, "players": [long.get(name, name) for name in one["players"]]} for one in games["pairings"]]
    page = ladder_page({**result, "evaluators": rows, "games": {"nodes": {**games, "pairings": pairings}}})
    assert re.search(r">\d  an_evaluator_with_a_long_name<", page) and "an_evalu…" not in page


def test_charts_as_svg_and_png(result: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    written = save_charts(result, tmp_path / "charts")
    pytest.importorskip("svg2pdf_py")
    names = ("elo", "ordering", "bands", "levels", "speed")
    assert [path.name for path in written] == [f"{name}.{kind}" for name in names for kind in ("svg", "png", "pdf")]
    for vector, pixels, paper in zip(written[::3], written[1::3], written[2::3], strict=True):
        assert "var(" not in vector.read_text() and "nan" not in vector.read_text()
        assert pixels.read_bytes().startswith(b"\x89PNG") and paper.read_bytes().startswith(b"%PDF")


def test_what_was_not_measured_has_no_chart(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    assert save_charts(Ladder(settings()).result(), tmp_path) == []


# ------------------------------------------------------------------ the command


def gomoku(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    out, err = capsys.readouterr()
    return end.value.code, out, err


QUICK = ["--search", "minmax:depth=1", "--game-search", "minmax:depth=1", "--pairs", "1", "--nodes", "50"]
QUICK += ["--speed", "0.01", "--level-nodes", "50", "--seconds", "0", "--suite", "huanle"]


def test_the_command_prints_tables_and_writes_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "ladder.html"
    status, out, _ = gomoku(capsys, "ladder", "grade_dict", "outcome", *QUICK, "--report", str(page))
    assert status == 0 and page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert re.search(r"grade_dict +[+-]\d", out) and "games" in out and "Wilson's 95 % intervals" in out


def test_the_command_speaks_json_and_refuses_what_is_no_evaluator(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gomoku(capsys, "ladder", "grade_dict", *QUICK, "--json")
    assert json.loads(out)["evaluators"][0]["games"] == {}
    assert gomoku(capsys, "ladder", "grade_dict", "--level-nodes", "many")[0] == 2
    for name in ("no_such_table", "no_such.toml", "no_such_module:Thing"):
        status, out, err = gomoku(capsys, "ladder", name, *QUICK)
        assert (status, out) == (2, "") and name in err and "Traceback" not in err


def test_a_module_without_its_class_is_told_how_to_write_it() -> None:
    with pytest.raises(ArenaError, match=r"unknown table 'my_module'.* written package\.module:Class"):
        Ladder(settings("my_module", "grade_dict"))


# ------------------------------------------------------------------ the same everywhere


def test_a_page_repeats_itself_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table, a class and a suite of one's own travel with the page; elsewhere they give the same figures."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    (here / "own_that_travels.py").write_text(OWN)
    (here / "mine.toml").write_text(as_evaluator("grade_dict").table.to_toml(), encoding="utf-8")
    levels = [{"black": ["g8", "h8", "i8", f"f{row}"], "white": ["a1"], "to_move": "black"} for row in (6, 7, 8)]
    (here / "few.jsonl").write_text("".join(json.dumps(level) + "\n" for level in levels))
    monkeypatch.chdir(here)
    chosen = settings(str(here / "mine.toml"), "own_that_travels:Lead", suite=str(here / "few.jsonl"))
    first = run(chosen)
    (there / "ladder.html").write_text(ladder_page(first), encoding="utf-8")
    monkeypatch.chdir(there)
    found = page_result((there / "ladder.html").read_text(encoding="utf-8"))
    assert found == json.loads(json.dumps(first))
    with pytest.raises(ArenaError, match=r"ladder\.html is here already; go to an empty folder"):
        unpack(found["sources"])
    written = unpack(found["sources"], beside=["ladder.html"])
    assert sorted(path.name for path in written) == ["few.jsonl", "mine.toml", "own_that_travels.py"]
    assert unpack(found["sources"], beside=["ladder.html"]) == []
    again = run(plan_of(found))
    assert again["games"] == first["games"] and again["ordering"] == first["ordering"]
    for one, two in zip(again["evaluators"], first["evaluators"], strict=True):
        assert (one["ordering"], one["levels"], one["games"]) == (two["ordering"], two["levels"], two["games"])
    words = command_line(found).split()
    assert words[2:4] == ["mine.toml", "own_that_travels:Lead"] and words[words.index("--suite") + 1] == "few.jsonl"
    (there / "mine.toml").write_text("other")
    with pytest.raises(ArenaError, match=r"mine\.toml is here already and is another file"):
        unpack(found["sources"], beside=["ladder.html"])


@pytest.mark.parametrize("name", ["../mine.toml", "/etc/mine.toml", "a/../../b", "c:\\x", 5, ""])
def test_a_page_writes_nothing_outside_its_folder(tmp_path: Path, name: object) -> None:
    with pytest.raises(ArenaError, match="is not inside the folder"):
        unpack([{"file": "good.toml", "text": ""}, {"file": name, "text": ""}], tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ({"file": ".envrc", "kind": "suite", "text": ""}, "a hidden file '.envrc'"),
        ({"file": "a/.config/x.toml", "kind": "table", "text": ""}, "a hidden file"),
        ({"file": "__pycache__/m.py", "kind": "python", "text": ""}, "a hidden file"),
        ({"file": "evil.so", "kind": "python", "text": ""}, "'evil.so' as a 'python'"),
        ({"file": "evil.py", "kind": "table", "text": ""}, "'evil.py' as a 'table'"),
        ({"file": "mine.toml", "kind": "table", "text": 5}, "carries 'mine.toml' without its content"),
        ({"file": "mine.npz", "kind": "weights", "base64": "no!"}, "carries 'mine.npz' without its content"),
        ({"file": "mine.toml", "kind": "table"}, "carries 'mine.toml' without its content"),
    ],
)
def test_a_page_carries_what_it_says_and_nothing_hidden(tmp_path: Path, source: dict[str, Any], said: str) -> None:
    with pytest.raises(ArenaError, match=said):
        unpack([source], tmp_path)
    assert not list(tmp_path.iterdir())


EVIL = {
    "settings": {"evaluators": ["evil_page:Evil"], "searches": [], "pairs": 0, "speed": 0, "suite": "huanle"},
    "sources": [
        {"of": "evil_page:Evil", "kind": "python", "file": "evil_page.py", "text": "open('hit', 'w').close()\n" + OWN}
    ],
}


def test_a_strangers_page_runs_nothing_until_it_is_trusted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No file is written and nothing is imported without --trust, nor beside files that are there already."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("page.json").write_text(json.dumps(EVIL))
    status, _, err = gomoku(capsys, "ladder", "--repeat", "page.json")
    assert status == 2 and "carries evil_page.py" in err and "with --trust in an empty folder" in err
    Path("other.txt").write_text("mine")
    status, _, err = gomoku(capsys, "ladder", "--repeat", "page.json", "--trust")
    assert status == 2 and "other.txt is here already; go to an empty folder" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.txt", "page.json"]
    Path("other.txt").unlink()
    gomoku(capsys, "ladder", "--repeat", "page.json", "--trust")
    assert Path("hit").exists()


@pytest.mark.parametrize(
    "option", [("level",), ("--pairs", "3"), ("--suite", "huanle"), ("--seed", "4"), ("--nodes", "5")]
)
def test_settings_beside_a_page_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...]
) -> None:
    """The page has the settings; the command would measure something else than it says."""
    monkeypatch.chdir(tmp_path)
    Path("page.json").write_text(json.dumps(EVIL))
    status, _, err = gomoku(capsys, "ladder", "--repeat", "page.json", "--trust", *option)
    assert status == 2 and "with --repeat the settings come from the page: leave out" in err
    assert gomoku(capsys, "ladder", "level", "--trust")[0] == 2


def test_a_page_carries_the_weights_of_a_cell_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    for ending in ("toml", "npz"):
        shutil.copy(LEARNED / f"cell.{ending}", here)
    first = run(settings(str(here / "cell.toml"), "grade_dict", searches=(), nodes=30))
    page = ladder_page(first)
    (there / "page.html").write_text(page, encoding="utf-8")
    monkeypatch.chdir(there)
    found = page_result(page)
    assert sorted(path.name for path in unpack(found["sources"], beside=["page.html"])) == ["cell.npz", "cell.toml"]
    assert (there / "cell.npz").read_bytes() == (here / "cell.npz").read_bytes()
    again = run(plan_of(found))
    assert plan_of(found).evaluators == ("cell.toml", "grade_dict")
    assert again["ordering"][0]["p"] == first["ordering"][0]["p"]
    assert "too large for this page" not in page


def test_a_match_and_a_ladder_say_the_same_of_the_same_games() -> None:
    ladder = Ladder(settings("grade_dict", "level", pairs=3, nodes=30))
    with workers() as pool:
        ladder.run(pool)
        standings = play_match(ladder.matches["nodes"], pool)
    found = ladder.result()
    assert found["games"]["nodes"]["pairings"][0].items() >= duel_json(standings.tally(0, 1)).items()
    ratings = [row["games"]["nodes"]["rating"] for row in found["evaluators"]]
    assert ratings == [rating.json() for rating in standings.ratings()]
    duel = elo(standings.tally(0, 1))
    assert standings.ratings()[0].low == duel.low / 2 and standings.ratings()[1].high == -duel.low / 2


def test_games_at_equal_time_are_played_beside_those_at_equal_nodes() -> None:
    found = run(settings("grade_dict", "outcome", searches=(), seconds=0.002, nodes=30))
    assert [found["games"][by]["limit"] for by in ("nodes", "seconds")] == [30, 0.002]
    assert [found["games"][by]["games"] for by in ("nodes", "seconds")] == [2, 2]
    page = ladder_page(found)
    assert (
        "Playing strength at equal nodes" in page and "Playing strength at equal time" in page and "2 ms a move" in page
    )


def test_an_evaluator_that_takes_more_than_its_time_is_marked(result: dict[str, Any]) -> None:
    """Its games at equal time were not at equal time, and every table and chart of them says so."""
    found = json.loads(json.dumps(run(settings("grade_dict", "outcome", searches=(), seconds=0.002, nodes=30))))
    for row, mean in zip(found["evaluators"], (0.002, 0.02), strict=True):
        row["games"]["seconds"]["time"] |= {"mean": mean, "most": 0.05, "overruns": mean > 0.01}
    games = next(sheet for sheet in sheets(found) if sheet.name == "games_time")
    cells = {row[0].text: row[-1] for row in games.rows}
    assert (cells["outcome"].text, cells["grade_dict"].text, cells["outcome"].note) == ("20 †", "2", "at most 50")
    overview = next(sheet for sheet in sheets(found) if sheet.name == "overview")
    assert [row[2].text.endswith("†") for row in overview.rows] == [False, True]
    assert "† On average more than 25% over the time granted: not at equal time." in games.notes + overview.notes
    page = ladder_page(found)
    assert page.count("outcome †") >= 1 and "†" not in ladder_page(result)


def test_a_level_whose_workers_died_is_neither_won_nor_failed() -> None:
    ladder = Ladder(settings("grade_dict", searches=("minmax:depth=1",), levels=3, pairs=0))
    units = [unit for unit in ladder.units() if "level" in unit]
    for unit, result in zip(units, (lost_unit(units[0]), {"budget": None}, {"budget": 100}), strict=True):
        ladder._count(unit["key"], result)
    (level,) = ladder.result()["evaluators"][0]["levels"]
    assert (level["tried"], level["lost"], list(level["won"].values())[-1]) == (2, [units[0]["level"]], 1)
    assert str(units[0]["level"]) not in level["levels"]
    assert "not counted because every worker died: 1" in levels_sheet(ladder.result()).notes


def test_a_level_that_is_another_one_turned_counts_once(tmp_path: Path) -> None:
    """Intervals of shares and sign tests count positions; the same position again is no new evidence."""
    board = Board(black=["g8", "h8", "i8"], white=["a1"], turn="black")
    boards = [*map(board.transform, range(8)), Board(black=["c3", "d3", "e3"], white=["a1"], turn="black")]
    stones = [{str(colour): list(map(one.name, one.stones(colour))) for colour in Colour} for one in boards]
    levels = [{**one, "to_move": "black"} for one in stones]
    (tmp_path / "turned.jsonl").write_text("".join(json.dumps(level) + "\n" for level in levels))
    found = run(settings("grade_dict", "level", searches=(), pairs=0, suite=str(tmp_path / "turned.jsonl")))
    assert (found["suite"]["all"], found["suite"]["repeated"], found["suite"]["positions"]) == (9, 7, 2)
    assert found["evaluators"][0]["ordering"]["levels"] == 2
    (pair,) = found["ordering"]
    assert pair["better"] + pair["worse"] + pair["equal"] == 2
    assert "7 are others turned or mirrored" in ladder_page(found)


def test_levels_are_spread_over_the_bands() -> None:
    levels = [Level(number, Board(), band=1 + (number > 80)) for number in range(1, 101)]
    chosen = sampled(levels, 10)
    assert len(chosen) == 10 and sum(level.band == 2 for level in chosen) == 2
    assert chosen == sampled(list(reversed(levels)), 10)[::-1] and sampled(levels, None) == levels


def test_bands_have_figures_of_their_own(tmp_path: Path) -> None:
    suite = tmp_path / "bands.jsonl"
    common = {"black": ["g8", "h8", "i8", "f8"], "to_move": "black"}
    lines = ({**common, "white": ["a1", f"c{n}"], "number": n, "band": 1 + n // 3} for n in range(1, 6))
    text = [{"suite": "bands", "title": "Bands"}, *lines]
    suite.write_text("".join(json.dumps(line) + "\n" for line in text))
    found = run(settings(suite=str(suite), searches=(), pairs=0))
    bands = found["evaluators"][0]["ordering"]["bands"]
    assert found["suite"]["bands"] == [1, 2] and {band: one["levels"] for band, one in bands.items()} == {
        "1": 2,
        "2": 3,
    }
    assert "band 2" in ladder_page(found) and [sheet.name for sheet in sheets(found)] == [
        "overview",
        "ordering",
        "bands",
    ]


# ------------------------------------------------------------------ tables for papers


def test_tables_are_written_for_every_program(result: dict[str, Any], tmp_path: Path) -> None:
    written = save_sheets(sheets(result), tmp_path)
    names = ["overview", "games", "pairings", "ordering", "bands", "levels", "speed"]
    assert [path.name for path in written] == [f"{name}.{kind}" for name in names for kind in ("csv", "md", "tex")]
    rows = list(csv.DictReader((tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()))
    games = {row["evaluator"]: row["games"]["nodes"] for row in result["evaluators"]}
    assert [float(row["Elo"]) for row in rows] == sorted(
        (one["rating"]["value"] for one in games.values()), reverse=True
    )
    assert all(int(row["games"]) == games[row["evaluator"]]["games"] for row in rows)
    for kind in ("tex", "md"):
        assert all(len(path.read_text(encoding="utf-8")) > 200 for path in written if path.suffix == f".{kind}")
    whole = "".join(path.read_text(encoding="utf-8") for path in written if path.suffix == ".tex")
    assert re.search(r"\(\d+--\d+\\%\)", whole) and re.search(r"\(\$-\$\S+ to \+", whole)
    assert "-$-$" not in whole and "$-$-" not in whole and not re.search(r"\d-\$-\$\d", whole)
    latex = (tmp_path / "levels.tex").read_text(encoding="utf-8")
    lines = [line for line in latex.splitlines() if line.endswith("\\\\")]
    assert len(lines) == 4 and {line.count("&") for line in lines} == {3}
    assert (
        "grade\\_dict" in latex and "\\toprule" in latex and "%" not in latex.replace("\\%", "").replace("% \\use", "")
    )
    assert {line.count("|") for line in (tmp_path / "games.md").read_text().splitlines()[:5]} == {9}


def test_best_is_only_what_is_apart_from_all_others() -> None:
    def entry(value: float, low: float, high: float) -> Entry:
        return Entry(str(value), value, low, high)

    near = best_marked([[entry(0.9, 0.7, 0.95)], [entry(0.8, 0.6, 0.9)]], [0])
    apart = best_marked([[entry(0.5, 0.4, 0.6)], [entry(0.9, 0.7, 0.95)], [NOTHING]], [0])
    assert [row[0].best for row in near] == [False, False]
    assert [row[0].best for row in apart] == [False, True, False]
    assert [row[0].best for row in best_marked([[entry(0.5, 0.4, 0.6)]], [0])] == [False]


# ------------------------------------------------------------------ how long it takes


def test_what_is_too_long_is_cut_to_what_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = OWN.replace("return", "time.sleep(0.002); return").replace("from", "import time\nfrom", 1)
    (tmp_path / "own_that_is_slow.py").write_text(slow)
    monkeypatch.chdir(tmp_path)
    ladder = Ladder(settings("own_that_is_slow:Lead", "grade_dict", nodes=5000, pairs=20, budgets=(500, 32000)))
    costs, plan = measured_costs(ladder), complete(ladder.plan, ladder)
    assert costs.rank["own_that_is_slow:Lead"] > 100 * costs.rank["grade_dict"]
    assert costs.seconds(plan) > 3600 and costs.seconds(plan, jobs=2) < costs.seconds(plan)
    hour = fitted(plan, costs, 3600.0)
    assert 0 < costs.seconds(hour) <= 3600 and hour.pairs <= plan.pairs and hour != plan
    least = fitted(plan, costs, 0.1)
    assert (least.pairs, least.levels, least.positions, least.budgets, least.nodes) == (6, 5, 20, (500,), 50)
    assert least_pairs(1) == 6 and fitted(replace(plan, pairs=3), costs, 0.1).pairs == 3
    none = fitted(replace(plan, levels=0, pairs=0), costs, 0.1)
    assert (none.budgets, none.nodes, none.levels, none.pairs) == ((500, 32000), 5000, 0, 0)
    assert fitted(plan, costs, 1e9) == plan


def test_the_command_says_how_long_it_takes_and_keeps_to_a_budget(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["ladder", "grade_dict", "outcome", *QUICK]
    told = json.loads(gomoku(capsys, *words, "--estimate", "--json")[1])
    assert told["seconds"] > 0 and set(told["parts"]) == {"speeds", "ordering", "puzzles", "games"}
    assert "this takes about" in gomoku(capsys, *words, "--estimate")[1]
    log = tmp_path / "log.jsonl"
    big = [*words[:-2], "--pairs", "5000", "--budget", "9s", "--log", str(log), "--json"]
    _, out, err = gomoku(capsys, *big)
    assert "with --pairs " in err and 6 <= json.loads(out)["settings"]["pairs"] < 5000
    assert json.loads(gomoku(capsys, *big)[1])["settings"] == json.loads(out)["settings"]
    assert gomoku(capsys, *words, "--budget", "soon")[0] == 2


def test_a_budget_for_which_nothing_can_be_answered_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Minutes are not turned into more minutes in silence, nor pairs into too few to answer."""
    words = ["ladder", "grade_dict", "outcome", "level", *QUICK[:-2], "--pairs", "500", "--budget", "0.01s"]
    status, _, err = gomoku(capsys, *words)
    assert status == 2 and "the least that can answer does not fit into" in err and "give more time" in err
    out = gomoku(capsys, *words, "--estimate")[1]
    assert "a ladder with --budget would be refused" in out and "3 pairings of 8 pairs of games" in out


def test_the_pairs_that_are_needed_are_said_before_the_games(
    capsys: pytest.CaptureFixture[str], result: dict[str, Any]
) -> None:
    words = ["ladder", "grade_dict", "outcome", *QUICK[:-2], "--pairs", "3", "--estimate"]
    out = gomoku(capsys, *words)[1]
    assert "1 pairing of 3 pairs of games: 50 would show 100 Elo in four cases of five" in out
    assert "below 6 not even a player that wins all is significantly better" in out
    assert "below" not in gomoku(capsys, *words[:-2], "6", "--estimate")[1]
    assert json.loads(gomoku(capsys, *words, "--json")[1])["pairs_needed"] == 6
    page = ladder_page(result)
    assert "With 1 pairs nothing can be significant" in page and "among 3 pairings 8 pairs are the least" in page
    assert least_pairs(3) == 8 and "One search cannot rank evaluators." in page
    assert "100 nodes a move are so few" in page


def test_zero_is_none_and_all_is_all(capsys: pytest.CaptureFixture[str], result: dict[str, Any]) -> None:
    words = ["ladder", "grade_dict", "--suite", "huanle", "--pairs", "0", "--speed", "0", "--json"]
    nothing = json.loads(gomoku(capsys, *words, "--levels", "0", "--positions", "0")[1])
    assert (nothing["suite"]["positions"], nothing["suite"]["levels"]) == (0, 0)
    assert nothing["evaluators"][0]["ordering"] is None
    every = json.loads(gomoku(capsys, *words, "--levels", "0", "--positions", "all")[1])
    assert (every["suite"]["positions"], every["suite"]["levels"]) == (20, 0)
    assert gomoku(capsys, *words, "--levels", "some")[0] == 2
    assert "--positions all --levels 100" in command_line(result)


class Unnamed:
    def score(self, board: Board) -> int:
        return 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"evaluators": (Unnamed(),)}, r"an evaluator of a plan is a text .*'tests.arena.test_ladder:Unnamed'"),
        ({"evaluators": "level"}, "the evaluators of a plan are a tuple of texts"),
        ({"evaluators": ("level", Unnamed)}, "'tests.arena.test_ladder:Unnamed'"),
        ({"searches": (5,)}, "a search of a plan is a text"),
        ({"game_search": None}, "a game search of a plan is a text"),
        ({"pairs": "3"}, "pairs is a whole number from 0, not '3'"),
        ({"nodes": 0}, "nodes is a whole number from 1, not 0"),
        ({"levels": -1}, "levels is a whole number from 0"),
        ({"seconds": 0}, "seconds is a number above 0, not 0"),
        ({"budgets": ("x",)}, "budgets are a tuple of numbers"),
        ({"rule": "chess"}, "chess"),
    ],
)
def test_a_plan_of_something_else_is_refused_in_words(options: dict[str, Any], said: str) -> None:
    with pytest.raises(GomokuError, match=said):
        LadderPlan(**{"evaluators": ("level",), **options})


def test_without_a_terminal_lines_say_how_far_the_ladder_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gomoku.commands.status.PULSE_SECONDS", 0.0)
    _, _, err = gomoku(capsys, "ladder", "grade_dict", "outcome", *QUICK)
    assert re.search(r"ladder: \d+ of \d+ units of work, ", err)


def test_the_command_repeats_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "ladder.html"
    words = ["ladder", "grade_dict", *QUICK, "--json"]
    first = json.loads(gomoku(capsys, *words, "--report", str(page), "--tables", "tables")[1])
    assert (tmp_path / "tables" / "overview.tex").exists()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    again = json.loads(gomoku(capsys, "ladder", "--repeat", str(page), "--trust", "--json")[1])
    monkeypatch.chdir(tmp_path)
    assert again["settings"] == first["settings"]
    assert again["evaluators"][0]["ordering"] == first["evaluators"][0]["ordering"]
    (tmp_path / "no_page.html").write_text("<p>nothing")
    status, _, err = gomoku(capsys, "ladder", "--repeat", "no_page.html")
    assert status == 2 and "no_page.html is no page of gomoku ladder" in err
