"""Pattern tables: what shapes look like and what they are worth, read from TOML.

A *line table* (``scan = "line"``) scores every line of the board for black as written and for white negated; the board
is worth the sum. A *point table* (``scan = "point"``) names the four lines through an empty cell as if the colour had
played there, and scores what they are together. A *cell table* (``scan = "cell"``) does so for every empty cell and
both colours and adds that up: :mod:`gomoku_patterns.cell_tables`. A *line code* (``scan = "code"``) has no patterns of
its own but a file of learned weights beside it: :mod:`gomoku_patterns.codes`.

>>> table = parse_table('''
... name   = "tiny"
... scan   = "line"
... count  = "every"
... [[pattern]]
... shape = "live_four"
... text  = ".oooo."
... score = 4320
... [[window]]
... length = 5
... own    = 4
... score  = [6000, 8000]
... ''')
>>> [pattern.text for pattern in table.patterns]
['.oooo.', 'oooo.', 'ooo.o', 'oo.oo', 'o.ooo', '.oooo']
>>> table.patterns[0].score, table.patterns[1].score
((4320, 4320), (6000, 8000))
>>> load_table("grade_dict").shape_name("live_four")
ShapeName(en='live four', zh='活四')

Symbols of a text: ``o`` own, ``x`` opposing, ``.`` empty, ``|`` the edge (first or last only), ``~`` anything but own
(opposing, empty, or as the first or last symbol the edge). Point tables also know ``O``, the own stone that is being
played: it ties a text to the cell. A pattern, its mirror image (``mirror = true``) and all readings of its ``~`` are
*one* pattern: ``count = "once"`` counts it once a line however many of them occur, ``"every"`` counts each place that
one of them fits, and a place only once. docs/reference/tables.md describes every key.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from itertools import chain, combinations, islice, product
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from gomoku_patterns.cells import MAX_SIDE
from gomoku_patterns.errors import GomokuError, TableError, shown, unknown
from gomoku_patterns.files import is_file, read_file
from gomoku_patterns.toml_text import TomlError, parse_toml, toml_lines

if TYPE_CHECKING:
    from gomoku_patterns.cell_tables import CellWeights
    from gomoku_patterns.codes import LineCode

    Weights: TypeAlias = LineCode | CellWeights

MAX_TEXT = 22
"""The longest text of a line table, edges included."""
MAX_REACH = 6
"""How far a point table may look: a window of 13 cells, about half a million different ones."""
MAX_READINGS = 4096
"""How many concrete texts a table may stand for once its ``~``, mirror images and places of ``O`` are written out."""
MAX_PATTERNS = 20_000
"""How many patterns a table may have once its windows are written out."""
MAX_BYTES = 2**20
"""The longest text of a table: written out, the largest one is a quarter of that."""
MAX_SCORE = 10**8
"""The largest score of one entry."""
MAX_LINE = 2**26
"""The most that one line may be worth: eight of them, as a gain adds and subtracts, still fit 32 bits."""

MAX_SCALE = 10_000
"""The largest scale of a line code: its scores stay far below what is called decided."""

TABLES = Path(__file__).parent / "tables"
LEARNED = Path(__file__).parent / "learned"

MAX_SHAPES = 15
"""The most shapes of a cell table: with "none" they fit four bits, four of them sixteen."""
MAX_FACTS = 6
"""The most facts of a cell table: both sides' together are the 4096 places of a small table."""

POINT_LIKE = ("point", "cell")
"""The scans whose patterns name the lines through an empty cell."""

Score = tuple[int, int]
"""Line and cell tables: worth to the side that has just moved, and to the side to move. Point tables: own and opposing
worth."""


class ShapeName(NamedTuple):
    """What a shape is called, in English and in Chinese."""

    en: str
    zh: str


CHINESE = {
    "overline": "长连", "con_five": "长连", "five": "五连",
    "live_four": "活四", "rush_four": "冲四", "dead_four": "死四",
    "live_three": "活三", "rush_three": "冲三", "sleep_three": "眠三", "sleeping_three": "眠三", "dead_three": "死三",
    "live_two": "活二", "rush_two": "冲二", "sleep_two": "眠二", "sleeping_two": "眠二", "dead_two": "死二",
    "live_one": "活一", "sleep_one": "眠一", "sleeping_one": "眠一", "dead_one": "死一",
}  # fmt: skip
"""The Chinese names of the usual shapes; a table's ``[shapes]`` section adds to them."""


@dataclass(frozen=True)
class Pattern:
    """One text, the shape it shows and its worth; ``decisive`` settles a point at once (point tables only)."""

    shape: str
    text: str
    score: Score
    decisive: bool = False


@dataclass(frozen=True)
class Combination:
    """What several lines through a point are worth together: ``needs`` pairs shapes with how many lines show them."""

    needs: tuple[tuple[str, int], ...]
    score: Score


@dataclass(frozen=True)
class Fact:
    """What a cell table knows of a whole side: whether some empty cell shows what one of ``needs`` asks for."""

    name: str
    needs: tuple[tuple[tuple[str, int], ...], ...]
    score: Score = (0, 0)


@dataclass(frozen=True)
class Table:
    """A validated pattern table. ``patterns`` are in the order written, windows written out.

    Point tables: ``reach`` cells are looked at each way; with ``opposing = "subtract"`` a point is worth its own part
    minus the opponent's; ``ring`` adds the ring number; the board is worth its ``"best"`` cell (own point plus the
    opponent's) or the ``"sum"`` of its points for the side to move, where occupied cells count ``occupied``.

    Cell tables: ``reach`` as above; ``facts`` are added for each side. Their scores are written in the table, or are
    ``weights`` from the file ``weights_file`` beside it.

    Line codes: ``weights`` come from the file ``weights_file`` beside the table; a score of ``scale`` is a winning
    chance of 73 %, 1 / (1 + exp(-score / scale)) in general.
    """

    name: str
    patterns: tuple[Pattern, ...]
    combinations: tuple[Combination, ...] = ()
    scan: Literal["line", "point", "cell", "code"] = "line"
    count: Literal["once", "every"] = "once"
    mirror: bool = False
    decided: int | None = None
    reach: int = 0
    ring: bool = False
    opposing: Literal["none", "subtract"] = "none"
    board: Literal["best", "sum"] = "best"
    occupied: int = 0
    weights: Weights | None = None
    scale: int = 0
    facts: tuple[Fact, ...] = ()
    shapes: tuple[tuple[str, str], ...] = ()
    title: str = field(default="", compare=False)
    source: str = field(default="", compare=False)
    notes: str = field(default="", compare=False)
    weights_file: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        _check(self)

    def __reduce__(self) -> tuple[object, ...]:
        """A table travels as its text and its weights: what was derived from it is derived again."""
        return parse_table, (self.to_toml(), "<table>", self.weights)

    @cached_property
    def texts(self) -> tuple[tuple[str, ...], ...]:
        """For each pattern its concrete texts over ``o x . |``: mirror images and all readings of ``~`` written out.

        In a point or cell table the window holds one ``O``, the stone being played, so each text also appears with each
        of its ``o`` as that stone.
        """
        point = self.scan in POINT_LIKE
        return tuple(_readings(pattern.text, self.mirror, point) for pattern in self.patterns)

    @property
    def uses_edge(self) -> bool:
        """Whether some text can tell the edge of the board."""
        return any("|" in text for texts in self.texts for text in texts)

    @property
    def uses_turn(self) -> bool:
        """Whether worth depends on whose turn it is (line tables)."""
        return self.scan == "line" and any(pattern.score[0] != pattern.score[1] for pattern in self.patterns)

    def shape_name(self, shape: str) -> ShapeName:
        """The English and Chinese name of a shape; a shape without a Chinese name keeps its English one."""
        english = shape.replace("_", " ")
        return ShapeName(english, dict(self.shapes).get(shape) or CHINESE.get(shape) or english)

    @cached_property
    def shape_order(self) -> tuple[str, ...]:
        """The shapes, each once, in the order in which they are first written."""
        return tuple(dict.fromkeys(pattern.shape for pattern in self.patterns))

    @cached_property
    def digest(self) -> str:
        """A hash of everything that decides scores; names and remarks do not enter."""
        rows = [[p.shape, p.text, *p.score, p.decisive] for p in self.patterns]
        needs = [[c.needs, *c.score] for c in self.combinations]
        options = [self.scan, self.count, self.mirror, self.reach, self.ring, self.opposing, self.board, self.occupied]
        learned: list[Any] = [[f.name, f.needs, *f.score] for f in self.facts]
        learned += [self.weights.digest, self.scale] if self.weights else []
        return hashlib.sha256(json.dumps([rows, needs, options, self.decided, *learned]).encode()).hexdigest()

    def to_toml(self) -> str:
        """The table as TOML; reading it again gives an equal table."""
        return (
            "\n".join([*_head_lines(self), *_pattern_lines(self), *_combination_lines(self), *_fact_lines(self)]) + "\n"
        )


# ---------------------------------------------------------------------- readings of a text


def _readings(text: str, mirror: bool, point: bool) -> tuple[str, ...]:
    found = dict.fromkeys(reading for one in ((text, text[::-1]) if mirror else (text,)) for reading in _unfold(one))
    return tuple(dict.fromkeys(placed for reading in found for placed in _placed(reading))) if point else tuple(found)


def _unfold(text: str) -> Iterator[str]:
    last = len(text) - 1
    choices = [("x.|" if at in (0, last) else "x.") if symbol == "~" else symbol for at, symbol in enumerate(text)]
    return map("".join, product(*choices))


def _placed(text: str) -> list[str]:
    if "O" in text:
        return [text]
    return [text, *(text[:at] + "O" + text[at + 1 :] for at, symbol in enumerate(text) if symbol == "o")]


def _reading_count(text: str, mirror: bool, point: bool) -> int:
    edges = (text[0] == "~") + (text[-1] == "~" and len(text) > 1)
    count = (1 + mirror) * int(3**edges) << (text.count("~") - edges)
    return count * (1 + text.count("o")) if point and "O" not in text else count


# ---------------------------------------------------------------------- validation

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*\Z")
_SHAPE = re.compile(r"[A-Za-z0-9_-]+\Z")
_CHOICES = {
    "scan": ("line", "point", "cell", "code"), "count": ("once", "every"), "opposing": ("none", "subtract"),
    "board": ("best", "sum"),
}  # fmt: skip


def _check_code(table: Table) -> None:
    if table.patterns or table.combinations:
        raise TableError("a line code has no patterns of its own; remove them, or set another scan")
    from gomoku_patterns.codes import LineCode

    if table.weights is None:
        raise TableError('a line code needs weights; name their file with weights = "..."')
    if not isinstance(table.weights, LineCode):
        raise TableError("weights: are those of a cell table; a line code has others")
    if not 1 <= table.scale <= MAX_SCALE:
        raise TableError(f"expected scale from 1 to {MAX_SCALE}, found {table.scale!r}")


def _check_cell(table: Table) -> None:
    if len(table.shape_order) > MAX_SHAPES:
        raise TableError(f"expected at most {MAX_SHAPES} shapes, found {len(table.shape_order)}")
    if len(table.facts) > MAX_FACTS:
        raise TableError(f"expected at most {MAX_FACTS} facts, found {len(table.facts)}")
    scores = dict[str, Score]()
    for pattern in table.patterns:
        if scores.setdefault(pattern.shape, pattern.score) != pattern.score:
            raise TableError(f"pattern {pattern.text!r} ({pattern.shape}): a shape has one score in a cell table; "
                             "write the same score, or give the pattern a shape of its own")  # fmt: skip
    for fact in table.facts:
        _check_fact(fact, table)
    if table.weights is not None:
        _check_learned(table)


def _check_fact(fact: Fact, table: Table) -> None:
    if not _SHAPE.match(fact.name):
        raise TableError(f"fact {fact.name!r}: expected a name of letters, digits, '_' and '-'")
    if [one.name for one in table.facts].count(fact.name) > 1:
        raise TableError(f"fact {fact.name!r}: written twice; remove one of them")
    if not fact.needs:
        raise TableError(f"fact {fact.name!r}: needs nothing; name at least one shape")
    for needs in fact.needs:
        _check_needs(needs, table, f"fact {fact.name!r}")
    _check_score(fact.score, f"fact {fact.name!r}")


def _check_learned(table: Table) -> None:
    from gomoku_patterns.cell_tables import CellWeights

    if not isinstance(table.weights, CellWeights):
        raise TableError("weights: are those of a line code; a cell table has others")
    scored = [one.score for one in table.patterns] + [one.score for one in table.facts]
    if table.combinations or any(any(score) for score in scored):
        raise TableError("the weights beside the table are its scores; remove the scores and combinations in it")
    table.weights.check_fits(table)


def _check(table: Table) -> None:
    if not _NAME.match(table.name):
        raise TableError(f"expected a name of letters, digits, '_', '-' and '.', found {table.name!r}")
    _check_options(table)
    if table.scan == "code":
        _check_code(table)
    elif table.weights is not None and table.scan != "cell":
        raise TableError(f"weights: a {table.scan} table has none; its scores are its own")
    elif not table.patterns:
        raise TableError("the table is empty: write at least one [[pattern]] or [[window]]")
    for pattern in table.patterns:
        _check_pattern(pattern, table)
    _check_duplicates(table)
    _check_readings(table)
    for combination in table.combinations:
        _check_combination(combination, table)
    if table.scan == "line":
        _check_line_worth(table)
    if table.scan == "cell":
        _check_cell(table)


def _check_options(table: Table) -> None:
    for key, choices in _CHOICES.items():
        if getattr(table, key) not in choices:
            raise TableError(f"{key}: expected {' or '.join(map(repr, choices))}, found {getattr(table, key)!r}")
    if table.scan in POINT_LIKE and not 1 <= table.reach <= MAX_REACH:
        raise TableError(f"expected reach from 1 to {MAX_REACH}, found {table.reach!r}")
    if abs(table.occupied) > MAX_SCORE:
        raise TableError(f"expected occupied from {-MAX_SCORE} to {MAX_SCORE}, found {table.occupied!r}")
    if table.decided is not None and table.decided < 0:
        raise TableError(f"expected decided of at least 0, found {table.decided!r}")


def _check_pattern(pattern: Pattern, table: Table) -> None:
    where = f"pattern {pattern.text!r} ({pattern.shape})"
    if not _SHAPE.match(pattern.shape):
        raise TableError(f"{where}: expected a shape of letters, digits, '_' and '-', found {pattern.shape!r}")
    _check_text(pattern.text, table, where)
    _check_score(pattern.score, where)
    if pattern.decisive and table.scan != "point":
        raise TableError(f'{where}: decisive belongs to point tables; remove it or set scan = "point"')


def _check_text(text: str, table: Table, where: str) -> None:
    point = table.scan in POINT_LIKE
    known = "ox.|~O" if point else "ox.|~"
    odd = next((symbol for symbol in text if symbol not in known), None)
    if odd is not None:
        raise TableError(f"{where}: expected the symbols {' '.join(known)}, found {odd!r}")
    longest = 2 * table.reach + 1 if point else MAX_TEXT
    if not 1 <= len(text) <= longest:
        remedy = "; shorten it or raise reach" if point else "; shorten it"
        raise TableError(f"{where}: expected a text of 1 to {longest} symbols, found {len(text)}{remedy}")
    if not set(text) & {"o", "O"}:
        raise TableError(f"{where}: a text needs at least one own stone 'o'")
    if text.count("O") > 1:
        raise TableError(f"{where}: expected at most one 'O', the stone being played, found {text.count('O')}")
    if "|" in text[1:-1]:
        raise TableError(f"{where}: expected the edge '|' as first or last symbol only")


def _check_score(score: Score, where: str) -> None:
    for worth in score:
        if abs(worth) > MAX_SCORE:
            raise TableError(f"{where}: expected a score from {-MAX_SCORE} to {MAX_SCORE}, found {worth!r}")


def _check_duplicates(table: Table) -> None:
    seen: dict[str, Pattern] = {}
    for pattern in table.patterns:
        key = min(pattern.text, pattern.text[::-1]) if table.mirror else pattern.text
        if key in seen:
            other = seen[key]
            image = "" if other.text == pattern.text else f", the mirror image of {other.text!r}"
            raise TableError(f"pattern {pattern.text!r} ({pattern.shape}): written twice{image}, "
                             f"first as {other.shape}; remove one of them")  # fmt: skip
        seen[key] = pattern


def _check_readings(table: Table) -> None:
    point = table.scan in POINT_LIKE
    total = sum(_reading_count(pattern.text, table.mirror, point) for pattern in table.patterns)
    if total > MAX_READINGS:
        raise TableError(f"expected at most {MAX_READINGS} texts once every '~' and mirror image is written out, "
                         f"found {total}; use fewer '~' or fewer patterns")  # fmt: skip


def _check_combination(combination: Combination, table: Table) -> None:
    where = "combination " + " + ".join(f"{count} {shape}" for shape, count in combination.needs)
    if table.scan == "line":
        raise TableError(f'{where}: combinations belong to point tables; remove it or set scan = "point"')
    _check_needs(combination.needs, table, where)
    _check_score(combination.score, where)


def _check_needs(needs: tuple[tuple[str, int], ...], table: Table, where: str) -> None:
    known = table.shape_order
    for shape, count in needs:
        if shape not in known:
            raise TableError(f"{where}: expected a shape of this table, one of {', '.join(known)}, found {shape!r}")
        if not 1 <= count <= 4:
            raise TableError(f"{where}: expected 1 to 4 lines of {shape}, found {count!r}")
    if not 1 <= sum(count for _, count in needs) <= 4:
        raise TableError(f"{where}: expected needs of 1 to 4 lines in all: four lines cross at a point")


def _check_line_worth(table: Table) -> None:
    # Texts of one length exclude each other at one place, so a length is worth at most its dearest text everywhere.
    dearest: dict[int, int] = {}
    for pattern in table.patterns:
        length, worth = len(pattern.text), max(map(abs, pattern.score))
        dearest[length] = max(dearest.get(length, 0), worth)
    most = sum((MAX_SIDE + 3 - length) * worth for length, worth in dearest.items())
    if table.count == "once":
        most = min(most, sum(max(map(abs, pattern.score)) for pattern in table.patterns))
    if most > MAX_LINE:
        raise TableError(f"expected scores that add up to at most {MAX_LINE} on one line, found up to {most}; "
                         "divide all scores by the same number")  # fmt: skip


# ---------------------------------------------------------------------- reading TOML

_REQUIRED = object()
_TYPE_NAMES = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}
_BOTH: dict[str, tuple[type, Any]] = {
    "name": (str, _REQUIRED), "title": (str, ""), "source": (str, ""), "notes": (str, ""), "scan": (str, "line"),
    "decided": (int, None), "shapes": (dict, {}), "pattern": (list, []), "window": (list, []),
}  # fmt: skip
_LINE: dict[str, tuple[type, Any]] = {"count": (str, "once"), "mirror": (bool, False)}
_POINT: dict[str, tuple[type, Any]] = {
    "mirror": (bool, True), "reach": (int, 5), "ring": (bool, False), "opposing": (str, "none"),
    "board": (str, "best"), "occupied": (int, 0), "combination": (list, []),
}  # fmt: skip
_CODE: dict[str, tuple[type, Any]] = {"weights": (str, _REQUIRED), "scale": (int, 200)}
_CELL: dict[str, tuple[type, Any]] = {
    "mirror": (bool, True), "reach": (int, 4), "weights": (str, None), "combination": (list, []), "fact": (list, []),
}  # fmt: skip
_KINDS = {"line": _LINE, "cell": _CELL, "point": _POINT, "code": _CODE}
"""The keys of each kind; of a key that several have, the last is named to those who wrote it elsewhere."""
_PATTERN: dict[str, tuple[type, Any]] = {
    "shape": (str, _REQUIRED), "text": (str, None), "texts": (list, None), "score": (object, _REQUIRED),
    "decisive": (bool, False),
}  # fmt: skip
_WINDOW: dict[str, tuple[type, Any]] = {
    "length": (int, _REQUIRED), "own": (int, _REQUIRED), "score": (object, _REQUIRED), "shape": (str, None),
}  # fmt: skip
_COMBINATION: dict[str, tuple[type, Any]] = {"needs": (dict, _REQUIRED), "score": (object, _REQUIRED)}
_UNSCORED: dict[str, tuple[type, Any]] = {"score": (object, 0)}
_FACT: dict[str, tuple[type, Any]] = {"name": (str, _REQUIRED), "needs": (object, _REQUIRED), "score": (object, 0)}


def parse_table(text: str, source: str = "<table>", weights: Weights | Path | None = None) -> Table:
    """The table that a TOML text describes; errors name ``source``, the line and the entry.

    ``weights`` are the learned ones, or the folder that holds the file of weights which the text names.
    """
    if len(text) > MAX_BYTES:
        raise TableError(f"{source}: larger than {MAX_BYTES:,} bytes, which no table is")
    try:
        return _table(parse_toml(text), weights)
    except TomlError as error:
        place = "".join(f":{part}" for part in (error.line, error.column) if part is not None)
        raise TableError(f"{source}{place}: {error}") from None
    except _EntryError as error:
        raise TableError(f"{source}{_entry_line(text, error)}: {error}") from None
    except TableError as error:
        raise TableError(f"{source}{_text_line(text, str(error))}: {error}") from None


class _EntryError(TableError):
    """An error in the n-th entry of a kind."""

    def __init__(self, kind: str, number: int, message: str) -> None:
        self.kind, self.number = kind, number
        super().__init__(f"[[{kind}]] number {number}: {message}")


def _entry_line(text: str, error: _EntryError) -> str:
    heads = re.finditer(rf"^[ \t]*\[\[[ \t]*{error.kind}[ \t]*\]\]", text, re.MULTILINE)
    for number, head in enumerate(heads, 1):
        if number == error.number:
            return f":{text.count(chr(10), 0, head.start()) + 1}"
    return ""


def _text_line(text: str, message: str) -> str:
    """Where the text that a message starts with is written last: duplicates are reported at the second place."""
    named = re.match(r"pattern '([^']+)'", message)
    at = max(text.rfind(quote + named[1] + quote) for quote in "\"'") if named else -1
    return f":{text.count(chr(10), 0, at) + 1}" if at >= 0 else ""


def _table(data: dict[str, Any], weights: Weights | Path | None) -> Table:
    scan = data.get("scan", "line")
    scan = scan if scan in _KINDS else "line"
    fields = _fields(data, {**_BOTH, **_KINDS[scan]}, _elsewhere(scan))
    if fields.get("weights") is not None:
        fields |= _found_weights(fields["weights"], weights, scan)
    unscored = scan == "cell"
    written = _entries(fields.pop("pattern"), "pattern", partial(_patterns, unscored=unscored))
    windows = partial(_windows, mirror=fields.get("mirror", False), unscored=unscored)
    # A pattern stands for at least one text, and a window of some bytes for thousands of patterns.
    patterns = list(islice(chain(written, _entries(fields.pop("window"), "window", windows)), MAX_READINGS + 1))
    if len(patterns) > MAX_READINGS:
        raise TableError(f"expected at most {MAX_READINGS} patterns, found more; write fewer or shorter windows")
    combined = tuple(_entries(fields.pop("combination", []), "combination", _combinations))
    facts = tuple(_entries(fields.pop("fact", []), "fact", _facts))
    shapes = tuple(_shape_names(fields.pop("shapes")))
    return Table(patterns=tuple(patterns), combinations=combined, facts=facts, shapes=shapes, **fields)


def _found_weights(name: str, weights: Weights | Path | None, scan: str) -> dict[str, Any]:
    """Learned weights: those that came with the text, or what the file of this name holds."""
    from gomoku_patterns.cell_tables import read_cell_weights
    from gomoku_patterns.codes import read_weights

    if weights is None:
        raise TableError(f"weights: {name!r} is a file beside the table; read the table from its own file")
    if not isinstance(weights, Path):
        return {"weights": weights, "weights_file": name}
    if Path(name).name != name:
        raise TableError(f"weights: expected the name of a file beside the table, found {shown(name)}")
    read = read_weights if scan == "code" else read_cell_weights
    return {"weights": read(weights / name, name), "weights_file": name}


def _elsewhere(scan: str) -> dict[str, str]:
    """The keys of the other kinds of table, with what to say about them."""
    return {
        key: f'{key} belongs to {kind} tables; remove it or set scan = "{kind}"'
        for kind, keys in _KINDS.items()
        for key in keys
        if key not in _KINDS[scan]
    }


def _fields(data: dict[str, Any], known: dict[str, tuple[type, Any]], elsewhere: dict[str, str]) -> dict[str, Any]:
    for key in data:
        if key not in known:
            raise TableError(elsewhere.get(key) or unknown("key", key, known))
    return {key: _typed(key, data.get(key, default), kind, default) for key, (kind, default) in known.items()}


def _typed(key: str, value: Any, kind: type, default: Any) -> Any:
    if value is _REQUIRED:
        raise TableError(f"the key {key!r} is missing")
    if value is default:
        return value
    if not (_is_whole(value) if kind is int else isinstance(value, kind)):
        raise TableError(f"{key}: expected {_TYPE_NAMES[kind]}, found {shown(value)}")
    return value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64


def _entries(entries: list[Any], kind: str, read: Any) -> Iterator[Any]:
    for number, entry in enumerate(entries, 1):
        try:
            if not isinstance(entry, dict):
                raise TableError(f"expected a table, found {shown(entry)}")
            yield from read(entry)
        except TableError as error:
            raise _EntryError(kind, number, str(error)) from None


def _patterns(entry: dict[str, Any], unscored: bool) -> Iterator[Pattern]:
    fields = _fields(entry, _PATTERN | (_UNSCORED if unscored else {}), {})
    if (fields["text"] is None) == (fields["texts"] is None):
        raise TableError('expected either text = "..." or texts = ["...", ...]')
    score = _score(fields["score"])
    for text in fields["texts"] if fields["text"] is None else [fields["text"]]:
        if not isinstance(text, str):
            raise TableError(f"texts: expected texts only, found {shown(text)}")
        yield Pattern(fields["shape"], text, score, fields["decisive"])


def _windows(entry: dict[str, Any], mirror: bool, unscored: bool) -> Iterator[Pattern]:
    fields = _fields(entry, _WINDOW | (_UNSCORED if unscored else {}), {})
    length, own, score = fields["length"], fields["own"], _score(fields["score"])
    if not 1 <= length <= MAX_TEXT:
        raise TableError(f"length: expected 1 to {MAX_TEXT}, found {length!r}")
    if not 1 <= own <= length:
        raise TableError(f"own: expected 1 to {length}, the length, found {own!r}")
    if comb(length, own) > MAX_READINGS:
        raise TableError(f"expected at most {MAX_READINGS} texts, found {comb(length, own)}; shorten the window")
    shape = fields["shape"] or f"{own}_of_{length}"
    for text in _window_texts(length, own):
        # Of a text and its mirror image one is written where each stands for both.
        if not mirror or text >= text[::-1]:
            yield Pattern(shape, text, score)


def _window_texts(length: int, own: int) -> Iterator[str]:
    for chosen in combinations(range(length), own):
        yield "".join("o" if at in chosen else "." for at in range(length))


def _combinations(entry: dict[str, Any]) -> Iterator[Combination]:
    fields = _fields(entry, _COMBINATION, {})
    for shape, count in fields["needs"].items():
        _typed(f"needs.{shape}", count, int, None)
    yield Combination(tuple(fields["needs"].items()), _score(fields["score"]))


def _facts(entry: dict[str, Any]) -> Iterator[Fact]:
    fields = _fields(entry, _FACT, {})
    written = fields["needs"] if isinstance(fields["needs"], list) else [fields["needs"]]
    for needs in written:
        if not isinstance(needs, dict):
            raise TableError(
                f"needs: expected a table such as {{ live_three = 2 }} or a list of them, found {shown(needs)}"
            )
        for shape, count in needs.items():
            _typed(f"needs.{shape}", count, int, None)
    yield Fact(fields["name"], tuple(tuple(needs.items()) for needs in written), _score(fields["score"]))


def _score(value: Any) -> Score:
    pair = value if isinstance(value, list) else [value, value]
    if len(pair) != 2 or not all(map(_is_whole, pair)):
        raise TableError(f"score: expected a whole number or a list of two, found {shown(value)}")
    return pair[0], pair[1]


def _shape_names(shapes: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for shape, name in shapes.items():
        yield shape, _typed(f"shapes.{shape}", name, str, None)


# ---------------------------------------------------------------------- writing TOML


def _worth(score: Score) -> int | list[int]:
    return score[0] if score[0] == score[1] else list(score)


def _head_lines(table: Table) -> Iterator[str]:
    yield from toml_lines({key: getattr(table, key) or None for key in ("name", "title", "source", "notes", "scan")})
    options = {key: getattr(table, key) for key in _KINDS[table.scan] if key not in ("combination", "fact", "weights")}
    yield from toml_lines({"weights": table.weights_file or None} | options)
    yield from toml_lines({"decided": table.decided})
    if table.shapes:
        yield "\n[shapes]"
        yield from toml_lines(dict(table.shapes))


def _pattern_lines(table: Table) -> Iterator[str]:
    for pattern in table.patterns:
        yield "\n[[pattern]]"
        score = None if table.scan == "cell" and not any(pattern.score) else _worth(pattern.score)
        yield from toml_lines({"shape": pattern.shape, "text": pattern.text, "score": score})
        yield from toml_lines({"decisive": pattern.decisive or None})


def _combination_lines(table: Table) -> Iterator[str]:
    for combination in table.combinations:
        yield "\n[[combination]]"
        yield from toml_lines({"needs": dict(combination.needs), "score": _worth(combination.score)})


def _fact_lines(table: Table) -> Iterator[str]:
    for fact in table.facts:
        needs: Any = [dict(one) for one in fact.needs]
        yield "\n[[fact]]"
        yield from toml_lines({"name": fact.name, "needs": needs if len(needs) > 1 else needs[0]})
        yield from toml_lines({"score": _worth(fact.score) if any(fact.score) else None})


# ---------------------------------------------------------------------- finding tables


@lru_cache(maxsize=1)
def table_names() -> tuple[str, ...]:
    """The names of the built-in tables that are written by hand, with patterns that can be read."""
    return tuple(sorted(path.stem for path in TABLES.glob("*.toml")))


@lru_cache(maxsize=1)
def learned_names() -> tuple[str, ...]:
    """The names of the built-in tables whose weights are learned: line codes and cell tables."""
    return tuple(sorted(path.stem for path in LEARNED.glob("*.toml")))


@lru_cache(maxsize=1)
def built_in_names() -> tuple[str, ...]:
    """The names of all built-in tables: those written by hand, then those learned."""
    return table_names() + learned_names()


def load_table(name_or_path: str | Path | Table) -> Table:
    """A built-in table by name, or a user's own by the path of its TOML file."""
    if isinstance(name_or_path, Table):
        return name_or_path
    if isinstance(name_or_path, str) and name_or_path in built_in_names():
        return _built_in(name_or_path)
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and path.suffix != ".toml" and not is_file(path):
        raise TableError(f"{unknown('table', name_or_path, built_in_names())} (your own is a path that ends in .toml)")
    return _read(path, str(name_or_path))


@lru_cache
def _built_in(name: str) -> Table:
    return _read((LEARNED if name in learned_names() else TABLES) / f"{name}.toml", f"{name}.toml")


def _read(path: Path, source: str) -> Table:
    try:
        text = read_file(path, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableError(f"{source}: expected UTF-8 text, found byte 0x{error.object[error.start]:02x}") from None
    except GomokuError:
        raise TableError(f"{source}: larger than {MAX_BYTES:,} bytes, which no table is") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{source}: cannot be read: {reason.lower()}") from None
    return parse_table(text, source, path.parent)
