"""The reference of the command line, from its own help: python docs/commands.py > docs/reference/commands.md"""

from __future__ import annotations

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parent.parent))

WIDTH = 100

INTRODUCTION = """# Commands

Every command with its help, as `gomoku COMMAND --help` prints it. `python docs/commands.py` writes this page, and a
test compares it with the commands.

A command reads a position from a file in any notation, or from standard input as `-`, and prints JSON with `--json`.
It exits with 0 if all is well, with 1 for a negative result such as "no win found", with 2 for bad usage or input, and
with 130 if it was interrupted. `GOMOKU_TRACEBACK=1` shows the whole traceback of an unexpected error. `pbrain-gomoku`
is `gomoku brain` under the name that Gomocup managers look for.

`eval "$(_GOMOKU_COMPLETE=bash_source gomoku)"` completes commands, files, tables and players in bash; with
`zsh_source` and `fish_source` the other shells do too.

| command | what it does |
| --- | --- |
"""


def page() -> str:
    """Return the whole page."""
    from gomoku.cli import COMMANDS, cli

    root = click.Context(cli, info_name="gomoku")
    rows = "\n".join(f"| [`gomoku {name}`](#gomoku-{name}) | {text} |" for name, text in COMMANDS.items())
    sections = [section for name in COMMANDS for section in _sections(cli.get_command(root, name), name, root, 2)]
    return "\n\n".join([INTRODUCTION + rows, *sections]) + "\n"


def _sections(command: click.Command | None, name: str, parent: click.Context, depth: int) -> list[str]:
    """Return the sections of a command and of the commands below it."""
    assert command is not None, name
    settings = {**parent.command.context_settings, **command.context_settings}
    context = click.Context(command, info_name=name, parent=parent, **{**settings, "terminal_width": WIDTH})
    text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    found = [f"{'#' * depth} {context.command_path}\n\n```text\n{text}\n```"]
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found += _sections(command.get_command(context, inner), inner, context, depth + 1)
    return found


if __name__ == "__main__":
    sys.stdout.write(page())
