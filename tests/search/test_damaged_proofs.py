"""Damaged proofs and holds: every judge says the same, in the project's own words, in bounded time and memory."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from search import Limit, Proof, solve, verifier, verify
from search.parts import Part, whole_verdict
from search.proof import Attack, Defence
from search.verifier import Verdict
from tests.damage import check_message, damaged, outcome
from tests.long import examples
from tests.search.boards import draw
from tests.search.proving import FOUR_THREE, with_chains

RULES = ("freestyle", "standard", "renju")
HEAD = 13 + 81


@cache
def bases() -> list[bytes]:
    """Return proofs in binary form: three rules, with and without defaults."""
    found = []
    for rule in RULES:
        proof = solve(draw(FOUR_THREE, rule=rule), Limit(nodes=1000)).proof
        assert proof is not None
        found += [proof.to_bytes(), with_chains(proof).to_bytes()]
    return found


def judged(data: bytes) -> Verdict:
    """Return the verdict on a proof in binary form, on which C and Python, with and without the short cut, agree."""
    verdicts = [
        verify(data, native=native, thorough=thorough, most_work=60_000)
        for native in (True, False)
        for thorough in (True, False)
    ]
    for verdict in verdicts:
        assert verdict.accepted == (verdict.reason == "")
        if verdict.reason:
            check_message(verdict.reason)
    if not any(verdict.reason.startswith("gave up") for verdict in verdicts):
        assert len({verdict.accepted for verdict in verdicts}) == 1, [verdict.reason for verdict in verdicts]
    return verdicts[0]


def test_all_judges_agree_on_damaged_bytes() -> None:
    verdicts = []
    for number, base in enumerate(bases()):
        assert verify(base, native=True)
        for copy in damaged(base[HEAD:], seed=number, number=examples(25, 150)):
            verdicts.append(outcome(lambda data=base[:HEAD] + copy: judged(data), measured=False))  # type: ignore[misc]
        for copy in damaged(base, seed=number, number=examples(10, 60)):
            verdicts.append(outcome(lambda data=copy: judged(data), measured=False))  # type: ignore[misc]
    accepted = sum(isinstance(verdict, Verdict) and verdict.accepted for verdict in verdicts)
    assert len(verdicts) >= 6 * examples(25, 150) and 0 < accepted < len(verdicts)


def test_all_judges_agree_on_changed_numbers() -> None:
    """Only the body changes, one byte at a time by little: most of these stay well formed."""
    accepted = refused = 0
    for number, base in enumerate(bases()):
        chance = Random(number)
        for _ in range(examples(12, 120)):
            changed = bytearray(base)
            for _ in range(chance.choice((1, 1, 2, 3))):
                at = chance.randrange(HEAD, len(base) - 16)
                changed[at] = max(0, min(127, changed[at] + chance.choice((-4, -1, 1, 4))))
            verdict = judged(bytes(changed))
            accepted, refused = accepted + verdict.accepted, refused + (not verdict.accepted)
    assert accepted > 0 and refused > 20


def wins_with_spare_defaults(broken: bytes, *, first: bool) -> bytes:
    """Return the proof that a straight four wins, with a default that is not well formed, which no reply needs."""
    board = draw(FOUR_THREE)
    base = solve(board, Limit(nodes=1000)).proof
    assert base is not None and base.tree.then is not None
    spare = Attack(base.tree.move)
    then = base.tree.then
    others = (spare, *then.defaults) if first else (*then.defaults, spare)
    data = bytearray(Proof(board, Attack(base.tree.move, Defence(then.threat, then.replies, others))).to_bytes())
    place = board.index(base.tree.move) * 4
    head = bytes([place & 127 | 128, place >> 7]) if place > 127 else bytes([place])
    at = data.index(head, HEAD)
    data[at : at + len(head)] = broken[: len(head)]
    return bytes(data)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("broken", [b"\xfc\x7f", b"\x07\x00", b"\xff\xff"])
def test_a_node_that_is_not_well_formed_refuses_the_file_even_if_nothing_needs_it(broken: bytes, first: bool) -> None:
    data = wins_with_spare_defaults(broken, first=first)
    verdict = judged(data)
    assert not verdict.accepted


def overlapping(nodes: int) -> bytes:
    """Return a proof in which each node has 96 bytes of the nodes that follow it for the cells of its threat."""
    head = Proof(Board(22), Attack(Cell(0, 0))).to_bytes()[: 13 + 484]
    # Cell 1, 96 threat cells, and behind them: no reply, one default, six bytes back.
    body = bytes([4, 0, 0, 0, 0, 0]) + bytes([6, 96, 0, 1, 6, 0]) * (nodes + 20)
    return head + body + (len(head) + 6 * nodes).to_bytes(8, "little") + b"FOORPKMG"


def test_nodes_that_overlap_are_refused_before_they_take_memory() -> None:
    """A file of some kilobytes would take a thousand times as much memory."""
    found = outcome(lambda: Proof.from_bytes(overlapping(4000)))
    assert isinstance(found, ProofError) and "overlaps" in str(found)
    assert "not well formed" in verify(overlapping(4000), native=True).reason
    assert not judged(overlapping(4000)).accepted


# ---------------------------------------------------------------------- JSON


def texts() -> list[str]:
    return [json.dumps(Proof.from_bytes(base).to_json()) for base in bases()]


def test_damaged_texts_are_refused_or_judged_alike() -> None:
    read = refused = 0
    for number, text in enumerate(texts()):
        for copy in damaged(text.encode(), seed=number, number=examples(60, 1000)):
            changed = copy.decode(errors="replace")
            found = outcome(lambda changed=changed: Proof.parse(changed), measured=False)  # type: ignore[misc]
            if isinstance(found, Proof):
                read += 1
                judged(found.to_bytes())
            else:
                refused += 1
    assert read > 0 and refused > 100


CLAIM: dict[str, Any] = {
    "version": 2,
    "passing": False,
    "position": {"rows": 9, "cols": 9, "black": ["d5", "e5", "f5", "g5"], "white": ["a1", "a2", "c5"]},
    "attacker": "black",
    "tree": {"move": "h5"},
}


def claim(**changes: Any) -> dict[str, Any]:
    position = {**CLAIM["position"], "to_move": "black"}
    return {**CLAIM, "position": position, **changes}


def test_the_claim_itself_holds() -> None:
    assert verify(claim())


LOOP = {"move": "a9", "then": {"threat": [], "replies": {"b9": 0}}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nodes": [LOOP]}, "leads back to itself"),
        ({"tree": {"elsewhere": 1}}, "expected"),
        ({"tree": {"move": "h5", "\x1b[2J": 1}}, "x1b"),
        ({"tree": {"move": "h5", "then": {"threat": [], "replies": {"\x1b[2J": 0}}}}, "x1b"),
        ({"tree": {"move": "h5", "then": {"threat": [], "replies": {"a" * 10**5: 0}}}}, "expected"),
        ({"tree": {"move": "\x07"}}, "x07"),
        ({"version": 2.0}, "version"),
        ({"\u202e": 1}, "expected the keys"),
        ({"nodes": [{"move": "h5"}] * 3, "tree": 3}, "the number of one of the 3 shared nodes"),
    ],
)
def test_what_json_may_not_say(changes: dict[str, Any], message: str) -> None:
    verdict = outcome(lambda: verify(claim(**changes)))
    assert isinstance(verdict, Verdict) and not verdict.accepted
    assert message in verdict.reason
    check_message(verdict.reason)


def test_a_text_of_a_few_kilobytes_takes_no_hundred_megabytes() -> None:
    nodes: list[Any] = [{"move": "a1"}]
    for level in range(60):
        replies = {f"{column}{row}": level for column in "bcdefgh" for row in (1, 2, 3)}
        nodes.append({"move": "a9", "then": {"threat": ["a8"] * 80, "replies": replies, "defaults": [level] * 80}})
    value = claim(nodes=nodes, tree=len(nodes) - 1)
    for thorough in (True, False):
        verdict = outcome(lambda thorough=thorough: verify(value, thorough=thorough, most_work=50_000))  # type: ignore[misc]
        assert isinstance(verdict, Verdict) and not verdict.accepted


@pytest.mark.parametrize("name", ["a\0b", "", "/"])
def test_names_that_no_proof_has(name: str) -> None:
    found = outcome(lambda: Proof.load(name))
    assert isinstance(found, ProofError)


@pytest.mark.parametrize("native", [True, False])
def test_a_verdict_is_the_verifiers_own_and_not_the_lack_of_a_reason(
    native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verify(claim(), native=native)
    refused = verifier.Judgement(False, 0, 0, "", [])
    monkeypatch.setattr(verifier, "judge_bytes", lambda *_: refused)
    monkeypatch.setattr(verifier._Verifier, "holds", lambda _: False)
    verdict = verify(claim(), native=native)
    assert not verdict.accepted and "no reason" in str(verdict)


def test_parts_without_a_fault_are_not_accepted_for_that() -> None:
    board = Board(9)
    part = Part("a", accepted=False, sha256="0", position=board)
    for parts, listed in (([], []), ([part], [("a", "0")]), ([], [("a", "0")])):
        assert not whole_verdict(parts, listed, board)
