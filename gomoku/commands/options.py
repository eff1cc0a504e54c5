"""Options that several commands take, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gomoku.commands.common import READING_LIMIT
from gomoku_patterns.errors import GomokuError, shown
from gomoku_patterns.rules import Rule

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from search.result import Limit

Command = TypeVar("Command", bound=Callable[..., Any])

file_argument = click.argument("file", required=False, metavar="FILE")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
batch_option = click.option(
    "--batch",
    metavar="FILE.jsonl",
    help="Answer a file of JSON positions, one a line ('-': standard input), with a JSON result for each line.",
)


def _keep_reading_limit(context: click.Context, _param: click.Parameter, value: int | None) -> None:
    """Where :func:`gomoku.commands.common.reading_limit` finds it."""
    context.meta[READING_LIMIT] = value


max_bytes_option = click.option(
    "--max-bytes",
    type=click.IntRange(1),
    metavar="N",
    expose_value=False,
    callback=_keep_reading_limit,
    help="Read files up to this size; more is refused.  [default: 4 MiB]",
)
cluster_option = click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster, such as tcp://host:8786.")


def game_options(command: Command) -> Command:
    """The games by which tables are compared: what a move may take, the board and the rule."""
    rule = click.option("--rule", default="freestyle", show_default=True, metavar="R", help="The rule of the games.")
    size = click.option(
        "--size", type=click.IntRange(5, 22), default=15, show_default=True, help="The size of the board in games."
    )
    nodes = click.option(
        "--nodes",
        type=click.IntRange(1),
        default=1_000,
        show_default=True,
        help="How many nodes a move in games may take.",
    )
    return nodes(size(rule(command)))


table_option = click.option(
    "--table", metavar="T", default="grade_dict", show_default=True, help="A built-in table or a TOML file."
)
evaluator_option = click.option(
    "--table",
    metavar="T",
    default="grade_dict",
    show_default=True,
    help="A built-in table, a TOML file, or a class of your own as module:Class.",
)
to_move_option = click.option(
    "--to-move", type=click.Choice(["black", "white"]), help="Whose turn it is, whatever the position says."
)


def parse_rule(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Rule | None:
    try:
        return None if value is None else Rule.parse(value)
    except GomokuError as error:
        raise click.BadParameter(str(error)) from None


rule_option = click.option(
    "--rule",
    callback=parse_rule,
    metavar="R",
    help=f"The rule, whatever the position says: {', '.join(Rule)} or a Gomocup code.",
)


def turned(board: Board, to_move: str | None) -> Board:
    """The board with the turn that was asked for, if one was."""
    if to_move is not None:
        board.turn = to_move
    return board


def ruled(board: Board, rule: Rule | None) -> Board:
    """The board under the rule that was asked for, if one was."""
    if rule is not None:
        board.rule = rule
    return board


_SIZE = re.compile(r"([0-9]{1,3})(?:x([0-9]{1,3}))?", re.ASCII | re.IGNORECASE)


def parse_size(text: str) -> tuple[int, int]:
    """The rows and columns of ``15`` or ``15x20``."""
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise click.UsageError(f"cannot read the size {shown(text)}; write 15 or 15x20")
    return int(found[1]), int(found[2] or found[1])


def limit_of(*, depth: int | None = None, nodes: int | None = None, seconds: float | None = None) -> Limit | None:
    """The limit that was asked for, if one was."""
    from search.result import Limit

    if depth is None and nodes is None and seconds is None:
        return None
    return Limit(depth=depth, nodes=nodes, seconds=seconds)


_RANGE = re.compile(r"\s*([0-9]{1,9})\s*(?:-\s*([0-9]{1,9})\s*)?", re.ASCII)


def parse_ranges(text: str, what: str) -> list[range]:
    """The ranges of ``1-5,16``."""
    ranges = []
    for part in text.split(","):
        found = _RANGE.fullmatch(part)
        if not found:
            raise click.UsageError(f"cannot read the {what} {shown(text)}; write them as in 1-5,16")
        first, last = int(found[1]), int(found[2] or found[1])
        if first > last:
            raise click.UsageError(f"the {what} {first}-{last} run backwards; write {last}-{first}")
        ranges.append(range(first, last + 1))
    return ranges


def parse_range(text: str, what: str) -> range:
    """The one range of ``5-17``."""
    ranges = parse_ranges(text, what)
    if len(ranges) > 1:
        raise click.UsageError(f"expected one range of {what}, found {shown(text)}; run the command for each of them")
    return ranges[0]
