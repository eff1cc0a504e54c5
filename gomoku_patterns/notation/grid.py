"""Boards drawn as text: a line a row, ``.`` empty, ``X`` black, ``O`` white, with or without coordinates.

``# . - + _`` are empty, ``1 X x B`` black, ``0 O o W`` white; blanks are free. The first line is the top row unless
``origin`` is ``bottom``. Row numbers and column letters, as ``str(board)`` prints them, are understood and left out.
After the rows may come ``rule: renju`` and ``to move: white``. Blank lines part several boards.

The drawings of :func:`gomoku_patterns.draw.board_text` are read too: ``●``, ``○`` and the crossings of lines, brackets
around the last stone, signs on empty cells, and stones with numbers such as ``X1 O2``, which become moves in order.
A drawing of ``0``, ``1`` and ``2`` alone has empty, black and white cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, MAX_SIDE, MIN_SIDE, WHITE, Cell, Colour
from gomoku_patterns.notation.text import Entry, Plain, Text, TextOptions, parse_rule, parse_turn, split_lines
from gomoku_patterns.notation.tree import GameTree
from gomoku_patterns.rules import Rule

SYMBOLS = {
    **dict.fromkeys("#.-+_┌┬┐├┼┤└┴┘×△□◯", 0),
    **dict.fromkeys("1XxB●⚫", int(BLACK)),
    **dict.fromkeys("0OoW○⚪", int(WHITE)),
}
_PLAIN_SIGNS = "*@^"
"""Signs of drawings in ASCII. Elsewhere ``*`` is a black stone: they are empty cells only if ``X`` stands for black."""
_DIGITS = {"0": 0, "1": int(BLACK), "2": int(WHITE)}

_SAYING = re.compile(r"\s*(rule|to[ _]move|turn)\s*[:=]\s*(\S+)\s*\Z", re.IGNORECASE)
_LABEL = re.compile(r"\s*([0-9]{1,2})(?=[\s(\[])")
_MARK = re.compile(r"(?:(?<![^\s(\[])(?P<stone>[XxBOoW●○⚫⚪])(?P<number>[1-9][0-9]{0,2})(?![^\s)\]]))|[^\s()\[\]]")

LONGEST_ROW = 1000
"""The longest line of a drawing: the widest board with four letters a cell takes a ninth of it."""

Line = tuple[int, str]


def read_grids(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The boards of a text, blank lines between them; a text whose rows all stand apart is one board."""
    blocks = list(_blocks(text))
    if len(blocks) > 1 and all(len(block) == 1 for block in blocks):
        blocks = [[line for block in blocks for line in block]]
    for block in blocks:
        line = text.line(block[0][0])
        board = _read_grid(block, text, options)
        yield Entry(board, tree=GameTree.from_board(board) if board.moves else None, line=line)


def write_grids(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """Drawings with coordinates, a blank line between two."""
    for number, entry in enumerate(entries):
        yield ("\n" if number else "") + draw(entry.board, options)


def draw(board: Board, options: TextOptions) -> str:
    rows = str(board).split("\n")
    if options.frame("top", board.rows, board.cols).origin == "bottom":
        rows = [*rows[-2::-1], rows[-1]]
    sayings = [] if board.rule is Rule.FREESTYLE else [f"rule: {board.rule.value}"]
    natural = Board.from_array(board.to_array()).turn
    sayings += [] if board.turn is natural else [f"to move: {board.turn}"]
    return "\n".join([*rows, *sayings]) + "\n"


def looks_like_grid(text: str) -> bool:
    """Whether the lines are made of the symbols of a drawing, give or take a slip."""
    lines = [line for line in split_lines(text)[: 2 * MAX_SIDE] if line.strip()]
    marks = [mark for line in lines for mark in line if not mark.isspace()]
    drawn = sum(mark in SYMBOLS or mark.isdigit() for mark in marks)
    return len(lines) > 1 and 2 * drawn >= len(marks)


def _blocks(text: Text) -> Iterator[list[Line]]:
    block: list[Line] = []
    for offset, line in text.lines():
        if line.strip():
            block.append((offset, line))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _read_grid(block: list[Line], text: Text, options: TextOptions) -> Board:
    rule, turn, rows = None, None, list[Line]()
    for offset, line in block:
        if len(rows) > MAX_SIDE + 1 or len(line) > LONGEST_ROW:
            expected = f"at most {MAX_SIDE} rows of at most {MAX_SIDE} cells"
            raise text.error(offset, expected, Plain("more"), "bad-size")
        saying = _SAYING.match(line)
        if not saying:
            rows.append((offset, line))
        elif saying[1].lower() == "rule":
            rule = parse_rule(saying[2], text, offset + saying.start(2))
        else:
            turn = parse_turn(saying[2], text, offset + saying.start(2))
    drawn = [row for row in rows if not _is_header(row[1])]
    symbols, numbers = _symbols(drawn), dict[int, tuple[int, int]]()
    drawn = drawn if symbols is _DIGITS else _without_labels(drawn, text)
    stones = [_row(line, text, symbols, y, numbers) for y, line in enumerate(drawn)]
    width = _check_shape(stones, rows or block, text)
    frame = options.frame("top", len(stones), width)
    black, white = (
        [Cell(frame.row(y), x) for y, row in enumerate(stones) for x, stone in enumerate(row) if stone == colour]
        for colour in (BLACK, WHITE)
    )
    board = Board(
        frame.rows, frame.cols, black=black, white=white, turn=turn, rule=options.rule or rule or Rule.FREESTYLE
    )
    return _played(board, [Cell(frame.row(y), x) for _, (y, x) in sorted(numbers.items())], turn) if numbers else board


def _played(drawn: Board, cells: list[Cell], turn: Colour | None) -> Board:
    """The same position with the stones on these cells pushed in this order."""
    setup = {colour: [cell for cell in drawn.stones(colour) if cell not in cells] for colour in Colour}
    first = drawn[cells[0]]
    board = Board(drawn.rows, drawn.cols, black=setup[BLACK], white=setup[WHITE], turn=first, rule=drawn.rule)
    for cell in cells:
        board.push(cell, drawn[cell])
    board.turn = board.turn if turn is None else turn
    return board


def _is_header(line: str) -> bool:
    """Whether the line holds the column letters, a b c and so on."""
    letters = "".join(line.split()).lower()
    return len(letters) >= MIN_SIDE and letters == "".join(map(chr, range(97, 97 + min(len(letters), 26))))


def _without_labels(rows: list[Line], text: Text) -> list[Line]:
    """The rows without their numbers; they are numbered if a row starts with a number that is no row of stones."""
    found = [_LABEL.match(line) for _, line in rows]
    numbers = [int(label[1]) if label else None for label in found]
    if not any(number is not None and set(str(number)) - set("01") for number in numbers):
        return rows
    count = len(rows)
    rising, falling = list(range(1, count + 1)), list(range(count, 0, -1))
    wanted = rising if numbers[0] == 1 else falling
    for (offset, line), number, right in zip(rows, numbers, wanted, strict=True):
        if number != right:
            raise text.error(offset, f"the row number {right} as in the other rows", line.strip()[:8])
    return [(row[0] + label.end(), row[1][label.end() :]) for row, label in zip(rows, found, strict=True) if label]


def _symbols(rows: list[Line]) -> dict[str, int]:
    """What each symbol of a drawing stands for."""
    marks = {mark for _, line in rows for mark in line if not mark.isspace()}
    if "2" in marks <= _DIGITS.keys():
        return _DIGITS
    has_black = any(SYMBOLS.get(mark) == BLACK for mark in marks)
    return SYMBOLS | dict.fromkeys(_PLAIN_SIGNS, 0) if has_black else SYMBOLS


def _row(line: Line, text: Text, symbols: dict[str, int], y: int, numbers: dict[int, tuple[int, int]]) -> list[int]:
    """The stones of a row; the places of those with a number go to ``numbers``."""
    stones: list[int] = []
    for mark in _MARK.finditer(line[1]):
        symbol, offset = mark["stone"] or mark[0], line[0] + mark.start()
        if symbol not in symbols:
            expected = "one of # . - + _ (empty), 1 X x B (black), 0 O o W (white)"
            raise text.error(offset, expected, symbol)
        place = y, len(stones)
        if mark["number"] and numbers.setdefault(int(mark["number"]), place) != place:
            raise text.error(offset, "each number once", mark["number"])
        stones.append(symbols[symbol])
    return stones


def _check_shape(stones: list[list[int]], rows: list[Line], text: Text) -> int:
    width = len(stones[0]) if stones else 0
    offset = rows[0][0]
    if not MIN_SIDE <= len(stones) <= MAX_SIDE:
        raise text.error(offset, f"{MIN_SIDE} to {MAX_SIDE} rows", Plain(str(len(stones))), "bad-size")
    for row, line in zip(stones, (row for row in rows if not _is_header(row[1])), strict=True):
        if len(row) != width or not MIN_SIDE <= width <= MAX_SIDE:
            usual = f"{width} cells as in the first row" if len(row) != width else f"{MIN_SIDE} to {MAX_SIDE} cells"
            raise text.error(line[0], usual, Plain(str(len(row))), "bad-size")
    return width
