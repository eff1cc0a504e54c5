"""``gomoku puzzles audit``: which puzzles of a suite are sound, cooked, shorter than they say, or wrong."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_bytes
from gomoku.commands.options import cluster_option, json_option, max_bytes_option, parse_ranges
from gomoku.commands.status import clear_status, is_watched, show_status

if TYPE_CHECKING:
    from arena.audit_run import AuditRun

Json = dict[str, Any]


@click.command("audit", short_help="Judge every puzzle of a suite.")
@click.argument("suite", metavar="SUITE")
@click.option("--level", "wanted", metavar="1-5,16", help="Only these levels.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N levels, spread over the suite.")
@click.option("--nodes", type=click.IntRange(1), default=200_000, show_default=True,
              help="For each proof and each denial.")  # fmt: skip
@click.option("--proofs", metavar="FOLDER", help="Write each proof to FOLDER, as NUMBER.json.")
@click.option("--log", metavar="FILE", help="Keep results in FILE; if it exists, the run goes on from it.")
@click.option("--jobs", "-j", type=click.IntRange(1), default=1, show_default=True, help="Processes at the same time.")
@cluster_option
@json_option
@max_bytes_option
def audit(
    *, suite: str, wanted: str | None, sample: int | None, nodes: int, proofs: str | None, log: str | None, jobs: int,
    cluster: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Judge every puzzle of SUITE: is it won, in as many plies as it says, and by one first move alone?

    SUITE is a built-in suite or a file: TOML, JSON lines or any notation; '-' is standard input. A puzzle is sound;
    cooked if several first moves win as soon; shorter if it takes fewer plies than it says; forced if a side can make
    five at once; implausible if no game comes to it; wrong if it is not won as it says; repeated if an earlier level
    is the same; unreadable if the file is wrong there; or unsettled within the limit. Exit status 1 unless all are
    sound.

    \b
    gomoku puzzles audit huanle
    gomoku puzzles audit collection.sgf --proofs proofs/ --json
    """
    from arena.audit_run import AuditRun
    from puzzles.suite import load, read_text

    unreadable: dict[str, int] = {}

    def faulty(number: int, why: str) -> None:
        unreadable[why] = number

    opened = read_text(read_bytes("-"), "<stdin>", faulty) if suite == "-" else load(suite, faulty)
    if wanted and sample:
        raise click.UsageError("--level and --sample both choose levels; leave one out")
    only = parse_ranges(wanted, "levels") if wanted else None
    if sample:
        numbers = [level.number for level in opened]
        step = max(1, len(numbers) // sample)
        only = [range(number, number + 1) for number in numbers[::step][:sample]]
    broken = {why: number for why, number in unreadable.items() if _is_wanted(number, only)}
    run = AuditRun(
        opened, nodes=nodes, only=only, proofs=proofs, log=log, jobs=jobs, cluster=cluster, unreadable=broken
    )
    interrupted = _go(run, quiet=as_json)
    if as_json:
        print_json({"suite": opened.name, "levels": run.rows, "verdicts": dict(run.verdicts), "total": len(run.rows)})
    else:
        counts = ", ".join(f"{number} {verdict}" for verdict, number in run.verdicts.most_common())
        click.echo(f"{opened.name}: {len(run.rows)} levels: {counts or 'none judged'}")
    if interrupted:
        how = f"--log {log} goes on" if log else "with --log FILE the next run could go on"
        click.echo(f"gomoku: interrupted, {len(run.done)} of {run.total} levels judged; {how}", err=True)
        return 130
    return 0 if set(run.verdicts) <= {"sound"} else 1


def _go(run: AuditRun, *, quiet: bool) -> bool:
    """Judge what is not judged yet; whether the user has interrupted it."""
    for row in run.unreadable if not quiet else ():
        click.echo(_line(row))
    try:
        for row in run.results():
            if quiet:
                continue
            if is_watched():
                show_status(f"{len(run.done)} of {run.total} levels")
            if row["verdict"] != "sound" or row["notes"] or run.total <= _FEW:
                clear_status()
                click.echo(_line(row))
    except KeyboardInterrupt:
        return True
    finally:
        if sys.stderr is not None and not quiet:
            clear_status()
    return False


_FEW = 50
"""With more levels only those that are not sound are printed."""


def _is_wanted(number: int, only: list[range] | None) -> bool:
    return only is None or any(number in part for part in only)


def _line(row: Json) -> str:
    exact = " (every move tried)" if row["exact"] else ""
    notes = "".join(f"; {note}" for note in row["notes"])
    return f"level {row['number']:>4}  {row['verdict']:9} {row['why']}{exact}{notes}"
