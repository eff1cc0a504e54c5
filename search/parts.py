"""Proofs in parts: too large for one file or one machine, verified apart, and then that the parts cover everything.

A part is a proof in binary form like any other, except that it may say of a position "this is proven elsewhere". The
first part, the *trunk*, is about the whole claim. A folder holds the parts and ``parts.json``, which names them with
their digests:

    {"version": 2, "parts": [{"file": "0000.gmkproof", "sha256": "..."}, ...]}

Parts are verified in any order, on any machine, by the native verifier (:func:`verify_part`); each answers which
positions it needs of others. :func:`uncovered` then says what is missing: a part that was refused or is not the file
that was meant, or a needed position that no part proves. A part proves its own position and its images under the
symmetries of the board, under the same rule, for the same attacker, and against passes if passes are allowed. A part
that needs a position has fewer stones on its own, so parts cannot prove each other in a circle.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from os import urandom
from pathlib import Path
from typing import Any, Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from gomoku_patterns.files import write_file
from search.proof import BINARY_SUFFIX, ELSEWHERE, Attack, Defence, Proof, leaves_first
from search.proof_binary import allows_passing, position_of
from search.verifier import MOST_NATIVE_WORK

LIST: Final = "parts.json"


@dataclass(frozen=True)
class Part:
    """What verifying one part has shown. ``proves`` and ``needs`` are positions up to symmetry."""

    file: str
    sha256: str
    accepted: bool
    reason: str
    replies_checked: int
    proves: str
    needs: frozenset[str]


# ---------------------------------------------------------------------- verifying


def listed_parts(folder: str | Path) -> list[tuple[str, str]]:
    """The files of the parts in a folder, the trunk first, with the digests they have to have."""
    path = Path(folder) / LIST
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        parts = [(str(part["file"]), str(part["sha256"])) for part in value["parts"]]
        if value["version"] != 2 or not parts or any(Path(name).name != name for name, _ in parts):
            raise ValueError
    except OSError as error:
        raise ProofError(f"{path}: cannot be read: {str(error.strerror).lower()}") from None
    except (ValueError, KeyError, TypeError):
        raise ProofError(f"{path}: this is no list of the parts of a proof") from None
    return parts


def verify_part(path: str, most_work: int = MOST_NATIVE_WORK) -> Part:
    """Verify one part, in place."""
    from search._verifier import judge

    name = Path(path).name
    try:
        with Path(path).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            digest = hashlib.sha256(data).hexdigest()
            start, passing = position_of(data), allows_passing(data)
            accepted, replies, _, reason, needed = judge(
                data, most_work, int.from_bytes(urandom(8)), thorough=False, in_parts=True
            )
    except (OSError, ValueError) as error:
        return Part(name, "", False, str(error), 0, "", frozenset())
    size, stones = start.rows * start.cols, len(start.flat) - start.flat.count(0)
    needs = {needed[place : place + size] for place in range(0, len(needed), size)}
    if any(size - position.count(0) <= stones for position in needs):
        accepted, reason = False, "the part needs its own position"
    named = frozenset(_named(_board_like(start, position), passing) for position in needs)
    return Part(name, digest, accepted, reason, replies, _named(start, passing), named)


def uncovered(parts: Sequence[Part], listed: Sequence[tuple[str, str]], position: Board) -> str:
    """Why the parts do not prove a win in the position; empty if they do. The trunk comes first in ``listed``."""
    by_name = {part.file: part for part in parts}
    for name, digest in listed:
        part = by_name.get(name)
        if part is None:
            return f"part {name} was not verified"
        if not part.accepted:
            return f"part {name} is refused: {part.reason}"
        if part.sha256 != digest:
            return f"part {name} is not the file that the list names: its digest is {part.sha256[:16]}..."
    trunk = by_name[listed[0][0]]
    if trunk.proves not in (_named(position, False), _named(position, True)):
        return "the proof is for another position"
    proven = {by_name[name].proves for name, _ in listed}
    for name, _ in listed:
        for need in sorted(by_name[name].needs):
            if need not in proven and need.replace(" no passes", " passes") not in proven:
                return f"part {name} needs a position that no part proves: {need}"
    return ""


def _board_like(board: Board, flat: bytes) -> Board:
    cells = [(Cell(*divmod(place, board.cols)), stone) for place, stone in enumerate(flat) if stone]
    black, white = ([cell for cell, stone in cells if stone == colour] for colour in (1, 2))
    return Board(board.rows, board.cols, black=black, white=white, turn=board.turn, rule=board.rule)


def _named(board: Board, passing: bool) -> str:
    """A name that a position shares with its images under the symmetries alone."""
    images = [board.transform(symmetry) for symmetry in range(8)]
    flat = min(image.flat for image in images if (image.rows, image.cols) == (board.rows, board.cols))
    allowed = "passes" if passing or str(board.rule) == "renju" else "no passes"
    return f"{flat.hex()} {board.rows}x{board.cols} {board.rule} {board.turn} {allowed}"


# ---------------------------------------------------------------------- cutting a proof into parts


def write_parts(proof: Proof, folder: str | Path, most_nodes: int) -> list[str]:
    """Cut a proof into parts of about so many nodes, write them to a folder with their list, and name the files."""
    return save_parts(cut(proof, most_nodes), folder)


def save_parts(parts: Iterable[Proof], folder: str | Path) -> list[str]:
    """Write parts, the trunk first, to a folder with their list, and name the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    listed: list[dict[str, Any]] = []
    for number, part in enumerate(parts):
        name, data = f"{number:04}{BINARY_SUFFIX}", part.to_bytes()
        write_file(folder / name, data)
        listed.append({"file": name, "sha256": hashlib.sha256(data).hexdigest()})
    write_file(folder / LIST, json.dumps({"version": 2, "parts": listed}, indent=1) + "\n")
    return [part["file"] for part in listed]


def cut(proof: Proof, most_nodes: int) -> Iterator[Proof]:
    """The trunk of a proof, and a part for each position that it leaves to one.

    Cut are the nodes of replies that have at most so many nodes below them and hang on a node that has more. What is
    below a default stays where it is: it is played in many positions.
    """
    sizes = _sizes(proof.tree)
    parts: dict[str, Proof] = {}

    def left_to_part(board: Board, attack: Attack) -> Attack:
        if attack.then is None:
            return attack
        if sizes[id(attack)] <= most_nodes:
            parts.setdefault(_named(board, proof.passing), Proof(board, attack, passing=proof.passing))
            return Attack(ELSEWHERE)
        board.push(attack.move)
        replies = {}
        for reply, below in attack.then.replies.items():
            board.push(reply)
            replies[reply] = left_to_part(board, below)
            board.pop()
        board.pop()
        return Attack(attack.move, Defence(attack.then.threat, replies, attack.then.defaults))

    whole = sizes[id(proof.tree)] <= most_nodes
    trunk = proof if whole else Proof(proof.position, left_to_part(proof.position, proof.tree), passing=proof.passing)
    yield trunk
    yield from parts.values()


def _sizes(tree: Attack) -> dict[int, int]:
    """For each attack how many there are below it, itself included, a shared one as often as it is met."""
    sizes: dict[int, int] = {}
    for attack in leaves_first(tree):
        below: Iterable[Attack] = (*attack.then.replies.values(), *attack.then.defaults) if attack.then else ()
        sizes[id(attack)] = 1 + sum(sizes[id(child)] for child in below)
    return sizes
