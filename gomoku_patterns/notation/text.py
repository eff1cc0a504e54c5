"""What every reader and writer shares: the text with its places, the options, and the entries of a collection."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import Any

from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour, parse_colour
from gomoku_patterns.errors import NotationError, shown
from gomoku_patterns.notation.origin import Frame, Origin, check_size, parse_origin
from gomoku_patterns.notation.tree import GameTree
from gomoku_patterns.rules import Rule

USUAL_SIDE = 15
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class Text:
    """A text to read, with the name of where it came from and the number of its first line."""

    text: str
    source: str | None = None
    first_line: int = 1

    def error(self, offset: int, expected: str, found: object, code: str | None = None) -> NotationError:
        """The error that says what was expected and found at this offset."""
        what = found if isinstance(found, Plain) else shown(found)
        return self.refusal(offset, f"expected {expected}, found {what}", code)

    def refusal(self, offset: int, message: str, code: str | None = None) -> NotationError:
        """The error that says this at this offset."""
        line = self._line_index(offset)
        column = offset - self._line_starts[line] + 1
        return NotationError(message, source=self.source, line=self.first_line + line, column=column, code=code)

    def taken(self, offset: int, name: str) -> NotationError:
        """The error about a second stone on a cell."""
        return self.refusal(offset, f"there is a stone on {name!r} already", "cell-taken")

    def line(self, offset: int) -> int:
        """The number of the line that this offset is on."""
        return self.first_line + self._line_index(offset)

    def _line_index(self, offset: int) -> int:
        return bisect_right(self._line_starts, offset) - 1

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(end.end() for end in _LINE_END.finditer(self.text))]

    def lines(self) -> Iterator[tuple[int, str]]:
        """Each line with the offset of its first character; line ends are left out."""
        start = 0
        for end in _LINE_END.finditer(self.text):
            yield start, self.text[start : end.start()]
            start = end.end()
        if start < len(self.text):
            yield start, self.text[start:]


def split_lines(text: str) -> list[str]:
    """The lines of a text, as :meth:`Text.lines` yields them: only CR, LF and CR LF end a line.

    ``str.splitlines`` also splits at characters that JSON strings may hold, such as U+2028 and U+0085.
    """
    return _LINE_END.split(text)


class Plain(str):
    """A description of what was found that is not quoted, such as ``the end of the text``."""

    __slots__ = ()


END = Plain("the end of the text")


@dataclass(frozen=True)
class TextOptions:
    """What a user said about a text beyond its words; None leaves it to the notation."""

    origin: str | None = None
    rows: int | None = None
    cols: int | None = None
    rule: Rule | None = None

    def frame(self, default: Origin, rows: int | None = None, cols: int | None = None) -> Frame:
        """The size the notation gives, or else the user's, or else 15x15; and the origin."""
        if rows is None:
            rows, cols = self.rows or USUAL_SIDE, self.cols or self.rows or USUAL_SIDE
        found = check_size(rows, rows if cols is None else cols)
        if self.rows is not None and found != (self.rows, self.cols or self.rows):
            asked = f"{self.rows}x{self.cols or self.rows}"
            raise NotationError(f"the board is {found[0]}x{found[1]}, not {asked} as asked for")
        return Frame(*found, parse_origin(self.origin, default))

    def board(self, frame: Frame, rule: Rule | None = None) -> Board:
        """An empty board; a rule the user asked for goes before the notation's."""
        return Board(frame.rows, frame.cols, rule=self.rule or rule or Rule.FREESTYLE)


@dataclass(frozen=True)
class Entry:
    """One position of a file: the board, and what the notation says besides.

    ``tree`` is the whole game when the notation holds games; the board is then the end of its main line.
    """

    board: Board
    id: Any = None
    title: str = ""
    comment: str = ""
    tree: GameTree | None = None
    line: int | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)

    def game(self) -> GameTree:
        """The game, if need be the one that leads straight to the board."""
        return self.tree or GameTree.from_board(self.board)


def place(board: Board, cell: Cell | None, frame: Frame, *, text: Text, offset: int, word: object) -> Cell:
    """A cell that was read, checked to be on the board and empty."""
    if cell is None:
        raise text.error(offset, f"a cell from {frame.span}", word, "bad-cell")
    if not board.is_empty(cell):
        raise text.taken(offset, frame.name(cell))
    return cell


def alternating(board: Board) -> Iterator[Cell | None]:
    """The stones as black and white would take turns from an empty board; None is a pass.

    What was pushed keeps its order; passes appear only where the colours or the turn make them necessary.
    """
    moved = {move.cell for move in board.moves}
    black, white = ([Move(cell, colour) for cell in board.stones(colour) if cell not in moved] for colour in Colour)
    setup = [move for pair in zip_longest(black, white) for move in pair if move]
    expected = BLACK
    for cell, colour in [*setup, *board.moves]:
        if colour is not expected:
            yield None
        yield cell
        expected = colour.opponent
    if board.turn is not expected:
        yield None


def moves_only(board: Board, notation: str) -> list[Cell]:
    """The stones in order of play for a notation that knows no pass."""
    cells = list(alternating(board))
    if None in cells:
        raise NotationError(
            f"{notation} can only say stones in turn from black, "
            f"and this position has {board_counts(board)} and {board.turn} to move"
        )
    return [cell for cell in cells if cell]


def board_counts(board: Board) -> str:
    return f"{len(board.stones(BLACK))} black, {len(board.stones(WHITE))} white"


def pass_turn(board: Board) -> None:
    board.turn = board.turn.opponent


def parse_rule(word: str, text: Text, offset: int) -> Rule:
    """The rule that a word in the text names."""
    try:
        return Rule.parse(word)
    except ValueError:
        raise text.error(offset, f"one of {', '.join(Rule)} or a Gomocup code", word, "unknown-rule") from None


def parse_turn(word: str, text: Text, offset: int) -> Colour:
    """The colour that a word in the text names."""
    try:
        return parse_colour(word)
    except ValueError:
        raise text.error(offset, "'black' or 'white'", word) from None
