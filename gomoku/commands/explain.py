"""``gomoku explain``: every pattern on a board and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.batch import run_batch
from gomoku.commands.common import Json, print_json, read_identified
from gomoku.commands.options import (
    batch_option,
    file_argument,
    json_option,
    require_one_input,
    table_option,
    to_move_option,
    turned,
)
from gomoku_patterns.cells import Colour

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.table import Table


@click.command("explain")
@file_argument
@table_option
@to_move_option
@click.option("--cell", metavar="H9", help="Explain what a stone of either colour on this empty cell would gain.")
@json_option
@batch_option
def command(
    *, file: str | None, table: str, to_move: str | None, cell: str | None, as_json: bool, batch: str | None
) -> int:
    """Show every pattern in the position in FILE ('-': standard input), adding up to its score.

    With --cell: what appears and disappears if black or white plays there, adding up to the gain.

    \b
    gomoku explain level16.txt --table mine.toml --cell h9
    """
    require_one_input(file, batch)
    from gomoku_patterns.table import load_table

    chosen = load_table(table)
    if batch is not None:
        return 0 if run_batch(batch, lambda board: _answer(chosen, turned(board, to_move), cell)) else 2
    board, identity = read_identified(str(file))
    turned(board, to_move)
    if as_json:
        print_json({"id": identity, **_answer(chosen, board, cell)})
    else:
        click.echo(_report(chosen, board, cell))
    return 0


def _answer(table: Table, board: Board, cell: str | None) -> Json:
    from gomoku_patterns.explain import explain

    if cell is None:
        return explain(board, table).to_json()
    told = {colour: explain(board, table, cell, colour).to_json() for colour in Colour}
    head = {key: value for key, value in told[Colour.BLACK].items() if key not in ("colour", "gain", "items")}
    return head | {str(colour): {"gain": one["gain"], "items": one["items"]} for colour, one in told.items()}


def _report(table: Table, board: Board, cell: str | None) -> str:
    from gomoku_patterns.explain import explain

    if cell is None:
        return f"{board}\n\n{explain(board, table)}"
    return "\n\n".join([str(board), *(str(explain(board, table, cell, colour)) for colour in Colour)])
