from typing import final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

@final
class CellWorker:
    """What one thread needs: the windows of boards of one size, and gradients."""

    rows: int
    cols: int
    gradients: Floats

    def __init__(
        self,
        kinds: npt.NDArray[np.uint8],
        numbers: npt.NDArray[np.uint16],
        shown: npt.NDArray[np.uint8],
        firsts: npt.NDArray[np.uint8],
        reach: int,
        fact_count: int,
        rows: int,
        cols: int,
    ) -> None: ...
    def run(
        self,
        weights: Floats,
        cells: npt.NDArray[np.uint8],
        turns: npt.NDArray[np.uint8],
        targets: Floats,
        best: npt.NDArray[np.int16],
        order: npt.NDArray[np.int64],
        policy_weight: float,
        learn: bool,
        told: Floats,
    ) -> None:
        """The value loss, policy loss, chance and whether the best move was found of the positions of ``order`` into
        ``told``; if it is to learn, also their gradients, on top of those that are there."""
    def forget(self) -> None:
        """Begin with no gradients."""
