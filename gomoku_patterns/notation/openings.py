"""Gomocup openings, one a line: stones in turn from black as ``dx,dy``, steps right and down of the centre.

The centre of n cells is n // 2, counted from 0. The size is not in the file: it is the user's, or the smallest of 15,
20 and 22 on which every opening of the file finds room.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Options, Text, moves_only, place

SIDES = (15, 20, 22)

_NUMBER = re.compile(r"-?[0-9]{1,4}", re.ASCII)
_LINE = re.compile(r"\s*-?[0-9]{1,4}\s*(?:,\s*-?[0-9]{1,4}\s*)+,?\s*\Z", re.ASCII)

Step = tuple[int, int]
Line = tuple[int, list[tuple[int, Step]]]


def read_openings(text: Text, options: Options) -> Iterator[Entry]:
    """The openings of a file in order."""
    lines = [_steps(text, offset, line) for offset, line in text.lines() if line.strip()]
    frame = options.frame("top") if options.rows else _fitting(lines, options)
    for offset, steps in lines:
        board = options.board(frame)
        for at, (dx, dy) in steps:
            cell = frame.cell(dx + frame.cols // 2, dy + frame.rows // 2)
            if cell is None:
                expected = f"a step that stays on a {frame.rows}x{frame.cols} board"
                raise text.error(at, expected, f"{dx},{dy}")
            board.push(place(board, cell, frame, text=text, offset=at, word=f"{dx},{dy}"))
        yield Entry(board, line=text.line(offset))


def write_openings(entries: Iterable[Entry], options: Options) -> Iterator[str]:
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
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(_LINE.match(line) for line in lines)


def _steps(text: Text, offset: int, line: str) -> Line:
    if not _LINE.match(line):
        raise text.error(offset, "an opening such as '0,0, 1,-1'", line.strip()[:40])
    numbers = list(_NUMBER.finditer(line))
    if len(numbers) % 2:
        raise text.error(offset + numbers[-1].start(), "two numbers for each stone", numbers[-1][0])
    return offset, [
        (offset + x.start(), (int(x[0]), int(y[0]))) for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    ]


def _fitting(lines: list[Line], options: Options) -> Frame:
    steps = [step for _, stones in lines for _, step in stones]
    frames = [Options(options.origin, side, side).frame("top") for side in SIDES]
    for frame in frames:
        if all(frame.cell(dx + frame.cols // 2, dy + frame.rows // 2) for dx, dy in steps):
            return frame
    return frames[-1]
