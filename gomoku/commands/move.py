"""``gomoku move``: ask a player for its move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING

import click

from gomoku.answers import move_answer
from gomoku.commands.batch import run_batch
from gomoku.commands.common import Json, print_json, read_identified
from gomoku.commands.options import batch_option, file_argument, json_option, limit_of, require_one_input
from gomoku.commands.status import clear_status, is_watched, show_status

MOST_SPOKEN = 15
"""How many values of cells are shown to people; JSON has them all."""

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from search.players import Player, PlayerInfo
    from search.result import Limit, SearchResult


@click.command("move")
@file_argument
@click.option("--player", "spec", metavar="SPEC", default="minmax", show_default=True, help="A player and its options.")
@click.option("--seconds", type=float, metavar="S", help="Stop after this time.")
@click.option("--nodes", type=int, metavar="N", help="Stop after this many nodes.")
@click.option("--depth", type=int, metavar="D", help="Stop after this many plies.")
@click.option("--list", "listing", is_flag=True, help="List the players and their options.")
@json_option
@batch_option
def command(
    *,
    file: str | None,
    spec: str,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    listing: bool,
    as_json: bool,
    batch: str | None,
) -> int:
    """Ask a player for its move in the position in FILE ('-': standard input).

    Without a limit the player's own settings count. SPEC is a name with options, such as
    minmax:table=grade_dict,depth=5,width=11; see --list.

    \b
    gomoku move level16.txt --player minmax:table=grade_dict,depth=5,width=11
    gomoku move game.sgf --player engine --seconds 2 --json
    """
    if listing:
        return _list_players(as_json)
    require_one_input(file, batch)
    from search.players import player

    chosen, limit = player(spec), limit_of(depth=depth, nodes=nodes, seconds=seconds)
    if batch is not None:
        return 0 if run_batch(batch, lambda board: _fresh_answer(chosen, board, limit)) else 2
    board, identity = read_identified(str(file))
    result = _search_with_progress(chosen, board, limit)
    if as_json:
        print_json({"id": identity, **move_answer(chosen, board, result)})
    else:
        click.echo(_report(chosen, board, result))
    return 1 if result.move is None else 0


# ---------------------------------------------------------------------- answers


def _fresh_answer(chosen: Player, board: Board, limit: Limit | None) -> Json:
    chosen.new_game()
    return move_answer(chosen, board, chosen.search(board, limit))


# ---------------------------------------------------------------------- for people


def _search_with_progress(chosen: Player, board: Board, limit: Limit | None) -> SearchResult:
    if not is_watched():
        return chosen.search(board, limit)
    try:
        return chosen.search(board, limit, progress=lambda told: show_status(_progress(told)))
    finally:
        clear_status()


def _progress(told: Mapping[str, object]) -> str:
    parts = [f"{told['elapsed']:.1f} s", f"depth {told['depth']}", f"{told['nodes']:,} nodes", f"score {told['score']}"]
    return "   ".join(parts)


def _report(chosen: Player, board: Board, result: SearchResult) -> str:
    if result.move is None:
        return f"{board}\n\n{chosen.name}: no move, no cell can be played"
    name = board.name(result.move)
    parts = [_marked_board(board, result.move), "", f"{chosen.name} plays {board.turn} {name} ({_place(result.move)})"]
    facts: list[tuple[str, str]] = [
        ("score", f"{result.score:,} (black minus white)"),
        ("line", " ".join(board.name(cell) for cell in result.pv)),
        ("depth", str(result.depth)),
        ("nodes", f"{result.nodes:,}"),
        ("elapsed", f"{result.elapsed:.4f} s"),
        ("stopped by", result.stopped_by),
        *((key.replace("_", " "), _spoken(value, board)) for key, value in result.stats.items() if key != "lines"),
        *_lines(board, result),
    ]
    return "\n".join(parts + [f"  {key + ':':<13} {text}" for key, text in facts if text])


def _lines(board: Board, result: SearchResult) -> Iterable[tuple[str, str]]:
    """The best moves, each with its value and how it goes on."""
    values, lines = result.stats.get("values"), result.stats.get("lines")
    if not isinstance(values, Mapping) or not isinstance(lines, Mapping):
        return
    for rank, (cell, line) in enumerate(lines.items(), 1):
        yield f"{rank}", f"{values[cell]:>8,}   {' '.join(board.name(place) for place in line)}"


def _place(cell: tuple[int, int]) -> str:
    return f"{cell[0]}, {cell[1]}"


def _spoken(value: object, board: Board) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        pairs = ((board.name(key) if isinstance(key, tuple) else str(key), item) for key, item in value.items())
        words = [f"{key} {_spoken(item, board)}" for key, item in islice(pairs, MOST_SPOKEN)]
        return "  ".join(words + ["..."] * (len(value) > MOST_SPOKEN))
    if isinstance(value, float):
        return f"{value:.10g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _marked_board(board: Board, move: tuple[int, int]) -> str:
    """The board after the move, which stands in brackets."""
    after = board.copy()
    after.push((move[0], move[1]))
    lines = str(after).split("\n")
    at = 4 + 3 * move[1]
    row = lines[move[0]].ljust(at + 2)
    lines[move[0]] = f"{row[: at - 1]}({row[at]}){row[at + 2 :]}"
    return "\n".join(lines)


# ---------------------------------------------------------------------- the list of players


def _list_players(as_json: bool) -> int:
    from search.players import describe_players

    infos = describe_players()
    if as_json:
        print_json({"players": [_described(info) for info in infos]})
    else:
        click.echo("\n\n".join("\n".join(_listed(info)) for info in infos))
    return 0


def _described(info: PlayerInfo) -> Json:
    options = [
        {"name": option.name, "expected": option.expected, "default": option.spell(option.default), "help": option.help}
        for option in info.options
    ]
    return {"name": info.name, "summary": info.summary, "options": options}


def _listed(info: PlayerInfo) -> Iterable[str]:
    yield f"{info.name}  {info.summary}"
    for option in info.options:
        yield f"    {option.name}={option.spell(option.default)}".ljust(28) + f" {option.help} ({option.expected})"
