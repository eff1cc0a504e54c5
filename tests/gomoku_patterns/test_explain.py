"""Explanations name every match and add up exactly."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import BoardError, IllegalMoveError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.explain import Explanation, explain
from gomoku_patterns.table import Table, load_table, parse_table
from gomoku_patterns.testing import boards, tables

THREE = Board(rows=9, black=["d5", "e5", "f5"], white=["a1"], turn=BLACK)


def counting(explanation: Explanation) -> list[tuple[str, Colour | None, int]]:
    return [(item.shape, item.colour, item.worth) for item in explanation.items if item.worth]


class TestLineTables:
    def test_a_match_has_its_shape_line_cells_colour_and_worth(self) -> None:
        explanation = explain(THREE, "grade_dict")
        three = next(item for item in explanation.items if item.shape == "live_three")
        assert three.name == ("live three", "活三")
        assert (three.colour, three.line, three.text, three.worth) == (BLACK, "row 5", "..ooo.", 720)
        assert three.cells == tuple(Cell(4, col) for col in range(1, 7))

    def test_lines_are_named_as_people_call_them(self) -> None:
        explanation = explain(Board(rows=7, cols=9, black=["d4"], turn=BLACK), "wins")
        assert list(dict.fromkeys(item.line for item in explanation.items)) == [
            "row 4", "column d", "diagonal a7-g1", "diagonal g7-a1",
        ]  # fmt: skip

    def test_a_second_match_on_a_line_is_shown_and_does_not_count(self) -> None:
        table = parse_table('name = "t"\n[[pattern]]\nshape = "pair"\ntext = "oo"\nscore = 10\n')
        explanation = explain(Board(rows=5, black=["a5", "b5", "d5", "e5"], turn=BLACK), table)
        assert [(item.line, item.worth) for item in explanation.items] == [("row 5", 10), ("row 5", 0)]

    def test_a_move_says_what_appears_and_what_disappears(self) -> None:
        explanation = explain(THREE, "grade_dict", "g5", BLACK)
        told = {(item.change, item.shape, item.worth) for item in explanation.items if item.line == "row 5"}
        assert told == {
            ("appears", "live_four", 4320), ("appears", "rush_four", 720),
            ("disappears", "live_three", -720),
        }  # fmt: skip
        assert explanation.total == as_evaluator("grade_dict").gain(THREE, "g5", BLACK)

    def test_what_the_passing_turn_revalues(self) -> None:
        explanation = explain(Board(rows=7, black=["d4"], turn=WHITE), "wins", "a1", WHITE)
        changes = {item.change for item in explanation.items if item.colour is BLACK}
        assert changes == {"revalued", "disappears"}
        assert all(item.worth == 20 for item in explanation.items if item.change == "revalued")


class TestPointTables:
    def test_the_best_cell_explains_a_board(self) -> None:
        explanation = explain(THREE, "level")
        assert {item.at for item in explanation.items} == {Cell(4, 2)}
        assert counting(explanation) == [
            ("live_four", BLACK, 10000), ("ring", None, 2), ("ring", None, 2),
        ]  # fmt: skip

    def test_a_combination_shows_its_lines(self) -> None:
        """Two live threes cross on e5."""
        board = Board(rows=9, black=["c5", "d5", "e3", "e4"], turn=BLACK)
        explanation = explain(board, "level", "e5")
        assert [(item.shape, item.worth) for item in explanation.items] == [
            ("live_three", 0), ("live_three", 0), ("live_three+live_three", 5000), ("ring", 4),
        ]  # fmt: skip

    def test_money_counts_both_sides(self) -> None:
        explanation = explain(Board(rows=9, black=["e5", "f5", "g5"], white=["d1", "e1"], turn=BLACK), "money", "d5")
        assert counting(explanation) == [("live_four", BLACK, 10000)]
        threat = explain(THREE, "money", "g5", WHITE)
        assert counting(threat) == [("live_four", BLACK, 6500)]

    def test_occupied_cells_are_one_reason(self) -> None:
        explanation = explain(THREE, "money")
        occupied = explanation.items[-1]
        assert (occupied.shape, occupied.worth, len(occupied.cells)) == ("occupied", -4, 4)


@given(boards(max_side=9), st.integers(0, 80), st.sampled_from(["grade_dict", "level", "wins", "money", "outcome"]))
@settings(max_examples=60)
def test_explanations_add_up(board: Board, pick: int, name: str) -> None:
    evaluator = as_evaluator(name, native=False)
    assert explain(board, name).total == evaluator.score(board)
    free = board.empties()
    for colour in Colour if free else ():
        cell = free[pick % len(free)]
        assert explain(board, name, cell, colour).total == evaluator.gain(board, cell, colour)


@given(tables(), boards(max_side=7))
@settings(max_examples=60)
def test_explanations_of_random_tables_add_up(table: Table, board: Board) -> None:
    evaluator = as_evaluator(table, native=False)
    assert explain(board, table).total == evaluator.score(board)
    for cell in board.empties()[:2]:
        assert explain(board, table, cell).total == evaluator.gain(board, cell)


class TestForms:
    def test_json(self) -> None:
        told = json.loads(json.dumps(explain(THREE, "grade_dict", "g5", "black").to_json()))
        assert {key: told[key] for key in ("table", "to_move", "cell", "name", "colour")} == {
            "table": "grade_dict", "to_move": "black", "cell": [4, 6], "name": "g5", "colour": "black",
        }  # fmt: skip
        assert told["gain"] == sum(item["worth"] for item in told["items"])
        four = next(item for item in told["items"] if item["shape"] == "live_four")
        assert four == {
            "shape": "live_four", "name": {"en": "live four", "zh": "活四"}, "colour": "black", "line": "row 5",
            "cells": [[4, 2], [4, 3], [4, 4], [4, 5], [4, 6], [4, 7]], "names": ["c5", "d5", "e5", "f5", "g5", "h5"],
            "worth": 4320, "text": ".oooo.", "change": "appears",
        }  # fmt: skip

    def test_text_begins_with_what_counts_most(self) -> None:
        lines = str(explain(THREE, "grade_dict", "g5", "black")).splitlines()
        assert lines[0] == "grade_dict: black on g5 gains +4400"
        assert lines[1] == "    +4320  appears  live four 活四 (black)  row 5  c5 d5 e5 f5 g5 h5"

    def test_text_sums_up_what_is_many(self) -> None:
        text = str(explain(Board(black=["h8"], white=["h9"], turn=BLACK), "wins", "a1"))
        assert text.splitlines()[-1].endswith("other matches revalued because the turn passes")
        assert str(explain(Board(), "wins")) == "wins: score +0, black to move"

    def test_text_says_when_worths_grow(self) -> None:
        text = str(explain(THREE, "cell", "a2"))
        assert "other matches revalued because the turn passes and the board fills" in text

    def test_a_whole_board(self) -> None:
        explanation = explain(THREE, load_table("grade_dict"))
        told = explanation.to_json()
        assert (told["table"], told["to_move"], told["score"]) == ("grade_dict", "black", explanation.total)


def test_a_stone_cannot_be_explained_as_a_move() -> None:
    with pytest.raises(IllegalMoveError, match="there is a black stone on 'e5' already"):
        explain(THREE, "grade_dict", "e5")
    with pytest.raises(BoardError):
        explain(THREE, "grade_dict", "k1")
