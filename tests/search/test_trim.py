"""What trimming leaves out was not needed: the smaller proof holds, and never more is written than was there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from gomoku.commands.trim import command
from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ProofError
from search import Limit, Proof, solve, verify
from search.proof import Attack, Defence
from search.trim import trim
from tests.search.boards import draw
from tests.search.proving import FOUR_THREE, with_chains


def padded(rule: str) -> tuple[Proof, Proof]:
    """A proof, and the same with an attack of its own for every reply to the first move."""
    board = draw(FOUR_THREE, rule=rule)
    proof = solve(board, Limit(nodes=1000)).proof
    assert proof is not None and proof.tree.then is not None
    after = board.copy()
    after.push(proof.tree.move)
    replies = dict(proof.tree.then.replies)
    for reply in rules.legal_moves(after):
        if reply not in replies:
            after.push(reply)
            won = solve(after, Limit(nodes=1000)).proof
            after.pop()
            assert won is not None
            replies[reply] = won.tree
    return proof, Proof(board, Attack(proof.tree.move, Defence(proof.tree.then.threat, replies)))


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju"])
def test_answers_that_the_threat_gives_as_well_are_left_out(rule: str) -> None:
    proof, larger = padded(rule)
    assert verify(larger) and len(larger.to_bytes()) > len(proof.to_bytes()) + 100
    smaller = trim(larger)
    assert verify(smaller)
    assert len(smaller.to_bytes()) <= len(proof.to_bytes())


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_a_proof_with_defaults_holds_afterwards(rule: str) -> None:
    smaller = trim(with_chains(padded(rule)[1]))
    assert verify(smaller, thorough=False) and verify(smaller, native=True)


def test_what_takes_too_long_stays_as_it_is() -> None:
    larger = padded("freestyle")[1]
    assert trim(larger, most_work=10) is larger
    chains = with_chains(larger)
    assert trim(chains, most_work=10) is chains


def test_what_does_not_hold_is_refused(tmp_path: Path) -> None:
    idle = Proof(Board(9), Attack(Board(9).cell("e5"), Defence((), {})))
    with pytest.raises(ProofError, match="does not hold"):
        trim(idle)
    idle.save(tmp_path / "idle.json")
    result = CliRunner().invoke(
        command, [str(tmp_path / "idle.json"), str(tmp_path / "out.json")], standalone_mode=False
    )
    assert result.return_value == 1 and not (tmp_path / "out.json").exists()


def test_the_command_writes_either_form(tmp_path: Path) -> None:
    padded("freestyle")[1].save(tmp_path / "large.json")
    for name in ("small.gmkproof", "small.json"):
        args = [str(tmp_path / "large.json"), str(tmp_path / name), "--json"]
        result = CliRunner().invoke(command, args, standalone_mode=False)
        answer = json.loads(result.output)
        assert result.return_value == 0 and answer["bytes"] < answer["bytes_before"]
        assert verify(Proof.load(tmp_path / name))
