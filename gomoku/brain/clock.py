"""How long a move may take, from what the manager says about time."""

from __future__ import annotations

from dataclasses import dataclass

from arena.protocol import UNLIMITED

FASTEST_SECONDS = 0.05
"""What a move takes when the manager asks for one as fast as possible."""
SAFETY_SECONDS = 0.03
"""Kept back of every limit for the way through the pipes."""


@dataclass
class Clock:
    """What the manager has said about time, in milliseconds, and how much of it a move may take."""

    timeout_turn: int = 30_000
    timeout_match: int = 0
    time_left: int = UNLIMITED

    def seconds(self, stones: int, cells: int) -> float:
        """Seconds for the next move: the turn's limit, or a fair part of what is left of the match.

        >>> Clock(timeout_turn=1000).seconds(10, 225)
        0.97
        >>> Clock(timeout_turn=5000, timeout_match=120_000, time_left=60_000).seconds(40, 225)
        2.97
        """
        if self.timeout_turn <= 0:
            return FASTEST_SECONDS
        turn = self.timeout_turn / 1000
        if self.timeout_match > 0 or self.time_left < UNLIMITED:
            # Most games end before the board is a third full; twenty more moves are expected at first, eight always.
            moves = max(8, 20 - max(0, stones - cells // 6) // 4)
            turn = min(turn, max(0.0, self.time_left / 1000) / moves)
        return max(FASTEST_SECONDS, round(turn - SAFETY_SECONDS, 3))
