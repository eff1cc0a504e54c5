"""Anything that scores a board becomes a full evaluator."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import BoardError, GomokuError, IllegalMoveError, TableError
from gomoku_patterns.evaluator import Evaluator, EvaluatorBase, as_evaluator, claims_symmetry
from gomoku_patterns.table import Pattern, Table, load_table


class Lead:
    """More stones are better, and a little more for the side to move."""

    name = "lead"

    def score(self, board: Board) -> int:
        return 10 * len(board.stones(BLACK)) - 10 * len(board.stones(WHITE)) + board.turn.sign


def board() -> Board:
    return Board(rows=5, black=["c3", "c4"], white=["a1"], turn=WHITE)


class TestAUsersOwn:
    def test_its_score_is_all_it_needs(self) -> None:
        evaluator = as_evaluator(Lead())
        assert isinstance(Lead(), Evaluator)
        assert evaluator.name == "lead"
        assert evaluator.score(board()) == 9
        assert evaluator.gain(board(), "e5") == -8  # ten for the stone, and black is to move then
        assert evaluator.gain(board(), "e5", "black") == 8

    def test_gains_are_an_array_with_nothing_on_stones(self) -> None:
        gains = as_evaluator(Lead()).gains(board(), BLACK)
        assert gains.shape == (5, 5)
        assert gains.dtype == np.int64
        assert gains[2, 2] == gains[1, 2] == gains[4, 0] == 0
        assert set(gains.reshape(-1).tolist()) == {0, 8}

    def test_points_are_lists_with_none_on_stones(self) -> None:
        points = as_evaluator(Lead()).points(board(), BLACK)
        assert [[point is None for point in line] for line in points][2] == [False, False, True, False, False]

    def test_a_batch(self) -> None:
        evaluator, stack = as_evaluator(Lead()), np.zeros((3, 5, 7), dtype=np.int8)
        stack[1, 0, 0], stack[2, 0, :2] = 1, (2, -1)
        assert evaluator.scores(stack).tolist() == [1, 11, -19]
        assert evaluator.scores(stack, to_move="white").tolist() == [-1, 9, -21]
        assert evaluator.scores(stack, to_move=[BLACK, WHITE, BLACK]).tolist() == [1, 9, -19]
        assert evaluator.scores(stack[:0]).tolist() == []

    def test_its_own_methods_are_used(self) -> None:
        class Knowing(Lead):
            def ranked(self, board: Board, colour: Any = None, width: Any = None) -> list[Cell]:
                return [Cell(4, 4)]

        assert as_evaluator(Knowing()).ranked(board()) == [Cell(4, 4)]

    def test_a_gain_of_its_own_need_not_add_up(self) -> None:
        class Guessing(Lead):
            def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
                return 3

        evaluator = as_evaluator(Guessing())
        assert not evaluator.additive
        assert evaluator.gains(board(), BLACK)[0, 0] == 3

    def test_a_function_will_do(self) -> None:
        def stones(board: Board) -> int:
            return len(board)

        evaluator = as_evaluator(stones)
        assert (evaluator.name, evaluator.score(board())) == ("stones", 3)

    def test_numpy_integers_are_whole_numbers(self) -> None:
        score = as_evaluator(lambda board: np.int16(7)).score(board())
        assert (score, type(score)) == (7, int)

    def test_half_points_are_refused(self) -> None:
        evaluator = as_evaluator(lambda board: 0.5)
        with pytest.raises(GomokuError, match=re.escape("return a whole number, not 0.5")):
            evaluator.score(board())

    def test_no_explanation_but_its_score(self) -> None:
        explanation = as_evaluator(Lead()).explain(board())
        assert [item.shape for item in explanation.items] == ["score"]
        assert explanation.total == 9

    @pytest.mark.parametrize("subject", [3, None, object(), [1]])
    def test_what_cannot_score(self, subject: object) -> None:
        with pytest.raises(GomokuError, match="an evaluator is a table, a TOML file or an object with score"):
            as_evaluator(subject)


class TestTables:
    def test_by_name_path_and_value(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.toml"
        path.write_text(load_table("wins").to_toml(), encoding="utf-8")
        for subject in ("wins", load_table("wins"), path, str(path)):
            assert as_evaluator(subject).score(Board(black=["h8"], turn=WHITE)) == 2000

    def test_an_unknown_table(self) -> None:
        with pytest.raises(TableError, match="unknown table 'gradedict'; did you mean 'grade_dict'"):
            as_evaluator("gradedict")

    def test_an_evaluator_stays_what_it_is(self) -> None:
        evaluator = as_evaluator("level")
        assert as_evaluator(evaluator) is evaluator

    def test_the_reference_of_an_evaluator(self) -> None:
        reference = as_evaluator(as_evaluator("level"), native=False)
        assert type(reference).__name__ == "PointReference"

    def test_which_tables_are_symmetric(self) -> None:
        assert all(claims_symmetry(load_table(name)) for name in ("grade_dict", "level", "wins", "money", "outcome"))
        assert not claims_symmetry(Table("t", (Pattern("a", "oo.", (1, 1)),)))
        assert not claims_symmetry(Table("t", (Pattern("a", "oo.", (1, 1)), Pattern("a", ".oo", (2, 2)))))
        assert not claims_symmetry(Table("t", (Pattern("a", "oo.", (1, 1)),), scan="point", reach=4))

    def test_point_tables_are_not_additive(self) -> None:
        assert [as_evaluator(name).additive for name in ("grade_dict", "wins", "level", "money")] == [1, 1, 0, 0]


BOTH = pytest.mark.parametrize("native", [True, False], ids=["native", "reference"])
NAMES = pytest.mark.parametrize("name", ["grade_dict", "level", "wins", "money"])


@BOTH
@NAMES
class TestEveryEvaluator:
    def evaluator(self, name: str, native: bool) -> EvaluatorBase:
        return as_evaluator(name, native=native)

    def test_a_gain_on_a_stone_is_refused(self, name: str, native: bool) -> None:
        with pytest.raises(IllegalMoveError, match="there is a black stone on 'c3' already"):
            self.evaluator(name, native).gain(board(), "c3")

    def test_cells_must_be_on_the_board(self, name: str, native: bool) -> None:
        with pytest.raises(BoardError):
            self.evaluator(name, native).gain(board(), (5, 0))
        with pytest.raises(BoardError):
            self.evaluator(name, native).tracker(board()).gain("f6")

    def test_the_best_comes_first_for_either_colour(self, name: str, native: bool) -> None:
        evaluator = self.evaluator(name, native)
        for colour in Colour:
            ranked = evaluator.ranked(board(), colour)
            values = [colour.sign * evaluator.gain(board(), cell, colour) for cell in ranked]
            assert values == sorted(values, reverse=True)
            assert sorted(ranked) == board().empties()
            assert evaluator.ranked(board(), colour, 4) == ranked[:4]

    def test_equals_stay_in_row_major_order(self, name: str, native: bool) -> None:
        free = Board(rows=6, cols=5)
        evaluator = self.evaluator(name, native)
        gains = evaluator.gains(free, BLACK)
        expected = sorted(free.empties(), key=lambda cell: (-int(gains[cell]), cell))
        assert evaluator.ranked(free, BLACK) == expected

    @pytest.mark.parametrize("width", [-1, 1.5, "3", True])
    def test_odd_widths_are_refused(self, name: str, native: bool, width: Any) -> None:
        with pytest.raises(BoardError, match="expected a width"):
            self.evaluator(name, native).ranked(board(), BLACK, width)

    def test_a_full_board(self, name: str, native: bool) -> None:
        cells = [(row, col) for row in range(5) for col in range(5)]
        full = Board(rows=5, black=cells[::2], white=cells[1::2], turn=BLACK)
        evaluator = self.evaluator(name, native)
        assert evaluator.ranked(full) == []
        assert evaluator.points(full, WHITE) == [[None] * 5] * 5
        assert not evaluator.gains(full, WHITE).any()
        if not evaluator.additive:  # no cell is left to be worth anything; an occupied one costs money
            assert evaluator.score(full) == {"level": 0, "money": -25}[name]

    @pytest.mark.parametrize(
        ("stack", "message"),
        [
            ([[0] * 5] * 5, "expected an integer array"),
            (np.zeros((1, 5, 5)), "expected an integer array"),
            (np.full((1, 5, 5), 3), "expected 0, 1, 2 or -1"),
            (np.zeros((1, 4, 5), int), "from 5 to 22"),
            (np.zeros((1, 5, 23), int), "from 5 to 22"),
        ],
    )
    def test_odd_batches_are_refused(self, name: str, native: bool, stack: Any, message: str) -> None:
        with pytest.raises(BoardError, match=message):
            self.evaluator(name, native).scores(stack)

    def test_a_turn_for_each_board(self, name: str, native: bool) -> None:
        with pytest.raises(BoardError, match="2 boards need a turn each or one for all"):
            self.evaluator(name, native).scores(np.zeros((2, 5, 5), int), to_move=[BLACK])
        with pytest.raises(BoardError, match="expected a colour"):
            self.evaluator(name, native).scores(np.zeros((2, 5, 5), int), to_move="green")
        with pytest.raises(BoardError, match=r"a turn is 1 \(black\) or 2 \(white\), not 3"):
            self.evaluator(name, native).scores(np.zeros((2, 5, 5), int), to_move=np.array([1, 3]))


@BOTH
@NAMES
class TestTrackers:
    def test_the_board_it_started_from_is_left_alone(self, name: str, native: bool) -> None:
        start = board()
        tracker = as_evaluator(name, native=native).tracker(start)
        tracker.play("e5")
        assert start == board()
        assert tracker.turn is BLACK

    def test_a_failing_move_changes_nothing(self, name: str, native: bool) -> None:
        tracker = as_evaluator(name, native=native).tracker(board())
        before = (tracker.score, tracker.turn, tracker.ranked())
        for cell in ("c3", "z9", (9, 9), None):
            with pytest.raises(BoardError):
                tracker.play(cell)  # type: ignore[arg-type]  # None is what is refused
        with pytest.raises(BoardError):
            tracker.play("e5", "green")
        assert (tracker.score, tracker.turn, tracker.ranked()) == before

    def test_nothing_to_take_back(self, name: str, native: bool) -> None:
        tracker = as_evaluator(name, native=native).tracker(board())
        with pytest.raises(IllegalMoveError):
            tracker.undo()
        assert tracker.score == as_evaluator(name, native=native).score(board())

    def test_either_colour_may_be_played(self, name: str, native: bool) -> None:
        tracker = as_evaluator(name, native=native).tracker(board())
        tracker.play("e5", BLACK)
        tracker.play("e4", "black")
        assert tracker.turn is WHITE
        tracker.undo()
        tracker.undo()
        assert tracker.turn is WHITE

    def test_moves_of_the_board_are_not_the_trackers(self, name: str, native: bool) -> None:
        played = Board(rows=5)
        played.push("c3")
        with pytest.raises(IllegalMoveError):
            as_evaluator(name, native=native).tracker(played).undo()


@pytest.mark.parametrize("name", ["grade_dict", "level"])
def test_what_is_no_board_is_refused_in_words(name):
    evaluator = as_evaluator(name)
    asks = (evaluator.score, evaluator.gains, evaluator.ranked, evaluator.tracker, evaluator.explain)
    for ask in asks:
        with pytest.raises(BoardError, match="expected a Board, found None"):
            ask(None)


def test_a_class_in_the_place_of_its_instance_is_told():
    class Mine:
        name = "mine"

        def score(self, board):
            return len(board)

    class Static:
        name = "static"

        @staticmethod
        def score(board):
            return len(board)

    for slip in (Mine, int):
        with pytest.raises(GomokuError, match=rf"give an instance, {slip.__name__}\(\), not the class"):
            as_evaluator(slip)
    assert as_evaluator(Mine()).score(Board(black=["h8"])) == as_evaluator(Static).score(Board(black=["h8"])) == 1


@pytest.mark.parametrize("name", ["level", "grade_dict", "cell", "learned"])
@pytest.mark.parametrize("native", [True, False])
def test_boards_are_scored_together_with_their_own_turns(name: str, native: bool) -> None:
    """A list of boards as `features` takes it; a turn that is given goes for all of them."""
    boards = [
        Board(9, black=["e5", "e6"], white=["d4", cell], turn=turn) for cell, turn in (("f6", "black"), ("a1", "white"))
    ]
    evaluator = as_evaluator(name, native=native)
    assert evaluator.scores(boards).tolist() == [evaluator.score(board) for board in boards]
    stack = np.stack([board.to_array() for board in boards])
    assert evaluator.scores(boards, "white").tolist() == evaluator.scores(stack, "white").tolist()
    assert evaluator.scores(boards, "black").tolist() == evaluator.scores(stack).tolist()
    with pytest.raises(BoardError, match="only boards of one size"):
        evaluator.scores([Board(9), Board(10)])


def test_a_class_of_ones_own_sees_the_boards_it_scores() -> None:
    seen = []
    evaluator = as_evaluator(lambda board: seen.append((board.rule, board.turn)) or 7)
    assert evaluator.scores([Board(9, rule="renju", turn="white"), Board(9)]).tolist() == [7, 7]
    assert [(str(rule), str(turn)) for rule, turn in seen] == [("renju", "white"), ("freestyle", "black")]


def test_a_class_is_named_by_its_import_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command line takes, Python takes too."""
    source = "class Mine:\n    name = 'mine'\n    def score(self, board):\n        return 5\n"
    (tmp_path / "named_by_path.py").write_text(
        source + "class Broken:\n    def __init__(self):\n        raise OSError('no')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    evaluator = as_evaluator("named_by_path:Mine")
    assert (evaluator.name, evaluator.score(Board())) == ("mine", 5)
    with pytest.raises(GomokuError, match="cannot make 'named_by_path:Broken'"):
        as_evaluator("named_by_path:Broken")
    with pytest.raises(GomokuError, match="cannot import 'named_by_path:Missing'"):
        as_evaluator("named_by_path:Missing")
