"""When a puzzle is sound, by drawn examples, and by trying every move."""

from __future__ import annotations

from random import Random

import pytest

from gomoku_patterns import BLACK, Board, Cell, rules
from gomoku_patterns.board import SYMMETRIES
from puzzles import load
from puzzles.first_moves import FirstMoves
from puzzles.soundness import FAULTS, Budget, Examiner, Fault, Study, canonical, implausible
from search import verify
from tests.search.boards import draw
from tests.search.exhaustive import can_force_five_within, holds_against_all
from tests.search.soundness import endgame

EXAMINER = Examiner()
NINE = Examiner(9, 9)


def level(number: int) -> Board:
    return load("huanle").level(number).board


def test_a_sound_puzzle_has_a_proof_of_its_length_and_one_key() -> None:
    study = EXAMINER.study(level(16))
    assert isinstance(study, Study)
    assert (study.length, study.position.name(study.key), study.exact) == (7, "h9", True)
    assert len(study.line) == study.length
    assert verify(study.proof, study.position)


@pytest.mark.parametrize(
    ("number", "test"),
    [(5, "second key"), (10, "second key"), (11, "second key"), (14, "not won")],
)
def test_some_levels_have_two_keys_or_are_too_much_for_the_budget(number: int, test: str) -> None:
    fault = EXAMINER.study(level(number))
    assert isinstance(fault, Fault)
    assert fault.test == test
    assert test in FAULTS


def test_a_longer_budget_settles_what_a_short_one_does_not() -> None:
    hard = Examiner(budget=Budget(glance=20_000, nodes=100_000))
    study = hard.study(level(17))
    assert isinstance(study, Study)
    assert (study.length, study.exact) == (9, True)


def test_a_limit_before_a_denial_is_no_quiet_win(monkeypatch: pytest.MonkeyPatch) -> None:
    examiner = Examiner()
    monkeypatch.setattr(examiner, "wins", lambda board, plies, *, without=(): (False if without else None, 1, None))
    fault = examiner.full_study(level(16))
    assert isinstance(fault, Fault) and fault.test == "unsettled"
    assert fault.why == "wins within 5 plies by quiet moves were not denied"


def test_a_quiet_first_move_that_wins_as_soon_is_a_second_key() -> None:
    board = Board(black=["g7", "d6", "f4", "e2"], white=["f8", "e7", "c6", "h6"], turn="black")
    assert EXAMINER.study(board) == Fault("second key", "e5 wins within 9 plies, and so does d4")


def test_a_quiet_first_move_that_wins_sooner_is_found() -> None:
    board = Board(black=["d10", "d8", "f8", "e6"], white=["f11", "h10", "d7", "g7"], turn="black")
    study = EXAMINER.study(board)
    assert isinstance(study, Fault) and study.test == "second key"
    assert [win.move for win in FirstMoves(EXAMINER, board, 9).wins()] == [board.cell("e7")]
    assert EXAMINER.wins(board, 9)[0] is True and EXAMINER.wins(board, 7)[0] is False


def test_first_moves_are_those_that_trying_every_move_finds() -> None:
    quiet = 0
    for seed in range(25):
        board = endgame(Random(seed), "freestyle")
        examiner = Examiner(board.rows, board.cols, budget=Budget(fewest=1))
        for plies in (1, 3, 5):
            found = FirstMoves(examiner, board, plies)
            wins = {win.move for win in found.wins()}
            assert not found.unsettled
            fives = set(rules.winning_cells(board, board.turn))
            assert wins == fives | {cell for cell in board.legal_moves() if wins_within(board, cell, plies - 2)}
            quiet += len(wins - fives)
    assert quiet >= 5


def wins_within(board: Board, cell: Cell, plies: int) -> bool:
    return holds_against_all(board.copy(), cell, lambda then: can_force_five_within(then, plies))


FOUR = """
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X X O .
    . . . O O O . . .
    . . . . . . O . .
    """

THREE = """
    . . . . . . . . .
    . . . . O . . . .
    . . . X X X . . .
    . . . O . . O . .
    . . . . . . . . .
    """


def test_there_is_no_choice_when_somebody_can_make_five() -> None:
    board = draw(FOUR)
    assert NINE_BY_FIVE.study(board) == Fault("forced", "black makes five on c3")
    board.turn = "white"
    assert NINE_BY_FIVE.study(board) == Fault("forced", "black makes five on c3")


NINE_BY_FIVE = Examiner(5, 9)


def test_an_open_three_is_too_short_a_puzzle() -> None:
    fault = NINE_BY_FIVE.study(draw(THREE))
    assert fault == Fault("too short", "the win takes 3 plies, not 5")
    assert isinstance(Examiner(5, 9, budget=Budget(fewest=3)).study(draw(THREE)), Fault)  # two ends, two keys


@pytest.mark.parametrize("seed", range(40))
def test_the_claims_of_a_study_are_what_trying_every_move_says(seed: int) -> None:
    board = endgame(Random(seed), "freestyle")
    study = Examiner(board.rows, board.cols, budget=Budget(fewest=1, most=7)).study(board)
    if not isinstance(study, Study):
        return
    assert can_force_five_within(board.copy(), study.length)
    assert not can_force_five_within(board.copy(), study.length - 2)
    others = [cell for cell in board.legal_moves() if cell != study.key]
    assert not any(
        holds_against_all(board.copy(), cell, lambda b: can_force_five_within(b, study.length - 2)) for cell in others
    )


# ---------------------------------------------------------------- stones that are not needed


def test_every_stone_that_is_no_scenery_is_needed() -> None:
    study = EXAMINER.study(level(9))
    assert isinstance(study, Study)
    scenery = EXAMINER.scenery(study)
    assert [study.position.name(cell) for cell in scenery] == ["i8"]
    for cell in study.position.stones(BLACK):
        black = [stone for stone in study.position.stones(BLACK) if stone != cell]
        less = Board(black=black, white=study.position.stones("white"), turn="black")
        assert EXAMINER.holds(less, study.key, study.length) is (cell in scenery)


def test_a_reduced_puzzle_is_the_same_puzzle_with_fewer_stones() -> None:
    study = EXAMINER.study(level(6))
    assert isinstance(study, Study)
    reduced = EXAMINER.reduced(study)
    assert (reduced.key, reduced.length, reduced.exact) == (study.key, study.length, True)
    black, white = reduced.position.stones("black"), reduced.position.stones("white")
    assert len(black) == len(white) < 10
    again = EXAMINER.study(reduced.position)
    assert isinstance(again, Study)
    assert (again.key, again.length, again.line) == (study.key, study.length, reduced.line)
    assert reduced.scenery == EXAMINER.scenery(again)


# ---------------------------------------------------------------- other winning moves


def test_other_winning_moves_on_the_way_are_marked() -> None:
    hard = Examiner(budget=Budget(glance=20_000, nodes=100_000))
    study = hard.study(level(4))
    assert isinstance(study, Study)
    marked = hard.with_others(study).others
    for played, cells in marked.items():
        board = study.position.copy()
        for cell in study.line[:played]:
            board.push(cell)
        for cell in cells:
            left = study.length - played
            known = [other for other in board.legal_moves() if other != cell]
            assert hard.solve(board.copy(moves=False), left, without=known).move == cell


# ---------------------------------------------------------------- plausible, and the same


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (Board(black=["h8", "h9"], white=["i9"], turn="black"), "2 black and 1 white stones, black to move"),
        (Board(black=["h8"], white=["i9"], turn="white"), "1 black and 1 white stones, white to move"),
        (Board(black=["a1", "b2"], white=["b1", "o15"], turn="black"), "the stone on o15 stands by itself"),
        (
            Board(black=[f"{c}8" for c in "abcdef"], white=[f"{c}9" for c in "abdegh"], turn="black", rule="standard"),
            "black has more than five in a row",
        ),
    ],
)
def test_no_game_comes_to_such_positions(board: Board, why: str) -> None:
    assert implausible(board) == Fault("implausible", why)


def test_the_twenty_levels_are_plausible() -> None:
    assert [implausible(one.board) for one in load("huanle")] == [None] * 20


@pytest.mark.parametrize("seed", range(20))
def test_a_puzzle_is_the_same_turned_mirrored_and_shifted(seed: int) -> None:
    random = Random(seed)
    cells = [(row, col) for row in range(5) for col in range(5)]
    stones = random.sample(cells, 6)
    board = Board(black=stones[:3], white=stones[3:])
    down, right = random.randint(0, 10), random.randint(0, 10)
    shifted = [(row + down, col + right) for row, col in stones]
    turned = Board(black=shifted[:3], white=shifted[3:]).transform(random.choice(SYMMETRIES))
    assert canonical(turned) == canonical(board)
    assert canonical(board.swap_colours()) == canonical(board)
    other = Board(black=stones[:2], white=stones[3:5])
    assert canonical(other) != canonical(board)


def test_scenery_and_under_renju_colours_make_a_difference() -> None:
    board = Board(black=["h8", "i9"], white=["h9", "j8"], turn="black")
    less = Board(black=["h8", "i9"], white=["h9"], turn="black")
    assert canonical(board, scenery=[board.cell("j8")]) == canonical(less)
    board.rule = "renju"
    assert canonical(board) != canonical(board.swap_colours())
