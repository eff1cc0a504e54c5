"""``gomoku puzzles``: solve, replay and report puzzle suites."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes
from gomoku.commands.options import cluster_option, json_option, max_bytes_option, parse_ranges
from gomoku.commands.puzzles_audit import audit
from gomoku.commands.puzzles_make import make
from gomoku_patterns.errors import printable
from gomoku_patterns.files import replacing
from gomoku_patterns.quantities import amount

if TYPE_CHECKING:
    from arena.suite_run import SuiteRun
    from puzzles import Attempt, Suite
    from search import Limit

Watch = Callable[["Attempt"], object]


@click.command("solve", hidden=True)
@click.argument("suite", required=False, default="huanle", metavar="[SUITE]")
@click.option("--level", "wanted", metavar="1-5,16", help="Only these levels.")
@click.option(
    "--attacker",
    default="solver",
    show_default=True,
    metavar="P",
    help="The player that has to win; 'solver' proves the win.",
)
@click.option("--defender", metavar="P", help="Play against this player; minmax if the attacker is not the solver.")
@click.option("--seconds", type=float, metavar="S", help="For the solver on a level, or for every move of a game.")
@click.option("--nodes", type=int, metavar="N", help="The same in nodes; results are then reproducible.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes that work at the same time."
)
@cluster_option
@click.option("--show", is_flag=True, help="Print each board with its solution numbered on it.")
@click.option("--report", "report_file", metavar="FILE.html", help="Write a page with every board, solution and time.")
@click.option("--log", metavar="FILE", help="Keep results in FILE; if it exists, the run goes on from it.")
@click.option(
    "--recall",
    is_flag=True,
    help="Solve nothing; show how high each table, and each learned one's priors, rank the winning moves.",
)
@json_option
@max_bytes_option
def solve(
    *,
    suite: str,
    wanted: str | None,
    attacker: str,
    defender: str | None,
    seconds: float | None,
    nodes: int | None,
    jobs: int,
    cluster: str | None,
    show: bool,
    report_file: str | None,
    log: str | None,
    recall: bool,
    as_json: bool,
) -> int:
    """Solve the levels of SUITE and verify every proof, or let two players finish them.

    SUITE is a built-in suite (huanle, the twenty endgame levels of 欢乐五子棋) or a file: TOML, JSON lines or any
    notation; '-' is standard input. Exit status 1 if any level fails. The commands below make puzzles and judge them.

    \b
    gomoku puzzles --show
    gomoku puzzles --level 1-5,16 --report levels.html
    gomoku puzzles mine.toml --attacker minmax:depth=5 --defender stubborn
    """
    from puzzles.suite import load, read_text

    opened = read_text(read_bytes("-"), "<stdin>") if suite == "-" else load(suite)
    only = None if wanted is None else parse_ranges(wanted, "levels")
    if recall and (show or report_file or log):
        raise click.UsageError("--recall solves nothing; leave --show, --report and --log out")
    if recall:
        return _recall(opened if only is None else opened.only(only), as_json)
    run = _planned(opened, attacker, defender, _limit(seconds, nodes), only=only, log=log, jobs=jobs, cluster=cluster)
    if report_file:
        from gomoku_patterns.files import check_writable

        check_writable(report_file)
    interrupted = _go(run, quiet=as_json)
    _write_report(report_file, run)
    if show and not as_json:
        _show(run)
    _print_result(run, interrupted, as_json)
    if interrupted:
        return 130
    return 0 if run.solved == len(run.done) else 1


class _Puzzles(click.Group):
    """Without the name of one of its commands the words are for solving a suite."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or args[0] not in (*self.commands, *ctx.help_option_names):
            args = [solve.name or "", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        solve.format_help(click.Context(solve, info_name=ctx.info_name, parent=ctx.parent), formatter)
        self.format_commands(ctx, formatter)


command = _Puzzles("puzzles", commands=[solve, make, audit], help=solve.help)


def _limit(seconds: float | None, nodes: int | None) -> Limit | None:
    from search import Limit

    return None if seconds is None and nodes is None else Limit(seconds=seconds, nodes=nodes)


def _planned(suite: Suite, attacker: str, defender: str | None, limit: Limit | None, **options: Any) -> SuiteRun:
    from arena.suite_run import SuiteRun
    from puzzles import AttemptPlan

    return SuiteRun(suite, AttemptPlan(attacker, defender, limit).check(), **options)


def _go(run: SuiteRun, *, quiet: bool) -> bool:
    """Attempt what is not done yet; returns whether the user has interrupted it."""
    with Watching(run, quiet) as watch:
        try:
            for found in run.results():
                watch(found)
        except KeyboardInterrupt:
            return True
    return False


# ---------------------------------------------------------------------- while it runs


class Watching:
    """Shows results as they come: a table that grows on a terminal, lines elsewhere, nothing for scripts or nobody."""

    def __init__(self, run: SuiteRun, quiet: bool) -> None:
        self.run, self.quiet = run, quiet
        self.live: Any = None

    def __enter__(self) -> Watch:
        if self.quiet or sys.stdout is None:
            return lambda _found: None
        if not sys.stdout.isatty():
            return self._line
        from rich.live import Live

        self.live = Live(_table(self.run), refresh_per_second=8)
        self.live.__enter__()
        return self._update

    def __exit__(self, *error: Any) -> None:
        if self.live:
            self.live.update(_table(self.run, most=None if len(self.run.done) <= 200 else _MOST), refresh=True)
            self.live.__exit__(*error)

    def _update(self, _found: Attempt) -> None:
        self.live.update(_table(self.run))

    def _line(self, found: Attempt) -> None:
        cells = _cells(found)
        value = "" if self.run.plan.proves else f"{cells['value']:>7}  "
        what = f"{cells['length']:>8}  {cells['nodes']:>11} nodes  {cells['time']:>8}  {cells['status']:8}"
        click.echo(f"level {cells['level']:>3}  {cells['move']:4}{value}{what} {cells['verdict']}")
        sys.stdout.flush()


_MOST = 30


def _table(run: SuiteRun, most: int | None = _MOST) -> Any:
    """The results so far; on the way only the last few of a large suite."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    title = Text(printable(f"{run.suite.title}  {len(run.done)}/{run.total}"))
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left")
    for name in _names(run):
        table.add_column(name, justify="right" if name in _FIGURES else "left", overflow="fold")
    for found in run.attempts[-most:] if most else run.attempts:
        cells = _cells(found)
        table.add_row(*(Text(cells[name]) for name in _names(run)), style=None if found.solved else "red")
    return table


_FIGURES = ("level", "value", "length", "nodes", "time")


def _names(run: SuiteRun) -> list[str]:
    """The columns; a proof has no value beside its length."""
    names = ["level", "move", "value", "length", "nodes", "time", "status", "verdict"]
    return [name for name in names if name != "value" or not run.plan.proves]


def _cells(found: Attempt) -> dict[str, str]:
    from gomoku_patterns.quantities import duration, plies

    return {
        "level": str(found.number),
        "move": found.name or "",
        "value": "" if found.value is None else str(found.value),
        "length": "" if found.length is None else plies(found.length),
        "nodes": f"{found.nodes:,}",
        "time": duration(found.elapsed),
        "status": found.status,
        "verdict": found.verdict,
    }


# ---------------------------------------------------------------------- afterwards


def _print_result(run: SuiteRun, interrupted: bool, as_json: bool) -> None:
    if as_json:
        rows = [found.row() for found in run.attempts]
        print_json({"suite": run.suite.name, "levels": rows, "solved": run.solved, "total": len(rows)})
    else:
        click.echo(_summary(run))
    if interrupted:
        how = f"--log {run.log} goes on" if run.log else "with --log FILE the next run could go on"
        done = f"{len(run.done)} of {amount(run.total, 'level')} done"
        click.echo(f"gomoku: interrupted, {done}; {how}", err=True)


def _summary(run: SuiteRun) -> str:
    nodes = sum(found.nodes for found in run.attempts)
    failed = [str(found.number) for found in run.attempts if not found.solved]
    tail = f"; failed: {', '.join(failed[:20])}{' ...' if len(failed) > 20 else ''}" if failed else ""
    solved = f"{run.solved} of {amount(len(run.done), 'level')} solved"
    return f"{solved}, {amount(nodes, 'node')}, {_times(run)}: {run.players}{tail}"


def _times(run: SuiteRun) -> str:
    from gomoku_patterns.quantities import duration

    solving = duration(sum(found.elapsed for found in run.attempts))
    verifying = [found.verify_elapsed for found in run.attempts if found.verify_elapsed is not None]
    return f"{solving} solving, {duration(sum(verifying))} verifying" if verifying else solving


def _show(run: SuiteRun) -> None:
    from gomoku_patterns.draw import board_text

    for level in run.levels:
        found = run.done.get(level.number)
        if found is None:
            continue
        board = level.board
        for cell in found.line:
            board.push(cell)
        moves = " ".join(board.name(cell) for cell in found.line)
        click.echo(
            f"{printable(str(level))}: {found.status}, {found.verdict}\n{moves}\n{board_text(board, numbers=True)}\n"
        )


def _write_report(file: str | None, run: SuiteRun) -> None:
    if file is None:
        return
    from puzzles.report import report_html

    with replacing(file) as stream:
        stream.writelines(piece.encode(errors="replace") for piece in report_html(run.suite, run.attempts, run.players))


# ---------------------------------------------------------------------- --recall


def _recall(levels: Suite, as_json: bool) -> int:
    from gomoku_patterns.table import built_in_names, learned_names
    from puzzles.recall import ordering_recall

    found = [ordering_recall(levels, name) for name in built_in_names()]
    found += [ordering_recall(levels, name, priors=True) for name in learned_names()]
    if as_json:
        print_json({"suite": levels.name, "recall": [recall.row() for recall in found], "total": len(levels)})
        return 0
    click.echo(f"{printable(levels.title)}: where a winning move stands in each table's ranking\n")
    click.echo(f"{'table':14} {'top 1':>7} {'top 5':>7} {'top 10':>7} {'mean 1/rank':>12}  levels")
    for recall in sorted(found, key=lambda recall: -recall.mrr):
        shares = " ".join(f"{share:7.0%}" for share in recall.top.values())
        click.echo(f"{recall.evaluator:14} {shares} {recall.mrr:12.3f}  {recall.levels}")
    return 0
