"""Games that end because both players say the same: one is lost, or neither is better.

>>> resignation = Resignation.parse("3,2000")
>>> resignation.winner([5, 2100, 2500, 2200, 2600, 3000, 2900])
BLACK
>>> resignation.winner([2100, 2500, 2200, 2600, 3000, None]) is None
True
>>> DrawAgreement.parse("2,10,40").reached([9, -3, 0, 8], stones=44)
True

Scores are as black sees them, each in its player's own measure, and None where a player says nothing: then nothing is
agreed on. Both players' last ``moves`` scores have to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gomoku_patterns.cells import BLACK, WHITE, Colour
from gomoku_patterns.errors import ArenaError

Scores = Sequence[int | None]


def _numbers(text: str, option: str, form: str, count: tuple[int, ...]) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in count or not all(part.isdecimal() and len(part) < 10 for part in parts):
        raise ArenaError(f"cannot read {option} {text!r}; write {form}")
    return [int(part) for part in parts]


def _last(scores: Scores, moves: int) -> list[int] | None:
    """Both players' last scores, or None where one is not known."""
    last = list(scores[-2 * moves :])
    known = [score for score in last if score is not None]
    return known if len(known) == 2 * moves else None


@dataclass(frozen=True)
class Resignation:
    """A game is lost when both players' last ``moves`` scores are beyond ``score`` for the same side."""

    moves: int
    score: int

    def __post_init__(self) -> None:
        if self.moves < 1 or self.score < 1:
            raise ArenaError(f"a resignation needs moves and a score from 1, not {self.moves!r} and {self.score!r}")

    @classmethod
    def parse(cls, text: str) -> Resignation:
        """The rule meant by ``MOVES,SCORE``."""
        moves, score = _numbers(text, "--resign", "MOVES,SCORE such as 3,5000", (2,))
        return cls(moves, score)

    def winner(self, scores: Scores) -> Colour | None:
        """Who has won by agreement, after these scores."""
        last = _last(scores, self.moves)
        if last is None:
            return None
        if min(last) >= self.score:
            return BLACK
        return WHITE if max(last) <= -self.score else None


@dataclass(frozen=True)
class DrawAgreement:
    """A game is drawn when, from ``stones`` on, both players' last ``moves`` scores are within ``score`` of even."""

    moves: int
    score: int
    stones: int = 0

    def __post_init__(self) -> None:
        if self.moves < 1 or self.score < 0 or self.stones < 0:
            found = f"{self.moves!r}, {self.score!r} and {self.stones!r}"
            raise ArenaError(f"a draw by agreement needs moves from 1, a score and stones from 0, not {found}")

    @classmethod
    def parse(cls, text: str) -> DrawAgreement:
        """The rule meant by ``MOVES,SCORE`` or ``MOVES,SCORE,STONES``."""
        return cls(*_numbers(text, "--draw", "MOVES,SCORE or MOVES,SCORE,STONES such as 8,20,100", (2, 3)))

    def reached(self, scores: Scores, stones: int) -> bool:
        """Whether the game is drawn by agreement, after these scores and with so many stones on the board."""
        last = _last(scores, self.moves)
        return last is not None and stones >= self.stones and max(map(abs, last)) <= self.score
