"""``gomoku rules``: who has won and which cells are forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.asking import answer_input
from gomoku.commands.options import batch_option, file_argument, json_option, max_bytes_option, rule_option, ruled
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku.answers.types import RulesAnswer
    from gomoku_patterns.board import Board


@click.command("rules")
@file_argument
@rule_option
@json_option
@batch_option
@max_bytes_option
def command(*, file: str | None, rule: Rule | None, as_json: bool, batch: str | None) -> int:
    """Show who has won the position in FILE ('-': standard input) and which cells black may not play.

    \b
    gomoku rules game.sgf --rule renju
    """
    from gomoku import answers

    return answer_input(file, batch, as_json, lambda board: answers.rules(ruled(board, rule)), report)


def report(board: Board, answer: RulesAnswer) -> str:
    """What the rules say of a position, for people."""
    from gomoku_patterns.draw import board_text

    names = ", ".join(answer["forbidden_names"])
    marks = dict.fromkeys(map(board.cell, answer["forbidden_names"]), "*")
    lines = [board_text(board, marks=marks, unicode=False), "", f"{board.rule}: {_standing(board, answer)}"]
    if board.rule is Rule.RENJU:
        lines.append(f"forbidden to black (*): {names}" if names else "nothing is forbidden to black")
    return "\n".join(lines)


def _standing(board: Board, answer: RulesAnswer) -> str:
    if answer["winner"]:
        return f"{answer['winner']} has won with {' '.join(answer['line_names'])}"
    if not answer["over"]:
        return f"nobody has won yet, {board.turn} to move"
    return "a draw, the board is full" if board.is_full() else f"a draw, {board.turn} has nowhere to play"
