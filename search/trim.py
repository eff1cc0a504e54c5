"""Proofs made smaller: replies that the threat or a default answers as well lose their own attacks.

Nothing here has to be right: what comes out is verified like any other proof, and given up if it is refused.
"""

from __future__ import annotations

from collections import defaultdict

from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from search.proof import ELSEWHERE, Attack, Defence, Proof, children, leaves_first
from search.verifier import MOST_KEPT, MOST_WORK, judge_of, verify


def trim(proof: Proof, most_work: int = MOST_WORK) -> Proof:
    """The proof without what it does not need; :class:`ProofError` if it does not hold in the first place."""
    if not (verdict := verify(proof, native=True)):
        raise ProofError(f"this proof does not hold: {verdict.reason}")
    try:
        smaller = _rebuilt(proof, _needed(proof, most_work))
    except ProofError:  # it takes too long to find out
        return proof
    return smaller if verify(smaller, native=True) else proof


def _needed(proof: Proof, most_work: int) -> dict[int, set[Cell]]:
    """For each defence the replies whose own attacks are needed in some position where it is met."""
    judge, fixed = judge_of(proof, most_work), _below_defaults(proof.tree)
    needed: dict[int, set[Cell]] = defaultdict(set)
    met: set[tuple[bytes, int]] = set()
    board = proof.position
    # How many moves lead to a position, the reply that is then played, and the attack after it.
    todo: list[tuple[int, Cell | None, Attack]] = [(0, None, proof.tree)]
    while todo:
        moves, played, attack = todo.pop()
        while len(board.moves) > moves:
            board.pop()
        if played is not None:
            board.push(played)
        judge.work.count()
        then, key = attack.then, (board.flat, id(attack))
        if then is None or key in met:
            continue
        if len(met) < MOST_KEPT:
            met.add(key)
        board.push(attack.move)
        for reply, below in then.replies.items():
            board.push(reply)
            if id(attack) in fixed or not judge.is_answered(board, then):
                needed[id(then)].add(reply)
            board.pop()
            todo.append((len(board.moves), reply, below))
    return needed


def _below_defaults(tree: Attack) -> set[int]:
    """The attacks that a default leads to: they are met in other positions than those that are looked at here."""
    todo = [default for attack in leaves_first(tree) if attack.then for default in attack.then.defaults]
    fixed: set[int] = set()
    while todo:
        attack = todo.pop()
        if id(attack) not in fixed:
            fixed.add(id(attack))
            todo += children(attack)
    return fixed


def _rebuilt(proof: Proof, needed: dict[int, set[Cell]]) -> Proof:
    fixed = _below_defaults(proof.tree)
    made: dict[int, Attack] = {}
    for attack in leaves_first(proof.tree):
        then = attack.then
        if then is None or attack.move == ELSEWHERE or id(attack) in fixed:
            made[id(attack)] = attack
            continue
        replies = {reply: made[id(below)] for reply, below in then.replies.items() if reply in needed[id(then)]}
        made[id(attack)] = Attack(attack.move, Defence(then.threat, replies, then.defaults))
    return Proof(proof.position, made[id(proof.tree)], passing=proof.passing)
