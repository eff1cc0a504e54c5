"""Puzzles made on many workers: units of :mod:`puzzles.maker`, put together in their order.

What is kept is the same however many workers there are: units are counted in order, a puzzle that repeats an earlier
one is left out, and the run ends with the unit in which the wanted number is reached. With a log it goes on after a
break.

>>> from puzzles.maker import MakePlan
>>> run = Making(MakePlan(seed=1, sources=("shapes",)), count=2)
>>> len([level for made in run.results() for level in made]), run.kept
(2, 2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count as counting
from pathlib import Path
from typing import Any, Final

from arena.log import Log, misfit
from arena.pools import workers
from arena.work import run_units
from gomoku_patterns.errors import ArenaError, GomokuError
from puzzles.maker import Made, MakePlan, level_of, make, make_from_game, positions_of
from puzzles.suite import Level

Json = dict[str, Any]

PATIENCE: Final = 200_000
"""After how many candidates in a row without a puzzle a run gives up; rare wishes take some ten thousand each."""
_MEMBERS: Final = {"unit": (int,), "kept": (list,), "tests": (dict,)}


class Making:
    """A run of the maker: what is to be made and, in ``levels``, what has been kept so far."""

    def __init__(
        self,
        plan: MakePlan,
        count: int | None,
        *,
        games: Sequence[str] = (),
        log: str | Path | None = None,
        jobs: int = 1,
        cluster: str | None = None,
        patience: int = PATIENCE,
    ) -> None:
        if count is None and not games:
            raise ArenaError("say how many puzzles to make; only the games of files come to an end by themselves")
        self.plan, self.count, self.games = plan.check(), count, tuple(games)
        self.log, self.jobs, self.cluster = log, jobs, cluster
        self.levels: list[Level] = []
        self.tests: dict[str, Counter[str]] = {}
        self.units = 0
        self.patience, self.barren = patience, 0
        self._seen: set[Any] = set()

    @property
    def kept(self) -> int:
        return len(self.levels)

    @property
    def done(self) -> bool:
        """Whether as many puzzles as were asked for are there."""
        return self.count is not None and self.kept >= self.count

    @property
    def gave_up(self) -> bool:
        """Whether as many candidates as it has patience for have failed since the last puzzle was kept."""
        return not self.games and not self.done and self.barren >= self.patience

    def results(self) -> Iterator[list[Level]]:
        """The puzzles of each unit, those that are new, when they are in the log and in ``levels``."""
        with ExitStack() as stack:
            kept = self._open_log(stack)
            if self.done or self.gave_up:
                return
            pool = stack.enter_context(workers(self.jobs, cluster=self.cluster))
            for _, made in run_units(self._function(), self._units(), pool, ordered=True):
                if kept:
                    kept.append(made.to_json())
                yield self._add(made)
                if self.done or self.gave_up:
                    return

    def _function(self) -> Any:
        return partial(make_from_game if self.games else make, self.plan)

    def _units(self) -> Iterable[Any]:
        if not self.games:
            return counting(self.units)
        return (game for game in games_of(self.games, self.plan) if game["unit"] >= self.units)

    def _open_log(self, stack: ExitStack) -> Log | None:
        if self.log is None:
            return None
        kept = stack.enter_context(Log(self.log, self.header()))
        kept.replay(self._replayed)
        return kept

    def _replayed(self, entry: Json) -> None:
        if name := misfit(entry, _MEMBERS):
            raise GomokuError(f"this is not a unit of made puzzles: {name!r} is {entry.get(name)!r:.60}")
        try:
            made = Made.from_json(entry)
            if made.unit != self.units:
                raise GomokuError(f"unit {self.units} was expected here, not {made.unit}")
            if not self.done:
                self._add(made)
        except (KeyError, TypeError, AttributeError) as error:
            raise GomokuError(f"this is not a unit of made puzzles: {error!r:.100}") from None

    def _add(self, made: Made) -> list[Level]:
        """Count a unit; its puzzles that are new."""
        self.units += 1
        fresh: list[Level] = []
        for source, tests in made.tests.items():
            self.tests.setdefault(source, Counter()).update(tests)
        for row in made.kept:
            key = tuple(tuple(stone) for stone in row["canonical"])
            source = row["source"]
            if key in self._seen or self.done:
                self.tests[source]["kept"] -= 1
                self.tests[source]["repeated" if key in self._seen else "not needed"] += 1
                continue
            self._seen.add(key)
            level = level_of(row, self.kept + 1)
            self.levels.append(level)
            fresh.append(level)
        self.barren = 0 if fresh else self.barren + sum(sum(tests.values()) for tests in made.tests.values())
        return fresh

    def header(self) -> Json:
        """What a log has to agree with before its puzzles count."""
        from arena.selfplay import file_digest

        return {
            "task": "making puzzles",
            "plan": self.plan.to_json(),
            "games": {name: file_digest(name) for name in self.games},
        }

    def summary(self) -> Json:
        """How many candidates failed which test, source by source, and what was kept."""
        return {
            "kept": self.kept,
            "units": self.units,
            "tests": {name: dict(sorted(tests.items())) for name, tests in sorted(self.tests.items())},
        }


def games_of(files: Iterable[str], plan: MakePlan) -> Iterator[Json]:
    """The games in files of any notation, as units; those on another board or under another rule are skipped."""
    from arena.selfplay import games_of as logged_games
    from arena.units import opening_board

    number = 0
    for game in logged_games(files, plies=0):
        board = opening_board(game["opening"])
        if (board.rows, board.cols) != (plan.rows, plan.cols):
            continue
        board.rule = plan.rule
        for colour, name in game["moves"]:
            board.push(name, colour)
        yield {"unit": number, "positions": positions_of(board)}
        number += 1
