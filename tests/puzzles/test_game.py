"""Levels played out between players, and what the judge says of the game."""

from __future__ import annotations

import pytest

from gomoku_patterns import BLACK, WHITE, Board, Cell
from gomoku_patterns.errors import PlayerError, SuiteError
from gomoku_patterns.notation import Entry, read_position, write_positions
from puzzles import judge, load, replay
from search import Player
from search.result import Limit, SearchResult
from tests.long import long_test


class Scripted(Player):
    """Plays what it is told."""

    kind = "scripted"

    def __init__(self, *cells: str) -> None:
        super().__init__()
        self.cells = list(cells)
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def search(self, board, limit=None, *, cancel=None, progress=None):
        return SearchResult(board.cell(self.cells.pop(0)) if self.cells else None, score=7, nodes=2)


FOUR = Board(black=["e8", "f8", "g8"], white=["a1", "a2", "b1"], turn="black")


def test_a_game_is_played_to_its_five() -> None:
    game = replay(FOUR, Scripted("h8", "i8"), Scripted("d8"))
    assert (game.winner, [FOUR.name(cell) for cell in game.moves]) == (BLACK, ["h8", "d8", "i8"])
    assert game.board.winner() is BLACK
    assert game.nodes == 4
    assert str(judge(game)) == "solved: black wins in 3 plies"
    assert judge(game).plies == 3


def test_the_other_side_may_win() -> None:
    board = Board(black=["o1", "o2"], white=["a1", "a2", "a3", "a4"], turn="black")
    game = replay(board, Scripted("h8"), Scripted("a5"))
    assert (game.winner, judge(game).solved, judge(game).why) == (WHITE, False, "white wins in 2 plies")


def test_white_may_be_the_attacker() -> None:
    board = FOUR.swap_colours()
    game = replay(board, Scripted("h8", "i8"), Scripted("d8"))
    assert judge(game).solved
    assert game.winner is WHITE


@pytest.mark.parametrize(
    "cells, why",
    [
        (("e8",), "black plays Cell(row=7, col=4), which cannot be played"),
        ((), "black plays None, which cannot be played"),
        (("z9",), "black gives up: expected a cell from 'a1' to 'o15', found 'z9'"),
    ],
)
def test_who_cannot_move_has_lost(cells: tuple[str, ...], why: str) -> None:
    game = replay(FOUR, Scripted(*cells), Scripted("d8"))
    assert (game.winner, game.plies, game.ended) == (WHITE, (), why)


def test_forbidden_points_cannot_be_played_under_renju() -> None:
    board = Board(black=["g8", "i8", "h7", "h9"], white=["a1", "a15", "o1", "o15"], turn="black", rule="renju")
    assert judge(replay(board, Scripted("h8"), Scripted())).why.endswith("which cannot be played")


def test_a_full_board_is_nobodys() -> None:
    """Seven rows of pairs, no five to be had in the last two cells."""
    board = Board.from_array([[1 + (row // 2 + col) % 2 for col in range(5)] for row in range(5)])
    nearly = Board(5, black=[c for c in board.stones(BLACK) if c != (4, 4)],
                   white=[c for c in board.stones(WHITE) if c != (4, 4)], turn="black")  # fmt: skip
    game = replay(nearly, "random", "random")
    assert (game.winner, judge(game).why) == (None, "the board is full after 1 ply")


def test_a_game_may_be_cut_short() -> None:
    game = replay(load().level(16), "random:seed=1", "random:seed=2", most_plies=4)
    assert (len(game.plies), judge(game).why) == (4, "nobody has won after 4 plies")


def test_a_game_that_is_over_is_no_level() -> None:
    with pytest.raises(SuiteError, match="already over"):
        replay(Board(black=["a1", "b1", "c1", "d1", "e1"]), "random", "random")
    with pytest.raises(PlayerError, match="unknown player"):
        replay(FOUR, "nobody", "random")


def test_games_with_seeds_repeat_exactly() -> None:
    moves = {replay(load().level(13), "random:seed=1", "random:seed=2").moves for _ in range(3)}
    assert len(moves) == 1


def test_players_are_told_of_a_new_game() -> None:
    attacker, defender = Scripted("h8", "i8"), Scripted("d8")
    replay(FOUR, attacker, defender)
    assert (attacker.games, defender.games) == (1, 1)


def test_a_game_is_written_as_sgf() -> None:
    game = replay(FOUR, Scripted("h8", "i8"), Scripted("d8"))
    text = "".join(write_positions([Entry(game.board, tree=game.tree())], "sgf"))
    assert read_position(text) == game.board
    assert "RE[B+1]" in text
    assert "C[score 7, 2 nodes" in text


def test_a_minmax_looks_as_deep_as_the_level_says_unless_it_is_told() -> None:
    level = load().level(1)
    game = replay(level, "minmax", "minmax:depth=2", most_plies=1)
    assert (game.attacker, game.defender) == ("minmax:depth=4", "minmax:depth=2")


# ---------------------------------------------------------------- following a proof

DEFENDERS = ["random", "stubborn", "minmax:depth=2", "level", "engine"]


@pytest.mark.parametrize("number", range(1, 21))
def test_who_follows_the_proof_wins_against_everybody(number: int) -> None:
    """Each level against one of the defenders; the long test below goes through them all."""
    follow(number, DEFENDERS[number % len(DEFENDERS)])


@long_test
@pytest.mark.parametrize("number", range(1, 21))
def test_who_follows_the_proof_wins_against_really_everybody(number: int) -> None:
    for defender in [*DEFENDERS, "minmax", "random:seed=5"]:
        follow(number, defender)


def follow(number: int, defender: str) -> None:
    level = load().level(number)
    game = replay(level, "solver", defender, limit=Limit(seconds=0.1) if defender == "engine" else None)
    assert judge(game).solved
    assert game.moves[0] in level.wins


def test_the_stubborn_defender_holds_out_as_long_as_the_proof_allows() -> None:
    level = load().level(13)
    lengths = {defender: len(replay(level, "solver", defender).plies) for defender in ("stubborn", "random")}
    assert lengths["stubborn"] == 11
    assert lengths["random"] < 11


def test_the_solver_plays_on_when_it_has_proven_nothing() -> None:
    board = Board(black=["h8"], white=["h9"])
    game = replay(board, "solver:seconds=0.05", "random", limit=Limit(nodes=200), most_plies=3)
    assert len(game.plies) == 3


def test_a_player_of_ones_own_defends() -> None:
    class Corner(Player):
        kind = "corner"

        def search(self, board, limit=None, *, cancel=None, progress=None):
            return SearchResult(move=board.legal_moves()[0], score=0)

    assert judge(replay(load().level(16), "solver", Corner())).solved


def test_levels_are_played_on_copies() -> None:
    level = load().level(16)
    before = level.board
    replay(level, "solver", "random")
    assert level.board == before
    assert before.is_empty(Cell(0, 0))
