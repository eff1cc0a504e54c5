"""Winners, forbidden points and legal moves: diagrams, symmetries, and an independent definition.

In a diagram ``X`` and ``O`` are stones and ``f`` is an empty cell that black may not play.
"""

from __future__ import annotations

import time
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Cell, Colour
from gomoku_patterns.board import SYMMETRIES
from gomoku_patterns.errors import BoardError, IllegalMoveError
from gomoku_patterns.rules import (
    Rule,
    forbidden,
    is_forbidden,
    is_over,
    legal_moves,
    makes_five,
    winner,
    winning_cells,
    winning_row,
)
from tests.timing import quickest

RULES = list(Rule)


def grid_of(text: str) -> list[str]:
    return ["".join(row.split()) for row in text.strip().splitlines()]


def board_of(grid: list[str], rule: Rule | str = Rule.RENJU) -> Board:
    def stones(symbol: str) -> list[tuple[int, int]]:
        return [(row, col) for row, text in enumerate(grid) for col, found in enumerate(text) if found == symbol]

    return Board(len(grid), len(grid[0]), black=stones("X"), white=stones("O"), rule=rule)


def grid_from(board: Board) -> list[str]:
    return ["".join(".XO"[value] for value in board.flat[start : start + board.cols]) for start in row_starts(board)]


def row_starts(board: Board) -> range:
    return range(0, board.rows * board.cols, board.cols)


def drawn(board: Board) -> str:
    """The board as a diagram with its forbidden points, to compare with the one that is promised."""
    rows = [list(row) for row in grid_from(board)]
    for row, col in forbidden(board):
        rows[row][col] = "f"
    return "\n".join(" ".join(row) for row in rows)


def check(diagram: str) -> None:
    """The diagram's forbidden points are exactly those of its stones, turned and mirrored as well."""
    expected = "\n".join(" ".join(row) for row in grid_of(diagram))
    board = board_of(grid_of(diagram))
    assert drawn(board) == expected
    for symmetry in SYMMETRIES:
        moved = {board.transform_cell(cell, symmetry) for cell in forbidden(board)}
        assert set(forbidden(board.transform(symmetry))) == moved


# ---------------------------------------------------------------------- renju, in diagrams


def test_two_threes_are_forbidden() -> None:
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X f . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_threes_with_a_gap_count_too() -> None:
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . X . f X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_a_three_against_the_edge_or_a_stone_is_none() -> None:
    check("""
        . X X . . . .
        . . . . . X .
        . . . . . X .
        . . . . . . .
        . . . . . . .
        . X X . . . .
        O . . . . . .
    """)
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . O X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_a_three_with_room_for_five_only_makes_no_straight_four() -> None:
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . O . X . X . O .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_a_three_between_distant_stones_would_grow_past_five() -> None:
    """Either extension of the three in the middle leaves one end whose stone makes six, so no four is straight."""
    check("""
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . X . . . . .
        . . . . . X . . . . .
        . X . . X . X . . X .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """)


def test_a_three_and_a_four_together_are_allowed() -> None:
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_two_fours_are_forbidden() -> None:
    check("""
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        O X X X f . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


@pytest.mark.parametrize(
    "row",
    [
        ". . X . X f X . X . .",
        ". X X . f X . X X . .",
        ". X X . X f . X X . .",
        "X X X . f . X X X . .",
        ". . X . f X X . X . .",
    ],
)
def test_two_fours_on_one_line_are_forbidden(row: str) -> None:
    empty = " ".join("." * 11)
    check("\n".join([empty] * 3 + [row] + [empty] * 3))


def test_a_straight_four_is_one_four() -> None:
    check("""
        . . . . . . . . .
        . . . . . . . . .
        . . X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_a_four_whose_five_would_be_six_is_none() -> None:
    """Filling the row after e6 would join seven stones, so at e6 the column's four stands alone."""
    check("""
        . . . . . . . . . .
        . . . . . . . . . .
        O X X X . . X X . .
        . . . . . . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        . . . . X . . . . .
        . . . . O . . . . .
    """)


def test_six_in_a_row_is_forbidden() -> None:
    check("""
        . . . . . . . . .
        . X X X f X X . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_five_beats_what_is_forbidden() -> None:
    """The middle cell makes five downwards, and six, or two fours, across: black wins there."""
    check("""
        . . . . X . . . .
        . . . . X . . . .
        . X X X . X X . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . . . . . .
    """)
    check("""
        . . . . O . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . . . X . . . .
        . X X X . O . . .
        . . . . . X . . .
        . . . . . . X . .
        . . . . . . . X .
    """)


def test_a_three_is_none_when_its_four_would_be_an_overline() -> None:
    """Black may play c5: its row can only grow to the right, where black would make six."""
    check("""
        . . . . . X . . .
        . . X . . X . . .
        . . X . . X . . .
        . . . . . X . . .
        O . . X X f . . .
        . . . . . X . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)


def test_a_three_is_none_when_its_four_would_be_a_double_four() -> None:
    """Black may play g6: the row's straight four at e6 would be another four with the column below it."""
    check("""
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . X . . .
        . . . X . X . . . . .
        . . . . X . . . . . .
        . . . . X . . . . . .
        . . . . X . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """)
    assert not is_forbidden(
        board_of(
            grid_of("""
                . . . . . . . . .
                . . . X . . . . .
                . . . X . . . X .
                . . . X . . X . .
                . . X . X . . . .
                . . . . . . . . .
                . . . . . . . . .
                . . . . . . . . .
                . . . . . . . . .
            """)
        ),
        (4, 5),
    )


def test_the_ring_of_four_double_threes_is_allowed_at_its_key_point() -> None:
    """A textbook position: each four of the threes at the key point would itself be a double three, and so on round."""
    ring = board_of(
        grid_of("""
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . X X . . . .
            . . . . X . . X . . .
            . . . . X . . X . . .
            . . . . . X X . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
            . . . . . . . . . . .
        """)
    )
    assert not is_forbidden(ring, (4, 5))


def test_a_three_is_none_when_its_four_would_be_a_double_three() -> None:
    """Black may not play d8 all the same: a fake double three inside makes the three's four possible again."""
    check("""
        . . . . . . . . . . .
        . . . . . X . . . . .
        . f . X X . . . . . .
        . X . f . . . . . . .
        . X f X . . . . . . .
        . . . f . . . . . . .
        . . . . X . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
    """)


def test_the_question_is_asked_again_three_deep() -> None:
    """Black may play g5: what forbids it at first sight falls three stones further on."""
    check("""
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . . . . .
        . . . . . . . X . . .
        . . . . . . . f . X .
        . . . . . . X X . X .
        . . . . . X f . X . .
        . . . . f X X . . f .
        . . . . . . . . . . .
    """)


def test_only_black_and_only_renju_know_forbidden_points() -> None:
    double_three = """
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        . . . . X . . . .
        . . X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """
    key = (4, 4)
    board = board_of(grid_of(double_three))
    assert forbidden(board) == [key] and is_forbidden(board, key) and board.forbidden() == [key]
    board.turn = WHITE
    assert forbidden(board) == [key], "whoever's turn it is"
    assert Cell(*key) in legal_moves(board)
    assert forbidden(board.swap_colours()) == []
    for rule in RULES:
        if rule is not Rule.RENJU:
            other = board_of(grid_of(double_three), rule)
            assert forbidden(other) == [] and not is_forbidden(other, key)


def test_black_may_not_play_a_forbidden_point_and_white_may() -> None:
    board = board_of(
        grid_of("""
            . . . . . . . . .
            . X X X . X X . .
            . . . . . . . . .
            . O O O . O O . .
            . . . . . . . . .
        """)
    )
    assert Cell(1, 4) not in legal_moves(board) and Cell(3, 4) in legal_moves(board)
    assert set(board.empties()) - set(legal_moves(board)) == {Cell(1, 4)}
    board.turn = WHITE
    assert legal_moves(board) == board.empties()


# ---------------------------------------------------------------------- five, under each rule

ROWS = [
    # a row of black stones (with white ones where it matters), and the rules under which black has won
    (".XXXX....", set()),
    (".XXXXX...", set(RULES)),
    ("XXXXX....", set(RULES)),
    ("OXXXXX...", set(RULES)),
    ("OXXXXXO..", {Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU}),
    ("XXXXXO...", set(RULES)),
    ("...OXXXXX", set(RULES)),
    (".XXXXXX..", {Rule.FREESTYLE, Rule.CARO_OVERLINE}),
    ("OXXXXXXO.", {Rule.FREESTYLE, Rule.CARO_OVERLINE}),
    ("XXXXXXXXX", {Rule.FREESTYLE, Rule.CARO_OVERLINE}),
    ("XXXXOXXXX", set()),
]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("row", "winning"), ROWS)
def test_what_wins_for_black(row: str, winning: set[Rule], rule: Rule) -> None:
    board = board_of([row, *["." * 9] * 8], rule)
    for symmetry in SYMMETRIES:
        turned = board.transform(symmetry)
        assert winner(turned) == (BLACK if rule in winning else None)
        assert is_over(turned) == (rule in winning)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("row", "winning"), ROWS)
def test_what_wins_for_white(row: str, winning: set[Rule], rule: Rule) -> None:
    """The same, except that renju lets white win with a longer row."""
    board = board_of([row, *["." * 9] * 8], rule).swap_colours()
    wins = rule in winning or (rule is Rule.RENJU and Rule.FREESTYLE in winning)
    assert winner(board) == (WHITE if wins else None)


def test_a_row_does_not_run_on_behind_the_edge() -> None:
    for cols in (5, 6, 9, 22):
        stones = [(2, cols - 3), (2, cols - 2), (2, cols - 1), (3, 0), (3, 1)]
        assert winner(Board(7, cols, black=stones)) is None
        diagonal = [(row, (row + cols - 2) % cols) for row in range(5)]
        assert winner(Board(7, cols, black=diagonal)) is None or cols == 5


def test_a_long_diagonal_row_on_the_largest_board() -> None:
    stones = [(row, row) for row in range(17, 22)]
    for symmetry in SYMMETRIES:
        assert winner(Board(22, black=stones).transform(symmetry)) is BLACK


def test_with_two_winners_it_is_the_one_that_moved_last() -> None:
    board = Board(5, black=[(0, col) for col in range(5)], white=[(1, col) for col in range(5)])
    assert board.turn is BLACK and winner(board) is WHITE
    board.turn = WHITE
    assert winner(board) is BLACK


def test_a_stone_on_the_board_can_be_asked_whether_it_won() -> None:
    board = Board(9, black=["a1", "b1", "c1", "d1"])
    assert makes_five(board, "e1", BLACK) and not makes_five(board, "e1", WHITE)
    assert not makes_five(board, "d1", BLACK)
    board.push("e1", BLACK)
    assert makes_five(board, "a1", BLACK) and makes_five(board, "e1", BLACK)
    with pytest.raises(IllegalMoveError, match="there is a black stone on 'e1', so white cannot make a five there"):
        makes_five(board, "e1", WHITE)


def test_the_game_is_over_when_nobody_can_move() -> None:
    """A full board without a five, and a renju board whose last empty cell black may not play."""
    full = board_of(["XXOOX", "OOXXO", "XXOOX", "OOXXO", "XXOOX"], "standard")
    assert winner(full) is None and is_over(full) and legal_moves(full) == []
    stuck = board_of(["XXXfXX", "OOXXOO", "XXOOXX", "OOXXOO", "XXOOXX"])
    stuck.turn = BLACK
    assert forbidden(stuck) == [(0, 3)] and winner(stuck) is None
    assert is_over(stuck) and legal_moves(stuck) == []
    stuck.turn = WHITE
    assert not is_over(stuck) and legal_moves(stuck) == [(0, 3)]


def test_nothing_is_legal_after_a_win() -> None:
    board = Board(6, black=[(0, col) for col in range(5)])
    assert legal_moves(board) == [] == board.legal_moves() and board.is_over() and board.winner() is BLACK


def test_an_occupied_cell_is_not_asked_about() -> None:
    for rule in RULES:
        with pytest.raises(IllegalMoveError, match="there is a black stone on 'c3' already"):
            is_forbidden(Board(5, black=["c3"], rule=rule), "c3")
    with pytest.raises(BoardError):
        is_forbidden(Board(5, rule="renju"), "f6")


@pytest.mark.parametrize("word", ["renju", " Renju ", "4", 4, Rule.RENJU])
def test_a_rule_by_name_or_code(word: object) -> None:
    assert Rule.parse(word) is Rule.RENJU


@pytest.mark.parametrize("word", ["", "go", "2", 2, -1, True, None, 4.5, "²", "9" * 5000, [4]])
def test_no_such_rule(word: object) -> None:
    with pytest.raises(BoardError, match="expected a rule, one of freestyle, standard, renju, caro, caro-overline"):
        Rule.parse(word)


def test_every_rule_has_its_gomocup_code() -> None:
    assert {rule: rule.code for rule in RULES} == {
        Rule.FREESTYLE: 0,
        Rule.STANDARD: 1,
        Rule.RENJU: 4,
        Rule.CARO_OVERLINE: 8,
        Rule.CARO: 9,
    }
    assert all(Rule.parse(rule.code) is rule for rule in RULES)


# ---------------------------------------------------------------------- against the independent definition

ARMS = [  # what stands on one line to either side of a cell
    "..XX|....", "...X|X...", "...X|.X..", "..X.|X...", "..X.|.X..", ".X.X|....", "....|XX..", "....|X.X.",
    ".X.X|X.X.", "..XX|.XX.", ".XX.|XXX.", "X.XX|X.X.", ".XXX|....", "..XX|X...", ".XX.|X...", "OXXX|....",
    "OXX.|X...", "X..X|X...", "X..X|X..X", "..XX|XX..", "....|....", "O..X|X.O.", "...X|X..O", "X.XX|....",
]  # fmt: skip
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@st.composite
def crossings(draw: st.DrawFn) -> list[str]:
    """An empty cell on which two to four promising lines meet, and a few more stones around it."""
    rows, cols = draw(st.integers(7, 9)), draw(st.integers(7, 10))
    key = draw(st.integers(2, rows - 3)), draw(st.integers(2, cols - 3))
    grid = [["."] * cols for _ in range(rows)]
    for step in DIRECTIONS:
        arm = draw(st.sampled_from(ARMS))
        for distance, symbol in zip((-4, -3, -2, -1, 1, 2, 3, 4), arm.replace("|", ""), strict=True):
            row, col = key[0] + distance * step[0], key[1] + distance * step[1]
            if 0 <= row < rows and 0 <= col < cols:
                grid[row][col] = symbol
    extra = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1), st.sampled_from("XXXO"))
    for row, col, symbol in draw(st.lists(extra, max_size=10)):
        if (row, col) != key:
            grid[row][col] = symbol
    return ["".join(row) for row in grid]


@st.composite
def crowds(draw: st.DrawFn) -> list[str]:
    """A small board with stones strewn over it, black ones above all."""
    rows, cols = draw(st.integers(5, 9)), draw(st.integers(5, 9))
    symbols = draw(st.sampled_from([".....XXO", "...XX", "....X", "..XXXOO", "..XO"]))
    row = st.text(alphabet=symbols, min_size=cols, max_size=cols)
    return draw(st.lists(row, min_size=rows, max_size=rows))


grids = crossings() | crowds()


@settings(max_examples=250)
@given(grid=crossings())
def test_forbidden_points_are_those_of_the_text_where_lines_meet(grid: list[str], slow_rules: ModuleType) -> None:
    assert set(forbidden(board_of(grid))) == slow_rules.forbidden(grid)


@settings(max_examples=150)
@given(grid=crowds())
def test_forbidden_points_are_those_of_the_text_in_a_crowd(grid: list[str], slow_rules: ModuleType) -> None:
    assert set(forbidden(board_of(grid))) == slow_rules.forbidden(grid)


@given(grid=grids, symmetry=st.sampled_from(SYMMETRIES))
def test_forbidden_points_turn_with_the_board(grid: list[str], symmetry: int) -> None:
    board = board_of(grid)
    turned = board.transform(symmetry)
    assert set(forbidden(turned)) == {board.transform_cell(cell, symmetry) for cell in forbidden(board)}


@given(grid=grids)
def test_each_cell_alone_says_the_same_as_the_whole_board(grid: list[str]) -> None:
    board = board_of(grid)
    before = repr(board)
    assert forbidden(board) == [cell for cell in board.empties() if is_forbidden(board, cell)]
    assert repr(board) == before


@given(grid=grids, rule=st.sampled_from(RULES), turn=st.sampled_from(Colour))
def test_winning_cells_are_those_of_the_text(grid: list[str], rule: Rule, turn: Colour, slow_rules: ModuleType) -> None:
    board = board_of(grid, rule)
    board.turn = turn
    for colour, stone in ((BLACK, "X"), (WHITE, "O")):
        expected = [cell for cell in board.empties() if slow_rules.makes_five(grid, cell, stone, rule.value)]
        assert winning_cells(board, colour) == expected
        assert [cell for cell in board.empties() if makes_five(board, cell, colour)] == expected
    won = {colour for colour, stone in ((BLACK, "X"), (WHITE, "O")) if slow_rules.has_won(grid, stone, rule.value)}
    assert winner(board) == (turn.opponent if turn.opponent in won else turn if turn in won else None)


@given(grid=grids, rule=st.sampled_from(RULES), turn=st.sampled_from(Colour))
def test_the_game_goes_on_exactly_while_there_are_legal_moves(grid: list[str], rule: Rule, turn: Colour) -> None:
    board = board_of(grid, rule)
    board.turn = turn
    legal = legal_moves(board)
    assert is_over(board) == (legal == [])
    if winner(board) is None:
        barred = set(forbidden(board)) if turn is BLACK else set()
        assert legal == [cell for cell in board.empties() if cell not in barred]


@given(grid=grids, rule=st.sampled_from(RULES))
def test_the_winning_row_is_one_colour_and_each_of_its_stones_wins(grid: list[str], rule: Rule) -> None:
    board = board_of(grid, rule)
    row, colour = winning_row(board), winner(board)
    assert bool(row) == (colour is not None)
    if colour is not None:
        assert len(row) >= 5 and {board[cell] for cell in row} == {colour}
        assert all(makes_five(board, cell, colour) for cell in row)


@pytest.mark.parametrize("last, row", [("h8", "d8 e8 f8 g8 h8"), ("d12", "d8 d9 d10 d11 d12"), ("a1", "")])
def test_the_winning_row_is_found_in_every_direction(last: str, row: str) -> None:
    board = Board(black=["d8", "e8", "f8", "g8", "d9", "d10", "d11"], white=["i8"])
    board.push(last, "black")
    assert sorted(map(board.name, winning_row(board))) == sorted(row.split())


def test_the_winning_row_is_whole_and_not_another_row() -> None:
    rows = [
        "OOOOOO.",
        "XXXXX.O",
        ".......",
        ".......",
        ".......",
    ]
    assert [cell.row for cell in winning_row(board_of(rows, Rule.STANDARD))] == [1] * 5
    rows[1] = "XXXX.X."
    assert [cell.col for cell in winning_row(board_of(rows, Rule.FREESTYLE))] == [0, 1, 2, 3, 4, 5]


@given(grid=grids)
def test_colours_are_equal_where_the_rule_says_so(grid: list[str]) -> None:
    for rule in set(RULES) - {Rule.RENJU}:
        board = board_of(grid, rule)
        assert winning_cells(board, BLACK) == winning_cells(board.swap_colours(), WHITE)


def test_thousands_of_boards_are_answered_in_seconds() -> None:
    """The cost of one crowded board, with room for a busy machine."""
    board = board_of([".X..O.XX.O..X..", "X...XO..O.X..XX", "..OX..X...OX..."] * 5)
    assert quickest(lambda: forbidden(board), 0.02, clock=time.process_time) < 0.02
