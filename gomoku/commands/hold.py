"""``gomoku hold``: decide a position on a small board: a draw, with a hold for each side, or a win with its proof."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gomoku.commands.common import print_json, read_board
from gomoku.commands.options import json_option, rule_option, ruled
from gomoku.commands.status import clear_status, is_watched, show_status

if TYPE_CHECKING:
    from gomoku_patterns.board import Board
    from gomoku_patterns.cells import Colour
    from gomoku_patterns.rules import Rule
    from search.hold import Hold, HoldResult


_WHY = {
    "complete": "no hold among those that are tried",
    "seconds": "no hold found in time; --seconds gives more",
    "memory": "no hold found before the memory was used up",
}
"""What is said of a side without a hold, by what stopped the search for one."""


@click.command("hold")
@click.argument("position", metavar="POSITION")
@click.option("--save", "folder", metavar="FOLDER", help="Write what was found here: black.gmkhold, win.gmkproof ...")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    default=60.0,
    show_default=True,
    metavar="S",
    help="Search for so long for each side.",
)
@rule_option
@json_option
def command(*, position: str, folder: str | None, seconds: float, rule: Rule | None, as_json: bool) -> int:
    """Decide the position in POSITION, or an empty board such as 6x7 (rows x columns).

    A side holds if it can keep the other from making five. If both sides hold, the position is a draw. A hold is a file
    that 'gomoku verify' judges. If the side that is not to move does not hold, a win for the other is looked for.
    Boards have at most 128 cells. Exit status 0 if the result is known, 1 if not.

    \b
    gomoku hold 6x7 --save draws
    gomoku verify position.json draws/white.gmkhold
    """
    board = _board(position, rule)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
    found = _decide(board, seconds, Path(folder) if folder is not None else None)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(_report(found)))
    return 0 if found["result"] else 1


def _board(position: str, rule: Rule | None) -> Board:
    from gomoku_patterns.board import Board

    size = re.fullmatch(r"([0-9]{1,2})x([0-9]{1,2})", position)
    if size and not Path(position).exists():
        return Board(int(size[1]), int(size[2]), rule=rule or "freestyle")
    return ruled(read_board(position), rule)


def _decide(board: Board, seconds: float, folder: Path | None) -> dict[str, Any]:
    """What is known of a position afterwards: ``result`` is "draw", the winner, or None."""
    from gomoku_patterns.cells import Colour
    from search.result import Limit
    from search.solver import solve

    holds, stopped_by, win = {}, {}, None
    for holder in (board.turn.opponent, board.turn):
        result = _find(board, holder, seconds)
        stopped_by[str(holder)], found = result.stopped_by, result.hold
        if found is not None:
            holds[str(holder)] = _told(found)
            if folder is not None:
                found.save(folder / f"{holder}.gmkhold")
        elif holder is board.turn.opponent:
            win = solve(board, Limit(seconds=seconds), mode="any" if str(board.rule) == "freestyle" else "full").proof
            if win is not None:
                if folder is not None:
                    win.save(folder / "win.gmkproof")
                break
    decided = "draw" if len(holds) == len(Colour) else str(board.turn) if win else None
    return {"size": f"{board.rows}x{board.cols}", "result": decided, "holds": holds, "stopped_by": stopped_by}


def _find(board: Board, holder: Colour, seconds: float) -> HoldResult:
    from search.hold import find_hold
    from search.result import Limit

    def show(state: Mapping[str, object]) -> None:
        show_status(f"{holder} holds?   moves of the other side: {state['depth']}   {state['nodes']:,} positions")

    watched = is_watched()
    found = find_hold(board, holder, Limit(seconds=seconds), progress=show if watched else None)
    if watched:
        clear_status()
    return found


def _told(hold: Hold) -> dict[str, Any]:
    from hashlib import sha256

    return {
        "pairings": hold.pairings,
        "moves": hold.moves,
        "bytes": len(hold.data),
        "seconds": round(hold.seconds, 2),
        "sha256": sha256(hold.data).hexdigest(),
    }


def _report(found: dict[str, Any]) -> list[str]:
    result = found["result"]
    lines = ["not decided" if result is None else "a draw" if result == "draw" else f"{result} wins"]
    for holder, hold in found["holds"].items():
        lines.append(
            f"  {holder} holds: {hold['moves']:,} moves, {hold['pairings']:,} pairings, {hold['bytes']:,} bytes,"
            f" {hold['seconds']} s, sha256 {hold['sha256'][:16]}"
        )
    lines += [f"  {holder}: {_WHY[why]}" for holder, why in found["stopped_by"].items() if holder not in found["holds"]]
    return lines
