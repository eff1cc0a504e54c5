"""The ladder's units of work: moves ranked, levels played out, games; each a pure function of plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arena.game import lost_game, play_game
from arena.seats import seated
from arena.sources import evaluator_of
from arena.statistics import mean_interval, wilson
from gomoku_patterns.errors import ArenaError
from puzzles.recall import TOPS, Rank, Recall, level_rank
from search.result import Limit
from search.symmetry import Symmetries

if TYPE_CHECKING:
    from puzzles.suite import Level, Suite

Json = dict[str, Any]

DEFENDER = "stubborn:nodes=300"
MOST_PLIES = 31
_PROOF = Limit(nodes=200_000)
LOST = "every worker that tried it died"
"""Why a level has no outcome: neither won nor failed, and not counted."""


def do_unit(unit: Json) -> Json:
    """One piece of the ladder's work."""
    if "game" in unit:
        return play_game(unit["game"])
    return _solve_level(unit) if "level" in unit else _rank_moves(unit)


def lost_unit(unit: Json) -> Json:
    """The result of a unit that killed every worker it was given to."""
    if "game" in unit:
        return lost_game(unit["game"])
    if "level" in unit:
        return {"budget": None, "plies": 0, "why": LOST}
    raise ArenaError(f"workers died ranking moves by {unit['evaluator']!r}, every time")


def _rank_moves(unit: Json) -> Json:
    evaluator, levels = evaluator_of(unit["evaluator"], unit["files"]), _levels_of(unit["suite"])
    ranks = {number: level_rank(levels[number], evaluator, _PROOF) for number in unit["levels"]}
    return {
        "ranks": {str(number): rank and [rank.rank, [*rank.tops], rank.reciprocal] for number, rank in ranks.items()}
    }


def _solve_level(unit: Json) -> Json:
    from puzzles.game import judge, replay

    level = _levels_of(unit["suite"])[unit["level"]]
    attacker = seated(unit["player"], 0, unit["files"])
    for budget in unit["budgets"]:
        verdict = judge(replay(level, attacker, DEFENDER, limit=Limit(nodes=budget), most_plies=MOST_PLIES))
        if verdict.solved:
            return {"budget": budget, "plies": verdict.plies, "why": verdict.why}
    return {"budget": None, "plies": verdict.plies, "why": verdict.why}


@lru_cache(maxsize=4)
def _levels_of(suite: str) -> dict[int, Level]:
    return {level.number: level for level in load_suite(suite)}


def load_suite(name: str) -> Suite:
    """A built-in suite, or one in a file."""
    from puzzles import load, read, suite_names

    return load(name) if name in suite_names() else read(name)


_symmetries = lru_cache(maxsize=64)(Symmetries)


def different_levels(levels: Sequence[Level]) -> list[Level]:
    """Return the levels without those that are another one turned or mirrored: they are no new evidence."""
    seen: set[tuple[object, ...]] = set()
    found = []
    for level in levels:
        board = level.board
        same = _symmetries(board.rows, board.cols).canonical(board.flat)[0]
        key = (board.rule, board.rows, board.turn, same)
        if key not in seen:
            seen.add(key)
            found.append(level)
    return found


def sampled(levels: Sequence[Level], count: int | None) -> list[Level]:
    """So many levels, evenly spread over the bands and within each, in their order; the same for the same suite.

    >>> from puzzles import load
    >>> [level.number for level in sampled(list(load("huanle")), 4)]
    [4, 7, 9, 19]
    """
    if count is None or count >= len(levels):
        return list(levels)
    order = sorted(levels, key=lambda level: (level.band or 0, level.number))
    chosen = {order[place * len(order) // count].number for place in range(count)}
    return [level for level in levels if level.number in chosen]


# ------------------------------------------------------------------ what ranks amount to


def check_ranks(key: str, ranks: Mapping[str, Any]) -> None:
    """An error where a log's ranks are not as :class:`puzzles.recall.Rank` has them."""
    for number, rank in ranks.items():
        try:
            good = rank is None or (float(rank[0]) >= 1 and len(rank[1]) == len(TOPS) and 0 <= float(rank[2]) <= 1)
            good = good and int(number) is not None
        except (TypeError, ValueError, IndexError, KeyError):
            good = False
        if not good:
            raise ArenaError(f"the result of {key!r} has {rank!r:.60} for the rank in level {number!r:.20}")


def shares_of(ranks: Mapping[int, Rank | None], bands: Mapping[int, int | None]) -> Json | None:
    """How an evaluator ordered the moves, with 95 % intervals, in all and in each band; None before the first level."""
    if not ranks:
        return None
    found = _shares(ranks)
    levels = {band: [number for number in ranks if bands.get(number) == band] for band in {*bands.values()} - {None}}
    parts = {band: _shares({number: ranks[number] for number in numbers}) for band, numbers in levels.items()}
    return {**found, "bands": {str(band): parts[band] for band in sorted(parts, key=str) if parts[band]["levels"]}}


def _shares(ranks: Mapping[int, Rank | None]) -> Json:
    recall = Recall.of("", ranks)
    tops = {f"top{k}": _share(share * recall.levels, recall.levels) for k, share in recall.top.items()}
    reciprocals = [rank.reciprocal for rank in ranks.values() if rank is not None]
    mean, low, high = mean_interval(reciprocals)
    return {
        "levels": recall.levels,
        **tops,
        "mrr": {"value": round(mean, 4), "low": round(low, 4), "high": round(high, 4)},
        "unproven": list(recall.unproven),
    }


def _share(successes: float, trials: int) -> Json:
    low, high = wilson(successes, trials)
    value = successes / trials if trials else 0.0
    return {"value": round(value, 4), "low": round(low, 4), "high": round(high, 4)}
