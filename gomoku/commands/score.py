"""``gomoku score``: what a position is worth by a pattern table."""

from __future__ import annotations

import time
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
    from gomoku_patterns.evaluator import EvaluatorBase


@click.command("score")
@file_argument
@table_option
@to_move_option
@click.option("--points", is_flag=True, help="Also the value of every empty cell for each colour.")
@json_option
@batch_option
def command(
    *, file: str | None, table: str, to_move: str | None, points: bool, as_json: bool, batch: str | None
) -> int:
    """Score the position in FILE ('-': standard input) with a pattern table, black minus white.

    \b
    gomoku score level16.txt --table wins --points
    gomoku score --batch positions.jsonl > scores.jsonl
    """
    require_one_input(file, batch)
    from gomoku_patterns.evaluator import as_evaluator

    evaluator = as_evaluator(table)
    if batch is not None:
        return 0 if run_batch(batch, lambda board: _answer(evaluator, turned(board, to_move), points)) else 2
    board, identity = read_identified(str(file))
    turned(board, to_move)
    answer = _answer(evaluator, board, points)
    if as_json:
        print_json({"id": identity, **answer})
    else:
        click.echo(_report(board, answer))
    return 0


def _answer(evaluator: EvaluatorBase, board: Board, points: bool) -> Json:
    start = time.perf_counter()
    score = evaluator.score(board)
    values = {str(colour): evaluator.points(board, colour) for colour in Colour} if points else None
    elapsed = time.perf_counter() - start
    answer: Json = {"table": evaluator.name, "score": score, "to_move": str(board.turn), "elapsed": elapsed}
    return answer | ({"points": values} if points else {})


# ---------------------------------------------------------------------- for people


def _report(board: Board, answer: Json) -> str:
    head = f"{answer['table']}: {answer['score']:+d}  (black minus white, {board.turn} to move)"
    grids = (_grid(board, colour, values) for colour, values in answer.get("points", {}).items())
    return "\n\n".join([str(board), head, *grids])


def _grid(board: Board, colour: str, values: list[list[int | None]]) -> str:
    """The values of the cells in columns, stones in their places."""
    texts = [
        ["XO"[board[row, col] != 1] if value is None else str(value) for col, value in enumerate(line)]
        for row, line in enumerate(values)
    ]
    width = max(len(text) for line in texts for text in line)
    rows = [f"{board.rows - row:2} " + " ".join(text.rjust(width) for text in line) for row, line in enumerate(texts)]
    letters = "   " + " ".join(chr(ord("a") + col).rjust(width) for col in range(board.cols))
    return "\n".join([f"for {colour}:", *rows, letters])
