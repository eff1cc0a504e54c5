"""A game reviewed: where a proven win was missed, where a loss became inevitable, and what refutes each error.

>>> from gomoku_patterns import read_position
>>> found = review(read_position("h8 i9 g6 g9 f10 h11 i8 j9 g10 h9"), Limit(nodes=2000))
>>> print(found.says(found.decisive))
g10 loses: white wins in 3; h9 was better, and nothing could save the game any more

Each position is first a question for the solver: does the side to move win, or do all its moves lose? Only what is
proven counts as a missed win or a losing move. Where nothing is proven, the engine's score says whether a move gave
much away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from gomoku_patterns.board import Board, Move
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.errors import SuiteError
from gomoku_patterns.notation import GameNode, GameTree
from gomoku_patterns.rules import Rule
from puzzles.feedback import feedback
from puzzles.question_limits import QuestionLimits, Unfinished
from puzzles.soundness import Budget, Examiner, Study
from puzzles.suite import Level
from puzzles.winning import saving_moves
from search import Cancel, Limit, Win, player
from search.natural import natural_line, natural_order

NODES: Final = 20_000
"""For each question about a position, unless a limit says otherwise."""
DECISIVE: Final = 300.0
"""An engine's score of so much is all but a win; the web board's bar is scaled alike."""
SMALL, BIG = 0.12, 0.3
"""A move that gives away so much of the share of the bar is dubious, or a mistake."""
SHOWN: Final = 12
"""Plies of a line that ends with no five."""


class Slip(StrEnum):
    """What is wrong with a move."""

    MISSED = "missed win"
    LOSING = "losing move"
    MISTAKE = "mistake"
    DUBIOUS = "dubious move"

    @property
    def sign(self) -> str:
        """As books print it."""
        return {"missed win": "??", "losing move": "??", "mistake": "?", "dubious move": "?!"}[self.value]


@dataclass(frozen=True)
class Worth:
    """What a position is worth: who is proven to win and in how many plies, if that is known, and the engine's score.

    ``saving`` are the moves that do not lose where the others do; None where no win of the opponent is threatened.
    ``best`` is the move to play, and ``line`` how the game then goes on.
    """

    winner: Colour | None = None
    plies: int | None = None
    score: int = 0
    best: Cell | None = None
    line: tuple[Cell, ...] = ()
    saving: tuple[Cell, ...] | None = None

    @property
    def share(self) -> float:
        """Black's share, from 0 to 1: a proven win is all, and a score what the web board's bar shows."""
        if self.winner is not None:
            return 1.0 if self.winner is Colour.BLACK else 0.0
        return 0.5 + 0.48 * math.tanh(self.score / DECISIVE)

    def __str__(self) -> str:
        if self.winner is None:
            return f"score {self.score:,}"
        if self.plies == 0:
            return f"{self.winner} has won"
        return f"{self.winner} wins" if self.plies is None else str(Win(self.winner, self.plies))


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game, what the position was worth before and after it, and what is wrong with it, if anything.

    ``better`` is what should have been played, and ``instead`` how the game would have gone on; ``refutation`` is how
    the opponent answers the move that was played. ``decisive`` marks the move after which the loser could not be saved.
    """

    ply: int
    colour: Colour
    move: Cell
    before: Worth
    after: Worth
    slip: Slip | None = None
    better: Cell | None = None
    instead: tuple[Cell, ...] = ()
    refutation: tuple[Cell, ...] = ()
    decisive: bool = False


@dataclass(frozen=True)
class Review:
    """A reviewed game; ``complete`` is False when it was stopped before the last move."""

    game: GameTree
    start: Board
    moves: tuple[ReviewedMove, ...]
    plies: int
    winner: Colour | None = None
    nodes: int = NODES
    complete: bool = True

    def name(self, cell: Cell) -> str:
        return self.start.name(cell)

    def names(self, cells: tuple[Cell, ...]) -> str:
        return " ".join(map(self.name, cells))

    def before(self, one: ReviewedMove) -> Board:
        """The position in which a move was played."""
        board = self.start.copy()
        for played in self.moves[: one.ply - 1]:
            board.push(played.move, played.colour)
        board.turn = one.colour
        return board

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row of a table for each move."""
        for one in self.moves:
            yield {
                "ply": one.ply,
                "colour": str(one.colour),
                "move": self.name(one.move),
                "worth": str(one.after),
                "share": one.after.share,
                "slip": None if one.slip is None else one.slip.value,
                "better": None if one.better is None else self.name(one.better),
                "refutation": self.names(one.refutation),
                "decisive": one.decisive,
            }

    @property
    def slips(self) -> tuple[ReviewedMove, ...]:
        return tuple(one for one in self.moves if one.slip)

    @property
    def decisive(self) -> ReviewedMove | None:
        """The move after which the loser was lost until the end."""
        return next((one for one in self.moves if one.decisive), None)

    def puzzles(self, source: str = "") -> Iterator[Level]:
        """The positions in which the side to move has a win that makes a sound puzzle (:class:`puzzles.Examiner`).

        Of a win that goes on over several moves, only the first such position is taken.
        """
        examiner = Examiner(self.start.rows, self.start.cols, self.start.rule, Budget(nodes=self.nodes, fewest=3))
        number, running = 0, dict.fromkeys(Colour, False)
        for one in self.moves:
            if one.before.winner is not one.colour:
                running[one.colour] = False
            elif not running[one.colour]:
                study = examiner.study(self.before(one).copy(moves=False))
                if isinstance(study, Study):
                    number += 1
                    running[one.colour] = True
                    yield Level(
                        number,
                        study.position,
                        title=f"{source}, move {one.ply}" if source else f"move {one.ply}",
                        length=study.length,
                        wins=(study.key,),
                        comment="missed in the game" if one.slip is Slip.MISSED else "",
                    )

    def annotated(self) -> GameTree:
        """The game with a comment on each move, and better moves and refutations as variations after the main line."""
        tree = GameTree(self.game.rows, self.game.cols, self.game.rule, info=dict(self.game.info))
        tree.root.setup.update(self.game.root.setup)
        tree.root.turn, tree.root.comment = self.game.root.turn, self.game.root.comment
        nodes = [tree.root]
        for one in self.moves:
            nodes.append(nodes[-1].add(cell=one.move, colour=one.colour))
            nodes[-1].comment = f"{one.slip.sign} {self.says(one)}" if one.slip else str(one.after)
        for one in self.slips:
            _variation(nodes[one.ply - 1], one.colour, one.instead, "better")
            if nodes[one.ply].children:
                _variation(nodes[one.ply], one.colour.opponent, one.refutation, "the answer")
            elif one.refutation:
                nodes[one.ply].comment += f"; the answer: {self.names(one.refutation)}"
        return tree

    def says(self, one: ReviewedMove) -> str:
        """What is wrong with a move, in a sentence."""
        name = self.name(one.move)
        better = f"; {self.name(one.better)} was better" if one.better else ""
        last = ", and nothing could save the game any more" if one.decisive else ""
        if one.slip is Slip.MISSED:
            answer = f"; {self.name(one.refutation[0])} refutes it" if one.refutation else ""
            return f"{name} misses a win{_in_plies(one.before)}{better}{answer}{last}"
        if one.slip is Slip.LOSING:
            return f"{name} loses: {one.after}{better}{last}"
        if one.slip:
            return f"{name} gives much away{better}" if one.slip is Slip.MISTAKE else f"{name} is dubious{better}"
        return str(one.after)


def _in_plies(worth: Worth) -> str:
    return "" if worth.plies is None else f" in {worth.plies}"


def _variation(parent: GameNode, colour: Colour, line: tuple[Cell, ...], comment: str) -> None:
    """Append a line, unless the game goes the same way."""
    if line and any(child.cell == line[0] for child in parent.children):
        return
    for cell in line:
        parent = parent.add(cell=cell, colour=colour, comment=comment)
        colour, comment = colour.opponent, ""


# ---------------------------------------------------------------------- judging


def slip_of(before: Worth, after: Worth, colour: Colour) -> Slip | None:
    """What is wrong with a move of a colour, from what the positions before and after it are worth."""
    if before.winner is colour:
        return None if after.winner is colour else Slip.MISSED
    if before.winner is not None:
        return None
    if after.winner is colour.opponent:
        return Slip.LOSING
    lost = (before.share - after.share) * colour.sign
    return Slip.MISTAKE if lost >= BIG else Slip.DUBIOUS if lost >= SMALL else None


def worth(board: Board, limit: Limit | None = None) -> Worth:
    """What a position is worth to those who play on from it; ``limit`` goes for each question about it."""
    return _worth(board, QuestionLimits(limit or Limit(nodes=NODES)))


def _worth(board: Board, limits: QuestionLimits) -> Worth:
    winner = board.winner()
    if winner is not None:
        return Worth(winner, 0)
    if not board.legal_moves():
        return Worth()
    position = board.copy(moves=False)
    solution = limits.solve(position)
    if solution.proof is not None:
        return Worth(board.turn, solution.length, best=solution.move, line=natural_line(solution.proof))
    saving = saving_moves(position, limits=limits)
    if saving == ():
        return Worth(board.turn.opponent, saving=())
    found = player("engine").search(position, limits.next(), cancel=limits.cancel)
    limits.check()
    best, line = found.move, tuple(found.pv[:SHOWN])
    if saving is not None and best not in saving:
        best = natural_order(position, saving)[0]
        line = (best,)
    return Worth(score=_bounded(found.score), best=best, line=line, saving=saving)


def _bounded(score: int) -> int:
    """A score of the engine; one that claims a win which the solver has not proven counts as much, and no more."""
    return max(-2000, min(2000, score))


def review(
    game: Board | GameTree,
    limit: Limit | None = None,
    *,
    seconds: float | None = None,
    cancel: Cancel | None = None,
    progress: Callable[[int, int], object] | None = None,
    found: Callable[[Worth, ReviewedMove | None], object] | None = None,
) -> Review:
    """Look at every move of a game, which may be a board with its moves or the main line of a tree.

    ``limit`` goes for each question about a position and ``seconds`` for the whole game. When they are over, ``cancel``
    is set, or on Ctrl-C, the review has the moves that were finished by then and is not complete. ``progress`` is
    called with the number of finished positions and of all; ``found`` with the worth of each position, and with the
    move that led there.
    """
    tree, nodes = _reviewable(game)
    limit = limit or Limit(nodes=NODES)
    limits = QuestionLimits(limit, seconds, cancel)
    start = tree.start()
    board, complete = start.copy(), True
    worths, moves = list[Worth](), list[ReviewedMove]()
    try:
        for number in range(len(nodes) + 1):
            _set_turn(board, nodes, number)
            worths.append(_worth(board, limits))
            if number:
                moves.append(_judged_move(start, nodes, worths, limits))
            if found is not None:
                found(worths[-1], moves[-1] if moves else None)
            if progress is not None:
                progress(number + 1, len(nodes) + 1)
            if number < len(nodes):
                board.push(nodes[number].cell, nodes[number].colour)
    except (Unfinished, KeyboardInterrupt):
        complete = False
    winner = worths[len(moves)].winner if worths else None
    _mark_decisive(moves, winner)
    return Review(tree, start, tuple(moves), len(nodes), winner, limit.nodes or NODES, complete)


def _reviewable(game: Board | GameTree) -> tuple[GameTree, list[Move]]:
    """The game as a tree, and the moves of its main line; an error if it cannot be reviewed."""
    tree = game if isinstance(game, GameTree) else GameTree.from_board(game)
    nodes = [node for node in tree.main_line() if node.move]
    if not nodes:
        raise SuiteError("there are no moves in this game, so there is nothing to review")
    if len(tree.board(nodes[-1]).moves) != len(nodes):
        raise SuiteError(
            "stones are set up in the middle of this game; only games that are played through are reviewed"
        )
    if tree.rule is Rule.CARO:
        raise SuiteError("games are reviewed under freestyle, standard and renju, not under caro")
    return tree, [node.move for node in nodes if node.move]


def _set_turn(board: Board, moves: list[Move], number: int) -> None:
    """Let the colour of the next move have the turn."""
    if number < len(moves):
        board.turn = moves[number].colour


def _judged_move(start: Board, played: list[Move], worths: list[Worth], limits: QuestionLimits) -> ReviewedMove:
    """The last move of which the worths before and after it are known; a win that was missed is looked at again."""
    ply = len(worths) - 1
    before, after = worths[-2:]
    cell, colour = played[ply - 1].cell, played[ply - 1].colour
    slip, refutation = slip_of(before, after, colour), after.line
    if slip is Slip.MISSED:
        position = start.copy()
        for move in played[: ply - 1]:
            position.push(move.cell, move.colour)
        position.turn = colour
        again = feedback(position, cell, _tenfold(limits), cancel=limits.cancel)
        limits.check()
        if again.still_wins:
            worths[-1] = after = replace(after, winner=colour, plies=again.plies if again.exact else None)
            return ReviewedMove(ply, colour, cell, before, after)
        refutation = (again.line or refutation) if again.refused else ()
    if slip is None:
        return ReviewedMove(ply, colour, cell, before, after)
    better = before.best if before.best != cell else None
    return ReviewedMove(ply, colour, cell, before, after, slip, better, before.line if better else (), refutation)


def _tenfold(limits: QuestionLimits) -> Limit:
    one = limits.next()
    return Limit(nodes=10 * (one.nodes or NODES), seconds=one.seconds)


def _mark_decisive(moves: list[ReviewedMove], winner: Colour | None) -> None:
    """Find the loser's last move before which he was not lost yet: he may have been, and have got his chance back."""
    for number in range(len(moves) - 1, -1, -1):
        one = moves[number]
        mover_loses = winner is not None and one.colour is not winner and one.after.winner is winner
        if mover_loses and one.before.winner is not winner:
            moves[number] = replace(one, decisive=True)
            return
