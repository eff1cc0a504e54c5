"""A match: which games are played, how they are run and logged, and where everybody stands.

>>> from arena.pools import workers
>>> plan = MatchPlan(("random:seed=1", "random:seed=2"), (Board(5),), pairs=2)
>>> [(unit["unit"], unit["black"], unit["white"]) for unit in plan.units()][:2]
[(0, 'random:seed=1', 'random:seed=2'), (1, 'random:seed=2', 'random:seed=1')]
>>> with workers() as pool:
...     standings = play_match(plan, pool)
>>> standings.games, standings.tally(0, 1).pairs
(4, (0, 2, 0, 0, 0))

Every opening is played twice with colours swapped by every pairing. When the openings are used up they come again,
turned and mirrored, so that players without chance do not repeat themselves eight times over; but they are the same
openings, and statistics count them once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any

from arena.agreements import DrawAgreement, Resignation
from arena.entrants import Entrant, check_texts, names
from arena.game import lost_game, play_game
from arena.games import game_of
from arena.log import Log
from arena.openings import canonical, lap
from arena.pools import Workers
from arena.sources import digests, table_files
from arena.standings import Standings
from arena.statistics import Sprt
from arena.time_control import TimeControl
from arena.units import opening_board, opening_json, unit_of
from arena.work import run_units
from gomoku_patterns.board import Board
from gomoku_patterns.errors import ArenaError, GomokuError

Json = dict[str, Any]

LEAST_OPENINGS = 2
"""With a single opening, nothing is known of how results scatter between openings, and a test never ends."""


@dataclass(frozen=True)
class MatchPlan:
    """Which games make up a match: everything that decides them, and nothing else.

    A player is a text as :class:`arena.entrants.Entrant` reads it. In a ``gauntlet`` of n only the first n players
    meet each of the others, and not one another; ``True`` is 1.
    """

    players: tuple[str, ...]
    openings: tuple[Board, ...]
    pairs: int = 1
    gauntlet: int = False
    time_control: TimeControl = field(default_factory=TimeControl)
    seed: int = 0
    max_moves: int | None = None
    adjudicate: int | None = None
    resign: Resignation | None = None
    draw: DrawAgreement | None = None

    def __post_init__(self) -> None:
        check_texts("player", self.players, "minmax:depth=3")
        if len(self.players) < 2:
            raise ArenaError(f"a match needs two players or more, not {len(self.players)}")
        if not isinstance(self.pairs, int) or self.pairs < 1:
            raise ArenaError(f"a match needs a pair of games or more, not {self.pairs!r}")
        if not 0 <= self.gauntlet < len(self.players):
            raise ArenaError(f"a gauntlet of {len(self.players)} players has from 1 seed, not {self.gauntlet!r}")
        for player in self.players:
            Entrant.parse(player).time_control(self.time_control)
        if not self.openings:
            raise ArenaError("a match needs an opening")
        if odd := [board for board in self.openings if not isinstance(board, Board)]:
            raise ArenaError(f"an opening of a match is a Board, not {odd[0]!r:.60}")
        for number, opening in enumerate(self.openings, 1):
            if opening.is_over():
                raise ArenaError(f"opening {number} is a game that is over")

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom: everybody, or in a gauntlet the first players each of the others."""
        meetings = list(combinations(range(len(self.players)), 2))
        seeds = int(self.gauntlet)
        return [(one, two) for one, two in meetings if one < seeds <= two] if seeds else meetings

    @property
    def names(self) -> list[str]:
        """What results call the players."""
        return names(self.players)

    @property
    def controls(self) -> list[TimeControl]:
        """What each player is granted."""
        return [Entrant.parse(player).time_control(self.time_control) for player in self.players]

    @property
    def is_timed(self) -> bool:
        """Whether some player has a limit in seconds; otherwise the times of moves depend on the machine alone."""
        return any(control.seconds is not None or control.match_seconds is not None for control in self.controls)

    @property
    def games(self) -> int:
        return self.pairs * len(self.pairings) * 2

    def units(self, transcripts: str | None = None) -> Iterator[Json]:
        """The games in order; all pairings play an opening before the next one comes.

        ``transcripts`` is a folder for all that external engines are sent and answer.
        """
        files = table_files(self.players)
        for number in range(self.games):
            meeting, turned = self.meeting(number)
            black, white = (self.players[side] for side in (meeting[::-1] if turned else meeting))
            yield unit_of(
                black,
                white,
                self.opening(number // (2 * len(self.pairings))),
                self.time_control,
                number=number,
                seed=self.seed,
                max_moves=self.max_moves,
                adjudicate=self.adjudicate,
                resign=self.resign,
                draw=self.draw,
                transcripts=transcripts,
                files={name: text for name, text in files.items() if name in black or name in white},
            )

    def meeting(self, number: int) -> tuple[tuple[int, int], bool]:
        """Which two players a game is between, the first of them black unless the colours are swapped."""
        return self.pairings[number // 2 % len(self.pairings)], bool(number % 2)

    def opening(self, round_number: int) -> Board:
        number, place = divmod(round_number, len(self.openings))
        return lap(self.openings[place], number)

    @cached_property
    def _numbers(self) -> list[int]:
        """For each opening the first that is the same position, turned or mirrored."""
        first: dict[tuple[bytes, ...], int] = {}
        return [first.setdefault(canonical(board), place) for place, board in enumerate(self.openings)]

    def opening_number(self, round_number: int) -> int:
        """Which opening a round is played on; the same for all that the symmetries make of it."""
        return self._numbers[round_number % len(self.openings)]

    @cached_property
    def different_openings(self) -> int:
        """How many openings are played that symmetries do not make of one another."""
        return len(set(self._numbers[: self.pairs]))

    @property
    def repeats_openings(self) -> bool:
        """Whether some opening is played by several pairs of games of a pairing."""
        return self.different_openings < self.pairs

    def header(self) -> Json:
        """What a log says at its top: a run goes on only with the very same match."""
        return {
            "match": 1,
            "players": list(self.players),
            "pairs": self.pairs,
            "gauntlet": self.gauntlet,
            "time_control": self.time_control.json(),
            "seed": self.seed,
            "max_moves": self.max_moves,
            "adjudicate": self.adjudicate,
            "resign": self.resign and list(astuple(self.resign)),
            "draw": self.draw and list(astuple(self.draw)),
            "sources": digests(self.players),
            "openings": [opening_json(board) for board in self.openings],
        }


def plan_of_header(header: Mapping[str, Any]) -> MatchPlan:
    """The match that a log's header describes; its tables have to be as they were."""
    try:
        return MatchPlan(
            tuple(header["players"]),
            tuple(opening_board(opening) for opening in header["openings"]),
            header["pairs"],
            header["gauntlet"],
            TimeControl.of_json(header["time_control"]),
            header["seed"],
            header["max_moves"],
            header["adjudicate"],
            Resignation(*header["resign"]) if header.get("resign") else None,
            DrawAgreement(*header["draw"]) if header.get("draw") else None,
        )
    except GomokuError as error:
        raise ArenaError(f"the log's header is no match: {error}") from None
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ArenaError(f"the log's header is no match: {error!r}") from None


def play_match(
    plan: MatchPlan,
    pool: Workers,
    *,
    log: Log | None = None,
    sprt: Sprt | None = None,
    on_game: Callable[[Standings, Json], object] | None = None,
    standings: Standings | None = None,
    transcripts: str | None = None,
) -> Standings:
    """Play the games of a plan that the log does not hold yet; a decided ``sprt`` ends the match early.

    The games are counted in ``standings`` where they are given, so what was played is there even after an exception.
    """
    if sprt is not None and len(plan.players) != 2:
        raise ArenaError(f"a sequential test is between two players, not {len(plan.players)}")
    if sprt is not None and plan.different_openings < LEAST_OPENINGS:
        raise ArenaError(
            f"a sequential test needs {LEAST_OPENINGS} openings or more, not {plan.different_openings}: "
            "an opening that comes again, turned or mirrored, is no new evidence"
        )
    standings = Standings(plan) if standings is None else standings
    if log is not None:
        for record in log.entries:
            _add_logged(standings, record, log)
    if sprt is not None and standings.judge(sprt).accepted:
        return standings
    units = (unit for unit in plan.units(transcripts) if unit["unit"] not in standings.records)
    results = run_units(play_game, units, pool, lost=lost_game)
    try:
        for _, record in results:
            if log is not None:
                log.append(record)
            standings.add(record)
            if on_game is not None:
                on_game(standings, record)
            if sprt is not None and standings.judge(sprt).accepted:
                break
    finally:
        results.close()  # type: ignore[attr-defined]  # a generator: what has not begun is dropped
    return standings


def _add_logged(standings: Standings, record: Json, log: Log) -> None:
    """Count a game of a log, which may have been edited."""
    try:
        if not isinstance(record.get("opening"), dict) or not isinstance(record.get("moves"), list):
            raise ArenaError(f"a game without its opening or moves: {record!r:.80}")
        standings.check(record)
        game_of(record, f"game {record['unit']}")
        standings.add(record)
    except ArenaError as error:
        raise ArenaError(f"{log.path}: {error}") from None
