"""``gomoku explain`` and ``gomoku tables``: what people and scripts are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

THREE = {"id": 3, "rows": 9, "cols": 9, "black": ["d5", "e5", "f5"], "white": ["a1"], "to_move": "black"}


@pytest.fixture
def three(tmp_path: Path) -> str:
    path = tmp_path / "three.json"
    path.write_text(json.dumps(THREE), encoding="utf-8")
    return str(path)


class TestExplain:
    @pytest.mark.parametrize("table", ["grade_dict", "level", "wins", "money", "outcome"])
    def test_items_add_up_to_the_score(self, gomoku: Run, three: str, table: str) -> None:
        told = gomoku("explain", three, "--table", table, "--json").value
        score = gomoku("score", three, "--table", table, "--json").value["score"]
        assert told["score"] == score == sum(item["worth"] for item in told["items"])
        for item in told["items"]:
            assert len(item["cells"]) == len(item["names"])

    def test_a_cell_is_explained_for_both_colours(self, gomoku: Run, three: str) -> None:
        told = gomoku("explain", three, "--cell", "g5", "--json").value
        assert (told["cell"], told["name"], told["table"]) == ([4, 6], "g5", "grade_dict")
        for colour in ("black", "white"):
            assert told[colour]["gain"] == sum(item["worth"] for item in told[colour]["items"])
        assert told["black"]["gain"] == 4400

    def test_people_read_lines(self, gomoku: Run, three: str) -> None:
        done = gomoku("explain", three, "--cell", "g5")
        assert done.status == 0
        assert "+4320  appears  live four 活四 (black)  row 5  c5 d5 e5 f5 g5 h5" in done.out
        assert "grade_dict: white on g5 gains" in done.out

    def test_a_batch(self, gomoku: Run, tmp_path: Path) -> None:
        batch = tmp_path / "batch.jsonl"
        batch.write_text(json.dumps(THREE) + "\n[]\n", encoding="utf-8")
        done = gomoku("explain", "--batch", str(batch))
        told = [json.loads(line) for line in done.out.splitlines()]
        assert done.status == 2
        assert (told[0]["id"], told[0]["score"]) == (3, sum(item["worth"] for item in told[0]["items"]))
        assert set(told[1]) == {"id", "error"}

    @pytest.mark.parametrize(
        ("cell", "message"),
        [
            ("e5", "there is a black stone on 'e5' already"),
            ("k5", "found 'k5'"),
            ("?", "expected a cell such as 'h8', found '?'"),
        ],
    )
    def test_a_bad_cell(self, gomoku: Run, three: str, cell: str, message: str) -> None:
        done = gomoku("explain", three, "--cell", cell)
        assert (done.status, done.out) == (2, "")
        assert message in done.err


class TestTables:
    def test_all_are_listed(self, gomoku: Run) -> None:
        told = gomoku("tables", "--json").value["tables"]
        assert {"grade_dict", "level", "wins", "money", "outcome"} <= {table["name"] for table in told}
        assert {("cell", "cell"), ("learned", "code")} <= {(table["name"], table["scan"]) for table in told}
        assert "The 572 ways to make five" in gomoku("tables").out

    def test_one_is_drawn(self, gomoku: Run) -> None:
        done = gomoku("tables", "show", "money")
        assert "live four 活四: 10,000 own, 6,500 opposing" in done.out
        assert "║ ◉ ● ● ● ·    |Oooo." in done.out
        assert "1 rush four + 1 live three: 7,000 own, 6,000 opposing" in done.out

    def test_one_is_told(self, gomoku: Run) -> None:
        told = gomoku("tables", "show", "level", "--json").value
        assert (told["reach"], told["ring"], len(told["combinations"])) == (5, True, 6)
        assert told["patterns"][0]["name"] == {"en": "con five", "zh": "长连"}

    @pytest.mark.parametrize("table", ["grade_dict", "level", "wins", "money", "outcome"])
    def test_a_copy_is_the_same_table(self, gomoku: Run, tmp_path: Path, table: str) -> None:
        copy = tmp_path / "copy.toml"
        copy.write_text(gomoku("tables", "show", table, "--toml").out, encoding="utf-8")
        digests = [gomoku("tables", "show", name, "--json").value["digest"] for name in (table, str(copy))]
        assert digests[0] == digests[1]

    def test_checking_measures(self, gomoku: Run) -> None:
        told = gomoku("tables", "check", "grade_dict", "--json").value
        assert (told["patterns"], told["texts"], told["states"], told["symmetric"]) == (16, 16, 49, True)
        assert told["scores_per_second"] > 10_000
        assert told["batch_scores_per_second"] > 10_000

    def test_a_lopsided_table_is_told_so(self, gomoku: Run, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text('name = "mine"\n[[pattern]]\nshape = "four"\ntext = "xoooo."\nscore = 9\n', encoding="utf-8")
        done = gomoku("tables", "check", str(path))
        assert done.status == 0
        assert "mine: a valid line table" in done.out
        assert "a mirrored board may score differently" in done.out

    def test_a_mistake_is_one_line(self, gomoku: Run, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text('name = "mine"\n[[pattern]]\nshape = "four"\ntext = "xooqo."\nscore = 9\n', encoding="utf-8")
        done = gomoku("tables", "check", str(path))
        assert (done.status, done.out) == (2, "")
        assert done.err == f"gomoku: {path}:4: pattern 'xooqo.' (four): expected the symbols o x . | ~, found 'q'\n"
