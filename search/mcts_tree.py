"""What both Monte Carlo searches share: the options, what rollouts are worth, and what is told of a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from gomoku_patterns.cells import MAX_SIDE, Cell
from search._control import MOST
from search.options import Options, option

REWARDS = {"half": (1.0, 0.5), "hundred": (100.0, 1.0)}
"""What a won and an undecided rollout are worth; a lost one is worth nothing."""

WON, UNKNOWN, LOST = 1, 0, -1
"""What is proven of a node, for the colour whose move led to it."""

MAX_DEPTH = MAX_SIDE**2


@dataclass(frozen=True)
class MctsOptions(Options):
    """How the tree is grown."""

    rollouts: int = option(20000, "how many, unless a limit says so", least=1, most=MOST)
    reward: str = option("half", "win, loss and undecided: 1, 0, 0.5 or 100, 0, 1", choices=tuple(REWARDS))
    exploration: float = option(math.sqrt(2), "how much to try what was tried little", least=0)
    plies: int = option(40, "how long a rollout may be", least=0, most=MAX_SIDE**2)
    table: Any = option(None, "a pattern table that guides selection and rollouts", none="off")
    proofs: bool = option(True, "back up proven wins and losses")
    reuse: bool = option(True, "keep the tree between moves")
    memory: int = option(256, "most megabytes for the tree", least=1, most=16384)
    seed: int = option(0, "another seed, other rollouts", least=0, most=MOST)


class Tried(NamedTuple):
    """What is known of a root move: how often it was tried, what that was worth in all, and what is proven."""

    cell: Cell
    visits: int
    value: float
    proven: int
