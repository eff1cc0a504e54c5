"""How difficult a puzzle is: a band from 1 to 10, with what it rests on.

The band is read from a rating, and the rating is a sum over features of the puzzle with weights that were fitted to
what players of this project, weak and strong, solve of a sample (``docs/how-to/make-puzzles.md`` says how far
it can be trusted).

>>> from puzzles import load
>>> from puzzles.soundness import Examiner
>>> examiner = Examiner()
>>> study = examiner.study(load("huanle").level(1).board)
>>> features_of(study, examiner).length, band_of(features_of(study, examiner)) in range(1, 11)
(5, True)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from gomoku_patterns.cells import Cell
from search._threats import ThreatBoard

if TYPE_CHECKING:
    from puzzles.soundness import Examiner, Study
    from search.labels import Labeller
    from search.proof import Attack

# What a stone makes on a line, as ThreatBoard.kinds_at has it.
SLEEPING_THREE, LIVE_THREE, FOUR, TWO_FOURS, STRAIGHT_FOUR, FIVE, OVERLINE = 3, 4, 5, 6, 7, 8, 9
FOURS: Final = (FOUR, TWO_FOURS, STRAIGHT_FOUR)

UNRANKED: Final = 30
"""The rank of a move that does not come up among the first."""
ENGINE_NODES: Final = 8000
ENGINE_MOVES: Final = 8


@dataclass(frozen=True)
class Features:
    """What the difficulty of a puzzle rests on."""

    length: int
    """Plies of the shortest win."""
    key: int
    """What the key move makes: 0 a four, 1 a live three, 2 neither."""
    threes: int
    """Moves of the solution that make a live three and no four."""
    quiet: int
    """Moves of the solution that make neither."""
    grade_rank: int
    """Where the key stands in the ranking of ``grade_dict``, from 1."""
    engine_rank: int
    """Where it stands in the engine's, after a look at two plies."""
    lures: int
    """Other first moves that make a four or a live three."""
    refuting: float
    """How long all other first moves hold out: the logarithm, to base 2, of the nodes that it takes to deny them."""
    proving: float
    """The same of the nodes that it takes to find the shortest win."""
    size: int
    """Moves of the attacker in the whole proof."""
    width: int
    """The most replies that need an answer of their own at one place."""
    stones: int
    """On the board, of both sides."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Features:
        return cls(**{name: value[name] for name in cls.__dataclass_fields__})


def features_of(study: Study, examiner: Examiner) -> Features:
    """The features of a sound puzzle."""
    board, attacker = study.position, study.attacker
    threats = ThreatBoard(board)
    lures = {cell for which in ("four", "three") for cell in threats.cells(attacker, which)} - {study.key}
    size, width = _tree(study.proof.tree)
    moves = _kinds_of_moves(study)
    return Features(
        length=study.length,
        key=moves[0],
        threes=moves.count(1),
        quiet=moves.count(2),
        grade_rank=_grade_rank(study),
        engine_rank=_engine_rank(study),
        lures=len(lures),
        refuting=round(math.log2(1 + study.denying), 2),
        proving=round(math.log2(1 + study.proving), 2),
        size=size,
        width=width,
        stones=len(board.stones("black")) + len(board.stones("white")),
    )


def _kind(kinds: tuple[int, ...]) -> int:
    if any(kind in FOURS for kind in kinds):
        return 0
    return 1 if LIVE_THREE in kinds else 2


def _kinds_of_moves(study: Study) -> list[int]:
    """What the attacker's moves on the main line make, the five left out: 0 a four, 1 a live three, 2 neither."""
    threats = ThreatBoard(study.position)
    colour, found = study.attacker, []
    for number, cell in enumerate(study.line):
        kinds = threats.kinds_at(cell, colour) if number % 2 == 0 else (FIVE,)
        if FIVE not in kinds:
            found.append(_kind(kinds))
        threats.push(cell, colour if number % 2 == 0 else colour.opponent)
    return found


def _tree(tree: Attack) -> tuple[int, int]:
    """How many moves of the attacker a proof has, and the most replies at one place; shared parts count once."""
    seen: set[int] = set()
    waiting, width = [tree], 0
    while waiting:
        attack = waiting.pop()
        if id(attack) in seen:
            continue
        seen.add(id(attack))
        if attack.then is not None:
            width = max(width, len(attack.then.replies))
            waiting += attack.then.replies.values()
    return len(seen), width


def _grade_rank(study: Study) -> int:
    from gomoku_patterns.evaluator import as_evaluator

    ranked = as_evaluator("grade_dict").tracker(study.position).ranked(study.attacker, UNRANKED - 1)
    return _rank(ranked, study.key)


_labellers: dict[tuple[Any, ...], Labeller] = {}


def _engine_rank(study: Study) -> int:
    from gomoku_patterns.board import Board
    from search.labels import Labeller

    board = study.position
    shape = (board.rows, board.cols, board.rule)
    if shape not in _labellers:
        _labellers.clear()
        _labellers[shape] = Labeller(Board(board.rows, board.cols, rule=board.rule), nodes=ENGINE_NODES)
    _labellers[shape].new_game()
    choices = [cell for cell, _ in _labellers[shape].choices(board, ENGINE_MOVES)]
    label = None if choices else _labellers[shape].label(board)
    return _rank([label.move] if label else choices, study.key)


def _rank(ranked: list[Cell], key: Cell) -> int:
    return ranked.index(key) + 1 if key in ranked else UNRANKED


# ---------------------------------------------------------------------- the band

WEIGHTS: Final[Mapping[str, float]] = {
    "length": 12.0,
    "threes": 60.0,
    "grade_rank": 41.0,
    "engine_rank": 46.0,
    "proving": 57.0,
    "size": -21.0,
    "lures": 5.0,
    "stones": 8.0,
}
"""What a puzzle's rating gains with each term, in points of the scale on which 400 is ten to one."""
BASE: Final = 696.0
STEPS: Final = (1170, 1220, 1280, 1350, 1440, 1530, 1610, 1690, 1780)
"""The ratings at which the bands 2 to 10 begin: tenths of two thousand puzzles that the maker made."""


def terms_of(features: Features) -> dict[str, float]:
    """What the rating is a sum of; ranks and the size of the tree count by their logarithm to base 2."""
    return {
        "length": features.length,
        "threes": features.threes,
        "grade_rank": math.log2(features.grade_rank),
        "engine_rank": math.log2(features.engine_rank),
        "proving": features.proving,
        "size": math.log2(features.size),
        "lures": features.lures,
        "stones": features.stones,
    }


def rating_of(features: Features) -> float:
    """What rating a puzzle with such features is expected to have."""
    terms = terms_of(features)
    return BASE + sum(weight * terms[name] for name, weight in WEIGHTS.items())


def band_of(features: Features) -> int:
    """The band, from 1 to 10."""
    rating = rating_of(features)
    return 1 + sum(rating >= step for step in STEPS)


def rating_of_band(band: int) -> float:
    """The rating in the middle of a band; the first and the last are taken to be as wide as their neighbours.

    >>> [rating_of_band(band) for band in (1, 2, 10)]
    [1145.0, 1195.0, 1825.0]
    """
    edges = (2 * STEPS[0] - STEPS[1], *STEPS, 2 * STEPS[-1] - STEPS[-2])
    return (edges[band - 1] + edges[band]) / 2
