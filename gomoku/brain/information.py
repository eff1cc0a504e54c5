"""What INFO lines say: time, rule, memory, threads, and limits of a search.

The rule code is a bit mask: 1 exactly five, 4 renju, 8 caro, and 2 for a continuous game, which changes nothing here.
Yixin's programs mean renju by 2: it is read so once a command or key of theirs has been seen.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from gomoku.brain.clock import Clock
from gomoku_patterns.rules import Rule

BASE_MEGABYTES = 100
"""What the process holds before any table of positions."""

_CLOCK_KEYS = ("timeout_turn", "timeout_match", "time_left")
_KEYS = ("rule", "max_memory", "max_depth", "max_node", "hash_size")
_YIXIN_KEYS = ("max_depth", "max_node", "thread_num", "hash_size", "show_detail", "caution_factor", "pondering")


@dataclass
class Information:
    """The INFO keys that mean something to us."""

    clock: Clock = field(default_factory=Clock)
    rule: int = 0
    max_memory: int = 0
    max_depth: int = 0
    max_node: int = 0
    thread_num: int = 0
    hash_size: int = 0
    yixin: bool = False

    def note(self, key: str, value: str) -> None:
        """Take one key; unknown ones and values that are no numbers are passed over, as managers expect."""
        self.yixin = self.yixin or key in _YIXIN_KEYS
        if re.fullmatch(r"-?\d{1,18}", value.strip()):
            if key in _CLOCK_KEYS:
                setattr(self.clock, key, int(value))
            elif key == "thread_num":
                # More threads than processors only wait for each other.
                self.thread_num = min(int(value), os.cpu_count() or 1) if int(value) > 0 else self.thread_num
            elif key in _KEYS:
                setattr(self, key, int(value))

    def game_rule(self) -> Rule:
        """The rule that the code means."""
        if self.rule & 8:
            return Rule.CARO if self.rule & 1 else Rule.CARO_OVERLINE
        if self.rule & 4 or (self.rule == 2 and self.yixin):
            return Rule.RENJU
        return Rule.STANDARD if self.rule & 1 else Rule.FREESTYLE

    def megabytes(self) -> int | None:
        """How large the table of positions may be; None where nothing was said."""
        if self.max_memory > 0:
            return max(1, min(4096, ((self.max_memory >> 20) - BASE_MEGABYTES) // 3))
        return max(1, min(4096, self.hash_size >> 10)) if self.hash_size > 0 else None
