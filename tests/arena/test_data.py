"""Data sets: what is written is what was searched, once, however often the run was broken off."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena import workers
from arena.data import (
    DECIDED,
    UNKNOWN_MOVE,
    UNKNOWN_RESULT,
    UNKNOWN_SCORE,
    DataSet,
    make_data,
    opening_id,
    packed,
    position_keys,
    split_of,
    unpacked,
)
from arena.selfplay import (
    Labelling,
    SelfPlay,
    ends_of_game,
    ends_source,
    games_of,
    games_source,
    label_game,
    play,
    self_play,
)
from gomoku_patterns import BLACK, Board, Rule
from gomoku_patterns.board import SYMMETRIES
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.testing import boards, positions
from search import Limit, solve
from search.labels import Labeller

PLAN = SelfPlay(nodes=60, seed=3)


def made(folder: Path, games: int, jobs: int = 1, shard: int = 60, plan: SelfPlay = PLAN) -> DataSet:
    with workers(jobs) as pool:
        return make_data(folder, self_play(plan, games), pool, shard=shard)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------------- the format


@given(board=boards())
@settings(max_examples=40, deadline=None)
def test_packed_cells_are_unpacked_as_they_were(board):
    stones = board.to_array()[None]
    cells = packed(stones)
    assert cells.shape == (1, -(-board.rows * board.cols // 4))
    assert (unpacked(cells, board.rows, board.cols) == stones).all()


@given(board=boards(max_side=15))
@settings(max_examples=40, deadline=None)
def test_symmetric_positions_have_one_key_and_the_turn_counts(board):
    def key(one, turn):
        return int(position_keys(one.to_array()[None], [turn])[0])

    kept = SYMMETRIES if board.rows == board.cols else (0, 2, 4, 5)
    assert {key(board.transform(symmetry), board.turn) for symmetry in kept} == {key(board, board.turn)}
    assert key(board, board.turn) != key(board, board.turn.opponent)
    assert opening_id(board.transform(2)) == opening_id(board)


def test_the_files_are_read_with_numpy_alone(tmp_path):
    """As docs/reference/data-sets.md says it, without a line of this project."""
    made(tmp_path / "set", 4)
    meta = json.loads((tmp_path / "set" / "meta.json").read_text())
    total = 0
    for shard in meta["shards"]:
        part = tmp_path / "set" / shard["name"]
        arrays = {path.stem: np.load(path, mmap_mode="r") for path in part.glob("*.npy")}
        assert {name: array.dtype.name for name, array in arrays.items()} == {
            "cells": "uint8", "turn": "uint8", "result": "int8", "score": "int16", "best": "int16", "game": "uint32",
            "opening": "uint32", "ply": "uint16", "split": "uint8",
        }  # fmt: skip
        assert {len(array) for array in arrays.values()} == {shard["positions"]}
        total += shard["positions"]
        cell = arrays["best"].astype(int)
        assert (arrays["cells"][np.arange(len(cell)), cell // 4] >> (cell % 4 * 2) & 3 == 0).all()
        stones = sum((arrays["cells"] >> shift & 3) > 0 for shift in (0, 2, 4, 6)).sum(axis=1)
        assert (stones == arrays["ply"]).all()
    assert total == meta["positions"] == sum(meta["splits"].values())


# ---------------------------------------------------------------------- self-play


def test_a_game_is_decided_by_its_plan_and_number():
    first, again, other = play(PLAN, 5), play(PLAN, 5), play(PLAN, 6)
    assert first.tobytes() == again.tobytes() != other.tobytes()
    assert set(first["game"].tolist()) == {5} and len(set(first["opening"].tolist())) == 1
    assert set(first["split"].tolist()) == {split_of(int(first["opening"][0]))}


@pytest.mark.parametrize("nodes", [1, 3, 10, 30])
def test_searches_that_are_cut_short_play_legal_games(nodes):
    """So few nodes are no judgement, but the moves that were not looked at are not drawn by what they are not worth."""
    for number in range(5):
        rows = play(SelfPlay(nodes=nodes, variety=1.0, temperature=5.0), number)
        assert (np.diff(rows["ply"].astype(int)) > 0).all()


def test_results_are_of_the_side_to_move():
    """Neighbouring positions of a game that somebody won have opposite results."""
    for number in range(6):
        rows = play(SelfPlay(nodes=60, variety=0.0), number)
        signs = set((rows["result"] * np.where(rows["turn"] == BLACK, 1, -1)).tolist())
        assert len(signs) == 1


def test_positions_before_a_bad_slip_have_no_result():
    rows = [play(SelfPlay(nodes=40, variety=1.0, temperature=400.0), number) for number in range(4)]
    rough = [play(SelfPlay(nodes=40, variety=1.0, temperature=1.0), number) for number in range(4)]
    assert all(len(one) for one in rows)
    assert any((one["result"] != 2).all() for one in rough)


def test_the_same_files_whatever_the_jobs_and_however_often_it_was_broken_off(tmp_path):
    whole = made(tmp_path / "whole", 8)
    assert len(whole.shards) > 1 and len(whole) == whole.meta["positions"]
    made(tmp_path / "jobs", 8, jobs=2)
    with workers(1) as pool, pytest.raises(KeyboardInterrupt):
        make_data(tmp_path / "parts", self_play(PLAN, 8), pool, shard=60, progress=_stop_after(5))
    (tmp_path / "parts" / "part-0099.tmp").mkdir()
    (tmp_path / "parts" / "part-0098").mkdir()
    made(tmp_path / "parts", 8)
    assert files_of(tmp_path / "whole") == files_of(tmp_path / "jobs") == files_of(tmp_path / "parts")
    assert not (tmp_path / "parts" / "part-0098").exists()


def _stop_after(games):
    def progress(done, _positions):
        if done == games:
            raise KeyboardInterrupt

    return progress


def test_no_position_is_there_twice(tmp_path):
    found = made(tmp_path / "set", 8)
    keys = [position_keys(found.stones(part), part["turn"]) for part in found.parts()]
    assert len(np.unique(np.concatenate(keys))) == len(found)


def test_games_that_were_played_before_add_nothing(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh];W[hg];B[ii];W[gg];B[jj];W[gi];B[gh];W[jk])" * 2)
    with workers(1) as pool:
        found = make_data(tmp_path / "set", games_source([path], Labelling(nodes=50), plies=3), pool)
    assert found.meta["games"] == 2 and found.meta["duplicates"] == len(found) > 2


def test_other_settings_are_refused(tmp_path):
    made(tmp_path / "set", 2)
    with pytest.raises(ArenaError, match="nodes is 60 there, 70 here"):
        made(tmp_path / "set", 2, plan=SelfPlay(nodes=70, seed=3))


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ArenaError, match="is no data set"):
        made(tmp_path, 2)
    assert (tmp_path / "letter.txt").read_text() == "dear"


def test_two_runs_never_write_one_data_set(tmp_path):
    def again(_games, _positions):
        with pytest.raises(ArenaError, match="in use by another run"):
            made(tmp_path / "set", 2)

    with workers(1) as pool:
        make_data(tmp_path / "set", self_play(PLAN, 1), pool, progress=again)


def test_damage_is_seen(tmp_path):
    found = made(tmp_path / "set", 2)
    assert found.damaged() == []
    np.save(tmp_path / "set" / "part-0000" / "turn.npy", np.zeros(3, dtype=np.uint8))
    (tmp_path / "set" / "part-0000" / "ply.npy").unlink()
    assert sorted(found.damaged()) == ["part-0000/ply.npy", "part-0000/turn.npy"]


# ---------------------------------------------------------------------- labels


@given(board=positions(size=(15, 15), max_moves=25))
@settings(max_examples=25, deadline=None)
def test_a_quiet_position_has_no_five_and_a_decided_one_is_won(board):
    label = Labeller(board, nodes=200).label(board)
    assert label is not None and board[label.move] is None
    if label.quiet:
        for colour in ("black", "white"):
            for cell in board.empties():
                trial = board.copy()
                trial.push(cell, colour)
                assert trial.winner() is None
    if label.decided > 0:
        assert solve(board, Limit(nodes=200_000)).status.name != "DISPROVEN"


def test_labels_do_not_depend_on_games_before():
    labeller, board = Labeller(Board(), nodes=300), Board(black=["h8", "i9"], white=["h9", "g7"], turn="black")
    first = labeller.label(board)
    labeller.label(Board(black=["a1", "b2"], white=["c3"], turn="white"))
    labeller.new_game()
    assert labeller.label(board) == first


def test_a_black_win_in_sight_is_decided():
    board = Board(black=["h8", "i8", "j8"], white=["a1", "b1"], turn="black")
    rows = label_game(Labelling(nodes=500, quiet=False), {**next(iter(_one(board))), "game": 0})
    assert rows["score"].tolist() == [DECIDED] and rows["best"].tolist() != [UNKNOWN_MOVE]


def _one(board):
    from arena.selfplay import _unit

    yield _unit(board, [], None, "here")


# ---------------------------------------------------------------------- ends of lines

ALL_BUT_THREE = Board(
    5,
    black=["a5", "b5", "c5", "a4", "d4", "e4", "a3", "c3", "e3", "e2", "e1"],
    white=["d5", "e5", "b4", "c4", "b3", "d3", "a2", "b2", "c2", "d2", "b1"],
    turn="black",
)
"""However it is filled, nobody makes five."""


def test_a_full_board_is_no_end_to_be_judged():
    assert Labeller(ALL_BUT_THREE, nodes=1000, table="cell").end(ALL_BUT_THREE) is None


@given(
    board=st.one_of(positions(max_moves=40), positions(max_moves=25, rule=Rule.RENJU)),
    table=st.sampled_from(["engine", "cell"]),
)
@example(board=ALL_BUT_THREE, table="cell")
@settings(max_examples=60, deadline=None)
def test_the_end_of_a_line_is_worth_what_the_search_says(board, table):
    with mock.patch("search.labels.DEEPEST", 4):  # searched to the same depth, and there are nodes enough
        label = Labeller(board, nodes=200_000, table=table).label(board)
        end = Labeller(board, nodes=200_000, table=table).end(board)
    if label is None or label.decided:
        assert end is None
    elif end is None:
        assert label.score == 0 and len(board.empties()) <= 4
    else:
        assert end.turn.sign * as_evaluator(table).score(end) == (1 if end.turn == board.turn else -1) * label.score


def test_ends_keep_their_places_and_what_is_known_of_their_games(tmp_path):
    whole = made(tmp_path / "set", 4)
    plan = Labelling(table="cell", nodes=60)
    for game in whole.games():
        ends = ends_of_game(plan, game)
        places = {int(row["ply"]): row for row in game}
        assert 0 < len(ends) <= len(game) and set(ends["best"].tolist()) == {UNKNOWN_MOVE}
        for end in ends:
            row = places[int(end["ply"])]
            sign = 1 if end["turn"] == row["turn"] else -1
            before, after = (unpacked(one["cells"][None], 15, 15)[0] for one in (row, end))
            assert (after[before > 0] == before[before > 0]).all() and (after > 0).sum() > (before > 0).sum()
            assert ((after > 0).sum() - (before > 0).sum()) % 2 == (sign < 0)
            assert end["score"] == sign * row["score"] and end["split"] == row["split"]
            assert end["result"] == (row["result"] if row["result"] == UNKNOWN_RESULT else sign * row["result"])


def test_the_ends_of_a_data_set_are_the_same_in_parts(tmp_path):
    made(tmp_path / "set", 6)
    source = ends_source(tmp_path / "set", nodes=40, table="engine")
    with workers(1) as pool, pytest.raises(KeyboardInterrupt):
        make_data(tmp_path / "parts", source, pool, shard=40, progress=_stop_after(3))
    with workers(2) as pool:
        make_data(tmp_path / "parts", source, pool, shard=40)
    with workers(1) as pool:
        once = make_data(tmp_path / "once", source, pool, shard=40)
    assert files_of(tmp_path / "parts") == files_of(tmp_path / "once") and once.damaged() == []


# ---------------------------------------------------------------------- games of others

SGF = "(;GM[4]SZ[15]RE[W+R];B[hh];W[hg];B[ii];W[gg];B[jj];W[gi];B[gh];W[jk])"


def test_games_of_a_collection_with_their_results(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF + SGF.replace("RE[W+R]", "RE[0]") + SGF.replace("RE[W+R]", ""))
    units = list(games_of([path], plies=3))
    assert [unit["result"] for unit in units] == ["white", "draw", None]
    assert [len(unit["moves"]) for unit in units] == [5, 5, 5]
    rows = label_game(Labelling(nodes=50, quiet=False), units[0])
    assert rows["ply"].tolist() == [3, 4, 5, 6, 7, 8]
    assert rows["result"].tolist() == [1, -1, 1, -1, 1, -1]


def test_without_nodes_the_game_speaks(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF)
    rows = label_game(Labelling(nodes=0, quiet=False), next(games_of([path], plies=6)))
    assert rows["best"].tolist() == [Board().index("g8"), Board().index("j5"), UNKNOWN_MOVE]
    assert set(rows["score"].tolist()) == {UNKNOWN_SCORE}


def test_a_match_log_gives_its_openings_scores_and_results(tmp_path):
    log = tmp_path / "games.jsonl"
    words = "match minmax:depth=1 minmax:depth=2 --pairs 1 --seed 2 --max-moves 30 --log"
    subprocess.run([sys.executable, "-m", "gomoku", *words.split(), str(log)], check=False, capture_output=True)
    units = list(games_of([log]))
    records = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    assert len(units) == 2 and [unit["result"] for unit in units] == [record["result"] for record in records]
    openings = {opening_id(_opening(unit)) for unit in units}
    assert len(openings) == 1, "partners with colours swapped share an opening, and so a part of the split"
    rows = label_game(Labelling(nodes=0, quiet=False), units[0])
    board, wanted = _opening(units[0]), []
    for (_, name), score in zip(units[0]["moves"], records[0]["scores"], strict=True):
        wanted.append((board.turn.sign * score, board.index(name)))
        board.push(name)
    played = list(zip(rows["score"].tolist(), rows["best"].tolist(), strict=True))[: len(wanted)]
    assert [best for _, best in played] == [best for _, best in wanted[: len(played)]]
    assert all(found == told or abs(found) >= 31000 for (found, _), (told, _) in zip(played, wanted, strict=False))


def _opening(unit):
    from arena.units import opening_board

    return opening_board(unit["opening"])


def test_a_suite_gives_its_levels():
    units = list(games_of(["huanle"]))
    assert len(units) == 20
    rows = label_game(Labelling(nodes=200, quiet=False), units[0])
    assert rows["ply"].tolist() == [20] and rows["turn"].tolist() == [1] and rows["result"].tolist() == [2]


def test_a_board_of_another_size_or_rule_is_named(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF.replace("SZ[15]", "SZ[20]"))
    with pytest.raises(ArenaError, match=r"games.sgf: game 1: a game on 20x20 freestyle, not 15x15 freestyle"):
        label_game(Labelling(), next(games_of([path])))


def test_renju_positions_are_labelled_by_its_rules():
    rows = play(SelfPlay(rule=Rule.RENJU, nodes=60), 1)
    for row in rows:
        board = Board.from_array(unpacked(row["cells"][None], 15, 15)[0], turn=int(row["turn"]), rule="renju")
        assert board.at(int(row["best"])) in board.legal_moves()


def test_what_is_made_can_be_trained_on(tmp_path):
    from arena.training import read_data

    found = made(tmp_path / "set", 3)
    assert len(read_data([tmp_path / "set"])) == len(found)
