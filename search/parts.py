"""Proofs in parts: too large for one file or one machine, verified apart, and then that the parts cover everything.

A part is a proof in binary form like any other, except that it may say of a position "this is proven elsewhere". The
first part, the *trunk*, is about the whole claim. A folder holds the parts and ``parts.json``, which names them with
their digests:

    {"version": 2, "parts": [{"file": "0000.gmkproof", "sha256": "..."}, ...]}

Parts are verified in any order, on any machine, by either verifier (:func:`verify_part`). A position that is said to be
proven elsewhere counts as won if it is that of a part in the list, and each part answers which of them it rests on.
:func:`whole_verdict` then says whether everything fits: each part holds and is the file that was meant, the trunk is
about the claim, and what a part rests on is proven. A part proves its own position and its images under the symmetries
of the board, under the same rule, for the same attacker, and against passes if passes are allowed. What a part rests on
has more stones than its own position, so parts cannot prove each other in a circle.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import GomokuError, NotationError, ProofError, shown
from gomoku_patterns.files import read_file, write_file
from gomoku_patterns.notation.json_position import parse_json
from search.proof import (
    BINARY_SUFFIX,
    ELSEWHERE,
    PROOF_BYTES,
    Attack,
    Defence,
    Proof,
    leaves_first,
    read_proof_file,
)
from search.proof_binary import FIXED_HEAD, allows_passing, head_size, position_of
from search.verifier import MOST_NATIVE_WORK, MOST_WORK, Verdict, described, judge_bytes, judge_tree, least_image

LIST: Final = "parts.json"
LIST_BYTES: Final = 64 * 2**20
"""How large a list of parts may be: some 600,000 of them."""

_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
_DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Part:
    """What verifying one part has shown. ``proves`` and ``needs`` are positions up to symmetry."""

    file: str
    accepted: bool = False
    reason: str = ""
    sha256: str = ""
    position: Board | None = None
    replies_checked: int = 0
    work: int = 0
    proves: str = ""
    needs: frozenset[str] = frozenset()


# ---------------------------------------------------------------------- verifying


def listed_parts(folder: str | Path) -> list[tuple[str, str]]:
    """The files of the parts in a folder, the trunk first, with the digests they have to have."""
    return _parsed_list(Path(folder) / LIST, _list_bytes(folder))


def _list_bytes(folder: str | Path) -> bytes:
    path = Path(folder) / LIST
    try:
        return read_file(path, LIST_BYTES)
    except OSError as error:
        raise ProofError(f"{path}: cannot be read: {str(error.strerror).lower()}") from None
    except GomokuError:
        raise ProofError(f"{path}: larger than {LIST_BYTES:,} bytes, which no list of parts is") from None
    except ValueError as error:  # a NUL byte in the name
        raise ProofError(f"{shown(str(path))}: cannot be read: {error}") from None


def _parsed_list(path: Path, data: bytes) -> list[tuple[str, str]]:
    try:
        value = parse_json(data.decode())
        _check_list(value)
    except UnicodeDecodeError:
        raise ProofError(f"{path}: this is no list of the parts of a proof: it is not UTF-8 text") from None
    except (NotationError, ProofError) as error:
        raise ProofError(f"{path}: this is no list of the parts of a proof: {error}") from None
    return [(part["file"], part["sha256"]) for part in value["parts"]]


def _check_list(value: Any) -> None:
    if not isinstance(value, dict) or set(value) != {"version", "parts"}:
        raise ProofError("expected the keys version and parts, and no others")
    if type(value["version"]) is not int or value["version"] != 2:
        raise ProofError(f"expected version 2, found {shown(value['version'])}")
    if not isinstance(value["parts"], list) or not value["parts"]:
        raise ProofError("expected a list of at least one part")
    names = set()
    for part in value["parts"]:
        _check_entry(part)
        if part["file"] in names:
            raise ProofError(f"the part {part['file']} stands there twice")
        names.add(part["file"])


def _check_entry(part: Any) -> None:
    if not isinstance(part, dict) or set(part) != {"file", "sha256"}:
        raise ProofError(f"expected the keys file and sha256, and no others, found {shown(part)}")
    if not isinstance(part["file"], str) or not _NAME.fullmatch(part["file"]):
        raise ProofError(f"expected a file name of letters, digits, '_', '-' and '.', found {shown(part['file'])}")
    if not isinstance(part["sha256"], str) or not _DIGEST.fullmatch(part["sha256"]):
        raise ProofError(f"expected a digest of 64 small hexadecimal digits, found {shown(part['sha256'])}")


_Kind = tuple[int, int, str, str, bool]
"""Positions of one kind can be compared: rows, columns, rule, attacker, and whether passes are answered."""


def _kind(board: Board, passing: bool) -> _Kind:
    return board.rows, board.cols, board.rule.value, str(board.turn), passing


@lru_cache(maxsize=4)
def _positions(folder: Path, listed: tuple[tuple[str, str], ...]) -> dict[_Kind, frozenset[bytes]]:
    """The positions that the parts of a folder are about, by kind. That they are proven is for others to say."""
    found: dict[_Kind, set[bytes]] = {}
    for name, _ in listed:
        try:
            head = _head(folder / name)
            board, passing = position_of(head, whole=False), allows_passing(head)
        except (OSError, ProofError):
            continue  # the part itself is refused for this
        for answered in (False, True) if passing else (False,):
            found.setdefault(_kind(board, answered), set()).add(least_image(board))
    return {kind: frozenset(positions) for kind, positions in found.items()}


def _head(path: Path) -> bytes:
    if not path.is_file():  # a pipe would keep us waiting for ever
        raise ProofError(f"{path}: there is no such file")
    with path.open("rb") as file:
        first = file.read(FIXED_HEAD)
        return first + file.read(head_size(first) - FIXED_HEAD)


def verify_part(
    path: str,
    most_work: int | None = None,
    *,
    thorough: bool = True,
    native: bool = True,
    max_bytes: int = PROOF_BYTES,
) -> Part:
    """Verify one part of a folder; the list beside it says which positions other parts prove."""
    name, folder = Path(path).name, Path(path).parent
    most = most_work if most_work is not None else MOST_NATIVE_WORK if native else MOST_WORK
    try:
        listed = _parsed_list(folder / LIST, _list_bytes(folder))
        if not Path(path).is_file():
            raise ProofError(f"{name}: there is no such file")
        data = read_proof_file(path, max_bytes)
        board = position_of(data)
        passing = allows_passing(data)
        proven = _positions(folder, tuple(listed)).get(_kind(board, passing), frozenset())
        if native:
            found = judge_bytes(data, most, thorough, proven)
        else:
            found = judge_tree(Proof.from_bytes(data), most, thorough, proven)
    except ProofError as error:
        return Part(name, reason=str(error))
    return Part(
        name,
        found.accepted,
        found.reason,
        hashlib.sha256(data).hexdigest(),
        board,
        found.replies,
        found.work,
        _named(board, least_image(board), passing),
        frozenset(_named(board, position, passing) for position in found.rests_on),
    )


def whole_verdict(
    parts: Sequence[Part], listed: Sequence[tuple[str, str]], position: Board, elapsed: float = 0.0
) -> Verdict:
    """Whether the parts prove a win in the position. The trunk comes first in ``listed``."""
    by_name = {part.file: part for part in parts}
    used = [by_name[name] for name, _ in listed if name in by_name]
    proven = {part.proves for part in used if part.accepted}
    accepted = (
        0 < len(listed) == len(used)
        and all(part.accepted and part.sha256 == digest for part, (_, digest) in zip(used, listed, strict=True))
        and used[0].position == position
        and all(_is_proven(need, proven) for part in used for need in part.needs)
    )
    reason = "" if accepted else next(_whole_faults(by_name, listed, position, proven), "")
    return Verdict(accepted, sum(part.replies_checked for part in used), reason, elapsed)


def _is_proven(need: str, proven: set[str]) -> bool:
    return need in proven or need.replace(" no passes", " passes") in proven


def _whole_faults(
    by_name: dict[str, Part], listed: Sequence[tuple[str, str]], position: Board, proven: set[str]
) -> Iterator[str]:
    """Yield why parts do not prove a win in the position; the verdict itself is made elsewhere."""
    for name, digest in listed:
        part = by_name.get(name, Part(name, reason="it was not verified"))
        if not part.sha256:
            yield f"part {name} is refused: {part.reason}"
        elif part.accepted and part.sha256 != digest:
            yield f"part {name} is not the file that the list names: its digest is {part.sha256[:16]}..."
    used = [by_name[name] for name, _ in listed if name in by_name]
    for part in used:
        if not part.accepted:
            yield f"part {part.file} is refused: {part.reason}"
    for part in used:
        for need in sorted(part.needs):
            if not _is_proven(need, proven):
                yield f"part {part.file} needs a position that no part proves: {_described(need, part)}"
    trunk = by_name.get(listed[0][0]) if listed else None
    if trunk is not None and trunk.position is not None:
        yield f"the proof is for another position: {described(trunk.position)}"


def _described(need: str, part: Part) -> str:
    """A position by the name that its images share, as one like that of the part which needs it."""
    assert part.position is not None, "a part that was read has a position"
    like, flat = part.position, bytes.fromhex(need.split(maxsplit=1)[0])
    cells = [(Cell(*divmod(place, like.cols)), stone) for place, stone in enumerate(flat) if stone]
    black, white = ([cell for cell, stone in cells if stone == colour] for colour in (1, 2))
    return described(Board(like.rows, like.cols, black=black, white=white, turn=like.turn, rule=like.rule))


def _named(board: Board, least: bytes, passing: bool) -> str:
    """A name that a position shares with its images under the symmetries alone."""
    allowed = "passes" if passing or str(board.rule) == "renju" else "no passes"
    return f"{least.hex()} {board.rows}x{board.cols} {board.rule} {board.turn} {allowed}"


# ---------------------------------------------------------------------- cutting a proof into parts


def write_parts(proof: Proof, folder: str | Path, most_nodes: int) -> list[str]:
    """Cut a proof into parts of about so many nodes, write them to a folder with their list, and name the files."""
    return save_parts(cut(proof, most_nodes), folder)


def save_parts(parts: Iterable[Proof], folder: str | Path) -> list[str]:
    """Write parts, the trunk first, to a folder with their list, and name the files."""
    return save_list([save_part(part, folder, number) for number, part in enumerate(parts)], folder)


def save_part(part: Proof, folder: str | Path, number: int) -> tuple[str, str]:
    """Write one part, the trunk is number 0, and return what the list says of it: its file and its digest."""
    name, data = f"{number:04}{BINARY_SUFFIX}", part.to_bytes()
    write_file(Path(folder) / name, data, folders=True)
    return name, hashlib.sha256(data).hexdigest()


def save_list(listed: Iterable[tuple[str, str]], folder: str | Path) -> list[str]:
    """Write the list of parts that were written, the trunk first, and name the files."""
    parts = [{"file": name, "sha256": digest} for name, digest in listed]
    write_file(Path(folder) / LIST, json.dumps({"version": 2, "parts": parts}, indent=1) + "\n")
    return [part["file"] for part in parts]


def cut(proof: Proof, most_nodes: int) -> Iterator[Proof]:
    """The trunk of a proof, and a part for each position that it leaves to one.

    Cut are the nodes of replies that have at most so many nodes below them and hang on a node that has more. What is
    below a default stays where it is: it is played in many positions.
    """
    sizes = _sizes(proof.tree)
    parts: dict[bytes, Proof] = {}

    def left_to_part(board: Board, attack: Attack) -> Attack:
        if attack.then is None:
            return attack
        if sizes[id(attack)] <= most_nodes:
            least = least_image(board)
            parts.setdefault(least, Proof(board, attack, passing=proof.passing))
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
