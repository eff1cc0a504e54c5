"""``gomoku data``: data sets of labelled positions, by self-play or from games."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, json_option, parse_size, rule_option
from gomoku.commands.status import clear_status, show_status

if TYPE_CHECKING:
    from arena.data import DataSet, Source

Json = dict[str, Any]

QUIET_ONLY = (
    "only quiet positions were kept: shapes with which a side can make five at once, such as a rush four, never occur, "
    "so their columns of features are 0 and no score can be fitted to them; --all in a new folder keeps every position"
)
"""What a reader of a data set has to know unless it was made with --all."""


@click.command("data")
@click.argument("folder", metavar="FOLDER")
@click.option(
    "--from",
    "files",
    multiple=True,
    metavar="FILE",
    help="A match log, a suite, or games or positions in any notation; may be repeated.",
)
@click.option(
    "--ends-of",
    "searched",
    metavar="DATA",
    help="A data set: of each of its positions the one in which the search's line ends, with its score and result.",
)
@click.option("--games", type=click.IntRange(1), help="How many games to play; a larger number than before adds games.")
@click.option("--verify", is_flag=True, help="Compare every file of FOLDER with what was written.")
@click.option(
    "--nodes",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    help="How many nodes each position is searched; 0 takes the moves and scores of the games (--from).",
)
@click.option(
    "--table", metavar="T", default="engine", show_default=True, help="What the search judges by: a table or TOML file."
)
@click.option(
    "--all", "everything", is_flag=True, help="Keep positions that are not quiet, too, such as those with a four."
)
@click.option("--size", metavar="N or RxC", default="15", show_default=True, help="The size of the board.")
@rule_option
@click.option("--plies", type=click.IntRange(0), default=5, show_default=True,
              help="How many moves of a game count as its opening (--from).")  # fmt: skip
@click.option("--variety", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="How often a move is drawn and not the best (--games).")  # fmt: skip
@click.option("--temperature", type=click.FloatRange(0, min_open=True), default=40.0, show_default=True,
              help="A move worse by this much is drawn e times less often (--games).")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other games.")
@click.option("--shard", type=click.IntRange(1), default=100_000, show_default=True, help="Positions in a shard.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Games at the same time.")
@cluster_option
@json_option
def command(
    *, folder: str, jobs: int, cluster: str | None, shard: int, verify: bool, as_json: bool, **options: Any
) -> int:
    """Make the data set FOLDER of searched positions, or go on with it; or describe it, if nothing says what of.

    Only quiet positions are kept, those that a table for searches has to judge: a rush four and other shapes with which
    a side can make five at once never occur in them. Give --all if you count shapes or fit their scores.

    The same command goes on where it was broken off, and gives the same files however many jobs there are. A position
    is kept once, whichever way the board is turned. docs/reference/data-sets.md says what the files are.

    \b
    gomoku data selfplay/ --games 10000 --nodes 2000 -j 2
    gomoku data played/ --from games.jsonl --from collection.sgf
    gomoku data ends/ --ends-of selfplay/ --nodes 600 --table cell -j 2
    gomoku data selfplay/ --verify
    """
    from arena.data import DataSet

    source = _source(options)
    interrupted = False
    if source is not None:
        interrupted = _make(folder, source, shard, jobs, cluster)
    found = DataSet(folder)
    damaged = found.damaged() if verify else []
    _print(found, damaged if verify else None, as_json)
    if interrupted:
        click.echo("gomoku: interrupted; the same command goes on with what is in the folder", err=True)
    return 130 if interrupted else 1 if damaged else 0


def _source(options: Json) -> Source | None:
    """Where positions are to come from, if any are to be made."""
    files, games, searched = options["files"], options["games"], options["searched"]
    ways = [way for way, given in (("--games", games), ("--from", files), ("--ends-of", searched)) if given]
    if len(ways) > 1:
        raise click.UsageError(f"a data set is made in one way: give {' or '.join(ways)}")
    if not ways:
        return None
    from arena.selfplay import Labelling, SelfPlay, ends_source, games_source, self_play
    from gomoku_patterns.rules import Rule
    from gomoku_patterns.table import load_table

    if not options["nodes"] and not files:
        raise click.UsageError(f"{ways[0]} needs nodes: give --nodes of 1 or more")
    if searched:
        _refuse_settings_of_games(click.get_current_context())
        return ends_source(searched, nodes=options["nodes"], table=load_table(options["table"]))
    rows, cols = parse_size(options["size"])
    common: Json = {
        "rows": rows,
        "cols": cols,
        "rule": options["rule"] or Rule.FREESTYLE,
        "table": load_table(options["table"]),
        "nodes": options["nodes"],
        "quiet": not options["everything"],
    }
    if files:
        return games_source(files, Labelling(**common), plies=options["plies"])
    drawn = {name: options[name] for name in ("seed", "variety", "temperature")}
    return self_play(SelfPlay(**common, **drawn), games)


def _refuse_settings_of_games(context: click.Context) -> None:
    """The searched positions are there already, with their board and rule: what says otherwise would be passed over."""
    for name in ("size", "rule", "everything", "plies", "variety", "temperature", "seed"):
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(one.opts[0] for one in context.command.params if one.name == name)
            raise click.UsageError(f"with --ends-of the positions are those of the data set: leave out {option}")


def _make(folder: str, source: Source, shard: int, jobs: int, cluster: str | None) -> bool:
    """Whether the user stopped the run."""
    from arena.data import make_data
    from arena.pools import workers

    began, first = time.monotonic(), -1

    def show(games: int, positions: int) -> None:
        nonlocal first
        first = positions if first < 0 else first
        rate = (positions - first) / max(time.monotonic() - began, 1e-3)
        show_status(f"{games:,} games, {positions:,} positions, {rate:,.0f} a second")

    try:
        with workers(jobs, cluster=cluster) as pool:
            make_data(folder, source, pool, shard=shard, progress=show)
    except KeyboardInterrupt:
        return True
    finally:
        if sys.stderr is not None:
            clear_status()
    return False


def _print(found: DataSet, damaged: list[str] | None, as_json: bool) -> None:
    meta = found.meta
    said = {key: meta[key] for key in ("rows", "cols", "rule", "games", "positions", "duplicates", "splits", "made")}
    said |= {"folder": str(found.folder), "shards": len(found.shards)}
    said |= {} if damaged is None else {"damaged": damaged}
    if as_json:
        print_json(said)
        return
    splits = ", ".join(f"{count:,} {name}" for name, count in meta["splits"].items())
    shards = "1 shard" if len(found.shards) == 1 else f"{len(found.shards)} shards"
    click.echo(f"{found.folder}: {len(found):,} positions of {meta['games']:,} games in {shards} ({splits})")
    click.echo(f"{meta['duplicates']:,} more were there already; {meta['rows']}x{meta['cols']} {meta['rule']}")
    if meta["made"].get("quiet"):
        click.echo(QUIET_ONLY)
    if damaged is not None:
        click.echo(f"not as written: {', '.join(damaged)}" if damaged else "every file is as it was written")
