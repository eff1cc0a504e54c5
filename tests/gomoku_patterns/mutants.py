"""Evaluators with one planted mistake each, as people make them, and a few that are right.

:data:`MUTANTS` says which laws find each of them; :data:`BEYOND_LAWS` holds those that only another evaluator shows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK, WHITE, Cell, Colour
from gomoku_patterns.evaluator import BoardTracker, EvaluatorBase, as_evaluator
from gomoku_patterns.lines import lines
from gomoku_patterns.rules import Rule

WORTH = {"ooooo": 5000, ".oooo.": 900, "xoooo.": 300, ".oooox": 300, ".ooo.": 100, ".oo.": 10, "o": 1}
DIRECTIONS = ("row", "column", "diagonal", "antidiagonal")

MUTANTS: dict[type, str] = {}
"""Each mutant and the law that finds it; several possible ones stand side by side with a bar."""

BEYOND_LAWS: list[type] = []
"""Mutants that are consistent with themselves: ``agrees_with`` finds them."""


def caught_by(law: str) -> Any:
    """Enter a mutant in the list."""

    def enter(mutant: type) -> type:
        MUTANTS[mutant] = law
        return mutant

    return enter


def beyond_laws(mutant: type) -> type:
    """Enter a mutant that no law can find."""
    BEYOND_LAWS.append(mutant)
    return mutant


class Shapes:
    """What the runs on a board are worth, black minus white: right, and written to be made wrong in one place."""

    name, antisymmetric, symmetric = "shapes", True, True

    def score(self, board: Board) -> int:
        return self.side(board, BLACK) - self.side(board, WHITE)

    def side(self, board: Board, colour: Colour) -> int:
        return sum(
            self.value(text, direction, colour, board)
            for direction, text in self.texts(board)
            if str(int(colour)) in text
        )

    def texts(self, board: Board) -> Iterator[tuple[str, str]]:
        """The direction and the cells of each line, with an edge at both ends."""
        flat = board.flat.translate(bytes.maketrans(b"\0\1\2", b"012")).decode()
        for line in lines(board.rows, board.cols):
            step = line[1] - line[0] if len(line) > 1 else 0
            sizes = {1: "row", board.cols: "column", board.cols + 1: "diagonal", board.cols - 1: "antidiagonal"}
            if len(line) >= 5:
                yield sizes[step], self.text("".join([flat[index] for index in line]))

    def text(self, cells: str) -> str:
        return f"|{cells}|"

    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        own = text.translate(str.maketrans("012|", ".oxx" if colour == BLACK else ".xox"))
        return sum(worth * self.count(own, shape) for shape, worth in WORTH.items() if shape in own)

    def count(self, text: str, shape: str) -> int:
        return sum(text.startswith(shape, at) for at in range(len(text)))


# ---------------------------------------------------------------------- lines and shapes


@caught_by("the eight symmetries are alike")
class OnePatternUnseenOnAntidiagonals(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        unseen = text.replace("01110", "00000").replace("02220", "00000")
        return super().value(unseen if direction == "antidiagonal" else text, direction, colour, board)


@caught_by("the eight symmetries are alike")
class SomeAntidiagonalsSkipped(Shapes):
    def texts(self, board: Board) -> Iterator[tuple[str, str]]:
        return (
            (way, text) for way, text in super().texts(board) if way != "antidiagonal" or len(text) != board.cols + 1
        )


@caught_by("the eight symmetries are alike|every cell counts")
class RightEdgeOfRows(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        return super().value(text[:-2] + "|" if direction == "row" else text, direction, colour, board)


@caught_by("the eight symmetries are alike")
class FivesAtTheRightEdgeOfRows(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        cut = direction == "row" and text.endswith(str(int(colour)) * 5 + "|")
        return super().value(text[:-2] + "0|" if cut else text, direction, colour, board)


@caught_by("every cell counts")
class BothEndsOfAllLinesCut(Shapes):
    def text(self, cells: str) -> str:
        return f"|0{cells[1:-1]}0|"


@beyond_laws
class RushFoursAtBothEndsCut(Shapes):
    def count(self, text: str, shape: str) -> int:
        found = super().count(text, shape)
        if shape in ("xoooo.", ".oooox"):
            found -= text.startswith("xoooo.") * (shape == "xoooo.") + text.endswith(".oooox") * (shape == ".oooox")
        return found


@caught_by("the eight symmetries are alike|colours are alike")
class RowsAndColumnsMixedUp(Shapes):
    def score(self, board: Board) -> int:
        flat = board.flat
        return sum(
            (flat[row * board.rows + col] == 1) * (1 + row) for row in range(board.rows) for col in range(board.rows)
        ) if board.rows < board.cols else super().score(board)  # fmt: skip


@caught_by("the board is left alone|nothing is remembered")
class ColumnsForRows(Shapes):
    def score(self, board: Board) -> int:
        seen = [board[row, col] for row in range(board.cols) for col in range(board.rows)]
        return super().score(board) if seen else 0


@caught_by("the eight symmetries are alike")
class LastRowOf19(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        cut = board.rows == 19 and direction == "column"
        return super().value(text[:-2] + "|" if cut else text, direction, colour, board)


@caught_by("the eight symmetries are alike")
class OnePatternInTheLastRowOf19(Shapes):
    def score(self, board: Board) -> int:
        last = "".join(".ox"[value] for value in board.flat[-board.cols :])
        return super().score(board) - 100 * (last.count(".ooo.") - last.count(".xxx.")) * (board.rows == 19)


@caught_by("colours are alike")
class StoneOnH8Of15(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (board.rows == board.cols == 15 and board["h8"] is not None)


@caught_by("every cell counts|colours are alike|the eight symmetries are alike")
class BlindBeyondSeven(Shapes):
    def score(self, board: Board) -> int:
        near = {
            c: [s for s in board.stones(c) if abs(s.row - board.rows // 2) + abs(s.col - board.cols // 2) < 3]
            for c in Colour
        }
        return len(near[BLACK]) - len(near[WHITE])


@caught_by("colours are alike")
class WhiteMissesOnePattern(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        return super().value(text.replace("02220", "00000") if colour == WHITE else text, direction, colour, board)


@caught_by("colours are alike")
class TempoAlwaysToBlack(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + 5


@caught_by("colours are alike")
class TurnAlwaysBlack(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + 7 * self.side(board, BLACK)


@caught_by("the turn matters as claimed")
class TurnLeaks(Shapes):
    turn_matters = False

    def score(self, board: Board) -> int:
        return super().score(board) + board.turn.sign


@caught_by("the turn matters as claimed")
class TurnIgnored(Shapes):
    turn_matters = True


@beyond_laws
class Overflow16Bits(Shapes):
    def score(self, board: Board) -> int:
        score = super().score(board)
        return score if abs(score) < 2**15 else (abs(score) % 2**15) * (1 if score > 0 else -1)


@beyond_laws
class ClampedBothWays(Shapes):
    def score(self, board: Board) -> int:
        return max(-5000, min(5000, super().score(board)))


@caught_by("colours are alike")
class ClampedAbove(Shapes):
    def score(self, board: Board) -> int:
        return min(5000, super().score(board))


@beyond_laws
class OverlapsTwice(Shapes):
    def count(self, text: str, shape: str) -> int:
        return super().count(text, shape) * (2 if shape == ".oo." and ".oo.oo." in text else 1)


@beyond_laws
class OverlapsMissed(Shapes):
    def count(self, text: str, shape: str) -> int:
        return text.count(shape)


@caught_by("the eight symmetries are alike")
class SixIsNoFiveOnOneDiagonal(Shapes):
    def value(self, text: str, direction: str, colour: Colour, board: Board) -> int:
        six = direction == "diagonal" and str(int(colour)) * 6 in text
        return super().value(text, direction, colour, board) - 5000 * six


@caught_by("colours are alike")
class WrongFromSixtyStones(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (len(board) >= 60)


@caught_by("the eight symmetries are alike")
class TypoInOneOfTwoMirroredTexts(Shapes):
    def count(self, text: str, shape: str) -> int:
        return super().count(text, ".ooo.x" if shape == ".oooox" else shape)


# ---------------------------------------------------------------------- the board


@caught_by("incremental equals scratch")
class DependsOnTheLastMove(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (board.moves[-1].cell.row if board.moves else 0)

    def tracker(self, board: Board) -> BoardTracker:
        return BoardTracker(as_evaluator(Shapes()), board)


@caught_by("the board is left alone|nothing is remembered")
class ChangesStones(Shapes):
    def score(self, board: Board) -> int:
        score = super().score(board)
        if board.empties() and len(board) > 2:
            board.push(board.empties()[0])
        return score


@caught_by("the board is left alone")
class ChangesTheTurn(Shapes):
    def score(self, board: Board) -> int:
        board.turn = BLACK
        return super().score(board)


@caught_by("the board is left alone")
class ChangesTheRule(Shapes):
    def score(self, board: Board) -> int:
        board.rule = Rule.STANDARD
        return super().score(board)


# ---------------------------------------------------------------------- noise and memory


@caught_by("answers repeat")
class NoiseOneInFifty(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (random.random() < 1 / 50)


@caught_by("answers repeat")
class NoiseOneInThousand(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (random.random() < 1 / 1000)


class _Caching(Shapes):
    def __init__(self) -> None:
        self.cache: dict[Any, int] = {}

    def score(self, board: Board) -> int:
        key = self.key(board)
        if key not in self.cache:
            self.cache[key] = self.computed(board)
        return self.cache[key]

    def key(self, board: Board) -> Any:
        raise NotImplementedError

    def computed(self, board: Board) -> int:
        return super().score(board)


@caught_by("nothing is remembered")
class CacheWithoutTurn(_Caching):
    def key(self, board: Board) -> Any:
        return board.rows, board.flat

    def computed(self, board: Board) -> int:
        return super().computed(board) + 3 * board.turn.sign


@caught_by("nothing is remembered")
class CacheOfTheClassWithoutTurn(CacheWithoutTurn):
    shared: dict[Any, int] = {}  # noqa: RUF012  (which is the mistake)

    def __init__(self) -> None:
        self.cache = self.shared


@caught_by("nothing is remembered")
class CacheWithoutSize(_Caching):
    def key(self, board: Board) -> Any:
        return board.flat


@caught_by("nothing is remembered")
class CacheByWeakHash(_Caching):
    def key(self, board: Board) -> Any:
        return sum((1 + at) * value for at, value in enumerate(board.flat)) % 64


@caught_by("nothing is remembered")
class CacheById(_Caching):
    def key(self, board: Board) -> Any:
        return id(board)


@caught_by("nothing is remembered")
class CacheByPartOfTheStones(_Caching):
    def key(self, board: Board) -> Any:
        return board.rows, board.cols, tuple(board.stones(BLACK))


@caught_by("nothing is remembered")
class StaleSlot(_Caching):
    """One slot, found again by the number of stones."""

    def key(self, board: Board) -> Any:
        self.cache = {key: value for key, value in self.cache.items() if key == len(board)}
        return len(board)


# ---------------------------------------------------------------------- trackers


class _Tracked(Shapes):
    kind: type[BoardTracker] = BoardTracker

    def tracker(self, board: Board) -> BoardTracker:
        return self.kind(as_evaluator(Shapes()), board)


def tracked(law: str) -> Any:
    """Enter an evaluator whose tracker has a mistake."""

    def enter(kind: type[BoardTracker]) -> type:
        mutant = type(kind.__name__.lstrip("_"), (_Tracked,), {"kind": kind, "__module__": __name__})
        globals()[mutant.__name__] = mutant
        MUTANTS[mutant] = law
        return kind

    return enter


class _Depth(BoardTracker):
    depth = 0

    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell, colour)
        self.depth += 1

    def undo(self) -> None:
        super().undo()
        self.depth -= 1


@tracked("undo restores")
class _SecondUndo(_Depth):
    undone = 0

    def undo(self) -> None:
        super().undo()
        self.undone += 1
        if self.undone > 1:
            self._score = 1 + self._evaluator.score(self._board)

    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell, colour)
        self.undone = 0


@tracked("undo restores")
class _UndoToDepthTwo(_Depth):
    def undo(self) -> None:
        super().undo()
        if self.depth == 2:
            self._score = 1


@tracked("undo restores")
class _ZeroLinesNotRestored(_Depth):
    def undo(self) -> None:
        before = self.score
        super().undo()
        if self.score == 0:
            self._score = before


@tracked("undo restores")
class _UndoTurn(_Depth):
    def undo(self) -> None:
        turn = self._board.turn
        super().undo()
        self._board.turn = turn


@tracked("undo restores")
class _UndoThenElsewhere(_Depth):
    dirty = 0

    def undo(self) -> None:
        super().undo()
        self.dirty = 1

    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell, colour)
        if self.dirty:
            self._score = 1 + self._evaluator.score(self._board)


@tracked("incremental equals scratch|undo restores")
class _GainLeavesTurn(_Depth):
    def gain(self, cell: Any, colour: Any = None) -> int:
        gain = super().gain(cell, colour)
        if colour is not None:
            self._board.turn = colour
        return gain


@tracked("incremental equals scratch")
class _WrongAfterTwentyMoves(_Depth):
    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell, colour)
        if self.depth > 20:
            self._score = 12345


@tracked("trackers keep their contract")
class _PlaysOnTheCallersBoard(BoardTracker):
    def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
        super().__init__(evaluator, board)
        self._board = board


@tracked("trackers keep their contract")
class _RankedWorstFirst(BoardTracker):
    def ranked(self, colour: Any = None, width: int | None = None) -> list[Cell]:
        return super().ranked(colour)[::-1][:width]


@tracked("trackers keep their contract")
class _BoardStale(BoardTracker):
    def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
        super().__init__(evaluator, board)
        self._first = board.copy(moves=False)

    @property
    def board(self) -> Board:
        return self._first.copy()


@tracked("trackers keep their contract")
class _BoardIsItsOwn(BoardTracker):
    @property
    def board(self) -> Board:
        return self._board


@tracked("trackers keep their contract|undo restores")
class _PlayIgnoresTheColour(BoardTracker):
    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell)


@tracked("trackers keep their contract")
class _SharedState(BoardTracker):
    scores: dict[str, int | None] = {}  # noqa: RUF012  (which is the mistake)

    def play(self, cell: Any, colour: Any = None) -> None:
        super().play(cell, colour)
        self.scores["last"] = self._evaluator.score(self._board)

    def undo(self) -> None:
        super().undo()
        self.scores["last"] = self._evaluator.score(self._board)

    @property
    def score(self) -> int:
        found = self.scores.get("last")
        return super().score if found is None else found

    def __init__(self, evaluator: EvaluatorBase, board: Board) -> None:
        super().__init__(evaluator, board)
        self.scores["last"] = None


# ---------------------------------------------------------------------- gains, lists, batches and explanations


class _Gaining(Shapes):
    def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
        return as_evaluator(Shapes()).gain(board, cell, colour)


@caught_by("gains change the score|incremental equals scratch")
class GainWrongForWhite(_Gaining):
    def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
        mover = board.turn if colour is None else colour
        return super().gain(board, cell, colour) * (-1 if mover == WHITE else 1)


@caught_by("gains change the score|colours are alike")
class GainForgetsTheBlock(_Gaining):
    """What the opponent loses is not counted."""

    def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
        mover = board.turn if colour is None else Colour(colour)
        after = board.copy()
        after.push(cell, mover)
        return mover.sign * (self.side(after, mover) - self.side(board, mover))


class _Batching(Shapes):
    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        turns = np.resize(np.asarray(to_move, dtype=np.int64), len(stack))
        boards = [Board.from_array(one, turn=Colour(int(turn))) for one, turn in zip(stack, turns, strict=True)]
        return np.array([self.score(board) for board in boards], dtype=np.int64)


@caught_by("batches agree")
class BatchIgnoresTurns(_Batching):
    def score(self, board: Board) -> int:
        return super().score(board) + board.turn.sign

    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        return super().scores(stack)


@caught_by("batches agree")
class BatchChangesItsArray(_Batching):
    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        found = super().scores(stack, to_move)
        stack[stack == 2] = -1
        return found


@caught_by("batches agree")
class BatchForgetsTheLastChunk(_Batching):
    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        found = super().scores(stack, to_move)
        found[max(64, len(found) // 64 * 64) :] = 0
        return found


@caught_by("batches agree")
class BatchDoesNotKnowMinusOne(_Batching):
    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        return super().scores(np.where(stack == -1, 0, stack), to_move)


@caught_by("batches agree")
class BatchOfNone(_Batching):
    def scores(self, stack: Any, to_move: Any = BLACK) -> Any:
        return super().scores(stack, to_move) + 0 * int(stack[0].max())


@caught_by("lists agree")
class GainsTransposed(Shapes):
    def gains(self, board: Board, colour: Any = None) -> Any:
        gains = EvaluatorBase.gains(as_evaluator(Shapes()), board, colour)
        return gains.T.copy() if board.rows == board.cols else gains


@caught_by("lists agree")
class RankedWithoutTheLastRow(Shapes):
    def ranked(self, board: Board, colour: Any = None, width: int | None = None) -> list[Cell]:
        found = as_evaluator(Shapes()).ranked(board, colour)
        return [cell for cell in found if cell.row < board.rows - 1][:width]


@caught_by("explanations add up")
class ExplainsSomethingElse(Shapes):
    def explain(self, board: Board, cell: Any = None, colour: Any = None) -> Any:
        return as_evaluator("outcome").explain(board, cell, colour)


# ---------------------------------------------------------------------- what a score is


@caught_by("the board is left alone")
class Floats(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) / 3  # type: ignore[return-value]  # which is the mistake


@caught_by("the board is left alone")
class NoneNow(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) or None  # type: ignore[return-value]  # which is the mistake


@caught_by("scores fit 64 bits")
class TooLarge(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) * 10**30


@caught_by("the board is left alone")
class RaisesOnAFullBoard(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + 0 * board.empties()[0].row


@caught_by("the board is left alone|nothing is remembered|undo restores|every cell counts|incremental equals scratch")
class RaisesWithTwoFives(Shapes):
    def score(self, board: Board) -> int:
        score = super().score(board)
        return score + [0, 0][sum(("1" * 5) in text for _, text in self.texts(board))]


@caught_by("the board is left alone")
class HangsOnAFullBoard(Shapes):
    def score(self, board: Board) -> int:
        while board.is_full():
            pass
        return super().score(board)


@caught_by("the board is left alone")
class SleepsOnAFullBoard(Shapes):
    def score(self, board: Board) -> int:
        if board.is_full():
            time.sleep(10**6)
        return super().score(board)


@caught_by("the rule matters as claimed")
class WrongUnderRenjuOnly(Shapes):
    def score(self, board: Board) -> int:
        return super().score(board) + (board.rule is Rule.RENJU)


@caught_by("the rule matters as claimed")
class RuleIgnored(Shapes):
    rule_matters = True


@caught_by("pickled copies agree")
class HoldsAFunction(Shapes):
    def __init__(self) -> None:
        self.weight = lambda: 1


@caught_by("pickled copies agree")
class ForgetsWhenPickled(Shapes):
    def __init__(self) -> None:
        self.factor = 2

    def __getstate__(self) -> dict[str, int]:
        return {"factor": 1}

    def score(self, board: Board) -> int:
        return self.factor * super().score(board)


# ---------------------------------------------------------------------- evaluators that are right


class Numpy(Shapes):
    """Scores of numpy's own integers are as good."""

    def score(self, board: Board) -> int:
        return np.int64(super().score(board))  # type: ignore[return-value]


class Trying(Shapes):
    """Plays on the board and takes back."""

    def score(self, board: Board) -> int:
        if empties := board.empties():
            board.push(empties[0])
            board.pop()
        return super().score(board)


class Cached(_Caching):
    """Remembers scores by all that they depend on."""

    def key(self, board: Board) -> Any:
        return board.rows, board.cols, board.flat


class Complete(_Gaining, _Batching, _Tracked):
    """Has a gain, a batch and a tracker of its own."""


class Tempo(Shapes):
    """Says that the turn matters."""

    turn_matters = True

    def score(self, board: Board) -> int:
        return super().score(board) + 5 * board.turn.sign


class Ruled(Shapes):
    """Says that the rule matters."""

    rule_matters, antisymmetric = True, False

    def score(self, board: Board) -> int:
        return super().score(board) + (board.rule is Rule.RENJU)


class NotAGain(Shapes):
    """Says that its gain is no change of the score."""

    additive = False

    def gain(self, board: Board, cell: Any, colour: Any = None) -> int:
        return 0


SOUND = (Shapes, Numpy, Trying, Cached, Complete, Tempo, Ruled, NotAGain)
"""Evaluators that keep every law."""
