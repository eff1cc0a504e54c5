"""What wins when the defender passes wins against every stone of his outside its zone; inside it is tried out."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board
from gomoku_patterns.errors import ProofError
from search import verifier
from search.proof import Attack, Defence, Proof
from search.result import Limit
from search.solver import solve
from search.verifier import MOST_WORK, Verdict, _run, _Task, _Verifier, _Work
from search.zone import Zones
from tests.long import LONG
from tests.search.boards import draw
from tests.search.proving import quiet_proof, with_chains
from tests.search.soundness import midgame

RULES = ("freestyle", "standard")


def verify(proof: Proof, **asked: Any) -> Verdict:
    """The verdict; the native verifier accepts the same."""
    verdict = verifier.verify(proof, **asked)
    assert verifier.verify(proof, native=True, thorough=asked.get("thorough", True)).accepted == verdict.accepted
    return verdict


def zone_against(proof: Proof, extra: int) -> tuple[_Verifier, int]:
    verifier = _Verifier(proof, _Work(MOST_WORK), thorough=False)
    return verifier, _run(verifier.attack(proof.position, _Task(proof.tree, extra, inside=True)))


def still_wins(proof: Proof, board: Board) -> bool:
    """Whether the proof wins on another board, every default replayed against every reply."""
    thorough = _Verifier(proof, _Work(MOST_WORK), thorough=True)
    try:
        _run(thorough.attack(board, _Task(proof.tree, inside=True)))
    except ProofError:
        return False
    return True


@cache
def proofs(rule: str) -> list[Proof]:
    found = []
    for seed in range(60):
        board = midgame(Random(seed), rule)
        proof = solve(board, Limit(nodes=400), mode="vct").proof
        if proof and proof.attacks < 12:
            found += [proof, with_chains(proof)]
    assert len(found) >= 16
    return found


@pytest.mark.parametrize("rule", RULES)
@settings(max_examples=20)
@given(data=st.data())
def test_stones_outside_the_zone_change_nothing(rule: str, data: Any) -> None:
    proof = data.draw(st.sampled_from([proof for proof in proofs(rule) if LONG or proof.attacks < 12]))
    extra = data.draw(st.integers(1, 3))
    verifier, zone = zone_against(proof, extra)
    board = proof.position
    outside = [cell for cell in board.empties() if not verifier.zones.holds(zone, cell)]
    for cell in data.draw(st.permutations(outside))[:extra]:
        board.push(cell, proof.attacker.opponent)
    board.turn = proof.attacker
    assert still_wins(proof, board)


@pytest.mark.parametrize("rule", [*RULES, "renju"])
def test_a_threat_written_as_a_default_is_judged_alike(rule: str) -> None:
    """Each threat as a tree of attacks: accepted, and refused where the threat is, on boards with more stones too."""
    said = []
    for proof in proofs(rule)[:12:2]:
        chains = with_chains(proof)
        near = [cell for step in proof.steps() for cell in (step.attack.then.threat if step.attack.then else ())]
        for cell in [None, *near[:2]]:
            board = proof.position
            if cell:
                board.push(cell, proof.attacker.opponent)
                board.turn = proof.attacker
            wins = verify(Proof(board, proof.tree), thorough=False).accepted
            assert verify(Proof(board, chains.tree), thorough=False).accepted == wins
            said.append(wins)
    assert said.count(True) >= 6 and said.count(False) >= 3


@pytest.mark.parametrize("rule", RULES)
def test_defaults_replayed_against_every_reply_are_judged_alike(rule: str) -> None:
    for proof in sorted(proofs(rule), key=lambda proof: (proof.length, proof.attacks))[:6]:
        assert verify(with_chains(proof))


@cache
def quiet(rule: str) -> list[Proof]:
    """Proofs that begin with a quiet move, and answer it with a default of threes and fours."""
    found = []
    for seed in range(30) if LONG else (1, 8, 9, 13, 14, 16):  # on these boards one of the two moves wins, seen soon
        board = midgame(Random(seed), rule)
        for move in Random(seed).sample(board.empties(), 2):
            if not board.winner() and (proof := quiet_proof(board, move, Limit(nodes=300))):
                found.append(proof)
    return found


@pytest.mark.parametrize("rule", [*RULES, "renju"])
def test_quiet_proofs_are_accepted_and_nothing_can_be_left_out(rule: str) -> None:
    found = quiet(rule)
    assert len(found) >= 3
    for proof in found:
        assert verify(proof, thorough=False), verify(proof, thorough=False).reason
        assert proof.tree.then is not None
        for reply in list(proof.tree.then.replies):
            kept = proof.tree.then.replies.pop(reply)
            verdict = verify(proof, thorough=False)
            assert not verdict and f"the reply {proof.position.name(reply)} escapes" in verdict.reason
            proof.tree.then.replies[reply] = kept


def test_a_quiet_proof_is_accepted_thoroughly_too() -> None:
    proof = min((proof for rule in RULES for proof in quiet(rule)), key=lambda proof: proof.attacks)
    assert verify(proof, most_work=50_000_000)


@pytest.mark.parametrize("rule", RULES)
def test_the_attacker_follows_the_default_that_wins(rule: str) -> None:
    for proof in quiet(rule)[:3]:
        line = proof.main_line()
        assert len(line) <= proof.length
        board = proof.position
        for cell in line:
            board.push(cell)
        assert board.winner() is proof.attacker


def test_a_row_that_needs_the_extra_stones_is_in_the_zone() -> None:
    """White has two stones on row 5: with two more and a move they are five, so with two extra stones it counts."""
    board = draw("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X O . O . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
    """)
    zones = Zones(9, 9)
    white = board.turn.opponent
    assert zones.near_fives(board, white, 1) == 0
    cells = zones.near_fives(board, white, 2)
    assert [board.name(cell) for cell in board.empties() if zones.holds(cells, cell)] == ["e5", "g5", "h5"]


def test_of_several_defaults_the_first_that_wins_counts() -> None:
    """Black has two live threes: what spoils one of them leaves the other, so no reply needs an attack of its own."""
    board = draw("""
        . . . . . . . . .
        . X X X . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X X X . .
        O . . . . O . . .
    """)
    cell = board.cell

    def straight(move: str, one: str, two: str) -> Attack:
        return Attack(cell(move), Defence((cell(one),), {cell(one): Attack(cell(two))}))

    top, bottom = straight("e8", "a8", "f8"), straight("h2", "d2", "i2")
    idle = Proof(board, Attack(cell("a5"), Defence((), {}, (top, bottom))))
    for thorough in (True, False):
        assert verify(idle, thorough=thorough)
        verdict = verify(Proof(board, Attack(cell("a5"), Defence((), {}, (top,)))), thorough=thorough)
        assert verdict.reason.startswith("after a5 the reply a8 escapes: after a5 a8 e8 the reply a9 escapes")
