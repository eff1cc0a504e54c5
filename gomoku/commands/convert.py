"""``gomoku convert``: positions, games, match logs and puzzle collections from one notation to another."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes, reading_limit, source_name
from gomoku.commands.options import json_option, max_bytes_option, parse_size, rule_option, ruled
from gomoku_patterns.errors import NotationError, shown
from gomoku_patterns.files import exists, is_file, is_folder, open_file, replacing
from gomoku_patterns.quantities import amount, plies

if TYPE_CHECKING:
    from arena.games import PlayedGame
    from gomoku.answers.types import ConvertedFile
    from gomoku_patterns.rules import Rule
    from puzzles import Suite


@dataclass(frozen=True)
class Wish:
    """What the user wants read and written."""

    source: str
    target: str
    read_as: str | None
    write_as: str
    origin: str | None
    to_origin: str | None
    size: tuple[int, int] | None
    rule: Rule | None
    at: int | None
    each: bool

    @property
    def lines(self) -> bool:
        """Whether a suite is to be JSON lines, and not TOML."""
        return Path(self.target).suffix.lower() in _LINES


@click.command()
@click.argument("source", metavar="A", required=False)
@click.argument("target", metavar="B", required=False)
@click.option("--from", "read_as", metavar="NOTATION", help="Notation of A; detected by content if not given.")
@click.option("--to", "write_as", metavar="NOTATION", help="Notation of B; taken from its suffix if not given.")
@click.option("--origin", type=click.Choice(["top", "bottom"]), help="Where A counts its rows from.")
@click.option("--to-origin", type=click.Choice(["top", "bottom"]), help="Where B counts its rows from.")
@click.option("--size", metavar="N or RxC", help="Board of A, rows x columns, where its notation does not say.")
@rule_option
@click.option("--at", type=click.IntRange(0), metavar="PLY", help="Take games at this ply; 0 is the start.")
@click.option("--each", is_flag=True, help="Take every position of games, from the opening on, one after the other.")
@click.option("--list", "listing", is_flag=True, help="List the notations.")
@json_option
@max_bytes_option
def command(
    *,
    source: str | None,
    target: str | None,
    read_as: str | None,
    write_as: str | None,
    size: str | None,
    listing: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """Convert the positions, games or puzzles of A to the notation of B ('-': standard input and output).

    A collection becomes a collection. A suite of puzzles is written from any notation by naming B something.toml;
    as .toml, as .sgf and with --to suite as .jsonl it keeps key, line, length, band and tags. The log of a match or a
    ladder is a collection of games; as .csv, games have a row for each move, and a suite has one for each level. Where
    B is a folder, every position or game becomes a file of its own. Nothing is written before everything has been
    converted.

    \b
    gomoku convert game.psq game.sgf
    gomoku convert collection.sgf suite.toml
    gomoku convert endgames endgames.sgf
    gomoku convert games.jsonl games.csv
    gomoku convert games.jsonl games/ --to psq
    gomoku convert - - --to json < board.txt
    """
    if listing:
        _list(as_json)
        return
    if source is None or target is None:
        raise click.UsageError("give a file A to read and a file B to write, or --list")
    wish = Wish(source, target, read_as, write_as or "", size=None if size is None else parse_size(size), **said)
    data: bytes | Path = read_bytes("-") if source == "-" else Path(source)
    suite = read_as == "suite" or (read_as is None and not _is_log(wish, data) and _is_suite(source, data))
    wish = replace(wish, read_as="suite" if suite else read_as, write_as=write_as or _notation_of(target))
    counted = _convert(wish, data)
    _tell(wish, counted, as_json)


def _list(as_json: bool) -> None:
    from gomoku import answers

    listed = answers.formats(suites=True)
    if as_json:
        print_json(listed)
        return
    for row in listed["formats"]:
        ways = " and ".join(way for way in ("read", "write") if row[f"{way}s"])  # type: ignore[literal-required]
        suffixes = " ".join(row["suffixes"])
        click.echo(f"{row['name']:9} {suffixes:17} rows from the {row['origin']:7} {ways:15} {row['title']}")


def _notation_of(target: str) -> str:
    from gomoku_patterns.notation.formats import format_of_suffix

    if target == "-":
        raise click.UsageError("say with --to which notation to write to standard output")
    if _is_folder(target):
        raise click.UsageError("say with --to which notation to write to a folder")
    suffix = Path(target).suffix.lower()
    if suffix in _TABLES:
        return _TABLES[suffix]
    found = format_of_suffix(target)
    if found is None:
        raise click.UsageError(f"cannot tell the notation from the file name {shown(target)}; say --to (see --list)")
    return found.name


_TABLES = {".toml": "suite", ".csv": "csv"}
"""What is written beside the notations, by suffix."""
_LINES = (".jsonl", ".ndjson")
_KEEPING = ("suite", "sgf", "csv")
"""What keeps all that a level says."""


def _is_folder(target: str) -> bool:
    return target.endswith(("/", "\\")) or (target != "-" and is_folder(target))


def _convert(wish: Wish, data: bytes | Path) -> _Counted:
    """Read and write; return what was counted on the way."""
    if wish.at is not None and (wish.each or wish.write_as == "csv"):
        raise click.UsageError("--at takes one position of each game; leave it out to have them all")
    if _is_folder(wish.target):
        return _write_folder(wish, data)
    games = wish.write_as == "csv" and wish.read_as != "suite"
    suite = _suite(wish, data) if wish.read_as == "suite" else None
    entries = _entries(wish, data) if suite is None else _suite_entries(wish, suite)
    counted = _Counted(_games(wish, data) if games else _wanted(entries, wish))
    with _output(wish.target) as stream:
        for piece in _pieces(counted, wish, {} if suite is None else suite.about):
            stream.write(piece.encode(errors="replace"))
        if games and not counted.moves:
            raise NotationError("there is no move in it, and .csv has a row for each move; name another notation")
    return counted


def _write_folder(wish: Wish, data: bytes | Path) -> _Counted:
    """A file for each position or game, all of them made before the first is written."""
    from gomoku_patterns.files import write_file
    from gomoku_patterns.notation import write_positions
    from gomoku_patterns.notation.formats import format_named

    suffixes = () if wish.write_as in _TABLES.values() else format_named(wish.write_as).suffixes
    if not suffixes:
        raise click.UsageError(f"{wish.write_as} is not written to a folder; name a file")
    read = _suite_entries(wish, _suite(wish, data)) if wish.read_as == "suite" else _entries(wish, data)
    entries = _Counted(_wanted(read, wish))
    texts = ["".join(write_positions([one], wish.write_as, wish.to_origin)) for one in entries]
    for number, text in enumerate(texts, 1):
        write_file(Path(wish.target) / f"game-{number:06}{suffixes[0]}", text, folders=True)
    return entries


class _Counted:
    """An iterator that knows how much went through it, and which facts of puzzles were among it."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = items
        self.count = self.moves = self.still = 0
        self.facts: dict[str, None] = {}

    def __iter__(self) -> Iterator[Any]:
        for item in self.items:
            self.count += 1
            self.note(item)
            yield item

    def note(self, item: Any) -> None:
        if not hasattr(item, "notes"):
            self.moves += len(item.moves)
            self.still += not item.moves
            return
        level = item.notes.get("level")
        for fact in _FACTS if level is not None else ():
            if getattr(level, fact):
                self.facts[fact] = None


_FACTS = ("depth", "length", "wins", "line", "band", "tags", "source", "recorded")
"""What a level says beside its position, title and comment."""


def _entries(wish: Wish, data: bytes | Path) -> Iterator[Any]:
    if _is_log(wish, data):
        from arena.games import entry_of

        return map(entry_of, _logged(wish, data))
    from gomoku_patterns.notation import read_positions

    return read_positions(
        data,
        name=source_name(wish.source),
        format=wish.read_as,
        origin=wish.origin,
        size=wish.size,
        rule=wish.rule,
        max_bytes=reading_limit(),
    )


def _games(wish: Wish, data: bytes | Path) -> Iterator[PlayedGame]:
    """The games of A, with what the players said of their moves if A is a log."""
    if _is_log(wish, data):
        return _logged(wish, data)
    from arena.games import entry_game

    name = source_name(wish.source)
    return (entry_game(entry, at, f"{name}: game {at}") for at, entry in enumerate(_entries(wish, data), 1))


def _is_log(wish: Wish, data: bytes | Path) -> bool:
    from arena.log import holds_log, is_log

    if wish.read_as is not None:
        return wish.read_as == "log"
    return is_log(data) if isinstance(data, bytes) else is_file(data) and holds_log(data)


def _logged(wish: Wish, data: bytes | Path) -> Iterator[PlayedGame]:
    from arena.games import games_in
    from arena.log import entries_in, read_entries

    if wish.origin or wish.size or wish.rule:
        raise click.UsageError("a log says its --origin, --size and --rule itself; leave them out")
    lines = entries_in(data.splitlines(keepends=True), "<stdin>") if isinstance(data, bytes) else read_entries(data)
    return games_in(lines)


def _is_suite(source: str, data: bytes | Path) -> bool:
    """Whether A is a suite of puzzles: by its suffix, its first line if it is JSON lines, or a built-in one's name."""
    from puzzles.suite import LONGEST_LEVEL, is_suite_line, suite_names

    if isinstance(data, bytes):
        found = re.search(rb"^[ \t]*\[\[\s*level\s*\]\]", data, re.MULTILINE)
        return found is not None or is_suite_line(data[:LONGEST_LEVEL].lstrip().partition(b"\n")[0])
    suffix = data.suffix.lower()
    if suffix not in _LINES or not is_file(data):
        return suffix == ".toml" or (source in suite_names() and not exists(data))
    with open_file(data) as stream:
        return is_suite_line(stream.readline(LONGEST_LEVEL))


def _suite(wish: Wish, data: bytes | Path) -> Suite:
    from puzzles.suite import load, read_text

    if wish.origin or wish.size:
        raise click.UsageError("a suite says its --origin and --size itself; leave them out")
    return load(str(data)) if isinstance(data, Path) else read_text(data, source_name(wish.source))


def _suite_entries(wish: Wish, suite: Suite) -> Iterator[Any]:
    from puzzles.suite import level_entry

    for level in suite:
        entry = level_entry(level)
        if wish.rule is None or wish.rule is level.position.rule:
            yield entry
        else:  # what is known of the level was found under its own rule
            yield replace(entry, board=ruled(level.board, wish.rule), tree=None)


def _wanted(entries: Iterator[Any], wish: Wish) -> Iterator[Any]:
    """The entries: games as they are, taken at the ply that was asked for, or position by position."""
    if wish.each:
        return chain.from_iterable(map(_positions, count(1), entries))
    return entries if wish.at is None else (_entry_at(entry, wish.at, source_name(wish.source)) for entry in entries)


def _positions(number: int, entry: Any) -> Iterator[Any]:
    """Every position of a game; its ``id`` says which one it is, and how the game ended."""
    from arena.games import entry_game
    from gomoku_patterns.notation import Entry

    game = entry.notes.get("game") or entry_game(entry, number, "")
    for ply, position in enumerate(game.positions()):
        said = {"game": game.number, "ply": ply, "result": game.result, "score": position.score}
        yield Entry(position.board, id=said, title=f"game {game.number}, ply {ply}")


def _entry_at(entry: Any, ply: int, source: str) -> Any:
    line = entry.game().main_line()
    moves = [node for node in line if node.colour is not None]
    if ply > len(moves):
        message = f"the game has {plies(len(moves))}; --at {ply} is beyond its end"
        raise NotationError(message, source=source, line=entry.line)
    tree = entry.game()
    board = tree.start() if ply == 0 else tree.board(moves[ply - 1])
    return replace(entry, board=board, tree=None)


def _pieces(entries: Iterable[Any], wish: Wish, about: Mapping[str, str]) -> Iterator[str]:
    from gomoku_patterns.notation import write_positions

    if wish.write_as == "csv":
        return _level_csv(entries) if wish.read_as == "suite" else _csv(entries)
    if wish.write_as != "suite":
        return write_positions(entries, wish.write_as, wish.to_origin)
    from puzzles.suite import levels_of, suite_lines, suite_text

    name = Path(wish.target).stem if wish.target != "-" else "suite"
    pieces = suite_lines if wish.lines else suite_text
    return pieces(name, levels_of(entries, from_start=wish.at is None), **about)


def _level_csv(entries: Iterable[Any]) -> Iterator[str]:
    """Yield a row for each level of a suite, under the names of the columns."""
    import csv
    import io

    from puzzles.suite import LEVEL_COLUMNS, level_row, levels_of

    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, LEVEL_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for level in levels_of(entries):
        writer.writerow(level_row(level))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def _csv(games: Iterable[PlayedGame]) -> Iterator[str]:
    """A row for each move, under the names of the columns."""
    import csv
    import io

    from arena.games import MOVE_COLUMNS

    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, MOVE_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for game in games:
        writer.writerows(game.position_rows())
        yield text.getvalue()
        text.seek(0)
        text.truncate()


@contextmanager
def _output(target: str) -> Iterator[Any]:
    """Where to write: a file appears, or is replaced, only when the block ends well."""
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(target) as stream:
        yield stream


def _tell(wish: Wish, counted: _Counted, as_json: bool) -> None:
    """Say what was written, unless that went to standard output, and what was left out."""
    lost = [] if wish.write_as in _KEEPING else list(counted.facts)
    if as_json and wish.target != "-":
        answer: ConvertedFile = {
            "from": wish.source,
            "to": wish.target,
            "notation": wish.write_as,
            "positions": counted.count,
            "left_out": lost,
        }
        print_json(answer)
        return
    if wish.target != "-":
        click.echo(f"{_amount(wish, counted)} written to {wish.target} ({wish.write_as}){_rows(wish, counted)}")
    if lost:
        keeping = "a .toml or .sgf file keeps them, and a .jsonl file with --to suite"
        click.echo(f"gomoku: {wish.write_as} has no place for {', '.join(lost)} of the puzzles; {keeping}", err=True)


def _amount(wish: Wish, counted: _Counted) -> str:
    puzzles = wish.write_as == "suite" or (wish.read_as == "suite" and not wish.each)
    what = "puzzle" if puzzles else "game" if wish.write_as == "csv" else "position"
    return amount(counted.count, what)


def _rows(wish: Wish, counted: _Counted) -> str:
    """How many rows the games of a table have, and how many games have none."""
    if wish.write_as != "csv" or wish.read_as == "suite":
        return ""
    return f": {amount(counted.moves, 'row')}" + (f", {counted.still} of the games have no move" * bool(counted.still))
