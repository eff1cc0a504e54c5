"""Lists of cells: ``black: h8 i9 white: h9 i8``, names counted from the bottom or ``row,col`` pairs from the top left.

Also ``size: 19``, ``rows: 15 cols: 20``, ``rule: renju`` and ``to move: white``, in any order, on one line or several.
``黑:`` and ``白:`` do as well. Blank lines, or a colour named again, part several positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Plain, Text, TextOptions, parse_rule, parse_turn
from gomoku_patterns.rules import Rule

_KEY = re.compile(r"\s*(black|white|黑|白|size|rows|cols|rule|to[ _]move|turn)\s*[:：=]\s*", re.IGNORECASE)
_NAME = re.compile(r"[\s,;]*([A-Za-z][0-9]{1,2})(?![0-9])", re.ASCII)
_PAIR = re.compile(r"[\s,;]*(?:([\[(])\s*)?([0-9]{1,3})\s*,\s*([0-9]{1,3})(?:\s*([\])]))?(?![0-9])", re.ASCII)
_BLANK = re.compile(r"\s*")
_WORD = re.compile(r"[^\s,;]+")
_COLOURS = {"black": BLACK, "黑": BLACK, "white": WHITE, "白": WHITE}
_LIST = re.compile(r"(?:^|[\s,;])(?:black|white|黑|白)\s*[:：=]", re.IGNORECASE)


@dataclass
class _Draft:
    """A position while it is read: each value with the offset where it stands."""

    offset: int
    cells: dict[Colour, list[tuple[int, str, str]]] = field(default_factory=dict)
    words: dict[str, tuple[int, str]] = field(default_factory=dict)


def read_cell_lists(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The positions of a text."""
    for draft in _drafts(text):
        line = text.line(draft.offset)
        yield Entry(_board(draft, text, options), line=line)


def write_cell_lists(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """One line a position; size, rule and turn where they are not the usual ones."""
    for entry in entries:
        yield cell_list(entry.board, options) + "\n"


def cell_list(board: Board, options: TextOptions | None = None) -> str:
    frame = (options or TextOptions()).frame("bottom", board.rows, board.cols)
    names = {colour: " ".join(frame.name(cell) for cell in board.stones(colour)) for colour in Colour}
    words = [] if (board.rows, board.cols) == (15, 15) else [f"rows: {board.rows} cols: {board.cols}"]
    words += [] if board.rule is Rule.FREESTYLE else [f"rule: {board.rule.value}"]
    words += [f"black: {names[BLACK]}".rstrip(), f"white: {names[WHITE]}".rstrip()]
    natural = Board.from_array(board.to_array()).turn
    return " ".join([*words, *([] if board.turn is natural else [f"to move: {board.turn}"])])


def looks_like_cell_list(text: str) -> bool:
    return _LIST.search(text) is not None


def _drafts(text: Text) -> Iterator[_Draft]:
    draft: _Draft | None = None
    at, end = 0, len(text.text.rstrip())
    while at < end:
        key = _KEY.match(text.text, at)
        if not key:
            expected = "a cell, or one of black:, white:, size:, rule:, to move:"
            raise text.error(_past_blank(text, at), expected, _found(text, at))
        name = key[1].lower().replace("_", " ")
        if draft is not None and _parted(text, at, draft, name):
            yield draft
            draft = None
        draft = draft or _Draft(key.start(1))
        at = _value(text, name, key, draft)
    if draft is not None:
        yield draft


def _parted(text: Text, at: int, draft: _Draft, name: str) -> bool:
    """Whether a new position starts: after a blank line, or with something the last one has already."""
    gap = text.text[at : _past_blank(text, at)]
    return gap.count("\n") > 1 or name in draft.words or _COLOURS.get(name) in draft.cells


def _value(text: Text, name: str, key: re.Match[str], draft: _Draft) -> int:
    """Take what stands after a keyword; the offset behind it."""
    at = key.end()
    colour = _COLOURS.get(name)
    if colour:
        draft.cells[colour] = cells = []
        while item := (_NAME.match(text.text, at) or _PAIR.match(text.text, at)):
            first = item.start(1) if item.re is _NAME else item.start(2)
            cells.append((first, item[1], "") if item.re is _NAME else (first, *_pair(text, item)))
            at = item.end()
        return _end_of_gap(text, at)
    word = _WORD.match(text.text, at)
    if not word:
        raise text.error(at, f"a value after {name}:", _found(text, at))
    draft.words[name] = at, word[0]
    return _end_of_gap(text, word.end())


def _pair(text: Text, item: re.Match[str]) -> tuple[str, str]:
    if (item[1], item[4]) not in ((None, None), ("[", "]"), ("(", ")")):
        raise text.error(item.start(2), "a pair such as 7,7 or [7, 7] or (7, 7)", item[0].strip())
    return item[2], item[3]


def _end_of_gap(text: Text, at: int) -> int:
    while text.text[at : at + 1] in (",", ";"):
        at += 1
    return at


def _past_blank(text: Text, at: int) -> int:
    blank = _BLANK.match(text.text, at)
    return blank.end() if blank else at


def _found(text: Text, at: int) -> str | Plain:
    start = _past_blank(text, at)
    return text.text[start : start + 12] or Plain("the end of the text")


def _board(draft: _Draft, text: Text, options: TextOptions) -> Board:
    frame = _frame(draft, text, options)
    stones: dict[Cell, Colour] = {}
    for colour, items in draft.cells.items():
        for offset, *words in items:
            cell = _cell(words[0], words[1], frame)
            shown = ",".join(words) if words[1] else words[0]
            if cell is None:
                expected = f"a cell from {frame.span} or row,col on a {frame.rows}x{frame.cols} board"
                raise text.error(offset, expected, shown, "bad-cell")
            if cell in stones:
                raise text.taken(offset, shown)
            stones[cell] = colour
    rule = parse_rule(*_word(draft, text, "rule")) if "rule" in draft.words else None
    turn = next((name for name in ("to move", "turn") if name in draft.words), None)
    black, white = ([cell for cell, stone in stones.items() if stone is colour] for colour in (BLACK, WHITE))
    return Board(
        frame.rows,
        frame.cols,
        black=black,
        white=white,
        turn=parse_turn(*_word(draft, text, turn)) if turn else None,
        rule=options.rule or rule or Rule.FREESTYLE,
    )


def _word(draft: _Draft, text: Text, name: str) -> tuple[str, Text, int]:
    offset, word = draft.words[name]
    return word, text, offset


def _cell(first: str, second: str, frame: Frame) -> Cell | None:
    if not second:
        return frame.parse_name(first)
    cell = Cell(int(first), int(second))
    return cell if cell.row < frame.rows and cell.col < frame.cols else None


def _frame(draft: _Draft, text: Text, options: TextOptions) -> Frame:
    sides = {name: _side(text, *draft.words[name]) for name in ("size", "rows", "cols") if name in draft.words}
    rows = sides.get("rows", sides.get("size"))
    if rows is None and "cols" not in sides:
        return options.frame("bottom")
    return options.frame("bottom", rows or 15, sides.get("cols", sides.get("size", rows)))


def _side(text: Text, offset: int, word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 4 and 5 <= int(word) <= 22):
        raise text.error(offset, "a size from 5 to 22", word, "bad-size")
    return int(word)
