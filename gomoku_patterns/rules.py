"""Who has won, and what may be played: freestyle, standard, renju and caro.

This module is what every proof is verified against, so it is plain Python on the stones of a board and nothing else.

Black's forbidden points under renju are those that make an overline, two fours or two threes, unless the stone makes
five. A three counts only if one more stone turns it into a straight four and black may play that stone, which is the
same question again, asked with the three on the board.

>>> from gomoku_patterns import Board
>>> board = Board(9, black=["c5", "d5", "e6", "e7"], rule="renju")
>>> [board.name(cell) for cell in board.forbidden()]
['e5']
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from gomoku_patterns.cells import EMPTY, Cell, Colour, parse_colour
from gomoku_patterns.errors import BoardError, IllegalMoveError

if TYPE_CHECKING:
    from gomoku_patterns.board import Board, CellLike


class Rule(StrEnum):
    """The rule a game is played under; each has its Gomocup code as :attr:`code`.

    >>> Rule.parse("Renju"), Rule.parse(4), Rule.RENJU.code
    (<Rule.RENJU: 'renju'>, <Rule.RENJU: 'renju'>, 4)
    """

    FREESTYLE = "freestyle"
    STANDARD = "standard"
    RENJU = "renju"
    CARO = "caro"
    CARO_OVERLINE = "caro-overline"

    @property
    def code(self) -> int:
        return _CODES[self]

    def only_five(self, colour: int) -> bool:
        """Whether a row longer than five wins nothing for this colour."""
        return self in (Rule.STANDARD, Rule.CARO) or (self is Rule.RENJU and colour == Colour.BLACK)

    @property
    def can_be_blocked(self) -> bool:
        """Whether a row of exactly five wins nothing between two opposing stones."""
        return self in (Rule.CARO, Rule.CARO_OVERLINE)

    @classmethod
    def parse(cls, text: object) -> Rule:
        """The rule meant by its name or by its Gomocup code."""
        if isinstance(text, Rule):
            return text
        wanted = text.strip().lower() if isinstance(text, str) else text
        for rule, code in _CODES.items():
            if wanted in (rule.value, str(code)) or (wanted == code and not isinstance(wanted, bool)):
                return rule
        names = ", ".join(rule.value for rule in cls)
        raise BoardError(f"expected a rule, one of {names} or a Gomocup code, found {text!r:.60}", code="unknown-rule")


_CODES = {Rule.FREESTYLE: 0, Rule.STANDARD: 1, Rule.RENJU: 4, Rule.CARO_OVERLINE: 8, Rule.CARO: 9}


# ---------------------------------------------------------------------- one stone


def makes_five(board: Board, cell: CellLike, colour: Colour | str) -> bool:
    """Whether a stone of this colour on that cell wins under the board's rule.

    The cell may be empty, or hold such a stone already: then the question is whether that stone is part of a win.
    """
    colour = parse_colour(colour)
    place, field = _place(board, cell), _walled(board)
    if field[place] not in (EMPTY, colour):
        raise IllegalMoveError(
            f"there is a {board[cell]} stone on {board.name(cell)!r}, so {colour} cannot make a five there"
        )
    return any(_is_win(board.rule, field, place, step, colour) for step in _steps(board))


def _is_win(rule: Rule, field: bytearray, place: int, step: int, colour: Colour) -> bool:
    high, low = _end(field, place, step, colour), _end(field, place, -step, colour)
    length = (high - low) // step - 1
    if length == 5:
        return not (rule.can_be_blocked and field[low] == field[high] == colour.opponent)
    return length > 5 and not rule.only_five(colour)


# ---------------------------------------------------------------------- the whole board at once


def winner(board: Board) -> Colour | None:
    """The colour that has a winning row, wherever it is; the one that moved last if, impossibly, both have one."""
    for colour in (board.turn.opponent, board.turn):
        if _has_won(board, colour):
            return colour
    return None


def winning_row(board: Board) -> list[Cell]:
    """The cells of the row that has won, from its first to its last; none while nobody has won.

    >>> from gomoku_patterns import Board
    >>> board = Board(5, black=["a1", "b2", "c3", "d4", "e5"])
    >>> [board.name(cell) for cell in winning_row(board)]
    ['e5', 'd4', 'c3', 'b2', 'a1']
    """
    colour = winner(board)
    if colour is None:
        return []
    side, field = _side(board, colour), _walled(board)
    start, step = next((_places(fives)[0], step) for step in _steps(board) if (fives := _fives(side, step)))
    return [_cell(board, place) for place in range(start, _end(field, start, step, colour), step)]


def is_over(board: Board) -> bool:
    """Whether somebody has won, or the side to move has nowhere to play."""
    return winner(board) is not None or next(_playable(board), None) is None


def legal_moves(board: Board) -> list[Cell]:
    """The cells the side to move may play, in row-major order; none when the game is over."""
    return [] if winner(board) is not None else list(_playable(board))


def _playable(board: Board) -> Iterator[Cell]:
    if board.rule is not Rule.RENJU or board.turn is not Colour.BLACK:
        yield from board.empties()
        return
    field, steps = _walled(board), _steps(board)
    suspects = set(_suspects(field, steps))
    for cell in board.empties():
        place = _place(board, cell)
        if place not in suspects or not _is_forbidden(field, place, steps):
            yield cell


def winning_cells(board: Board, colour: Colour | str) -> list[Cell]:
    """Every empty cell where a stone of this colour wins at once, in row-major order.

    >>> from gomoku_patterns import Board
    >>> from gomoku_patterns.rules import winning_cells
    >>> board = Board(5, black=["a1", "b1", "c1", "e1"], turn="black")
    >>> [board.name(cell) for cell in winning_cells(board, board.turn)]
    ['d1']
    """
    side, steps = _side(board, parse_colour(colour)), _steps(board)
    wins = 0
    for step in steps:
        for hole in range(5):
            wins |= _fives(side, step, hole) << _BYTE * hole * step
    return [_cell(board, place) for place in _places(wins)]


def _has_won(board: Board, colour: Colour) -> bool:
    side = _side(board, colour)
    return any(_fives(side, step) for step in _steps(board))


# Whole-board questions are asked of one large integer with a byte for each place of the walled field, 1 where the
# stone is: shifting it by a step lays each place over its neighbour, and walls keep rows from running into each other.

_BYTE = 8


class _Side(NamedTuple):
    """The board as one colour sees it."""

    own: int
    other: int
    empty: int
    only_five: bool
    can_be_blocked: bool


def _side(board: Board, colour: Colour) -> _Side:
    field = _walled(board)
    own, other, empty = (_bits(field, value) for value in (colour, colour.opponent, EMPTY))
    return _Side(own, other, empty, board.rule.only_five(colour), board.rule.can_be_blocked)


def _bits(field: bytearray, value: int) -> int:
    return int.from_bytes(field.translate(_ONLY[value]), "little")


_ONLY = [bytes(stone == value for stone in range(256)) for value in (EMPTY, *Colour)]


def _fives(side: _Side, step: int, hole: int | None = None) -> int:
    """Where winning rows begin; with a ``hole``, rows that a stone on that one of their cells would make."""
    ahead = _BYTE * step
    fives = -1
    for number in range(5):
        fives &= (side.empty if number == hole else side.own) >> number * ahead
    longer = fives & (side.own >> 5 * ahead | side.own << ahead)
    exact = fives & ~longer
    if side.can_be_blocked:
        exact &= ~(side.other >> 5 * ahead & side.other << ahead)
    return exact if side.only_five else exact | longer


def _places(bits: int) -> list[int]:
    """The places whose byte is set, in order."""
    flags = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    return [place for place, flag in enumerate(flags) if flag]


# ---------------------------------------------------------------------- the walled field

# The stones row by row with a wall after each row and a row of walls above and below: a walk in any direction
# meets a wall before it could leave the field or enter another row.

_WALL = 3


def _walled(board: Board) -> bytearray:
    edge = bytes([_WALL]) * (board.cols + 2)
    field = bytearray(edge)
    for start in range(0, board.rows * board.cols, board.cols):
        field += board._cells[start : start + board.cols]
        field.append(_WALL)
    return field + edge


def _steps(board: Board) -> tuple[int, int, int, int]:
    """What to add to a place to go right, down, down and right, down and left."""
    width = board.cols + 1
    return 1, width, width + 1, width - 1


def _place(board: Board, cell: CellLike) -> int:
    row, col = board.cell(cell)
    return (row + 1) * (board.cols + 1) + col + 1


def _cell(board: Board, place: int) -> Cell:
    row, col = divmod(place - 1, board.cols + 1)
    return Cell(row - 1, col)


def _end(field: bytearray, place: int, step: int, colour: int) -> int:
    """The first place from here, in the direction of the step, that does not hold the colour."""
    place += step
    while field[place] == colour:
        place += step
    return place


# ---------------------------------------------------------------------- renju: what black may not play


def forbidden(board: Board) -> list[Cell]:
    """The cells black may not play, no matter whose turn it is, in row-major order; none unless the rule is renju."""
    if board.rule is not Rule.RENJU:
        return []
    field, steps = _walled(board), _steps(board)
    return [_cell(board, place) for place in _suspects(field, steps) if _is_forbidden(field, place, steps)]


def is_forbidden(board: Board, cell: CellLike) -> bool:
    """Whether black may not play this empty cell."""
    place, field = _place(board, cell), _walled(board)
    if field[place] != EMPTY:
        raise IllegalMoveError(f"there is a {board[cell]} stone on {board.name(cell)!r} already", code="cell-taken")
    return board.rule is Rule.RENJU and _is_forbidden(field, place, _steps(board))


def _suspects(field: bytearray, steps: tuple[int, ...]) -> list[int]:
    """The only empty places that could be forbidden.

    A three or a four needs two black stones within four cells on its line, so a double one needs that on two lines;
    an overline, or two fours on one line, needs four stones there. (Four cells away may be another row: that only
    makes another suspect.)
    """
    black = _bits(field, Colour.BLACK)
    one_line = two_lines = overfull = 0
    for step in steps:
        near = [0, 0, 0, 0]
        for distance in (-4, -3, -2, -1, 1, 2, 3, 4):
            there = black >> _BYTE * distance * step if distance > 0 else black << -_BYTE * distance * step
            for count in (3, 2, 1):
                near[count] |= near[count - 1] & there
            near[0] |= there
        two_lines |= one_line & near[1]
        one_line |= near[1]
        overfull |= near[3]
    return _places((two_lines | overfull) & _bits(field, EMPTY))


def _is_forbidden(field: bytearray, place: int, steps: tuple[int, ...]) -> bool:
    lengths = [_row(field, place, step) for step in steps]
    if 5 in lengths:
        return False
    if max(lengths) > 5:
        return True
    field[place] = Colour.BLACK
    double = sum(_fours(field, place, step) for step in steps) > 1 or _is_double_three(field, place, steps)
    field[place] = EMPTY
    return double


def _row(field: bytearray, place: int, step: int) -> int:
    """How long black's row through this place is in this direction, with a black stone on the place."""
    return (_end(field, place, step, Colour.BLACK) - _end(field, place, -step, Colour.BLACK)) // step - 1


def _ends(field: bytearray, place: int, step: int) -> list[int]:
    """The empty places next to black's row through this place."""
    ends = (_end(field, place, -step, Colour.BLACK), _end(field, place, step, Colour.BLACK))
    return [end for end in ends if field[end] == EMPTY]


def _fours(field: bytearray, place: int, step: int) -> int:
    """How many fours the stone on this place is part of in this direction: 0, 1, or 2 as in ``o.ooo.o``.

    A straight four can become five at either end and is still one four.
    """
    fives = sum(_row(field, end, step) == 5 for end in _ends(field, place, step))
    return 1 if fives == 2 and _row(field, place, step) == 4 else fives


def _is_double_three(field: bytearray, place: int, steps: tuple[int, ...]) -> bool:
    """Whether the stone on this place is part of two threes that count; no more are looked into than that takes."""
    threes = [fours for step in steps if (fours := _straight_fours(field, place, step))]
    real = 0
    for left in range(len(threes), 0, -1):
        if real + left < 2:
            return False
        real += any(_may_extend(field, four, steps) for four in threes[left - 1])
        if real == 2:
            return True
    return False


def _straight_fours(field: bytearray, place: int, step: int) -> list[int]:
    """The empty places where one more stone makes this direction a straight four through the stone on this place."""
    return [end for end in _ends(field, place, step) if _makes_straight_four(field, end, step)]


def _makes_straight_four(field: bytearray, place: int, step: int) -> bool:
    if _row(field, place, step) != 4:
        return False
    field[place] = Colour.BLACK
    fives = sum(_row(field, end, step) == 5 for end in _ends(field, place, step))
    field[place] = EMPTY
    return fives == 2


def _may_extend(field: bytearray, place: int, steps: tuple[int, ...]) -> bool:
    """Whether black may make a three a straight four here: with a five it would be no three, and a foul is a foul."""
    return all(_row(field, place, step) != 5 for step in steps) and not _is_forbidden(field, place, steps)
