from collections.abc import Sequence

from gomoku_patterns._trackers import CoreTracker
from gomoku_patterns.board import Board
from search._control import Control

class NativeTree:
    """A search of one depth; the attributes say what it has found, cells as flat indexes."""

    nodes: int
    best: float
    values: dict[int, float]
    line: list[int]
    def run(self, moves: list[int]) -> str | None: ...

class NativeLevelTree(NativeTree):
    """``level_tree``."""

    def __init__(
        self,
        board: Board,
        tracker: CoreTracker,
        control: Control,
        depth: int,
        node: int,
        decided: int,
    ) -> None: ...

class NativeWins(NativeTree):
    """``wins``."""

    late: bool
    def __init__(
        self,
        board: Board,
        tracker: CoreTracker,
        control: Control,
        depth: int,
        width: int,
        powers: Sequence[float],
        five: float,
        seconds: float,
        renju: bool,
    ) -> None: ...

class NativeTwoPly(NativeTree):
    """``two_ply``."""

    def __init__(
        self,
        board: Board,
        tracker: CoreTracker,
        control: Control,
        depth: int,
        own_five: int,
        other_five: int,
    ) -> None: ...
