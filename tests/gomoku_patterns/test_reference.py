"""The reference scores by the definitions, which are written here once more without any automaton."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.lines import DIRECTIONS, lines
from gomoku_patterns.notation import read_position
from gomoku_patterns.reference import reference_evaluator
from gomoku_patterns.table import Pattern, Table, load_table, parse_table
from gomoku_patterns.testing import boards, tables

LEVEL_1 = """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . O . . O . . . .
    . . . . . . . . X X O . . . .
    . . . . . . . O X X X . . . .
    . . . . . . . X X O X . . . .
    . . . . . . . X O . . . . . .
    . . . . . . X O O . . . . . .
    . . . . . O . O . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
"""
LEVEL_16 = """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . O X . O . . . . .
    . . . . . . O . . . . . . . .
    . . . . O X . . X . O X . . .
    . . . . . . . X O . X . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
"""


def position(diagram: str, turn: Colour = BLACK) -> Board:
    board = read_position(diagram)
    board.turn = turn
    return board


def level_2() -> Board:
    black = [(6, 6), (6, 9), (7, 5), (7, 7), (7, 8), (7, 10), (8, 5), (8, 6), (8, 7), (9, 7)]
    white = [(5, 8), (5, 10), (6, 4), (6, 7), (7, 6), (8, 4), (8, 8), (9, 6), (10, 6), (10, 8)]
    return Board(black=black, white=white, turn=BLACK)


class TestPublishedFigures:
    def test_the_grades_of_three_levels(self) -> None:
        """Measured with the program that the table comes from."""
        score = reference_evaluator("grade_dict").score
        assert [score(position(LEVEL_16)), score(position(LEVEL_1)), score(level_2())] == [-440, -360, -760]

    def test_the_first_gain_of_level_16(self) -> None:
        assert reference_evaluator("grade_dict").gain(position(LEVEL_16), "h9", BLACK) == 960


# ---------------------------------------------------------------------- line tables, by hand


def fits(text: str, line: str, at: int) -> bool:
    return len(line) - at >= len(text) and all(
        symbol == found or (symbol == "~" and found != "o") for symbol, found in zip(text, line[at:], strict=False)
    )


def by_hand(table: Table, board: Board) -> int:
    """Each pattern laid on each place of each line, for both colours; `~` is anything but own."""
    total = 0
    for line in lines(board.rows, board.cols):
        for colour, symbols in ((BLACK, ".ox"), (WHITE, ".xo")):
            text = "|" + "".join(symbols[board.flat[index]] for index in line) + "|"
            for pattern in table.patterns:
                images = (pattern.text, pattern.text[::-1]) if table.mirror else (pattern.text,)
                places = sum(any(fits(image, text, at) for image in images) for at in range(len(text)))
                times = min(places, 1) if table.count == "once" else places
                total += colour.sign * times * pattern.score[colour is board.turn]
    return total


@given(tables(scan="line"), boards(max_side=12))
def test_line_tables_score_as_their_definition_says(table: Table, board: Board) -> None:
    assert reference_evaluator(table).score(board) == by_hand(table, board)


@given(boards(max_side=15))
@settings(max_examples=40)
def test_the_built_in_line_tables_too(board: Board) -> None:
    for name in ("grade_dict", "wins", "outcome"):
        table = load_table(name)
        assert reference_evaluator(table).score(board) == by_hand(table, board)


class TestLineTables:
    ROW = Board(rows=7, black=["b7", "c7", "e7", "f7"], turn=BLACK)

    def score(self, head: str, board: Board, text: str = "oo", worth: str = "10") -> int:
        entry = f'[[pattern]]\nshape = "pair"\ntext = "{text}"\nscore = {worth}\n'
        return reference_evaluator(parse_table(f'name = "t"\n{head}\n{entry}')).score(board)

    def test_once_or_every(self) -> None:
        assert self.score('count = "once"', self.ROW) == 10
        assert self.score('count = "every"', self.ROW) == 20

    def test_a_pattern_and_its_mirror_image_count_once_together(self) -> None:
        """``.oo.oo.``: a pair with space before it, and one with space behind it."""
        assert self.score('count = "once"\nmirror = true', self.ROW, ".oo") == 10
        assert self.score('count = "every"\nmirror = false', self.ROW, ".oo") == 20
        assert self.score('count = "every"\nmirror = true', self.ROW, ".oo") == 40

    def test_a_place_counts_once_whatever_fits_there(self) -> None:
        board = Board(rows=7, black=["b7"], turn=BLACK)
        every = 'count = "every"\nmirror = true'
        free, edge, either = (self.score(every, board, text) for text in (".o.", "|o.", "~o."))
        assert either == free + edge

    def test_the_edge(self) -> None:
        """The corner a1 begins its row, ends its column and one diagonal, and is all of the other diagonal."""
        corner = Board(rows=5, black=["a1"], turn=BLACK)
        assert [self.score("", corner, text) for text in ("|o.", ".o|", "|o|", "o|", "|o")] == [10, 20, 10, 30, 20]

    def test_worth_depends_on_the_turn(self) -> None:
        to_move, just_moved = Board(rows=5, black=["c3"], turn=BLACK), Board(rows=5, black=["c3"], turn=WHITE)
        assert self.score("", to_move, "..o..", "[1, 100]") == 400
        assert self.score("", just_moved, "..o..", "[1, 100]") == 4

    def test_white_is_negated(self) -> None:
        assert self.score("", self.ROW.swap_colours()) == -10


class TestWins:
    def test_the_worth_of_a_lone_stone_is_its_windows(self) -> None:
        """A stone in the middle of a large board belongs to five windows in each direction."""
        assert reference_evaluator("wins").score(Board(black=["h8"], turn=WHITE)) == 20 * 100
        assert reference_evaluator("wins").score(Board(black=["h8"], turn=BLACK)) == 20 * 120
        assert reference_evaluator("wins").score(Board(black=["a1"], turn=BLACK)) == 3 * 120

    def test_a_board_of_fifteen_has_572_ways_to_make_five(self) -> None:
        ways = sum(max(0, len(line) - 4) for line in lines(15, 15))
        assert ways == 572


# ---------------------------------------------------------------------- point tables, by hand

LEVEL = {
    "con_five": ["ooooo"], "live_four": [".oooo."], "rush_four": [".oooox", ".o.ooo.", ".oo.oo."],
    "dead_four": ["xoooox"], "live_three": [".ooo.", ".o.oo."],
    "sleep_three": ["..ooox", ".o.oox", ".oo.ox", "o..oo", "o.o.o", "x.ooo.x"], "dead_three": ["xooox"],
    "live_two": ["..oo.", ".o.o.", ".o..o."],
    "sleep_two": ["...oox", "..o.ox", ".o..ox", "o...o", "x.o.o.x", "x.oo..x"], "dead_two": ["xoox"],
}  # fmt: skip
LEVEL_WORTH = {
    "con_five": 100000, "live_four": 10000, "rush_four": 500, "dead_four": -5, "live_three": 200, "sleep_three": 50,
    "dead_three": -5, "live_two": 5, "sleep_two": 3, "dead_two": -5,
}  # fmt: skip


def ray(board: Board, cell: Cell, colour: Colour, step: tuple[int, int], reach: int) -> str:
    """What lies along one direction from a cell, ending with the edge."""
    text = ""
    for distance in range(1, reach + 1):
        row, col = cell.row + distance * step[0], cell.col + distance * step[1]
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            return text + "|"
        stone = board[row, col]
        text += "." if stone is None else "o" if stone is colour else "x"
    return text


def level_point(board: Board, cell: Cell, colour: Colour) -> int:
    """The Level table as its description says it, with plain text search."""
    shapes = []
    for down, right in DIRECTIONS:
        after, before = (ray(board, cell, colour, (way * down, way * right), 5).rstrip("|") for way in (1, -1))
        text = before[::-1] + "o" + after
        found = (name for name, texts in LEVEL.items() if any(one in text or one in text[::-1] for one in texts))
        shapes.append(next(found, None))
    have = Counter(shapes)
    if have["rush_four"] >= 2 or (have["rush_four"] and have["live_three"]):
        together = 10000
    elif have["live_three"] >= 2:
        together = 5000
    elif have["live_three"] and have["sleep_three"]:
        together = 1000
    elif have["live_two"] >= 2:
        together = 100
    else:
        together = 10 if have["live_two"] and have["sleep_two"] else 0
    ring = min(cell.row, cell.col, board.rows - 1 - cell.row, board.cols - 1 - cell.col)
    return max(0, together, *(LEVEL_WORTH[shape] for shape in shapes if shape)) + ring


def money_shape(board: Board, cell: Cell, colour: Colour, step: tuple[int, int]) -> str:
    """The run through a cell and its ends: ``five``, ``live 3``, ``rush 4`` or nothing."""
    ends = [ray(board, cell, colour, (way * step[0], way * step[1]), 5) for way in (1, -1)]
    runs = [min(4, len(re.match("o*", end)[0])) for end in ends]  # type: ignore[index]  # o* always matches
    length = 1 + sum(runs)
    walls = sum(end[run : run + 1] in ("x", "|") for end, run in zip(ends, runs, strict=True))
    if length == 5:
        return "five"
    return f"{('live', 'rush')[walls]} {length}" if 2 <= length <= 4 and walls < 2 else ""


MONEY = [  # a live four, or two rush fours; rush four and live three; ... own worth, opposing worth
    ({"live 4": 1}, 10000, 6500), ({"rush 4": 2}, 10000, 6500), ({"rush 4": 1, "live 3": 1}, 7000, 6000),
    ({"live 3": 2}, 5000, 4000), ({"live 3": 1}, 1000, 750), ({"rush 4": 1}, 800, 600), ({"rush 3": 2}, 500, 300),
    ({"rush 3": 1}, 200, 150), ({"live 2": 2}, 125, 110), ({"live 2": 1}, 100, 30), ({"rush 2": 2}, 70, 30),
    ({"rush 2": 1}, 50, 10),
]  # fmt: skip


def money_point(board: Board, cell: Cell, colour: Colour) -> int:
    """Point money as its description says it: the first line of the list that applies to each side."""
    own = Counter(money_shape(board, cell, colour, step) for step in DIRECTIONS)
    opposing = Counter(money_shape(board, cell, colour.opponent, step) for step in DIRECTIONS)
    if own["five"]:
        return 99999
    if opposing["five"]:
        return -50000
    mine = next((worth for needs, worth, _ in MONEY if all(own[one] >= count for one, count in needs.items())), 0)
    theirs = (worth for needs, _, worth in MONEY if all(opposing[one] >= count for one, count in needs.items()))
    return mine - next(theirs, 0)


@given(boards(max_side=10))
@settings(max_examples=60)
def test_level_points(board: Board) -> None:
    for colour in Colour:
        points = reference_evaluator("level").points(board, colour)
        for cell in board.cells():
            expected = level_point(board, cell, colour) if board[cell] is None else None
            assert points[cell.row][cell.col] == expected


@given(boards(max_side=10))
@settings(max_examples=60)
def test_money_points(board: Board) -> None:
    for colour in Colour:
        points = reference_evaluator("money").points(board, colour)
        for cell in board.cells():
            expected = money_point(board, cell, colour) if board[cell] is None else None
            assert points[cell.row][cell.col] == expected


@given(boards(max_side=8))
@settings(max_examples=40)
def test_the_board_of_a_point_table(board: Board) -> None:
    free, sign = board.empties(), board.turn.sign
    best = max((level_point(board, cell, BLACK) + level_point(board, cell, WHITE) for cell in free), default=0)
    assert reference_evaluator("level").score(board) == sign * best
    money = sum(money_point(board, cell, board.turn) for cell in free) - len(board)
    assert reference_evaluator("money").score(board) == sign * money


class TestMoney:
    """Runs through the cell marked by the move; the row is the bottom one of an 11x11 board."""

    @pytest.mark.parametrize(
        ("row", "worth"),
        [
            ("...ooo!....", 10000),  # live four
            ("...oo!o....", 10000),
            ("..xooo!....", 800),  # rush four
            ("ooo!.......", 800),  # the edge is a wall
            ("..xooo!x...", 0),  # dead
            ("ooo!x......", 0),
            ("...oooo!...", 99999),  # five
            ("..oo!oo....", 99999),
            ("ooooo!.....", 99999),  # four counted at most on one side: still exactly five
            ("ooooo!o....", 0),  # more than five
            ("..ooo!oo...", 0),
            ("....o!.....", 100),  # live two
            (".......xo!.", 50),  # rush two
            ("..oo.!oo...", 1000),  # a gap ends the run: live three
        ],
    )
    def test_a_row(self, row: str, worth: int) -> None:
        stones = {symbol: [(10, col) for col, found in enumerate(row) if found == symbol] for symbol in "ox"}
        board = Board(rows=11, black=stones["o"], white=stones["x"], turn=BLACK)
        place = Cell(10, row.index("!"))
        money = reference_evaluator("money")
        denied = money_point(board, place, BLACK) - worth
        assert money.gain(board, place, BLACK) == worth + denied
        assert denied == 0 if "x" not in row else denied <= 0
        assert money.gain(board.swap_colours(), place, WHITE) == -(worth + denied)

    def test_taking_the_opponents_five_costs_him(self) -> None:
        board = Board(rows=11, white=["d1", "e1", "f1", "g1"], turn=BLACK)
        assert reference_evaluator("money").gain(board, "h1", BLACK) == -50000


class TestPointTables:
    def test_first_written_wins(self) -> None:
        table = Table("t", (Pattern("two", "oo", (1, 1)), Pattern("three", "ooo", (9, 9))), scan="point", reach=4)
        board = Board(rows=5, black=["b3", "c3"], turn=BLACK)
        assert reference_evaluator(table).points(board)[2][3] == 1

    def test_a_decisive_shape_of_the_opponent_silences_the_rest(self) -> None:
        patterns = (Pattern("five", "Oo", (7, 5), True), Pattern("gap", "O.o", (3, 3)))
        table = Table("t", patterns, scan="point", reach=4, mirror=True, opposing="subtract")
        board = Board(rows=5, black=["e3"], white=["b3"], turn=BLACK)
        assert reference_evaluator(table).points(board, BLACK)[2] == [-5, None, -5, 7, None]
