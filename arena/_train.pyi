from collections.abc import Sequence
from typing import final

import numpy as np
import numpy.typing as npt

from arena._worker import BoardWorker

Floats = npt.NDArray[np.float32]

PARTS: dict[str, int]
HEAD: int

@final
class Worker(BoardWorker):
    """What one thread needs: the windows of boards of one size, and gradients."""

    def __init__(self, rows: int, cols: int) -> None: ...
    def run(self, table: Floats, head: Floats, *task: object) -> None:
        """As :meth:`BoardWorker.over`, with these weights."""

@final
class Learner:
    """The weights in training: rows as sums of factors, the head, and what Adam remembers of them."""

    factors: list[Floats]
    head: Floats
    table: Floats
    firsts: list[Floats]
    seconds: list[Floats]
    head_first: Floats
    head_second: Floats
    updates: int

    def __init__(
        self, numbers: Sequence[npt.NDArray[np.int32]], factors: Sequence[Floats], head: Floats, most: float
    ) -> None: ...
    def resume(
        self,
        updates: int,
        firsts: list[Floats],
        seconds: list[Floats],
        head_first: Floats,
        head_second: Floats,
    ) -> None:
        """Go on where a run ended."""
    def sum_up(self) -> None:
        """Make the rows anew from their factors; row 0 stays 0."""
    def update(self, workers: list[Worker], rate: float, positions: int) -> None:
        """One step of Adam against the gradients of the workers, which are forgotten."""
