"""The evaluator ladder: every evaluator measured the same way, on speed, ordering, puzzles and games.

>>> plan = LadderPlan(("grade_dict", "outcome"), searches=(), pairs=1, nodes=50, speed=0.01)
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
rating     a round robin of the evaluators in one search at a fixed number of nodes a move, in pairs of games
========== ===========================================================================================================
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

from arena.game import lost_game, play_game
from arena.log import Kinds, Log, levels_digest, misfit
from arena.match import MatchPlan
from arena.openings import even_openings, random_openings
from arena.pools import Workers
from arena.scoreboard import duel_json
from arena.seats import check_player, seated
from arena.sources import digests, file_texts, resolved, with_table
from arena.standings import Standings
from arena.time_control import TimeControl
from arena.work import run_units
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError, PlayerError, TableError
from gomoku_patterns.evaluator import EvaluatorBase, as_evaluator
from gomoku_patterns.import_path import is_import_path
from search.result import Limit

if TYPE_CHECKING:
    from puzzles.suite import Suite

Json = dict[str, Any]

GAME_SEARCH = "minmax"
"""What plays the games: it takes any evaluator, so that nobody's rank depends on who else takes part."""
SEARCHES = (GAME_SEARCH, "engine:solver=no")
"""What tries the puzzles; the last takes tables only, and leaves other evaluators out."""
DEFENDER = "stubborn:nodes=300"
MOST_PLIES = 31
BUDGETS = (500, 2_000, 8_000, 32_000)
_SPEED_BOARDS = 64
_SPEED_PLIES = 24


@dataclass(frozen=True)
class LadderPlan:
    """What is compared, and how: everything the result depends on but the machine."""

    evaluators: tuple[str, ...]
    suite: str = "huanle"
    searches: tuple[str, ...] = SEARCHES
    budgets: tuple[int, ...] = BUDGETS
    game_search: str = GAME_SEARCH
    nodes: int = 1_000
    pairs: int = 20
    seed: int = 0
    rule: str = "freestyle"
    size: int = 15
    speed: float = 0.3

    def __post_init__(self) -> None:
        if not self.evaluators:
            raise ArenaError("a ladder needs an evaluator")
        if not self.budgets or list(self.budgets) != sorted({*self.budgets}) or self.budgets[0] < 1:
            raise ArenaError(f"budgets are numbers of nodes from 1, each more than the last, not {self.budgets!r}")
        if len(set(self.evaluators)) < len(self.evaluators):
            raise ArenaError(f"an evaluator is named twice: {', '.join(self.evaluators)}")


class Ladder:
    """One comparison: its units of work, what is done of them, and the result so far."""

    def __init__(self, plan: LadderPlan) -> None:
        self.plan = plan
        self.files = file_texts(plan.evaluators)
        self.evaluators = [evaluator_of(text, self.files) for text in plan.evaluators]
        self.names = _distinct([one.name for one in self.evaluators], plan.evaluators)
        self.suite = load_suite(plan.suite)
        self.levels = [level.number for level in self.suite]
        self.left_out: set[tuple[str, str]] = set()
        self._check_searches()
        self.match = self._match()
        self.standings = Standings(self.match) if self.match else None
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

    def _match(self) -> MatchPlan | None:
        plan = self.plan
        if plan.pairs < 1 or len(plan.evaluators) < 2:
            return None
        empty = Board(plan.size, rule=plan.rule)
        openings = even_openings(plan.pairs, empty, seed=plan.seed)
        players = tuple(with_table(plan.game_search, text) for text in plan.evaluators)
        time_control = TimeControl(Limit(nodes=plan.nodes))
        return MatchPlan(players, tuple(openings), plan.pairs, time_control=time_control, seed=plan.seed)

    def header(self) -> Json:
        """What a log says at its top; speeds are measured anew by every run, and do not enter."""
        games = self.match.header() if self.match else None
        settings = {key: value for key, value in asdict(self.plan).items() if key != "speed"}
        sources = digests((*self.plan.searches, self.plan.game_search), self.plan.evaluators)
        return {"ladder": 1, **settings, "positions": levels_digest(self.suite), "sources": sources, "games": games}

    def units(self) -> Iterator[Json]:
        """All units of work in order, each with a key of its own."""
        common = {"files": self.files}
        for text in self.plan.evaluators:
            yield {"key": f"ordering {text}", "suite": self.plan.suite, "evaluator": text, **common}
        for search in self.plan.searches:
            for text in self.plan.evaluators:
                if (search, text) in self.left_out:
                    continue
                spec = with_table(search, text)
                task = {"suite": self.plan.suite, "player": spec, "budgets": self.plan.budgets}
                for number in self.levels:
                    yield {"key": f"level {spec} {number}", "level": number, **task, **common}
        for game in self.match.units() if self.match else ():
            yield {"key": f"game {game['unit']}", "game": game}

    def run(self, pool: Workers, log: Log | None = None, on_unit: Callable[[int, int], object] | None = None) -> None:
        """Measure speeds here, then do what the log does not hold yet; ``on_unit`` gets the units done and to do."""
        for text, evaluator in zip(self.plan.evaluators, self.evaluators, strict=True):
            self.speeds[text] = measure_speed(evaluator, self.plan) if self.plan.speed else {}
        if log is not None:
            log.replay(lambda entry: self._count(*_entry(entry)))
        units = [unit for unit in self.units() if unit["key"] not in self.done]
        total = len(units) + len(self.done)
        for unit, result in run_units(do_unit, units, pool, lost=lost_unit):
            if log is not None:
                log.append({"key": unit["key"], "result": result})
            self._count(unit["key"], result)
            if on_unit is not None:
                on_unit(len(self.done), total)

    def _count(self, key: str, result: Json) -> None:
        self.done[key] = result
        if key.startswith("game ") and self.standings is not None:
            self.standings.add(result)

    # ------------------------------------------------------------------ the result

    def result(self) -> Json:
        """Everything measured so far, as JSON; what is not measured yet is None."""
        ratings = self.standings.ratings() if self.standings else [None] * len(self.names)
        rows = []
        for index, text in enumerate(self.plan.evaluators):
            rating = ratings[index]
            rows.append(
                {
                    "evaluator": self.names[index],
                    "given": text,
                    **describe(self.evaluators[index]),
                    "speed": self.speeds.get(text) or None,
                    "ordering": self.done.get(f"ordering {text}"),
                    "levels": [self._levels(search, text) for search in self.plan.searches],
                    "rating": rating.json() if rating else None,
                }
            )
        return {
            "evaluators": rows,
            "pairings": self._pairings(),
            "settings": asdict(self.plan),
            "suite": {"name": self.suite.name, "title": self.suite.title, "levels": len(self.levels)},
            "machine": machine(),
        }

    def _levels(self, search: str, text: str) -> Json:
        spec = with_table(search, text)
        outcomes = {number: self.done.get(f"level {spec} {number}") for number in self.levels}
        tried = {number: outcome["budget"] for number, outcome in outcomes.items() if outcome is not None}
        return {
            "search": search,
            "tried": len(tried),
            "won": {
                str(budget): sum(least is not None and least <= budget for least in tried.values())
                for budget in self.plan.budgets
            },
            "levels": {str(number): least for number, least in tried.items()},
        }

    def _pairings(self) -> list[Json]:
        if self.standings is None:
            return []
        return [
            {"players": [self.names[first], self.names[second]], **duel_json(self.standings.tally(first, second))}
            for first, second in self.standings.plan.pairings
        ]


_FIGURES: dict[str, Kinds] = {
    "ordering": {"levels": (int,), **dict.fromkeys(("top1", "top5", "top10", "mrr"), (int, float))},
    "level": {"budget": (int, NoneType)},
    "game": {},
}


def _entry(entry: Json) -> tuple[str, Json]:
    """The key and the result of a log's entry, with every figure that the ladder shows."""
    key, result = entry.get("key"), entry.get("result")
    needed = _FIGURES.get(key.partition(" ")[0]) if isinstance(key, str) else None
    if needed is None or not isinstance(key, str):
        raise ArenaError(f"{key!r:.60} is not the key of a unit of work")
    if not isinstance(result, dict):
        raise ArenaError(f"the result of {key!r} is {result!r:.60}")
    if name := misfit(result, needed):
        raise ArenaError(f"the result of {key!r} has {result.get(name)!r:.60} for {name!r}")
    return key, result


# ------------------------------------------------------------------ units


def do_unit(unit: Json) -> Json:
    """One piece of the ladder's work."""
    if "game" in unit:
        return play_game(unit["game"])
    return _solve_level(unit) if "level" in unit else _ordering(unit)


def lost_unit(unit: Json) -> Json:
    """The result of a unit that killed every worker it was given to."""
    if "game" in unit:
        return lost_game(unit["game"])
    if "level" in unit:
        return {"budget": None, "plies": 0, "why": "every worker that tried it died"}
    raise ArenaError(f"workers died ranking moves by {unit['evaluator']!r}, every time")


def _ordering(unit: Json) -> Json:
    from puzzles.recall import ordering_recall

    evaluator = evaluator_of(unit["evaluator"], unit["files"])
    return ordering_recall(load_suite(unit["suite"]), evaluator, limit=Limit(nodes=200_000)).row()


def _solve_level(unit: Json) -> Json:
    from puzzles.game import judge, replay

    level = load_suite(unit["suite"]).level(unit["level"])
    attacker = seated(unit["player"], 0, unit["files"])
    for budget in unit["budgets"]:
        verdict = judge(replay(level, attacker, DEFENDER, limit=Limit(nodes=budget), most_plies=MOST_PLIES))
        if verdict.solved:
            return {"budget": budget, "plies": verdict.plies, "why": verdict.why}
    return {"budget": None, "plies": verdict.plies, "why": verdict.why}


def load_suite(name: str) -> Suite:
    """A built-in suite, or one in a file."""
    from puzzles import load, read, suite_names

    return load(name) if name in suite_names() else read(name)


def evaluator_of(text: str, files: dict[str, str]) -> EvaluatorBase:
    """The evaluator that a user names."""
    try:
        return as_evaluator(resolved(text, files))
    except TableError as error:
        if not text.isidentifier():
            raise
        raise ArenaError(f"{error}; a Python class is written package.module:Class") from None


def _distinct(names: Sequence[str], given: Sequence[str]) -> list[str]:
    """The evaluators' own names; where two have the same, what the user wrote."""
    return [name if names.count(name) == 1 else text for name, text in zip(names, given, strict=True)]


def describe(evaluator: EvaluatorBase) -> Json:
    """What kind of evaluator it is."""
    table = evaluator.table
    if table is None:
        return {"kind": "python", "patterns": None, "digest": None}
    return {"kind": f"{table.scan} table", "patterns": len(table.patterns), "digest": table.digest[:12]}


def machine() -> Json:
    """Where the figures were measured."""
    try:
        release = version("gomoku-patterns")
    except PackageNotFoundError:
        release = "unknown"
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "gomoku_patterns": release,
        "date": date.today().isoformat(),
    }


def _processor() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or "unknown"


# ------------------------------------------------------------------ speed


def measure_speed(evaluator: EvaluatorBase, plan: LadderPlan) -> Json:
    """Operations a second on one thread, the best of several rounds: others on the machine only ever slow it down."""
    empty = Board(plan.size, rule=plan.rule)
    boards = random_openings(_SPEED_BOARDS, empty, seed=plan.seed, plies=_SPEED_PLIES)
    return {
        "scores": _rate(lambda: [evaluator.score(board) for board in boards], len(boards), plan.speed),
        "batch": _batch_rate(evaluator, boards, plan.speed),
        "plays": _play_rate(evaluator, boards[0], plan.speed),
        "boards": len(boards),
    }


def _batch_rate(evaluator: EvaluatorBase, boards: list[Board], seconds: float) -> float:
    import numpy as np

    stack = np.stack([board.to_array() for board in boards] * 16)
    turns = np.array([board.turn for board in boards] * 16, dtype=np.uint8)
    singles = [evaluator.score(board) for board in boards]
    if evaluator.scores(stack[: len(boards)], turns[: len(boards)]).tolist() != singles:
        raise ArenaError(f"{evaluator.name!r} scores differently in batches and one by one")
    return _rate(lambda: evaluator.scores(stack, turns), len(stack), seconds)


def _play_rate(evaluator: EvaluatorBase, board: Board, seconds: float) -> float:
    tracker = evaluator.tracker(board)
    cells = board.empties()[::3]

    def play_and_undo() -> None:
        for cell in cells:
            tracker.play(cell)
            _ = tracker.score
            tracker.undo()

    return _rate(play_and_undo, len(cells), seconds)


def _rate(action: Callable[[], object], count: int, seconds: float) -> float:
    """The highest rate over rounds that together take about this long."""
    action()
    best, end = 0.0, time.perf_counter() + seconds
    while True:
        began = time.perf_counter()
        action()
        now = time.perf_counter()
        best = max(best, count / max(now - began, 1e-9))
        if now >= end:
            return round(best, 1)
