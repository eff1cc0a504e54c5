"""What the engine's alpha-beta must find: the same tree by plain negamax, with no window, table, width or zone."""

from __future__ import annotations

from gomoku_patterns import rules
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, Cell, Colour
from gomoku_patterns.evaluator import EvaluatorBase
from gomoku_patterns.rules import Rule
from search._threats import ThreatBoard

WIN = 1 << 28
DEEPEST_EXTENSION = -2


class PlainNegamax:
    """Scores of positions for the side to move; a win in n plies from the root is WIN - n."""

    def __init__(self, board: Board, evaluator: EvaluatorBase) -> None:
        self.board, self.evaluator = board.copy(), evaluator
        self.threats = ThreatBoard(board)

    def moves(self, depth: int) -> dict[Cell, int]:
        """The score of every move that the root may be searched for."""
        fives = rules.winning_cells(self.board, self.board.turn)
        if fives:
            return dict.fromkeys(fives, WIN - 1)
        must = [cell for cell in rules.winning_cells(self.board, self.board.turn.opponent) if self.legal(cell)]
        tried = must or (self.everywhere() if self.kills(self.board.turn.opponent) else self.near())
        return {cell: self.after(cell, depth - 1, 0) for cell in tried}

    def after(self, cell: Cell, depth: int, ply: int) -> int:
        mover = self.board.turn
        self.board.push(cell)
        self.threats.push(cell, mover)
        score = -self.value(depth, ply + 1)
        self.threats.pop()
        self.board.pop()
        return score

    def value(self, depth: int, ply: int) -> int:
        """The score of the position, looking ``depth`` plies ahead."""
        turn = self.board.turn
        if self.threats.cells(turn, "five"):
            return WIN - ply - 1
        if fives := self.threats.cells(turn.opponent, "five"):
            return self.forced(fives, depth, ply)
        if self.board.is_full():
            return 0
        if self.kills(turn):
            return WIN - ply - 3
        return self.searched(depth, ply, pressed=bool(self.kills(turn.opponent)))

    def forced(self, fives: list[Cell], depth: int, ply: int) -> int:
        if len(fives) > 1 or not self.legal(fives[0]):
            return ply + 2 - WIN
        return self.after(fives[0], depth, ply)

    def searched(self, depth: int, ply: int, *, pressed: bool) -> int:
        if depth <= 0 and (not pressed or depth <= DEEPEST_EXTENSION):
            return self.static()
        cells = self.everywhere() if pressed else self.near()
        if not cells:
            return ply + 4 - WIN if pressed else self.static()
        return max(self.after(cell, depth - 1, ply) for cell in cells)

    def static(self) -> int:
        return self.board.turn.sign * self.evaluator.score(self.board)

    # ------------------------------------------------------------------ moves

    def legal(self, cell: Cell, colour: Colour | None = None) -> bool:
        black = (self.board.turn if colour is None else colour) is BLACK
        return not (self.board.rule is Rule.RENJU and black and cell in self.threats.forbidden_cells())

    def kills(self, colour: Colour) -> list[Cell]:
        """Where a stone of the colour makes a straight four or two fours."""
        return [cell for cell in self.threats.cells(colour, "kill") if self.legal(cell, colour)]

    def everywhere(self) -> list[Cell]:
        return [cell for cell in self.board.empties() if self.legal(cell)]

    def near(self) -> list[Cell]:
        stones = [cell for cell in self.board.cells() if not self.board.is_empty(cell)]
        return [cell for cell in self.everywhere() if any(_distance(cell, stone) <= 2 for stone in stones)]


def _distance(one: Cell, other: Cell) -> int:
    return max(abs(one.row - other.row), abs(one.col - other.col))
