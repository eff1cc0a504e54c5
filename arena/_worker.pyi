import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

class BoardWorker:
    """What one thread needs to read boards of one size."""

    rows: int
    cols: int
    reach: int

    def __init__(self, rows: int, cols: int, reach: int) -> None: ...
    def over(
        self,
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
