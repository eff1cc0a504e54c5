"""``gomoku ladder``: evaluators compared on one page."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import cluster_option, game_options, json_option

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from arena.ladder import Ladder, LadderPlan

Json = dict[str, Any]


@click.command("ladder")
@click.argument("evaluators", nargs=-1, metavar="[EVALUATOR ...]")
@click.option(
    "--suite", default="huanle", show_default=True, metavar="SUITE", help="The puzzles: a built-in suite or a file."
)
@click.option(
    "--search",
    "searches",
    multiple=True,
    metavar="PLAYER",
    help="A search that solves the puzzles; may be repeated.  [default: minmax, and engine:solver=no for tables]",
)
@click.option(
    "--level-nodes",
    "budgets",
    default="500,2000,8000,32000",
    show_default=True,
    metavar="N,N,...",
    help="How many nodes a move on puzzles may take: several budgets, rising.",
)
@click.option(
    "--game-search",
    metavar="PLAYER",
    default="minmax",
    show_default=True,
    help="The search that plays games; the engine takes tables only.",
)
@game_options
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Pairs of games each pairing plays; 0 plays none.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed gives other openings.")
@click.option(
    "--speed",
    type=click.FloatRange(0),
    default=0.3,
    show_default=True,
    metavar="S",
    help="How many seconds to measure each speed; 0 measures none.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes that work at the same time."
)
@cluster_option
@click.option("--log", metavar="FILE", help="Keep every result in FILE; if FILE exists, go on from it.")
@click.option("--report", metavar="FILE.html", help="Write one self-contained page with charts.")
@click.option("--charts", metavar="FOLDER", help="Write the charts as SVG and PNG files (extra 'png').")
@json_option
def command(
    *,
    searches: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    log: str | None,
    report: str | None,
    charts: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Compare evaluators on speed, ordering of moves, puzzles and games.

    An EVALUATOR is a built-in table, a TOML file, or a Python class as package.module:Class that has a name and
    score(board). Without any, the built-in tables are compared.

    \b
    gomoku ladder --report ladder.html
    gomoku ladder grade_dict mine.toml my_package.evaluators:Mine --pairs 100 -j 2 --report ladder.html
    """
    from arena.ladder import Ladder

    _check_outputs(report, charts)
    ladder = Ladder(_plan(searches, options))
    interrupted = _run(ladder, jobs, cluster, log)
    result = ladder.result()
    _save(result, report, charts)
    if as_json:
        print_json(result)
    else:
        from arena.scoreboard import show

        show(ladder_view(result))
    if interrupted:
        how = f"go on with the same command and --log {log}" if log else "with --log FILE it could go on"
        click.echo(f"gomoku: interrupted after {len(ladder.done)} units of work; {how}", err=True)
    return 130 if interrupted else 0


def _plan(searches: tuple[str, ...], options: Json) -> LadderPlan:
    from arena.ladder import SEARCHES, LadderPlan
    from gomoku_patterns.table import table_names

    evaluators = options.pop("evaluators") or tuple(table_names())
    budgets = parse_budgets(options.pop("budgets"))
    return LadderPlan(evaluators=evaluators, searches=searches or SEARCHES, budgets=budgets, **options)


def parse_budgets(text: str) -> tuple[int, ...]:
    """The numbers of ``500,2000``."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 12 for part in parts):
        raise click.UsageError(f"cannot read {text!r} as numbers of nodes; write 500,2000")
    return tuple(map(int, parts))


def _run(ladder: Ladder, jobs: int, cluster: str | None, log: str | None) -> bool:
    """Whether the user stopped the run."""
    from arena.log import Log
    from arena.pools import workers

    try:
        with ExitStack() as stack:
            show = _progress(stack) if sys.stderr.isatty() else None
            kept = stack.enter_context(Log(log, ladder.header())) if log else None
            pool = stack.enter_context(workers(jobs, cluster=cluster))
            ladder.run(pool, kept, show)
    except KeyboardInterrupt:
        return True
    return False


def _progress(stack: ExitStack) -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn("ladder"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    bar = stack.enter_context(Progress(*columns, console=Console(stderr=True), transient=True))
    task = bar.add_task("ladder", total=None)
    began = time.monotonic()

    def show(done: int, total: int) -> None:
        bar.update(task, completed=done, total=total, refresh=time.monotonic() - began < 1)

    return show


def _check_outputs(report: str | None, charts: str | None) -> None:
    """What cannot be written is told before hours of work, and not after them."""
    if report:
        from gomoku_patterns.files import check_writable

        check_writable(report, folders=True)
    if charts:
        from gomoku_patterns.charts import chart_folder

        chart_folder(charts)


def _save(result: Json, report: str | None, charts: str | None) -> None:
    if report:
        from arena.page import ladder_page
        from gomoku_patterns.files import write_file

        write_file(report, ladder_page(result), folders=True)
    if charts:
        from arena.ladder_charts import save_charts

        save_charts(result, charts)


# ------------------------------------------------------------------ for people


def ladder_view(result: Json) -> Group:
    """The ladder as tables."""
    from rich.console import Group
    from rich.text import Text

    parts: list[RenderableType] = [_quality_table(result), Text(), _speed_table(result)]
    if result["pairings"]:
        parts = [_rating_table(result), Text(), *parts]
    return Group(*parts, Text(), Text(_footnote(result), style="dim"))


def _table(*columns: str) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=bool(index), overflow="fold")
    return table


def _rating_table(result: Json) -> Any:
    table = _table("evaluator", "Elo", "95 % interval", "games")
    for row in sorted(result["evaluators"], key=lambda row: -(row["rating"]["value"] or 0.0)):
        table.add_row(row["evaluator"], *_rating(row))
    return table


def _quality_table(result: Json) -> Any:
    searches = [search.partition(":")[0] for search in result["settings"]["searches"]]
    table = _table("evaluator", "top 1", "top 5", "top 10", "MRR", *(f"won by {search}" for search in searches))
    for row in result["evaluators"]:
        table.add_row(row["evaluator"], *_ordering(row), *map(_solved, row["levels"]))
    return table


def _rating(row: Json) -> tuple[str, ...]:
    from arena.statistics import signed

    rating = row["rating"]
    if rating["value"] is None:
        return "-", "-", "0"
    return signed(rating["value"]), f"{signed(rating['low'])} to {signed(rating['high'])}", str(rating["games"])


def _ordering(row: Json) -> tuple[str, ...]:
    found = row["ordering"]
    if not found:
        return "-", "-", "-", "-"
    return (*(f"{found[key]:.0%}" for key in ("top1", "top5", "top10")), f"{found['mrr']:.3f}")


def _solved(level: Json) -> str:
    return " ".join(map(str, level["won"].values())) if level["tried"] else "-"


def _speed_table(result: Json) -> Any:
    table = _table("evaluator", "kind", "scores/s", "batch scores/s", "plays/s")
    for row in result["evaluators"]:
        speed = row["speed"] or {}
        figures = (f"{speed[key]:,.0f}" if key in speed else "-" for key in ("scores", "batch", "plays"))
        table.add_row(row["evaluator"], row["kind"], *figures)
    return table


def _footnote(result: Json) -> str:
    settings = result["settings"]
    positions = max((row["ordering"]["levels"] for row in result["evaluators"] if row["ordering"]), default=0)
    return (
        f"Elo: {settings['game_search']} at {settings['nodes']} nodes a move, relative to the mean. "
        f"top k, MRR: ranks of proven winning moves on {positions} positions of {result['suite']['name']}. "
        f"Levels won, of {result['suite']['levels']}: {', '.join(settings['searches'])} within "
        f"{', '.join(map(str, settings['budgets']))} nodes a move, against the most stubborn defence."
    )
