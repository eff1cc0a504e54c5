"""``gomoku review``: the errors of a game, and the puzzles in it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes, reading_limit, source_name
from gomoku.commands.options import json_option, max_bytes_option, parse_size, rule_option
from gomoku.commands.status import clear_status, show_status
from gomoku_patterns.quantities import amount

if TYPE_CHECKING:
    from gomoku_patterns.notation import GameTree
    from puzzles.reviewing import Review


@click.command("review")
@click.argument("game", metavar="GAME")
@click.option(
    "--game",
    "number",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Which game of a collection.",
)
@click.option("--size", metavar="N or RxC", help="The board, where the notation does not say.")
@rule_option
@click.option(
    "--nodes",
    type=click.IntRange(100),
    metavar="N",
    help="Nodes for each question about a position; 20,000 if not given.",
)
@click.option("--html", metavar="FILE", help="Write a page with a graph and a board for each error.")
@click.option("--sgf", metavar="FILE", help="Write the game with comments, better moves and refutations.")
@click.option(
    "--puzzles", metavar="FILE", help="Write the sound puzzles of the game as a suite (.toml, .jsonl or .sgf)."
)
@json_option
@max_bytes_option
def command(
    *,
    game: str,
    number: int,
    size: str | None,
    rule: Any,
    nodes: int | None,
    html: str | None,
    sgf: str | None,
    puzzles: str | None,
    as_json: bool,
) -> int:
    """Show where GAME ('-': standard input) was lost, which wins were missed, and what refutes each error.

    GAME is in any notation with the order of moves, SGF, PSQ or a list of moves, or it is the log of a match. Who is
    said to win is proven to win. Ctrl-C keeps what was reviewed by then.

    \b
    gomoku review game.sgf
    gomoku review game.psq --html review.html --sgf annotated.sgf
    gomoku review games.sgf --game 3 --puzzles mine.toml
    """
    from gomoku_patterns.files import check_writable
    from puzzles.reviewing import review
    from puzzles.suite import suite_writer
    from search import Limit

    for path in filter(None, (html, sgf, puzzles)):
        check_writable(path)
    if puzzles is not None:
        suite_writer(puzzles)
    tree = _game(game, number, size, rule)
    limit = None if nodes is None else Limit(nodes=nodes)
    try:
        found = review(tree, limit, progress=lambda done, total: show_status(f"position {done} of {total}"))
    finally:
        if sys.stderr is not None:
            clear_status()
    written = _write(found, source_name(game), html, sgf, puzzles)
    if as_json:
        from gomoku.answers import reviewed

        print_json(reviewed(found))
    else:
        _print(found)
        for line in written:
            click.echo(line)
    if not found.complete:
        click.echo("gomoku: interrupted; this is what was reviewed by then", err=True)
    return 0 if found.complete else 130


def _game(source: str, number: int, size: str | None, rule: Any) -> GameTree:
    """The game that was asked for, counted from 1."""
    from itertools import islice

    from arena.log import is_log
    from gomoku_patterns.errors import NotationError
    from gomoku_patterns.notation import read_positions

    data = read_bytes(source)
    name = source_name(source)
    if is_log(data[:80]):
        from arena.games import games_in
        from arena.log import entries_in

        trees = (one.tree() for one in games_in(entries_in(data.splitlines(keepends=True), name)))
    else:
        shape = None if size is None else parse_size(size)
        entries = read_positions(data, name=name, size=shape, rule=rule, max_bytes=reading_limit())
        trees = (entry.game() for entry in entries)
    found = next(islice(trees, number - 1, None), None)
    if found is None:
        raise NotationError(f"there is no game {number} in it", source=name)
    return found


def _write(found: Review, name: str, html: str | None, sgf: str | None, puzzles: str | None) -> list[str]:
    from gomoku_patterns.files import write_file

    written = []
    if html is not None:
        from puzzles.review_page import review_html

        write_file(html, "".join(review_html(found, Path(name).stem)))
        written.append(f"{html}: the review as a page")
    if sgf is not None:
        from gomoku_patterns.notation.sgf import sgf_text

        write_file(sgf, sgf_text(found.annotated()))
        written.append(f"{sgf}: the game with comments and variations")
    if puzzles is not None:
        from puzzles.suite import write

        levels = list(found.puzzles(Path(name).stem))
        if levels:
            write(puzzles, levels)
        count = amount(len(levels), "puzzle")
        written.append(
            f"{puzzles}: {count}" if levels else f"{puzzles} is not written: there is no puzzle in this game"
        )
    return written


def _print(found: Review) -> None:
    from puzzles.review_page import summary

    for one in found.slips:
        sign = one.slip.sign if one.slip else ""
        click.echo(f"{one.ply:4}. {one.colour!s:5} {sign:2} {found.says(one)}")
        if one.instead:
            click.echo(f"      better: {found.names(one.instead)}")
        if one.refutation:
            click.echo(f"      then:   {found.names(one.refutation)}")
    click.echo(summary(found))
