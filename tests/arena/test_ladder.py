"""The ladder: every evaluator measured the same way, on one page that stands by itself."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.ladder import SEARCHES, Ladder, LadderPlan, measure_speed
from arena.ladder_charts import save_charts
from arena.log import Log
from arena.page import ladder_page
from arena.pools import workers
from gomoku.cli import main
from gomoku.commands.ladder import command
from gomoku_patterns import BLACK, Board
from gomoku_patterns.errors import ArenaError, PlayerError
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator

OWN = """
from gomoku_patterns import BLACK, WHITE

class Lead:
    name = "lead"
    def score(self, board):
        return len(board.stones(BLACK)) - len(board.stones(WHITE))
"""


def settings(*evaluators: str, **options: Any) -> LadderPlan:
    quick = {"searches": ("minmax:depth=2",), "game_search": "minmax:depth=1", "budgets": (50, 100), "speed": 0.0}
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
        assert row["speed"]["scores"] > 0 and row["speed"]["plays"] > 0
        assert 0 <= row["ordering"]["top1"] <= row["ordering"]["top5"] <= row["ordering"]["top10"] <= 1
        few, many = (row["levels"][0]["won"][key] for key in ("50", "100"))
        assert 0 <= few <= many <= row["levels"][0]["tried"] == 20
        assert many == sum(least is not None for least in row["levels"][0]["levels"].values())
        assert row["rating"]["games"] == 4
    assert len(result["pairings"]) == 3
    json.dumps(result, allow_nan=False)


def test_a_good_table_orders_moves_better_than_one_that_sees_fives_only(result: dict[str, Any]) -> None:
    good, blind = (row["ordering"] for row in result["evaluators"][:2])
    assert good["top5"] > 0.8 and blind["top5"] < 0.3 and good["mrr"] > blind["mrr"]


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
    changes = (("", "f8", ""), ("is the log of another run: positions is ", "e8", ""), (edited, "f8", "# edited\n"))
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
        ({"key": "ordering outcome", "result": {"levels": 1}}, "the result of 'ordering outcome' has None for 'top1'"),
        ({"key": "game 0", "result": {}}, "there is no game None in a match with games 0 to 1"),
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
    assert own["rating"]["value"] < found["evaluators"][1]["rating"]["value"]


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
    games = Ladder(settings("grade_dict", "own_among_tables:Lead", **quick)).match
    assert games is not None and games.players[0] == "minmax:table=grade_dict"


def test_the_command_compares_a_class_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_on_the_page.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    words = "own_on_the_page:Lead grade_dict --pairs 1 --nodes 20 --level-nodes 20 --speed 0 --json"
    done = CliRunner().invoke(command, words.split())
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["settings"]["searches"] == [*SEARCHES] and found["settings"]["game_search"] == "minmax"
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
    assert mine["ordering"]["mrr"] == theirs["ordering"]["mrr"]
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
        measure_speed(Fickle(), settings(speed=0.01))


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
    assert page.count("<svg") == 6 and "nan" not in page.lower().replace("finance", "")
    assert "Elo with 95 % intervals" in page and "4 games" in page
    assert "gomoku ladder grade_dict outcome level --suite huanle" in page


def test_names_on_the_page_are_escaped(result: dict[str, Any]) -> None:
    row = {**result["evaluators"][0], "evaluator": "<b>&amp;"}
    page = ladder_page({**result, "evaluators": [row], "pairings": []})
    assert "<b>&amp;<" not in page and "&lt;b&gt;&amp;amp;" in page


def test_a_page_of_what_there_is_when_nothing_is_measured_yet() -> None:
    page = ladder_page(Ladder(settings()).result())
    assert "<h1>Evaluator ladder</h1>" in page and "–" in page


def test_figures_are_counted_whichever_there_are(result: dict[str, Any]) -> None:
    for page in (ladder_page(result), ladder_page({**result, "pairings": [], "evaluators": _unrated(result)})):
        numbers = re.findall(r"<b>Figure (\d+)\.</b>", page)
        assert numbers == [str(place + 1) for place in range(len(numbers))] and page.count("<figure>") == len(numbers)


def _unrated(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**row, "rating": None} for row in result["evaluators"]]


def test_a_crosstable_numbers_names_that_have_no_room(result: dict[str, Any]) -> None:
    long = {"level": "an_evaluator_with_a_long_name"}
    rows = [{**row, "evaluator": long.get(row["evaluator"], row["evaluator"])} for row in result["evaluators"]]
    pairings = [{**one, "players": [long.get(name, name) for name in one["players"]]} for one in result["pairings"]]
    page = ladder_page({**result, "evaluators": rows, "pairings": pairings})
    assert re.search(r">\d  an_evaluator_with_a_long_name<", page) and "an_evalu…" not in page


def test_charts_as_svg_and_png(result: dict[str, Any], tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    written = save_charts(result, tmp_path / "charts")
    names = ("elo", "ordering", "levels", "speed")
    assert [path.name for path in written] == [f"{name}.{kind}" for name in names for kind in ("svg", "png")]
    for vector, pixels in zip(written[::2], written[1::2], strict=True):
        assert "var(" not in vector.read_text() and "nan" not in vector.read_text()
        assert pixels.read_bytes().startswith(b"\x89PNG")


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
QUICK += ["--speed", "0.01", "--level-nodes", "50"]


def test_the_command_prints_tables_and_writes_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "ladder.html"
    status, out, _ = gomoku(capsys, "ladder", "grade_dict", "outcome", *QUICK, "--report", str(page))
    assert status == 0 and page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert re.search(r"grade_dict +[+-]\d", out) and "games" in out and "on 20 positions" in out


def test_the_command_speaks_json_and_refuses_what_is_no_evaluator(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = gomoku(capsys, "ladder", "grade_dict", *QUICK, "--json")
    assert json.loads(out)["evaluators"][0]["rating"] is None
    assert gomoku(capsys, "ladder", "grade_dict", "--level-nodes", "many")[0] == 2
    for name in ("no_such_table", "no_such.toml", "no_such_module:Thing"):
        status, out, err = gomoku(capsys, "ladder", name, *QUICK)
        assert (status, out) == (2, "") and name in err and "Traceback" not in err


def test_a_module_without_its_class_is_told_how_to_write_it() -> None:
    with pytest.raises(ArenaError, match=r"unknown table 'my_module'.* written package\.module:Class"):
        Ladder(settings("my_module", "grade_dict"))
