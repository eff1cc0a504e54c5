"""two_ply: money counted from its description, and the two plies written out."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board
from search import Limit, player, two_ply
from tests.long import examples
from tests.search.boards import draw
from tests.search.same_tree import assert_same_tree, small_boards

OWN = (10000, 10000, 7000, 5000, 1000, 800, 500, 200, 125, 100, 70, 50)
OTHER = (6500, 6500, 6000, 4000, 750, 600, 300, 150, 110, 30, 30, 10)


def run(board, cell, colour, row_step, col_step):
    """How many stones a run through the cell would have, and how many walls."""
    length, walls = 1, 0
    for sign in (1, -1):
        row, col = cell
        for _ in range(5):
            row, col = row + sign * row_step, col + sign * col_step
            on_board = 0 <= row < board.rows and 0 <= col < board.cols
            if on_board and board[row, col] is colour:
                length += 1
                continue
            walls += not on_board or board[row, col] is not None
            break
    return length, walls


def part(board, cell, colour, worths):
    """What the colour's runs through the cell are worth, or None for exactly five."""
    found = [run(board, cell, colour, *step) for step in ((0, 1), (1, 0), (1, 1), (1, -1))]
    if any(length == 5 for length, _ in found):
        return None
    live, rush = (lambda n: found.count((n, 0))), (lambda n: found.count((n, 1)))
    cases = (
        live(4) >= 1,
        rush(4) >= 2,
        rush(4) >= 1 and live(3) >= 1,
        live(3) >= 2,
        live(3) >= 1,
        rush(4) >= 1,
        rush(3) >= 2,
        rush(3) >= 1,
        live(2) >= 2,
        live(2) >= 1,
        rush(2) >= 2,
        rush(2) >= 1,
    )
    return next((worth for case, worth in zip(cases, worths, strict=True) if case), 0)


def money(board, cell, computer):
    own = part(board, cell, computer, OWN)
    if own is None:
        return 99999
    other = part(board, cell, computer.opponent, OTHER)
    return -50000 if other is None else own - other


def position_money(board, computer):
    return sum(money(board, cell, computer) for cell in board.empties()) - len(board)


def plain_two_ply(board):
    """The two loops, x outside: the value for the computer, its move."""
    computer = board.turn
    columns = sorted(board.empties(), key=lambda cell: (cell.col, cell.row))
    worths = {cell: money(board, cell, computer) for cell in columns}
    for cell in columns:
        if not -50000 < worths[cell] < 99999:
            return worths[cell], cell
    best = None
    for cell in columns:
        if worths[cell]:
            board.push(cell)
            value = answered(board, computer)
            board.pop()
            if best is None or value > best[0]:
                best = value, cell
    return best


def answered(board, computer):
    columns = sorted(board.empties(), key=lambda cell: (cell.col, cell.row))
    worths = {cell: money(board, cell, computer) for cell in columns}
    forced = [cell for cell in columns if not -50000 < worths[cell] < 99999][:1]
    values = []
    for cell in forced or [cell for cell in columns if worths[cell]]:
        board.push(cell)
        values.append(position_money(board, computer))
        board.pop()
    return min(values, default=position_money(board, computer))


@settings(max_examples=12)
@given(board=small_boards(most=12, rules=["freestyle"], sides=(5, 6)))
def test_the_tree_is_that_of_the_description(board):
    expected = plain_two_ply(board.copy())
    result = two_ply(board)
    if expected is None:
        assert result.score == 0
    else:
        assert (result.score * board.turn.sign, result.move) == expected


@settings(max_examples=examples(30))
@given(
    board=small_boards(),
    limit=st.sampled_from([Limit(depth=1), Limit(depth=2), Limit(nodes=1), Limit(nodes=40)]),
    table=st.sampled_from(["money", "level", "grade_dict"]),
)
def test_python_and_native_grow_the_same_tree(board, limit, table):
    assert_same_tree(two_ply, board, limit, evaluator=table)


@pytest.mark.parametrize("computer", [BLACK, WHITE])
def test_a_five_is_made_and_a_five_is_stopped_at_once(computer):
    four = draw("""
        . . . . . . .
        . . . . . . .
        . X X X X O .
        . . O O . . .
        . . . . . . .
    """)
    board = four if computer is BLACK else four.swap_colours()
    made = two_ply(board)
    assert (board.name(made.move), made.score, made.nodes) == ("a3", 99999 * computer.sign, 1)
    board.turn = computer.opponent
    stopped = two_ply(board)
    assert (board.name(stopped.move), stopped.score) == ("a3", -50000 * computer.opponent.sign)


def test_colours_are_exchanged_for_a_black_computer():
    board = Board(9, black=["e5", "d4"], white=["e6", "c6"], turn="white")
    one, other = two_ply(board), two_ply(board.swap_colours())
    assert (one.move, one.score, one.nodes) == (other.move, -other.score, other.nodes)


def test_on_an_empty_board_the_centre_is_played():
    assert two_ply(Board()).move == (7, 7)
    assert player("two_ply").search(Board(5, 8)).move == (2, 4)
