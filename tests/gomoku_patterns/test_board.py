"""The board: stones, turns, moves, symmetries, arrays, value and text."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import BLACK, WHITE, Board, Cell, Colour, Move, Rule
from gomoku_patterns.board import SYMMETRIES
from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE
from gomoku_patterns.errors import BoardError, GomokuError, IllegalMoveError

sides = st.sampled_from([5, 6, 7, 9, 15, MAX_SIDE])


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """A board of any size with stones that were set up and stones that were played."""
    rows, cols = draw(sides), draw(sides)
    cells = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    stones = draw(st.lists(st.tuples(cells, st.sampled_from(Colour)), max_size=30, unique_by=lambda stone: stone[0]))
    played = draw(st.integers(0, len(stones)))
    set_up = {colour: [cell for cell, found in stones[played:] if found is colour] for colour in Colour}
    turn, rule = draw(st.sampled_from([None, *Colour])), draw(st.sampled_from(Rule))
    board = Board(rows, cols, black=set_up[BLACK], white=set_up[WHITE], turn=turn, rule=rule)
    for cell, colour in stones[:played]:
        board.push(cell, draw(st.sampled_from([None, colour])))
    return board


def state(board: Board) -> tuple[object, ...]:
    """Everything that a call could change."""
    return board.flat, board.turn, board.moves, board.rule, board.rows, board.cols, list(board._turns)


# ---------------------------------------------------------------------- making one


def test_a_new_board_is_empty_and_black_is_to_move() -> None:
    board = Board()
    assert (board.rows, board.cols, board.rule, board.turn, len(board)) == (15, 15, Rule.FREESTYLE, BLACK, 0)
    assert board.empties() == list(board.cells()) and not board.is_full() and board.moves == ()
    assert bool(board)


@pytest.mark.parametrize(
    ("black", "white", "turn"),
    [([], [], BLACK), (["a1"], [], WHITE), (["a1"], ["b1"], BLACK), (["a1", "c1"], [], BLACK), ([], ["a1"], BLACK)],
)
def test_whose_turn_it_is_when_nobody_says(black: list[str], white: list[str], turn: Colour) -> None:
    board = Board(black=black, white=white)
    assert board.turn is turn
    assert Board.from_array(board.to_array()).turn is turn
    assert Board(black=black, white=white, turn="white").turn is WHITE


def test_cells_by_name_by_pair_and_by_numpy() -> None:
    board = Board(9, black=["e5", (0, 0), [8, 8], Cell(1, 2), (np.int64(3), np.int8(4))])
    assert board.stones(BLACK) == [(0, 0), (1, 2), (3, 4), (4, 4), (8, 8)] == board.stones("black")
    assert board["e5"] is BLACK and board[4, 4] is BLACK and board["a1"] is None
    assert board.index("a1") == 72 and board.at(72) == (8, 0) and board.name((8, 0)) == "a1"


@pytest.mark.parametrize("side", [4, 23, 0, -5, True, "15", 15.0, None])
def test_a_side_no_board_has(side: object) -> None:
    with pytest.raises(BoardError, match="expected rows from 5 to 22, found"):
        Board(side)  # type: ignore[arg-type]  # the wrong type is the point
    if side is not None:
        with pytest.raises(BoardError, match="expected cols from 5 to 22, found"):
            Board(15, side)  # type: ignore[arg-type]  # the wrong type is the point


@pytest.mark.parametrize(
    "cell", ["z9", "a16", "", (15, 0), (0, -1), (-1, 0), (1,), (1, 2, 3), (1.0, 2), ("a", 1), 7, None, {}, object()]
)
def test_a_cell_no_board_has(cell: object) -> None:
    board = Board(black=["h8"])
    board.push("a1")
    before = state(board)
    calls: list[Callable[[object], object]] = [
        board.push, board.cell, board.index, board.name, board.__getitem__, board.is_empty,
        lambda cell: Board(black=[cell]), lambda cell: board.transform_cell(cell, 1),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(BoardError, match="expected a cell"):
            call(cell)
    assert state(board) == before


def test_two_stones_on_one_cell() -> None:
    with pytest.raises(IllegalMoveError, match="two stones on 'h8'"):
        Board(black=["h8"], white=[(7, 7)])
    with pytest.raises(IllegalMoveError):
        Board(black=["h8", "h8"])


# ---------------------------------------------------------------------- playing


def test_push_and_pop() -> None:
    board = Board()
    board.push("h8")
    board.push("h9", "white")
    board.push((0, 0))
    assert board.moves == (Move(Cell(7, 7), BLACK), Move(Cell(6, 7), WHITE), Move(Cell(0, 0), BLACK))
    assert board.peek() == (0, 0) and board.turn is WHITE and len(board) == 3
    assert [board.pop() for _ in range(3)] == [(0, 0), (6, 7), (7, 7)]
    assert board == Board()


def test_a_colour_out_of_turn_gives_the_turn_to_its_opponent_and_back() -> None:
    board = Board()
    board.push("a1", WHITE)
    assert board.turn is BLACK and board["a1"] is WHITE
    board.push("b1", BLACK)
    board.push("c1", BLACK)
    assert board.turn is WHITE
    for turn in (WHITE, BLACK, BLACK):
        board.pop()
        assert board.turn is turn


def test_failing_calls_change_nothing() -> None:
    board = Board(black=["h8"], turn="white", rule="renju")
    board.push("h9")
    before = state(board)
    failing: list[Callable[[], object]] = [
        lambda: board.push("h8"),
        lambda: board.push("h9"),
        lambda: board.push("a1", "green"),
        lambda: board.push("p1"),
        lambda: setattr(board, "turn", 0),
        lambda: setattr(board, "rule", "chess"),
        lambda: board.transform(8),
        lambda: board.transform(-1),
        lambda: board.transform("1"),  # type: ignore[arg-type]  # the wrong type is the point
        lambda: board.stones("green"),
    ]
    for call in failing:
        with pytest.raises(BoardError, match=r"expected|already|from 0 to 7"):
            call()
        assert state(board) == before


def test_stones_that_were_set_up_cannot_be_popped() -> None:
    board = Board(black=["h8"])
    for call in (board.pop, board.peek):
        with pytest.raises(IllegalMoveError, match="nothing was pushed on this board"):
            call()
    assert board == Board(black=["h8"])
    board.push("a1")
    board.pop()
    with pytest.raises(IllegalMoveError):
        board.pop()


def test_occupied() -> None:
    board = Board(black=["h8"])
    with pytest.raises(IllegalMoveError, match="there is a black stone on 'h8' already"):
        board.push((7, 7))


def test_turn_and_rule_may_be_set_and_are_checked() -> None:
    board = Board()
    board.turn = "white"
    board.rule = "Renju"
    assert board.turn is WHITE and board.rule is Rule.RENJU
    assert repr(board) == "Board(rows=15, cols=15, turn='white', rule='renju')"


@given(board=boards(), data=st.data())
def test_any_play_behaves_like_a_list_of_moves(board: Board, data: st.DataObject) -> None:
    """Pushes and pops, legal or not, against a dictionary of stones and a list of what was there before."""
    stones = {cell: board[cell] for cell in board.cells() if board[cell]}
    history = [state(board.copy())]
    pushed = len(board.moves)
    for _ in range(data.draw(st.integers(0, 12))):
        if data.draw(st.booleans()):
            cell = Cell(data.draw(st.integers(0, board.rows - 1)), data.draw(st.integers(0, board.cols - 1)))
            before, mover = state(board), board.turn
            if cell in stones:
                with pytest.raises(IllegalMoveError):
                    board.push(cell)
                assert state(board) == before
            else:
                board.push(cell)
                stones[cell] = mover
                history.append(state(board))
        elif len(history) > 1:
            assert stones.pop(board.pop()) is board.turn
            history.pop()
        assert state(board) == history[-1]
        assert {cell: board[cell] for cell in board.cells() if board[cell]} == stones
        assert len(board) == len(stones) and len(board.moves) == pushed + len(history) - 1


@given(board=boards())
def test_taking_everything_back_restores_the_beginning(board: Board) -> None:
    start = board.copy()
    for move in reversed(board.moves):
        assert start.peek() == move.cell == start.pop()
    assert start.moves == () and len(start) == len(board) - len(board.moves)
    for move in board.moves:
        start.push(move.cell, move.colour)
    assert start.flat == board.flat and start.moves == board.moves


def test_a_full_board() -> None:
    cells = list(Board(5).cells())
    board = Board(5, black=cells[::2], white=cells[1::2])
    assert board.is_full() and board.empties() == [] and len(board) == 25
    with pytest.raises(IllegalMoveError):
        board.push("a1")


# ---------------------------------------------------------------------- copies and value


@given(board=boards())
def test_copies_are_equal_and_independent(board: Board) -> None:
    before = state(board)
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other == board and hash(other) == hash(board) and state(other) == before
        other.rule = "renju"
        other.turn = board.turn.opponent
        for cell in board.empties()[:1]:
            other.push(cell)
        assert state(board) == before


@given(board=boards())
def test_a_copy_without_moves_has_nothing_to_pop(board: Board) -> None:
    bare = board.copy(moves=False)
    assert bare == board and bare.moves == ()
    with pytest.raises(IllegalMoveError):
        bare.pop()


def test_equality_is_size_stones_turn_and_rule() -> None:
    board = Board(black=["h8"], white=["h9"])
    played = Board()
    played.push("h8")
    played.push("h9")
    assert board == played and hash(board) == hash(played) and len({board, played}) == 1
    assert board != Board(black=["h8"], white=["h9"], turn="white")
    assert board != Board(black=["h8"], white=["h9"], rule="renju")
    assert board != Board(16, black=["h9"], white=["h10"])
    assert Board(5, 6) != Board(6, 5)
    assert board != "board" and board is not None


@given(board=boards())
def test_repr_rebuilds_the_board(board: Board) -> None:
    assert eval(repr(board), {"Board": Board}) == board


def test_repr_and_str() -> None:
    board = Board(5, 6, black=["c3", "a1"], white=["f5"], rule="renju")
    assert repr(board) == "Board(rows=5, cols=6, black=['c3', 'a1'], white=['f5'], turn='white', rule='renju')"
    assert (
        str(board)
        == """\
 5  .  .  .  .  .  O
 4  .  .  .  .  .  .
 3  .  .  X  .  .  .
 2  .  .  .  .  .  .
 1  X  .  .  .  .  .
    a  b  c  d  e  f"""
    )


@given(board=boards())
def test_str_shows_every_stone_where_its_coordinates_say(board: Board) -> None:
    *rows, letters = str(board).split("\n")
    for text in rows:
        number, *symbols = text.split()
        for letter, symbol in zip(letters.split(), symbols, strict=True):
            assert symbol == {None: ".", BLACK: "X", WHITE: "O"}[board[letter + number]]


def test_notebooks_get_a_picture() -> None:
    assert Board()._repr_svg_().startswith("<svg")


# ---------------------------------------------------------------------- symmetries and colours


@pytest.mark.parametrize(
    ("symmetry", "picture"),
    [
        (0, "XO...... ........ ........ ........ X......."),
        (1, "X...X ....O ..... ..... ..... ..... ..... ....."),
        (2, ".......X ........ ........ ........ ......OX"),
        (3, "..... ..... ..... ..... ..... ..... O.... X...X"),
        (4, "......OX ........ ........ ........ .......X"),
        (5, "X....... ........ ........ ........ XO......"),
        (6, "X...X O.... ..... ..... ..... ..... ..... ....."),
        (7, "..... ..... ..... ..... ..... ..... ....O X...X"),
    ],
)
def test_the_eight_symmetries(symmetry: int, picture: str) -> None:
    board = Board(5, 8, black=["a5", "a1"], white=["b5"])
    turned = board.transform(symmetry)
    rows = ["".join(".XO"[turned[row, col] or 0] for col in range(turned.cols)) for row in range(turned.rows)]
    assert " ".join(rows) == picture


INVERSES = {0: 0, 1: 3, 2: 2, 3: 1, 4: 4, 5: 5, 6: 6, 7: 7}


@given(board=boards(), symmetry=st.sampled_from(SYMMETRIES))
def test_each_symmetry_has_its_inverse(board: Board, symmetry: int) -> None:
    turned = board.transform(symmetry)
    assert state(turned.transform(INVERSES[symmetry])) == state(board)
    for cell in board.cells():
        assert turned[board.transform_cell(cell, symmetry)] is board[cell]
    assert [move.cell for move in turned.moves] == [board.transform_cell(move.cell, symmetry) for move in board.moves]


@given(board=boards())
def test_symmetries_are_those_of_numpy(board: Board) -> None:
    array = board.to_array()
    expected = [array, *(np.rot90(array, -turns) for turns in (1, 2, 3)), np.fliplr(array), np.flipud(array)]
    expected += [array.T, np.rot90(array, 2).T]
    for symmetry, picture in zip(SYMMETRIES, expected, strict=True):
        assert np.array_equal(board.transform(symmetry).to_array(), picture)


@given(board=boards())
def test_a_transformed_board_can_be_played_back(board: Board) -> None:
    for symmetry in SYMMETRIES:
        turned, plain = board.transform(symmetry), board.copy()
        while plain.moves:
            cell = plain.pop()
            assert turned.pop() == plain.transform_cell(cell, symmetry)
            assert turned == plain.transform(symmetry)


@given(board=boards())
def test_swapping_colours_twice_is_nothing(board: Board) -> None:
    swapped = board.swap_colours()
    assert state(swapped.swap_colours()) == state(board)
    assert swapped.stones(BLACK) == board.stones(WHITE) and swapped.stones(WHITE) == board.stones(BLACK)
    assert swapped.turn is board.turn.opponent
    while swapped.moves:
        assert swapped.pop() == board.pop()
        assert swapped.swap_colours() == board


# ---------------------------------------------------------------------- numpy


@given(board=boards())
def test_arrays_there_and_back(board: Board) -> None:
    array = board.to_array()
    assert array.shape == (board.rows, board.cols) and array.dtype == np.int8
    assert Board.from_array(array, turn=board.turn, rule=board.rule) == board
    signed = np.where(array == 2, -1, array).astype(np.int64)
    assert Board.from_array(signed, turn=board.turn, rule=board.rule) == board
    assert bytes(array.ravel().astype(np.uint8)) == board.flat
    before = board.flat
    array[:] = 1
    assert board.flat == before


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros(25, dtype=int), "expected a two-dimensional integer array, found 1 dimensions"),
        (np.zeros((5, 5)), "expected a two-dimensional integer array, found 2 dimensions of float64"),
        (np.full((5, 5), 3), r"expected 0, 1, 2 or -1 in the array, found 3 at \(0, 0\)"),
        (np.zeros((4, 5), dtype=int), "expected rows from 5 to 22, found 4"),
        (np.zeros((5, 23), dtype=int), "expected cols from 5 to 22, found 23"),
        ([[0] * 5, [0] * 6], "expected a two-dimensional integer array"),
        ([["X"] * 5] * 5, "expected a two-dimensional integer array"),
    ],
)
def test_arrays_that_are_no_board(array: object, message: str) -> None:
    with pytest.raises(GomokuError, match=message):
        Board.from_array(array)  # type: ignore[arg-type]  # the wrong type is the point


def test_lists_and_booleans_are_arrays_too() -> None:
    rows = [[0] * MIN_SIDE for _ in range(MIN_SIDE)]
    rows[0][0] = 1
    assert Board.from_array(rows) == Board(5, black=["a5"])
    assert Board.from_array(np.array(rows, dtype=bool)) == Board(5, black=["a5"])


@pytest.mark.parametrize("index", [-1, 225, (7, 7), "h8", None, 1.5])
def test_a_flat_index_is_checked(index):
    with pytest.raises(BoardError, match=r"expected (a|the) flat index"):
        Board().at(index)
