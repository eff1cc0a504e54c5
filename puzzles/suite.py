"""Suites of puzzles: levels as data, read one by one, checked, and written.

A suite is a TOML file: a few lines about the suite, then one ``[[level]]`` after the other, each starting on a line of
its own, so that a suite of thousands is read level by level::

    suite = "mine"
    title = "My puzzles"
    rule = "renju"                     # also rows, cols, to_move: for all levels that do not say otherwise

    [[level]]
    number = 1
    title = "A first one"
    black = "h8 i9 7,6"                # names, or row,col from the top left; a list does as well
    white = ["h9", [6, 8]]
    to_move = "black"                  # without it white with one stone less, and black otherwise
    depth = 5                          # how deep the source's search looks
    length = 7                         # plies of the known solution, the five included
    wins = "g7 k11"                    # first moves that are known to win
    line = "g7 f6 k11"                 # the solution: moves of both sides from here on
    band = 4                           # how difficult it is, from 1 to 10
    tags = ["double_three", "edge"]    # what it shows: names from puzzles.TAGS
    source = "..."
    comment = "..."
    recorded = { nodes = 3941 }        # figures for regression tests, as you like

A ``.jsonl`` suite has the same keys in one JSON object a line, the first of them about the suite if it has ``suite``.
Any other notation does too: its positions are then numbered from 1.

>>> level = load("huanle").level(16)
>>> level.board.turn, level.depth, len(level.board)
(BLACK, 5, 12)
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any, cast

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import GomokuError, NotationError, SuiteError, shown, unknown
from gomoku_patterns.files import exists, open_file, replacing
from gomoku_patterns.notation import (
    Entry,
    GameTree,
    json_position,
    parse_json_position,
    read_positions,
    write_positions,
)
from gomoku_patterns.notation.json_position import parse_json
from gomoku_patterns.quantities import amount
from gomoku_patterns.toml_text import TomlError, parse_toml, toml_lines
from puzzles.tags import TAGS

POSITION = ("rows", "cols", "rule", "black", "white", "to_move")
SUITE_KEYS = ("suite", "title", "source", "notes", "rows", "cols", "rule", "to_move")
_KNOWN = ("depth", "length", "wins", "line", "band", "tags")
LEVEL_KEYS = ("number", "title", *POSITION, *_KNOWN, "source", "comment", "recorded", "id")
LARGEST_NUMBER = 999_999_999
"""The largest number of a level; a TOML file may hold numbers that Python cannot even print."""
LONGEST_LEVEL = 2**20
"""How many bytes of a file one level may take: a full board with its solution takes a hundredth of it."""
BANDS = range(1, 11)
"""How difficult a level is, the easiest first."""
PROPERTY = "GOMOKU"
"""The private property of an SGF game that keeps the facts of a level, as JSON."""
_PROPERTY_KEYS = ("number", "depth", "length", "wins", "band", "tags", "source", "recorded")
_TEXTS = ("title", "source", "comment", "notes", "suite")

_HEADER = re.compile(r"\s*\[\[\s*level\s*\]\]")
_WORD = re.compile(r"([A-Za-z][0-9]{1,2})|([0-9]{1,3})\s*,\s*([0-9]{1,3})", re.ASCII)


@dataclass(frozen=True)
class Level:
    """One puzzle: the side to move shall win."""

    number: int
    position: Board
    title: str = ""
    depth: int | None = None
    length: int | None = None
    wins: tuple[Cell, ...] = ()
    line: tuple[Cell, ...] = ()
    band: int | None = None
    tags: tuple[str, ...] = ()
    source: str = ""
    comment: str = ""
    recorded: Mapping[str, Any] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The position, as a board of one's own."""
        return self.position.copy()

    def row(self) -> dict[str, Any]:
        """The level as a row of a table."""
        name = self.position.name
        return {
            "number": self.number,
            "title": self.title,
            "rule": self.position.rule.value,
            "stones": len(self.position),
            "to_move": str(self.position.turn),
            "depth": self.depth,
            "length": self.length,
            "wins": " ".join(map(name, self.wins)),
            "band": self.band,
            "tags": " ".join(self.tags),
            "source": self.source,
        }

    def __str__(self) -> str:
        return f"level {self.number}" + (f" ({self.title})" if self.title else "")


Faulty = Callable[[int, str], None]
"""Told of a level that cannot be read: its number, as far as it is known, and what is wrong with it."""


class Suite:
    """A suite: what it is called, and its levels. Every iteration reads them anew, one at a time."""

    def __init__(self, about: Mapping[str, Any], levels: Callable[[], Iterator[Level]], where: str) -> None:
        self.name: str = about.get("suite") or Path(where).stem
        self.title: str = about.get("title") or self.name
        self.source: str = about.get("source", "")
        self.notes: str = about.get("notes", "")
        self.where = where
        self._levels = levels
        self._count: int | None = None

    @property
    def about(self) -> dict[str, str]:
        """What is said of the whole suite beside its name, for :func:`write`."""
        title = "" if self.title == self.name else self.title
        return {"title": title, "source": self.source, "notes": self.notes}

    def __iter__(self) -> Iterator[Level]:
        return self._levels()

    def __len__(self) -> int:
        if self._count is None:
            self._count = sum(1 for _ in self)
        return self._count

    def level(self, number: int) -> Level:
        """The level with this number."""
        for level in self:
            if level.number == number:
                return level
        raise SuiteError(f"{self.where}: there is no level {number}")

    def only(self, numbers: Sequence[range]) -> Suite:
        """A suite of those levels whose numbers are in one of the ranges; an error if there are none."""

        def levels() -> Iterator[Level]:
            return (level for level in self if any(level.number in part for part in numbers))

        chosen = Suite({"suite": self.name, "title": self.title}, levels, self.where)
        if not len(chosen):
            wanted = ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in numbers)
            raise SuiteError(f"{self.name!r} has {amount(len(self), 'level')}, but none with the number {wanted}")
        return chosen

    def check(self) -> Suite:
        """Read every level once, so that a fault shows before any work is done; only one is held at a time."""
        self._count = sum(1 for _ in self)
        if not self._count:
            raise SuiteError(f"{self.where}: there are no levels in it")
        return self

    def __repr__(self) -> str:
        return f"<Suite {self.name!r} with {amount(len(self), 'level')}>"


# ---------------------------------------------------------------------- reading


_BUILT_IN = (".toml", ".jsonl.gz")
FIRST = "huanle"


def suite_names() -> list[str]:
    """The suites that are built in, the one that is loaded without a name first."""
    names = [entry.name for entry in files("puzzles").iterdir()]
    found = (name.removesuffix(suffix) for name in names for suffix in _BUILT_IN if name.endswith(suffix))
    return sorted(found, key=lambda name: (name != FIRST, name))


def load(name: str = FIRST, faulty: Faulty | None = None) -> Suite:
    """A built-in suite by its name, or a user's own by its path; see :func:`read`."""
    if name in suite_names():
        return _built_in(name)
    if not exists(name):
        raise SuiteError(f"{unknown('suite', name, suite_names())} (your own is the path of a file)")
    return read(name, faulty)


def _built_in(name: str) -> Suite:
    """A suite of the package. That its levels are sound is tested when it is made, so they are read when asked for."""
    toml = files("puzzles").joinpath(f"{name}.toml")
    if toml.is_file():
        text = toml.read_text(encoding="utf-8")
        return _toml_suite(lambda: text.split("\n"), name).check()
    lines = gzip.decompress(files("puzzles").joinpath(f"{name}.jsonl.gz").read_bytes()).decode().split("\n")
    return _json_suite(lambda: lines, name)


def read(path: str | Path, faulty: Faulty | None = None) -> Suite:
    """The suite in a file: TOML, JSON lines, or any notation. Every level is checked; none is kept in memory.

    With ``faulty`` a level that cannot be read is no error: it is left out, and the function is told of it.
    """
    path = Path(path)
    if path.suffix.lower() == ".toml":
        suite = _toml_suite(lambda: _file_lines(path), str(path), faulty)
    elif path.suffix.lower() in (".jsonl", ".ndjson"):
        suite = _json_suite(lambda: _file_lines(path), str(path), faulty)
    else:
        suite = Suite({}, lambda: _translated(read_positions(path), str(path)), str(path))
    return suite.check()


def read_text(text: str | bytes, where: str = "suite", faulty: Faulty | None = None) -> Suite:
    """The suite in a text; see :func:`read`."""
    words = _decoded(text, where) if isinstance(text, bytes) else text
    if re.search(r"^\s*\[\[\s*level\s*\]\]", words, re.MULTILINE):
        suite = _toml_suite(lambda: words.split("\n"), where, faulty)
    elif is_suite_line(words[:LONGEST_LEVEL].lstrip().partition("\n")[0]):
        suite = _json_suite(lambda: words.split("\n"), where, faulty)
    else:
        suite = Suite({}, lambda: _translated(read_positions(text, name=where), where), where)
    return suite.check()


def levels_of(entries: Iterable[Entry], from_start: bool = True) -> Iterator[Level]:
    """Yield levels from the entries of a collection; those that have no number, or a taken one, count on.

    The puzzle of a game whose root sets stones up is where the game starts, and its main line is the solution. What
    SGF has no word for is read from the property that :func:`level_entry` writes.
    """
    taken: set[int] = set()
    largest = 0
    for place, entry in enumerate(entries, 1):
        level = _level_of(entry, place, from_start)
        if level.number in taken:
            level = replace(level, number=largest + 1)
        taken.add(level.number)
        largest = max(largest, level.number)
        yield level


def _level_of(entry: Entry, number: int, from_start: bool) -> Level:
    tree = entry.tree if from_start else None
    known = entry.notes.get("level")
    if isinstance(known, Level) and tree is not None and entry.board == known.position:
        return known
    plain = Level(number, entry.board.copy(moves=False), title=entry.title, comment=entry.comment)
    if known is not None or tree is None or not tree.root.setup:
        return plain
    start = tree.start().copy(moves=False)
    line = _solution(tree, start)
    ends = line and _after(start, line).winner() is not None
    found = replace(plain, position=start, wins=line[:1], line=line, length=len(line) if ends else None)
    return _with_facts(found, tree.info[PROPERTY]) if PROPERTY in tree.info else found


def _solution(tree: GameTree, start: Board) -> tuple[Cell, ...]:
    """Return the main line as far as both sides play in turn."""
    cells: list[Cell] = []
    colour = start.turn
    for node in tree.main_line()[1:]:
        if node.move is None or node.colour is not colour or node.setup:
            break
        cells.append(node.move.cell)
        colour = colour.opponent
    return tuple(cells)


def _after(start: Board, line: Iterable[Cell]) -> Board:
    board = start.copy(moves=False)
    for cell in line:
        board.push(cell)
    return board


def _with_facts(level: Level, text: str) -> Level:
    """Return the level with the facts that the private property of its game says."""
    place = f"game {level.number}: {PROPERTY}"
    facts = _parse_line(text, place, 1)
    if not isinstance(facts, dict):
        raise SuiteError(f"{place}: expected a JSON object, found {shown(facts)}")
    _check_keys(facts, _PROPERTY_KEYS, place)
    number = facts.get("number", level.number)
    _check_number(number, place)
    said = {"title": level.title, "comment": level.comment, "line": [list(cell) for cell in level.line]}
    return _level(number, {**json_position(level.position), **said, **facts}, place)


def level_entry(level: Level) -> Entry:
    """Return the level as an entry: its position, and a game that begins there with the solution as its main line.

    A private property of the game keeps what SGF has no word for, so that :func:`levels_of` gives the level back.
    """
    written = _written(level)
    facts = {key: written[key] for key in _PROPERTY_KEYS if written[key] is not None}
    tree = GameTree.from_board(level.position.copy(moves=False))
    tree.root.turn, tree.root.comment = level.position.turn, level.comment
    tree.info = {"GN": level.title} if level.title else {}
    tree.info[PROPERTY] = json.dumps(facts, ensure_ascii=False)
    node, colour = tree.root, level.position.turn
    for cell in level.line:
        node, colour = node.add(cell=cell, colour=colour), colour.opponent
    return Entry(
        level.board, id=level.number, title=level.title, comment=level.comment, tree=tree, notes={"level": level}
    )


def is_suite_line(line: str | bytes) -> bool:
    """Whether the first line of some JSON lines is one of a suite, and not a position."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and not value.keys().isdisjoint(("suite", "number", *_KNOWN))


Lines = Callable[[], Iterable[str]]
Chunk = tuple[int, str]
Value = tuple[int, Callable[[], Any]]
"""A line of the file, and what parses the level that begins there."""


def _toml_suite(lines: Lines, where: str, faulty: Faulty | None = None) -> Suite:
    about = _about(_parse_toml(next(_chunks(lines(), where)), where), where)

    def levels() -> Iterator[Level]:
        chunks = islice(_chunks(lines(), where), 1, None)
        return _numbered(
            ((line, partial(_level_table, line, text, where)) for line, text in chunks), about, where, faulty
        )

    return Suite(about, levels, where)


def _json_suite(lines: Lines, where: str, faulty: Faulty | None = None) -> Suite:
    def values() -> Iterator[Value]:
        for number, line in enumerate(lines(), 1):
            if line.strip():
                yield number, partial(_parse_line, line, where, number)

    first = next(values(), None)
    told = _header_of(first, faulty)
    header = isinstance(told, dict) and "suite" in told
    about = _about(told, where) if header else {}
    return Suite(about, lambda: _numbered(islice(values(), int(header), None), about, where, faulty), where)


def _header_of(first: Value | None, faulty: Faulty | None) -> Any:
    """What the first line says; nothing if it cannot be read and that is no error."""
    try:
        return first[1]() if first else {}
    except SuiteError:
        if faulty is None:
            raise
        return {}


def _parse_line(line: str, where: str, number: int) -> Any:
    try:
        return parse_json(line, where, number)
    except NotationError as error:
        raise SuiteError(str(error)) from None


def _chunks(lines: Iterable[str], where: str) -> Iterator[Chunk]:
    """The part before the first ``[[level]]``, then each level, with the numbers of their first lines."""
    start, length = 1, 0
    chunk: list[str] = []
    for number, line in enumerate(lines, 1):
        if _HEADER.match(line):
            yield start, "\n".join(chunk)
            start, chunk, length = number, [], 0
        chunk.append(line.rstrip("\r\n"))
        length += len(line) + 1
        if length > LONGEST_LEVEL:
            raise SuiteError(f"{where}:{start}: a level of more than {LONGEST_LEVEL:,} characters; is this a suite?")
    yield start, "\n".join(chunk)


def _file_lines(path: Path) -> Iterator[str]:
    try:
        with open_file(path) as stream:
            for number, line in enumerate(iter(lambda: stream.readline(LONGEST_LEVEL + 1), b""), 1):
                if len(line) > LONGEST_LEVEL:
                    raise SuiteError(f"{path}:{number}: a line of more than {LONGEST_LEVEL:,} bytes; is this a suite?")
                yield _decoded(line, f"{path}:{number}")
    except OSError as error:
        raise SuiteError(f"{path}: cannot read it: {(error.strerror or 'an error').lower()}") from None


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SuiteError(f"{where}: this is not UTF-8 text: byte 0x{data[error.start]:02x}") from None


def _parse_toml(chunk: Chunk, where: str) -> dict[str, Any]:
    first, text = chunk
    try:
        return parse_toml(text)
    except TomlError as error:
        column = f":{error.column}" if error.column is not None else ""
        raise SuiteError(f"{where}:{first + (error.line or 1) - 1}{column}: {error}") from None


def _level_table(line: int, text: str, where: str) -> Any:
    tables = _parse_toml((line, text), where)
    for key in tables:
        if key != "level":
            raise SuiteError(f"{where}:{line}: after [[level]] only keys of the level can follow, not [{key}]")
    return tables["level"][0]


def _about(value: Any, where: str) -> dict[str, Any]:
    about = dict(value)
    _check_keys(about, SUITE_KEYS, where)
    _check_texts(about, where)
    return about


def _numbered(values: Iterable[Value], about: Mapping[str, Any], where: str, faulty: Faulty | None) -> Iterator[Level]:
    """The levels, each checked; numbers that are missing count on from the one before."""
    defaults = {key: about[key] for key in ("rows", "cols", "rule", "to_move") if key in about}
    seen: set[int] = set()
    last = 0
    for line, parse in values:
        last += 1
        try:
            value = parse()
            last = _number(value, last, seen, f"{where}:{line}")
            level = _level(last, {**defaults, **value}, f"{where}:{line}: level {last}")
        except SuiteError as error:
            if faulty is None:
                raise
            faulty(last, str(error))
        else:
            yield level


def _number(value: Any, default: int, seen: set[int], place: str) -> int:
    """The number of a level, which no level before it has."""
    if not isinstance(value, Mapping):
        raise SuiteError(f"{place}: a level is a table of keys, not {shown(value)}")
    number: int = value.get("number", default)
    _check_number(number, place)
    if number in seen:
        raise SuiteError(f"{place}: level {number} is there twice")
    seen.add(number)
    return number


def _check_number(number: object, place: str) -> None:
    if type(number) is not int or number < 0:
        raise SuiteError(f"{place}: a level's number is a whole number from 0, not {shown(number)}")
    if number > LARGEST_NUMBER:
        raise SuiteError(f"{place}: a level's number is at most {LARGEST_NUMBER:,}, not {shown(number)}")


def _level(number: int, value: Mapping[str, Any], place: str) -> Level:
    _check_keys(value, LEVEL_KEYS, place)
    _check_texts(value, place)
    board = _board(value, place)
    return Level(
        number,
        board,
        title=value.get("title", ""),
        depth=_count(value, "depth", place),
        length=_count(value, "length", place),
        wins=_wins(value, board, place),
        line=_line(value, board, place),
        band=_band(value, place),
        tags=_tags(value, place),
        source=value.get("source", ""),
        comment=value.get("comment", ""),
        recorded=_recorded(value, place),
    )


def _recorded(value: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The figures of a level, such as JSON can carry; a date of a TOML file becomes its text."""
    given = value.get("recorded", {})
    if not isinstance(given, dict):
        raise SuiteError(f"{place}: recorded is a table of figures, not {shown(given)}")
    try:
        return cast("dict[str, Any]", json.loads(json.dumps(given, default=str, allow_nan=False)))
    except (ValueError, RecursionError):
        raise SuiteError(f"{place}: recorded has a number that is not finite, or too large") from None


def _board(value: Mapping[str, Any], place: str) -> Board:
    position = {key: value[key] for key in POSITION if key in value}
    for colour in ("black", "white"):
        if isinstance(position.get(colour), str):
            position[colour] = _cells(position[colour], colour, place)
    try:
        board = parse_json_position(position)
    except GomokuError as error:
        raise SuiteError(f"{place}: {error}") from None
    if (winner := board.winner()) is not None:
        raise SuiteError(f"{place}: {winner} has already won this game")
    if board.is_full():
        raise SuiteError(f"{place}: the board is full")
    return board


def _cells(text: str, key: str, place: str) -> list[Any]:
    """The names and ``row,col`` pairs of a text, as a JSON position has them."""
    found: list[Any] = [word[1] or [int(word[2]), int(word[3])] for word in _WORD.finditer(text)]
    rest = _WORD.sub("", text).replace(";", "").replace(",", "").strip()
    if rest:
        raise SuiteError(f"{place}: cannot read {shown(rest)} in {key}; write cells as 'h8 i9' or '7,7 6,8'")
    return found


def _wins(value: Mapping[str, Any], board: Board, place: str) -> tuple[Cell, ...]:
    cells = _cells_of(value, "wins", board, place)
    for cell in cells:
        if not board.is_empty(cell):
            raise SuiteError(f"{place}: wins names {board.name(cell)}, where there is a stone")
    return cells


def _line(value: Mapping[str, Any], board: Board, place: str) -> tuple[Cell, ...]:
    cells = _cells_of(value, "line", board, place)
    after = board.copy(moves=False)
    for cell in cells:
        try:
            after.push(cell)
        except GomokuError as error:
            raise SuiteError(f"{place}: {error} in line") from None
    return cells


def _cells_of(value: Mapping[str, Any], key: str, board: Board, place: str) -> tuple[Cell, ...]:
    given = value.get(key, [])
    given = _cells(given, key, place) if isinstance(given, str) else given
    if not isinstance(given, list):
        raise SuiteError(f"{place}: {key} is a list of cells, not {shown(given)}")
    try:
        return tuple(board.cell(tuple(item) if isinstance(item, list) else item) for item in given)
    except GomokuError as error:
        raise SuiteError(f"{place}: {error} in {key}") from None


def _band(value: Mapping[str, Any], place: str) -> int | None:
    given = value.get("band")
    if given is not None and (type(given) is not int or given not in BANDS):
        raise SuiteError(f"{place}: band is a whole number from {BANDS[0]} to {BANDS[-1]}, not {shown(given)}")
    return given


def _tags(value: Mapping[str, Any], place: str) -> tuple[str, ...]:
    given = value.get("tags", [])
    if not isinstance(given, list):
        raise SuiteError(f"{place}: tags is a list of names, not {shown(given)}")
    for name in given:
        if not isinstance(name, str) or name not in TAGS:
            raise SuiteError(f"{place}: {unknown('tag', name, TAGS)}")
    return tuple(given)


def _count(value: Mapping[str, Any], key: str, place: str) -> int | None:
    given = value.get(key)
    if given is not None and (type(given) is not int or given < 1):
        raise SuiteError(f"{place}: {key} is a whole number from 1, not {shown(given)}")
    if given is not None and given > LARGEST_NUMBER:
        raise SuiteError(f"{place}: {key} is at most {LARGEST_NUMBER:,}, not {shown(given)}")
    return given


def _check_keys(value: Mapping[str, Any], known: tuple[str, ...], place: str) -> None:
    for key in value:
        if key not in known:
            raise SuiteError(f"{place}: {unknown('key', key, known)}")


def _check_texts(value: Mapping[str, Any], place: str) -> None:
    for key in _TEXTS:
        if not isinstance(value.get(key, ""), str):
            raise SuiteError(f"{place}: {key} is a text, not {shown(value[key])}")


def _translated(entries: Iterable[Entry], where: str) -> Iterator[Level]:
    try:
        for level in levels_of(entries):
            if (winner := level.position.winner()) is not None:
                raise SuiteError(f"{where}: level {level.number}: {winner} has already won this game")
            yield level
    except NotationError as error:
        raise SuiteError(str(error)) from None


# ---------------------------------------------------------------------- writing


SuitePieces = Callable[..., Iterator[str]]


def suite_writer(path: str | Path) -> SuitePieces:
    """Return what writes a suite to a file of this name: :func:`suite_text`, :func:`suite_lines` or SGF."""
    writers: dict[str, SuitePieces] = {
        ".toml": suite_text,
        ".jsonl": suite_lines,
        ".ndjson": suite_lines,
        ".sgf": suite_games,
    }
    suffix = Path(path).suffix.lower()
    if suffix not in writers:
        raise SuiteError(
            f"{path}: a suite is written as TOML, JSON lines or SGF; end the name in .toml, .jsonl or .sgf"
        )
    return writers[suffix]


def write(
    path: str | Path,
    levels: Iterable[Level],
    *,
    name: str | None = None,
    title: str = "",
    source: str = "",
    notes: str = "",
) -> None:
    """Write a suite as TOML, JSON lines or SGF; the file is replaced when all levels have been written."""
    pieces = suite_writer(path)(name or Path(path).stem, levels, title=title, source=source, notes=notes)
    with replacing(path) as stream:
        stream.writelines(piece.encode() for piece in pieces)


def suite_games(
    name: str, levels: Iterable[Level], *, title: str = "", source: str = "", notes: str = ""
) -> Iterator[str]:
    """Yield each level as a game in SGF; SGF has no place for what is said of the whole suite."""
    return write_positions(map(level_entry, levels), "sgf")


def suite_text(
    name: str, levels: Iterable[Level], *, title: str = "", source: str = "", notes: str = ""
) -> Iterator[str]:
    """A suite as pieces of TOML, a level at a time."""
    about = {"suite": name, "title": title or None, "source": source or None, "notes": notes or None}
    yield "".join(f"{line}\n" for line in toml_lines(about))
    for level in levels:
        yield "\n[[level]]\n" + "".join(f"{line}\n" for line in toml_lines(_written(level)))


def suite_lines(
    name: str, levels: Iterable[Level], *, title: str = "", source: str = "", notes: str = ""
) -> Iterator[str]:
    """A suite as JSON lines, the first of them about the suite."""
    about = {"suite": name, "title": title, "source": source, "notes": notes}
    yield json.dumps({key: value for key, value in about.items() if value}, ensure_ascii=False) + "\n"
    for level in levels:
        keys = {key: value for key, value in _written(level).items() if value is not None}
        yield json.dumps(keys, ensure_ascii=False) + "\n"


LEVEL_COLUMNS = ("number", "title", *POSITION, *_KNOWN, "source", "comment")
"""What a row of :func:`level_row` says."""


def level_row(level: Level) -> dict[str, Any]:
    """Return the level as a row of a table: what :func:`suite_text` writes, without the recorded figures."""
    position, written = level.position, _written(level)
    row = {**written, "rows": position.rows, "cols": position.cols, "tags": " ".join(level.tags)}
    return {key: row[key] for key in LEVEL_COLUMNS}


def _written(level: Level) -> dict[str, Any]:
    """The keys of a level; None for those that are left out."""
    position = json_position(level.position)
    usual = (position["rows"], position["cols"]) == (15, 15)
    return {
        "number": level.number,
        "title": level.title or None,
        "rows": None if usual else position["rows"],
        "cols": None if usual else position["cols"],
        "rule": position["rule"],
        "black": " ".join(position["black"]),
        "white": " ".join(position["white"]),
        "to_move": position["to_move"],
        "depth": level.depth,
        "length": level.length,
        "wins": " ".join(level.position.name(cell) for cell in level.wins) or None,
        "line": " ".join(level.position.name(cell) for cell in level.line) or None,
        "band": level.band,
        "tags": list(level.tags) or None,
        "source": level.source or None,
        "comment": level.comment or None,
        "recorded": level.recorded or None,
    }
