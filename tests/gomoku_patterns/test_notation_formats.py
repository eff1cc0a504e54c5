"""Each notation by example: what a file looks like, what is read from it, and what a slip is answered with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomoku_patterns import Board, Cell
from gomoku_patterns.cells import BLACK, WHITE
from gomoku_patterns.draw import board_text
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation import (
    GameTree,
    detect,
    json_position,
    parse_json_position,
    read_position,
    read_positions,
    write_position,
)
from gomoku_patterns.rules import Rule
from gomoku_patterns.testing import boards, games


def names(board: Board) -> list[str]:
    """The moves of a board as people call them."""
    return [board.name(move.cell) for move in board.moves]


# ---------------------------------------------------------------- JSON


def test_the_json_position_of_the_contract() -> None:
    board = parse_json_position(
        {"id": 7, "rows": 15, "cols": 15, "rule": "renju", "black": ["h8", [7, 8]], "white": ["h9"], "to_move": "black"}
    )
    assert board == Board(black=["h8", "i8"], white=["h9"], turn=BLACK, rule="renju")


@pytest.mark.parametrize("rule, meant", [("standard", Rule.STANDARD), (4, Rule.RENJU), ("9", Rule.CARO)])
def test_a_rule_is_a_name_or_a_gomocup_code(rule: object, meant: Rule) -> None:
    assert parse_json_position({"rule": rule}).rule is meant


def test_without_to_move_the_turn_is_the_natural_one() -> None:
    assert parse_json_position({"black": ["h8"]}).turn is WHITE
    assert parse_json_position({"black": ["h8"], "white": ["h9"]}).turn is BLACK
    assert parse_json_position({}).turn is BLACK


def test_the_id_of_a_position_may_be_anything() -> None:
    (entry,) = read_positions('{"id": {"side": 1, "puzzles": []}, "black": ["h8"]}')
    assert entry.id == {"side": 1, "puzzles": []}


def test_names_follow_the_origin_and_pairs_do_not() -> None:
    board = parse_json_position({"black": ["a1", [3, 3]]}, origin="top")
    assert set(board.stones(BLACK)) == {Cell(0, 0), Cell(3, 3)}


def test_json_position_gives_all_keys() -> None:
    assert json_position(Board(5, 6, black=["a1"]), id=[1]) == {
        "id": [1], "rows": 5, "cols": 6, "rule": "freestyle", "black": ["a1"], "white": [], "to_move": "white",
    }  # fmt: skip


@pytest.mark.parametrize(
    "text, message",
    [
        ('{"blak": []}', "expected the keys id, rows, cols, rule, black, white, to_move, found 'blak'"),
        ('{"black": ["h8", "h8"]}', "black[1] is 'h8' a second time"),
        ('{"black": ["h8"], "white": [[7, 7]]}', "white[0] is 'h8', where black has a stone"),
        ('{"black": ["p1"]}', "'a1' to 'o15' or [row, col] on a 15x15 board at black[0], found 'p1'"),
        ('{"black": [[15, 0]]}', "at black[0], found [15, 0]"),
        ('{"black": [[1, true]]}', "at black[0], found [1, True]"),
        ('{"black": "h8"}', "expected a list of cells in black, found 'h8'"),
        ('{"rows": 23}', "expected 5 to 22 rows, found 23"),
        ('{"rows": 15, "cols": 4}', "expected 5 to 22 columns, found 4"),
        ('{"rows": true}', "expected 5 to 22 rows, found True"),
        ('{"rows": 1e999}', "expected 5 to 22 rows, found inf"),
        ('{"rule": "chess"}', "in rule, found 'chess'"),
        ('{"to_move": "green"}', "expected 'black' or 'white' in to_move, found 'green'"),
        ('{"rows": NaN}', "expected a JSON value, found NaN"),
        ('{"rows": 15, "rows": 16}', "the key 'rows' stands there twice"),
        ('{"id": "\\ud800"}', "text may not hold half of a surrogate pair"),
        ("[1]", "expected a JSON object with a position, found 1"),
    ],
)
def test_a_slip_in_json_is_named(text: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a.json")
    assert message in str(error.value)
    assert str(error.value).startswith("a.json")


def test_broken_json_is_placed() -> None:
    with pytest.raises(NotationError, match=r"^a.json:2:10: not valid JSON") as error:
        read_position('{"rows": 15,\n "cols": ]}', source="a.json")
    assert (error.value.line, error.value.column) == (2, 10)


def test_a_bad_line_of_json_lines_is_named_and_the_lines_before_it_are_read(tmp_path: Path) -> None:
    file = tmp_path / "many.jsonl"
    file.write_text('{"id": "a"}\n\n{"id": "b", "rows": 3}\n')
    entries = read_positions(file)
    assert next(entries).id == "a"
    with pytest.raises(NotationError, match=r"many.jsonl:3:21: expected 5 to 22 rows, found 3"):
        next(entries)


def test_json_lines_stream(tmp_path: Path) -> None:
    """Reading the first positions of a file does not need the rest of it to be sound."""
    file = tmp_path / "many.jsonl"
    file.write_bytes(b'{"black": ["h8"]}\n' * 1000 + b"\xff\n")
    entries = read_positions(file)
    assert [next(entries).line for _ in range(1000)][-1] == 1000
    with pytest.raises(NotationError, match=r"1001:1: expected UTF-8 text, found byte 0xff"):
        next(entries)


# ---------------------------------------------------------------- grid text

PLUS = Board(5, 6, black=["c3", "a5"], white=["d3", "f1"])


@pytest.mark.parametrize(
    "text",
    [
        "X.....\n......\n..XO..\n......\n.....O",
        "1#####\n######\n##10##\n######\n#####0\n",
        "B - - - - -\n- - - - - -\n- - x W - -\n_ _ _ _ _ _\n+ + + + + o",
        "\n  X . . . . .\n\n  . . . . . .\n\n  . . X O . .\n\n  . . . . . .\n\n  . . . . . O\n",
        "X.....\r\n......\r\n..XO..\r\n......\r\n.....O\r\n",
        "  a b c d e f\n5 X . . . . .\n4 . . . . . .\n3 . . X O . .\n2 . . . . . .\n1 . . . . . O\n  A B C D E F",
        "1 X . . . . .\n2 . . . . . .\n3 . . X O . .\n4 . . . . . .\n5 . . . . . O\n  a b c d e f",
        str(PLUS),
    ],
)
def test_drawings_are_read(text: str) -> None:
    assert read_position(text) == PLUS


@pytest.mark.parametrize(
    "text",
    [
        "●┬┬┬┬┐\n├┼┼┼┼┤\n├┼●○┼┤\n├┼┼┼┼┤\n└┴┴┴┴○",
        "⚫ ┬ ┬ ┬ ┬ ┐\n├ ┼ ┼ ┼ ┼ ┤\n├ ┼ ⚫ ⚪ ┼ ┤\n├ ┼ ┼ ┼ ┼ ┤\n└ ┴ ┴ ┴ ┴ ⚪",
        "100000\n000000\n001200\n000000\n000002",
        "1 0 0 0 0 0\n0 0 0 0 0 0\n0 0 1 2 0 0\n0 0 0 0 0 0\n0 0 0 0 0 2",
        "X * . . . .\n@ . . . . .\n. . X O ^ .\n. . . . . .\n. . . . . O",
        " 5(X) .  .  .  .  .\n 4 .  .  .  .  .  .\n 3 .  . [X] O  .  .\n 2 .  .  .  .  .  .\n 1 .  .  .  .  .  O",
    ],
)
def test_drawings_of_other_symbols_are_read(text: str) -> None:
    assert read_position(text) == PLUS


def test_a_star_is_not_taken_for_an_empty_cell_where_it_may_be_a_stone() -> None:
    with pytest.raises(NotationError, match="expected one of"):
        read_position("*.....\n......\n..*O..\n......\n.....O")


@given(
    board=boards() | games(),
    options=st.fixed_dictionaries({"numbers": st.booleans(), "unicode": st.booleans(), "last": st.booleans()}),
    sign=st.sampled_from(["circle", "cross", "triangle", "square"]),
    data=st.data(),
)
def test_the_drawings_of_the_project_are_read_back(
    board: Board, options: dict[str, bool], sign: str, data: st.DataObject
) -> None:
    marked = data.draw(st.lists(st.sampled_from(board.empties()), max_size=3)) if board.empties() else []
    marks = dict.fromkeys(marked if options["unicode"] or board.stones(BLACK) else [], sign)
    found = next(read_positions(board_text(board, marks=marks, **options)))
    assert (found.board.stones(BLACK), found.board.stones(WHITE)) == (board.stones(BLACK), board.stones(WHITE))
    if options["numbers"]:
        assert found.board.moves == board.moves


def test_a_numbered_drawing_is_a_game_that_begins_before_its_first_number() -> None:
    entry = next(read_positions("X2 .  .  .  .\n.  O1 .  .  .\n.  .  X  .  .\n.  .  .  .  .\n.  .  .  . (O3)"))
    assert entry.tree is not None
    assert (len(entry.tree.start()), entry.tree.start().turn) == (1, WHITE)
    assert [entry.board.name(move.cell) for move in entry.board.moves] == ["b4", "a5", "e1"]


def test_moves_may_be_numbered() -> None:
    assert read_position("1. h8 i9 2. h9") == read_position("1.h8 2.i9 3.h9") == read_position("h8i9h9")
    with pytest.raises(NotationError) as error:
        read_position("1. h8 2. h8", source="a")
    assert str(error.value).startswith("a:1:10: there is a stone on 'h8' already")


def test_a_drawing_may_be_upside_down() -> None:
    assert read_position(str(PLUS).rsplit("\n", 1)[0], origin="bottom") == PLUS.transform(5)


def test_the_largest_drawing_with_ones_and_noughts_beside_row_numbers() -> None:
    rows = [f"{22 - row} " + " ".join("1" if col == row else "0" if col == 21 - row else "#" for col in range(22))
            for row in range(22)]  # fmt: skip
    board = read_position("\n".join(rows))
    assert board.stones(BLACK) == [Cell(index, index) for index in range(22)]
    assert len(board.stones(WHITE)) == 22


def test_a_drawing_says_rule_and_turn() -> None:
    board = read_position("X....\n.....\n.....\n.....\n.....\nrule: renju\nto move: black\n")
    assert (board.rule, board.turn) == (Rule.RENJU, BLACK)


def test_blank_lines_part_drawings() -> None:
    drawing = ".....\n" * 5
    assert [entry.line for entry in read_positions(drawing + "\n" + drawing)] == [1, 7]


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("X1 . . . .\n. O1 . . .\n. . . . .\n. . . . .\n. . . . .", "2:3", "expected each number once, found '1'"),
        (".....\n..q..\n.....\n.....\n.....", "2:3", "expected one of # . - + _ (empty), 1 X x B (black)"),
        (".....\n.....\n....\n.....\n.....", "3:1", "expected 5 cells as in the first row, found 4"),
        (".....\n.....\n.....\n.....", "1:1", "expected 5 to 22 rows, found 4"),
        ("....\n....\n....\n....\n....", "1:1", "expected 5 to 22 cells, found 4"),
        ("5 .....\n4 .....\n3 .....\n3 .....\n1 .....", "4:1", "expected the row number 2 as in the other rows"),
        (".....\n" * 5 + "rule: chess", "6:7", "expected one of freestyle, standard, renju"),
    ],
)
def test_a_slip_in_a_drawing_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a.txt")
    assert str(error.value).startswith(f"a.txt:{place}: {message}")


# ---------------------------------------------------------------- position strings and links


@pytest.mark.parametrize(
    "text", ["h8h7i9", "h8 h7 i9", "H8,H7,I9", "h8, h7;i9\n", "H8H7I9", "https://gomocalc.com/#/h8h7i9"]
)
def test_position_strings(text: str) -> None:
    board = read_position(text)
    assert names(board) == ["h8", "h7", "i9"]
    assert (board["h8"], board["h7"], board["i9"], board.turn) == (BLACK, WHITE, BLACK, WHITE)


@pytest.mark.parametrize("word", ["pass", "PASS", "A0", "a0", "--"])
def test_a_pass_gives_the_turn_away(word: str) -> None:
    board = read_position(f"h8 {word} i9")
    assert (board["h8"], board["i9"], board.turn) == (BLACK, BLACK, WHITE)


def test_some_programs_count_rows_from_the_top() -> None:
    assert read_position("h6", origin="top").stones(BLACK) == [Cell(5, 7)]
    assert read_position("h6").stones(BLACK) == [Cell(9, 7)]


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("h8i9h8", "1:5", "there is a stone on 'h8' already"),
        ("h8 p1", "1:4", "expected a cell from 'a1' to 'o15', found 'p1'"),
        ("h8 h16", "1:4", "expected a cell from 'a1' to 'o15', found 'h16'"),
        ("h8h7h6h5 ?", "1:10", "expected a move such as 'h8', or 'pass', found '?'"),
        ("h8\nh9", "2", "there is a second position here; give one at a time"),
    ],
)
def test_a_slip_in_a_position_string_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a.pos")
    assert str(error.value) == f"a.pos:{place}: {message}"


# ---------------------------------------------------------------- SGF


def read_game(text: str, **options: object) -> GameTree:
    (entry,) = read_positions(text, **options)  # type: ignore[arg-type]  # whatever a test says
    assert entry.tree is not None
    return entry.tree


def test_the_game_of_a_match_runner() -> None:
    game = read_game(
        "(;FF[4]GM[4]GN[1]EV[a x b]DT[2024]RO[1.1]RU[4]SZ[15]PB[a]PW[b]RE[B+1]TE[reason]"
        ";B[hh]C[opening move];W[ig]C[12ms])"
    )
    board = game.board()
    assert (names(board), board.rule) == (["h8", "i9"], Rule.RENJU)
    assert (game.info["PB"], game.info["RE"]) == ("a", "B+1")
    assert [node.comment for node in game.main_line()] == ["", "opening move", "12ms"]


def test_set_up_stones_turn_labels_and_variations() -> None:
    game = read_game("(;GM[4]SZ[15]AB[hh][ii]AW[aa:ba]PL[W]LB[jj:A](;W[jj];B[kk])(;W[kk]C[else\\]]))")
    assert game.start() == Board(black=["h8", "i7"], white=["a15", "b15"], turn=WHITE)
    first, second = game.root.children
    assert game.root.labels == {Cell(9, 9): "A"}
    assert (names(game.board()), names(game.board(second))) == (["j6", "k5"], ["k5"])
    assert (first.comment, second.comment) == ("", "else]")


def test_stones_taken_off_and_set_up_later_in_a_game() -> None:
    game = read_game("(;SZ[9];B[aa];AE[aa]AW[bb];B[aa])")
    assert game.board() == Board(9, black=["a9"], white=["b8"], turn=WHITE)


def test_a_rectangle_is_columns_by_rows() -> None:
    board = read_position("(;GM[4]SZ[20:15];B[to])")
    assert (board.rows, board.cols, board.stones(BLACK)) == (15, 20, [Cell(14, 19)])


def test_moves_written_as_names_and_passes() -> None:
    board = read_position("(;GM[4];B[h8];W[];B[I10])")
    assert names(board) == ["h8", "i10"]
    assert board.turn is WHITE


def test_a_rule_by_name_and_an_unknown_one() -> None:
    assert read_position("(;GM[4]RU[Renju];B[hh])").rule is Rule.RENJU
    game = read_game("(;GM[4]RU[house rules];B[hh])")
    assert (game.rule, game.info["RU"]) == (Rule.FREESTYLE, "house rules")


def test_an_sgf_file_in_a_legacy_code_page() -> None:
    data = "(;GM[4]CA[gb18030]C[活三];B[hh])".encode("gb18030")
    (entry,) = read_positions(data)
    assert entry.comment == "活三"
    with pytest.raises(NotationError, match=r"a.sgf:1:\d+: expected UTF-8 text"):
        read_position("(;GM[4]C[活三];B[hh])".encode("gb18030"), source="a.sgf")


def test_the_games_of_a_collection_stream() -> None:
    entries = read_positions("(;B[hh])\n(;B[ii];W[hh])\n(;B[zz])")
    assert [len(next(entries).board), len(next(entries).board)] == [1, 2]
    with pytest.raises(NotationError, match=r"^3:5: expected a point"):
        next(entries)


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("(;GM[1]SZ[19];B[pd])", "1:6", "this is a game of another kind, GM[1]; Gomoku is GM[4]"),
        ("(;SZ[4])", "1:6", "expected a size from 5 to 22"),
        ("(;B[hh];W[hh])", "1:11", "there is a stone on 'h8' already"),
        ("(;B[hh]W[ii])", "1:10", "expected one move in a node, found two"),
        ("(;B[hh]", "1:8", "expected '(', ')' or a node that starts with ';', found the end of the text"),
        ("(;B[hh", "1:4", "expected ']' at the end of B"),
        ("(;B;W[hh])", "1:4", "expected '[' after B, found ';W[hh])'"),
        ("(;AB[aa]AW[aa])", "1:12", "expected each cell set up once, found 'a1'"),
        ("(;LB[hh])", "1:6", "expected a label such as hh:A, found 'hh'"),
        ("()", "1:2", "expected a node that starts with ';', found ')'"),
        ("(;B[p1])", "1:5", "expected a point from 'aa' to 'oo' or a name such as 'h8', found 'p1'"),
    ],
)
def test_a_slip_in_sgf_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a.sgf")
    assert str(error.value).startswith(f"a.sgf:{place}: {message}")


def test_brackets_nest_as_deep_as_they_like() -> None:
    depth = 20_000
    game = read_game("(;B[hh]" + "(;W[]" * depth + ")" * (depth + 1))
    assert len(game.main_line()) == depth + 1


# ---------------------------------------------------------------- Piskvork and Gomocup

PSQ = "Piskvorky 20x20, 11:11, 0\n11,11,0\n10,12,1530\nAAA.zip\nBBB.zip\n-1\n"


def test_a_psq_file_counts_from_one_at_the_top_left() -> None:
    (entry,) = read_positions(PSQ)
    assert entry.tree is not None
    assert [move.cell for move in entry.board.moves] == [Cell(10, 10), Cell(11, 9)]
    assert (entry.board.rows, entry.board.turn) == (20, BLACK)
    assert entry.tree.info == {"PB": "AAA.zip", "PW": "BBB.zip"}
    assert [node.elapsed for node in entry.tree.main_line()] == [None, 0.0, 1.53]


def test_the_bare_moves_of_a_judge_are_read_like_psq() -> None:
    assert names(read_position("8,8,0\n9,7,25\n")) == ["h8", "i9"]


def test_a_rec_file_has_names_first_and_counts_from_nought() -> None:
    (entry,) = read_positions("first\nsecond\n7,7\n8,6\n")
    assert entry.tree is not None
    assert names(entry.board) == ["h8", "i9"]
    assert entry.tree.info == {"PB": "first", "PW": "second"}


def test_a_board_block_with_what_a_manager_says_before_it() -> None:
    text = "START 20\r\nINFO timeout_turn 5000\r\nINFO rule 1\r\nBOARD\r\n10,10,1\r\n10,11,2\r\nDONE\r\n"
    assert read_position(text) == Board(20, black=[(10, 10)], white=[(11, 10)], turn=BLACK, rule="standard")


def test_the_side_to_move_of_a_block_is_white_with_a_stone_less() -> None:
    board = read_position("BOARD\n7,7,2\nDONE")
    assert (board.turn, board["h8"], names(board)) == (WHITE, BLACK, ["h8"])


def test_an_empty_block_is_an_empty_board() -> None:
    assert read_position("RECTSTART 20,15\nBOARD\nDONE") == Board(15, 20)


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("Piskvorky 30x30, 1:1, 0\n1,1,0", "1:11", "expected a board from 5x5 to 22x22, found '30x30'"),
        ("Piskvorky 15x15, 1:1, 0\n0,1,0", "2:1", "expected a move from 1,1 to 15,15, found 0,1"),
        ("Piskvorky 15x15, 1:1, 0\n1,1,0\n1,1,0", "3:1", "there is a stone on"),
        ("BOARD\n7,7,1", "2:6", "expected DONE after the stones of BOARD, found the end of the text"),
        ("BOARD\n7,7,3\nDONE", "2:5", "expected 1 (the side to move) or 2 (the opponent), found '3'"),
        ("BOARD\n7,7,1\n7,7,2\nDONE", "3:1", "expected each cell once"),
        ("BOARD\n15,7,1\nDONE", "2:1", "expected a stone on a board of 15 columns and 15 rows, found '15,7,1'"),
        ("START 3\nBOARD\nDONE", "1:7", "expected a size from 5 to 22"),
        ("BOARD\nhello\nDONE", "2:1", "expected a stone as 'x,y,1' or 'x,y,2', or DONE, found 'hello'"),
    ],
)
def test_a_slip_in_a_protocol_file_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a")
    assert str(error.value).startswith(f"a:{place}: {message}")


# ---------------------------------------------------------------- openings


def test_openings_are_steps_from_the_centre() -> None:
    board = read_position("-7,-8, -6,-9, -3,-9\n", size=20)
    assert [move.cell for move in board.moves] == [Cell(2, 3), Cell(1, 4), Cell(1, 7)]


def test_without_a_size_the_openings_of_a_file_tell_one() -> None:
    assert read_position("0,0, 1,-1").rows == 15
    assert {entry.board.rows for entry in read_positions("0,0\n-7,-8, -6,-9\n")} == {20}


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("0,0, 1", "1:6", "expected two numbers for each stone, found '1'"),
        ("0,0\n0,0, 0,0", "2:6", "there is a stone on"),
        ("0,0, 30,0", "1:6", "expected a step that stays on a 22x22 board, found '30,0'"),
    ],
)
def test_a_slip_in_an_opening_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        list(read_positions(text, name="o.txt"))
    assert str(error.value).startswith(f"o.txt:{place}: {message}")


# ---------------------------------------------------------------- puzzle collections

COLLECTION = {
    "defaultSettings": {"title": "t", "size": 15, "rule": 2, "mode": 32, "level": 3, "comment": "c"},
    "puzzles": [
        {"mode": 0, "title": "cover"},
        {"side": 1, "stones": "H8H9H7G7F6I7", "randomRotate": True},
        {"side": 2, "rule": 0, "blackStones": "E7G8", "whiteStones": "F7G9", "mode": 67, "options": "D9E10"},
        {"side": 1, "size": 6, "blackStones": "A14C14F15", "whiteStones": "A10"},
        {"side": 2, "stones": "C14A0A14", "blackStones": "G14", "whiteStones": "A13"},
    ],
}  # fmt: skip


def test_a_puzzle_collection() -> None:
    first, second, small, mixed = read_positions(json.dumps(COLLECTION))
    assert names(first.board) == ["h8", "h9", "h7", "g7", "f6", "i7"]
    assert (first.board.turn, first.board.rule, first.title, first.comment) == (BLACK, Rule.RENJU, "t", "c")
    assert second.board == Board(black=["e7", "g8"], white=["f7", "g9"], turn=WHITE)
    assert second.notes["options"] == [Cell(6, 3), Cell(5, 4)]
    assert mixed.board == Board(black=["g14", "c14", "a14"], white=["a13"], turn=WHITE, rule="renju")
    assert small.board.rows == 6


def test_small_boards_are_the_upper_left_corner_of_a_large_one() -> None:
    """a15 is the upper left corner of every board; f10 the lower right one of a 6x6."""
    *_, small, _ = read_positions(json.dumps(COLLECTION))
    assert small.board.stones(BLACK) == [Cell(0, 5), Cell(1, 0), Cell(1, 2)]
    assert small.board.stones(WHITE) == [Cell(5, 0)]
    with pytest.raises(NotationError, match="expected a cell from 'a10' to 'f15', found 'A9'"):
        read_position('{"size": 6, "side": 1, "blackStones": "A9"}')


def test_the_link_of_a_puzzle_and_an_older_list() -> None:
    link = "https://example.org/puzzle.html#H8H9&&&15&0&1&0&32&0&3&&"
    assert names(read_position(link)) == ["h8", "h9"]
    first, second = read_positions('[["H8,1","H9,2"],["A1,2"]]')
    assert first.board == Board(black=["h8"], white=["h9"])
    assert second.board.stones(WHITE) == [Cell(14, 0)]


@pytest.mark.parametrize(
    "item, message",
    [
        ({"side": 3}, "expected the side 1 (black) or 2 (white), found 3"),
        ({"side": 1, "rule": 7}, "expected the rule 0 (freestyle), 1 (standard) or 2 (renju), found 7"),
        ({"side": 1, "size": 99}, "expected 5 to 22 rows, found 99"),
        ({"side": 1, "stones": 5}, "expected a string of cells in stones, found 5"),
        ({"side": 1, "blackStones": "H8", "whiteStones": "H8"}, "whiteStones: there is a stone on 'h8' already"),
        ({"side": 1, "blackStones": "H8", "stones": "H8"}, "there is a stone on 'h8' already"),
        ("x", "expected an object, found 'x'"),
    ],
)  # fmt: skip
def test_a_slip_in_a_collection_names_the_puzzle(item: object, message: str) -> None:
    text = json.dumps({"puzzles": [{"side": 1, "stones": "H8"}, item]})
    entries = read_positions(text, name="c.json")
    next(entries)
    with pytest.raises(NotationError) as error:
        next(entries)
    assert str(error.value).startswith("c.json: puzzle 2: ")
    assert message in str(error.value)


# ---------------------------------------------------------------- cell lists


@pytest.mark.parametrize(
    "text",
    [
        "black: h8 i9 white: h9",
        "Black: H8, I9\nWhite: H9\n",
        "white: 6,7 black: 7,7 6,8",
        "black: (7, 7) [6,8]; white = [6, 7]",
        "黑：h8 i9 白：h9",
        "size: 15 rule: freestyle to move: white black: h8 i9 white: h9",
    ],
)
def test_cell_lists(text: str) -> None:
    assert read_position(text) == Board(black=["h8", "i9"], white=["h9"])


def test_several_cell_lists() -> None:
    entries = list(read_positions("black: h8 white:\nblack: i9\nwhite: h8\n\nblack: a1"))
    assert [(entry.line, len(entry.board)) for entry in entries] == [(1, 1), (2, 2), (5, 1)]


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("black: h8 ?", "1:11", "expected a cell, or one of black:"),
        ("black: h8 white: h8", "1:18", "there is a stone on 'h8' already"),
        ("black: h8\nwhite: z9", "2:8", "expected a cell from 'a1' to 'o15' or row,col on a 15x15 board, found 'z9'"),
        ("black: 15,0", "1:8", "expected a cell from 'a1' to 'o15' or row,col on a 15x15 board, found '15,0'"),
        ("size: 40 black: h8", "1:7", "expected a size from 5 to 22, found '40'"),
        ("black: (7, 7]", "1:9", "expected a pair such as 7,7 or [7, 7] or (7, 7)"),
        ("rule: x black: h8", "1:7", "expected one of freestyle"),
    ],
)
def test_a_slip_in_a_cell_list_is_placed(text: str, place: str, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(text, source="a")
    assert str(error.value).startswith(f"a:{place}: {message}")


# ---------------------------------------------------------------- RenLib

HEAD = b"\xffRenLib\xff" + bytes([3, 4]) + b"\xff" * 10


def read_library(data: bytes) -> GameTree:
    (entry,) = read_positions(data)
    assert entry.tree is not None
    return entry.tree


@pytest.mark.parametrize("head", [HEAD, b""])
def test_a_library_of_one_move(head: bytes) -> None:
    tree = read_library(head + bytes([0x78, 0x40]))
    assert names(tree.board()) == ["h8"]
    assert tree.rule is Rule.RENJU


def test_a_library_with_branches_comments_and_texts() -> None:
    """h8, then h9 with a comment or i9 with a text on the board; i9 is answered by a15."""
    tree = read_library(
        HEAD
        + bytes([0x00, 0x00])
        + bytes([0x78, 0x00])
        + bytes([0x68, 0xC8]) + b"one\x08two\x00"
        + bytes([0x69, 0x01, 0x00, 0x01]) + b"A\x00"
        + bytes([0x01, 0x40])
    )  # fmt: skip
    (first,) = tree.root.children
    direct, indirect = first.children
    assert direct.comment == "one\ntwo"
    assert indirect.labels == {Cell(6, 8): "A"}
    assert names(tree.board(indirect.children[0])) == ["h8", "i9", "a15"]


def test_a_comment_in_a_legacy_code_page() -> None:
    data = HEAD + bytes([0x78, 0x48]) + "活三".encode("gb18030") + b"\x00\x00"
    assert read_library(data).root.children[0].comment == "活三"


def test_a_library_may_begin_with_its_first_moves_or_an_empty_root() -> None:
    siblings = HEAD + bytes([0x78, 0xC0, 0x77, 0x40])
    assert len(read_library(siblings).root.children) == 2
    assert len(read_library(HEAD + bytes([0x00, 0x00]) + siblings[20:]).root.children) == 2


@pytest.mark.parametrize(
    "data, message",
    [
        (HEAD, "expected a first node, found the end of the file at byte 20"),
        (HEAD[:12], "expected a header of 20 bytes"),
        (HEAD + b"\x78", "expected a node, found the end of the file at byte 21"),
        (HEAD + bytes([0x78, 0x00, 0x78, 0x40]), "the move at byte 22 is on a cell that is taken"),
        (HEAD + bytes([0x70, 0x40]), "expected a move on a 15x15 board, found 0x70 at byte 20"),
        (HEAD + bytes([0x78, 0x48]) + b"ab", "expected the NUL that ends a text, found the end of the file at byte 24"),
    ],
)
def test_a_damaged_library_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(NotationError) as error:
        read_position(data, source="a.lib")
    assert str(error.value).startswith(f"a.lib: {message}")


# ---------------------------------------------------------------- any of them


@pytest.mark.parametrize("text", ["", "   \n", "hello", "hello\nworld, it is a letter\n", "\0", "{", "["])
def test_what_is_no_position_gets_one_clear_line(text: str) -> None:
    with pytest.raises(
        NotationError, match=r"^x(:\d+)*: (cannot tell the format of|the text is empty|not valid JSON)"
    ) as error:
        read_position(text, source="x")
    assert "\n" not in str(error.value)


def test_unknown_notations_and_origins_are_refused() -> None:
    with pytest.raises(NotationError, match=r"unknown format .*; the formats are json, jsonl, grid"):
        read_position("h8", format="pgn")
    with pytest.raises(NotationError, match=r"unknown format 'SFG'; did you mean 'sgf'\?"):
        read_position("h8", format="SFG")
    with pytest.raises(NotationError, match="expected the origin 'top' or 'bottom', found 'left'"):
        read_position("h8", origin="left")
    with pytest.raises(NotationError, match="'lib' can be read but not written"):
        write_position(Board(), "lib")


def test_a_size_that_was_asked_for_is_not_another() -> None:
    with pytest.raises(NotationError, match="the board is 15x15, not 20x20 as asked for"):
        read_position("(;SZ[15];B[hh])", size=20)


def test_a_rule_that_was_asked_for_goes_before_the_text() -> None:
    assert read_position('{"rule": "renju"}', rule="caro").rule is Rule.CARO
    assert read_position("h8", rule=4).rule is Rule.RENJU


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read_position("\ufeffh8") == read_position(b"\xef\xbb\xbfh8") == Board(black=["h8"])


def test_content_decides_the_notation() -> None:
    found = {text: detect(text) for text in ("h8", "(;B[hh])", "0,0", "BOARD\nDONE", "black: h8", PSQ, ".....\n.....")}
    assert [found[text].name for text in found if found[text]] == [
        "moves", "sgf", "openings", "gomocup", "cells", "psq", "grid",
    ]  # fmt: skip


@pytest.mark.parametrize("nothing", [None, 5, Board()])
def test_what_is_no_text_is_refused_in_words(nothing):
    with pytest.raises(NotationError, match="expected the text or the bytes of a position, found"):
        read_position(nothing)


@pytest.mark.parametrize("line", ["hello", "https://example.org/", "https://example.org/#h8i9", "#"])
def test_a_line_that_is_no_link_is_not_an_empty_puzzle(line: str) -> None:
    with pytest.raises(NotationError, match="expected a link such as"):
        read_position(line, format="lfz-link")
