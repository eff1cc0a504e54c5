"""The players ``book`` and ``engine:book=``: what the book has proven is won against whoever defends."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell
from gomoku_patterns.errors import GomokuError
from search.book import Book
from search.book_guide import BookGuide
from search.players import player
from search.result import Limit
from search.solver import Status, solve
from search.verifier import verify

LIMIT = Limit(seconds=60)


@cache
def great() -> Book:
    return Book.great()


def covered(replies: str = "") -> list[str]:
    """The replies to h8 h9 i9 that the book has, or those of a list that it has."""
    found = []
    for name in replies.split() or Board().cells():
        board = game("h8 h9 i9")
        if board.is_empty(name):
            board.push(name)
            if great().find(board.flat):
                found.append(board.name(board.moves[-1].cell))
    return found


def game(moves: str) -> Board:
    board = Board()
    for move in moves.split():
        board.push(move)
    return board


def play_out(board: Board, attacker: str, defender: str, nodes: int) -> Board:
    sides = {True: player(attacker), False: player(defender)}
    while not board.is_over():
        blacks = board.turn is BLACK
        board.push(sides[blacks].search(board, LIMIT if blacks else Limit(nodes=nodes)).move)
    return board


@pytest.mark.parametrize("attacker", ["book:otherwise=random", "engine:book=great,solver=no,table=grade_dict"])
def test_black_wins_against_random_and_strong_defenders(attacker: str) -> None:
    random, known = Random(attacker), covered()
    assert len(known) >= 216
    for number in range(24):
        reply = random.choice(known)
        defender = random.choice(["engine", "level", "stubborn", f"random:seed={number}"])
        board = play_out(game(f"h8 h9 i9 {reply}"), attacker, defender, nodes=3000)
        assert board.winner() is BLACK, (reply, defender, str(board))


def test_every_move_on_the_way_is_proven() -> None:
    book, board = player("book:otherwise=random"), game("h8 h9 i9 k10")
    random = Random(5)
    while not board.is_over():
        found = book.search(board, LIMIT)
        assert found.stats["proven"]
        board.push(found.move)
        if not board.is_over():
            board.push(random.choice(board.legal_moves()))
    assert board.winner() is BLACK


def test_it_makes_for_the_book() -> None:
    book = player("book:otherwise=random")
    board = Board()
    found = book.search(board, LIMIT)
    assert (board.name(found.move), found.stats["proven"]) == ("h8", False)
    board = game("h8 h9")
    found = book.search(board, LIMIT)
    assert board.name(found.move) in ("i9", "g9")
    assert found.stats["proven"]


def test_it_knows_images_and_positions_without_their_moves() -> None:
    guide = BookGuide(great())
    for number in (1, 3, 6):
        image = great().symmetries.to[number]
        board = Board()
        for move in ("h8", "h9", "i9", "k10"):
            cell = image[board.cell(move).row * 15 + board.cell(move).col]
            board.push(Cell(*divmod(cell, 15)))
        bare = board.copy(moves=False)
        move = guide.winning_move(bare)
        assert move is not None
        bare.push(move)
        bare.push("a1" if bare.is_empty("a1") else "a15")
        again = bare.copy(moves=False)
        guide.new_game()
        assert guide.winning_move(again) is not None


def test_the_solver_gives_the_proof_of_a_position_of_the_book() -> None:
    board = game("h8 h9 i9 a1")
    found = solve(board, LIMIT, mode="book")
    assert found.status is Status.PROVEN and found.proof is not None
    assert found.length == 35
    assert verify(found.proof, board, native=True, thorough=False)
    assert solve(game("h8 h9"), Limit(seconds=0.2), mode="book").status is Status.UNKNOWN
    assert solve(Board(13), mode="book").status is Status.UNKNOWN
    hurried = solve(game("h8 h9 i9 k10"), Limit(seconds=0.001), mode="book")
    assert (hurried.status, hurried.stopped_by) == (Status.UNKNOWN, "seconds")
    with pytest.raises(GomokuError, match="takes no depth"):
        solve(board, Limit(depth=5), mode="book")


def test_elsewhere_somebody_else_plays() -> None:
    board = game("h8 h9 i9")
    assert player("book:otherwise=random").search(board, LIMIT).stats.get("book") is None
    other = Board(13)
    assert player("book:otherwise=level").search(other, LIMIT).move is not None
    renju = Board(rule="renju")
    renju.push("h8")
    assert player("book:otherwise=level").search(renju, LIMIT).move is not None
    with pytest.raises(GomokuError, match="cannot be read"):
        player("book:file=no.book")


def test_a_search_that_is_cut_off_leaves_the_move_to_the_other_player() -> None:
    board = game("h8 h9 i9 k10")
    first = player("book").search(board, LIMIT).move
    board.push(first)
    board.push("a1")
    found = player("book:otherwise=level").search(board, Limit(seconds=0.001))
    assert found.move in board.legal_moves()
