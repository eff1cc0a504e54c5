"""Puzzle collections as the renju editor of lfz084 keeps them, its links, and the older lists of KaiBao.

A puzzle's cells are names on a 15x15 grid with row 1 at the bottom; smaller boards are its upper left corner, so that
a 6x6 board reaches from a10 to f15. ``side`` 1 is black, 2 white; ``rule`` 0 freestyle, 1 standard, 2 renju.
``blackStones`` and ``whiteStones`` are set up, ``stones`` are then played in turn from black; ``A0`` passes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.errors import NotationError, shown
from gomoku_patterns.notation.json_position import parse_json
from gomoku_patterns.notation.moves import play_string
from gomoku_patterns.notation.origin import Frame, check_size
from gomoku_patterns.notation.text import Entry, Text, TextOptions, alternating
from gomoku_patterns.rules import Rule

LABELS = 15
COVER = 0
_RULES = {0: Rule.FREESTYLE, 1: Rule.STANDARD, 2: Rule.RENJU}
_SETTINGS = {"title": "", "size": 15, "rule": 2, "mode": 96, "level": 3, "comment": ""}
_KEYS = (*_SETTINGS, "stones", "blackStones", "whiteStones", "side", "options", "labels", "randomRotate")
_LINK = ("stones", "blackStones", "whiteStones", "size", "", "side", "rule", "mode", "randomRotate", "level", "options")


def read_lfz(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The puzzles of a collection, cover pages left out; or the lists of a KaiBao file."""
    value = parse_json(text.text, text.source, text.first_line)
    if isinstance(value, list):
        return _numbered(value, _kaibao, options, text)
    if not isinstance(value, dict):
        raise NotationError(f"expected a puzzle collection, found {shown(value)}", source=text.source)
    given = value.get("defaultSettings")
    defaults, puzzles = {} if given is None else given, value.get("puzzles", [value])
    if not isinstance(puzzles, list) or not isinstance(defaults, dict):
        raise NotationError("expected a list of puzzles and an object of defaultSettings", source=text.source)
    # Of the defaults only what a puzzle can say: each puzzle repeats them.
    usual = {**_SETTINGS, **{key: defaults[key] for key in _KEYS if key in defaults}}
    wanted = [item for item in puzzles if not (isinstance(item, dict) and {**usual, **item}["mode"] == COVER)]
    return _numbered(wanted, partial(_puzzle, usual), options, text)


def read_lfz_links(text: Text, options: TextOptions) -> Iterator[Entry]:
    """The puzzles of the editor's links, ``...#stones&black&white&size&0&side&rule&mode&...``, one a line."""
    from urllib.parse import unquote

    for number, (offset, line) in enumerate(text.lines(), text.first_line):
        if line.strip():
            if "&" not in line.partition("#")[2]:
                link = "a link such as https://example.org/puzzle.html#H8H9&&&15&0&1&2"
                raise text.error(offset, link, line.strip()[:40])
            parts = [unquote(part) for part in line.partition("#")[2].strip().split("&")]
            named: dict[str, Any] = {name: part for name, part in zip(_LINK, parts, strict=False) if name and part}
            for name in ("size", "side", "rule", "mode", "level"):
                if name in named and named[name].isascii() and named[name].isdigit() and len(named[name]) < 6:
                    named[name] = int(named[name])
            yield from _numbered([named], partial(_puzzle, _SETTINGS), options, text, line=number)


def write_lfz(entries: Iterable[Entry], options: TextOptions) -> Iterator[str]:
    """A collection; square boards up to 15x15 under freestyle, standard or renju."""
    puzzles = [_value(entry, options) for entry in entries]
    lines = ",\n".join("  " + json.dumps(puzzle, ensure_ascii=False) for puzzle in puzzles)
    yield '{"defaultSettings": {"title": "", "size": 15, "rule": 2, "mode": 96, "level": 3, "comment": ""},\n'
    yield f' "puzzles": [\n{lines}\n]}}\n'


def _numbered(
    items: list[Any], read: Any, options: TextOptions, text: Text, line: int | None = None
) -> Iterator[Entry]:
    for number, item in enumerate(items, 1):
        try:
            yield read(item, options)
        except NotationError as error:
            where = f"puzzle {number}: " if line is None else ""
            raise NotationError(where + error.message, source=text.source, line=line, code=error.code) from None


def _puzzle(usual: Mapping[str, Any], said: object, options: TextOptions) -> Entry:
    if not isinstance(said, Mapping):
        raise NotationError(f"expected an object, found {shown(said)}")
    item = {**usual, **said}
    frame = _frame(item.get("size"), options)
    board = _setup(item, frame, options)
    moves = _string(item, "stones")
    try:
        play_string(Text(moves), 0, len(moves), board, frame)
        chosen = play_string(Text(_string(item, "options")), 0, len(_string(item, "options")), Board(22), frame)
    except NotationError as error:
        raise NotationError(f"{error.message} in stones or options", code=error.code) from None
    board.turn = _side(item.get("side"), board.turn)
    notes = {key: item[key] for key in ("mode", "level", "randomRotate", "labels") if key in item}
    if len(chosen):
        notes["options"] = [move.cell for move in chosen.moves]
    title, comment = ("" if item.get(key) is None else str(item[key]) for key in ("title", "comment"))
    return Entry(board, title=title, comment=comment, notes=notes)


def _frame(size: object, options: TextOptions) -> Frame:
    rows, cols = check_size(size, size)
    frame = options.frame("bottom", rows, cols)
    return Frame(rows, cols, frame.origin, max(LABELS, rows))


def _setup(item: Mapping[str, Any], frame: Frame, options: TextOptions) -> Board:
    """The stones that are set up; they leave the turn with black, who plays the first of ``stones``."""
    cells: dict[Cell, Colour] = {}
    for key, colour in (("blackStones", BLACK), ("whiteStones", WHITE)):
        text = _string(item, key)
        try:
            played = play_string(Text(text), 0, len(text), Board(22), frame)
        except NotationError as error:
            raise NotationError(f"{error.message} in {key}", code=error.code) from None
        for cell in (move.cell for move in played.moves):
            if cell in cells:
                raise NotationError(f"{key}: there is a stone on {frame.name(cell)!r} already", code="cell-taken")
            cells[cell] = colour
    black, white = ([cell for cell, stone in cells.items() if stone is colour] for colour in (BLACK, WHITE))
    rule = options.rule or _rule(item.get("rule"))
    return Board(frame.rows, frame.cols, black=black, white=white, rule=rule, turn=BLACK)


def _string(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NotationError(f"expected a string of cells in {key}, found {shown(value)}")
    return value


def _rule(value: object) -> Rule:
    if type(value) is int and value in _RULES:
        return _RULES[value]
    raise NotationError(f"expected the rule 0 (freestyle), 1 (standard) or 2 (renju), found {shown(value)}")


def _side(value: object, natural: Colour) -> Colour:
    if value is None:
        return natural
    if type(value) is int and value in (1, 2):
        return Colour(value)
    raise NotationError(f"expected the side 1 (black) or 2 (white), found {shown(value)}")


def _kaibao(item: object, options: TextOptions) -> Entry:
    frame = options.frame("bottom", LABELS, LABELS)
    if not isinstance(item, list):
        raise NotationError(f"expected a list of stones such as 'H8,1', found {shown(item)}")
    stones: dict[Cell, Colour] = {}
    for stone in item:
        name, _, colour = stone.partition(",") if isinstance(stone, str) else ("", "", "")
        cell = frame.parse_name(name.strip())
        if cell is None or colour.strip() not in ("1", "2"):
            raise NotationError(f"expected a stone such as 'H8,1' or 'H9,2', found {shown(stone)}")
        if cell in stones:
            raise NotationError(f"there is a stone on the cell of {shown(stone)} already", code="cell-taken")
        stones[cell] = Colour(int(colour))
    black, white = ([cell for cell, stone in stones.items() if stone is colour] for colour in (BLACK, WHITE))
    return Entry(Board(LABELS, black=black, white=white, rule=options.rule or Rule.FREESTYLE))


def _value(entry: Entry, options: TextOptions) -> dict[str, Any]:
    board = entry.board
    rule = next((code for code, rule in _RULES.items() if rule is board.rule), None)
    if board.rows != board.cols or board.rows > LABELS or rule is None:
        raise NotationError(
            "expected a square board up to 15x15 under freestyle, standard or renju, since the collection knows no "
            f"other, found {board.rows}x{board.cols} under {board.rule.value}"
        )
    origin = options.frame("bottom", board.rows, board.cols).origin
    frame = Frame(board.rows, board.cols, origin, LABELS)
    title = {key: text for key, text in (("title", entry.title), ("comment", entry.comment)) if text}
    return {**_stones(board, frame), "side": int(board.turn), "rule": rule, "size": board.rows, **title}


def _stones(board: Board, frame: Frame) -> dict[str, str]:
    def names(cells: Iterable[Cell | None]) -> str:
        return "".join("A0" if cell is None else frame.name(cell).upper() for cell in cells)

    if len(board.moves) == len(board) > 0:
        played = list(alternating(board))
        return {"stones": names(played if played[-1] else played[:-1])}
    return {"blackStones": names(board.stones(BLACK)), "whiteStones": names(board.stones(WHITE))}
