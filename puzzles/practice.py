"""Practice: which puzzle comes next, which are repeated, and how strong somebody has become.

The web page does the same in the browser (``gomoku/web/static/practice.js``), and a test holds the two together: the
puzzle of a day is the same in both, and so is what a result does to a rating.

>>> import puzzles
>>> practice = Practice()
>>> practice.record("huanle/16", Rating(1700, 60), solved=False, now=0)
>>> practice.due(now=500), practice.due(now=600)
([], ['huanle/16'])
"""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from gomoku_patterns.errors import SuiteError, shown
from puzzles.difficulty import rating_of_band
from puzzles.rating import Rating, rated
from puzzles.suite import Level

LEAST_DEVIATION: Final = 45.0
"""Nobody is known better than that, so that a rating never stands still."""
BOXES: Final = (10 * 60, 86_400, 3 * 86_400, 7 * 86_400, 21 * 86_400)
"""After how many seconds a failed puzzle comes again: at first soon, and later each time that it was solved."""
LARGEST_RATING: Final = 100_000
"""What the numbers of a record's rating stay below; its deviation and volatility are above 0."""
NEAREST: Final = 12
"""The next puzzle is one of these many whose ratings are nearest to one's own, or of more that are as near."""
DAILY_BANDS: Final = (3, 4, 5, 6, 7)
BANDED_DEVIATION, GUESSED_DEVIATION = 190.0, 250.0
"""How well a rating is known: that of a band as the fit of the bands found, a guess less well."""


@dataclass
class Done:
    """What came of a puzzle: whether it was solved the last time, how often it was tried, and when it comes again."""

    solved: bool
    tries: int = 1
    box: int | None = None
    due: int | None = None


@dataclass
class Practice:
    """Somebody's rating and the puzzles behind it, by names such as ``huanle/16``."""

    rating: Rating = field(default_factory=Rating)
    done: dict[str, Done] = field(default_factory=dict)

    def record(self, key: str, puzzle: Rating, *, solved: bool, now: int) -> None:
        """A puzzle was solved without a slip, or it was not. Only the first time counts for the rating."""
        before = self.done.get(key)
        if before is None:
            after = rated(self.rating, [(puzzle, float(solved))])
            self.rating = Rating(after.value, max(after.deviation, LEAST_DEVIATION), after.volatility)
        self.done[key] = _after(before, solved=solved, now=now)

    def due(self, now: int) -> list[str]:
        """The puzzles that are to be repeated, those first that wait the longest."""
        waiting = [(one.due, key) for key, one in self.done.items() if one.due is not None and one.due <= now]
        return [key for _, key in sorted(waiting)]

    @property
    def solved(self) -> int:
        return sum(one.solved for one in self.done.values())

    # ------------------------------------------------------------------ as JSON

    def to_json(self) -> dict[str, Any]:
        return {"rating": asdict(self.rating), "done": {key: asdict(one) for key, one in self.done.items()}}

    @classmethod
    def from_json(cls, value: Any, where: str = "practice") -> Practice:
        try:
            rating = Rating(**{name: float(number) for name, number in value["rating"].items()})
            sizes = abs(rating.value) + 1, rating.deviation, rating.volatility
            if not all(0 < number < LARGEST_RATING for number in sizes):
                raise ValueError
            return cls(rating, {str(key): _done(one) for key, one in value["done"].items()})
        except (TypeError, KeyError, ValueError, AttributeError, OverflowError):
            raise SuiteError(f"{where}: this is not a record of practice: {shown(value)}") from None


def _done(value: Mapping[str, Any]) -> Done:
    one = Done(**value)
    numbers = [one.tries, *(number for number in (one.box, one.due) if number is not None)]
    if not isinstance(one.solved, bool) or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError
    if one.box is not None and one.box >= len(BOXES):
        raise ValueError
    return one


def _after(before: Done | None, *, solved: bool, now: int) -> Done:
    tries = 1 if before is None else before.tries + 1
    if not solved:
        return Done(False, tries, 0, now + BOXES[0])
    if before is None or before.box is None or before.box + 1 == len(BOXES):
        return Done(True, tries)
    box = before.box + 1
    return Done(True, tries, box, now + BOXES[box])


# ---------------------------------------------------------------------- choosing


def puzzle_rating(level: Level) -> Rating:
    """How difficult a level is as a rating: by its band, or else guessed from the length of its solution."""
    if level.band is not None:
        return Rating(rating_of_band(level.band), BANDED_DEVIATION)
    return Rating(1000 + 45.0 * min(level.length or 7, 21), GUESSED_DEVIATION)


def has(level: Level, band: int | None, tag: str | None) -> bool:
    return (band is None or level.band == band) and (tag is None or tag in level.tags)


def next_level(
    levels: Mapping[str, Level],
    practice: Practice,
    *,
    band: int | None = None,
    tag: str | None = None,
    now: int = 0,
    chance: random.Random | None = None,
) -> str | None:
    """The puzzle to try next: one that is due, or a new one near the rating, or else one that was tried long ago."""
    wanted = {key: level for key, level in levels.items() if has(level, band, tag)}
    due = [key for key in practice.due(now) if key in wanted]
    if due:
        return due[0]
    fresh = [key for key in wanted if key not in practice.done]
    if not fresh:
        return min(wanted, key=lambda key: practice.done[key].tries, default=None)
    return nearest({key: wanted[key] for key in fresh}, practice.rating.value, chance)


def nearest(levels: Mapping[str, Level], rating: float, chance: random.Random | None = None) -> str | None:
    """One of the puzzles whose ratings are nearest to this one; None where there are none."""
    away = {key: abs(puzzle_rating(level).value - rating) for key, level in levels.items()}
    if not away:
        return None
    # All puzzles of a band have one rating, so that the twelfth may be as near as two hundred others.
    farthest = sorted(away.values())[:NEAREST][-1]
    return (chance or random.Random()).choice([key for key, distance in away.items() if distance <= farthest])


def daily(keys: Iterable[tuple[str, int | None]], day: datetime.date) -> str | None:
    """The puzzle of a day, the same for everybody who has the same puzzles: given as names with their bands."""
    both = list(keys)
    fitting: Sequence[str] = [key for key, band in both if band in DAILY_BANDS] or [key for key, _ in both]
    return fitting[scattered(day.isoformat()) % len(fitting)] if fitting else None


def scattered(text: str) -> int:
    """A number from a text that looks like chance: FNV-1a with 32 bits, stirred once more."""
    number = 0x811C9DC5
    for byte in text.encode():
        number = (number ^ byte) * 0x01000193 & 0xFFFFFFFF
    number = (number ^ number >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
    return number ^ number >> 13
