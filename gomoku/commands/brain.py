"""``gomoku brain``: a Gomocup engine."""

from __future__ import annotations

import os

import click


@click.command("brain")
@click.option("--player", default="engine", show_default=True, metavar="SPEC", help="The player behind the protocol.")
def command(*, player: str) -> None:
    """Speak the Gomocup protocol on standard input and output.

    Managers start pbrain-gomoku, which is the same. Memory, threads, time, rule and size are set by the manager.

    \b
    gomoku brain --player engine:table=mine.toml
    """
    from gomoku.brain import serve
    from search.players import parse_spec, player_info

    player_info(parse_spec(player)[0])
    serve(player)
    os._exit(0)
