"""Evaluators put through the laws: on one board, or on as many as Hypothesis draws."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any
from unittest import SkipTest

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st

from gomoku_patterns.board import Board, CellLike
from gomoku_patterns.cells import MAX_SIDE, Cell
from gomoku_patterns.draw import board_text
from gomoku_patterns.errors import GomokuError, unknown
from gomoku_patterns.evaluator import EvaluatorBase, UserEvaluator, as_evaluator
from gomoku_patterns.quantities import duration
from gomoku_patterns.testing.laws import LAWS, BrokenError, Law
from gomoku_patterns.testing.reducing import Example, reduced
from gomoku_patterns.testing.strategies import boards as any_boards
from gomoku_patterns.testing.strategies import games, positions

Laws = Law | str | Sequence[Law | str]
"""Laws, or their names."""

SMALL_SIDE = 9

_CELLS = st.integers(0, MAX_SIDE * MAX_SIDE - 1)


class LawBrokenError(AssertionError):
    """A law does not hold; the message shows the board with the moves played, and a line of Python that repeats it."""

    def __init__(self, law: Law, message: str) -> None:
        self.law = law
        super().__init__(message)


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
    evaluator: object, board: Board, cells: str | Iterable[int | CellLike] = (0, 7, 40), laws: Laws = LAWS
) -> Report:
    """Put one board through the laws. The empty ``cells``, such as ``"h8 h9"``, are played and looked at.

    A number among them stands for one of the cells that are empty, counted row by row.
    """
    trial = _Trial(evaluator)
    chosen = _chosen(board, cells)
    for law in trial.sorted_out(_found(laws)):
        trial.hold(law, board, chosen)
    return trial.report


class _Trial:
    """An evaluator on trial, and the report about it."""

    def __init__(self, subject: object) -> None:
        self.evaluator = as_evaluator(subject)
        self.subject = self.evaluator.subject if isinstance(self.evaluator, UserEvaluator) else subject
        self.report = Report(self.evaluator.name)

    def sorted_out(self, laws: Iterable[Law]) -> list[Law]:
        """The laws that are asked of this evaluator; the others are noted."""
        reasons = {law: law.exempts(self.evaluator) for law in laws}
        self.report.not_asked |= {law.name: why for law, why in reasons.items() if why}
        return [law for law, why in reasons.items() if not why]

    def hold(self, law: Law, board: Board, cells: list[Cell]) -> None:
        """Count the board if the law holds on it; otherwise an error that shows everything."""
        began = perf_counter()
        try:
            law.check(self.evaluator, board.copy(), list(cells))
        except BrokenError as broken:
            fault, cause = broken, broken.__cause__
        except Exception as error:
            fault, cause = BrokenError(f"it raised {error!r}"), error
        else:
            self.report.count(law, perf_counter() - began)
            return
        raise LawBrokenError(law, self._message(law, fault, board, cells)) from cause

    def fault(self, law: Law, board: Board, picks: list[int]) -> LawBrokenError | None:
        """The error of the law on this board, if it does not hold."""
        try:
            self.hold(law, board, _chosen(board, picks))
        except LawBrokenError as broken:
            return broken
        return None

    def _message(self, law: Law, fault: BrokenError, board: Board, cells: list[Cell]) -> str:
        shown = fault.board or board
        played = [move.cell for move in shown.moves[len(board.moves) :]]
        names = " ".join(board.name(cell) for cell in played)
        lines = [
            f"law {law.name!r} does not hold for {self.evaluator.name}: {fault}",
            "",
            board_text(shown, numbers=played, last=False, unicode=False),
            f"    {shown.turn} to move" + (f", played: {names}" if names else ""),
            "",
            f"not asked: {', '.join(self.report.not_asked) or 'nothing'}",
        ]
        return "\n".join([*lines, f"to repeat it: {self._repeat(law, board, cells)}"])

    def _repeat(self, law: Law, board: Board, cells: list[Cell]) -> str:
        """A line of Python that checks this law on this board."""
        imports, evaluator = _as_python(self.subject)
        helpers = "agrees_with, check_laws" if "agrees_with" in law.source else "check_laws"
        names = " ".join(board.name(cell) for cell in cells)
        head = f"{imports}from gomoku_patterns import Board; from gomoku_patterns.testing import {helpers}"
        return f"{head}; check_laws({evaluator}, {board!r}, {names!r}, laws={law.source})"


def _as_python(subject: object) -> tuple[str, str]:
    """An import and an expression for an evaluator: its table or path, its function, or its class without arguments."""
    table = getattr(subject, "table", None)
    if isinstance(subject, (str, Path)) or table is not None:
        return "", repr(str(subject) if table is None else table.name)
    plain = hasattr(subject, "__qualname__")
    named: Any = subject if plain else type(subject)
    imported = "" if "<" in named.__qualname__ else f"from {named.__module__} import {named.__name__}; "
    return imported, f"{named.__name__}" if plain else f"{named.__name__}()"


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
    known = {law.name: law for law in LAWS}
    chosen = [laws] if isinstance(laws, (Law, str)) else laws
    return [law if isinstance(law, Law) else _by_name(law, known) for law in chosen]


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
) -> Report:
    """Put an evaluator (a table, its name or path, or an object with ``score``) through the laws on many boards.

    ``seconds`` is about how long it may take for all laws together, each having its share: a slow evaluator is then
    asked on fewer boards, as the report says.

    Raises :class:`LawBrokenError` for the smallest board found on which a law does not hold: without ``boards`` of the
    caller's own, one from which no stone and no outer row or column can be taken. Otherwise the report says which laws
    were asked. A :class:`LawNotAskedWarning` is given for a law that was not because the evaluator leaves open whether
    it claims it: ``symmetric = False`` says that it does not.
    """
    trial = _Trial(evaluator)
    suspects = trial.sorted_out(_found(laws))
    _warn(trial)
    share = None if seconds is None else seconds / max(1, len(suspects))
    drawn = boards if boards is not None else _default_boards(max_side)
    if boards is None and seconds is not None:
        # Small boards cost a slow evaluator little, and show most faults.
        drawn = _default_boards(min(max_side, SMALL_SIDE)) | drawn
    # Many moves at once in every other example: some faults only show after more moves than a few.
    cells = st.lists(_CELLS, max_size=5) | st.lists(_CELLS, min_size=7, max_size=30)
    failed: Example | None = None

    @settings(
        max_examples=max_examples,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        # Hypothesis would call it a failure when the time is up; our own errors say everything themselves.
        verbosity=Verbosity.normal if seconds is None else Verbosity.quiet,
    )
    @given(drawn, cells)
    def keeps(board: Board, picks: list[int]) -> None:
        nonlocal share, failed
        chosen = _chosen(board, picks)
        left = [law for law in suspects if share is None or trial.report.seconds.get(law, 0.0) < share]
        if not left:
            raise SkipTest("its time is up")  # which ends a run of Hypothesis at once
        for law in left:
            try:
                trial.hold(law, board, chosen)
            except LawBrokenError:
                # Only the law that failed decides which smaller board still fails: the search should show that one.
                suspects[:], share, failed = [law], None, (board, picks)
                raise

    with suppress(SkipTest):
        try:
            keeps()
        except LawBrokenError as broken:
            # A caller's own boards are left as they were drawn: the smaller ones might not be among them.
            known = failed if boards is None else None
            smaller = reduced(partial(trial.fault, broken.law), known) if known else None
            if smaller is None:
                raise
            raise smaller from smaller.__cause__
    return trial.report


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
