"""The Gomocup protocol as text: how lines are read and written, and what an engine's answers and remarks mean.

Positions, as BOARD blocks, are read and written in :mod:`gomoku_patterns.notation.gomocup`.

>>> split_word("INFO\\ttimeout_turn 1000")
('INFO', 'timeout_turn 1000')
>>> coordinates("3, 4"), coordinates("3,4,1")
((3, 4), None)
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell
from search.result import NO_SCORE, SearchResult, Win

LONGEST_LINE = 4096
LINE_END = "\r\n"
"""What managers end their lines with; engines may end theirs as they like."""
UNLIMITED = 2147483647
"""The milliseconds of ``time_left`` that stand for no limit."""

_COORDINATES = re.compile(r"\s*(-?[0-9]{1,9})\s*,\s*(-?[0-9]{1,9})\s*\Z", re.ASCII)
_FACT = re.compile(r'(\w+)\s*=\s*"([^"]*)"')


class Splitter:
    """Bytes as they come, made into lines ended by CR LF, LF or CR; empty ones are left out, too long ones cut."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that these bytes complete; nothing more to come completes the last."""
        *whole, rest = re.split(rb"[\r\n]", self._rest + data) if data else (self._rest, b"")
        self._rest = rest[:LONGEST_LINE]
        return [line[:LONGEST_LINE] for line in whole if line]


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, as soon as they come."""
    splitter, data = Splitter(), b"more"
    while data:
        data = os.read(stream.fileno(), 65536)
        yield from splitter.feed(data)


def encoded(*lines: str, end: str = LINE_END) -> bytes:
    """Lines as they are sent, in one write; what ASCII has no letter for becomes a question mark."""
    return "".join(line + end for line in lines).encode("ascii", "replace")


def split_word(line: str) -> tuple[str, str]:
    """The first word of a line and what follows it, whatever kind of space is between them."""
    word, rest, *_ = [*line.split(maxsplit=1), "", ""]
    return word, rest.strip()


def coordinates(text: str) -> tuple[int, int] | None:
    """Column and row of ``x,y``, on the board or not; None for any other text."""
    found = _COORDINATES.match(text)
    return (int(found[1]), int(found[2])) if found else None


def is_remark(line: str) -> bool:
    """Whether a line of an engine answers nothing."""
    return line.upper().startswith(("MESSAGE", "DEBUG", "INFO"))


def is_refusal(line: str) -> bool:
    """Whether a line of an engine says that it cannot do what it was told."""
    return line.upper().startswith(("ERROR", "UNKNOWN"))


def about_facts(line: str) -> dict[str, str]:
    """What an answer to ABOUT says.

    >>> about_facts('name="Fine", version="1.0"')
    {'name': 'Fine', 'version': '1.0'}
    """
    return {key.lower(): value for key, value in _FACT.findall(line)}


# ------------------------------------------------------------------ remarks

_SCORE = re.compile(r"\b(?:score|eval|evaluation|ev|value)\b\s*[:=]?\s*([+-]?)(M|#)?([0-9]{1,9})\b", re.IGNORECASE)
_RANKED = re.compile(r"\(([0-9]{1,3})\)\s*([+-]?)(M)?([0-9]{1,9})\b")
_WINS = re.compile(r"\b(black|white) wins in ([0-9]{1,3})\b", re.IGNORECASE)
_DEPTH = re.compile(r"\bdepth\b\s*[:=]?\s*([0-9]{1,4})\b|\|\s*([0-9]{1,4})-[0-9]{1,4}\s*\|", re.IGNORECASE)
_NODES = re.compile(r"\b(?:nodes?|totalnodes|visits?|n)\b\s*[:=]?\s*([0-9]{1,18})([KMGT]?)\b", re.IGNORECASE)
_LINE = re.compile(r"(?:\b(?:pv|bestline)\b\s*[:=]?|\|)\s*((?:[0-9]{1,2},[0-9]{1,2}|[A-Z][0-9]{1,2})(?:[ ,]*"
                   r"(?:[0-9]{1,2},[0-9]{1,2}|[A-Z][0-9]{1,2}))*)\s*\Z", re.IGNORECASE)  # fmt: skip
_STEP = re.compile(r"([0-9]{1,2}),([0-9]{1,2})|([A-Z])([0-9]{1,2})", re.IGNORECASE)
_THOUSANDS = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4}


@dataclass
class Remarks:
    """What an engine has said of its search so far, each fact as it was said last.

    Read are the forms of Rapfi, of Yixin and the programs that follow it, and our own; of several best moves the first.
    """

    board: Board
    score: int | None = None
    win: Win | None = None
    depth: int | None = None
    nodes: int | None = None
    line: str = ""

    def note(self, remark: str) -> None:
        """Take what one line says; scores are as the side to move sees them."""
        ranked = _RANKED.search(remark)
        if ranked and ranked[1] != "1":
            return
        if found := _WINS.search(remark):
            self.win = Win(BLACK if found[1].lower() == "black" else WHITE, int(found[2]))
            self.score = self.win.score
        elif ranked:
            self._score(ranked[2], ranked[3], int(ranked[4]))
        elif found := _SCORE.search(remark):
            self._score(found[1], found[2], int(found[3]))
        if found := _DEPTH.search(remark):
            self.depth = int(found[1] or found[2])
        if found := _NODES.search(remark):
            self.nodes = int(found[1]) * 1000 ** _THOUSANDS[found[2].upper()]
        if found := _LINE.search(remark):
            self.line = found[1]

    def _score(self, sign: str, mate: str | None, value: int) -> None:
        colour = self.board.turn.opponent if sign == "-" else self.board.turn
        self.win = Win(colour, value) if mate else None
        self.score = self.win.score if self.win else colour.sign * value

    def result(self, move: Cell, elapsed: float) -> SearchResult:
        """The answer to the search; ``stats["told"]`` names what the engine has said of it."""
        told = tuple(name for name in ("score", "depth", "nodes") if getattr(self, name) is not None)
        pv = principal_variation(self.line, self.board, move)
        score = NO_SCORE if self.score is None else self.score
        depth, nodes = (0 if number is None else number for number in (self.depth, self.nodes))
        return SearchResult(move, score, depth, nodes, elapsed, pv, {"told": told}, win=self.win)


def principal_variation(text: str, board: Board, move: Cell) -> tuple[Cell, ...]:
    """The line in which an engine says its move goes on, as far as it can be played.

    Programs write cells as ``x,y`` or as ``H8``, and do not agree whether rows are counted from the top or the bottom:
    it is read so that the line begins with the move that was played.
    """
    steps = [(int(x), int(y), False) if x else (ord(letter.upper()) - ord("A"), int(number) - 1, True)
             for x, y, letter, number in _STEP.findall(text)]  # fmt: skip
    for from_bottom in (True, False):
        cells = [Cell(board.rows - 1 - y if named and from_bottom else y, x) for x, y, named in steps]
        if cells[:1] == [move]:
            return _playable(cells, board)
    return (move,)


def _playable(cells: list[Cell], board: Board) -> tuple[Cell, ...]:
    ahead = board.copy()
    line: list[Cell] = []
    for cell in cells:
        if not (0 <= cell.row < board.rows and 0 <= cell.col < board.cols and ahead.is_empty(cell)) or ahead.is_over():
            break
        ahead.push(cell)
        line.append(cell)
    return tuple(line)


def informed(facts: Mapping[str, int | str | None]) -> list[str]:
    """INFO lines for what is known."""
    return [f"INFO {key} {value}" for key, value in facts.items() if value is not None]
