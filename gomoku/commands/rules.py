"""``gomoku rules``: who has won and which cells are forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gomoku.commands.batch import run_batch
from gomoku.commands.common import Json, print_json, read_identified
from gomoku.commands.options import batch_option, file_argument, json_option, require_one_input, rule_option, ruled
from gomoku_patterns import rules
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku_patterns.board import Board


@click.command("rules")
@file_argument
@rule_option
@json_option
@batch_option
def command(*, file: str | None, rule: Rule | None, as_json: bool, batch: str | None) -> int:
    """Say who has won the position in FILE ('-': standard input) and which cells black may not play.

    \b
    gomoku rules game.sgf --rule renju
    """
    require_one_input(file, batch)
    if batch is not None:
        return 0 if run_batch(batch, lambda board: answer(ruled(board, rule))) else 2
    board, identity = read_identified(str(file))
    ruled(board, rule)
    if as_json:
        print_json({"id": identity, **answer(board)})
    else:
        click.echo(report(board))
    return 0


def answer(board: Board) -> Json:
    """What the rules say of a position, as JSON."""
    winner, forbidden = rules.winner(board), rules.forbidden(board)
    return {
        "rule": board.rule.value,
        "winner": None if winner is None else str(winner),
        "over": rules.is_over(board),
        "forbidden": [[cell.row, cell.col] for cell in forbidden],
        "forbidden_names": [board.name(cell) for cell in forbidden],
    }


def report(board: Board) -> str:
    """What the rules say of a position, for people."""
    from gomoku_patterns.draw import board_text

    forbidden = rules.forbidden(board)
    names = ", ".join(map(board.name, forbidden))
    lines = [board_text(board, marks=dict.fromkeys(forbidden, "*"), unicode=False), ""]
    lines.append(f"{board.rule}: {_standing(board)}")
    if board.rule is Rule.RENJU:
        lines.append(f"forbidden to black (*): {names}" if names else "nothing is forbidden to black")
    return "\n".join(lines)


def _standing(board: Board) -> str:
    winner = rules.winner(board)
    if winner is not None:
        return f"{winner} has won"
    if not rules.is_over(board):
        return f"nobody has won yet, {board.turn} to move"
    return "a draw, the board is full" if board.is_full() else f"a draw, {board.turn} has nowhere to play"
