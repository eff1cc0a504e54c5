"""Gomocup openings, one a line: stones in turn from black as ``dx,dy``, steps right and down of the centre.

The centre of n cells is n // 2, counted from 0. The size is not in the file: it is the user's, or the smallest of 15,
20 and 22 on which every opening of the file finds room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.cells import MAX_SIDE
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Plain, Text, TextOptions, moves_only, place, split_lines

SIDES = (15, 20, 22)

_NUMBER = re.compile(r"-?[0-9]{1,4}", re.ASCII)
# Possessive: what could be gone back to would take a hundred times the memory of the line.
_LINE = re.compile(r"\s*+-?[0-9]{1,4}\s*+(?:,\s*+-?[0-9]{1,4}\s*+)++,?\s*\Z", re.ASCII)

Step = tuple[int, int]


def read_openings(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The openings of a file in order."""
    frame = options.frame("top") if options.rows else _fitting(text, options)
    for offset, line in _lines(text):
        board = options.board(frame)
        for at, (dx, dy) in _steps(text, offset, line):
            cell = frame.cell(dx + frame.cols // 2, dy + frame.rows // 2)
            if cell is None:
                expected = f"a step that stays on a {frame.rows}x{frame.cols} board"
                raise text.error(at, expected, f"{dx},{dy}", "bad-cell")
            board.push(place(board, cell, frame, text=text, offset=at, word=f"{dx},{dy}"))
        yield Entry(board, line=text.line(offset))


def write_openings(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    for entry in entries:
        board = entry.board
        frame = options.frame("top", board.rows, board.cols)
        steps = [
            f"{cell.col - frame.cols // 2},{frame.row(cell.row) - frame.rows // 2}"
            for cell in moves_only(board, "an opening")
        ]
        yield ", ".join(steps) + "\n"


def looks_like_openings(text: str) -> bool:
    """Whether every line is numbers and commas."""
    return bool(text.strip()) and all(_LINE.match(line) for line in split_lines(text) if line.strip())


def _lines(text: Text) -> Iterator[tuple[int, str]]:
    return ((offset, line) for offset, line in text.lines() if line.strip())


def _steps(text: Text, offset: int, line: str) -> Iterator[tuple[int, Step]]:
    """The steps of a line with their offsets."""
    if line.count(",") > 2 * MAX_SIDE**2:
        raise text.error(offset, f"an opening of at most {MAX_SIDE**2} stones", Plain("more"), "too-long")
    if not _LINE.match(line):
        raise text.error(offset, "an opening such as '0,0, 1,-1'", line.strip()[:40])
    numbers = list(_NUMBER.finditer(line))
    if len(numbers) % 2:
        raise text.error(offset + numbers[-1].start(), "two numbers for each stone", numbers[-1][0])
    for x, y in zip(numbers[::2], numbers[1::2], strict=True):
        yield offset + x.start(), (int(x[0]), int(y[0]))


def _fitting(text: Text, options: TextOptions) -> Frame:
    """The smallest of the usual boards that every step of the text stays on, or else the largest."""
    steps = {step for offset, line in _lines(text) for _, step in _steps(text, offset, line)}
    frames = [TextOptions(options.origin, side, side).frame("top") for side in SIDES]
    for frame in frames:
        if all(frame.cell(dx + frame.cols // 2, dy + frame.rows // 2) for dx, dy in steps):
            return frame
    return frames[-1]
