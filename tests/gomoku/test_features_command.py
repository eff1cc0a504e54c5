"""``gomoku features``: JSON positions in, a matrix with named columns out."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from gomoku.cli import main
from gomoku.commands import features
from gomoku_patterns import as_evaluator, parse_json_position

LINES = [
    {"id": "a", "black": ["h8", "h9", "h10"], "white": ["a1"], "to_move": "black"},
    {"id": 7, "black": ["h8"], "white": ["h9", "i9"], "to_move": "white"},
    {"black": [], "white": []},
]


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "positions.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return path


def ask(*args: str | Path, text: str | None = None) -> Result:
    return CliRunner().invoke(features.command, [str(arg) for arg in args], input=text)


@pytest.mark.parametrize("table", ["grade_dict", "level"])
@pytest.mark.parametrize("view", ["colour", "mover"])
def test_an_npz_holds_what_python_says(batch: Path, tmp_path: Path, table: str, view: str) -> None:
    out = tmp_path / "new" / "x.npz"
    done = ask("--batch", batch, "--table", table, "--out", out, "--view", view, "--classes", "--json")
    said = json.loads(done.output)
    assert (done.exit_code, said["positions"], said["table"]) == (0, 3, table)
    evaluator = as_evaluator(table)
    boards = [parse_json_position(line) for line in LINES]
    wanted = evaluator.features(boards, view=view)
    with np.load(out) as found:
        assert found["matrix"].tolist() == wanted.matrix.tolist()
        assert tuple(found["names"]) == wanted.names
        assert found["ids"].tolist() == ["a", "7", ""]
        assert (found["classes"] == evaluator.classes(boards)).all()
        assert ("weights" in found) == (table == "grade_dict")


def test_a_csv_has_the_ids_and_the_names(batch: Path, tmp_path: Path) -> None:
    assert ask("--batch", batch, "--out", tmp_path / "x.csv").exit_code == 0
    rows = list(csv.reader((tmp_path / "x.csv").read_text(encoding="utf-8").splitlines()))
    wanted = as_evaluator("grade_dict").features([parse_json_position(line) for line in LINES])
    assert rows[0] == ["id", *wanted.names]
    assert [row[0] for row in rows[1:]] == ["a", "7", ""]
    assert [list(map(int, row[1:])) for row in rows[1:]] == wanted.matrix.tolist()


def test_a_parquet_has_the_same_columns(batch: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    assert ask("--batch", batch, "--out", tmp_path / "x.parquet").exit_code == 0
    found = parquet.read_table(tmp_path / "x.parquet")
    wanted = as_evaluator("grade_dict").features([parse_json_position(line) for line in LINES])
    assert found.column_names == ["id", *wanted.names]
    assert [list(row.values())[1:] for row in found.to_pylist()] == wanted.matrix.tolist()


def test_portions_are_joined_in_order(batch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask("--batch", batch, "--out", tmp_path / "whole.npz")
    monkeypatch.setattr(features, "PORTION", 2)
    ask("--batch", batch, "--out", tmp_path / "parts.npz")
    with np.load(tmp_path / "whole.npz") as whole, np.load(tmp_path / "parts.npz") as parts:
        assert all((whole[key] == parts[key]).all() for key in whole.files)


@pytest.mark.parametrize(
    "case",
    [
        ('{"black": ["h8"], "white": []}\n{"black": ["z99"], "white": []}\n', "x.csv", "p.jsonl:2:"),
        ('{"black": [], "white": []}\n{"rows": 9, "cols": 9, "black": [], "white": []}\n', "x.csv", "p.jsonl:2: a 9x9"),
        ("nonsense\n", "x.csv", "p.jsonl:1:"),
        ("\n", "x.csv", "p.jsonl: there are no positions"),
        ("{}", "x.txt", "end it in .npz, .csv or .parquet"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], case: tuple[str, str, str]
) -> None:
    text, out, message = case
    monkeypatch.chdir(tmp_path)
    Path("p.jsonl").write_text(text)
    with pytest.raises(SystemExit) as stop:
        main(["features", "--batch", "p.jsonl", "--out", out])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not Path(out).exists()


def test_classes_need_an_npz(batch: Path, tmp_path: Path) -> None:
    done = ask("--batch", batch, "--out", tmp_path / "x.csv", "--classes")
    assert done.exit_code == 2 and "write them to a .npz file" in done.output
