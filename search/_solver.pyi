from gomoku_patterns.board import Board
from gomoku_patterns.rules import Rule
from search._control import Control
from search.certificate import Attack

class Unsound(AssertionError):
    """A proof that did not stand its own replay: a defect of the solver, never a claim."""

class ProofSearch:
    """One solver's tables; a search at a time."""

    def __init__(self, board: Board, rule: Rule, memory: int) -> None: ...
    @property
    def nodes_searched(self) -> int: ...
    @property
    def stopped_by(self) -> str: ...
    def clear(self) -> None: ...
    def solve(
        self, board: Board, mode: str, control: Control, nodes_limit: int | None, plies: int = 0
    ) -> int: ...
    def proof(self) -> Attack: ...
