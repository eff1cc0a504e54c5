"""Proofs for small boards, made by trying every move, and attackers that follow a proof to the end."""

from __future__ import annotations

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.errors import ProofError
from search.proof import Attack, Defence, Proof
from search.result import Limit
from search.solver import solve
from search.verifier import judge_of
from tests.search.exhaustive import Memo, can_force_five

FOUR_THREE = """
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    . . . . X . . . .
    . O X X . X . O .
    . . . . O O . . .
    . . . . . . . O .
    . . . . . . . . .
    . . . . . . . . .
    """
"""A four and a three at once."""


def prove(board: Board) -> Proof | None:
    """A proof for the side to move if it can force five."""
    memo: Memo = {}
    board = board.copy()
    return Proof(board, _attack(board, memo)) if can_force_five(board, memo) else None


def _attack(board: Board, memo: Memo) -> Attack:
    fives = rules.winning_cells(board, board.turn)
    if fives:
        return Attack(fives[0])
    for move in rules.legal_moves(board):
        board.push(move)
        defence = _defence(board, memo)
        board.pop()
        if defence is not None:
            return Attack(move, defence)
    raise AssertionError("the exhaustive search sees a win, and no move wins")


def _defence(board: Board, memo: Memo) -> Defence | None:
    """What wins against every reply, or None. A five to come is left to the threat."""
    if board.is_full() or rules.winning_cells(board, board.turn):
        return None
    fives = rules.winning_cells(board, board.turn.opponent)
    replies = {}
    for reply in [reply for reply in rules.legal_moves(board) if not fives or reply == fives[0]]:
        board.push(reply)
        won = can_force_five(board, memo)
        if won:
            replies[reply] = _attack(board, memo)
        board.pop()
        if not won:
            return None
    return Defence(tuple(fives[:1]), replies)


def wins_every_game(proof: Proof, replies: tuple[tuple[int, int], ...] = ()) -> bool:
    """Whether an attacker that plays what the proof says wins whatever the defender does: all games are played.

    It knows nothing of forced answers: in the middle of a threat, too, the defender tries every legal move.
    """
    board = proof.position.copy()
    try:
        line = proof.line(*replies)
    except ProofError:
        return False
    for cell in line[:-1]:
        board.push(cell)
    if rules.makes_five(board, line[-1], proof.attacker):
        return True
    board.push(line[-1])
    legal = rules.legal_moves(board)
    return bool(legal) and all(wins_every_game(proof, (*replies, reply)) for reply in legal)


def with_chains(proof: Proof) -> Proof:
    """The proof with each threat written as a default: a chain of attacks with one answer each."""
    made: dict[tuple[bytes, int], Attack] = {}

    def attack(board: Board, node: Attack) -> Attack:
        key = (board.flat, id(node))
        if key not in made:
            then = None
            if node.then:
                board.push(node.move)
                then = defence(board, node.then)
                board.pop()
            made[key] = Attack(node.move, then)
        return made[key]

    def defence(board: Board, then: Defence) -> Defence:
        replies = {}
        for reply, below in then.replies.items():
            board.push(reply)
            replies[reply] = attack(board, below)
            board.pop()
        board.turn = board.turn.opponent
        chain = _chain(board.copy(), list(then.threat))
        board.turn = board.turn.opponent
        return Defence((), replies, (chain,) if chain else ())

    return Proof(proof.position, attack(proof.position, proof.tree), passing=proof.passing)


def _chain(board: Board, line: list[Cell]) -> Attack | None:
    if not line:
        return None
    move, attacker = line[0], board.turn
    if rules.makes_five(board, move, attacker):
        return Attack(move)
    board.push(move)
    fives = rules.winning_cells(board, attacker)
    if not fives:
        return None
    answers = [five for five in fives if five in rules.legal_moves(board)]
    below: dict[Cell, Attack] = {}
    if len(fives) > 1 and answers:
        below = {fives[0]: Attack(fives[1])} if fives[0] in answers else {}
    elif answers:
        board.push(answers[0])
        rest = _chain(board, line[1:])
        below = {answers[0]: rest} if rest else {}
    return Attack(move, Defence((fives[0],), below))


def quiet_proof(board: Board, move: Cell, limit: Limit) -> Proof | None:
    """A proof that begins with any move: a default that wins after a pass, and what it takes against the rest."""
    after = board.copy(moves=False)
    after.push(move)
    default = _after_pass(after, limit)
    if default is None or rules.winning_cells(after, after.turn):
        return None
    replies = {}
    for reply in rules.legal_moves(after):
        after.push(reply)
        if judge_of(Proof(board, default)).default_for(after, Defence((), {}, (default,))) is None:
            solution = solve(after, limit)
            if solution.proof is None:
                return None
            replies[reply] = solution.proof.tree
        after.pop()
    return Proof(board, Attack(move, Defence((), replies, (default,))), passing=True)


def _after_pass(after: Board, limit: Limit) -> Attack | None:
    passed = after.copy()
    passed.turn = after.turn.opponent
    proof = solve(passed, limit).proof
    return proof.tree if proof else None
