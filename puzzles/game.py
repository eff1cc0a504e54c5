"""Levels played out: ``replay`` lets two players finish a position, ``judge`` says whether that solved it, and why not.

>>> from puzzles import load
>>> game = replay(load("huanle").level(13), "minmax", "minmax")
>>> print(judge(game))
failed: white wins in 6 plies
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import GomokuError, SuiteError
from gomoku_patterns.notation import GameTree
from gomoku_patterns.quantities import plies
from puzzles.suite import Level

if TYPE_CHECKING:
    from search import Cancel, Limit, Player
    from search.proof import Proof


@dataclass(frozen=True)
class Ply:
    """One move of a game: who played where, what the player thought of it (black minus white), and what it took."""

    cell: Cell
    colour: Colour
    score: int
    nodes: int
    elapsed: float


@dataclass(frozen=True)
class Game:
    """A level played out: the plies, who won (None for nobody), and what ended it."""

    start: Board
    attacker: str
    defender: str
    plies: tuple[Ply, ...]
    winner: Colour | None
    ended: str

    @property
    def moves(self) -> tuple[Cell, ...]:
        return tuple(ply.cell for ply in self.plies)

    @property
    def board(self) -> Board:
        """The last position, the plies pushed."""
        board = self.start.copy(moves=False)
        for ply in self.plies:
            board.push(ply.cell)
        return board

    @property
    def elapsed(self) -> float:
        """The seconds both players took."""
        return sum(ply.elapsed for ply in self.plies)

    @property
    def nodes(self) -> int:
        """The nodes the attacker visited."""
        return sum(ply.nodes for ply in self.plies if ply.colour is self.start.turn)

    def tree(self) -> GameTree:
        """The game as a tree, each move with its score and time; ready to be written as SGF."""
        tree = GameTree.from_board(self.board)
        names = {self.start.turn: self.attacker, self.start.turn.opponent: self.defender}
        tree.info.update({"PB": names[Colour.BLACK], "PW": names[Colour.WHITE], "RE": self._result()})
        for node, ply in zip(tree.main_line()[1:], self.plies, strict=True):
            node.comment = f"score {ply.score}, {ply.nodes} nodes, {ply.elapsed * 1000:.1f} ms"
            node.elapsed = ply.elapsed
        return tree

    def _result(self) -> str:
        return "0" if self.winner is None else f"{'B' if self.winner is Colour.BLACK else 'W'}+1"


@dataclass(frozen=True)
class Judgement:
    """Whether the side that was to move has won, in how many plies, and if not, why not."""

    solved: bool
    plies: int
    why: str

    def __str__(self) -> str:
        return f"{'solved' if self.solved else 'failed'}: {self.why}"


def replay(
    level: Level | Board,
    attacker: Player | str = "minmax",
    defender: Player | str = "minmax",
    *,
    limit: Limit | None = None,
    most_plies: int | None = None,
    cancel: Cancel | None = None,
) -> Game:
    """Let the attacker, who is to move, and the defender play a level out.

    Players are specs or :class:`search.Player` objects. ``limit`` goes for every move of both. A ``minmax`` that is not
    told how deep to look looks as deep as the level's source. A player who answers with an error, or with a cell that
    cannot be played, has lost.
    """
    start = level.board if isinstance(level, Level) else level.copy(moves=False)
    if start.is_over():
        raise SuiteError("this game is already over; there is nothing to play out")
    attack = _seated(attacker, level)
    attack.new_game()
    defence = _seated(defender, level, _proof(attack, defender, start, limit, cancel))
    if defence is not attack:
        defence.new_game()
    game = _GameInPlay(start, {start.turn: attack, start.turn.opponent: defence}, limit, cancel)
    while game.ended is None and (most_plies is None or len(game.plies) < most_plies):
        game.play()
    ended = game.ended or f"nobody has won after {plies(len(game.plies))}"
    return Game(start, attack.name, defence.name, tuple(game.plies), game.winner, ended)


def judge(game: Game) -> Judgement:
    """What a game says about its level."""
    return Judgement(game.winner is game.start.turn, len(game.plies), game.ended)


class _GameInPlay:
    """A game while it is played."""

    def __init__(self, start: Board, sides: dict[Colour, Player], limit: Limit | None, cancel: Cancel | None) -> None:
        self.board = start.copy()
        self.sides, self.limit, self.cancel = sides, limit, cancel
        self.plies: list[Ply] = []
        self.winner: Colour | None = None
        self.ended: str | None = None

    def play(self) -> None:
        """One move of the side whose turn it is, checked before it is made."""
        turn, began = self.board.turn, perf_counter()
        try:
            found = self.sides[turn].search(self.board.copy(), self.limit, cancel=self.cancel)
        except GomokuError as error:
            self._forfeit(f"{turn} gives up: {error}")
            return
        elapsed = perf_counter() - began
        legal = self.board.legal_moves()
        if not legal:
            self.ended = f"{turn} has no move left after {plies(len(self.plies))}"
        elif found.move not in legal:
            self._forfeit(f"{turn} plays {found.move!r}, which cannot be played")
        else:
            self._put(Ply(Cell(*found.move), turn, found.score, found.nodes, elapsed))

    def _put(self, ply: Ply) -> None:
        self.board.push(ply.cell)
        self.plies.append(ply)
        self.winner = self.board.winner()
        if self.winner is not None:
            self.ended = f"{self.winner} wins in {plies(len(self.plies))}"
        elif self.board.is_full():
            self.ended = f"the board is full after {plies(len(self.plies))}"

    def _forfeit(self, why: str) -> None:
        self.winner, self.ended = self.board.turn.opponent, why


def _seated(player: Player | str, level: Level | Board, proof: Proof | None = None) -> Player:
    """The player a spec asks for; a minmax without a depth of its own looks as deep as the level says."""
    if not isinstance(player, str):
        return player
    from search import player as player_of
    from search.players import parse_spec

    name, options = parse_spec(player)
    depth = level.depth if isinstance(level, Level) else None
    if name == "minmax" and "depth" not in options and depth is not None:
        return player_of(player, depth=depth)
    if name == "stubborn" and "proof" not in options and proof is not None:
        return player_of(player, proof=proof)
    return player_of(player)


def _proof(
    attacker: Player, defender: Player | str, board: Board, limit: Limit | None, cancel: Cancel | None
) -> Proof | None:
    """The proof that the attacker will follow, for a defender who wants to see it."""
    from search.solver_player import SolverPlayer

    if isinstance(attacker, SolverPlayer) and isinstance(defender, str) and defender.partition(":")[0] == "stubborn":
        attacker.prove(board, limit, cancel)
        return attacker.proof
    return None
