from collections.abc import Collection

from gomoku_patterns.board import Board
from gomoku_patterns.cells import Cell
from gomoku_patterns.rules import Rule
from search._control import Control
from search.proof import Attack

class Unsound(AssertionError):  # noqa: N818  (a defect of the solver, no error of a user)
    """A proof that did not stand its own replay: a defect of the solver, never a claim."""

class ProofSearch:
    """One solver's tables; a search at a time."""

    def __init__(
        self, board: Board, rule: Rule, memory: int, most_room: int = 1 << 31, first_budget: int = 100
    ) -> None: ...
    def allow(self, memory: int) -> None: ...
    @property
    def nodes_searched(self) -> int: ...
    @property
    def stopped_by(self) -> str: ...
    def clear(self) -> None: ...
    @property
    def bytes(self) -> int: ...
    def solve(
        self,
        board: Board,
        mode: str,
        control: Control,
        nodes_limit: int | None,
        plies: int | None = None,
        without: Collection[Cell] = (),
    ) -> int: ...
    def proof(self) -> Attack: ...
