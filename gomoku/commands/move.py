"""``gomoku move``: ask a player for its move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.asking import answer_input
from gomoku.commands.common import print_json
from gomoku.commands.options import batch_option, file_argument, json_option, limit_of, max_bytes_option
from gomoku.commands.status import clear_status, is_watched, show_status

MOST_SPOKEN = 15
"""How many values of cells are shown to people; JSON has them all."""

if TYPE_CHECKING:
    from gomoku.answers.types import MoveAnswer, PlayerDescription, WinJson
    from gomoku_patterns.board import Board
    from search import Player
    from search.result import Limit


@click.command("move")
@file_argument
@click.option("--player", "spec", metavar="SPEC", default="minmax", show_default=True, help="A player and its options.")
@click.option("--seconds", type=float, metavar="S", help="Stop after this time.")
@click.option("--nodes", type=int, metavar="N", help="Stop after this many nodes.")
@click.option("--depth", type=int, metavar="D", help="Stop after this many plies.")
@click.option("--list", "listing", is_flag=True, help="List the players and their options.")
@json_option
@batch_option
@max_bytes_option
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

    Without a limit the player's own options decide how long it thinks. SPEC is a name with options, such as
    minmax:table=grade_dict,depth=5,width=11 (see --list), or a class of your own, my_module:Mine. Exit status 1 if no
    cell can be played.

    \b
    gomoku move level16.txt --player minmax:table=grade_dict,depth=5,width=11
    gomoku move game.sgf --player engine --seconds 2 --json
    """
    if listing:
        return _list_players(as_json)
    from search.players import named_player

    chosen, limit = named_player(spec), limit_of(depth=depth, nodes=nodes, seconds=seconds)
    found: list[MoveAnswer] = []

    def answer(board: Board) -> MoveAnswer:
        found[:] = [_move(board, chosen, limit, watched=batch is None and is_watched())]
        return found[0]

    status = answer_input(file, batch, as_json, answer, _report)
    return status if batch is not None or found[0]["move"] else 1


def _move(board: Board, chosen: Player, limit: Limit | None, *, watched: bool) -> MoveAnswer:
    """The player's answer; it remembers nothing of the positions it was asked about before."""
    from gomoku import answers

    chosen.new_game()
    if not watched:
        return answers.move(board, chosen, limit)
    try:
        return answers.move(board, chosen, limit, progress=lambda told: show_status(_progress(told)))
    finally:
        clear_status()


def _progress(told: Mapping[str, object]) -> str:
    from search import score_text

    worth = str(told["win"]) if told.get("win") else f"score {score_text(told)}"
    return "   ".join([f"{told['elapsed']:.1f} s", f"depth {told['depth']}", f"{told['nodes']:,} nodes", worth])


# ---------------------------------------------------------------------- for people


def _report(board: Board, answer: MoveAnswer) -> str:
    if answer["move"] is None:
        return f"{board}\n\n{answer['player']}: no move, no cell can be played"
    row, col = answer["move"]
    played = f"{answer['player']} plays {board.turn} {answer['name']} ({row}, {col})"
    stats: dict[str, Any] = answer["stats"]
    facts: list[tuple[str, str]] = [
        ("score", _score(answer["score"], answer["win"])),
        ("line", " ".join(answer["pv_names"])),
        ("depth", str(answer["depth"])),
        ("nodes", f"{answer['nodes']:,}"),
        ("elapsed", f"{answer['elapsed']:.4f} s"),
        ("stopped by", answer["stopped_by"]),
        *_told(stats),
        *_lines(board, stats),
    ]
    told = [f"  {key + ':':<13} {text}" for key, text in facts if text]
    return "\n".join([_marked_board(board, (row, col)), "", played, *told])


def _told(stats: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """What a player says beside its move; the values of cells stand with their lines where there are any."""
    for key, value in stats.items():
        if key == "values" and not stats.get("lines"):
            yield key, _listed_words(f"{name} {worth}" for name, worth in _worths(stats).items())
        elif key not in ("values", "ends_in", "lines"):
            yield key.replace("_", " "), _spoken(value)


def _worths(stats: dict[str, Any]) -> dict[str, str]:
    """What each cell is worth: a number, or who wins and when."""
    values = {one["name"]: one["value"] for one in stats.get("values", ())}
    worths = {name: _spoken(value) for name, value in values.items()}
    for one in stats.get("ends_in", ()):
        worths[one["name"]] = f"{'black' if values[one['name']] > 0 else 'white'} wins in {one['value']}"
    return worths


def _score(score: int, win: WinJson | None) -> str:
    return f"{win['colour']} wins in {win['plies']}" if win else f"{score:,} (black minus white)"


def _lines(board: Board, stats: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """The best moves, each with its value and how it goes on."""
    worths = _worths(stats)
    for rank, line in enumerate(stats.get("lines", ()), 1):
        names = " ".join(board.name((row, col)) for row, col in line["value"])
        yield f"{rank}", f"{worths[line['name']]:>8}   {names}"


def _spoken(value: object) -> str:
    """A figure of a player: a number, or what it says of cells."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return _listed_words(f"{key} {_spoken(item)}" for key, item in value.items())
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return _listed_words(f"{one['name']} {_spoken(one['value'])}" for one in value)
    if isinstance(value, float):
        return f"{value:.10g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _listed_words(words: Iterable[str]) -> str:
    first = [*islice(words, MOST_SPOKEN + 1)]
    return "  ".join(first if len(first) <= MOST_SPOKEN else [*first[:MOST_SPOKEN], "..."])


def _marked_board(board: Board, move: tuple[int, int]) -> str:
    """The board after the move, which stands in brackets."""
    after = board.copy()
    after.push((move[0], move[1]))
    lines = str(after).split("\n")
    at = 4 + 3 * move[1]
    row = lines[move[0]].ljust(at + 2)
    lines[move[0]] = f"{row[: at - 1]}({row[at]}){row[at + 2 :]}"
    return "\n".join(lines)


def _list_players(as_json: bool) -> int:
    from gomoku import answers

    listed = answers.players()
    if as_json:
        print_json(listed)
    else:
        click.echo("\n\n".join("\n".join(_described(one)) for one in listed["players"]))
    return 0


def _described(player: PlayerDescription) -> Iterable[str]:
    yield f"{player['name']}  {player['summary']}"
    for option in player["options"]:
        yield f"    {option['name']}={option['default']}".ljust(28) + f" {option['help']} ({option['expected']})"
