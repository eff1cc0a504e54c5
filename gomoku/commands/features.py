"""``gomoku features``: positions as a matrix of pattern counts, for those who fit models to them."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.batch import batch_lines, parse_batch_line
from gomoku.commands.common import decode, print_json, source_name
from gomoku.commands.options import json_option, max_bytes_option, table_option
from gomoku_patterns.errors import GomokuError, NotationError
from gomoku_patterns.files import check_writable, replacing
from gomoku_patterns.quantities import amount

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gomoku.answers.types import FeaturesFile
    from gomoku_patterns.board import Board
    from gomoku_patterns.features import Features

PORTION = 10_000
"""How many positions are boards at a time."""


@click.command("features")
@click.option("--batch", metavar="FILE.jsonl", required=True, help="JSON positions, one a line ('-': standard input).")
@table_option
@click.option("--out", metavar="X.npz|.csv|.parquet", required=True, help="Where to write them; the suffix says how.")
@click.option(
    "--view",
    type=click.Choice(["colour", "mover"]),
    default="colour",
    show_default=True,
    help="Count for black and white, or for the side to move and its opponent.",
)
@click.option("--classes", "with_classes", is_flag=True, help="Also the pattern of every cell by direction (npz).")
@json_option
@max_bytes_option
def command(*, batch: str, table: str, out: str, view: Any, with_classes: bool, as_json: bool) -> None:
    """Write how often each pattern of a table stands on each position, a row a position and a column a pattern.

    The rows keep the order of the lines and their ids. The last column says whether black is to move.

    \b
    gomoku features --batch positions.jsonl --table grade_dict --out features.csv
    """
    from gomoku_patterns.evaluator import as_evaluator

    write = _writer(out, with_classes)
    check_writable(out, folders=True)
    evaluator = as_evaluator(table)
    began = time.perf_counter()
    ids, found, classes = _read(batch, evaluator, view, with_classes)
    elapsed = time.perf_counter() - began
    write(out, ids, found, classes)
    answer: FeaturesFile = {
        "table": evaluator.name,
        "positions": len(found),
        "columns": len(found.names),
        "out": out,
        "elapsed": elapsed,
    }
    if as_json:
        print_json(answer)
    else:
        written = f"{amount(len(found), 'position')} and {amount(len(found.names), 'column')}"
        click.echo(f"{written} written to {out}")


def _read(
    batch: str, evaluator: Any, view: Any, with_classes: bool
) -> tuple[list[Any], Features, npt.NDArray[np.uint16] | None]:
    """The ids, the features and, if wanted, the classes of all positions; the first bad line is an error."""
    import numpy as np

    from gomoku_patterns.features import Features

    ids: list[Any] = []
    found: list[Features] = []
    classes: list[npt.NDArray[np.uint16]] = []
    size: tuple[int, int] | None = None
    positions = _positions(batch)
    while portion := list(islice(positions, PORTION)):
        for number, _, board in portion:
            size = size or (board.rows, board.cols)
            if size != (board.rows, board.cols):
                message = (
                    f"a {board.rows}x{board.cols} board; the others are {size[0]}x{size[1]}, and all need one size"
                )
                raise NotationError(message, source=source_name(batch), line=number)
        boards = [board for _, _, board in portion]
        ids += [identity for _, identity, _ in portion]
        found.append(evaluator.features(boards, view=view))
        classes += [evaluator.classes(boards)] if with_classes else []
    if not found:
        raise NotationError("there are no positions", source=source_name(batch))
    joined = Features(np.concatenate([one.matrix for one in found]), found[0].names, found[0].weights)
    return ids, joined, np.concatenate(classes) if with_classes else None


def _positions(batch: str) -> Iterator[tuple[int, Any, Board]]:
    """The positions of a batch, each with the number of its line and its id."""
    from gomoku_patterns.notation import parse_json_position
    from gomoku_patterns.notation.json_place import JsonValueError

    source = source_name(batch)
    for number, data in batch_lines(batch):
        if isinstance(data, str):
            raise NotationError(data, source=source, line=number)
        text = decode(data, source, number)
        value = parse_batch_line(text, source, number)
        try:
            yield number, value.get("id"), parse_json_position(value)
        except JsonValueError as slip:
            raise slip.placed(text, source, number) from None
        except GomokuError as error:
            raise NotationError(str(error), source=source, line=number, code=error.code) from None


# ---------------------------------------------------------------------- files

Write = Callable[[str, "list[Any]", "Features", "npt.NDArray[np.uint16] | None"], None]


def _writer(out: str, with_classes: bool) -> Write:
    """What writes a file of this name; said before anything is read."""
    suffix = Path(out).suffix.lower()
    writers: dict[str, Write] = {".npz": _write_npz, ".csv": _write_csv, ".parquet": _write_parquet}
    if suffix not in writers:
        raise click.UsageError(f"cannot tell the format from the file name {out!r}; end it in .npz, .csv or .parquet")
    if with_classes and suffix != ".npz":
        raise click.UsageError("the classes of cells are an array of five dimensions; write them to a .npz file")
    if suffix == ".parquet":
        _pyarrow()
    return writers[suffix]


def _id_text(identity: Any) -> str:
    return "" if identity is None else identity if isinstance(identity, str) else json.dumps(identity)


def _write_npz(out: str, ids: list[Any], found: Features, classes: npt.NDArray[np.uint16] | None) -> None:
    import numpy as np

    arrays = {"matrix": found.matrix, "names": np.array(found.names), "ids": np.array([_id_text(one) for one in ids])}
    arrays |= {} if found.weights is None else {"weights": found.weights}
    arrays |= {} if classes is None else {"classes": classes}
    with replacing(out, folders=True) as stream:
        np.savez_compressed(stream, **arrays)


def _write_csv(out: str, ids: list[Any], found: Features, _classes: object) -> None:
    import csv

    with replacing(out, folders=True) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", errors="replace", newline="")
        writer = csv.writer(text)
        writer.writerow(["id", *found.names])
        writer.writerows([_id_text(one), *row.tolist()] for one, row in zip(ids, found.matrix, strict=True))
        text.detach()


def _write_parquet(out: str, ids: list[Any], found: Features, _classes: object) -> None:
    pyarrow = _pyarrow()
    columns = {"id": [_id_text(one) for one in ids]}
    columns |= {name: found.matrix[:, number] for number, name in enumerate(found.names)}
    with replacing(out, folders=True) as stream:
        pyarrow.parquet.write_table(pyarrow.table(columns), stream)


def _pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise GomokuError("Parquet needs pyarrow: pip install 'gomoku-patterns[data]'; .npz and .csv do not") from None
    return pyarrow
