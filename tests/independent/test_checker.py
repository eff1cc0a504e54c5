"""The independent checker (checker.cpp) and the project's verifiers accept and refuse the same proofs.

The checker was written from docs/reference/proof-format.md alone. Where it disagrees with a verifier, one of the
two or the page is wrong.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import puzzles
from gomoku_patterns import Board
from gomoku_patterns.errors import GomokuError
from gomoku_patterns.notation import json_position
from search import Limit, Proof, solve, verify
from search.parts import save_parts, write_parts
from search.proof import ELSEWHERE, Attack
from tests.damage import damaged
from tests.long import some
from tests.program import Done
from tests.search.test_parts import THREE, trunk_and_parts

HERE = Path(__file__).parent
COMPILER = next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)
GAVE_UP = "gave up"

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler (c++, g++ or clang++) is on the path")


def compiled(source: Path, program: Path) -> Path:
    assert COMPILER is not None
    options = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-I", str(HERE), "-o", str(program)]
    subprocess.run([COMPILER, *options, str(source)], check=True)
    return program


def claim(board: Board) -> list[str]:
    """Return the position as the checker's command line has it."""
    stones = json_position(board)
    drawn = "".join(stones["black"]) + "/" + "".join(stones["white"])
    return [stones["rule"], f"{board.rows}x{board.cols}", drawn, str(board.turn)]


@dataclass
class Checker:
    """The compiled checker, and a folder for the files it reads."""

    program: Path
    folder: Path
    most: int = 3_000_000  # stones, or replies and stones, in a file
    compared: int = 0
    accepted: int = 0

    def judge(self, proof: bytes | Path, board: Board, *options: str) -> tuple[int, str]:
        """Return the exit status and what was printed."""
        path = self.folder / "proof.gmkproof" if isinstance(proof, bytes) else proof
        if isinstance(proof, bytes):
            path.write_bytes(proof)
        command = [str(self.program), *options, "--most", str(self.most), str(path), *claim(board)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, done.stdout + done.stderr

    def agrees(self, proof: bytes, board: Board, thorough: bool = True, python: bool = False) -> bool:
        """Assert that the checker and the verifier in C agree by the zone rule; return whether they accept.

        With ``thorough`` both play every reply as well, and with ``python`` the verifier in Python is compared too. A
        verdict is left out where one of them gave up.
        """
        said = {}
        for options in [("--quick",)] + [()] * thorough:
            status, text = self.judge(proof, board, *options)
            assert (status, text.split(":")[0]) in {(0, "accepted"), (1, "refused")}, text
            if GAVE_UP not in text:
                said[f"checker {options}"] = (status == 0, text)
        for every, native in [(False, True)] + [(True, True)] * thorough + [(False, False)] * python:
            verdict = verify(proof, board, most_work=self.most, thorough=every, native=native)
            if GAVE_UP not in verdict.reason:
                said[f"verify thorough={every} {native=}"] = (verdict.accepted, verdict.reason)
        verdicts = {accepted for accepted, _ in said.values()}
        assert len(verdicts) == 1, said
        self.compared += len(said) == 2 + 2 * thorough + python
        self.accepted += verdicts == {True}
        return verdicts.pop()


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(HERE / "checker.cpp", tmp_path_factory.mktemp("checker") / "checker")


@pytest.fixture
def checker(program: Path, tmp_path: Path) -> Checker:
    return Checker(program, tmp_path)


def proof_of(board: Board, mode: str = "full", nodes: int = 50_000) -> Proof | None:
    return solve(board, Limit(nodes=nodes), mode=mode).proof


def level(number: int) -> Board:
    return puzzles.load("huanle").level(number).board


QUIET = Board(15, black=["h8", "i9"], white=["h9", "e12"], turn="black")
"""No attacking move wins; a quiet one does."""


def quiet_proof() -> Proof:
    found = proof_of(QUIET, "any", 1_000_000)
    assert found is not None
    return found


def crowded(rule: str, seed: int) -> Iterator[Board]:
    """Yield positions on small boards with many stones and no five, each side to move in turn."""
    chance = random.Random(f"{rule} {seed}")
    while True:
        rows, cols = chance.choice(((7, 7), (8, 8), (9, 9), (7, 10), (11, 11)))
        cells = [(row, col) for row in range(rows) for col in range(cols)]
        chosen = chance.sample(cells, chance.randint(rows * cols // 5, rows * cols * 3 // 5))
        board = Board(
            rows, cols, black=chosen[::2], white=chosen[1::2], turn=chance.choice(("black", "white")), rule=rule
        )
        if board.winner() is None:
            yield board


# What changes a proof and leaves it well formed: its JSON in, and a random change made to it.


def nodes_of(proof: dict[str, Any]) -> list[dict[str, Any]]:
    found, left = [], [proof["tree"], *proof.get("nodes", [])]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            found.append(node)
            then = node.get("then", {})
            left += [*then.get("replies", {}).values(), *then.get("defaults", [])]
    return found


def drop_reply(node: dict[str, Any], chance: random.Random, _: str) -> None:
    del node["then"]["replies"][chance.choice(sorted(node["then"]["replies"]))]


def exchange_replies(node: dict[str, Any], chance: random.Random, _: str) -> None:
    replies = node["then"]["replies"]
    one, two = chance.sample(sorted(replies), 2)
    replies[one], replies[two] = replies[two], replies[one]


def name_another_reply(node: dict[str, Any], chance: random.Random, cell: str) -> None:
    replies = node["then"]["replies"]
    replies[cell] = replies[chance.choice(sorted(replies))]


def change_threat(node: dict[str, Any], chance: random.Random, cell: str) -> None:
    threat = node["then"]["threat"]
    threat[chance.randrange(len(threat))] = cell


def cut_threat(node: dict[str, Any], _chance: random.Random, _: str) -> None:
    node["then"]["threat"].pop()


def drop_default(node: dict[str, Any], chance: random.Random, _: str) -> None:
    defaults = node["then"]["defaults"]
    defaults.pop(chance.randrange(len(defaults)))


def add_default(node: dict[str, Any], chance: random.Random, _: str) -> None:
    replies = node["then"]["replies"]
    node["then"].setdefault("defaults", []).append(replies[chance.choice(sorted(replies))])


def change_move(node: dict[str, Any], _chance: random.Random, cell: str) -> None:
    node["move"] = cell


def cut_off(node: dict[str, Any], _chance: random.Random, _: str) -> None:
    del node["then"]


def leave_to_others(node: dict[str, Any], _chance: random.Random, _: str) -> None:
    node.clear()
    node["elsewhere"] = True


CHANGES: tuple[Callable[[dict[str, Any], random.Random, str], None], ...] = (
    drop_reply,
    exchange_replies,
    name_another_reply,
    change_threat,
    cut_threat,
    drop_default,
    add_default,
    change_move,
    cut_off,
    leave_to_others,
)


def mutants(proof: Proof, seed: int, number: int) -> Iterator[bytes]:
    """Yield well formed proofs that differ from this one in a node, with and without passing."""
    chance, text = random.Random(seed), json.dumps(proof.to_json())
    cells = [proof.position.name(cell) for cell in proof.position.empties()]
    made = 0
    while made < number:
        changed = json.loads(text) | {
            "version": 2,
            "passing": chance.random() < 0.5 or str(proof.position.rule) == "renju",
        }
        try:
            chance.choice(CHANGES)(chance.choice(nodes_of(changed)), chance, chance.choice(cells))
            content = Proof.parse(json.dumps(changed)).to_bytes()
        except (KeyError, ValueError, IndexError, GomokuError):
            continue  # this node has nothing of the kind, or the change leads back to itself
        made += 1
        yield content


@pytest.mark.parametrize("mode", ["full", "any"])
def test_both_accept_the_proofs_of_the_twenty_levels(checker: Checker, mode: str) -> None:
    numbers = list(range(1, 21))
    for number in numbers:
        proof = proof_of(level(number), mode, 300_000)
        assert proof is not None
        assert checker.agrees(proof.to_bytes(), level(number)), number
    assert checker.compared == len(numbers)


def test_both_accept_proofs_of_endgames(checker: Checker) -> None:
    for entry in some(puzzles.load("endgames"), 20):
        proof = proof_of(entry.board, "any", 20_000)
        assert proof is None or checker.agrees(proof.to_bytes(), entry.board)
    assert checker.accepted >= 10


def test_both_accept_a_quiet_win(checker: Checker) -> None:
    checker.most = 50_000_000
    assert checker.agrees(quiet_proof().to_bytes(), QUIET)
    assert checker.compared == 1


@pytest.mark.parametrize("opening", ["h8 h9 i9 a1", "h8 h9 i9 i8 g10 g11", "h8 i9 i7 k12"])
def test_both_accept_a_position_of_the_great_proof(checker: Checker, gomoku: Callable[..., Done], opening: str) -> None:
    gomoku("prove", *opening.split(), "--book", "great", "--expand", "opening.gmkproof")
    proof = Proof.load(Path("opening.gmkproof"))
    checker.most = 50_000_000
    assert checker.agrees(proof.to_bytes(), proof.position, thorough=False)
    assert checker.compared == 1


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_both_agree_on_proofs_and_mutants_under_every_rule(checker: Checker, rule: str) -> None:
    boards = crowded(rule, 1)
    for number in range(some_number(10)):
        proof = None
        while proof is None:
            board = next(boards)
            proof = proof_of(board, "any", 3000)
        assert checker.agrees(proof.to_bytes(), board, python=True)
        for content in mutants(proof, number, 5):
            checker.agrees(content, board, python=True)
    assert checker.accepted < checker.compared


def some_number(number: int) -> int:
    return len(some(range(30 * number), number))


@pytest.mark.parametrize("name", ["level 14", "level 16", "quiet"])
def test_both_agree_on_mutants_of_large_proofs(checker: Checker, name: str) -> None:
    quiet = name == "quiet"
    proof = quiet_proof() if quiet else required(proof_of(level(int(name[-2:])), "full", 300_000))
    for content in mutants(proof, 7, some_number(25)):
        checker.agrees(content, proof.position, thorough=not quiet)
    assert checker.compared - checker.accepted > 5
    assert checker.compared > 20


def test_both_agree_on_files_with_changed_bytes(checker: Checker) -> None:
    for number, proof in enumerate((proof_of(level(8)), proof_of(level(14), "full", 300_000))):
        assert proof is not None
        content = proof.to_bytes()
        body = 13 + 15 * 15
        chance = random.Random(number)
        for changed in damaged(content, number, some_number(30)):
            checker.agrees(changed, proof.position)
        for _ in range(some_number(60)):
            at = chance.randrange(body, len(content) - 8)
            byte = chance.choice(
                (content[at] ^ 1 << chance.randrange(8), (content[at] + 1) % 256, chance.randrange(256))
            )
            checker.agrees(content[:at] + bytes([byte]) + content[at + 1 :], proof.position)
    assert checker.compared > 150


def test_a_proof_of_another_position_is_refused(checker: Checker) -> None:
    proof = proof_of(level(8))
    assert proof is not None
    for other in (level(9), level(8).swap_colours(), level(8).transform(1)):
        assert checker.judge(proof.to_bytes(), other)[0] == 1


def test_wrong_arguments_and_missing_files_have_a_status_of_their_own(checker: Checker) -> None:
    assert checker.judge(checker.folder / "missing", level(8))[0] == 2
    wrong = ([], ["x"], ["x", "caro", "15x15", "h8/", "white"], ["x", "renju", "15x15", "h99/", "white"], ["--fast"])
    for arguments in wrong:
        done = subprocess.run([str(checker.program), *arguments], capture_output=True, check=False)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    proof = proof_of(level(14), "full", 300_000)
    assert proof is not None
    assert len(write_parts(proof, tmp_path / "parts", 20)) > 3
    return tmp_path / "parts"


def test_a_proof_in_parts_holds_if_every_part_does(checker: Checker, parts: Path) -> None:
    for options in ((), ("--quick",)):
        assert checker.judge(parts, level(14), *options)[0] == 0
        assert checker.judge(parts, level(14).transform(1), *options)[0] == 1


def save_list(parts: Path, entries: list[dict[str, str]], **more: Any) -> None:
    (parts / "parts.json").write_text(json.dumps({"version": 2, "parts": entries} | more))


def test_no_part_can_be_left_out_or_exchanged(checker: Checker, parts: Path) -> None:
    entries = json.loads((parts / "parts.json").read_text())["parts"]
    for number in range(len(entries)):
        save_list(parts, entries[:number] + entries[number + 1 :])
        assert checker.judge(parts, level(14), "--quick")[0] == 1
    save_list(parts, [*entries, entries[1]])
    assert "twice" in checker.judge(parts, level(14))[1]
    save_list(parts, entries, more=1)
    assert "the key more" in checker.judge(parts, level(14))[1]
    save_list(parts, [entries[0] | {"sha256": "0" * 64}, *entries[1:]])
    assert "digest" in checker.judge(parts, level(14))[1]
    save_list(parts, entries)
    assert checker.judge(parts, level(14))[0] == 0


def test_a_part_serves_for_the_images_of_its_position_and_no_others(checker: Checker, parts: Path) -> None:
    entries = json.loads((parts / "parts.json").read_text())["parts"]
    position = Proof.load(parts / entries[1]["file"]).position
    for image, status in ((position.transform(3), 0), (position.swap_colours(), 1)):
        content = required(proof_of(image, "full", 300_000)).to_bytes()
        (parts / "image.gmkproof").write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        save_list(parts, [entries[0], {"file": "image.gmkproof", "sha256": digest}, *entries[2:]])
        assert checker.judge(parts, level(14), "--quick")[0] == status


def test_a_pass_may_be_answered_by_a_default_that_leads_to_a_part(checker: Checker) -> None:
    """No default like this holds with further stones, so that the zone rule has to judge the pass by itself."""
    passed = Board(9, black=[*THREE.stones("black"), "g5"], white=THREE.stones("white"), turn="black")
    parts = [Proof(part.position, part.tree, passing=True) for part in trunk_and_parts((Attack(ELSEWHERE),))]
    for more, status in (([], 1), ([Proof(passed, Attack(THREE.cell("c5")), passing=True)], 0)):
        save_parts([*parts, *more], checker.folder / f"parts{status}")
        for options in ((), ("--quick",)):
            assert checker.judge(checker.folder / f"parts{status}", THREE, *options)[0] == status


def required(proof: Proof | None) -> Proof:
    assert proof is not None
    return proof


FORBIDDEN = """
#include <iostream>
#include "game.h"
int main() {
    Position p{RENJU, 0, 0, BLACK, ""};
    while (std::cin >> p.rows >> p.cols >> p.stones) {
        for (char& stone : p.stones) stone = char(stone - '0');
        Board board(p);
        for (int n = 0; n < int(p.stones.size()); n++)
            if (p.stones[n] == EMPTY && !board.legal(n, BLACK)) std::cout << n << ' ';
        std::cout << std::endl;
    }
}
"""


def test_forbidden_points_are_those_of_the_specification(tmp_path: Path) -> None:
    (tmp_path / "forbidden.cpp").write_text(FORBIDDEN)
    program = compiled(tmp_path / "forbidden.cpp", tmp_path / "forbidden")
    boards = crowded("renju", 2)
    drawn = [next(boards) for _ in range(some_number(1500))]
    lines = [f"{board.rows} {board.cols} " + "".join(map(str, board.flat)) for board in drawn]
    done = subprocess.run([str(program)], input="\n".join(lines), capture_output=True, text=True, check=True)
    expected = [[row * board.cols + col for row, col in board.forbidden()] for board in drawn]
    assert [list(map(int, line.split())) for line in done.stdout.splitlines()] == expected
    assert sum(map(len, expected)) > 300


@pytest.mark.parametrize(
    ("size", "black", "white", "cell", "before"),
    [(15, "f8 g8 h6 h7", "d8 black", "h8", True), (9, "c2 d5 e2 e3 f3 f5", "d3 white", "e5", False)],
)
def test_under_renju_one_further_stone_changes_what_is_forbidden(
    size: int, black: str, white: str, cell: str, before: bool
) -> None:
    """The examples of docs/explanation/zone-proof.md."""
    further, colour = white.split()
    boards = [
        Board(size, black=black.split() + more[0], white=more[1], rule="renju")
        for more in (([], []), ([further], []) if colour == "black" else ([], [further]))
    ]
    assert [cell in map(board.name, board.forbidden()) for board in boards] == [before, not before]
