"""Evaluators put through the laws: on one board, or on as many as Hypothesis draws."""

from __future__ import annotations

import functools
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import MAX_SIDE, Cell
from gomoku_patterns.draw import board_text
from gomoku_patterns.errors import GomokuError, unknown
from gomoku_patterns.evaluator import OPTIONAL_METHODS, EvaluatorBase, UserEvaluator, as_evaluator
from gomoku_patterns.quantities import duration
from gomoku_patterns.testing.laws import (
    FRESH_SCORES,
    LAWS,
    PROGRESS,
    BrokenError,
    Check,
    Law,
    answers_repeat,
    law_of,
    nothing_is_remembered,
)
from gomoku_patterns.testing.pristine import Pristine, PristineError, can_copy
from gomoku_patterns.testing.reducing import Example, reduced
from gomoku_patterns.testing.repeating import Step, evaluator_expression, repeating_line
from gomoku_patterns.testing.strategies import boards as any_boards
from gomoku_patterns.testing.strategies import games, positions
from gomoku_patterns.testing.time_limit import CallTimedOut, CallTimeLimit
from gomoku_patterns.testing.usual_boards import always_tried

if TYPE_CHECKING:
    from gomoku_patterns.draw import Picture

Laws = Law | str | Check | Sequence[Law | str | Check]
"""Laws, their names, or plain functions that check a law."""

SMALL_SIDE = 9

CALL_SECONDS = 5.0
"""A call of an evaluator that takes longer hangs."""

PRISTINE_SECONDS = 10.0
"""A new copy of an evaluator has this long to answer; so has the search for what it has to be asked before."""

NOISE_REPEATS = 10_000
"""The line that repeats rare noise asks this many times."""

HISTORY = 6
"""A line asks about at most this many boards before the one that fails."""

_CELLS = st.integers(0, MAX_SIDE * MAX_SIDE - 1)


class LawBrokenError(AssertionError):
    """A law does not hold; the message shows the board with the moves played, and a line of Python that repeats it.

    ``board`` is that board, with the moves, and :meth:`picture` draws it.
    """

    def __init__(self, law: Law, message: str, board: Board | None = None, played: Sequence[Cell] = ()) -> None:
        self.law = law
        self.board = board
        self.played = tuple(played)
        super().__init__(message)

    def picture(self, **options: Any) -> Picture:
        """Return the board as an SVG picture, the moves played on it numbered; a notebook shows it."""
        if self.board is None:
            raise GomokuError("this failure has no board to draw")
        return self.board.picture(**{"numbers": self.played, "last": False, "title": self.law.name, **options})


class LawNotAskedWarning(UserWarning):
    """A law was not asked because the evaluator says neither that it keeps it nor that it does not."""


@dataclass
class Report:
    """Which laws were asked of an evaluator, on how many boards, for how long, and which were not, and why."""

    evaluator: str
    boards: dict[Law, int] = field(default_factory=dict)
    seconds: dict[Law, float] = field(default_factory=dict)
    not_asked: dict[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> list[Law]:
        """The laws that were asked."""
        return list(self.boards)

    def __str__(self) -> str:
        lines = [f"{self.evaluator} keeps {len(self.boards)} laws"]
        lines += [f"  {law.name:32} {self.line(law)}" for law in self.boards]
        lines += [f"  {name:32} not asked: {why}" for name, why in self.not_asked.items()]
        return "\n".join(lines)

    def line(self, law: Law) -> str:
        """On how many boards a law was asked, and how long that took."""
        return f"{self.boards.get(law, 0):5} boards  {duration(self.seconds.get(law, 0.0)):>8}"

    def count(self, law: Law, seconds: float) -> None:
        """Count a board on which a law held."""
        self.boards[law] = self.boards.get(law, 0) + 1
        self.seconds[law] = self.seconds.get(law, 0.0) + seconds


# ---------------------------------------------------------------------- one board


def check_laws(
    evaluator: object,
    board: Board,
    cells: str | Iterable[int | CellLike] = (0, 7, 40),
    laws: Laws = LAWS,
    *,
    after: Sequence[tuple[Board, str, Laws]] = (),
    call_seconds: float | None = CALL_SECONDS,
) -> Report:
    """Put one board through the laws. The empty ``cells``, such as ``"h8 h9"``, are played and looked at.

    A number among them stands for one of the cells that are empty, counted row by row. A call of the evaluator that
    takes longer than ``call_seconds`` breaks the law; None lets it take as long as it likes. ``after`` holds boards
    with cells and laws that are checked before on the same evaluator, for one that remembers something.
    """
    __tracebackhide__ = True
    steps = [*after, (board, cells, laws)]
    found = [(each, _chosen(each, chosen), _found(asked)) for each, chosen, asked in steps]
    asked = list(dict.fromkeys(law for _, _, laws in found for law in laws))
    with _trial_of(evaluator, asked, call_seconds, judged=False) as trial:
        done: list[Step] = []
        for each, chosen, laws_of_step in found:
            for law in laws_of_step:
                if law not in trial.suspects:
                    continue
                done.append((law, each, chosen))
                if fault := trial.fault(law, each, chosen):
                    raise trial.error(fault, done if after else done[-1:]) from fault.cause
        return trial.report


@dataclass
class Fault:
    """A law that does not hold on a board: what is wrong, and the board to show, with the moves played."""

    law: Law
    problem: str
    board: Board
    cells: list[Cell]
    shown: Board
    cause: BaseException | None = None
    hangs: bool = False


class _WatchedEvaluator(UserEvaluator):
    """A user's evaluator whose calls are measured; it keeps the board it was last asked about."""

    def __init__(self, subject: object, limit: CallTimeLimit) -> None:
        super().__init__(subject)
        self.limit, self.last_board = limit, Board(5)
        for name, method in list(vars(self).items()):
            if name in OPTIONAL_METHODS:
                setattr(self, name, self._timed(method))

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def timed(*given: Any, **named: Any) -> Any:
            self.limit.restart()
            answer = method(*given, **named)
            self.limit.restart()
            return answer

        return timed

    def __reduce__(self) -> tuple[object, ...]:
        return UserEvaluator, (self.subject,)

    def score(self, board: Board) -> int:
        self.limit.restart()
        self.last_board = board
        score = super().score(board)
        self.limit.restart()
        return score


@contextmanager
def _trial_of(subject: object, laws: list[Law], call_seconds: float | None, *, judged: bool = True) -> Iterator[_Trial]:
    trial = _Trial(subject, laws, call_seconds, judged=judged)
    try:
        yield trial
    finally:
        trial.close()


class _Trial:
    """An evaluator on trial, the laws that are asked of it, and the report about it."""

    def __init__(self, subject: object, laws: list[Law], call_seconds: float | None, *, judged: bool) -> None:
        self.limit = CallTimeLimit(call_seconds)
        self.evaluator = as_evaluator(subject)
        if isinstance(self.evaluator, UserEvaluator):
            self.subject = self.evaluator.subject
            self.evaluator = _WatchedEvaluator(self.subject, self.limit)
        else:
            self.subject = subject
        self.report = Report(self.evaluator.name)
        reasons = {law: law.exempts(self.evaluator) for law in laws}
        self.report.not_asked |= {law.name: why for law, why in reasons.items() if why}
        self.suspects = [law for law, why in reasons.items() if not why]
        self._laws = list(self.suspects)
        self._written = evaluator_expression(self.subject)
        own = self.evaluator.table is None and can_copy()
        self._scorer = Pristine(self._scores) if own and nothing_is_remembered in self._laws else None
        self._judge = Pristine(self._judged) if own and judged else None

    def close(self) -> None:
        """End the copies of this process."""
        for copy in (self._scorer, self._judge):
            if copy is not None:
                copy.close()

    # -- what new copies say

    def _scores(self, boards: Sequence[Board]) -> list[int]:
        return [self.evaluator.score(board) for board in boards]

    def fresh_scores(self, boards: Sequence[Board]) -> list[int] | None:
        """Return the scores of a copy that was asked nothing before; None if there is no such copy."""
        if self._scorer is None:
            return None
        try:
            found: list[int] = self._scorer.ask(boards, PRISTINE_SECONDS)
        except PristineError:
            return None
        return found

    def _judged(self, steps: Sequence[tuple[int, Board, list[Cell]]]) -> tuple[str, Board] | None:
        """What is wrong with the last of some checks, made in a process that has not asked the evaluator before."""
        self._scorer = None
        if any(self._laws[number] is nothing_is_remembered for number, _, _ in steps):
            self._scorer = Pristine(self._scores)
        try:
            fault = None
            for number, board, cells in steps:
                fault = self.fault(self._laws[number], board, cells)
            return (fault.problem, fault.shown) if fault else None
        finally:
            if self._scorer is not None:
                self._scorer.close()

    def fresh_fault(self, steps: Sequence[Step]) -> Fault | None:
        """Return the fault that a new copy shows in the last of the steps, after those before it."""
        law, board, cells = steps[-1]
        if self._judge is None:
            return None
        try:
            numbered = [(self._laws.index(one), each, chosen) for one, each, chosen in steps]
            found = self._judge.ask(numbered, PRISTINE_SECONDS)
        except PristineError:
            self._judge = None
            return None
        return Fault(law, found[0], board, cells, found[1]) if found else None

    @property
    def has_judge(self) -> bool:
        """Whether a new copy can be asked."""
        return self._judge is not None

    # -- what this process says

    def fault(self, law: Law, board: Board, cells: list[Cell]) -> Fault | None:
        """Check a law on a board, count the board if the law holds, and return what is wrong if it does not."""
        began, given = perf_counter(), board.copy()
        fresh, progress = FRESH_SCORES.set(self.fresh_scores), PROGRESS.set(self.limit.restart)
        hangs = False
        cause: BaseException | None
        try:
            with self.limit:
                law.check(self.evaluator, given, list(cells))
        except BrokenError as broken:
            problem, cause, shown = str(broken), broken.__cause__, broken.board
        except CallTimedOut as error:
            problem = f"a call took longer than {self.limit.seconds:g} s and was ended"
            cause, shown, hangs = error, self._last_asked(board), True
        except Exception as error:
            own = _is_of_the_law(law, error)
            problem = str(error) or _last_line(error) if own else _raised(error)
            cause, shown = (None, board) if own else (error, self._last_asked(board))
        else:
            self.report.count(law, perf_counter() - began)
            return None
        finally:
            FRESH_SCORES.reset(fresh)
            PROGRESS.reset(progress)
        return Fault(law, problem, board, cells, shown or board, cause, hangs)

    def _last_asked(self, board: Board) -> Board:
        """The board an evaluator was asked about when it raised, if moves were played on the one that was given."""
        last = getattr(self.evaluator, "last_board", board)
        if (last.rows, last.cols) != (board.rows, board.cols):
            return board if last.flat == Board(5).flat else last.copy()
        return board if last == board else last.copy()

    # -- what a user reads

    def error(self, fault: Fault, steps: Sequence[Step], note: str = "", times: int = 1) -> LawBrokenError:
        """Return the error that shows everything; the steps are what a line of Python has to do to repeat it."""
        shown, board = fault.shown, fault.board
        before = len(board.moves) if shown.moves[: len(board.moves)] == board.moves else 0
        played = [move.cell for move in shown.moves[before:]]
        names = " ".join(shown.name(cell) for cell in played)
        lines = [
            f"law {fault.law.name!r} does not hold for {self.evaluator.name}: {fault.problem}",
            "",
            board_text(shown, numbers=played, last=False, unicode=False),
            f"    {shown.turn} to move" + (f", played: {names}" if names else ""),
            "",
            *([note, ""] if note else []),
            f"not asked: {', '.join(self.report.not_asked) or 'nothing'}",
            f"to repeat it: {repeating_line(self._written, list(steps), times)}"
            if steps
            else "no short line repeats it",
        ]
        return LawBrokenError(fault.law, "\n".join(lines), shown, played)


def _is_of_the_law(law: Law, error: Exception) -> bool:
    """Whether an error is an assertion of the law itself, and not one of the evaluator."""
    code = getattr(law.check, "__code__", None)
    last = traceback.extract_tb(error.__traceback__)[-1]
    return (
        isinstance(error, AssertionError)
        and code is not None
        and (last.filename, last.name) == (code.co_filename, code.co_name)
    )


def _last_line(error: Exception) -> str:
    return str(traceback.extract_tb(error.__traceback__)[-1].line)


def _raised(error: Exception) -> str:
    """What an evaluator raised, and where in the user's own files."""
    kit = str(Path(__file__).resolve().parents[1])
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if not frame.filename.startswith(kit)]
    where = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno} in {frames[-1].name})" if frames else ""
    return f"it raised {error!r}{where}"


def _chosen(board: Board, cells: str | Iterable[int | CellLike]) -> list[Cell]:
    free, chosen = board.empties(), []
    for cell in cells.split() if isinstance(cells, str) else cells:
        if not isinstance(cell, int):
            chosen.append(free.pop(free.index(_empty(board, cell, free))))
        elif free:
            chosen.append(free.pop(cell % len(free)))
    return chosen


def _empty(board: Board, cell: CellLike, free: list[Cell]) -> Cell:
    place = board.cell(cell)
    if place not in free:
        raise GomokuError(f"{board.name(place)} is not empty, or given twice")
    return place


def _found(laws: Laws) -> list[Law]:
    chosen = [laws] if isinstance(laws, (Law, str)) or callable(laws) else laws
    return [_law(law) for law in chosen]


def _law(law: Law | str | Check) -> Law:
    if isinstance(law, str):
        return _by_name(law, {each.name: each for each in LAWS})
    return law if isinstance(law, Law) else law_of(law)


def _by_name(name: str, known: dict[str, Law]) -> Law:
    if name not in known:
        raise GomokuError(unknown("law", name, known))
    return known[name]


# ---------------------------------------------------------------------- many boards


def check_evaluator(
    evaluator: object,
    *,
    boards: st.SearchStrategy[Board] | None = None,
    max_examples: int = 100,
    max_side: int = MAX_SIDE,
    laws: Laws = LAWS,
    seconds: float | None = None,
    call_seconds: float | None = CALL_SECONDS,
) -> Report:
    """Put an evaluator (a table, its name or path, or an object with ``score``) through the laws on many boards.

    ``seconds`` is about how long it may take for all laws together, each having its share: a slow evaluator is then
    asked on fewer boards, as the report says. One call may take ``call_seconds``, or as long as it likes with None.

    Raises :class:`LawBrokenError` for the smallest board found on which a law does not hold: without ``boards`` of the
    caller's own, one from which no stone and no outer row or column can be taken. Otherwise the report says which laws
    were asked. A :class:`LawNotAskedWarning` is given for a law that was not because the evaluator leaves open whether
    it claims it: ``symmetric = False`` says that it does not.

    Unless ``boards`` are given, up to a fifth of the boards are the same in every run: a full board, and boards of the
    sides 15, 19 and 20 that are dense with patterns.
    """
    __tracebackhide__ = True
    with _trial_of(evaluator, _found(laws), call_seconds) as trial:
        _warn(trial)
        run = _Run(trial, None if seconds is None else seconds / max(1, len(trial.suspects)))
        error = run.error_on(boards, max_examples, max_side)
        if error is not None:
            raise error from error.__cause__
        return trial.report


class _Run:
    """Many boards put through the laws, up to the first fault."""

    def __init__(self, trial: _Trial, share: float | None) -> None:
        self.trial, self.share = trial, share
        self.suspects = list(trial.suspects)
        self.history: list[Step] = []
        self.found: Fault | None = None
        self._number = 0

    def error_on(
        self, boards: st.SearchStrategy[Board] | None, max_examples: int, max_side: int
    ) -> LawBrokenError | None:
        """Return the error of the smallest board found on which a law does not hold."""
        usual = always_tried(max_side)[: max_examples // 5] if boards is None else ()
        states = _random_states()
        try:
            if self.share is None:
                self._try_usual(usual)
            if self.found is None:
                self._try_drawn(boards, max_examples - len(usual), max_side)
            if self.found is None and self.share is not None:
                self._try_usual(usual)
            return self._settled(own=boards is not None) if self.found else None
        finally:
            for restore, state in states:
                restore(state)

    def _try_usual(self, usual: Sequence[Example]) -> None:
        for board, picks in usual:
            if self.found is None and self._left():
                self._try(board, _chosen(board, picks))

    def _left(self) -> list[Law]:
        """The laws that have time left."""
        spent = self.trial.report.seconds
        return [law for law in self.suspects if self.share is None or spent.get(law, 0.0) < self.share]

    def _try(self, board: Board, chosen: list[Cell]) -> Fault | None:
        self._number += 1
        _seed(self._number)
        for law in self._left():
            fault = self.trial.fault(law, board, chosen)
            if fault is not None:
                self.found = fault
                return fault
            self.history.append((law, board, chosen))
        return None

    def _try_drawn(self, boards: st.SearchStrategy[Board] | None, max_examples: int, max_side: int) -> None:
        drawn = boards if boards is not None else _default_boards(max_side)
        if boards is None and self.share is not None:
            # Small boards cost a slow evaluator little, and show most faults.
            drawn = _default_boards(min(max_side, SMALL_SIDE)) | drawn
        # Many moves at once in every other example: some faults only show after more moves than a few.
        cells = st.lists(_CELLS, max_size=5) | st.lists(_CELLS, min_size=7, max_size=30)
        phases = (Phase.generate, Phase.shrink) if boards is not None else (Phase.generate,)

        @settings(
            max_examples=max_examples,
            deadline=None,
            database=None,
            phases=phases,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            # Hypothesis would call it a failure when the time is up; our own errors say everything themselves.
            verbosity=Verbosity.quiet,
        )
        @given(drawn, cells)
        def keeps(board: Board, picks: list[int]) -> None:
            if not self._left():
                raise SkipTest("its time is up")  # which ends a run of Hypothesis at once
            fault = self._try(board, _chosen(board, picks))
            if fault is None:
                return
            if boards is None or fault.hangs:
                raise SkipTest("the board itself is made smaller")
            # Only the law that failed decides which smaller board still fails: the search should show that one.
            self.suspects, self.share = [fault.law], None
            raise BrokenError(fault.problem)

        with suppress(SkipTest, BrokenError, Flaky):
            keeps()

    # -- from the first fault to what a user reads

    def _settled(self, own: bool) -> LawBrokenError:
        """The error to raise: of the smallest board, or of an answer that depends on what was asked before."""
        fault, trial = self.found, self.trial
        assert fault is not None
        step = (fault.law, fault.board, fault.cells)
        if fault.hangs:
            return self._hanging(fault, own)
        if trial.has_judge and not self._repeats(step):
            return self._unrepeatable(fault, step)
        if not own:
            fault = self._smaller(fault)
        return _chained(trial.error(fault, [(fault.law, fault.board, fault.cells)]), fault)

    def _repeats(self, step: Step) -> bool:
        """Whether two new copies show the fault."""
        return all(self.trial.fresh_fault([step]) is not None for _ in range(2))

    def _smaller(self, fault: Fault) -> Fault:
        trial, law = self.trial, fault.law
        example = (fault.board, _picks(fault.board, fault.cells))
        smaller = reduced(lambda board, picks: trial.fault(law, board, _chosen(board, picks)), example)
        if smaller is None or not trial.has_judge or self._repeats((law, smaller.board, smaller.cells)):
            return smaller or fault
        fresh = reduced(lambda board, picks: trial.fresh_fault([(law, board, _chosen(board, picks))]), example)
        return fresh or fault

    def _hanging(self, fault: Fault, own: bool) -> LawBrokenError:
        """Smaller boards are tried with a tenth of the time, and the smallest again with all of it."""
        trial, law, limit = self.trial, fault.law, self.trial.limit
        seconds = limit.seconds or CALL_SECONDS
        if not own:
            example = (fault.board, _picks(fault.board, fault.cells))
            limit.seconds = seconds / 10
            smaller = reduced(
                lambda board, picks: _hangs(trial.fault(law, board, _chosen(board, picks))), example, seconds
            )
            limit.seconds = seconds
            if smaller is not None:
                fault = _hangs(trial.fault(law, smaller.board, smaller.cells)) or fault
        return _chained(trial.error(fault, [(law, fault.board, fault.cells)]), fault)

    def _unrepeatable(self, fault: Fault, step: Step) -> LawBrokenError:
        """A fault that a new copy does not show: of noise, or of something remembered."""
        trial = self.trial
        _seed(None)
        again = trial.fault(*step), trial.fault(*step)
        if not all(again):
            problem = fault.problem
            if fault.law is not answers_repeat:
                problem = f"asked again, law {fault.law.name!r} holds, but once it did not: {problem}"
            shown = Fault(answers_repeat, problem, fault.board, fault.cells, fault.shown)
            steps = [(answers_repeat, fault.board, fault.cells)]
            return _chained(trial.error(shown, steps, times=NOISE_REPEATS), fault)
        earlier = self._needed_before(step)
        law = nothing_is_remembered
        problem = fault.problem
        if fault.law is not law:
            problem = f"after other boards law {fault.law.name!r} does not hold: {problem}"
        note = "A new copy that is asked about this board alone shows no fault: the evaluator remembers something."
        shown = Fault(law, problem, fault.board, fault.cells, fault.shown)
        return _chained(trial.error(shown, [*earlier, step] if earlier is not None else [], note), fault)

    def _needed_before(self, step: Step) -> list[Step] | None:
        """The fewest earlier checks after which a new copy shows the fault; None if they are too many for a line."""
        until = perf_counter() + PRISTINE_SECONDS
        earlier, count = self.history, 1
        while self.trial.fresh_fault([*earlier[-count:], step]) is None:
            if count >= len(earlier) or perf_counter() > until:
                return None
            count *= 4
        needed, size = earlier[-count:], count
        while size and perf_counter() < until:
            for start in range(0, len(needed), size):
                fewer = needed[:start] + needed[start + size :]
                if fewer != needed and self.trial.fresh_fault([*fewer, step]) is not None:
                    needed = fewer
                    break
            else:
                size //= 2
        return needed if len(needed) <= HISTORY else None


def _chained(error: LawBrokenError, fault: Fault) -> LawBrokenError:
    error.__cause__ = fault.cause if not fault.hangs else None
    return error


def _hangs(fault: Fault | None) -> Fault | None:
    return fault if fault is not None and fault.hangs else None


def _picks(board: Board, cells: list[Cell]) -> list[int]:
    """The numbers that choose these cells again."""
    free, picks = board.empties(), []
    for cell in cells:
        picks.append(free.index(cell))
        free.remove(cell)
    return picks


def _seed(number: int | None) -> None:
    """Give each board other random numbers: Hypothesis gives all of them the same, which hides rare noise."""
    random.seed(number)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(number)


def _random_states() -> list[tuple[Callable[[Any], None], Any]]:
    states: list[tuple[Callable[[Any], None], Any]] = [(random.setstate, random.getstate())]
    if "numpy" in sys.modules:
        numbers = sys.modules["numpy"].random
        states.append((numbers.set_state, numbers.get_state()))
    return states


def _default_boards(max_side: int) -> st.SearchStrategy[Board]:
    return any_boards(max_side=max_side) | positions(max_side=max_side) | games(max_side=max_side)


def _warn(trial: _Trial) -> None:
    """Say which laws were not asked because nobody said whether they should be."""
    claims = {"antisymmetric": "colours are alike", "symmetric": "the eight symmetries are alike"}
    not_asked = trial.report.not_asked
    left_open = {claim: law for claim, law in claims.items() if law in not_asked and not _says(trial.subject, claim)}
    if left_open:
        laws, said = " and ".join(map(repr, left_open.values())), " and ".join(f"{claim} = True" for claim in left_open)
        message = f"{trial.evaluator.name} was not asked {laws}: give it {said} (or False)"
        warnings.warn(message, LawNotAskedWarning, stacklevel=3)


def _says(subject: object, claim: str) -> bool:
    if not isinstance(subject, EvaluatorBase):
        return hasattr(subject, claim)
    classes = type(subject).__mro__
    return claim in vars(subject) or any(claim in vars(one) for one in classes[: classes.index(EvaluatorBase)])
