"""Fitting a table's scores: to the outcomes of games, or by matches against itself.

Every line table is a sum of counts times scores, so the counts of a position are the scores it has under tables that
give one pattern 1 and all others 0. With the counts of many positions and how their games ended, :func:`fit` is a
logistic regression; scores that were equal for the same shape stay equal, and what decides a game is left alone.

:func:`spsa` knows nothing of counts and tunes any table, point tables with their combinations too: it moves all scores
a little at random, lets the two opposite variants play, and follows the winner.

>>> from gomoku_patterns.table import load_table
>>> table = load_table("grade_dict")
>>> knobs(table)[0], len(knobs(table)) < len(table.patterns)
(Knob(shape='live_four', side=0, patterns=(1,), combinations=(), score=4320), True)
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from arena.games import game_lines, game_of
from arena.log import read_entries
from arena.match import MatchPlan, play_match
from arena.openings import even_openings, opening_key
from arena.pools import Workers
from arena.sources import with_table
from arena.standings import Standings
from arena.statistics import Tally
from arena.time_control import TimeControl
from gomoku_patterns.board import Board
from gomoku_patterns.cells import BLACK
from gomoku_patterns.errors import ArenaError
from gomoku_patterns.evaluator import as_evaluator
from gomoku_patterns.table import Table
from search.result import Limit

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

GAME_SEARCH = "engine:solver=no"
_LEAST_POSITIONS = 50
_WIDEST = 3.0


@dataclass(frozen=True)
class Knob:
    """One number that is tuned: the score of a shape's patterns (and combinations) that were equal from the start.

    ``side`` is 0 for the worth to the side that has just moved, 1 for the side to move.
    """

    shape: str
    side: int
    patterns: tuple[int, ...]
    combinations: tuple[int, ...]
    score: int


def knobs(table: Table) -> list[Knob]:
    """The numbers of a table that may be tuned; those that decide the game, and zeros, are none of them."""
    groups: dict[tuple[str, int, int], tuple[list[int], list[int]]] = {}
    sides = (0, 1) if table.uses_turn or table.scan == "point" else (0,)
    for index, pattern in enumerate(table.patterns):
        for side in sides:
            if not pattern.decisive and _tunable(pattern.score[side], table):
                groups.setdefault((pattern.shape, side, pattern.score[side]), ([], []))[0].append(index)
    for index, combination in enumerate(table.combinations):
        name = "+".join(f"{count} {shape}" for shape, count in combination.needs)
        for side in sides:
            if combination.score[side]:
                groups.setdefault((name, side, combination.score[side]), ([], []))[1].append(index)
    if not groups:
        message = f"there is nothing to tune in {table.name!r}: every score decides the game"
        raise ArenaError(message)
    return [
        Knob(shape, side, tuple(patterns), tuple(combined), score)
        for (shape, side, score), (patterns, combined) in groups.items()
    ]


def _tunable(score: int, table: Table) -> bool:
    return score != 0 and (table.decided is None or abs(score) <= table.decided)


def turned(table: Table, settings: Sequence[Knob], scores: Sequence[float]) -> Table:
    """The table with its knobs at these scores, rounded, each at most :data:`_WIDEST` e-folds from where it was."""
    patterns, combinations = list(table.patterns), list(table.combinations)
    for knob, score in zip(settings, scores, strict=True):
        whole = _bounded(score, knob)
        for index in knob.patterns:
            both = _symmetric(patterns[index].score, knob.side, whole, table)
            patterns[index] = replace(patterns[index], score=both)
        for index in knob.combinations:
            combinations[index] = replace(
                combinations[index], score=_symmetric(combinations[index].score, knob.side, whole, table)
            )
    return replace(table, patterns=tuple(patterns), combinations=tuple(combinations))


def _symmetric(score: tuple[int, int], side: int, whole: int, table: Table) -> tuple[int, int]:
    if table.scan == "line" and not table.uses_turn:
        return whole, whole
    return (whole, score[1]) if side == 0 else (score[0], whole)


def _bounded(score: float, knob: Knob) -> int:
    """Whole, of the sign it had, and of a size that still means something."""
    factor = min(max(score / knob.score, math.exp(-_WIDEST)), math.exp(_WIDEST))
    return round(knob.score * factor) or (1 if knob.score > 0 else -1)


# ------------------------------------------------------------------ data


@dataclass(frozen=True)
class Data:
    """Positions of games with what black got in the end; ``games`` says which game each position is of.

    ``openings`` says from which opening each position's game began; games without it have one of their own.
    """

    boards: tuple[Board, ...]
    results: tuple[float, ...]
    games: tuple[int, ...]
    digest: str
    openings: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """How many games there are."""
        return len(set(self.games))


def read_data(paths: Iterable[str | Path], *, skip: int = 2) -> Data:
    """The positions of every counted game in match logs, without the openings and the last ``skip`` moves.

    The last moves are left out because a search sees them by itself, and a table that explains them explains nothing.
    """
    boards: list[Board] = []
    results: list[float] = []
    games: list[int] = []
    openings: list[int] = []
    numbers: dict[tuple[object, ...], int] = {}
    digest = hashlib.sha256()
    number = 0
    for line in game_lines(chain.from_iterable(map(read_entries, paths))):
        digest.update(line.data)
        game = game_of(line.entry, line.place)
        result = game.points(BLACK)
        if result is None:
            continue
        after = list(game.positions())[1 : 1 + max(0, len(game.moves) - skip)]
        boards += (position.board for position in after)
        results += [result] * len(after)
        games += [number] * len(after)
        openings += [numbers.setdefault(opening_key(game.opening, number), len(numbers))] * len(after)
        number += 1
    if len(boards) < _LEAST_POSITIONS:
        raise ArenaError(
            f"too little to tune on: {len(boards)} positions of {number} games, where {_LEAST_POSITIONS} are needed"
        )
    if len({(board.rows, board.cols) for board in boards}) > 1:
        raise ArenaError("the games are on boards of several sizes; tune on one size")
    return Data(tuple(boards), tuple(results), tuple(games), digest.hexdigest()[:12], tuple(openings))


def counts(table: Table, settings: Sequence[Knob], boards: Sequence[Board]) -> Floats:
    """How often each knob counts on each board, black minus white: ``score = fixed + counts @ scores``."""
    import numpy as np

    if table.scan != "line":
        raise ArenaError(
            f"{table.name!r} is a {table.scan} table, which cannot be fitted to outcomes; use --method spsa"
        )
    stack = np.stack([board.to_array() for board in boards])
    turns = [board.turn for board in boards]
    found = [as_evaluator(_unit(table, knob)).scores(stack, turns) for knob in settings]
    return np.stack(found, axis=1).astype(np.float64)


def _unit(table: Table, knob: Knob) -> Table:
    """The table in which this knob is 1 and everything else 0."""
    one = (1, 1) if not table.uses_turn else ((1, 0) if knob.side == 0 else (0, 1))
    patterns = (
        replace(pattern, score=one if index in knob.patterns else (0, 0))
        for index, pattern in enumerate(table.patterns)
    )
    return replace(table, name="unit", patterns=tuple(patterns))


# ------------------------------------------------------------------ logistic regression


@dataclass(frozen=True)
class Fit:
    """What a fit found: the new table, and how well both tables predict games that were not fitted."""

    table: Table
    before: float
    after: float
    games: int
    positions: int
    held_out: int


def fit(table: Table, data: Data, *, strength: float = 1.0, seed: int = 0) -> Fit:
    """Fit the scores to the outcomes; ``strength`` holds them to where they were, more with more.

    The chance that black wins is a logistic function of the score and of who is to move. Every game weighs the same,
    however long it is. The games of a fifth of the openings are held out to see whether the fit says anything about
    games it has not seen: two games from one opening are alike.
    """
    import numpy as np

    settings = knobs(table)
    start = np.array([knob.score for knob in settings], dtype=float)
    features = counts(table, settings, data.boards) * start
    tempo = np.array([board.turn.sign for board in data.boards], dtype=float)
    design = np.column_stack([features, tempo, np.ones(len(tempo))])
    results, games = np.array(data.results), np.array(data.games)
    held = _held_out(np.array(data.openings or data.games), seed)
    weights = 1 / np.bincount(games)[games]
    if held.all():
        raise ArenaError(f"too little to tune on: all {data.count} games are from one opening; two or more are needed")
    scale = _scale(design[~held], results[~held], weights[~held], len(settings))
    fitted = _regress(design[~held], results[~held], weights[~held], scale, strength)
    relative = fitted[: len(settings)] / scale[0]
    return Fit(
        turned(table, settings, [float(score) for score in start * relative]),
        _loss(design[held], results[held], weights[held], scale),
        _loss(design[held], results[held], weights[held], fitted),
        data.count,
        len(data.boards),
        len(set(games[held].tolist())),
    )


def _held_out(openings: Any, seed: int) -> Any:
    """Which positions belong to the openings that are held out, a fifth of them."""
    import numpy as np

    numbers = sorted(set(openings.tolist()))
    random.Random(seed).shuffle(numbers)
    return np.asarray(np.isin(openings, numbers[: max(1, len(numbers) // 5)]))


def _scale(design: Floats, results: Floats, weights: Floats, many: int) -> Floats:
    """The table as it is, only turned into chances: one factor for all scores, the worth of a move, and of black."""
    import numpy as np

    total = np.column_stack([design[:, :many].sum(axis=1), design[:, many:]])
    rough = 1 / max(1.0, float(np.abs(total[:, 0]).mean()))
    one = _newton(total * [rough, 1, 1], results, weights, np.zeros(3), np.full(3, 1e-3))
    factor = max(one[0] * rough, 1e-3 * rough)
    return np.concatenate([np.full(many, factor), one[1:]])


def _regress(design: Floats, results: Floats, weights: Floats, scale: Floats, strength: float) -> Floats:
    """Ridge regression in units of the starting scores, so that a small and a large score are held equally firmly."""
    import numpy as np

    unit = scale[0]
    sizes = np.concatenate([np.full(len(scale) - 2, unit), [1.0, 1.0]])
    ridge = np.concatenate([np.full(len(scale) - 2, strength), [1e-3, 1e-3]])
    return np.asarray(_newton(design * sizes, results, weights, scale / sizes, ridge) * sizes)


def _newton(design: Floats, results: Floats, weights: Floats, start: Floats, ridge: Floats) -> Floats:
    """The minimum of the log loss plus half the ridge times the square of the way from ``start``."""
    import numpy as np

    x = start.copy()
    for _ in range(100):
        chance = _chance(design @ x)
        slope = design.T @ (weights * (chance - results)) + ridge * (x - start)
        curve = (design.T * (weights * chance * (1 - chance))) @ design + np.diag(ridge + 1e-9)
        step = np.linalg.solve(curve, slope)
        x = x - step * min(1.0, 1.0 / float(np.abs(step).max() + 1e-12))
        if float(np.abs(step).max()) < 1e-8:
            break
    return np.asarray(x)


def _chance(x: Floats) -> Floats:
    import numpy as np

    return np.asarray(1 / (1 + np.exp(-np.clip(x, -40, 40))))


def _loss(design: Floats, results: Floats, weights: Floats, x: Floats) -> float:
    import numpy as np

    chance = np.clip(_chance(design @ x), 1e-9, 1 - 1e-9)
    losses = -(results * np.log(chance) + (1 - results) * np.log(1 - chance))
    return float((weights * losses).sum() / weights.sum())


# ------------------------------------------------------------------ matches


@dataclass(frozen=True)
class Games:
    """How tables play against one another: the search, its nodes a move, and the board."""

    search: str = GAME_SEARCH
    nodes: int = 1000
    size: int = 15
    rule: str = "freestyle"
    seed: int = 0


def duel(
    one: Table,
    other: Table,
    games: Games,
    pool: Workers,
    *,
    pairs: int,
    on_game: Callable[[Standings, Any], object] | None = None,
) -> Tally:
    """A match between two tables, as the first sees it."""
    with TemporaryDirectory(prefix="gomoku-tune-") as folder:
        paths = [Path(folder) / f"{name}.toml" for name in ("one", "other")]
        for path, table in zip(paths, (one, other), strict=True):
            path.write_text(table.to_toml(), encoding="utf-8")
        openings = even_openings(pairs, Board(games.size, rule=games.rule), seed=games.seed, nodes=500)
        plan = MatchPlan(
            tuple(with_table(games.search, str(path)) for path in paths),
            tuple(openings),
            pairs,
            time_control=TimeControl(Limit(nodes=games.nodes)),
            seed=games.seed,
        )
        return play_match(plan, pool, on_game=on_game).tally(0, 1)


def spsa(
    table: Table,
    games: Games,
    pool: Workers,
    *,
    rounds: int = 50,
    pairs: int = 4,
    step: float = 0.1,
    on_round: Callable[[int, Table, Tally], object] | None = None,
) -> tuple[Table, int]:
    """Simultaneous perturbation (Spall 1992) on the logarithms of the scores; returns the table and the games played.

    Steps shrink as Spall recommends. Whatever stops it, the caller has heard of every finished round.
    """
    settings = knobs(table)
    rng = random.Random(f"spsa {games.seed}")
    logs = [0.0] * len(settings)
    played = 0
    current = table
    for number in range(1, rounds + 1):
        width = step / number**0.101
        signs = [rng.choice((-1, 1)) for _ in settings]
        ahead, behind = (turned(table, settings, _moved(settings, logs, signs, way * width)) for way in (1.0, -1.0))
        tally = duel(ahead, behind, replace(games, seed=games.seed * 100_003 + number), pool, pairs=pairs)
        gain = 2 * _lead(tally) * width * 2 / (1 + number / 10) ** 0.602
        logs = [log + gain * sign for log, sign in zip(logs, signs, strict=True)]
        played += tally.games
        current = turned(table, settings, _moved(settings, logs, signs, 0.0))
        if on_round is not None:
            on_round(number, current, tally)
    return current, played


def _lead(tally: Tally) -> float:
    """How far the score is from even; a round of which no game counts says nothing."""
    return 0.0 if tally.score is None else tally.score - 0.5


def _moved(settings: Sequence[Knob], logs: Sequence[float], signs: Sequence[int], width: float) -> list[float]:
    moves = (log + width * sign for log, sign in zip(logs, signs, strict=True))
    return [knob.score * math.exp(move) for knob, move in zip(settings, moves, strict=True)]


def with_provenance(table: Table, origin: Table, name: str, how: str) -> Table:
    """The tuned table under its new name, saying where it comes from."""
    notes = "\n".join(
        part for part in (f"Tuned from {origin.name} ({origin.digest[:12]}): {how}.", origin.notes) if part
    )
    return replace(table, name=name, notes=notes)


def how_fitted(found: Fit, data: Data, *, strength: float, seed: int) -> str:
    """How :func:`fit` came to its table, for people."""
    of = f"{found.positions} positions of {found.games} games (data {data.digest})"
    return f"logistic regression on {of}, strength {strength:g}, seed {seed}"


def how_played(games: Games, *, rounds: int, played: int, step: float) -> str:
    """How :func:`spsa` came to its table, for people."""
    what = f"{played} games of {games.search} at {games.nodes} nodes a move"
    return f"SPSA in {rounds} rounds, {what}, step {step:g}, seed {games.seed}"


def changes(before: Table, after: Table) -> list[dict[str, Any]]:
    """What was tuned: shape, texts, score before and after."""
    found = []
    for knob in knobs(before):
        item: Any = after.patterns[knob.patterns[0]] if knob.patterns else after.combinations[knob.combinations[0]]
        found.append(
            {
                "shape": knob.shape,
                "side": knob.side,
                "texts": [before.patterns[index].text for index in knob.patterns],
                "before": knob.score,
                "after": item.score[knob.side],
            }
        )
    return found
