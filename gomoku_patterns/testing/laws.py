"""The laws: what holds for every evaluator, or for those that claim it.

A law is asked only where it could fail: gains, lists, trackers and explanations that follow from an evaluator's score
need no check against that score. So a class with nothing but a ``score`` in plain Python is checked in seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import Cell, Colour
from gomoku_patterns.evaluator import BoardTracker, EvaluatorBase, Tracker, as_evaluator

Check = Callable[[EvaluatorBase, Board, list[Cell]], None]
"""Looks at an evaluator, a board, and empty cells of it that are to be played or looked at."""

Reason = Callable[[EvaluatorBase], str]

FEW = 2
"""Of so many cells, where a law looks at gains, each of which may cost two scores."""

SMALL = 100
"""Up to so many empty cells a law asks for the gains of all of them where each costs two scores of a user's own."""


PLAYED = 8
"""Of so many moves, where a tracker only scores the board again and again, at a user's cost."""


@dataclass(frozen=True)
class Law:
    """A law: its name, what it looks at, why an evaluator need not keep it, and how a line of Python names it."""

    name: str
    check: Check
    exempts: Reason
    source: str

    @property
    def says(self) -> str:
        """The law in a sentence."""
        return (self.check.__doc__ or self.name).strip().partition("\n")[0]

    def __repr__(self) -> str:
        return f"<Law {self.name!r}>"


class BrokenError(AssertionError):
    """What is wrong, and on which board if moves were played; :mod:`~gomoku_patterns.testing.checking` shows it."""

    def __init__(self, problem: str, board: Board | None = None) -> None:
        self.board = board
        super().__init__(problem)


def law(exempts: Reason = lambda _evaluator: "") -> Callable[[Check], Law]:
    """Make a law of a function that raises :class:`BrokenError`; ``exempts`` says why it is not asked, or nothing."""

    def make(check: Check) -> Law:
        name = check.__name__.replace("_", " ")
        return Law(name, check, exempts, repr(name))

    return make


def _unless_claimed(claim: str) -> Reason:
    return lambda evaluator: "" if getattr(evaluator, claim) else f"it does not claim to be {claim}"


def _unless_own(*methods: str) -> Reason:
    """What follows from the score is not asked."""
    listed = " and ".join([", ".join(methods[:-1]), methods[-1]] if len(methods) > 1 else methods)
    return lambda evaluator: "" if _own(evaluator, *methods) else f"it has no {listed} of its own"


def _own(evaluator: EvaluatorBase, *methods: str) -> bool:
    """Whether an evaluator has its own way of answering."""
    own = vars(evaluator)
    return any(name in own or getattr(type(evaluator), name) is not getattr(EvaluatorBase, name) for name in methods)


def _same(what: str, found: object, wanted: object, but: str, board: Board | None = None) -> None:
    if found != wanted:
        raise BrokenError(f"{what} is {found}, but {but} {wanted}", board)


def _names(board: Board, cells: Iterable[Cell]) -> str:
    return " ".join(board.name(cell) for cell in cells) or "nothing"


# ---------------------------------------------------------------------- scores and trackers


@law()
def the_board_is_left_alone(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Asking changes nothing, and asking again gives the same answer."""
    before = board.copy()
    first = (evaluator.score(board), [evaluator.gain(board, cell) for cell in cells[:FEW]])
    if board != before:
        raise BrokenError("score() or gain() changes the board it is given", before)
    again = (evaluator.score(board), [evaluator.gain(board, cell) for cell in cells[:FEW]])
    _same("asked again, the score", again[0], first[0], "the first time it was")
    _same(f"asked again, the list of the gains on {_names(board, cells[:FEW])}", again[1], first[1], "first it was")


@law()
def incremental_equals_scratch(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """A tracker that has played knows what the evaluator says of the position from scratch."""
    tracker, played = evaluator.tracker(board), board.copy()
    cells = _played(evaluator, cells)
    gains = _own(evaluator, "gain", "tracker")
    _compare_tracker(evaluator, tracker, played, cells[:FEW] if gains else [])
    for number, cell in enumerate(cells, 1):
        tracker.play(cell)
        played.push(cell)
        _compare_tracker(evaluator, tracker, played, cells[number : number + FEW] if gains else [])


def _played(evaluator: EvaluatorBase, cells: list[Cell]) -> list[Cell]:
    """As many moves as are worth playing: a tracker of the evaluator's own may go wrong only after many."""
    return cells if evaluator.table is not None or _own(evaluator, "gain", "tracker") else cells[:PLAYED]


def _compare_tracker(evaluator: EvaluatorBase, tracker: Tracker, board: Board, cells: list[Cell]) -> None:
    _same("the tracker's turn", tracker.turn, board.turn, "it is the turn of", board)
    _same("the tracker's score", tracker.score, evaluator.score(board), "from scratch it is", board)
    for cell in cells:
        for colour in Colour:
            what = f"the tracker's gain of {colour} on {board.name(cell)}"
            _same(what, tracker.gain(cell, colour), evaluator.gain(board, cell, colour), "from scratch it is", board)


@law()
def undo_restores(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """After taking back, however many moves, a tracker says what it said before; played again, what it said then."""
    tracker, played = evaluator.tracker(board), board.copy()
    cells = _played(evaluator, cells)
    looked_at = cells if _own(evaluator, "gain", "tracker") else []
    ranks = _ranks_itself(evaluator, tracker)
    ranking = tracker.ranked(width=5) if ranks else []
    said = [_said(tracker, looked_at[:FEW])]
    for number, cell in enumerate(cells):
        colour = Colour(1 + number % 2)
        tracker.play(cell, colour)
        played.push(cell, colour)
        said.append(_said(tracker, looked_at[number + 1 : number + 1 + FEW]))
    for number, cell in reversed(list(enumerate(cells))):
        tracker.undo()
        _restored(tracker, looked_at[number:], said[number], f"with {board.name(cell)} taken back,", played)
    if ranks:
        now = _names(board, tracker.ranked(width=5))
        _same("with everything taken back, the ranking", now, _names(board, ranking), "before it was", played)
    for number, cell in enumerate(cells):
        tracker.play(cell, Colour(1 + number % 2))
        _restored(tracker, looked_at[number + 1 :], said[number + 1], f"with {board.name(cell)} played again,", played)


def _ranks_itself(evaluator: EvaluatorBase, tracker: Tracker) -> bool:
    """Whether a tracker's ranking is more than the scores of all moves, which would take long and prove nothing."""
    own = getattr(type(tracker), "ranked", None) is not BoardTracker.ranked
    return own or evaluator.table is not None or _own(evaluator, "gains", "ranked")


def _said(tracker: Tracker, cells: list[Cell]) -> tuple[int, Colour, list[int]]:
    return tracker.score, tracker.turn, [tracker.gain(cell) for cell in cells]


def _restored(
    tracker: Tracker, cells: list[Cell], before: tuple[int, Colour, list[int]], when: str, board: Board
) -> None:
    now = _said(tracker, cells[: len(before[2])])
    for what, found, wanted in zip(("score", "turn"), now, before, strict=False):
        _same(f"{when} the tracker's {what}", found, wanted, "it was", board)
    for cell, found, wanted in zip(cells, now[2], before[2], strict=False):
        _same(f"{when} the tracker's gain on {board.name(cell)}", found, wanted, "it was", board)


def _affordable(evaluator: EvaluatorBase, board: Board) -> bool:
    """Whether the gains of all cells may be asked for."""
    return evaluator.table is not None or _own(evaluator, "gains") or len(board.empties()) <= SMALL


# ---------------------------------------------------------------------- gains, lists and batches


def _unless_own_gain(evaluator: EvaluatorBase) -> str:
    return "" if evaluator.additive and _own(evaluator, "gain") else "it has no additive gain of its own"


@law(_unless_own_gain)
def gains_change_the_score(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Where scores add up, the score after a move is the score before it plus its gain."""
    for cell in cells[:5]:
        played = board.copy()
        played.push(cell)
        expected = evaluator.score(board) + evaluator.gain(board, cell)
        what = f"the score after {board.turn} {board.name(cell)}"
        _same(what, evaluator.score(played), expected, "the score before it and its gain make")


@law(_unless_own("gains", "points", "ranked"))
def lists_agree(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """``gains``, ``points`` and ``ranked`` say of a cell what ``gain`` says of it."""
    for colour in Colour:
        gains = evaluator.gains(board, colour) if _affordable(evaluator, board) else None
        points = evaluator.points(board, colour) if gains is not None or _own(evaluator, "points") else None
        for cell in cells[:5]:
            gain, name = evaluator.gain(board, cell, colour), board.name(cell)
            if gains is not None:
                _same(f"{colour}'s {name} in gains()", int(gains[cell]), gain, "gain() says")
            if points is not None:
                point = gain if evaluator.additive else colour.sign * gain
                _same(f"{colour}'s {name} in points()", points[cell.row][cell.col], point, "by gain() it is")
        if gains is not None:
            _compare_ranking(evaluator, board, colour, gains)


def _compare_ranking(evaluator: EvaluatorBase, board: Board, colour: Colour, gains: Any) -> None:
    order = sorted(board.empties(), key=lambda cell: -colour.sign * int(gains[cell]))
    for width in (None, 3):
        found, wanted = evaluator.ranked(board, colour, width), order[:width]
        what = f"{colour}'s ranking" if width is None else f"{colour}'s ranking of width {width}"
        _same(what, _names(board, found), _names(board, wanted), "by its gains it is")


@law(_unless_own("scores"))
def batches_agree(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """``scores`` of many boards are the scores of each, with one turn for all or a turn for each."""
    import numpy as np

    played = [board.copy(moves=False)]
    for cell in cells[:5]:
        played.append(played[-1].copy())
        played[-1].push(cell)
        played[-1].turn = board.turn
    stack = np.stack([each.to_array() for each in played])
    wanted = [evaluator.score(each) for each in played]
    found = np.asarray(evaluator.scores(stack, to_move=board.turn)).tolist()
    _same("scores() of the boards from here on", found, wanted, "score() of each is")
    turns = [each.turn for each in played]
    found = np.asarray(evaluator.scores(stack, to_move=turns)).tolist()
    _same("scores() with a turn for each board", found, wanted, "score() of each is")


def _unless_own_explanation(evaluator: EvaluatorBase) -> str:
    return "" if evaluator.table or _own(evaluator, "explain") else "it has no explain of its own"


@law(_unless_own_explanation)
def explanations_add_up(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The score, and a move's gain, is the sum of its explanation."""
    _same("the sum of the explanation", evaluator.explain(board).total, evaluator.score(board), "the score is")
    for cell in cells[:FEW]:
        for colour in Colour:
            what = f"the sum of the explanation of {colour} on {board.name(cell)}"
            found = evaluator.explain(board, cell, colour).total
            _same(what, found, evaluator.gain(board, cell, colour), "the gain is")


# ---------------------------------------------------------------------- claims


def _unless_everywhere(evaluator: EvaluatorBase) -> str:
    if evaluator.table is not None:
        return "it is a table, which is compared with its reference"
    return "" if evaluator.everywhere else "it says everywhere = False"


@law(_unless_everywhere)
def every_cell_counts(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """A stone at the border counts in a row and a column in which a stone in the middle counts."""
    row, col = cells[0] if cells else Cell(board.rows // 2, board.cols // 2)
    middle = Cell(board.rows // 2, board.cols // 2)
    ends = (Cell(row, 0), Cell(row, board.cols - 1), Cell(0, col), Cell(board.rows - 1, col))
    for line, down in (("row", False), ("column", True)):
        if not _counts(evaluator, board, middle, down=down):
            continue
        for cell in ends[(row + col) % 2 :: 2]:  # two of the four on a board are enough for many boards
            if not _counts(evaluator, board, cell, down=down):
                raise BrokenError(
                    f"{board.turn} on {board.name(cell)} changes the score in no run of one to five stones along its "
                    f"{line}, but {board.name(middle)} does along its own; if that is meant, set everywhere = False"
                )


def _counts(evaluator: EvaluatorBase, board: Board, cell: Cell, *, down: bool) -> bool:
    """Whether a stone changes the score as a part of a run along its column, or else its row."""
    place, side = (cell.row, board.rows) if down else (cell.col, board.cols)
    for length in (5, 4, 3, 2, 1):
        start = min(place, side - length)
        run = [Cell(at, cell.col) if down else Cell(cell.row, at) for at in range(start, start + length)]
        rest = [each for each in run if each != cell]
        if _stones_score(evaluator, board, run) != _stones_score(evaluator, board, rest):
            return True
    return False


def _stones_score(evaluator: EvaluatorBase, board: Board, stones: list[Cell]) -> int:
    """The score of a board of the same size with these stones of the side to move and no others."""
    chosen = {str(board.turn): stones}
    alone = Board(board.rows, board.cols, turn=board.turn.opponent, rule=board.rule, **chosen)
    try:
        return evaluator.score(alone)
    except Exception as error:
        raise BrokenError(f"it raised {error!r}", alone) from error


@law(_unless_claimed("antisymmetric"))
def colours_are_alike(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Exchanging the colours negates the score and the gains."""
    swapped = board.swap_colours()
    _same("the score with the colours exchanged", evaluator.score(swapped), -evaluator.score(board), "should be")
    for cell in cells[:5] if _own(evaluator, "gain") else ():
        what = f"the gain on {board.name(cell)} with the colours exchanged"
        _same(what, evaluator.gain(swapped, cell), -evaluator.gain(board, cell), "should be")


_TURNED = (
    "as it stands", "turned by 90 degrees", "turned by 180 degrees", "turned by 270 degrees", "mirrored left to right",
    "mirrored top to bottom", "mirrored along a diagonal", "mirrored along the other diagonal",
)  # fmt: skip


@law(_unless_claimed("symmetric"))
def the_eight_symmetries_are_alike(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Turning and mirroring the board leaves scores and gains alone."""
    looked_at = cells[:5] if _own(evaluator, "gain") else []
    score, gains = evaluator.score(board), [evaluator.gain(board, cell) for cell in looked_at]
    for symmetry in SYMMETRIES:
        turned, how = board.transform(symmetry), f"with the board {_TURNED[symmetry]}"
        _same(f"{how} the score", evaluator.score(turned), score, "as the board stands it is")
        for cell, gain in zip(looked_at, gains, strict=True):
            found = evaluator.gain(turned, board.transform_cell(cell, symmetry))
            _same(f"{how} the gain on {board.name(cell)}", found, gain, "as the board stands it is")


@law(lambda evaluator: "" if evaluator.table else "it is not a table")
def reference_equals_native(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The native evaluator of a table and the pyahocorasick reference say the same."""
    if evaluator.table is not None:
        reference = as_evaluator(evaluator.table, native=False)
        native = as_evaluator(evaluator.table) if type(evaluator) is type(reference) else evaluator
        _compare(native, reference, "the reference says", board, cells[:5])


def agrees_with(other: object) -> Law:
    """The law that an evaluator says what another one says: a table, a path, or an object with ``score``.

    >>> from gomoku_patterns.testing import check_evaluator
    >>> report = check_evaluator("grade_dict", laws=[agrees_with("grade_dict")], max_examples=5, max_side=9)
    """
    model = as_evaluator(other)

    def check(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
        _compare(evaluator, model, f"{model.name} says", board, cells[:5])

    check.__doc__ = f"Scores and gains are those of {model.name}."
    shown = repr(other) if isinstance(other, str) else f"{type(other).__name__}()"
    return Law(f"agrees with {model.name}", check, lambda _evaluator: "", f"[agrees_with({shown})]")


def _compare(evaluator: EvaluatorBase, model: EvaluatorBase, but: str, board: Board, cells: list[Cell]) -> None:
    _same("the score", evaluator.score(board), model.score(board), but)
    for cell in cells:
        for colour in Colour:
            what = f"the gain of {colour} on {board.name(cell)}"
            _same(what, evaluator.gain(board, cell, colour), model.gain(board, cell, colour), but)


LAWS: tuple[Law, ...] = (
    the_board_is_left_alone,
    incremental_equals_scratch,
    undo_restores,
    gains_change_the_score,
    lists_agree,
    batches_agree,
    every_cell_counts,
    colours_are_alike,
    the_eight_symmetries_are_alike,
    reference_equals_native,
    explanations_add_up,
)
