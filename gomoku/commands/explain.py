"""``gomoku explain``: every pattern on a board and what it is worth."""

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
from gomoku_patterns.cells import Colour

if TYPE_CHECKING:
    from gomoku.answers.types import ExplainAnswer, ExplainCellAnswer
    from gomoku_patterns.board import Board
    from gomoku_patterns.evaluator import EvaluatorBase


@click.command("explain")
@file_argument
@evaluator_option
@to_move_option
@click.option("--cell", metavar="H9", help="Explain what a stone of either colour on this empty cell would gain.")
@json_option
@batch_option
@max_bytes_option
def command(
    *, file: str | None, table: str, to_move: str | None, cell: str | None, as_json: bool, batch: str | None
) -> int:
    """Show every pattern in the position in FILE ('-': standard input), adding up to its score.

    With --cell: what appears and disappears if black or white plays there, adding up to the gain. A class of your own,
    which knows no patterns, gives its score as the one reason.

    \b
    gomoku explain level16.txt --table mine.toml --cell h9
    """
    from gomoku import answers
    from gomoku_patterns.import_path import named_evaluator

    chosen = named_evaluator(table)

    def answer(board: Board) -> ExplainAnswer | ExplainCellAnswer:
        return answers.explain(turned(board, to_move), chosen, cell)

    return answer_input(file, batch, as_json, answer, lambda board, _answer: _report(board, chosen, cell))


def _report(board: Board, evaluator: EvaluatorBase, cell: str | None) -> str:
    from gomoku_patterns.explain import explain

    if cell is None:
        return f"{board}\n\n{explain(board, evaluator)}"
    return "\n\n".join([str(board), *(str(explain(board, evaluator, cell, colour)) for colour in Colour)])
