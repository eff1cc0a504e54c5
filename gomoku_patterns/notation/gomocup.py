"""What a Gomocup manager tells an engine: ``START``, ``INFO rule``, and a position as ``BOARD`` ... ``DONE``.

Lines are ``x,y,f`` from the top left, counted from 0; f is 1 for a stone of the side to move, 2 for the opponent's.
The block does not name colours: the side to move is white when it has one stone less, and black otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Options, Plain, Text, board_counts, parse_rule
from gomoku_patterns.rules import Rule

Stone = tuple[Cell, bool]

_STONE = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*,\s*([0-9])\s*\Z", re.ASCII)
_WORDS = re.compile(r"\s*(START|RECTSTART|INFO|BOARD|YXBOARD|DONE)\b\s*(.*?)\s*\Z", re.IGNORECASE)
_SIZE = re.compile(r"([0-9]{1,3})(?:\s*,\s*([0-9]{1,3}))?", re.ASCII)


def read_gomocup(text: Text, options: Options) -> Iterator[Entry]:
    """The positions of a dialogue, one for each BOARD block, with the size and rule last told."""
    frame, rule = options.frame("top"), None
    block: list[Stone] | None = None
    line = 0
    for number, (offset, content) in enumerate(text.lines(), text.first_line):
        words = _WORDS.match(content)
        word = words[1].upper() if words else ""
        if words and block is None and word in ("START", "RECTSTART"):
            frame = _size(text, offset + words.start(2), words[2], options)
        elif words and block is None and word == "INFO":
            rule = _info_rule(text, offset + words.start(2), words[2]) or rule
        elif block is None and word in ("BOARD", "YXBOARD"):
            block, line = [], number
        elif block is not None and word == "DONE":
            yield Entry(_board(block, frame, options.rule or rule), line=line)
            block = None
        elif block is not None:
            block.append(_stone(text, offset, content, frame, block))
        elif content.strip():
            raise text.error(offset, "START, RECTSTART, INFO or BOARD", content.strip()[:40])
    if block is not None:
        raise text.error(len(text.text), "DONE after the stones of BOARD", Plain("the end of the text"))


def write_gomocup(entries: Iterable[Entry], options: Options) -> Iterator[str]:
    """For each position the size, the rule and the block."""
    for entry in entries:
        yield gomocup_text(entry.board, options)


def gomocup_text(board: Board, options: Options | None = None) -> str:
    """A position as a manager would send it."""
    black, white = len(board.stones(BLACK)), len(board.stones(WHITE))
    if board.turn is not (WHITE if black == white + 1 else BLACK) or (board.turn is BLACK and black < white):
        raise NotationError(
            "expected as many white stones as black ones or one less, since a BOARD block names no colours, "
            f"found {board_counts(board)} and {board.turn} to move"
        )
    frame = (options or Options()).frame("top", board.rows, board.cols)
    start = f"START {board.rows}" if board.rows == board.cols else f"RECTSTART {board.cols},{board.rows}"
    stones = [f"{cell.col},{frame.row(cell.row)},{1 if board[cell] is board.turn else 2}" for cell in _order(board)]
    return "\n".join([start, f"INFO rule {board.rule.code}", "BOARD", *stones, "DONE"]) + "\n"


def _order(board: Board) -> list[Cell]:
    moved = [move.cell for move in board.moves]
    return [cell for cell in board.cells() if board[cell] and cell not in set(moved)] + moved


def _size(text: Text, offset: int, word: str, options: Options) -> Frame:
    size = _SIZE.fullmatch(word)
    cols, rows = (int(size[1]), int(size[2] or size[1])) if size else (0, 0)
    if not (5 <= rows <= 22 and 5 <= cols <= 22):
        raise text.error(offset, "a size from 5 to 22, or columns,rows,", word)
    return options.frame("top", rows, cols)


def _info_rule(text: Text, offset: int, words: str) -> Rule | None:
    key, _, value = words.partition(" ")
    return parse_rule(value.strip(), text, offset + len(key)) if key.lower() == "rule" else None


def _stone(text: Text, offset: int, line: str, frame: Frame, block: list[Stone]) -> Stone:
    found = _STONE.match(line)
    if not found:
        raise text.error(offset, "a stone as 'x,y,1' or 'x,y,2', or DONE", line.strip()[:40])
    if found[3] not in "12":
        expected = "1 (the side to move) or 2 (the opponent)"
        raise text.error(offset + found.start(3), expected, found[3])
    cell = frame.cell(int(found[1]), int(found[2]))
    if cell is None:
        raise text.error(offset, f"a stone on a board of {frame.cols} columns and {frame.rows} rows", line.strip())
    if any(cell == taken for taken, _ in block):
        raise text.error(offset, "each cell once", Plain(f"{line.strip()!r} on a taken cell"))
    return cell, found[3] == "1"


def _board(stones: list[Stone], frame: Frame, rule: Rule | None) -> Board:
    """The position; stones in order of play from black become moves."""
    own = sum(mine for _, mine in stones)
    turn = WHITE if own < len(stones) - own else BLACK
    rule = rule or Rule.FREESTYLE
    coloured = [(cell, turn if mine else turn.opponent) for cell, mine in stones]
    if all(colour is (WHITE if number % 2 else BLACK) for number, (_, colour) in enumerate(coloured)):
        board = Board(frame.rows, frame.cols, rule=rule)
        for cell, colour in coloured:
            board.push(cell, colour)
        return board
    black, white = ([cell for cell, stone in coloured if stone is colour] for colour in (BLACK, WHITE))
    return Board(frame.rows, frame.cols, black=black, white=white, turn=turn, rule=rule)
