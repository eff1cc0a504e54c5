"""A match: which games are played, how they are run and logged, and where everybody stands.

>>> from arena.pools import workers
>>> plan = Plan(("random:seed=1", "random:seed=2"), (Board(5),), pairs=2)
>>> [(unit["unit"], unit["black"], unit["white"]) for unit in plan.units()][:2]
[(0, 'random:seed=1', 'random:seed=2'), (1, 'random:seed=2', 'random:seed=1')]
>>> with workers() as pool:
...     standings = play_match(plan, pool)
>>> standings.games, standings.tally(0, 1).pairs
(4, (0, 2, 0, 0, 0))

Every opening is played twice with colours swapped by every pairing. When the openings are used up they come again,
turned and mirrored, so that players without chance do not repeat themselves eight times over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any

from arena.engines import Terms
from arena.journal import Journal, text_digests
from arena.match import lost_game, opening_board, opening_json, play_game, points, table_files, unit_of
from arena.pools import Workers
from arena.ratings import PairResult, ratings
from arena.statistics import Estimate, Sprt, Tally, Verdict
from arena.work import run_units
from gomoku_patterns.board import SYMMETRIES, Board
from gomoku_patterns.cells import BLACK, WHITE
from gomoku_patterns.errors import ArenaError, GomokuError

Json = dict[str, Any]

_OBLONG_SYMMETRIES = (0, 2, 4, 5)


@dataclass(frozen=True)
class Plan:
    """Which games make up a match: everything that decides them, and nothing else."""

    players: tuple[str, ...]
    openings: tuple[Board, ...]
    pairs: int = 1
    gauntlet: bool = False
    terms: Terms = field(default_factory=Terms)
    seed: int = 0
    max_moves: int | None = None
    adjudicate: int | None = None

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise ArenaError(f"expected at least two players, found {len(self.players)}")
        if not isinstance(self.pairs, int) or self.pairs < 1:
            raise ArenaError(f"expected at least one pair of games, found {self.pairs!r}")
        if not self.openings:
            raise ArenaError("expected at least one opening, found none")
        for number, opening in enumerate(self.openings, 1):
            if opening.is_over():
                raise ArenaError(f"opening {number}: expected a game that goes on, found one that is over")

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom: everybody, or in a gauntlet the first player each of the others."""
        meetings = list(combinations(range(len(self.players)), 2))
        return [meeting for meeting in meetings if meeting[0] == 0] if self.gauntlet else meetings

    @property
    def games(self) -> int:
        return self.pairs * len(self.pairings) * 2

    def units(self) -> Iterator[Json]:
        """The games in order; all pairings play an opening before the next one comes."""
        files = table_files(self.players)
        for number in range(self.games):
            meeting, turned = self.meeting(number)
            black, white = (self.players[side] for side in (meeting[::-1] if turned else meeting))
            yield unit_of(
                black,
                white,
                self.opening(number // (2 * len(self.pairings))),
                self.terms,
                number=number,
                seed=self.seed,
                max_moves=self.max_moves,
                adjudicate=self.adjudicate,
                files={name: text for name, text in files.items() if name in black or name in white},
            )

    def meeting(self, number: int) -> tuple[tuple[int, int], bool]:
        """Which two players a game is between, the first of them black unless the colours are swapped."""
        return self.pairings[number // 2 % len(self.pairings)], bool(number % 2)

    def opening(self, round_number: int) -> Board:
        lap, place = divmod(round_number, len(self.openings))
        board = self.openings[place]
        symmetries = SYMMETRIES if board.rows == board.cols else _OBLONG_SYMMETRIES
        return board.transform(symmetries[lap % len(symmetries)])

    def header(self) -> Json:
        """What a log says at its top: a run resumes only the very same match."""
        return {
            "match": 1,
            "players": list(self.players),
            "pairs": self.pairs,
            "gauntlet": self.gauntlet,
            "terms": asdict(self.terms),
            "seed": self.seed,
            "max_moves": self.max_moves,
            "adjudicate": self.adjudicate,
            "tables": text_digests(table_files(self.players)),
            "openings": [opening_json(board) for board in self.openings],
        }


def plan_of_header(header: Mapping[str, Any]) -> Plan:
    """The match that a log's header describes; its tables have to be as they were."""
    try:
        return Plan(
            tuple(header["players"]),
            tuple(opening_board(opening) for opening in header["openings"]),
            header["pairs"],
            header["gauntlet"],
            Terms(**header["terms"]),
            header["seed"],
            header["max_moves"],
            header["adjudicate"],
        )
    except GomokuError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ArenaError(f"expected the header of a match, found one with a fault: {error!r}") from None


class Standings:
    """Every game of a match so far."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.records: dict[int, Json] = {}
        self.reasons: dict[str, int] = {}
        self._tallies: dict[tuple[int, int], Tally] = {meeting: Tally() for meeting in plan.pairings}
        self._results: Counter[PairResult] = Counter()

    @property
    def games(self) -> int:
        """How many games are counted."""
        return sum(tally.games for tally in self._tallies.values())

    def _check_players(self, number: int, record: Json) -> None:
        """What a record says of who played has to agree with the plan."""
        meeting, turned = self.plan.meeting(number)
        for colour, side in zip(("black", "white"), meeting[::-1] if turned else meeting, strict=True):
            player = self.plan.players[side]
            if record.get(colour, player) != player:
                raise ArenaError(f"expected {player!r} to be {colour} in game {number}, found {record[colour]!r:.80}")

    def add(self, record: Json) -> None:
        """Count a game; once."""
        number = record.get("unit")
        if not isinstance(number, int) or not 0 <= number < self.plan.games:
            raise ArenaError(f"expected a game from 0 to {self.plan.games - 1}, found {number!r}")
        if record.get("result") not in ("black", "white", "draw", None) or not isinstance(record.get("reason"), str):
            raise ArenaError(f"expected the result and its reason in game {number}, found {record!r:.80}")
        if number in self.records:
            raise ArenaError(f"expected game {number} once, found it twice")
        self._check_players(number, record)
        self.records[number] = record
        self.reasons[record["reason"]] = self.reasons.get(record["reason"], 0) + 1
        meeting, _ = self.plan.meeting(number)
        score = self._score(number)
        if score is None:
            return
        tally = Tally(score == 1, score == 0.5, score == 0)
        partner = self._score(number ^ 1) if number ^ 1 in self.records else None
        if partner is not None:
            kinds = [0] * 5
            kinds[round(2 * (score + partner))] = 1
            tally = Tally(tally.wins, tally.draws, tally.losses, (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]))
            self._results[PairResult(*meeting, (score + partner) / 2)] += 1
        self._tallies[meeting] += tally

    def _score(self, number: int) -> float | None:
        """What the first player of the pairing got from a game."""
        return points(self.records[number], WHITE if self.plan.meeting(number)[1] else BLACK)

    def tally(self, first: int, second: int) -> Tally:
        """The games between two players as the first sees them."""
        if (first, second) in self._tallies:
            return self._tallies[first, second]
        return self._tallies[second, first].reversed

    def total(self, player: int) -> Tally:
        """All games of a player."""
        mine = (self.tally(player, other) for other in range(len(self.plan.players)) if self._met(player, other))
        return sum(mine, Tally())

    def _met(self, player: int, other: int) -> bool:
        return (player, other) in self._tallies or (other, player) in self._tallies

    def ratings(self) -> list[Estimate]:
        """Elo of every player, centred on 0."""
        return ratings(len(self.plan.players), self._results)

    def judge(self, sprt: Sprt) -> Verdict:
        """The sequential test of the first player against the second."""
        return sprt.judge(self.tally(0, 1))


def play_match(
    plan: Plan,
    pool: Workers,
    *,
    journal: Journal | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[Standings, Json], object] | None = None,
    standings: Standings | None = None,
) -> Standings:
    """Play the games of a plan that the journal does not hold yet; a decided ``sprt`` ends the match early.

    Whoever gives empty ``standings`` has what was played even when an exception ends the match.
    """
    if sprt is not None and len(plan.players) != 2:
        raise ArenaError(f"expected two players for a sequential test, found {len(plan.players)}")
    standings = Standings(plan) if standings is None else standings
    if journal is not None:
        for record in journal.entries:
            _add_logged(standings, record, journal)
    if sprt is not None and standings.judge(sprt).accepted:
        return standings
    units = (unit for unit in plan.units() if unit["unit"] not in standings.records)
    results = run_units(play_game, units, pool, lost=lost_game)
    try:
        for _, record in results:
            if journal is not None:
                journal.append(record)
            standings.add(record)
            if on_game is not None:
                on_game(standings, record)
            if sprt is not None and standings.judge(sprt).accepted:
                break
    finally:
        results.close()  # type: ignore[attr-defined]  # a generator: what has not begun is dropped
    return standings


def _add_logged(standings: Standings, record: Json, journal: Journal) -> None:
    """Count a game of a log, which may have been edited."""
    try:
        if not isinstance(record.get("opening"), dict) or not isinstance(record.get("moves"), list):
            raise ArenaError(f"expected a game with its opening and moves, found {record!r:.80}")
        standings.add(record)
    except ArenaError as error:
        raise ArenaError(f"{journal.path}: {error}") from None
