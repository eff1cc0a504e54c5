"""``gomoku brain``: a Gomocup engine."""

from __future__ import annotations

import os
import sys

import click


@click.command("brain")
@click.option("--player", default="engine", show_default=True, metavar="SPEC", help="The player behind the protocol.")
def command(*, player: str) -> None:
    """Speak the Gomocup protocol on standard input and output.

    Managers start pbrain-gomoku, which is the same. Memory, threads, time, rule and size are set by the manager.

    \b
    gomoku brain --player engine:table=mine.toml
    """
    from arena.brain import run
    from arena.commands.common import check_input, check_output
    from search.players import parse_spec, player_info

    player_info(parse_spec(player)[0])
    check_input("commands")
    check_output()
    run(sys.stdin.buffer, sys.stdout.buffer, player)
    sys.stdout.flush()
    os._exit(0)
