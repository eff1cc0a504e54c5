"""``gomoku ladder``: evaluators compared on one page."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gomoku.commands.common import print_json, read_text
from gomoku.commands.options import cluster_option, game_options, json_option

if TYPE_CHECKING:
    from rich.console import Group, RenderableType

    from arena.ladder import Ladder, LadderPlan
    from arena.ladder_cost import Costs
    from arena.sheets import Sheet

Json = dict[str, Any]

_MOST_OF_A_PAGE = 2**28
_WORTH_SAYING = 60.0
_LEEWAY = 1.1
"""By how much the estimate of a ladder may exceed its --budget; estimates are no better."""
_LONG = 3600.0


if TYPE_CHECKING:
    _CountType = click.ParamType[int | None]
else:
    _CountType = click.ParamType  # takes a type from click 8.4 on only


class CountOrAll(_CountType):
    """A number from 0, or all, which is None."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value in (None, "all"):
            return None
        if not (isinstance(value, int) or (value.isascii() and value.isdecimal() and len(value) < 10)):
            self.fail(f"{value!r} is not a number from 0, nor all", param, ctx)
        return int(value)


@click.command("ladder")
@click.argument("evaluators", nargs=-1, metavar="[EVALUATOR ...]")
@click.option(
    "--suite", default="endgames", show_default=True, metavar="SUITE", help="The puzzles: a built-in suite or a file."
)
@click.option(
    "--positions",
    type=CountOrAll(),
    default="all",
    show_default=True,
    metavar="N|all",
    help="On how many of the puzzles moves are ranked, spread over the bands; 0 ranks none.",
)
@click.option(
    "--levels",
    type=CountOrAll(),
    default="100",
    show_default=True,
    metavar="N|all",
    help="How many of the puzzles are played out, spread over the bands; 0 plays none.",
)
@click.option(
    "--search",
    "searches",
    multiple=True,
    metavar="PLAYER",
    help="A search that solves the puzzles; may be repeated.  [default: minmax:fives=rules, and engine:solver=no for "
    "tables]",
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
    default="minmax:fives=rules",
    show_default=True,
    help="The search that plays games; the engine takes tables only.",
)
@game_options
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=0.01,
    show_default=True,
    metavar="S",
    help="How many seconds a move may take in the games at equal time; 0 plays none.",
)
@click.option(
    "--pairs",
    type=click.IntRange(0),
    default=20,
    show_default=True,
    help="Pairs of games each pairing plays at equal nodes, and at equal time; 0 plays none.",
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
@click.option("--budget", metavar="TIME", help="Do as much as fits into this time, such as 90s, 20m or 2h.")
@click.option("--estimate", is_flag=True, help="Only say how long it will take.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes that work at the same time."
)
@cluster_option
@click.option("--log", metavar="FILE", help="Keep every result in FILE; if FILE exists, go on from it.")
@click.option(
    "--repeat",
    metavar="PAGE",
    help="Repeat the ladder of a page or its JSON in this folder, which is empty; needs --trust.",
)
@click.option("--trust", is_flag=True, help="With --repeat: run the Python code and the programs that PAGE names.")
@click.option("--report", metavar="FILE.html", help="Write one self-contained page with charts.")
@click.option("--charts", metavar="FOLDER", help="Write the charts as SVG, PNG (extra 'png') and PDF (extra 'pdf').")
@click.option("--tables", metavar="FOLDER", help="Write the tables as CSV, Markdown and LaTeX.")
@json_option
def command(
    *,
    searches: tuple[str, ...],
    budget: str | None,
    estimate: bool,
    jobs: int,
    cluster: str | None,
    log: str | None,
    repeat: str | None,
    trust: bool,
    report: str | None,
    charts: str | None,
    tables: str | None,
    as_json: bool,
    **options: Any,
) -> int:
    """Compare evaluators on speed, ordering of moves, puzzles and games.

    An EVALUATOR is a built-in table, a TOML file, or a Python class as package.module:Class that has a name and
    score(board). Without any, the built-in tables are compared.

    \b
    gomoku ladder --report ladder.html --tables tables --charts figures
    gomoku ladder grade_dict mine.toml my_package.evaluators:Mine --budget 2h -j 2 --report ladder.html
    gomoku ladder --repeat ladder.html --trust --report again.html
    """
    from arena.ladder import Ladder

    if trust and not repeat:
        raise click.UsageError("--trust is for --repeat PAGE")
    if repeat:
        _refuse_settings(click.get_current_context())
        result = _result_of(repeat, trust=trust)
        _check_outputs(report, charts, tables)
        plan = _repeated(result, (repeat, *filter(None, (log, report, charts, tables))))
    else:
        _check_outputs(report, charts, tables)
        plan = _plan(searches, options)
    ladder = Ladder(plan)
    time_allowed = None if budget is None else parse_duration(budget)
    if estimate:
        return _say_costs(ladder, time_allowed, jobs, as_json)
    ladder = _within(ladder, time_allowed, jobs, log)
    _say_pairs(ladder.plan)
    interrupted = _run(ladder, jobs, cluster, log)
    result = ladder.result()
    _save(result, report, charts, tables)
    if as_json:
        print_json(result)
    else:
        from arena.scoreboard import show

        show(ladder_view(result))
    if interrupted:
        how = f"go on with the same command and --log {log}" if log else "with --log FILE it could go on"
        click.echo(f"gomoku: interrupted after {len(ladder.done)} units of work; {how}", err=True)
    return 130 if interrupted else 0


# ------------------------------------------------------------------ what is asked for


def _plan(searches: tuple[str, ...], options: Json) -> LadderPlan:
    from arena.ladder import SEARCHES, LadderPlan
    from gomoku_patterns.table import table_names

    evaluators = options.pop("evaluators") or tuple(table_names())
    budgets = parse_budgets(options.pop("budgets"))
    for name in ("nodes", "seconds"):
        options[name] = None if options[name] == 0 else options[name]
    return LadderPlan(evaluators=evaluators, searches=searches or SEARCHES, budgets=budgets, **options)


def parse_budgets(text: str) -> tuple[int, ...]:
    """The numbers of ``500,2000``."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and len(part) < 12 for part in parts):
        raise click.UsageError(f"cannot read {text!r} as numbers of nodes; write 500,2000")
    return tuple(map(int, parts))


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_duration(text: str) -> float:
    """The seconds of ``90s``, ``20m``, ``2h`` or ``1d``."""
    number, unit = text.strip()[:-1], text.strip()[-1:].lower()
    try:
        seconds = float(number) * _UNITS[unit]
    except (ValueError, KeyError):
        seconds = 0.0
    if not 0 < seconds < 1e9:
        raise click.UsageError(f"cannot read the time {text!r}; write 90s, 20m or 2h")
    return seconds


def _refuse_settings(context: click.Context) -> None:
    """The page has the settings of its ladder: others beside it would be passed over in silence."""
    beside = {
        "repeat",
        "trust",
        "budget",
        "estimate",
        "jobs",
        "cluster",
        "log",
        "report",
        "charts",
        "tables",
        "as_json",
    }
    for parameter in context.command.params:
        written = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if written and parameter.name not in beside and context.params.get(parameter.name or ""):
            name = parameter.opts[0] if parameter.param_type_name == "option" else "the evaluators"
            raise click.UsageError(f"with --repeat the settings come from the page: leave out {name}")


def _result_of(path: str, *, trust: bool) -> Json:
    """The result of a page or of a JSON file, once the user has said that it may be run."""
    result = result_in(read_text(path, most=_MOST_OF_A_PAGE), path)
    if not trust:
        carried = [str(one["file"]) for one in _sources_in(result, path) if one.get("file")]
        files = f"carries {', '.join(carried)}" if carried else "carries no files"
        raise click.UsageError(
            f"{path} {files:.300}; what it names is imported and run here, with your rights: "
            "read it, and if you trust whoever made it, repeat it with --trust in an empty folder"
        )
    return result


def _sources_in(result: Json, path: str) -> list[Json]:
    sources = result["sources"]
    if not isinstance(sources, list) or not all(isinstance(one, dict) for one in sources):
        raise click.UsageError(f"{path} is no result of a ladder: its sources are {sources!r:.60}")
    return sources


def _repeated(result: Json, beside: tuple[str, ...]) -> LadderPlan:
    """The plan of a result, whose files are written into this folder first."""
    from arena.ladder_again import plan_of, unpack

    for file in unpack(_sources_in(result, beside[0]), beside=beside):
        click.echo(f"gomoku: wrote {file}", err=True)
    return plan_of(result)


def result_in(text: str, path: str) -> Json:
    """The result that a page carries, or that a JSON file is."""
    import json

    from arena.page import page_result

    found = page_result(text)
    if found is None:
        try:
            found = json.loads(text)
        except ValueError:
            found = None
    if not isinstance(found, dict) or not {"settings", "sources"} <= found.keys():
        raise click.UsageError(f"{path} is no page of gomoku ladder --report, and no result of --json")
    return found


# ------------------------------------------------------------------ how long it takes


def _say_costs(ladder: Ladder, allowed: float | None, jobs: int, as_json: bool) -> int:
    from arena.ladder_cost import complete, fitted, measured_costs
    from arena.statistics import least_pairs

    costs, plan = measured_costs(ladder), complete(ladder.plan, ladder)
    chosen = plan if allowed is None else fitted(plan, costs, allowed, jobs)
    if as_json:
        fit = {name: getattr(chosen, name) for name in _SHRINKING}
        needed = {"pairs_needed": least_pairs(chosen.comparisons) if chosen.comparisons else None}
        print_json(
            {"seconds": costs.seconds(chosen, jobs), "parts": costs.parts(chosen), "jobs": jobs, **needed, **fit}
        )
    else:
        click.echo(_told_costs(costs, chosen, jobs))
        if chosen != plan:
            click.echo(f"with {_shrunk(chosen)}")
        if allowed is not None and costs.seconds(chosen, jobs) > allowed:
            click.echo(f"that is more than {_long(allowed)}: a ladder with --budget would be refused")
        _say_pairs(chosen, err=False)
    return 0


_SHRINKING = ("pairs", "levels", "positions", "budgets", "nodes")


def _told_costs(costs: Costs, plan: LadderPlan, jobs: int) -> str:
    parts = ", ".join(f"{name} {_long(seconds)}" for name, seconds in costs.parts(plan).items())
    each = f" on {jobs} jobs" if jobs > 1 else ""
    return f"this takes about {_long(costs.seconds(plan, jobs))}{each} ({parts}{' by one job' if jobs > 1 else ''})"


def _long(seconds: float) -> str:
    """A time for people who may have to wait for days."""
    from gomoku_patterns.quantities import clock

    return f"{seconds / 86400:.1f} days" if seconds > 2 * 86400 else clock(seconds)


def _shrunk(plan: LadderPlan) -> str:
    budgets = ",".join(map(str, plan.budgets))
    numbers = f"--pairs {plan.pairs} --levels {plan.levels} --positions {plan.positions}"
    return f"{numbers} --level-nodes {budgets} --nodes {plan.nodes or 0}"


def _within(ladder: Ladder, allowed: float | None, jobs: int, log: str | None) -> Ladder:
    """The ladder, or as much of it as fits; a long one is told of, and what would fit into an hour."""
    from arena.ladder import Ladder
    from arena.ladder_cost import complete, fitted, measured_costs

    if log and allowed is not None and Path(log).exists():
        return Ladder(_of_log(ladder.plan, log))
    costs, plan = measured_costs(ladder), complete(ladder.plan, ladder)
    if allowed is not None:
        chosen = fitted(plan, costs, allowed, jobs)
        changed = f", with {_shrunk(chosen)}" if chosen != plan else ""
        if costs.seconds(chosen, jobs) > _LEEWAY * allowed:
            raise click.UsageError(
                f"the least that can answer does not fit into {_long(allowed)}: "
                f"{_told_costs(costs, chosen, jobs)}{changed}; give more time or fewer evaluators, "
                "or leave out a part, as by --seconds 0, --levels 0 or --speed 0"
            )
        click.echo(f"gomoku: {_told_costs(costs, chosen, jobs)}{changed}", err=True)
        if chosen.nodes != plan.nodes:
            click.echo(f"gomoku: {chosen.nodes} nodes a move ask something else than {plan.nodes}", err=True)
        return ladder if chosen == plan else Ladder(chosen)
    if costs.seconds(plan, jobs) > _WORTH_SAYING:
        click.echo(f"gomoku: {_told_costs(costs, plan, jobs)}", err=True)
    if costs.seconds(plan, jobs) > _LONG:
        hour = fitted(plan, costs, _LONG, jobs)
        takes = _long(costs.seconds(hour, jobs))
        click.echo(f"gomoku: --budget 1h would take {takes}, with {_shrunk(hour)}", err=True)
    return ladder


def _say_pairs(plan: LadderPlan, *, err: bool = True) -> None:
    """Say before the games what so many pairs can show."""
    from arena.statistics import least_pairs, pairs_to_tell

    if not plan.comparisons or not plan.limits:
        return
    least, enough = least_pairs(plan.comparisons), pairs_to_tell(100, plan.comparisons)
    pairings = "1 pairing" if plan.comparisons == 1 else f"{plan.comparisons} pairings"
    said = f"{pairings} of {plan.pairs} pairs of games: {enough} would show 100 Elo in four cases of five"
    if plan.pairs < least:
        said += (
            f"; below {least} not even a player that wins all is significantly better, so every pairing will be open"
        )
    click.echo(f"gomoku: {said}" if err else said, err=err)


def _of_log(plan: LadderPlan, log: str) -> LadderPlan:
    """The plan with the numbers that an earlier run with a budget chose."""
    from dataclasses import replace

    from arena.log import read_header

    header = read_header(log)
    chosen = {name: header[name] for name in _SHRINKING if name in header}
    if isinstance(chosen.get("budgets"), list):
        chosen["budgets"] = tuple(chosen["budgets"])
    return replace(plan, **chosen)


# ------------------------------------------------------------------ the run


def _run(ladder: Ladder, jobs: int, cluster: str | None, log: str | None) -> bool:
    """Whether the user stopped the run."""
    from arena.log import Log
    from arena.pools import workers

    _warn_of_crowding(ladder, jobs, cluster)
    try:
        with ExitStack() as stack:
            show = _progress(stack) if sys.stderr.isatty() else _lines()
            kept = stack.enter_context(Log(log, ladder.header())) if log else None
            pool = stack.enter_context(workers(jobs, cluster=cluster))
            ladder.run(pool, kept, show)
    except KeyboardInterrupt:
        return True
    return False


def _warn_of_crowding(ladder: Ladder, jobs: int, cluster: str | None) -> None:
    from arena.machine import machine

    if "seconds" in ladder.matches and jobs > (cores := machine()["cores"]) and not cluster:
        click.echo(f"gomoku: {jobs} jobs on {cores} cores: games at equal time get less time than they say", err=True)


def _lines() -> Any:
    """Where nobody watches a terminal, a line now and then says how far the ladder is."""
    from gomoku.commands.status import Pulse
    from gomoku_patterns.quantities import clock

    pulse, began, first = Pulse("ladder"), time.monotonic(), [0]

    def show(done: int, total: int) -> None:
        first[0] = first[0] or done
        if pulse.is_due():
            taken = time.monotonic() - began
            left = taken * (total - done) / max(1, done - first[0])
            pulse.say(f"{done} of {total} units of work, {clock(taken)} so far, about {clock(left)} to go")

    return show


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


def _check_outputs(report: str | None, charts: str | None, tables: str | None) -> None:
    """What cannot be written is told before hours of work, and not after them."""
    from gomoku_patterns.files import check_writable

    for path in (report, f"{tables}/overview.csv" if tables else None):
        if path:
            check_writable(path, folders=True)
    if charts:
        from gomoku_patterns.charts import can_make_pdf, chart_folder

        chart_folder(charts)
        if not can_make_pdf():
            click.echo("gomoku: charts as SVG and PNG only: PDF needs pip install 'gomoku-patterns[pdf]'", err=True)


def _save(result: Json, report: str | None, charts: str | None, tables: str | None) -> None:
    if report:
        from arena.page import ladder_page
        from gomoku_patterns.files import write_file

        write_file(report, ladder_page(result), folders=True)
    if charts:
        from arena.ladder_charts import save_charts

        save_charts(result, charts)
    if tables:
        from arena.ladder_sheets import sheets
        from arena.sheets import save_sheets

        save_sheets(sheets(result), tables)


# ------------------------------------------------------------------ for people


def ladder_view(result: Json) -> Group:
    """The ladder as tables."""
    from rich.console import Group
    from rich.text import Text

    from arena.ladder_sheets import sheets

    parts: list[RenderableType] = []
    for sheet in sheets(result):
        if sheet.name != "overview" and sheet.rows:
            parts += [Text(sheet.title, style="bold"), _drawn(sheet), Text(sheet.notes, style="dim"), Text()]
    return Group(*parts[:-1])


def _drawn(sheet: Sheet) -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for place, column in enumerate(sheet.columns):
        words = place < sheet.words
        table.add_column(column, justify="left" if words else "right", no_wrap=not words, overflow="fold")
    for row in sheet.rows:
        cells = [Text(f"{one.text} ({one.note})" if one.note else one.text, "bold" if one.best else "") for one in row]
        table.add_row(*cells)
    return table
