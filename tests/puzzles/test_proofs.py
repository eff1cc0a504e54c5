"""The proofs of the twenty levels: accepted as they are, refused as soon as anything is changed."""

from __future__ import annotations

import time
from functools import cache
from random import Random

import pytest

import puzzles
from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search.proof import Attack, Defence, Proof, Step
from search.result import Limit
from search.solver import Status, solve
from search.verifier import verify
from tests.long import some
from tests.search.proving import wins_every_game

LEVELS = range(1, 21)


@cache
def proof_of(number: int) -> Proof:
    solution = solve(position(number), Limit(seconds=5))
    assert solution.status is Status.PROVEN and solution.proof is not None
    assert solution.length == solution.proof.length == len(solution.proof.main_line())
    return solution.proof


def position(number: int) -> Board:
    return puzzles.load("huanle").level(number).board


@pytest.mark.parametrize("number", LEVELS)
def test_the_level_is_proven_and_every_reply_was_put_on_the_board(number: int) -> None:
    began = time.process_time()
    verdict = verify(proof_of(number), position(number))
    assert time.process_time() - began < 10
    assert verdict.accepted, verdict.reason
    assert verdict.replies_checked >= len(position(number).empties()) - 1


@pytest.mark.parametrize("number", LEVELS)
def test_a_defender_who_plays_anything_loses(number: int) -> None:
    """Three random games; the last replies of a line are given as the rules demand, so that they last."""
    for seed in range(3):
        random, game, replies = Random(seed), proof_of(number), []
        while True:
            board = position(number)
            for cell in game.line(*replies):
                board.push(cell)
            if board.winner() is game.attacker:
                break
            must = rules.winning_cells(board, game.attacker)
            replies.append(random.choice([cell for cell in board.legal_moves() if cell in must] or board.legal_moves()))


@pytest.mark.parametrize("number", LEVELS)
def test_a_changed_position_is_another_position(number: int) -> None:
    value = proof_of(number).to_json()
    black, white = value["position"]["black"], value["position"]["white"]
    for changed in (
        [black[1:], white],
        [black, white[1:]],
        [white, black],
        [[*black[1:], white[0]], [*white[1:], black[0]]],
    ):
        other = {**value, "position": {**value["position"], "black": changed[0], "white": changed[1]}}
        assert verify(other, position(number)).reason.startswith("the proof is for another position")


@pytest.mark.parametrize("number", [2, 8, 15, 20])
def test_a_mutant_is_refused_unless_it_wins_all_the_same(number: int) -> None:
    """A reply that the threat beats as well can be dropped: then every game after it is played out to be sure."""
    counts = {True: 0, False: 0}
    for step, then, reply in replies_of(proof_of(number), 6):
        kept = then.replies.pop(reply)
        accepted = bool(verify(proof_of(number)))
        counts[accepted] += 1
        assert not accepted or wins_every_game(proof_of(number), (*step.path[1::2], reply))
        then.replies[reply] = kept
    assert counts[False] > counts[True]


@pytest.mark.parametrize("number", some(LEVELS, 8))
def test_what_cannot_be_right_is_refused(number: int) -> None:
    unchanged = proof_of(number).to_json()
    for step, then, reply in replies_of(proof_of(number), 2):
        kept, line = then.replies[reply], then.threat
        for wrong in (Attack(reply), Attack(step.attack.move), Attack(kept.move) if kept.then else None):
            if wrong:
                then.replies[reply] = wrong
                assert not verify(proof_of(number))
        then.replies[reply] = kept
        for threat in ((), (step.attack.move,)):
            then.threat = threat
            assert not verify(proof_of(number))
        then.threat = line
    assert proof_of(number).to_json() == unchanged


def replies_of(game: Proof, most: int) -> list[tuple[Step, Defence, Cell]]:
    """Some of the explicit replies of a proof, with where they are."""
    defences = [(step, step.attack.then) for step in game.steps() if step.attack.then]
    found = [(step, then, reply) for step, then in defences for reply in then.replies]
    return found[:: max(1, len(found) // most)]
