"""How long a ladder will take, from a few moments of each evaluator, and what of it fits into a given time.

>>> costs = Costs(rank={"a": 0.01}, move={"a": 0.1}, node={("minmax", "a"): 1e-4})
>>> from arena.ladder import LadderPlan
>>> plan = LadderPlan(("a",), searches=("minmax",), budgets=(500, 2000), positions=100, levels=20, speed=1.0)
>>> costs.parts(plan)
{'speeds': 3.0, 'ordering': 1.0, 'puzzles': 17.4, 'games': 0.0}
>>> small = fitted(plan, costs, 10.0)
>>> small.budgets, small.levels, costs.seconds(small) <= 10
((500,), 20, True)
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from arena.openings import random_openings
from arena.seats import seated
from arena.sources import with_table
from arena.statistics import least_pairs
from gomoku_patterns.board import Board
from search.result import Limit

if TYPE_CHECKING:
    from arena.ladder import Ladder, LadderPlan

PLIES = 20
"""Moves of a game, both players' together, as evaluators of middling strength play it."""
MOVES = 5
"""Moves an attacker makes on a level."""
DEFENCE_SECONDS = 0.1
"""What the defender takes for a level at one budget, as measured on a server."""
OPENING_SECONDS = 0.015
SHARE = 0.6
"""How much of its nodes, over all budgets, a level takes: many are won with the first."""
_TRIAL_SECONDS = 0.25
_TRIAL_NODES = 20_000
_SPEEDS = 3
_LEAST = {"levels": 5, "positions": 20}
_LEAST_NODES = 50
_TRIES = 6
ENOUGH_PAIRS = 10
"""With fewer pairs of games intervals say little: rather fewer nodes a move."""
ENOUGH_LEVELS = 20
_WORTH = 0.9


@dataclass(frozen=True)
class Costs:
    """Seconds that evaluators take: to rank a position's moves, for a move in games, and for a node of each search."""

    rank: Mapping[str, float]
    move: Mapping[str, float]
    node: Mapping[tuple[str, str], float]
    nodes: int | None = 1_000
    """What a move in games was measured with."""

    def parts(self, plan: LadderPlan) -> dict[str, float]:
        """The seconds that each part of a ladder takes with one worker."""
        levels, positions = plan.levels or 0, plan.positions or 0
        budget = sum(plan.budgets) * MOVES * SHARE
        defence = DEFENCE_SECONDS * len(plan.budgets) * SHARE * len(self.node)
        puzzles = levels * (budget * sum(self.node.values()) + defence)
        return {
            "speeds": plan.speed * _SPEEDS * len(plan.evaluators),
            "ordering": round(positions * sum(self.rank.values()), 3),
            "puzzles": round(puzzles, 3),
            "games": round(self._games(plan), 3),
        }

    def _games(self, plan: LadderPlan) -> float:
        if len(plan.evaluators) < 2:
            return 0.0
        scale = (plan.nodes or 0) / self.nodes if self.nodes else 0.0
        meetings = [*combinations(plan.evaluators, 2)]
        moves = sum(self.move[one] + self.move[two] for one, two in meetings) * scale * PLIES / 2
        played = 2 * plan.pairs * (moves + len(meetings) * PLIES * (plan.seconds or 0.0))
        return played + plan.pairs * OPENING_SECONDS

    def seconds(self, plan: LadderPlan, jobs: int = 1) -> float:
        """How long a ladder takes; speeds are measured by themselves, all else is shared among the workers."""
        parts = self.parts(plan)
        speeds = parts.pop("speeds")
        return speeds + sum(parts.values()) / jobs


def measured_costs(ladder: Ladder) -> Costs:
    """What a few moments of each evaluator say."""
    plan = ladder.plan
    board = random_openings(1, Board(plan.size, rule=plan.rule), seed=plan.seed, plies=12)[0]
    rank = {text: _ranking_seconds(one, board) for text, one in zip(plan.evaluators, ladder.evaluators, strict=True)}
    nodes = plan.nodes or 1_000
    move = {}
    for text in plan.evaluators if plan.pairs and len(plan.evaluators) > 1 else ():
        move[text] = nodes * _node_seconds(ladder, plan.game_search, text, board)
    pairs = [(search, text) for search in plan.searches for text in plan.evaluators]
    node = {(s, t): _node_seconds(ladder, s, t, board) for s, t in pairs if (s, t) not in ladder.left_out}
    return Costs(rank, move or dict.fromkeys(plan.evaluators, 0.0), node, nodes)


def _ranking_seconds(evaluator: object, board: Board) -> float:
    """One ranking, or what it will take where a single score is slow already."""
    from gomoku_patterns.evaluator import EvaluatorBase

    assert isinstance(evaluator, EvaluatorBase)
    began = time.perf_counter()
    evaluator.score(board)
    once = time.perf_counter() - began
    scores = 2 * len(board.empties())
    if evaluator.table is None and once * scores > _TRIAL_SECONDS:
        return once * scores
    began = time.perf_counter()
    evaluator.gains(board)
    return time.perf_counter() - began


def _node_seconds(ladder: Ladder, search: str, text: str, board: Board) -> float:
    player = seated(with_table(search, text), 0, ladder.files)
    limit = Limit(nodes=_TRIAL_NODES, seconds=_TRIAL_SECONDS)
    if ladder.evaluators[ladder.plan.evaluators.index(text)].table is not None:
        player.search(board.copy(), limit)
        player.new_game()
    began = time.perf_counter()
    found = player.search(board.copy(), limit)
    return (time.perf_counter() - began) / max(1, found.nodes)


def complete(plan: LadderPlan, ladder: Ladder) -> LadderPlan:
    """The plan with the numbers of positions and levels that None stands for."""
    return replace(plan, positions=len(ladder.positions), levels=len(ladder.levels))


def fitted(plan: LadderPlan, costs: Costs, seconds: float, jobs: int = 1) -> LadderPlan:
    """As much of a plan as a given time allows; where even the least takes longer, that is what it gives.

    The least is what can answer: pairs are never so few that no difference could be significant. What is cheap is kept
    whole, and what is dear shares the rest: fewer nodes a move where few pairs of games would be left, smaller budgets
    where few levels would be left, then fewer pairs, levels and positions.
    """
    aim, found = seconds, plan
    for _ in range(_TRIES):
        if (taken := costs.seconds(found, jobs)) <= seconds:
            break
        if found is not plan:  # some part has its least, which is more than its share
            aim *= 0.98 * seconds / taken
        found = _shared(plan, costs, aim, jobs)
    return found


def _shared(plan: LadderPlan, costs: Costs, seconds: float, jobs: int) -> LadderPlan:
    """A plan each of whose parts takes its share, or its least where that is more."""
    parts = costs.parts(plan)
    speeds = parts.pop("speeds")
    room = _shared_out(parts, max(0.0, seconds - speeds) * jobs)
    found = _fewer(plan, costs, "ordering", "positions", room["ordering"])
    while (
        found.levels
        and len(found.budgets) > 1
        and _holds(found, costs, "puzzles", "levels", room["puzzles"]) < ENOUGH_LEVELS
    ):
        found = replace(found, budgets=found.budgets[:-1])
    found = _fewer(found, costs, "puzzles", "levels", room["puzzles"])
    enough = max(ENOUGH_PAIRS, least_pairs(plan.comparisons))
    while found.pairs and (found.nodes or 0) > _LEAST_NODES:
        if _holds(found, costs, "games", "pairs", room["games"]) >= enough:
            break
        less = replace(found, nodes=max(_LEAST_NODES, (found.nodes or 0) // 2))
        if costs.parts(less)["games"] > _WORTH * costs.parts(found)["games"]:
            break  # the games at equal time take most of it
        found = less
    return _fewer(found, costs, "games", "pairs", room["games"])


def _shared_out(wanted: Mapping[str, float], room: float) -> dict[str, float]:
    """Room for each part: what it wants where that is less than an equal share, and else a share of what is left.

    >>> _shared_out({"a": 1.0, "b": 50.0, "c": 90.0}, 21.0)
    {'a': 1.0, 'b': 10.0, 'c': 10.0}
    """
    found: dict[str, float] = {}
    for count, (name, want) in enumerate(sorted(wanted.items(), key=lambda item: item[1])):
        found[name] = min(want, (room - sum(found.values())) / (len(wanted) - count))
    return found


def _holds(plan: LadderPlan, costs: Costs, part: str, name: str, room: float) -> int:
    """How many pairs, levels or positions a part has room for, of those that the plan has."""
    number: int = getattr(plan, name) or 0
    want = costs.parts(plan)[part]
    return number if want <= room else int(number * room / want)


def _fewer(plan: LadderPlan, costs: Costs, part: str, name: str, room: float) -> LadderPlan:
    number: int = getattr(plan, name) or 0
    needed = least_pairs(plan.comparisons) if name == "pairs" else _LEAST[name]
    least: Any = {name: min(number, max(needed, _holds(plan, costs, part, name, room)))}
    return replace(plan, **least)
