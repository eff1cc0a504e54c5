"""``gomoku train``: learn a line code or a cell table from the positions of games."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import json_option
from gomoku_patterns.errors import TableError
from gomoku_patterns.files import check_writable, write_file

if TYPE_CHECKING:
    from gomoku_patterns.table import Table


@click.command("train")
@click.argument("data", nargs=-1, required=True, metavar="DATA ...")
@click.option("--out", required=True, metavar="FILE.toml", help="The new table; its weights are written beside it.")
@click.option("--kind", type=click.Choice(["code", "cell"]), default="code", show_default=True,
              help="What is learned: a line code or a cell table.")  # fmt: skip
@click.option(
    "--table",
    metavar="T",
    help="The cell table whose shapes are learned (--kind cell), and whose prior is kept where the data know no best "
    "moves.  [default: cell]",
)
@click.option("--epochs", type=click.IntRange(1), default=20, show_default=True, help="Passes over the data at most.")
@click.option(
    "--patience",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="End after so many passes without a better validation loss.",
)
@click.option("--batch", type=click.IntRange(1), default=2048, show_default=True, help="Positions an update sees.")
@click.option("--rate", type=click.FloatRange(0, 1, min_open=True), default=0.002, show_default=True,
              help="The learning rate at the beginning.")  # fmt: skip
@click.option("--result-share", type=click.FloatRange(0, 1), default=0.5, show_default=True,
              help="How much the rest of a game counts, beside the position's searched score.")  # fmt: skip
@click.option("--decay", type=click.FloatRange(0, 1), default=0.97, show_default=True,
              help="The rest of a game is its result (1) or rather the scores of the next plies.")  # fmt: skip
@click.option("--score-scale", type=click.FloatRange(0, min_open=True), default=80.0, show_default=True,
              help="The searched score at which the winning chance is 73 %.")  # fmt: skip
@click.option("--policy-weight", type=click.FloatRange(0), default=0.1, show_default=True,
              help="How much finding the best move counts, beside the value.")  # fmt: skip
@click.option("--scale", type=click.IntRange(1, 10_000), default=80, show_default=True,
              help="The new table's score at which the winning chance is 73 %.")  # fmt: skip
@click.option(
    "--log", metavar="FILE.npz", help="Keep the state after each pass in FILE. If FILE exists, go on from it."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Another seed, other weights.")
@click.option("--jobs", "-j", type=click.IntRange(1, 64), default=1, show_default=True, help="Threads that learn.")
@json_option
def command(
    *, data: tuple[str, ...], out: str, kind: str, table: str | None, scale: int, log: str | None, jobs: int,
    as_json: bool, **options: Any,
) -> int:  # fmt: skip
    """Learn a line code or a cell table from data sets, the folders DATA, and write a table that every player can use.

    The same data, options, seed and number of jobs give the same weights.

    \b
    gomoku train games/ --out mine.toml --log mine.log.npz -j 2
    gomoku train games/ --kind cell --out cells.toml
    gomoku match engine:table=mine.toml engine --nodes 5000 --pairs 100
    """
    from arena.training import Trainer, TrainingOptions, learned_table, read_data, unscored
    from gomoku_patterns.cell_tables import CellWeights

    written, weights = Path(out), Path(out).with_suffix(".npz")
    _check_names(written, weights, log)
    shapes = _shapes(kind, table)
    prior = shapes.weights if shapes and isinstance(shapes.weights, CellWeights) else None
    trainer = Trainer(read_data(data), TrainingOptions(threads=jobs, **options), shapes and unscored(shapes), prior)
    if log and Path(log).exists():
        trainer.load(Path(log))
    for path in [written, weights, *([Path(log)] if log else [])]:
        check_writable(path, folders=True)
    if not as_json:
        click.echo(f"{len(trainer.data):,} positions of {trainer.data.rows}x{trainer.data.cols}")
        if not trainer.knows_moves:
            kept = f"the prior is that of {shapes.name}" if shapes and prior else "there will be no prior"
            click.echo(f"no best move is known of them: {kept}")
    trainer.run(None if as_json else _tell, Path(log) if log else None)
    learned = trainer.weights({"version": _version(), "scale": scale}, scale)
    write_file(weights, learned.to_bytes(), folders=True)
    notes = _notes(trainer.history, trainer.best_epoch)
    write_file(written, learned_table(written.stem, weights.name, scale, notes, shapes))
    told = {"table": str(written), "weights": str(weights), "bytes": weights.stat().st_size, "digest": learned.digest,
            "data": trainer.data.digest, "best_epoch": trainer.best_epoch, "history": trainer.history}  # fmt: skip
    if as_json:
        print_json(told)
    else:
        click.echo(
            f"{written} and {weights} ({weights.stat().st_size:,} bytes): the weights after pass {trainer.best_epoch}"
        )
    return 0


def _shapes(kind: str, table: str | None) -> Table | None:
    """The cell table whose shapes are learned, or None for a line code."""
    from gomoku_patterns.table import load_table

    if kind == "cell":
        return load_table(table or "cell")
    if table is not None:
        raise TableError("--table: a line code has no shapes; say --kind cell to learn a cell table")
    return None


def _check_names(table: Path, weights: Path, log: str | None) -> None:
    if table.suffix != ".toml" or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", table.stem):
        raise TableError(
            f"--out {str(table)!r}: give a file name of letters, digits, '_', '-' and '.' that ends in .toml"
        )
    if log and Path(log).resolve() == weights.resolve():
        raise TableError(f"--log {log!r}: is where the weights go; give another file")


def _tell(line: Mapping[str, Any]) -> None:
    moves = f"best move {100 * line['hits']:.1f} % ({line['policy']:.3f}), " if line["policy"] else ""
    click.echo(
        f"pass {line['epoch']}: loss {line['train']:.4f}, validation {line['value']:.4f} {_error(line)}, "
        f"{moves}{line['seconds']:.0f} s"
    )


def _error(line: Mapping[str, Any]) -> str:
    """Return half the interval of the loss in words."""
    error = line["value_error"]
    return "(of one opening, without an interval)" if error is None else f"± {error:.4f}"


def _notes(history: list[dict[str, Any]], best: int) -> str:
    line = next((one for one in history if one["epoch"] == best), None)
    if line is None:
        return ""
    loss = f"Validation loss {line['value']:.4f} {_error(line)} after pass {best}"
    return f"{loss}; more is in the weights' about.json."


def _version() -> str:
    try:
        return version("gomoku-patterns")
    except PackageNotFoundError:
        return "unknown"
