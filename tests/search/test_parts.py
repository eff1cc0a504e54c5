"""A proof in parts holds if every part does, each is the file that was meant, and together they cover everything."""

from __future__ import annotations

import hashlib
import io
import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import GomokuError, ProofError
from gomoku_patterns.notation import json_position
from search import Limit, Proof, solve, verify
from search.parts import LIST, Part, cut, listed_parts, save_parts, verify_part, whole_verdict, write_parts
from search.proof import ELSEWHERE, Attack, Defence
from search.proof_binary import ProofWriter
from tests.damage import check_message, damaged, outcome
from tests.long import examples
from tests.search.boards import draw

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
    """Return why the parts are refused; empty if they are accepted.

    They are verified in C, with and without the short cut, and in Python where that does not take long.
    """
    listed, found = listed_parts(folder), []
    for native in (True, False):
        for thorough in (True, False):
            if not native and (thorough or len(listed) > 5) and board.rows > 9:
                continue
            parts = [verify_part(str(folder / name), thorough=thorough, native=native) for name, _ in listed]
            found.append(whole_verdict(parts, listed, board))
    assert len({one.accepted for one in found}) == 1, found
    assert all(one.accepted == (one.reason == "") for one in found)
    return found[0].reason


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
    assert verdict(tmp_path, LEVEL_14.swap_colours()).startswith("the proof is for another position: 15x15 freestyle")


def test_a_small_proof_is_one_part(tmp_path: Path) -> None:
    assert write_parts(proof(), tmp_path, 10**6) == ["0000.gmkproof"]
    assert verdict(tmp_path) == ""


def test_no_part_can_be_left_out(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    listed = listed_parts(tmp_path)
    parts = [verify_part(str(tmp_path / name)) for name in names]
    assert whole_verdict(parts, listed, LEVEL_14)
    for number in range(1, len(listed)):
        left = listed[:number] + listed[number + 1 :]
        assert "needs a position that no part proves" in whole_verdict(parts, left, LEVEL_14).reason


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
    assert "no part proves this position" in verdict(tmp_path)


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
    assert "no part proves this position" in verdict(tmp_path)


def test_alone_a_proof_that_goes_on_elsewhere_is_refused() -> None:
    trunk = next(iter(cut(proof(), 20)))
    for native in (True, False):
        assert "goes on in another part" in verify(trunk, native=native).reason
    assert Proof.from_json(trunk.to_json()).to_bytes() == trunk.to_bytes()
    assert Proof.from_bytes(trunk.to_bytes()).to_json() == trunk.to_json()


THREE = draw(
    """
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . X X X . . .
    . . . . . . . . .
    . . . . . . . . .
    O . O . O . O . .
    . . . . . . . . .
    """
)
"""Black to move: g5 makes a straight four, which c5 and h5 cannot both stop."""


def trunk_and_parts(defaults: tuple[Attack, ...]) -> list[Proof]:
    """Return a trunk in which black plays g5 and leaves every reply to the defaults, and a part for each reply."""
    after = THREE.copy()
    after.push("g5")
    parts = []
    for reply in after.empties():
        board = after.copy(moves=False)
        board.push(reply)
        parts.append(Proof(board, Attack(board.cell("c5" if reply != board.cell("c5") else "h5"))))
    return [Proof(THREE, Attack(THREE.cell("g5"), Defence((), {}, defaults))), *parts]


@pytest.mark.parametrize("moves", [(None,), ("c5", None), (None, "c5")])
def test_a_default_may_lead_to_other_parts(tmp_path: Path, moves: tuple[str | None, ...]) -> None:
    """The short cut must not ask for the position after a pass that the game does not have."""
    defaults = tuple(Attack(ELSEWHERE if move is None else THREE.cell(move)) for move in moves)
    save_parts(trunk_and_parts(defaults), tmp_path)
    assert verdict(tmp_path, THREE) == ""
    assert verify_part(str(tmp_path / "0000.gmkproof")).needs


def test_a_default_that_fails_elsewhere_leaves_the_next_one_its_turn(tmp_path: Path) -> None:
    """The part for one reply is missing, but the second default answers that reply without it."""
    defaults = (Attack(ELSEWHERE), Attack(THREE.cell("c5")))
    trunk, *parts = trunk_and_parts(defaults)
    kept = [part for part in parts if part.position[THREE.cell("a1")] is None]
    assert len(kept) == len(parts) - 1
    save_parts([trunk, *kept], tmp_path)
    assert verdict(tmp_path, THREE) == ""
    save_parts([trunk_and_parts((Attack(ELSEWHERE),))[0], *kept], tmp_path)
    assert "after g5 the reply a1 escapes" in verdict(tmp_path, THREE)


def test_a_pass_needs_a_part_where_passing_is_allowed(tmp_path: Path) -> None:
    trunk, *parts = trunk_and_parts((Attack(ELSEWHERE),))
    passing = [Proof(part.position, part.tree, passing=True) for part in (trunk, *parts)]
    save_parts(passing, tmp_path)
    assert "after g5 passing escapes" in verdict(tmp_path, THREE)
    after = THREE.copy()
    after.push("g5")
    passed = Board(9, black=after.stones("black"), white=after.stones("white"), turn="black")
    save_parts([*passing, Proof(passed, Attack(THREE.cell("c5")), passing=True)], tmp_path)
    assert verdict(tmp_path, THREE) == ""


def test_the_trunk_is_about_the_claim_itself(tmp_path: Path) -> None:
    mirrored = THREE.transform(1)
    found = solve(mirrored, Limit(nodes=1000)).proof
    assert found is not None and mirrored != THREE
    save_parts([found], tmp_path)
    assert verdict(tmp_path, mirrored) == ""
    assert "for another position" in verdict(tmp_path, THREE)


def test_a_limit_is_for_all_parts_together(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from gomoku.commands.verify import command

    save_parts(trunk_and_parts((Attack(ELSEWHERE),)), tmp_path / "parts")
    (tmp_path / "three.json").write_text(json.dumps(json_position(THREE)))
    arguments = [str(tmp_path / "three.json"), str(tmp_path / "parts"), "--parts"]
    whole = CliRunner().invoke(command, arguments)
    assert whole.output.startswith("accepted"), whole.output
    work = sum(verify_part(str(tmp_path / "parts" / name)).work for name, _ in listed_parts(tmp_path / "parts"))
    assert work > 150
    for options, said in ((["--most", str(work)], "accepted"), (["--most", str(work // 2)], "gave up")):
        assert said in CliRunner().invoke(command, [*arguments, *options]).output


@pytest.mark.parametrize("options", [["--python"], ["--native"], ["--quick"], []])
def test_the_options_say_how_parts_are_verified(
    tmp_path: Path, options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from gomoku.commands.verify import command
    from search import parts, verifier

    seen: list[tuple[str, bool]] = []
    judges: dict[str, Any] = {"native": verifier.judge_bytes, "python": verifier.judge_tree}

    def watched(kind: str) -> Any:
        def judge(proof: Any, most: int, thorough: bool, proven: Any) -> Any:
            seen.append((kind, thorough))
            return judges[kind](proof, most, thorough, proven)

        return judge

    monkeypatch.setattr(parts, "judge_bytes", watched("native"))
    monkeypatch.setattr(parts, "judge_tree", watched("python"))
    save_parts(trunk_and_parts((Attack(THREE.cell("c5")), Attack(THREE.cell("h5")))), tmp_path / "parts")
    (tmp_path / "three.json").write_text(json.dumps(json_position(THREE)))
    arguments = [str(tmp_path / "three.json"), str(tmp_path / "parts"), "--parts", *options]
    assert CliRunner().invoke(command, arguments).output.startswith("accepted")
    assert set(seen) == {("python" if "--python" in options else "native", "--quick" not in options)}


DIGEST = "0" * 64


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"version": 2, "parts": []}',
        '{"version": 2, "parts": [{"file": "../x"}]}',
        json.dumps({"version": 2, "parts": [{"file": "a", "sha256": DIGEST}], "more": 1}),
        json.dumps({"version": 2.0, "parts": [{"file": "a", "sha256": DIGEST}]}),
        json.dumps({"version": 2, "parts": [{"file": "a", "sha256": DIGEST, "more": 1}]}),
        json.dumps({"version": 2, "parts": [{"file": "a", "sha256": DIGEST}] * 2}),
        json.dumps({"version": 2, "parts": [{"file": "a", "sha256": DIGEST.replace("0", "A")}]}),
        *(
            json.dumps({"version": 2, "parts": [{"file": name, "sha256": DIGEST}]})
            for name in ("..", ".", "", "a/b", "a\\b", "c:a", "a\0b", "\x1b[2J", "a b", 3, None)
        ),
        "[" * 100_000,
    ],
)
def test_what_is_no_list_of_parts_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / LIST).write_text(text)
    with pytest.raises(ProofError, match="no list of the parts") as refused:
        listed_parts(tmp_path)
    check_message(str(refused.value))


def test_damaged_lists_are_refused_or_read(tmp_path: Path) -> None:
    write_parts(proof(), tmp_path, 20)
    whole, read = (tmp_path / LIST).read_bytes(), 0
    for copy in damaged(whole, seed=3, number=examples(300, 5000)):
        (tmp_path / LIST).write_bytes(copy)
        read += not isinstance(outcome(lambda: listed_parts(tmp_path)), GomokuError)
    assert 0 < read < 300


def test_a_part_says_what_it_proves_and_needs(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    trunk = verify_part(str(tmp_path / names[0]))
    assert isinstance(trunk, Part) and trunk.accepted and len(trunk.needs) == len(names) - 1


def test_a_part_that_is_a_pipe_is_no_file(tmp_path: Path) -> None:
    names = write_parts(proof(), tmp_path, 20)
    (tmp_path / names[1]).unlink()
    os.mkfifo(tmp_path / names[1])
    assert "there is no such file" in verdict(tmp_path)


def test_a_few_hundred_bytes_do_not_need_memory_or_time_without_end(tmp_path: Path) -> None:
    """At each of nine levels every reply is left to another part, once it is played and once below a reply to it."""
    board = Board(22)
    writer_file = io.BytesIO()
    writer = ProofWriter(writer_file, board)
    node = writer.elsewhere()
    for level in range(9):
        node = writer.attack(Cell(0, 2 * level), replies=dict.fromkeys(board.cells(), node), defaults=[node])
    writer.end(node)
    (tmp_path / "0000.gmkproof").write_bytes(writer_file.getvalue())
    digest = hashlib.sha256(writer_file.getvalue()).hexdigest()
    value = {"version": 2, "parts": [{"file": "0000.gmkproof", "sha256": digest}]}
    (tmp_path / LIST).write_text(json.dumps(value))
    for thorough in (True, False):
        part = outcome(lambda thorough=thorough: verify_part(str(tmp_path / "0000.gmkproof"), thorough=thorough))  # type: ignore[misc]
        assert isinstance(part, Part) and not part.accepted
