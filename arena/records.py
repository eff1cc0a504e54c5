"""Games of a match as files for other programs: Piskvork ``.psq``, one a game, and SGF, all in one.

>>> from arena.game import play_game
>>> from arena.time_control import TimeControl
>>> from arena.units import unit_of
>>> from gomoku_patterns import Board
>>> record = play_game(unit_of("random:seed=1", "random:seed=2", Board(5), TimeControl(), number=0))
>>> sgf([record]).split(";")[1].strip()
'FF[4]GM[4]CA[UTF-8]SZ[5]RU[0]PB[random:seed=1]PW[random:seed=2]RE[W+1]GN[1]TE[five]'
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.units import record_board
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.files import write_file
from gomoku_patterns.notation import Entry, GameTree, write_positions

Json = dict[str, Any]

_RESULTS = {"black": "B+1", "white": "W+1", "draw": "0", None: "Void"}


def game_tree(record: Json) -> GameTree:
    """A recorded game with who played it, how it ended, and what each move took and was thought to be worth."""
    tree = GameTree.from_board(record_board(record))
    tree.info.update(
        {
            "PB": record["black"],
            "PW": record["white"],
            "RE": _RESULTS[record["result"]],
            "GN": str(record["unit"] + 1),
            "TE": f"{record['reason']}: {record['detail']}" if record["detail"] else record["reason"],
        }
    )
    played = [node for node in tree.main_line() if node.move][len(record["opening"]["moves"]) :]
    worth = zip(record["scores"], record.get("wins", ()) or [None] * len(played), strict=False)
    for node, (score, win), seconds in zip(played, worth, record["seconds"], strict=False):
        node.elapsed = seconds
        said = win or (None if score is None else f"score {score:,}")
        taken = None if seconds is None else f"{1000 * seconds:.0f} ms"
        node.comment = ", ".join(filter(None, (taken, said)))
    return tree


def sgf(records: Iterable[Json]) -> str:
    """The games as one SGF collection."""
    return "".join(write_positions([_entry(record) for record in records], "sgf"))


def _entry(record: Json) -> Entry:
    tree = game_tree(record)
    return Entry(tree.board(), tree=tree)


def write_sgf(path: str | Path, records: Iterable[Json]) -> None:
    """Write the collection; a reader finds the old file or the new one, never half of it."""
    write_file(path, sgf(records), folders=True)


def write_psq(folder: str | Path, records: Iterable[Json]) -> int:
    """Write ``game-000001.psq`` and so on; returns how many games the notation has no words for."""
    unsaid = 0
    for record in records:
        try:
            text = "".join(write_positions([_entry(record)], "psq"))
        except GomokuError:
            # Stones that were set up out of turn: the notation knows only moves in turn.
            unsaid += 1
            continue
        write_file(Path(folder) / f"game-{record['unit'] + 1:06}.psq", text, folders=True)
    return unsaid
