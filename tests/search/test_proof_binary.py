"""Proofs as bytes: the same proof back, the same bytes always, and every damaged file refused by both verifiers."""

from __future__ import annotations

import io
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from gomoku_patterns.rules import Rule
from search import Limit, Proof, solve, verify
from search.proof import Attack, Defence
from search.proof_binary import ProofWriter
from tests.search.boards import draw
from tests.search.proving import FOUR_THREE, with_chains


def proof(rule: str = "freestyle") -> Proof:
    found = solve(draw(FOUR_THREE, rule=rule), Limit(nodes=1000)).proof
    assert found is not None
    return found


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_bytes_and_json_say_the_same(rule: str) -> None:
    for claim in (proof(rule), with_chains(proof(rule))):
        data = claim.to_bytes()
        again = Proof.from_bytes(data)
        assert again.to_json() == claim.to_json()
        assert again.to_bytes() == data == Proof.from_json(claim.to_json()).to_bytes()
        assert again.position == claim.position and again.passing == claim.passing


@pytest.mark.parametrize("name", ["level.gmkproof", "level.json"])
def test_a_file_is_read_in_either_form(tmp_path: Path, name: str) -> None:
    claim = proof()
    claim.save(tmp_path / name)
    assert ((tmp_path / name).read_bytes()[:8] == b"GMKPROOF") == name.endswith(".gmkproof")
    assert Proof.load(tmp_path / name).to_json() == claim.to_json()


def test_the_bytes_that_the_document_shows() -> None:
    """The example of docs/reference/proof-format.md, byte by byte."""
    board = Board(5, black=["b3", "c3", "d3"], white=["b1", "c1", "d1"], turn="black")
    replies = {board.cell("e3"): Attack(board.cell("a3"))}
    data = Proof(board, Attack(board.cell("a3"), Defence((board.cell("e3"),), replies))).to_bytes()
    assert data[:13] == b"GMKPROOF" + bytes([2, 0, 0, 5, 5])
    assert data[13:38] == bytes([0] * 11 + [1, 1, 1] + [0] * 7 + [2, 2, 2] + [0])
    assert data[38:39] == bytes([4 * 10 + 0])
    assert data[39:42] == bytes([4 * 10 + 1, 14, 1])
    assert data[42:] == (39).to_bytes(8, "little") + b"FOORPKMG"


def test_equal_nodes_are_written_once() -> None:
    file = io.BytesIO()
    writer = ProofWriter(file, Board(5))
    one = writer.five(Cell(0, 0))
    assert writer.five(Cell(0, 0)) == one != writer.five(Cell(0, 1))
    four = writer.attack(Cell(1, 1), threat=[Cell(2, 2)], replies={Cell(2, 2): one})
    assert writer.attack(Cell(1, 1), threat=[Cell(2, 2)], replies={Cell(2, 2): one}) == four


def damaged(at: int, byte: int) -> bytes:
    data = bytearray(proof().to_bytes())
    data[at] = byte
    return bytes(data)


@pytest.mark.parametrize(
    ("at", "byte", "message"),
    [
        (0, 0, "no proof in binary form"),
        (8, 1, "version"),
        (9, 8, "rule"),
        (10, 4, "flags"),
        (11, 4, "a board from 5x5 to 22x22"),
        (12, 23, "a board from 5x5 to 22x22"),
        (13, 3, "0, 1 or 2"),
        (-1, 0, "its end is missing"),
        (-16, 255, "outside of the nodes"),
    ],
)
def test_a_damaged_head_or_end_is_refused(at: int, byte: int, message: str) -> None:
    data = damaged(at, byte)
    with pytest.raises(ProofError, match=message):
        Proof.from_bytes(data)
    assert not verify(data) and not verify(data, native=True)


def test_under_renju_the_head_must_allow_the_pass() -> None:
    data = bytearray(proof().to_bytes())
    data[9] = Rule.RENJU.code
    assert "may pass" in verify(bytes(data)).reason and not verify(bytes(data), native=True)


@pytest.mark.parametrize("length", [0, 1, 12, 13, 50, 93, 94, 110, -1, -8, -16])
def test_a_file_that_is_cut_off_is_refused(length: int) -> None:
    data = proof().to_bytes()[:length]
    assert not verify(data) and not verify(data, native=True)


@settings(max_examples=300)
@given(data=st.data())
def test_both_verifiers_say_the_same_of_damaged_bytes(data: Any) -> None:
    """The native verifier never looks at nodes that decide nothing; otherwise the two accept and refuse the same."""
    claim = bytearray(data.draw(st.sampled_from([proof().to_bytes(), with_chains(proof()).to_bytes()])))
    for _ in range(data.draw(st.integers(1, 3))):
        claim[data.draw(st.integers(94, len(claim) - 1))] = data.draw(st.integers(0, 255))
    native = verify(bytes(claim), native=True, most_work=100_000).accepted
    try:
        read = Proof.from_bytes(bytes(claim))
    except ProofError:
        return
    assert verify(read, most_work=100_000).accepted == verify(read, thorough=False).accepted == native


@settings(max_examples=200)
@given(junk=st.binary(max_size=400))
def test_junk_is_refused_without_harm(junk: bytes) -> None:
    head = proof().to_bytes()[:94]
    for data in (junk, head + junk, head + junk + (94).to_bytes(8, "little") + b"FOORPKMG"):
        native = verify(data, native=True, most_work=100_000)
        assert not native and native.reason
        assert not verify(data, most_work=100_000)


def test_a_small_file_does_not_keep_the_native_verifier_either() -> None:
    from tests.search.test_verifier import small_and_endless

    verdict = verify(small_and_endless(), native=True, most_work=1_000_000)
    assert "gave up" in verdict.reason and verdict.elapsed < 2


@pytest.mark.slow
def test_the_native_verifier_stands_alone(tmp_path: Path) -> None:
    """Compiled by itself, without Python, it judges files."""
    source, program = Path(__file__).parents[2] / "search/verifier.c", tmp_path / "verifier"
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    subprocess.run([compiler, "-O1", "-DSTANDALONE", "-o", program, source], check=True)
    proof().save(tmp_path / "good.gmkproof")
    (tmp_path / "bad.gmkproof").write_bytes(damaged(94, 0))
    good = subprocess.run([program, tmp_path / "good.gmkproof"], capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout.split()[0]) == (0, "accepted")
    bad = subprocess.run([program, tmp_path / "bad.gmkproof"], capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout.split()[0]) == (1, "refused")
