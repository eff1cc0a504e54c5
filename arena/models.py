"""What is trained, as the trainer sees it: line codes and cell tables learn from the same positions alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from gomoku_patterns.cell_tables import CellWeights
    from gomoku_patterns.codes import LineCode

Floats = npt.NDArray[np.float32]


class Task(NamedTuple):
    """Some positions to find the losses of.

    ``told`` takes for each of ``order`` its value loss, policy loss, chance and whether the best move was found.
    """

    cells: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint8]
    targets: Floats
    best: npt.NDArray[np.int16]
    order: npt.NDArray[np.int64]
    policy_weight: float
    learn: bool
    told: Floats


class Model(Protocol):
    """Weights in training, and the workers that find their gradients, one a thread."""

    @property
    def kind(self) -> str:
        """What kind of table it becomes, as ``scan`` says it."""

    def run(self, worker: int, task: Task) -> None:
        """Let one worker do a task; it keeps the gradients."""

    def update(self, rate: float, positions: int) -> None:
        """One step against the gradients of the workers, which are forgotten."""

    def best(self) -> tuple[Floats, ...]:
        """What is kept of the best pass."""

    def state(self) -> dict[str, Any]:
        """All that a run needs to go on, as arrays."""

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from a state."""

    def rounded(self, best: Sequence[Floats], scale: int, provenance: Mapping[str, Any]) -> LineCode | CellWeights:
        """The best weights as whole numbers; a score of ``scale`` is a winning chance of 73 %."""
