"""Hypothesis strategies: lines, boards, positions, games and tables, which shrink to empty 5x5 boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from gomoku_patterns import lines as board_lines
from gomoku_patterns.board import Board
from gomoku_patterns.cells import MAX_SIDE, MIN_SIDE, Cell, Colour
from gomoku_patterns.errors import TableError
from gomoku_patterns.rules import Rule, makes_five
from gomoku_patterns.table import Combination, Pattern, Table

# ---------------------------------------------------------------------- strategies


def lines(min_length: int = MIN_SIDE, max_length: int = MAX_SIDE, symbols: str = ".ox") -> st.SearchStrategy[str]:
    """Texts of lines: ``.`` empty, ``o`` own, ``x`` opposing."""
    return st.text(st.sampled_from(symbols), min_size=min_length, max_size=max_length)


def sides(max_side: int = MAX_SIDE) -> st.SearchStrategy[int]:
    """How long the side of a board may be."""
    return st.integers(MIN_SIDE, max_side)


def _sizes(max_side: int) -> st.SearchStrategy[tuple[int, int]]:
    square = sides(max_side).map(lambda side: (side, side))
    return square | st.tuples(sides(max_side), sides(max_side))


@st.composite
def _painted(draw: st.DrawFn, rows: int, cols: int) -> bytes:
    """A few lines of the board painted with texts: runs that touch edges and corners, and full lines."""
    cells = bytearray(rows * cols)
    every = board_lines.lines(rows, cols)
    strokes = st.tuples(st.integers(0, len(every) - 1), st.integers(0, MAX_SIDE - 1), lines(1, MAX_SIDE))
    for number, start, text in draw(st.lists(strokes, max_size=8)):
        line = every[number]
        for index, symbol in zip(line[start % len(line) :], text, strict=False):
            cells[index] = ".ox".index(symbol)
    return bytes(cells)


@st.composite
def _scattered(draw: st.DrawFn, rows: int, cols: int) -> bytes:
    """Stones anywhere, from an empty board to a full one.

    The bytes are those of the largest board, so that the stones stay where they are while the board shrinks; a byte
    shrinks to 0, an empty cell.
    """
    density, values = draw(st.integers(0, 150)), draw(st.binary(min_size=MAX_SIDE**2, max_size=MAX_SIDE**2))
    return bytes(_stone(values[row * MAX_SIDE + col], density) for row in range(rows) for col in range(cols))


def _stone(value: int, density: int) -> int:
    if value == 0:
        return 0
    return 1 if value >= 256 - density else 2 if value >= 256 - 2 * density else 0


@st.composite
def boards(
    draw: st.DrawFn, *, max_side: int = MAX_SIDE, size: tuple[int, int] | None = None, rule: Rule = Rule.FREESTYLE
) -> Board:
    """Any stones on a board of any size, whether play could lead there or not; either side may be to move."""
    rows, cols = size or draw(_sizes(max_side))
    cells = draw(_painted(rows, cols) | _scattered(rows, cols))
    stones = {colour: [divmod(at, cols) for at, value in enumerate(cells) if value == colour] for colour in Colour}
    turn = draw(st.sampled_from(Colour))
    return Board(rows, cols, black=stones[Colour.BLACK], white=stones[Colour.WHITE], turn=turn, rule=rule)


@st.composite
def games(
    draw: st.DrawFn,
    *,
    max_side: int = MAX_SIDE,
    size: tuple[int, int] | None = None,
    rule: Rule = Rule.FREESTYLE,
    max_moves: int = 60,
) -> Board:
    """Boards played from the first move on, up to a five at the latest; every move can be popped."""
    rows, cols = size or draw(_sizes(max_side))
    board = Board(rows, cols, rule=rule)
    count, picks = draw(st.integers(0, max_moves)), st.integers(0, 3) | st.integers(0, 2 * rows * cols)
    for pick in draw(st.lists(picks, min_size=count, max_size=count)):
        cell = _picked(board, pick)
        if cell is None or (rule is Rule.RENJU and cell not in board.legal_moves()):
            continue
        won = makes_five(board, cell, board.turn)
        board.push(cell)
        if won:
            break
    return board


@st.composite
def positions(
    draw: st.DrawFn,
    *,
    max_side: int = MAX_SIDE,
    size: tuple[int, int] | None = None,
    rule: Rule = Rule.FREESTYLE,
    max_moves: int = 60,
) -> Board:
    """Boards that play can lead to, with nobody having won and a cell to play; the moves are forgotten."""
    board = draw(games(max_side=max_side, size=size, rule=rule, max_moves=max_moves))
    while board.is_over():
        board.pop()
    return board.copy(moves=False)


def _picked(board: Board, pick: int) -> Cell | None:
    """The empty cell a number chooses: the smallest make long runs, small ones are near stones, large ones anywhere."""
    near = _near(board) if pick < board.rows * board.cols else []
    choice = near or board.empties()
    return choice[pick % len(choice)] if choice else None


def _near(board: Board) -> list[Cell]:
    """The empty neighbours of stones, those first that make the longest run for the side to move."""
    stones = [cell for cell in board.cells() if board[cell] is not None]
    near = {Cell(row + down, col + right) for row, col in stones for down in (-1, 0, 1) for right in (-1, 0, 1)}
    return sorted(near & set(board.empties()), key=lambda cell: (-_run(board, cell), cell))


def _run(board: Board, cell: Cell) -> int:
    """The longest run of the side to move through a cell it would play."""
    own = set(board.stones(board.turn))
    return max(
        1 + sum(_stretch(own, cell, (way * down, way * right)) for way in (1, -1))
        for down, right in board_lines.DIRECTIONS
    )


def _stretch(own: set[Cell], cell: Cell, step: tuple[int, int]) -> int:
    length = 0
    while Cell(cell.row + (length + 1) * step[0], cell.col + (length + 1) * step[1]) in own:
        length += 1
    return length


# ---------------------------------------------------------------------- tables

_SHAPES = ("five", "live_four", "rush_four", "live_three", "odd")
_WORTH = st.integers(-9, 9) | st.integers(-9999, 9999)
_PAIRS = _WORTH.map(lambda worth: (worth, worth)) | st.tuples(_WORTH, _WORTH)


def _texts(inner: str, longest: int) -> st.SearchStrategy[str]:
    ends = st.sampled_from(("", "|", "~"))
    middle = st.text(st.sampled_from(inner), min_size=1, max_size=longest - 2).filter(lambda text: "o" in text.lower())
    return st.builds("".join, st.tuples(ends, middle, ends)) | middle


def _fields(scan: str) -> st.SearchStrategy[dict[str, Any]]:
    if scan == "line":
        return st.fixed_dictionaries({"count": st.sampled_from(("once", "every"))})
    return st.fixed_dictionaries(
        {
            "reach": st.integers(4, 5), "ring": st.booleans(), "opposing": st.sampled_from(("none", "subtract")),
            "board": st.sampled_from(("best", "sum")), "occupied": st.integers(-2, 2),
        }
    )  # fmt: skip


@st.composite
def tables(draw: st.DrawFn, *, scan: str | None = None, max_patterns: int = 8) -> Table:
    """Random valid tables of either kind, with every symbol and option of the format."""
    kind = scan or draw(st.sampled_from(("line", "point")))
    point = kind == "point"
    texts = _texts("oo.x~O" if point else "oo.x~", 7)
    pattern = st.builds(Pattern, st.sampled_from(_SHAPES), texts, _PAIRS, st.just(False))
    if point:
        pattern |= st.builds(Pattern, st.just("five"), texts, _PAIRS, st.just(True))
    patterns = draw(st.lists(pattern, min_size=1, max_size=max_patterns, unique_by=lambda one: one.text))
    combined = draw(st.lists(_combinations(patterns), max_size=3)) if point else []
    fields = {"mirror": draw(st.booleans()), **draw(_fields(kind))}
    try:
        return Table("random", tuple(patterns), tuple(combined), "point" if point else "line", **fields)
    except TableError:
        assume(False)
        raise


@st.composite
def _combinations(draw: st.DrawFn, patterns: Sequence[Pattern]) -> Combination:
    shapes = st.sampled_from(list(dict.fromkeys(pattern.shape for pattern in patterns)))
    needs = draw(st.dictionaries(shapes, st.integers(1, 2), min_size=1, max_size=2))
    return Combination(tuple(needs.items()), draw(_PAIRS))
