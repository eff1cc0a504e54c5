"""The stubborn defender loses only when it must, and as late as it can."""

from __future__ import annotations

import pytest

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import WHITE
from gomoku_patterns.errors import GomokuError, PlayerError, ProofError
from search import Limit, player
from search.proof import Attack, Defence, Proof
from search.solver import solve
from tests.search.boards import draw

LEVEL_18 = Board(
    black=[(4, 9), (5, 7), (5, 8), (5, 9), (6, 8), (6, 9), (7, 7)],
    white=[(3, 9), (4, 10), (5, 6), (6, 7), (6, 10), (7, 6), (8, 9)],
    turn="black",
)


def proven() -> Proof:
    proof = solve(LEVEL_18, Limit(nodes=100_000)).proof
    assert proof is not None
    return proof


def played_out(attack: Proof, defender: object) -> Board:
    board = attack.position
    while not board.is_over():
        if board.turn is attack.attacker:
            board.push(attack.answer(*(move.cell for move in board.moves[1::2])))
        else:
            board.push(defender.search(board, Limit(nodes=400_000)).move)
    return board


def test_along_a_proof_the_game_lasts_as_long_as_the_proof_says() -> None:
    proof = proven()
    board = played_out(proof, player("stubborn", proof=proof))
    assert board.winner() is proof.attacker
    assert len(board.moves) == proof.length


def test_without_a_proof_the_solver_tells_what_lasts() -> None:
    proof = proven()
    board = played_out(proof, player("stubborn"))
    assert board.winner() is proof.attacker
    assert len(board.moves) <= proof.length


def test_a_proof_from_a_file(tmp_path: object) -> None:
    path = f"{tmp_path}/proof.json"
    proof = proven()
    proof.save(path)
    board = proof.position
    board.push(proof.answer())
    assert player(f"stubborn:proof={path}").search(board).move in proof.lengths()
    with pytest.raises((ProofError, PlayerError)):
        player(f"stubborn:proof={tmp_path}/none.json")


def test_it_prefers_the_reply_that_the_proof_lacks() -> None:
    """Black's idle move threatens e5 and then f5; the proof does not say what comes after white's e5."""
    board = draw(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . X X X . . . . .
        . . . . . . . . .
        . O . O . O . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    careless = Proof(board, Attack(board.cell("i1"), Defence((board.cell("e5"), board.cell("f5")), {})))
    board.push("i1")
    assert board.name(player("stubborn", proof=careless).search(board).move) == "e5"


@pytest.mark.parametrize(
    ("row", "blocks"),
    [(". . . X X X . . .", "c5 g5 b5 h5"), (". O . X X X . . .", "c5 g5 h5"), (". O X X X X . . .", "g5")],
)
def test_it_blocks_what_can_be_blocked(row: str, blocks: str) -> None:
    empty = ". . . . . . . . .\n"
    board = draw(4 * empty + row + "\n" + 4 * empty, turn="white")
    assert board.name(player("stubborn").search(board).move) in blocks.split()


def test_of_equally_long_defences_it_plays_the_one_a_person_would() -> None:
    """Black's four is open: whatever White plays, Black wins in the next move."""
    board = draw(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X X X X . . .
        . . O O . . . . .
        . . . . . . . . .
        . . . . . O . . .
        . . . . . . . . .
        """,
        turn="white",
    )
    lasting = player("stubborn").search(board).stats["ends_in"]
    assert len(lasting) == len(board.legal_moves()) and len(set(lasting.values())) == 1
    assert board.name(player("stubborn").search(board).move) in {"b5", "g5"}


def test_the_limit_of_work_is_for_all_replies_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where defaults answer replies, a verifier says which: one for a question, and not one for each of its replies."""
    from search import follow, verifier

    proof = proven()
    assert proof.tree.then is not None
    then = proof.tree.then
    default = Attack(then.threat[0]) if then.threat else next(iter(then.replies.values()))
    chained = Proof(proof.position, Attack(proof.tree.move, Defence(then.threat, then.replies, (default,))))
    made: list[object] = []
    judge_of = verifier.judge_of
    monkeypatch.setattr(verifier, "judge_of", lambda *args: made.append(args) or judge_of(*args))
    board = chained.position
    board.push(chained.tree.move)
    lasting = follow.lasting_replies(chained, board)
    assert lasting is not None and len(lasting) > 100
    assert 0 < len(made) <= 3


def test_it_takes_its_own_five_first() -> None:
    board = draw(
        """
        . . . . . . .
        X X X X . . .
        . . . . . . .
        O O O O . . .
        . . . . . . .
        """,
        turn="white",
    )
    assert board.name(player("stubborn").search(board, Limit(seconds=0.001)).move) == "e2"


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
def test_it_plays_from_the_first_stone_to_the_last(rule: str) -> None:
    board = Board(6, rule=rule)
    defender = player("stubborn:nodes=50")
    while not board.is_over():
        move = defender.search(board, Limit(nodes=300)).move
        assert move in rules.legal_moves(board)
        board.push(move)
    assert defender.search(board).move is None if board.winner() is None else board.winner()


def test_it_stops_when_told() -> None:
    board = LEVEL_18.copy()
    board.turn = WHITE
    result = player("stubborn").search(board, Limit(nodes=1))
    assert result.move in board.legal_moves() and result.nodes <= 2


def test_what_is_no_proof_is_refused() -> None:
    with pytest.raises(GomokuError, match="proof must be a proof"):
        player("stubborn", proof=7)
