"""``gomoku convert``: positions, games and puzzle collections from one notation to another."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes, reading_limit, source_name
from gomoku.commands.options import json_option, max_bytes_option, parse_size, rule_option, ruled
from gomoku_patterns.errors import NotationError, shown
from gomoku_patterns.files import replacing

if TYPE_CHECKING:
    from gomoku.answers.types import ConvertedFile
    from gomoku_patterns.rules import Rule


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

    A collection becomes a collection. A suite of puzzles is written from any notation by naming B something.toml.
    B is replaced only when everything has been converted.

    \b
    gomoku convert game.psq game.sgf
    gomoku convert collection.sgf suite.toml
    gomoku convert - - --to json < board.txt
    """
    if listing:
        _list(as_json)
        return
    if source is None or target is None:
        raise click.UsageError("give a file A to read and a file B to write, or --list")
    notation = write_as or _notation_of(target)
    wish = Wish(source, target, read_as, notation, size=None if size is None else parse_size(size), **said)
    count = _convert(wish)
    if target != "-":
        _tell(wish, count, as_json)


def _list(as_json: bool) -> None:
    from gomoku import answers

    listed = answers.formats(suites=True)
    if as_json:
        print_json(listed)
        return
    for row in listed["formats"]:
        ways = "read and write" if row["writes"] else "read"
        suffixes = " ".join(row["suffixes"])
        click.echo(f"{row['name']:9} {suffixes:17} rows from the {row['origin']:7} {ways:15} {row['title']}")


def _notation_of(target: str) -> str:
    from gomoku_patterns.notation.formats import format_of_suffix

    if target == "-":
        raise click.UsageError("say with --to which notation to write to standard output")
    if Path(target).suffix.lower() == ".toml":
        return "suite"
    found = format_of_suffix(target)
    if found is None:
        raise click.UsageError(f"cannot tell the notation from the file name {shown(target)}; say --to (see --list)")
    return found.name


def _convert(wish: Wish) -> int:
    """Read, write, and say how many there were."""
    counted = _Counted(_wanted(_entries(wish), wish))
    with _output(wish.target) as stream:
        for piece in _pieces(counted, wish):
            stream.write(piece.encode(errors="replace"))
    return counted.count


class _Counted:
    """An iterator that knows how much went through it."""

    def __init__(self, items: Iterable[Any]) -> None:
        self.items = items
        self.count = 0

    def __iter__(self) -> Iterator[Any]:
        for item in self.items:
            self.count += 1
            yield item


def _entries(wish: Wish) -> Iterator[Any]:
    from gomoku_patterns.notation import read_positions

    data: bytes | Path = read_bytes("-") if wish.source == "-" else Path(wish.source)
    if wish.read_as == "suite" or (wish.read_as is None and _is_suite(wish.source, data)):
        return _suite_entries(wish, data)
    return read_positions(
        data,
        name=source_name(wish.source),
        format=wish.read_as,
        origin=wish.origin,
        size=wish.size,
        rule=wish.rule,
        max_bytes=reading_limit(),
    )


def _is_suite(source: str, data: bytes | Path) -> bool:
    if isinstance(data, Path):
        return Path(source).suffix.lower() == ".toml"
    return re.search(rb"^\s*\[\[level\]\]", data, re.MULTILINE) is not None


def _suite_entries(wish: Wish, data: bytes | Path) -> Iterator[Any]:
    from gomoku_patterns.notation import Entry
    from puzzles.suite import load, read_text

    if wish.origin or wish.size:
        raise click.UsageError("a suite says its --origin and --size itself; leave them out")
    suite = load(str(data)) if isinstance(data, Path) else read_text(data, source_name(wish.source))
    for level in suite:
        board = ruled(level.board, wish.rule)
        yield Entry(board, id=level.number, title=level.title, comment=level.comment)


def _wanted(entries: Iterator[Any], wish: Wish) -> Iterator[Any]:
    """The entries, games taken at the ply that was asked for."""
    return entries if wish.at is None else (_entry_at(entry, wish.at, source_name(wish.source)) for entry in entries)


def _entry_at(entry: Any, ply: int, source: str) -> Any:
    line = entry.game().main_line()
    moves = [node for node in line if node.colour is not None]
    if ply > len(moves):
        message = f"the game has {len(moves)} plies; --at {ply} is beyond its end"
        raise NotationError(message, source=source, line=entry.line)
    tree = entry.game()
    board = tree.start() if ply == 0 else tree.board(moves[ply - 1])
    return replace(entry, board=board, tree=None)


def _pieces(entries: Iterable[Any], wish: Wish) -> Iterator[str]:
    from gomoku_patterns.notation import write_positions

    if wish.write_as != "suite":
        return write_positions(entries, wish.write_as, wish.to_origin)
    from puzzles.suite import levels_of, suite_text

    name = Path(wish.target).stem if wish.target != "-" else "suite"
    return suite_text(name, levels_of(entries, from_start=wish.at is None))


@contextmanager
def _output(target: str) -> Iterator[Any]:
    """Where to write: a file appears, or is replaced, only when the block ends well."""
    if target == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with replacing(target) as stream:
        yield stream


def _tell(wish: Wish, count: int, as_json: bool) -> None:
    if as_json:
        answer: ConvertedFile = {
            "from": wish.source,
            "to": wish.target,
            "notation": wish.write_as,
            "positions": count,
        }
        print_json(answer)
    else:
        positions = "1 position" if count == 1 else f"{count} positions"
        click.echo(f"{positions} written to {wish.target} ({wish.write_as})")
