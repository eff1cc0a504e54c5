"""Position strings, ``h8i9j10``: moves in order from black, one game a line; and the links that carry them.

Letters of either case; blanks, commas and semicolons between moves are free, and so are numbers such as ``1.`` before
them; ``pass``, ``A0`` and ``--`` pass the turn.
Size, rule and whose turn it is are not in the string: the side after the last move is to move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.board import Board
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Text, TextOptions, alternating, pass_turn, place

_TOKEN = re.compile(
    r"[\s,;]*+(?:[0-9]{1,3}\.[\s]*+)?(?:(?P<name>[A-Za-z][1-9][0-9]?)|(?P<pass>pass|[Aa]0|--))",
    re.IGNORECASE | re.ASCII,
)
_GAP = re.compile(r"[\s,;]*")
_LINK = re.compile(r"(?<![^\s#])(?P<address>[^\s#]*+)#/?(?P<moves>[^\s&?]*)")
_WEB = re.compile(r"https?://", re.IGNORECASE)

LINK = "https://gomocalc.com/#/"


def read_moves(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The games of a text, one a line."""
    frame = options.frame("bottom")
    for number, (offset, line) in enumerate(text.lines()):
        if line.strip(" \t,;"):
            board = play_string(text, offset, offset + len(line), options.board(frame), frame)
            yield Entry(board, line=text.first_line + number)


def write_moves(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    return (moves_string(entry.board, options) + "\n" for entry in entries)


def moves_string(board: Board, options: TextOptions | None = None) -> str:
    """The position string of a board; stones that were set up alternate, with passes where one colour has more."""
    frame = (options or TextOptions()).frame("bottom", board.rows, board.cols)
    words = ["pass" if cell is None else frame.name(cell) for cell in alternating(board)]
    return "".join(words) or "pass" * 2


def play_string(text: Text, start: int, end: int, board: Board, frame: Frame) -> Board:
    """Push the moves written in a part of the text on a board."""
    at = start
    while (at := _skip(text.text, at, end)) < end:
        token = _TOKEN.match(text.text, at, end)
        if not token:
            raise text.error(at, "a move such as 'h8', or 'pass'", text.text[at : min(end, at + 12)])
        if token["name"]:
            cell = frame.parse_name(token["name"])
            board.push(place(board, cell, frame, text=text, offset=token.start("name"), word=token["name"]))
        else:
            pass_turn(board)
        at = token.end()
    return board


def _skip(text: str, at: int, end: int) -> int:
    gap = _GAP.match(text, at, end)
    return gap.end() if gap else at


def looks_like_moves(text: str) -> bool:
    """Whether the text is nothing but moves, as far as its first few show."""
    at, found = 0, 0
    while found < 4 and (token := _TOKEN.match(text, at)):
        at, found = token.end(), found + 1
    return found == 4 or (found > 0 and not text[at:].strip(" \t\r\n,;"))


def read_links(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The positions that links of the form ``https://gomocalc.com/#/h8i9`` carry."""
    from urllib.parse import unquote

    frame = options.frame("bottom")
    for offset, line in text.lines():
        if not line.strip():
            continue
        link = next((link for link in _LINK.finditer(line) if _WEB.search(link["address"])), None)
        if not link:
            raise text.error(offset, "a link such as https://gomocalc.com/#/h8i9", line.strip()[:40])
        moves = Text(unquote(link["moves"]), text.source, text.line(offset))
        yield Entry(play_string(moves, 0, len(moves.text), options.board(frame), frame), line=moves.first_line)


def write_links(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    return (LINK + line for line in write_moves(entries, options))
