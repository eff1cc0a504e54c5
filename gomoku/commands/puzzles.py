"""``gomoku puzzles``: solve, replay and report puzzle suites."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from types import NoneType
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes
from gomoku.commands.options import cluster_option, json_option
from gomoku_patterns.errors import GomokuError, SuiteError
from gomoku_patterns.files import replacing

if TYPE_CHECKING:
    from puzzles.suite import Level, Suite
    from puzzles.task import Outcome, Task

Watch = Callable[["Outcome"], object]

_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", re.ASCII)


@click.command("puzzles")
@click.argument("suite", required=False, default="huanle", metavar="[SUITE]")
@click.option("--level", "wanted", metavar="1-5,16", help="Only these levels.")
@click.option("--attacker", default="solver", show_default=True, metavar="P", help="Who is to win; 'solver' proves it.")
@click.option("--defender", metavar="P", help="Play against this player; minmax if the attacker is not the solver.")
@click.option("--seconds", type=float, metavar="S", help="For the solver on a level, or for every move of a game.")
@click.option("--nodes", type=int, metavar="N", help="The same in nodes; results are then reproducible.")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Work on this many levels at a time."
)
@cluster_option
@click.option("--show", is_flag=True, help="Print each board with its solution numbered on it.")
@click.option("--report", "report_file", metavar="FILE.html", help="Write a page with every board, solution and time.")
@click.option("--resume", "log", metavar="FILE", help="Keep results in FILE, and go on from what is there.")
@click.option("--recall", is_flag=True, help="Say how well each table ranks the winning moves instead.")
@json_option
def command(
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
    """Solve the levels of SUITE and check every proof, or let two players finish them.

    SUITE is a built-in suite (huanle, the twenty endgame levels of 欢乐五子棋) or a file: TOML, JSON lines or any
    notation; '-' is standard input. Exit status 1 if any level fails.

    \b
    gomoku puzzles --show
    gomoku puzzles --level 1-5,16 --report levels.html
    gomoku puzzles mine.toml --attacker minmax:depth=5 --defender stubborn
    """
    from puzzles.suite import load, read_text
    from puzzles.task import Task

    opened = read_text(read_bytes("-"), "<stdin>") if suite == "-" else load(suite)
    levels = Levels(opened, None if wanted is None else parse_levels(wanted))
    if recall and (show or report_file or log):
        raise click.UsageError("expected --recall, which solves nothing, without --show, --report and --resume")
    if recall:
        return _recall(levels, as_json)
    task = Task(attacker, defender, seconds, nodes).check()
    if report_file:
        from gomoku_patterns.files import check_writable

        check_writable(report_file)
    run = Run(levels, task, log, jobs=jobs, cluster=cluster)
    interrupted = run.go(quiet=as_json)
    _write_report(report_file, run)
    if show and not as_json:
        _show(run)
    _tell(run, interrupted, as_json)
    if interrupted:
        return 130
    return 0 if all(outcome.solved for outcome in run.done.values()) else 1


def parse_levels(text: str) -> list[range]:
    """The ranges of ``1-5,16``."""
    ranges = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if first > last:
            raise click.UsageError(f"expected levels such as 1-5,16, found {text!r}")
        ranges.append(range(first, last + 1))
    return ranges


class Levels:
    """The levels of a suite that were asked for; reads them anew on every iteration."""

    def __init__(self, suite: Suite, wanted: list[range] | None) -> None:
        self.suite, self.wanted = suite, wanted
        self.count = len(suite) if wanted is None else sum(1 for _ in self)
        if wanted is not None and not self.count:
            numbers = ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in wanted)
            raise SuiteError(f"expected levels of {suite.name!r}, which has {len(suite)}, found {numbers}")

    def __iter__(self) -> Iterator[Level]:
        return (level for level in self.suite if self.wants(level.number))

    def wants(self, number: int) -> bool:
        return self.wanted is None or any(number in part for part in self.wanted)


class Run:
    """The attempts on a suite: what is to be done, what has been done, and the log that keeps it."""

    def __init__(
        self, levels: Levels, task: Task, log: str | None, *, jobs: int = 1, cluster: str | None = None
    ) -> None:
        self.levels, self.task, self.log, self.jobs, self.cluster = levels, task, log, jobs, cluster
        self.done: dict[int, Outcome] = {}

    @property
    def suite(self) -> Suite:
        return self.levels.suite

    @property
    def outcomes(self) -> list[Outcome]:
        """What has been done, in the order of the numbers."""
        return [self.done[number] for number in sorted(self.done)]

    @property
    def solved(self) -> int:
        return sum(outcome.solved for outcome in self.done.values())

    @property
    def players(self) -> str:
        if self.task.proves:
            return "proven by the solver, every proof checked against every reply"
        return f"{self.task.attacker} against {self.task.defender or 'minmax'}"

    def header(self) -> dict[str, Any]:
        """What a log has to agree with before its results are taken over."""
        from arena.journal import levels_digest
        from arena.sources import digests

        task = self.task
        players = [spec for spec in (task.attacker, task.defender) if spec is not None]
        return {
            "task": "puzzles",
            "suite": self.suite.name,
            "levels": len(self.suite),
            "attacker": task.attacker,
            "defender": task.defender,
            "seconds": task.seconds,
            "nodes": task.nodes,
            "positions": levels_digest(self.suite),
            "sources": digests(players),
        }

    def go(self, *, quiet: bool) -> bool:
        """Attempt what is not done yet; returns whether the user has interrupted it."""
        with ExitStack() as stack:
            journal = self._journal(stack)
            watch = stack.enter_context(Watching(self, quiet))
            try:
                for outcome in self._attempts(stack):
                    if journal:
                        journal.append(outcome.to_json())
                    self.done[outcome.number] = outcome
                    watch(outcome)
            except KeyboardInterrupt:
                return True
        return False

    def _journal(self, stack: ExitStack) -> Any:
        if self.log is None:
            return None
        from arena.journal import Journal

        journal = stack.enter_context(Journal(self.log, self.header()))
        earlier: list[Outcome] = []
        journal.replay(lambda entry: earlier.append(_outcome(entry)))
        self.done = {outcome.number: outcome for outcome in earlier if self.levels.wants(outcome.number)}
        return journal

    def _attempts(self, stack: ExitStack) -> Iterator[Outcome]:
        from arena.pools import workers
        from arena.work import run_units
        from puzzles.task import attempt

        pool = stack.enter_context(workers(self.jobs, cluster=self.cluster))
        todo = (level for level in self.levels if level.number not in self.done)
        return (outcome for _, outcome in run_units(partial(attempt, task=self.task), todo, pool))


_RESULT = {
    "number": (int,),
    "solved": (bool,),
    "status": (str,),
    "name": (str, NoneType),
    "length": (int, NoneType),
    "value": (int, NoneType),
    "nodes": (int,),
    "elapsed": (int, float),
    "verdict": (str,),
}


def _outcome(entry: dict[str, Any]) -> Outcome:
    """The outcome in a line of a log, which may have been edited."""
    from arena.journal import misfit
    from puzzles.task import Outcome

    if name := misfit(entry, _RESULT):
        raise GomokuError(f"expected the result of a level, found {name!r} as {entry.get(name)!r:.60}")
    try:
        return Outcome.from_json(entry)
    except (KeyError, TypeError) as error:
        raise GomokuError(f"expected the result of a level, found one with a fault: {error}") from None


# ---------------------------------------------------------------------- while it runs


class Watching:
    """Shows results as they come: a table that grows on a terminal, lines elsewhere, nothing for scripts or nobody."""

    def __init__(self, run: Run, quiet: bool) -> None:
        self.run, self.quiet = run, quiet
        self.live: Any = None

    def __enter__(self) -> Watch:
        if self.quiet or sys.stdout is None:
            return lambda _outcome: None
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

    def _update(self, _outcome: Outcome) -> None:
        self.live.update(_table(self.run))

    def _line(self, outcome: Outcome) -> None:
        cells = _cells(outcome)
        value = "" if self.run.task.proves else f"{cells['value']:>7}  "
        what = f"{cells['length']:>8}  {cells['nodes']:>11} nodes  {cells['time']:>8}  {cells['status']:8}"
        click.echo(f"level {cells['level']:>3}  {cells['move']:4}{value}{what} {cells['verdict']}")
        sys.stdout.flush()


_MOST = 30


def _table(run: Run, most: int | None = _MOST) -> Any:
    """The results so far; on the way only the last few of a large suite."""
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, title=f"{run.suite.title}  {len(run.done)}/{run.levels.count}", title_justify="left"
    )
    for name in _names(run):
        table.add_column(name, justify="right" if name in _FIGURES else "left", overflow="fold")
    for outcome in run.outcomes[-most:] if most else run.outcomes:
        cells = _cells(outcome)
        table.add_row(*(cells[name] for name in _names(run)), style=None if outcome.solved else "red")
    return table


_FIGURES = ("level", "value", "length", "nodes", "time")


def _names(run: Run) -> list[str]:
    """The columns; a proof has no value beside its length."""
    names = ["level", "move", "value", "length", "nodes", "time", "status", "verdict"]
    return [name for name in names if name != "value" or not run.task.proves]


def _cells(outcome: Outcome) -> dict[str, str]:
    from gomoku_patterns.quantities import duration

    return {
        "level": str(outcome.number),
        "move": outcome.name or "",
        "value": "" if outcome.value is None else str(outcome.value),
        "length": "" if outcome.length is None else f"{outcome.length} plies",
        "nodes": f"{outcome.nodes:,}",
        "time": duration(outcome.elapsed),
        "status": outcome.status,
        "verdict": outcome.verdict,
    }


# ---------------------------------------------------------------------- afterwards


def _tell(run: Run, interrupted: bool, as_json: bool) -> None:
    if as_json:
        rows = [outcome.row() for outcome in run.outcomes]
        print_json({"suite": run.suite.name, "levels": rows, "solved": run.solved, "total": len(rows)})
    else:
        click.echo(_summary(run))
    if interrupted:
        how = f"go on with --resume {run.log}" if run.log else "with --resume FILE it could go on"
        done = f"{len(run.done)} of {run.levels.count} levels done"
        click.echo(f"gomoku: interrupted, {done}; {how}", err=True)


def _summary(run: Run) -> str:
    from gomoku_patterns.quantities import duration

    nodes = sum(outcome.nodes for outcome in run.outcomes)
    time = duration(sum(outcome.elapsed for outcome in run.outcomes))
    failed = [str(outcome.number) for outcome in run.outcomes if not outcome.solved]
    tail = f"; failed: {', '.join(failed[:20])}{' ...' if len(failed) > 20 else ''}" if failed else ""
    return f"{run.solved} of {len(run.done)} levels solved, {nodes:,} nodes, {time}: {run.players}{tail}"


def _show(run: Run) -> None:
    from gomoku_patterns.draw import board_text

    for level in run.levels:
        outcome = run.done.get(level.number)
        if outcome is None:
            continue
        board = level.board
        for cell in outcome.line:
            board.push(cell)
        moves = " ".join(board.name(cell) for cell in outcome.line)
        click.echo(f"{level}: {outcome.status}, {outcome.verdict}\n{moves}\n{board_text(board, numbers=True)}\n")


def _write_report(file: str | None, run: Run) -> None:
    if file is None:
        return
    from puzzles.report import report_html

    with replacing(file) as stream:
        stream.writelines(piece.encode(errors="replace") for piece in report_html(run.suite, run.outcomes, run.players))


# ---------------------------------------------------------------------- --recall


def _recall(levels: Levels, as_json: bool) -> int:
    from gomoku_patterns.table import table_names
    from puzzles.recall import ordering_recall

    found = [ordering_recall(levels, name) for name in table_names()]
    if as_json:
        print_json({"suite": levels.suite.name, "recall": [recall.row() for recall in found], "total": levels.count})
        return 0
    click.echo(f"{levels.suite.title}: where a winning move stands in each table's ranking\n")
    click.echo(f"{'table':12} {'top 1':>7} {'top 5':>7} {'top 10':>7} {'mean 1/rank':>12}  levels")
    for recall in sorted(found, key=lambda recall: -recall.mrr):
        shares = " ".join(f"{share:7.0%}" for share in recall.top.values())
        click.echo(f"{recall.evaluator:12} {shares} {recall.mrr:12.3f}  {recall.levels}")
    return 0
