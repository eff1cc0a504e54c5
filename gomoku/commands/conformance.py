"""``gomoku conformance``: an engine is put through the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gomoku.commands.common import print_json
from gomoku.commands.options import json_option

if TYPE_CHECKING:
    from gomoku.conformance import Outcome

SIGNS = {"pass": ("green", "pass"), "fail": ("red bold", "FAIL"), "unsupported": ("yellow", "no")}


@click.command("conformance")
@click.argument("engine", metavar="CMD")
@click.option("--only", multiple=True, metavar="CHECK", help="Run this check only; may be given again.")
@click.option("--dialogues", is_flag=True, help="Show the dialogue of every check, not only of those that failed.")
@json_option
def command(*, engine: str, only: tuple[str, ...], dialogues: bool, as_json: bool) -> int:
    """Test whether the engine that CMD starts speaks the Gomocup protocol, driven as referees really do.

    CMD is one argument, such as './pbrain-x' or 'gomoku brain'. The exit status is 1 if a check failed. What the
    protocol leaves optional is listed as not supported, and is no failure.

    \b
    gomoku conformance './pbrain-x --option'
    gomoku conformance pbrain-gomoku --only start --dialogues
    """
    from arena.process import split_command
    from gomoku.conformance import chosen, examine

    words, checks = split_command(engine), chosen(only)
    outcomes: list[Outcome] = []
    for outcome in examine(words, checks):
        outcomes.append(outcome)
        if not as_json:
            _show(outcome, dialogues, len(outcomes), len(checks))
    failed = sum(outcome.status == "fail" for outcome in outcomes)
    if as_json:
        print_json({"engine": engine, "checks": [_described(outcome) for outcome in outcomes], "failed": failed})
    else:
        _summarise(outcomes)
    return 1 if failed else 0


def _described(outcome: Outcome) -> dict[str, object]:
    check = outcome.check
    return {
        "name": check.name,
        "promise": check.promise,
        "optional": check.optional,
        "status": outcome.status,
        "reason": outcome.reason,
        "mend": check.mend if outcome.status == "fail" else "",
        "dialogue": list(outcome.script),
    }


def _show(outcome: Outcome, dialogues: bool, number: int, of: int) -> None:
    from rich.console import Console
    from rich.text import Text

    style, word = SIGNS[outcome.status]
    console = Console(highlight=False)
    line = Text(f"{number:2}/{of}  ")
    line.append(f"{word:5}", style=style)
    line.append(f" {outcome.check.name:14} {outcome.check.promise}")
    console.print(line)
    if outcome.reason:
        console.print(Text(f"             {outcome.reason}", style="dim"))
    if outcome.status == "fail":
        console.print(Text(f"             to mend it: {outcome.check.mend}"))
    if outcome.status == "fail" or dialogues:
        for said in outcome.script[-30:]:
            console.print(Text(f"               {said}", style="dim"))


def _summarise(outcomes: Sequence[Outcome]) -> None:
    counts = {status: sum(outcome.status == status for outcome in outcomes) for status in SIGNS}
    click.echo(
        f"\n{counts['pass']} passed, {counts['fail']} failed, "
        f"{counts['unsupported']} not supported (optional, or not to be had here)"
    )
