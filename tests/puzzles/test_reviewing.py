"""Games reviewed: what is called a missed win or a losing move is one, and what is called better is better."""

from __future__ import annotations

import pytest

from gomoku_patterns import BLACK, WHITE, Board, Colour, GameTree, read_position
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.notation import read_positions
from gomoku_patterns.notation.sgf import sgf_text
from puzzles import Review, Slip, Worth, review, review_html, saving_moves, winning_moves, worth
from puzzles.reviewing import slip_of
from search import Limit, solve

LIMIT = Limit(nodes=3000)
LOST = "h8 i9 g6 g9 f10 h11 i8 j9 g10 h9 f9 k9"
"""Black's ninth ply overlooks three in a row with a gap."""
ONE_WIN = "(;GM[4]SZ[15]AB[he][ie][je][if][hg][ig][jg][hh]AW[gd][kd][hf][kg][jh][gi][hj]PL[W];W[aa])"
MISSED = "h8 h9 i8 i9 g8 g9 a1 a2"
"""Black has three in a row and plays into the corner; white, with three of his own, does the same."""


def reviewed(moves: str) -> Review:
    return review(read_position(moves, format="moves"), LIMIT)


def test_the_move_that_lost_the_game_is_found_with_what_was_better() -> None:
    found = reviewed(LOST)
    assert found.winner is WHITE and found.complete
    decisive = found.decisive
    assert decisive is not None and (decisive.ply, found.name(decisive.move)) == (9, "g10")
    assert decisive.slip is Slip.LOSING and found.names(decisive.refutation) == "h9 f9 k9"
    board = found.before(decisive)
    saving = saving_moves(board, LIMIT)
    assert saving is not None and decisive.better in saving and decisive.move not in saving


def test_a_missed_win_says_what_wins_and_what_refutes_the_move() -> None:
    found = reviewed(MISSED)
    missed = {one.ply: one for one in found.slips if one.slip is Slip.MISSED}
    assert 7 in missed
    one = missed[7]
    board = found.before(one)
    assert one.better in winning_moves(board, LIMIT) and len(one.instead) == one.before.plies
    for cell in one.instead:
        board.push(cell)
    assert board.winner() is BLACK
    after = found.before(one)
    after.push(one.move)
    after.push(one.refutation[0])
    assert after.is_over() or solve(after, LIMIT).proof is None


def test_every_claim_of_a_review_holds() -> None:
    for moves in (LOST, MISSED, "h8 h9 i9 g7 g9 i10 f9 a1 j9 j8"):
        found = reviewed(moves)
        for one in found.moves:
            if one.before.winner is one.colour:
                assert solve(found.before(one), Limit(nodes=100_000)).proof is not None
            if one.slip is Slip.LOSING:
                after = found.before(one)
                after.push(one.move)
                assert solve(after, LIMIT).proof is not None or saving_moves(after, LIMIT) == ()
            assert (one.slip is None) or one.better != one.move


@pytest.mark.parametrize("colour", Colour)
def test_faults_by_what_positions_are_worth(colour: Colour) -> None:
    other, sign = colour.opponent, colour.sign
    won, lost, even = Worth(colour, 5), Worth(other, 4), Worth(score=0)
    assert slip_of(won, won, colour) is None
    assert slip_of(won, even, colour) is slip_of(won, lost, colour) is Slip.MISSED
    assert slip_of(even, lost, colour) is Slip.LOSING
    assert slip_of(lost, lost, colour) is None
    assert slip_of(even, Worth(score=-400 * sign), colour) is Slip.MISTAKE
    assert slip_of(even, Worth(score=-100 * sign), colour) is Slip.DUBIOUS
    assert slip_of(even, Worth(score=-20 * sign), colour) is slip_of(even, Worth(score=400 * sign), colour) is None


def test_worths_of_positions() -> None:
    assert str(worth(Board(), LIMIT)).startswith("score ")
    fours = Board(black=["d8", "e8", "f8", "g8"], white=["a1", "a2", "b4"], turn="white")
    assert worth(fours, LIMIT).winner is BLACK and worth(fours, LIMIT).saving == ()
    fours.turn = "black"
    assert str(worth(fours, LIMIT)) == "black wins in 1"
    fours.push("h8")
    assert str(worth(fours, LIMIT)) == "black has won" and worth(fours).share == 1.0


def test_puzzles_of_a_game_have_one_winning_move() -> None:
    found = review(next(iter(read_positions(ONE_WIN))).game(), LIMIT)
    (level,) = found.puzzles("mine")
    assert set(winning_moves(level.board)) == set(level.wins) == {level.board.cell("i7")}
    assert (level.length, level.title, level.comment) == (3, "mine, move 1", "missed in the game")
    assert list(reviewed(MISSED).puzzles()) == []  # an open three is won by either end
    assert [level.wins for level in reviewed(LOST).puzzles()] == [(level.board.cell("h9"),)]


def test_an_annotated_game_keeps_its_main_line() -> None:
    for moves in (LOST, MISSED):
        found = reviewed(moves)
        text = sgf_text(found.annotated())
        again = next(iter(read_positions(text)))
        assert again.board.moves == read_position(moves, format="moves").moves
        assert again.tree is not None and "?" in "".join(node.comment for node in again.tree.main_line())
        assert any(len(node.children) > 1 for node in again.tree.nodes())


def test_set_up_stones_and_a_side_that_begins_are_kept() -> None:
    tree = next(iter(read_positions("(;GM[4]SZ[15]AB[hh][ih][jh]AW[hg]PL[W];W[aa];B[gh];W[ab];B[fh])"))).game()
    found = review(tree, LIMIT)
    assert found.moves[0].slip is Slip.LOSING
    assert found.winner is BLACK and found.moves[0].colour is WHITE
    assert len(next(iter(read_positions(sgf_text(found.annotated())))).board) == 8


def test_a_page_stands_by_itself() -> None:
    page = "".join(review_html(reviewed(LOST), "<mine>"))
    assert (
        "<title>&lt;mine&gt;</title>" in page
        and "<script" not in page
        and "http" not in page.replace("http-equiv", "").replace("http://www.w3.org/", "")
    )
    assert page.count("<article") == len(reviewed(LOST).slips) and "could not be saved" in page


def test_interrupted_it_keeps_what_was_reviewed() -> None:
    def stop(done: int, total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    found = review(read_position(LOST, format="moves"), LIMIT, progress=stop)
    assert not found.complete and len(found.moves) == 4 and found.plies == 12
    page = "".join(review_html(found, "part"))
    assert "stopped after 4 of 12 moves" in page


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (GameTree(), "there are no moves"),
        (GameTree.from_board(Board(rule="caro")), "no moves"),
        (read_position("h8 h9", format="moves", rule="caro"), "not under caro"),
    ],
)
def test_what_cannot_be_reviewed_is_refused(game: Board | GameTree, said: str) -> None:
    with pytest.raises(SuiteError, match=said):
        review(game, LIMIT)


def test_the_decisive_move_is_the_last_one_when_the_winner_slips_in_between() -> None:
    """White wins after 17 k9, gives the win away by 18 e6, and black misses his own by 19 d5."""
    game = read_position("h8 i9 i8 g8 h9 h7 h10 h11 i10 j11 f7 g10 j8 k8 g9 f8 k9 e6 d5")
    found = review(game, Limit(nodes=5000))
    assert found.winner is Colour.WHITE
    assert found.moves[17].slip is Slip.MISSED and found.moves[18].before.winner is Colour.BLACK
    assert [one.ply for one in found.moves if one.decisive] == [19]
    assert found.says(found.moves[18]).endswith("and nothing could save the game any more")
    assert "any more" not in found.says(found.moves[16])
