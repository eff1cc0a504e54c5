"""The ``gomoku`` command: names and one-line helps here, each command in a module of its own that is loaded on use."""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from typing import Any, NoReturn

import click

from gomoku.output import OutputError, prepare_output
from gomoku_patterns.errors import GomokuError, printable, unknown

COMMANDS = {
    "score": "Score a position with a pattern table.",
    "explain": "Show every pattern on a board and what it is worth.",
    "features": "Count a table's patterns on many positions.",
    "rules": "Show who has won and which cells are forbidden.",
    "tables": "List, show and check pattern tables.",
    "convert": "Convert positions, games and puzzles between notations.",
    "draw": "Draw a position as text, SVG or PNG.",
    "move": "Ask a player for its move.",
    "solve": "Prove a win, or show which wins do not exist.",
    "prove": "Prove an opening, or the whole game, against every reply.",
    "verify": "Verify a proof against every legal reply.",
    "trim": "Make a proof smaller.",
    "hold": "Decide a position on a small board: a draw or a win.",
    "review": "Review a game: missed wins, losing moves, and what refutes them.",
    "puzzles": "Solve, replay and report puzzle suites.",
    "match": "Play matches between players and engines.",
    "ladder": "Compare evaluators on one page.",
    "tune": "Fit a table's scores to games, or tune them by matches.",
    "data": "Make data sets of positions, by self-play or from games.",
    "train": "Learn an evaluator from the positions of games.",
    "brain": "Play as a Gomocup engine on standard input and output.",
    "conformance": "Test a Gomocup engine against the protocol.",
    "serve": "Serve the web board.",
    "play": "Play in the terminal.",
    "practise": "Practise puzzles in the terminal, with a rating.",
}


class UnforeseenError(Exception):
    """An error that no command foresaw: as a rule, of a class of the user's."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gomoku.commands.{cmd_name}")
        command: click.Command = module.command
        _name_values(command)
        return _completing(command) if ctx.resilient_parsing else command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            ctx.fail(unknown("command", args[0], COMMANDS))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """What nobody foresaw, an OSError among it, gets past click, which would take it for one of its own."""
        try:
            return super().invoke(ctx)
        except (GomokuError, OutputError, click.ClickException, click.exceptions.Exit, click.exceptions.Abort):
            raise
        except Exception as error:
            raise UnforeseenError(error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _name_values(command: click.Command) -> None:
    """Let the help show numbers as N, and not as click names their types: INTEGER RANGE."""
    for option in command.params:
        if option.metavar is None and isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
            option.metavar = "N"
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            _name_values(inner)


def _completing(command: click.Command) -> click.Command:
    from gomoku.commands.completion import with_completion

    return with_completion(command)


def _show_version(ctx: click.Context, _param: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        click.echo(f"gomoku, version {version('gomoku-patterns')}")
    except PackageNotFoundError:
        click.echo("gomoku (running from the source tree, not installed)")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show the version."
)
def cli() -> None:
    """Evaluate, solve, compare and play Gomoku (五子棋).

    Positions are read from a FILE in any notation, or from standard input as '-'. Most commands print for people,
    and JSON with --json. Exit status: 0 good, 1 a negative result, 2 bad usage or input, 130 interrupted.
    'gomoku COMMAND --help' has more, and examples.

    \b
    gomoku play
    echo "h8 h9 i9" | gomoku move - --player engine
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line; every error becomes one line and exit status 2 (GOMOKU_TRACEBACK=1 shows all of it)."""
    command = (sys.argv[1:] if args is None else args)[:1]
    # The brain writes in a way of its own; a report of puzzles needs no standard output.
    if command != ["brain"] and (command != ["puzzles"] or sys.stdout is not None):
        prepare_output()
    if command not in (["brain"], ["serve"]):
        _stop_when_terminated()
    try:
        status: Any = cli.main(args=args, prog_name="gomoku", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except click.ClickException as error:
        error.message = printable(error.message)  # type: ignore[misc]  # it may quote what was typed
        error.show()
        sys.exit(2)
    except (click.exceptions.Abort, KeyboardInterrupt):
        _fail("interrupted", 130)
    except OutputError as error:
        if error.is_gone:
            sys.exit(141)
        _fail(str(error))
    except GomokuError as error:
        _fail(str(error))
    except UnforeseenError as unforeseen:
        if os.environ.get("GOMOKU_TRACEBACK"):
            raise
        if command == ["brain"] and isinstance(unforeseen.error, BrokenPipeError):
            _drop_output()
            sys.exit(141)
        _fail(_told(unforeseen.error))
    sys.exit(status if isinstance(status, int) else 0)


def _stop_when_terminated() -> None:
    """SIGTERM ends a run as Ctrl-C does: what is done is kept, and the processes at work go too."""

    def stop(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends it at once
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


def _drop_output() -> None:
    """Nobody takes the output any more: the interpreter shall not try to flush it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _told(error: BaseException) -> str:
    """An error nobody foresaw, with the place where it was raised: as a rule, in a class of the user's."""
    import traceback

    trace = traceback.extract_tb(error.__traceback__)
    place = f"{trace[-1].filename}:{trace[-1].lineno}" if trace else "gomoku"
    return f"{place}: {type(error).__name__}: {error}  (GOMOKU_TRACEBACK=1 shows more)".replace("\n", " ")


def _fail(message: str, status: int = 2) -> NoReturn:
    click.echo(f"gomoku: {printable(message)}", err=True)
    sys.exit(status)
