"""A proof in parts holds if every part does, each is the file that was meant, and together they cover everything."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.errors import ProofError
from search import Limit, Proof, solve, verify
from search.parts import LIST, Part, cut, listed_parts, uncovered, verify_part, write_parts
from search.proof import ELSEWHERE, Attack

LEVEL_14 = Board(
    black=[(3, 6), (5, 7), (6, 6), (6, 7), (7, 7), (7, 8)],
    white=[(4, 7), (5, 8), (6, 9), (8, 5), (8, 7), (8, 8)],
    turn="black",
)


@cache
def solved() -> str:
    found = solve(LEVEL_14, Limit(nodes=100_000)).proof
    assert found is not None
    return json.dumps(found.to_json())


def proof() -> Proof:
    return Proof.parse(solved())


def verdict(folder: Path, board: Board = LEVEL_14) -> str:
    listed = listed_parts(folder)
    return uncovered([verify_part(str(folder / name)) for name, _ in listed], listed, board)


def save(folder: Path, name: str, part: Proof) -> None:
    """Put another part in the place of one, with its digest in the list."""
    (folder / name).write_bytes(part.to_bytes())
    value = json.loads((folder / LIST).read_text())
    digest = hashlib.sha256(part.to_bytes()).hexdigest()
    value["parts"] = [entry | {"sha256": digest} if entry["file"] == name else entry for entry in value["parts"]]
    (folder / LIST).write_text(json.dumps(value))


@pytest.mark.parametrize("most_nodes", [5, 40])
def test_parts_cover_what_the_proof_did(tmp_path: Path, most_nodes: int) -> None:
    names = write_parts(proof(), tmp_path, most_nodes)
    assert len(names) > 3
    assert verdict(tmp_path) == ""
    assert verdict(tmp_path, LEVEL_14.swap_colours()) == "the proof is for another position"


def test_a_small_proof_is_one_part(tmp_path: Path) -> None:
    assert write_parts(proof(), tmp_path, 10**6) == ["0000.gmkproof"]
    assert verdict(tmp_path) == ""


def test_no_part_can_be_left_out(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    listed = listed_parts(tmp_path)
    parts = [verify_part(str(tmp_path / name)) for name in names]
    assert uncovered(parts, listed, LEVEL_14) == ""
    for number in range(1, len(listed)):
        left = listed[:number] + listed[number + 1 :]
        assert "needs a position that no part proves" in uncovered(parts, left, LEVEL_14)


def test_every_part_has_to_hold_and_to_be_the_one_that_was_meant(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    part = Proof.load(tmp_path / names[1])
    assert part.tree.then is not None
    part.tree.then.threat, part.tree.then.replies = (), {}
    (tmp_path / names[1]).write_bytes(part.to_bytes())
    assert f"part {names[1]} is refused" in verdict(tmp_path)
    (tmp_path / names[1]).write_bytes(Proof.load(tmp_path / names[2]).to_bytes())
    assert "is not the file that the list names" in verdict(tmp_path)
    (tmp_path / names[1]).unlink()
    assert f"part {names[1]} is refused" in verdict(tmp_path)


def test_a_part_serves_for_the_images_of_its_position(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    part = Proof.load(tmp_path / names[1])
    turned = solve(part.position.transform(3), Limit(nodes=100_000)).proof
    assert turned is not None
    save(tmp_path, names[1], turned)
    assert verdict(tmp_path) == ""
    swapped = solve(part.position.swap_colours(), Limit(nodes=100_000)).proof
    assert swapped is not None
    save(tmp_path, names[1], swapped)
    assert "needs a position that no part proves" in verdict(tmp_path)


def test_nothing_proves_itself(tmp_path: Path) -> None:
    write_parts(proof(), tmp_path, 10**6)
    save(tmp_path, "0000.gmkproof", Proof(LEVEL_14, Attack(ELSEWHERE)))
    assert "needs its own position" in verdict(tmp_path)


def test_where_passing_counts_a_part_without_passes_does_not_serve(tmp_path: Path) -> None:
    names = write_parts(Proof(LEVEL_14, proof().tree, passing=True), tmp_path, 20)
    assert verdict(tmp_path) == ""
    part = Proof.load(tmp_path / names[1])
    assert part.passing
    save(tmp_path, names[1], Proof(part.position, part.tree))
    assert "needs a position that no part proves" in verdict(tmp_path)


def test_alone_a_proof_that_goes_on_elsewhere_is_refused() -> None:
    trunk = next(iter(cut(proof(), 20)))
    for native in (True, False):
        assert "goes on in another part" in verify(trunk, native=native).reason
    assert Proof.from_json(trunk.to_json()).to_bytes() == trunk.to_bytes()
    assert Proof.from_bytes(trunk.to_bytes()).to_json() == trunk.to_json()


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"version": 2, "parts": []}', '{"version": 2, "parts": [{"file": "../x"}]}']
)
def test_what_is_no_list_of_parts_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / LIST).write_text(text)
    with pytest.raises(ProofError, match="no list of the parts"):
        listed_parts(tmp_path)


def test_a_part_says_what_it_proves_and_needs(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    trunk = verify_part(str(tmp_path / names[0]))
    assert isinstance(trunk, Part) and trunk.accepted and len(trunk.needs) == len(names) - 1
