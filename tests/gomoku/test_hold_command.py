"""``gomoku hold`` and ``gomoku verify``: small boards are decided, and what was found is judged."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner

from gomoku.commands.hold import command
from gomoku.commands.verify import command as verify


def position(tmp_path: Path, **parts: object) -> str:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(parts))
    return str(path)


def test_an_empty_board_is_a_draw(tmp_path: Path) -> None:
    """The size is rows x columns, as everywhere."""
    done = CliRunner().invoke(command, ["5x6", "--save", str(tmp_path), "--json"], standalone_mode=False)
    told = json.loads(done.output)
    assert (done.return_value, told["result"], told["size"]) == (0, "draw", "5x6")
    where = position(tmp_path, rows=5, cols=6)
    for side in ("black", "white"):
        assert told["holds"][side]["bytes"] == (tmp_path / f"{side}.gmkhold").stat().st_size
        judged = CliRunner().invoke(verify, [where, str(tmp_path / f"{side}.gmkhold")], standalone_mode=False)
        assert (judged.return_value, judged.output.split()[0]) == (0, "accepted")
    elsewhere = position(tmp_path, rows=6, cols=6)
    judged = CliRunner().invoke(verify, [elsewhere, str(tmp_path / "white.gmkhold"), "--native"], standalone_mode=False)
    assert judged.return_value == 1 and "for this position" in judged.output


def test_a_won_position_comes_with_its_proof(tmp_path: Path) -> None:
    where = position(tmp_path, rows=7, cols=7, black=["c4", "d4", "e4"], white=["a1", "g1", "a7"], to_move="black")
    done = CliRunner().invoke(command, [where, "--seconds", "1", "--save", str(tmp_path)], standalone_mode=False)
    assert (done.return_value, done.output.splitlines()[0]) == (0, "black wins")
    judged = CliRunner().invoke(verify, [where, str(tmp_path / "win.gmkproof")], standalone_mode=False)
    assert judged.return_value == 0


def test_what_time_is_too_short_for_is_not_decided() -> None:
    done = CliRunner().invoke(command, ["11x11", "--seconds", "0.2"], standalone_mode=False)
    assert done.return_value == 1 and done.output.startswith("not decided")
    assert "white: no hold found in time; --seconds gives more" in done.output
