"""Suites: the twenty levels, a user's own, the errors that name the level, and thousands that stream."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puzzles
from gomoku_patterns import BLACK, WHITE, Board, Cell
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.notation import Entry, write_positions
from gomoku_patterns.rules import Rule
from puzzles import Level
from puzzles.suite import LONGEST_LEVEL, read_text, suite_text
from tests.long import some

MINE = """
suite = "mine"
title = "My puzzles"
rule = "renju"
rows = 9

[[level]]
number = 3
title = "A first one"
black = "e5 4,5"
white = ["e6", [3, 5]]
depth = 4
length = 7
wins = "d4 a1"
source = "a book"
comment = "quiet"
recorded = { nodes = 12, line = ["a1"] }

[[level]]
black = ""
white = "a1"
to_move = "black"
rows = 15
"""


# ---------------------------------------------------------------- the twenty levels


def test_the_twenty_levels_are_there() -> None:
    suite = puzzles.load("huanle")
    assert [level.number for level in suite] == list(range(1, 21))
    assert {level.depth for level in suite} == {4, 5, 6}
    for level in suite:
        board = level.board
        assert (board.rows, board.cols, board.rule, board.turn) == (15, 15, Rule.FREESTYLE, BLACK)
        assert len(board.stones(BLACK)) == len(board.stones(WHITE))
        assert level.title


def test_level_sixteen_is_drawn_as_it_was_published() -> None:
    stones = str(puzzles.load().level(16).board).split("\n")[4:11]
    assert [row[3:].split() for row in stones] == [
        list(row) for row in (
            "......OX.O.....",
            "......O........",
            "....OX..X.OX...",
            ".......XO.X....",
            "...............",
            "...............",
            "...............",
        )
    ]  # fmt: skip


def test_the_scores_of_three_levels() -> None:
    from gomoku_patterns.evaluator import as_evaluator

    suite, evaluator = puzzles.load(), as_evaluator("grade_dict")
    assert [evaluator.score(suite.level(number).board) for number in (16, 1, 2)] == [-440, -360, -760]


def test_a_level_gives_its_board_away_as_a_copy() -> None:
    level = puzzles.load().level(1)
    level.board.push("a1")
    assert level.board == puzzles.load().level(1).board


# ---------------------------------------------------------------- a user's own


def test_a_suite_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text(MINE)
    suite = puzzles.read(file)
    first, second = suite
    assert (suite.name, suite.title, len(suite)) == ("mine", "My puzzles", 2)
    assert first.board == Board(9, black=["e5", "f5"], white=["e6", "f6"], rule="renju")
    assert (first.depth, first.length, first.source, first.comment) == (4, 7, "a book", "quiet")
    assert first.recorded == {"nodes": 12, "line": ["a1"]}
    assert (second.number, second.board.turn, second.board.rows, second.board.rule) == (4, BLACK, 15, Rule.RENJU)


def test_winning_moves_are_cells() -> None:
    assert read_text(MINE).level(3).wins == (Cell(5, 3), Cell(8, 0))


def test_a_level_has_its_solution_a_band_and_tags() -> None:
    level = read_text(MINE + 'line = "a2 b2"\nband = 4\ntags = ["edge", "double_three"]\n').level(4)
    assert [level.position.name(cell) for cell in level.line] == ["a2", "b2"]
    assert (level.band, level.tags) == (4, ("edge", "double_three"))


LEVEL = "[[level]]\nnumber = 1\n"


@pytest.mark.parametrize(
    "text, message",
    [
        (LEVEL + 'black = "h8 h8"', "s.toml:1: level 1: black[1] is 'h8' a second time"),
        (LEVEL + 'black = "h8"\nwhite = "7,7"', "s.toml:1: level 1: white[0] is 'h8', where black has a stone"),
        (LEVEL + 'black = "p1"', "s.toml:1: level 1: expected a cell from 'a1' to 'o15'"),
        (LEVEL + 'black = "15,0"', "s.toml:1: level 1: expected a cell from"),
        (LEVEL + 'black = "h8 ?"', "level 1: cannot read '?' in black; write cells as 'h8 i9' or '7,7 6,8'"),
        (LEVEL + 'black = "h8 i8 j8 k8 l8"', "level 1: black has already won this game"),
        (LEVEL + "depht = 4", "s.toml:1: level 1: unknown key 'depht'; did you mean 'depth'?"),
        (LEVEL + "depth = 0", "level 1: depth is a whole number from 1, not 0"),
        (LEVEL + "title = 4", "level 1: title is a text, not 4"),
        (LEVEL + 'wins = "h8"\nblack = "h8"', "level 1: wins names h8, where there is a stone"),
        (LEVEL + 'line = "h8 h8"', "level 1: there is a black stone on 'h8' already in line"),
        (LEVEL + "band = 11", "level 1: band is a whole number from 1 to 10, not 11"),
        (LEVEL + "band = true", "level 1: band is a whole number from 1 to 10, not True"),
        (LEVEL + 'tags = "edge"', "level 1: tags is a list of names, not 'edge'"),
        (LEVEL + 'tags = ["egde"]', "level 1: unknown tag 'egde'; did you mean 'edge'?"),
        (LEVEL + "tags = [3]", "level 1: unknown tag 3; the tags are win_by_fours"),
        (LEVEL + 'to_move = "green"', "level 1: expected 'black' or 'white' in to_move"),
        (LEVEL + 'rule = "chess"', "level 1: expected one of freestyle"),
        (LEVEL + "rows = 4", "level 1: expected 5 to 22 rows, found 4"),
        (LEVEL + 'recorded = "x"', "level 1: recorded is a table of figures, not"),
        ('[[level]]\nnumber = "x"', "s.toml:1: a level's number is a whole number from 0, not 'x'"),
        (LEVEL + "\n" + LEVEL, "s.toml:4: level 1 is there twice"),
        ("[[level]]\n\nblack = [\n", "s.toml:3: not valid TOML"),
        ("[[level]]\n\nblack = = 4\n", "s.toml:3:9: not valid TOML: invalid value"),
        ("[[level]]\n[other]\nx = 1", "after [[level]] only keys of the level can follow, not [other]"),
        ('sweet = "x"\n' + LEVEL, "s.toml: unknown key 'sweet'"),
        ('suite = "empty"\n', "s.toml: there are no levels in it"),
        ("[[level]]\nblack = " + "[" * 10_000, "s.toml:1: not valid TOML"),
        ("[[level]]\nnumber = " + "9" * 10_000, "s.toml:1: not valid TOML"),
    ],
)  # fmt: skip
def test_a_bad_suite_is_refused_when_it_is_read(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(SuiteError) as error:
        puzzles.read(tmp_path / "s.toml")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_bytes_that_are_no_text_and_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_bytes(b'suite = "x"\n[[level]]\ntitle = "\xff"\n')
    with pytest.raises(SuiteError, match=r"s.toml:3: this is not UTF-8 text: byte 0xff"):
        puzzles.read(tmp_path / "s.toml")
    with pytest.raises(SuiteError, match="cannot read it: no such file"):
        puzzles.read(tmp_path / "t.toml")
    with pytest.raises(SuiteError, match="unknown suite 'nothing'; the suites are huanle, endgames, tags"):
        puzzles.load("nothing")


@given(text=st.text(max_size=80) | st.text(alphabet='[]level=\n"black 0123h8,{}', max_size=80))
@settings(max_examples=300)
def test_any_text_after_a_header_is_a_suite_or_a_suite_error(text: str) -> None:
    try:
        assert len(read_text("[[level]]\n" + text)) >= 1
    except SuiteError as error:
        assert "\n" not in str(error)


# ---------------------------------------------------------------- other notations, and writing


def test_json_lines_with_a_first_line_about_the_suite() -> None:
    lines = [{"suite": "mine", "rule": "renju"}, {"number": 5, "black": "h8", "white": ["h9"]}, {"black": ["a1"]}]
    suite = read_text("\n".join(map(json.dumps, lines)))
    assert (suite.name, [level.number for level in suite]) == ("mine", [5, 6])
    assert suite.level(5).board.rule is Rule.RENJU


def test_a_collection_of_games_is_a_suite_of_their_starts(tmp_path: Path) -> None:
    """A game that sets stones up is a puzzle with its solution; one that does not is where it has come to."""
    file = tmp_path / "some.sgf"
    file.write_text("(;GN[one]AB[hh]AW[hg]C[mate];B[ii];W[jj])(;B[hh];W[ii])")
    first, second = puzzles.read(file)
    assert (first.title, first.comment, first.board) == ("one", "mate", Board(black=["h8"], white=["h9"]))
    assert second.board == Board(black=["h8"], white=["i7"])


def test_a_suite_that_is_written_reads_the_same(tmp_path: Path) -> None:
    before = [
        *puzzles.load("huanle"),
        Level(
            99,
            Board(6, 7, white=["a1"], rule="caro"),
            title='"\\\n\x7f\t活三',
            wins=(Cell(0, 0),),
            line=(Cell(0, 0), Cell(1, 1)),
            band=10,
            tags=("edge", "long"),
        ),
    ]
    puzzles.write(tmp_path / "copy.toml", before, title="A copy")
    after = puzzles.read(tmp_path / "copy.toml")
    assert list(after) == before
    assert after.title == "A copy"
    assert [path.name for path in tmp_path.iterdir()] == ["copy.toml"]


def test_a_suite_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(MINE)

    def broken():
        yield Level(1, Board())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        puzzles.write(file, broken())
    assert file.read_text() == MINE
    assert [path.name for path in tmp_path.iterdir()] == ["s.toml"]


@pytest.mark.parametrize("suffix", ["toml", "jsonl"])
def test_thousands_of_levels_stream(tmp_path: Path, suffix: str) -> None:
    """Looking at the first level of a suite that was checked reads no more than that level."""
    boards = (Board(black=[(number % 15, 7)], white=["a1"] if number % 15 != 14 else ["b1"]) for number in range(3000))
    file = tmp_path / f"many.{suffix}"
    if suffix == "toml":
        file.write_text("".join(suite_text("many", (Level(n, board) for n, board in enumerate(boards, 1)))))
    else:
        file.write_text("".join(write_positions((Entry(board) for board in boards), "jsonl")))
    suite = puzzles.read(file)
    assert len(suite) == 3000
    file.write_bytes(file.read_bytes().replace(b"3000", b"????")[:-40])
    levels = iter(suite)
    assert next(levels).number == 1
    with pytest.raises(SuiteError):
        list(levels)


def test_some_levels_of_a_suite_are_a_suite() -> None:
    some = puzzles.load("huanle").only([range(2, 4), range(16, 17)])
    assert [level.number for level in some] == [2, 3, 16] == [level.number for level in some]
    assert (some.name, len(some)) == ("huanle", 3)
    with pytest.raises(SuiteError, match="has 20 levels, but none with the number 30-31, 40"):
        puzzles.load("huanle").only([range(30, 32), range(40, 41)])


@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "1_000_000_000"])
@pytest.mark.parametrize("key", ["number", "depth", "length"])
def test_a_number_too_large_to_print_is_refused(key: str, number: str) -> None:
    level = f'[[level]]\n{key} = {number}\nblack = "h8"\n'
    with pytest.raises(SuiteError, match="is at most 999,999,999, not"):
        read_text(level)


@pytest.mark.parametrize("value", ["nan", "inf", "0x" + "f" * 5000, "{ a = [-inf] }"])
def test_figures_that_json_cannot_carry_are_refused(value: str) -> None:
    with pytest.raises(SuiteError, match="recorded has a number that is not finite, or too large"):
        read_text(f'[[level]]\nblack = "h8"\nrecorded = {{ x = {value} }}\n')


@pytest.mark.parametrize("name", ["long.toml", "long.jsonl"])
def test_a_file_without_lines_is_not_read_whole(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"[[level]] # " + b" " * (3 * LONGEST_LEVEL))
    with pytest.raises(SuiteError, match="more than 1,048,576 bytes"):
        puzzles.read(tmp_path / name)


def test_a_level_of_many_lines_is_not_read_whole() -> None:
    with pytest.raises(SuiteError, match="suite:1: a level of more than 1,048,576 characters"):
        read_text("[[level]]\n" + "# nothing\n" * (LONGEST_LEVEL // 10 + 1))


def test_control_characters_of_a_suite_stay_out_of_messages() -> None:
    with pytest.raises(SuiteError) as error:
        read_text("[[level]]\ntitle = 5\n", "a\x1b[2J\n.toml")
    assert str(error.value).isprintable()


# ---------------------------------------------------------------------- as JSON lines, as SGF, and back


def test_a_suite_keeps_every_fact_in_every_file_that_it_is_written_to(tmp_path: Path) -> None:
    before = some(list(puzzles.load("endgames")), 60) + some(list(puzzles.load("tags")), 5)
    before = [replace(level, number=number) for number, level in enumerate(before, 3)]
    before.append(Level(1, Board(6, 7, white=["a1"], rule="caro"), title="]\\:", depth=3, comment="\u2028]"))
    before.append(Level(99, Board(black=["h8"], white=["h9", "h7"], turn="white"), wins=(Cell(0, 0), Cell(3, 4))))
    for suffix in ("toml", "jsonl", "sgf"):
        file = tmp_path / f"copy.{suffix}"
        puzzles.write(file, before)
        assert list(puzzles.read(file)) == before, suffix
        assert list(read_text(file.read_bytes())) == before, suffix


def test_a_suite_is_not_written_to_a_file_of_another_kind(tmp_path: Path) -> None:
    for name in ("mine.txt", "mine", "mine.psq"):
        with pytest.raises(SuiteError, match=r"end the name in \.toml, \.jsonl or \.sgf"):
            puzzles.write(tmp_path / name, [Level(1, Board())])
    assert list(tmp_path.iterdir()) == []


def test_the_main_line_of_a_game_is_the_solution_of_its_puzzle() -> None:
    won, begun, passed = read_text(
        "(;AB[hh][ih][jh]AW[aa][ab][ac]PL[B];B[kh];W[gh](;B[lh])(;B[oo]))"
        "(;AB[hh][ih][jh]AW[aa][ab][ac];B[kh])(;AB[hh][ih][jh]AW[aa][ab][ac];B[kh];B[lh])"
    )
    assert [won.position.name(cell) for cell in won.line] == ["k8", "g8", "l8"]
    assert (won.length, won.wins) == (3, won.line[:1])
    assert (begun.length, len(begun.line)) == (None, 1)
    assert len(passed.line) == 1


def test_numbers_of_games_are_kept_and_taken_ones_count_on() -> None:
    game = '(;AB[hh]AW[aa]GOMOKU[{"number": 7}])'
    assert [level.number for level in read_text(game + "(;B[hh])" + game * 3)] == [7, 2, 8, 9, 10]


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("{", "not valid JSON"),
        ("[\\]", "expected a JSON object, found []"),
        ('{"black": "a1"}', "unknown key 'black'"),
        ('{"line": "a1"}', "unknown key 'line'"),
        ('{"band": 11}', "band is a whole number from 1 to 10"),
        ('{"wins": "h8"}', "wins names h8, where there is a stone"),
        ('{"tags": ["\u2028\x9b2J"\\]}', "unknown tag"),
        ('{"number": -1}', "a whole number from 0"),
        ('{"number": 1, "number": 1}', "stands there twice"),
    ],
)
def test_facts_in_a_game_are_checked_like_those_of_any_suite(facts: str, message: str) -> None:
    with pytest.raises(SuiteError) as error:
        read_text(f"(;AB[hh]AW[aa]GOMOKU[{facts}])")
    assert message in str(error.value) and str(error.value).startswith("game 1: GOMOKU")
    assert str(error.value).isprintable()
