"""Puzzles made: candidates from several sources, tested from the cheapest test to the dearest, and what is left.

The work is cut into units. The plan and a unit's number decide everything about it, so any worker may do it; which
puzzles are repetitions of others shows only when the units are put together (:mod:`arena.making`).

>>> made = make(MakePlan(seed=1, sources=("shapes",)), 0)
>>> [level.length for level in made.levels()] == [row["length"] for row in made.kept]
True
>>> sum(made.tests["shapes"].values()) >= len(made.kept)
True
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any, Final

from gomoku_patterns.board import Board
from gomoku_patterns.errors import SuiteError, unknown
from gomoku_patterns.notation import json_position, parse_json_position
from gomoku_patterns.rules import Rule
from puzzles.candidates import changed, composed, earlier, played
from puzzles.difficulty import band_of, features_of
from puzzles.soundness import FAULTS, Budget, Examiner, Fault, Study, canonical, implausible
from puzzles.suite import Level
from puzzles.tagging import LADDER, LONG, tags_of
from puzzles.tags import TAGS

Json = dict[str, Any]

SOURCES: Final = {
    "play": "games that weak and stronger players play here",
    "shapes": "beginnings of fours and threes that are put together",
    "changes": "puzzles of the other sources with stones moved, added or taken away",
}
RULES_OF_TAGS: Final[Mapping[str, tuple[Rule, ...]]] = {
    "overline_trap": (Rule.STANDARD, Rule.RENJU),
    "forbidden_trap": (Rule.RENJU,),
    "false_forbidden": (Rule.RENJU,),
}
"""Under which rules a puzzle can have these tags."""
FEWEST_OF_TAGS: Final[Mapping[str, int]] = {"long": LONG, "ladder": 2 * LADDER + 1}
"""How many plies a puzzle with these tags takes at least: a ladder its fours, their answers and the five."""
EXCLUSIVE_TAGS: Final = (
    ("win_by_fours", "win_by_threes"),
    ("win_by_fours", "quiet_key"),
    ("win_by_threes", "quiet_key"),
)
"""Tags of which a puzzle has only one: a win by fours and threes alone does not begin with a quiet key."""
GAMES: Final = 6
SHAPES: Final = 20
CHANGES: Final = 8
"""Games played, shapes composed, and changes tried on each puzzle found, in one unit."""
MOST_OF_A_GAME: Final = 2
BASE_PLIES: Final = 9
"""From puzzles of so many plies on, changes lead to those of more."""


@dataclass(frozen=True)
class MakePlan:
    """Which puzzles are made, and how."""

    rows: int = 15
    cols: int = 15
    rule: Rule = Rule.FREESTYLE
    seed: int = 0
    fewest: int = 5
    most: int = 17
    quiet: bool = False
    """Whether a move of the solution has to make neither a four nor a live three."""
    tags: tuple[str, ...] = ()
    """What a puzzle has to show, all of it."""
    bands: tuple[int, ...] = ()
    """In which of these bands it has to be; none stands for any."""
    sources: tuple[str, ...] = tuple(SOURCES)
    glance: int = 400
    """Nodes for the first look at a candidate, and for each proof and denial of a study."""
    nodes: int = 10_000
    reduce: bool = True
    """Whether pairs of stones that a puzzle does not need are taken away."""

    def check(self) -> MakePlan:
        """The plan, or an error that says what is wrong with it."""
        for name in self.sources:
            if name not in SOURCES:
                raise SuiteError(unknown("source", name, SOURCES))
        if self.rule.can_be_blocked:
            raise SuiteError(f"puzzles are made under freestyle, standard and renju rules, not {self.rule.value}")
        if min(self.rows, self.cols) < 6:
            raise SuiteError(f"puzzles are made on boards from 6x6 on, not {self.rows}x{self.cols}")
        if not 3 <= self.fewest <= self.most:
            raise SuiteError(f"a win takes 3 plies or more, and not from {self.fewest} to {self.most}")
        if self.fewest == self.most and self.most % 2 == 0:
            raise SuiteError(f"the winner makes the first and the last move, so no win takes {self.most} plies")
        if self.fewest > self.rows * self.cols:
            raise SuiteError(f"no win on {self.rows}x{self.cols} takes {self.fewest} plies: the board has fewer cells")
        for fault in self._contradictions():
            raise SuiteError(fault)
        return self

    def _contradictions(self) -> Iterator[str]:
        """Yield why no puzzle can show all that is wanted."""
        for name in self.tags:
            if name not in TAGS:
                yield unknown("tag", name, TAGS)
            if self.rule not in RULES_OF_TAGS.get(name, (self.rule,)):
                rules = " or ".join(RULES_OF_TAGS[name])
                yield f"no puzzle shows {name} under {self.rule.value}; make it under {rules}"
            if self.most < FEWEST_OF_TAGS.get(name, 0):
                yield f"no puzzle of at most {self.most} plies shows {name}; it takes {FEWEST_OF_TAGS[name]}"
        for one, other in EXCLUSIVE_TAGS:
            if {one, other} <= set(self.tags):
                yield f"no puzzle shows both {one} and {other}; leave one of them out"

    def to_json(self) -> Json:
        """What decides the puzzles."""
        return {
            **asdict(self),
            "rule": self.rule.value,
            **{n: list(getattr(self, n)) for n in ("tags", "bands", "sources")},
        }

    def examiner(self) -> Examiner:
        return _examiner(
            self.rows, self.cols, self.rule, Budget(self.glance, self.nodes, fewest=min(self.fewest, BASE_PLIES))
        )


_examiners: dict[tuple[Any, ...], Examiner] = {}


def _examiner(rows: int, cols: int, rule: Rule, budget: Budget) -> Examiner:
    """This process's examiner for a plan: what it keeps never changes an answer."""
    key = (rows, cols, rule, budget)
    if key not in _examiners:
        _examiners.clear()
        _examiners[key] = Examiner(rows, cols, rule, budget)
    return _examiners[key]


@dataclass
class Made:
    """What came of a unit: the puzzles, as data, and for each source how many candidates failed which test."""

    unit: int
    kept: list[Json] = field(default_factory=list)
    tests: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, source: str, test: str) -> None:
        self.tests.setdefault(source, Counter())[test] += 1

    def levels(self) -> Iterator[Level]:
        """The puzzles as levels, numbered from 1."""
        for number, row in enumerate(self.kept, 1):
            yield level_of(row, number)

    def to_json(self) -> Json:
        return {"unit": self.unit, "kept": self.kept, "tests": {name: dict(t) for name, t in self.tests.items()}}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Made:
        return cls(value["unit"], value["kept"], {name: Counter(tests) for name, tests in value["tests"].items()})


def make(plan: MakePlan, number: int) -> Made:
    """The puzzles of one unit."""
    return _Maker(plan, number).make()


def make_from_game(plan: MakePlan, game: Json) -> Made:
    """The puzzles in a game that was played elsewhere, given by its positions as data (``unit`` and ``positions``)."""
    maker = _Maker(plan, game["unit"])
    boards = [parse_json_position(position) for position in game["positions"]]
    maker.look_at("games", maker.new_wins("games", boards))
    return maker.made


class _Maker:
    def __init__(self, plan: MakePlan, number: int) -> None:
        self.plan, self.examiner = plan, plan.examiner()
        self.rng = Random(f"puzzles {plan.seed} {number}")
        self.made = Made(number)
        self.start = Board(plan.rows, plan.cols, rule=plan.rule)

    def make(self) -> Made:
        bases = [name for name in self.plan.sources if name != "changes"] or ["shapes"]
        source = bases[self.made.unit % len(bases)]
        if source == "play":
            for _ in range(GAMES):
                wins = self.new_wins(source, played(self.rng, self.start))
                self.look_at(source, wins)
        else:
            self.look_at(source, self._composed(source))
        return self.made

    def new_wins(self, source: str, positions: Iterable[Board]) -> Iterator[Board]:
        """Of a game's positions those in which a side wins that could not at its turn before: the other has erred."""
        before: dict[Any, bool] = {}
        found = 0
        for board in positions:
            first = self.examiner.first_look(board)
            wins = not isinstance(first, Fault) or first.test == "forced"
            if isinstance(first, Fault):
                self.made.count(source, first.test)
            elif not before.get(board.turn):
                found += 1
                yield board
                if found == MOST_OF_A_GAME:
                    return
            before[board.turn] = wins

    def _composed(self, source: str) -> Iterator[Board]:
        for _ in range(SHAPES):
            board = composed(self.rng, self.start)
            fault = implausible(board) or self._looks_lost(board)
            if fault:
                self.made.count(source, fault.test)
            else:
                yield board

    def _looks_lost(self, board: Board) -> Fault | None:
        first = self.examiner.first_look(board)
        return first if isinstance(first, Fault) else None

    def look_at(self, source: str, boards: Iterable[Board]) -> None:
        """Study the candidates, and keep what is sound and wanted: of a puzzle and its changes the longest."""
        for board in boards:
            study = self._studied(source, board)
            if study is None:
                continue
            if "changes" in self.plan.sources:
                study, source_of = self._changed(study, source)
            else:
                source_of = source
            self._keep(study, source_of)

    def _studied(self, source: str, board: Board, longer_than: int = 0) -> Study | None:
        study = self.examiner.full_study(board)
        if isinstance(study, Study) and study.length <= longer_than:
            study = Fault("unwanted", FAULTS["unwanted"])
        if isinstance(study, Study) and self.plan.reduce:
            study = self.examiner.reduced(study)
        elif isinstance(study, Study):
            study = replace(study, scenery=self.examiner.scenery(study))
        fault = study if isinstance(study, Fault) else implausible(study.position)
        if fault:
            self.made.count(source, fault.test)
            return None
        assert isinstance(study, Study)
        return study

    def _changed(self, study: Study, source: str) -> tuple[Study, str]:
        """The longest puzzle that changes lead to, step by step."""
        for _ in range(CHANGES):
            board = self.rng.choice((changed, earlier))(self.rng, study.position)
            if board is None or board.is_over():
                continue
            fault = implausible(board) or self._looks_lost(board)
            if fault:
                self.made.count("changes", fault.test)
                continue
            found = self._studied("changes", board, study.length)
            if found is not None and found.length <= self.plan.most:
                self.made.count(source, "unwanted")
                study, source = found, "changes"
        return study, source

    def _keep(self, study: Study, source: str) -> None:
        plan = self.plan
        if not plan.fewest <= study.length <= plan.most:
            self.made.count(source, "too short" if study.length < plan.fewest else "too long")
            return
        row = self._row(study, source)
        if (
            (plan.quiet and not row["recorded"]["quiet"])
            or not set(plan.tags) <= set(row["tags"])
            or (plan.bands and row["band"] not in plan.bands)
        ):
            self.made.count(source, "unwanted")
            return
        self.made.count(source, "kept")
        self.made.kept.append(row)

    def _row(self, study: Study, source: str) -> Json:
        study = self.examiner.with_others(study)
        features = features_of(study, self.examiner)
        board = study.position
        return {
            "position": json_position(board),
            "length": study.length,
            "wins": [board.name(study.key)],
            "line": [board.name(cell) for cell in study.line],
            "band": band_of(features),
            "tags": list(tags_of(study, self.examiner)),
            "source": source,
            "canonical": [list(stone) for stone in canonical(board, study.scenery)],
            "recorded": {
                "exact": study.exact,
                **features.to_json(),
                "scenery": " ".join(board.name(cell) for cell in study.scenery),
                "others": {str(played): " ".join(map(board.name, cells)) for played, cells in study.others.items()},
            },
        }


def level_of(row: Mapping[str, Any], number: int) -> Level:
    """The level of a puzzle that a unit has kept."""
    board = parse_json_position(row["position"])
    recorded = {key: value for key, value in row["recorded"].items() if value not in ("", {})}
    return Level(
        number,
        board,
        length=row["length"],
        wins=tuple(board.cell(name) for name in row["wins"]),
        line=tuple(board.cell(name) for name in row["line"]),
        band=row["band"],
        tags=tuple(row["tags"]),
        source=row["source"],
        recorded=recorded,
    )


def positions_of(board: Board) -> list[Json]:
    """The positions of a game from its first to its last, as data."""
    found: list[Json] = []
    moves = board.moves
    at = board.copy()
    for _ in moves:
        at.pop()
    for move in [None, *moves]:
        if move is not None:
            at.push(move.cell, move.colour)
        found.append(json_position(at))
    return found


def share_failing(tests: Sequence[Counter[str]]) -> Counter[str]:
    """How many candidates failed each test, or were kept, all sources together."""
    return sum(tests, Counter())
