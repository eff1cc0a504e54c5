"""Where everybody stands: the games of a match so far, counted in pairs."""

from __future__ import annotations

from dataclasses import replace
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from arena.ratings import PairResult, ratings
from arena.statistics import Estimate, OnOpening, Sprt, SprtState, Tally
from arena.time_used import TimeUsed
from arena.units import points
from gomoku_patterns.cells import BLACK, WHITE
from gomoku_patterns.errors import ArenaError

if TYPE_CHECKING:
    from arena.match import MatchPlan

Json = dict[str, Any]


class Standings:
    """Every game of a match so far."""

    def __init__(self, plan: MatchPlan) -> None:
        self.plan = plan
        self.records: dict[int, Json] = {}
        self.reasons: dict[str, int] = {}
        self._tallies: dict[tuple[int, int], Tally] = {meeting: Tally() for meeting in plan.pairings}
        self._shared: dict[tuple[int, int], dict[int, OnOpening]] = {meeting: {} for meeting in plan.pairings}
        self._results: list[PairResult] = []
        self.times = [TimeUsed(control.seconds) for control in plan.controls]

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
                raise ArenaError(f"in game {number} {colour} is {player!r}, not {record[colour]!r:.80}")

    def check(self, record: Json) -> None:
        """Check that a record is that of a game of this match which is not counted yet."""
        number = record.get("unit")
        if not isinstance(number, int) or not 0 <= number < self.plan.games:
            raise ArenaError(f"there is no game {number!r} in a match with games 0 to {self.plan.games - 1}")
        known = record.get("result", "") in ("black", "white", "draw", None)
        if not known or not isinstance(record.get("reason"), str):
            raise ArenaError(f"game {number} has no result with its reason: {record!r:.80}")
        if number in self.records:
            raise ArenaError(f"game {number} is there twice")
        self._check_players(number, record)

    def add(self, record: Json) -> None:
        """Count a game; once."""
        self.check(record)
        number = record["unit"]
        self.records[number] = record
        self.reasons[record["reason"]] = self.reasons.get(record["reason"], 0) + 1
        meeting, turned = self.plan.meeting(number)
        self._count_times(record, meeting[::-1] if turned else meeting)
        score = self._score(number)
        if score is None:
            return
        tally = Tally(score == 1, score == 0.5, score == 0)
        partner = self._score(number ^ 1) if number ^ 1 in self.records else None
        if partner is not None:
            kinds = [0] * 5
            kinds[round(2 * (score + partner))] = 1
            tally = Tally(tally.wins, tally.draws, tally.losses, (kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]))
            opening = self.plan.opening_number(number // (2 * len(self.plan.pairings)))
            self._results.append(PairResult(*meeting, (score + partner) / 2, opening=opening))
            before = self._shared[meeting].get(opening, OnOpening(opening, 0, 0))
            halves = before.halves + round(2 * (score + partner))
            self._shared[meeting][opening] = OnOpening(opening, before.pairs + 1, halves)
        self._tallies[meeting] += tally

    def _count_times(self, record: Json, players: tuple[int, int]) -> None:
        """Count what the moves of both players took; ``players`` are black and white."""
        seconds = record.get("seconds") or []
        black_first = record.get("opening", {}).get("to_move") != "white"
        for place, player in enumerate(players if black_first else players[::-1]):
            self.times[player].add(seconds[place::2])

    def _score(self, number: int) -> float | None:
        """What the first player of the pairing got from a game."""
        return points(self.records[number], WHITE if self.plan.meeting(number)[1] else BLACK)

    def tally(self, first: int, second: int) -> Tally:
        """The games between two players as the first sees them."""
        if (first, second) not in self._tallies:
            return self.tally(second, first).reversed
        counted = self._tallies[first, second]
        if not self.plan.repeats_openings:
            return counted
        return replace(counted, openings=tuple(self._shared[first, second].values()))

    def total(self, player: int) -> Tally:
        """All games of a player."""
        mine = (self.tally(player, other) for other in range(len(self.plan.players)) if self._met(player, other))
        return sum(mine, Tally())

    def _met(self, player: int, other: int) -> bool:
        return (player, other) in self._tallies or (other, player) in self._tallies

    def ratings(self) -> list[Estimate]:
        """Elo of every player, centred on 0."""
        return ratings(len(self.plan.players), self._results)

    def judge(self, sprt: Sprt) -> SprtState:
        """The sequential test of the first player against the second."""
        return sprt.judge(self.tally(0, 1))

    # ------------------------------------------------------------------ how the games went

    def _counted(self) -> list[Json]:
        """The records of the games that count, in their order."""
        return [record for _, record in sorted(self.records.items()) if record["result"] is not None]

    def figures(self, player: int) -> Json:
        """What a player made of its games: won, drawn and lost in all and with each colour, and their lengths."""
        mine: dict[str, list[Json]] = {"black": [], "white": []}
        for number, record in sorted(self.records.items()):
            meeting, turned = self.plan.meeting(number)
            if record["result"] is not None and player in meeting:
                first_is_black = not turned
                mine["black" if (meeting[0] == player) is first_is_black else "white"].append(record)
        total = self.total(player)
        return {
            "games": total.games,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "score": None if total.score is None else round(total.score, 4),
            "as_black": _results(mine["black"], "black"),
            "as_white": _results(mine["white"], "white"),
            "length": _lengths([*mine["black"], *mine["white"]]),
            "time": self.times[player].json() if self.plan.is_timed else None,
        }

    def course(self) -> Json:
        """How all games went: who won with which colour, how long they were, how they ended, on how many openings."""
        records = self._counted()
        results = [record["result"] for record in records]
        return {
            "games": len(records),
            "black": results.count("black"),
            "draws": results.count("draw"),
            "white": results.count("white"),
            "length": _lengths(records),
            "openings": self.plan.different_openings,
            "reasons": dict(sorted(self.reasons.items())),
        }


def _results(records: list[Json], colour: str) -> list[int]:
    """Games won, drawn and lost with a colour."""
    found = [record["result"] for record in records]
    wins, draws = found.count(colour), found.count("draw")
    return [wins, draws, len(found) - wins - draws]


def _lengths(records: list[Json]) -> Json | None:
    """How many stones the games put on the board, those of the opening included: the median and the quartiles."""
    counts = [len(record["opening"]["moves"]) + len(record["moves"]) for record in records]
    if not counts:
        return None
    low, middle, high = quantiles(counts, n=4, method="inclusive") if len(counts) > 1 else counts * 3
    return {"median": middle, "low": low, "high": high}
