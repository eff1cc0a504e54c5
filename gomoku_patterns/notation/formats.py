"""The notations by name: how each is recognised, read and written; and the functions that users call.

>>> board = read_position("h8 h9 i9")
>>> print(write_position(board, "moves"), end="")
h8h9i9
>>> [entry.board.turn for entry in read_positions('{"black": ["h8"]}')]
[WHITE]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import Any

from gomoku_patterns.board import Board
from gomoku_patterns.errors import BoardError, GomokuError, NotationError, shown, unknown
from gomoku_patterns.files import MAX_BYTES, open_file, read_file, too_large
from gomoku_patterns.notation.origin import Origin, check_size, parse_origin
from gomoku_patterns.notation.text import Entry, Text, TextOptions
from gomoku_patterns.rules import Rule

Read = Callable[[Text, TextOptions], Iterator[Entry]]
Write = Callable[[Iterable[Entry], TextOptions], Iterator[str]]
Source = str | bytes | Path


@dataclass(frozen=True)
class Format:
    """A notation: its name, what it is, the file names it goes by, where its rows start, and what it can do."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    origin: Origin
    read: Read | None
    write: Write | None
    many: bool = True


def _late(module: str, function: str) -> Callable[..., Any]:
    """A function of one notation's module, which is imported when it is called: most runs meet one notation only."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"gomoku_patterns.notation.{module}"), function)(*arguments)

    return call


def _format(name: str, title: str, suffix: str, origin: Origin, home: str, **more: Any) -> Format:
    """A notation at home in ``module.what``: the module has ``read_what`` and ``write_what``."""
    module, _, what = home.partition(".")
    read, write = _late(module, f"read_{what}"), _late(module, f"write_{what}")
    return Format(name, title, tuple(suffix.split()), origin, **{"read": read, "write": write, **more})


_ALL = (
    _format("json", "JSON position, or a list of them", ".json", "bottom", "json_lines.json"),
    _format("jsonl", "one JSON position a line", ".jsonl .ndjson", "bottom", "json_lines.json_lines"),
    _format("grid", "board drawn as text", ".txt", "top", "grid.grids"),
    _format("moves", "position string h8i9...", ".pos", "bottom", "moves.moves"),
    _format("cells", "black: h8 i9 white: h9", ".cells", "bottom", "cell_list.cell_lists"),
    _format("sgf", "SGF FF[4] GM[4], with variations", ".sgf", "top", "sgf.sgf"),
    _format("psq", "Piskvork game", ".psq", "top", "piskvork.psq", many=False),
    _format("rec", "Piskvork record, names then moves", ".rec", "top", "piskvork.rec", many=False),
    _format("gomocup", "Gomocup BOARD block", ".board", "top", "gomocup.gomocup"),
    _format("openings", "Gomocup openings, steps from the centre", ".openings", "top", "openings.openings"),
    _format("lfz", "lfz084 puzzle collection (and KaiBao lists)", ".lfz", "bottom", "lfz.lfz"),
    _format("lfz-link", "lfz084 puzzle link", "", "bottom", "lfz.lfz_links", write=None),
    _format("link", "link https://gomocalc.com/#/h8i9", ".url", "bottom", "moves.links"),
    Format("lib", "RenLib library", (".lib",), "top", None, None, many=False),
)
FORMATS = {entry.name: entry for entry in _ALL}

_JSON_PUZZLE = re.compile(r'"(puzzles|stones|blackStones|whiteStones|side)"\s*:')
_JSON_POSITION = re.compile(r'"(rows|cols|black|white|to_move)"\s*:')
_ONE_A_LINE = re.compile(r"\s*+\{[^\r\n]*\}[ \t]*+[\r\n]\s*+\{")
_KAIBAO = re.compile(r"\s*\[\s*(?:\[|\]\s*\Z)")
_LFZ_LINK = re.compile(r"[^\s#]*#(?!/)[^\s&]*&")
_LINK = re.compile(r"\s*https?://", re.IGNORECASE)
_PSQ = re.compile(r"\s*Piskvork", re.IGNORECASE)
_DIALOGUE = re.compile(r"\s*(?:START|RECTSTART|INFO|BOARD|YXBOARD)\b", re.IGNORECASE)

# Bytes that are not UTF-8 are read as an SGF file says itself, if it names one of these.
_CHARSETS = {
    "gb18030", "gbk", "gb2312", "big5", "shift_jis", "sjis", "cp932", "euc-jp", "euc-kr", "cp949", "koi8-r",
    "iso-8859-1", "iso-8859-2", "iso-8859-15", "latin1", "latin-1",
    "windows-1250", "windows-1251", "windows-1252", "cp1250", "cp1251", "cp1252",
}  # fmt: skip
_CHARSET = re.compile(rb"\bCA\s*\[\s*([A-Za-z0-9_-]{1,20})\s*\]")


def formats() -> tuple[Format, ...]:
    """All notations."""
    return _ALL


def format_named(name: str) -> Format:
    """The notation with this name."""
    if name not in FORMATS:
        raise NotationError(unknown("format", name, FORMATS))
    return FORMATS[name]


def format_of_suffix(path: str | Path) -> Format | None:
    """The notation that a file of this name is in, if its suffix says so."""
    suffix = Path(path).suffix.lower()
    return next((entry for entry in _ALL if suffix in entry.suffixes), None)


def detect(text: str) -> Format | None:
    """The notation of a text by its content; None if it looks like none."""
    start = text.lstrip()
    if not start:
        return None
    for name, recognise in _SIGNS:
        if recognise(start):
            return FORMATS[name]
    return FORMATS["grid"] if _late("grid", "looks_like_grid")(text) else None


def _is_puzzle(text: str) -> bool:
    """Whether the keys of a JSON object are those of puzzles; the ``id`` of a position may hold anything."""
    return bool(_JSON_PUZZLE.search(text)) and not _JSON_POSITION.search(text)


_SIGNS: tuple[tuple[str, Callable[[str], object]], ...] = (
    ("lfz", lambda text: text[0] == "{" and _is_puzzle(text[:100_000])),
    ("jsonl", lambda text: text[0] == "{" and _ONE_A_LINE.match(text)),
    ("json", lambda text: text[0] == "{"),
    ("lfz", lambda text: text[0] == "[" and _KAIBAO.match(text)),
    ("json", lambda text: text[0] == "["),
    ("sgf", lambda text: text[0] == "("),
    ("psq", _PSQ.match),
    ("gomocup", _DIALOGUE.match),
    ("lfz-link", _LFZ_LINK.match),
    ("link", _LINK.match),
    ("cells", _late("cell_list", "looks_like_cell_list")),
    ("moves", _late("moves", "looks_like_moves")),
    ("psq", _late("piskvork", "looks_like_psq_moves")),
    ("openings", _late("openings", "looks_like_openings")),
    ("rec", _late("piskvork", "looks_like_rec")),
)


def decode(data: bytes, source: str | None = None) -> str:
    """The text in some bytes: UTF-8 with or without a byte order mark, or what an SGF file says of itself."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        charset = _CHARSET.search(data[:10_000])
        name = charset[1].decode().lower() if charset else ""
        if name in _CHARSETS:
            return data.decode(name, errors="replace")
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"expected UTF-8 text, found byte 0x{data[error.start]:02x}"
        raise NotationError(message, source=source, line=line, column=column) from None


def make_options(
    origin: str | None = None,
    size: int | tuple[int, int] | None = None,
    rule: Rule | str | int | None = None,
) -> TextOptions:
    """What a user says about a text, checked."""
    if origin is not None:
        parse_origin(origin, "top")
    if size is None:
        rows = cols = None
    else:
        rows, cols = check_size(*(size if isinstance(size, tuple) else (size, size)))
    return TextOptions(origin, rows, cols, None if rule is None else Rule.parse(rule))


def read_positions(
    source: Source,
    *,
    name: str | None = None,
    format: str | None = None,
    origin: str | None = None,
    size: int | tuple[int, int] | None = None,
    rule: Rule | str | int | None = None,
    max_bytes: int = MAX_BYTES,
) -> Iterator[Entry]:
    """All positions of a text, of bytes, or of the file at a ``Path``, as they are read.

    ``format`` names the notation, which is otherwise detected by content; ``origin`` says where rows are counted from
    if not as the notation does; ``size`` (rows, or rows and columns) is needed where the notation does not say it;
    ``rule`` goes before what the notation says. ``name`` is what errors call the source.

    A ``.jsonl`` file is read line by line, so that any number of positions passes through. Anything else, and each of
    its lines, may have ``max_bytes``.
    """
    options = make_options(origin, size, rule)
    chosen = None if format is None else format_named(format)
    if isinstance(source, Path):
        return _read_file(source, name or str(source), chosen, options, max_bytes)
    if isinstance(source, (str, bytes)) and len(source) > max_bytes:
        raise NotationError(too_large(max_bytes), source=name, code="too-long")
    return _read_data(source, name, chosen, options)


def read_position(
    text: str | bytes,
    source: str | None = None,
    format: str | None = None,
    origin: str | None = None,
    *,
    size: int | tuple[int, int] | None = None,
    rule: Rule | str | int | None = None,
    max_bytes: int = MAX_BYTES,
) -> Board:
    """The one position in a text of any notation, detected by content unless ``format`` names it.

    Of a game it is the end of the main line, its moves pushed. ``source`` is what errors call the text.
    """
    entries = read_positions(text, name=source, format=format, origin=origin, size=size, rule=rule, max_bytes=max_bytes)
    found = list(islice(entries, 2))
    if len(found) > 1:
        line = found[1].line
        raise NotationError(
            "there is a second position here; give one at a time", source=source, line=line, code="several-positions"
        )
    return found[0].board


def write_position(board: Board, format: str, origin: str | None = None) -> str:
    """A position as text of the notation named."""
    return "".join(write_positions([Entry(board)], format, origin))


def write_positions(entries: Iterable[Entry], format: str, origin: str | None = None) -> Iterator[str]:
    """Positions, or games if the entries hold them, as pieces of text in the notation named."""
    chosen = format_named(format)
    if chosen.write is None:
        raise NotationError(f"{format!r} can be read but not written")
    return chosen.write(entries, make_options(origin))


def _read_data(source: str | bytes, name: str | None, chosen: Format | None, options: TextOptions) -> Iterator[Entry]:
    if isinstance(source, bytes) and (chosen.name == "lib" if chosen else _looks_like_lib(source)):
        return _checked(_late("renlib", "read_lib")(source, name, options), name)
    if chosen and chosen.read is None:
        raise NotationError(f"a {chosen.title} is read from bytes, not from text", source=name)
    if not isinstance(source, (str, bytes)):
        raise NotationError(f"expected the text or the bytes of a position, found {source!r:.80}", source=name)
    text = decode(source, name) if isinstance(source, bytes) else source.removeprefix("\ufeff")
    read = (chosen or _detected(text, name)).read
    if read is None:
        raise NotationError("this is not a text", source=name)
    return _checked(read(Text(text, name), options), name)


def _looks_like_lib(data: bytes) -> bool:
    return data[:1] in (b"\xff", b"\x78") and bool(_late("renlib", "looks_like_lib")(data))


def _detected(text: str, name: str | None) -> Format:
    found = detect(text)
    if found is None:
        if not text.strip():
            raise NotationError("the text is empty: there is no position in it", source=name, code="no-position")
        start = shown(text.strip()[:40])
        known = ", ".join(FORMATS)
        wanted = "expected moves such as 'h8 h9 i9', the rows of a board, or one of"
        raise NotationError(f"cannot tell the format of {start}; {wanted} {known}", source=name, code="unknown-format")
    return found


def _read_file(path: Path, name: str, chosen: Format | None, options: TextOptions, max_bytes: int) -> Iterator[Entry]:
    by_suffix = format_of_suffix(path)
    if chosen is None and by_suffix and by_suffix.name in ("lib", "jsonl"):
        chosen = by_suffix
    try:
        if chosen and chosen.name == "jsonl":
            return _checked(_stream_lines(path, name, options, max_bytes), name)
        data = _whole_file(path, name, max_bytes)
    except OSError as error:
        raise unreadable(error, name) from None
    return _read_data(data, name, chosen, options)


def _whole_file(path: Path, name: str, max_bytes: int) -> bytes:
    try:
        return read_file(path, max_bytes)
    except GomokuError as error:
        raise NotationError(str(error), source=name, code=error.code) from None


def _stream_lines(path: Path, name: str, options: TextOptions, max_bytes: int) -> Iterator[Entry]:
    read_line = _late("json_lines", "json_line")
    try:
        with open_file(path) as stream:
            for number, data in enumerate(iter(lambda: stream.readline(max_bytes + 1), b""), 1):
                if len(data) > max_bytes:
                    raise NotationError(too_large(max_bytes), source=name, line=number)
                if data.strip():
                    yield read_line(_line_text(data, name, number), number, options, name)
    except OSError as error:
        raise unreadable(error, name) from None


def _line_text(data: bytes, name: str, number: int) -> str:
    try:
        return data.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        message = f"expected UTF-8 text, found byte 0x{data[error.start]:02x}"
        raise NotationError(message, source=name, line=number, column=error.start + 1) from None


def unreadable(error: OSError, name: str) -> NotationError:
    """The one-line error for a file that cannot be read."""
    return NotationError(f"cannot be read: {(error.strerror or 'an error').lower()}", source=name)


def _checked(entries: Iterator[Entry], name: str | None) -> Iterator[Entry]:
    """The entries, at least one of them, every error naming the source; the first is read at once."""
    located = _located(entries, name)
    first = list(islice(located, 1))
    if not first:
        raise NotationError("there is no position in it", source=name, code="no-position")
    return chain(first, located)


def _located(entries: Iterator[Entry], name: str | None) -> Iterator[Entry]:
    try:
        yield from entries
    except NotationError as error:
        raise error.located(name) if name and error.source is None else error from None
    except BoardError as error:
        raise NotationError(str(error), source=name, code=error.code) from None


def describe() -> list[dict[str, Any]]:
    """What the notations are and can do, for listings."""
    return [
        {
            "name": entry.name,
            "title": entry.title,
            "suffixes": list(entry.suffixes),
            "origin": entry.origin,
            "reads": True,
            "writes": entry.write is not None,
            "collections": entry.many,
        }
        for entry in _ALL
    ]
