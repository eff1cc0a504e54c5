"""Piskvork game files: ``.psq`` (cells counted from 1) and ``.rec`` (names first, cells counted from 0).

Columns count from the left, rows from the top; the first move is black's. Neither says the rule, and ``.rec`` and
headless move lists do not say the size either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK
from gomoku_patterns.errors import NotationError
from gomoku_patterns.notation.origin import Frame
from gomoku_patterns.notation.text import Entry, Plain, Text, TextOptions, moves_only, place, split_lines
from gomoku_patterns.notation.tree import GameTree

HEADER = re.compile(r"\s*Piskvork\w*\s+([0-9]{1,3})\s*x\s*([0-9]{1,3})\s*,", re.IGNORECASE | re.ASCII)
_MOVE = re.compile(r"\s*+(-?[0-9]{1,6})\s*+,\s*+(-?[0-9]{1,6})\s*+(?:,\s*+(-?[0-9]{1,15})\s*+)?,?\s*\Z", re.ASCII)


def read_psq(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The game of a ``.psq`` file, or of bare ``x,y,ms`` lines, whose size then is the user's or 15x15."""
    lines = [(offset, line) for offset, line in text.lines() if line.strip()]
    header = HEADER.match(lines[0][1]) if lines else None
    if header:
        size = int(header[2]), int(header[1])
        if not all(5 <= side <= 22 for side in size):
            raise text.error(
                lines[0][0] + header.start(1), "a board from 5x5 to 22x22", f"{size[1]}x{size[0]}", "bad-size"
            )
        frame = options.frame("top", *size)
    else:
        frame = options.frame("top")
    moves = lines[1:] if header else lines
    count = _leading_moves(moves)
    if not header and not count:
        raise text.error(0, "a header such as 'Piskvorky 15x15, 11:11, 0'", text.text[:40])
    tree = _game(moves[:count], text, options, frame, first=1)
    tree.info.update(_names([line for _, line in moves[count:]]))
    yield Entry(tree.board(), tree=tree, line=text.first_line)


def read_rec(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The game of a ``.rec`` file: the players' names, then the moves."""
    lines = [(offset, line) for offset, line in text.lines() if line.strip()]
    names = next((number for number, (_, line) in enumerate(lines) if _MOVE.match(line)), len(lines))
    count = _leading_moves(lines[names:])
    rest = lines[names + count :]
    if not lines or rest:
        where, found = (rest[0][0], rest[0][1][:40]) if rest else (0, Plain("no text"))
        raise text.error(where, "a move such as '7,7'", found)
    tree = _game(lines[names:], text, options, options.frame("top"), first=0)
    tree.info.update(_names([line for _, line in lines[:names]]))
    yield Entry(tree.board(), tree=tree, line=text.first_line)


def write_psq(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """One game with its header, times in milliseconds, and the names if they are known."""
    entry = only(entries, "psq")
    board = entry.board
    yield f"Piskvorky {board.cols}x{board.rows}, 0:0, 0\n"
    times = _times(entry)
    for number, (x, y) in enumerate(_coordinates(board, options, "psq")):
        yield f"{x + 1},{y + 1},{times.get(number, 0)}\n"
    info = entry.tree.info if entry.tree else {}
    if "PB" in info and "PW" in info:
        yield f"{_one_line(info['PB'])}\n{_one_line(info['PW'])}\n"
    yield "-1\n"


def write_rec(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    entry = only(entries, "rec")
    info = entry.tree.info if entry.tree else {}
    yield f"{_one_line(info.get('PB', 'black'))}\n{_one_line(info.get('PW', 'white'))}\n"
    for x, y in _coordinates(entry.board, options, "rec"):
        yield f"{x},{y}\n"


def only(entries: Iterable[Entry], notation: str) -> Entry:
    """The one position of a notation that holds no more."""
    found = None
    for entry in entries:
        if found is not None:
            raise NotationError(
                f"a {notation} file holds one position, here are more; gomoku convert takes a folder for them"
            )
        found = entry
    if found is None:
        raise NotationError("there is no position to write", code="no-position")
    return found


def looks_like_rec(text: str) -> bool:
    """Whether names come first and moves of two or three numbers after them."""
    lines = [line for line in split_lines(text) if line.strip()]
    return len(lines) > 2 and not _MOVE.match(lines[0]) and all(_MOVE.match(line) for line in lines[2:])


def looks_like_psq_moves(text: str) -> bool:
    """Whether every line is a move, counted from 1, with a time."""
    found = [_MOVE.match(line) for line in split_lines(text) if line.strip()]
    return bool(found) and all(move and move[3] and int(move[1]) > 0 < int(move[2]) for move in found)


def _leading_moves(lines: list[tuple[int, str]]) -> int:
    return next((number for number, (_, line) in enumerate(lines) if not _MOVE.match(line)), len(lines))


def _game(lines: list[tuple[int, str]], text: Text, options: TextOptions, frame: Frame, first: int) -> GameTree:
    tree = GameTree(frame.rows, frame.cols, options.board(frame).rule)
    board, node, colour = tree.board(), tree.root, BLACK
    for offset, line in lines:
        move = _MOVE.match(line)
        x, y = (int(move[1]), int(move[2])) if move else (-1, -1)
        cell = frame.cell(x - first, y - first)
        if cell is None:
            last = f"{frame.cols - 1 + first},{frame.rows - 1 + first}"
            raise text.error(offset, f"a move from {first},{first} to {last}", Plain(f"{x},{y}"), "bad-cell")
        board.push(place(board, cell, frame, text=text, offset=offset, word=line))
        node = node.add(colour=colour, cell=cell)
        node.elapsed = int(move[3]) / 1000 if move and move[3] else None
        colour = colour.opponent
    return tree


def _names(lines: list[str]) -> dict[str, str]:
    names = [line.strip() for line in lines[:2]]
    if len(names) < 2 or re.fullmatch(r"-?[0-9]+", names[0]):
        return {}
    return {"PB": names[0], "PW": names[1]}


def _coordinates(board: Board, options: TextOptions, notation: str) -> Iterator[tuple[int, int]]:
    frame = options.frame("top", board.rows, board.cols)
    return ((cell.col, frame.row(cell.row)) for cell in moves_only(board, notation))


def _times(entry: Entry) -> dict[int, int]:
    line = entry.tree.main_line()[1:] if entry.tree else []
    return {number: round((node.elapsed or 0) * 1000) for number, node in enumerate(line)}


def _one_line(name: str) -> str:
    return " ".join(name.split()) or "-"
