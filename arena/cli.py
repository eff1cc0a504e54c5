"""The ``gomoku`` command: names and one-line helps here, each command in a module of its own that is loaded on use."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from gomoku_patterns.errors import GomokuError

COMMANDS = {
    "score": "Score a position with a pattern table.",
    "explain": "Show every pattern on a board and what it is worth.",
    "rules": "Say who has won and which cells are forbidden.",
    "tables": "List, show and check pattern tables.",
    "convert": "Convert positions, games and puzzles between notations.",
    "draw": "Draw a position as text, SVG or PNG.",
    "move": "Ask a player for its move.",
    "solve": "Prove a win, or say what was exhausted.",
    "verify": "Check a proof against every legal reply.",
    "puzzles": "Solve, replay and report puzzle suites.",
    "match": "Play matches between players and engines.",
    "ladder": "Compare evaluators on one page.",
    "tune": "Fit a table's scores to data or by matches.",
    "brain": "Be a Gomocup engine on standard input and output.",
    "conformance": "Put a Gomocup engine through the protocol.",
    "serve": "Serve the web board.",
    "play": "Play in the terminal.",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"arena.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="gomoku-patterns", prog_name="gomoku")
def cli() -> None:
    """Evaluate, solve, compare and play Gomoku (五子棋).

    Positions are read from a FILE in any notation, or from standard input as '-'. Most commands print for people,
    and JSON with --json. Exit status: 0 good, 1 a negative result, 2 bad usage or input.
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line; every error of the project becomes one line and exit status 2."""
    try:
        status: Any = cli.main(args=args, prog_name="gomoku", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except GomokuError as error:
        click.echo(f"gomoku: {error}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        click.echo("gomoku: interrupted", err=True)
        sys.exit(130)
    except KeyboardInterrupt:
        click.echo("gomoku: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader went away; give the interpreter nothing left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    sys.exit(status if isinstance(status, int) else 0)
