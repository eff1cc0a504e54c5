"""A suite attempted level by level, on any workers, with a log from which a run goes on.

One attempt is the business of :mod:`puzzles`; many of them are units of work like games and measurements, so they run
where those run and are logged as those are.

>>> from puzzles import AttemptPlan, load
>>> run = SuiteRun(load("huanle"), AttemptPlan(), only=[range(1, 4)])
>>> sum(found.solved for found in run.results()), run.solved, run.total
(3, 3, 3)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import NoneType
from typing import Any

from arena.log import Log, levels_digest, misfit
from arena.pools import workers
from arena.sources import digests
from arena.work import run_units
from gomoku_patterns.errors import GomokuError
from puzzles import Attempt, AttemptPlan, Suite, attempt


class SuiteRun:
    """The attempts on a suite, or on some of its levels: what is to be done and, in ``done``, what came of it."""

    def __init__(
        self,
        suite: Suite,
        plan: AttemptPlan,
        *,
        only: Sequence[range] | None = None,
        log: str | Path | None = None,
        jobs: int = 1,
        cluster: str | None = None,
    ) -> None:
        self.suite, self.plan, self.log, self.jobs, self.cluster = suite, plan, log, jobs, cluster
        self.levels = suite if only is None else suite.only(only)
        self.total = len(self.levels)
        self.done: dict[int, Attempt] = {}
        self._only = only

    def results(self) -> Iterator[Attempt]:
        """Attempt what the log does not hold yet; each attempt is in the log and in ``done`` before it is yielded."""
        with ExitStack() as stack:
            kept = self._open_log(stack)
            pool = stack.enter_context(workers(self.jobs, cluster=self.cluster))
            todo = (level for level in self.levels if level.number not in self.done)
            for _, found in run_units(partial(attempt, plan=self.plan), todo, pool):
                if kept:
                    kept.append(found.to_json())
                self.done[found.number] = found
                yield found

    def _open_log(self, stack: ExitStack) -> Log | None:
        if self.log is None:
            return None
        kept = stack.enter_context(Log(self.log, self.header()))
        kept.replay(self._count)
        return kept

    def _count(self, entry: dict[str, Any]) -> None:
        found = _logged(entry)
        if self._only is None or any(found.number in numbers for numbers in self._only):
            self.done[found.number] = found

    def header(self) -> dict[str, Any]:
        """What a log has to agree with before its results count."""
        plan = self.plan
        players = [spec for spec in (plan.attacker, plan.defender) if spec is not None]
        return {
            "task": "puzzles",
            "suite": self.suite.name,
            "levels": len(self.suite),
            "attacker": plan.attacker,
            "defender": plan.defender,
            "seconds": plan.limit and plan.limit.seconds,
            "nodes": plan.limit and plan.limit.nodes,
            "positions": levels_digest(self.suite),
            "sources": digests(players),
        }

    @property
    def attempts(self) -> list[Attempt]:
        """What has been done, in the order of the numbers."""
        return [self.done[number] for number in sorted(self.done)]

    @property
    def solved(self) -> int:
        """How many levels have been solved."""
        return sum(found.solved for found in self.done.values())

    @property
    def players(self) -> str:
        """Who attempts the levels, in words."""
        if self.plan.proves:
            return "proven by the solver, every proof verified"
        return f"{self.plan.attacker} against {self.plan.defender or 'minmax'}"


_MEMBERS = {
    "number": (int,),
    "solved": (bool,),
    "status": (str,),
    "name": (str, NoneType),
    "length": (int, NoneType),
    "value": (int, NoneType),
    "nodes": (int,),
    "elapsed": (int, float),
    "verify_elapsed": (int, float, NoneType),
    "verdict": (str,),
}


def _logged(entry: dict[str, Any]) -> Attempt:
    """The attempt in a line of a log, which may have been edited."""
    if name := misfit(entry, _MEMBERS):
        raise GomokuError(f"this is not the result of a level: {name!r} is {entry.get(name)!r:.60}")
    try:
        return Attempt.from_json(entry)
    except (KeyError, TypeError) as error:
        raise GomokuError(f"this is not the result of a level: {error}") from None
