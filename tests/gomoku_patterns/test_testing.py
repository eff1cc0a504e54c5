"""The testing kit finds what is wrong, shows the smallest board, and its strategies reach everywhere."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.evaluator import BoardTracker, EvaluatorBase, as_evaluator
from gomoku_patterns.rules import Rule
from gomoku_patterns.table import Table, table_names
from gomoku_patterns.testing import (
    LAWS,
    LawBrokenError,
    LawNotAskedWarning,
    agrees_with,
    boards,
    check_evaluator,
    check_laws,
    explanations_add_up,
    games,
    lines,
    positions,
    tables,
)
from gomoku_patterns.testing.reducing import reduced
from tests.long import examples


class Lead:
    """Stones, black minus white: keeps every law."""

    name, antisymmetric, symmetric = "lead", True, True

    def score(self, board: Board) -> int:
        return len(board.stones(BLACK)) - len(board.stones(WHITE))


class Weighted(Lead):
    """Every stone is worth more than all before it, so that no score is another's by chance."""

    name, antisymmetric, symmetric = "weighted", False, False

    def score(self, board: Board) -> int:
        return sum(
            (1 + board.index(cell)) ** 3 * (colour.sign or 1) for colour in Colour for cell in board.stones(colour)
        )


class TestLaws:
    def test_a_sound_evaluator_passes(self) -> None:
        check_evaluator(Lead(), max_examples=40, max_side=9)

    @pytest.mark.parametrize("name", ["grade_dict", "level", "wins", "money", "outcome"])
    def test_built_in_tables_keep_the_laws(self, name: str) -> None:
        check_evaluator(name, max_examples=25, max_side=9)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", table_names())
    def test_built_in_tables_keep_the_laws_on_boards_of_any_size(self, name: str) -> None:
        many = examples(40, long=100)
        quick = [law for law in LAWS if law is not explanations_add_up]
        check_evaluator(name, max_examples=2 * many, laws=quick)
        check_evaluator(name, max_examples=many // 2, laws=[explanations_add_up])

    @given(tables(), boards(max_side=8), st.lists(st.integers(0, 63), max_size=3))
    @settings(max_examples=40)
    def test_random_tables_keep_the_laws(self, table: Table, board: Board, picks: list[int]) -> None:
        check_laws(table, board, picks)

    def test_an_evaluator_that_raises_shows_the_board_too(self) -> None:
        class Shy(Lead):
            def score(self, board: Board) -> int:
                return {0: 0}[len(board)]

        with pytest.raises(LawBrokenError, match=r"for lead: it raised KeyError\([1-9]\)") as caught:
            check_evaluator(Shy(), max_side=7)
        assert re.search(r"\n 5( +[.XO][1-9]?){5}\n", str(caught.value)) and isinstance(
            caught.value.__cause__, KeyError
        )
        assert re.search(r"\(test_testing.py:\d+ in score\)", str(caught.value)) and "played: " in str(caught.value)

    def test_the_smallest_board_is_shown(self) -> None:
        class Greedy(Lead):
            def score(self, board: Board) -> int:
                return 2 * len(board.stones(BLACK)) - len(board.stones(WHITE))

        with pytest.raises(LawBrokenError) as caught:
            check_evaluator(Greedy(), max_side=7)
        text = str(caught.value)
        assert text.startswith("law 'colours are alike' does not hold for lead: the score with the colours")
        diagram = re.findall(r"\n \d((?: +[.XO]){5})", text)
        assert len(diagram) == 5 and len("".join(diagram).replace(" ", "").replace(".", "")) <= 1

    def test_a_board_that_hypothesis_did_not_shrink_is_reduced(self) -> None:
        """Its shrinking may end early; what is shown then is still no larger than the fault needs."""

        def fault(board: Board, picks: list[int]) -> ValueError | None:
            broken = "white" in str(board.turn) and len(board.stones(WHITE)) > 1 and len(picks) > 2
            return ValueError((board, picks)) if broken else None

        game = Board(rows=9, cols=7)
        for number in range(0, 45):
            game.push(game.at(number))
        found = reduced(fault, (game, list(range(20))))
        assert found is not None
        board, picks = found.args[0]
        assert (board.rows, board.cols, board.moves, len(board), len(picks)) == (5, 5, (), 2, 3)
        assert reduced(fault, (board, picks)) is None

    def test_boards_of_ones_own_are_not_reduced(self) -> None:
        class Fixed(Lead):
            def score(self, board: Board) -> int:
                return {(11, 9): 1}[board.rows, board.cols]

        fixed = Board(rows=11, cols=9, black=["c3"])
        with pytest.raises(LawBrokenError, match=r"exchanged is 1, but should be -1\n\n11 "):
            check_evaluator(Fixed(), boards=st.just(fixed), laws="colours are alike")

    def test_what_is_not_claimed_is_not_asked(self) -> None:
        class Unfair(Lead):
            antisymmetric = symmetric = everywhere = False

            def score(self, board: Board) -> int:
                return 7 + sum(cell.row for cell in board.stones(BLACK))

        report = check_evaluator(Unfair(), max_examples=20, max_side=8)
        assert report.not_asked["colours are alike"] == "it does not claim to be antisymmetric"
        assert report.not_asked["every cell counts"] == "it says everywhere = False"
        Unfair.symmetric = True
        with pytest.raises(LawBrokenError, match="the eight symmetries are alike"):
            check_evaluator(Unfair())

    def test_what_is_left_open_is_not_asked_either_but_said(self) -> None:
        class Silent:
            name = "silent"

            def score(self, board: Board) -> int:
                return sum(1 + cell.row for cell in board.stones(BLACK))

        with pytest.warns(LawNotAskedWarning, match="silent was not asked 'colours are alike' and 'the eight symm"):
            report = check_evaluator(Silent(), max_examples=10, max_side=8)
        assert "not asked: it does not claim to be symmetric" in str(report)

    def test_the_report_says_what_was_asked_and_how_long_it_took(self) -> None:
        report = check_evaluator("grade_dict", max_examples=10, max_side=7)
        assert all(report.boards[law] == 10 and report.seconds[law] > 0 for law in report.asked)
        assert {law.name for law in LAWS} == {law.name for law in report.asked} | set(report.not_asked)
        assert re.search(r"undo restores +10 boards +[0-9.]+ .?s", str(report))

    def test_plain_python_is_asked_for_few_scores_on_large_boards(self) -> None:
        """What follows from the score is not compared with it: 100 boards in seconds, at a millisecond a score."""
        calls = 0

        class Counting(Lead):
            def score(self, board: Board) -> int:
                nonlocal calls
                calls += 1
                return super().score(board)

        check_evaluator(Counting(), boards=boards(size=(22, 22)), max_examples=100)
        assert calls < 15_000

    def test_every_law_says_what_it_is(self) -> None:
        assert all(law.says.endswith(".") and law.name in repr(law) for law in LAWS)

    def test_the_document_has_a_row_for_every_law(self) -> None:
        text = (Path(__file__).parents[2] / "docs" / "reference" / "laws.md").read_text(encoding="utf-8")
        rows = [row.split(" | ")[0].removeprefix("| ") for row in text.splitlines() if row.startswith("| ")]
        assert rows[2:] == [law.name for law in LAWS]


@pytest.mark.filterwarnings("ignore::gomoku_patterns.testing.LawNotAskedWarning")
class TestFailures:
    """A failure is read by somebody who wants to know what to look at."""

    def failure(self, evaluator: object, **options: Any) -> str:
        with pytest.raises(LawBrokenError) as caught:
            check_evaluator(evaluator, max_side=7, **options)
        return str(caught.value)

    def test_the_moves_are_on_the_board_and_named(self) -> None:
        text = self.failure(tracked(Undone))
        moves = re.search(r" to move, played: (.*)", text)
        assert moves and len(moves[1].split()) == 7
        assert all(re.search(rf"[XO]{number}\b", text) for number in range(1, 8))
        assert re.search(r"with [a-e][1-5] taken back, the tracker's score is -?\d+, but it was -?\d+", text)

    @pytest.mark.parametrize("evaluator", [Lead(), "level"])
    def test_a_line_repeats_it(self, evaluator: object) -> None:
        text = self.failure(evaluator, laws=[agrees_with("outcome")])
        line = text.partition("to repeat it: ")[2].partition("\n")[0]
        with pytest.raises(LawBrokenError) as again:
            exec(line.replace("from test_testing import Lead; ", ""), {"Lead": Lead})
        assert str(again.value).splitlines()[0] == text.splitlines()[0]

    def test_a_law_is_found_by_its_name(self) -> None:
        assert [law.name for law in check_laws("level", Board(5), "c3 d4", laws="undo restores").asked] == [
            "undo restores"
        ]
        with pytest.raises(GomokuError, match="unknown law 'undo restore'; did you mean 'undo restores'"):
            check_laws("level", Board(5), laws="undo restore")
        with pytest.raises(GomokuError, match="c3 is not empty"):
            check_laws("level", Board(5, black=["c3"]), "c3")


class TestAgreement:
    """Two evaluators that should say the same."""

    def test_what_agrees_passes(self) -> None:
        class Copy:
            name = "copy"

            def score(self, board: Board) -> int:
                return as_evaluator("grade_dict", native=False).score(board)

        report = check_evaluator(Copy(), laws=[agrees_with("grade_dict")], max_examples=20, max_side=9)
        assert [law.name for law in report.asked] == ["agrees with grade_dict"]

    def test_what_does_not_shows_where(self) -> None:
        with pytest.raises(LawBrokenError, match=r"does not hold for level: the score is -?[0-9]+, but lead says"):
            check_evaluator("level", laws=[agrees_with(Lead())], max_side=7)


class Undone(BoardTracker):
    """Keeps a history of six scores: the seventh move that is taken back is wrong."""

    def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
        super().__init__(evaluator, board)
        self._history: list[int] = []

    def play(self, cell: Any, colour: Any = None) -> None:
        self._history = [*self._history[-5:], self.score]
        super().play(cell, colour)

    def undo(self) -> None:
        super().undo()
        self._score = self._history.pop() if self._history else -1


def tracked(tracker: type[BoardTracker]) -> object:
    """An evaluator with a tracker of its own."""

    class Evaluator(Weighted):
        def tracker(self, board: Board) -> BoardTracker:
            return tracker(as_evaluator(Weighted()), board)

    return Evaluator()


class TestBrokenEvaluators:
    """One mistake each, and the law that finds it."""

    @staticmethod
    def broken(law: str, evaluator: object) -> None:
        with pytest.raises(LawBrokenError, match=f"law '{law}' does not hold"):
            check_evaluator(evaluator, max_side=7)

    def test_a_score_that_plays(self) -> None:
        class Meddling(Lead):
            def score(self, board: Board) -> int:
                found = super().score(board)
                if not board.is_full():
                    board.push(board.empties()[0])
                return found

        self.broken("the board is left alone", Meddling())

    def test_a_tracker_that_forgets_a_move(self) -> None:
        class Forgetful(BoardTracker):
            def play(self, cell: Any, colour: Any = None) -> None:
                super().play(cell, colour)
                self._score = 0

        class Evaluator(Lead):
            def tracker(self, board: Board) -> BoardTracker:
                return Forgetful(as_evaluator(Lead()), board)

        self.broken("incremental equals scratch", Evaluator())

    def test_a_tracker_that_cannot_go_back(self) -> None:
        class Stuck(BoardTracker):
            def undo(self) -> None:
                score = self.score
                super().undo()
                self._score = score

        class Evaluator(Lead):
            def tracker(self, board: Board) -> BoardTracker:
                return Stuck(as_evaluator(Lead()), board)

        self.broken("undo restores", Evaluator())

    def test_an_undo_that_is_wrong_after_more_than_six_moves(self) -> None:
        self.broken("undo restores", tracked(Undone))

    def test_a_tracker_that_plays_wrong_what_was_taken_back(self) -> None:
        class Remembering(BoardTracker):
            def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
                super().__init__(evaluator, board)
                self._undone: set[Any] = set()

            def play(self, cell: Any, colour: Any = None) -> None:
                super().play(cell, colour)
                self._score = 0 if cell in self._undone else None

            def undo(self) -> None:
                self._undone.add(self._board.peek().cell)
                super().undo()

        self.broken("undo restores", tracked(Remembering))

    @pytest.mark.parametrize("sides", ["all four", "the top", "the right"])
    def test_a_border_that_is_ignored(self, sides: str) -> None:
        class Inner(Lead):
            symmetric = sides == "all four"

            def score(self, board: Board) -> int:
                return sum(board[cell].sign for cell in board.cells() if board[cell] and self.inside(board, cell))

            def inside(self, board: Board, cell: Cell) -> bool:
                if sides == "the top":
                    return cell.row > 0
                if sides == "the right":
                    return cell.col < board.cols - 1
                return 0 < cell.row < board.rows - 1 and 0 < cell.col < board.cols - 1

        self.broken("every cell counts", Inner())
        Inner.everywhere = False
        check_evaluator(Inner(), max_examples=20, max_side=8)

    def test_an_asymmetry_where_symmetry_is_claimed(self) -> None:
        class Leaning(Lead):
            def score(self, board: Board) -> int:
                return sum((1 + cell.row) * colour.sign for colour in Colour for cell in board.stones(colour))

        self.broken("the eight symmetries are alike", Leaning())

    def test_a_gain_that_does_not_add_up(self) -> None:
        class Hopeful(Lead):
            additive = True

            def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
                return 2

        self.broken("gains change the score", Hopeful())

    def test_a_ranking_for_the_wrong_side(self) -> None:
        class Backwards(Lead):
            def score(self, board: Board) -> int:
                return sum(cell.row for cell in board.stones(BLACK)) - sum(cell.row for cell in board.stones(WHITE))

            def ranked(self, board: Board, colour: Any = None, width: int | None = None) -> list[Cell]:
                return sorted(board.empties())[:width]

        self.broken("lists agree", Backwards())

    def test_a_batch_that_ignores_the_turn(self) -> None:
        class Waiting(Lead):
            def score(self, board: Board) -> int:
                return super().score(board) + board.turn.sign

            def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
                import numpy as np

                return (np.equal(stack, 1).sum(axis=(1, 2)) - np.equal(stack, 2).sum(axis=(1, 2)) + 1).astype(int)

        self.broken("batches agree", Waiting())

    def test_an_explanation_of_something_else(self) -> None:
        class Vague(Lead):
            def explain(self, board: Board, cell: Any = None, colour: Any = None) -> Any:
                from gomoku_patterns.explain import explain

                return explain(board, "outcome", cell, colour)

        self.broken("explanations add up", Vague())


def test_laws_of_one_board() -> None:
    check_laws("grade_dict", Board(rows=5, black=["c3"]), [0, 3, 500])
    check_laws("level", Board(rows=5, black=["c3"]), "")


# ---------------------------------------------------------------------- strategies


def smallest(strategy: st.SearchStrategy[Any], wanted: Any) -> Any:
    return find(strategy, wanted, settings=settings(max_examples=1000, database=None), random=random.Random(1))


def reached(strategy: st.SearchStrategy[Any], wanted: dict[str, Any], examples: int) -> set[str]:
    """Which of the wanted things turn up among that many examples."""
    found: set[str] = set()

    @settings(max_examples=examples, database=None)
    @given(strategy)
    def look(example: Any) -> None:
        found.update(name for name in wanted.keys() - found if wanted[name](example))

    look()
    return found


BOARDS = {
    "full": lambda board: board.is_full(),
    "rectangular": lambda board: board.rows != board.cols,
    "the largest side": lambda board: 22 in (board.rows, board.cols),
    "white in a corner": lambda board: board["a1"] is WHITE,
    "black in a corner": lambda board: board[0, board.cols - 1] is BLACK,
    "white to move": lambda board: board.turn is WHITE,
    "a five": lambda board: board.winner() is WHITE,
    "a full row": lambda board: all(board[0, col] is not None for col in range(board.cols)),
    "a full row on a board with room": lambda board: (
        not board.is_full() and all(board[board.rows - 1, col] is not None for col in range(board.cols))
    ),
    "many stones": lambda board: len(board.stones(WHITE)) > 60,
}
GAMES = {
    "white wins": lambda game: game.winner() is WHITE,
    "black wins": lambda game: game.winner() is BLACK,
    "moves on the edge": lambda game: any(0 in move.cell for move in game.moves),
    "long": lambda game: len(game.moves) > 25,
}
TABLES = {
    "a combination": lambda table: table.scan == "point" and table.combinations,
    "a decisive shape": lambda table: any(pattern.decisive for pattern in table.patterns),
    "every and mirror": lambda table: table.scan == "line" and table.count == "every" and table.mirror,
    "edges and turns": lambda table: table.uses_edge and table.uses_turn,
    "the stone being played": lambda table: any("O" in pattern.text for pattern in table.patterns),
    "a sum of points": lambda table: table.board == "sum" and table.occupied and table.opposing == "subtract",
}


class TestStrategies:
    def test_boards_shrink_to_the_smallest(self) -> None:
        assert smallest(boards(), lambda board: True) == Board(rows=5, turn=BLACK)
        one = smallest(boards(), lambda board: len(board) > 0)
        assert (one.rows, one.cols, len(one)) == (5, 5, 1)

    def test_lines_shrink_to_the_shortest(self) -> None:
        assert smallest(lines(), lambda line: "ooooo" in line) == "ooooo"

    def test_boards_reach_everywhere(self) -> None:
        assert reached(boards(), BOARDS, 400) == set(BOARDS)

    def test_games_reach_wins_and_the_edge(self) -> None:
        assert reached(games(), GAMES, 200) == set(GAMES)

    def test_tables_reach_every_option(self) -> None:
        assert reached(tables(), TABLES, 150) == set(TABLES)

    @given(games())
    @settings(max_examples=40)
    def test_games_are_played_in_turn_and_end_with_a_five(self, game: Board) -> None:
        assert [move.colour for move in game.moves] == [Colour(1 + number % 2) for number in range(len(game))]
        if game.moves:
            game.pop()
        assert not game.is_over()

    @given(positions(max_side=8))
    @settings(max_examples=40)
    def test_positions_can_be_played_on(self, position: Board) -> None:
        assert not position.is_over()
        assert position.moves == ()
        assert len(position.stones(BLACK)) - len(position.stones(WHITE)) == (position.turn is WHITE)

    @given(games(size=(15, 15), rule=Rule.RENJU, max_moves=25))
    @settings(max_examples=15)
    def test_renju_games_avoid_forbidden_points(self, game: Board) -> None:
        while game.moves:
            move = game.moves[-1]
            game.pop()
            assert move.colour is WHITE or move.cell not in game.forbidden()

    def test_sizes_are_as_asked(self) -> None:
        assert smallest(boards(size=(6, 11)), lambda board: True) == Board(rows=6, cols=11, turn=BLACK)
