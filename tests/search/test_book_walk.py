"""Walking the book: what it says of a game is what its proofs say, for whatever is played against it."""

from __future__ import annotations

from random import Random

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell
from gomoku_patterns.rules import Rule, legal_moves, winner
from search._control import Control
from search.book import Book, great
from search.book_walk import BookWalk, Standing
from search.expand import Expander
from search.proof import Proof
from search.result import Limit
from search.symmetry import Symmetries

WALK = BookWalk(great())


def game(moves: str) -> Board:
    board = Board()
    for move in moves.split():
        board.push(move)
    return board


def standing(moves: str, **asked: object) -> Standing:
    return WALK.standing(game(moves), **asked)  # type: ignore[arg-type]  # whatever a test asks for


def proof_of(board: Board) -> Proof:
    return Expander(great(), memory=32 << 20).proof(board)


def of_one_opening(*open_: str) -> BookWalk:
    """A book of the replies to h8 h9 i9 alone, these not among them."""
    book, before = Book(Board()), game("h8 h9 i9")
    replies = [reply for reply in before.legal_moves() if before.name(reply) not in open_]
    keys = {great().symmetries.canonical(game(f"h8 h9 i9 {before.name(reply)}").flat)[0] for reply in replies}
    book.entries = {key: entry for key, entry in great().entries.items() if key in keys}
    return BookWalk(book)


def test_before_the_book_it_says_where_it_lies() -> None:
    board, walk = Board(), of_one_opening("i8", "j10", "g7", "e12")
    assert walk.standing(board).move == board.cell("h8")
    opened = walk.standing(game("h8"))
    assert (opened.status, opened.move) == ("near", None)
    assert {board.name(reply) for reply in opened.leads} == {"g8", "h7", "h9", "i8"}
    assert walk.standing(game("h8 h9")).move in (board.cell("g9"), board.cell("i9"))
    entered = walk.standing(game("h8 h9 i9"))
    assert entered.status == "partly"
    assert {board.name(reply) for reply in entered.open} == {"i8", "j10", "g7", "e12"}
    assert len(entered.replies) == 222 - 4


@pytest.mark.parametrize("moves", ["a1 b2 o15", "h8 h9 i9 k10 a1"])
def test_elsewhere_it_says_nothing(moves: str) -> None:
    assert standing(moves).status == "outside"
    other = Board(15, rule=Rule.STANDARD)
    assert WALK.standing(other).status == "outside"
    assert WALK.standing(Board(9)).status == "outside"


def test_its_figures_are_those_of_the_proof_that_is_expanded() -> None:
    for reply in ("k10", "e12"):
        board = game(f"h8 h9 i9 {reply}")
        proof = proof_of(board)
        counted = WALK.standing(board, count=True)
        assert (counted.move, counted.plies) == (proof.tree.move, proof.length)
        assert counted.root == board
        board.push(proof.tree.move)
        after = WALK.standing(board, count=True)
        assert after.plies == proof.length - 1
        assert set(after.replies) == set(legal_moves(board))
        assert max(one.plies or 0 for one in after.replies.values()) == after.plies
        listed = proof.tree.then.replies if proof.tree.then else {}
        assert {reply: after.replies[reply].move for reply in listed} == {r: a.move for r, a in listed.items()}


def test_without_counting_it_says_the_move_alone() -> None:
    walk = BookWalk(great())
    said = walk.standing(game("h8 h9 i9 g8"))
    assert said.status == "proven"
    assert said.move is not None
    assert said.plies is None


@pytest.mark.parametrize("seed", range(8))
def test_what_it_plays_wins_as_soon_as_it_says(seed: int) -> None:
    """Each position is asked about by itself, turned by a symmetry of its own game; the figures only fall."""
    random, symmetries = Random(seed), Symmetries(15, 15)
    first = great_reply(random)
    image = random.randrange(8)
    board = Board()
    for cell in [*game("h8 h9 i9").moves, None]:
        index = first if cell is None else cell.cell.row * 15 + cell.cell.col
        board.push(Cell(*divmod(symmetries.to[image][index], 15)))
    most = 225
    while winner(board) is None:
        said = WALK.standing(board, count=True)
        assert said.status == "proven"
        assert said.plies is not None
        assert said.plies <= most
        most = said.plies - 1
        if board.turn is BLACK:
            assert said.move is not None
            board.push(said.move)
        else:
            assert all(one.plies is not None and one.plies <= said.plies for one in said.replies.values())
            reply = hardest(said, random)
            promised = said.replies[reply]
            board.push(reply)
            assert WALK.standing(board).move == promised.move
            assert promised.plies is not None
            most = promised.plies - 1
    assert winner(board) is BLACK


def great_reply(random: Random) -> int:
    board = game("h8 h9 i9")
    while True:
        reply = random.choice(board.empties())
        board.push(reply)
        if great().find(board.flat):
            return reply.row * 15 + reply.col
        board.pop()


def hardest(said: Standing, random: Random) -> Cell:
    """Mostly the reply that holds out longest, sometimes any."""
    if random.random() < 0.3:
        return random.choice(sorted(said.replies))
    return max(sorted(said.replies), key=lambda reply: said.replies[reply].plies or 0)


def test_a_position_without_its_game_is_known_too() -> None:
    played = game("h8 h9 i9 k10")
    played.push(WALK.standing(played).move)  # type: ignore[arg-type]  # the book has it
    alone = Board(black=played.stones("black"), white=played.stones("white"), turn="white")
    assert WALK.standing(alone, count=True) == WALK.standing(played, count=True)
    for reply in ("a1", "o15", "g8"):
        after = played.copy()
        after.push(reply)
        without = Board(black=after.stones("black"), white=after.stones("white"), turn="black")
        assert WALK.standing(without).status == "proven"


def test_counting_can_be_ended_and_says_so() -> None:
    told: list[tuple[int, int]] = []
    walk = BookWalk(great())
    board = game("h8 h9 i9 g8")
    ended = walk.standing(board, count=True, control=Control(Limit(seconds=0.02)), tell=lambda *at: told.append(at))
    assert (ended.status, ended.plies, ended.stopped_by) == ("proven", None, "seconds")
    done = walk.standing(board, count=True, tell=lambda *at: told.append(at))
    assert done.plies == proof_of(board).length
    assert told[0][0] == 0
    assert len({of for _, of in told}) == 1
    assert all(made < of for made, of in told)
    assert walk.standing(board, count=True, tell=lambda *_: pytest.fail("it is counted")) == done
