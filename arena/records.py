"""Games of a match as files for other programs: Piskvork ``.psq``, one a game; SGF and PGN, all in one.

>>> from arena.game import play_game
>>> from arena.time_control import TimeControl
>>> from arena.units import unit_of
>>> from gomoku_patterns import Board
>>> record = play_game(unit_of("random:seed=1", "random:seed=2", Board(5), TimeControl(), number=0))
>>> pgn([record]).splitlines()[6]
'[Result "1-0"]'
>>> sgf([record]).split(";")[1].strip()
'FF[4]GM[4]CA[UTF-8]SZ[5]RU[0]PB[random:seed=1]PW[random:seed=2]RE[W+1]GN[1]TE[five]'
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.entrants import Entrant
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
            "PB": Entrant.parse(record["black"]).name,
            "PW": Entrant.parse(record["white"]).name,
            "RE": _RESULTS[record["result"]],
            "GN": str(record["unit"] + 1),
            "TE": f"{record['reason']}: {record['detail']}" if record.get("detail") else record["reason"],
        }
    )
    played = [node for node in tree.main_line() if node.move][len(record["opening"]["moves"]) :]
    for place, node in enumerate(played):
        node.elapsed = _at(record, "seconds", place)
        node.comment = _comment(record, place)
    return tree


def _at(record: Json, key: str, place: int) -> Any:
    """What a record says of one of its moves; None where it says nothing."""
    values = record.get(key) or ()
    return values[place] if place < len(values) else None


def _comment(record: Json, place: int) -> str:
    """What a move took and what its player said of it: ``12 ms, score 31, depth 7, 1,204 nodes, line h8 i9``."""
    score, win, depth, nodes, line = (_at(record, key, place) for key in ("scores", "wins", "depths", "nodes", "lines"))
    seconds = _at(record, "seconds", place)
    said = [
        None if seconds is None else f"{1000 * seconds:.0f} ms",
        win or (None if score is None else f"score {score:,}"),
        depth and f"depth {depth}",
        nodes and f"{nodes:,} nodes",
        line and f"line {line}",
    ]
    return ", ".join(filter(None, said))


def sgf(records: Iterable[Json]) -> str:
    """The games as one SGF collection."""
    return "".join(write_positions([_entry(record) for record in records], "sgf"))


def _entry(record: Json) -> Entry:
    tree = game_tree(record)
    return Entry(tree.board(), tree=tree)


def write_sgf(path: str | Path, records: Iterable[Json]) -> None:
    """Write the collection; a reader finds the old file or the new one, never half of it."""
    write_file(path, sgf(records), folders=True)


# ------------------------------------------------------------------ PGN, for rating programs

_PGN_RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2"}
_LINE_WIDTH = 79


def pgn(records: Iterable[Json]) -> str:
    """The games as PGN whose tags rating programs such as Ordo and BayesElo read; games that do not count are left out.

    Colours are the stones', so it is Black who moves first, and a program's advantage of White will come out below 0.
    The moves stand in a comment, since they are none of chess.
    """
    return "".join(_pgn(record) for record in records if record["result"] is not None)


def _pgn(record: Json) -> str:
    result = _PGN_RESULTS[record["result"]]
    opening = record["opening"]
    tags = {
        "Event": "gomoku match",
        "Site": "?",
        "Date": "????.??.??",
        "Round": f"{record['unit'] // 2 + 1}.{record['unit'] % 2 + 1}",
        "White": Entrant.parse(record["white"]).name,
        "Black": Entrant.parse(record["black"]).name,
        "Result": result,
        "Variant": f"Gomoku {opening['rule']} {opening['rows']}x{opening['cols']}",
        "Termination": f"{record['reason']}: {record['detail']}" if record.get("detail") else record["reason"],
        "PlyCount": str(len(opening["moves"]) + len(record["moves"])),
    }
    lines = [f"[{key} {_quoted(value)}]" for key, value in tags.items()]
    moves = textwrap.fill(" ".join([*opening["moves"], *record["moves"]]), _LINE_WIDTH - 2)
    return "\n".join([*lines, "", f"{{{moves}}}", result, "", ""])


def _quoted(text: str) -> str:
    """A tag's value; braces and ends of lines would end what they are in."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{plain}"'


def write_pgn(path: str | Path, records: Iterable[Json]) -> None:
    """Write the games as one PGN file, for rating programs."""
    write_file(path, pgn(records), folders=True)


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
