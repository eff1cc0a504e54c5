"""What score, explain, rules, move and solve share: one question about a position, or about each of a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gomoku.commands.batch import run_batch
from gomoku.commands.common import print_json, read_identified

if TYPE_CHECKING:
    from gomoku_patterns.board import Board

Answer = TypeVar("Answer", bound=Mapping[str, Any])


def answer_input(
    file: str | None,
    batch: str | None,
    as_json: bool,
    answer: Callable[[Board], Answer],
    report: Callable[[Board, Answer], str],
) -> int:
    """Answer for the position in FILE, as JSON or reported for people, or for each line of a batch; the exit status."""
    require_one_input(file, batch)
    if batch is not None:
        return 0 if run_batch(batch, answer) else 2
    board, identity = read_identified(str(file))
    answered = answer(board)
    if as_json:
        print_json({"id": identity, **answered})
    else:
        click.echo(report(board, answered))
    return 0


def require_one_input(file: str | None, batch: str | None) -> None:
    """A command reads either FILE or --batch."""
    if (file is None) == (batch is None):
        raise click.UsageError("give either FILE or --batch FILE.jsonl ('-' reads standard input)")
