"""What a Gomocup manager tells an engine: ``START``, ``INFO rule``, and a position as ``BOARD`` ... ``DONE``.

Lines are ``x,y,f`` from the top left, counted from 0; f is 1 for a stone of the side to move, 2 for the opponent's. The
block does not name colours: the side to move is white when it has less stones, and black otherwise; under renju, where
stones come in the order of play, it is black when the first one is its own.

Blocks are read and written here, for files as for the engines and managers that talk to one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Plain, Text, TextOptions, board_counts, parse_rule
from gomoku_patterns.rules import Rule

OWN, OTHER, NOBODYS = 1, 2, 3
"""Whose a stone of a block is; the last is one of a line that was won earlier, or a forbidden one, in a game that goes
on: its cell is taken, and whose it was is not told."""

Stone = tuple[Cell, int]
"""A cell of a block and whose its stone is."""

_STONE = re.compile(r"\s*([0-9]{1,6})\s*,\s*([0-9]{1,6})\s*,\s*([0-9])\s*\Z", re.ASCII)
_WORDS = re.compile(r"\s*+(START|RECTSTART|INFO|BOARD|YXBOARD|DONE)\b\s*+(.*)\Z", re.IGNORECASE | re.DOTALL)
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*,\s*([0-9]{1,3}))?", re.ASCII)


def read_gomocup(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The positions of a dialogue, one for each BOARD block, with the size and rule last told."""
    frame, rule = options.frame("top"), None
    block: list[Stone] | None = None
    line = 0
    for number, (offset, content) in enumerate(text.lines(), text.first_line):
        words = _WORDS.match(content.rstrip())
        word = words[1].upper() if words else ""
        if words and block is None and word in ("START", "RECTSTART"):
            frame = _size(text, offset + words.start(2), words[2], options)
        elif words and block is None and word == "INFO":
            rule = _info_rule(text, offset + words.start(2), words[2]) or rule
        elif block is None and word in ("BOARD", "YXBOARD"):
            block, line = [], number
        elif block is not None and word == "DONE":
            yield Entry(block_board(block, frame.rows, frame.cols, options.rule or rule or Rule.FREESTYLE), line=line)
            block = None
        elif block is not None:
            block.append(_stone(text, offset, content, frame, block))
        elif content.strip():
            raise text.error(offset, "START, RECTSTART, INFO or BOARD", content.strip()[:40])
    if block is not None:
        raise text.error(len(text.text), "DONE after the stones of BOARD", Plain("the end of the text"))


def write_gomocup(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """For each position the size, the rule and the block."""
    for entry in entries:
        yield gomocup_text(entry.board, options)


def gomocup_text(board: Board, options: TextOptions | None = None) -> str:
    """A position as a manager would send it."""
    black, white = len(board.stones(BLACK)), len(board.stones(WHITE))
    if board.turn is not (WHITE if black == white + 1 else BLACK) or (board.turn is BLACK and black < white):
        raise NotationError(
            "expected as many white stones as black ones or one less, since a BOARD block names no colours, "
            f"found {board_counts(board)} and {board.turn} to move"
        )
    lines = [start_line(board), f"INFO rule {board.rule.code}", *block_lines(board, options)]
    return "\n".join(lines) + "\n"


def start_line(board: Board) -> str:
    """The line that begins a game on a board of this size."""
    return f"START {board.rows}" if board.rows == board.cols else f"RECTSTART {board.cols},{board.rows}"


def block_lines(board: Board, options: TextOptions | None = None, order: Iterable[Cell] | None = None) -> list[str]:
    """A position as BOARD to DONE, the stones in the order of play, or in another one."""
    frame = (options or TextOptions()).frame("top", board.rows, board.cols)
    cells = _order(board) if order is None else order
    owners = {board.turn: OWN, board.turn.opponent: OTHER}
    stones = [(cell, owners[colour]) for cell in cells if (colour := board[cell]) is not None]
    return ["BOARD", *(f"{cell.col},{frame.row(cell.row)},{owner}" for cell, owner in stones), "DONE"]


def _order(board: Board) -> list[Cell]:
    moved = [move.cell for move in board.moves]
    return [cell for cell in board.cells() if board[cell] and cell not in set(moved)] + moved


def _size(text: Text, offset: int, word: str, options: TextOptions) -> Frame:
    size = _SIZE.fullmatch(word)
    cols, rows = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
    if not (5 <= rows <= 22 and 5 <= cols <= 22):
        raise text.error(offset, "a size from 5 to 22, or columns,rows,", word, "bad-size")
    return options.frame("top", rows, cols)


def _info_rule(text: Text, offset: int, words: str) -> Rule | None:
    key, _, value = words.partition(" ")
    return parse_rule(value.strip(), text, offset + len(key)) if key.lower() == "rule" else None


def parse_stone(line: str) -> tuple[int, int, int] | None:
    """Column, row and owner of a line of a block, whatever numbers they are; None where it is no such line."""
    found = _STONE.match(line)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _stone(text: Text, offset: int, line: str, frame: Frame, block: list[Stone]) -> Stone:
    found = parse_stone(line)
    if not found:
        raise text.error(offset, "a stone as 'x,y,1' or 'x,y,2', or DONE", line.strip()[:40])
    col, row, owner = found
    if owner not in (OWN, OTHER):
        place = offset + len(line.rstrip()) - 1
        raise text.error(place, "1 (the side to move) or 2 (the opponent)", str(owner))
    cell = frame.cell(col, row)
    if cell is None:
        raise text.error(
            offset, f"a stone on a board of {frame.cols} columns and {frame.rows} rows", line.strip(), "bad-cell"
        )
    if any(cell == taken for taken, _ in block):
        raise text.error(offset, "each cell once", Plain(f"{line.strip()!r} on a taken cell"), "cell-taken")
    return cell, owner


def block_board(stones: Sequence[Stone], rows: int, cols: int, rule: Rule) -> Board:
    """The position of a block; stones in order of play from black become moves.

    A stone of nobody stands as the opponent's, or as the side to move's where that would make a five.
    """
    turn = _side_to_move([owner for _, owner in stones if owner != NOBODYS], rule)
    coloured = {cell: turn if owner == OWN else turn.opponent for cell, owner in stones}
    for cell in (cell for cell, owner in stones if owner == NOBODYS):
        if _set_up({**coloured, cell: turn.opponent}, rows, cols, rule, turn).winner():
            coloured[cell] = turn
    if all(colour is (WHITE if number % 2 else BLACK) for number, colour in enumerate(coloured.values())):
        board = Board(rows, cols, rule=rule)
        for cell, colour in coloured.items():
            board.push(cell, colour)
        return board
    return _set_up(coloured, rows, cols, rule, turn)


def _side_to_move(owners: Sequence[int], rule: Rule) -> Colour:
    if rule is Rule.RENJU and owners:
        return BLACK if owners[0] == OWN else WHITE
    return WHITE if owners.count(OWN) < owners.count(OTHER) else BLACK


def _set_up(coloured: Mapping[Cell, Colour], rows: int, cols: int, rule: Rule, turn: Colour) -> Board:
    black, white = ([cell for cell, stone in coloured.items() if stone is colour] for colour in (BLACK, WHITE))
    return Board(rows, cols, black=black, white=white, turn=turn, rule=rule)
