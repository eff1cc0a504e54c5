"""The laws: what holds for every evaluator, or for those that claim it.

A law is asked only where it could fail: gains, lists, trackers and explanations that follow from an evaluator's score
need no check against that score. So a class with nothing but a ``score`` in plain Python is checked in seconds.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, overload

from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import MAX_SIDE, Cell, Colour
from gomoku_patterns.evaluator import BoardTracker, EvaluatorBase, Tracker, UserEvaluator, as_evaluator
from gomoku_patterns.rules import Rule
from gomoku_patterns.testing.repeating import is_importable
from gomoku_patterns.testing.usual_boards import always_tried

Check = Callable[[EvaluatorBase, Board, list[Cell]], None]
"""Looks at an evaluator, a board, and empty cells of it that are to be played or looked at."""

Reason = Callable[[EvaluatorBase], str]

FEW = 2
"""Of so many cells, where a law looks at gains, each of which may cost two scores."""

SMALL = 100
"""Up to so many empty cells a law asks for the gains of all of them where each costs two scores of a user's own."""

PLAYED = 8
"""Of so many moves, where a tracker only scores the board again and again, at a user's cost."""


REPEATS = 20
"""This many times a score is asked for again, so that rare noise shows among the boards of a run."""

FRESH_SCORES: ContextVar[Callable[[Sequence[Board]], list[int] | None] | None] = ContextVar("fresh", default=None)
"""Scores boards with a copy of the evaluator that was never asked anything; None where there can be no such copy."""

PROGRESS: ContextVar[Callable[[], None]] = ContextVar("progress", default=lambda: None)
"""Called between the calls that a law makes, each of which has a time limit of its own."""


def _always_asked(_evaluator: EvaluatorBase) -> str:
    return ""


@dataclass(frozen=True)
class Law:
    """A law: its name, what it looks at, why an evaluator need not keep it, and the evaluator it compares with."""

    name: str
    check: Check
    exempts: Reason = _always_asked
    model: object = None

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


@overload
def law(exempts: Check, /) -> Law: ...
@overload
def law(exempts: Reason = ...) -> Callable[[Check], Law]: ...
def law(exempts: Any = _always_asked) -> Any:
    """Make a law of a function of an evaluator, a board and empty cells that raises an AssertionError.

    With ``@law(exempts)`` a function of the evaluator says why the law is not asked, or returns an empty text.

    >>> from gomoku_patterns.testing import check_laws
    >>> @law
    ... def an_empty_board_is_even(evaluator, board, cells):
    ...     assert len(board) or evaluator.score(board) == 0, "one side is ahead"
    >>> check_laws("grade_dict", Board(), laws=an_empty_board_is_even).asked
    [<Law 'an empty board is even'>]
    """
    if getattr(getattr(exempts, "__code__", None), "co_argcount", 1) == 3:
        return law_of(exempts)
    return lambda check: law_of(check, exempts)


def law_of(check: Check, exempts: Reason = _always_asked) -> Law:
    """Return the law of a function, which gives it its name."""
    return Law(check.__name__.replace("_", " "), check, exempts)


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
    PROGRESS.get()()
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
def answers_repeat(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Asking for the same score again, however often, gives the same answer."""
    first = evaluator.score(board)
    for _ in range(REPEATS if evaluator.table is None else 1):
        _same("asked again, the score", evaluator.score(board), first, "the first time it was")


@law()
def nothing_is_remembered(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """After scoring other boards an evaluator gives the score that a new copy of it gives."""
    first = evaluator.score(board)
    others = _relatives(board, cells)
    scores = [evaluator.score(other) for _, other in others]
    if cells:
        same_object = board.copy()
        evaluator.score(same_object)
        same_object.push(cells[0])
        wanted = evaluator.score(same_object.copy())
        what = f"after {board.name(cells[0])} was played on a board that was scored before, the score"
        _same(what, evaluator.score(same_object), wanted, "on a copy of that board it is", same_object)
    _same("after similar boards were scored, the score", evaluator.score(board), first, "before it was")
    fresh = FRESH_SCORES.get()
    if fresh is None or evaluator.table is not None:
        return
    # In the opposite order, so that what was remembered of one board shows on the other.
    answers = fresh([other for _, other in reversed(others)] + [board])
    if answers is None:
        return
    for (what, _other), found, wanted in zip(others, scores, reversed(answers[:-1]), strict=True):
        if found != wanted:
            raise BrokenError(
                f"after this board was scored, the score of {what} is {found}, but a new copy that is asked first "
                f"about {what} says {wanted}"
            )
    _same("after other boards were scored, the score", first, answers[-1], "a new copy says")


def _relatives(board: Board, cells: list[Cell]) -> list[tuple[str, Board]]:
    """Boards that are easily taken for this one, each with a name."""
    flipped = board.copy(moves=False)
    flipped.turn = board.turn.opponent
    ruled = board.copy(moves=False)
    ruled.rule = Rule.RENJU if board.rule is not Rule.RENJU else Rule.FREESTYLE
    found = [("the board with the other side to move", flipped), ("the board under another rule", ruled)]
    found.append(("the board with the colours exchanged", board.swap_colours()))
    found.append(("the board turned by 90 degrees", board.transform(1)))
    found.append(("the same cells on a board of another shape", _reshaped(board)))
    stones = [cell for cell in board.cells() if board[cell] is not None]
    if stones:
        found.append(("the board without its first stone", _without(board, stones[0])))
        found.append(("the board without its last stone", _without(board, stones[-1])))
    for cell in cells[:1]:
        for colour in Colour:
            more = board.copy(moves=False)
            more.push(cell, colour)
            more.turn = board.turn
            found.append((f"the board with a {colour} stone on {board.name(cell)}", more))
    for cell in cells[1:2]:
        moved = _without(board, stones[0]) if stones else board.copy(moves=False)
        moved.push(cell, board[stones[0]] if stones else None)
        moved.turn = board.turn
        found.append((f"the board with its first stone on {board.name(cell)} instead", moved))
    return found


def _reshaped(board: Board) -> Board:
    """The same cells, row by row, on a board of other sides; or the same stones on a larger or a smaller board."""
    if board.rows != board.cols:
        stones = board.to_array().reshape(board.cols, board.rows)
        return Board.from_array(stones, turn=board.turn, rule=board.rule)
    side = board.rows + (1 if board.rows < MAX_SIDE else -1)
    kept = {colour: [cell for cell in board.stones(colour) if max(cell) < side] for colour in Colour}
    return Board(side, black=kept[Colour.BLACK], white=kept[Colour.WHITE], turn=board.turn, rule=board.rule)


def _without(board: Board, cell: Cell) -> Board:
    kept = {colour: [stone for stone in board.stones(colour) if stone != cell] for colour in Colour}
    sides = {"black": kept[Colour.BLACK], "white": kept[Colour.WHITE]}
    return Board(board.rows, board.cols, turn=board.turn, rule=board.rule, **sides)


@law()
def scores_fit_64_bits(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """Scores and gains fit 64 bits with their sign, as arrays of scores and the searches hold them."""
    found = [("the score", evaluator.score(board))]
    if _own(evaluator, "gain"):
        found += [(f"the gain on {board.name(cell)}", evaluator.gain(board, cell)) for cell in cells[:FEW]]
    for what, value in found:
        if not -(2**63) <= value < 2**63:
            raise BrokenError(f"{what} is {value}, which does not fit 64 bits")


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
    PROGRESS.get()()
    return tracker.score, tracker.turn, [_gain(tracker, cell) for cell in cells]


def _gain(tracker: Tracker, cell: Cell, colour: Colour | None = None) -> int:
    gain = tracker.gain(cell, colour)
    PROGRESS.get()()
    return gain


def _restored(
    tracker: Tracker, cells: list[Cell], before: tuple[int, Colour, list[int]], when: str, board: Board
) -> None:
    now = _said(tracker, cells[: len(before[2])])
    for what, found, wanted in zip(("score", "turn"), now, before, strict=False):
        _same(f"{when} the tracker's {what}", found, wanted, "it was", board)
    for cell, found, wanted in zip(cells, now[2], before[2], strict=False):
        _same(f"{when} the tracker's gain on {board.name(cell)}", found, wanted, "it was", board)


@law(_unless_own("tracker"))
def trackers_keep_their_contract(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """A tracker plays either colour on a board of its own, shows a copy of it, ranks by its gains, shares nothing."""
    before, played = board.copy(), board.copy()
    tracker, second = evaluator.tracker(board), evaluator.tracker(board)
    waiting = second.score
    _compare_shown(tracker, "a new tracker's board", played)
    for number, cell in enumerate(cells[:PLAYED]):
        colour = Colour(1 + number // 2 % 2)
        tracker.play(cell, colour)
        played.push(cell, colour)
        after = f"after {colour} {board.name(cell)} was played on the tracker,"
        if (board, board.moves) != (before, before.moves):
            raise BrokenError(f"{after} it stands on the board the tracker was made of", before)
        _compare_shown(tracker, f"{after} its board", played)
        _same(f"{after} its turn", tracker.turn, played.turn, "it should be", played)
        _same(f"{after} its score", tracker.score, evaluator.score(played), "from scratch it is", played)
        _compare_shown(second, f"{after} another tracker's board", before)
        _same(f"{after} another tracker's score", second.score, waiting, "before it was", played)
    _stands_alone(tracker, board, played)
    _compare_tracker_ranking(evaluator, tracker, played)
    for cell in cells[:1]:
        score = tracker.score
        second.play(cell)
        _same(
            f"after another tracker played {board.name(cell)}, the score", tracker.score, score, "before it was", played
        )


def _compare_shown(tracker: Tracker, what: str, wanted: Board) -> None:
    shown = tracker.board
    if (shown.rows, shown.cols, shown.flat, shown.turn) != (wanted.rows, wanted.cols, wanted.flat, wanted.turn):
        places = [wanted.name(cell) for cell in wanted.cells() if _stone(shown, cell) != wanted[cell]]
        where = f"differs on {' '.join(places[:5])}" if places else f"has {shown.turn} to move, not {wanted.turn}"
        raise BrokenError(f"{what} {where}", wanted)


def _stone(board: Board, cell: Cell) -> object:
    return board[cell] if cell.row < board.rows and cell.col < board.cols else "nothing"


def _stands_alone(tracker: Tracker, board: Board, played: Board) -> None:
    """Check that neither the board a tracker shows nor the one it was made of is its own."""
    free = played.empties()
    if not free:
        return
    score = tracker.score
    tracker.board.push(free[-1])
    _compare_shown(tracker, "after a move on a copy of its board, the tracker's board", played)
    board.push(free[-1])
    _compare_shown(tracker, "after a move on the board it was made of, the tracker's board", played)
    _same(
        "after a move on the board it was made of, the tracker's score", tracker.score, score, "before it was", played
    )


def _compare_tracker_ranking(evaluator: EvaluatorBase, tracker: Tracker, played: Board) -> None:
    own = getattr(type(tracker), "ranked", None) is not BoardTracker.ranked
    if not own or not _affordable(evaluator, played):
        return
    for colour in Colour:
        gains = {cell: _gain(tracker, cell, colour) for cell in played.empties()}
        order = sorted(gains, key=lambda cell: -colour.sign * gains[cell])
        for width in (None, 3):
            found, what = tracker.ranked(colour, width), f"the tracker's ranking for {colour}"
            what += "" if width is None else f" of width {width}"
            _same(what, _names(played, found), _names(played, order[:width]), "by its gains it is", played)


def _affordable(evaluator: EvaluatorBase, board: Board) -> bool:
    """Whether the gains of all cells may be asked for."""
    return evaluator.table is not None or _own(evaluator, "gains") or len(board.empties()) <= SMALL


# ---------------------------------------------------------------------- gains, lists and batches


def _unless_own_gain(evaluator: EvaluatorBase) -> str:
    if not _own(evaluator, "gain") or (evaluator.table is not None and not evaluator.additive):
        return "it has no gain of its own" if evaluator.table is None else "its gains are no changes of the score"
    return "it says additive = False" if _says_not_additive(evaluator) else ""


def _says_not_additive(evaluator: EvaluatorBase) -> bool:
    if isinstance(evaluator, UserEvaluator):
        return not getattr(evaluator.subject, "additive", True)
    return not evaluator.additive


@law(_unless_own_gain)
def gains_change_the_score(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The gain of a stone of either colour is the difference of the scores after it and before it."""
    hint = "" if evaluator.table is not None else " (if gain() is meant to be something else, say additive = False)"
    for number, cell in enumerate(cells[:5]):
        for colour in (board.turn, board.turn.opponent)[: 2 if number < FEW else 1]:
            before = board.copy()
            before.turn = colour
            played = before.copy()
            played.push(cell)
            change = evaluator.score(played) - evaluator.score(before)
            gain = evaluator.gain(board, cell, colour)
            if gain != change:
                name = board.name(cell)
                raise BrokenError(
                    f"the gain of {colour} on {name} is {gain}, but {name} changes the score by {change}{hint}"
                )


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
    """``scores`` of 0, 1, 65 and 129 boards are the scores of each, whoever moves; 2 and -1 are white."""
    import numpy as np

    played = [board.copy(moves=False)]
    for cell in cells[:5]:
        played.append(played[-1].copy())
        played[-1].push(cell)
        played[-1].turn = board.turn
    stack = np.stack([each.to_array() for each in played])
    wanted = [evaluator.score(each) for each in played]
    _compare_batch(evaluator, "scores() of the boards from here on", stack, board.turn, wanted)
    turns = [each.turn for each in played]
    _compare_batch(evaluator, "scores() with a turn for each board", stack, turns, wanted)
    _compare_batch(evaluator, "scores() with -1 for white", np.where(stack == 2, -1, stack), board.turn, wanted)
    for count in BATCHES:
        many = np.resize(stack, (count, board.rows, board.cols))
        scores = [wanted[at % len(wanted)] for at in range(count)]
        _compare_batch(evaluator, f"scores() of {count} boards", many, board.turn, scores)


BATCHES = (0, 1, 65, 129)
"""Batches are tried with these numbers of boards: chunks often have 64."""


def _compare_batch(evaluator: EvaluatorBase, what: str, stack: Any, to_move: Any, wanted: list[int]) -> None:
    import numpy as np

    given = stack.copy()
    found = np.asarray(evaluator.scores(given, to_move=to_move)).tolist()
    if not np.array_equal(given, stack):
        raise BrokenError(f"{what} changes the array it is given")
    if len(found) == len(wanted) and len(found) > len(BATCHES) + 2:  # too long to be read: the first that differs
        wrong = next((at for at, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1]), 0)
        _same(f"number {wrong + 1} in {what}", found[wrong], wanted[wrong], "score() of it is")
    _same(what, found, wanted, "score() of each is")


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


def _unless_turn_claimed(evaluator: EvaluatorBase) -> str:
    if evaluator.table is not None:
        constant = evaluator.table.scan == "line" and not evaluator.table.uses_turn
        return "" if constant else "it is a table whose scores may differ with the turn"
    return "it does not say whether turn_matters" if evaluator.turn_matters is None else ""


@law(_unless_turn_claimed)
def the_turn_matters_as_claimed(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """With ``turn_matters = False`` the score is the same whoever is to move; with True there is a board where not."""
    if evaluator.turn_matters:
        _matters_somewhere(evaluator, board, "turn", list(Colour))
        return
    other = board.copy()
    other.turn = board.turn.opponent
    hint = "" if evaluator.table is not None else " (if that is meant, say turn_matters = True)"
    if (found := evaluator.score(other)) != (score := evaluator.score(board)):
        raise BrokenError(f"the score is {score}, but {found} with {other.turn} to move{hint}")


@law(lambda evaluator: "it is a table, and tables know no rules" if evaluator.table else "")
def the_rule_matters_as_claimed(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """The score is the same under every rule, or with ``rule_matters = True`` differs on some board."""
    if evaluator.rule_matters:
        _matters_somewhere(evaluator, board, "rule", list(Rule))
        return
    score, other = evaluator.score(board), board.copy()
    for rule in Rule:
        other.rule = rule
        if rule is not board.rule and (found := evaluator.score(other)) != score:
            hint = "(if that is meant, say rule_matters = True)"
            raise BrokenError(f"the score is {score}, but {found} under the rule {rule.value} {hint}")


def _matters_somewhere(evaluator: EvaluatorBase, board: Board, what: str, values: list[Any]) -> None:
    """Check that the turn or the rule changes the score of this board or of one that is always tried."""
    for tried in (board, *(each for each, _ in always_tried(MAX_SIDE))):
        one, scores = tried.copy(moves=False), set()
        for value in values:
            setattr(one, what, value)
            scores.add(evaluator.score(one))
        if len(scores) > 1:
            return
    raise BrokenError(f"the {what} changes the score of no board that was tried, but it says {what}_matters = True")


def _unless_importable(evaluator: EvaluatorBase) -> str:
    subject = evaluator.subject if isinstance(evaluator, UserEvaluator) else evaluator
    if evaluator.table is not None:
        return "it is a table, which other processes make again"
    if not getattr(subject, "picklable", True):
        return "it says picklable = False"
    named: Any = subject if hasattr(subject, "__qualname__") else type(subject)
    return "" if is_importable(named) else "other processes could not import it"


@law(_unless_importable)
def pickled_copies_agree(evaluator: EvaluatorBase, board: Board, cells: list[Cell]) -> None:
    """A pickled copy, as work in several processes needs it, gives the same score."""
    subject = evaluator.subject if isinstance(evaluator, UserEvaluator) else evaluator
    try:
        copy = as_evaluator(pickle.loads(pickle.dumps(subject)))
    except Exception as error:
        raise BrokenError(
            f"it cannot be pickled, so it cannot work in several processes: {error!r} "
            "(if it never has to, say picklable = False)"
        ) from error
    _same("the score of its pickled copy", copy.score(board), evaluator.score(board), "its own is")


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
    return Law(f"agrees with {model.name}", check, model=other)


def _compare(evaluator: EvaluatorBase, model: EvaluatorBase, but: str, board: Board, cells: list[Cell]) -> None:
    _same("the score", evaluator.score(board), model.score(board), but)
    for cell in cells:
        for colour in Colour:
            what = f"the gain of {colour} on {board.name(cell)}"
            _same(what, evaluator.gain(board, cell, colour), model.gain(board, cell, colour), but)


LAWS: tuple[Law, ...] = (
    the_board_is_left_alone,
    answers_repeat,
    nothing_is_remembered,
    incremental_equals_scratch,
    undo_restores,
    trackers_keep_their_contract,
    gains_change_the_score,
    lists_agree,
    batches_agree,
    scores_fit_64_bits,
    every_cell_counts,
    colours_are_alike,
    the_eight_symmetries_are_alike,
    the_turn_matters_as_claimed,
    the_rule_matters_as_claimed,
    pickled_copies_agree,
    reference_equals_native,
    explanations_add_up,
)
