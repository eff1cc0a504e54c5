from gomoku_patterns._trackers import CoreTracker
from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from search._control import Control

class MctsTree:
    """A position and what was found out about it."""

    depth: int
    rollouts: int
    def __init__(
        self,
        board: Board,
        legal: list[Cell],
        tracker: CoreTracker | None,
        win: float,
        draw: float,
        exploration: float,
        plies: int,
        proofs: bool,
        memory: int,
    ) -> None: ...
    def run(self, control: Control, seed: int, rollouts: int, depth: int) -> bool: ...
    def follow(self, cells: list[int], legal: list[Cell]) -> bool: ...
    @property
    def proven(self) -> int: ...
    @property
    def size(self) -> int: ...
    def moves(self) -> list[tuple[int, int, float, int]]: ...
    def line(self) -> list[int]: ...
