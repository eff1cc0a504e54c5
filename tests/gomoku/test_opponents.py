"""People to play against: each is stronger than the one before, and the weakest loses to a child."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gomoku.opponents import OPPONENTS, Opponent, opponent
from gomoku_patterns import Board, Cell, Colour, GomokuError
from gomoku_patterns.rules import winning_cells
from search import Limit, Player
from search.door import playable
from search.result import SearchResult


class Child(Player):
    """Puts a stone beside its own longest row and sees nothing else but a five of its own."""

    def search(self, board: Board, limit: Limit | None = None, **_: object) -> SearchResult:
        fives = winning_cells(board, board.turn)
        return SearchResult(fives[0] if fives else max(playable(board), key=lambda cell: self.longest(board, cell)), 0)

    def longest(self, board: Board, cell: Cell) -> float:
        colour = board.turn
        rows = [
            sum(self.reach(board, cell, (sign * down, sign * right), colour) for sign in (-1, 1))
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        ]
        return max(rows) - 0.01 * (abs(cell.row - 7) + abs(cell.col - 7))

    def reach(self, board: Board, cell: Cell, step: tuple[int, int], colour: Colour) -> int:
        length, there = 0, Cell(cell.row + step[0], cell.col + step[1])
        while 0 <= there.row < board.rows and 0 <= there.col < board.cols and board[there] is colour:
            length, there = length + 1, Cell(there.row + step[0], there.col + step[1])
        return length


def played(black: Player, white: Player, seed: int) -> str | None:
    """The winner of a game that begins with two stones near the middle."""
    board, chance = Board(15), random.Random(seed)
    for cell in chance.sample([Cell(row, col) for row in range(5, 10) for col in range(5, 10)], 2):
        board.push(cell)
    while board.winner() is None and len(board) < 150:
        move = (black if str(board.turn) == "black" else white).search(board).move
        assert move is not None
        board.push(move)
    return None if board.winner() is None else str(board.winner())


def share(one: Opponent | Player, other: Opponent, games: int) -> float:
    """What one scores against the other, with colours by turns."""
    points = 0.0
    for seed in range(games):
        first = one.player(seed) if isinstance(one, Opponent) else one
        second = other.player(seed)
        winner = played(first, second, seed) if seed % 2 else played(second, first, seed)
        points += 0.5 if winner is None else winner == ("black" if seed % 2 else "white")
    return points / games


@pytest.mark.slow
@pytest.mark.parametrize("level", range(5))
def test_everybody_is_stronger_than_the_one_before(level: int) -> None:
    assert share(OPPONENTS[level + 1], OPPONENTS[level], 24) > 0.58


@pytest.mark.parametrize("one", OPPONENTS, ids=lambda one: one.name)
def test_another_seed_is_another_game(one: Opponent) -> None:
    """Once beaten is not beaten for ever: the same moves against somebody lead to other answers in another game."""
    if one.nodes > 40_000:  # they vary alike, and would take too long here
        one = replace(one, nodes=40_000)
    games = set()
    for seed in range(8):
        board, player = Board(15), one.player(seed)
        for mine in ("h8", "i9", "g7"):
            board.push(next(cell for cell in map(board.cell, (mine, "f9", "k5", "l11")) if not board[cell]))
            move = player.search(board).move
            assert move is not None
            board.push(move)
        games.add(board.flat)
    assert len(games) >= 2


@pytest.mark.slow
def test_who_varies_his_openings_is_as_strong_as_before() -> None:
    chen = replace(opponent("chen"), slips=0.0, nodes=1000)

    class Unvaried(Player):
        def __init__(self, seed: int) -> None:
            super().__init__()
            self.person = chen.player(seed)

        def search(self, board: Board, limit: Limit | None = None, **_: object) -> SearchResult:
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr("gomoku.opponents.VARIED_STONES", 0)
                return self.person.search(board)

    points = 0.0
    for seed in range(60):
        varied, plain = chen.player(seed), Unvaried(seed + 1000)
        winner = played(varied, plain, seed // 2) if seed % 2 else played(plain, varied, seed // 2)
        points += 0.5 if winner is None else winner == ("black" if seed % 2 else "white")
    assert points / 60 > 0.38


def test_a_child_beats_the_weakest_and_not_the_third() -> None:
    assert share(Child(), OPPONENTS[0], 30) > 0.6
    assert share(Child(), OPPONENTS[2], 20) < 0.4


@pytest.mark.parametrize("one", OPPONENTS, ids=lambda one: one.name)
def test_strength_is_nodes_and_the_answer_depends_on_position_and_seed_alone(one: Opponent) -> None:
    board = Board(9, black=["e5", "d4"], white=["e4"], turn="white")
    first, second = (one.player(seed=5).search(board) for _ in range(2))
    assert first.move == second.move
    assert first.nodes <= max(one.nodes, 81)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro", "caro-overline"])
@pytest.mark.parametrize("name", ["pip", "wei"])
def test_people_play_by_every_rule_to_the_end(name: str, rule: str) -> None:
    board, player = Board(6, rule=rule), opponent(name).player()
    while board.winner() is None and playable(board):
        move = player.search(board).move
        assert move in playable(board)
        board.push(move)
    assert board.winner() is not None or not playable(board)


def test_nobody_of_that_name_is_an_error_with_the_names() -> None:
    with pytest.raises(GomokuError, match="no opponent 'bob'; choose one of pip, mimi"):
        opponent("bob")
