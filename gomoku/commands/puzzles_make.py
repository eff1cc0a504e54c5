"""``gomoku puzzles make``: puzzles found, proven to be sound, tagged, rated and written as a suite."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, json_option, parse_range, parse_ranges, parse_size, rule_option
from gomoku.commands.status import Pulse, clear_status, is_watched, show_status
from gomoku_patterns.quantities import amount

if TYPE_CHECKING:
    from arena.making import Making
    from puzzles.maker import MakePlan

Json = dict[str, Any]


@click.command("make", short_help="Make puzzles that are proven to be sound.")
@click.option("--count", "-n", type=click.IntRange(1), metavar="N", help="Stop when so many puzzles are kept.")
@click.option(
    "--out",
    "-o",
    metavar="OUT",
    help="Write the suite to this file, .toml, .jsonl or .sgf; '-': TOML to standard output.",
)
@click.option("--from", "games", multiple=True, metavar="FILE",
              help="Look for puzzles in these games, in any notation or match logs; may be repeated.")  # fmt: skip
@click.option("--source", "sources", multiple=True, metavar="NAME",
              help="Only from this source: play, shapes, changes; may be repeated.")  # fmt: skip
@click.option("--plies", metavar="A-B", default="5-17", show_default=True, help="How many plies the win takes.")
@click.option("--quiet", is_flag=True, help="Only puzzles with a move that makes neither a four nor a live three.")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only puzzles with this tag; may be repeated.")
@click.option("--band", "bands", metavar="A-B", help="Only puzzles of these bands of difficulty, from 1 to 10.")
@click.option("--size", metavar="N or RxC", default="15", show_default=True, help="The size of the board.")
@rule_option
@click.option("--whole", is_flag=True, help="Keep pairs of stones that a puzzle does not need.")
@click.option("--nodes", type=click.IntRange(100), default=10_000, show_default=True,
              help="For each proof and each denial.")  # fmt: skip
@click.option("--patience", type=click.IntRange(1), default=200_000, show_default=True,
              help="Give up after this many candidates in a row without a puzzle.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other puzzles.")
@click.option("--name", metavar="NAME", help="What the suite is called; without it, as the file of --out.")
@click.option("--log", metavar="FILE", help="Keep results in FILE; if it exists, the run goes on from it.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes at the same time.")
@cluster_option
@json_option
def make(
    *, count: int | None, out: str | None, games: tuple[str, ...], name: str | None, log: str | None, jobs: int,
    cluster: str | None, patience: int, as_json: bool, **options: Any,
) -> int:  # fmt: skip
    """Make puzzles: each is proven to be won, by one first move and in no fewer plies.

    Candidates come from games played here, from shapes, from changed puzzles, or from your games (--from). Each is
    tested from the cheapest test to the dearest, and the result says how many failed which. The same options and seed
    make the same puzzles however many --jobs there are. docs/how-to/make-puzzles.md says what is tested.

    \b
    gomoku puzzles make --count 100 --out mine.toml
    gomoku puzzles make --from mygames.sgf --out missed.toml
    gomoku puzzles make -n 20 --rule renju --plies 7-15 --tag forbidden_trap -o traps.toml
    """
    from arena.making import Making

    if count is None and not games:
        raise click.UsageError("say how many puzzles to make: --count N")
    if out not in (None, "-"):
        from gomoku_patterns.files import check_writable
        from puzzles.suite import suite_writer

        suite_writer(str(out))
        check_writable(str(out))
    run = Making(_plan(options), count, games=games, log=log, jobs=jobs, cluster=cluster, patience=patience)
    interrupted = _go(run, quiet=as_json)
    if out is not None:
        _write(out, run, name)
    _print(run, out, as_json)
    if interrupted:
        how = f"--log {log} goes on" if log else "with --log FILE the next run could go on"
        click.echo(f"gomoku: interrupted, {amount(run.kept, 'puzzle')} kept; {how}", err=True)
        return 130
    if run.gave_up:
        wish = "ask for fewer tags, other bands or other plies, or give a larger --patience"
        click.echo(f"gomoku: gave up after {run.barren:,} candidates in a row without a puzzle; {wish}", err=True)
    return 0 if run.kept else 1


def _plan(options: Json) -> MakePlan:
    from gomoku_patterns.errors import unknown
    from gomoku_patterns.rules import Rule
    from puzzles.maker import SOURCES, MakePlan
    from puzzles.suite import BANDS
    from puzzles.tags import TAGS

    for tag in options["tags"]:
        if tag not in TAGS:
            raise click.UsageError(unknown("tag", tag, TAGS))
    plies = parse_range(options["plies"], "plies")
    bands = parse_ranges(options["bands"], "bands") if options["bands"] else []
    for band in (number for part in bands for number in part):
        if band not in BANDS:
            raise click.UsageError(f"there are bands from {BANDS[0]} to {BANDS[-1]}, and no band {band}")
    rows, cols = parse_size(options["size"])
    return MakePlan(
        rows=rows,
        cols=cols,
        rule=options["rule"] or Rule.FREESTYLE,
        seed=options["seed"],
        fewest=plies[0],
        most=plies[-1],
        quiet=options["quiet"],
        tags=options["tags"],
        bands=tuple(number for part in bands for number in part),
        sources=options["sources"] or tuple(SOURCES),
        nodes=options["nodes"],
        reduce=not options["whole"],
    ).check()


def _go(run: Making, *, quiet: bool) -> bool:
    """Make puzzles until there are enough; whether the user has interrupted it."""
    began, first = time.monotonic(), -1
    pulse = Pulse("making puzzles")
    try:
        for fresh in run.results():
            first = run.kept - len(fresh) if first < 0 else first
            rate = (run.kept - first) / max(time.monotonic() - began, 1e-3)
            wanted = "" if run.count is None else f" of {run.count:,}"
            text = f"{run.kept:,}{wanted} puzzles, {rate:.1f} a second"
            if not quiet and is_watched():
                show_status(text)
            elif not quiet and pulse.is_due():
                pulse.say(text)
    except KeyboardInterrupt:
        return True
    finally:
        if sys.stderr is not None and not quiet:
            clear_status()
    return False


def _write(out: str, run: Making, name: str | None) -> None:
    from pathlib import Path

    from gomoku_patterns.files import replacing
    from puzzles.suite import suite_text, suite_writer

    pieces = (suite_text if out == "-" else suite_writer(out))(
        name or (Path(out).stem if out != "-" else "made"), run.levels
    )
    if out == "-":
        for piece in pieces:
            click.echo(piece, nl=False)
        return
    with replacing(out) as stream:
        stream.writelines(piece.encode() for piece in pieces)


def _print(run: Making, out: str | None, as_json: bool) -> None:
    if as_json and out != "-":
        print_json(run.summary())
    elif not as_json:
        _print_tests(run, err=out == "-")


def _print_tests(run: Making, *, err: bool) -> None:
    """What was kept, and which share of each source's candidates failed which test."""
    bands = " ".join(f"{band}:{sum(level.band == band for level in run.levels)}" for band in range(1, 11))
    click.echo(f"{amount(run.kept, 'puzzle')} kept; by band {bands}", err=err)
    for source, tests in sorted(run.tests.items()):
        total = sum(tests.values())
        shares = ", ".join(f"{test} {number / total:.1%}" for test, number in tests.most_common() if number > 0)
        click.echo(f"{source}: {total:,} candidates: {shares}", err=err)
