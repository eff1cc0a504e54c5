"""The evaluator ladder: every evaluator measured the same way, on speed, ordering, puzzles and games.

>>> plan = LadderPlan(("grade_dict", "outcome"), "huanle", searches=(), pairs=1, nodes=50, seconds=None, speed=0.01)
>>> from arena.pools import workers
>>> with workers() as pool:
...     ladder = Ladder(plan)
...     ladder.run(pool)
>>> [row["evaluator"] for row in ladder.result()["evaluators"]]
['grade_dict', 'outcome']

An evaluator is the name of a built-in table, the path of a TOML file, or a Python class as ``package.module:Class``
with a ``name`` and ``score(board)``. What is measured:

========== ===========================================================================================================
speed      full-board scores a second, one call each and in batches; moves played and taken back with the score read
ordering   where the moves proven to win stand in the evaluator's ranking of a suite's positions
levels     the suite's levels won with the evaluator by each search against a defender who always holds out longest, and
           the least of several budgets, in nodes a move, that was enough
games      two round robins of the evaluators in one search, in pairs of games: at equal nodes and at equal time
========== ===========================================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from types import NoneType
from typing import Any

from arena.entrants import check_texts
from arena.games import game_of
from arena.ladder_units import LOST, check_ranks, different_levels, do_unit, load_suite, lost_unit, sampled, shares_of
from arena.log import Kinds, Log, levels_digest, misfit
from arena.machine import machine
from arena.match import MatchPlan
from arena.openings import even_openings
from arena.pools import Workers
from arena.scoreboard import corrected, pairings_json
from arena.seats import check_player
from arena.sources import digests, evaluator_of, file_texts, texts_of, with_table
from arena.speeds import measure_speed
from arena.standings import Standings
from arena.statistics import least_pairs, sign_test
from arena.time_control import TimeControl
from arena.work import run_units
from gomoku_patterns.board import Board
from gomoku_patterns.cells import MIN_SIDE
from gomoku_patterns.errors import ArenaError, PlayerError
from gomoku_patterns.evaluator import EvaluatorBase
from gomoku_patterns.import_path import is_import_path
from gomoku_patterns.rules import Rule
from puzzles.recall import Rank
from search.result import Limit

Json = dict[str, Any]

GAME_SEARCH = "minmax:fives=rules"
"""What plays the games: it takes any evaluator and knows fives by the rules, so that it is one search for all."""
SEARCHES = (GAME_SEARCH, "engine:solver=no")
"""What tries the puzzles; the last takes tables only, and leaves other evaluators out."""
BUDGETS = (500, 2_000, 8_000, 32_000)
LEVELS = 100
TOLERANCE = 5.0
"""By how many seconds a move at equal time may be late: a slow evaluator cannot be stopped in the middle of a score."""
MOST_OPENINGS = 2_000
_CHUNK = 200


@dataclass(frozen=True)
class LadderPlan:
    """What is compared, and how: everything the result depends on but the machine.

    ``nodes`` and ``seconds`` are what a move in games may take, in a round robin each; None plays none. ``positions``
    and ``levels`` are how many levels of the suite are ranked and played out, spread over its bands; None is all, and 0
    is none.
    """

    evaluators: tuple[str, ...]
    suite: str = "endgames"
    searches: tuple[str, ...] = SEARCHES
    budgets: tuple[int, ...] = BUDGETS
    game_search: str = GAME_SEARCH
    nodes: int | None = 1_000
    seconds: float | None = 0.01
    pairs: int = 20
    positions: int | None = None
    levels: int | None = LEVELS
    seed: int = 0
    rule: str = "freestyle"
    size: int = 15
    speed: float = 0.3

    def __post_init__(self) -> None:
        check_texts("evaluator", self.evaluators, "level")
        check_texts("search", self.searches, "engine:solver=no")
        check_texts("game search", (self.game_search,), GAME_SEARCH)
        check_texts("suite", (self.suite,), "endgames")
        if not self.evaluators:
            raise ArenaError("a ladder needs an evaluator")
        self._check_numbers()
        Rule.parse(self.rule)
        if not self.budgets or list(self.budgets) != sorted({*self.budgets}) or self.budgets[0] < 1:
            raise ArenaError(f"budgets are numbers of nodes from 1, each more than the last, not {self.budgets!r}")
        if len(set(self.evaluators)) < len(self.evaluators):
            raise ArenaError(f"an evaluator is named twice: {', '.join(self.evaluators)}")

    def _check_numbers(self) -> None:
        """Check the kinds and bounds of all numbers; None is allowed where it means all, or no such games."""
        least = {"nodes": 1, "pairs": 0, "positions": 0, "levels": 0, "size": MIN_SIDE, "seed": None}
        for name, low in least.items():
            value: Any = getattr(self, name)
            if value is None and name in ("nodes", "positions", "levels"):
                continue
            if type(value) is not int or (low is not None and value < low):
                bound = "" if low is None else f" from {low}"
                raise ArenaError(f"{name} is a whole number{bound}, not {value!r:.60}")
        if not isinstance(self.budgets, tuple) or any(type(budget) is not int for budget in self.budgets):
            raise ArenaError(f"budgets are a tuple of numbers of nodes, not {self.budgets!r:.60}")
        for name, lowest in {"seconds": 1e-9, "speed": 0.0}.items():
            value = getattr(self, name)
            if value is None and name == "seconds":
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not lowest <= value < 1e9:
                raise ArenaError(f"{name} is a number {'above' if lowest else 'from'} 0, not {value!r:.60}")

    @property
    def comparisons(self) -> int:
        """Return how many pairings each round robin has."""
        return math.comb(len(self.evaluators), 2) if self.pairs else 0

    @property
    def limits(self) -> dict[str, Limit]:
        """What a move in games may take, one round robin each."""
        found = {"nodes": Limit(nodes=self.nodes) if self.nodes else None}
        found["seconds"] = Limit(seconds=self.seconds) if self.seconds else None
        return {name: limit for name, limit in found.items() if limit is not None}


class Ladder:
    """One comparison: its units of work, what is done of them, and the result so far."""

    def __init__(self, plan: LadderPlan) -> None:
        self.plan = plan
        self.files = file_texts(plan.evaluators)
        self.evaluators = [evaluator_of(text, self.files) for text in plan.evaluators]
        self.names = _distinct([one.name for one in self.evaluators], plan.evaluators)
        self.suite = load_suite(plan.suite)
        levels = list(self.suite)
        distinct = different_levels(levels)
        self.repeated = len(levels) - len(distinct)
        self.bands = {level.number: level.band for level in levels}
        self.positions = [level.number for level in sampled(distinct, plan.positions)]
        self.levels = [level.number for level in sampled(distinct, plan.levels)]
        self._digest = levels_digest(levels)
        self.left_out: set[tuple[str, str]] = set()
        self._check_searches()
        self.done: dict[str, Json] = {}
        self.speeds: dict[str, Json] = {}

    def _check_searches(self) -> None:
        """An error now, rather than in a worker later, where a search and an evaluator make no player.

        Of the searches that are tried where the user names none, each takes the evaluators it can.
        """
        for text in self.plan.evaluators if self.plan.pairs else ():
            check_player(with_table(self.plan.game_search, text), self.files)
        for search in self.plan.searches:
            for text in self.plan.evaluators:
                try:
                    check_player(with_table(search, text), self.files)
                except PlayerError:
                    if self.plan.searches != SEARCHES or not is_import_path(text):
                        raise
                    self.left_out.add((search, text))

    @cached_property
    def matches(self) -> dict[str, MatchPlan]:
        """The round robins, on the same openings, which are made when they are asked for first."""
        plan = self.plan
        if plan.pairs < 1 or len(plan.evaluators) < 2:
            return {}
        count = min(plan.pairs, MOST_OPENINGS)  # beyond, they come again, turned and mirrored
        openings = tuple(even_openings(count, Board(plan.size, rule=plan.rule), seed=plan.seed))
        players = tuple(with_table(plan.game_search, text) for text in plan.evaluators)
        return {
            by: MatchPlan(
                players, openings, plan.pairs, time_control=TimeControl(limit, tolerance=TOLERANCE), seed=plan.seed
            )
            for by, limit in plan.limits.items()
        }

    @cached_property
    def standings(self) -> dict[str, Standings]:
        """Where everybody stands in each round robin."""
        return {by: Standings(match) for by, match in self.matches.items()}

    def header(self) -> Json:
        """What a log says at its top; speeds are measured anew by every run, and do not enter."""
        games = {by: match.header() for by, match in self.matches.items()}
        settings = {key: value for key, value in asdict(self.plan).items() if key != "speed"}
        sources = digests((*self.plan.searches, self.plan.game_search), self.plan.evaluators)
        return {"ladder": 2, **settings, "digest": self._digest, "sources": sources, "games": games}

    def units(self) -> Iterator[Json]:
        """All units of work in order, each with a key of its own."""
        common = {"suite": self.plan.suite, "files": self.files}
        for text in self.plan.evaluators:
            for first in range(0, len(self.positions), _CHUNK):
                numbers = self.positions[first : first + _CHUNK]
                yield {"key": f"ordering {text} {numbers[0]}", "evaluator": text, "levels": numbers, **common}
        for search in self.plan.searches:
            for text in self.plan.evaluators:
                if (search, text) in self.left_out:
                    continue
                spec = with_table(search, text)
                for number in self.levels:
                    task = {"player": spec, "budgets": self.plan.budgets, "level": number}
                    yield {"key": f"level {spec} {number}", **task, **common}
        for by, match in self.matches.items():
            for game in match.units():
                yield {"key": f"game {by} {game['unit']}", "game": game}

    def run(self, pool: Workers, log: Log | None = None, on_unit: Callable[[int, int], object] | None = None) -> None:
        """Measure speeds here, then do what the log does not hold yet; ``on_unit`` gets the units done and to do."""
        plan = self.plan
        empty = Board(plan.size, rule=plan.rule)
        for text, evaluator in zip(plan.evaluators, self.evaluators, strict=True):
            speed = measure_speed(evaluator, empty, seconds=plan.speed, seed=plan.seed) if plan.speed else {}
            self.speeds[text] = speed
        if log is not None:
            log.replay(lambda entry: self._count_logged(*_entry(entry)))
        units = [unit for unit in self.units() if unit["key"] not in self.done]
        total = len(units) + len(self.done)
        for unit, result in run_units(do_unit, units, pool, lost=lost_unit):
            if log is not None:
                log.append({"key": unit["key"], "result": result})
            self._count(unit["key"], result)
            if on_unit is not None:
                on_unit(len(self.done), total)

    def _count_logged(self, key: str, result: Json) -> None:
        """Count a result of a log, which may have been edited."""
        if (standings := self._standings_of(key)) is not None:
            standings.check(result)
            game_of(result, f"the result of {key!r}")
        self._count(key, result)

    def _count(self, key: str, result: Json) -> None:
        if (standings := self._standings_of(key)) is not None:
            standings.add(result)
        self.done[key] = result

    def _standings_of(self, key: str) -> Standings | None:
        """The round robin that a unit's key belongs to; None for other kinds of work."""
        kind, _, rest = key.partition(" ")
        by = rest.partition(" ")[0]
        if kind != "game":
            return None
        if by not in self.standings:
            raise ArenaError(f"there are no games at equal {by!r:.60} in this ladder")
        return self.standings[by]

    # ------------------------------------------------------------------ the result

    def rows(self) -> list[Json]:
        """A row of a table for each evaluator."""
        return [dict(row) for row in self.result()["evaluators"]]

    def result(self) -> Json:
        """Everything measured so far, as JSON; what is not measured yet is None."""
        ranks = {text: self._ranks(text) for text in self.plan.evaluators}
        games = {by: self._games(by) for by in self.standings}
        rows = []
        for index, text in enumerate(self.plan.evaluators):
            rows.append(
                {
                    "evaluator": self.names[index],
                    "given": text,
                    **describe(self.evaluators[index]),
                    "speed": self.speeds.get(text) or None,
                    "ordering": shares_of(ranks[text], self.bands),
                    "levels": [self._levels(search, text) for search in self.plan.searches],
                    "games": {by: found["players"][index] for by, found in games.items()},
                }
            )
        return {
            "evaluators": rows,
            "games": {by: {key: value for key, value in one.items() if key != "players"} for by, one in games.items()},
            "ordering": self._orderings(ranks),
            "settings": asdict(self.plan),
            "suite": self._about_suite(),
            "machine": machine(),
            "sources": texts_of(self.plan.evaluators, self.plan.suite),
        }

    def _about_suite(self) -> Json:
        bands = sorted({band for band in self.bands.values() if band is not None})
        return {
            "name": self.suite.name,
            "title": self.suite.title,
            "all": len(self.bands),
            "repeated": self.repeated,
            "positions": len(self.positions),
            "levels": len(self.levels),
            "bands": bands,
            "digest": self._digest,
        }

    def _ranks(self, text: str) -> dict[int, Rank | None]:
        """Where the winning moves stand on every level that was ranked by an evaluator."""
        found: dict[int, Rank | None] = {}
        for first in range(0, len(self.positions), _CHUNK):
            part = self.done.get(f"ordering {text} {self.positions[first]}")
            for number, rank in (part or {}).get("ranks", {}).items():
                found[int(number)] = None if rank is None else Rank(rank[0], tuple(rank[1]), rank[2])
        return found

    def _orderings(self, ranks: dict[str, dict[int, Rank | None]]) -> list[Json]:
        """Every two evaluators on the same positions: on how many one ranks the winning move higher (sign test)."""
        named = dict(zip(self.plan.evaluators, self.names, strict=True))
        rows = []
        for first, second in combinations(self.plan.evaluators, 2):
            both = [(rank, ranks[second].get(number)) for number, rank in ranks[first].items() if rank is not None]
            pairs = [(one.rank, two.rank) for one, two in both if two is not None]
            better, worse = sum(one < two for one, two in pairs), sum(one > two for one, two in pairs)
            row = {"evaluators": [named[first], named[second]], "better": better, "worse": worse}
            rows.append({**row, "equal": len(pairs) - better - worse, "p": sign_test(better, worse)})
        return corrected(rows)

    def _levels(self, search: str, text: str) -> Json:
        spec = with_table(search, text)
        outcomes = {number: self.done.get(f"level {spec} {number}") for number in self.levels}
        lost = [number for number, outcome in outcomes.items() if outcome is not None and outcome.get("why") == LOST]
        tried = {number: one["budget"] for number, one in outcomes.items() if one is not None and number not in lost}
        return {
            "search": search,
            "tried": len(tried),
            "lost": lost,
            "won": {
                str(budget): sum(least is not None and least <= budget for least in tried.values())
                for budget in self.plan.budgets
            },
            "levels": {str(number): least for number, least in tried.items()},
        }

    def _games(self, by: str) -> Json:
        """One round robin: what each player made of it, how the games went, and every pairing."""
        standings = self.standings[by]
        ratings = standings.ratings()
        players = [{"rating": rating.json(), **standings.figures(index)} for index, rating in enumerate(ratings)]
        pairings = pairings_json(standings, self.names)
        limit = getattr(self.plan, by)
        least = least_pairs(self.plan.comparisons)
        return {"limit": limit, "pairs_needed": least, **standings.course(), "pairings": pairings, "players": players}


_FIGURES: dict[str, Kinds] = {
    "ordering": {"ranks": (dict,)},
    "level": {"budget": (int, NoneType)},
    "game": {},
}


def _entry(entry: Json) -> tuple[str, Json]:
    """The key and the result of a log's entry, with every figure that the ladder shows."""
    key, result = entry.get("key"), entry.get("result")
    kind = key.partition(" ")[0] if isinstance(key, str) else ""
    needed = _FIGURES.get(kind)
    if needed is None or not isinstance(key, str):
        raise ArenaError(f"{key!r:.60} is not the key of a unit of work")
    if not isinstance(result, dict):
        raise ArenaError(f"the result of {key!r} is {result!r:.60}")
    if name := misfit(result, needed):
        raise ArenaError(f"the result of {key!r} has {result.get(name)!r:.60} for {name!r}")
    if kind == "ordering":
        check_ranks(key, result["ranks"])
    return key, result


def _distinct(names: Sequence[str], given: Sequence[str]) -> list[str]:
    """The evaluators' own names; where two have the same, what the user wrote."""
    return [name if names.count(name) == 1 else text for name, text in zip(names, given, strict=True)]


def describe(evaluator: EvaluatorBase) -> Json:
    """What kind of evaluator it is."""
    table = evaluator.table
    if table is None:
        return {"kind": "python", "patterns": None, "digest": None}
    return {"kind": f"{table.scan} table", "patterns": len(table.patterns), "digest": table.digest[:12]}
