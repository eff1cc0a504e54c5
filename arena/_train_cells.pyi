from typing import final

import numpy as np
import numpy.typing as npt

from arena._worker import BoardWorker

Floats = npt.NDArray[np.float32]

@final
class CellWorker(BoardWorker):
    """What one thread needs: the windows of boards of one size, and gradients."""

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
    def run(self, weights: Floats, *task: object) -> None:
        """As :meth:`BoardWorker.over`, with these weights."""
    def forget(self) -> None:
        """Begin with no gradients."""
