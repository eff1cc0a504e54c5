"""``gomoku score``: what a position is worth by a pattern table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.asking import answer_input
from gomoku.commands.options import (
    batch_option,
    evaluator_option,
    file_argument,
    json_option,
    max_bytes_option,
    to_move_option,
    turned,
)

if TYPE_CHECKING:
    from gomoku.answers.types import ScoreAnswer
    from gomoku_patterns.board import Board


@click.command("score")
@file_argument
@evaluator_option
@to_move_option
@click.option("--points", is_flag=True, help="Also the value of every empty cell for each colour.")
@json_option
@batch_option
@max_bytes_option
def command(
    *, file: str | None, table: str, to_move: str | None, points: bool, as_json: bool, batch: str | None
) -> int:
    """Score the position in FILE ('-': standard input) with a pattern table, black minus white.

    \b
    gomoku score level16.txt --table wins --points
    gomoku score level16.txt --table my_module:Mine
    gomoku score --batch positions.jsonl > scores.jsonl
    """
    from gomoku import answers
    from gomoku_patterns.import_path import named_evaluator

    evaluator = named_evaluator(table)

    def answer(board: Board) -> ScoreAnswer:
        return answers.score(turned(board, to_move), evaluator, points=points)

    return answer_input(file, batch, as_json, answer, _report)


def _report(board: Board, answer: ScoreAnswer) -> str:
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
